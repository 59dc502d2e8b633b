"""Peaks and bursts of real traffic beside those that lecture 8 sizes for."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.serving.figures.cases import TRACES, case
from calc.serving.figures.setting import PROMISE
from calc.serving.modes import modes
from calc.serving.room import room_at_random

PEAKS = {"low": "the least of three models", "r1": "of DeepSeek-R1, one day"}
CHATS = ("talk", "kimi")


def racks_at(peak: float) -> float:
    """Racks that write the case's traffic at a peak, at the slow end of the forecast, with room for chance.

    >>> 1.4 < racks_at(1.23) < 1.5
    True
    """
    here, speed = case("rack"), float(PROMISE.default)
    late = modes(here, here.expected.fit.high_80 * speed).promised
    return float(room_at_random(peak * here.in_flight(speed)) / late.batch)


def busier() -> Answer:
    """The busiest hours of another service, and how often three services had more in flight than N + 3 sqrt(N)."""
    peaks = {name: catalog.datum(f"servegen-peak-{name}").value for name in PEAKS}
    over = {key: catalog.datum(f"trace-{name}-over").value for key, name in TRACES.items()}
    needed = {key: catalog.datum(f"trace-{TRACES[key]}-deviations").value for key in CHATS}
    steepest = racks_at(peaks["r1"])
    return Answer(
        finding="Peaks and bursts of real traffic",
        values={
            **{f"peak_{name}": Value(peaks[name], "x", f"Busiest hour, {said}") for name, said in PEAKS.items()},
            "racks_r1": Value(steepest, "racks", "Racks for the last"),
            **{
                f"{key}_over": Value(share, "%", "Time with more in flight than room", 2) for key, share in over.items()
            },
            **{f"{key}_needed": Value(each, "", "Deviations for a five-hundredth", 2) for key, each in needed.items()},
        },
    )


FIGURES = (Figure(name="serving/busier", compute=busier),)
