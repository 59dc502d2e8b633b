"""Every fact of the catalogue is on a page, with its unit, its sources and its date."""

from __future__ import annotations

import html

import pytest
import yaml

from calc import catalog
from web import catalogue_pages

PAGES = catalogue_pages.markdown()


def page_of(table: str) -> str:
    return PAGES[f"reference/catalogue/{table.replace('_', '-')}.md"]


@pytest.mark.parametrize("table", list(catalog.KINDS))
def test_every_dated_row_is_shown_with_its_facts_sources_and_date(table: str) -> None:
    shown = page_of(table)
    for record in catalog.history(catalog.KINDS[table], table):
        start = shown.index(f"<code>{record.id}</code>")
        assert record.dated[1:] in shown[start:]
        assert record.sources
        for source in record.sources:
            assert html.escape(source.title, quote=False).replace("'", "&#39;") in shown
            assert not source.url or f'href="{html.escape(source.url)}"' in shown
        for fact in record.facts().values():
            assert f"<dd>{html.escape(catalogue_pages.shown(fact))}</dd>" in shown


@pytest.mark.parametrize("table", list(catalog.KINDS))
def test_a_page_is_titled_and_described(table: str) -> None:
    meta = yaml.safe_load(page_of(table).split("---")[1])
    assert f"# {meta['title']}\n\n{html.escape(meta['description'], quote=False)}" in page_of(table).replace(
        "&#39;", "'"
    )


@pytest.mark.parametrize("table", list(catalog.KINDS))
def test_every_row_in_force_has_a_heading_that_links_can_name(table: str) -> None:
    shown = page_of(table)
    for name in catalog.in_force(catalog.KINDS[table], table):
        assert shown.count(f"{{ #{catalogue_pages.slug(name)} }}") == 1


def test_a_superseded_row_stays_and_says_so() -> None:
    older = min(catalog.history(catalog.Chip, "chips", "rubin"), key=lambda row: row.since)
    assert f"{older.dated[1:]}, since superseded" in page_of("chips")


def test_what_the_maker_never_said_is_called_a_rumour() -> None:
    rumours = [model for model in catalog.models().values() if model.standing == "rumour"]
    assert rumours
    assert page_of("models").count('data-standing="rumour"') >= len(rumours)


def test_a_format_is_shown_where_a_source_names_it() -> None:
    assert catalogue_pages.words(catalog.model("mistral-large-3")) == ["Mistral AI", "fp8"]
    assert catalogue_pages.words(catalog.model("gpt-4-rumour")) == ["OpenAI"]


def test_every_source_is_listed_with_its_standing() -> None:
    listed = PAGES["reference/catalogue/sources.md"]
    for source in catalog.sources().values():
        assert f'<li id="{catalogue_pages.slug(source.id)}">' in listed
    assert listed.count("data-standing=") == len(catalog.sources())


def test_the_navigation_names_every_page() -> None:
    assert sorted(catalogue_pages.nav()) == sorted(PAGES)
