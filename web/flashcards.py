"""Flashcards of a lecture: `<!-- flashcards -->` becomes the cards in the page, and a CSV that Anki takes.

`lectures/<chapter>/flashcards.toml` holds `[[card]]` rows with `front` and `back`; `{chapter/slug.value}` in either is
a number that `calc` computes. In the page such numbers follow the reader's inputs; in the CSV they are the defaults'.
"""

from __future__ import annotations

import csv
import html
import io
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

from calc.figure import registry
from calc.quantities.errors import CalcError
from web.cache import ROOT
from web.page_figures import PageFigures

MARK = "<!-- flashcards -->"
_NUMBER = re.compile(r"\{([a-z_]+/[\w-]+\.\w+)\}")
ANKI = "#separator:Comma\n#html:false\n#columns:Front,Back\n#tags:rooflines {chapter}\n"


def cards(chapter: str, root: Path = ROOT) -> list[tuple[str, str]]:
    """Front and back of every card, with their numbers still named."""
    path = root / "lectures" / chapter / "flashcards.toml"
    if not path.exists():
        return []
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["card"]
    wrong = [row for row in rows if set(row) != {"front", "back"}]
    if wrong:
        raise CalcError(f"a card of {chapter}/flashcards.toml", wrong[0], "a front and a back, and nothing else")
    return [(row["front"], row["back"]) for row in rows]


def fill(markdown: str, page: PageFigures) -> str:
    """The page's Markdown with its cards in the place of the mark."""
    if MARK not in markdown:
        return markdown
    held = cards(page.chapter)
    shown = "\n".join(_card(front, back, page) for front, back in held)
    many = f"{len(held)} cards, for the page or for your own deck."
    return markdown.replace(
        MARK,
        f'{many} [Download them for Anki (CSV)](flashcards.csv){{ download="rooflines-{page.chapter}.csv" }}\n\n'
        f'<div class="rl-cards">\n{shown}\n</div>\n',
    )


def as_csv(chapter: str) -> str:
    """The cards as Anki imports them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([_filled(side, _plain) for side in card] for card in cards(chapter))
    return ANKI.format(chapter=chapter) + text.getvalue()


def decks() -> dict[str, str]:
    """Every deck as a file to download, by its place in the site."""
    return {f"lectures/{chapter}/flashcards.csv": as_csv(chapter) for chapter in chapters()}


def chapters(root: Path = ROOT) -> list[str]:
    """The lectures that have cards."""
    return sorted(path.parent.name for path in (root / "lectures").glob("*/flashcards.toml"))


def _card(front: str, back: str, page: PageFigures) -> str:
    sides = (_filled(html.escape(side, quote=False), page.value) for side in (front, back))
    return '<details class="rl-card"><summary>{}</summary><p>{}</p></details>'.format(*sides)


def _filled(side: str, number: Callable[[str], str]) -> str:
    return _NUMBER.sub(lambda match: number(match[1]), side)


def _plain(name: str) -> str:
    figure, _, key = name.rpartition(".")
    values = registry.find(figure).answer().values
    if key not in values:
        raise CalcError("value", key, f"one of {', '.join(values)}")
    return values[key].text
