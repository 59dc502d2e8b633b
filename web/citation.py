"""How to cite the course: CITATION.cff is the one source, and BibTeX and plain text follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

FILE = Path(__file__).resolve().parent.parent / "CITATION.cff"
_MARKS = ("bibtex", "text", "version")


@dataclass(frozen=True)
class Citation:
    """The parts of a citation."""

    title: str
    authors: tuple[str, ...]
    version: str
    released: date
    url: str

    @property
    def bibtex(self) -> str:
        """A BibTeX entry."""
        fields = {
            "title": "{" + self.title + "}",
            "author": " and ".join("{" + author + "}" for author in self.authors),
            "year": str(self.released.year),
            "version": self.version,
            "url": self.url,
        }
        lines = ",\n".join(f"  {name:<8}= {{{value}}}" for name, value in fields.items())
        return f"@misc{{rooflines{self.released.year},\n{lines}\n}}"

    @property
    def text(self) -> str:
        """One line for a list of references."""
        return f"{', '.join(self.authors)} ({self.released.year}). {self.title}. Version {self.version}. {self.url}"


def read(path: Path = FILE) -> Citation:
    """The citation in a CITATION.cff file."""
    said: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    authors = tuple(_author(person) for person in said["authors"])
    return Citation(said["title"], authors, str(said["version"]), said["date-released"], said["url"])


def fill(markdown: str) -> str:
    """A page with its `<!-- citation: bibtex -->` and the like replaced."""
    if "<!-- citation:" not in markdown:
        return markdown
    citation = read()
    for mark in _MARKS:
        markdown = markdown.replace(f"<!-- citation: {mark} -->", str(getattr(citation, mark)))
    return markdown


def _author(person: dict[str, str]) -> str:
    return person.get("name") or f"{person['family-names']}, {person['given-names']}"
