"""Where computing takes as long as reading: the balanced batch, and the context past which there is none."""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import quotient
from calc.quantities.check import AtLeastOne, NonNegative, Positive, PositiveShare, Quantity, checked
from calc.quantities.errors import OutOfRange


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
    active_params: Positive,
    kv_bytes_per_token: Positive,
    flops: Positive,
    bandwidth: Positive,
    attention_flops: NonNegative = 0.0,
) -> Quantity:
    """Tokens of context from which on no batch is limited by compute: 2 N_a / (k F / w - a), or 2 N_a w / (F k).

    Past it, reading a sequence's cache takes longer than multiplying for it, however many share the weights. A token of
    context brings `attention_flops` a with it: where they take as long as its bytes, no context is critical.

    >>> round(critical_context(50e9, 1e5, 1e15, 2e12), 6), critical_context(50e9, 1e5, 1e15, 2e12, 5e7)
    (2000.0, inf)
    """
    return quotient(2 * active_params, np.asarray(kv_bytes_per_token * flops / bandwidth - attention_flops))


@checked
def attainable_utilisation(
    context: Positive,
    active_params: Positive,
    kv_bytes_per_token: Positive,
    flops: Positive,
    bandwidth: Positive,
    attention_flops: NonNegative = 0.0,
) -> Quantity:
    """Most of the multipliers that any batch can use at L tokens: min(1, (2 N_a + a L) / F over k L / w).

    >>> model = {"active_params": 50e9, "kv_bytes_per_token": 1e5, "flops": 1e15, "bandwidth": 2e12}
    >>> [round(attainable_utilisation(8000, **model, attention_flops=each), 6) for each in (0, 2.5e7)]
    [0.25, 0.75]
    """
    computing = (2 * active_params + attention_flops * context) / flops
    return np.minimum(1.0, computing / (kv_bytes_per_token * context / bandwidth))


@checked
def balanced_batch_with_cache(
    context: NonNegative,
    *,
    active_params: Positive,
    weight_bytes: Positive,
    kv_bytes_per_token: NonNegative,
    flops: Positive,
    bandwidth: Positive,
    attention_flops: NonNegative = 0.0,
) -> Quantity:
    """Sequences for which computing takes as long as reading: W / ((2 N_a + a L) w / F - L k).

    Weights and cache are read; attention's a operations a token of context are computed where they are given. Infinite
    from the critical context on.

    >>> model = {"active_params": 50e9, "weight_bytes": 1e12, "kv_bytes_per_token": 1e5}
    >>> round(balanced_batch_with_cache(1000, **model, flops=1e15, bandwidth=2e12), 6)
    10000.0
    """
    computed = 2 * active_params + attention_flops * context
    spare = np.asarray(computed * bandwidth / flops - context * kv_bytes_per_token)
    return quotient(weight_bytes, spare)


@checked
def utilisation_ceiling(context: Positive, critical: Positive) -> Quantity:
    """Share of the multipliers that an endless batch keeps busy: min(1, L* / L), where L* is the critical context.

    >>> utilisation_ceiling(8000, 2000)
    0.25
    """
    return np.minimum(1.0, critical / context)


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
