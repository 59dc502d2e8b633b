from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import batching, catalog
from calc.quantities.errors import OutOfRange

MODEL = {"active_params": 50e9, "weight_bytes": 1e12, "kv_bytes_per_token": 1e5, "flops": 1e15, "bandwidth": 1e14}
PARTS = ("compute", "weights", "cache", "memory", "bound", "serial", "utilisation")

batches = st.floats(1, 1e6)
contexts = st.floats(1, 1e8)


@st.composite
def systems(draw):
    """The arguments of a step for any plausible model and machine."""
    active = draw(st.floats(1e8, 1e12))
    return {
        "active_params": active,
        "weight_bytes": active * draw(st.floats(0.5, 100)),
        "kv_bytes_per_token": draw(st.floats(1e2, 1e7)),
        "flops": draw(st.floats(1e12, 1e20)),
        "bandwidth": draw(st.floats(1e11, 1e17)),
    }


def without(arguments, *names):
    return {name: value for name, value in arguments.items() if name not in names}


def test_a_step_by_hand():
    """100 sequences of 1,000 tokens: 1e13 operations at 1e15 a second; 1e12 and 1e10 bytes at 1e14 a second."""
    step = batching.step_time(100, 1000, **MODEL)
    assert (step.compute, step.weights, step.cache) == pytest.approx((0.01, 0.01, 1e-4))
    assert step.memory == pytest.approx(0.0101)
    assert step.bound == pytest.approx(0.0101)
    assert step.serial == pytest.approx(0.0201)
    assert step.utilisation == pytest.approx(0.01 / 0.0101)


def test_in_bf16_the_ratio_is_the_operations_per_byte_that_the_h100_is_sold_with():
    """Its sheet: 989 TFLOP/s dense BF16 and 3.35 TB/s. At two bytes a weight the two counts agree."""
    chip = catalog.chip("h100-sxm")
    assert batching.hardware_ratio(chip.flops("bf16"), chip.hbm_bandwidth, 2) == pytest.approx(989 / 3.35, rel=1e-3)


def test_the_scaling_book_finds_the_same_critical_batch_for_a_tpu():
    """Austin et al., "How to Scale Your Model", inference: 197e12 / 8.2e11 = 240 tokens for BF16 on a TPU v5e."""
    chip = catalog.chip("tpu-v5e")
    ratio = batching.hardware_ratio(chip.flops("bf16"), chip.hbm_bandwidth, 2)
    assert batching.balanced_batch(ratio) == pytest.approx(240, rel=0.01)


def test_deepseek_v3_needs_thousands_of_sequences():
    model, system = catalog.model("deepseek-v3"), catalog.system("gb200-nvl72")
    ratio = batching.hardware_ratio(system.flops("fp8"), system.hbm_bandwidth, 1)
    assert batching.balanced_batch(ratio, model.sparsity) == pytest.approx(5667, abs=1)
    assert batching.read_seconds(model.weight_bytes("fp8"), system.hbm_bandwidth) == pytest.approx(1.165e-3, rel=1e-3)


def test_the_h100_drains_in_a_known_time():
    chip = catalog.chip("h100-sxm")
    assert batching.read_seconds(chip.hbm_bytes, chip.hbm_bandwidth) == pytest.approx(80 / 3350)


@given(systems(), batches, contexts)
def test_the_bounds_are_in_order(arguments, batch, context):
    step = batching.step_time(batch, context, **arguments)
    assert max(step.compute, step.memory) == step.bound <= step.serial <= 2 * step.bound * (1 + 1e-12)
    assert step.bound >= batching.read_seconds(arguments["weight_bytes"], arguments["bandwidth"])
    assert 0 < step.utilisation <= 1


@given(systems(), batches, contexts, st.floats(1, 100))
def test_a_larger_batch_steps_slower_and_costs_less(arguments, batch, context, factor):
    small = batching.step_time(batch, context, **arguments)
    large = batching.step_time(factor * batch, context, **arguments)
    assert small.bound <= large.bound * (1 + 1e-12)
    cost = [
        batching.dollars_per_token(size, step.bound, 100) for size, step in ((batch, small), (factor * batch, large))
    ]
    assert cost[1] <= cost[0] * (1 + 1e-12)


@given(systems(), contexts)
def test_the_cost_of_an_endless_batch_is_the_limit(arguments, context):
    cheapest = batching.cheapest_seconds(context, **without(arguments, "weight_bytes"))
    huge = 1e15
    assert batching.step_time(huge, context, **arguments).bound / huge == pytest.approx(cheapest, rel=1e-3)
    assert batching.batching_penalty(batching.step_time(1, context, **arguments).bound, cheapest) >= 1


@given(systems(), st.floats(0, 0.999))
def test_the_balanced_batch_balances(arguments, part):
    critical = batching.critical_context(**without(arguments, "weight_bytes"))
    balanced = batching.balanced_batch_with_cache(part * critical, **arguments)
    step = batching.step_time(balanced, part * critical, **arguments)
    assert step.compute == pytest.approx(step.memory, rel=1e-6)


@given(systems(), st.floats(1.001, 1000), batches)
def test_past_the_critical_context_nothing_balances(arguments, beyond, batch):
    critical = batching.critical_context(**without(arguments, "weight_bytes"))
    assert math.isinf(batching.balanced_batch_with_cache(beyond * critical, **arguments))
    step = batching.step_time(batch, beyond * critical, **arguments)
    assert step.utilisation < batching.utilisation_ceiling(beyond * critical, critical) < 1


@given(systems(), st.floats(0.5, 4), st.floats(1, 100))
def test_without_a_cache_only_ratio_and_sparsity_count(arguments, width, sparsity):
    weights = width * sparsity * arguments["active_params"]
    given_weights = arguments | {"weight_bytes": weights, "kv_bytes_per_token": 0}
    ratio = batching.hardware_ratio(arguments["flops"], arguments["bandwidth"], width)
    expected = batching.balanced_batch(ratio, sparsity)
    assert batching.balanced_batch_with_cache(0, **given_weights) == pytest.approx(expected)


@given(systems(), contexts, st.floats(1e-6, 1e3))
def test_batch_within_is_the_largest_whole_batch_that_makes_it(arguments, context, seconds):
    batch = batching.batch_within(seconds, context, **arguments)
    if 1 <= batch < 1e9:
        assert batching.step_time(batch, context, **arguments).bound <= seconds * (1 + 1e-9)
        assert batching.step_time(batch + 1, context, **arguments).bound > seconds * (1 - 1e-9)
    if batch == 0:
        assert batching.step_time(1, context, **arguments).bound > seconds * (1 - 1e-9)


@given(systems(), contexts, st.floats(0.001, 0.99))
def test_the_batch_for_a_traffic_decodes_it(arguments, context, part):
    most = 1 / batching.cheapest_seconds(context, **without(arguments, "weight_bytes"))
    batch = batching.batch_for_traffic(part * most, context, **arguments)
    step = batching.step_time(batch, context, **arguments)
    assert batching.tokens_per_second(batch, step.memory) == pytest.approx(part * most, rel=1e-6)


@given(systems(), contexts, st.floats(1.001, 100))
def test_no_batch_decodes_more_than_the_bound(arguments, context, beyond):
    most = 1 / batching.cheapest_seconds(context, **without(arguments, "weight_bytes"))
    assert math.isinf(batching.batch_for_traffic(beyond * most, context, **arguments))


@given(st.floats(1e9, 1e15), st.floats(1e6, 1e13), contexts, st.floats(1e2, 1e7))
def test_the_largest_batch_fits_and_one_more_does_not(memory, weights, context, token):
    batch = batching.largest_batch(memory, weights, context, token)
    assert batch == math.floor(batch)
    if 1 <= batch < 1e12:
        assert weights + batching.cache_bytes(batch, context, token) <= memory * (1 + 1e-9)
        assert weights + batching.cache_bytes(batch + 1, context, token) >= memory * (1 - 1e-9)
    if weights > memory:
        assert batch == 0


@given(st.floats(0.01, 1), contexts, st.floats(0, 0.99))
def test_the_context_for_a_utilisation_gives_it(utilisation, context, weights):
    longer = batching.context_for_utilisation(utilisation, context, weights)
    assert longer >= context * (1 - 1e-12)
    step = batching.StepTime(compute=1.0, weights=weights, cache=(1 - weights) * longer / context)
    assert step.utilisation == pytest.approx(utilisation)


@given(systems(), st.lists(batches, min_size=1, max_size=5), st.lists(contexts, min_size=1, max_size=4))
def test_an_array_holds_what_each_number_gives(arguments, sizes, lengths):
    grid = batching.step_time(np.array(sizes)[:, None], np.array(lengths), **arguments)
    balanced = batching.balanced_batch_with_cache(np.array(lengths), **arguments)
    for row, size in enumerate(sizes):
        for column, length in enumerate(lengths):
            step = batching.step_time(size, length, **arguments)
            assert balanced[column] == batching.balanced_batch_with_cache(length, **arguments)
            for part in PARTS:
                cells = np.broadcast_to(getattr(grid, part), (len(sizes), len(lengths)))
                assert cells[row, column] == getattr(step, part)


def test_numbers_stay_numbers():
    step = batching.step_time(100, 1000, **MODEL)
    assert isinstance(batching.balanced_batch_with_cache(1000, **MODEL), float)
    assert isinstance(batching.largest_batch(1e13, 1e12, 1000, 1e5), float)
    assert isinstance(batching.batch_within(0.1, 0, **MODEL), float)
    assert isinstance(batching.batch_for_traffic(10, 0, **MODEL), float)
    assert isinstance(step.compute, float)


def test_without_a_context_only_arithmetic_limits_the_batch_within_a_time():
    assert batching.batch_within(0.1, 0, **MODEL) == 1000
    assert batching.batch_within(0.009, 0, **MODEL) == 0


def test_where_all_reading_is_weights_no_context_slows_a_step():
    with pytest.raises(OutOfRange, match="weight_share must be below 1"):
        batching.context_for_utilisation(0.5, 1000, 1)


STEP = "context active_params weight_bytes kv_bytes_per_token flops bandwidth"
