"""Lecture 1: how long one decode step takes, what it costs, and which batch makes it worth running.

A decode step reads every weight that the batch touches and the whole cache of every sequence, and multiplies each
active weight once per sequence. Its time is at least the larger of the two, so everything here is a lower bound on
time and on cost: communication, scheduling and the arithmetic of attention are left out. Which weights a small batch
touches is `calc.touched`, what a fast mode gives away `calc.fast_mode`, who waits for a batch `calc.departures`.

Symbols: B batch (sequences), L context (tokens), N_a and N_t active and total parameters, W weight bytes, k cache bytes
per token of context, F dense FLOP/s, w memory bandwidth in bytes/s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.check import AtLeastOne, NonNegative, Positive, PositiveShare, Quantity, checked
from calc.errors import OutOfRange

HOUR = 3600.0


@dataclass(frozen=True)
class StepTime:
    """Seconds that one decode step spends on each of its parts, each a lower bound."""

    compute: Quantity
    weights: Quantity
    cache: Quantity

    @property
    def memory(self) -> Quantity:
        """Seconds of reading: weights, then cache."""
        return self.weights + self.cache

    @property
    def bound(self) -> Quantity:
        """Seconds if reading and computing overlap perfectly: the larger of the two. No step is faster."""
        return np.maximum(self.compute, self.memory)

    @property
    def serial(self) -> Quantity:
        """Seconds if nothing overlaps: the sum. A step without other overheads is no slower."""
        return self.compute + self.memory

    @property
    def utilisation(self) -> Quantity:
        """Share of the step in which the multipliers can be busy, at most 1."""
        return self.compute / self.bound


@checked
def compute_seconds(batch: Positive, active_params: Positive, flops: Positive) -> Quantity:
    """Time to multiply: 2 B N_a / F seconds. A multiply-add is two operations.

    >>> compute_seconds(1000, 50e9, 1e15)
    0.1
    """
    return 2 * batch * active_params / flops


@checked
def read_seconds(stored_bytes: NonNegative, bandwidth: Positive) -> Quantity:
    """Time to read bytes once: bytes / w seconds. All weights: the latency floor. All of HBM: the drain time.

    >>> read_seconds(80e9, 4e12)
    0.02
    """
    return stored_bytes / bandwidth


@checked
def cache_bytes(batch: Positive, context: NonNegative, kv_bytes_per_token: NonNegative) -> Quantity:
    """Key-value cache of a batch: B L k bytes, of which a step with full attention reads every one.

    >>> cache_bytes(100, 10_000, 50_000)
    50000000000.0
    """
    return batch * context * kv_bytes_per_token


@checked
def step_time(
    batch: Positive,
    context: NonNegative,
    *,
    active_params: Positive,
    weight_bytes: Positive,
    kv_bytes_per_token: NonNegative,
    flops: Positive,
    bandwidth: Positive,
) -> StepTime:
    """The parts of one decode step: 2 B N_a / F to compute, W / w and B L k / w to read.

    >>> step_time(100, 1000, active_params=50e9, weight_bytes=1e12, kv_bytes_per_token=1e5, flops=1e15, bandwidth=1e14)
    StepTime(compute=0.01, weights=0.01, cache=0.0001)
    """
    return StepTime(
        compute=compute_seconds(batch, active_params, flops),
        weights=read_seconds(weight_bytes, bandwidth),
        cache=read_seconds(cache_bytes(batch, context, kv_bytes_per_token), bandwidth),
    )


@checked
def hardware_ratio(flops: Positive, bandwidth: Positive, bytes_per_weight: Positive) -> Quantity:
    """Multiplications that a chip makes while it reads one weight: (F / 2) x bytes per weight / w, without unit.

    This is the lecture's "300". It keeps its value from one precision to the next wherever halving the bytes doubles
    the rate.

    >>> hardware_ratio(1e15, 2e12, 1)
    250.0
    """
    return flops / 2 * bytes_per_weight / bandwidth


@checked
def balanced_batch(ratio: Positive, sparsity: AtLeastOne = 1.0) -> Quantity:
    """Sequences for which computing takes as long as reading the weights, without any cache: ratio x N_t / N_a.

    >>> balanced_batch(300, 8)
    2400.0
    """
    return ratio * sparsity


@checked
def critical_context(
    active_params: Positive, kv_bytes_per_token: Positive, flops: Positive, bandwidth: Positive
) -> Quantity:
    """Tokens of context from which on no batch is limited by compute: 2 N_a w / (F k).

    Past it, reading a sequence's cache takes longer than multiplying for it, however many share the weights.

    >>> round(critical_context(50e9, 1e5, 1e15, 2e12), 6)
    2000.0
    """
    return 2 * active_params * bandwidth / (flops * kv_bytes_per_token)


@checked
def balanced_batch_with_cache(
    context: NonNegative,
    *,
    active_params: Positive,
    weight_bytes: Positive,
    kv_bytes_per_token: NonNegative,
    flops: Positive,
    bandwidth: Positive,
) -> Quantity:
    """Sequences for which computing takes as long as reading weights and cache: W / (2 N_a w / F - L k).

    Infinite from the critical context on.

    >>> model = {"active_params": 50e9, "weight_bytes": 1e12, "kv_bytes_per_token": 1e5}
    >>> round(balanced_batch_with_cache(1000, **model, flops=1e15, bandwidth=2e12), 6)
    10000.0
    """
    spare = np.asarray(2 * active_params * bandwidth / flops - context * kv_bytes_per_token)
    balanced = np.divide(
        weight_bytes,
        spare,
        out=np.full(np.broadcast_shapes(np.shape(weight_bytes), spare.shape), np.inf),
        where=spare > 0,
    )
    return np.asarray(balanced)


@checked
def utilisation_ceiling(context: Positive, critical: Positive) -> Quantity:
    """Share of the multipliers that an endless batch keeps busy: min(1, L* / L), where L* is the critical context.

    >>> utilisation_ceiling(8000, 2000)
    0.25
    """
    return np.minimum(1.0, critical / context)


@checked
def largest_batch(
    memory_bytes: Positive, weight_bytes: Positive, context: Positive, kv_bytes_per_token: Positive
) -> Quantity:
    """Sequences whose cache fits into the memory that the weights leave: (M - W) / (L k), or 0 if they leave none.

    >>> largest_batch(10e12, 1e12, 10_000, 90_000)
    10000.0
    """
    return np.floor(np.maximum(0.0, memory_bytes - weight_bytes) / (context * kv_bytes_per_token))


@checked
def batch_within(
    step_seconds: Positive,
    context: NonNegative,
    *,
    active_params: Positive,
    weight_bytes: Positive,
    kv_bytes_per_token: Positive,
    flops: Positive,
    bandwidth: Positive,
) -> Quantity:
    """Sequences that a step of at most `step_seconds` can serve, memory allowing: min(t F / 2 N_a, (t w - W) / L k).

    It is 0 where the weights alone take longer, and unlimited by memory without a context.

    >>> model = {"active_params": 50e9, "weight_bytes": 1e12, "kv_bytes_per_token": 1e5}
    >>> batch_within(0.02, 1000, **model, flops=1e15, bandwidth=1e14)
    200.0
    """
    spare = np.asarray(step_seconds * bandwidth - weight_bytes)
    own_cache = np.asarray(context * kv_bytes_per_token)
    shape = np.broadcast_shapes(spare.shape, own_cache.shape)
    read = np.divide(spare, own_cache, out=np.full(shape, np.inf), where=own_cache > 0)
    return np.asarray(np.floor(np.where(spare < 0, 0.0, np.minimum(step_seconds * flops / (2 * active_params), read))))


@checked
def batch_for_traffic(
    tokens_per_second: Positive,
    context: NonNegative,
    *,
    active_params: Positive,
    weight_bytes: Positive,
    kv_bytes_per_token: NonNegative,
    flops: Positive,
    bandwidth: Positive,
) -> Quantity:
    """The least batch whose steps, at their bound, decode so many tokens a second: R W / (w - R L k).

    Infinite from min(F / 2 N_a, w / L k) tokens a second on, which no batch reaches.

    >>> model = {"active_params": 50e9, "weight_bytes": 1e12, "kv_bytes_per_token": 1e5}
    >>> batch_for_traffic(5000, 10_000, **model, flops=1e15, bandwidth=1e13)
    1000.0
    """
    spare = np.asarray(bandwidth - tokens_per_second * context * kv_bytes_per_token)
    read = np.asarray(tokens_per_second * weight_bytes)
    reached = (spare > 0) & (2 * active_params * tokens_per_second < np.asarray(flops))
    shape = np.broadcast_shapes(read.shape, spare.shape, reached.shape)
    return np.asarray(np.divide(read, spare, out=np.full(shape, np.inf), where=np.broadcast_to(reached, shape)))


@checked
def tokens_per_second(batch: Positive, step_seconds: Positive) -> Quantity:
    """Tokens that a system decodes: B / T, one for each sequence and step.

    >>> tokens_per_second(2000, 0.02)
    100000.0
    """
    return batch / step_seconds


@checked
def dollars_per_token(batch: Positive, step_seconds: Positive, dollars_per_hour: NonNegative) -> Quantity:
    """Cost of one decoded token on a system that rents for `dollars_per_hour`: rent x T / B.

    >>> round(dollars_per_token(1000, 0.036, 100) * 1e6, 6)
    1.0
    """
    return dollars_per_hour / HOUR * step_seconds / batch


@checked
def cheapest_seconds(
    context: NonNegative,
    *,
    active_params: Positive,
    kv_bytes_per_token: NonNegative,
    flops: Positive,
    bandwidth: Positive,
) -> Quantity:
    """What is left of a step for each sequence of an endless batch: lim T(B) / B = max(2 N_a / F, L k / w) seconds.

    The weights are shared until nothing of them is felt; the arithmetic and the cache are each sequence's own.

    >>> cheapest_seconds(2000, active_params=50e9, kv_bytes_per_token=1e5, flops=1e15, bandwidth=2e12)
    0.0001
    """
    own_cache = read_seconds(cache_bytes(1, context, kv_bytes_per_token), bandwidth)
    return np.maximum(compute_seconds(1, active_params, flops), own_cache)


@checked
def batching_penalty(step_alone: Positive, cheapest_per_sequence: Positive) -> Quantity:
    """How many times dearer a token is at batch 1 than in an endless batch: T(1) / lim T(B) / B.

    >>> batching_penalty(0.5, 0.001)
    500.0
    """
    return step_alone / cheapest_per_sequence


@checked
def context_for_utilisation(utilisation: PositiveShare, context: Positive, weight_share: NonNegative = 0.0) -> Quantity:
    """Context at which a step that is balanced at `context` keeps only `utilisation` of its compute busy.

    `weight_share` is the part of the balanced step's reading that is weights: L (1 / u - w) / (1 - w).

    >>> context_for_utilisation(0.5, 100_000)
    200000.0
    """
    if np.any(np.asarray(weight_share) >= 1):
        raise OutOfRange("weight_share", weight_share, "below 1: without a cache no context slows a step")
    return context * (1 / utilisation - weight_share) / (1 - weight_share)
