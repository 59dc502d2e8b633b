"""Sections of a lecture that a first reading may leave out: `### Title { .further }`.

Their headings say so, and so do the lists of contents. A section reaches to the next heading of its rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

LABEL = '<span class="rl-further" data-search-exclude>further</span>'
_MARKED = re.compile(r'(<h3 class="further" id="(?P<id>[^"]*)">.*?)(?=<a class="headerlink"|</h3>)', re.S)
_SECTION = re.compile(r"^### [^\n]*\{ \.further \}\n.*?(?=^###? |\Z)", re.M | re.S)


class Heading(Protocol):
    """A heading of a page, as its table of contents has it."""

    id: str
    title: str

    @property
    def children(self) -> Iterable[Heading]: ...


def split(markdown: str) -> tuple[str, str]:
    """A lecture without its further sections, and those alone.

    >>> split("### One\\nfirst\\n### Two { .further }\\nlater\\n## Three\\nlast\\n")
    ('### One\\nfirst\\n## Three\\nlast\\n', '### Two { .further }\\nlater\\n')
    """
    return _SECTION.sub("", markdown), "".join(_SECTION.findall(markdown))


def label(page: str, toc: Iterable[Heading]) -> str:
    """The page with a word after the heading of each further section, and after its title in the contents."""
    marked = {found["id"] for found in _MARKED.finditer(page)}
    _label(toc, marked)
    return _MARKED.sub(rf"\1 {LABEL}", page)


def _label(headings: Iterable[Heading], marked: set[str]) -> None:
    for heading in headings:
        if heading.id in marked:
            heading.title += f" {LABEL}"
        _label(heading.children, marked)
