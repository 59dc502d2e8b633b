"""A page's sections below its title, for screens that have no room for them beside the text."""

from __future__ import annotations

import pytest
from mkdocs.structure.toc import get_toc

from web import contents, reading_time
from web.cache import ROOT

TITLE = '<h1 id="t">Title</h1>'


def page_with(sections: int) -> str:
    below = [{"level": 2, "id": f"s{n}", "name": f"Section {n} &amp; more", "children": []} for n in range(sections)]
    toc = get_toc([{"level": 1, "id": "t", "name": "Title", "children": below}])
    return contents.on_this_page(f"{TITLE}<p>Text</p>", toc)


def test_many_sections_are_listed_between_title_and_text():
    page = page_with(contents.FEW)
    assert page.startswith(f"{TITLE}\n<details")
    assert page.endswith("</details><p>Text</p>")
    for n in range(contents.FEW):
        assert f'<a href="#s{n}">Section {n} &amp; more</a>' in page


def test_a_title_is_marked_where_a_question_follows():
    assert contents.asks(f'{TITLE}<h2 id="the-question">') == '<h1 data-asks id="t">Title</h1><h2 id="the-question">'
    assert contents.asks(f'{TITLE}<h2 id="questions">') == f'{TITLE}<h2 id="questions">'


def test_every_lecture_begins_with_a_question_as_the_list_of_them_says():
    assert all("\n## The question\n" in each.text for each in contents.LECTURES)
    assert "All begin with a question" in (ROOT / "docs" / "lectures" / "index.md").read_text("utf-8")


@pytest.mark.parametrize("sections", [0, contents.FEW - 1])
def test_few_sections_are_not(sections):
    assert page_with(sections) == f"{TITLE}<p>Text</p>"


def test_the_minutes_of_a_lecture_are_those_of_its_first_reading():
    taken = sorted(reading_time.first(each.text) for each in contents.LECTURES)
    assert contents.fill(f"of {contents.MINUTES} minutes", "") == f"of {taken[0]} to {taken[-1]} minutes"
    assert contents.fill("as it is", "") == "as it is"
