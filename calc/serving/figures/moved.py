"""Lecture 8's plan in racks, with each input moved by the same factor, and the slow end within its own range."""

from __future__ import annotations

import numpy as np

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.check import Array
from calc.serving.figures.cases import CASES, PEAK, PRECISION, case, enough, room_at_peak
from calc.serving.figures.runs import ROOM
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


def slow_end() -> Answer:
    """The slow end's range, and how many runs of the case's model and precision lie beyond it."""
    from calc.measured.runs import runs

    known, fit = runs(), catalog.forecast_fit(FIT)
    own = known.are("model", CASES["rack"][0]) & known.are("precision", PRECISION)
    racks = own & np.array(["-nvl72" in each for each in known.system])
    over, wide = known.over_forecast[own], known.over_forecast[racks & (known.chips == known.chips[racks].max())]
    speed, here = float(PROMISE.default), case("rack")
    one = enough(here, speed, room_at_peak(here, speed))
    ends = {"least": fit.high_80_least, "most": fit.high_80_most}
    return Answer(
        finding="How well the slow end is known",
        values={
            **{name: Value(end, "x", f"Slow end, {name} of 95 in 100 redraws") for name, end in ends.items()},
            **{
                f"racks_{name}": Value(
                    planned(slow=end / fit.high_80),
                    "racks" if name == "most" else "",
                    f"Racks of the plan then, {name}",
                )
                for name, end in ends.items()
            },
            "own": Value(over.size, "", "Runs of the case's model and precision", 4),
            "own_over": Value(np.count_nonzero(over > fit.high_80), "", "Of these, slower than the slow end", 4),
            "near": Value(np.count_nonzero(racks), "", "Of these, on racks", 4),
            "wide_over": Value(np.count_nonzero(wide > one), "", "Of those on most chips, too slow for one rack"),
        },
    )


FIGURES = (
    Figure(name="serving/moved", compute=moved),
    Figure(name="serving/slow-end", compute=slow_end, rests_on=ROOM),
)
