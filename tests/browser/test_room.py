"""No label of a chart lies on another, those that grow with an edit stay inside, no formula lies under its number."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from calc.figure.look import FONT
from tests.browser.conftest import Settled, Visit
from web.contents import LECTURES

HALF = 0.22  # of a line's height, above and below its letters, is empty
TOUCHING = """(empty) => [...document.querySelectorAll("svg")].flatMap((svg) => {
  const shown = (text) => text.textContent.trim() && +getComputedStyle(text).opacity;
  const boxes = [...svg.querySelectorAll("text")].filter(shown).map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const spare = empty * (bottom - top);
    return { words: text.textContent, left: left + 1, right: right - 1, top: top + spare, bottom: bottom - spare };
  });
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const told = (a, b) => `${svg.parentElement.id}: ${a.words} | ${b.words}`;
  const others = (a, at) => boxes.slice(at + 1).filter((b) => a.words !== b.words && meet(a, b));
  return boxes.flatMap((a, at) => others(a, at).map((b) => told(a, b)));
})"""

OUTSIDE = """svg => {
  const sheet = svg.getBoundingClientRect();
  const out = ({ left, right, top, bottom }) =>
    left < sheet.left - 1.5 || right > sheet.right + 1.5 || top < sheet.top - 1.5 || bottom > sheet.bottom + 1.5;
  return [...svg.querySelectorAll("text")]
    .filter((text) => text.textContent && out(text.getBoundingClientRect()))
    .map((text) => text.textContent);
}"""

BESIDE = """() => [...document.querySelectorAll(".rl-box, .rl-select")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth).map(({ id }) => id)"""

# Where the box of a table begins and its first name stands, when it has been moved aside.
ASIDE = """table => {
  const box = table.closest(".rl-scroll") ?? table.closest(".md-typeset__scrollwrap");
  box.scrollLeft = 60;
  if (box.scrollLeft !== 60) throw new Error("The table is not wider than its box.");
  return [box, table.tBodies[0].rows[0].cells[0]].map((each) => each.getBoundingClientRect().left);
}"""

# The room between each numbered formula and its number, by the number.
NUMBERED = """() => Object.fromEntries([...document.querySelectorAll(".rl-display .katex-tag")].map((number) => {
  const parts = [...number.parentElement.querySelectorAll(".katex-base")].filter((part) => !number.contains(part));
  const end = Math.max(...parts.map((part) => part.getBoundingClientRect().right));
  return [number.textContent, number.getBoundingClientRect().right - end];
}))"""


def test_no_formula_lies_under_its_number_on_the_narrowest_screen(visit: Visit) -> None:
    reader = visit("assets/favicon.svg", viewport={"width": 320, "height": 700})
    reader.expects("404")  # of a picture by itself Chromium asks the host for an icon
    for lecture in LECTURES:
        reader.open(f"lectures/{lecture.chapter}/")
        reader.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
        room = reader.page.evaluate(NUMBERED)
        assert len(room) > 1, lecture.chapter
        assert [number for number, width in room.items() if width < 16] == [], lecture.chapter


def test_every_box_stays_on_a_phone_whose_page_is_magnified(visit: Visit) -> None:
    reader = visit("lectures/pricing/", viewport={"width": 195, "height": 422})
    assert reader.page.evaluate(BESIDE) == []


def test_the_way_up_leaves_values_alone_on_a_phone(visit: Visit) -> None:
    reader = visit("lectures/pricing/", viewport={"width": 390, "height": 844})
    up = reader.page.locator(".md-top")
    up.evaluate("each => (each.hidden = false)")
    place = up.bounding_box()
    assert place is not None
    assert abs(place["x"] + place["width"] / 2 - 195) < 8  # values stand at the right


@pytest.mark.parametrize(
    ("page", "table"),
    [
        ("reference/training/", "table:has([data-column=covers])"),
        ("reference/pipelines/", "article > .md-typeset__scrollwrap:last-of-type table"),
        ("reference/catalogue/chips/", ".rl-compare"),
    ],
)
def test_the_name_of_a_row_stays_where_a_wide_table_is_moved_aside(visit: Visit, page: str, table: str) -> None:
    reader = visit(page, viewport={"width": 390, "height": 844})
    reader.page.evaluate("() => document.querySelectorAll('details').forEach((each) => (each.open = true))")
    found = reader.page.locator(table).last
    found.scroll_into_view_if_needed()
    left, name = found.evaluate(ASIDE)
    assert left == name


@pytest.mark.parametrize(
    ("figure", "name", "value"),
    [
        ("moe/speed", "model", "mixtral-8x7b"),
        ("pipelining/memory", "context", "100M"),
        ("pipelining/memory", "system", "tpu-v7-pod"),
        ("pricing/steps", "attention", "deepseek-v3"),
        ("pricing/sheets", "maker", "Google"),
        ("pricing/output-input", "ratio", "100"),
    ],
)
def test_no_label_is_cut_off_after_an_edit(settled: Settled, figure: str, name: str, value: str) -> None:
    reader = settled(f"lectures/{figure.split('/')[0]}/")
    edited = reader.figure(figure)
    before = edited.finding
    for width in (1280, 390):
        reader.page.set_viewport_size({"width": width, "height": 900})
        edited.element.scroll_into_view_if_needed()
        edited.compute(name, value)
        assert edited.finding != before
        assert edited.chart.evaluate(OUTSIDE) == [], width
        edited.reset(name).click()
        edited.settle()


def typeface(site: Path) -> str:
    """The charts' own face, as a rule that needs no file."""
    data = b64encode(next(site.glob("assets/fonts/*sans*-400-normal.woff*")).read_bytes()).decode()
    return f"@font-face{{font-family:{FONT.partition(',')[0]};src:url(data:font/woff2;base64,{data})}}"


def drawings(site: Path) -> dict[str, str]:
    """Every drawing of every page as it was built, wide and narrow, by figure."""
    found: dict[str, str] = {}
    for page in sorted(site.rglob("index.html")):
        for figure in page.read_text("utf-8").split('<figure class="rl-figure"')[1:]:
            name = re.findall(r'data-figure="([^"]+)"', figure)[0]
            drawn = re.findall(r"<svg .*?</svg>", figure.partition("<form")[0], re.S)
            found |= {f"{name} {place}": each for place, each in enumerate(drawn)}
    return found


def test_no_label_lies_on_another_as_a_figure_is_first_shown(browser: Browser, built: Path) -> None:
    page = browser.new_page()
    every = drawings(built)
    assert len(every) > 100
    sheet = "".join(f'<div id="{name}">{drawing}</div>' for name, drawing in every.items())
    page.set_content(f"<style>{typeface(built)}</style>{sheet}")
    page.evaluate("() => document.fonts.ready")
    found = page.evaluate(TOUCHING, HALF)
    page.close()
    assert found == []
