"""Records of numbers that may be unlimited, and whole numbers that floats only nearly are."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.quantities.check import NonNegative, Positive, Quantity, checked
from calc.quantities.errors import OutOfRange

NOISE = 1e-9  # relative: quotients of counts miss a whole number by far less


def require_numbers(record: Any, at_least_one: tuple[str, ...] = ()) -> None:
    """Refuse a field of a record that is no number of at least 0, or of at least 1 where it is named; text passes."""
    for name, value in vars(record).items():
        least = 1 if name in at_least_one else 0
        if isinstance(value, int | float | np.ndarray) and not np.all(np.asarray(value) >= least):
            raise OutOfRange(name, value, f"a number of at least {least}")


@checked
def rounded_up(parts: NonNegative, of: Positive = 1.0) -> Quantity:
    """The whole number of parts / of, rounded up, where noise of floats is no reason to.

    >>> rounded_up(7 * 0.1, 0.1), rounded_up(100, 8)
    (7.0, 13.0)
    """
    exact = np.asarray(parts) / of
    return np.ceil(exact * (1 - NOISE))
