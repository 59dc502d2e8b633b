"""Room for requests that come at random: more are in flight at times than on average."""

from __future__ import annotations

import numpy as np

from calc.quantities.check import NonNegative, Quantity, checked

DEVIATIONS = 3.0


@checked
def room_at_random(mean: NonNegative, deviations: NonNegative = DEVIATIONS) -> Quantity:
    """Sequences to have room for, where so many are in flight on average: N + z sqrt(N).

    Requests that come independently of one another are in flight by Poisson's law, whatever the lengths of their
    answers: the standard deviation of their number is the square root of its mean. Room for three deviations is short
    for about a five-hundredth of the time, where some dozens or more are in flight.

    >>> room_at_random(100)
    130.0
    """
    return mean + deviations * np.sqrt(mean)


@checked
def mean_at_random(room: NonNegative, deviations: NonNegative = DEVIATIONS) -> Quantity:
    """Sequences that may be in flight on average where so many have room: the N of N + z sqrt(N).

    >>> mean_at_random(room_at_random(100))
    100.0
    """
    return (np.sqrt(room + deviations**2 / 4) - deviations / 2) ** 2
