"""The worth of a scale-up domain. Its memories are read together, so it is bandwidth first and room second.

A decode step reads every weight once. Spread over S chips the reading takes W / (S w), and no batch, price or pipeline
makes a token faster: that is the floor. The chips exchange activations within every layer, so S counts the chips of one
scale-up domain. Stages of a pipeline add room, but a token passes through them one after the other and the floor stays.
Everything here is a bound: links are free, reads are perfect, and all of the usable memory holds weights or cache.

Symbols: S chips of the domain, w bytes/s and M bytes of memory per chip, F dense FLOP/s per chip, W weight bytes,
B batch (sequences), L context (tokens), k cache bytes per token of context, T seconds per step, P pipeline stages.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Count, NonNegative, Positive, PositiveShare, Quantity, Share, checked
from calc.quantities.errors import DoesNotFit, OutOfRange
from calc.quantities.units import show


@checked
def latency_floor(weight_bytes: Positive, chips: Count, bandwidth: Positive) -> Quantity:
    """Least time of a decode step, with every chip of one domain reading its share of the weights: W / (S w) seconds.

    >>> latency_floor(1e12, 50, 4e12)
    0.005
    """
    return weight_bytes / (chips * bandwidth)


@dataclass(frozen=True)
class Gain:
    """How many times faster a domain reads than another, and the two factors of which that is the product."""

    chips: Quantity
    bandwidth: Quantity

    @property
    def total(self) -> Quantity:
        """The whole gain: more chips times faster memory on each."""
        return self.chips * self.bandwidth


@checked
def domain_gain(chips: Count, bandwidth: Positive, *, chips_before: Count, bandwidth_before: Positive) -> Gain:
    """The fall of the latency floor from one domain to the next: (S' / S) x (w' / w), without unit.

    >>> gain = domain_gain(64, 8e12, chips_before=8, bandwidth_before=4e12)
    >>> gain, gain.total
    (Gain(chips=8.0, bandwidth=2.0), 16.0)
    """
    return Gain(chips / chips_before, bandwidth / bandwidth_before)


@dataclass(frozen=True)
class DomainFit:
    """The load that a memory of `capacity` bytes is asked to hold."""

    capacity: Quantity
    weights: Quantity
    cache: Quantity

    @property
    def needed(self) -> Quantity:
        """Bytes of weights and cache."""
        return self.weights + self.cache

    @property
    def free(self) -> Quantity:
        """Bytes left over; below zero, bytes missing."""
        return self.capacity - self.needed

    @property
    def fits(self) -> bool | NDArray[np.bool_]:
        """Whether weights and cache have room."""
        return self.free >= 0

    @property
    def cache_share(self) -> Quantity:
        """Share of the needed bytes that is cache."""
        return self.cache / self.needed

    def require(self) -> DomainFit:
        """Itself if everything fits; else DoesNotFit, with the sizes."""
        if not np.all(self.fits):
            at = np.argmin(np.asarray(self.free))
            capacity, weights, cache = (
                part.flat[at] for part in np.broadcast_arrays(self.capacity, self.weights, self.cache)
            )
            asked = f"{show(weights + cache, 'B')}, of which {show(weights, 'B')} are weights"
            raise DoesNotFit("what is stored", asked, f"at most the memory, {show(capacity, 'B')}")
        return self


@checked
def domain_fit(
    batch: NonNegative,
    context: NonNegative,
    *,
    weight_bytes: Positive,
    kv_bytes_per_token: NonNegative,
    chips: Count,
    hbm_bytes: Positive,
    usable: PositiveShare = 1.0,
    stages: Count = 1.0,
) -> DomainFit:
    """Weights W and cache B L k beside the usable memory, in bytes, of `stages` domains of S chips.

    Each of P stages keeps its own micro-batch of B sequences in flight: the cache is P B L k, and only the weights are
    spread thinner.

    >>> domain_fit(100, 1000, weight_bytes=6e11, kv_bytes_per_token=1e6, chips=8, hbm_bytes=1e11)
    DomainFit(capacity=800000000000.0, weights=600000000000.0, cache=100000000000.0)
    """
    return DomainFit(
        capacity=stages * chips * hbm_bytes * usable,
        weights=weight_bytes,
        cache=stages * batch * context * kv_bytes_per_token,
    )


@dataclass(frozen=True)
class LargestModel:
    """Parameters at which each limit of a domain is reached; the smaller of the two totals counts."""

    active_by_compute: Quantity
    total_by_bandwidth: Quantity
    total_by_capacity: Quantity

    @property
    def total(self) -> Quantity:
        """Most parameters that can be both held and read in time."""
        return np.minimum(self.total_by_bandwidth, self.total_by_capacity)


@checked
def largest_model(
    step_seconds: Positive,
    batch: Positive,
    *,
    bytes_per_weight: Positive,
    chips: Count,
    hbm_bytes: Positive,
    bandwidth: Positive,
    flops: Positive,
    cache_share: Share = 0.0,
) -> LargestModel:
    """The largest model that a domain can serve with one token per sequence every T seconds.

    Compute limits the active parameters, T S F / (2 B). Bandwidth and room limit all of them, T S w / b and S M / b, of
    which `cache_share` is taken by the cache. Where a step is longer than M / w, the drain time, room is what runs out.

    >>> largest_model(0.01, 1000, bytes_per_weight=1, chips=10, hbm_bytes=1e11, bandwidth=5e12, flops=2e15)
    LargestModel(active_by_compute=100000000000.0, total_by_bandwidth=500000000000.0, total_by_capacity=1000000000000.0)
    """
    kept = (1 - cache_share) / bytes_per_weight
    return LargestModel(
        active_by_compute=step_seconds * chips * flops / (2 * batch),
        total_by_bandwidth=step_seconds * chips * bandwidth * kept,
        total_by_capacity=chips * hbm_bytes * kept,
    )


@checked
def memory_cost_share(memory_bytes: NonNegative, dollars_per_byte: NonNegative, other_dollars: Positive) -> Quantity:
    """Share of a system's capital cost that is memory: m / (m + other), with m = bytes x price.

    >>> memory_cost_share(2e11, 1e-8, 6000)
    0.25
    """
    memory = memory_bytes * dollars_per_byte
    return memory / (memory + other_dollars)


@checked
def memory_price_growth(share_before: PositiveShare, share_after: PositiveShare) -> Quantity:
    """Growth of memory's cost, the rest being unchanged, that takes its share from s to s': s' (1 - s) / (s (1 - s')).

    >>> round(memory_price_growth(0.2, 0.5), 6)
    4.0
    """
    for name, share in (("share_before", share_before), ("share_after", share_after)):
        if np.any(np.asarray(share) >= 1):
            raise OutOfRange(name, share, "below 1: nothing else would cost anything")
    return share_after * (1 - share_before) / (share_before * (1 - share_after))
