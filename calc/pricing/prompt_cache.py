"""The worth of keeping a prompt's cache, and what the prices of doing so say about where it is kept.

A vendor sells three acts: writing a prefix into the cache, reading it from there (a hit), and perhaps holding it for a
time. A memory that is filled once and read once in a hold uses all of its capacity and all of its bandwidth exactly if
it can be read whole in that time, its drain time (capacity / bandwidth). So a hold time points at a kind of memory.

Symbols: p price of a fresh token, p_w written, p_h hit, p_s held for an hour, n reuses, k cache bytes per token. Prices
in dollars per token, or all in another unit. Left out: hits that fail, prefixes below the vendor's smallest length.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import HOUR, YEAR, quotient
from calc.quantities.check import NonNegative, Positive, Quantity, checked
from calc.quantities.errors import ShapeMismatch


@checked
def fresh_cost(reuses: NonNegative, fresh: NonNegative) -> Quantity:
    """Price of reading a prefix 1 + n times without a cache: p (1 + n).

    >>> fresh_cost(9, 5)
    50.0
    """
    return fresh * (1 + np.asarray(reuses))


@checked
def cached_cost(
    reuses: NonNegative,
    write: NonNegative,
    hit: NonNegative,
    storage_per_hour: NonNegative = 0.0,
    hours: NonNegative = 0.0,
) -> Quantity:
    """Price of the same with one: p_w + n p_h + p_s x hours.

    >>> cached_cost(9, 6.25, 0.5), cached_cost(0, 1, 0, storage_per_hour=4.5, hours=2)
    (10.75, 10.0)
    """
    return write + np.asarray(reuses) * hit + storage_per_hour * hours


@checked
def break_even_reuses(
    fresh: NonNegative,
    write: NonNegative,
    hit: NonNegative,
    storage_per_hour: NonNegative = 0.0,
    hours: NonNegative = 0.0,
) -> Quantity:
    """Reuses after which the cache has paid for itself: (p_w + p_s x hours - p) / (p - p_h).

    Any whole number above it saves money. 0 if writing costs nothing extra, infinite if a hit is no cheaper.

    >>> round(break_even_reuses(5, 6.25, 0.5), 3), round(break_even_reuses(5, 10, 0.5), 3)
    (0.278, 1.111)
    """
    extra = np.maximum(0.0, np.asarray(write + storage_per_hour * hours) - fresh)
    return np.where(extra > 0, quotient(extra, np.asarray(fresh) - hit), 0.0)


@checked
def saving_factor(reuses: NonNegative, fresh: NonNegative, write: Positive, hit: NonNegative) -> Quantity:
    """How many times cheaper a prefix becomes by caching: (1 + n) p / (p_w + n p_h), towards p / p_h in the limit.

    >>> round(saving_factor(9, 5, 6.25, 0.5), 2)
    4.65
    """
    return fresh_cost(reuses, fresh) / cached_cost(reuses, write, hit)


@checked
def reuses_for_saving(factor: Positive, fresh: NonNegative, write: NonNegative, hit: NonNegative) -> Quantity:
    """Reuses at which a prefix is `factor` times cheaper: (f p_w - p) / (p - f p_h), at least 0.

    Infinite from p / p_h on, which no number of reuses reaches.

    >>> round(reuses_for_saving(5, 5, 6.25, 0.5), 6), float(reuses_for_saving(10, 5, 6.25, 0.5))
    (10.5, inf)
    """
    return break_even_reuses(fresh, factor * np.asarray(write), factor * np.asarray(hit))


@checked
def keep_warm_seconds(write: Positive, hit: Positive, lifetime: Positive) -> Quantity:
    """Pause that pings every `lifetime` bridge for no more than a new write: the lifetime x the hits that p_w buys.

    The last of these hits is the return itself: n pings bridge n + 1 lifetimes for (n + 1) p_h.

    >>> float(keep_warm_seconds(6.25, 0.5, 300)) / 60
    60.0
    """
    return lifetime * np.floor(_hits(np.asarray(write), hit))


@checked
def longer_write_seconds(write: NonNegative, longer: NonNegative, hit: Positive, lifetime: Positive) -> Quantity:
    """Pause past which the dearer, longer write costs less than pings: lifetime x (1 + whole hits in p_w' - p_w).

    >>> float(longer_write_seconds(6.25, 10, 0.5, 300)) / 60
    40.0
    """
    return lifetime * (1 + np.floor(_hits(np.maximum(np.asarray(longer) - np.asarray(write), 0), hit)))


def _hits(dollars: Quantity, hit: Quantity) -> Quantity:
    """Hits that so many dollars buy; a ratio of list prices that is whole stays whole in floating point."""
    return np.round(dollars / hit, 9)


@checked
def holding_dollars_per_byte_hour(
    premium: NonNegative, kv_bytes_per_token: Positive, hold_seconds: Positive
) -> Quantity:
    """Price of holding a byte for an hour in a premium on writing: premium / (k x hours), an upper bound on its cost.

    >>> round(holding_dollars_per_byte_hour(1.25e-6, 2048, 300) * 1e9, 2)
    7.32
    """
    return premium / kv_bytes_per_token / hold_seconds * HOUR


@checked
def memory_dollars_per_byte_hour(dollars_per_hour: NonNegative, capacity_bytes: Positive) -> Quantity:
    """Rent of a byte for an hour if the whole rent of a device is charged to its memory: rent / capacity.

    >>> memory_dollars_per_byte_hour(4, 80e9) * 1e9
    0.05
    """
    return dollars_per_hour / capacity_bytes


@checked
def owned_dollars_per_byte_hour(dollars_per_byte: NonNegative, years: Positive) -> Quantity:
    """Cost of a byte for an hour in memory that is bought and written off in so many years of 8,766 hours.

    >>> round(owned_dollars_per_byte_hour(0.8766e-9, 4) * 1e9, 9)
    2.5e-05
    """
    return dollars_per_byte / years / (YEAR / HOUR)


@checked
def share_read_per_hold(hold_seconds: NonNegative, drain_seconds: Positive) -> Quantity:
    """How much of a memory can be read during a hold: hold / drain. At 1 neither capacity nor bandwidth is idle.

    >>> share_read_per_hold(300, 600)
    0.5
    """
    return hold_seconds / drain_seconds


@checked
def holding_cost(
    hold_seconds: Positive, capacity_bytes: Positive, bandwidth: Positive, dollars_per_hour: NonNegative
) -> Quantity:
    """Dollars to hold a byte and read it once, on a device full of such bytes: rent x max(hold, drain) / capacity.

    If the hold is shorter than the drain time, then bandwidth is what runs out, and a shorter hold is no cheaper.

    >>> holding_cost(3600, 1e12, 1e9, 2), holding_cost(360, 1e12, 1e9, 2)
    (2e-12, 5.555555555555556e-13)
    """
    busy: Quantity = np.maximum(hold_seconds, capacity_bytes / bandwidth)
    return dollars_per_hour / HOUR * busy / capacity_bytes


@checked
def implied_tier(hold_seconds: Positive, drain_seconds: Positive) -> int:
    """Which of several memories a hold time points at: the index of the drain time that is nearest as a ratio.

    >>> implied_tier(300, [0.02, 5, 275, 84_000])
    2
    """
    drains, hold = np.atleast_1d(drain_seconds), np.asarray(hold_seconds)
    if drains.ndim > 1 or hold.ndim > 0:
        raise ShapeMismatch("drain_seconds", drain_seconds, "a list of drain times, beside one hold time")
    return int(np.argmin(np.abs(np.log(drains / hold))))


@checked
def hold_worth_storing(
    recompute_dollars_per_token: NonNegative, kv_bytes_per_token: Positive, dollars_per_byte_hour: Positive
) -> Quantity:
    """Seconds between two uses up to which storing a token's cache is cheaper than computing it again.

    3600 c / (k x holding price): the five-minute rule (Gray and Putzolu, 1987) for caches. Moving it is not counted.

    >>> hold_worth_storing(1e-6, 50_000, 4e-11)
    1800.0
    """
    return HOUR * recompute_dollars_per_token / kv_bytes_per_token / dollars_per_byte_hour


@checked
def fetch_speedup(
    kv_bytes_per_token: Positive, bandwidth: Positive, active_params: Positive, flops: Positive
) -> Quantity:
    """How many times sooner a prefix is there if its cache is fetched instead of computed: (2 N_a / F) / (k / w).

    Below 1 the link to the memory is so slow that computing again is quicker. Attention is not counted.

    >>> fetch_speedup(50_000, 1e10, 50e9, 1e15)
    20.0
    """
    return 2 * active_params / flops * bandwidth / kv_bytes_per_token
