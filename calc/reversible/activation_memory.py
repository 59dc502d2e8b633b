"""Records that training must keep between the way forward and the way back, and what forgetting costs.

Backpropagation needs, for each layer, what the layer computed: its record. Records are stored, or made again from a
layer's input state, of which some are kept (checkpoints, Chen et al., 2016) or which is inverted out of the next one
(reversible layers, Gomez et al., 2017). Memory goes from R records to about 2 sqrt(R) or to 1; the price in either case
is one more evaluation of each layer. Checkpoints on a second level take less memory, and nearly one evaluation more.
Counted are activations only, not weights, gradients or optimiser.

Symbols: R layers, k layers from one checkpoint to the next, q cost of a layer's backward over its forward pass.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Count, Positive, Quantity, checked

UNDONE = 4.0  # bytes of a state that is undone, two halves of full width in 32 bits, over those of one that is read


@dataclass(frozen=True)
class Plan:
    """Most states and records held at once, and evaluations of a layer, in one training step of R layers."""

    layers: Quantity
    states: Quantity
    records: Quantity
    evaluations: Quantity

    def bytes(self, state_bytes: Quantity, record_bytes: Quantity) -> Quantity:
        """Bytes held at most: states x their size + records x theirs."""
        return self.states * state_bytes + self.records * record_bytes

    def overhead(self, backward: Quantity = 2.0) -> Quantity:
        """Work over that of a step which stores everything: (evaluations / R + q) / (1 + q)."""
        return (self.evaluations / self.layers + backward) / (1 + backward)


@checked
def store(layers: Count) -> Plan:
    """Keep every record: R of them, each layer evaluated once.

    >>> store(64)
    Plan(layers=64.0, states=0.0, records=64.0, evaluations=64.0)
    """
    return Plan(layers, 0.0 * layers, layers, layers)


@checked
def checkpoint(layers: Count, every: Count) -> Plan:
    """Keep the state before every k-th layer: R / k states, and the k records of the stretch on the way back.

    Where k does not divide R, the last stretch is shorter and gone before the first full one: R / k is rounded down.
    That takes a record to be no smaller than a state.

    >>> plan = checkpoint(64, 8)
    >>> float(plan.bytes(1, 2)), round(plan.overhead(), 3)
    (24.0, 1.333)
    """
    states = np.maximum(1.0, np.floor(np.divide(layers, every)))
    return Plan(layers, states, np.minimum(every, layers), 2 * layers)


@checked
def nested(layers: Count) -> Plan:
    """Checkpoints on two levels: before each stretch, and before each layer of the stretch that is on its way back.

    One record, and the fewest states S with S (S + 1) / 2 >= R: the first stretch has S layers and each next one a
    layer less, for a checkpoint more stands before it. A stretch's first state is there already; it runs again up to
    its last state, and each of its layers once more for the record.

    >>> plan = nested(80)
    >>> float(plan.states), plan.records, float(plan.evaluations), round(float(plan.overhead()), 3)
    (13.0, 1.0, 231.0, 1.629)
    """
    states = np.ceil((np.sqrt(8 * np.asarray(layers) + 1) - 1) / 2)
    twice = 2 * states + 1
    stretches = np.ceil((twice - np.sqrt(twice**2 - 8 * np.asarray(layers))) / 2)
    return Plan(layers, states, 1.0 + 0.0 * layers, 3 * layers - stretches)


@checked
def reverse(layers: Count, last: Positive = 1.0) -> Plan:
    """Keep the last state and invert: one state and one record however many layers, each evaluated twice.

    `last` is how many states' bytes the last one takes: `UNDONE` at the parameters of the network that stores.

    >>> plan = reverse(64)
    >>> plan.states, plan.records, plan.overhead(backward=1)
    (1.0, 1.0, 1.5)
    """
    one = 1.0 + 0.0 * layers
    return Plan(layers, last * one, one, 2 * layers)


@checked
def best_interval(layers: Count, state_bytes: Positive = 1.0, record_bytes: Positive = 1.0) -> Quantity:
    """The equal stretches that need least memory: sqrt(R state / record), holding 2 sqrt(R state record) bytes.

    >>> best_interval(64), best_interval(64, 1, 16)
    (8.0, 2.0)
    """
    return np.sqrt(layers * state_bytes / record_bytes)


@checked
def whole_interval(layers: Count, state_bytes: Positive = 1.0, record_bytes: Positive = 1.0) -> Quantity:
    """Whole layers between checkpoints that need least: the better neighbour of `best_interval`, 1 at least.

    >>> float(whole_interval(80, 1, 17)), float(whole_interval(36, 1, 17))
    (2.0, 2.0)
    """
    low = np.maximum(1.0, np.floor(best_interval(layers, state_bytes, record_bytes)))
    shorter, longer = (checkpoint(layers, low + more).bytes(state_bytes, record_bytes) for more in (0, 1))
    return np.asarray(np.where(longer < shorter, low + 1, low))


@checked
def state_bytes(tokens: Positive, width: Count, bytes_per_element: Positive = 2.0) -> Quantity:
    """Bytes of the input of one transformer layer: tokens x width x bytes per element.

    >>> state_bytes(1000, 1000)
    2000000.0
    """
    return tokens * width * bytes_per_element
