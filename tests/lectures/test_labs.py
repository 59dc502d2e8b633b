"""The words of a lab, held against what it computes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry
from calc.overtraining import lifetime, scaling_law
from calc.step import decode_step
from tests.lectures.reading import LECTURES


@cache
def lab(chapter: str) -> tuple[str, dict[str, Any]]:
    text = (LECTURES / chapter / "lab.py").read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    exec(compile(text, "lab.py", "exec"), space)
    return " ".join(text.replace("\n# ", " ").split()), space


def test_sums_are_most_of_what_taking_turns_adds():
    text, space = lab("batching")
    assert "the sums between the eight chips are most of what taking turns adds" in text
    for count in (24, 64, 512):
        step = space["step"].decode(space["here"].setting, count, 1000)
        simple = space["batching"].step_time(count, 1000, **space["machine"]).bound
        assert 2 * step.scale_up_seconds > step.in_turn_seconds - simple


def test_at_hundreds_of_seats_trains_run_almost_full():
    text, space = lab("batching")
    assert "at hundreds of seats a system can be run almost full" in text
    came = np.sort(space["draws"].uniform(11, 500 * 256)) * 500
    boarded = space["departures"].board(came * 0.02 / 0.98, 0.02, 256)
    assert np.mean(boarded.arrives / 0.02) - np.mean(came / 0.98) == pytest.approx(1.5, abs=0.1)


def test_further_racks_buy_a_quarter_and_less_than_half():
    text, _ = lab("moe")
    assert "even the second rack buys about a quarter, and eight buy less than half" in text
    one, two, eight = (
        decode_step("deepseek-v3", "gb200-nvl72", "fp8", batch=2048, context=4096, chips=72 * racks).in_turn_seconds
        for racks in (1, 2, 8)
    )
    assert one / two == pytest.approx(1.25, abs=0.03)
    assert 1.4 < one / eight < 1.5


def test_one_chip_of_copies_is_the_busiest_and_counted_favourites_are_stronger():
    text, space = lab("moe")
    assert space["plans"]["Favourites, copied"].argmax() == 64
    counted = {name: each.number for name, each in registry.find("moe/throws").answer().values.items()}
    assert counted["counted_chips"] == 32
    assert "with eight experts on each of 32 chips the hottest had more than two and a half times the mean" in text
    assert counted["counted"] > 2.5 > space["eight_each"].max() + 0.5
    assert "little more than the mean" in text
    assert counted["counted_filled"] < 1.15


def test_copies_and_pipeline_take_longer_by_nearly_the_same_factor():
    text, space = lab("pipelining")
    assert "by nearly the same factor" in text
    for name in ("bound_seconds", "in_turn_seconds", "serial_seconds"):
        copies, line = (getattr(found, name) / space["steps"][way][1] for way, found in space["laid"].items())
        assert copies == pytest.approx(line, rel=0.01)
        assert copies > 1


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


def test_learning_as_busy_as_deepseek_takes_nearly_two_hours():
    text, space = lab("overtraining")
    assert "learning alone takes nearly two hours" in text
    assert 1.8 < space["policy"].learning / space["busy"] / 3600 < 2


def test_the_forecast_and_the_bound_of_a_token_fall_with_every_batch():
    text, space = lab("serving")
    assert "Both lines fall" in text
    for name in ("bound", "forecast"):
        assert np.all(np.diff([float(getattr(each, name).output) for each in space["sheets"]]) < 0)
    assert space["batches"][0] == 72
    assert space["best"].batch.size < space["every"].tried / 50
