"""A run of reinforcement learning, and where its memory wall begins."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.overtraining.reinforcement import (
    BYTES_PER_UPDATE,
    RunTime,
    acting_seconds,
    balanced_minibatch,
    learning_seconds,
    params_on_chip,
    policy_operations,
    reinforcement_time,
)

sizes = st.floats(1e6, 1e12)
samples = st.floats(1e3, 1e12)
rates = {"flops": 1e15, "bandwidth": 3e12}


def test_an_update_moves_at_least_what_it_must_read_and_write():
    weights, gradient, optimiser = 2, 2, 12
    forward, backward = weights, weights + gradient
    step = gradient + 2 * optimiser + weights
    assert forward + backward + step == BYTES_PER_UPDATE


@given(sizes, samples, st.floats(0, 20))
def test_each_sample_is_acted_on_once_and_learned_from_every_epoch(params, steps, epochs):
    assert policy_operations(params, steps, epochs) == pytest.approx(params * steps * (2 + 6 * epochs))


def test_a_sample_is_learned_from_once_and_every_weight_is_read_unless_said():
    assert policy_operations(1e6, 1e6) == 8e12
    one = {"minibatch": 1000, "flops": 1e15, "bandwidth": 3e12}
    assert learning_seconds(1e6, 1e6, **one) == learning_seconds(1e6, 1e6, epochs=1, **one)
    assert acting_seconds(0.25, 3e12, environments=1, **rates) == 0.5
    world = {"environments": 1, "steps_per_second": 1, **one}
    assert reinforcement_time(0.25, 3e12, **world) == reinforcement_time(0.25, 3e12, epochs=1, on_chip_bytes=0, **world)


@given(sizes, samples, st.integers(1, 10**6))
def test_acting_takes_at_least_its_arithmetic_and_its_reading(params, steps, environments):
    seconds = acting_seconds(params, steps, environments=environments, **rates)
    compute, read = 2 * params * steps / 1e15, steps / environments * 2 * params / 3e12
    assert seconds == pytest.approx(max(compute, read))


@given(sizes, samples)
def test_more_environments_at_once_never_make_acting_slower(params, steps):
    seconds = acting_seconds(params, steps, environments=np.array([1, 10, 100, 1000, 10_000]), **rates)
    assert np.all(np.diff(seconds) <= seconds[:-1] * 1e-12)


@pytest.mark.parametrize(("params", "read"), [(25e6, 0), (25.1e6, 1)])
def test_weights_that_stay_on_the_chip_are_not_read(params, read):
    assert params_on_chip(50e6) == 25e6
    seconds = acting_seconds(params, 3e6, environments=1, on_chip_bytes=50e6, **rates)
    assert seconds == pytest.approx(2 * params * (3e6 / 1e15 + read * (1e-6 - 3e6 / 1e15)))


def test_on_the_chip_only_the_multiplications_take_time_however_few():
    assert acting_seconds(1, 1e15, environments=1, on_chip_bytes=2, **rates) == pytest.approx(2)


def test_narrower_weights_are_read_sooner():
    wide = acting_seconds(1e9, 3e3, environments=1, **rates)
    assert wide == pytest.approx(2 * acting_seconds(1e9, 3e3, environments=1, bytes_per_weight=1, **rates))
    assert params_on_chip(50e6, 1) == 50e6


@given(sizes, samples, st.integers(1, 10**7), st.floats(0.5, 20))
def test_learning_takes_at_least_its_arithmetic_and_its_traffic(params, steps, minibatch, epochs):
    seconds = learning_seconds(params, steps, minibatch=minibatch, epochs=epochs, **rates)
    compute, moved = 6 * params * steps * epochs / 1e15, steps * epochs / minibatch * 34 * params / 3e12
    assert seconds == pytest.approx(max(compute, moved))


@given(st.floats(1e12, 1e17), st.floats(1e10, 1e14), sizes, st.floats(1, 100))
def test_at_the_balanced_minibatch_traffic_takes_as_long_as_arithmetic(flops, bandwidth, params, moved):
    samples_per_update = balanced_minibatch(flops, bandwidth, moved)
    assert 6 * params * samples_per_update / flops == pytest.approx(moved * params / bandwidth)


def test_beyond_the_balanced_minibatch_learning_gets_no_faster():
    balance = balanced_minibatch(**rates)
    minibatch = np.round(balance * np.array([0.5, 1.5, 3]))
    seconds = learning_seconds(1e7, 1e9, minibatch=minibatch, **rates)
    assert seconds[0] == pytest.approx(2 * seconds[1], rel=1e-3)
    assert seconds[1] == pytest.approx(seconds[2])


@given(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0, 1e6))
def test_taking_turns_is_never_faster_than_going_on_at_once(simulating, acting, learning):
    time = RunTime(simulating, acting, learning)
    assert max(simulating, acting, learning) == time.bound <= time.serial
    assert time.serial == pytest.approx(simulating + acting + learning)


def test_a_run_is_made_of_its_parts():
    time = reinforcement_time(
        40e6,
        1e9,
        environments=4096,
        steps_per_second=50,
        minibatch=16_384,
        epochs=5,
        on_chip_bytes=50e6,
        bytes_per_weight=1,
        **rates,
    )
    assert time.simulating == pytest.approx(1e9 / (4096 * 50))
    on_chip = {"on_chip_bytes": 50e6, "bytes_per_weight": 1}
    assert time.acting == acting_seconds(40e6, 1e9, environments=4096, **on_chip, **rates)
    assert time.learning == learning_seconds(40e6, 1e9, minibatch=16_384, epochs=5, **rates)


def test_a_small_robot_policy_waits_for_its_world_and_a_large_one_for_its_arithmetic():
    world = {"environments": 4096, "steps_per_second": 50, "minibatch": 65_536, "epochs": 5, **rates}
    small, large = reinforcement_time(10e6, 1e9, **world), reinforcement_time(100e9, 1e9, **world)
    assert small.bound == small.simulating
    assert large.bound == large.learning
