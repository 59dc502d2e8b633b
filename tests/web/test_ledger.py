"""Every claim is on the ledger's page with all that a reader needs to check it, and in its lecture."""

from __future__ import annotations

import dataclasses
import html
import re

import pytest
from bs4 import BeautifulSoup, Tag

from calc.ledger import calls, claims, in_words
from calc.quantities.errors import CalcError
from web import ledger
from web.contents import LECTURES

LEDGER = list(claims.claims().values())
PAGE = BeautifulSoup(ledger.fill("<!-- ledger -->", "reference/ledger/"), "html.parser")
each = pytest.mark.parametrize("claim", LEDGER, ids=lambda claim: claim.id)


def row_of(claim: claims.Claim) -> Tag:
    row = PAGE.find(id=f"claim-{claim.id}")
    assert isinstance(row, Tag)
    return row


def cell(claim: claims.Claim, label: str) -> str:
    found = row_of(claim).find("td", {"data-label": label})
    assert isinstance(found, Tag)
    return found.get_text()


@each
class TestEveryClaim:
    def test_it_says_what_was_said_and_by_whom(self, claim: claims.Claim) -> None:
        told = cell(claim, "Claim")
        assert claim.said in told
        assert all(ledger.short(name) in told for name in claim.by)
        assert str(row_of(claim)["data-sources"]).split() == list(claim.by)

    def test_its_number_is_the_computed_one(self, claim: claims.Claim) -> None:
        shown = cell(claim, "Computed")
        assert shown.startswith(claim.told if claim.call else "–")
        kept, of = claim.kept
        partly = claim.basis == "calculation" and claim.unit != in_words.TRUTH and 0 < kept < of
        assert (f"{kept} of {of} accepted" in shown) == partly
        assert ("by derivation" in shown) == claim.algebra

    def test_its_verdict_is_in_words_with_the_reason(self, claim: claims.Claim) -> None:
        told = cell(claim, "Verdict")
        assert claim.verdict in told
        assert ledger.sides(claim) in told
        assert claim.reason in told

    def test_its_call_can_be_pasted_and_gives_the_same(self, claim: claims.Claim) -> None:
        blocks = [block.get_text() for block in row_of(claim).select("pre > code")]
        assert len(blocks) == bool(claim.call) + bool(claim.counter)
        for block, numbers in zip(blocks, (claim.computed(), claim.countered()), strict=False):
            *before, last = block.splitlines()
            names: dict[str, object] = {}
            exec("\n".join(before), names)
            assert calls.flat(eval(last, names)) == numbers

    def test_its_time_leads_into_the_recording(self, claim: claims.Claim) -> None:
        link = row_of(claim).select_one('td[data-label="When"] a')
        if claim.seconds is None:
            assert link is None
        else:
            assert link is not None
            assert link["href"] == f"https://youtu.be/xmkSf5IS-zw?t={claim.seconds}"
            assert link.get_text() == claim.at

    def test_a_lecture_is_named_only_if_it_lists_the_claim(self, claim: claims.Claim) -> None:
        links = [str(link["href"]) for link in row_of(claim).select('a[href*="/lectures/"]')]
        chapter = ledger.shown_in().get(claim.id)
        assert links == ([f"../../lectures/{chapter}/#claim-{claim.id}"] if chapter else [])


class TestThePage:
    def test_every_id_is_there_once(self) -> None:
        assert [row["id"] for row in PAGE.select("tbody tr")] == [f"claim-{claim.id}" for claim in LEDGER]

    def test_no_blank_line_ends_the_block_early(self) -> None:
        assert "\n" not in ledger.table(LEDGER, ledger.Place("../"))

    def test_the_filters_offer_what_there_is(self) -> None:
        offered = {
            str(select["name"]): {str(option["value"]) for option in select.select("option")} - {""}
            for select in PAGE.select(".rl-filters select")
        }
        assert offered["verdict"] == {str(row["data-verdict"]) for row in PAGE.select("tbody tr")}
        assert offered["chapter"] == {claim.chapter for claim in LEDGER}
        assert offered["source"] == {name for claim in LEDGER for name in claim.by}

    def test_the_counts_are_counted(self) -> None:
        told = re.sub(r"\*", "", ledger.fill("<!-- ledger: counts -->", "reference/ledger/"))
        numbers = [int(number) for number in re.findall(r"\d+", told)]
        assert numbers[0] == sum(numbers[1:]) == len(LEDGER)
        assert told.startswith("Of 154 claims, 43 hold, 65 hold with caveats, 24 do not hold")

    def test_verdicts_do_not_rest_on_colour(self) -> None:
        marks = {str(verdict["data-verdict"]): verdict.get_text() for verdict in PAGE.select(".rl-verdict")}
        assert len(set(marks.values())) == len(claims.VERDICTS)
        assert len({text[0] for text in marks.values()}) == len(claims.VERDICTS)


class TestInALecture:
    def test_a_letter_lists_its_section(self) -> None:
        page = BeautifulSoup(
            ledger.fill("Before\n\n<!-- claims: F -->\n\nAfter", "lectures/reversible/"), "html.parser"
        )
        assert [row["id"] for row in page.select("tbody tr")] == [f"claim-F{number}" for number in range(1, 11)]

    @pytest.mark.parametrize("lecture", [lecture.chapter for lecture in LECTURES if lecture.chapter != "serving"])
    def test_a_chapter_lists_what_belongs_to_it(self, lecture: str) -> None:
        assert {claim.chapter for claim in ledger.chosen(lecture)} == {lecture}

    def test_letters_and_chapters_together_list_each_claim_once(self) -> None:
        found = [claim.id for claim in ledger.chosen("A batching")]
        assert len(found) == len(set(found)) == 44

    def test_what_the_ledger_does_not_have_is_refused(self) -> None:
        with pytest.raises(CalcError, match="sections of the ledger"):
            ledger.fill("<!-- claims: Z -->", "lectures/batching/")

    def test_a_page_without_marks_stays_as_it_is(self) -> None:
        assert ledger.fill("Nothing.\n", "lectures/batching/") == "Nothing.\n"


def test_one_of_a_kind_is_told_in_the_singular() -> None:
    told = ledger.counts([claims.claim("A8"), claims.claim("A14")])
    assert told == (
        "Of 2 claims, **1** holds, **0** hold with caveats, **0** do not hold, and **0** are unconfirmed. "
        "In **1** more, sources contradict each other, and the numbers support one side"
    )


def test_sources_that_agree_are_not_told_to_contradict_each_other() -> None:
    assert ledger.counts([claims.claim("A8")]).endswith("and **0** are unconfirmed")


def test_between_sources_the_page_says_which_is_borne_out() -> None:
    assert ledger.sides(claims.claim("A4")) == "The numbers bear out the lecture, not pod.mattf.im"
    assert ledger.sides(claims.claim("A8")) == ""


def test_what_was_said_is_text_and_no_markup() -> None:
    claim = claims.Claim(
        id="A1", chapter="batching", said="a < b & c", by=("lecture",), verdict=claims.UNDECIDED, why="So <i>."
    )
    made = ledger.row(claim, ledger.Place("../"))
    assert html.escape("a < b & c") in made
    assert "<i>" not in made


def test_a_claim_stands_in_the_lecture_that_it_belongs_to() -> None:
    shown = ledger.shown_in()
    chapters = {claim.id: claim.chapter for claim in LEDGER if claim.chapter != "recording"}
    assert {name: shown.get(name) for name in chapters} == chapters


def test_a_verdict_that_the_numbers_do_not_give_is_refused():
    sound = claims.claim("A8")
    spoilt = dataclasses.replace(sound, verdict=claims.FAILS)
    assert ledger.borne_out(sound) is sound
    with pytest.raises(CalcError, match="verdict of claim A8 must be “holds”"):
        ledger.table([spoilt], ledger.Place(""))
