"""The same kernels on two chips that differ in their memory alone, and on one of them again.

An H200 has the processor of an H100 and a faster, larger memory. So each kernel says what it waits for: if memory, it
gets shorter as the bound says; if anything else, it takes as long as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from calc.catalog.chip_times import TIMED_CHIPS, ChipTime, all_times
from calc.world.chip import attentions, bandwidth, products
from calc.world.chip_steps import chip_steps

FIRST, SECOND = TIMED_CHIPS
KINDS = ("matrices", "attention", "whole steps", "prompts")
Key = tuple[str, str, str, str, int, int, int, float]


@dataclass(frozen=True)
class Pair:
    """One kernel, or one step, on both chips: its row on the first, and seconds of both as measured and as bound."""

    row: ChipTime
    first: float
    second: float
    first_bound: float
    second_bound: float

    @property
    def measured(self) -> float:
        """As long on the second chip as on the first, as it was timed."""
        return self.second / self.first

    @property
    def expected(self) -> float:
        """The same by the bound."""
        return self.second_bound / self.first_bound


def slower() -> float:
    """As long as on the first chip if memory is all that a kernel waits for.

    >>> round(slower(), 3)
    0.698
    """
    return bandwidth(FIRST) / bandwidth(SECOND)


@cache
def pairs(kind: str) -> tuple[Pair, ...]:
    """Everything of a kind that was timed on both.

    >>> [len(pairs(kind)) for kind in KINDS]
    [296, 66, 42, 14]
    """
    if kind in ("matrices", "attention"):
        timed = products if kind == "matrices" else attentions
        both = zip(timed(FIRST), timed(SECOND), strict=True)
        return tuple(_pair(one.row, other.row, one.bound, other.bound) for one, other in both)
    part = "step" if kind == "whole steps" else "pass"
    steps = zip(chip_steps(part, FIRST), chip_steps(part, SECOND), strict=True)
    return tuple(
        _pair(one.whole, other.whole, float(one.counted.bound_seconds), float(other.counted.bound_seconds))
        for one, other in steps
    )


def _pair(one: ChipTime, other: ChipTime, one_bound: float, other_bound: float) -> Pair:
    assert key(one) == key(other)
    return Pair(one, one.seconds, other.seconds, one_bound, other_bound)


def key(row: ChipTime) -> Key:
    """All that tells a timing from others, but the chip and the run."""
    return row.part, row.name, row.model, row.format, row.tokens, row.context, row.count, row.bytes


def of_part(part: str, name: str) -> list[tuple[ChipTime, ChipTime]]:
    """Timings of one part and name on both chips, in their first runs."""
    first, second = ({key(row): row for row in _run(chip, 1, (part,)) if row.name == name} for chip in TIMED_CHIPS)
    return [(row, second[each]) for each, row in first.items() if each in second]


@cache
def apart(run: int, parts: Sequence[str] = ("product", "attention")) -> tuple[float, ...]:
    """Times of another run of the second chip over those of its first.

    >>> len(apart(2)), len(apart(3))
    (362, 362)
    """
    first = {key(row): row.seconds for row in _run(SECOND, 1, parts)}
    return tuple(row.seconds / first[key(row)] for row in _run(SECOND, run, parts))


def _run(chip: str, run: int, parts: Sequence[str]) -> Iterable[ChipTime]:
    return (row for row in all_times() if (row.chip, row.run) == (chip, run) and row.part in parts)
