"""How many sequences a system takes: by its memory, by a limit on the step, or to keep up with traffic."""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import quotient
from calc.quantities.check import NonNegative, Positive, Quantity, checked


@checked
def largest_batch(
    memory_bytes: Positive, weight_bytes: NonNegative, context: Positive, kv_bytes_per_token: Positive
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
    read = quotient(spare, context * kv_bytes_per_token)
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
    return quotient(tokens_per_second * weight_bytes, spare, np.less(2 * active_params * tokens_per_second, flops))
