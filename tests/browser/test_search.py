"""Search finds headings, and costs nothing until it is used."""

from __future__ import annotations

from tests.browser.conftest import Visit


def test_a_page_fetches_no_texts_before_the_first_question(visit: Visit) -> None:
    reader = visit("reference/notation/")
    reader.page.wait_for_load_state("networkidle")
    assert not [address for address in reader.requests if "texts.json" in address or "javascripts/workers" in address]


def test_a_question_finds_its_heading(visit: Visit) -> None:
    reader = visit("reference/notation/")
    reader.page.get_by_role("textbox", name="Search").press_sequentially("equations that recur")
    reader.page.locator(".md-search-result__link", has_text="The equations that recur").first.click()
    reader.page.wait_for_url("**/reference/notation/**#the-equations-that-recur")


def test_a_later_question_gets_its_own_answer(visit: Visit) -> None:
    reader = visit("")
    box = reader.page.get_by_role("textbox", name="Search")
    box.press_sequentially("notation")
    reader.page.locator(".md-search-result__link", has_text="Notation").first.wait_for()
    box.fill("")
    box.press_sequentially("Rubin")
    reader.page.locator(".md-search-result__link", has_text="Rubin").first.wait_for()
