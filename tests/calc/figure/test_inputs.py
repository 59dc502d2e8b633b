"""The inputs of a figure: what they read and refuse."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.figure.inputs import Choice, InputError, Number, Text

CASES = json.loads((Path(__file__).parents[1] / "quantities" / "number_cases.json").read_text(encoding="utf-8"))
BATCH = Number(name="batch", label="Batch", default=8, low=1, high=1e6, unit="sequences", whole=True, log=True)
SHARE = Number(name="share", label="Share", default=0.5, low=0, high=1)
KIND = Choice(name="kind", label="Kind", default="a", options={"a": "First", "b": "Second"})


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii((case["text"], case.get("unit"))))
def test_an_input_reads_a_text_as_the_table_says_that_the_page_shares(case):
    given = Number(name="n", label="It", default=0, low=-1e30, high=1e30, unit=case.get("unit", ""))
    assert given.declaration().get("one") == case.get("one")
    if case["value"] is None:
        with pytest.raises(InputError, match=r"^It takes a number from"):
            given.read(case["text"])
    else:
        assert given.read(case["text"]) == case["value"]


@pytest.mark.parametrize(("raw", "value"), [(3, 3), ("3", 3), ("8k", 8000), ("200 000", 200_000), (np.float64(2), 2)])
def test_a_number_is_read_as_people_write_it(raw, value):
    assert BATCH.read(raw) == value


@pytest.mark.parametrize(
    "raw", [0, -1, 1.5, 1e300, math.inf, math.nan, "", "abc", "nan", "1e400", None, [], {}, 10**400]
)
def test_what_a_number_cannot_be_is_refused_with_the_accepted_range(raw):
    with pytest.raises(InputError, match=r"^Batch takes a whole number from 1 to 1,000,000 sequences\.$") as caught:
        BATCH.read(raw)
    assert caught.value.name == "batch"


@given(st.floats(min_value=0, max_value=1))
def test_both_bounds_and_everything_between_are_accepted(value):
    assert SHARE.read(value) == value


def test_a_choice_takes_its_options_only():
    assert KIND.read("b") == "b"
    with pytest.raises(InputError, match="Kind takes one of a, b"):
        KIND.read("c")


@pytest.mark.parametrize("raw", [["a"], {"a": 1}, None, 1])
def test_a_choice_refuses_what_is_not_text(raw):
    with pytest.raises(InputError):
        KIND.read(raw)


def test_declarations_say_which_inputs_are_the_scenario_and_what_one_is_called():
    assert BATCH.declaration()["scenario"] is True
    assert SHARE.declaration()["scenario"] is False
    assert BATCH.declaration()["one"] == "sequence"
    assert "one" not in SHARE.declaration()
    assert KIND.declaration()["options"] == [["a", "First"], ["b", "Second"]]


def test_a_text_is_taken_as_it_is_unless_it_is_empty_or_too_long():
    text = Text(name="own", label="Your model", default="a", most=3)
    assert text.read("abc") == "abc"
    for bad in ("", "abcd", 3, None):
        with pytest.raises(InputError, match="Your model takes a text of at most 3 characters"):
            text.read(bad)
