"""Where a figure's number has no end, its value says in words what that means."""

from __future__ import annotations

import contextlib
import math

import pytest

from calc.figure import registry
from calc.quantities.errors import CalcError
from tests.calc.figure.asking import ends

ENDLESS = {
    "batching/step-time": {"none"},
    "batching/attention": {"none"},
    "batching/context": {"none"},
    "moe/batches": {"no batch"},
    "moe/exchange": {"any size", "no batch", "one sequence has no halves"},
    "moe/sums": {"no number"},
    "moe/gain": {"endless: more experts do no good"},
    "memory_wall/reuse": {"there is none"},
    "memory_wall/road": {"not even one fits"},
    "memory_wall/length": {"not even one fits"},
    "pipelining/latency": {"none"},
    "overtraining/optimum": {"too little for any size", "none"},
    "pricing/bill": {"more than any sum"},
    "pricing/family": {"never"},
    "serving/frontier": {"nothing fits", "nothing is measured"},
    "serving/lists": {"none has room"},
    "serving/own": {"not known"},
    "serving/sheet": {
        "no public price in the catalogue",
        "not on this layout",
        "none of this layout",
        "none is found",
    },
}


def asked(figure):
    """The defaults, each input at its ends with the others at their defaults, and every two of them at their ends."""
    sides = {given.name: list(dict.fromkeys([given.default, *ends(given)])) for given in figure.inputs}
    yield {}
    for one, taken in sides.items():
        for end in taken[1:]:  # at the defaults, which are the first, the figure is asked already
            yield {one: end}
            for other in figure.inputs:
                if other.name > one:
                    last = dict.fromkeys((ends(other)[0], ends(other)[-1]))
                    yield from ({one: end, other.name: side} for side in last if side != other.default)


@pytest.mark.parametrize("figure", registry.every(), ids=lambda figure: figure.name)
def test_a_number_without_end_is_put_into_words(figure):
    answers = []
    for inputs in asked(figure):
        with contextlib.suppress(CalcError):
            answers.append(figure.answer(**inputs))
    texts = {v.text for answer in answers for v in answer.values.values() if float(v.number) == math.inf}
    assert texts == ENDLESS.get(figure.name, set())
