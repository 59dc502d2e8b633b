"""The words of a title are seen by whoever points, taps or tabs, and heard as before."""

from __future__ import annotations

TERM = "article p abbr[title], article p abbr:not([title])"


def meets(reader):
    """The first term that the glossary explains, what it means, and the tip."""
    term = reader.page.locator(TERM).first
    return term, term.get_attribute("title"), reader.page.locator(".rl-tip")


def test_a_pointer_that_rests_on_a_term_reads_its_meaning(visit):
    reader = visit(timed=True)
    term, meaning, tip = meets(reader)
    term.hover()
    reader.page.clock.run_for(1000)
    tip.wait_for()
    assert tip.inner_text() == meaning
    assert term.get_attribute("title") is None, "the browser would show its own as well"
    tip.hover()
    reader.page.clock.run_for(1000)
    assert tip.is_visible()
    reader.page.keyboard.press("Escape")
    tip.wait_for(state="hidden")
    assert term.get_attribute("title") == meaning
    term.hover()
    tip.wait_for()
    reader.page.mouse.move(5, 5)
    tip.wait_for(state="hidden")


def test_a_finger_that_taps_a_term_reads_its_meaning_and_taps_it_away(visit):
    reader = visit(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    term, meaning, tip = meets(reader)
    term.tap()
    tip.wait_for()
    assert tip.inner_text() == meaning
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    reader.page.locator("h1").tap()
    tip.wait_for(state="hidden")


def test_who_tabs_to_a_link_reads_what_it_does(visit):
    reader = visit()
    reader.page.locator("h2 .headerlink").first.focus()
    reader.page.keyboard.press("Shift+Tab")
    reader.page.keyboard.press("Tab")
    tip = reader.page.locator(".rl-tip")
    tip.wait_for()
    assert tip.inner_text() == "Link to this section"
    reader.page.keyboard.press("Tab")
    tip.wait_for(state="hidden")


def test_a_tip_at_the_foot_of_the_screen_stands_above_and_none_outlives_its_page(visit):
    reader = visit()
    term, tip = reader.page.locator(TERM).locator("visible=true").nth(4), reader.page.locator(".rl-tip")
    at_rest = "each => { each.scrollIntoView({ block: 'end' }); return new Promise(requestAnimationFrame); }"
    for _ in range(3):  # what is laid out on the way moves it; and a page that scrolls hides its tip
        term.evaluate(at_rest)
    term.hover()
    tip.wait_for()
    assert tip.bounding_box()["y"] < term.bounding_box()["y"]
    reader.page.evaluate("document.querySelector('a.md-logo').click()")
    tip.wait_for(state="hidden")
