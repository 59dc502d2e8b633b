"""Sensitivity: inputs are moved one at a time, within what they take, and bars say how far."""

from __future__ import annotations

import json

import pytest

from calc.figure import answering, registry
from calc.figure.inputs import Text
from calc.figure.sensitivity import Bar, matters, ways
from calc.quantities.errors import CalcError

FIGURES = [figure for figure in registry.every() if figure.inputs]
STEP = registry.find("batching/step-time")


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_every_way_is_one_that_the_input_takes(figure):
    given = {each.name: each for each in figure.inputs}
    moved = ways(figure)
    for way in moved:
        assert given[way.input].read(way.value) == way.value != given[way.input].default
        assert way.said
    assert {way.input for way in moved} == {name for name, each in given.items() if not isinstance(each, Text)}


def test_a_number_goes_a_fifth_either_way_and_no_further_than_it_may():
    moved = {
        name: [way.value for way in ways(STEP, **inputs) if way.input == "batch"]
        for name, inputs in {
            "middle": {"batch": 100},
            "least": {"batch": 1},
            "most": {"batch": 1e6},
        }.items()
    }
    assert moved == {"middle": [80, 120], "least": [2], "most": [8e5]}


def test_the_bar_of_a_rent_is_the_fifth_itself():
    bars = {bar.label: bar for bar in matters(registry.find("serving/sheet"), "output")}
    rent = bars["Rent"]
    assert float(rent.most.number) / float(rent.least.number) == pytest.approx(1.2 / 0.8)
    assert (rent.at_least, rent.at_most) == ("3.632 $/chip-hour", "5.448 $/chip-hour")


def test_the_longest_bar_is_the_first_and_each_contains_what_is():
    bars = matters(STEP, "step", batch=64)
    here = float(STEP.answer(batch=64).values["step"].number)
    spans = [bar.span for bar in bars]
    assert spans == sorted(spans, reverse=True)
    assert all(isinstance(bar, Bar) and float(bar.least.number) <= here <= float(bar.most.number) for bar in bars)


def test_an_unknown_number_is_refused():
    with pytest.raises(CalcError, match="step"):
        matters(STEP, "stepp")


def test_a_page_is_told_every_way():
    reply = json.loads(answering.respond(json.dumps({"figure": STEP.name, "inputs": {"batch": "100"}, "ways": True})))
    batch = [(way["value"], way["said"]) for way in reply["ways"] if way["input"] == "batch"]
    assert batch == [(80, "80 sequences"), (120, "120 sequences")]
    refused = json.loads(answering.respond(json.dumps({"figure": STEP.name, "inputs": {"batch": "0"}, "ways": True})))
    assert "batch" in refused["errors"]
