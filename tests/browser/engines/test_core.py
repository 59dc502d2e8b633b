"""The needs of every reader, in each browser: to read, compute, go about and keep."""

from __future__ import annotations

import io
import re

import pytest
from pypdf import PdfReader

from calc.figure import registry
from tests.browser.engines.visitor import LECTURE, SLUG, Visitor
from tests.browser.engines.webdriver import Refused
from tests.browser.site import Site

# Whatever the tests before have kept: an address that names an input is complete in itself.
AS_BUILT = f"{LECTURE}?batch={registry.find('batching/step-time').defaults()['batch']}"
ESCAPE, RIGHT, END = "\ue00c", "\ue014", "\ue010"
# Comes to each figure in turn; those whose chart is not there two frames later, and whether there are figures at all.
WITHOUT_CHART = """(async () => {
  const figures = [...document.querySelectorAll(".rl-figure")];
  const missing = figures.length < 6 ? ["figures"] : [];
  for (const figure of figures) {
    figure.scrollIntoView();
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const widths = [...figure.querySelectorAll(".rl-chart svg")].map((svg) => svg.getBoundingClientRect().width);
    if (!widths.some((width) => width > 300)) missing.push(figure.id);
  }
  return missing;
})()"""
# The finding of each figure, and every word and number in its chart.
DRAWN = """[...document.querySelectorAll(".rl-figure")].map((figure) => [
  figure.querySelector("[data-role=finding]").textContent,
  ...[...figure.querySelectorAll(".rl-chart > .rl-wide text")].map(({ textContent }) => textContent),
])"""
OFTEN = 6  # visits: Firefox stood still by the fifth of most runs while its compiler read a stream made by the page
FORGET = "(async () => { localStorage.clear(); for (const name of await caches.keys()) await caches.delete(name); })()"
TOUCHING = 50  # pixels, two lines: a heading that is nearer to the header than this stands right below it


def test_a_first_visit_draws_the_lecture_and_computes_what_is_typed(visitor: Visitor) -> None:
    visitor.open()
    assert visitor.run(WITHOUT_CHART) == []
    assert visitor.run("document.fonts.ready.then(fonts => fonts.check('16px \"Source Serif 4\"'))")
    visitor.live()
    assert "8,000" in visitor.compute("batch", "8k")


def test_numbers_in_the_prose_follow_and_the_address_says_why(visitor: Visitor) -> None:
    visitor.live().compute("batch", "3k")
    changed = "[...document.querySelectorAll('.rl-value[data-changed]')].map(each => each.textContent)"
    before = visitor.run(changed)
    visitor.compute("batch", "5k")
    assert before
    assert visitor.run(changed) != before
    visitor.until("new URLSearchParams(location.search).get('batch') === '5k'")


def test_a_second_visit_finds_what_the_address_says(visitor: Visitor) -> None:
    assert "batch of 6,000" in visitor.live(LECTURE + "?batch=6k").finding


def test_the_visit_goes_on_from_page_to_page_and_back(visitor: Visitor) -> None:
    visitor.live().compute("batch", "7k")
    visitor.run("window.sameDocument = true")
    visitor.session.click(".md-sidebar--primary a[href*='/moe/']")
    visitor.until(f"!location.pathname.endsWith('{LECTURE}') && document.querySelector('.rl-figure') !== null")
    visitor.session.ask("Back", {})
    visitor.until(f"document.querySelector('#{SLUG} [data-role=finding]')?.textContent.includes('7,000')")
    assert visitor.run("window.sameDocument")


def test_a_link_to_a_heading_leads_there_and_still_does_when_loaded_again(visitor: Visitor) -> None:
    headings = visitor.open().run("[...document.querySelectorAll('.md-typeset h2')].map(each => each.id)")
    for heading in (headings[5], headings[-1]):
        assert 0 <= visitor.open(f"{LECTURE}#{heading}").below_header(heading) < TOUCHING
        assert 0 <= visitor.reload().below_header(heading) < TOUCHING


def test_the_button_turns_the_page_dark_and_light_again(visitor: Visitor) -> None:
    visitor.open()
    button = ".md-header button[aria-label^=Colours]"
    seen = [sum(visitor.colour("body"))]
    for _ in range(3):
        visitor.session.click(button)
        seen.append(sum(visitor.colour("body")))
    assert seen[1] < seen[0] / 4
    assert seen[3] == seen[0]


def test_a_figure_is_cited_with_its_values(visitor: Visitor) -> None:
    visitor.live().compute("batch", "9k")
    visitor.session.click(f"#{SLUG} .rl-cite")
    visitor.until("document.querySelector('dialog[open]') !== null")
    said = visitor.text("dialog[open]")
    assert "?batch=9k#step-time" in said
    assert "@misc{rooflines-batching-step-time," in said
    visitor.session.press(ESCAPE)
    visitor.until("document.querySelector('dialog[open]') === null")


def test_a_slider_is_moved_by_keys(visitor: Visitor) -> None:
    visitor.live().compute("batch", "1")
    visitor.run(f"document.querySelector('#{SLUG} [data-input=batch] .rl-slider').focus()")
    visitor.session.press(RIGHT, RIGHT)
    visitor.settle()
    assert "batch of 3 " in visitor.finding
    visitor.session.press(END)
    visitor.until(f"document.querySelector('#{SLUG}-batch').value === '1,000,000'")


def test_each_page_of_paper_has_findings_with_their_charts(visitor: Visitor) -> None:
    figures = visitor.open(AS_BUILT).run(DRAWN)
    visitor.run("document.fonts.ready.then(() => true)")
    try:
        printed = visitor.session.printed()
    except Refused as error:
        if str(error).startswith("unknown command"):
            pytest.skip(f"The driver of {visitor.engine.name} has no command that prints.")
        raise
    pages = [_plain(page.extract_text()) for page in PdfReader(io.BytesIO(printed)).pages]
    assert len(figures) > 6
    for finding, *words in figures:
        here = [page for page in pages if _plain(finding) in page]
        assert len(here) == 1, finding
        assert [word for word in words if _plain(word) not in here[0]] == []


def _plain(text: str) -> str:
    """A text without its spaces and without the letters that a font may join in one sign."""
    return re.sub(r"[^a-eghkm-su-z0-9]", "", text.lower())


def test_a_browser_that_keeps_nothing_computes_all_the_same(visitor: Visitor, without_storage: Site) -> None:
    there = Visitor(visitor.session, without_storage, visitor.engine).live(LECTURE + "?batch=4k")
    assert there.run("(() => { try { return localStorage } catch ({ name }) { return name } })()") == "SecurityError"
    assert "batch of 4,000" in there.finding
    assert "2,000" in there.compute("batch", "2k")


def test_python_starts_at_each_of_many_first_visits(visitor: Visitor) -> None:
    for visit in range(1, OFTEN + 1):
        visitor.open().run(FORGET)
        assert f"batch of {visit},000" in visitor.live(f"{LECTURE}?batch={visit}k").finding
