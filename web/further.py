"""Sections of a lecture that a first reading may leave out: `### Title { .further }`, under `## Going further`.

They follow the takeaway. Their headings say what they are to those who come by a link or a search. A section reaches to
the next heading of its rank.
"""

from __future__ import annotations

import re

HEADING = "\n## Going further\n"
LEAD = (
    "The first reading ends here. These sections may wait: go on to the [exercises](#exercises), or take what you need."
)
LABEL = '<span class="rl-further" data-search-exclude>further</span>'
_MARKED = re.compile(r'(<h3 class="further" id="[^"]*">.*?)(?=<a class="headerlink"|</h3>)', re.S)
_SECTION = re.compile(r"^### [^\n]*\{ \.further \}\n.*?(?=^###? |\Z)", re.M | re.S)


def split(markdown: str) -> tuple[str, str]:
    """A lecture without its further sections, and those alone.

    >>> split("### One\\nfirst\\n\\n## Going further\\n### Two { .further }\\nlater\\n## Three\\nlast\\n")
    ('### One\\nfirst\\n## Three\\nlast\\n', '### Two { .further }\\nlater\\n')
    """
    return _SECTION.sub("", markdown.replace(HEADING, "")), "".join(_SECTION.findall(markdown))


def lead(markdown: str) -> str:
    """A lecture whose further sections are introduced, with a way past them."""
    return markdown.replace(HEADING, f"{HEADING}\n{LEAD}\n")


def label(page: str) -> str:
    """The page with a word after the heading of each further section."""
    return _MARKED.sub(rf"\1 {LABEL}", page)
