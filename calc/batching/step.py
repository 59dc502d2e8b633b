"""How long one decode step takes: at least the larger of reading and computing.

A step reads every weight that the batch touches and the whole cache of every sequence, and multiplies each active
weight once per sequence. Communication, scheduling and the arithmetic of attention are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import NonNegative, Positive, Quantity, checked


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
def tokens_per_second(batch: Positive, step_seconds: Positive) -> Quantity:
    """Tokens that a system decodes: B / T, one for each sequence and step.

    >>> tokens_per_second(2000, 0.02)
    100000.0
    """
    return batch / step_seconds
