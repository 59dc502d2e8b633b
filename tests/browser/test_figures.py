"""Every figure of every lecture, live: each input is taken to both ends, and what is seen is what Python answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from calc.figure import registry
from calc.figure.answering import respond
from calc.figure.declared import Figure, Input, Number, Text
from tests.browser.reader import Reader
from tests.browser.site import ROOT, Site
from web.bundle.parity import outline

WALK = (Path(__file__).parent / "walk.js").read_text("utf-8")
FIGURES = [
    figure
    for figure in registry.every()
    if figure.chart and (ROOT / "lectures" / figure.name.partition("/")[0] / "index.md").exists()
]
TOLD = ("finding", "values", "notes")


@dataclass(frozen=True)
class Walk:
    """A figure as it was seen: as built, live at the defaults, and after each step."""

    figure: Figure
    built: dict[str, Any]
    live: dict[str, Any]
    steps: list[tuple[str, str, dict[str, Any]]]


def ends(given: Input) -> list[str]:
    """Both ends of a number; the first, a middle and the last option; texts have a test of their own."""
    if isinstance(given, Text):
        return []
    if isinstance(given, Number):
        return [repr(given.low), repr(given.high)]
    options = [*given.options]
    return list(dict.fromkeys([options[0], options[len(options) // 2], options[-1]]))


@pytest.fixture(scope="module")
def walk(site: Site, settled: Callable[[str], Reader]) -> Callable[[Figure], Walk]:
    """Walk a figure through its inputs, once."""
    done: dict[str, Walk] = {}

    def through(figure: Figure) -> Walk:
        if figure.name not in done:
            steps = [(given.name, end) for given in figure.inputs for end in ends(given)]
            shown = settled(site.page_of(figure.name)).figure(figure.name)
            shown.element.scroll_into_view_if_needed()
            seen = shown.element.evaluate(WALK, steps)
            pairs = zip(steps, seen["steps"], strict=True)
            done[figure.name] = Walk(figure, seen["built"], seen["live"], [(*step, state) for step, state in pairs])
        return done[figure.name]

    return through


def named(figure: Figure) -> str:
    """A test's name says which figure."""
    return figure.name


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_the_first_live_answer_is_what_was_built(walk, figure):
    seen = walk(figure)
    alike = outline if figure.measures_rounding else dict
    assert alike({key: seen.live[key] for key in seen.built}) == alike(seen.built)


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_both_ends_of_every_input_show_what_python_answers(walk, figure):
    for name, end, state in walk(figure).steps:
        answer = json.loads(respond(json.dumps({"figure": figure.name, "inputs": {name: end}})))
        if figure.measures_rounding:
            answer, state = outline(answer), {**state, **outline({key: state[key] for key in TOLD})}
        where = f"{name}={end}"
        assert state["stale"] == ("message" in answer), where
        if "message" in answer:
            assert {*answer["errors"].values()} or {answer["message"]} <= {*state["sentences"]}, where
        else:
            assert state["finding"] == answer["finding"], where
            assert state["values"] == [value["text"] for value in answer["values"].values()], where
            assert state["notes"] == answer["notes"], where
        assert not state["broken"], where


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_the_inputs_change_finding_numbers_drawing_and_table(walk, figure):
    seen = walk(figure)
    parts = ["finding", "values", "drawing", *(["table"] if figure.columns else [])]
    for part in parts:
        assert any(state[part] != seen.live[part] for _, _, state in seen.steps), part
