"""Memory of a pipeline's chips: stages divide the weights, and leave the cache as it is.

Symbols: P stages, M micro-batches in flight, b sequences in a micro-batch, S chips in a stage, W weight bytes of the
model, L context, k cache bytes per token.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked
from calc.quantities.errors import DoesNotFit
from calc.quantities.units import show


@dataclass(frozen=True)
class ChipMemory:
    """Bytes on each chip of a pipeline that decodes."""

    weights: Quantity
    cache: Quantity

    @property
    def total(self) -> Quantity:
        """Bytes of weights and cache; activations are small and left out."""
        return self.weights + self.cache

    @property
    def cache_share(self) -> Quantity:
        """Share of those bytes that is cache."""
        return self.cache / self.total


@checked
def chip_memory(
    weight_bytes: Positive,
    micro_batch: NonNegative,
    context: NonNegative,
    kv_bytes_per_token: NonNegative,
    *,
    chips_per_stage: Count,
    stages: Count = 1.0,
    micro_batches: Count | None = None,
) -> ChipMemory:
    """Contents of a chip's memory: W / (S P) of weights and M b L k / (S P) of cache, in bytes.

    A stage keeps its layers' cache of every sequence in flight. A full pipeline has M = P micro-batches, which is taken
    unless given, so P cancels: more stages leave less weight on a chip but no less cache.

    >>> [chip_memory(640e9, 1000, 1e5, 32e3, chips_per_stage=64, stages=stages) for stages in (1, 4)]
    [ChipMemory(weights=10000000000.0, cache=50000000000.0), ChipMemory(weights=2500000000.0, cache=50000000000.0)]
    """
    chips = chips_per_stage * stages
    in_flight = micro_batch * (stages if micro_batches is None else micro_batches)
    return ChipMemory(weight_bytes / chips, in_flight * context * kv_bytes_per_token / chips)


@checked
def largest_micro_batch(
    hbm_bytes: Positive,
    weight_bytes: Positive,
    context: Positive,
    kv_bytes_per_token: Positive,
    *,
    chips_per_stage: Count,
    stages: Count = 1.0,
    micro_batches: Count | None = None,
) -> Quantity:
    """Sequences a micro-batch may have before a chip's `hbm_bytes` are full: (H S P - W) / (M L k), not rounded.

    With M = P it rises with the stages only towards H S / (L k), the figure for weights that take no room.

    >>> [largest_micro_batch(80e9, 1600e9, 1e5, 32e3, chips_per_stage=40, stages=stages) for stages in (1, 2)]
    [500.0, 750.0]
    """
    room = np.asarray(hbm_bytes * chips_per_stage * stages - weight_bytes)
    if np.any(room < 0):
        held = show(np.min(hbm_bytes * chips_per_stage * stages), "B")
        raise DoesNotFit("weight_bytes", weight_bytes, f"at most {held}, the memory of all stages")
    return room / ((stages if micro_batches is None else micro_batches) * context * kv_bytes_per_token)


@checked
def stages_to_hold(stored_bytes: Positive, chips: Count, hbm_bytes: Positive) -> Quantity:
    """Fewest domains in a pipeline that hold so many bytes: W / (S M), rounded up. The latency floor does not change.

    >>> stages_to_hold(5e12, 8, 80e9)
    8.0
    """
    return whole_up(stored_bytes / (chips * hbm_bytes))
