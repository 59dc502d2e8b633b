"""Users that share a step: lines from a lone user's step, levels, and whole users where they meet."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.batching.figures.promise import PROMPT, beside, read_seconds
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING
from calc.batching.figures.sharing import NAMES, SHARING, Sloped
from calc.figure import registry
from calc.setting import Scenario
from calc.step.forecasting import forecast


def users(**inputs: float) -> list[float]:
    found = SHARING.answer(**inputs)
    return [found.values[name].number for name in ("bound", "likely", "sure", "beside")]


def test_the_dots_are_the_numbers_of_the_text() -> None:
    told = registry.find("batching/promised").answer().values
    gaps = registry.find("world/gaps").answer().values
    assert users() == [told[name].number for name in ("bound", "expected", "sure")] + [gaps["users"].number]
    assert users(prompt=gaps["pays"].number)[3] == 26
    assert "Llama 3 70B at a context of 10,000: a token every 20 ms allows 284 users" in SHARING.answer().finding
    assert SHARING.answer().tables["dots"]["label"] == ["284", "88", "53", "14"]


def test_the_rule_is_what_is_drawn() -> None:
    """By hand: 1 + (15.26 - 8.58) ms / 0.508 is 14.1; the levels are 20 and 20 / 1.311."""
    sums = SHARING.answer().tables["sums"]
    rows = zip(*(sums[name] for name in ("level", "alone", "further", "users")), strict=True)
    for level, alone, further, most in rows:
        assert most == 1 + (level - alone) // further
    assert sums["level"] == pytest.approx([0.02, 0.02, 0.015256, 0.015256], rel=1e-4)
    assert (sums["alone"][3], sums["further"][3]) == pytest.approx((8.584e-3, 0.508e-3), rel=1e-3)
    counted = registry.find("batching/promised").answer().values["further"].number
    assert sums["further"][1] == pytest.approx(counted)


def test_the_forecast_is_a_straight_line_as_far_as_it_is_drawn() -> None:
    where = Scenario.named(*OPENING).setting
    curve = SHARING.answer().tables["curve"]
    places = [place for place, part in enumerate(curve["part"]) if part == NAMES[1]]
    drawn, at = (np.array([curve[name][place] for place in places]) for name in ("step", "users"))
    assert drawn == pytest.approx(np.asarray(forecast(where, at, EXAMPLE_CONTEXT).seconds))


def test_prompts_of_which_a_part_is_kept_are_those_of_the_other_count() -> None:
    where = Scenario.named(*OPENING).setting
    for new in (1_000, 3_300, PROMPT):
        assert users(prompt=new)[3] == beside(where, read_seconds(new, PROMPT - new))[0]


@settings(max_examples=30, deadline=None)
@given(promise=st.floats(1, 1000), context=st.integers(1, 10**6), prompt=st.integers(100, 10**5))
def test_a_margin_and_prompts_leave_fewer_users_and_none_are_parts(promise: float, context: int, prompt: int) -> None:
    bound, likely, sure, beside_prompts = users(promise=promise, context=context, prompt=prompt)
    assert bound >= likely >= sure >= beside_prompts >= 0
    assert {each % 1 for each in (bound, likely, sure, beside_prompts)} == {0}


@given(st.floats(0.1, 100), st.floats(0.01, 10), st.integers(1, 10**4), st.floats(0.005, 10), st.floats(0.1, 1000))
def test_one_user_more_is_too_slow_or_has_no_room(
    alone: float, further: float, room: int, each: float, level: float
) -> None:
    line = Sloped(alone, further, room, each)
    most = line.most(level)
    assert most == 0 or line.at(most) <= level * (1 + 1e-9)
    assert most + 1 > room or line.at(most + 1) > level * (1 - 1e-9)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"promise": 40}, "Memory holds 374 users"),
        ({"promise": 8}, "too long for this promise by: forecast, with prompts."),
        ({"context": 10**8}, "No cache of 100,000,000 tokens fits"),
        ({"context": 1000}, "No prompt of this context is so long"),
    ],
)
def test_what_ends_a_line_or_leaves_out_a_dot_is_said(inputs: dict[str, float], words: str) -> None:
    assert any(words in note for note in SHARING.answer(**inputs).notes)
    assert SHARING.answer().notes == []
