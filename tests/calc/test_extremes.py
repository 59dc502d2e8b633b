"""The largest and smallest numbers that the functions of lecture 2 accept end in an answer or a sentence."""

from __future__ import annotations

import contextlib
import inspect

import numpy as np
import pytest

from calc import catalog
from calc.moe import exchange, experts, routed_scaling, routing
from calc.pipelining import bubbles, decoding, schedules
from calc.quantities.errors import CalcError

MODULES = (experts, exchange, routing, routed_scaling, decoding, bubbles, schedules)
FUNCTIONS = [
    function
    for module in MODULES
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and not name.startswith("_")
]
OTHERS = {
    "schedule": "1f1b",
    "law": routed_scaling.RoutedLaw.published(catalog.routing_fit("s-base")),
    "leaving": 0.5,
    "routed_share": 0.5,
    "total_params": 8.0,
}


def usable(function):
    parameters = inspect.signature(function).parameters.values()
    return {p.name: OTHERS.get(p.name, 4.0) for p in parameters if p.default is p.empty or p.name in OTHERS}


@pytest.mark.parametrize("value", [1e-300, 1e300, 2.0**53])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_one_absurd_number_has_an_answer_without_a_gap(function, value):
    for name in inspect.signature(function).parameters:
        with contextlib.suppress(CalcError):
            answer = function(**{**usable(function), name: value})
            numbers = vars(answer).values() if hasattr(answer, "__dataclass_fields__") else [answer]
            assert not any(np.isnan(part).any() for part in numbers if isinstance(part, float | np.ndarray)), name


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("value", [1e-300, 1e300])
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_absurd_numbers_together_do_not_end_in_a_traceback(function, value):
    absurd = dict.fromkeys(inspect.signature(function).parameters.keys() - OTHERS.keys(), value)
    with contextlib.suppress(CalcError):
        assert function(**{**usable(function), **absurd}) is not None


def test_the_functions_are_found_and_usable():
    assert len(FUNCTIONS) > 25
    for function in FUNCTIONS:
        assert function(**usable(function)) is not None
