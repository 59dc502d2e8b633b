"""Every way in which `calc` refuses an argument: one family, and each member is a sentence for a person."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CalcError(ValueError):
    """A value that `calc` cannot use: which argument, what it was, and what would be accepted."""

    def __init__(self, argument: str, value: object, accepted: str) -> None:
        self.argument = argument
        self.value = value
        self.accepted = accepted
        super().__init__(f"{argument} must be {accepted}; it was {_shown(value)}.")


class OutOfRange(CalcError):
    """A number outside the range in which the formula means something."""


class WrongType(CalcError):
    """Something that is not a number, or not the kind of object that is asked for."""


class ShapeMismatch(CalcError):
    """Arrays whose shapes cannot be combined, or an array without elements."""


class DoesNotFit(CalcError):
    """A model, batch or context that the memory of the system cannot hold."""


class UnknownName(CalcError):
    """A name that no catalogue or list knows, with the nearest one that it does know."""

    def __init__(self, argument: str, value: object, known: Iterable[str]) -> None:
        names = sorted(known)
        near = difflib.get_close_matches(str(value), names, n=1)
        hint = f"one of {', '.join(names)}" if len(names) <= 12 else "a name that the catalogue knows"
        super().__init__(argument, value, hint + (f" (did you mean “{near[0]}”?)" if near else ""))
        self.nearest = near[0] if near else None


def _shown(value: object) -> str:
    text = f"“{value}”" if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else text[:79] + "…"
