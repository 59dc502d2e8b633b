"""By finger and by ear: what a touch changes, what is said aloud, and what the help covers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.conftest import Live, Visit
from tests.browser.reader import DEAR, Reader

FIGURE = "batching/step-time"
SPEAKS = {"status", "alert", "log", "timer", "marquee"}
UNASKED = ("status", "Type to start searching")  # the search's own, which speaks when it is asked
# Those of these fields, focused one after the other, whose help cannot be seen or covers something.
COVERED = """fields => fields.filter((field) => {
    field.focus();
    const figure = field.closest("figure");
    const help = field.closest(".rl-input").querySelector(".rl-help");
    const others = figure.querySelectorAll(".rl-input > :not(p, [hidden]), .rl-actions, .rl-try");
    const a = help.getBoundingClientRect();
    return !a.height || [...others].some((other) => {
        const b = other.getBoundingClientRect();
        return b.width && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    });
}).map((field) => field.name)"""


def phone(visit: Visit, width: int = 390, before: str = "") -> Reader:
    return visit(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True, before=before)


def swipe(reader: Reader, right: float, down: float) -> None:
    """A finger comes down on the slider of the batch and goes so many pixels."""
    slider = reader.figure(FIGURE).slider("batch")
    slider.evaluate("slider => slider.scrollIntoView({block: 'center'})")
    box = slider.bounding_box()
    assert box
    x, y = box["x"] + 0.7 * box["width"], box["y"] + box["height"] / 2
    browser = reader.page.context.new_cdp_session(reader.page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})

    touch("touchStart", {"x": x, "y": y})
    for part in range(1, 11):
        touch("touchMove", {"x": x + right * part / 10, "y": y + down * part / 10})
    touch("touchEnd")


def test_a_swipe_over_a_slider_scrolls_and_changes_nothing(visit: Visit) -> None:
    reader = phone(visit, before=DEAR)
    reader.page.evaluate("addEventListener('pointercancel', () => { window.scrolled = true; })")
    figure = reader.figure(FIGURE)
    before = figure.slider("batch").input_value()
    swipe(reader, 3, -200)
    reader.page.wait_for_function("() => window.scrolled")
    assert (figure.input("batch").input_value(), figure.slider("batch").input_value()) == ("2,048", before)
    assert reader.address == ""
    assert reader.saw("worker.") == []


def test_a_finger_that_goes_sideways_moves_it(visit: Visit) -> None:
    reader = phone(visit)
    swipe(reader, 60, 3)
    assert reader.figure(FIGURE).input("batch").input_value() != "2,048"
    assert reader.address.startswith("batch=")


@pytest.mark.parametrize("width", [390, 320])
def test_a_slider_has_a_row_of_its_own_on_a_phone(visit: Visit, width: int) -> None:
    figure = phone(visit, width).figure(FIGURE)
    slider, box = figure.slider("batch").bounding_box(), figure.input("batch").bounding_box()
    assert slider
    assert box
    assert slider["width"] >= 0.8 * width
    assert slider["y"] >= box["y"] + box["height"]


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_the_help_of_an_input_covers_nothing(visit: Visit, width: int) -> None:
    reader = visit(viewport={"width": width, "height": 844})
    fields = reader.page.locator("figure :is(.rl-box, .rl-select)")
    assert fields.count() > 20
    assert fields.evaluate_all(COVERED) == []
    reader.figure(FIGURE).input("batch").focus()
    reader.page.keyboard.press("Shift+Tab")
    told = reader.figure(FIGURE).element.locator("[data-input='batch'] .rl-help")
    assert "Shift with an arrow goes finely" in told.inner_text()
    assert reader.figure(FIGURE).slider("batch").evaluate(f"slider => ({COVERED})([slider])") == []


def test_one_voice_speaks_and_it_says_what_is_wrong(live: Live) -> None:
    reader = live()
    figure = reader.figure(FIGURE).compute("batch", "8k")
    voice = reader.page.locator(".rl-voice")
    reader.page.wait_for_function(
        "text => document.querySelector('.rl-voice').textContent === text", arg=figure.finding
    )
    assert speaking(reader) == [("status", figure.finding)]
    figure.set("batch", "lots")
    voice.get_by_text("Batch takes a whole number from 1 to 1,000,000 sequences.").wait_for()
    assert speaking(reader) == [("status", "Batch takes a whole number from 1 to 1,000,000 sequences.")]


def speaking(reader: Reader) -> list[tuple[str, str]]:
    """The live regions of the accessibility tree, each with its words."""
    browser = reader.page.context.new_cdp_session(reader.page)
    nodes: list[dict[str, Any]] = browser.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def words(node: dict[str, Any]) -> str:
        own = node["name"]["value"] if node["role"]["value"] == "StaticText" else ""
        return own + "".join(words(by_id[child]) for child in node.get("childIds", []) if child in by_id)

    def live(node: dict[str, Any]) -> bool:
        told = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        return told.get("live", "off") != "off" or node["role"]["value"] in SPEAKS

    found = [(node["role"]["value"], words(node)) for node in nodes if not node["ignored"] and live(node)]
    return [each for each in found if each != UNASKED]
