"""The live figures against the world: the reader's setting among the runs, and a run named by its number."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry
from calc.figure.inputs import Number
from calc.measured.nearest import distances
from calc.measured.runs import runs
from calc.quantities.errors import OutOfRange
from calc.setting import Setting
from calc.step.forecasting import forecast

NAMES = ("measured/bound", "measured/residuals", "measured/batch")
LLAMA = {"model": "llama-3-70b", "system": "hgx-h200", "context": 1500, "batch": 64, "chips": 8, "prompts": "here"}


@pytest.mark.parametrize("name", NAMES)
def test_it_travels_apart_and_names_a_run_where_one_points(name):
    figure = registry.find(name)
    assert name in {each.name for each in registry.every()}
    assert registry.travels(figure)
    assert figure.pointed in {given.name for given in figure.inputs}
    assert figure.pointed in figure.answer().tables["runs"]


@pytest.mark.parametrize("name", NAMES)
def test_the_run_of_a_number_is_ringed_and_named(name):
    place = 1000
    answer = registry.find(name).answer(run=place + 1)
    assert answer.notes[0].startswith(f"Run {place + 1:,}, {runs().id[place]}: ")
    y = {"measured/bound": runs().over_bound, "measured/batch": runs().measured}
    if name in y:
        assert (answer.tables["picked"]["x"], answer.tables["picked"]["y"]) == (
            [runs().in_flight[place]],
            [y[name][place]],
        )
    else:
        assert answer.tables["picked"]["x"] == [runs().over_forecast[place]]


def test_no_run_is_below_the_bound_and_the_reader_s_own_is_not_either():
    answer = registry.find("measured/bound").answer()
    assert min(answer.tables["runs"]["ratio"]) > 1
    assert len(answer.tables["runs"]["ratio"]) == len(runs().id)
    assert answer.tables["here"]["ratio"][0] > 1


def test_colours_change_the_groups_and_no_place():
    figure = registry.find("measured/bound")
    one, other = figure.answer(by="chips").tables, figure.answer(by="engine").tables
    assert one["runs"]["ratio"] is other["runs"]["ratio"] or np.array_equal(
        one["runs"]["ratio"], other["runs"]["ratio"]
    )
    assert set(other["runs"]["group"]) == {"TensorRT-LLM", "SGLang", "vLLM"}


@pytest.mark.parametrize("name", ["measured/bound", "measured/residuals"])
def test_an_edit_sends_no_run_again_unless_their_groups_change(name):
    figure = registry.find(name)
    first = figure.answer()
    other = figure.answer(**{given.name: given.high for given in figure.inputs if isinstance(given, Number)})
    again = figure.answer(by="year")
    assert first.tables["runs"] is other.tables["runs"]
    known = {"runs": [first.as_json()["steady"]["runs"]]}
    assert "runs" not in other.as_json(known)["tables"]
    assert len(again.as_json(known)["tables"]["runs"]["run"]) == len(runs().id)


def test_the_curve_is_the_forecast_of_the_reader_s_setting():
    answer = registry.find("measured/batch").answer(**LLAMA)
    setting = Setting.published("llama-3-70b", "hgx-h200", "fp8", chips=8)
    by_hand = forecast(setting, 64, 1500, prompt=1000, output=1000)
    assert answer.values["expected"].number == pytest.approx(float(by_hand.seconds))
    lines = answer.tables["lines"]
    assert np.all(lines["bound"] < lines["low"])
    assert np.all(lines["low"] < lines["forecast"])
    assert np.all(lines["forecast"] < lines["high"])


def test_the_nearest_runs_are_of_the_model_the_system_and_the_chips_that_were_asked_for():
    answer = registry.find("measured/batch").answer(**LLAMA)
    found = runs()
    places = [run - 1 for run in answer.tables["runs"]["run"]]
    assert {found.model[at] for at in places} == {"llama-3-70b"}
    assert found.system[places[0]] == "hgx-h200"
    assert found.chips[places[0]] == 8
    assert answer.values["inside"].number >= answer.values["runs"].number / 2


def test_a_model_without_runs_stands_alone_and_says_so():
    answer = registry.find("measured/batch").answer(model="llama-3-405b")
    assert answer.tables["runs"]["run"] == []
    assert any("is on record: the curve stands alone" in note for note in answer.notes)
    assert "Dots" not in answer.description


def test_rows_of_residuals_keep_apart():
    answer = registry.find("measured/residuals").answer(by="engine")
    rows = 3 * np.array(answer.tables["runs"]["row"]) - 0.5
    assert np.all(np.abs(rows - np.round(rows)) < 0.4)
    assert answer.values["inside"].number == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_an_answer_is_light_enough_to_travel_at_every_edit(name):
    assert len(json.dumps(registry.find(name).answer().as_json())) < 100_000


def test_a_model_without_runs_has_no_run_ringed_among_the_others():
    answer = registry.find("measured/bound").answer(model="llama-3-405b")
    assert answer.tables["picked"]["x"] == []
    assert "picked" not in answer.values
    assert answer.notes[0] == "No run of Llama 3.1 405B is on record."


@pytest.mark.parametrize("name", ["measured/bound", "measured/batch"])
def test_a_setting_without_room_says_so(name):
    no_room = registry.find(name).answer(model="llama-3-405b", system="hgx-a100", precision="bf16").notes
    assert any("exceed the 85.9 GB of a chip" in note for note in no_room)
    assert not any("exceed" in note or "leave" in note for note in registry.find(name).answer(batch=64).notes)


def test_chips_beyond_the_experts_are_not_said_to_serve():
    answer = registry.find("measured/batch").answer(model="mixtral-8x7b", system="hgx-h100", chips=16)
    assert answer.finding.startswith("Mixtral 8x7B on 8 × H100, ")
    assert "An expert lies whole on a chip: of 16 chips 8 are used." in answer.notes
    assert any(
        "of 72 chips 8 are used" in note for note in registry.find("measured/bound").answer(model="mixtral-8x7b").notes
    )


def test_chips_beyond_a_domain_are_refused_without_a_way_out_and_warned_of_with_one():
    figure = registry.find("measured/batch")
    with pytest.raises(
        OutOfRange, match=r"^chips must be at most 4,096, as no link out of the domain is known"
    ) as refused:
        figure.answer(model="llama-3-8b", system="tpu-v4-pod", chips=5000)
    assert refused.value.argument == "chips"
    untested = [figure.answer(system="hgx-h100", chips=chips).notes for chips in (8, 16)]
    assert [any("over several domains" in note for note in notes) for notes in untested] == [False, True]
    found = runs()
    wide = found.chips > [catalog.system(name).chips for name in found.system]
    assert 0 < wide.sum() < 10
    assert np.all(found.over_forecast[wide] > catalog.forecast_fit("decode").high_80)


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"system": "hgx-h100", "chips": 8, "precision": "fp4"}, ""),
        ({"model": "qwen3-32b", "system": "hgx-h200"}, "No run of Qwen3-32B on H200 is on record: "),
        ({"system": "rubin-nvl72"}, "No run of DeepSeek-V3 on Rubin is on record: "),
    ],
)
def test_runs_on_other_chips_are_told_of_where_all_are(inputs, said):
    answer = registry.find("measured/batch").answer(**inputs)
    notes = [note for note in answer.notes if note.startswith("No run of ")]
    assert [said + "those drawn are on other chips."] * bool(said) == notes
    drawn = {runs().system[run - 1] for run in answer.tables["runs"]["run"]}
    assert (inputs["system"] in drawn) is not bool(said)


def test_a_run_on_the_same_system_need_not_be_the_nearest_and_the_figure_says_how_near_is_meant():
    like = {"model": "deepseek-v3", "precision": "fp8", "context": 1380, "mode": "disagg"}
    there = runs().are("model", "deepseek-v3") & (runs().context.round(-1) == 1380)
    first = there & runs().are("precision", "fp8") & runs().are("mode", "disagg") & (runs().chips == 8)
    apart = distances(runs(), system="tpu-v7-pod", chips=8, **like)
    twice = distances(runs(), system="tpu-v7-pod", chips=16, **like)
    assert apart[first] == pytest.approx(2, abs=0.01)
    assert twice[first] == pytest.approx(3, abs=0.01)
    told = registry.find("measured/batch").assumptions[0]
    assert "another format counts as one, prompts read otherwise as one, another system as two" in told


def test_one_sequence_is_singular():
    assert " 1 sequence: " in registry.find("measured/batch").answer(batch=1).finding


def test_the_title_of_residuals_says_what_its_rows_say_and_its_help_which_run_is_ringed():
    figure = registry.find("measured/residuals")
    assert "from 0.997 (not recorded)" in figure.answer(by="year").finding
    assert "0 is the farthest off." in {given.name: given.help for given in figure.inputs}["run"]


def test_the_preset_of_a_small_model_names_the_chips_that_it_shows():
    page = (Path(__file__).parents[3] / "docs/reference/world.md").read_text(encoding="utf-8")
    said, inputs = re.search(r"^try: (a small model on .*|one chip .*) \| (.*)$", page, re.MULTILINE).groups()
    given = dict(each.split("=") for each in inputs.split(", "))
    assert Setting.published(given["model"], given["system"], "fp8").layout.chips == 8
    assert said.endswith("on eight chips")


LONG = {"model": "llama-3-8b", "system": "mi325x-8", "precision": "bf16", "batch": 8, "context": 100e6}


def test_no_time_below_the_bound_is_expected():
    """With long contexts the low edge of the band would lie there."""
    found = registry.find("measured/batch").answer(**LONG, chips=72)
    assert found.values["low"].number == found.values["bound"].number < found.values["expected"].number
    assert np.all(found.tables["lines"]["low"] >= found.tables["lines"]["bound"])
    assert registry.find("measured/bound").answer(**LONG).tables["span"]["low"] == [1]
    step = registry.find("batching/step-time").answer(**LONG).values
    assert step["forecast_low"].number == step["laid_out"].number < step["forecast"].number
