"""Demands of a context of a million, or of a hundred million, tokens on a scale-up domain.

The longer the context, the fewer sequences fit beside the weights; they share the reading of the weights, the cost of
the step and, in the end, nobody is left to share with. A step of a full domain that is limited by memory takes one
drain of that memory, however long the contexts are. Bounds as ever: links are free, reading is perfect, the contexts
are equally long, every token is attended to.

Symbols: L context (tokens), k cache bytes and c operations per token of context, W weight bytes, N_a active parameters,
B batch (sequences), M bytes, w bytes/s and F dense FLOP/s of the whole domain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calc.batching.capacity import largest_batch
from calc.batching.step import cache_bytes
from calc.memory_wall.attention import prefill_flops
from calc.quantities.arithmetic import HOUR, quotient
from calc.quantities.check import NonNegative, Positive, Quantity, as_plain, checked


@dataclass(frozen=True)
class LongContext:
    """The cost of contexts of one length on a domain that serves as many of them as it can hold.

    `sequences` is 0, and the cost of a token infinite, where not even one fits.
    """

    cache_bytes: Quantity
    sequences: Quantity
    fastest_seconds: Quantity
    step_seconds: Quantity
    dollars_per_token: Quantity
    prefill_seconds: Quantity
    prefill_dollars: Quantity

    @property
    def fits(self) -> bool | NDArray[np.bool_]:
        """Whether at least one sequence fits."""
        return self.sequences > 0


@checked
def long_context(
    context: Positive,
    *,
    active_params: Positive,
    weight_bytes: Positive,
    kv_bytes_per_token: Positive,
    flops_per_context_token: NonNegative = 0.0,
    hbm_bytes: Positive,
    bandwidth: Positive,
    flops: Positive,
    dollars_per_hour: NonNegative = 0.0,
    awake: Callable[[Quantity], Quantity] = lambda sequences: 1.0,
) -> LongContext:
    """Contexts of L tokens on one domain: how many fit, how fast a token can be, alone or with all, and what it costs.

    One sequence: max((W + L k) / w, (2 N_a + c L) / F) seconds a token. All B that fit: the same with B caches and B
    times the operations. A step reads the share of W that `awake` gives for its sequences, all of it unless told. A
    token costs rent x step / B; a prompt of L tokens takes its operations / F, alone.

    >>> model = {"active_params": 1e10, "weight_bytes": 4e10, "kv_bytes_per_token": 1e4}
    >>> at = long_context(1e6, **model, hbm_bytes=1e11, bandwidth=1e12, flops=1e15, dollars_per_hour=3.6)
    >>> at.sequences, at.fastest_seconds, at.step_seconds, at.prefill_seconds
    (6.0, 0.05, 0.1, 20.0)
    """
    one = cache_bytes(1, context, kv_bytes_per_token)
    held = largest_batch(hbm_bytes, weight_bytes, context, kv_bytes_per_token)
    per_token = 2 * active_params + flops_per_context_token * context
    prefill = prefill_flops(context, active_params, flops_per_context_token) / flops
    read = weight_bytes * np.asarray(awake(np.maximum(held, 1.0)))
    step = _step(held, read, one, per_token, bandwidth, flops)
    rent = dollars_per_hour / HOUR
    return LongContext(
        cache_bytes=one,
        sequences=held,
        fastest_seconds=as_plain(_step(1.0, weight_bytes * awake(1.0), one, per_token, bandwidth, flops)),
        step_seconds=as_plain(step),
        dollars_per_token=as_plain(quotient(rent * step, held)),
        prefill_seconds=as_plain(prefill),
        prefill_dollars=as_plain(rent * prefill),
    )


@checked
def longest_context(
    step_seconds: Positive,
    *,
    sequences: Positive = 1.0,
    weight_bytes: Positive,
    kv_bytes_per_token: Positive,
    hbm_bytes: Positive,
    bandwidth: Positive,
) -> Quantity:
    """Longest context, in tokens, that so many sequences can have at a given speed: (min(M, T w) - W) / (B k), or 0.

    >>> longest_context(0.1, weight_bytes=4e10, kv_bytes_per_token=1e4, hbm_bytes=2e11, bandwidth=1e12)
    6000000.0
    """
    readable = np.minimum(hbm_bytes, np.asarray(step_seconds) * bandwidth)
    return np.maximum(0.0, readable - weight_bytes) / (np.asarray(sequences) * kv_bytes_per_token)


@checked
def affordable_kv_bytes(
    context: Positive, step_seconds: Positive, bandwidth: Positive, *, weight_bytes: NonNegative = 0.0
) -> Quantity:
    """Cache bytes per token with which one sequence of L tokens still gets a token in time: (T w - W) / L, or 0.

    >>> affordable_kv_bytes(1e8, 0.02, 5e14)
    100000.0
    """
    return np.maximum(0.0, np.asarray(step_seconds) * bandwidth - weight_bytes) / context


@checked
def pace(tokens: Positive, days: Positive, hours_per_day: Positive = 24.0) -> Quantity:
    """Tokens a second at which a context fills in so many days of so many hours.

    >>> pace(3_600_000, 10, 10)
    10.0
    """
    return tokens / (days * hours_per_day * HOUR)


def _step(
    batch: Quantity, weights: Quantity, cache: Quantity, operations: Quantity, bandwidth: Quantity, flops: Quantity
) -> Quantity:
    reading: Quantity = (weights + batch * cache) / bandwidth
    return np.maximum(reading, batch * operations / flops)
