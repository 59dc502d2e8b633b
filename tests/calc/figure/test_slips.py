"""A wrong answer gives its slip away by its size."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.figure import registry, slips
from calc.figure.slips import RIGHT, Slip, likely, reach

UNITS = ("s", "B", "B/s", "$", "$/h", "$/Mtok", "%", "x", "", "tokens", "sequences", "FLOP")
ASKED = [
    (figure.name, key, value)
    for figure in registry.every()
    if figure.slug == "exercise"
    for key, value in figure.answer().values.items()
    if value.slips
]


@given(number=st.floats(1e-9, 1e15), unit=st.sampled_from(UNITS))
def test_no_slip_looks_like_the_right_answer_or_like_another(number: float, unit: str) -> None:
    factors = [slip.factor for slip in likely(number, unit)]
    assert factors or (unit in ("", "tokens", "sequences") and number < 100)
    assert all(factor > 0 and math.isfinite(factor) for factor in factors)
    reached = [(0.0, math.log(RIGHT)), *((math.log(factor), reach(factor)) for factor in factors)]
    for place, (one, its) in enumerate(reached):
        assert all(abs(one - other) > its + others for other, others in reached[:place])


@pytest.mark.parametrize(
    ("number", "unit", "factor", "word"),
    [
        (4e9, "B", 8, "bits"),
        (4e9, "B", 1.024**3, "GiB"),
        (4e12, "B", 1.024**-4, "GiB"),
        (4e9, "B", 2, "BF16"),
        (4e9, "B/s", 2, "directions"),
        (4000, "tokens", 1e3, "prefix"),
        (4e15, "FLOP", 0.5, "multiply-add"),
        (4e9, "B", 1e3, "prefix"),
        (0.02, "s", 1e-3, "prefix"),
        (0.02, "s", 1 / 60, "minutes"),
        (0.02, "s", 2, "directions"),
        (0.3, "$/Mtok", 100, "cents"),
        (0.2, "%", 4, "rest"),
        (2.5, "x", 1 / 6.25, "other way round"),
    ],
)
def test_a_common_slip_is_named(number: float, unit: str, factor: float, word: str) -> None:
    assert word in next(slip.sentence for slip in likely(number, unit) if math.isclose(slip.factor, factor))


@pytest.mark.parametrize(
    ("number", "unit", "answer"),
    [
        (145, "sequences", 290),
        (176.8, "x", 354),
        (32, "S-boxes", 64),
        (4e4, "s", 2e4),
        (0.5, "", 2),
        (3, "layers", 3000),
        (5424.5, "B", 5760),
        (3.104e9, "B", 2.842e9),
        (48.3e9, "B/s", 45e9),
    ],
    ids=lambda given: f"{given}",
)
def test_a_slip_of_the_unit_is_silent_where_it_cannot_be_true(number: float, unit: str, answer: float) -> None:
    assert not [slip for slip in likely(number, unit) if explains(slip, answer / number)]


def explains(slip: Slip, times: float) -> bool:
    return abs(math.log(times / slip.factor)) < reach(slip.factor)


@given(factor=st.floats(1.001, 1e9), rounded=st.floats(-0.004, 0.004))
def test_a_slip_explains_its_own_answer_and_never_a_right_one(factor: float, rounded: float) -> None:
    for slip in slips.either(factor, "It."):
        assert not explains(slip, 1.0)
        assert explains(slip, slip.factor * (1 + rounded)) or factor < 1.03


def test_the_slip_of_the_question_has_the_word_before_that_of_the_unit() -> None:
    own = slips.of_all(8)
    assert [slip for slip in likely(405e9, "B", own) if slip.factor in (8, 1 / 8)] == list(own)
    assert all("bits" not in slip.sentence for slip in likely(405e9, "B", own))


@given(factor=st.floats(1.1, 1e6), rest=st.floats(1e-3, 1e6))
def test_a_forgotten_factor_is_found_missing_and_upside_down(factor: float, rest: float) -> None:
    right = factor * rest
    missing, upside_down = slips.forgotten(factor, "it")
    assert math.isclose(right * missing.factor, rest)
    assert math.isclose(right * upside_down.factor, rest / factor)


def test_lectures_name_slips_of_their_own() -> None:
    assert len({name for name, _, _ in ASKED}) >= 7


@pytest.mark.parametrize(("figure", "key", "value"), ASKED, ids=[f"{name}.{key}" for name, key, _ in ASKED])
def test_a_slip_of_an_exercise_is_told_apart_from_its_right_answer(figure, key, value) -> None:
    kept = likely(float(value.number), value.unit, value.slips)
    assert kept[0] == value.slips[0]
    assert all(isinstance(slip, Slip) and slip.sentence.endswith((".", "?")) for slip in value.slips)
