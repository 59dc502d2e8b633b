"""The bibliography: what the lectures cite, gathered from their footnotes, each work once.

`<!-- bibliography -->` in a page becomes the list, by author, with the lectures that cite each work.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from web.cache import ROOT
from web.contents import LECTURES

MARK = "<!-- bibliography -->"
_NOTE = re.compile(r"^\[\^(?P<key>[\w-]+)\]: (?P<text>.+)$", re.M)
_VALUE = re.compile(r"`#!value (?=[\w-]+\.)")
_OF_ONE_LECTURE = re.compile(r" (This lecture covers|Within this part,) .*$")
_ADDRESS = re.compile(r"\]\((https?://[^)\s]+)\)")


@dataclass
class Work:
    """One footnote with an address, and the lectures in which it stands."""

    text: str
    address: str
    cited_in: list[int] = field(default_factory=list)


def works(root: Path = ROOT) -> list[Work]:
    """Every cited work, by the words of its note; the first note of an address stands for all."""
    found: dict[str, Work] = {}
    for number, text, address in _notes(root):
        work = found.setdefault(address, Work(text, address))
        if number not in work.cited_in:
            work.cited_in.append(number)
    return sorted(found.values(), key=lambda work: re.sub(r"[*\[\]]", "", work.text).casefold())


def fill(markdown: str) -> str:
    """A page with the list where it asks for it."""
    if MARK not in markdown:
        return markdown
    return markdown.replace(MARK, "\n".join(f"- {work.text} *Cited in {_lectures(work)}.*" for work in works()))


def _notes(root: Path) -> Iterator[tuple[int, str, str]]:
    for number, lecture in enumerate(LECTURES, 1):
        page = root / "lectures" / lecture.chapter / "index.md"
        for note in _NOTE.finditer(page.read_text(encoding="utf-8") if page.exists() else ""):
            address = _ADDRESS.search(note["text"])
            if address:
                text = _VALUE.sub(rf"\g<0>{lecture.chapter}/", note["text"]).replace("../../reference/", "")
                yield number, _OF_ONE_LECTURE.sub("", text), address[1].rstrip("/")


def _lectures(work: Work) -> str:
    names = [f"[{n}](../lectures/{LECTURES[n - 1].chapter}/index.md)" for n in work.cited_in]
    return ("lecture " if len(names) == 1 else "lectures ") + ", ".join(names)
