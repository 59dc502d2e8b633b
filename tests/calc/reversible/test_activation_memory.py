import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.overtraining.training_run import record_bytes
from calc.reversible.activation_memory import (
    UNDONE,
    best_interval,
    checkpoint,
    nested,
    reverse,
    state_bytes,
    store,
    whole_interval,
)

LAYERS = st.integers(1, 500)
MANY = settings(max_examples=40, deadline=None)


class TestPlans:
    @MANY
    @given(LAYERS, st.integers(1, 500), st.floats(0.1, 10), st.floats(1, 10))
    def test_reversing_needs_least_and_storing_most(self, layers, every, state, ratio):
        record = state * ratio
        plans = [reverse(layers), checkpoint(layers, every), store(layers)]
        needs = [plan.bytes(state, record) for plan in plans]
        assert needs[0] <= needs[1] * (1 + 1e-12)
        if every <= layers / 2:
            assert needs[1] <= (layers / every) * state + every * record + 1e-9
        assert needs[2] == pytest.approx(layers * record)

    @MANY
    @given(LAYERS)
    def test_two_levels_hold_and_run_what_a_pass_through_them_counts(self, layers):
        """Every stretch on its way back, with a state before each of its layers; then each layer for its record."""
        plan, lengths = nested(layers), list[int]()
        while sum(lengths) < layers:
            lengths.append(min(int(plan.states) - len(lengths), layers - sum(lengths)))
        assert plan.states == max(before + length for before, length in enumerate(lengths))
        assert plan.evaluations == layers + sum(length - 1 for length in lengths) + layers

    @MANY
    @given(LAYERS)
    def test_a_state_fewer_does_not_reach_through_all_layers_on_two_levels(self, layers):
        fewer = int(nested(layers).states) - 1
        assert sum(range(fewer + 1)) < layers <= sum(range(fewer + 2))

    @MANY
    @given(LAYERS, st.integers(1, 500))
    def test_stretches_of_one_length_hold_no_less_on_two_levels(self, layers, every):
        lengths = [min(every, layers - start) for start in range(0, layers, every)]
        assert nested(layers).states <= max(before + length for before, length in enumerate(lengths))

    @MANY
    @given(LAYERS)
    def test_reversing_does_not_know_the_depth(self, layers):
        assert reverse(layers).bytes(3, 5) == 8
        assert reverse(layers, UNDONE).bytes(3, 5) == 17
        assert reverse(layers).overhead() == pytest.approx(4 / 3)

    @MANY
    @given(LAYERS, st.integers(1, 500), st.floats(0.5, 4))
    def test_the_price_is_one_more_way_forward(self, layers, every, backward):
        assert store(layers).overhead(backward) == pytest.approx(1)
        for plan in (checkpoint(layers, every), reverse(layers)):
            assert plan.overhead(backward) == pytest.approx((2 + backward) / (1 + backward))

    def test_the_price_in_published_terms(self):
        """Scaling book, "Gradient checkpointing": from 6 N D to 8 N D. RevNets with equal passes: a half more."""
        assert checkpoint(64, 1).overhead() == pytest.approx(8 / 6)
        assert reverse(64).overhead(backward=1) == 1.5

    def test_every_layers_input_in_the_scaling_book(self):
        """The same page: 4M tokens, width 8192, 64 layers in bf16: 4.2 TB if only the inputs are kept."""
        kept = checkpoint(64, 1).states * state_bytes(4e6, 8192)
        assert kept == pytest.approx(4.2e12, rel=0.01)

    @pytest.mark.parametrize(
        ("layers", "every", "states", "records"),
        [(64, 8, 8, 8), (10, 4, 2, 4), (3, 8, 1, 3), (8, 8, 1, 8), (9, 8, 1, 8)],
    )
    def test_checkpoints_and_the_stretch_between(self, layers, every, states, records):
        plan = checkpoint(layers, every)
        assert (plan.states, plan.records, plan.layers) == (states, records, layers)

    def test_arrays_are_their_elements(self):
        layers = np.array([1, 16, 100])
        for plan in (store, reverse, lambda depth: checkpoint(depth, 4)):
            together = plan(layers).bytes(2.0, 3.0)
            assert together.tolist() == [plan(depth).bytes(2.0, 3.0) for depth in layers.tolist()]
            assert plan(layers).overhead().tolist() == [plan(depth).overhead() for depth in layers.tolist()]


class TestInterval:
    def test_the_square_root_of_chen_and_others(self):
        """Chen et al. (2016): sqrt(n) segments, 2 sqrt(n) memory."""
        assert best_interval(10_000) == 100
        assert checkpoint(10_000, 100).bytes(1, 1) == 200

    @MANY
    @given(st.integers(2, 40), st.integers(1, 64))
    def test_no_other_interval_needs_less(self, root, every):
        layers = root**2
        best = checkpoint(layers, best_interval(layers)).bytes(1, 1)
        if layers % every == 0:
            assert checkpoint(layers, every).bytes(1, 1) >= best

    @MANY
    @given(LAYERS, st.floats(0.1, 10), st.floats(0.1, 10))
    def test_heavier_records_ask_for_closer_checkpoints(self, layers, state, record):
        every = best_interval(layers, state, record)
        assert layers / every * state == pytest.approx(every * record)


class TestTransformer:
    @pytest.mark.parametrize(
        ("width", "heads", "second"),
        [(12_288, 96, 80), (20_480, 128, 64)],
    )
    def test_the_score_matrix_outweighs_the_rest(self, width, heads, second):
        """Korthikanti et al. (2022): 5 a s / h is 80 for GPT-3 and 64 for MT-NLG, beside 34."""
        each = record_bytes(2048, width, heads, 2048) / (2048 * width)
        assert each == pytest.approx(34 + second)

    def test_kernels_that_forget_it_leave_34(self):
        assert record_bytes(1000, 100) == record_bytes(1000, 100, 8) == 34 * 1000 * 100

    def test_a_record_is_seventeen_states(self):
        assert record_bytes(7, 64) / state_bytes(7, 64) == 17
        assert state_bytes(7, 64, 4) == 7 * 64 * 4


@MANY
@given(LAYERS, st.floats(1, 50))
def test_no_other_stretch_takes_much_less_than_the_best_whole_one(layers, record):
    best = float(checkpoint(layers, whole_interval(layers, 1.0, record)).bytes(1.0, record))
    least = min(float(checkpoint(layers, every).bytes(1.0, record)) for every in range(1, layers + 1))
    assert least <= best <= 1.1 * least


def held(stretches, record):
    """States' bytes at most, of stretches as the way back meets them: a checkpoint is free once its own is undone."""
    return max(len(stretches) - before + record * layers for before, layers in enumerate(stretches))


def least(layers, record):
    """The least that stretches of any lengths hold, and how many there are: as long as a bound lets each be, tried."""
    found = list[tuple[float, int]]()
    for count in range(1, layers + 1):
        for bound in sorted({left + record * long for left in range(1, count + 1) for long in range(1, layers + 1)}):
            longest = [int((bound - count + before) / record + 1e-9) for before in range(count)]
            if min(longest) >= 1 and sum(longest) >= layers:
                found.append((bound, count))
                break
    return min(found)


def compositions(layers):
    """Every way to cut layers into stretches, in order."""
    if layers == 0:
        yield []
    for first in range(1, layers + 1):
        for rest in compositions(layers - first):
            yield [first, *rest]


class TestUnequalStretches:
    """For the same arithmetic, two passes forward through each layer, they hold less than the best equal ones."""

    def test_sixteen_layers_hold_seven_states_in_place_of_eight(self):
        assert held([4] * 4, 1) == checkpoint(16, 4).bytes(1, 1) == 8
        assert held([1, 4, 5, 6], 1) == least(16, 1)[0] == 7

    @pytest.mark.parametrize("record", [1, 2.5, 6])
    @pytest.mark.parametrize("layers", range(1, 12))
    def test_the_bound_tried_finds_what_all_stretches_hold_at_least(self, layers, record):
        assert least(layers, record)[0] == min(held(stretches, record) for stretches in compositions(layers))

    def test_the_examples_layers_hold_145_gb_in_place_of_173(self):
        record, state = 20.25, state_bytes(131_072, 8192)
        stretches = [1] * 20 + [2] * 21 + [3] * 6
        assert (held(stretches, record), len(stretches)) == least(80, record) == (67.5, 47)
        assert sum(stretches) == 80
        assert round(67.5 * state / 1e9) == 145
        assert round(checkpoint(80, 2).bytes(state, record * state) / 1e9) == 173

    def test_on_two_levels_equal_stretches_take_seventeen_states_and_unequal_ones_thirteen(self):
        assert min(-(-80 // every) + every - 1 for every in range(1, 81)) == 17
        unequal = [4, *range(6, 14)]
        assert sum(unequal) == 80
        assert max(len(unequal) - before + layers - 1 for before, layers in enumerate(unequal)) == nested(80).states
