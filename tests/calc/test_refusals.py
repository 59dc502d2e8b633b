"""Every function of lectures 5 and 6 refuses what it cannot use, in a sentence, and its docstring's examples hold."""

from __future__ import annotations

import doctest
import inspect
from typing import get_type_hints

import numpy as np
import pytest

from calc import (
    bill,
    context_price,
    overtraining,
    pricing,
    prompt_cache,
    reinforcement,
    scaling_law,
    training_run,
)
from calc.check import Range
from calc.errors import CalcError

MODULES = (overtraining, scaling_law, training_run, reinforcement, pricing, context_price, prompt_cache, bill)
RECORDS = {
    "law": scaling_law.ScalingLaw(1, 10, 20, 0.5, 0.5),
    "prices": bill.Prices(1, 1, 1, 1),
    "traffic": bill.Traffic(1, 1, 1, 1),
}
GOOD = {
    "target_loss": 3.0,
    "speed_ratio": 2.0,
    "longest": 2.0,
    "batch_share": 0.5,
    "fast_share": 0.5,
    "sharded": "everything",
    "kept": "inputs",
}
BAD = (float("nan"), float("inf"), -float("inf"), -1.0, "many", "", None, [], [1.0, "a"], [[1.0], [1.0, 2.0]], 1j, True)


def public_functions():
    for module in MODULES:
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                yield pytest.param(function, id=f"{module.__name__}.{name}")


FUNCTIONS = tuple(public_functions())


def quantities(function):
    """The names of the parameters that are annotated with a range, and whether None is accepted."""
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if any(isinstance(part, Range) for part in parts(hints[name])):
            yield name, parameter.default is None


def parts(hint):
    for part in getattr(hint, "__metadata__", ()) + getattr(hint, "__args__", ()):
        yield part
        yield from parts(part)


def usable(function):
    names = inspect.signature(function).parameters
    return {name: RECORDS.get(name, GOOD.get(name, 1.0)) for name in names}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_a_quantity_cannot_be_is_refused_by_name(function):
    arguments = usable(function)
    function(**arguments)
    checked = list(quantities(function))
    assert checked
    for name, optional in checked:
        for value in BAD:
            if value is None and optional:
                continue
            with pytest.raises(CalcError, match=f"^{name} must be .*; it was ") as refused:
                function(**{**arguments, name: value})
            assert refused.value.argument == name


@pytest.mark.parametrize("function", FUNCTIONS)
def test_shapes_that_do_not_combine_are_refused(function):
    names = [name for name, _ in quantities(function)] + [name for name in usable(function) if name in RECORDS]
    if len(names) < 2:
        pytest.skip("takes one quantity")
    one, *others = names
    wrong = {name: np.full(3, GOOD.get(name, 1.0)) for name in others if name not in RECORDS}
    if "law" in names:
        wrong["law"] = scaling_law.ScalingLaw([1, 1, 1], 10, 20, 0.5, 0.5)
    if "prices" in names:
        wrong["prices"] = bill.Prices([1, 1, 1], 1, 1, 1)
    if "traffic" in names:
        wrong["traffic"] = bill.Traffic([1, 1, 1], 1, 1, 1)
    with pytest.raises(CalcError, match="combines with"):
        function(**{**usable(function), one: np.full(2, GOOD.get(one, 1.0)), **wrong})


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_hold(module):
    tried = doctest.testmod(module)
    assert tried.attempted > 0
    assert tried.failed == 0


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_shows_an_example(function):
    assert ">>>" in function.__doc__
