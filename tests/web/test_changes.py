"""The changes are those that the catalogue's dated rows state, with the answers computed on both sides."""

from __future__ import annotations

import datetime as dt

from calc import catalog
from calc.catalog.hardware import Chip
from web import changes


def test_every_superseded_row_is_told_of_newest_first():
    told = changes.changes()
    rows = sum(len(catalog.history(kind, name)) for name, kind in catalog.KINDS.items())
    things = sum(len(catalog.in_force(kind, name)) for name, kind in catalog.KINDS.items())
    assert len(told) == rows - things > 10
    assert [change.on for change in told] == sorted((change.on for change in told), reverse=True)


def test_a_change_names_the_fact_and_the_answer_that_moved():
    (rubin,) = [change for change in changes.changes() if change.after.id == "rubin"]
    before, after = catalog.history(Chip, "chips", "rubin")
    assert ("HBM bandwidth", "13\u00a0TB/s", "22\u00a0TB/s") in list(rubin.facts())
    drained = {words: (was, now) for words, was, now in rubin.answers()}["Drain time (lecture 1)"]
    assert drained == ("22.2 ms", "13.1 ms")
    assert before.since < after.since == rubin.on


def test_what_stayed_is_not_told():
    for change in changes.changes():
        assert all(was != now for _, was, now in (*change.facts(), *change.answers()))


def test_prices_went_both_ways_and_mostly_down():
    """DeepSeek's of August 2026 rose in all three, GPT-5.6's fell; a new mode or an end of long prices is neither."""
    found = changes.ways()
    assert found["fell"] > found["rose"] > 0
    assert found["fell"] + found["rose"] < found["all"]
    assert f"Of {found['all']} changes of prices {found['fell']} lowered" in changes.fill(changes.MARK)


def test_the_page_has_a_section_for_each_change_that_leads_to_its_rows():
    page = changes.fill(f"# A\n\n{changes.MARK}\n")
    assert page.count("\n## ") == len(changes.changes())
    assert "(catalogue/chips.md#rubin)" in page
    assert changes.MARK not in page
    assert isinstance(changes.changes()[0].on, dt.date)


def test_a_fact_on_which_other_answers_depend_is_not_said_to_move_none():
    """Lecture 5 rests on Chinchilla's fit; the page follows other answers alone, and says so."""
    (fit,) = [change for change in changes.changes() if change.after.id == "chinchilla"]
    assert not list(fit.answers())
    page = changes.fill(changes.MARK)
    assert "None of the answers that this page follows moved" in page
    assert "No answer of the lectures" not in page
