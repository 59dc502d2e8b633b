"""How long ago the facts in force were read, and for how long a reading of each kind may stand.

Prices and rents change within months, what is announced within a year; a paper's result stays what it was.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from calc import catalog
from calc.catalog.records import Record

MOST_DAYS: Mapping[str, int] = MappingProxyType(
    {
        "prices": 90,
        "hosts": 90,
        "rents": 90,
        "tiers": 270,  # their prices
        "announced": 180,
        "chips": 365,
        "systems": 365,
        "models": 730,
    }
)
"""Days for which a reading may stand, by table; results, deployments and single figures may stand for good."""


@dataclass(frozen=True)
class Overdue:
    """A fact in force that was last read longer ago than its kind allows."""

    table: str
    record: Record
    days: int


def overdue(on: dt.date) -> tuple[Overdue, ...]:
    """The facts in force that want reading again on a day, by table and, within it, the oldest reading first.

    >>> overdue(dt.date(2022, 1, 1))
    ()
    >>> {late.table for late in overdue(dt.date(2036, 1, 1))} == set(MOST_DAYS)
    True
    """
    found = []
    for table, most in MOST_DAYS.items():
        rows = sorted(catalog.in_force(catalog.KINDS[table], table).values(), key=lambda row: row.read)
        ages = ((row, (on - row.read).days) for row in rows)
        found += [Overdue(table, row, days) for row, days in ages if days > most]
    return tuple(found)
