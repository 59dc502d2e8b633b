from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.quantities import draws
from calc.quantities.errors import CalcError, UnknownName
from calc.reversible.activation_memory import checkpoint, reverse, store
from calc.reversible.gradients import WAYS, difference, format_errors, gradients, logits
from calc.reversible.rounds import forward, inputs, network

MANY = settings(max_examples=30, deadline=None)


def case(rounds=6, width=3, samples=7, dtype="float64"):
    """A network with biases, a readout, a state and answers: the arguments of `gradients`."""
    net = network(rounds, width, step=0.7, dtype=dtype)
    net = replace(net, biases=draws.normal(9, net.biases.shape).astype(dtype))
    readout = draws.normal(10, (2, width)).astype(dtype)
    arms = np.where(draws.below(11, samples, 2) == 1, 1.0, -1.0).astype(dtype)
    return net, readout, inputs(net, samples), arms


def wide(dtype):
    """The same for a network as deep as a large model, with short steps, in a format by its name."""
    net = network(80, 128, step=80**-0.5, dtype=dtype)
    readout = np.full((2, 128), 1 / 128, np.float32)
    return net, readout, inputs(net, 16), np.where(np.arange(16) % 2, 1, -1).astype(np.float32)


def loss_of(net, readout, state, arms):
    return float(np.log1p(np.exp(-arms * logits(forward(net, *state), readout))).mean())


def nudged(array, place, by):
    moved = array.copy()
    moved[place] += by
    return moved


@pytest.mark.parametrize("memory", list(WAYS))
class TestEachWay:
    def test_the_loss_is_the_logistic_loss(self, memory):
        assert gradients(*case(), memory, every=4).loss == pytest.approx(loss_of(*case()))

    @pytest.mark.parametrize("part", ["weights", "biases", "readout"])
    def test_every_derivative_is_the_slope_of_the_loss(self, memory, part):
        net, readout, state, arms = case(rounds=4, width=2)
        found = getattr(gradients(net, readout, state, arms, memory, every=3), part)
        for place in np.ndindex(found.shape):
            both = []
            for by in (1e-5, -1e-5):
                if part == "readout":
                    both.append(loss_of(net, nudged(readout, place, by), state, arms))
                else:
                    changed = replace(net, **{part: nudged(getattr(net, part), place, by)})
                    both.append(loss_of(changed, readout, state, arms))
            assert found[place] == pytest.approx((both[0] - both[1]) / 2e-5, abs=1e-8)

    def test_it_leaves_its_arguments_alone(self, memory):
        net, readout, state, arms = case()
        before = [array.copy() for array in (net.weights, net.biases, readout, *state, arms)]
        gradients(net, readout, state, arms, memory, every=2)
        after = (net.weights, net.biases, readout, *state, arms)
        assert all((one == other).all() for one, other in zip(before, after, strict=True))

    def test_extreme_answers_do_not_overflow(self, memory):
        net, readout, state, arms = case()
        found = gradients(net, 1e6 * readout, state, arms, memory)
        assert np.isfinite(found.loss)
        assert np.isfinite(found.weights).all()


class TestTheSame:
    @MANY
    @given(st.integers(1, 20), st.integers(1, 6), st.integers(1, 9), st.integers(1, 25))
    def test_whatever_is_remembered(self, rounds, width, samples, every):
        arguments = case(rounds, width, samples)
        kept, remade, undone = (gradients(*arguments, way, every) for way in ("store", "checkpoint", "reverse"))
        assert (remade.weights == kept.weights).all()  # the same operations in the same order
        assert (remade.biases == kept.biases).all()
        scale = np.abs(kept.weights).max()
        assert np.abs(undone.weights - kept.weights).max() <= 1e-10 * scale
        assert undone.loss == kept.loss == remade.loss
        assert (undone.readout == kept.readout).all()

    def test_in_single_precision_only_to_its_own_accuracy(self):
        arguments = case(rounds=16, dtype="float32")
        kept, undone = gradients(*arguments, "store"), gradients(*arguments, "reverse")
        assert undone.weights.dtype == np.float32
        error = np.abs(undone.weights - kept.weights).max() / np.abs(kept.weights).max()
        assert 1e-9 < error < 1e-4

    def test_running_backwards_adds_less_than_sixteen_bits_take(self):
        """With states in 32 bits and short steps, also where the network is wide enough that some number jumps."""
        undone, alone = format_errors(*wide("mixed"))
        assert 1e-5 < undone < alone < 2.0**-7

    def test_in_64_bits_the_format_costs_nothing(self):
        undone, alone = format_errors(*case())
        assert 0 < undone < 1e-12
        assert alone == 0

    def test_states_in_sixteen_bits_are_lost_on_the_way_back(self):
        assert format_errors(*wide("bfloat16"))[0] > 2 * format_errors(*wide("mixed"))[0]

    @pytest.mark.parametrize("part", ["weights", "biases", "readout"])
    def test_the_difference_is_that_of_the_worst_derivative_among_its_kind(self, part):
        """A large derivative of the readout must not hide what small ones of the weights lose."""
        kept = gradients(*case())
        theirs = getattr(kept, part)
        assert difference(replace(kept, **{part: theirs + 0.5}), kept) == pytest.approx(0.5 / np.abs(theirs).max())
        assert difference(kept, kept) == 0

    def test_where_nothing_has_a_slope_nothing_differs(self):
        net, readout, state, arms = case()
        flat = gradients(net, 0 * readout, state, arms)
        assert not flat.weights.any()
        assert difference(gradients(net, 0 * readout, state, arms, "reverse"), flat) == 0


class TestMeter:
    """The counts taken while it happens are those of `calc.reversible.activation_memory`."""

    @MANY
    @given(st.integers(1, 30), st.integers(1, 35))
    def test_checkpoints(self, rounds, every):
        found, plan = gradients(*case(rounds), "checkpoint", every), checkpoint(rounds, every)
        assert found.peak_states == plan.states + plan.records
        assert found.evaluations == plan.evaluations

    @pytest.mark.parametrize("way", list(WAYS))
    def test_the_trace_ends_with_all_work_done_and_peaks_where_the_peak_is(self, way):
        found = gradients(*case(9), way, 4)
        assert found.trace[-1][:2] == (found.evaluations, 9)
        assert max(held for _, _, held in found.trace) == found.peak_states
        assert sorted(found.trace, key=lambda event: event[:2]) == list(found.trace)

    def test_every_state_is_a_checkpoint_unless_said(self):
        assert gradients(*case(6), "checkpoint").peak_states == 6 + 1

    @MANY
    @given(st.integers(1, 30))
    def test_storing_and_reversing(self, rounds):
        for way, plan in (("store", store(rounds)), ("reverse", reverse(rounds))):
            found = gradients(*case(rounds), way)
            assert (found.peak_states, found.evaluations) == (plan.states + plan.records, plan.evaluations)

    def test_the_memory_that_python_hands_out_tells_the_same(self):
        """Bytes at the peak, from 8 to 40 rounds: 32 states more if stored, next to none if run backwards."""
        tracemalloc = pytest.importorskip("tracemalloc")

        def peak(rounds, memory):
            arguments = case(rounds, width=4, samples=5000)
            tracemalloc.start()
            gradients(*arguments, memory)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return peak

        state = 2 * 4 * 5000 * 8
        grown = {memory: (peak(40, memory) - peak(8, memory)) / state for memory in ("store", "reverse")}
        assert grown["store"] == pytest.approx(32, abs=1)
        assert abs(grown["reverse"]) < 0.5


class TestRefusals:
    def test_an_unknown_way(self):
        with pytest.raises(
            UnknownName, match=r"memory must be one of checkpoint, reverse, store .did you mean “store”"
        ):
            gradients(*case(), "stores")

    @pytest.mark.parametrize("every", [0, -1, 1.5, "2", None, True, float("nan")])
    def test_a_stretch_that_is_no_number_of_rounds(self, every):
        with pytest.raises(CalcError, match="every must be a whole number of at least 1"):
            gradients(*case(), "checkpoint", every)

    @pytest.mark.parametrize(
        "readout", [np.ones((2, 2)), np.ones(3), np.full((2, 3), np.nan), np.diag([np.nan, 1, 1])[:2], 1.0]
    )
    def test_a_readout_of_another_shape(self, readout):
        net, _, state, arms = case()
        with pytest.raises(CalcError, match=r"readout must be a finite array of shape \(2, 3\)"):
            gradients(net, readout, state, arms)

    @pytest.mark.parametrize("arms", [np.ones(6), np.zeros(7), np.full(7, 2.0), np.arange(7), np.ones((7, 1))])
    def test_answers_other_than_one_for_each_sample(self, arms):
        net, readout, state, _ = case()
        with pytest.raises(CalcError, match="arms must be an array of 7 numbers, each -1 or 1"):
            gradients(net, readout, state, arms)

    def test_a_single_row_without_samples(self):
        net, readout, _, _ = case()
        with pytest.raises(CalcError, match="state must be two arrays with one row for each sample"):
            gradients(net, readout, (np.ones(3), np.ones(3)), np.ones(1))
