"""When the runtime starts, what it says meanwhile, what happens when it cannot."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.reader import DEAR, Reader

LECTURE = "lectures/batching/"
FIGURE = "batching/step-time"
FORM = "#step-time .rl-inputs"
LONG = 60_000  # milliseconds


SLOW = """
    const page = { transferSize: 100000, encodedBodySize: 99000, responseStart: 0, responseEnd: 500 };
    performance.getEntriesByType = () => [page];
"""


def test_nobody_pays_for_a_look(visit):
    reader = visit(first=True, timed=True)
    reader.page.locator(FORM).scroll_into_view_if_needed()
    reader.page.mouse.move(5, 5)
    reader.page.clock.run_for(LONG)
    assert reader.saw("/engine/") == []
    assert reader.figure(FIGURE).status.get_attribute("data-state") == "static"


@pytest.mark.parametrize("sign", ["hover", "tap", "focus"])
def test_a_pointer_a_finger_or_a_key_that_comes_to_an_input_starts_it(sign, visit):
    reader = visit(first=True, has_touch=sign == "tap")
    field = reader.figure(FIGURE).input("batch")
    field.scroll_into_view_if_needed()
    getattr(field, sign)()
    reader.figure(FIGURE).element.locator("[data-state=starting], [data-state=live]").wait_for()


def test_a_look_is_enough_where_the_link_is_told_to_be_fast_and_free(visit):
    free = """
        const tell = (name, value) => Object.defineProperty(navigator, name, {value});
        tell('connection', {type: 'ethernet', downlink: 10, effectiveType: '4g', saveData: false});
        tell('userAgentData', {mobile: false});
    """
    reader = visit(before=free, viewport={"width": 1280, "height": 300}, timed=True)
    assert reader.page.locator(FORM).bounding_box()["y"] > 300
    reader.page.clock.run_for(LONG)
    assert reader.saw("/engine/") == []
    reader.page.locator(FORM).scroll_into_view_if_needed()
    reader.figure(FIGURE).element.locator("[data-state=live]").wait_for()


def test_who_computed_here_before_finds_it_live_without_a_sign(known, site):
    again = Reader(known.new_page(), site)
    again.page.set_viewport_size({"width": 1280, "height": 300})
    again.open(LECTURE).page.locator("#step-time [data-state=live]").wait_for()
    assert again.page.evaluate("scrollY") == 0
    assert "8,000" in again.figure(FIGURE).compute("batch", "8k").finding
    assert len(again.saw("/worker.")) == 1
    again.page.close()
    assert again.unexpected() == []


def test_what_is_not_kept_here_waits_for_a_sign(known, visit, site):
    """Somebody who computed here before, as the browser notes, but whose memory it has thrown away."""
    reader = visit(storage_state=known.storage_state(), viewport={"width": 1280, "height": 300}, timed=True)
    assert reader.page.evaluate("localStorage.getItem('rooflines.kept')")
    reader.page.clock.run_for(LONG)
    assert reader.figure(FIGURE).status.get_attribute("data-state") == "static"
    assert reader.saw("python.") == []
    reader.wait_live()
    assert len(reader.saw("/worker.")) == 1


def test_where_data_are_dear_only_a_change_starts_it(visit):
    reader = visit(before=DEAR, timed=True)
    reader.page.locator(FORM).scroll_into_view_if_needed()
    reader.figure(FIGURE).input("batch").focus()
    reader.page.clock.run_for(LONG)
    assert reader.saw("/engine/") == []
    assert "8,000" in reader.figure(FIGURE).compute("batch", "8k").finding


def test_an_edit_made_before_the_script_is_not_lost(visit):
    early = """document.addEventListener('DOMContentLoaded', () => {
        document.querySelector('#step-time-batch').value = '8k';
        document.querySelector('#step-time-precision').value = 'fp4';
    })"""
    reader = visit(before=early).wait_live()
    assert "8,000" in reader.figure(FIGURE).finding
    assert reader.address == "precision=fp4&batch=8k"


def test_a_change_made_before_the_script_starts_it_before_the_script(visit, site):
    early = """document.addEventListener('DOMContentLoaded', () => {
        const box = document.querySelector('#step-time-batch');
        box.value = '8k';
        box.dispatchEvent(new Event('input', {bubbles: true}));
    })"""
    site.broken.add("/assets/page.")
    reader = visit(before=early)
    reader.expects("503")
    with reader.page.expect_event("request", lambda request: "/python." in request.url):
        pass
    assert len(reader.saw("/worker.")) == 1
    site.broken.clear()
    reader = visit(before=early).wait_live()
    assert "8,000" in reader.figure(FIGURE).finding
    assert len(reader.saw("/worker.")) == 1


def test_a_slider_moved_before_the_script_is_not_lost(visit):
    early = """document.addEventListener('DOMContentLoaded', () => {
        document.querySelector('[data-input=batch] .rl-slider').value = 4;
    })"""
    reader = visit(before=early).wait_live()
    assert "10,000" in reader.figure(FIGURE).finding


def test_bytes_are_told_while_it_starts_and_are_those_that_travel(visit):
    watch = """addEventListener('DOMContentLoaded', () => {
        window.said = [];
        const line = document.querySelector('#step-time .rl-status');
        const all = {subtree: true, childList: true, characterData: true};
        new MutationObserver(() => window.said.push(line.innerText)).observe(line, all);
    })"""
    reader = visit(before=watch)
    figure = reader.figure(FIGURE).aim()
    figure.element.locator("[data-state=live]").wait_for()
    said = reader.page.evaluate("window.said")
    asked = [url for url in dict.fromkeys(reader.saw("/engine/")) if not re.search(r"/(vega|worker)\.", url)]
    travelled = sum(len(reader.site.sent(reader.site.find(urlsplit(url).path)[1])) for url in asked) / 1e6
    assert {words.partition("of ")[2] for words in said if "of" in words} == {f"{travelled:.1f} MB…"}
    assert f"Starting: {travelled:.1f} MB loaded…" in said
    assert said[-1] == "Live: computed in your browser"


def test_the_finding_is_spoken_once_the_reader_rests(visit):
    reader = visit(timed=True).wait_live()
    figure = reader.figure(FIGURE)
    figure.input("batch").evaluate(
        """box => {
            const voice = document.querySelector('.rl-voice');
            window.said = [];
            new MutationObserver(() => window.said.push(voice.textContent)).observe(voice, {childList: true});
            for (const batch of ['10', '100', '1000']) {
                box.value = batch;
                box.dispatchEvent(new Event('input', {bubbles: true}));
            }
        }"""
    )
    reader.settle()
    reader.page.clock.run_for(5000)
    assert reader.page.evaluate("window.said") == [figure.finding]
    assert "1,000" in figure.finding
    assert reader.page.locator(".rl-voice").get_attribute("role") == "status"
    assert figure.status.get_attribute("role") is None


def test_a_change_made_while_it_starts_is_answered_by_the_voice(visit):
    reader = visit(first=True)
    reader.page.route("**/python.*", lambda route: None)  # it never comes
    figure = reader.figure(FIGURE)
    figure.slider("batch").focus()
    figure.element.locator("[data-state=starting]").wait_for()
    voice = reader.page.locator(".rl-voice")
    expect(voice).to_have_text("")
    figure.slider("batch").press("ArrowRight")
    expect(voice).to_have_text("The calculator is starting.")


def test_a_drag_ends_with_the_last_value(live):
    reader = live()
    figure = reader.figure(FIGURE)
    figure.slider("batch").evaluate(
        """slider => { for (let place = 0; place <= 5; place += 0.01) {
            slider.value = place; slider.dispatchEvent(new Event('input', {bubbles: true})); } }"""
    )
    figure.settle()
    batch = figure.input("batch").input_value()
    assert batch.startswith(("97,", "98,", "99,", "100,"))
    assert f"batch of {batch}" in figure.finding


def test_over_a_slow_link_the_machine_comes_packed(visit):
    reader = visit(before=SLOW).wait_live()
    assert "8,000" in reader.figure(FIGURE).compute("batch", "8k").finding
    assert {address.rpartition(".")[2] for address in reader.saw("/pyodide.")} == {"js", "bin"}
    assert reader.saw(".wasm") == []
