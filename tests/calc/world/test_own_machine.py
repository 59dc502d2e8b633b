"""A computer's own roofline: read off its two ends, and held against what lies between."""

from __future__ import annotations

from statistics import median

import pytest

from calc.world.chip import crossings
from calc.world.figures.own import FEW, of_h100
from calc.world.own_machine import OwnMachine, recorded

MACHINE = OwnMachine(1000, 4, {1: 1e-4, 4: 1.2e-4, 10: 2e-4, 100: 1e-3, 200: 2.2e-3})


def test_the_rates_are_those_of_the_ends():
    assert MACHINE.bandwidth == pytest.approx(4e6 / 1e-4)
    assert MACHINE.flops == pytest.approx(2e6 * 100 / 1e-3)
    assert MACHINE.between == [4, 10, 200]


def test_at_balance_reading_takes_as_long_as_multiplying():
    assert MACHINE.multiplying(MACHINE.balanced) == pytest.approx(MACHINE.seconds[1])
    assert MACHINE.nearest == 10
    assert MACHINE.added(10) == pytest.approx(2 * MACHINE.bound(10))


def test_nothing_is_faster_than_the_bound_that_takes_its_own_fastest_rates():
    for machine in (*recorded(4), *recorded(8)):
        assert min(machine.over(columns) for columns in machine.seconds) >= 1 - 1e-9
        assert machine.reading == machine.seconds[1]
    assert min(of_h100().over(columns) for columns in of_h100().seconds) >= 1 - 1e-9


def test_a_time_that_falls_as_columns_are_added_tells_of_other_work():
    assert not MACHINE.disturbed
    assert OwnMachine(1000, 4, {1: 3e-4, 2: 2e-4, 4: 2e-4}).disturbed
    assert not any(machine.disturbed for machine in recorded())


def test_the_precision_cancels_where_a_processor_multiplies_half_as_many_numbers_of_twice_the_bytes():
    """Lecture 1 says so of (4); a machine whose wide numbers were as fast as its narrow ones would refute it."""
    for four, eight in zip(recorded(4), recorded(8), strict=False):  # the last was of four bytes alone
        assert eight.flops == pytest.approx(four.flops / 2, rel=0.05)
        assert eight.balanced == pytest.approx(four.balanced, rel=0.15)


def test_all_runs_but_one_read_alike_and_that_one_is_the_fastest():
    rates = sorted(machine.bandwidth for machine in recorded())
    assert rates[-2] / rates[0] < 1.11
    assert rates[-1] / rates[-2] > 1.3


def test_eight_columns_are_the_farthest_from_the_bound():
    """The page's first paragraph takes their distance as the most."""
    over = {columns: median(each.over(columns) for each in recorded()) for columns in recorded()[0].seconds}
    assert max(over, key=lambda columns: over[columns]) == FEW


def test_the_matrix_of_the_h100_has_as_many_rows():
    chip = of_h100()
    (same,) = [each for each in crossings() if each.name == "output projection" and each.model == "llama-3-8b"][:1]
    assert same.form == "bf16"
    assert chip.seconds[1] > chip.reading == same.read_seconds
    assert chip.size == recorded()[0].size
    assert chip.flops == pytest.approx(same.best_rate)
