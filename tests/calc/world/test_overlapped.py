"""The forecast in a form in which each operation takes the longer of reading and multiplying."""

from __future__ import annotations

import numpy as np
import pytest

from calc.world.overlapped import longer_of_both, overlapped
from calc.world.sample import sample
from calc.world.work import NAMES

MOVING, ARITHMETIC = (NAMES.index(name) for name in ("moving", "arithmetic"))


def test_each_operation_gives_one_of_its_two_times():
    """At equal shares the sum of both columns lies between the longer of their sums and what it was."""
    held = sample()
    before, after = held.parts, longer_of_both(held, 1.0)
    either = [MOVING, ARITHMETIC]
    assert np.all(after[:, either] >= -1e-9)
    assert np.all(after[:, either] <= before[:, either] + 1e-9)
    assert np.all(after[:, either].sum(axis=1) >= before[:, either].max(axis=1) * (1 - 1e-9))
    others = [column for column in range(len(NAMES)) if column not in either]
    assert np.array_equal(after[:, others], before[:, others])


def test_with_reading_for_nothing_the_arithmetic_is_left_and_the_other_way_round():
    held = sample()
    free = longer_of_both(held, 1e-9), longer_of_both(held, 1e9)
    assert free[0][:, MOVING] == pytest.approx(held.parts[:, MOVING]), "everything waits for memory"
    assert free[1][:, ARITHMETIC] == pytest.approx(held.parts[:, ARITHMETIC]), "everything waits for the multipliers"
    assert all(np.all(each >= -1e-9) for each in free)


def test_served_runs_cannot_tell_it_from_the_sum_as_the_page_says():
    found = overlapped()
    assert found.error.median == pytest.approx(found.summed.median, abs=0.005)
    assert found.error.mean == pytest.approx(found.summed.mean, abs=0.005)
    assert found.arithmetic_share < 0.75
