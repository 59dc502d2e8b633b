"""Two scenarios on one page: the one that is pinned as A, and the present one beside it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import Live

FIGURE = "batching/step-time"


def test_a_pinned_scenario_stands_beside_every_number(live: Live) -> None:
    reader = live()
    page, figure = reader.page, reader.figure(FIGURE)
    before, finding = reader.number(f"{FIGURE}.step"), figure.finding
    figure.button("pin").press("Enter")
    line = page.get_by_role("region", name="Comparison of A and B")
    figure.compute("batch", "8k")
    was = figure.element.locator(f"[data-value='{FIGURE}.step'] + .rl-was")
    was.wait_for()
    assert (reader.number(f"{FIGURE}.step") != before, was.inner_text()) == (True, f"A: {before}")
    assert figure.element.locator(".rl-finding + .rl-was").inner_text() == f"A: {finding}"
    assert page.locator(".rl-value + .rl-was").count() > 0
    assert "A as each figure opens, B 8,000 sequences" in line.inner_text()
    assert reader.address == "batch=8k&a=defaults"
    voice = page.locator(".rl-voice")
    now = figure.finding
    expect(voice).to_have_text(f"B: {now} A was: {finding}")
    figure.chart.locator("text", has_text="A").last.wait_for()

    line.get_by_role("button", name="Swap").press("Enter")
    page.wait_for_function("() => location.search === '?a.batch=8k'")
    page.wait_for_function(f"() => document.querySelector(\"[data-value='{FIGURE}.step']\").textContent === '{before}'")
    expect(voice).to_have_text(f"A and B have changed places. B: {finding} A was: {now}")
    page.go_back()
    page.wait_for_function("() => location.search.startsWith('?batch=8k')")
    was.wait_for()
    page.reload()
    was.wait_for()
    line.get_by_role("button", name="Unpin A").press("Enter")
    was.wait_for(state="detached")
    assert (page.locator(".rl-was").count(), line.count(), reader.address) == (0, 0, "batch=8k")
    assert page.evaluate("document.activeElement.matches('.rl-pin')")
