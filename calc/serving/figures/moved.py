"""Lecture 8's plan in racks, with each of its inputs divided and multiplied by the same factor."""

from __future__ import annotations

import numpy as np

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.check import Array
from calc.serving.figures.cases import PEAK, case
from calc.serving.figures.setting import PROMISE
from calc.serving.room import room_at_random
from calc.step.forecasting import FIT, forecast

FACTOR = 1.25
TOLD, REST = ("slow", "speed", "kernels", "peak", "bandwidth"), ("arithmetic", "links", "sequences", "context")


def planned(**by: float) -> float:
    """Racks that write at the peak with room for chance, with inputs multiplied by factors; rates are of hardware."""
    here = case("rack")
    setting, request, fit = here.writing.setting, here.request, here.expected.fit
    speed = float(PROMISE.default) * by.get("speed", 1.0)
    answer = request.output_tokens * by.get("answer", 1.0)
    tried: Array = setting.layout.chips * np.arange(1.0, 257.0)
    step = forecast(setting, tried, request.input_tokens * by.get("context", 1.0) + answer / 2, fit=fit)
    seconds = (
        step.moving_seconds / by.get("bandwidth", 1.0)
        + step.arithmetic_seconds / by.get("arithmetic", 1.0)
        + step.sending_seconds / by.get("links", 1.0)
        + step.kernel_seconds * by.get("kernels", 1.0)
        + step.sequence_seconds * by.get("sequences", 1.0)
    )
    slow = catalog.forecast_fit(FIT).high_80 * by.get("slow", 1.0)
    kept = tried[np.asarray(seconds) * slow <= 1 / speed]
    mean = catalog.datum(PEAK).value * by.get("peak", 1.0) * here.traffic * answer / speed
    return float(room_at_random(mean)) / float(kept.max())


def moved() -> Answer:
    """The plan with each input moved for the better and for the worse."""
    ends = {each: [planned(**{each: by}) for by in (1 / FACTOR, FACTOR)] for each in TOLD + REST}
    rest = [racks for each in REST for racks in ends[each]]
    asked = float(PROMISE.default)
    alone = max(each for each in range(1, int(asked) + 1) if planned(speed=each / asked) <= 1)
    return Answer(
        finding="Racks of the plan before rounding, with each input moved by a factor",
        values={
            "factor": Value(FACTOR, "x", "Factor"),
            **{f"{each}_better": Value(min(ends[each]), "", f"Racks, {each} better") for each in TOLD},
            **{f"{each}_worse": Value(max(ends[each]), "", f"Racks, {each} worse") for each in TOLD},
            "alone": Value(alone, "tokens/s", "Fastest promise in whole tokens that one rack keeps at the slow end"),
            "rest_least": Value(min(rest), "", "Racks with any other input moved, at least"),
            "rest_most": Value(max(rest), "racks", "Racks with any other input moved, at most"),
        },
    )


FIGURES = (Figure(name="serving/moved", compute=moved),)
