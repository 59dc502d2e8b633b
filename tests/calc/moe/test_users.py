"""Users of a chip at one speed: the picture against sums by hand, and against what runs took longer."""

from __future__ import annotations

import numpy as np
import pytest

from calc.moe.figures.users import MISSED, OVER, PLANS
from tests.calc.figure import asking

answer, number = asking.of("moe")
EXPERT = 3 * 7168 * 2048


def by_hand(experts: int, users: float, times: float) -> float:
    """35.1 kB of cache for each of 4,096 tokens, 56.4 MB passed, 8 copies of 21.5 kB in 58 layers, nine times as long
    over two racks; 2.02 ms of weights that all use; experts read or multiplied; 116 starts."""
    routed = 58 * max(experts * EXPERT / 8e12 + 36.9e-9 * users, 8 * 2 * EXPERT * users / 5e15)
    moved = (4096 * 35.1e3 + 56.4e6) / 8e12 - 58 * 36.9e-9 + times * 58 * 8 * 21504 / 900e9
    return routed + users * moved + 2.018e-3 + 116 * 25.6e-6


@pytest.mark.parametrize("users", [10, 29, 136, 420])
def test_users_of_a_chip_at_one_speed_by_hand(users: int) -> None:
    served = {name: value.number for name, value in answer("users", users=users).values.items()}
    assert served["half_users"] == users
    step = by_hand(8, users, 1)
    assert served["speed"] == pytest.approx(1 / step, rel=5e-3)
    for key, experts, times in (("one", 4, 1), ("two", 2, 9)):
        many = served[f"{key}_users"]
        assert by_hand(experts, many - 1.5, times) < step < by_hand(experts, many + 1.5, times)


def test_the_title_is_what_the_text_says_and_the_plans_meet_where_it_says() -> None:
    said = "As counted, at 116 tokens/s a chip serves 29 users on half a rack, 64 on one and 23 on two"
    assert answer("users").finding == said
    found = answer("users").tables
    (even,) = found["even"]["users"]
    assert round(even, -1) == asking.standing("moe/spans").values["half_even"].number // 10 * 10 == 420
    curve = {name: np.asarray(column) for name, column in found["curve"].items()}
    assert np.all((curve["half"] < curve["one"] * (1 - 1e-4)) == (curve["users"] < even))
    assert number("users", "one_users", users=420) == 420
    assert number("users", "two_users", users=420) < 420


def test_every_line_falls_so_that_the_corner_for_words_is_free() -> None:
    """A point over the line at a quarter of the axis from its top stands left of the words on a phone."""
    for inputs in ({"extra": each} for each in ("none", "factor", "equal")):
        found = answer("users", **inputs).tables
        curve, (roof,) = found["curve"], found["roof"]["speed"]
        right = np.asarray(curve["users"]) > 200
        for key in PLANS:
            assert np.all(np.diff(curve[key]) < 0)
            assert max(np.asarray(curve[key])[right]) < 0.62 * roof


def test_extra_time_is_what_the_nearest_runs_took_and_does_not_move_where_the_plans_meet() -> None:
    rack = asking.standing("world/rack").values
    assert (rack["over"].text, rack["missed"].text) == (f"{OVER}×", f"{1e3 * MISSED:.0f} ms")
    served = {each: number("users", "one_users", extra=each) for each in ("none", "factor", "equal")}
    assert set(served.values()) == {64}
    meets = {answer("users", extra=each).tables["even"]["users"][0] for each in served}
    assert len(meets) == 1
    assert number("users", "speed", extra="factor") == pytest.approx(number("users", "speed") / OVER)


def test_faster_links_out_let_two_racks_serve_more_than_half_a_rack() -> None:
    served = {name: value.number for name, value in answer("users", rack="gb300-nvl72").values.items()}
    assert served["half_users"] < served["two_users"] < served["one_users"]


def test_as_many_dots_as_plans_that_reach_the_speed_within_the_axis() -> None:
    for inputs, drawn in (({}, 3), ({"users": 1000}, 3), ({"users": 420, "extra": "equal"}, 3)):
        found = answer("users", **inputs).tables
        assert len(found["dots"]["users"]) == drawn
        assert found["level"]["most"][0] == max(found["dots"]["users"])
