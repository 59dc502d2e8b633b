"""Every way in which `calc` refuses an argument: one family, and each member is a sentence for a person."""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_TOLD = 40  # names in a refusal
ALIKE = 0.5  # from which two names are near enough to suggest one for the other


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


class MissingFact(CalcError):
    """A row of the catalogue that lacks a fact: which row, and which fact."""

    def __init__(self, row: str, fact: str) -> None:
        super().__init__(row, None, f"a row whose “{fact}” is known")
        self.fact = fact


class Unreadable(CalcError):
    """Something that cannot be read, told in a sentence of its own."""

    def __init__(self, argument: str, value: object, sentence: str) -> None:
        super().__init__(argument, value, "something else")
        self.accepted = sentence
        self.args = (sentence,)


class UnknownName(CalcError):
    """A name that no catalogue or list knows, with the nearest one that it does know."""

    def __init__(self, argument: str, value: object, known: Iterable[str], listed: str = "") -> None:
        """Many names are not told: `listed` is the command that does."""
        names = sorted(known)
        near = _nearest(value, names)
        many = f"one of {len(names)} names" + (f", which `{listed}` lists" if listed else "")
        hint = f"one of {', '.join(names)}" if len(names) <= MOST_TOLD else many
        super().__init__(argument, value, hint + (f" (did you mean “{near}”?)" if near else ""))
        self.nearest = near


def _nearest(value: object, names: list[str]) -> str | None:
    """The known name that someone most likely meant, whatever they did with capitals, spaces and hyphens."""
    if not isinstance(value, str) or not names:
        return None
    likeness, nearest = max((_likeness(value, name), name) for name in names)
    return nearest if likeness > ALIKE else None


def _likeness(one: str, other: str) -> float:
    """Share of their pairs of neighbouring letters that two names have in common (Dice's coefficient), 0 to 1."""
    pairs, others = _pairs(one), _pairs(other)
    return 2 * len(pairs & others) / (len(pairs) + len(others))


def _pairs(name: str) -> set[str]:
    bare = "^" + re.sub(r"[\s_-]+", "-", name.strip().lower()) + "$"
    return {bare[at : at + 2] for at in range(len(bare) - 1)}


def _shown(value: object) -> str:
    try:
        text = f"“{value}”" if isinstance(value, str) else repr(value)
    except ValueError:  # Python prints no whole number of more than some thousand digits
        text = "a number of very many digits"
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= 80 else text[:79] + "…"
