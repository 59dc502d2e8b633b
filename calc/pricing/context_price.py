"""How cost grows with context, what a price step says about the cache, and whether two steps are enough.

Up to a crossover length a decoded token is limited by its multiplications, beyond it by reading its own cache. A vendor
who raises the price at a length may have put the step there; then the crossover gives the bytes of cache per token
away. A vendor may also have copied a convention, and then it gives nothing away.

Symbols: L context in tokens, L* crossover, L_a the context at which attention takes as many operations as the weights,
N_a active parameters, k cache bytes per token, r hardware ratio (`calc.batching.hardware_ratio`). The crossover for
known bytes is `calc.batching.critical_context`. Cost is in units of a token without context, sold in a large batch.
Left out: sharing of the cache between requests, sparse attention, and the weights, which a large batch spreads thin.
"""

from __future__ import annotations

import numpy as np

from calc.batching.balance import critical_context
from calc.quantities.arithmetic import quotient
from calc.quantities.check import NonNegative, Positive, Quantity, checked
from calc.quantities.errors import OutOfRange


@checked
def implied_kv_bytes(
    crossover: Positive, active_params: Positive, ratio: Positive, bytes_per_weight: Positive = 1.0
) -> Quantity:
    """Bytes of cache per token if a step marks the crossover: k = N_a b / (r L*), from 2 N_a / F = L* k / w.

    >>> implied_kv_bytes(100_000, 60e9, 300)
    2000.0
    """
    return active_params * bytes_per_weight / ratio / crossover


@checked
def crossover_context(
    kv_bytes_per_token: Positive, active_params: Positive, ratio: Positive, bytes_per_weight: Positive = 1.0
) -> Quantity:
    """The critical context (`calc.batching.balance`) from the hardware's ratio: L* = N_a b / (r k), the way back.

    >>> crossover_context(2000, 60e9, 300)
    100000.0
    """
    return critical_context(active_params, kv_bytes_per_token, 2 * ratio, bytes_per_weight)


@checked
def decode_cost(context: NonNegative, crossover: Positive, attention_context: Positive | None = None) -> Quantity:
    """Cost of a token written at context L: max(1 + L / L_a, L / L*), at least 1.

    Without `attention_context` the multiplications of attention count for nothing, as in the lecture.

    >>> decode_cost(1e6, 2e5), decode_cost(1e5, 2e5), decode_cost(1e5, 2e5, attention_context=1e5)
    (5.0, 1.0, 2.0)
    """
    attention = 0.0 if attention_context is None else context / attention_context
    return np.maximum(1 + attention, context / crossover)


@checked
def tiered_price(context: NonNegative, threshold: Positive, base: Positive, above: Positive) -> Quantity:
    """Price of a token whose request has L tokens of context: `base` up to the threshold, `above` beyond.

    >>> tiered_price(200_000, 200_000, 12, 18), tiered_price(200_001, 200_000, 12, 18)
    (12.0, 18.0)
    """
    return np.asarray(np.where(np.asarray(context) > threshold, above, base))


@checked
def tier_margin(
    context: NonNegative,
    *,
    crossover: Positive,
    threshold: Positive,
    step: Positive,
    markup: NonNegative = 0.0,
    attention_context: Positive | None = None,
) -> Quantity:
    """Profit over price at context L of a two-step price: 1 - cost(L) / price(L).

    The price is 1 + markup times the cost without context, and `step` times that beyond the threshold.

    >>> tier_margin(400_000, crossover=200_000, threshold=200_000, step=4)
    0.5
    """
    price = tiered_price(context, threshold, 1 + markup, (1 + markup) * step)
    return 1 - decode_cost(context, crossover, attention_context) / price


@checked
def longest_profitable_context(
    crossover: Positive, step: Positive, markup: NonNegative = 0.0, attention_context: Positive | None = None
) -> Quantity:
    """Context from which on even the higher price is below cost: the L at which cost(L) = step x (1 + markup).

    The smaller of L* p and L_a (p - 1) with p = step x (1 + markup); 0 if the price is below cost everywhere.

    >>> longest_profitable_context(200_000, 1.5), longest_profitable_context(200_000, 1.5, attention_context=1e5)
    (300000.0, 50000.0)
    """
    price = step * (1 + markup)
    by_cache = crossover * price * (np.asarray(price) >= 1)
    by_attention = np.inf if attention_context is None else attention_context * np.maximum(price - 1, 0.0)
    found: Quantity = np.minimum(by_cache, by_attention)
    return found


@checked
def fair_step(
    crossover: Positive, threshold: Positive, longest: Positive, attention_context: Positive | None = None
) -> Quantity:
    """Price step that covers cost if contexts beyond the threshold are spread evenly up to `longest`.

    The mean of max(1 + L / L_a, L / L*) from the threshold a to the longest b: with m = max(a, min(b, L')) it is
    (m - a + (m^2 - a^2) / (2 L_a) + (b^2 - m^2) / (2 L*)) / (b - a), where 1 / L' = 1 / L* - 1 / L_a.

    >>> fair_step(200_000, 200_000, 1_000_000), fair_step(200_000, 200_000, 1_000_000, attention_context=400_000)
    (3.0, 3.0625)
    """
    if np.any(np.asarray(longest) <= threshold):
        raise OutOfRange("longest", longest, f"above the threshold, {threshold}")
    slope = 0.0 if attention_context is None else 1 / np.asarray(attention_context)
    meets = quotient(1.0, 1 / np.asarray(crossover) - slope)
    turn: Quantity = np.maximum(threshold, np.minimum(longest, meets))
    before = (turn - threshold) * (1 + slope * (turn + threshold) / 2)
    rising = (longest - turn) * ((longest + turn) / (2 * crossover))
    return (before + rising) / (longest - threshold)
