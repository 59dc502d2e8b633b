"""Every figure of every lecture, live: its first answer, every input to both ends, the data that it shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from calc import figures
from calc.live import Figure, Input, Number, respond
from tests.browser.reader import FigureOnPage, Reader
from tests.browser.site import ROOT, Site

FIGURES = [
    figure
    for figure in figures.every()
    if figure.chart and (ROOT / "lectures" / figure.name.partition("/")[0] / "index.md").exists()
]
INPUTS = [(figure, given) for figure in FIGURES for given in figure.inputs]


def named(case: Figure | Input) -> str:
    """A test's name says which figure and which input."""
    return case.name


@pytest.fixture
def on_page(site: Site, settled: Callable[[str], Reader]) -> Callable[[Figure], FigureOnPage]:
    """A figure on its page, live and in view."""

    def find(figure: Figure) -> FigureOnPage:
        found = settled(site.page_of(figure.name)).figure(figure.name)
        found.element.scroll_into_view_if_needed()
        if found.button("reset-all").is_visible():
            found.button("reset-all").click()
        found.settle()
        return found

    return find


def other_value(given: Input) -> str:
    """A value that is not the default: the low end, or the last other option."""
    if isinstance(given, Number):
        return repr(given.low if given.low != given.default else given.high)
    return [value for value in given.options if value != given.default][-1]


def ends(given: Input) -> list[str]:
    """The lowest and the highest number, or the first and the last option."""
    if isinstance(given, Number):
        return [repr(given.low), repr(given.high)]
    return [*given.options][:: max(1, len(given.options) - 1)]


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_the_first_live_answer_is_what_was_built(on_page, figure):
    shown = on_page(figure)
    before = shown.finding, shown.values, shown.element.locator(".rl-chart").get_attribute("aria-label")
    given = figure.inputs[0]
    shown.compute(given.name, other_value(given))
    shown.reset(given.name).click()
    shown.settle()
    assert (shown.finding, shown.values, shown.element.locator(".rl-chart").get_attribute("aria-label")) == before


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_an_edit_changes_the_figure(on_page, figure):
    shown = on_page(figure)
    changed = set()
    for given in figure.inputs:
        before = shown.finding, shown.values, shown.drawing
        shown.compute(given.name, other_value(given))
        after = shown.finding, shown.values, shown.drawing
        changed |= {place for place in range(3) if before[place] != after[place]}
        shown.reset(given.name).click()
        shown.settle()
    assert changed == {0, 1, 2}


@pytest.mark.parametrize(("figure", "given"), INPUTS, ids=named)
def test_both_ends_of_an_input_have_an_answer(on_page, figure, given):
    shown = on_page(figure)
    ends = (
        [repr(given.low), repr(given.high)]
        if isinstance(given, Number)
        else [*given.options][:: len(given.options) - 1]
    )
    for end in ends:
        shown.compute(given.name, end)
        assert_shows(shown, json.loads(respond(json.dumps({"figure": figure.name, "inputs": {given.name: end}}))))


def assert_shows(shown: FigureOnPage, answer: dict[str, Any]) -> None:
    """The answer, or the sentence that refuses and the last good picture marked as such."""
    assert shown.stale == ("message" in answer)
    if "message" in answer:
        (sentence,) = answer["errors"].values() or [answer["message"]]
        assert sentence in shown.element.locator(".rl-error, .rl-stale-note").locator("visible=true").all_inner_texts()
    else:
        assert shown.finding == answer["finding"]
        assert shown.values == [value["text"] for value in answer["values"].values()]
    assert "NaN" not in shown.drawing
    assert "Infinity" not in shown.drawing


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_the_data_table_follows(on_page, figure):
    if not figure.columns:
        return
    shown = on_page(figure)
    cells = shown.element.locator(".rl-table tbody").inner_text
    shown.element.locator(".rl-table summary").click()
    before = cells()
    texts = set()
    for given in figure.inputs:
        shown.compute(given.name, other_value(given))
        texts.add(cells())
        shown.reset(given.name).click()
        shown.settle()
    assert texts - {before}
    assert cells() == before
    shown.element.locator(".rl-table summary").click()
