"""Parts that every row of the catalogue has: an id, a name, a date, sources, and quantities that carry their units."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any

from calc.quantities.check import Range
from calc.quantities.errors import MissingFact, UnknownName

POSITIVE = Range(0, open_low=True)
STANDINGS = ("primary", "arithmetic", "secondary", "rumour")  # from the most to the least trustworthy


def quantity(label: str, unit: str = "", *, optional: bool = True, accepted: Range = POSITIVE) -> Any:
    """A field that holds a number in `unit`, shown to readers under `label`; positive unless said otherwise."""
    metadata = {"label": label, "unit": unit, "accepted": accepted}
    return field(default=None, metadata=metadata) if optional else field(metadata=metadata)


def flag(label: str) -> Any:
    """A field that is true where a row says so."""
    return field(default=False, metadata={"flag": label})


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a fact was read: `kind` is primary, secondary, rumour or arithmetic."""

    id: str
    title: str
    publisher: str
    kind: str
    as_of: dt.date
    url: str = ""


def day(date: dt.date) -> str:
    """A date as people write it."""
    return f"{date.day} {date:%B %Y}"


def standing(sources: Iterable[Source]) -> str:
    """The best kind among the sources: primary if one is; else arithmetic, secondary, or rumour if nothing better."""
    return min((source.kind for source in sources), key=STANDINGS.index)


@dataclass(frozen=True)
class Fact:
    """One value with everything that a reader needs in order to trust it, or not."""

    value: float
    label: str
    unit: str
    sources: tuple[Source, ...]
    effective: dt.date | None
    read: dt.date
    note: str

    @property
    def standing(self) -> str:
        """`primary` if one source is; else the best that there is: arithmetic, secondary or rumour."""
        return standing(self.sources)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Record:
    """A dated row. The newest row of an `id` is the one in force; older ones stay.

    A row took effect on one day, `effective`, and was read on another, `read`: None where nobody has said when, and
    the day of the copy where a stored copy of a page was read.
    """

    id: str
    name: str
    effective: dt.date | None
    read: dt.date
    sources: tuple[Source, ...]
    note: str = ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, {self.since})"

    @property
    def since(self) -> dt.date:
        """The first day on which the row is known to hold: when it took effect, or else when it was read."""
        return self.effective or self.read

    @property
    def dated(self) -> str:
        """Both days in words.

        >>> from calc import catalog
        >>> catalog.chip("h100-sxm").dated
        'in force since 20 September 2022, read on 21 August 2026'
        >>> catalog.chip("a100-sxm").dated
        'read on 21 August 2026, in force since an unknown day'
        """
        if self.effective is None:
            return f"read on {day(self.read)}, in force since an unknown day"
        return f"in force since {day(self.effective)}, read on {day(self.read)}"

    @property
    def standing(self) -> str:
        """`primary` if one source is; else the best that there is: arithmetic, secondary or rumour."""
        return standing(self.sources)

    def known(self, name: str) -> float:
        """The quantity called `name`, which this row must have.

        >>> from calc import catalog
        >>> catalog.model("deepseek-v3").known("layers")
        61
        >>> catalog.model("mistral-large-3").known("layers")
        Traceback (most recent call last):
        calc.quantities.errors.MissingFact: mistral-large-3 must be a row whose “layers” is known; it was None.
        """
        value: float | None = getattr(self, name)
        if value is None:
            raise MissingFact(self.id, name)
        return value

    def fact(self, name: str) -> Fact:
        """The field called `name` with its unit, sources and date."""
        known = self.facts()
        if name not in known:
            raise UnknownName("fact", name, known)
        return known[name]

    def facts(self) -> dict[str, Fact]:
        """Every quantity of this row that is known."""
        held = {f.name: f.metadata for f in fields(self) if "label" in f.metadata}
        return {
            name: Fact(
                getattr(self, name),
                metadata["label"],
                metadata["unit"],
                self.sources,
                self.effective,
                self.read,
                self.note,
            )
            for name, metadata in held.items()
            if getattr(self, name) is not None
        }
