"""A slimmed drawing is lighter and looks the same."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import dist, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.figure import registry
from calc.figure.declared import Figure
from calc.moe.figures import racks
from web import charts
from web.crowd import bunched
from web.svg import TOLERANCE, slim, thin

DRAWN = [each for each in registry.every() if each.chart]
UNSAID = {"fill": "black", "stroke": "none", "fill-opacity": "1", "stroke-opacity": "1"}
PAINT = (*UNSAID, "stroke-width", "stroke-dasharray", "font-size")
NEAR = 0.5  # pixels by which places rounded to tenths may miss in sum

MOVED = re.compile(r"translate\(([^,]+),([^)]+)\)")
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
        '<svg ><path d="M0.1,0.2l99,198" stroke="red"/></svg>'
    )


def test_an_area_stays_closed_and_a_circle_stays_round() -> None:
    area = slim('<svg ><path d="M0,0L10.26,0L10.26,10.26L0,10Z" fill="red"/></svg>')
    assert 'd="M0,0h10.3v10.3l-10.3,-0.3Z"' in area
    circle = 'd="M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0"'
    assert circle in slim(f'<svg ><path {circle} fill="red"/></svg>')


def test_what_is_not_seen_is_not_said() -> None:
    said = (
        '<svg ><g><g></g><path d="" pointer-events="none" display="none"/></g><text opacity="1">0.123456</text></svg>'
    )
    assert slim(said) == "<svg ><text>0.123456</text></svg>"


def test_a_path_without_colours_may_still_clip_another() -> None:
    clip = '<svg ><defs><clipPath id="c"><path d="M0,0h9v9h-9Z"/></clipPath></defs></svg>'
    assert slim(clip) == clip


def test_what_all_marks_of_a_group_say_is_said_once() -> None:
    marks = '<path d="M0,0h9v9h-9Z" fill="red" fill-opacity="{}"/>'
    shared = slim(f'<svg ><g fill="none" stroke="blue">{marks.format("0.123456")}{marks.format("0.5")}</g></svg>')
    assert shared == (
        '<svg ><g stroke="blue" fill="red"><path d="M0,0h9v9h-9Z" fill-opacity="0.12"/>'
        '<path d="M0,0h9v9h-9Z" fill-opacity="0.5"/></g></svg>'
    )
    for unlike in ('<path d="M0,0h9v9h-9Z"/>', '<path d="M0,0h9v9h-9Z" fill="blue"/>'):
        alone = f'<svg ><g stroke="blue">{marks.format("0.5")}{unlike}</g></svg>'
        assert slim(alone) == alone


def test_a_rounded_box_is_named_by_its_size_unless_its_corners_differ() -> None:
    box = "M3,1L7,1C8.7,1,10,2.3,10,4L10,{0}C10,8.7,8.7,10,7,10L3,10C1.3,10,0,8.7,0,7L0,4C0,2.3,1.3,1,3,1Z"
    assert slim(f'<svg ><path d="{box.format(7)}" fill="red"/></svg>') == (
        '<svg ><rect x="0" y="1" width="10" height="9" rx="3" fill="red"/></svg>'
    )
    assert box.format(9) in slim(f'<svg ><path d="{box.format(9)}" fill="red"/></svg>')


def test_lines_that_look_alike_are_one_path() -> None:
    line = '<line transform="translate({0},0)" x2="{1}" y2="{2}" stroke="{3}"{4}/>'
    grid = line.format(0, 0, 9, "red", "") + line.format(5, 3, 0, "red", "") + line.format(6, 1, 2, "tan", "")
    assert slim(f"<svg ><g>{grid}</g></svg>") == (
        '<svg ><path d="M0,0v9M5,0h3" stroke="red"/><path d="M6,0l1,2" stroke="tan"/></svg>'
    )
    pale = 2 * line.format(0, 0, 9, "red", ' stroke-opacity="0.5"')
    assert slim(f"<svg >{pale}</svg>").count("<line ") == 2


@pytest.mark.parametrize("empty", ['<text x="1"/>', "<g/>", '<g fill="red"/>', "<g></g>"])
def test_what_is_empty_takes_nothing_with_it(empty: str) -> None:
    mark = '<path d="M0,0h9"/>'
    assert slim(f'<svg ><g fill="none">{empty}{mark}<g>{empty}{mark}</g></g>{mark}</svg>') == (
        f'<svg ><g fill="none">{mark}{mark}</g>{mark}</svg>'
    )


def test_a_group_that_says_nothing_of_what_is_in_it_goes() -> None:
    mark = '<path d="M0,0h9"/>'
    assert slim(f'<svg ><g><g fill="red"><g transform="translate(0,0)">{mark}</g></g>{mark}</g></svg>') == (
        f'<svg ><g fill="red">{mark}</g>{mark}</svg>'
    )


def marks(drawing: str) -> Iterator[tuple[ET.Element, dict[str, str], tuple[float, float]]]:
    """Each mark of a drawing, what it says and inherits, and where its groups have moved it."""

    def visit(
        element: ET.Element, inherited: dict[str, str], x: float, y: float
    ) -> Iterator[tuple[ET.Element, dict[str, str], tuple[float, float]]]:
        name = element.tag.rpartition("}")[2]
        given = inherited | {key: value for key, value in element.attrib.items() if key in PAINT}
        if (
            name in ("path", "rect", "text", "line")
            and (name != "path" or element.get("d"))
            and (name != "text" or element.text or len(element))
            and not element.get("display")
        ):
            yield element, given, (x, y)
        if name == "g" and (moved := MOVED.match(element.get("transform", ""))):
            x, y = x + float(moved[1]), y + float(moved[2])
        for child in element:
            if not child.tag.endswith("clipPath"):
                yield from visit(child, given, x, y)

    return visit(ET.fromstring(drawing), {}, 0, 0)


def painted(drawing: str) -> tuple[list[tuple[str, ...]], list[tuple[float, float]]]:
    """How each mark of a drawing is painted, with what it inherits, and where its group lies."""
    paints, places = [], []
    for element, said, place in marks(drawing):
        paint = [said.get(key, UNSAID.get(key, "none")) for key in PAINT]
        rounded = [f"{float(part):.2g}" if re.fullmatch(r"[\d.]+", part) else part for part in paint]
        if rounded[:2] != ["none", "none"]:
            several = element.get("d", "M").count("M")
            paints.extend([tuple(rounded)] * several)
            places.extend([place] * several)
    return paints, places


@pytest.mark.parametrize("figure", DRAWN, ids=lambda each: each.name)
def test_every_mark_is_painted_and_every_word_said_as_it_was(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    light = charts.svg(figure, figure.answer(), charts.WIDE, "a")
    monkeypatch.setattr(charts, "slim", lambda drawing: drawing)
    full = charts.svg(figure, figure.answer(), charts.WIDE, "a")
    (paints, places), (expected, there) = painted(light), painted(bunched(full))
    assert paints == expected
    assert [each for each in zip(places, there, strict=True) if dist(*each) > NEAR] == []
    assert re.findall(">([^<>]+)</text>", light) == re.findall(">([^<>]+)</text>", full)
    assert len(light) < 0.85 * len(full)


def test_the_rack_of_hundreds_of_boxes_is_light() -> None:
    rack = registry.find("moe/rack")
    assert len(charts.svg(rack, rack.answer(), charts.WIDE, "a")) < 27_000


@pytest.mark.parametrize(("name", "told"), [("moe/racks", racks.WAYS)])
def test_lines_with_points_are_named_beside_marks_that_are_not_dashed(name: str, told: Iterable[str]) -> None:
    figure = registry.find(name)
    drawn = charts.svg(figure, figure.answer(), charts.WIDE, "drawn")
    assert set(told) <= set(re.findall(">([^<>]+)</text>", drawn))
    assert drawn.count("dasharray") >= len(told) - 1
    assert not re.findall(r"<path [^>]*transform[^>]*dasharray|<path [^>]*dasharray[^>]*transform", drawn)
