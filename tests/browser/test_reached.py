"""Every kind of page does its work however it was reached, with the answers of a search still in the header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.reader import Reader
from tests.browser.site import Site

HEADING = "[data-md-component=content] h1"
# The theme closes the search 125 ms after a page has come: whoever asks sooner is not answered.
RESTED = "() => performance.now() - window.came > 250"
ARRIVED = "([heading, away, there]) => document.querySelector(heading)?.textContent.startsWith(away) === there"


def computes_and_cites(reader: Reader) -> None:
    figure = reader.figure("batching/step-time")
    figure.compute("batch", "8k")
    assert "8,000" in figure.finding
    figure.button("cite").click()
    dialog = reader.page.get_by_role("dialog", name="Cite")
    assert f"of “{title(reader)}”" in dialog.inner_text()
    dialog.get_by_role("button", name="Close").click()
    figure.button("reset-all").click()
    figure.settle()


def filters(reader: Reader) -> None:
    rows = reader.page.locator(".rl-claims tbody tr:visible")
    all_of_them = rows.count()
    reader.page.fill("input[name=words]", "smartphone")
    assert 0 < rows.count() < all_of_them
    reader.page.fill("input[name=words]", "")


def compares(reader: Reader) -> None:
    boxes = reader.page.locator(".rl-choose")
    for at in (0, 1):
        boxes.nth(at).check()
    assert reader.page.locator(".rl-columns thead th").count() == 3
    for at in (0, 1):
        boxes.nth(at).uncheck()


def explains(reader: Reader) -> None:
    """It has nothing to compute: its titles are shown."""
    tells(reader, reader.page.get_by_role("button", name="Colours"), "Colours")


def leads(reader: Reader) -> None:
    """Its entries are named by their headings' links, and these say so."""
    tells(reader, reader.page.locator("article h2 .headerlink").first, "Link to this section")


def tells(reader: Reader, link: Locator, words: str) -> None:
    """Whoever tabs to it reads what it does, at once; a pointer would have to rest first."""
    link.focus()
    reader.page.keyboard.press("Shift+Tab")
    reader.page.keyboard.press("Tab")
    expect(reader.page.locator(".rl-tip")).to_contain_text(words)
    reader.page.keyboard.press("Escape")
    expect(reader.page.locator(".rl-tip")).to_be_hidden()


def title(reader: Reader) -> str:
    """The heading, whose last sign is the link to it."""
    return (reader.page.locator(HEADING).text_content() or "").removesuffix("#").strip()


# The page, a question whose answers name it, and its work.
KINDS: dict[str, tuple[str, Callable[[Reader], None]]] = {
    "": ("how language models are trained, served and priced", computes_and_cites),
    "lectures/batching/": ("batch size", computes_and_cites),
    "lectures/batching/lab/": ("lab batch", explains),
    "reference/ledger/": ("ledger", filters),
    "reference/catalogue/chips/": ("chips", compares),
    "reference/glossary/": ("glossary", leads),
    "reference/api/batching/": ("balanced_batch_with_cache", leads),
}

FURTHER_DOWN = {"reference/catalogue/chips/"}  # lectures that speak of chips stand before it


@pytest.fixture(scope="module")
def reader(regular: BrowserContext, site: Site) -> Iterator[Reader]:
    """One visit for all kinds of pages: the search, which makes its index once, goes along from page to page."""
    reader = Reader(regular.new_page(), site)
    yield reader
    reader.page.close()
    assert reader.unexpected() == []


@pytest.mark.parametrize("path", KINDS)
def test_a_page_works_however_it_was_reached(reader: Reader, path: str) -> None:
    question, work = KINDS[path]
    elsewhere, away = "reference/notation/", "Notation"

    def arrived(where: str) -> None:
        reader.page.wait_for_url(re.compile(re.escape(reader.site.address + where) + r"(\?|#|$)"))
        reader.page.wait_for_function(ARRIVED, arg=[HEADING, away, where == elsewhere])
        assert reader.page.evaluate("window.sameDocument"), "The page was loaded anew."
        assert reader.page.locator("header article").count() > 0, "No answers of a search stand before the page."

    def go(link: str) -> None:
        reader.page.evaluate(
            """href => {
            const link = Object.assign(document.createElement("a"), {href});
            document.querySelector("[data-md-component=content] > article").prepend(link);
            link.click();
        }""",
            reader.site.address + link,
        )
        arrived(link)

    if reader.page.evaluate("window.sameDocument === true"):
        go(elsewhere)
    else:
        reader.open(elsewhere)
        reader.page.evaluate("window.sameDocument = true")
        reader.page.evaluate("document$.subscribe(() => { window.came = performance.now() })")
    assert title(reader).startswith(away)
    reader.page.wait_for_function(RESTED)
    reader.search(question)
    found, link = reader.site.address + path, ".md-search-result__link"
    answer = reader.page.locator(f"{link}[href='{found}'], {link}[href^='{found}#']").first
    if path not in FURTHER_DOWN:
        expect(answer).to_be_in_viewport()
    answer.click()
    arrived(path)
    named = title(reader)
    work(reader)
    go(elsewhere)
    reader.page.go_back()
    arrived(path)
    work(reader)
    reader.page.go_forward()
    arrived(elsewhere)
    reader.page.go_back()
    reader.page.go_back()
    arrived(elsewhere)
    reader.page.go_forward()
    arrived(path)
    work(reader)
    go(elsewhere)
    go(path)
    work(reader)
    go(elsewhere)
    menu = f"nav a[href='{reader.site.address + path}'], .md-logo[href='{reader.site.address + path}']"
    reader.page.locator(menu).first.evaluate("link => link.click()")
    arrived(path)
    work(reader)
    assert title(reader) == named
