"""Batches as trains. Waits for a place, how full the trains are, and what an empty seat costs.

A batch leaves every T seconds whether it is full or not, carries each of its sequences one token further, and arrives
T seconds later, as the next one leaves.

Symbols: T period (seconds), B seats (sequences), l tokens of an answer, traffic in tokens to be decoded per second.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked
from calc.quantities.errors import WrongType


@checked
def worst_wait(period: Positive) -> Quantity:
    """Longest time from a request to its first token while there are seats: just missed one, then carried: 2 T.

    >>> worst_wait(0.02)
    0.04
    """
    return 2 * period


@checked
def mean_wait(period: Positive) -> Quantity:
    """Average of the same for requests that come at any moment: half a period on the platform, one on the train.

    >>> mean_wait(0.02)
    0.03
    """
    return 1.5 * period


@checked
def occupancy(traffic: NonNegative, seats: Positive, period: Positive) -> Quantity:
    """Share of the seats taken when `traffic` tokens a second are to leave in batches of `seats`, at most 1.

    >>> occupancy(50_000, 2000, 0.02)
    0.5
    """
    return np.minimum(1.0, traffic * period / seats)


@checked
def sequences_per_second(seats: Positive, period: Positive, tokens_per_sequence: Positive) -> Quantity:
    """New conversations a second that keep every seat taken: B / (T l), as each stays for l steps.

    >>> sequences_per_second(2000, 0.02, 1000)
    100.0
    """
    return seats / (period * tokens_per_sequence)


@checked
def systems_needed(traffic: Positive, tokens_per_second: Positive) -> Quantity:
    """Whole systems that carry the traffic, at least one.

    >>> systems_needed(250_000, 100_000)
    3.0
    """
    return np.asarray(np.maximum(1.0, whole_up(traffic / tokens_per_second)))


@checked
def empty_seat_factor(traffic: Positive, tokens_per_second: Positive) -> Quantity:
    """How many times dearer a token is than on full systems, because whole systems are paid for; at least 1.

    Below one system it is capacity / traffic; above, the rounding costs at most one part in the number of systems.

    >>> empty_seat_factor(25_000, 100_000), empty_seat_factor(250_000, 100_000)
    (4.0, 1.2)
    """
    return np.asarray(systems_needed(traffic, tokens_per_second) * tokens_per_second / traffic)


@dataclass(frozen=True)
class Boarding:
    """When each request leaves and when its first token arrives, in seconds."""

    departs: Quantity
    arrives: Quantity


@checked
def board(requests: NonNegative, period: Positive, seats: Count) -> Boarding:
    """Put requests on trains in the order in which they come: the first train with a free seat after each.

    Trains leave at whole multiples of the period. The k-th request leaves no earlier than one period after the request
    that came `seats` before it.

    >>> board([0.1, 0.2, 0.3, 1.5], 1, 2).departs.tolist()
    [1.0, 1.0, 2.0, 2.0]
    """
    if isinstance(period, np.ndarray) or isinstance(seats, np.ndarray):
        raise WrongType("period and seats", (period, seats), "single numbers")
    times = np.sort(np.atleast_1d(np.asarray(requests, dtype=np.float64)))
    train = whole_up(times / period)
    for late in range(int(seats), len(train)):
        train[late] = max(train[late], train[late - int(seats)] + 1)
    return Boarding(train * period, (train + 1) * period)
