"""The eight lectures as navigation, contents page and home page show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from calc.chapters import CHAPTERS
from web import reading_time
from web.cache import ROOT

MARK = "<!-- lectures -->"
MINUTES = "<!-- minutes -->"
QUESTION = "the-question"  # the first heading of a lecture, small and close to the title
FEW = 4  # sections that a page may have without a list of them


class Heading(Protocol):
    """A heading of a page, as its table of contents has it."""

    @property
    def title(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def children(self) -> Sequence[Heading]: ...


@dataclass(frozen=True)
class Lecture:
    """One lecture: the folder it lives in, its title, the question that it answers."""

    chapter: str
    title: str
    question: str

    @property
    def written(self) -> bool:
        return (ROOT / "lectures" / self.chapter / "index.md").exists()

    @property
    def text(self) -> str:
        return (ROOT / "lectures" / self.chapter / "index.md").read_text("utf-8")

    @property
    def has_lab(self) -> bool:
        return (ROOT / "lectures" / self.chapter / "lab.py").exists()


LECTURES = tuple(Lecture(chapter.name, chapter.title, chapter.question) for chapter in CHAPTERS)


def nav() -> list[Any]:
    """The entries of the navigation: the contents page, then each lecture that is written, with its lab."""
    entries: list[Any] = ["lectures/index.md"]
    for number, lecture in enumerate(LECTURES, 1):
        pages: list[Any] = [f"lectures/{lecture.chapter}/index.md"]
        if lecture.has_lab:
            pages.append({"Lab": f"lectures/{lecture.chapter}/lab.py"})
        if lecture.written:
            entries.append({f"{number} {lecture.title}": pages})
    return entries


def unwritten() -> Iterator[tuple[int, str, str]]:
    """Number, title and address of each lecture that is being written; the address leads to its question."""
    for number, lecture in enumerate(LECTURES, 1):
        if not lecture.written:
            yield number, f"{number} {lecture.title} (being written)", f"lectures/#{lecture.chapter}"


def fill(markdown: str, to_lectures: str) -> str:
    """A page with the list of lectures and the minutes of one where it asks for them; `to_lectures` leads from the page
    to their folder."""
    if MINUTES in markdown:
        taken = [reading_time.first(lecture.text) for lecture in LECTURES if lecture.written]
        markdown = markdown.replace(MINUTES, f"{min(taken)} to {max(taken)}")
    return markdown.replace(MARK, _list(to_lectures)) if MARK in markdown else markdown


def _list(to_lectures: str) -> str:
    items = "".join(_item(lecture, to_lectures) for lecture in LECTURES)
    return f'<ol class="rl-lectures">{items}</ol>'


def _item(lecture: Lecture, to_lectures: str) -> str:
    name, soon = escape(lecture.title), ""
    if lecture.written:
        name = f'<a href="{to_lectures}{lecture.chapter}/">{name}</a>'
        if lecture.has_lab:
            soon = f' <a class="rl-soon" href="{to_lectures}{lecture.chapter}/lab/">Lab</a>'
    else:
        name, soon = f'<span class="rl-name">{name}</span>', ' <span class="rl-soon">being written</span>'
    state = "" if lecture.written else " data-soon"
    return f'<li id="{lecture.chapter}"{state}>{name}{soon}<p>{escape(lecture.question)}</p></li>'


def asks(page: str) -> str:
    """The page, its title marked where a question follows: a style that looks for it would look after every change."""
    return page.replace("<h1 ", "<h1 data-asks ", 1) if f'id="{QUESTION}"' in page else page


def on_this_page(page: str, toc: Iterable[Heading]) -> str:
    """The page with its sections folded below its title, for screens that have no room for them beside the text."""
    sections = [section for top in toc for section in top.children]
    if len(sections) < FEW:
        return page
    fold = (
        f'<details class="rl-contents" data-search-exclude><summary>On this page</summary>{_linked(sections)}</details>'
    )
    return page.replace("</h1>", f"</h1>\n{fold}", 1)


def _linked(sections: Sequence[Heading]) -> str:
    items = (
        f'<li><a href="{section.url}">{section.title}</a>{_linked(section.children) if section.children else ""}</li>'
        for section in sections
    )
    return f"<ul>{''.join(items)}</ul>"
