"""Records of numbers that may be unlimited."""

from __future__ import annotations

import numpy as np

from calc.quantities.errors import OutOfRange


def require_numbers(record: object, at_least_one: tuple[str, ...] = ()) -> None:
    """Refuse a field of a record that is no number of at least 0, or of at least 1 where it is named; text passes."""
    for name, value in vars(record).items():
        least = 1 if name in at_least_one else 0
        if isinstance(value, int | float | np.ndarray) and not np.all(np.asarray(value) >= least):
            raise OutOfRange(name, value, f"a number of at least {least}")
