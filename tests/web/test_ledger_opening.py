"""The ledger opens with what stood and what fell, and every number there is counted."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup

from calc.ledger import claims
from calc.ledger.band import BANDS
from calc.quantities.errors import CalcError
from web import ledger_opening
from web.cache import ROOT

LEDGER = list(claims.claims().values())
TEXT = (ROOT / "docs" / "reference" / "ledger.md").read_text("utf-8")
PAGE = BeautifulSoup(ledger_opening.fill(TEXT), "html.parser")


def test_it_opens_with_about_ten_lines_before_the_table() -> None:
    opening = TEXT[TEXT.index("## What stood and what fell") : TEXT.index("## How a verdict comes about")]
    assert 8 <= len(re.findall(r"^- \*\*", opening, flags=re.M)) <= 12
    assert TEXT.index("<!-- ledger: tally -->") < TEXT.index("<!-- ledger: strip -->") < TEXT.index("<!-- ledger -->")


def test_a_citation_leads_to_its_claim_with_verdict_and_number() -> None:
    cited = BeautifulSoup(ledger_opening.fill("<!-- claim: A13 -->"), "html.parser")
    link = cited.a
    assert link is not None
    assert (link["href"], link["title"]) == ("#claim-A13", "does not hold")
    assert cited.get_text() == f"✗\xa0A13 (Axiom) {claims.claim('A13').said.rstrip('.')} (576 TB/s)"
    assert ledger_opening.fill("<!-- claim: F1 -->").endswith("whatever its round function")


def test_only_a_failed_claim_that_was_not_made_in_the_lecture_names_who_made_it() -> None:
    assert "A28</a> (its flashcards) A token" in ledger_opening.fill("<!-- claim: A28 -->")
    assert "A15</a> DeepSeek-V3" in ledger_opening.fill("<!-- claim: A15 -->")
    assert "D20</a> An over-trained" in ledger_opening.fill("<!-- claim: D20 -->")


def test_what_nothing_decides_is_told_without_a_number() -> None:
    assert ledger_opening.fill("<!-- claim: D10 -->").endswith("D10</a> " + claims.claim("D10").said.rstrip("."))


def test_between_sources_it_says_which_is_borne_out() -> None:
    assert ledger_opening.fill("<!-- claim: A14 -->").endswith(": the numbers bear out pod.mattf.im, not MurmurCast")


def test_every_line_of_the_opening_says_a_claim_in_its_own_words_under_its_verdict() -> None:
    opening = TEXT[TEXT.index("## What stood and what fell") : TEXT.index("<!-- ledger: tally -->")]
    lines = [line for line in opening.splitlines() if line.startswith("- ") and "claim:" in line]
    assert {re.findall(r"\*\*(.+?)\.\*\*", line)[0].lower() for line in lines} == set(claims.VERDICTS)
    for line in lines:
        between = re.sub(r"<!-- claim: \w+ -->|^- \*\*.+?\*\*", "", line)
        assert set(re.findall(r"\w+", between)) <= {"and", "with", "them"}


@pytest.mark.parametrize(
    ("heading", "claim"), [("Holds", "A13"), ("Holds", "A9"), ("Does not hold", "A9"), ("Perhaps", "A9")]
)
def test_a_line_whose_claims_have_another_verdict_stops_the_build(heading: str, claim: str) -> None:
    with pytest.raises(CalcError, match=f"of claim {claim}"):
        ledger_opening.fill(f"- **{heading}.** As was said, <!-- claim: {claim} -->.")


def test_the_tally_counts_every_claim_once() -> None:
    cells = [int(re.match(r"\d+", part.get_text())[0]) for part in PAGE.select(".rl-bar > span")]  # type: ignore[index]
    assert sum(cells) == len(LEDGER)
    widths = [int(str(part["style"]).rpartition(" ")[2]) for part in PAGE.select(".rl-bar > span")]
    assert widths == cells


def test_every_claim_with_a_number_is_on_the_strip_or_counted_within() -> None:
    drawn = {link.get_text() for link in PAGE.select(".rl-lanes a.rl-name")}
    within = sum(int(name.get_text().split()[0]) for name in PAGE.select(".rl-lanes span.rl-name"))
    numbered = {claim.id for claim in LEDGER if claim.ratios()}
    assert drawn <= numbered
    assert len(drawn) + within == len(numbered)
    low, high = BANDS["close"]
    assert drawn == {claim.id for claim in LEDGER if any(not low <= ratio <= high for ratio in claim.ratios())}


def test_a_hollow_dot_is_a_bound_or_an_exception() -> None:
    hollow = {row.a.get_text() for row in PAGE.select('.rl-lanes [data-kind="bound"]') if row.a}
    assert hollow
    assert all(not claims.claim(name).stated for name in hollow)


def test_the_strip_is_logarithmic_and_ends_where_it_says() -> None:
    assert ledger_opening._place(1) == 50
    assert ledger_opening._place(10) - 50 == pytest.approx(50 - ledger_opening._place(0.1))
    assert ledger_opening._place(1e9) == 100


def test_every_exception_is_listed_with_its_reading() -> None:
    words, orders = ([item.get_text() for item in fold.select("li")] for fold in PAGE.select(".rl-exceptions"))
    assert words == [f"{claim.id} {claim.exception}" for claim in LEDGER if claim.exception]
    assert orders == [f"{claim.id} “{claim.order}”" for claim in LEDGER if claim.order]


def test_what_nobody_can_look_up_is_named() -> None:
    named = re.findall(r"#claim-(\w+)", ledger_opening.unseen(LEDGER))
    assert "G7" in named
    assert all(claims.claim(name).by in (("summary-000",), ("summary-003",)) for name in named)


def test_the_sentences_add_up() -> None:
    said = [
        int(number)
        for number in re.findall(r"\d+", ledger_opening.near(LEDGER).replace("±25", "").replace("factor of 3", ""))
    ]
    assert said[0] == sum(said[1:])
    told = [int(number) for number in re.findall(r"\d+", ledger_opening.voices(LEDGER))]
    (own, mine, percent, *rest), (others, theirs, less, *also), (derived,) = told[:5], told[5:10], told[10:]
    fallen = [claim for claim in LEDGER if claim.verdict == claims.FAILS]
    assert (mine + sum(rest), theirs + sum(also)) == (own, others)
    assert rest[1] == sum("lecture" in claim.by for claim in fallen) == len(fallen) - also[1]
    assert (percent, less) == (round(100 * mine / own), round(100 * theirs / others))
    assert 0 < derived == sum(claim.algebra for claim in LEDGER) < mine + theirs
