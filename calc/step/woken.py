"""How many of a layer's experts a pass wakes, and in how many places a token's experts lie, if choices are even.

Symbols: E experts, k of a token, x places, G groups of experts, M of them that a token may use.
"""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Count, Positive, Quantity, checked, single
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


def visited_share(
    places: Quantity, picks: Quantity, groups: float = 1.0, allowed: float = 1.0, experts: float = math.inf
) -> Quantity:
    """The share of places that hold an expert of a token, if it may use `allowed` of `groups` groups of experts.

    A place with a part c = G / x <= 1 of a group is in reach with a chance of M / G, and then passed over by a pick
    with one of 1 - c / M; of n groups on a place j are in reach, hypergeometrically, and 1 - j / M passes it over.
    Between whole numbers of groups the share is interpolated. Groups lie whole on places beside one another: the share
    is concave in what a place holds of each group, so no other even placement is visited less. Picks may repeat, unless
    the number of `experts` is told, of which a token then picks different ones.

    >>> [round(float(places * visited_share(places, 8, groups=8, allowed=4)), 2) for places in (2, 8, 72)]
    [1.92, 3.6, 7.26]
    >>> round(float(2 * visited_share(2, 8, 8, 4, experts=256)), 3)
    1.926
    """
    within = experts * min(1, allowed / groups)
    if allowed >= groups:
        return 1 - _passed(1 - 1 / np.asarray(places, dtype=float), picks, within)
    held = groups / np.asarray(places, dtype=float)
    found: Quantity = allowed / groups * (1 - _passed(1 - np.minimum(held, 1) / allowed, picks, within))
    if np.any(held > 1):
        seen = 1 - np.interp(
            held, np.arange(groups + 1), _passed_whole(int(groups), int(allowed), single("picks", picks), within)
        )
        found = np.where(held > 1, seen, found)[()]
    return found


@cache
def _passed_whole(groups: int, allowed: int, picks: float, experts: float) -> NDArray[np.float64]:
    """The chance that all picks pass over a place that holds n whole groups, for every n."""
    return np.array(
        [
            sum(
                math.comb(n, j) * math.comb(groups - n, allowed - j) * _passed(1 - j / allowed, picks, experts)
                for j in range(allowed + 1)
            )
            / math.comb(groups, allowed)
            for n in range(groups + 1)
        ]
    )


def _passed(left: Quantity, picks: Quantity, experts: float) -> Quantity:
    """The chance that all picks are among the share `left` of the experts within reach."""
    if math.isinf(experts):
        return np.power(left, picks)
    before = np.arange(int(np.max(picks)))
    kept: Quantity = np.prod(
        np.maximum(np.asarray(left)[..., None] * experts - before, 0) / (experts - before), axis=-1
    )
    return kept
