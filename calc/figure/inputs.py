"""The inputs of a figure: a number between bounds, one of a few choices, or a text.

Each reads what a person typed, or refuses it in a sentence that says what it takes, and declares itself to the page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from calc.quantities import parsing, units

SCENARIO = ("model", "system", "precision", "context", "batch")
CARRIED = (*SCENARIO, "own", "machine")
"""Inputs that mean the same wherever they are: the scenario, and the texts of a reader's own model and system."""

SAME: tuple[Mapping[str, float], ...] = (
    {"minutes": 6e10, "min": 6e10, "hours": 3.6e12, "h": 3.6e12}
    | {"ns": 1.0, "µs": 1e3, "μs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9},
    {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "B": 1.0},
    {"Gb/s": 1.25e8, "Tb/s": 1.25e11, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12},
    {"$/chip-hour": 1.0, "/chip-hour": 1.0, "$/hour": 1.0, "/hour": 1.0, "$/h": 1.0, "/h": 1.0, "$": 1.0},
    {"billion": 1e9, "B": 1e9, "trillion": 1e12, "T": 1e12},
    {"%": 1.0},
    {"x": 1.0, "×": 1.0},
)
"""Units of a kind, with what each is worth; one that ends like another stands before it. `input.js` has the same."""


class InputError(Exception):
    """One input that a figure cannot take, and what it would take."""

    def __init__(self, name: str, sentence: str) -> None:
        self.name = name
        super().__init__(sentence)


@dataclass(frozen=True, kw_only=True)
class Number:
    """An input that is a number between two bounds, both of them allowed."""

    name: str
    label: str
    default: float
    low: float
    high: float
    unit: str = ""
    help: str = ""
    log: bool = False
    whole: bool = False

    kind = "number"

    def expects(self) -> str:
        """The accepted input, in words."""
        low, high = (units.plain(end, 6) for end in (self.low, self.high))
        return f"a {'whole ' if self.whole else ''}number from {low} to {high}{' ' if self.unit else ''}{self.unit}"

    def read(self, raw: object) -> float:
        """The number in `raw`, which is one already or the text of one, with a unit or without."""
        try:
            value = self._in_unit(raw.strip()) if isinstance(raw, str) else float(raw)  # type: ignore[arg-type]
        except (TypeError, ValueError, OverflowError):
            value = math.nan
        if not self.low <= value <= self.high or (self.whole and value != math.floor(value)):
            raise InputError(self.name, f"{self.label} takes {self.expects()}.")
        return value

    def _in_unit(self, text: str) -> float:
        """`30` of `30%`, `2` of `$2`, and `5000` of `5 ms` in µs: a unit of the same kind is converted."""
        if self.unit.startswith("$"):
            text = re.sub(r"^([+−-]?)\$ ?", r"\1", text)
        first = self.unit.partition(" ")[0]
        same = next((ways for ways in SAME if first in ways), {})
        own = same.get(first, 1.0)
        ways = {**same, self.unit: own, units.singular(self.unit): own}
        way = next((each for each in ways if each and text.endswith(each)), "")
        return parsing.parse(text.removesuffix(way)) * ways.get(way, own) / own

    def declaration(self) -> dict[str, Any]:
        """All that the page needs to know."""
        one = units.singular(self.unit)
        limits = {"unit": self.unit, "low": self.low, "high": self.high, "log": self.log, "integer": self.whole}
        return _shared(self) | limits | ({"one": one} if one != self.unit else {})


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An input that is one of a few named values."""

    name: str
    label: str
    default: str
    options: Mapping[str, str]
    help: str = ""

    kind = "choice"

    def expects(self) -> str:
        """The accepted input, in words."""
        return f"one of {', '.join(self.options)}"

    def read(self, raw: object) -> str:
        """`raw`, if it is one of the options."""
        if not isinstance(raw, str) or raw not in self.options:
            raise InputError(self.name, f"{self.label} takes {self.expects()}.")
        return raw

    def declaration(self) -> dict[str, Any]:
        """All that the page needs to know."""
        return _shared(self) | {"options": [[value, label] for value, label in self.options.items()]}


@dataclass(frozen=True, kw_only=True)
class Text:
    """An input that is a text, `written` in its box in a longer way. `starts` are texts to begin with, by name.

    It `goes_with` a choice, of which it is one's own; the form that has it may be `elsewhere` on the page.
    """

    name: str
    label: str
    default: str
    written: str = ""
    starts: Mapping[str, str] = field(default_factory=dict)
    most: int = 100_000
    help: str = ""
    goes_with: str = ""
    elsewhere: str = ""

    kind = "text"

    def expects(self) -> str:
        """The accepted input, in words."""
        return f"a text of at most {self.most:,} characters"

    def read(self, raw: object) -> str:
        """`raw`, if it is a text that is not too long."""
        if not isinstance(raw, str) or not 0 < len(raw) <= self.most:
            raise InputError(self.name, f"{self.label} takes {self.expects()}.")
        return raw

    def declaration(self) -> dict[str, Any]:
        """All that the page needs to know."""
        starts = {"starts": [[name, text] for name, text in self.starts.items()]} if self.starts else {}
        return _shared(self) | {"most": self.most, "goes_with": self.goes_with} | starts


Input = Number | Choice | Text


def _shared(given: Input) -> dict[str, Any]:
    plain = {key: getattr(given, key) for key in ("name", "kind", "label", "default")}
    said = {} if isinstance(given, Choice) else {"expects": given.expects()}
    return plain | said | {"scenario": given.name in CARRIED}
