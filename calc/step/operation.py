"""One operation of a pass: what a chip multiplies, moves and sends in it, over all layers in which it occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calc.quantities.arithmetic import anywhere
from calc.quantities.check import Quantity

RESOURCES = ("compute", "memory", "scale-up", "scale-out")


@dataclass(frozen=True, kw_only=True)
class Operation:
    """Work of the busiest chip, in operations and bytes, and the rates at which it is done at the best.

    Bytes of `weights` are read, of `cache` and `state` read and written, of `activations` taken in and handed on;
    `scale_up` and `scale_out` are sent; of these a switch that adds what passes through it spares the `spared_up` and
    `spared_out`. `rounds` are messages that wait for one another; `launches` are kernels.
    `beside` names an operation of the same layer that needs nothing of it, so that both can go on at once.
    """

    name: str
    layers: Quantity
    flops: Quantity = 0.0
    weights: Quantity = 0.0
    cache: Quantity = 0.0
    state: Quantity = 0.0
    activations: Quantity = 0.0
    scale_up: Quantity = 0.0
    scale_out: Quantity = 0.0
    spared_up: Quantity = 0.0
    spared_out: Quantity = 0.0
    rounds: Quantity = 0.0
    launches: Quantity = 0.0
    flops_per_second: Quantity = np.inf
    memory_bytes_per_second: Quantity = np.inf
    scale_up_bytes_per_second: Quantity = np.inf
    scale_out_bytes_per_second: Quantity = np.inf
    beside: str = ""

    @property
    def memory_bytes(self) -> Quantity:
        """Bytes that must move between memory and chip: weights, cache and state."""
        return self.weights + self.cache + self.state

    @property
    def compute_seconds(self) -> Quantity:
        """Seconds of multiplying."""
        return self.flops / self.flops_per_second

    @property
    def memory_seconds(self) -> Quantity:
        """Seconds of reading and writing weights, cache and state."""
        return self.memory_bytes / self.memory_bytes_per_second

    @property
    def activation_seconds(self) -> Quantity:
        """Seconds of moving activations through memory, if they do not stay on the chip."""
        return self.activations / self.memory_bytes_per_second

    @property
    def scale_up_seconds(self) -> Quantity:
        """Seconds on the links of the domain."""
        return self.scale_up / self.scale_up_bytes_per_second

    @property
    def scale_out_seconds(self) -> Quantity:
        """Seconds on the links out of the domain."""
        return self.scale_out / self.scale_out_bytes_per_second

    @property
    def least_scale_up_seconds(self) -> Quantity:
        """The same where the switch adds: what a bound may count."""
        return (self.scale_up - self.spared_up) / self.scale_up_bytes_per_second

    @property
    def least_scale_out_seconds(self) -> Quantity:
        """The same for the links out of the domain."""
        return (self.scale_out - self.spared_out) / self.scale_out_bytes_per_second

    @property
    def sends(self) -> bool:
        """Whether it is communication."""
        return anywhere(self.rounds > 0)

    @property
    def intensity(self) -> Quantity:
        """Operations for each byte that is moved, activations included: where it lies on a roofline."""
        return self.flops / (self.memory_bytes + self.activations)

    @cached_property
    def roofline_seconds(self) -> Quantity:
        """Seconds of this operation alone, its own parts overlapping: the longest of them."""
        on_chip = np.maximum(self.compute_seconds, self.memory_seconds + self.activation_seconds)
        found: Quantity = np.maximum(on_chip, np.maximum(self.scale_up_seconds, self.scale_out_seconds))
        return found

    @property
    def serial_seconds(self) -> Quantity:
        """Seconds of this operation alone if nothing of it overlaps: the sum."""
        on_chip = self.compute_seconds + self.memory_seconds + self.activation_seconds
        return on_chip + self.scale_up_seconds + self.scale_out_seconds

    @property
    def parts(self) -> tuple[Quantity, ...]:
        """Seconds of each resource, in the order of their names, activations with memory."""
        memory = self.memory_seconds + self.activation_seconds
        return self.compute_seconds, memory, self.scale_up_seconds, self.scale_out_seconds

    @property
    def limit(self) -> str:
        """The resource that takes longest, at most of the places of an array."""
        return longest(self.parts)


def longest(seconds: tuple[Quantity, ...]) -> str:
    """The name of the resource whose seconds are the most, at most places of an array."""
    most = np.argmax(np.stack(np.broadcast_arrays(*seconds)), axis=0)
    return RESOURCES[int(np.bincount(np.ravel(most)).argmax())]


def side_by_side(operations: Sequence[Operation]) -> Iterator[Quantity]:
    """Seconds of each operation at its roofline, of two that may go on at once the longest sum of one resource.

    >>> wide = {"flops_per_second": 1.0, "scale_up_bytes_per_second": 1.0}
    >>> send = Operation(name="dispatch", layers=1.0, scale_up=3.0, **wide)
    >>> work = Operation(name="shared experts", layers=1.0, flops=2.0, beside="dispatch", **wide)
    >>> [float(seconds) for seconds in side_by_side((send, work))]
    [3.0]
    """
    partner = {at: _nearest(operations, at) for at, each in enumerate(operations) if each.beside}
    for at, each in enumerate(operations):
        if at not in partner:
            together = [each, *(operations[other] for other, mine in partner.items() if mine == at)]
            most, *others = (sum(seconds) for seconds in zip(*(of.parts for of in together), strict=True))
            for seconds in others:
                most = np.maximum(most, seconds)
            yield most


def _nearest(operations: Sequence[Operation], at: int) -> int:
    """The place of the operation that the one at a place names: the nearest of that name, so of the same layers."""
    named = (place for place, each in enumerate(operations) if each.name == operations[at].beside)
    return min(named, key=lambda place: abs(place - at))
