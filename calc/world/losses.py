"""Models of several sizes, trained for short and for long, beside the scaling law of lecture 5.

Two questions need no fit: how much loss the same further tokens take from a small and from a large model, and how many
more tokens a smaller model needs to be as good as a larger one. Then the law is fitted to each suite of runs, with an
exponent for both terms together (Videau et al., 2026) and without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise, product

import numpy as np

from calc.catalog import loss_fits
from calc.catalog.losses import loss_runs
from calc.overtraining.law_fit import TrainedRuns, best_fit, law_of, log_loss
from calc.overtraining.scaling_law import ScalingLaw, loss
from calc.quantities.check import Array
from calc.world.fitting import redrawn

SUITES = {
    "openeurollm": "OpenEuroLLM",
    "step-law": "Step Law",
    "gemstones": "Gemstones",
    "gadre-c4": "Gadre et al., C4",
    "gadre-redpajama": "Gadre et al., RedPajama",
    "gadre-refinedweb": "Gadre et al., RefinedWeb",
}
TUNED = ("openeurollm", "step-law")
"""Suites with a learning rate and a batch chosen anew for each size and number of tokens."""
STEADY = (*TUNED, "gemstones")
"""Suites whose losses fall with every further token and lie near a law."""
DRAWS = 4000
OTHERWISE = 2
"""Smallest sizes of OpenEuroLLM: its optimiser had another constant (beta 2) for them than for the larger ones."""
EXPONENTS, JOINTS, FLOORS = (0.3, 0.5), (0.35, 0.7), (0.9, 1.5)  # starts of fits, between which the runs decide


@dataclass(frozen=True)
class LossCurve:
    """The losses of one size in one suite, by tokens."""

    suite: str
    params: float
    tokens: Array
    losses: Array

    def gained(self, first: int, last: int) -> float:
        """Nats by which the loss fell from one run to another."""
        return float(self.losses[first] - self.losses[last])

    def tokens_for(self, target: float) -> float | None:
        """Tokens that reach a loss, on a straight line in their logarithm between two runs; none outside of all."""
        over = self.losses >= target
        if over.all() or not over[0]:
            return None
        place = int(np.argmin(over))
        found = np.interp(-target, -self.losses[place - 1 : place + 1], np.log(self.tokens[place - 1 : place + 1]))
        return float(np.exp(found))


@cache
def curves(suite: str) -> tuple[LossCurve, ...]:
    """The sizes of a suite, from small to large.

    >>> [f"{each.params:.3g}" for each in curves("gemstones")]
    ['6.68e+07', '1.17e+08', '5.43e+08', '1.01e+09', '1.92e+09']
    """
    sizes = sorted({row.params for row in loss_runs() if row.suite == suite})
    rows = {
        size: sorted((row.tokens, row.loss) for row in loss_runs() if (row.suite, row.params) == (suite, size))
        for size in sizes
    }
    return tuple(LossCurve(suite, size, *np.array(found).T) for size, found in rows.items())


@dataclass(frozen=True)
class EqualPair:
    """Two models of one loss: a run of the larger, and the tokens with which the next smaller size is as good."""

    suite: str
    params: float
    tokens: float
    small_params: float
    small_tokens: float

    @property
    def smaller(self) -> float:
        """The larger size over the smaller."""
        return self.params / self.small_params

    @property
    def more(self) -> float:
        """The tokens of the smaller over those of the larger."""
        return self.small_tokens / self.tokens

    @property
    def exchange(self) -> float:
        """Per cent of size saved for a per cent more tokens, between the two: the lecture's gamma."""
        return float(np.log(self.smaller) / np.log(self.more))

    @property
    def tokens_per_param(self) -> float:
        """The middle of both, by ratio."""
        return float(np.sqrt(self.tokens / self.params * self.small_tokens / self.small_params))

    def promised(self, law: ScalingLaw) -> EqualPair:
        """The pair as a law has it: the tokens that it promises to suffice."""
        left = law.removable(loss(law, self.params, self.tokens)) - law.params_term(self.small_params)
        tokens = float(np.power(law.tokens_factor / left, 1 / law.tokens_exponent)) if left > 0 else np.inf
        return EqualPair(self.suite, self.params, self.tokens, self.small_params, tokens)


@cache
def equal_pairs(suite: str) -> tuple[EqualPair, ...]:
    """Every run of a size whose loss the next smaller size reached too.

    >>> first = equal_pairs("openeurollm")[0]
    >>> f"{first.smaller:.2f} times smaller, {first.more:.2f} times the tokens: {first.exchange:.2f}"
    '2.43 times smaller, 5.11 times the tokens: 0.54'
    """
    sizes = curves(suite)
    found = (
        (large, small, tokens, small.tokens_for(float(reached)))
        for small, large in pairwise(sizes)
        for tokens, reached in zip(large.tokens, large.losses, strict=True)
    )
    return tuple(
        EqualPair(suite, large.params, float(tokens), small.params, needed)
        for large, small, tokens, needed in found
        if needed
    )


def redrawn_middle(groups: Iterable[Sequence[float]], part: float = 0.9) -> tuple[float, float]:
    """Between which two numbers that part of the medians lies if whole groups are drawn again, with replacement.

    >>> redrawn_middle([[1.0], [1.0, 3.0], [3.0]])
    (1.0, 3.0)
    """
    middles = redrawn([np.array(group) for group in groups], np.median, DRAWS)
    low, high = np.quantile(middles, (0.5 - part / 2, 0.5 + part / 2))
    return float(low), float(high)


@dataclass(frozen=True)
class SuiteFit:
    """A law fitted to the runs of a suite."""

    runs: TrainedRuns
    constants: Array

    @property
    def law(self) -> ScalingLaw:
        """The law with these constants."""
        return law_of(self.constants)

    @cached_property
    def errors(self) -> Array:
        """Each run's loss over that of the law, less one, nearly."""
        return self.runs.loss - log_loss(self.constants, self.runs)[0]

    @property
    def error(self) -> float:
        """The root of the mean square of the errors."""
        return float(np.sqrt(np.mean(self.errors**2)))


def without_one(suite: str) -> list[SuiteFit]:
    """The fits of a suite without each of its sizes in turn.

    >>> len(without_one("gemstones")) == len(curves("gemstones"))
    True
    """
    return [suite_fit(suite, without=(size.params,)) for size in curves(suite)]


@cache
def suite_fit(suite: str, joint: bool = True, without: tuple[float, ...] = ()) -> SuiteFit:
    """The law of a suite, with a joint exponent or without, and without some of its sizes if asked.

    >>> round(float(suite_fit("openeurollm").law.joint_exponent), 2)
    0.4
    """
    rows = [
        (row.params, row.tokens, row.loss) for row in loss_runs() if row.suite == suite and row.params not in without
    ]
    runs = TrainedRuns.of(rows)
    return SuiteFit(runs, best_fit(runs, law_starts(runs, joint)))


@cache
def laws() -> tuple[ScalingLaw, ...]:
    """The fits of the catalogue, to Chinchilla's runs, and then that of each suite.

    >>> [round(law.tokens_exponent, 2) for law in laws()[:2]]
    [0.28, 0.37]
    """
    return (*map(ScalingLaw.published, loss_fits().values()), *(suite_fit(suite).law for suite in SUITES))


def ahead(suite: str, joint: bool = True) -> float:
    """Error at the largest size of a suite, by the law of its other sizes.

    >>> [round(100 * ahead("openeurollm", joint), 2) for joint in (True, False)]
    [0.25, 0.76]
    """
    last = curves(suite)[-1]
    runs = TrainedRuns.of([(last.params, *each) for each in zip(last.tokens, last.losses, strict=True)])
    return SuiteFit(runs, suite_fit(suite, joint, (last.params,)).constants).error


def law_starts(runs: TrainedRuns, joint: bool) -> list[Array]:
    """Rows of constants by which size and tokens have an equal part in the mean loss above the floor.

    >>> len(law_starts(TrainedRuns.of([(1e9, 2e10, 2.5)]), joint=True))
    16
    """
    starts = []
    for alpha, beta, power, floor in product(EXPONENTS, EXPONENTS, JOINTS if joint else (1.0,), FLOORS):
        half = np.log((np.exp(runs.loss.mean()) - floor) ** (1 / power) / 2)
        size, data = half + alpha * runs.params.mean(), half + beta * runs.tokens.mean()
        starts.append(np.array([np.log(floor), size, data, alpha, beta, *([power] if joint else [])]))
    return starts
