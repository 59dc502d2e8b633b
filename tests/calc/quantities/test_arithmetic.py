"""Quotients without an end, and whole numbers in spite of rounding."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.batching.departures import empty_seat_factor, systems_needed
from calc.pipelining.holding import stages_to_hold
from calc.quantities.arithmetic import DAY, MONTH, YEAR, quotient, whole_up

factors = st.floats(1e-6, 1e9)
counts = st.integers(1, 10_000)


@given(factors, counts)
def test_an_exact_multiple_is_no_more_than_its_count(unit, count):
    assert whole_up(count * unit / unit) == count
    assert systems_needed(count * unit, unit) == count
    assert empty_seat_factor(count * unit, unit) == pytest.approx(1)
    assert stages_to_hold(count * unit, 1, unit) == count


@given(counts, st.floats(1e-6, 0.999))
def test_more_than_a_multiple_is_the_next(count, part):
    assert whole_up(count + part) == count + 1


def test_no_end_stays_one():
    assert whole_up(math.inf) == math.inf


@given(st.floats(0, 1e9), st.floats(-1e9, 0) | st.floats(1e-9, 1e9))
def test_a_quotient_ends_only_above_a_positive_number(above, below):
    assert quotient(above, below) == (above / below if below > 0 else math.inf)
    assert quotient(above, below, np.False_) == math.inf


def test_quotients_combine_their_shapes():
    found = quotient(np.ones((2, 1)), np.array([1.0, 0.0, 4.0]), np.array([[True], [False]]))
    assert found.tolist() == [[1.0, math.inf, 0.25], [math.inf] * 3]


def test_a_month_has_one_length():
    assert MONTH * 12 == YEAR == 365.25 * DAY
    assert MONTH == 2_629_800
