"""Layers over racks when decoding: the time of a token on its way round, and what keeps every stage busy.

A pipeline gives each of P domains ("racks") a stage of consecutive layers. Times are lower bounds: stages of equal
length, links at their full rate. Training's bubbles are in `calc.pipelining.bubbles`, timetables of both in
`calc.pipelining.schedules`.

Symbols: P stages, M micro-batches in flight, b sequences in a micro-batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked


@dataclass(frozen=True)
class DecodeCycle:
    """Seconds in which every sequence in flight gains one token: no less than either part."""

    crossing: Quantity
    work: Quantity

    @property
    def seconds(self) -> Quantity:
        """Time between two tokens of a sequence: its way round, or a stage's work if that takes longer."""
        return np.maximum(self.crossing, self.work)

    @property
    def utilisation(self) -> Quantity:
        """Share of the cycle in which a stage is busy, at most 1."""
        return self.work / self.seconds

    @property
    def idle_share(self) -> Quantity:
        """Share of the cycle for which a stage waits."""
        return 1 - self.utilisation


@checked
def decode_cycle(
    seconds_alone: Positive,
    stages: Count,
    micro_batches: Count,
    hop_seconds: NonNegative = 0.0,
    return_seconds: NonNegative | None = None,
) -> DecodeCycle:
    """When M micro-batches circle through P stages: a token's way round, T + P h, and a stage's work, M T / P seconds.

    T is the step of one micro-batch through all layers on the chips of one stage. A token crosses all stages and comes
    back to the first, P hops of h seconds (none if P = 1), while other micro-batches compute. Stages never lower T. The
    way back carries ids of tokens alone: with `return_seconds` r it is T + (P - 1) h + r.

    >>> decode_cycle(0.02, 4, 4), float(decode_cycle(0.02, 4, 1).idle_share)
    (DecodeCycle(crossing=0.02, work=0.02), 0.75)
    """
    way = seconds_alone + _way(stages, hop_seconds, return_seconds)
    return DecodeCycle(way, micro_batches * seconds_alone / stages)


@checked
def micro_batches_to_fill(
    seconds_alone: Positive,
    stages: Count,
    hop_seconds: NonNegative = 0.0,
    return_seconds: NonNegative | None = None,
) -> Quantity:
    """Fewest micro-batches that keep every stage busy: ceil(P (1 + P h / T)); P itself if hops take no time.

    A way back of its own length counts as in `decode_cycle`.

    >>> micro_batches_to_fill(0.02, 4), micro_batches_to_fill(0.02, 4, 0.001)
    (4.0, 5.0)
    """
    return whole_up(stages * (1 + _way(stages, hop_seconds, return_seconds) / seconds_alone))


@checked
def throughput(micro_batch: Positive, micro_batches: Count, cycle_seconds: Positive) -> Quantity:
    """Tokens per second of the whole pipeline: M b / cycle.

    >>> throughput(2000, 4, 0.02)
    400000.0
    """
    return micro_batch * micro_batches / cycle_seconds


def _way(stages: Quantity, hop: Quantity, back: Quantity | None) -> Quantity:
    """Seconds of all hops of a round: none with a single stage."""
    several = stages > 1
    way: Quantity = several * ((stages - 1) * hop + (hop if back is None else back))
    return way
