"""Fitting a sum of positive parts to times, and judging it on groups that it was not fitted to. Plain arrays.

The model is t = sum of c_j x_j with positive c: every part takes its time, one after the other. The constants make the
sum of |log(forecast / measured)| least: a factor too long counts as much as the same factor too short, and a few bad
records pull as little as a median lets them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SOFT = 0.03  # below this relative error, about what repeats of a run differ by, the loss is quadratic
STEPS, TOLERANCE = 200, 1e-10
LEAST = 1e-6  # of a constant's start: a part that does not help goes here instead of below zero


@dataclass(frozen=True)
class Fitted:
    """Constants with their standard errors, from residuals that may agree within a group."""

    constants: Array
    errors: Array


@dataclass(frozen=True)
class Score:
    """How far forecasts were off: relative errors, and quantiles of measured over forecast."""

    count: int
    median: float
    mean: float
    low_80: float
    high_80: float
    low_90: float
    high_90: float


def covered(forecast: Array, times: Array, low: float, high: float) -> float:
    """The share of times within a band about their forecasts.

    >>> covered(np.array([1.0, 1.0, 1.0, 1.0]), np.array([0.7, 0.9, 1.1, 1.2]), 0.8, 1.25)
    0.75
    """
    return float(np.mean(within(times / forecast, low, high)))


def within(ratio: Array, low: float, high: float) -> NDArray[np.bool_]:
    """Whether each ratio of a time to its forecast lies in a band."""
    inside: NDArray[np.bool_] = (low <= ratio) & (ratio <= high)
    return inside


def count_within(ratios: Sequence[float] | Array, low: float, high: float) -> int:
    """How many ratios of a time to its forecast lie in a band.

    >>> count_within([0.7, 0.9, 1.3], 0.8, 1.25)
    1
    """
    return int(np.sum(within(np.asarray(ratios), low, high)))


def fit(parts: Array, times: Array, start: Array | None = None) -> Array:
    """The constants c that make the sum of |log(parts c / times)| least, by weighted Gauss-Newton steps on log c.

    >>> parts = np.array([[1.0, 1.0], [2.0, 1.0], [4.0, 1.0], [9.0, 1.0]])
    >>> fit(parts, parts @ np.array([3.0, 5.0])).round(6).tolist()
    [3.0, 5.0]
    """
    first = _start(parts, times) if start is None else start
    floor, logs = np.log(LEAST * first), np.log(first)
    for _ in range(STEPS):
        slopes, residuals, weights = _linear(parts, times, logs)
        step = _solve(slopes, weights, -slopes.T @ (weights * residuals))
        moved = np.maximum(logs + np.clip(step, -1, 1), floor)
        if np.max(np.abs(moved - logs)) < TOLERANCE:
            break
        logs = moved
    constants: Array = np.exp(logs)
    return constants


def standard_errors(parts: Array, times: Array, constants: Array, groups: Sequence[Hashable]) -> Array:
    """Standard errors of fitted constants where rows of one group may all be off together (a sandwich by group).

    The loss of a residual r is sqrt(r^2 + s^2) with s = 3 %; what bends it, s^2 / (r^2 + s^2)^(3/2), says how firmly.
    """
    slopes, residuals, weights = _linear(parts, times, np.log(constants))
    names = {name: number for number, name in enumerate(dict.fromkeys(groups))}
    score = np.zeros((len(names), parts.shape[1]))
    np.add.at(score, [names[name] for name in groups], slopes * (weights * residuals)[:, None])
    bent = SOFT**2 * weights**3
    bread = np.linalg.pinv((slopes * bent[:, None]).T @ slopes)
    found: Array = constants * np.sqrt(np.diag(bread @ (score.T @ score) @ bread))
    return found


def fitted(parts: Array, times: Array, groups: Sequence[Hashable]) -> Fitted:
    """Constants and their standard errors."""
    constants = fit(parts, times)
    return Fitted(constants, standard_errors(parts, times, constants, groups))


def left_out(parts: Array, times: Array, groups: Sequence[Hashable], folds: int | None = None) -> Array:
    """The forecast of every row by constants that were fitted without its group.

    With `folds`, groups are dealt out in their order into that many, each left out as a whole.
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(groups))}
    number = np.array([names[name] for name in groups])
    dealt = number if folds is None else number % folds
    start, forecast = fit(parts, times), np.zeros(len(times))
    for one in np.unique(dealt):
        out = dealt == one
        forecast[out] = parts[out] @ fit(parts[~out], times[~out], start)
    return forecast


def score(forecast: Array, times: Array) -> Score:
    """Errors of forecasts against what was measured.

    >>> score(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.0, 2.0])).median
    0.5
    """
    error, ratio = np.abs(forecast / times - 1), times / forecast
    low, high, lowest, highest = (float(np.quantile(ratio, q)) for q in (0.1, 0.9, 0.05, 0.95))
    return Score(len(times), float(np.median(error)), float(np.mean(error)), low, high, lowest, highest)


def redrawn(groups: Sequence[Array], statistic: Callable[[Array], Any], draws: int = 2000) -> Array:
    """A statistic of whole groups that are drawn again, with replacement, as many as there are."""
    chosen = np.random.default_rng(0).integers(len(groups), size=(draws, len(groups)))
    return np.array([statistic(np.concatenate([groups[each] for each in some])) for some in chosen])


def range_of_quantile(
    ratios: Array, groups: Sequence[Hashable], share: float, draws: int = 2000
) -> tuple[float, float]:
    """Where a quantile lies in 95 of 100 redraws, when rows of one group are drawn together.

    >>> low, high = range_of_quantile(np.arange(100.0), [*range(100)], 0.9)
    >>> 80 < low < 89 < high < 97
    True
    >>> range_of_quantile(np.arange(11.0), [0] * 11, 0.9)
    (9.0, 9.0)
    """
    members = [ratios[its] for its in _places(groups).values()]
    low, high = np.quantile(redrawn(members, lambda drawn: np.quantile(drawn, share), draws), (0.025, 0.975))
    return float(low), float(high)


def by_group(forecast: Array, times: Array, groups: Sequence[Hashable]) -> dict[Hashable, Score]:
    """The errors within each group."""
    return {name: score(forecast[its], times[its]) for name, its in _places(groups).items()}


def _places(groups: Sequence[Hashable]) -> dict[Hashable, list[int]]:
    """The rows of each group."""
    rows: dict[Hashable, list[int]] = {}
    for row, name in enumerate(groups):
        rows.setdefault(name, []).append(row)
    return rows


def _start(parts: Array, times: Array) -> Array:
    typical = np.array([np.median(column[column > 0]) if np.any(column > 0) else 1.0 for column in parts.T])
    found: Array = np.median(times) / typical / parts.shape[1]
    return found


def _linear(parts: Array, times: Array, logs: Array) -> tuple[Array, Array, Array]:
    each = parts * np.exp(logs)
    whole = each.sum(axis=1)
    residuals = np.log(whole / times)
    weights = 1 / np.sqrt(residuals**2 + SOFT**2)
    return each / whole[:, None], residuals, weights


def _solve(slopes: Array, weights: Array, right: Array) -> Array:
    curvature = (slopes * weights[:, None]).T @ slopes
    ridge = 1e-6 * np.trace(curvature) / len(curvature) * np.eye(len(curvature))
    found: Array = np.linalg.solve(curvature + ridge, right)
    return found
