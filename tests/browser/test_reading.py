"""Lines of a live chart, read by pointer, by key and by screen reader."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator

from tests.browser.conftest import Visit

PAGE, FIGURE = "lectures/batching/", "batching/step-time"


def along(figure: Any) -> Locator:
    """The slider that reads a chart."""
    found: Locator = figure.element.locator(".rl-reader")
    return found


def read(said: str) -> dict[str, str]:
    """Each line by its name, with the words that are said of it."""
    return dict(line.split(": ", 1) for line in said.split("\n"))


def test_keys_read_every_line_at_every_place(settled: Any) -> None:
    figure = settled(PAGE).figure(FIGURE)
    figure.compute("batch", "2048")
    reader = along(figure)
    reader.focus()
    reader.press("Home")
    assert str(reader.get_attribute("aria-valuetext")).startswith("Batch: 1 sequence; ")
    said = figure.element.locator(".rl-read-off")
    assert said.is_visible()
    reader.press("End")
    lines = str(reader.get_attribute("aria-valuetext")).split("; ")
    assert lines[0] == "Batch: 1,000,000 sequences"
    assert {line.partition(":")[0] for line in lines[1:]} == {"In turn", "Bound", "Cache", "Compute", "Weights"}
    assert said.inner_text().split("\n") == lines
    weights = figure.element.locator("[data-value$='step-time.weights']").text_content()  # it stands behind a fold
    assert f"Weights: {weights}" in lines
    reader.press("Escape")
    assert said.is_hidden()


def test_a_mouse_reads_where_it_is_and_an_edit_is_followed(settled: Any) -> None:
    reader = settled(PAGE)
    reader.page.set_viewport_size({"width": 1280, "height": 1600})  # nothing scrolls the chart away from the mouse
    figure = reader.figure(FIGURE)
    figure.compute("context", "4096")
    chart = figure.element.locator(".rl-chart")
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    chart.hover(position={"x": 0.5 * box["width"], "y": 0.5 * box["height"]})
    said = figure.element.locator(".rl-read-off")
    before = said.inner_text()
    assert re.match(r"Batch: [\d,]+ sequences\n", before)
    figure.compute("context", "8192")
    after = said.inner_text()
    assert after.partition("\n")[0] == before.partition("\n")[0], "the place stays"
    assert read(after)["Cache"] != read(before)["Cache"]
    assert read(after)["Weights"] == read(before)["Weights"]
    reader.page.mouse.move(2, 2)
    assert said.is_hidden()


def test_a_tap_reads_and_a_tap_elsewhere_ends_it(visit: Visit) -> None:
    reader = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    figure = reader.figure(FIGURE)
    figure.compute("batch", "2048")
    said = figure.element.locator(".rl-read-off")
    figure.element.locator(".rl-chart").tap()
    assert said.is_visible()
    assert along(figure).get_attribute("aria-label") == "Read Figure 1.11, along: Batch"
    figure.element.locator(".rl-finding").tap()
    assert said.is_hidden()
