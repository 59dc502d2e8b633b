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
from calc.figure.declared import Figure
from calc.figure.inputs import Input, Number, Text
from tests.browser.reader import Reader
from tests.browser.site import ROOT, Site
from web.bundle.parity import outline

WALK = (Path(__file__).parent / "walk.js").read_text("utf-8")
FIGURES = [
    figure
    for figure in registry.every()
    if figure.chart and (ROOT / "lectures" / figure.name.partition("/")[0] / "index.md").exists()
]
Step = tuple[str, str]  # an input, and the text that is put into it
TOLD = ("finding", "labels", "values", "notes")


@dataclass(frozen=True)
class Walk:
    """A figure as it was seen: as built, live at the defaults, and after each step."""

    built: dict[str, Any]
    live: dict[str, Any]
    steps: dict[Step, dict[str, Any]]


def ends(given: Input) -> list[str]:
    """Both ends of a number; the first, a middle and the last option; texts have a test of their own."""
    if isinstance(given, Text):
        return []
    if isinstance(given, Number):
        return [repr(given.low), repr(given.high)]
    options = [*given.options]
    return list(dict.fromkeys([options[0], options[len(options) // 2], options[-1]]))


def rounds(figures: list[Figure]) -> list[dict[str, Step]]:
    """Every input of every figure at each of its ends, the others at their defaults: for each round, who takes which.

    An input that several figures take is set once for all; inputs that no figure takes together move side by side.
    """
    takers: dict[str, set[str]] = {}
    steps: dict[Step, list[str]] = {}
    for figure in figures:
        for given in figure.inputs:
            takers.setdefault(given.name, set()).add(figure.name)
            for end in ends(given):
                steps.setdefault((given.name, end), []).append(figure.name)
    found: list[set[Step]] = []
    for step in steps:
        free = [each for each in found if not any(takers[step[0]] & takers[name] for name, _ in each)]
        if free:
            free[0].add(step)
        else:
            found.append({step})
    return [{name: step for step in each for name in steps[step]} for each in found]


def walk_all(reader: Reader, figures: list[Figure]) -> dict[str, Walk]:
    """Walk the figures of a live page through all rounds."""
    taken = rounds(figures)
    asked = [[(name, *step) for name, step in each.items()] for each in taken]
    seen = reader.page.evaluate(WALK, [[figure.name for figure in figures], asked])
    walks = {figure.name: Walk(seen["built"][figure.name], seen["live"][figure.name], {}) for figure in figures}
    for each, states in zip(taken, seen["rounds"], strict=True):
        for name, step in each.items():
            walks[name].steps[step] = states[name]
    return walks


@pytest.fixture(scope="module")
def walk(site: Site, settled: Callable[[str], Reader]) -> Callable[[Figure], Walk]:
    """A figure's walk, which all figures of its page take together."""
    pages = {figure.name: site.page_of(figure.name) for figure in FIGURES}
    done: dict[str, Walk] = {}

    def walked(figure: Figure) -> Walk:
        if figure.name not in done:
            page = pages[figure.name]
            done.update(walk_all(settled(page), [each for each in FIGURES if pages[each.name] == page]))
        return done[figure.name]

    return walked


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
    assert len(walk(figure).steps) == sum(len(ends(given)) for given in figure.inputs)
    for (name, end), state in walk(figure).steps.items():
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
            assert state["labels"] == [value["label"] for value in answer["values"].values()], where
            assert state["notes"] == answer["notes"], where
        assert not state["broken"], where


@pytest.mark.parametrize("figure", FIGURES, ids=named)
def test_the_inputs_change_finding_numbers_drawing_and_table(walk, figure):
    seen = walk(figure)
    parts = ["finding", "values", "drawing", *(["table"] if figure.columns else [])]
    for part in parts:
        assert any(state[part] != seen.live[part] for state in seen.steps.values()), part
