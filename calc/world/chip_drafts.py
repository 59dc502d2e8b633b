"""Steps that check several tokens of each sequence at once, timed on one chip."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.chip_times import TIMED_CHIPS, ChipTime, chip_times
from calc.world.chip_steps import PARTS

CHIP = TIMED_CHIPS[1]


@dataclass(frozen=True)
class Checked:
    """A step that checks `row.count` tokens of each sequence, and the same step with one."""

    row: ChipTime
    alone: ChipTime

    @property
    def times(self) -> float:
        """As long as with one token."""
        return self.row.seconds / self.alone.seconds


@cache
def checked(name: str) -> tuple[Checked, ...]:
    """Whole steps, or one of their parts.

    >>> len(checked("whole")), [round(each.times, 2) for each in checked("products") if each.row.tokens == 8][:4]
    (32, [1.0, 1.01, 1.04, 1.07])
    """
    assert name in ("whole", *PARTS)
    rows = [row for row in chip_times("drafts", CHIP) if row.name == name]
    alone = {(row.format, row.tokens): row for row in rows if row.count == 1}
    return tuple(Checked(row, alone[row.format, row.tokens]) for row in rows)
