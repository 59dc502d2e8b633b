"""The roofline of one computer, from the times of one matrix with one column to many.

Its two rates are the best of any product: bytes of the matrix a second, and operations a second. On a processor one
column gives the first. All other products test the bound, for nothing is fitted to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from calc import batching
from calc.catalog.own_times import ProductTime, product_times

DISTURBED = 0.8
"""A product in less than this share of the time of one with fewer columns says that the machine did other work."""


@dataclass(frozen=True)
class OwnMachine:
    """A square matrix of `size` rows of numbers of `number_bytes`, and the seconds of its product with so many columns.

    >>> machine = OwnMachine(1000, 4, {1: 1e-4, 10: 1.5e-4, 100: 1e-3})
    >>> f"{machine.bandwidth:.3g} B/s, {machine.flops:.3g} FLOP/s, {machine.balanced:.3g} columns"
    '4e+10 B/s, 2e+11 FLOP/s, 10 columns'
    >>> round(machine.over(10), 3), round(machine.over_sum(10), 3)
    (1.5, 0.75)
    """

    size: int
    number_bytes: int
    seconds: dict[int, float]

    @classmethod
    def of(cls, rows: Iterable[ProductTime]) -> OwnMachine:
        """From its rows in the catalogue."""
        found = list(rows)
        return cls(found[0].size, found[0].bytes, {row.columns: row.seconds for row in found})

    @property
    def weights(self) -> int:
        """Numbers of the matrix."""
        return self.size**2

    @property
    def reading(self) -> float:
        """Seconds to read the matrix: no product took less."""
        return min(self.seconds.values())

    @property
    def bandwidth(self) -> float:
        """Bytes of the matrix a second, in the shortest product."""
        return self.weights * self.number_bytes / self.reading

    @property
    def flops(self) -> float:
        """Operations a second of the product that made most."""
        return max(2 * self.weights * columns / seconds for columns, seconds in self.seconds.items())

    @property
    def balanced(self) -> float:
        """Columns with which multiplying takes as long as reading."""
        return float(batching.hardware_ratio(self.flops, self.bandwidth, self.number_bytes))

    def multiplying(self, columns: int) -> float:
        """Seconds of its operations, at the rate of the machine."""
        return float(batching.compute_seconds(columns, self.weights, self.flops))

    def bound(self, columns: int) -> float:
        """Seconds of the longer of reading and multiplying."""
        return max(self.reading, self.multiplying(columns))

    def added(self, columns: int) -> float:
        """Seconds of reading and multiplying one after the other."""
        return self.reading + self.multiplying(columns)

    def over(self, columns: int) -> float:
        """As timed, over the longer of the two."""
        return self.seconds[columns] / self.bound(columns)

    def over_sum(self, columns: int) -> float:
        """As timed, over their sum."""
        return self.seconds[columns] / self.added(columns)

    @property
    def between(self) -> list[int]:
        """Columns that gave neither rate."""
        most = max(self.seconds, key=lambda columns: columns / self.seconds[columns])
        least = min(self.seconds, key=lambda columns: self.seconds[columns])
        return [columns for columns in self.seconds if columns not in (least, most)]

    @property
    def disturbed(self) -> bool:
        """Whether a product took clearly less time than one with fewer columns: then the machine did other work."""
        taken = list(self.seconds.values())
        return any(later < DISTURBED * earlier for at, earlier in enumerate(taken) for later in taken[at + 1 :])

    @property
    def nearest(self) -> int:
        """The columns nearest to balance, of those that were timed."""
        return min(self.seconds, key=lambda columns: max(columns / self.balanced, self.balanced / columns))


@cache
def recorded(number_bytes: int = 4) -> tuple[OwnMachine, ...]:
    """The computer of the catalogue, a run each.

    >>> len(recorded()), {machine.size for machine in recorded()}
    (11, {4096})
    """
    rows = [row for row in product_times() if row.bytes == number_bytes]
    runs = sorted({row.run for row in rows})
    return tuple(OwnMachine.of(row for row in rows if row.run == run) for run in runs)
