"""Findings of a sub-command: a title, named values, perhaps a table, and notes; as text or as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, SupportsFloat

from calc.quantities.units import show

PREFIXED = ("B", "B/s", "FLOP", "FLOP/s", "W", "s")
COUNTED = 6  # digits of a count that are told in full


@dataclass(frozen=True)
class Value:
    """A number in base units with what people call it, and what it means if it is infinite; or words without a unit."""

    label: str
    value: SupportsFloat | str | bool
    unit: str = ""
    endless: str = "unlimited"

    @property
    def plain(self) -> float | str | bool:
        """Words as they are, numbers as floats."""
        return self.value if isinstance(self.value, str | bool) else float(self.value)

    @property
    def text(self) -> str:
        """As a person reads it."""
        value = self.plain
        if isinstance(value, bool):
            return "yes" if value else "no"
        if value == math.inf:
            return self.endless
        return value if isinstance(value, str) else show(value, self.unit, self._digits(value))

    def _digits(self, value: float) -> int:
        """A count is told in full; what has a prefix, or is no whole number, in three digits."""
        return COUNTED if self.unit not in PREFIXED and value.is_integer() and abs(value) < 10**COUNTED else 3


@dataclass(frozen=True)
class Report:
    """An answer. `values` and the columns of `rows` carry the names of the JSON; `status` is the exit status."""

    title: str
    values: Mapping[str, Value] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Value]] = ()
    notes: Sequence[str] = ()
    status: int = 0

    def text(self) -> str:
        """For people: the title, values and table in columns, and the notes."""
        parts = [self.title]
        if self.values:
            parts.append(_columns([[each.label, each.text] for each in self.values.values()], right=()))
        if self.rows:
            heads = [each.label for each in self.rows[0].values()]
            cells = [[each.text for each in row.values()] for row in self.rows]
            numbers = [at for at, each in enumerate(self.rows[0].values()) if not isinstance(each.value, str)]
            parts.append(_columns([heads, *cells], right=numbers))
        return "\n\n".join([*parts, *self.notes])

    def json(self) -> str:
        """For programs: numbers in base units, shares as fractions of one, with null where there is no number."""
        found: dict[str, Any] = {"title": self.title, "notes": list(self.notes)}
        if self.values:
            found["values"] = {name: _plain(each) for name, each in self.values.items()}
        if self.rows:
            found["rows"] = [{name: _number(each) for name, each in row.items()} for row in self.rows]
            found["units"] = {name: _based(each.unit) for name, each in self.rows[0].items() if _based(each.unit)}
        return json.dumps(found, ensure_ascii=False, allow_nan=False, indent=2)


def _plain(value: Value) -> dict[str, Any]:
    return {"label": value.label, "value": _number(value), "unit": _based(value.unit), "text": value.text}


def _based(unit: str) -> str:
    """The unit of a number as it is kept: a share is a fraction of one, which has none."""
    return "" if unit == "%" else unit


def _number(value: Value) -> float | str | bool | None:
    known = value.plain
    return None if isinstance(known, float) and not math.isfinite(known) else known


def _columns(lines: Sequence[Sequence[str]], right: Sequence[int]) -> str:
    """Text in columns as wide as their widest cell; numbers to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    padded = (
        [
            cell.rjust(width) if at in right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        for line in lines
    )
    return "\n".join("  ".join(line).rstrip() for line in padded)
