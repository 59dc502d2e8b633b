"""An answer that takes seconds: it is counted, gives way, can be stopped by the reader, and then goes on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Live
from tests.browser.reader import FigureOnPage

LECTURE, FRONTIER = "lectures/serving/", "serving/frontier"
PARTS = 121  # forty layouts in three precisions, and what is measured
COUNTED = re.compile(rf"^Computing: \d+ of {PARTS} parts Stop$")
STOPPED = re.compile(rf"^Stopped at (\d+) of {PARTS} parts Go on$")
LIVE = "Live: computed in your browser"


@pytest.fixture
def figure(live: Live) -> FigureOnPage:
    """The frontier, live, with every precision of the chip."""
    figure = live(LECTURE).figure(FRONTIER)
    figure.compute("precisions", "every")
    return figure


def stop(figure: FigureOnPage) -> int:
    """Have it swept in the smallest steps and stop it; at which layout that was."""
    figure.set("grid", "finest")
    expect(figure.status).to_have_text(COUNTED)
    figure.status.get_by_role("button").focus()
    figure.reader.page.keyboard.press("Enter")
    expect(figure.status).to_have_text(STOPPED)
    return int(STOPPED.match(figure.status.text_content() or "")[1])


def test_the_reader_stops_it_keeps_the_last_answer_and_goes_on(figure: FigureOnPage) -> None:
    before = figure.finding, figure.values
    at = stop(figure)
    assert 0 < at < PARTS
    assert (figure.finding, figure.values, figure.stale) == (*before, True)
    expect(figure.element.locator(".rl-stale-note")).to_have_text("Shown here is the last result that was computed.")
    expect(figure.reader.page.locator(".rl-voice")).to_have_text("Stopped. The figure shows an earlier result.")
    expect(figure.status).to_have_text(STOPPED)
    expect(figure.status.get_by_role("button", name="Go on")).to_be_focused()
    figure.reader.page.keyboard.press("Enter")
    figure.settle()
    expect(figure.status).to_have_text(LIVE)
    assert figure.stale is False
    assert figure.reader.number(f"{FRONTIER}.tried") == "354,000"


# Notes, when a finding changes, whether another figure is behind.
WHILE = """(finding, other) => new MutationObserver(() => {
    window.computing ??= document.querySelector(`figure[data-figure="${other}"]`).hasAttribute("data-behind");
}).observe(finding, {childList: true, characterData: true, subtree: true})"""


def test_another_figure_is_answered_meanwhile(figure: FigureOnPage) -> None:
    sheet = figure.reader.figure("serving/sheet")
    before = sheet.finding, figure.finding
    figure.set("grid", "finest")
    expect(figure.status).to_have_text(COUNTED)
    sheet.element.locator("[data-role=finding]").evaluate(WHILE, FRONTIER)
    sheet.compute("cached", 90)
    assert sheet.finding != before[0]
    assert figure.reader.page.evaluate("window.computing") is True
    figure.settle()
    assert figure.finding != before[1]


def test_a_newer_change_ends_it(figure: FigureOnPage) -> None:
    before = figure.finding
    figure.set("grid", "finest")
    expect(figure.status).to_have_text(COUNTED)
    figure.compute("grid", "fine")
    assert (figure.finding, figure.stale) == (before, False)


def test_one_that_was_stopped_begins_anew_with_the_next_change(figure: FigureOnPage) -> None:
    stop(figure)
    figure.compute("grid", "fine")
    expect(figure.status).to_have_text(LIVE)
    assert figure.stale is False
