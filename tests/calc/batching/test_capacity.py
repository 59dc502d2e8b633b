"""Sequences that a memory takes beside the weights."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import batching, catalog
from calc.batching.capacity import largest_batch
from tests.calc.batching.drawn import MODEL, contexts, systems, without

V3 = catalog.model("deepseek-v3")


@given(st.floats(1, 1e8), st.floats(1e9, 1e15), st.floats(0, 1e13), st.floats(1, 1e6))
def test_they_fit_and_one_more_does_not(context, memory, weights, token):
    count = largest_batch(memory, weights, context, token)
    assert count == int(count)
    slack = 1e-9 * memory
    if count:
        assert weights + count * context * token <= memory + slack
    assert weights + (count + 1) * context * token > memory - slack


def test_none_where_the_weights_do_not_fit():
    assert largest_batch(1e9, 2e9, 1, 1) == 0


def test_llama_3_70b_on_sixteen_tpu_v5e():
    """Scaling book, "Serving LLaMA 3-70B": bf16 on 4x4 leaves 116 GB, 43 caches of 8k tokens at 324 kB a token."""
    assert largest_batch(16 * 16e9, 140e9, 8192, 324e3) == 43


@pytest.mark.parametrize(
    ("weights", "token", "held"), [(0, 1667, 80), (V3.weight_bytes("fp8"), V3.kv_bytes_per_token("fp8"), 3)]
)
def test_a_hundred_million_tokens_on_a_blackwell_rack(weights, token, held):
    assert largest_batch(72 * 186e9, weights, 1e8, token) == held


def test_an_array_is_its_elements():
    contexts = np.geomspace(1e3, 1e8, 7)
    rest = {"memory_bytes": 1e13, "weight_bytes": 1e12, "kv_bytes_per_token": 7e4}
    assert largest_batch(context=contexts, **rest).tolist() == [largest_batch(context=c, **rest) for c in contexts]


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


def test_without_a_context_only_arithmetic_limits_the_batch_within_a_time():
    assert batching.batch_within(0.1, 0, **MODEL) == 1000
    assert batching.batch_within(0.009, 0, **MODEL) == 0
