"""How many of a layer's experts a pass wakes, and in how many places a token's experts lie, if choices are even."""

from __future__ import annotations

import numpy as np

from calc.quantities.check import Count, Positive, Quantity, checked
from calc.quantities.errors import OutOfRange


@checked
def touched_share(batch: Positive, experts: Count, experts_per_token: Count) -> Quantity:
    """Expected share of the routed experts that a batch wakes, if tokens choose evenly: 1 - (1 - E_a / E)^B.

    >>> [round(touched_share(batch, 256, 8), 3) for batch in (1, 32, 100)]
    [0.031, 0.638, 0.958]
    """
    if np.any(np.asarray(experts_per_token) > experts):
        raise OutOfRange("experts_per_token", experts_per_token, f"at most the number of experts, {experts}")
    return chosen_share(batch, experts, experts_per_token)


def chosen_share(draws: Quantity, places: Quantity, each: Quantity = 1.0) -> Quantity:
    """The share of places that so many draws reach: of experts, of chips, of domains."""
    left: Quantity = np.power(1 - each / places, draws)
    return 1 - left
