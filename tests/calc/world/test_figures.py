"""The pictures of the page against the world: every one answers, draws what it has, and is told to travel nowhere."""

from __future__ import annotations

import json

import pytest

from calc.figure import registry
from calc.world.figures import FIGURES
from calc.world.figures.batch import BATCHES

NAMES = [figure.name for figure in FIGURES]


@pytest.fixture(scope="module")
def answers():
    return {figure.name: figure.answer() for figure in FIGURES}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_found_by_name_and_answers_with_its_table(name, answers):
    figure, answer = registry.find(name), answers[name]
    assert set(figure.columns) <= set(answer.tables[figure.table])
    assert json.dumps(answer.as_json(), allow_nan=False)
    assert answer.description
    assert all(value.text != "unknown" for value in answer.values.values())


@pytest.mark.parametrize("name", NAMES)
def test_no_reader_is_asked_to_compute_it(name):
    assert not registry.travels(registry.find(name))
    assert name not in {figure.name for figure in registry.every()}


def test_no_point_is_below_the_bound(answers):
    runs = answers["world/bound"].tables["runs"]
    assert min(runs["ratio"]) > 1
    assert len(runs["ratio"]) == len(runs["in_flight"]) == answers["world/bound"].values["count"].number


def test_the_five_constants_miss_least(answers):
    ways = answers["world/gains"].tables["ways"]
    assert ways["median"][ways["way"].index("all five constants")] == min(ways["median"])


def test_one_deployment_lies_between_its_bound_and_its_band(answers):
    lines, values = answers["world/batch"].tables["lines"], answers["world/batch"].values
    assert len(lines["batch"]) == len(BATCHES)
    assert all(lines["bound"] < lines["low"])
    assert values["runs"].number > 20
    assert values["inside"].number > 0.7 * values["runs"].number


def test_company_makes_a_token_cheaper_on_the_machine_and_slower_for_its_reader(answers):
    values, runs = answers["world/company"].values, answers["world/company"].tables["runs"]
    measured = dict(zip(runs["id"], zip(runs["in_flight"], runs["seconds"], strict=True), strict=True))
    assert (values["readers"].number, values["among"].number) in measured.values()
    assert values["alone"].number == pytest.approx(values["times"].number * values["among"].number)
    assert values["among_step"].number > values["alone_step"].number
