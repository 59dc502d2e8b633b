"""A slimmed drawing is lighter and looks the same."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import figures
from calc.live import Figure
from web import charts
from web.svg import TOLERANCE, slim, thin

COORDINATE = st.floats(0, 700).map(lambda number: round(number, 3))
POINTS = st.lists(st.tuples(COORDINATE, COORDINATE), min_size=1, max_size=60)


def distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """From a point to a stretch of line."""
    (x, y), (a, b), (c, d) = point, start, end
    length = hypot(c - a, d - b)
    if not length:
        return dist(point, start)
    along = min(1.0, max(0.0, ((x - a) * (c - a) + (y - b) * (d - b)) / length**2))
    return dist(point, (a + along * (c - a), b + along * (d - b)))


@given(POINTS)
def test_no_end_is_moved_and_only_given_points_are_named(points: list[tuple[float, float]]) -> None:
    kept = thin(points)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert set(kept) <= set(points)


@given(st.lists(COORDINATE, min_size=2, max_size=60))
def test_a_curve_stays_within_the_tolerance(heights: list[float]) -> None:
    points = [(7.0 * place, height) for place, height in enumerate(heights)]
    kept = thin(points)
    for point in points:
        nearest = min(distance(point, *ends) for ends in pairwise(kept))
        assert nearest <= TOLERANCE + 1e-9


def test_a_straight_line_needs_its_ends_alone() -> None:
    path = "M" + "L".join(f"{x}.123456,{2 * x}.246912" for x in range(100))
    assert slim(f'<svg ><path d="{path}" stroke="red"/></svg>') == (
        '<svg ><path d="M0.1,0.2L99.1,198.2" stroke="red"/></svg>'
    )


def test_an_area_stays_closed_and_a_circle_stays_round() -> None:
    area = slim('<svg ><path d="M0,0L10.26,0L10.26,10.26L0,10Z" fill="red"/></svg>')
    assert 'd="M0,0L10.3,0L10.3,10.3L0,10Z"' in area
    circle = 'd="M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0"'
    assert circle in slim(f'<svg ><path {circle} fill="red"/></svg>')


def test_what_is_not_seen_is_not_said() -> None:
    said = (
        '<svg ><g><g></g><path d="" pointer-events="none" display="none"/></g><text opacity="1">0.123456</text></svg>'
    )
    assert slim(said) == "<svg ><text>0.123456</text></svg>"


@pytest.mark.parametrize("figure", [each for each in figures.every() if each.chart][:4], ids=lambda each: each.name)
def test_every_word_and_colour_of_a_chart_is_kept(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    light = charts.svg(figure, figure.answer(), charts.WIDE, "a")
    monkeypatch.setattr(charts, "slim", lambda drawing: drawing)
    full = charts.svg(figure, figure.answer(), charts.WIDE, "a")
    for kept in (r">([^<>]+)</text>", r"var\(--[\w-]+"):
        assert sorted(re.findall(kept, light)) == sorted(re.findall(kept, full))
    assert len(light) < 0.85 * len(full)
