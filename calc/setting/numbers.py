"""Records of numbers that may be unlimited."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np

from calc.quantities.errors import OutOfRange, WrongType


def require_numbers(record: Any, at_least_one: tuple[str, ...] = ()) -> None:
    """Refuse a quantity of a record that is no number of at least 0, or of at least 1 where it is named."""
    for field in fields(record):
        if field.type not in ("Quantity", "float"):
            continue
        value, least = getattr(record, field.name), 1 if field.name in at_least_one else 0
        if np.asarray(value).dtype.kind not in "iuf":
            raise WrongType(field.name, value, f"a number of at least {least}")
        if not np.all(np.asarray(value) >= least):
            raise OutOfRange(field.name, value, f"a number of at least {least}")
