from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import catalog
from calc.overtraining import training_run
from calc.quantities.errors import UnknownName
from calc.reversible import activation_memory, memory_budget

SIZES = st.floats(1e3, 1e12)
LAYERS = st.integers(2, 500)


@given(params=SIZES, layers=LAYERS, replicas=st.integers(7, 10_000), state=SIZES, times=st.floats(1, 40))
def test_every_measure_takes_no_more_and_reversing_four_states_more(params, layers, replicas, state, times):
    given = {"params": params, "layers": layers, "replicas": replicas, "state_bytes": state}
    plans = [memory_budget.held(plan, **given, record_bytes=times * state) for plan in memory_budget.PLANS]
    stored, recomputed, nested, offloaded, reversed_ = (plan.total for plan in plans)
    assert reversed_ == pytest.approx(offloaded + (2 + 2) * state)  # and two for its gradient
    assert min(recomputed, nested) >= offloaded * (1 - 1e-12) or layers < 3
    assert stored == pytest.approx(plans[0].fixed + (layers * times + 1) * state)
    assert [plan.host for plan in plans] == [0, 0, 0, layers * state, 0]


def test_the_plans_hold_what_the_rest_of_the_chapter_says():
    state = float(activation_memory.state_bytes(1000, 1024))
    record = float(training_run.record_bytes(1000, 1024))
    given = {"params": 1e9, "layers": 24, "replicas": 1, "state_bytes": state, "record_bytes": record}
    for plan, other in (
        ("stored", activation_memory.store(24)),
        ("recomputed", activation_memory.checkpoint(24, activation_memory.whole_interval(24, state, record))),
        ("nested", activation_memory.nested(24)),
        ("reversed", activation_memory.reverse(24, activation_memory.UNDONE)),
    ):
        one = memory_budget.held(plan, **given)
        assert one.states + one.records == other.bytes(state, record)
        assert one.model == training_run.model_state_bytes(1e9)


@pytest.mark.parametrize("sequence", [1, 2048, 8192])
def test_the_link_keeps_pace_from_the_narrowest_network_on(sequence):
    narrowest = memory_budget.narrowest(989e12, 64e9, sequence)
    slower, faster = (
        memory_budget.sending_rate(memory_budget.PARAMS_PER_SQUARE * 40 * width**2, 40, width, sequence, 989e12)
        for width in (math.ceil(narrowest), math.floor(narrowest))
    )
    assert slower <= 64e9 < faster == pytest.approx(64e9, rel=2e-3)


@given(busy=st.floats(0.01, 1), width=st.integers(64, 20_000), sequence=st.integers(1, 100_000))
def test_a_run_that_reaches_a_share_of_the_rate_needs_that_share_of_the_link(busy, width, sequence):
    shape = (memory_budget.PARAMS_PER_SQUARE * 40 * width**2, 40, width, sequence)
    achieved, full = (memory_budget.sending_rate(*shape, 989e12, share) for share in (busy, 1.0))
    assert achieved == pytest.approx(busy * full)
    assert memory_budget.narrowest(989e12, full, sequence) == pytest.approx(width)
    assert memory_budget.narrowest(989e12, achieved, sequence, busy) == pytest.approx(width)


def test_long_sequences_leave_any_link_time_enough():
    assert memory_budget.narrowest(989e12, 64e9, 16_384) == 0
    assert memory_budget.sending_rate(1e6, 40, 64, 16_384, 989e12) < 64e9


def test_a_state_leaves_in_the_time_of_its_layer():
    """Operations counted one by one: products of a token, and causal attention over a sequence."""
    width, sequence, layers, params = 64, 500, 3, 1e6
    attended = sum(4 * width * (place + 0.5) for place in range(sequence)) / sequence
    seconds = (2 * params / layers + attended) / 1e12
    state = activation_memory.state_bytes(1, width)
    assert memory_budget.sending_rate(params, layers, width, sequence, 1e12) == pytest.approx(state / seconds)


def test_logits_take_what_was_measured_and_are_added_to_a_plan():
    """Gemma 2 2B's 256,000 entries and 8,192 tokens: 28,000 and 16,000 MiB; in pieces only a gradient is left."""
    ways = ("whole", "compiled", "pieces")
    whole, compiled, pieces = (float(training_run.logit_bytes(8192, 256_000, way)) for way in ways)
    assert (whole / 2**20, compiled / 2**20, pieces) == (28_000, 16_000, 0)
    assert (whole, compiled) == tuple(catalog.datum(f"loss-{way}").value for way in ("whole", "compiled"))
    given = {"params": 1e9, "layers": 10, "replicas": 8, "state_bytes": 1e9, "record_bytes": 17e9}
    for plan in memory_budget.PLANS:
        without, held = (memory_budget.held(plan, **given, logit_bytes=each) for each in (0.0, 5e9))
        assert held.total - without.total == held.logits == 5e9
        assert held.fixed == without.fixed


def test_a_loss_or_a_plan_that_is_none_is_refused():
    with pytest.raises(UnknownName, match=r"^loss must be"):
        training_run.logit_bytes(1, 1, "half")
    with pytest.raises(UnknownName, match=r"^plan must be"):
        memory_budget.held("free", params=1, layers=1, replicas=1, state_bytes=1, record_bytes=1)
