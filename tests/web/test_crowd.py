"""A crowd of marks in a few paths: as many marks, where they were, painted as they were."""

from __future__ import annotations

import re

import pytest

from calc.figure import registry
from web import charts
from web.crowd import BUNCHES, CROWD, bunched

CIRCLE = "M2,0A2,2,0,1,1,-2,0A2,2,0,1,1,2,0"
SQUARE = "M-2,-2h4v4h-4Z"


def marks(count: int, outline: str = SQUARE, look: str = ' fill="red"') -> str:
    return "".join(f'<path transform="translate({at}.25,7)" d="{outline}"{look}/>' for at in range(count))


def test_every_mark_of_a_crowd_stands_where_it_stood() -> None:
    found = bunched(f"<g>{marks(CROWD)}</g>")
    starts = [(float(x), float(y)) for x, y in re.findall(r"M([\d.-]+),([\d.-]+)h4.0", found.replace("h4", "h4.0"))]
    assert sorted(starts) == [pytest.approx((at - 1.75, 5), abs=0.051) for at in range(CROWD)]
    assert found.count("<path") == found.count(' fill="red"') == BUNCHES


def test_outlines_go_the_same_way_from_where_they_begin() -> None:
    circle = bunched(marks(CROWD, CIRCLE))
    assert "M2.2,7.0a2,2,0,1,1,-4,0a2,2,0,1,1,4,0" in circle
    assert "l4,0l-2,4z" in bunched(marks(CROWD, "M-2,-2L2,-2L0,2Z"))
    with pytest.raises(ValueError, match="an outline of Q"):
        bunched(marks(CROWD, "M0,0Q1,1,2,2"))


def test_marks_of_two_looks_stay_apart_and_fewer_stay_as_they_are() -> None:
    both = "".join(marks(1, look=f' fill="{("red", "blue")[at % 2]}"') for at in range(2 * CROWD))
    assert bunched(both).count("<path") == BUNCHES
    assert {"red", "blue"} == set(re.findall('fill="([a-z]+)"', bunched(both)))
    few = marks(CROWD - 1)
    assert bunched(few) == few


@pytest.mark.parametrize("name", ["measured/bound", "measured/residuals"])
def test_the_runs_of_the_world_are_a_light_drawing(name: str) -> None:
    figure = registry.find(name)
    drawn = charts.svg(figure, figure.answer(), charts.WIDE, "a")
    assert len(drawn) < 125_000
    assert drawn.count("<path") < 200
