"""Lecture 8's parts of a pass, in dollars for a million tokens: why input costs less than output."""

from __future__ import annotations

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.serving.figures.cases import case
from calc.serving.sheet import FRESH


def spent() -> Answer:
    """The case's rack reading: each part's share of the rent, over the fresh tokens of a pass."""
    found = case("rack")
    rent = MILLION * found.dollars_per_chip_second * float(found.writing.setting.layout.chips)
    of, read = found.expected_reading, found.prompts * found.request.fresh
    parts = {
        "memory": of.moving_seconds,
        "arithmetic": of.arithmetic_seconds,
        "links": of.sending_seconds,
        "kernels": of.kernel_seconds,
    }
    dollars = {part: rent * _fresh(seconds) / read for part, seconds in parts.items()}
    return Answer(
        finding="Parts of a pass, for a million tokens",
        values={
            **{
                part: Value(paid, "$", f"{part.capitalize()}, of a million tokens read")
                for part, paid in dollars.items()
            },
            "hidden": Value(sum(dollars.values()) - dollars["links"], "$", "All but links", 2),
        },
    )


def _fresh(seconds: Quantity) -> float:
    """Seconds of a pass over fresh tokens alone, or of any pass."""
    return float(np.ravel(seconds)[FRESH if np.size(seconds) > 1 else 0])


FIGURES = (Figure(name="serving/spent", compute=spent),)
