"""Layers over racks when decoding. The cost of a stage boundary, what it saves, and what it cannot save.

A pipeline gives each of P domains ("racks") a stage of consecutive layers. A token's activations cross P - 1 boundaries
on scale-out links; inside a stage the experts' all-to-all stays on scale-up links. Times are lower bounds: stages of
equal length, links at their full rate. Training's bubbles are in
`calc.pipelining.bubbles`, timetables of both in `calc.pipelining.schedules`.

Symbols: P stages, M micro-batches in flight, b sequences in a micro-batch, S chips in a stage, W weight bytes of the
model, L context, k cache bytes per token, d width, r scale-up over scale-out rate of a chip.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked
from calc.quantities.errors import DoesNotFit
from calc.quantities.units import show


@checked
def boundary_margin(
    experts_per_token: Count,
    layers_per_stage: Positive,
    bandwidth_ratio: Positive,
    *,
    dispatch_bytes: NonNegative = 2.0,
    combine_bytes: NonNegative = 2.0,
    hop_bytes: Positive = 2.0,
) -> Quantity:
    """How many times longer a stage's scale-up links are busy than its scale-out links; from 1 on the boundary is free.

    Per token a stage sends k copies there and back in each of its expert layers, and one copy to the next stage:
    k l (dispatch + combine) / (hop r). With equal precisions this is the lecture's 2 k l / r.

    >>> boundary_margin(8, 1, 8), boundary_margin(8, 2, 16, dispatch_bytes=1)
    (2.0, 1.5)
    """
    copies = experts_per_token * layers_per_stage * (dispatch_bytes + combine_bytes)
    return copies / (hop_bytes * bandwidth_ratio)


@checked
def free_layers(
    experts_per_token: Count,
    bandwidth_ratio: Positive,
    *,
    dispatch_bytes: NonNegative = 2.0,
    combine_bytes: Positive = 2.0,
    hop_bytes: Positive = 2.0,
) -> Quantity:
    """Fewest expert layers in a stage for which its boundary is free: ceil(r hop / (k (dispatch + combine))).

    >>> free_layers(8, 9), free_layers(8, 18), free_layers(1, 18)
    (1.0, 2.0, 9.0)
    """
    return whole_up(bandwidth_ratio * hop_bytes / (experts_per_token * (dispatch_bytes + combine_bytes)))


@checked
def hop_seconds(
    tokens: NonNegative,
    width: Positive,
    *,
    links: Count,
    link_bandwidth: Positive,
    element_bytes: Positive = 2.0,
    latency: NonNegative = 0.0,
) -> Quantity:
    """Least time to hand a micro-batch to the next stage: tokens d bytes / (links x bandwidth) + latency, in seconds.

    >>> hop_seconds(5000, 5000, links=50, link_bandwidth=50e9)
    2e-05
    """
    return tokens * width * element_bytes / (links * link_bandwidth) + latency


@checked
def hops_per_slot(seconds_alone: Positive, stages: Count, hop_seconds: Positive) -> Quantity:
    """How many hops fit into the time that a stage works on a micro-batch: t / P t_h; from 1 on the boundary is free.

    A link out carries one micro-batch a slot, whatever the links within do meanwhile, so this is what a pipeline needs.
    That exchanges within take longer than the hop (`boundary_margin`) suffices for it, as they are part of the slot.

    >>> hops_per_slot(0.02, 4, 0.001)
    5.0
    """
    return seconds_alone / (stages * hop_seconds)


@checked
def layers_for_a_hop(layer_seconds: Positive, hop_seconds: NonNegative) -> Quantity:
    """Fewest layers of a stage whose slot is as long as a hop: t_h over the time of a layer, rounded up, at least 1.

    >>> layers_for_a_hop(30e-6, 8e-6), layers_for_a_hop(30e-6, 100e-6)
    (1.0, 4.0)
    """
    return np.maximum(1.0, whole_up(hop_seconds / layer_seconds))


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
def stages_to_hold(stored_bytes: Positive, chips: Count, hbm_bytes: Positive) -> Quantity:
    """Fewest domains in a pipeline that hold so many bytes: W / (S M), rounded up. The latency floor does not change.

    >>> stages_to_hold(5e12, 8, 80e9)
    8.0
    """
    return whole_up(stored_bytes / (chips * hbm_bytes))


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
