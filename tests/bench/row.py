"""A row of the table, and the line below it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.bench.stages import EDIT, VISIT, Moments, median, total, typical

WIDTH = 52
LECTURE = "lectures/batching/"
RUNS = 5
EDITS = 60


@dataclass(frozen=True)
class Row:
    """A measurement, the budget for it, and where the time or the memory goes."""

    what: str
    measured: str
    budget: str
    where: str = ""

    def lines(self) -> Iterator[str]:
        """The row as text."""
        yield f"{self.what:<{WIDTH}}  {self.measured:>12}  {self.budget:>8}"
        if self.where:
            yield f"    {self.where}"


def visits(what: str, runs: Sequence[Moments], budget: str) -> Row:
    """From navigation to the answer to an edit that was made at once."""
    return Row(what, f"{median(runs) / 1000:.2f} s", budget, typical(runs, VISIT, 2, "s"))


def edits(browser: str, runs: Sequence[Moments]) -> Iterator[Row]:
    """From an input to the chart and the numbers that follow."""
    slowest = sorted(map(total, runs))[math.ceil(0.95 * len(runs)) - 1]
    what = f"{browser}: input → chart and numbers"
    yield Row(f"{what}, median", f"{median(runs):.1f} ms", "5 ms", typical(runs, EDIT, 1, "ms"))
    yield Row(f"{what}, 95th percentile", f"{slowest:.1f} ms", "10 ms")
