"""Arithmetic that many formulas share: a quotient that may have no end, whole numbers in spite of rounding, lengths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Array, Quantity

MICRO, MILLION, BILLION = 1e-6, 1e6, 1e9
MINUTE = 60.0
HOUR = 60 * MINUTE
DAY = 24 * HOUR
YEAR = 365.25 * DAY
MONTH = YEAR / 12
"""Seconds. A month is a twelfth of a year, 30.4375 days."""
NOISE = 1e-12
"""The share of a number that rounding of its factors may have added."""


def quotient(above: Quantity, below: Quantity, where: NDArray[np.bool_] | bool = True) -> Array:
    """above / below where `below` is positive and `where` is true; infinite elsewhere.

    >>> quotient(6, np.array([2, 0, -1])).tolist()
    [3.0, inf, inf]
    """
    reached = np.greater(below, 0) & where
    shape = np.broadcast_shapes(np.shape(above), np.shape(reached))
    return np.asarray(np.divide(above, below, out=np.full(shape, np.inf), where=np.broadcast_to(reached, shape)))


def whole_up(value: Quantity) -> Array:
    """The whole number at or above `value`, which rounding may have put a hair too high.

    >>> float(np.ceil(3 * 0.1 / 0.1)), float(whole_up(3 * 0.1 / 0.1))
    (4.0, 3.0)
    """
    nearest = np.round(value)
    return np.asarray(np.where(value <= nearest + NOISE * np.abs(nearest), nearest, np.ceil(value)))


def anywhere(found: bool | NDArray[np.bool_]) -> bool:
    """Whether a comparison is true: of single numbers, or at any place of arrays.

    >>> anywhere(2 > 1), anywhere(np.array([1, 2]) > 1), anywhere(np.array([1, 2]) > 2)
    (True, True, False)
    """
    return bool(found.any()) if isinstance(found, np.ndarray) else bool(found)


def median(values: Iterable[float]) -> float:
    """The value in the middle, or the mean of the two in the middle.

    >>> median([4.0, 1.0, 2.0]), median([4.0, 1.0])
    (2.0, 2.5)
    """
    ordered = sorted(values)
    half = len(ordered) // 2
    return (ordered[half] + ordered[~half]) / 2
