"""The bibliography gathers the lectures' notes, each work once."""

from __future__ import annotations

import pytest

from web import bibliography


@pytest.fixture
def lectures(tmp_path):
    """Two lectures that cite a work in common."""
    notes = {
        "batching": "Text.[^b]\n\n[^b]: B. Author, *W*, 2020. [x](https://x.org/b)\n[^n]: A remark.\n",
        "moe": "[^z]: The same, told anew. [x.org](https://x.org/b/)\n[^a]: A. Author, *First*. [y](https://y.org/)\n",
    }
    for chapter, text in notes.items():
        (tmp_path / "lectures" / chapter).mkdir(parents=True)
        (tmp_path / "lectures" / chapter / "index.md").write_text(text, encoding="utf-8")
    return tmp_path


def test_each_work_stands_once_with_the_lectures_that_cite_it(lectures):
    works = bibliography.works(lectures)
    assert [(work.text[:9], work.cited_in) for work in works] == [("A. Author", [2]), ("B. Author", [1, 2])]


def test_a_number_in_a_note_is_that_of_its_lecture(lectures):
    page = lectures / "lectures" / "moe" / "index.md"
    page.write_text("[^a]: `#!value s.k`, `#!value moe/s.k`. [x](https://x.org)", encoding="utf-8")
    assert any(work.text.startswith("`#!value moe/s.k`, `#!value moe/s.k`") for work in bibliography.works(lectures))


def test_what_a_note_says_of_its_own_lecture_stays_there(lectures):
    page = lectures / "lectures" / "moe" / "index.md"
    page.write_text("[^a]: A, *T*, 2026. [x](https://x.org/t). This lecture covers 0:01 to 0:02.\n", encoding="utf-8")
    assert "A, *T*, 2026. [x](https://x.org/t)." in [work.text for work in bibliography.works(lectures)]
    assert "This lecture covers" not in bibliography.fill(bibliography.MARK)


def test_every_lecture_of_the_course_that_is_written_cites_something():
    cited = {number for work in bibliography.works() for number in work.cited_in}
    written = {number for number, lecture in enumerate(bibliography.LECTURES, 1) if lecture.written}
    assert cited == written


def test_the_page_links_works_and_lectures():
    page = bibliography.fill(bibliography.MARK)
    assert "(../lectures/batching/index.md)" in page
    assert page.count("\n- ") == len(bibliography.works()) - 1
