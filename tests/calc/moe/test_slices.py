"""Experts in slices on every chip, or whole on some: the same weights for a token, and other bytes on the links."""

from __future__ import annotations

from itertools import pairwise

import pytest

from calc.moe.figures.slices import BOTTOM, SLICES, TOP


def areas(tables: dict[str, dict[str, list[float]]]) -> list[float]:
    """The blue area of each half, in parts of the chips' own."""
    rows = tables["chosen"]
    boxes = zip(*(rows[name] for name in ("x", "x2", "y", "y2")), strict=True)
    found = [0.0, 0.0]
    for left, right, above, below in boxes:
        found[int(above > 1)] += (right - left) * (below - above) / (BOTTOM - TOP)
    return found


def test_both_ways_show_the_weights_that_a_token_uses() -> None:
    """Mixtral on a node of eight: two of eight experts, whole on a chip each or in eighths on all."""
    assert areas(SLICES.answer(model="mixtral-8x7b", system="hgx-h100").tables) == pytest.approx([0.25, 0.25])


@pytest.mark.parametrize(("system", "chips"), [("gb200-nvl72", 72), ("hgx-h100", 8)])
def test_slices_send_each_token_to_all_chips_and_whole_experts_to_its_own(system: str, chips: int) -> None:
    found = SLICES.answer(system=system)
    assert found.values["chips"].number == chips
    assert found.tables["kinds"]["visits"][0] == chips
    assert found.values["times"].number == pytest.approx(chips / 8)
    assert ("both send the same" in found.finding) == (chips == 8)


def test_the_token_is_led_to_the_chips_of_its_experts() -> None:
    for throw in range(1, 10):
        tables = SLICES.answer(throw=throw).tables
        ends = [x for x, y in zip(tables["ways"]["x2"], tables["ways"]["y2"], strict=True) if y > 1]
        boxes = [x for x, y in zip(tables["chosen"]["x"], tables["chosen"]["y"], strict=True) if y > 1]
        assert {int(end * 72) for end in ends} == {round(left * 72) for left in boxes}


def test_a_pod_tells_no_more_chips_apart_than_can_be_seen() -> None:
    tables = SLICES.answer(model="kimi-k2", system="tpu-v7-pod").tables
    assert len(tables["ways"]["x"]) < 120
    assert len(tables["cuts"]["x"]) == 0
    assert max(tables["chosen"]["x2"]) <= 1.01


def test_experts_of_a_token_are_as_many_rows_as_there_are() -> None:
    for throw in range(1, 10):
        tables = SLICES.answer(throw=throw).tables["chosen"]
        rows = sorted(zip(tables["y"], tables["y2"], strict=True))[:8]
        assert all(foot < top for (_, foot), (top, _) in pairwise(rows))
