"""Costs of reading and of writing a token, and what a price list gives away about the machine behind it.

If tokens are sold near cost, then the ratio of two prices is the ratio of two times on the same system. Reading a
prompt (prefill) multiplies each weight that it reads with thousands of tokens and is limited by arithmetic; writing
(decode) is mostly limited by memory. Costs are those of a system that rents for a known price an hour and has work all
the time: lower bounds at utilisation 1. Idle hours, failures, people and profit are left out.

Symbols: N_a active parameters, F dense FLOP/s, w memory bandwidth in bytes/s, u utilisation of the multipliers (MFU).
Prices are in dollars per token unless a name says otherwise.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import HOUR
from calc.quantities.check import AtLeastOne, NonNegative, Positive, PositiveShare, Quantity, Share, checked
from calc.quantities.errors import OutOfRange


@checked
def prefill_dollars_per_token(
    active_params: Positive,
    flops: Positive,
    dollars_per_hour: NonNegative,
    utilisation: PositiveShare = 1.0,
    attention_operations: NonNegative = 0.0,
) -> Quantity:
    """Cost of reading one token of a prompt: rent x (2 N_a + attention) / (F u), as prefill is limited by arithmetic.

    >>> round(prefill_dollars_per_token(50e9, 1e15, 36, utilisation=0.5) * 1e6, 6)
    2.0
    """
    return dollars_per_hour / HOUR * (2 * active_params + attention_operations) / flops / utilisation


@checked
def decode_floor_dollars_per_token(
    context: NonNegative,
    *,
    active_params: Positive,
    kv_bytes_per_token: NonNegative,
    flops: Positive,
    bandwidth: Positive,
    dollars_per_hour: NonNegative,
) -> Quantity:
    """Least cost of writing one token, in an endless batch: rent x max(2 N_a / F, L k / w).

    The cost in a batch of a given size is `calc.batching.dollars_per_token`.

    >>> chip = {"flops": 1e15, "bandwidth": 1e12, "dollars_per_hour": 36}
    >>> round(decode_floor_dollars_per_token(10_000, active_params=50e9, kv_bytes_per_token=1e5, **chip) * 1e6, 6)
    10.0
    """
    seconds = np.maximum(2 * active_params / flops, context * kv_bytes_per_token / bandwidth)
    return np.asarray(dollars_per_hour / HOUR * seconds)


@checked
def price_ratio(dear: NonNegative, cheap: Positive) -> Quantity:
    """How many times one price is another: output to input, input to cache hit, fast to ordinary.

    >>> price_ratio(25, 5)
    5.0
    """
    return dear / cheap


@checked
def utilisation(tokens_per_second: NonNegative, active_params: Positive, flops: Positive) -> Quantity:
    """Share of the multipliers that a measured rate keeps busy (MFU): 2 N_a r / F. Attention is not counted.

    >>> utilisation(1000, 50e9, 1e15)
    0.1
    """
    return 2 * active_params * tokens_per_second / flops


@checked
def implied_decode_utilisation(price_ratio: Positive, prefill_utilisation: PositiveShare = 1.0) -> Quantity:
    """MFU of decode that an output price of `price_ratio` times the input price implies: u_prefill / ratio.

    Both kinds of token take 2 N_a operations on the same system, so at cost their prices are as their times.

    >>> implied_decode_utilisation(5, 0.5)
    0.1
    """
    return prefill_utilisation / price_ratio


@checked
def implied_bytes_per_output_token(
    price_ratio: Positive,
    active_params: Positive,
    flops: Positive,
    bandwidth: Positive,
    prefill_utilisation: PositiveShare = 1.0,
) -> Quantity:
    """Bytes that decode reads for each token, its share of the weights and its cache: ratio x 2 N_a w / (F u_prefill).

    An upper bound: whatever else slows decode down is counted as reading.

    >>> implied_bytes_per_output_token(5, 50e9, 1e15, 2e12, prefill_utilisation=0.5)
    2000000000.0
    """
    return price_ratio * 2 * active_params * bandwidth / flops / prefill_utilisation


@checked
def markup(price: NonNegative, cost: Positive) -> Quantity:
    """Profit over cost: price / cost - 1.

    >>> markup(3, 2)
    0.5
    """
    return price / cost - 1


@checked
def margin(price: Positive, cost: NonNegative) -> Quantity:
    """Profit over price: 1 - cost / price.

    >>> margin(4, 3)
    0.25
    """
    return 1 - cost / price


@checked
def slow_mode_saving(compute: Positive, weights: NonNegative, cache: NonNegative) -> Quantity:
    """Share of the cost that an endless batch would save, from the seconds of an ordinary step's parts.

    1 - max(compute, cache) / max(compute, weights + cache): only the reading of weights is shared by more sequences.
    At most the share of the weights in the reading, and nothing once compute is the limit.

    >>> slow_mode_saving(0.01, 0.01, 0.03), slow_mode_saving(0.02, 0.01, 0.005)
    (0.25, 0.0)
    """
    endless: Quantity = np.maximum(compute, cache)
    return 1 - endless / np.maximum(compute, weights + cache)


@checked
def value_of_an_hour(
    dollars_per_token: Positive, tokens_per_second: Positive, price_ratio: AtLeastOne, speed_ratio: Positive
) -> Quantity:
    """Dollars that an hour of waiting must be worth before a faster mode pays: 3600 p v (c - 1) / (1 - 1 / s).

    A token then costs c times as much and comes s times as fast; without the mode it costs p and v of them come a
    second.

    >>> round(value_of_an_hour(25e-6, 50, 6, 2.5), 6)
    37.5
    """
    if np.any(np.asarray(speed_ratio) <= 1):
        raise OutOfRange("speed_ratio", speed_ratio, "above 1: a mode that is no faster saves no time")
    return HOUR * dollars_per_token * tokens_per_second * (price_ratio - 1) / (1 - 1 / speed_ratio)


@checked
def blended_multiplier(
    batch_share: Share = 0.0,
    batch_multiplier: NonNegative = 1.0,
    fast_share: Share = 0.0,
    fast_multiplier: NonNegative = 1.0,
) -> Quantity:
    """Factor on a bill of which one share is sent as batch, another as fast or priority, and the rest as usual.

    1 + b (m_b - 1) + f (m_f - 1).

    >>> blended_multiplier(0.5, 0.5), blended_multiplier(0.5, 0.5, 0.125, 3)
    (0.75, 1.0)
    """
    if np.any(np.asarray(batch_share) + fast_share > 1):
        raise OutOfRange("fast_share", fast_share, f"at most what the batch share of {batch_share} leaves")
    return 1 + batch_share * (batch_multiplier - 1) + fast_share * (fast_multiplier - 1)
