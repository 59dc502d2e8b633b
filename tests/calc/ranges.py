"""What each kind of argument refuses and accepts at its edges, to hold a function's signature to."""

import math

import pytest

from calc.quantities.errors import CalcError

NEVER = (math.nan, math.inf, -math.inf, -1, "many", [], None)
EDGES = {  # refused, accepted
    "count": ((0, 1.5), (1, 2)),
    "whole": ((0.5,), (0, 1)),
    "positive": ((0,), (1e-3,)),
    "not negative": ((-1e-9,), (0, 1e-3)),
    "at least one": ((0.999,), (1, 1.5)),
    "share": ((1.001, -1e-9), (0, 0.3)),
    "positive share": ((0, 1.001), (0.3,)),
}


def hold(call, good, kinds):
    """Fail unless `call` refuses each argument in `kinds` outside its range, by name, and accepts it at the edges.

    `good` has a value for every argument without a default; `kinds` maps a kind to names, separated by spaces.
    """
    for kind, names in kinds.items():
        refused, accepted = EDGES[kind]
        for name in names.split():
            for value in accepted:
                assert call(**(good | {name: value})) is not None
            for value in (*NEVER, *refused):
                with pytest.raises(CalcError, match=f"^{name} must be "):
                    call(**(good | {name: value}))


def arguments(text):
    """Keyword arguments from text such as "chips=8 bandwidth=1"."""
    return {name: float(value) for name, value in (pair.split("=") for pair in text.split())}
