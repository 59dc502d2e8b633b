"""Small models trained backwards and states sent away: runs as they were printed, beside lecture 7."""

from __future__ import annotations

import pytest

from calc import catalog
from calc.catalog.measurement import text, write
from calc.catalog.reversed_runs import (
    OffloadedRun,
    ReversedDrift,
    ReversedKernels,
    ReversedRun,
    offloaded_runs,
    reversed_drifts,
    reversed_kernels,
    reversed_runs,
)
from calc.world.backwards import forgetting, record_measured, sent_away, states_measured


def test_the_catalogue_has_them_in_the_order_and_digits_in_which_they_are_written():
    assert write(reversed_runs(), ReversedRun) == text("reversed.csv")
    assert write([reversed_kernels()], ReversedKernels) == text("reversed-kernels.csv")
    assert write(reversed_drifts(), ReversedDrift) == text("reversed-drift.csv")
    assert write(offloaded_runs(), OffloadedRun) == text("offloaded.csv")
    assert {row.model for row in offloaded_runs()} <= set(catalog.models())


def test_a_count_by_hand():
    """Nine layers of width 384 with a readout of ten thousand: a token's operations forward, in millions."""
    run = forgetting("undone", 3)[0]
    layers, attention, readout = 9 * 2 * 12 * 384**2, 9 * 2 * 384 * 512, 2 * 384 * 10_000
    assert run.layer * 9 == layers + attention
    forward, again = layers + attention + readout, layers + attention
    assert run.counted() == pytest.approx((3 * forward + 2 * again) / (3 * forward))
    assert run.counted(2) == pytest.approx((3 * forward + again) / (3 * forward))
    down = 9 * 2 * 384 * 1536
    assert forgetting("again", 2)[0].counted() == pytest.approx((3 * forward + again - down) / (3 * forward))


def test_a_gated_layer_by_hand():
    """Seven layers of width 256, three matrices of 256 times 1,024 in each feed-forward part."""
    run = forgetting("undone", 3)[-1]
    assert run.layer == 2 * (4 * 256**2 + 3 * 256 * 1024) + 2 * 256 * 512


def test_ratios_are_those_that_the_first_repository_prints():
    printed = [0.6518991212962378, 0.6341345749956074, 0.6688713628095548]
    assert [1 / run.longer for run in forgetting("undone", 3)[:-1]] == pytest.approx(printed)
    printed = [0.800889139627958, 0.8485307182901346, 0.8356797993791559]
    assert [1 / run.longer for run in forgetting("again", 2)] == pytest.approx(printed)


def test_each_program_takes_the_time_of_what_it_evaluates():
    """The page would be wrong if those that evaluate twice took the time of one evaluation more."""
    for run in forgetting("undone", 3):
        assert run.longer == pytest.approx(run.counted(), rel=0.04)
        assert run.longer > 1.09 * run.counted(2)
    for run in (*forgetting("undone", 2), *forgetting("again", 2)):
        assert run.longer == pytest.approx(run.counted(), rel=0.05)


def test_the_pass_that_could_be_saved_is_as_long_as_the_one_that_is_needed():
    kernels = reversed_kernels()
    assert kernels.undoing == pytest.approx(kernels.recording, rel=0.01)
    assert 0.8 < (kernels.undoing + kernels.recording) / (kernels.undone - kernels.kept) < 0.9


def test_memory_is_as_counted():
    measured, counted = states_measured()
    assert counted == 6 * 110 * 512 * 384 * 4
    assert measured == pytest.approx(counted, rel=0.005)
    record = forgetting("again", 2)[0].record
    assert record == 56_320 * 384 * 36
    assert record_measured() == pytest.approx(record, rel=0.015)


def test_training_makes_the_way_back_worse_and_gradients_stay_good_with_half_steps():
    missed = [row.missed for row in reversed_drifts() if row.missed is not None]
    assert 20 * missed[0] < missed[-1] < max(missed)
    assert all(row.moved < 1e-3 for row in reversed_drifts() if row.moved is not None)


def test_states_that_are_sent_by_hand():
    """Qwen3-0.6B: 28 layers of width 1,024, a million tokens on eight chips; two states stay."""
    long = sent_away("states")[-1]
    assert long.counted == (28 - 2) * 131_072 * 1024 * 2
    assert long.layers * long.state == pytest.approx(7.5e9, rel=3e-3)  # as its maker counts


def test_chips_held_less_as_counted_but_for_one_whose_peak_lay_elsewhere():
    short, *others = sent_away("states")
    assert all(each.freed == pytest.approx(each.counted, rel=0.04) for each in others)
    assert short.freed < 0.05 * short.counted
    assert short.host == pytest.approx(short.layers * short.state, rel=0.003)
    assert all(each.longer < 1.04 for each in (short, *others))


def test_sending_everything_costs_time_and_memory():
    (everything,) = sent_away("everything")
    assert everything.longer > 1.8
    assert everything.freed < 0
