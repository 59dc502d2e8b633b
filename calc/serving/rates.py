"""Output of chips that read and write in turn, and what a token of it costs."""

from __future__ import annotations

from calc.quantities.arithmetic import HOUR
from calc.quantities.check import NonNegative, Positive, Quantity, checked


@checked
def chip_dollars_per_token(dollars_per_chip_hour: NonNegative, chip_tokens_per_second: Positive) -> Quantity:
    """Rent of a chip over the tokens that it makes, never idle: dollars an hour / (3,600 x tokens a second).

    >>> chip_dollars_per_token(3.6, 1000)
    1e-06
    """
    return dollars_per_chip_hour / (HOUR * chip_tokens_per_second)


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
