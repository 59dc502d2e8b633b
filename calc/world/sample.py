"""The measurements that constants are fitted to, as arrays, and the ways to group them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calc.catalog.measurement import Measurement, clean_measurements
from calc.world.work import Array, parts

GROUPINGS: Mapping[str, Callable[[Measurement], Hashable]] = MappingProxyType(
    {
        "configuration": lambda row: row.configuration,
        "model and system": lambda row: (row.model, row.system),
        "model": lambda row: row.model,
        "system": lambda row: row.system,
        "engine": lambda row: row.engine,
        "precision": lambda row: row.precision,
        "year": lambda row: row.date.year if row.date else 0,
    }
)


@dataclass(frozen=True)
class Sample:
    """The measurements that the constants are fitted to, as arrays: parts by column, and times."""

    rows: tuple[Measurement, ...]
    parts: Array
    times: Array

    def grouped(self, grouping: str) -> list[Hashable]:
        """The group of every row."""
        return [GROUPINGS[grouping](row) for row in self.rows]

    def only(self, chosen: NDArray[np.bool_]) -> Sample:
        """The rows that are chosen."""
        rows = tuple(row for row, taken in zip(self.rows, chosen, strict=True) if taken)
        return Sample(rows, self.parts[chosen], self.times[chosen])


@cache
def sample() -> Sample:
    """Every clean measurement with the work of its step."""
    rows = clean_measurements()
    return Sample(rows, parts(rows), np.array([row.token_seconds for row in rows]))
