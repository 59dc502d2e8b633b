"""Every title, number and reason that the site shows at first, beside those that were last looked at.

Other tests hold formulas to what is known of them; this one tells what a change does to the pages, down to the last
number that no other test names. After a change that is meant, write all anew and read the difference:
`python -m tests.web.test_answers`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from calc.figure import registry
from calc.figure.declared import Figure
from calc.ledger import claims
from tests.calc.figure.asking import standing
from web.bundle.parity import outline

FOLDER = Path(__file__).parent / "golden" / "answers"
CHAPTERS = (*registry.LECTURES, *registry.OF_THE_BUILD, *registry.APART)
LEDGER = "ledger"
MOST = 30  # lines of a difference that a reader of the failure wants


def shown(figure: Figure) -> Iterator[str]:
    """A figure's title, its notes and its numbers, as they stand.

    One that measures rounding has other numbers on another processor: it has its title alone, without them.
    """
    answer = standing(figure.name)
    yield f"{figure.name}: {outline(answer.finding) if figure.measures_rounding else answer.finding}"
    if not figure.measures_rounding:
        yield from (f"  - {note}" for note in answer.notes)
        yield from (f"  {name}: {value.label} | {value.text}" for name, value in answer.values.items())


def lines(name: str) -> list[str]:
    """All that is recorded of a chapter, or of the ledger."""
    if name == LEDGER:
        every = claims.claims().values()
        return [f"{it.id}: {it.verdict} | {it.told} | {it.told_otherwise} | {it.reason}" for it in every]
    return [line for figure in registry.of_chapter(name).values() for line in shown(figure)]


@pytest.mark.parametrize("name", [*CHAPTERS, LEDGER])
def test_what_is_shown_is_what_was_last_looked_at(name):
    before = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    pairs = zip_longest(before, lines(name), fillvalue="nothing")
    changed = [f"was {was}\nis  {now}" for was, now in pairs if was != now]
    assert not changed, "\n".join(changed[:MOST])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for chapter in (*CHAPTERS, LEDGER):
        (FOLDER / f"{chapter}.txt").write_text("\n".join(lines(chapter)) + "\n", "utf-8")
