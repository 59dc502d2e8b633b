"""Lecture 8's parts of a step and of a pass, in dollars for a million tokens: why input costs less than output."""

from __future__ import annotations

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.serving.figures.cases import case
from calc.serving.sheet import FRESH
from calc.step import Forecast


def spent() -> Answer:
    """The case's rack: each part's share of the rent, over the tokens of a step and over the fresh ones of a pass."""
    found = case("rack")
    rent = MILLION * found.dollars_per_chip_second * float(found.writing.setting.layout.chips)
    written, read = found.writing.requests[0].batch, found.prompts * found.request.fresh
    step = {**_parts(found.expected, 0), "sequences": float(found.expected.sequence_seconds)}
    costs = {
        "written": {part: rent * seconds / written for part, seconds in step.items()},
        "read": {part: rent * seconds / read for part, seconds in _parts(found.expected_reading, FRESH).items()},
    }
    return Answer(
        finding="Parts of a step and of a pass, for a million tokens",
        values={
            f"{part}_{kind}": Value(dollars, "$", f"{part.capitalize()}, of a million tokens {kind}")
            for kind, parts in costs.items()
            for part, dollars in parts.items()
        },
    )


def _parts(of: Forecast, at: int) -> dict[str, float]:
    """Seconds of the parts that a step and a pass share."""
    known = {
        "memory": of.moving_seconds,
        "arithmetic": of.arithmetic_seconds,
        "links": of.sending_seconds,
        "kernels": of.kernel_seconds,
    }
    return {part: float(np.ravel(seconds)[at if np.size(seconds) > 1 else 0]) for part, seconds in known.items()}


FIGURES = (Figure(name="serving/spent", compute=spent),)
