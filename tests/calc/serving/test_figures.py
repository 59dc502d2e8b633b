"""Lecture 8's figures: what they say follows what is asked."""

from __future__ import annotations

import pytest

from tests.calc.figure.asking import of

answer, number = of("serving")


def test_the_walk_through_a_rack_is_the_sheet_at_the_defaults():
    for mine, its in (("output", "output"), ("fresh", "fresh"), ("cached_cost", "cached"), ("margin", "margin")):
        assert number("rack", mine) == pytest.approx(number("sheet", its))


def test_parts_of_a_step_add_up_to_the_time_without_overlap():
    parts = ("compute", "weights", "cache", "link", "activations")
    assert sum(number("step", part) for part in parts) == pytest.approx(number("step", "serial"))
    bars = answer("step").tables["bars"]
    assert sum(bars["seconds"]) == pytest.approx(number("step", "serial"))


def test_a_faster_promise_never_costs_less():
    costs = [number("frontier", "cost", promise=promise) for promise in (10, 30, 60, 90, 120)]
    assert costs == sorted(costs)
    assert all(number("frontier", "speed", promise=promise) >= promise for promise in (10, 60, 120))


def test_a_promise_that_nothing_keeps_is_said_to_be_kept_by_nothing():
    found = answer("frontier", promise=1000)
    assert found.finding.startswith("No layout is expected to keep")
    assert found.values["speed"].number == found.values["fastest"].number


def test_no_point_of_the_expected_frontier_beats_the_bound():
    tables = answer("frontier").tables
    assert max(tables["expected"]["user"]) < max(tables["bound"]["user"])
    assert max(tables["expected"]["chip"]) < max(tables["bound"]["chip"])


def test_what_does_not_fit_is_said():
    assert any("exceed" in note for note in answer("sheet", system="hgx-h100").notes)
    assert answer("frontier", context=1e8).finding.startswith("No layout that is tried")


def test_traffic_needs_chips_in_proportion_and_the_promise_is_kept():
    assert number("questions", "flight") / number("questions", "sequences") == pytest.approx(
        number("questions", "writing") / 72
    )
