"""The eight lectures: the one list from which navigation, contents page and home page are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from web.cache import ROOT

MARK = "<!-- lectures -->"
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
    def has_lab(self) -> bool:
        return (ROOT / "lectures" / self.chapter / "lab.py").exists()


LECTURES = (
    Lecture(
        "batching",
        "Batch size, latency and cost",
        "Why is a token so much cheaper when strangers share the step that makes it, and what do they pay in waiting?",
    ),
    Lecture(
        "moe",
        "Experts on a rack",
        "When each token uses only a few of a model's weights, what must the wires between the chips carry?",
    ),
    Lecture(
        "pipelining",
        "Pipelining across racks",
        "When one rack is not enough, what do pipeline stages save, and what do they fail to save?",
    ),
    Lecture(
        "memory_wall",
        "The memory wall",
        "Why did contexts stop growing when multipliers did not?",
    ),
    Lecture(
        "overtraining",
        "A hundred times past Chinchilla",
        "How long should a model train if the whole world is going to use it?",
    ),
    Lecture(
        "pricing",
        "What the price list gives away",
        "What does a page of API prices tell about the machines behind it?",
    ),
    Lecture(
        "reversible",
        "Ciphers and reversible networks",
        "What do a block cipher and a network trained without stored activations have in common?",
    ),
    Lecture(
        "serving",
        "Serving, the whole",
        "Every bound at once: which layout of a model on a machine is worth its money?",
    ),
)


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
    """A page with the list of lectures where it asks for it; `to_lectures` leads from the page to their folder."""
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
