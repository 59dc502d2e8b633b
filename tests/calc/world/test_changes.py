"""Changes between measured runs: how pairs are found, and what the bound and the forecast are worth there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc.world.against import Point, points
from calc.world.changes import ALIKE, Change, changes

CHIPS, FEW, MANY, PROMPTS, FORMAT, GENERATION = changes(points())


def point(times: tuple[float, float, float], **asked: object) -> Point:
    row, (measured, bound, forecast) = points()[0].row, times
    plain = {"chips": 4, "tensor": 4, "attention_groups": 1, "batch": 16.0, "in_flight": 16.0}
    return Point(replace(row, token_seconds=measured, **plain | asked), bound, bound, forecast)


def test_runs_that_differ_in_nothing_but_chips_are_a_pair():
    before, after = point((8, 4, 8)), point((6, 2, 7), chips=8, tensor=8)
    others = [point((1, 1, 1), chips=8, tensor=8, **{each: value}) for each, value in OTHERWISE.items()]
    (pair,) = changes([before, after, *others])[0].pairs
    assert pair == (before, after)


OTHERWISE = {"model": "another", "engine": "another", "engine_version": "0", "in_flight": 18.0, "attention_groups": 2}


def test_a_change_is_the_second_time_over_the_first():
    change = Change("Twice", [(point((8, 4, 8)), point((6, 2, 8)))])
    assert change.measured == change.times(lambda each: each.row.token_seconds) == [0.75]
    assert change.bound == [0.5]
    assert change.off(change.bound) == pytest.approx(1.5)
    assert change.off(change.forecast) == pytest.approx(4 / 3)


@pytest.mark.parametrize("change", changes(points()), ids=lambda change: change.name)
def test_pairs_are_alike_but_for_what_is_named(change):
    free = {
        CHIPS.name: {"chips", "tensor"},
        PROMPTS.name: {"input_tokens"},
        FORMAT.name: {"precision", "projections", "experts"},
        GENERATION.name: {"system", "engine_version"},
    }.get(change.name, {"batch"})
    assert len(change.pairs) > 100
    for before, after in change.pairs:
        assert {each for each in ALIKE if getattr(before.row, each) != getattr(after.row, each)} <= free


def test_the_forecast_is_nearer_to_a_change_than_the_bound():
    for change in (CHIPS, FEW, MANY, PROMPTS, FORMAT):
        assert change.off(change.forecast) < change.off(change.bound)


def test_a_change_falls_into_models_and_no_pair_is_lost():
    for change in changes(points()):
        by_model = change.by_model
        assert sum(len(one.pairs) for one in by_model.values()) == len(change.pairs)
        assert all(
            {each.row.model for pair in one.pairs for each in pair} == {model} for model, one in by_model.items()
        )
        counts = [len(one.pairs) for one in by_model.values()]
        assert counts == sorted(counts, reverse=True)


def test_what_a_format_is_worth_depends_on_the_model():
    """So no median over models is on the page: FP4 halves nothing for Llama, and MiniMax gives most of the pairs."""
    left = {model: float(np.median(one.measured)) for model, one in FORMAT.by_model.items()}
    assert left["llama-3-70b"] > 0.9
    assert max(left["minimax-m2.5"], left["deepseek-v3"]) < 0.75
    said = {model: float(np.median(one.forecast)) for model, one in FORMAT.by_model.items()}
    assert said["llama-3-70b"] < left["llama-3-70b"]
    assert said["deepseek-v3"] > left["deepseek-v3"]


def test_what_a_new_chip_is_worth_depends_on_the_model_and_the_engine():
    of = GENERATION.by_model
    miss = {model: one.off(one.forecast) for model, one in of.items()}
    assert miss["llama-3-70b"] < 1.1 < 1.5 < miss["gpt-oss-120b"]
    same, newer = (
        of["deepseek-v3"].among(lambda pair, is_same=is_same: is_same is _one_engine(pair)) for is_same in (True, False)
    )
    assert len(same.pairs) + len(newer.pairs) == len(of["deepseek-v3"].pairs)
    assert np.median(same.measured) > np.median(same.forecast)
    assert np.median(newer.measured) < np.median(newer.forecast)


def _one_engine(pair):
    return pair[0].row.engine_version == pair[1].row.engine_version


def test_the_worst_change_of_chips_is_that_of_qwen3_235b():
    """The page names it."""
    off = {model: one.off(one.forecast) for model, one in CHIPS.by_model.items()}
    assert max(off, key=off.get) == "qwen3-235b-a22b"
    assert sorted(off.values())[-2] < 1.06


def test_the_forecast_knows_chips_readers_and_prompts():
    """The world page and lectures say so."""
    assert all(change.off(change.forecast) < 1.1 for change in (CHIPS, FEW, MANY, PROMPTS))
    for change in (CHIPS, FEW, MANY, PROMPTS):
        assert np.mean((change.measured > 1) == (change.forecast > 1)) > 0.97
