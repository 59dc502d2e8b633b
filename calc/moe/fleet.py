"""How many machines read prompts and how many write answers, where each does one of the two."""

from __future__ import annotations

import numpy as np

from calc.quantities.check import NonNegative, Positive, Quantity, checked

DAY = 86400.0


@checked
def fleet_nodes(tokens: NonNegative, tokens_per_second: Positive, seconds: Positive = DAY) -> Quantity:
    """Machines that are busy all the time with so many tokens, if nothing is lost: tokens / (rate x seconds).

    >>> fleet_nodes(864e9, 100e3)
    100.0
    """
    return tokens / (tokens_per_second * seconds)


@checked
def prefill_share(prompt_tokens_each: NonNegative, prefill_rate: Positive, decode_rate: Positive) -> Quantity:
    """Share of the machines that read, at so many prompt tokens for each written one: (q / p) / (q / p + 1 / d).

    >>> prefill_share(4, 80e3, 20e3)
    0.5
    """
    reading = np.asarray(prompt_tokens_each) / prefill_rate
    found: Quantity = reading / (reading + 1 / decode_rate)
    return found
