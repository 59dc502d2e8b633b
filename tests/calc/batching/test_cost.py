from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import batching
from tests.calc.batching.drawn import batches, contexts, systems, without


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
