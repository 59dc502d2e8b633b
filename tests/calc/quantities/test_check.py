"""A checked function sees only what its annotations accept; everything else is refused with a sentence."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.quantities.check import (
    AtLeastOne,
    Count,
    Finite,
    NonNegative,
    Positive,
    PositiveShare,
    Quantity,
    Range,
    Share,
    Whole,
    checked,
    number,
    single,
)
from calc.quantities.errors import CalcError, OutOfRange, ShapeMismatch, WrongType

ANY, POSITIVE, SHARE, COUNT = Range(), Range(0, open_low=True), Range(0, 1), Range(1, whole=True)
REAL = st.floats(allow_nan=False, allow_infinity=False)


@checked
def read_seconds(weight_bytes: Positive, bandwidth: Positive, overlap: Share = 0.0) -> Quantity:
    """Seconds to read."""
    return weight_bytes / bandwidth * (1 - overlap)


@dataclass(frozen=True)
class Parts:
    """A result that is no number."""

    compute: Quantity


class TestNumber:
    @pytest.mark.parametrize("value", [8, 8.0, np.int64(8), np.float32(8), np.uint8(8), np.array(8)])
    def test_every_kind_of_number_becomes_a_float(self, value):
        assert number("batch", value, POSITIVE) == 8.0
        assert type(number("batch", value, POSITIVE)) is float

    @pytest.mark.parametrize("value", [[1, 2], (1, 2), np.array([1, 2]), np.array([1, 2], dtype=np.uint8), range(1, 3)])
    def test_every_kind_of_sequence_becomes_an_array_of_floats(self, value):
        array = number("batch", value, POSITIVE)
        assert array.dtype == np.float64
        assert array.tolist() == [1.0, 2.0]

    @pytest.mark.parametrize(
        "value",
        [
            None,
            "8",
            "",
            b"8",
            True,
            np.True_,
            1j,
            np.complex128(1),
            [1, None],
            ["8"],
            [True, False],
            {"batch": 8},
            {8},
            object(),
            Decimal(8),
            Fraction(1, 8),
            dt.date(2026, 1, 1),
            np.array(["a"]),
            np.array([1j]),
            np.array(["2026-01-01"], dtype="datetime64[D]"),
            math.sqrt,
            (value for value in (1, 2)),
        ],
        ids=lambda value: type(value).__name__,
    )
    def test_what_is_no_number_is_refused(self, value):
        with pytest.raises(WrongType, match=r"^batch must be a finite number above 0, or an array of such numbers; it"):
            number("batch", value, POSITIVE)

    @pytest.mark.parametrize("value", [0, -1, -0.0, math.nan, math.inf, -math.inf, np.float64(0), np.array(-1)])
    def test_a_number_out_of_range_is_refused(self, value):
        with pytest.raises(OutOfRange, match=r"^batch must be a finite number above 0; it was ") as refused:
            number("batch", value, POSITIVE)
        assert refused.value.argument == "batch"

    def test_a_numpy_number_is_shown_as_a_number(self):
        with pytest.raises(OutOfRange, match=r"it was -2\.0\.$"):
            number("batch", np.float64(-2), POSITIVE)

    @pytest.mark.parametrize("value", [10**400, -(10**400), 10**5000], ids=["huge", "minus huge", "unprintable"])
    def test_a_whole_number_that_no_float_can_hold_is_refused(self, value):
        with pytest.raises(OutOfRange, match="batch must be a finite number"):
            number("batch", value, ANY)

    @pytest.mark.parametrize("wrong", [0, -2, math.nan, math.inf, -math.inf])
    def test_an_array_is_refused_for_its_first_element_out_of_range(self, wrong):
        with pytest.raises(OutOfRange, match=rf"^batch must be a finite number above 0; it was {float(wrong)}\.$"):
            number("batch", [[1, wrong], [wrong, 3]], POSITIVE)

    @pytest.mark.parametrize("value", [[], [[]], np.zeros((3, 0)), ()])
    def test_an_array_without_elements_is_refused(self, value):
        with pytest.raises(ShapeMismatch, match="batch must be a number or an array with at least one element"):
            number("batch", value, POSITIVE)

    def test_a_ragged_array_is_refused(self):
        with pytest.raises(ShapeMismatch, match="batch must be a number or a regular array of numbers"):
            number("batch", [[1, 2], [3]], POSITIVE)

    @given(REAL, REAL, REAL, st.booleans(), st.booleans())
    def test_scalar_and_array_agree_on_what_is_in_range(self, value, low, high, open_low, whole):
        accepted = Range(min(low, high), max(low, high), open_low, whole)
        outcomes = []
        for given_value in (value, [value]):
            try:
                outcomes.append(bool(np.asarray(number("x", given_value, accepted)).item() == value))
            except OutOfRange:
                outcomes.append(False)
        assert outcomes[0] == outcomes[1] == bool(accepted.holds(np.array([value]))[0])


def test_a_single_number_is_no_array():
    assert single("rounds", 8.0) == 8.0
    with pytest.raises(ShapeMismatch, match="rounds must be a single number"):
        single("rounds", np.array([8.0]))


class TestRange:
    @pytest.mark.parametrize(
        ("accepted", "sentence"),
        [
            (Range(), "a finite number"),
            (Range(whole=True), "a whole number"),
            (Range(0), "a finite number of at least 0"),
            (Range(0, open_low=True), "a finite number above 0"),
            (Range(high=5), "a finite number of at most 5"),
            (Range(0, 1), "a finite number from 0 to 1"),
            (Range(0, 1, open_low=True), "a finite number above 0 up to 1"),
            (Range(1, 1e6, whole=True), "a whole number from 1 to 1,000,000"),
            (Range(-2.5, 1e9), "a finite number from −2.5 to 1,000,000,000"),
        ],
    )
    def test_says_what_it_accepts(self, accepted, sentence):
        assert str(accepted) == sentence

    @pytest.mark.parametrize(
        ("accepted", "inside", "outside"),
        [
            (Range(0), [0, 1, 1e300], [-1e-300, math.nan, math.inf]),
            (Range(0, open_low=True), [1e-300, 1], [0, -1]),
            (Range(0, 1), [0, 0.5, 1], [-0.1, 1.1]),
            (Range(high=5), [-1e300, 5], [5.1, -math.inf]),
            (Range(1, whole=True), [1, 2, 1e15], [0, 1.5, math.inf]),
        ],
    )
    def test_holds_its_ends_and_nothing_beyond(self, accepted, inside, outside):
        assert accepted.holds(np.array(inside)).all()
        assert not accepted.holds(np.array(outside)).any()


@pytest.mark.parametrize(
    ("annotation", "inside", "outside"),
    [
        (Finite, [-1e300, 0, 1e300], [math.inf]),
        (Positive, [1e-300], [0, -1]),
        (NonNegative, [0, 1], [-1]),
        (AtLeastOne, [1, 1.5], [0.99]),
        (Share, [0, 1], [-0.1, 1.1]),
        (PositiveShare, [0.1, 1], [0, 1.1]),
        (Count, [1, 2], [0, 1.5]),
        (Whole, [0, 3], [-1, 0.5]),
    ],
)
def test_each_annotation_accepts_what_its_name_says(annotation, inside, outside):
    def same(value):
        return value

    same.__annotations__ = {"value": annotation, "return": Quantity}
    same = checked(same)
    assert [same(value) for value in inside] == inside
    for value in outside:
        with pytest.raises(OutOfRange, match=r"^value must be"):
            same(value)


class TestChecked:
    def test_numbers_give_a_number_and_arrays_an_array(self):
        assert type(read_seconds(8, 4)) is float
        assert read_seconds(8, [4, 8]).tolist() == [2.0, 1.0]
        assert read_seconds(np.array(8.0), np.array(4)) == 2.0
        assert type(read_seconds(np.array(8.0), 4)) is float

    def test_arguments_may_be_named_left_out_and_mixed(self):
        assert read_seconds(8, bandwidth=4) == read_seconds(weight_bytes=8, bandwidth=4) == 2.0
        assert read_seconds(8, 4, 0.5) == read_seconds(8, 4, overlap=0.5) == 1.0

    @pytest.mark.parametrize("name", ["weight_bytes", "bandwidth", "overlap"])
    @pytest.mark.parametrize("bad", [-1, math.nan, math.inf, "8", None, [], [1, math.nan], True])
    def test_a_bad_value_is_refused_by_the_name_of_its_argument(self, name, bad):
        with pytest.raises(CalcError, match=f"^{name} must be"):
            read_seconds(**{"weight_bytes": 8, "bandwidth": 4, "overlap": 0.5, name: bad})

    def test_shapes_that_do_not_combine_are_refused_with_both_names(self):
        with pytest.raises(ShapeMismatch) as refused:
            read_seconds([1, 2, 3], [1, 2])
        sentence = (
            "weight_bytes must be an array that combines with bandwidth; it was “weight_bytes (3,), bandwidth (2,)”."
        )
        assert str(refused.value) == sentence

    def test_shapes_that_combine_are_combined(self):
        assert read_seconds([[1], [2]], [1, 2, 4]).shape == (2, 3)
        assert read_seconds([1, 2], 1, [[0], [1]]).shape == (2, 2)

    @pytest.mark.parametrize(
        ("args", "kwargs"), [((1,), {}), ((1, 2, 0, 4), {}), ((1, 2), {"bandwidth": 3}), ((1, 2), {"speed": 3})]
    )
    def test_a_wrong_call_is_a_type_error_as_of_any_function(self, args, kwargs):
        with pytest.raises(TypeError, match="read_seconds"):
            read_seconds(*args, **kwargs)

    def test_an_optional_quantity_may_be_none_and_nothing_else(self):
        @checked
        def cost(rent: Positive, power: Positive | None = None) -> Quantity:
            """Dollars."""
            return rent + (0 if power is None else power)

        assert cost(2, None) == cost(2) == 2.0
        assert cost(2, 1) == 3.0
        with pytest.raises(OutOfRange, match=r"^power must be"):
            cost(2, 0)
        with pytest.raises(WrongType, match=r"^rent must be"):
            cost(None)

    def test_arguments_without_a_range_are_left_alone(self):
        @checked
        def label(name: str, batch: Count) -> str:
            """A label."""
            return f"{name} {batch:g}"

        assert label("B", 8) == "B 8"

    def test_results_that_are_no_numbers_are_left_alone(self):
        @checked
        def parts(batch: Positive) -> Parts:
            """Parts."""
            return Parts(batch)

        assert parts(8) == Parts(8.0)

    def test_the_callers_array_is_not_changed(self):
        batch = np.array([1.0, 2.0])
        read_seconds(batch, 2)
        assert batch.tolist() == [1.0, 2.0]

    def test_keeps_the_name_the_words_and_the_signature(self):
        assert read_seconds.__name__ == "read_seconds"
        assert read_seconds.__doc__ == "Seconds to read."
        assert "bandwidth" in read_seconds.__wrapped__.__annotations__

    @given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=8), st.floats(1e-6, 1e6))
    def test_an_array_gives_what_its_elements_give(self, sizes, bandwidth):
        assert read_seconds(sizes, bandwidth).tolist() == [read_seconds(size, bandwidth) for size in sizes]
