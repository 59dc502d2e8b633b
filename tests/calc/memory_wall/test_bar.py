"""A promised step as a bar: what its picture says against the sums of the text, and where it says no."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.memory_wall.figures.bar import APART, SPARE, filled
from tests.calc.figure import asking

answer, number = asking.of("memory_wall")
STEP = 1 / 50


def test_the_bars_are_the_sums_of_the_text() -> None:
    bars = answer("bar").tables["bars"]
    left = [number("ladder", name) for name in ("first", "left", "left_at_rates", "late_left")]
    each = [number("ladder", name) for name in ("each", "each_in_turn", "each_at_rates", "each_at_rates")]
    assert bars["left"] == pytest.approx(left)
    assert bars["each"] == pytest.approx(each)
    assert bars["rack"][:2] == [72 * some // one for some, one in zip(left[:2], each[:2], strict=True)]
    assert bars["rack"][2:] == [number("ladder", "expected"), number("ladder", "fewest")]
    assert answer("bar").tables["ends"]["label"][0] == f"{number('thread', 'users'):,.0f} users"


@pytest.mark.parametrize("inputs", [{}, {"products": "bf16"}, {"more": 2.4}, {"pace": 40}, {"context": 20_000}])
def test_a_bar_is_filled_without_gaps_up_to_its_users(inputs: dict[str, object]) -> None:
    found = answer("bar", **inputs).tables
    parts, promised = found["parts"], found["promise"]["end"][0]
    for row, each, users in zip(*(found["bars"][name] for name in ("row", "each", "chip")), strict=True):
        cells = [
            (start, end)
            for name, part, start, end in zip(*(parts[key] for key in ("row", "part", "from", "to")), strict=True)
            if name == row and part != SPARE
        ]
        assert [start for start, _ in cells[1:]] == pytest.approx([end for _, end in cells[:-1]])
        drawn = [part for name, part in zip(parts["row"], parts["part"], strict=True) if (name, part) == (row, "Users")]
        assert len(drawn) == (np.ceil(users) if users <= APART else 1)
        assert cells[-1][1] <= promised * (1 + 1e-9)
        assert promised - cells[-1][1] < each + promised * (1 - 1 / 1.311) * (row == "Slow end")


def test_what_a_slow_run_needs_is_spare() -> None:
    parts = answer("bar").tables["parts"]
    (at,) = (place for place, part in enumerate(parts["part"]) if part == SPARE)
    assert (parts["from"][at], parts["to"][at]) == pytest.approx((STEP / 1.311, STEP))


def test_without_a_condition_the_plan_is_that_of_the_table() -> None:
    """Four fifths of the timed starts are beside the kernels: 116 of them take 4.884 us each."""
    beside = asking.standing("moe/ours").values["starts"].number - 116 * 4.884e-6
    assert beside * 1000 == pytest.approx(2.4, abs=0.01)
    assert 0.5 < beside / number("ladder", "late_left") < 0.6, "more than half of the users' time"
    assert 116 * 4.884e-6 / asking.standing("moe/ours").values["starts"].number == pytest.approx(0.2, abs=0.02)
    for inputs, plan in (({}, 4), ({"products": "bf16"}, 2), ({"more": 2.4}, 1), ({"context": 50_000}, 7)):
        assert number("bar", "plan", **inputs) == plan


def test_no_user_is_promised_what_a_step_has_no_time_or_a_chip_no_room_for() -> None:
    assert answer("bar", pace=100).finding.startswith("A chip has no time for a user in a slow run")
    assert answer("bar", context=100e6).finding.startswith("A chip has no room for a user")
    slow = answer("bar", pace=10)
    assert slow.notes[1:] == ["Room ends first: 48 such caches fit on a chip beside its weights."]
    assert filled(10, 100_000, "fp8", 0)[2].users == number("expected", "room_each")


def test_a_note_says_how_far_the_slow_end_is_known() -> None:
    """Three keep the promise at all but the last hundredth of its range, and so at the end to plan with."""
    fit = catalog.forecast_fit("decode")
    users = [filled(50 * end, 100_000, "fp8", 0)[2].users for end in (fit.high_80_least, fit.high_80_most)]
    assert users == [5, 2] == [number("slow_end", name) // 1 for name in ("most_users", "least_users")]
    assert answer("bar").notes[0].endswith("in nineteen of twenty redraws. Planned so, users of a chip: 3.")
    assert [answer("bar", **each).notes[0][-2:] for each in ({"products": "bf16"}, {"more": 2.4})] == ["2.", "0."]
    assert number("bar", "plan") == 4
    assert 0 < number("ladder", "late_chip") - 4 < 0.05, "within the error of the slow end it is as likely three"
    assert fit.high_80 < number("slow_end", "three") < fit.high_80_most < 1.01 * number("slow_end", "three")
