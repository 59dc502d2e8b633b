"""Routing of tokens. Places that a token visits, and how uneven load is by chance alone.

Everything assumes a router that chooses k of E experts evenly and each token on its own. Trained routers are balanced
on purpose or skewed by the text, so real loads lie on either side of these: evenness is the assumption to doubt first.

Symbols: E routed experts, k experts per token, B tokens, G groups of experts (chips, nodes or racks), M groups allowed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calc.quantities import draws
from calc.quantities.check import Array, Count, Quantity, Range, as_plain, checked, single
from calc.quantities.errors import OutOfRange

MOST_DRAWS = 4_000_000

Tokens: TypeAlias = Annotated[Quantity, Range(1, 1e9, whole=True)]
Experts: TypeAlias = Annotated[Quantity, Range(1, 1e5, whole=True)]


@checked
def expected_groups(
    experts: Experts, experts_per_token: Experts, groups: Count, limit: Count | None = None
) -> Quantity:
    """Expected number of groups that a token visits: G (1 - C(E - E/G, k) / C(E, k)), experts split evenly over G.

    With group-limited routing (DeepSeek-AI, 2024) a token first picks `limit` groups and then its experts among theirs,
    so E and G shrink to the part that it picked.

    >>> expected_groups(4, 2, 4), round(expected_groups(256, 8, 8), 2), round(expected_groups(256, 8, 8, limit=4), 2)
    (2.0, 5.29, 3.63)
    """
    allowed = groups if limit is None else np.minimum(limit, groups)
    size = np.asarray(experts / groups)
    within = size * allowed
    if np.any(size != np.floor(size)):
        raise OutOfRange("groups", groups, f"a divisor of the number of experts, {experts}")
    if np.any(np.asarray(experts_per_token) > within):
        raise OutOfRange("experts_per_token", experts_per_token, f"at most the experts to choose from, {within}")
    missed = np.ones(np.broadcast_shapes(np.shape(experts_per_token), within.shape))
    for chosen in range(int(np.max(experts_per_token))):
        left = np.maximum(within - size - chosen, 0) / np.maximum(within - chosen, 1)
        missed = missed * np.where(np.less(chosen, experts_per_token), left, 1.0)
    return np.asarray(allowed * (1 - missed))


@checked
def remote_groups(experts: Experts, experts_per_token: Experts, groups: Count, limit: Count | None = None) -> Quantity:
    """Expected number of groups other than its own that a token is sent to: expected groups x (G - 1) / G.

    These are the copies that leave when one copy serves all of a token's experts behind the same link, as in DeepSeek's
    training. Without that, (G - 1) / G of all k copies leave.

    >>> remote_groups(4, 2, 4)
    1.5
    """
    return expected_groups(experts, experts_per_token, groups, limit) * (groups - 1) / groups


@checked
def tokens_per_expert(tokens: Tokens, experts: Experts, experts_per_token: Experts) -> Quantity:
    """Average load of an expert: B k / E tokens.

    >>> tokens_per_expert(3200, 256, 8)
    100.0
    """
    if np.any(np.asarray(experts_per_token) > experts):
        raise OutOfRange("experts_per_token", experts_per_token, f"at most the number of experts, {experts}")
    return tokens * experts_per_token / experts


@dataclass(frozen=True)
class BusiestExpert:
    """Expected load of the most loaded of all experts, between two bounds, and the average load, in tokens."""

    mean: Quantity
    at_least: Quantity
    at_most: Quantity

    @property
    def imbalance(self) -> Quantity:
        """How many times the average the busiest expert carries, at the least."""
        return self.at_least / self.mean


@checked
def busiest_expert(tokens: Tokens, experts: Experts, experts_per_token: Experts) -> BusiestExpert:
    """Expected maximum load when B tokens choose evenly, from the binomial load of one expert, X ~ Bin(B, k / E).

    At least: sum over x of 1 - P(X <= x)^E, the value for independent loads; loads that share a fixed total are
    negatively associated, which makes their maximum no smaller (Joag-Dev and Proschan, 1983). At most: sum over x of
    min(1, E P(X > x)), the union bound.

    >>> busiest_expert(2, 2, 1)
    BusiestExpert(mean=1.0, at_least=1.375, at_most=1.5)
    """
    mean = tokens_per_expert(tokens, experts, experts_per_token)
    pairs = [_bounds(*(int(part) for part in each)) for each in np.broadcast(tokens, experts, experts_per_token)]
    low, high = np.reshape(np.transpose(pairs), (2, *np.shape(mean)))
    return BusiestExpert(mean, as_plain(low), as_plain(high))


def _bounds(tokens: int, experts: int, experts_per_token: int) -> tuple[float, float]:
    """Both bounds from one binomial distribution, cut where less than one part in 10^20 is left."""
    share = experts_per_token / experts
    if share == 1:
        return float(tokens), float(tokens)
    mean, spread = tokens * share, math.sqrt(tokens * share * (1 - share))
    first = max(0, math.floor(mean - 12 * spread - 20))
    last = min(tokens, math.ceil(mean + 12 * spread + 60))
    loads = np.arange(first + 1, last + 1, dtype=np.float64)
    steps = np.log((tokens - loads + 1) / loads * (share / (1 - share)))
    weights = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(weights - weights.max())
    above = np.cumsum(weights[:0:-1]) / weights.sum()  # P(X > x) from the far end, so that small ones are exact
    at_least = first - np.expm1(experts * np.log1p(-np.minimum(above, 1 - 1e-16))).sum()
    return float(at_least), float(first + np.minimum(1.0, experts * above).sum())


@checked
def drawn_choices(tokens: Tokens, experts: Experts, experts_per_token: Experts, seed: int = 1) -> NDArray[np.bool_]:
    """Choices of experts in one throw of the dice: a row a token, true where it picked the expert, k in each row.

    Every set of k experts is as likely as the next (Floyd's method: k draws a token, however many experts there are).
    The first tokens of a throw are the same, however many follow.

    >>> int(drawn_choices(100, 8, 2).sum(axis=1).max()), drawn_choices(1, 3, 3)
    (2, array([[ True,  True,  True]]))
    """
    tokens_per_expert(tokens, experts, experts_per_token)
    given = {"tokens": tokens, "experts": experts, "experts_per_token": experts_per_token}
    rows, columns, picks = (int(single(argument, value)) for argument, value in given.items())
    if rows * columns > MOST_DRAWS:
        raise OutOfRange("tokens", rows, f"at most {MOST_DRAWS // columns:,} for so many experts")
    chosen = np.zeros((rows, columns), dtype=np.bool_)
    each = np.arange(rows)
    for last, drawn in enumerate(draws.uniform(seed, (rows, picks)).T, columns - picks):
        at = (drawn * (last + 1)).astype(np.int64)
        chosen[each, np.where(chosen[each, at], last, at)] = True
    return chosen


@checked
def drawn_loads(tokens: Tokens, experts: Experts, experts_per_token: Experts, seed: int = 1) -> Array:
    """Loads of E experts in one throw of the dice: every token picks its k experts evenly, without repetition.

    Loads of chips are sums over `loads.reshape(chips, -1)`.

    >>> drawn_loads(100, 8, 2).sum(), drawn_loads(5, 4, 4)
    (np.float64(200.0), array([5., 5., 5., 5.]))
    """
    return np.asarray(
        np.count_nonzero(drawn_choices(tokens, experts, experts_per_token, seed), axis=0), dtype=np.float64
    )
