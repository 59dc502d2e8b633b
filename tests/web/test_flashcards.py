"""Flashcards: numbers computed, in the page and for Anki."""

from __future__ import annotations

import csv

import pytest

from calc.figure import registry
from calc.quantities.errors import CalcError
from web import flashcards
from web.further import LABEL
from web.page_figures import PageFigures

CARD = '[[card]]\nfront = "How long is a step, if B < {b}?"\nback = "{{batching/step-time.{key}}} or more"\n'


@pytest.fixture
def deck(tmp_path, monkeypatch):
    """One lecture with one card."""

    def write(key="step", text=CARD):
        folder = tmp_path / "lectures" / "batching"
        folder.mkdir(parents=True)
        (folder / "flashcards.toml").write_text(text.format(key=key, b=8), encoding="utf-8")
        real = flashcards.cards
        monkeypatch.setattr(flashcards, "cards", lambda chapter, root=tmp_path: real(chapter, root))
        return PageFigures("lectures/batching/index.md", flashcards.MARK, "batching")

    return write


def step() -> str:
    return registry.find("batching/step-time").answer().values["step"].text


def test_the_page_shows_the_cards_with_numbers_that_can_follow_the_reader(deck):
    page = deck()
    html = flashcards.fill(f"# A\n\n{flashcards.MARK}\n", page)
    assert "<summary>How long is a step, if B &lt; 8?</summary>" in html
    assert 'data-value="batching/step-time.step"' in html
    assert "flashcards.csv" in html
    assert flashcards.MARK not in html
    assert list(page.quoted) == ["batching/step-time"]


def test_anki_gets_the_numbers_as_text(deck):
    deck()
    *head, row = flashcards.as_csv("batching").splitlines()
    assert head == ["#separator:Comma", "#html:false", "#columns:Front,Back,Tags", "#tags column:3"]
    assert next(csv.reader([row])) == ["How long is a step, if B < 8?", f"{step()} or more", "rooflines batching"]


def test_a_card_of_a_further_section_says_so_in_the_page_and_to_anki(deck):
    page = deck(text=f'{CARD}further = "when-no-batch-balances"\n')
    html = flashcards.fill(flashcards.MARK, page)
    assert f"if B &lt; 8? {LABEL}</summary>" in html
    assert "Those of further sections say so." in html
    assert flashcards.as_csv("batching").endswith(",rooflines batching further\n")


def test_a_number_that_does_not_exist_is_a_mistake_of_the_page_and_of_the_file(deck):
    page = deck(key="stpe")
    flashcards.fill(flashcards.MARK, page)
    assert "value must be one of step" in page.mistakes[0]
    with pytest.raises(CalcError, match="value must be one of step"):
        flashcards.as_csv("batching")


def test_a_card_is_a_front_and_a_back(deck):
    deck(text='[[card]]\nfront = "alone"\n')
    with pytest.raises(CalcError, match="a front, a back"):
        flashcards.cards("batching")


def test_a_page_without_the_mark_stays_as_it_is():
    assert flashcards.fill("# A", PageFigures("index.md", "# A")) == "# A"


@pytest.mark.parametrize("chapter", flashcards.chapters())
def test_every_deck_of_the_course_is_complete(chapter):
    rows = list(csv.reader(line for line in flashcards.as_csv(chapter).splitlines() if not line.startswith("#")))
    assert len(rows) >= 10
    assert all(front and back and "{" not in front + back for front, back, _ in rows)
    assert len({front for front, *_ in rows}) == len(rows)
    assert {tags.split()[1] for *_, tags in rows} == {chapter}
