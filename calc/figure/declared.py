"""A declared figure and its answer: the contract with a page.

A figure is declared once: its inputs (`calc.figure.inputs`), a function from them to an `Answer`, and a function that
draws the chart. The page is built from the answer to the defaults; in the reader's browser `calc.figure.answering`
answers again for what they typed, and a refused input comes back as a sentence for the person who typed it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, SupportsFloat

import numpy as np

from calc.figure.derivation import Derivation
from calc.figure.inputs import Input, InputError
from calc.figure.slips import Slip
from calc.quantities import units
from calc.quantities.check import Quantity


@dataclass(frozen=True)
class Value:
    """A number with its name and unit, as many digits as it deserves, and what it means if it is infinite.

    It is made of one number, whatever type a formula gave it, and holds a float: numbers leave arrays here. One that an
    exercise asks for names the slips that its question invites.
    """

    given: InitVar[SupportsFloat]
    unit: str = ""
    label: str = ""
    digits: int = 3
    endless: str = "unlimited"
    slips: tuple[Slip, ...] = ()
    number: float = field(init=False)

    def __post_init__(self, given: SupportsFloat) -> None:
        object.__setattr__(self, "number", float(given))

    @property
    def text(self) -> str:
        """As a person writes it; what is not known, or not published, is said to be unknown."""
        if math.isnan(self.number):
            return "unknown"
        return self.endless if self.number == math.inf else units.show(self.number, self.unit, self.digits)


class Steady(dict[str, Any]):
    """A table that is the same whenever its key is, whatever else is asked: it is sent once to a page that keeps it.

    >>> Steady("by model", {"run": [1, 2]}).key
    'by model'
    """

    def __init__(self, key: str, columns: Mapping[str, Any]) -> None:
        super().__init__(columns)
        self.key = key


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A figure's answer to one set of inputs: the finding is its title, the description its alternative text."""

    finding: str
    description: str = ""
    tables: Mapping[str, Mapping[str, Sequence[Any] | np.ndarray[Any, Any] | Quantity]] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)
    notes: Sequence[str] = ()
    derived: Mapping[str, Derivation] = field(default_factory=dict)  # of some of the values

    def as_json(self, known: Mapping[str, Sequence[str]] = MappingProxyType({})) -> dict[str, Any]:
        """Plain lists, numbers and text; what is not finite becomes null.

        Steady tables are named by their keys; those whose keys are known, by table, stay away.
        """
        values = {
            name: {"label": v.label, "text": v.text, "number": _finite(v.number), "unit": v.unit}
            for name, v in self.values.items()
        }
        steady = {name: table.key for name, table in self.tables.items() if isinstance(table, Steady)}
        sent = (name for name in self.tables if steady.get(name) not in known.get(name, ()))
        tables = {name: {key: _column(cells) for key, cells in self.tables[name].items()} for name in sent}
        texts = {"finding": self.finding, "description": self.description, "notes": list(self.notes)}
        derived = {name: each.numbers for name, each in self.derived.items()}
        found = texts | {"tables": tables, "values": values}
        return found | ({"derived": derived} if derived else {}) | ({"steady": steady} if steady else {})


@dataclass(frozen=True, kw_only=True, eq=False)
class Figure:
    """One declared figure. `columns` names the columns of the table that readers may open, heading by column.

    `pointed` names an input that is set by pointing at a mark, to what the mark's column of that name says.

    `folded` are inputs that stand behind a fold of the form, by what the fold is called.

    `foremost` is how many of its values stand before a fold, the most important first; 0 is all of them.

    `rests_on` names a room apart (`calc.figure.registry`) whose data it shows.

    `parts` are, in order, what of a long answer can be computed and kept piece by piece, so that a page can count
    them, named by `counted`, and stop between two; the answer that comes after the last is quick.

    `measures_rounding` marks one that shows the last bits of the machine it runs on: elsewhere it answers alike, and
    with other numbers.
    """

    name: str
    compute: Callable[..., Answer]
    inputs: tuple[Input, ...] = ()
    chart: Callable[[], Any] | None = None
    table: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    pointed: str = ""
    folded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    foremost: int = 0
    rests_on: str = ""
    parts: Callable[..., Sequence[Callable[[], object]]] | None = None
    counted: str = ""
    measures_rounding: bool = False

    @property
    def slug(self) -> str:
        """The part of the name after the chapter: the anchor on the page."""
        return self.name.partition("/")[2]

    def defaults(self) -> dict[str, float | str]:
        """The inputs that the page shows first."""
        return {given.name: given.default for given in self.inputs}

    def answer(self, **inputs: object) -> Answer:
        """Read the inputs and compute; what is not given takes its default. One without inputs is computed once."""
        return self.compute(**self._read(inputs)) if inputs or self.inputs else self._only_answer

    @cached_property
    def _only_answer(self) -> Answer:
        return self.compute()

    def part(self, at: int, **inputs: object) -> tuple[int, int] | None:
        """Compute one part of the answer, and say how many there are by now and in all; nothing where none is left."""
        every = self.parts(**self._read(inputs)) if self.parts else ()
        if at >= len(every):
            return None
        every[at]()
        return at + 1, len(every)

    def _read(self, inputs: Mapping[str, object]) -> dict[str, Any]:
        unknown = sorted(set(inputs) - {given.name for given in self.inputs})
        if unknown:
            raise InputError(unknown[0], f"This figure has no input called “{unknown[0]}”.")
        return {given.name: given.read(inputs.get(given.name, given.default)) for given in self.inputs}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _column(cells: Any) -> list[Any]:
    array = isinstance(cells, np.ndarray)
    plain = cells.tolist() if array else [_plain(cell) for cell in cells]
    if array and cells.dtype.kind == "f" and np.isfinite(cells).all():
        return plain
    return [_finite(cell) if isinstance(cell, float) else cell for cell in plain]


def _plain(cell: Any) -> Any:
    return cell.item() if isinstance(cell, np.generic | np.ndarray) else cell
