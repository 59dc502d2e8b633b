"""Every public function refuses what its annotations exclude, by name, and answers to whatever they accept.

The functions, their ranges and their usable arguments are read from `calc` itself: from annotations and from the
examples of the docstrings.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import is_dataclass

import numpy as np
import pytest

from calc.quantities.check import Range
from calc.quantities.errors import CalcError
from tests.calc.examples import Function, example, functions, ranges

NEVER = (math.nan, math.inf, -math.inf, "many", "", [], [1.0, "a"], [[1.0], [1.0, 2.0]], 1j, True, 10**400)
MANY = 1000  # so often a simulation may be repeated here
TINY, HUGE = 1e-30, 1e30
EVERY = pytest.mark.parametrize("function", functions().values(), ids=list(functions()))


def outside(accepted: Range) -> list[float]:
    """Numbers just beyond each end of a range, and one between its whole numbers."""
    below = accepted.low if accepted.open_low else math.nextafter(accepted.low, -math.inf)
    beyond = [
        below,
        math.nextafter(accepted.high, math.inf),
        (max(accepted.low, 1) + 0.5) if accepted.whole else math.inf,
    ]
    return [number for number in beyond if math.isfinite(number)]


def inside(accepted: Range) -> list[float]:
    """Numbers at each end of a range, and little inside an open one."""
    at_low = accepted.low + 1e-6 if accepted.open_low else accepted.low
    return [number for number in (at_low, accepted.high) if abs(number) < MANY]


@EVERY
def test_what_a_quantity_cannot_be_is_refused_by_name(function: Function) -> None:
    for name, accepted in ranges(function).items():
        for value in (*NEVER, *outside(accepted)):
            with pytest.raises(CalcError, match=f"^{name} must be .*; it was ") as refused:
                function(**example(function) | {name: value})
            assert refused.value.argument == name


@EVERY
def test_a_range_ends_where_its_annotation_says(function: Function) -> None:
    """A function may refuse such a number beside others, in words of its own; never in those of the annotation."""
    for name, accepted in ranges(function).items():
        for value in inside(accepted):
            with contextlib.suppress(CalcError):
                assert function(**example(function) | {name: value}) is not None


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@EVERY
def test_the_smallest_and_the_largest_numbers_end_in_an_answer_or_a_sentence(function: Function) -> None:
    names = list(ranges(function))
    for value in (TINY, HUGE):
        for absurd in [{name: value} for name in names] + [dict.fromkeys(names, value)]:
            with contextlib.suppress(CalcError):
                answer = function(**example(function) | absurd)
                numbers = vars(answer).values() if is_dataclass(answer) else [answer]
                assert not any(np.isnan(part).any() for part in numbers if isinstance(part, float | np.ndarray)), absurd


@EVERY
def test_arrays_that_do_not_combine_are_refused_by_name(function: Function) -> None:
    given = example(function)
    numbers = [name for name in ranges(function) if isinstance(given.get(name), float | int)]
    if len(numbers) > 1:
        first, *others = numbers
        wrong = {first: np.full(2, given[first])} | {name: np.full(3, given[name]) for name in others}
        with pytest.raises(CalcError):
            function(**given | wrong)


def test_the_functions_of_every_chapter_are_found() -> None:
    assert len(functions()) > 200
    assert "calc.batching.step.read_seconds" in functions()
