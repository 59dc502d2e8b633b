"""Lecture 1's formulas, asked of a model on a system at a precision."""

from __future__ import annotations

from typing import Any

from calc import batching
from calc.figure.scenario import Setting


def critical_context(where: Setting) -> float:
    """Tokens of context past which no batch balances."""
    bandwidth = where.system.hbm_bandwidth
    return float(batching.critical_context(where.model.active_params, where.kv_bytes_per_token, where.flops, bandwidth))


def balanced_batch(where: Setting, context: float = 0.0) -> float:
    """Sequences that balance arithmetic and memory; without a context, as if there were no cache."""
    return float(batching.balanced_batch_with_cache(context, **where.step_arguments()))


def largest_batch(where: Setting, context: float) -> float:
    """Sequences whose cache fits beside the weights."""
    memory = where.system.hbm_bytes
    return float(batching.largest_batch(memory, where.weight_bytes, context, where.kv_bytes_per_token))


def cheapest_seconds(where: Setting, context: float) -> float:
    """Seconds of the system that a token takes in an endless batch."""
    arguments = where.step_arguments()
    del arguments["weight_bytes"]
    return float(batching.cheapest_seconds(context, **arguments))


def latency_floor(where: Setting) -> float:
    """Seconds to read the weights once."""
    return float(batching.read_seconds(where.weight_bytes, where.system.hbm_bandwidth))


def penalty(where: Setting, context: float = 0.0, weight_share: float = 1.0) -> float:
    """How many times dearer a lone token is, if a lone step reads `weight_share` of the weights."""
    weights = {"weight_bytes": weight_share * where.weight_bytes}
    alone: Any = batching.step_time(1, context, **where.step_arguments() | weights)
    return float(batching.batching_penalty(alone.bound, cheapest_seconds(where, context)))
