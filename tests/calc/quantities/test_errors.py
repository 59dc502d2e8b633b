"""A refusal is one sentence that names the argument, the value and what would be accepted."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.quantities import errors
from calc.quantities.errors import (
    CalcError,
    DoesNotFit,
    MissingFact,
    OutOfRange,
    ShapeMismatch,
    UnknownName,
    Unreadable,
    WrongType,
)

FAMILY = [OutOfRange, WrongType, ShapeMismatch, DoesNotFit, MissingFact, Unreadable, UnknownName]


@pytest.mark.parametrize("kind", FAMILY)
def test_every_refusal_is_of_one_family_and_a_value_error(kind):
    assert issubclass(kind, CalcError)
    assert issubclass(CalcError, ValueError)


def test_the_family_is_complete():
    members = [member for member in vars(errors).values() if isinstance(member, type) and issubclass(member, CalcError)]
    assert set(members) == {CalcError, *FAMILY}


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-1.5, "-1.5"), (None, "None"), ("8q", "“8q”"), ("", "“”"), ([1, 2], "[1, 2]"), (float("nan"), "nan")],
)
def test_a_refusal_names_argument_value_and_what_is_accepted(value, shown):
    refusal = DoesNotFit("batch", value, "at most 512 sequences")
    assert str(refusal) == f"batch must be at most 512 sequences; it was {shown}."
    assert (refusal.argument, refusal.accepted) == ("batch", "at most 512 sequences")
    assert refusal.value is value


def test_a_refusal_of_its_own_words_has_no_others():
    refusal = Unreadable("text", "{", "This JSON ends too early.")
    assert str(refusal) == refusal.accepted == "This JSON ends too early."
    assert (refusal.argument, refusal.value) == ("text", "{")


LONG = {
    "more digits than Python prints": 10**5000,
    "the same in a list": [10**5000],
    "text": "x" * 500,
    "list": list(range(500)),
    "lines": "two\nlines\tand tabs",
}


@pytest.mark.parametrize("value", LONG.values(), ids=LONG)
def test_a_long_value_is_cut_and_stays_on_one_line(value):
    sentence = str(CalcError("batch", value, "a number"))
    assert len(sentence) < 130
    assert "\n" not in sentence
    assert sentence.endswith(".")


def test_eighty_characters_are_shown_in_full_and_no_more():
    assert str(CalcError("batch", "x" * 78, "a number")) == f"batch must be a number; it was “{'x' * 78}”."
    assert str(CalcError("batch", "x" * 79, "a number")) == f"batch must be a number; it was “{'x' * 78}…."


class TestUnknownName:
    KNOWN = ("h100-sxm", "h200-sxm", "gb200-nvl72", "deepseek-v3", "llama-3-70b")

    @pytest.mark.parametrize(
        ("written", "meant"),
        [
            ("h100-sxn", "h100-sxm"),
            ("H100 SXM", "h100-sxm"),
            ("gb200_nvl72", "gb200-nvl72"),
            ("GB200", "gb200-nvl72"),
            ("DeepSeek V3", "deepseek-v3"),
            ("llama3-70b", "llama-3-70b"),
            (" deepseek--v3 ", "deepseek-v3"),
        ],
    )
    def test_suggests_what_was_meant(self, written, meant):
        refusal = UnknownName("model", written, self.KNOWN)
        assert refusal.nearest == meant
        assert f"(did you mean “{meant}”?); it was “{written}”." in str(refusal)

    @pytest.mark.parametrize("value", ["zzz", "", 3, None, ["h100-sxm"]])
    def test_suggests_nothing_where_nothing_is_near(self, value):
        refusal = UnknownName("model", value, self.KNOWN)
        assert refusal.nearest is None
        assert "did you mean" not in str(refusal)

    def test_lists_what_is_known_where_that_is_short(self):
        few = UnknownName("model", "x", self.KNOWN)
        assert str(few).startswith("model must be one of deepseek-v3, gb200-nvl72, h100-sxm, h200-sxm, llama-3-70b;")
        forty, more = ([f"name-{number}" for number in range(count)] for count in (40, 41))
        assert "name-39" in str(UnknownName("model", "x", forty))
        assert str(UnknownName("model", "x", more)) == "model must be one of 41 names; it was “x”."
        told = str(UnknownName("model", "x", more, "rooflines catalog models"))
        assert told == "model must be one of 41 names, which `rooflines catalog models` lists; it was “x”."

    @given(st.text(max_size=30), st.sets(st.text(max_size=12), max_size=5))
    def test_only_ever_suggests_a_known_name(self, value, known):
        refusal = UnknownName("model", value, known)
        assert refusal.nearest is None or refusal.nearest in known
        assert re.match(r"model must be .*; it was .*\.$", str(refusal), re.DOTALL)
