"""The ledger: what was said about the lecture's subject, the call that checks it, and the verdict that follows.

A claim carries a Python expression over `calc`. Its numbers are computed when they are asked for, and the verdict is
derived from them, never trusted: a test compares it with the verdict that is written beside the claim.

- `accept` is how far a fair reader lets the number stray before the claim is wrong; a true-or-false call accepts true.
- All numbers inside: the claim holds; none: it does not; some: it holds with caveats.
- `counter` is a second call, the circumstance under which the claim fails: its numbers must lie outside.
- `readings` are what different sources say of the same thing: they disagree if the numbers bear out some and not others.
- Without a call nothing public decides the claim, and it is never shown as true or false.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import numpy as np

from calc import catalog
from calc.errors import CalcError, UnknownName

HOLDS = "holds"
CAVEATS = "holds with caveats"
FAILS = "does not hold"
DISAGREE = "sources disagree"
UNDECIDED = "unconfirmed"
VERDICTS = (HOLDS, CAVEATS, FAILS, DISAGREE, UNDECIDED)

MODULES = (
    "attention",
    "batching",
    "catalog",
    "memory_wall",
    "moe",
    "overtraining",
    "pipelining",
    "pricing",
    "reversible",
)


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
    call: str = ""
    unit: str = ""
    accept: tuple[float, float] = (1.0, 1.0)
    counter: str = ""
    readings: Mapping[str, float] = field(default_factory=dict)
    tolerance: float = 0.25

    def computed(self) -> tuple[float, ...]:
        """The numbers of the call; none if no call decides."""
        return evaluate(self.call) if self.call else ()

    def countered(self) -> tuple[float, ...]:
        """The numbers of the circumstance under which the claim fails."""
        return evaluate(self.counter) if self.counter else ()

    def derived(self) -> str:
        """The verdict that the numbers lead to."""
        if not self.call:
            return UNDECIDED
        if self.readings:
            borne_out = {self._bears_out(reading) for reading in self.readings.values()}
            return DISAGREE if len(borne_out) == 2 else HOLDS if borne_out == {True} else FAILS
        inside = {self._accepts(number) for number in self.computed()}
        if inside == {True}:
            return CAVEATS if self.counter and not any(map(self._accepts, self.countered())) else HOLDS
        return FAILS if inside == {False} else CAVEATS

    def _accepts(self, number: float) -> bool:
        low, high = self.accept
        return low <= number <= high

    def _bears_out(self, reading: float) -> bool:
        return any(math.isclose(reading, number, rel_tol=self.tolerance) for number in self.computed())


def evaluate(call: str) -> tuple[float, ...]:
    """The numbers that an expression over `calc` gives, true as 1 and false as 0.

    >>> evaluate("batching.balanced_batch(300, 8)")
    (2400.0,)
    """
    result = eval(call, {"np": np, **_modules()})  # the ledger is part of calc, like its modules
    return tuple(float(number) for number in np.atleast_1d(np.asarray(result, dtype=float)).flat)


@cache
def claims() -> Mapping[str, Claim]:
    """The whole ledger, in the order of the lecture."""
    text = files("calc").joinpath("claims.toml").read_text(encoding="utf-8")
    read = [_claim(row) for row in tomllib.loads(text)["claim"]]
    ledger = {claim.id: claim for claim in read}
    if len(ledger) != len(read):
        raise CalcError("claims.toml", [claim.id for claim in read], "made of claims with different ids")
    return MappingProxyType(ledger)


def claim(name: str) -> Claim:
    """One claim by its id.

    >>> claim("A9").derived()
    'holds'
    """
    if name not in claims():
        raise UnknownName("claim", name, claims())
    return claims()[name]


def _claim(row: dict[str, Any]) -> Claim:
    made = Claim(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()})
    if made.verdict not in VERDICTS:
        raise UnknownName("verdict", made.verdict, VERDICTS)
    for name in (*made.by, *made.readings):
        catalog.source(name)
    return made


@cache
def _modules() -> dict[str, Any]:
    return {name: import_module(f"calc.{name}") for name in MODULES}
