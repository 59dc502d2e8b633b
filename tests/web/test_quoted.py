"""Every number that a figure declares is read by somebody: on its page, in an exercise, on a card; or it is gone."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest

from calc.figure import registry
from tests.calc.figure.asking import standing

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("lectures/*/index.md"), *ROOT.glob("docs/**/*.md")]
FIGURES = {
    figure.name: figure
    for figure in (
        *registry.every(),
        *(figure for chapter in registry.OF_THE_BUILD for figure in registry.of_chapter(chapter).values()),
    )
}


def read() -> tuple[set[str], set[str]]:
    """The values that pages and cards quote, and the figures that pages draw, by their full names."""
    quoted, drawn = set(), set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        chapter = (re.findall(r"^chapter: (\w+)$", text, re.M) or [""])[0]
        fences = re.findall(r"^ *```(figure|answer)\n(.*?)^ *```$", text, re.S | re.M)
        asked = [line.split("|")[0] for kind, body in fences if kind == "answer" for line in body.splitlines()]
        shown = [body.splitlines()[0] for kind, body in fences if kind == "figure"]
        for names, found in ((re.findall(r"`#!value ([^`]+)`", text) + asked, quoted), (shown, drawn)):
            found |= {name.strip() if "/" in name else f"{chapter}/{name.strip()}" for name in names}
    for cards in ROOT.glob("lectures/*/flashcards.toml"):
        quoted |= set(re.findall(r"\{([^}]+)\}", cards.read_text(encoding="utf-8")))
    return quoted, drawn


QUOTED, DRAWN = read()
BY_FIGURE = defaultdict(set)
for _name in QUOTED:
    BY_FIGURE[_name.rpartition(".")[0]].add(_name.rpartition(".")[2])


@pytest.mark.parametrize("name", FIGURES)
def test_every_declared_value_is_read(name):
    """A drawing lists its values beside it; a figure without one is there for what is quoted."""
    if name not in DRAWN:
        assert set(standing(name).values) - BY_FIGURE[name] == set()


def test_a_figure_with_a_chart_is_drawn():
    assert {name for name, figure in FIGURES.items() if figure.chart} - DRAWN == set()


def test_a_drawing_that_a_reader_cannot_change_is_not_declared_to_the_script():
    still = [FIGURES[name] for name in DRAWN if name in FIGURES and not FIGURES[name].inputs]
    assert [figure.name for figure in still if registry.travels(figure)] == []
