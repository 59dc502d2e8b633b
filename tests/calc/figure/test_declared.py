"""The contract between figures and pages."""

from __future__ import annotations

import json
import math
from functools import partial

import numpy as np
import pytest

from calc.figure import registry
from calc.figure.answering import respond
from calc.figure.declared import Answer, Figure, Steady, Value
from calc.figure.inputs import Number
from calc.quantities.errors import OutOfRange

BATCH = Number(name="batch", label="Batch", default=8, low=1, high=1e6)
SHARE = Number(name="share", label="Share", default=0.5, low=0, high=1)


def ask(**inputs):
    return json.loads(respond(json.dumps({"figure": "batching/step-time", "inputs": inputs})))


def test_an_answer_is_plain_json_and_what_is_not_finite_is_null():
    answer = Answer(
        finding="Found",
        tables={"t": {"x": np.array([1.0, np.inf]), "n": [np.int32(1), math.nan], "s": ["a", "b"]}},
        values={"v": Value(math.inf, "sequences", "Batch")},
    ).as_json()
    assert answer["tables"] == {"t": {"x": [1.0, None], "n": [1, None], "s": ["a", "b"]}}
    assert answer["values"]["v"] == {"label": "Batch", "text": "unlimited", "number": None, "unit": "sequences"}
    json.dumps(answer, allow_nan=False)


def test_a_steady_table_is_sent_to_a_page_that_lacks_it_and_named_to_all():
    answer = Answer(finding="Found", tables={"t": Steady("by year", {"x": [1]}), "u": {"x": [2]}})
    whole = {"t": {"x": [1]}, "u": {"x": [2]}}
    assert answer.as_json()["tables"] == answer.as_json({"t": ["by model"], "u": ["by year"]})["tables"] == whole
    assert answer.as_json({"t": ["by model", "by year"]})["tables"] == {"u": {"x": [2]}}
    assert answer.as_json()["steady"] == answer.as_json({"t": ["by year"]})["steady"] == {"t": "by year"}


def test_an_endless_value_says_in_its_own_words_what_that_means():
    assert Value(math.inf, "sequences", endless="no batch balances").text == "no batch balances"
    assert Value(math.nan, endless="no batch balances").text == "unknown"
    assert Value(1, "sequences", endless="no batch balances").text == "1 sequence"


def test_what_is_not_given_takes_its_default():
    assert ask() == ask(batch=2048)


def test_a_bad_input_comes_back_as_a_sentence_for_its_field():
    reply = ask(batch=0)
    assert reply["errors"] == {"batch": "Batch takes a whole number from 1 to 1,000,000 sequences."}
    assert "tables" not in reply


def test_an_unknown_input_is_named():
    assert "btch" in ask(btch=1)["errors"]


def test_an_unknown_figure_is_an_error_of_the_page_not_of_the_reader():
    with pytest.raises(ValueError, match="did you mean"):
        respond('{"figure": "batching/step-tme"}')


def test_a_long_answer_comes_in_parts_that_are_counted_and_then_at_once(monkeypatch):
    kept = []
    long = Figure(
        name="batching/long",
        inputs=(Number(name="parts", label="Parts", default=3, low=0, high=9),),
        compute=lambda *, parts: Answer(finding=f"{len(kept)} of {parts:g}"),
        parts=lambda *, parts: [partial(kept.append, at) for at in range(int(parts))],
        counted="pieces",
    )
    monkeypatch.setattr(registry, "find", lambda name: long)

    def reply(**asked):
        return json.loads(respond(json.dumps({"figure": long.name, "inputs": {"parts": "2"}} | asked)))

    assert reply(part=0) == {"figure": long.name, "done": 1, "of": 2, "counted": "pieces"}
    assert reply(part=1)["done"] == 2
    assert reply(part=2)["finding"] == "2 of 2"
    assert kept == [0, 1]
    assert reply()["finding"] == "2 of 2"
    assert reply(part=0, inputs={"parts": "0"})["finding"] == "2 of 0"
    assert reply(part=0, inputs={"parts": "10"})["errors"] == {"parts": "Parts takes a number from 0 to 9."}


def test_a_refusal_by_the_mathematics_stands_beside_the_field_that_it_names(monkeypatch):
    def compute(batch, share):
        raise OutOfRange("share" if batch == 1 else "width", 0, "above 0")

    figure = Figure(name="batching/x", inputs=(BATCH, SHARE), compute=compute)
    monkeypatch.setattr(registry, "find", lambda name: figure)
    assert ask(batch=1)["errors"] == {"share": "Share must be above 0; it was 0."}
    assert ask(batch=2)["errors"] == {}
    assert ask(batch=2)["message"] == "Width must be above 0; it was 0."
