"""Requests that come and go: how many are under way, and what a fleet's time costs."""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import HOUR
from calc.quantities.check import AtLeastOne, NonNegative, Positive, Quantity, checked

NO_TIME = 1e-300  # seconds, in place of none at all where something is divided by a time


@checked
def requests_in_flight(requests_per_second: NonNegative, seconds_per_request: NonNegative) -> Quantity:
    """Requests under way on average: rate x time of one, however they arrive (Little's law).

    >>> requests_in_flight(20, 3)
    60.0
    """
    return requests_per_second * seconds_per_request


@checked
def decoding_sequences(
    concurrency: NonNegative, output_tokens: AtLeastOne, token_seconds: Positive, first_token_seconds: NonNegative
) -> Quantity:
    """Sequences that write at a time, of so many users that each wait for one answer after another.

    c (n - 1) T / (t1 + (n - 1) T): a request writes for that share of its life, after its first token.

    >>> decoding_sequences(64, 101, 0.02, 2)
    32.0
    """
    writing = (output_tokens - 1) * token_seconds
    return concurrency * writing / np.maximum(first_token_seconds + writing, NO_TIME)


@checked
def rent_dollars(chips: Positive, seconds: NonNegative, dollars_per_chip_hour: NonNegative) -> Quantity:
    """Dollars for so many chips over so long: of a step, a day or a training run.

    >>> rent_dollars(2048, 86400, 2)
    98304.0
    """
    return chips * seconds / HOUR * dollars_per_chip_hour
