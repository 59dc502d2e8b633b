"""The same gradients three ways: activations stored, recomputed from checkpoints, or run backwards.

Backpropagation goes through the rounds from last to first and needs, for each, its input half y and its tanh. The
difference is where they come from. `store` keeps them all; `checkpoint` keeps every k-th state and runs forward again
from there; `reverse` keeps the last state and inverts round after round. A meter counts, while it happens, how many
states are held at once and how often a round is evaluated, for `calc.reversible.activation_memory` to be compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from calc.quantities.errors import OutOfRange, ShapeMismatch, UnknownName
from calc.reversible.formats import FORMATS, Floats
from calc.reversible.rounds import Network, State, state_of

Kept = tuple[int, Floats, Floats]


@dataclass
class Meter:
    """Counts states held now and at most, and evaluations of a round. A state is both halves of every sample.

    `trace` tells the story: evaluations, rounds gone back through, and states held, at every keeping and dropping.
    """

    held: int = 0
    peak: int = 0
    evaluations: int = 0
    backwards: int = 0
    trace: list[tuple[int, int, int]] = field(default_factory=list)

    def keep(self) -> None:
        """One state, or one round's record of the same size, is held from now on."""
        self.held += 1
        self.peak = max(self.peak, self.held)
        self._note()

    def drop(self) -> None:
        """One is no longer held."""
        self.held -= 1
        self._note()

    def branch(self, net: Network, index: int, half: Floats) -> Floats:
        """A round's tanh, counted."""
        self.evaluations += 1
        return net.branch(index, half)

    def _note(self) -> None:
        self.trace.append((self.evaluations, self.backwards, self.held))


Way = Callable[[Network, State, Meter, int], tuple[State, Iterator[Kept]]]


@dataclass(frozen=True)
class Gradients:
    """The loss, its derivatives, and what they took: states held at most, evaluations of a round, the meter's trace."""

    loss: float
    weights: Floats
    biases: Floats
    readout: Floats
    peak_states: int
    evaluations: int
    trace: tuple[tuple[int, int, int], ...]


def gradients(
    net: Network, readout: Floats, state: State, arms: Floats, memory: str = "store", every: int = 1
) -> Gradients:
    """Loss and derivatives of a network with readout (2, width), by one of three ways: store, checkpoint, reverse.

    The samples are the rows of both halves of `state`, and `arms` tells for each, by -1 or 1, which answer is right.
    `every` is the number of rounds from one checkpoint to the next.

    >>> from calc.reversible import inputs, network
    >>> net = network(6, 2)
    >>> found = [gradients(net, np.ones((2, 2)), inputs(net, 3), np.ones(3), way, every=3) for way in WAYS]
    >>> [round(one.loss, 9) == round(found[0].loss, 9) for one in found], [one.peak_states for one in found]
    ([True, True, True], [6, 5, 2])
    """
    if memory not in WAYS:
        raise UnknownName("memory", memory, WAYS)
    if type(every) is not int or every < 1:
        raise OutOfRange("every", every, "a whole number of at least 1")
    meter = Meter()
    last, records = WAYS[memory](net, _accepted(net, readout, state, arms), meter, every)
    loss, slope = _logistic(logits(last, readout), arms)
    out = np.stack([slope @ half for half in last])
    del last  # or it would stay beside what the way back holds
    pull = (np.outer(slope, readout[0]), np.outer(slope, readout[1]))
    weights, biases = np.empty_like(net.weights), np.empty_like(net.biases)
    for index, half, branch in records:
        inner = pull[1] * net.step * (1 - branch**2)
        weights[index], biases[index] = half.T @ inner, inner.sum(0)
        pull = (pull[1], pull[0] + inner @ net.weights[index].T)
        meter.backwards += 1
    return Gradients(loss, weights, biases, out, meter.peak, meter.evaluations, tuple(meter.trace))


def logits(state: State, readout: Floats) -> Floats:
    """Logits that the readout (2, width) makes of a state: one number for each sample.

    >>> logits((np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])), np.array([[1.0, 0.0], [0.0, 1.0]])).tolist()
    [5.0]
    """
    return np.asarray(state[0] @ readout[0] + state[1] @ readout[1])


def difference(one: Gradients, other: Gradients) -> float:
    """Largest difference of any derivative, over the largest of its kind (weights, biases, readout) in `other`.

    >>> from calc.reversible import inputs, network
    >>> net = network(6, 2)
    >>> stored = gradients(net, np.ones((2, 2)), inputs(net, 3), np.ones(3))
    >>> difference(stored, stored)
    0.0
    """
    pairs = [(getattr(one, part), getattr(other, part)) for part in ("weights", "biases", "readout")]
    off = (np.abs(mine - theirs).max() / (np.abs(theirs).max() if theirs.any() else 1.0) for mine, theirs in pairs)
    return float(max(off))


def format_errors(net: Network, readout: Floats, state: State, arms: Floats) -> tuple[float, float]:
    """How far running backwards moves the gradients, and how far the network's format does with everything stored.

    The first is the `difference` of reverse from store, the second that of store from the same network in 64 bits:
    the same weights and inputs, nothing else rounded.

    >>> from calc.reversible import inputs, network
    >>> net = network(6, 2, dtype="mixed")
    >>> undone, alone = format_errors(net, np.ones((2, 2)), inputs(net, 3), np.ones(3))
    >>> undone < 1e-6 < alone < 0.1
    True
    """
    exact = FORMATS["float64"]
    wide = replace(net, weights=net.weights.astype(float), biases=net.biases.astype(float), format=exact)
    kept = gradients(net, readout, state, arms)
    true = gradients(wide, readout.astype(float), (state[0].astype(float), state[1].astype(float)), arms.astype(float))
    return difference(gradients(net, readout, state, arms, "reverse"), kept), difference(kept, true)


def _accepted(net: Network, readout: Floats, state: State, arms: Floats) -> State:
    state = state_of(net, *state)
    if state[0].ndim != 2:
        raise ShapeMismatch("state", state[0].shape, "two arrays with one row for each sample")
    if np.shape(readout) != (2, net.width) or not np.isfinite(readout).all():
        raise ShapeMismatch("readout", readout, f"a finite array of shape {(2, net.width)}")
    if np.shape(arms) != state[0].shape[:1] or not np.isin(arms, (-1, 1)).all():
        raise ShapeMismatch("arms", arms, f"an array of {len(state[0])} numbers, each -1 or 1")
    return state


def _store(net: Network, state: State, meter: Meter, every: int) -> tuple[State, Iterator[Kept]]:
    """Keep every round's record from the way forward."""
    last, records = _segment(net, state, meter, range(net.rounds))
    return last, _spent(records, meter)


def _checkpoint(net: Network, state: State, meter: Meter, every: int) -> tuple[State, Iterator[Kept]]:
    """Keep the state before every k-th round, and go forward again from there."""
    starts = []
    for index in range(net.rounds):
        if index % every == 0:
            starts.append((index, state))
            meter.keep()
        state = _next(net, state, meter.branch(net, index, state[1]))

    def records() -> Iterator[Kept]:
        while starts:
            index, start = starts.pop()
            _, segment = _segment(net, start, meter, range(index, min(index + every, net.rounds)))
            yield from _spent(segment, meter)
            meter.drop()

    return state, records()


def _reverse(net: Network, state: State, meter: Meter, every: int) -> tuple[State, Iterator[Kept]]:
    """Keep the last state alone, and invert one round after the other."""
    for index in range(net.rounds):
        state = _next(net, state, meter.branch(net, index, state[1]))
    meter.keep()
    return state, _inverted(net, *state, meter)


WAYS: dict[str, Way] = {"store": _store, "checkpoint": _checkpoint, "reverse": _reverse}


def _segment(net: Network, state: State, meter: Meter, rounds: range) -> tuple[State, list[Kept]]:
    records: list[Kept] = []
    for index in rounds:
        branch = meter.branch(net, index, state[1])
        records.append((index, state[1], branch))
        meter.keep()
        state = _next(net, state, branch)
    return state, records


def _inverted(net: Network, x: Floats, y: Floats, meter: Meter) -> Iterator[Kept]:
    for index in reversed(range(net.rounds)):
        branch = meter.branch(net, index, x)
        meter.keep()
        yield index, x, branch
        meter.drop()
        x, y = net.taken(y, branch), x


def _spent(records: list[Kept], meter: Meter) -> Iterator[Kept]:
    while records:
        yield records.pop()
        meter.drop()


def _next(net: Network, state: State, branch: Floats) -> State:
    return state[1], net.added(state[0], branch)


def _logistic(outputs: Floats, arms: Floats) -> tuple[float, Floats]:
    """Mean of log(1 + exp(-arm x logit)), and its derivative by each logit."""
    margin = arms * outputs
    return float(np.logaddexp(0, -margin).mean()), arms * (np.tanh(margin / 2) - 1) / (2 * len(arms))
