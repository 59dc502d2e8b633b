from __future__ import annotations

import pytest

from calc.figure.named import BEFORE, first_of, over_bars, pair, present

KINDS = {"Floor": "floor", "Drain": "drain"}


@pytest.mark.parametrize(("first", "second"), [([1.0], [10.0]), ([10.0], [1.0])])
def test_the_left_dot_of_a_pair_is_named_on_its_left(first, second):
    found = pair(["A"], first, second, KINDS)
    sides = dict(zip(found["at"], found["align"], strict=True))
    assert sides == {1.0: "right", 10.0: "left"}


def test_a_pair_without_a_place_on_the_axis_is_not_named():
    assert pair(["A", "B"], [0.0, 1.0], [1.0, 2.0], KINDS)["row"] == ["B", "B"]
    assert pair(["A"], [0.0], [1.0], KINDS)["row"] == []


def test_of_rows_that_lie_far_apart_the_one_near_the_middle_is_named():
    rows = {"low": (1.0, 9.0), "middle": (50.0, 400.0), "near": (90.0, 91.0), "high": (900.0, 10_000.0)}
    assert pair([*rows], *zip(*rows.values(), strict=True), KINDS)["row"] == ["middle"] * 2


def test_the_row_of_the_reader_names_no_group():
    rows = [("A", 1.0, "Old"), ("B", 2.0, "Old")]
    assert first_of(rows)["row"] == ["A"]
    assert first_of(rows, skip="A")["row"] == ["B"]


def test_a_name_over_a_bar_stands_behind_each_name_before_it():
    parts = ("one", "two", "three", "four")
    found = over_bars([("bar", part, float(place), place + 1.0) for place, part in enumerate(parts)])
    assert [found[f"from{each}"][-1] for each in range(BEFORE)] == [0.0, 1.0, 2.0]
    lengths = [found[f"off{each}"][-1] for each in range(BEFORE)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] > 0


def test_a_part_that_is_nowhere_has_no_name():
    assert over_bars([("bar", "none", 1.0, 1.0), ("bar", "some", 1.0, 2.0)])["part"] == ["some"]


def test_a_key_has_room_for_its_longest_name():
    assert set(present(["a", "longer"])["wide"]) == set(present(["longer"])["wide"])
    assert present([])["part"] == []
