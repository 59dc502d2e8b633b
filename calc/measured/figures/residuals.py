"""Measured over forecast, in rows by what the runs have in common: where a forecast errs, and which way."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Steady, Value
from calc.figure.guides import HALO
from calc.figure.inputs import Choice
from calc.measured.figures.setting import (
    ASSUMPTIONS,
    RUN,
    SOURCE,
    chosen,
    middle,
    percent,
    picked,
    ring,
    rounded,
    spread,
)
from calc.measured.groups import BY
from calc.measured.nearest import told, where
from calc.measured.runs import runs
from calc.quantities.units import plain
from calc.step.forecasting import FIT

GROUPED = Choice(
    name="by", label="In rows by", default="model", options=BY, help="What the runs of a row have in common."
)
FARTHEST = replace(RUN, help=RUN.help.replace("the nearest", "the farthest off"))
THICK = 0.36  # of a row: half of what its points fill
LEAST, MOST = 0.45, 7  # of the axis: names stand where no point does


def off(by: str, run: float) -> Answer:
    """Every run over its forecast, a row for each group."""
    found, fit = runs(), catalog.forecast_fit(FIT)
    ratio = found.over_forecast
    names, rows = spread(by, "over_forecast")
    place = {row.name: at for at, row in enumerate(rows)}
    error, of = np.abs(1 / ratio - 1), np.array(names)
    inside = float(np.mean((ratio >= fit.low_80) & (ratio <= fit.high_80)))
    worst = int(np.argmax(np.abs(np.log(ratio))))
    near = chosen(run, worst)
    return Answer(
        finding=(
            f"{percent(inside)} of the measured steps took {plain(fit.low_80, 2)} to {plain(fit.high_80, 3)} times a "
            f"forecast that had not seen their deployment; by {BY[by]} the middle goes from "
            f"{plain(rows[0].middle, 3)} ({rows[0].name}) to {plain(rows[-1].middle, 3)} ({rows[-1].name})"
        ),
        description=(
            f"Strip plot: measured over forecast on a logarithmic axis, in rows by {BY[by]}, with the median and "
            f"the range of four in five. Medians go from {plain(rows[0].middle, 3)} ({rows[0].name}) to "
            f"{plain(rows[-1].middle, 3)} ({rows[-1].name})."
        ),
        tables={
            "runs": _points(by),
            "band": {"low": [fit.low_80], "high": [fit.high_80]},
            "even": {"ratio": [1.0]},
            "groups": {
                "group": [row.name for row in rows],
                "place": [_high(at, len(rows)) for at in range(len(rows))],
                **{name: [getattr(row, name) for row in rows] for name in ("count", "low", "middle", "high")},
                "said": [f"{row.name}, {plain(row.middle, 3)}" for row in rows],
                "error": [100 * middle(error[of == row.name]) for row in rows],
            },
            "picked": picked(ratio[near], _high(place[names[near]] + _spread(near), len(rows)), where(found, near), 1.0)
            | {"between": [_high(place[names[near]] + np.copysign(0.5, _spread(near)), len(rows))]},
        },
        values={
            "median": Value(middle(error), "%", "Error, median"),
            "mean": Value(np.mean(error), "%", "Error, mean"),
            "inside": Value(inside, "%", "In the band of 80 %"),
            "picked": Value(ratio[near], "x", "The run that is ringed"),
        },
        notes=[told(found, near)],
    )


def _high(row: float, rows: int) -> float:
    """How far down a row is, of 1: the axis stays, whatever is ringed."""
    return (row + 0.5) / rows


def _spread(at: int) -> float:
    """Where in its row a run stands: anywhere, evenly, the same at every visit."""
    return 2 * THICK * ((at * 0.618033988749895) % 1 - 0.5)


@cache
def _points(by: str) -> Steady:
    found = runs()
    names, rows = spread(by, "over_forecast")
    place = {row.name: at for at, row in enumerate(rows)}
    columns = {
        "ratio": rounded(found.over_forecast),
        "row": rounded(_high(place[name] + _spread(at), len(rows)) for at, name in enumerate(names)),
        "run": np.arange(1, len(names) + 1),
    }
    return Steady(by, columns)


def off_chart() -> Any:
    """A row of dots for each group, its median and its range, over the band of the forecast."""
    import altair as alt

    x = (
        alt.X("ratio:Q", title="Measured over forecast")
        .scale(type="log", domain=[LEAST, MOST], nice=False, clamp=True)
        .axis(values=[0.5, 0.7, 1, 1.4, 2, 3, 4], format="~g")
    )
    y = alt.Y("row:Q", title=None).scale(domain=[0, 1], nice=False, reverse=True).axis(None)
    rows = alt.Chart(alt.NamedData("groups"))
    band = alt.Chart(alt.NamedData("band")).mark_rect(color=look.ACCENT, opacity=0.12).encode(x="low:Q", x2="high:Q")
    even = alt.Chart(alt.NamedData("even")).mark_rule(color=look.INK, strokeDash=[2, 3]).encode(x=x)
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=12, fillOpacity=0.35, opacity=1, filled=True, color=look.MUTED)
        .encode(x=x, y=y)
    )
    span = rows.mark_rule(color=look.INK, strokeWidth=1.5).encode(x="low:Q", x2="high:Q", y="place:Q")
    tick = rows.mark_tick(color=look.INK, thickness=3, size=18, orient="vertical").encode(x="middle:Q", y="place:Q")
    text: dict[str, Any] = {"align": "right", "baseline": "middle", "fontSize": 12, "x": alt.expr("width")}
    named = rows.encode(y="place:Q", text="said:N")
    names = named.mark_text(**text, **HALO) + named.mark_text(**text, color=look.INK)
    return band + even + dots + span + tick + names + ring(alt, "x:Q", "y:Q", "between:Q")


FIGURES = (
    Figure(
        name="measured/residuals",
        inputs=(GROUPED, FARTHEST),
        compute=off,
        chart=off_chart,
        pointed="run",
        table="groups",
        columns={
            "group": "Runs of",
            "count": "Points",
            "low": "Measured over forecast, 10 %",
            "middle": "median",
            "high": "90 %",
            "error": "Error, median, %",
        },
        assumptions=(
            "Each run's configuration is left out of the fit that forecasts it, a tenth of them at a time.",
            *ASSUMPTIONS,
        ),
        sources=(SOURCE,),
    ),
)
