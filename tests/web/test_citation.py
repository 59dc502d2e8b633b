"""CITATION.cff is the one source of every citation."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from mkdocs.config import load_config

from web import citation
from web.cache import ROOT


def test_bibtex_says_what_the_file_says() -> None:
    said = citation.read()
    fields = dict(re.findall(r"^  (\w+)\s*= \{(.*)\},?$", said.bibtex, re.MULTILINE))
    assert fields["title"] == "{" + said.title + "}"
    assert fields["author"] == " and ".join("{" + author + "}" for author in said.authors)
    assert fields["year"] == str(said.released.year)
    assert (fields["version"], fields["url"]) == (said.version, said.url)


def test_pages_and_citation_name_one_repository() -> None:
    address = load_config(str(ROOT / "mkdocs.yml")).extra["repository"]
    assert f"\nrepository-code: {address}\n" in citation.FILE.read_text("utf-8")
    assert f"git clone {address} " in (ROOT / "README.md").read_text("utf-8")
    for page in ("docs/index.md", "docs/lectures/index.md", "web/api.html"):
        assert "](<!-- repository -->)" in (ROOT / page).read_text("utf-8"), page
    for page in (ROOT / "docs" / "reference").glob("*.md"):
        text = page.read_text("utf-8")
        assert "pip install" not in text or "](<!-- repository -->)" in text, page


def test_braces_of_bibtex_balance() -> None:
    entry = citation.read().bibtex
    assert entry.count("{") == entry.count("}")


def test_the_page_is_filled_in() -> None:
    page = citation.fill((ROOT / "docs/reference/cite.md").read_text("utf-8"))
    said = citation.read()
    assert said.bibtex in page
    assert said.text in page
    assert "<!-- citation:" not in page


def test_the_version_is_that_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert citation.read().version == project["version"]


def test_the_address_is_that_of_the_site() -> None:
    assert f"site_url: {citation.read().url}" in (ROOT / "mkdocs.yml").read_text("utf-8")


def test_people_are_named_family_name_first(tmp_path: Path) -> None:
    file = tmp_path / "CITATION.cff"
    file.write_text(
        "title: T\nauthors: [{family-names: Noether, given-names: Emmy}, {name: Others}]\n"
        "version: 1.0\ndate-released: 2026-01-02\nurl: https://example.org/\n"
    )
    assert citation.read(file).text == "Noether, Emmy, Others (2026). T. Version 1.0. https://example.org/"
