"""The price of a token at the cost of the step: rent by time, and how much a batch divides."""

from __future__ import annotations

import numpy as np

from calc.batching.step import cache_bytes, compute_seconds, read_seconds
from calc.quantities.arithmetic import HOUR
from calc.quantities.check import NonNegative, Positive, Quantity, checked


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
    """Share of a step for each sequence of an endless batch: lim T(B) / B = max(2 N_a / F, L k / w) seconds.

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
