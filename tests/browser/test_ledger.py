"""The ledger answers: it filters, sorts, hands out addresses, and is whole without a script."""

from __future__ import annotations

from calc.ledger import claims
from tests.browser.conftest import Visit
from tests.browser.reader import Reader

PAGE = "reference/ledger/"
LEDGER = claims.claims()


def shown(reader: Reader) -> list[str]:
    """The claims that can be seen, from top to bottom."""
    rows = reader.page.locator(".rl-claims tbody tr:visible")
    return [name.removeprefix("claim-") for name in rows.evaluate_all("rows => rows.map((row) => row.id)")]


def of(verdict: str) -> list[str]:
    return [claim.id for claim in LEDGER.values() if claim.verdict == verdict]


def test_it_filters_by_verdict_and_words_and_says_how_many(visit: Visit) -> None:
    reader = visit(PAGE)
    reader.page.select_option("select[name=verdict]", label=claims.FAILS)
    assert shown(reader) == of(claims.FAILS)
    assert reader.page.inner_text(".rl-found") == f"{len(of(claims.FAILS))} claims"
    reader.page.fill("input[name=words]", "lattices")
    assert shown(reader) == ["F8"]
    assert reader.page.inner_text(".rl-found") == "1 claim"
    reader.page.click(".rl-filters button[type=reset]")
    reader.page.wait_for_function("() => location.search === ''")
    assert shown(reader) == list(LEDGER)


def test_it_filters_by_lecture_and_source(visit: Visit) -> None:
    reader = visit(PAGE)
    reader.page.select_option("select[name=chapter]", "recording")
    assert shown(reader) == [f"G{number}" for number in range(1, 10)]
    reader.page.select_option("select[name=source]", "summary-003")
    assert shown(reader) == ["G7"]


def test_the_address_keeps_the_selection(visit: Visit) -> None:
    reader = visit(PAGE)
    reader.page.select_option("select[name=verdict]", "unconfirmed")
    reader.page.reload()
    assert shown(reader) == of(claims.UNDECIDED)


def test_an_address_that_asks_for_nothing_known_shows_everything(visit: Visit) -> None:
    assert shown(visit(PAGE, "verdict=perhaps&source=nobody")) == list(LEDGER)


def test_a_link_to_a_claim_shows_it_whatever_the_filters(visit: Visit) -> None:
    reader = visit(PAGE, "verdict=holds#claim-A13")
    assert "A13" in shown(reader)
    assert reader.page.locator("#claim-A13").is_visible()


def test_a_heading_sorts_up_and_then_down(visit: Visit) -> None:
    reader = visit(PAGE)
    head = reader.page.locator("th[data-column=when]")
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    times = [LEDGER[name].seconds for name in shown(reader)]
    known = [seconds for seconds in times if seconds is not None]
    assert times[: len(known)] == sorted(known)
    head.get_by_role("button").press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    reader.page.locator("th[data-column=claim]").get_by_role("button").click()
    assert head.get_attribute("aria-sort") is None
    assert shown(reader) == list(LEDGER)


def test_it_hands_out_a_claims_address(visit: Visit) -> None:
    reader = visit(PAGE, permissions=["clipboard-read", "clipboard-write"])
    reader.page.get_by_role("button", name="Copy link to claim C5", exact=True).click()
    reader.page.get_by_text("Copied", exact=True).wait_for()
    assert reader.page.evaluate("navigator.clipboard.readText()") == f"{reader.site.address}{PAGE}#claim-C5"


def test_it_answers_after_coming_from_another_page(visit: Visit) -> None:
    reader = visit("reference/")
    reader.page.locator("article").get_by_role("link", name="Ledger").click()
    reader.page.locator(".rl-filters").wait_for()
    reader.page.select_option("select[name=verdict]", "disagree")
    assert shown(reader) == of(claims.DISAGREE)


def test_without_a_script_every_claim_is_there_and_no_filter(visit: Visit) -> None:
    reader = visit(PAGE, java_script_enabled=False)
    assert reader.page.locator(".rl-claims tbody tr").count() == len(LEDGER)
    assert not reader.page.locator(".rl-filters").is_visible()


def test_on_a_phone_nothing_is_wider_than_the_screen(visit: Visit) -> None:
    reader = visit(PAGE, viewport={"width": 360, "height": 780})
    reason = reader.page.locator("#claim-A1 .rl-why")
    reader.page.locator(".rl-unfold").first.wait_for()
    assert not reason.is_visible()
    for why in reader.page.locator(".rl-unfold").all()[:8]:
        why.click()
    assert reason.is_visible()
    for summary in reader.page.locator(".rl-call summary:visible").all():
        summary.click()
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert reader.page.locator("#claim-A1").get_by_text("Quoted").count() == 0
    assert reader.page.locator("#claim-A1 td[data-label=Quoted]").is_visible()
