"""Times of one matrix with one column to many, on computers that stand on desks: rows of `rooflines here`.

`measurements/own-machines.csv` is what that command wrote, row after row. Two cores of an AMD EPYC with AVX-512, as a
cloud lends them, Python 3.11, NumPy 2.2 with OpenBLAS 0.3.29. Each time is the shortest of many products with random
numbers, of matrices that take turns and fill more memory than a processor's caches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

OWN_SOURCE = "own-machine"


@dataclass(frozen=True, kw_only=True, slots=True)
class ProductTime:
    """One timing: a square matrix of `size` rows, in numbers of so many bytes, times so many columns, in a run."""

    machine: str
    size: int
    bytes: int
    columns: int
    seconds: float
    run: int


@cache
def product_times() -> tuple[ProductTime, ...]:
    """Every row, in the order of the file.

    >>> [row.columns for row in product_times()][:4]
    [1, 2, 4, 8]
    """
    return tuple(read(ProductTime, text("own-machines.csv")))
