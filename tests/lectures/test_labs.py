"""The words of a lab, held against what it computes."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from calc import catalog
from calc.chapters import CHAPTERS
from calc.figure import registry
from calc.overtraining import lifetime, scaling_law
from calc.setting import Layout
from calc.step import decode, decode_step
from tests.lectures.reading import LECTURES


@cache
def lab(chapter: str) -> tuple[str, dict[str, Any]]:
    text = (LECTURES / chapter / "lab.py").read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    exec(compile(text, "lab.py", "exec"), space)
    return " ".join(text.replace("\n# ", " ").split()), space


@pytest.mark.parametrize("lecture", CHAPTERS, ids=lambda lecture: lecture.name)
def test_a_lab_links_its_lecture_and_prints_what_it_found(lecture):
    text = (LECTURES / lecture.name / "lab.py").read_text(encoding="utf-8")
    number = CHAPTERS.index(lecture) + 1
    assert f"[lecture {number}](../)" in text.casefold().partition("# %%\n")[0]
    (cell,) = re.findall(r'^# %% tags=\["found"\]\n(.*?)(?=^# %%)', text, flags=re.S | re.M)
    _, space = lab(lecture.name)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(cell, "lab.py", "exec"), space)
    (sentence,) = said.getvalue().splitlines()
    assert re.search(r"\d", sentence)
    assert sentence.endswith(".")


def test_sums_are_most_of_what_taking_turns_adds():
    text, space = lab("batching")
    assert "the sums between the eight chips are most of what taking turns adds" in text
    for count in (24, 64, 512):
        step = space["step"].decode(space["here"].setting, count, 1000)
        simple = space["batching"].step_time(count, 1000, **space["machine"]).bound
        assert 2 * step.scale_up_seconds > step.in_turn_seconds - simple


def test_mixing_helps_in_batches_as_large_as_these():
    text, space = lab("batching")
    assert "mixing helps in batches as large as these" in text
    step, node = space["step"], space["node"]
    for count, helps in ((100, False), (400, True)):
        apart = [step.decode(node, 2 * count, length) for length in (space["short"], space["long"])]
        both = tuple(step.Requests(batch=count, context=length) for length in (space["short"], space["long"]))
        mixed = step.Step(node, both, 1)
        assert (2 * mixed.bound_seconds < 0.99 * sum(each.bound_seconds for each in apart)) == helps
        assert 2 * mixed.in_turn_seconds == pytest.approx(sum(each.in_turn_seconds for each in apart))


def test_at_hundreds_of_seats_trains_run_almost_full():
    text, space = lab("batching")
    assert "at hundreds of seats a system can be run almost full" in text
    came = np.sort(space["draws"].uniform(11, 500 * 256)) * 500
    boarded = space["departures"].board(came * 0.02 / 0.98, 0.02, 256)
    assert np.mean(boarded.arrives / 0.02) - np.mean(came / 0.98) == pytest.approx(1.5, abs=0.1)


def test_both_domains_hold_their_step_and_caches_for_ten_contexts_exist():
    text, space = lab("memory_wall")
    assert "For ten contexts the catalogue has models with a cache so small; for a thousand none comes near" in text
    for where in (space["box"], space["rack"]):
        assert decode(where.setting, where.chips, 4096).fits
    known = [model for model in catalog.models().values() if model.kv_elements_per_token]
    least = min(model.kv_bytes_per_token("fp8") for model in known)
    _, ten, _, thousand = np.minimum(space["read"], space["room"])
    assert 20 * thousand < least < ten


def test_further_racks_buy_a_quarter_and_less_than_half_and_more_with_links_like_those_inside():
    text, _ = lab("moe")
    assert "cards the second rack buys about a quarter, and eight buy less than half" in text
    assert "With links as fast as those inside it would be about a third, and two thirds" in text
    one, two, eight = (
        decode_step("deepseek-v3", "gb200-nvl72", "fp8", batch=2048, context=4096, chips=72 * racks)
        for racks in (1, 2, 8)
    )
    assert one.in_turn_seconds / two.in_turn_seconds == pytest.approx(1.25, abs=0.03)
    assert 1.4 < one.in_turn_seconds / eight.in_turn_seconds < 1.5
    assert eight.setting.layout.chips == 256
    for found, gain in ((two, 4 / 3), (eight, 5 / 3)):
        machine = replace(found.setting.machine, scale_out=found.setting.machine.scale_up)
        alike = decode(replace(found.setting, machine=machine), 2048, 4096)
        assert one.in_turn_seconds / alike.in_turn_seconds == pytest.approx(gain, abs=0.04)


def test_halves_take_longer_than_no_overlap_where_reading_weights_is_most_of_the_step():
    text, space = lab("moe")
    assert "where reading weights is most of the step, they take longer than no overlap" in text
    steps = [decode(space["here"].setting, batch, context) for batch in (256, 2048, 8192) for context in (4096, 16384)]
    mostly = [step for step in steps if 2 * step.weights_seconds > step.serial_seconds]
    assert 0 < len(mostly) < len(steps)
    assert all(step.halves_seconds > step.serial_seconds for step in mostly)
    assert any(2 * step.memory_seconds > step.serial_seconds > step.halves_seconds for step in steps)


def test_one_chip_of_copies_is_the_busiest_and_counted_favourites_are_stronger():
    text, space = lab("moe")
    assert space["plans"]["Favourites, copied"].argmax() == 64
    counted = {name: each.number for name, each in registry.find("moe/throws").answer().values.items()}
    assert counted["counted_chips"] == 32
    assert "with eight experts on each of 32 chips the hottest had more than two and a half times the mean" in text
    assert counted["counted"] > 2.5 > space["eight_each"].max() + 0.5
    assert "little more than the mean" in text
    assert counted["counted_filled"] < 1.15


def test_operation_by_operation_a_pipeline_holds_and_takes_an_eighth_more():
    text, space = lab("pipelining")
    assert "holds an eighth more than the copies" in text
    assert "takes an eighth longer: again both decode as much" in text
    (few, many), (short, long) = space["held"].values(), space["laid"].values()
    assert many / few == pytest.approx(1.125, abs=0.015)
    for name in ("bound_seconds", "in_turn_seconds", "serial_seconds"):
        assert getattr(long, name) / getattr(short, name) == pytest.approx(1.125, abs=0.015)
    assert short.fits
    assert long.fits


def test_a_domain_is_hardly_faster_for_few_where_every_chip_reads_attention():
    text, space = lab("pipelining")
    assert "but hardly faster operation by operation" in text
    rack, context, simple = space["rack"].setting, space["context"], space["batching"].step_time
    wide = replace(rack, machine=replace(rack.machine, domain_chips=288), layout=Layout(data=256, expert=256))
    alone, spread = (space[name] for name in ("machine", "larger"))
    assert 3.9 < simple(1, context, **alone).bound / simple(4, context, **spread).bound < 4
    for count in (4, 40):
        one, four = space["step"].decode(rack, count / 4, context), space["step"].decode(wide, count, context)
        assert one.in_turn_seconds / four.in_turn_seconds < 1.05


def test_a_fast_stream_favours_the_long_hold_and_fifty_minutes_no_hold():
    text, space = lab("pricing")
    assert "as it is written about a twelfth as often" in text
    assert "At a pause of fifty minutes neither hold pays" in text
    short, long, none = (
        np.broadcast_to(space["each"][offer], 3) for offer in ("kept 5 minutes", "kept 1 hour", "no cache")
    )
    assert long[0] < short[0] < none[0]
    assert none[2] < min(short[2], long[2])


def test_qwen3_max_has_a_second_step():
    text, _ = lab("pricing")
    assert "Qwen3 Max has a second step" in text
    assert catalog.price("qwen3-max").note.startswith("Two steps")


def test_half_or_twice_the_tokens_cost_less_than_a_tenth_more():
    text, space = lab("overtraining")
    assert "Half or twice the tokens cost less than a tenth more" in text
    guess, later = space["guess"], space["later"]
    for law in space["laws"].values():
        target = scaling_law.loss(law, guess.params, guess.tokens)
        best = lifetime.cheapest_at_loss(law, target, later)
        for tokens in (best.tokens / 2, best.tokens * 2):
            model = scaling_law.Allocation(scaling_law.params_for_loss(law, target, tokens), tokens)
            assert 1.05 < model.lifetime_operations(later) / best.lifetime_operations(later) < 1.1


def test_policies_that_are_drawn_fit_the_memory_and_not_beside_the_multipliers():
    _, space = lab("overtraining")
    least, most = (space["training_run"].model_state_bytes(space["sizes"][end]) for end in (0, -1))
    assert space["world"]["on_chip_bytes"] < least < most < space["gpu"].hbm_bytes


def test_one_difference_is_hardest_to_follow():
    text, space = lab("reversible")
    assert "The one row without a 4 is the difference that is hardest to follow" in text
    assert np.count_nonzero(space["table"][1:, 1:].max(axis=1) < 4) == 1
    assert space["table"][1:, 1:].max() == 4


def test_learning_as_busy_as_deepseek_takes_nearly_two_hours():
    text, space = lab("overtraining")
    assert "learning alone takes nearly two hours" in text
    assert 1.8 < space["policy"].learning / space["busy"] / 3600 < 2


def test_the_forecast_and_the_bound_of_a_token_fall_with_every_batch():
    text, space = lab("serving")
    assert "Both lines fall, and level off" in text
    for name in ("bound", "forecast"):
        costs = np.array([float(getattr(each, name).output) for each in space["sheets"]])
        assert np.all(np.diff(costs) < 0)
        assert costs[0] / costs[1] > 1.9
        assert costs[-2] / costs[-1] < 1.2
    assert space["batches"][0] == 72
    assert "the points that no other beats, about one in a hundred" in text
    assert space["best"].batch.size / space["every"].tried == pytest.approx(0.01, abs=0.002)
