"""Search finds headings, and costs nothing until it is used."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.reader import Reader


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


def test_search_says_how_many_answer_shows_where_keys_are_and_leads_them_back(visit: Visit) -> None:
    page = visit("reference/notation/", color_scheme="light").page
    page.get_by_role("button", name="Colours").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("drain")
    expect(page.locator(".md-search-result__meta[role=status]")).to_contain_text("matching documents")
    page.keyboard.press("ArrowDown")
    link = page.locator(".md-search-result__link").first
    expect(link).to_be_focused()
    expect(link).to_have_css("outline-color", "rgb(141, 97, 0)")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Colours")).to_be_focused()


def answers(reader: Reader, question: str) -> list[str]:
    """The pages and places that answer, the best first; those of a question before are gone by then."""
    reader.page.get_by_role("textbox", name="Search").fill("")
    reader.page.locator(".md-search-result__item").first.wait_for(state="detached")
    reader.search(question)
    reader.page.locator(".md-search-result__meta", has_text="matching").wait_for()
    links = reader.page.locator(".md-search-result__item > .md-search-result__link")
    return [link.partition("/rooflines/")[2] for link in links.evaluate_all("links => links.map(link => link.href)")]


def test_lectures_come_before_the_reference_and_show_a_formula_as_a_line(visit: Visit) -> None:
    reader = visit("reference/notation/")
    for question in ("all-to-all", "floor", "bubble"):
        found = answers(reader, question)
        assert any(page.startswith("lectures/") for page in found), question
        kinds = [page.split("/")[0] for page in found if page.startswith(("lectures/", "reference/api/"))]
        assert kinds[0] == "lectures", question
    answers(reader, "latency floor")
    reader.page.locator(".md-search-result__list", has_text="t ≥ W/(n w_1)").wait_for()


def test_a_term_a_machine_and_a_model_are_found_by_name(visit: Visit) -> None:
    reader = visit("reference/notation/")
    for question, wanted in (
        ("tensor parallelism", "reference/glossary/#tensor-parallelism"),
        ("KV cache", "reference/glossary/#key-value-cache"),
        ("MFU", "reference/glossary/#utilisation"),
        ("MI355X cost", "reference/catalogue/chips/#mi355x"),
        ("Kimi K3 cost", "reference/catalogue/models/#kimi-k3"),
    ):
        page, place = answers(reader, question)[:2]  # a page that answers leads its places
        assert [page.partition("?")[0], re.sub(r"[?][^#]*", "", place)] == [wanted.partition("#")[0], wanted], question


def test_a_question_in_a_manager_s_words_finds_the_place_that_answers(visit: Visit) -> None:
    reader = visit("reference/notation/")
    for question, wanted in (
        ("how much does a token cost", "lectures/batching/#what-a-token-costs"),
        ("should we self-host", "lectures/serving/#three-questions"),
        ("self-hosting", "lectures/serving/#three-questions"),
        ("buy or rent", "lectures/serving/#three-questions"),
        ("break-even", "lectures/serving/#three-questions"),
        ("how many GPUs for 1000 users", "lectures/serving/#how-many-chips-for-your-traffic"),
        ("latency target", "lectures/serving/#what-a-promise-costs"),
        ("SLA", "lectures/serving/#what-a-promise-costs"),
        ("cache discount", "lectures/pricing/#what-is-kept-need-not-be-computed"),
        ("prompt caching", "lectures/pricing/#what-is-kept-need-not-be-computed"),
        ("batch discount", "lectures/pricing/#your-own-bill"),
        ("monthly cost", "lectures/pricing/#your-own-bill"),
        ("quantization", "reference/glossary/#quantisation"),
        ("reserved vs on demand", "reference/catalogue/rents/"),
    ):
        found = [re.sub(r"[?][^#]*", "", place) for place in answers(reader, question)]
        assert wanted in found[:2], question  # a page that answers leads its places
        assert reader.page.get_by_role("textbox", name="Search").input_value() == question
    assert reader.page.locator(".md-search-result__list", has_text="on demand").count()
    assert not reader.page.locator(".md-search-result .md-tag").count()


def test_lists_of_sources_answer_last(visit: Visit) -> None:
    reader = visit("reference/notation/")
    for question in ("tensor parallelism", "speculative decoding"):
        found = answers(reader, question)
        assert not any("#sources" in page or "bibliography" in page for page in found[:5]), question


def test_the_page_that_is_found_marks_whole_words_and_is_not_changed(visit: Visit) -> None:
    reader = visit("reference/notation/")
    answers(reader, "floor")
    reader.page.locator(".md-search-result__link[href*='lectures/batching/']").first.click()
    reader.page.wait_for_url("**/lectures/batching/**")
    reader.page.wait_for_function("() => CSS.highlights.has('rl-found')")
    text = "({startContainer, startOffset, endOffset}) => startContainer.data.slice(startOffset, endOffset)"
    marked = reader.page.evaluate(f"[...CSS.highlights.get('rl-found')].map({text})")
    assert {word.lower() for word in marked} == {"floor", "floors"}
    assert reader.page.locator("main mark").count() == 0
    reader.page.locator(".md-logo").first.evaluate("link => link.click()")
    reader.page.wait_for_function("() => !CSS.highlights.has('rl-found')")
