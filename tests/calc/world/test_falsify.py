"""No measurement is faster than the bound, but for records that are known to be wrong; and the test has power.

Each mutation makes a formula's bound too high in a way that a slip might. The measurements must refute every one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import measurements
from calc.setting import Precisions
from calc.step import attending, decode, feeding
from calc.world import falsify
from calc.world.falsify import EXCEPTIONS, confronted, every, faster_with_prompts, refuting
from calc.world.settings import setting_of


@pytest.fixture(scope="module")
def found():
    return every()


@pytest.fixture(scope="module")
def clean(found):
    return [each for each in found if not each.row.set_aside]


def test_no_clean_measurement_is_faster_than_the_bound(clean):
    assert len(clean) > 2000
    assert [each.row.id for each in clean if each.ratio < 1] == []


def test_of_those_set_aside_only_known_bad_records_are_and_the_list_holds_no_other(found):
    assert {each.row.id for each in refuting(found)} == set(EXCEPTIONS)
    assert len(EXCEPTIONS) == 3
    assert all(EXCEPTIONS.values())


def test_by_the_bound_itself_five_are_of_which_three_queued_and_two_have_no_load():
    """The page counts them in words; with what is open at its fastest two of those that queued are slower."""
    faster = [each for each in confronted(measurements()) if each.ratio < 1]
    assert Counter(each.row.set_aside for each in faster) == {"waiting": 3, "load": 2}
    assert Counter(each.row.set_aside for each in faster if not each.refutes) == {"waiting": 2}


def test_nor_is_any_with_drafts_or_an_impossible_layout_so_the_choice_does_not_make_the_result():
    rows = [row for row in measurements() if row.set_aside in falsify.NOT_BOUND]
    assert len(rows) > 600
    assert min(each.ratio for each in confronted(rows)) > 1


def test_every_measurement_is_asked_but_for_drafts_and_layouts_that_did_not_run(found):
    assert len(found) == 2252
    assert {each.row.set_aside for each in found} == {"", "waiting", "load", "repeat"}


def test_what_the_source_leaves_open_can_only_lower_the_bound(found):
    assert all(each.fastest <= each.bound <= each.serial for each in found)


def test_the_nearest_are_within_reach_so_that_a_bound_too_high_is_seen(clean):
    ratio = np.array([each.ratio for each in clean])
    assert ratio.min() > 1.2 < 1.3
    assert np.median(ratio) == pytest.approx(3.26, abs=0.05)


def test_nearly_all_bounds_are_those_of_memory(clean):
    """So a slip in what is read shows, and one in what is sent would not: the page says so."""
    assert sum(each.reads for each in clean) > 0.99 * len(clean)
    assert all(each.memory <= each.bound for each in clean)
    for each in clean:
        if not each.reads:
            step = decode(setting_of(each.row), each.row.in_flight, each.row.context)
            assert each.bound == pytest.approx(float(step.compute_seconds)), "links limit none"


def test_no_clean_measurement_is_faster_than_the_bound_with_the_prompts_that_it_reads(found, clean):
    assert faster_with_prompts(found) == []
    ratio = np.array([each.prompted_ratio for each in clean])
    assert ratio.min() > 1.2
    assert np.median(ratio) < np.median([each.ratio for each in clean])
    assert all(each.prompted >= each.bound for each in clean)
    assert {each.row.mode for each in clean if each.prompted > each.bound} == {"agg"}


def test_products_with_prompts_by_hand(clean):
    """Llama 3 70B on one chip: two operations for each weight and token, written or read beside."""
    each = next(each for each in clean if each.multiplies and each.row.model == "llama-3-70b" and each.row.chips == 1)
    row = each.row
    model = catalog.model(row.model)
    weights = model.total_params - model.known("vocabulary") * model.known("d_model")
    tokens = row.in_flight * (1 + row.mean_input / row.mean_output)
    rate = catalog.system(row.system).chip.known(f"{row.precision}_flops")
    assert 1 < each.products / (2 * weights * tokens / rate) < 1.2, "attention takes the rest"


def test_products_counted_three_times_are_refuted(clean, monkeypatch):
    """So runs that read prompts test arithmetic, which the bound on writing hides behind memory."""
    work = falsify.work

    def thrice(rows):
        found = work(rows)
        return replace(found, arithmetic_seconds=3 * found.arithmetic_seconds)

    monkeypatch.setattr(falsify, "work", thrice)
    assert len(faster_with_prompts(confronted([each.row for each in clean[::2]]))) > 10


def test_the_command_fails_where_a_run_is_faster_than_its_bound_with_prompts(capsys, monkeypatch):
    monkeypatch.setattr(falsify, "faster_with_prompts", lambda found: found[:1])
    assert falsify.main([]) == 1
    assert "faster than the bound with prompts" in capsys.readouterr().out


def whole(*_):
    return 1.0


MUTATIONS = {
    "every expert is read": (feeding, "chosen_share", whole),
    "every chip reads every expert": (feeding, "placed_experts", lambda part, _: part.experts),
    "every chip reads the whole cache": (attending, "cache_ways", whole),
    "weights are read in sixteen bits": (Precisions, "weight_bytes", lambda *_: 2.0),
    "the cache is read in thirty-two bits": (Precisions, "cache_bytes", property(lambda _: 4.0)),
    "attention takes sixty-four times its operations": (
        attending,
        "sequence_attention_flops",
        lambda at, asked, of=attending.sequence_attention_flops: 64 * of(at, asked),
    ),
}


@pytest.mark.parametrize("mutation", MUTATIONS)
def test_a_formula_that_makes_the_bound_too_high_is_refuted(mutation, clean, monkeypatch):
    monkeypatch.setattr(*MUTATIONS[mutation])
    assert refuting(confronted([each.row for each in clean[::2]]))


def test_the_command_names_every_refutation_and_fails_where_no_reason_is_known(capsys, monkeypatch):
    assert falsify.main([]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in EXCEPTIONS)
    monkeypatch.setattr(falsify, "EXCEPTIONS", {})
    assert falsify.main([]) == 1
    assert "NO REASON IS KNOWN" in capsys.readouterr().out
