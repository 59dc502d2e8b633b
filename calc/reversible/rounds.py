"""A residual network that runs backwards, so that training need not store what it computed on the way.

The rounds are those of a Feistel cipher (`calc.reversible.feistel`) with addition of numbers instead of exclusive or:
(x, y) -> (y, x + f(y)). Two of them are one block of a reversible network (Gomez et al., 2017; for transformers,
Kitaev et al., 2020). The function f need not be invertible: here it is s tanh(y A + b). In exact arithmetic the way
back is exact; in floating point x + f - f is not quite x, so errors build up, and `reconstruction_error` measures them.

Symbols: R rounds, d width of a half, (x, y) halves of a state, each one row per sample; A, b, s weights, bias, step.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from calc.quantities import draws
from calc.quantities.check import Array, Positive, checked, single
from calc.quantities.errors import OutOfRange, ShapeMismatch, UnknownName, WrongType
from calc.reversible.formats import FORMATS, Floats, Format

State: TypeAlias = tuple[Floats, Floats]


@dataclass(frozen=True)
class Network:
    """Weights (rounds, width, width), biases (rounds, width) and the step by which each round moves a state."""

    weights: Floats
    biases: Floats
    step: float
    format: Format = FORMATS["float64"]

    @property
    def rounds(self) -> int:
        """Number of rounds; two make a block."""
        return len(self.weights)

    @property
    def width(self) -> int:
        """Numbers in each half of a state."""
        return self.weights.shape[-1]

    def branch(self, index: int, half: Floats) -> Floats:
        """tanh(y A + b) of one round, before the step."""
        rounded = self.format.function
        return rounded(np.tanh(rounded(rounded(half) @ self.weights[index] + self.biases[index])))

    def added(self, half: Floats, branch: Floats) -> Floats:
        """A half of a state with the step's branch added."""
        return self.format.state(half + self.format.state(self.step * branch))

    def taken(self, half: Floats, branch: Floats) -> Floats:
        """The same, taken away again."""
        return self.format.state(half - self.format.state(self.step * branch))


@checked
def network(
    rounds: draws.Some,
    width: draws.Some,
    *,
    step: Positive = 1.0,
    strength: Positive = 1.0,
    seed: draws.Seed = 1,
    dtype: str = "float64",
) -> Network:
    """A network with random weights of deviation strength / sqrt(width) and biases of 0, in a format by its name.

    >>> network(4, 8).weights.shape
    (4, 8, 8)
    """
    if dtype not in FORMATS:
        raise UnknownName("dtype", dtype, FORMATS)
    kept = FORMATS[dtype]
    layers, size = int(single("rounds", rounds)), int(single("width", width))
    weights = draws.normal(int(single("seed", seed)), (layers, size, size))
    weights *= single("strength", strength) / np.sqrt(size)
    biases = np.zeros((layers, size), dtype=kept.dtype)
    return Network(kept.function(weights.astype(kept.dtype)), biases, single("step", step), kept)


def forward(net: Network, left: ArrayLike, right: ArrayLike) -> State:
    """The state after all rounds, (x, y) -> (y, x + s tanh(y A + b)).

    >>> net = network(6, 4)
    >>> state = forward(net, [1, 2, 3, 4], [0, 0, 0, 1])
    >>> [(half.round(9) + 0).tolist() for half in inverse(net, *state)]
    [[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 1.0]]
    """
    *_, last = states(net, left, right)
    return last


def inverse(net: Network, left: ArrayLike, right: ArrayLike) -> State:
    """The state that `forward` was given, up to rounding: (x, y) -> (y - s tanh(x A + b), x), from the last round.

    >>> [float(half[0].round(9)) for half in inverse(network(2, 1), *forward(network(2, 1), [5], [7]))]
    [5.0, 7.0]
    """
    *_, first = undone(net, left, right)
    return first


def states(net: Network, left: ArrayLike, right: ArrayLike) -> Iterator[State]:
    """The states after 0, 1, … rounds.

    >>> len(list(states(network(6, 4), [0, 0, 0, 0], [0, 0, 0, 1])))
    7
    """
    x, y = state_of(net, left, right)
    yield x, y
    for index in range(net.rounds):
        x, y = y, net.added(x, net.branch(index, y))
        yield x, y


def undone(net: Network, left: ArrayLike, right: ArrayLike) -> Iterator[State]:
    """The states after undoing 0, 1, … rounds, from the last one.

    >>> net = network(6, 4)
    >>> len(list(undone(net, *forward(net, [0, 0, 0, 0], [0, 0, 0, 1]))))
    7
    """
    x, y = state_of(net, left, right)
    yield x, y
    for index in reversed(range(net.rounds)):
        x, y = net.taken(y, net.branch(index, x)), x
        yield x, y


def state_of(net: Network, left: ArrayLike, right: ArrayLike) -> State:
    """The two halves as finite arrays (…, width) in the network's precision; refused if they are not.

    >>> [half.tolist() for half in state_of(network(4, 2), [1, 2], [3, 4])]
    [[1.0, 2.0], [3.0, 4.0]]
    """
    x, y = _half("left", net, left), _half("right", net, right)
    if x.shape != y.shape:
        raise ShapeMismatch("right", y.shape, f"of the same shape as left, {x.shape}")
    return x, y


@checked
def inputs(net: Network, samples: draws.Some, seed: draws.Seed = 2) -> State:
    """Random states with entries of deviation 1, one row per sample.

    >>> [half.shape for half in inputs(network(4, 8), 100)]
    [(100, 8), (100, 8)]
    """
    shape = (2, int(single("samples", samples)), net.width)
    drawn = net.format.state(draws.normal(int(single("seed", seed)), shape).astype(net.weights.dtype))
    return drawn[0], drawn[1]


def reconstruction_error(net: Network, samples: draws.Some = 100, seed: draws.Seed = 2) -> float:
    """Largest error of inverse(forward(state)) in any entry, over the largest entry of the state.

    >>> reconstruction_error(network(16, 8)) < 1e-10 < reconstruction_error(network(16, 8, dtype="float32")) < 1e-3
    True
    """
    before = np.stack(inputs(net, samples, seed))
    after = np.stack(inverse(net, *forward(net, *before)))
    return float(np.abs(after - before).max() / np.abs(before).max())


@dataclass(frozen=True)
class Spread:
    """A small difference after 0, 1, … rounds.

    `gain` is its size over that at the start. `unrelated` is its size over that between unrelated states, a scale on
    which a cipher's avalanche, twice the share of flipped bits, is at home too: 1 means that nothing is recognisable.
    """

    gain: Array
    unrelated: Array


@checked
def spread(net: Network, size: Positive = 1e-3, samples: draws.Some = 100, seed: draws.Seed = 2) -> Spread:
    """How a difference of `size` in one entry of the state grows from round to round: mean of Euclidean lengths.

    >>> spread(network(8, 4)).gain[0]
    np.float64(1.0)
    """
    if single("samples", samples) < 2:
        raise OutOfRange("samples", samples, "a whole number of at least 2: each needs a stranger to be compared with")
    left, right = inputs(net, samples, seed)
    moved = right.copy()
    moved[:, 0] += single("size", size)
    pairs = list(zip(states(net, left, right), states(net, left, moved), strict=True))
    lengths = np.array([_distance(one, other) for one, other in pairs])
    if not lengths[0]:
        raise OutOfRange("size", size, "large enough to change the number that it is added to")
    strangers = np.array([_distance(one, (np.roll(one[0], 1, 0), np.roll(one[1], 1, 0))) for one, _ in pairs])
    return Spread(lengths / lengths[0], lengths / strangers)


@checked
def squared_gain(net: Network, samples: draws.Some = 100, seed: draws.Seed = 2) -> Array:
    """Gain of a squared length from the derivatives J of each round's tanh(y A), on average over directions: c_J.

    J has the entries (1 - tanh^2) A, so c_J is the sum of their squares over the width; mean over random states. With
    random weights a difference grows over R rounds by about the product of sqrt(1 + s^2 c_J / 2).

    >>> bool(squared_gain(network(2, 400, strength=1e-6))[0] * 1e12 > 0.99)
    True
    """
    seen = states(net, *inputs(net, samples, seed))
    slopes = ((1 - net.branch(index, y) ** 2) ** 2 for index, (_, y) in zip(range(net.rounds), seen, strict=False))
    return np.array(
        [
            (slope @ (weights.T**2)).sum(-1).mean() / net.width
            for slope, weights in zip(slopes, net.weights, strict=True)
        ]
    )


def growth(net: Network, squared: Array) -> float:
    """By how much a small difference grows over all rounds, if each makes `squared` of a squared length.

    >>> round(growth(network(2, 8, step=0.5), np.array([4.0, 4.0])), 9)
    1.5
    """
    return float(np.sqrt(np.prod(1 + net.step**2 * squared / 2)))


def _distance(one: State, other: State) -> float:
    squares = sum(((a.astype(np.float64) - b) ** 2).sum(-1) for a, b in zip(one, other, strict=True))
    return float(np.sqrt(squares).mean())


def _half(argument: str, net: Network, value: ArrayLike) -> Floats:
    try:
        half = np.asarray(value, dtype=net.weights.dtype)
    except (TypeError, ValueError):
        raise WrongType(argument, value, "an array of numbers") from None
    if half.shape[-1:] != (net.width,) or not half.size:
        raise ShapeMismatch(argument, half.shape, f"an array whose last side is the width, {net.width}")
    if not np.isfinite(half).all():
        raise WrongType(argument, value, "an array of finite numbers")
    return half
