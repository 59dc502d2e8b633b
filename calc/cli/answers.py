"""`figure`: what a figure of the course says, at inputs of one's own."""

from __future__ import annotations

import math
from argparse import Namespace
from collections.abc import Sequence

from calc.cli.report import Report, Value
from calc.figure import declared, registry
from calc.figure.declared import Figure, InputError
from calc.quantities.errors import CalcError, UnknownName


def figure(options: Namespace) -> Report:
    """The finding, the numbers and the notes of a figure; inputs that are not named take their defaults."""
    found = registry.find(options.name)
    try:
        answer = found.answer(**_inputs(found, options.inputs))
    except InputError as error:
        raise _Refused(error) from None
    values = {name: _value(each) for name, each in answer.values.items()}
    return Report(answer.finding, values, notes=answer.notes)


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


def _value(each: declared.Value) -> Value:
    return Value(each.label, each.text if math.isnan(each.number) else each.number, each.unit, each.endless)
