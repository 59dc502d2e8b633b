"""Everything by keyboard, and the browser's own undo left whole."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.reader import DEAR

FIGURE = "batching/step-time"


@pytest.fixture
def figure(settled):
    shown = settled("lectures/batching/").figure(FIGURE)
    if shown.button("reset-all").is_visible():
        shown.button("reset-all").click()
    return shown.settle()


def test_arrows_step_a_slider_through_round_numbers(figure):
    figure.compute("batch", "1")
    seen = []
    for _ in range(12):
        figure.slider("batch").press("ArrowRight")
        seen.append(figure.input("batch").input_value())
    assert seen == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"]
    figure.slider("batch").press("PageUp")
    figure.settle()
    assert "batch of 26 " in figure.finding
    assert figure.slider("batch").get_attribute("aria-valuetext") == "26 sequences"


def test_home_and_end_go_to_the_ends(figure):
    figure.slider("batch").press("End")
    assert figure.input("batch").input_value() == "1,000,000"
    figure.slider("batch").press("Home")
    assert figure.input("batch").input_value() == "1"


def test_typing_is_never_rewritten_and_can_be_undone(figure):
    box = figure.input("batch")
    box.focus()
    box.press("Control+A")
    box.press_sequentially("8k", delay=30)
    figure.settle()
    assert box.input_value() == "8k"
    box.press("Control+Z")
    figure.settle()
    assert box.input_value() != "8k"
    box.press("Tab")
    figure.element.locator("[data-input=context] .rl-box").focus()
    assert "8,000" not in figure.finding


def test_a_reset_keeps_the_keyboard_in_its_field(figure):
    figure.compute("batch", "8k")
    figure.reset("batch").focus()
    figure.reset("batch").press("Enter")
    assert figure.settle().input("batch").evaluate("box => box === document.activeElement")
    assert figure.reset("batch").is_hidden()


def test_tab_reaches_every_control_in_order(figure):
    figure.compute("batch", "8k")
    controls = "select, .rl-slider, .rl-box, button"
    order = figure.element.evaluate(
        f"figure => [...figure.querySelectorAll('.rl-inputs :is({controls})')].filter(each => each.offsetParent).length"
    )
    figure.input("model").focus()
    seen = 1
    while figure.element.evaluate("figure => figure.querySelector('.rl-inputs').contains(document.activeElement)"):
        figure.reader.page.keyboard.press("Tab")
        seen += 1
    assert seen - 1 == order


def test_reset_all_resets_the_figure(figure):
    figure.compute("batch", "8k").compute("context", "100k")
    figure.button("reset-all").click()
    figure.settle()
    assert [figure.input(name).input_value() for name in ("batch", "context")] == ["2,048", "4,096"]
    assert figure.button("reset-all").is_hidden()


@pytest.mark.parametrize("order", [("batch", "context"), ("context", "batch")])
def test_enter_in_any_box_of_a_figure_computes_and_keeps_the_others(order, visit):
    """Its first input stands in a form of its own; a form with one box is sent off by Enter unless that is stopped."""
    figure = visit("lectures/batching/", first=True).figure("batching/lanes").aim()
    for name in order:
        figure.set(name, "2k").input(name).press("Enter")
        figure.settle()
    assert [figure.input(name).input_value() for name in order] == ["2k", "2k"]
    assert "for 2,000 users" in figure.finding


HEADING = "[data-md-component=content] h1"
# Where keys stand, and whether the reader can see it.
STOP = """() => {
  const { left, right } = document.activeElement.getBoundingClientRect();
  return [document.activeElement.outerHTML.slice(0, 80), right > 0 && left < innerWidth];
}"""


def test_a_link_to_another_page_leads_keys_to_its_title_and_the_way_back_does_not(visit):
    reader = visit(first=True)
    page = reader.page
    page.wait_for_load_state("networkidle")  # without the site's map the theme leaves links to the browser
    assert page.evaluate("document.activeElement === document.body")
    page.evaluate("window.sameDocument = true")
    page.locator(".md-sidebar--primary a[href$='/lectures/moe/']").press("Enter")
    expect(page.locator(HEADING, has_text="experts")).to_be_focused()
    assert page.evaluate("[window.sameDocument, scrollY]") == [True, 0]
    page.go_back()
    expect(page.locator(HEADING, has_text="Batch size")).to_be_attached()
    assert not page.locator(HEADING).evaluate("title => title === document.activeElement")


def test_a_notice_that_is_dismissed_leads_keys_to_the_title(visit):
    page = visit(query="nonsense=1").page
    page.get_by_role("button", name="Dismiss").press("Enter")
    expect(page.locator(HEADING)).to_be_focused()


def test_a_closed_menu_is_passed_by_and_a_key_opens_it(visit):
    page = visit(before=DEAR, viewport={"width": 320, "height": 800}).page
    menu = page.get_by_role("button", name="Menu")
    expect(menu).to_have_attribute("aria-expanded", "false")
    stops = []
    while not page.evaluate("document.activeElement.closest('article h2') !== null"):
        page.keyboard.press("Tab")
        stops.append(page.evaluate(STOP))
    assert [stop for stop, seen in stops if not seen] == []
    assert len(stops) < 30
    lecture = page.locator(".md-nav--primary a[href$='/lectures/moe/']")
    for key in ("Space", "Enter"):
        menu.press(key)
        expect(menu).to_have_attribute("aria-expanded", "true")
        expect(lecture).to_be_in_viewport()
        menu.press(key)
        expect(menu).to_have_attribute("aria-expanded", "false")
        expect(lecture).to_be_hidden()
    page.get_by_role("button", name="Search").press("Space")
    expect(page.get_by_role("textbox", name="Search")).to_be_focused()


def test_no_stop_before_the_text_is_without_a_name(visit):
    page = visit(before=DEAR).page
    assert page.locator(".md-sidebar label[tabindex]").count() == 0
    expect(page.locator(".md-search__scrollwrap")).to_be_hidden()
