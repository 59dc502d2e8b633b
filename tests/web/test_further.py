"""Sections that a first reading may leave out say so in their headings."""

from __future__ import annotations

from web import further

PAGE = """<h1 id="t">Title</h1>
<h3 id="one">One<a class="headerlink" href="#one">#</a></h3>
<h3 class="further" id="two">Two &amp; more<a class="headerlink" href="#two">#</a></h3>"""


def test_the_word_stands_after_the_heading_and_before_its_link():
    shown = further.label(PAGE)
    assert f'Two &amp; more {further.LABEL}<a class="headerlink"' in shown
    assert shown.count(further.LABEL) == 1


def test_the_index_of_search_does_not_have_it():
    assert "data-search-exclude" in further.LABEL


def test_the_way_past_them_is_named_once_where_they_begin():
    text = "## Takeaway\na\n\n## Going further\n\n### Two { .further }\nb\n"
    assert further.lead(text).split("\n\n") == [
        "## Takeaway\na",
        "## Going further",
        further.LEAD,
        "### Two { .further }\nb\n",
    ]
    assert further.lead("no section") == "no section"


def test_a_page_without_such_sections_stays():
    assert further.label("<h3>One</h3>") == "<h3>One</h3>"


def test_a_further_section_ends_where_the_next_begins():
    text = "## It\n### One\na\n### Two { .further }\nb\n#### Part\nc\n### Three\nd\n### Four { .further }\ne\n## End\n"
    first, later = further.split(text)
    assert first == "## It\n### One\na\n### Three\nd\n## End\n"
    assert later == "### Two { .further }\nb\n#### Part\nc\n### Four { .further }\ne\n"
    assert further.split("no section") == ("no section", "")
