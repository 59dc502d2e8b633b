"""KaTeX's typefaces, with those letters alone in which the formulas of the site are set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from web import fonts

FACES = "assets/katex/fonts/*.woff2"
OWN = {
    "mathnormal": "KaTeX_Math-Italic",
    "mathbf": "KaTeX_Main-Bold",
}  # nothing else is set in these, nor they in another
_BEGIN = re.compile(r'<span class="katex-html"')
_PIECE = re.compile(r"<(?P<end>/?)span\b(?P<said>[^>]*)>|<[^>]*>|(?P<text>[^<]+)")
_SET = re.compile(rf"\b(?:{'|'.join(OWN)})\b")


def install(site: Path) -> None:
    """Take from the faces in a built site the letters that no formula of its pages shows in them."""
    shown: dict[str, set[str]] = {"": set(), **{face: set() for face in OWN.values()}}
    for page in site.rglob("*.html"):
        for text, face in texts(page.read_text("utf-8")):
            shown[face].update(text)
    for path in site.glob(FACES):
        letters = shown[path.stem if path.stem in shown else ""]
        path.write_bytes(fonts.kept(path.read_bytes(), "".join(sorted(letters))))


def texts(page: str) -> Iterator[tuple[str, str]]:
    """The pieces of text in the formulas of a page, and the face of its own that each is set in, if it has one.

    >>> list(texts('see <span class="katex-html">2<span class="mord mathnormal">a</span>&lt;</span> and c'))
    [('2', ''), ('a', 'KaTeX_Math-Italic'), ('<', '')]
    """
    for begin in _BEGIN.finditer(page):
        open_ = [""]
        for piece in _PIECE.finditer(page, begin.start()):
            if piece["text"]:
                yield unescape(piece["text"]), open_[-1]
            elif piece["end"]:
                open_.pop()
            elif piece["end"] is not None:
                said = _SET.search(piece["said"])
                open_.append(OWN[said[0]] if said else open_[-1])
            if len(open_) == 1:
                break
