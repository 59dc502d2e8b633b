"""Flashcards of a lecture: `<!-- flashcards -->` becomes the cards in the page, and a CSV that Anki takes.

`lectures/<chapter>/flashcards.toml` holds `[[card]]` rows with `front` and `back`; `{chapter/slug.value}` in either is
a number that `calc` computes. In the page such numbers follow the reader's inputs; in the CSV they are the defaults'. A
card of a further section says so in `further`, by the section's place in the page; Anki gets it as a tag.
"""

from __future__ import annotations

import csv
import html
import io
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calc.figure import registry
from calc.quantities.errors import CalcError
from web.cache import ROOT
from web.further import LABEL
from web.page_figures import PageFigures, first_answer

MARK = "<!-- flashcards -->"
_NUMBER = re.compile(r"\{([a-z_]+/[\w-]+\.\w+)\}")
ANKI = "#separator:Comma\n#html:false\n#columns:Front,Back,Tags\n#tags column:3\n"


@dataclass(frozen=True)
class Card:
    """Front and back with their numbers still named, and the further section that it asks about, if it is one."""

    front: str
    back: str
    further: str = ""


def cards(chapter: str, root: Path = ROOT) -> list[Card]:
    """Every card of a lecture, in the order of its file."""
    path = root / "lectures" / chapter / "flashcards.toml"
    if not path.exists():
        return []
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["card"]
    wrong = [row for row in rows if set(row) - {"further"} != {"front", "back"}]
    if wrong:
        raise CalcError(f"a card of {chapter}/flashcards.toml", wrong[0], "a front, a back, and perhaps further")
    return [Card(**row) for row in rows]


def fill(markdown: str, page: PageFigures) -> str:
    """The page's Markdown with its cards in the place of the mark."""
    if MARK not in markdown:
        return markdown
    held = cards(page.chapter)
    shown = "\n".join(_card(card, page) for card in held)
    said = " Those of further sections say so." if any(card.further for card in held) else ""
    many = f"{len(held)} cards, for the page or for your own deck.{said}"
    return markdown.replace(
        MARK,
        f'{many} [Download them for Anki (CSV)](flashcards.csv){{ download="rooflines-{page.chapter}.csv" }}\n\n'
        f'<div class="rl-cards">\n{shown}\n</div>\n',
    )


def as_csv(chapter: str) -> str:
    """The cards as Anki imports them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for card in cards(chapter):
        tags = " ".join(("rooflines", chapter, *(["further"] if card.further else [])))
        writer.writerow([_filled(card.front, _plain), _filled(card.back, _plain), tags])
    return ANKI + text.getvalue()


def decks() -> dict[str, str]:
    """Every deck as a file to download, by its place in the site."""
    return {f"lectures/{chapter}/flashcards.csv": as_csv(chapter) for chapter in chapters()}


def chapters(root: Path = ROOT) -> list[str]:
    """The lectures that have cards."""
    return sorted(path.parent.name for path in (root / "lectures").glob("*/flashcards.toml"))


def _card(card: Card, page: PageFigures) -> str:
    front, back = (_filled(html.escape(side, quote=False), page.value) for side in (card.front, card.back))
    mark = f" {LABEL}" if card.further else ""
    return f'<details class="rl-card"><summary>{front}{mark}</summary><p>{back}</p></details>'


def _filled(side: str, number: Callable[[str], str]) -> str:
    return _NUMBER.sub(lambda match: number(match[1]), side)


def _plain(name: str) -> str:
    figure, _, key = name.rpartition(".")
    values = first_answer(registry.find(figure)).values
    if key not in values:
        raise CalcError("value", key, f"one of {', '.join(values)}")
    return values[key].text
