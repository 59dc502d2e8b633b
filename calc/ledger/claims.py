"""The ledger: what was said about the lecture's subject, the call that checks it, and the verdict that follows.

Words are rows of `claims.toml`; what computes is a function in the chapter's `claims` module, found by the claim's id:
`a1`, `a1_otherwise`, `a1_by_lecture`, and `a1_name` for a number that the reason quotes. Numbers are computed when they
are asked for, and the verdict is derived from them, never trusted: the build refuses one that they do not give.

- `stated` is the number that was said, or the two ends of a range, in the unit of the call. How far from it a number
  may lie is the same for all claims: within ±25 %, or within a factor of 3 where only an order was said, by a bare
  power of ten or a bare unit of time. `order` quotes that word, such as “thousandth” or “month”, from the claim; one
  in the plural, such as “millions”, states one to nine of them. A number is judged as it was said, not by its rest.
- `accept` stands instead where no number was said: a bound, open to one side, or a word such as “negligible”, whose
  reading is an `exception` that the page lists.
- A true-or-false call accepts true, and `tests` says of each of its answers in words to what it answers; `otherwise`
  does so for the second call.
- All numbers inside: the claim holds; none: it does not; some: it holds with caveats.
- `counter` is a second call, the circumstance under which the claim fails: its numbers must lie outside.
- `readings` are what sources say of the same thing: they disagree if the numbers bear out some and not others.
- A forecast is never the call that decides about another.
- `rests_on` names claims that this one takes for granted: while one of them is unconfirmed, so is this.
- `algebra` marks a claim whose call is the formula of the claim itself: it follows, and nothing was measured.
- `record` names the sources in which a matter of record was looked up, where there is nothing to compute.
- With none of these nothing public decides the claim, and it is never shown as true or false. A call may then still
  show numbers that bear on it (`decides = false`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType, ModuleType
from typing import Any

from calc import catalog
from calc.ledger.band import ORDERS, Band
from calc.ledger.calls import Calculation, Numbers, evaluate
from calc.ledger.in_words import TRUTH, answered, shown
from calc.quantities.errors import CalcError, UnknownName

HOLDS = "holds"
CAVEATS = "holds with caveats"
FAILS = "does not hold"
DISAGREE = "sources disagree"
UNDECIDED = "unconfirmed"
VERDICTS = (HOLDS, CAVEATS, FAILS, DISAGREE, UNDECIDED)
SECTIONS = MappingProxyType({"A": 43, "B": 20, "C": 21, "D": 21, "E": 30, "F": 10, "G": 9})


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One thing that was said: by whom and when, the call that checks it, the verdict and why."""

    id: str
    chapter: str
    said: str
    by: tuple[str, ...]
    verdict: str
    why: str
    at: str = ""
    quoted: str = ""
    call: Calculation | None = None
    unit: str = TRUTH
    stated: tuple[float, ...] = ()
    order: str = ""
    accept: tuple[float, float] = (1.0, 1.0)
    exception: str = ""
    tests: tuple[str, ...] = ()
    counter: Calculation | None = None
    otherwise: tuple[str, ...] = ()
    readings: Mapping[str, Calculation] = field(default_factory=dict)
    tolerance: float = 0.25
    record: tuple[str, ...] = ()
    decides: bool = True
    rests_on: tuple[str, ...] = ()
    algebra: bool = False
    numbers: Mapping[str, tuple[Calculation, str]] = field(default_factory=dict)

    @property
    def section(self) -> str:
        """The letter of the part of the ledger."""
        return self.id[0]

    @property
    def basis(self) -> str:
        """The ground that decides the claim: a calculation, the record, or nothing public."""
        if self.record:
            return "record"
        if any(claim(name).basis == "nothing" for name in self.rests_on):
            return "nothing"
        return "calculation" if self.call and self.decides else "nothing"

    @property
    def band(self) -> Band:
        """How near a number must lie to what was said."""
        return Band(self.stated, self.order, self.accept, self.unit)

    @property
    def seconds(self) -> int | None:
        """Where in the recording it was said, in seconds from its beginning; None if no time is known."""
        if not self.at:
            return None
        clock = [int(part) for part in self.at.lstrip("~").split(":")]
        hours, minutes, seconds = clock if len(clock) == 3 else [*clock, 0]
        return 3600 * hours + 60 * minutes + seconds

    @property
    def reason(self) -> str:
        """Why, in a sentence; its numbers are computed."""
        return self.why.format_map({name: shown(evaluate(call), unit) for name, (call, unit) in self.numbers.items()})

    @property
    def accepted(self) -> str:
        """The band in words; empty where the call is true or false."""
        return "" if self.unit == TRUTH or self.readings else str(self.band)

    @property
    def kept(self) -> tuple[int, int]:
        """How many numbers of the call bear the claim out, and of how many."""
        inside = [number in self.band for number in self.computed()]
        return sum(inside), len(inside)

    @property
    def told(self) -> str:
        """The numbers of the call in words."""
        return answered(self.computed(), self.unit, self.tests)

    @property
    def told_otherwise(self) -> str:
        """The numbers of the circumstance under which the claim fails, in words."""
        return answered(self.countered(), self.unit, self.otherwise)

    def ratios(self) -> Numbers:
        """Each number of the call over the nearest end of what was said: 1 within a range, and at a bound that is kept.

        Nothing where there is no number to compare with, or where a quotient has no meaning.
        """
        if self.unit == TRUTH or self.readings or self.basis != "calculation":
            return ()
        low, high = (min(self.stated), max(self.stated)) if self.stated else self.accept
        near = [min(max(number, low), high) for number in self.computed()]
        return tuple(
            number / end
            for number, end in zip(self.computed(), near, strict=True)
            if end and 0 < number / end < math.inf
        )

    def computed(self) -> Numbers:
        """The numbers of the call; none if there is no call."""
        return evaluate(self.call) if self.call else ()

    def countered(self) -> Numbers:
        """The numbers of the circumstance under which the claim fails."""
        return evaluate(self.counter) if self.counter else ()

    def borne_out(self) -> Mapping[str, bool]:
        """Whether the numbers bear out each source that disagrees."""
        return {name: self._bears_out(reading) for name, reading in self.read().items()}

    def read(self) -> Mapping[str, float]:
        """The number according to each source that disagrees."""
        return {name: evaluate(call)[0] for name, call in self.readings.items()}

    def derived(self) -> str:
        """The verdict that the numbers lead to; a matter of record has no numbers and keeps the one that it has."""
        if self.record:
            return self.verdict
        if self.basis == "nothing":
            return UNDECIDED
        if self.readings:
            sides = set(self.borne_out().values())
            return DISAGREE if len(sides) == 2 else HOLDS if sides == {True} else FAILS
        inside = {number in self.band for number in self.computed()}
        if inside == {True}:
            return CAVEATS if self.counter and not any(number in self.band for number in self.countered()) else HOLDS
        return FAILS if inside == {False} else CAVEATS

    def _bears_out(self, reading: float) -> bool:
        return any(math.isclose(reading, number, rel_tol=self.tolerance) for number in self.computed())


@cache
def ledger() -> list[dict[str, Any]]:
    """The words of the ledger, as they are written."""
    read: list[dict[str, Any]] = tomllib.loads(
        files("calc.ledger").joinpath("claims.toml").read_text(encoding="utf-8")
    )["claim"]
    return read


@cache
def claims() -> Mapping[str, Claim]:
    """The whole ledger, in the order of the lecture."""
    read = [_claim(row) for row in ledger()]
    known = {claim.id: claim for claim in read}
    if len(known) != len(read):
        raise CalcError("claims.toml", [claim.id for claim in read], "made of claims with different ids")
    return MappingProxyType(known)


def claim(name: str) -> Claim:
    """One claim by its id.

    >>> claim("A8").derived()
    'holds'
    """
    if name not in claims():
        raise UnknownName("claim", name, claims(), "rooflines claims")
    return claims()[name]


def calculations(chapter: str) -> ModuleType:
    """The module with the calculations of a chapter's claims; those about the recording itself stand in the ledger."""
    return import_module("calc.ledger.recording" if chapter == "recording" else f"calc.{chapter}.claims")


def _claim(row: dict[str, Any]) -> Claim:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    if isinstance(values.get("stated"), int | float):
        values["stated"] = (float(values["stated"]),)
    if values.get("order", ORDERS[0]) not in ORDERS:
        raise UnknownName("order", values["order"], ORDERS)
    if values["verdict"] not in VERDICTS:
        raise UnknownName("verdict", values["verdict"], VERDICTS)
    readings = values.pop("readings", ())
    for name in (*values["by"], *readings, *values.get("record", ())):
        catalog.source(name)
    found, mine = vars(calculations(values["chapter"])), values["id"].lower()
    named = {name: f"{mine}_{name}" for name in values.get("numbers", {})}
    told = {name: f"{mine}_by_{name.replace('-', '_')}" for name in readings}
    if missing := sorted({*named.values(), *told.values()} - found.keys()):
        raise CalcError(
            values["id"], missing, f"a claim whose numbers are functions of the claims of {values['chapter']}"
        )
    values["numbers"] = {name: (found[place], values["numbers"][name]) for name, place in named.items()}
    values["readings"] = {name: found[place] for name, place in told.items()}
    return Claim(**values, call=found.get(mine), counter=found.get(f"{mine}_otherwise"))
