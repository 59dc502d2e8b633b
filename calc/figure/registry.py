"""Figures by name: `chapter/slug`. A chapter's figures load when one of them is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

from calc.chapters import CHAPTERS
from calc.figure.declared import Figure
from calc.quantities.errors import UnknownName

LECTURES = tuple(chapter.name for chapter in CHAPTERS)
OF_THE_BUILD = ("world",)
"""Rooms whose figures are drawn when the site is built: what they are computed from does not travel to readers."""
APART = ("measured",)
"""Rooms that travel by themselves, to readers of the pages that show them."""


def find(name: str) -> Figure:
    """The figure called `name`.

    >>> find("batching/step-time").slug
    'step-time'
    """
    chapter = name.partition("/")[0]
    if chapter not in (*LECTURES, *OF_THE_BUILD, *APART):
        raise UnknownName("figure", name, (f"{known}/…" for known in LECTURES))
    return _named(name, of_chapter(chapter))


@cache
def of_chapter(chapter: str) -> Mapping[str, Figure]:
    """The figures of one chapter, by name, in the order of the page."""
    declared: tuple[Figure, ...] = import_module(f"calc.{chapter}.figures.listed").FIGURES
    return MappingProxyType({figure.name: figure for figure in declared})


def travels(figure: Figure) -> bool:
    """Whether a reader's own Python can answer for a figure.

    >>> travels(find("batching/step-time"))
    True
    """
    return figure.name.partition("/")[0] not in OF_THE_BUILD


def every() -> tuple[Figure, ...]:
    """All figures of all chapters and of the rooms apart that are here, without those that rest on one that is not."""
    here = [room for room in APART if find_spec(f"calc.{room}")]
    rooms = (*LECTURES, *here)
    known = (figure for room in rooms for figure in of_chapter(room).values())
    return tuple(figure for figure in known if not figure.rests_on or figure.rests_on in here)


def asked() -> tuple[Figure, ...]:
    """Those with an input, which a page asks again; the others are answered once and for all when the site is built.

    >>> find("batching/step-time") in asked(), find("moe/tensor") in asked()
    (True, False)
    """
    return tuple(figure for figure in every() if figure.inputs)


def _named(name: str, known: Mapping[str, Figure]) -> Figure:
    if name not in known:
        raise UnknownName("figure", name, known)
    return known[name]
