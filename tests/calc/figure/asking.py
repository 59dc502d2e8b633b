"""How tests ask figures: by name, and at the ends of all that they take."""

from __future__ import annotations

from functools import cache

from calc.figure import registry
from calc.figure.declared import Answer
from calc.figure.inputs import Choice, Text


@cache
def standing(name: str) -> Answer:
    """The answer of the figure of this name as it stands; some measure for a second, and many tests ask for it."""
    return registry.find(name).answer()


def of(chapter):
    """Two functions: the answer of a figure of this chapter, and one of its numbers."""

    def answer(slug, **inputs):
        return registry.find(f"{chapter}/{slug}").answer(**inputs)

    def number(slug, value, **inputs):
        return answer(slug, **inputs).values[value].number

    return answer, number


def ends(given):
    """Both ends of a number, all options of a choice, all that a text may begin with."""
    if isinstance(given, Text):
        return [given.default, *given.starts.values()]
    return list(given.options) if isinstance(given, Choice) else [given.low, given.high]


def corners(figure):
    """The defaults, each end of each input alone, and all inputs at their first and at their last."""
    taken = {given.name: ends(given) for given in figure.inputs}
    yield {}
    yield from ({name: end} for name, values in taken.items() for end in values)
    if taken:
        yield from ({name: values[side] for name, values in taken.items()} for side in (0, -1))
