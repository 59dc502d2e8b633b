"""A small network that learns the same with and without its activations stored.

The task is to tell two interleaved spirals apart. A point enters in both halves of the state, padded with zeros, and
leaves through a linear readout and the logistic loss. The parameters follow gradient descent with momentum, by the
gradients of `calc.reversible.gradients`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calc.quantities import draws
from calc.quantities.check import Array, Positive, Share, checked, single
from calc.quantities.errors import OutOfRange
from calc.reversible.formats import Floats
from calc.reversible.gradients import Gradients, gradients, logits
from calc.reversible.rounds import Network, State, forward, network

LARGEST = 1e6


@dataclass(frozen=True)
class Training:
    """A finished run: loss before each step, share of points told apart after the last, gradients of the last step."""

    memory: str
    losses: Array
    accuracy: float
    last: Gradients
    net: Network
    readout: Floats


@checked
def spirals(points: draws.Some, turns: Positive = 1.0, seed: draws.Seed = 3) -> tuple[Array, Array]:
    """Points on two interleaved spirals of radius 1, and the arm of each, -1 or 1.

    >>> places, arms = spirals(100)
    >>> places.shape, sorted(set(arms.tolist()))
    ((100, 2), [-1.0, 1.0])
    """
    count = int(single("points", points))
    along = np.sqrt(draws.uniform(int(single("seed", seed)), count))
    arms = np.where(np.arange(count) % 2, 1.0, -1.0)
    angle = 2 * np.pi * turns * along
    return (arms * along * np.stack([np.cos(angle), np.sin(angle)])).T, arms


@checked
def train(
    memory: str = "store",
    *,
    steps: draws.Some = 200,
    rounds: draws.Some = 16,
    width: draws.Some = 8,
    points: draws.Some = 200,
    every: draws.Some = 4,
    rate: Positive = 0.3,
    momentum: Share = 0.9,
    seed: draws.Seed = 1,
    dtype: str = "float64",
) -> Training:
    """Train on the spirals from the same random start whatever the way; a second or so.

    >>> run = train("reverse", steps=3, rounds=4)
    >>> bool(run.losses[0] > run.losses[2]), run.last.peak_states, run.last.evaluations
    (True, 2, 8)
    """
    if np.any(np.asarray(width) < 2):
        raise OutOfRange("width", width, "a whole number of at least 2, for the two coordinates of a point")
    net = network(rounds, width, step=1 / np.sqrt(rounds), seed=seed, dtype=dtype)
    places, arms = spirals(points)
    state = _entry(places, net)
    readout: Floats = np.full((2, net.width), 1 / net.width, dtype=dtype)
    speed = [np.zeros_like(part) for part in (net.weights, net.biases, readout)]
    losses = []
    for _ in range(int(single("steps", steps))):
        found = gradients(net, readout, state, arms.astype(dtype), memory, int(single("every", every)))
        losses.append(found.loss)
        with np.errstate(over="ignore", invalid="ignore"):
            for part, slope in zip(speed, (found.weights, found.biases, found.readout), strict=True):
                part *= momentum
                part -= single("rate", rate) * slope
        if not all(np.all(np.abs(part) < LARGEST) for part in speed):
            raise OutOfRange("rate", rate, f"small enough that no parameter moves by {LARGEST:g} in a step")
        net = replace(net, weights=net.weights + speed[0], biases=net.biases + speed[1])
        readout = readout + speed[2]
    right = np.sign(logits(forward(net, *state), readout)) == arms
    return Training(memory, np.array(losses), float(right.mean()), found, net, readout)


def _entry(places: Array, net: Network) -> State:
    """The points, padded with zeros to the width, in both halves."""
    half = np.zeros((len(places), net.width), dtype=net.weights.dtype)
    half[:, : places.shape[1]] = places
    return half, half.copy()
