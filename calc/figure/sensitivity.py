"""Sensitivity: a figure's answers with one input moved at a time, and how far each moves one of its numbers.

A number is moved by a fifth of itself either way, as far as its bounds allow; one that is zero, to its bounds. A choice
takes each of its other options. A text stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from calc.figure.declared import Figure, Value
from calc.figure.inputs import Choice, Input, InputError, Number, Text
from calc.quantities import units
from calc.quantities.errors import CalcError, UnknownName

SHARE = 0.2  # of a number, either way


@dataclass(frozen=True)
class Way:
    """One input moved: its name and label, where it is moved to, and that in words."""

    input: str
    label: str
    value: float | str
    said: str


@dataclass(frozen=True)
class Bar:
    """How far one input moves a number of a figure: to the least and to the most, and by which of its ways."""

    label: str
    least: Value
    at_least: str
    most: Value
    at_most: str

    @property
    def span(self) -> float:
        """From the least to the most, in the unit of the number."""
        return self.most.number - self.least.number


def ways(figure: Figure, **inputs: object) -> tuple[Way, ...]:
    """Every way in which an input of a figure can be moved from where it stands.

    >>> from calc.figure import registry
    >>> [way.said for way in ways(registry.find("batching/step-time"), batch=100) if way.input == "batch"]
    ['80 sequences', '120 sequences']
    """
    moving = (given for given in figure.inputs if not isinstance(given, Text))
    return tuple(
        Way(given.name, given.label, value, _said(given, value))
        for given in moving
        for value in _moved(given, given.read(inputs.get(given.name, given.default)))
    )


def matters(figure: Figure, value: str, **inputs: object) -> tuple[Bar, ...]:
    """Which inputs move a number of a figure, the one that moves it most first; a way that is refused counts for none.

    >>> from calc.figure import registry
    >>> found = matters(registry.find("batching/step-time"), "step", batch=1, model="llama-3-70b")
    >>> found[0].label, found[-1].label, found[-1].span < 1e-6
    ('System', 'Context', True)
    """
    here = figure.answer(**inputs).values
    if value not in here:
        raise UnknownName("value", value, here)
    bars = [_bar(figure, given, value, here[value], inputs) for given in figure.inputs if not isinstance(given, Text)]
    return tuple(sorted((bar for bar in bars if bar), key=lambda bar: -bar.span))


def _moved(given: Number | Choice, value: float | str) -> Iterator[float | str]:
    if isinstance(given, Choice):
        yield from (option for option in given.options if option != value)
        return
    number = float(value)
    for to in (number * (1 - SHARE), number * (1 + SHARE)) if number else (given.low, given.high):
        near = min(max(to, given.low), given.high)
        if given.whole:
            near = math.floor(near) if near < number else math.ceil(near)
        if near != number:
            yield float(f"{near:.12g}")


def _said(given: Input, value: float | str) -> str:
    if isinstance(given, Choice):
        return given.options[str(value)]
    unit = given.unit if isinstance(given, Number) else ""
    return f"{units.short(float(value), 6)}{'' if unit in ('', '%', 'x') else ' '}{unit}"


def _bar(figure: Figure, given: Input, value: str, here: Value, inputs: dict[str, object]) -> Bar | None:
    """The ends to which one input moves a number that is here; nothing where it cannot be moved."""
    found = [("as it is", here)]
    for way in ways(figure, **inputs):
        if way.input != given.name:
            continue
        try:
            moved = figure.answer(**{**inputs, way.input: way.value}).values.get(value)
        except (CalcError, InputError):
            continue
        if moved is not None and math.isfinite(moved.number):
            found.append((way.said, moved))
    if len(found) == 1 or not math.isfinite(here.number):
        return None
    ordered = sorted(found, key=lambda each: float(each[1].number))
    (at_least, least), (at_most, most) = ordered[0], ordered[-1]
    return Bar(given.label, least, at_least, most, at_most)
