"""Usable arguments for every public function: those of the first call in its docstring's own example."""

from __future__ import annotations

import doctest
import importlib
import inspect
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, get_type_hints

from calc.quantities.check import Range, range_of
from tests.calc.test_package import MODULES

Function = Callable[..., Any]


@cache
def functions() -> dict[str, Function]:
    """Every public function of `calc` that takes a number in a range, by its address."""
    found = (
        (f"{name}.{label}", member)
        for name in MODULES
        for label, member in vars(importlib.import_module(name)).items()
        if inspect.isfunction(member) and member.__module__ == name and not label.startswith("_")
    )
    return {name: function for name, function in found if ranges(function)}


def ranges(function: Function) -> dict[str, Range]:
    """The range that each annotated parameter accepts."""
    hints = get_type_hints(function, include_extras=True)
    found = {name: range_of(hints[name]) for name in inspect.signature(function).parameters if name in hints}
    return {name: accepted for name, accepted in found.items() if accepted is not None}


@cache
def example(function: Function) -> dict[str, Any]:
    """The arguments of the first call of a function in its docstring."""
    module = importlib.import_module(function.__module__)
    name = function.__name__
    calls: list[dict[str, Any]] = []

    def record(*args: Any, **kwargs: Any) -> Any:
        calls.append(inspect.signature(function).bind(*args, **kwargs).arguments)
        return function(*args, **kwargs)

    names = vars(module) | {name: record}
    for line in _lines(function):
        exec(compile(line, name, "single"), names)
        if calls:
            return calls[0]
    raise LookupError(f"The docstring of {function.__module__}.{name} shows no call of it.")


def _lines(function: Function) -> Iterator[str]:
    yield from (found.source for found in doctest.DocTestParser().get_examples(function.__doc__ or ""))
