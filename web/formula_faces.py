"""KaTeX's typefaces, with those letters alone in which the formulas of the site are set."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from web import fonts

FACES = "assets/katex/fonts/*.woff2"
_BEGIN = re.compile(r'<span class="katex-html"')
_PIECE = re.compile(r"<(/?)span\b[^>]*>|<[^>]*>|[^<]+")


def install(site: Path) -> None:
    """Take from the faces in a built site the letters that no formula of its pages shows."""
    shown: set[str] = set()
    for page in site.rglob("*.html"):
        shown.update(*formulas(page.read_text("utf-8")))
    wanted = "".join(sorted(shown))
    for face in site.glob(FACES):
        face.write_bytes(fonts.kept(face.read_bytes(), wanted))


def formulas(page: str) -> Iterator[str]:
    """The text of each formula on a page, as it is shown.

    >>> list(formulas('see <span class="katex-html"><span>a</span>&lt;b</span> and c'))
    ['a<b']
    """
    for begin in _BEGIN.finditer(page):
        depth, text = 0, ""
        for piece in _PIECE.finditer(page, begin.start()):
            if piece[1] is None:
                text += "" if piece[0].startswith("<") else piece[0]
                continue
            depth += -1 if piece[1] else 1
            if not depth:
                yield unescape(text)
                break
