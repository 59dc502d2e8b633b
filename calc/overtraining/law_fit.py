"""Fit a scaling law to the losses of training runs.

Constants stand in a row: ln E, ln A, ln B, alpha, beta, and the joint exponent k if it is fitted too (without it, k is
1). As in the papers, the Huber loss (1e-3) of log loss is least. A fit goes to the nearest such point, so it wants a
start, or several.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.overtraining.scaling_law import ScalingLaw
from calc.quantities.check import Array

DELTA = 1e-3
STEPS, STALLED = 400, 1e10


@dataclass(frozen=True)
class TrainedRuns:
    """Logarithms of size, tokens and loss of training runs."""

    params: Array
    tokens: Array
    loss: Array

    @classmethod
    def of(cls, rows: Iterable[tuple[float, float, float]]) -> TrainedRuns:
        """Runs from rows of parameters, tokens and loss.

        >>> TrainedRuns.of([(1e9, 2e10, 2.5)]).tokens.round(2).tolist()
        [23.72]
        """
        return cls(*np.log(np.array(list(rows), float)).T)

    def only(self, chosen: NDArray[Any]) -> TrainedRuns:
        """Some of the runs, or some of them more than once."""
        return TrainedRuns(self.params[chosen], self.tokens[chosen], self.loss[chosen])


def log_loss(constants: Array, runs: TrainedRuns) -> tuple[Array, Array]:
    """Log loss by a row of constants, and its slopes by each of them.

    >>> start = np.array([*np.log([1.8172, 482.01, 2085.43]), 0.3478, 0.3658])
    >>> forecast, slopes = log_loss(start, TrainedRuns.of([(1e9, 2e10, 2.6)]))
    >>> f"{np.exp(forecast[0]):.3f}", slopes.shape
    ('2.530', (1, 5))
    """
    floor, size, data, by_size, by_data = constants[:5]
    joint = constants[5:]
    power = joint[0] if len(joint) else 1.0
    of_size, of_data = size - by_size * runs.params, data - by_data * runs.tokens
    terms = np.logaddexp(of_size, of_data)
    total = np.logaddexp(floor, power * terms)
    lowest = np.exp(floor - total)
    moved = (1 - lowest) * power
    shares = moved * np.exp(of_size - terms), moved * np.exp(of_data - terms)
    slopes = [lowest, *shares, -shares[0] * runs.params, -shares[1] * runs.tokens]
    slopes += [(1 - lowest) * terms] * len(joint)
    return total, np.stack(slopes, axis=1)


def huber_loss(off: Array) -> float:
    """The sum of squares of small errors and of sizes of large ones.

    >>> f"{huber_loss(np.array([5e-4, 1.0])):.6f}"
    '0.001000'
    """
    size = np.abs(off)
    return float(np.where(size <= DELTA, size**2 / 2, DELTA * (size - DELTA / 2)).sum())


def misfit(constants: Array, runs: TrainedRuns) -> float:
    """The Huber loss that a fit makes least.

    >>> runs = TrainedRuns.of([(1e9, 2e10, 2.5)])
    >>> misfit(np.array([np.log(2.5), -99, -99, 0.3, 0.3]), runs) < 1e-12
    True
    """
    return huber_loss(runs.loss - log_loss(constants, runs)[0])


def refitted(runs: TrainedRuns, start: Array) -> Array:
    """Constants of least Huber loss, from a start near them, by damped steps of weighted least squares.

    >>> law = np.array([*np.log([1.8172, 482.01, 2085.43]), 0.3478, 0.3658])
    >>> size, tokens = np.log(np.geomspace(1e8, 1e10, 40)), np.log(1e9 * (1 + np.arange(40) * 7 % 40))
    >>> runs = TrainedRuns(size, tokens, log_loss(law, TrainedRuns(size, tokens, 0 * size))[0])
    >>> bool(np.allclose(refitted(runs, law + 0.01), law, atol=1e-3))
    True
    """
    constants, damping = start, 1e-3
    forecast, slopes = log_loss(constants, runs)
    least = huber_loss(runs.loss - forecast)
    for _ in range(STEPS):
        off = runs.loss - forecast
        weight = np.minimum(1, DELTA / np.maximum(np.abs(off), 1e-12))
        curved = (slopes * weight[:, None]).T @ slopes
        try:
            step = np.linalg.solve(curved + damping * np.diag(np.diag(curved)), slopes.T @ (weight * off))
        except np.linalg.LinAlgError:  # a start so far off that a constant no longer matters
            break
        ahead, ahead_slopes = log_loss(constants + step, runs)
        found = huber_loss(runs.loss - ahead)
        if found < least:
            done = least - found < 1e-12 * least
            constants, forecast, slopes, least = constants + step, ahead, ahead_slopes, found
            damping = max(damping / 5, 1e-10)
        else:
            damping *= 5
            done = damping > STALLED
        if done:
            break
    return constants


def best_fit(runs: TrainedRuns, starts: Sequence[Array]) -> Array:
    """The best of the fits that several starts lead to.

    >>> law = np.array([*np.log([1.8, 480.0, 2000.0]), 0.35, 0.37])
    >>> size, tokens = np.log(np.geomspace(1e8, 1e10, 40)), np.log(1e9 * (1 + np.arange(40) * 7 % 40))
    >>> runs = TrainedRuns(size, tokens, log_loss(law, TrainedRuns(size, tokens, 0 * size))[0])
    >>> bool(np.allclose(best_fit(runs, [law + 0.3, law + 0.01]), law, atol=1e-2))
    True
    """
    found = [refitted(runs, start) for start in starts]
    return min(found, key=lambda constants: misfit(constants, runs))


def law_of(constants: Array) -> ScalingLaw:
    """The scaling law with a row of constants.

    >>> law_of(np.array([0.0, 0.0, 0.0, 0.3, 0.4, 0.5])).joint_exponent
    0.5
    """
    return ScalingLaw(*(float(each) for each in [*np.exp(constants[:3]), *constants[3:]]))
