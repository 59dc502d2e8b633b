"""Output of chips that read and write in turn, and what a token of it costs."""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import HOUR
from calc.quantities.check import Count, NonNegative, Positive, Quantity, as_plain, checked


@checked
def chip_dollars_per_token(dollars_per_chip_hour: NonNegative, chip_tokens_per_second: Positive) -> Quantity:
    """Rent of a chip over the tokens that it makes, never idle: dollars an hour / (3,600 x tokens a second).

    >>> chip_dollars_per_token(3.6, 1000)
    1e-06
    """
    return dollars_per_chip_hour / (HOUR * chip_tokens_per_second)


@checked
def paid_share(chips: Count, domain_chips: Count) -> Quantity:
    """Chips of whole domains over those that copies of a layout use: D / (c floor(D / c)), or ceil(c / D) D / c.

    >>> paid_share(32, 72), paid_share(64, 72), paid_share(16, 8)
    (1.125, 1.125, 1.0)
    """
    copies = np.maximum(np.floor(np.divide(domain_chips, chips)), 1.0)
    domains = np.ceil(np.divide(chips, domain_chips))
    return as_plain(np.asarray(domains * domain_chips / (copies * chips)))


@checked
def blended_rate(
    prompt_seconds: NonNegative, output_tokens: Positive, token_seconds: Positive, sequences: Positive
) -> Quantity:
    """Output tokens a second of chips that read and write in turn: n / (read + n T / B), for requests of n tokens out.

    `prompt_seconds` is what one prompt takes of all chips; T, with B sequences in flight, is the time of a step.

    >>> blended_rate(0.25, 100, 0.5, 200)
    200.0
    """
    return output_tokens / (prompt_seconds + output_tokens * token_seconds / sequences)
