import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.quantities.errors import CalcError, UnknownName
from calc.reversible.feistel import avalanche
from calc.reversible.formats import FORMATS, bfloat16
from calc.reversible.rounds import (
    Network,
    forward,
    growth,
    inputs,
    inverse,
    network,
    reconstruction_error,
    spread,
    squared_gain,
    state_of,
    states,
    undone,
)

SIZES = st.integers(1, 12)
SEEDS = st.integers(0, 1000)
MANY = settings(max_examples=30, deadline=None)
EPSILON = {"float32": 2.0**-23, "float64": 2.0**-52}


class TestNetwork:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_it_is_drawn_in_its_precision(self, dtype):
        net = network(6, 4, step=0.5, dtype=dtype)
        assert (net.weights.dtype, net.biases.dtype) == (dtype, dtype)
        assert (net.weights.shape, net.biases.shape, net.rounds, net.width) == ((6, 4, 4), (6, 4), 6, 4)
        assert net.step == 0.5
        assert not net.biases.any()

    def test_weights_keep_the_size_of_what_they_multiply(self):
        net = network(10, 64)
        assert net.weights.std() * 8 == pytest.approx(1, abs=0.02)
        assert network(10, 64, strength=3).weights == pytest.approx(3 * net.weights)
        assert network(10, 64, seed=2).weights[0, 0, 0] != net.weights[0, 0, 0]

    def test_an_unknown_precision_is_refused_with_the_nearest_one(self):
        with pytest.raises(UnknownName, match="did you mean “float32”"):
            network(2, 2, dtype="float3")

    @pytest.mark.parametrize("huge", [{"rounds": 1e300}, {"width": 2**53}, {"rounds": 1e6, "width": 1e6}])
    def test_a_network_that_no_memory_holds_is_refused(self, huge):
        with pytest.raises(CalcError, match="must be"):
            network(**({"rounds": 2, "width": 2} | huge))

    @pytest.mark.parametrize("name", ["rounds", "width", "step", "strength", "seed"])
    def test_several_at_once_are_refused(self, name):
        with pytest.raises(CalcError, match=f"^{name} must be a single number"):
            network(**({"rounds": 2, "width": 2} | {name: [1, 2]}))


class TestWay:
    @MANY
    @given(SIZES, SIZES, SEEDS, st.sampled_from(["float32", "float64"]))
    def test_back_leads_where_there_began(self, rounds, width, seed, dtype):
        net = network(rounds, width, seed=seed, dtype=dtype)
        before = inputs(net, 5, seed)
        after = inverse(net, *forward(net, *before))
        assert after[0].dtype == dtype
        for one, other in zip(before, after, strict=True):
            assert other == pytest.approx(one, abs=1e4 * EPSILON[dtype])

    def test_one_round_swaps_and_adds_the_branch(self):
        net = network(1, 3, step=0.25)
        left, right = inputs(net, 4)
        one, other = forward(net, left, right)
        assert one.tolist() == right.tolist()
        assert other == pytest.approx(left + 0.25 * np.tanh(right @ net.weights[0]))

    def test_the_bias_moves_the_branch(self):
        net = network(1, 2)
        net.biases[:] = 1.0
        assert forward(net, [0, 0], [0, 0])[1].tolist() == pytest.approx([np.tanh(1.0)] * 2)

    def test_the_states_lead_from_the_input_to_the_output(self):
        net = network(5, 3)
        left, right = inputs(net, 2)
        seen = list(states(net, left, right))
        assert len(seen) == 6
        assert seen[0][0].tolist() == left.tolist()
        assert seen[5][1].tolist() == forward(net, left, right)[1].tolist()
        assert all(before[1].tolist() == after[0].tolist() for before, after in itertools.pairwise(seen))

    def test_the_way_back_passes_the_same_states(self):
        net = network(5, 3)
        seen = list(states(net, *inputs(net, 2)))
        for there, back in zip(reversed(seen), undone(net, *seen[-1]), strict=True):
            assert np.stack(back) == pytest.approx(np.stack(there), abs=1e-12)

    def test_it_is_exact_where_addition_is(self):
        """Dyadic halves and a branch without rounding, tanh(0) = 0: nothing is lost."""
        net = network(8, 2)
        net.weights[:] = 0
        assert [half.tolist() for half in inverse(net, *forward(net, [0.5, 2], [1, 3]))] == [[0.5, 2], [1, 3]]


class TestReconstruction:
    @pytest.mark.parametrize("dtype", ["float32", "float64"])
    def test_a_few_rounds_lose_a_few_units_in_the_last_place(self, dtype):
        error = reconstruction_error(network(8, 16, dtype=dtype))
        assert EPSILON[dtype] / 8 < error < 100 * EPSILON[dtype]

    def test_it_is_measured_in_units_of_the_largest_entry(self):
        net = network(6, 4, dtype="float32")
        before = np.stack(inputs(net, 9, 4))
        error = np.abs(np.stack(inverse(net, *forward(net, *before))) - before).max() / np.abs(before).max()
        assert reconstruction_error(net, samples=9, seed=4) == float(error) > 0

    def test_single_precision_loses_what_the_formats_differ_by(self):
        ratio = reconstruction_error(network(32, 16, dtype="float32")) / reconstruction_error(network(32, 16))
        assert 1e8 < ratio < 1e10  # 2^29 = 5.4e8

    def test_full_steps_lose_everything_with_depth(self):
        errors = [reconstruction_error(network(rounds, 16, dtype="float32")) for rounds in (8, 64, 512)]
        assert errors[0] < errors[1] / 10 < errors[2] / 1000
        assert errors[2] > 0.01

    def test_short_steps_do_not(self):
        errors = [reconstruction_error(network(r, 16, step=r**-0.5, dtype="float32")) for r in (8, 64, 512)]
        assert max(errors) < 20 * EPSILON["float32"]


class TestSpread:
    def test_it_begins_with_the_difference_itself(self):
        small = spread(network(6, 8), 1e-3)
        assert small.gain[0] == 1
        assert len(small.gain) == len(small.unrelated) == 7

    def test_a_first_round_only_moves_a_difference_of_the_right_half_over(self):
        """(x, y + e) -> (y + e, x + s f(y + e)): never smaller after one round."""
        assert spread(network(1, 8)).gain[1] >= 1

    def test_short_steps_keep_it_near_one_and_full_ones_do_not(self):
        """The purpose of a residual network, and what a cipher must avoid."""
        kept = [spread(network(rounds, 16, step=1 / rounds)).gain[-1] for rounds in (16, 64, 256)]
        assert kept == pytest.approx([1, 1, 1], abs=0.3)
        assert spread(network(128, 16)).gain[-1] > 10

    def test_strong_weights_let_it_grow_and_still_more_slowly_than_a_cipher(self):
        """Twice the share of flipped bits is a cipher's distance from a stranger: one of 64 is 1/32 at the start."""
        net = network(16, 32, strength=8)
        start = avalanche(16)[0] * 2
        wild = spread(net, start * spread(net, 1.0).unrelated[0] ** -1)
        assert wild.unrelated[0] == pytest.approx(start)
        assert (wild.unrelated[4:10] < 2 * avalanche(16)[4:10]).all()
        assert wild.gain[-1] > 5 * spread(network(16, 32), 1e-3).gain[-1]

    def test_strangers_are_the_unit(self):
        """A shift of one entry by d is d over the distance of two independent states, 2 sqrt(width) on average."""
        small = spread(network(1, 50), 1e-3, samples=400)
        assert small.unrelated[0] == pytest.approx(1e-3 / (2 * np.sqrt(50)), rel=0.02)

    def test_strangers_are_other_samples_and_not_other_entries(self):
        assert np.isfinite(spread(network(2, 1), samples=2).unrelated).all()
        with pytest.raises(CalcError, match="samples must be a whole number of at least 2"):
            spread(network(2, 1), samples=1)

    def test_what_is_left_out_is_said_in_the_signature(self):
        net = network(3, 4)
        assert reconstruction_error(net) == reconstruction_error(net, samples=100, seed=2)
        assert spread(net).gain.tolist() == spread(net, size=1e-3, samples=100, seed=2).gain.tolist()
        assert (inputs(net, 3)[0] == inputs(net, 3, seed=2)[0]).all()
        assert (network(3, 4).weights == network(3, 4, step=1, strength=1, seed=1, dtype="float64").weights).all()

    @MANY
    @given(st.floats(1e-6, 1e-3))
    def test_small_differences_grow_alike(self, size):
        net = network(8, 8)
        assert spread(net, size).gain == pytest.approx(spread(net, size / 2).gain, rel=1e-2)


class TestGrowth:
    """How a difference grows, from what the derivatives of each round make of a squared length."""

    def test_a_squared_length_is_that_of_the_derivatives_times_a_direction(self):
        net = network(1, 6, strength=2)
        _, half = inputs(net, 3)
        moved = [half + 1e-6 * axis for axis in np.eye(6)]
        squares = [((net.branch(0, there) - net.branch(0, half)) / 1e-6) ** 2 for there in moved]
        assert squared_gain(net, 3) == pytest.approx(np.mean(np.sum(squares, axis=-1)), rel=1e-4)

    def test_it_falls_from_round_to_round_where_steps_are_full(self):
        full, short = (squared_gain(network(100, 16, step=step)) for step in (1, 0.1))
        assert full[-1] < full[0] / 3
        assert short[-1] > 0.8 * short[0]

    @pytest.mark.parametrize("rounds", [16, 64, 256])
    @pytest.mark.parametrize("short", [False, True])
    def test_measured_differences_grow_by_it(self, rounds, short):
        nets = [network(rounds, 32, step=rounds**-0.5 if short else 1, seed=seed) for seed in range(6)]
        measured = np.mean([spread(net, 1e-6, samples=10).gain[-1] for net in nets])
        assert measured == pytest.approx(np.mean([growth(net, squared_gain(net, 20)) for net in nets]), rel=0.35)

    def test_what_the_first_round_makes_says_nothing_of_many_full_ones(self):
        net = network(256, 16)
        squared = squared_gain(net)
        assert growth(net, np.full(256, squared[0])) > 1e6 * growth(net, squared)

    @pytest.mark.parametrize(("step", "layers", "whole"), [(1, 2, 2.5625), (1, 64, 2 * 53.93**2), (1 / 8, 64, 2.266)])
    def test_the_halves_followed_one_by_one(self, step, layers, whole):
        """Squared lengths of 1 in both halves, of which each layer adds a quarter times step^2: near the product."""
        left = right = 1.0
        for _ in range(layers):
            left, right = right, left + step**2 / 4 * right
        assert left + right == pytest.approx(whole, rel=1e-3)
        foreseen = growth(network(layers, 1, step=step), np.full(layers, 0.25))
        assert foreseen == pytest.approx(math.sqrt(whole / 2), rel=0.2)


class TestRefusals:
    @pytest.mark.parametrize(
        ("call", "names"),
        [
            (inputs, ["samples", "seed"]),
            (reconstruction_error, ["samples", "seed"]),
            (squared_gain, ["samples", "seed"]),
            (spread, ["size", "samples", "seed"]),
        ],
    )
    @pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "x", [1, 2], None])
    def test_bad_measurements_are_named(self, call, names, bad):
        for name in names:
            with pytest.raises(CalcError, match=f"^{name} must be "):
                call(network(2, 2), **({"samples": 3} | {name: bad}))

    @pytest.mark.parametrize("name", ["left", "right"])
    @pytest.mark.parametrize(
        "bad",
        [[1, 2, 3], 5, [], ["a", "b"], [[1, 2], [3]], [1, float("nan")], [1, float("inf")], None, np.ones((0, 2))],
    )
    def test_a_half_that_is_no_row_of_the_width_is_named(self, name, bad):
        with pytest.raises(CalcError, match=f"^{name} must be an array"):
            forward(network(2, 2), **({"left": [1, 2], "right": [3, 4]} | {name: bad}))

    def test_halves_of_different_length_are_refused(self):
        with pytest.raises(CalcError, match="right must be of the same shape as left"):
            state_of(network(2, 2), np.ones((3, 2)), np.ones((4, 2)))

    def test_inverse_refuses_the_same(self):
        with pytest.raises(CalcError, match=r"^left must be an array whose last side is the width, 2"):
            inverse(network(2, 2), [1], [1])


def missed(width, layers=80, samples=32):
    """Each input's error on the way back, as `reconstruction_error` has it, for widths beyond what `network` draws."""
    draw = np.random.default_rng(1)
    deviation = np.float32(width**-0.5)
    weights = [bfloat16(draw.standard_normal((width, width), dtype=np.float32) * deviation) for _ in range(layers)]
    net = Network(np.stack(weights), np.zeros((layers, width), np.float32), layers**-0.5, FORMATS["mixed"])
    before = np.stack(inputs(net, samples))
    after = np.stack(inverse(net, *forward(net, *before)))
    return np.abs(after - before).max((0, 2)) / np.abs(before).max()


def test_with_short_steps_a_wider_network_misses_more_of_its_inputs_but_hardly_by_more():
    """By the mean of those missed: a worst of few is luck, and differs by the order in which numbers are summed."""
    narrow, wide = missed(256, samples=100), missed(1024)
    of_narrow, of_wide = narrow > 1e-4, wide > 1e-4
    assert np.mean(of_narrow) < 0.25 < 0.5 < np.mean(of_wide)
    assert 0.7 < wide[of_wide].mean() / narrow[of_narrow].mean() < 1.5
    assert wide.max() < 2 * reconstruction_error(network(80, 256, step=80**-0.5, dtype="mixed"))
