"""`figure`: what a figure of the course says, at inputs of one's own."""

from __future__ import annotations

import math
from argparse import Namespace
from collections.abc import Mapping, Sequence

from calc.cli.report import Report, Value
from calc.figure import declared, registry, sensitivity
from calc.figure.declared import Answer, Figure
from calc.figure.inputs import InputError, Text
from calc.figure.sensitivity import Bar
from calc.quantities.errors import CalcError, UnknownName

STILL = 1e-9  # of a number, that rounding may move it


def figure(options: Namespace) -> Report:
    """The finding, the numbers and the notes of a figure; inputs that are not named take their defaults."""
    if options.name is None:
        return _every()
    found = registry.find(options.name)
    try:
        inputs = _inputs(found, options.inputs)
        answer = found.answer(**inputs)
        if options.matters:
            return _matters(answer, sensitivity.matters(found, options.matters, **inputs), options.matters)
    except InputError as error:
        raise _Refused(error) from None
    values = {name: _value(each) for name, each in answer.values.items()}
    return Report(answer.finding, values, notes=[*answer.notes, *_asked(found, inputs)])


def _every() -> Report:
    """All figures by name, with their inputs."""
    rows = [
        {"figure": Value("figure", each.name), "inputs": Value("inputs", " ".join(each.defaults()) or "–")}
        for each in registry.every()
    ]
    return Report(f"{len(rows)} figures", rows=rows, notes=["One of them: rooflines figure serving/sheet batch=64"])


def _asked(found: Figure, inputs: Mapping[str, str]) -> list[str]:
    """Every input that the answer rests on, as it can be typed; texts apart, which are long."""
    short = (given for given in found.inputs if not isinstance(given, Text))
    at = (f"{given.name}={_typed(given.read(inputs.get(given.name, given.default)))}" for given in short)
    return [f"Inputs: {' '.join(at)}."] if found.inputs else []


def _typed(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"


def _matters(answer: Answer, bars: Sequence[Bar], name: str) -> Report:
    """Each input's least and most of a number while it is moved alone, the one that moves it most first."""
    here = answer.values[name]
    moving = [bar for bar in bars if bar.span > STILL * abs(here.number)]
    still = [bar.label.lower() for bar in bars if bar not in moving]
    rows = [
        {
            "input": Value("Input", bar.label),
            "least": _value(bar.least, "Least"),
            "at_least": Value("At", bar.at_least),
            "most": _value(bar.most, "Most"),
            "at_most": Value("At", bar.at_most),
        }
        for bar in moving
    ]
    moved = "A number is moved by a fifth of itself either way, a choice to each of its others."
    unmoved = [f"Not moved by {', '.join(still)}."] if still else []
    return Report(answer.finding, {name: _value(here)}, rows, [moved, *unmoved, *answer.notes])


class _Refused(CalcError):
    """An input that the figure cannot take, in the figure's own words."""

    def __init__(self, error: InputError) -> None:
        super().__init__(error.name, None, "one that the figure takes")
        self.args = (str(error),)


def _inputs(found: Figure, words: Sequence[str]) -> dict[str, str]:
    """`batch=64` as the input and its text."""
    read = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign:
            raise CalcError("input", word, "written name=value")
        if name not in found.defaults():
            raise UnknownName("input", name, found.defaults())
        read[name] = text
    return read


def _value(each: declared.Value, label: str = "") -> Value:
    return Value(label or each.label, each.text if math.isnan(each.number) else each.number, each.unit, each.endless)
