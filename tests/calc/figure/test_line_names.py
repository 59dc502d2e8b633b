"""Names at the ends of lines: apart, in order, and inside the chart."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from calc.figure import line_names


@given(arrays(float, st.integers(1, 7), elements=st.floats(0, 10)), st.floats(0.01, 1))
def test_labels_keep_their_gap_and_their_order_and_stay_inside(wanted, gap):
    placed = line_names.pushed_apart(np.sort(wanted), gap, 0, 10)
    assert np.all(np.diff(placed) >= gap - 1e-9)
    assert placed[0] >= -1e-9
    assert placed[-1] <= 10 + 1e-9


def test_labels_that_are_apart_stay_where_their_lines_end():
    curve = {"x": [1, 2], "a": [1.0, 10.0], "b": [5.0, 1000.0], "none": [np.nan, np.nan]}
    told = line_names.ends(curve, "x", {"a": "A", "b": "B", "none": "None"})
    assert told["part"] == ["A", "B"]
    assert told["x"] == [2.0, 2.0]
    assert told["at"] == pytest.approx([10, 1000])


def test_labels_of_lines_that_meet_are_pushed_apart():
    curve = {"x": [1, 2], "a": [1.0, 100.0], "b": [1.0, 101.0]}
    low, high = np.log10(line_names.ends(curve, "x", {"a": "A", "b": "B"})["at"])
    decades = 3  # of an axis from 1 to 1,000
    assert high - low == pytest.approx(line_names.APART * decades)
