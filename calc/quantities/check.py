"""Argument checking by annotation: the signature says what is accepted, and `checked` holds callers to it.

A parameter annotated `Positive`, `NonNegative`, `Share`, `AtLeastOne`, `Count` or `Finite` takes a number or an array
of numbers. Lists become arrays, arrays must broadcast against each other, and whatever is refused is refused with a
`CalcError` that names the argument, the value and the accepted range.

Single numbers in give a float, arrays an array. Signatures say `Quantity` for both: a type variable would tell them
apart only where all arguments are alike, and a curve is asked for with an array beside floats, which type checkers join
to `object`. So mypy is told by a plugin, `tests/formula_types.py`. Records hold a `Quantity`, which needs no conversion
where it is named (`calc.figure.declared.Value`) or written (`calc.quantities.units.show`).
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ParamSpec, Protocol, SupportsFloat, TypeAlias, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from calc.quantities.errors import OutOfRange, ShapeMismatch, WrongType
from calc.quantities.units import plain

Array: TypeAlias = NDArray[np.floating[Any]]
Quantity: TypeAlias = float | Array


@dataclass(frozen=True)
class Range:
    """The numbers from `low` to `high`; an open end is not itself accepted."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    whole: bool = False

    def __str__(self) -> str:
        kind = "a whole number" if self.whole else "a finite number"
        low, high = (plain(end, 12) for end in (self.low, self.high))
        above = "above" if self.open_low else "from" if self.high < math.inf else "of at least"
        if self.low == -math.inf:
            return kind if self.high == math.inf else f"{kind} of at most {high}"
        if self.high == math.inf:
            return f"{kind} {above} {low}"
        return f"{kind} {above} {low} {'up ' if self.open_low else ''}to {high}"

    def holds(self, values: Array) -> NDArray[np.bool_]:
        """Which of the values lie in the range."""
        above = values > self.low if self.open_low else values >= self.low
        inside = above & (values <= self.high) & np.isfinite(values) & (not self.whole or values == np.floor(values))
        return np.asarray(inside)


Finite: TypeAlias = Annotated[Quantity, Range()]
Positive: TypeAlias = Annotated[Quantity, Range(0, open_low=True)]
NonNegative: TypeAlias = Annotated[Quantity, Range(0)]
AtLeastOne: TypeAlias = Annotated[Quantity, Range(1)]
Share: TypeAlias = Annotated[Quantity, Range(0, 1)]
PositiveShare: TypeAlias = Annotated[Quantity, Range(0, 1, open_low=True)]
Count: TypeAlias = Annotated[Quantity, Range(1, whole=True)]
Whole: TypeAlias = Annotated[Quantity, Range(0, whole=True)]

P = ParamSpec("P")
R = TypeVar("R")
Found = TypeVar("Found", covariant=True)


class Formula(Protocol[P, Found]):
    """A function that `checked` guards: single numbers in, a float out; mypy is told so by `tests/formula_types.py`."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Found: ...


def number(argument: str, value: object, accepted: Range) -> Quantity:
    """`value` as a float, or as an array of floats if it is one, provided that it lies in `accepted`.

    >>> number("batch", 8, Range(1))
    8.0
    >>> number("batch", 0, Range(1))
    Traceback (most recent call last):
    calc.quantities.errors.OutOfRange: batch must be a finite number of at least 1; it was 0.
    """
    if isinstance(value, float | int | np.number) and not isinstance(value, bool | np.bool_ | np.complexfloating):
        return _scalar(argument, value, accepted)
    return _array(argument, value, accepted)


def single(argument: str, value: Quantity) -> float:
    """`value` itself, for a simulation that takes one number and no array of them.

    >>> single("rounds", 8.0)
    8.0
    """
    if isinstance(value, np.ndarray):
        raise ShapeMismatch(argument, value, "a single number")
    return value


def _scalar(argument: str, value: SupportsFloat, accepted: Range) -> float:
    try:
        found = float(value)
    except OverflowError:
        raise OutOfRange(argument, value, str(accepted)) from None
    above = found > accepted.low if accepted.open_low else found >= accepted.low
    inside = above and found <= accepted.high and math.isfinite(found)
    if not inside or (accepted.whole and found != math.floor(found)):
        raise OutOfRange(argument, found if isinstance(value, np.generic) else value, str(accepted))
    return found


def _array(argument: str, value: object, accepted: Range) -> Quantity:
    try:
        array = np.asarray(value)
    except ValueError:
        raise ShapeMismatch(argument, value, "a number or a regular array of numbers") from None
    if array.dtype.kind not in "iuf":
        raise WrongType(argument, value, f"{accepted}, or an array of such numbers")
    if array.size == 0:
        raise ShapeMismatch(argument, value, "a number or an array with at least one element")
    array = array.astype(np.float64, copy=False)
    wrong = ~accepted.holds(array)
    if wrong.any():
        raise OutOfRange(argument, float(array[wrong].flat[0]), str(accepted))
    return float(array) if array.ndim == 0 else array


def checked(function: Callable[P, R]) -> Formula[P, R]:
    """Let `function` see only numbers that its annotations accept, and return floats where it was given floats."""
    known: _Parameters | None = None  # read at the first call: a page imports many formulas and calls a few

    @functools.wraps(function)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        nonlocal known
        known = known or _parameters(function)
        names, ranges, optional = known
        given: dict[str, Any] = {**dict(zip(names, args, strict=False)), **kwargs}
        if len(args) > len(names) or len(given) != len(args) + len(kwargs):
            return function(*args, **kwargs)  # Python's own words for a wrong call
        arrays = {}
        for name, accepted in ranges.items():
            if name not in given or (given[name] is None and name in optional):
                continue
            given[name] = number(name, given[name], accepted)
            if isinstance(given[name], np.ndarray):
                arrays[name] = given[name]
        _same_shape(arrays)
        return as_plain(function(**given))  # type: ignore[call-arg]

    return wrapper


_Parameters: TypeAlias = tuple[list[str], dict[str, Range], set[str]]


def _parameters(function: Callable[..., Any]) -> _Parameters:
    """Names of all, ranges of those that have one, and those of them that may be None."""
    hints = get_type_hints(function, include_extras=True)
    parameters = inspect.signature(function).parameters
    names = list(parameters)
    ranges = {name: accepted for name in names if (accepted := range_of(hints[name])) is not None}
    return names, ranges, {name for name in ranges if parameters[name].default is None}


def as_plain(result: R) -> R:
    """A float where NumPy hands back one number, as a scalar or an array without dimensions; all else as it is.

    >>> as_plain(np.minimum(1.0, 0.5)), as_plain(np.asarray(2.0))
    (0.5, 2.0)
    """
    zero_dimensional = isinstance(result, np.floating) or (isinstance(result, np.ndarray) and result.ndim == 0)
    return float(result) if zero_dimensional else result  # type: ignore[arg-type,return-value]


def range_of(hint: object) -> Range | None:
    """The range in an annotation, or None where it has none.

    >>> range_of(Share)
    Range(low=0, high=1, open_low=False, whole=False)
    """
    found = [part if isinstance(part, Range) else range_of(part) for part in get_args(hint)]
    return next((accepted for accepted in found if accepted is not None), None)


def _same_shape(arrays: dict[str, Array]) -> None:
    if len(arrays) < 2:
        return
    try:
        np.broadcast_shapes(*(array.shape for array in arrays.values()))
    except ValueError:
        first, *others = arrays
        shapes = ", ".join(f"{name} {arrays[name].shape}" for name in arrays)
        raise ShapeMismatch(first, shapes, f"an array that combines with {' and '.join(others)}") from None
