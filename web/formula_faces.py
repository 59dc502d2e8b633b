"""KaTeX's typefaces, with those letters alone in which the formulas of the site are set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from web import fonts

FACES = "assets/katex/fonts/*.woff2"
VARIABLES = "KaTeX_Math-Italic"  # variables are set in it and nothing else is, nor are they in another
_BEGIN = re.compile(r'<span class="katex-html"')
_PIECE = re.compile(r"<(?P<end>/?)span\b(?P<said>[^>]*)>|<[^>]*>|(?P<text>[^<]+)")
_VARIABLE = re.compile(r"\bmathnormal\b")


def install(site: Path) -> None:
    """Take from the faces in a built site the letters that no formula of its pages shows in them."""
    shown: dict[bool, set[str]] = {True: set(), False: set()}
    for page in site.rglob("*.html"):
        for text, variable in texts(page.read_text("utf-8")):
            shown[variable].update(text)
    for face in site.glob(FACES):
        face.write_bytes(fonts.kept(face.read_bytes(), "".join(sorted(shown[face.name.startswith(VARIABLES)]))))


def texts(page: str) -> Iterator[tuple[str, bool]]:
    """The pieces of text in the formulas of a page, and whether each is of a variable.

    >>> list(texts('see <span class="katex-html">2<span class="mord mathnormal">a</span>&lt;</span> and c'))
    [('2', False), ('a', True), ('<', False)]
    """
    for begin in _BEGIN.finditer(page):
        open_: list[bool] = []
        for piece in _PIECE.finditer(page, begin.start()):
            if piece["text"]:
                yield unescape(piece["text"]), open_[-1]
            elif piece["end"]:
                open_.pop()
            elif piece["end"] is not None:
                open_.append(bool(_VARIABLE.search(piece["said"])))
            if not open_:
                break
