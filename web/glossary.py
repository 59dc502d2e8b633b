"""The glossary's terms, explained on hover where a lecture first uses them.

The glossary page is the one place where terms are defined, as a Markdown definition list; this reads it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from pathlib import Path

from web.cache import ROOT

WHERE = "reference/glossary.md"
PAGE = ROOT / "docs" / WHERE

_ENTRY = re.compile(r"^(?P<terms>[^\n:#<-][^\n]*)\n: +(?P<meaning>[^\n]+)", re.M)
_TAG = re.compile(r"<[^>]*>")
# Where a term is not explained: headings, links, formulas, figures, code, and whatever is not a lecture's prose.
_CLOSED = ("h1", "h2", "h3", "h4", "a", "var", "figure", "code", "pre", "script", "samp", "table", "summary", "abbr")
_OPEN_OR_CLOSE = re.compile(rf"</?(?:{'|'.join(_CLOSED)})\b")


def terms(page: Path = PAGE) -> Mapping[str, str]:
    """Every term of the glossary with its meaning as plain text; alternatives stand behind commas."""
    found: dict[str, str] = {}
    for entry in _ENTRY.finditer(page.read_text(encoding="utf-8")):
        meaning = re.sub(r" See \[.*$", "", entry["meaning"])
        found |= {term.strip(): meaning for term in entry["terms"].split(",")}
    return found


def anchored(html: str) -> str:
    """The glossary's HTML with an id for each term, by which a link and a search find it.

    >>> anchored("<dt>Key-value cache, KV cache</dt>")
    '<dt id="key-value-cache">Key-value cache, KV cache</dt>'
    """
    return re.sub(r"<dt>([^<,]*)", lambda found: f'<dt id="{_slug(found[1])}">{found[1]}', html)


def _slug(term: str) -> str:
    """A term as an address has it."""
    return re.sub(r"[^a-z0-9]+", "-", unescape(term).lower()).strip("-")


def explain(html: str) -> str:
    """A lecture's HTML with the first use of each term in its prose carrying the term's meaning."""
    waiting = dict(_known())
    parts, depth, at = [], 0, 0
    for tag in _TAG.finditer(html):
        text = html[at : tag.start()]
        parts += [_mark(text, waiting) if depth == 0 else text, tag[0]]
        if _OPEN_OR_CLOSE.match(tag[0]) and not tag[0].endswith("/>"):
            depth += -1 if tag[0].startswith("</") else 1
        at = tag.end()
    return "".join([*parts, html[at:]])


def _mark(text: str, waiting: dict[str, str]) -> str:
    if not text.strip() or not waiting:
        return text
    words = "|".join(sorted(map(re.escape, waiting), key=len, reverse=True))
    pattern = re.compile(rf"\b(?P<term>{words})(?P<plural>s?)\b", re.IGNORECASE)

    def replace(match: re.Match[str]) -> str:
        term = next((known for known in waiting if _same(known, match["term"])), None)
        if term is None:
            return match[0]
        meaning = waiting.pop(term)
        for other in [known for known, sense in waiting.items() if sense == meaning]:
            del waiting[other]
        return f'<abbr title="{escape(meaning)}">{match[0]}</abbr>'

    return pattern.sub(replace, text)


def _same(term: str, word: str) -> bool:
    """Whether a word is the term: an abbreviation as it is spelled, so that zero is not ZeRO, others in any case."""
    return term == word if term[1:] != term[1:].lower() else term.casefold() == word.casefold()


@cache
def _known() -> Mapping[str, str]:
    return terms()
