"""Checking for frozen dataclasses of quantities, as `calc.quantities.check` does for the arguments of a function."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

import numpy as np

from calc.quantities.check import Range, number
from calc.quantities.errors import ShapeMismatch, WrongType

R = TypeVar("R")


def accept(record: Any, usual: Range, **others: Range) -> None:
    """Hold every field of a record that is being made to a range, and make floats or arrays of them."""
    for field in fields(record):
        value = number(field.name, getattr(record, field.name), others.get(field.name, usual))
        object.__setattr__(record, field.name, value)
    together(**{field.name: getattr(record, field.name) for field in fields(record)})


def of_kind(kind: type[R], argument: str, value: object, **others: object) -> R:
    """`value`, provided that it is a record of the kind asked for and that its arrays combine with the others."""
    if not isinstance(value, kind):
        raise WrongType(argument, value, f"a{'n' if kind.__name__[0] in 'AEIOU' else ''} {kind.__name__}")
    together(**{argument: value}, **others)
    return value


def together(**parts: object) -> None:
    """Refuse quantities, or records of them, whose arrays cannot be combined."""
    shapes = {name: _shape(part) for name, part in parts.items()}
    if not any(shapes.values()):
        return
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        arrays = {name: shape for name, shape in shapes.items() if shape}
        first, *others = arrays
        listed = ", ".join(f"{name} {shape}" for name, shape in arrays.items())
        raise ShapeMismatch(first, listed, f"an array that combines with {' and '.join(others)}") from None


def _shape(part: object) -> tuple[int, ...]:
    held: list[Any] = [getattr(part, field.name) for field in fields(part)] if is_dataclass(part) else [part]
    shapes = [value.shape for value in held if isinstance(value, np.ndarray)]
    return np.broadcast_shapes(*shapes) if shapes else ()
