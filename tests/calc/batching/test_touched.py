from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.batching import touched
from calc.quantities import draws
from calc.quantities.errors import OutOfRange, ShapeMismatch

FUNCTIONS = (touched.touched_share, touched.touched_share_unshared)


@st.composite
def routers(draw):
    experts = draw(st.integers(1, 512))
    return experts, draw(st.integers(1, experts))


def test_deepseek_v3_by_hand():
    """8 of 256: one token in 32 passes each expert by with 31/32."""
    assert touched.touched_share(1, 256, 8) == pytest.approx(1 / 32)
    assert touched.touched_share(32, 256, 8) == pytest.approx(1 - (31 / 32) ** 32)


def test_it_is_what_random_choices_wake():
    """200 batches of 16 tokens that choose 2 of 16 experts each, at random."""
    order = np.argsort(draws.uniform(3, (200, 16, 16)), axis=2)[:, :, :2]
    woken = np.mean([len(np.unique(batch)) for batch in order]) / 16
    assert woken == pytest.approx(touched.touched_share(16, 16, 2), abs=0.01)


@given(routers(), st.floats(1, 1e6), st.floats(1, 100))
def test_more_sequences_wake_more_and_never_more_than_if_unshared(router, batch, factor):
    share = touched.touched_share(batch, *router)
    assert share <= touched.touched_share(factor * batch, *router) + 1e-12 <= 1 + 2e-12
    assert router[1] / router[0] - 1e-12 <= share <= touched.touched_share_unshared(batch, *router) + 1e-12


@given(routers(), st.floats(1e8, 1e12), st.floats(1, 50), st.floats(1, 1e6))
def test_a_step_reads_between_active_and_total(router, active, sparsity, batch):
    total = active if router[0] == router[1] else active * sparsity
    read = touched.touched_params(batch, total, active, *router)
    assert active * (1 - 1e-9) <= read <= total * (1 + 1e-9)
    assert touched.touched_params(1, total, active, *router) == pytest.approx(active)
    assert touched.touched_params(1e9, total, active, *router) == pytest.approx(total, rel=1e-6)


@given(routers(), st.lists(st.floats(1, 1e4), min_size=1, max_size=5))
def test_an_array_holds_what_each_number_gives(router, sizes):
    for function in FUNCTIONS:
        assert function(np.array(sizes), *router).tolist() == [function(size, *router) for size in sizes]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_counts_are_whole_and_nobody_uses_more_experts_than_there_are(function):
    with pytest.raises(OutOfRange, match="experts must be a whole number"):
        function(4, 2.5, 1)
    with pytest.raises(OutOfRange, match="experts_per_token must be at most the number of experts, 8"):
        function(4, 8, 9)
    with pytest.raises(ShapeMismatch):
        function([], 8, 2)


def test_parameters_that_contradict_the_router_are_refused():
    with pytest.raises(OutOfRange, match="active_params must be at most the total"):
        touched.touched_params(4, 1e9, 2e9, 8, 2)
    with pytest.raises(OutOfRange, match="fewer than all experts where not all are active"):
        touched.touched_params(4, 2e9, 1e9, 8, 8)
