"""Measured steps over the bound on them: every run a point, the reader's setting among them as it is forecast."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Steady, Value
from calc.figure.guides import here_layer
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.measured.figures.setting import (
    ASSUMPTIONS,
    GROUPED,
    NONE,
    RUN,
    SOURCE,
    chosen,
    laid_out,
    middle,
    picked,
    ring,
    rounded,
    spread,
)
from calc.measured.groups import BY
from calc.measured.nearest import distances, told, where
from calc.measured.runs import runs
from calc.quantities.units import plain, show
from calc.setting import Setting
from calc.step import decode
from calc.step.forecasting import forecast

MIDDLE = 60  # sequences in flight, where labels change sides
ENDS = (0.9, 2e4)  # of that axis: it stays, so that an edit moves the reader's mark and none of the others


def against(model: str, system: str, precision: str, context: float, batch: float, by: str, run: float) -> Answer:
    """Every run over its bound, coloured by what the reader asks, and the reader's own setting."""
    found, setting = runs(), Setting.published(model, system, precision)
    ratio = found.over_bound
    step, expected = decode(setting, batch, context), forecast(setting, batch, context)
    bound = float(step.bound_seconds)
    here, chips = float(expected.seconds) / bound, float(setting.layout.chips)
    low, high = (float(edge) / bound for edge in expected.band_above(bound))
    apart = distances(
        found, model=model, system=system, precision=precision, chips=chips, context=context, mode="disagg"
    ) + np.abs(np.log2(found.in_flight / batch))
    near = chosen(run, int(np.argmin(apart)))
    rows = spread(by, "over_bound")[1]
    known = bool(np.any(np.isfinite(apart)))
    ringed = known or bool(run)
    return Answer(
        finding=(
            f"None of {len(ratio):,} measured steps was faster than its bound, and half took more than "
            f"{plain(middle(ratio), 3)} times as long; yours is expected at {plain(here, 3)} times"
        ),
        description=(
            f"Scatter plot, both axes logarithmic: measured time over the bound against the sequences in flight, by "
            f"{BY[by]}. All {len(ratio):,} points lie above 1. The medians go from {plain(rows[0].middle, 3)} "
            f"({rows[0].name}) to {plain(rows[-1].middle, 3)} ({rows[-1].name})."
        ),
        tables={
            "runs": _points(by),
            "bound": {"ratio": [1.0]},
            "picked": picked(found.in_flight[near], ratio[near], where(found, near), MIDDLE) if ringed else NONE,
            "here": {"in_flight": [batch], "ratio": [here], "label": [_mine(batch, here)]},
            "span": {"in_flight": [batch], "low": [low], "high": [high]},
            "groups": {
                "group": [row.name for row in rows],
                **{name: [getattr(row, name) for row in rows] for name in ("count", "low", "middle", "high")},
            },
        },
        values={
            "bound": Value(bound, "s", "Your step, at least"),
            "expected": Value(expected.seconds, "s", "Your step, to be expected"),
            "here": Value(here, "x", "To be expected over the bound"),
            "median": Value(middle(ratio), "x", "Measured over bound, median"),
            **({"picked": Value(ratio[near], "x", "The run that is ringed")} if ringed else {}),
        },
        notes=[
            *([told(found, near)] if ringed else []),
            *([] if known else [f"No run of {catalog.model(model).name} is on record."]),
            *laid_out(step, float(setting.machine.domain_chips)),
        ],
    )


def _mine(batch: float, here: float) -> str:
    beyond = f", at {plain(batch, 3)}" if batch > ENDS[1] else ""
    return f"yours {show(here, 'x')}{beyond}"


@cache
def _points(by: str) -> Steady:
    found = runs()
    columns = {
        "in_flight": rounded(found.in_flight),
        "ratio": rounded(found.over_bound),
        "group": np.array(spread(by, "over_bound")[0]),
        "run": np.arange(1, len(found.id) + 1),
    }
    return Steady(by, columns)


def against_chart() -> Any:
    """One dot a run, the bound as a line that none of them crosses, and the reader's setting with its band."""
    import altair as alt

    x = alt.X("in_flight:Q", title="Sequences in flight").scale(type="log", domain=ENDS, nice=False, clamp=True)
    x = x.axis(values=[1, 10, 100, 1e3, 1e4], format="~s")
    y = (
        alt.Y("ratio:Q", title="Measured time over the bound")
        .scale(type="log", domain=[0.8, 60], nice=False, clamp=True)
        .axis(values=[1, 2, 5, 10, 20, 50], format="~g", tickCount=6)
    )
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=20, fillOpacity=0.5, opacity=1, filled=True)
        .encode(
            x=x,
            y=y,
            color=alt.Color("group:N", title=None, sort=None, legend=alt.Legend(columns=4)).scale(range=look.RUNS),
            shape=alt.Shape("group:N", title=None, sort=None).scale(range=look.RUN_SHAPES),
        )
    )
    line = alt.Chart(alt.NamedData("bound")).mark_rule(color=look.INK, strokeWidth=1.5).encode(y=y)
    span = (
        alt.Chart(alt.NamedData("span"))
        .mark_rule(color=look.ACCENT, strokeWidth=3)
        .encode(x=x, y=alt.Y("low:Q"), y2="high:Q")
    )
    return line + dots + span + here_layer(alt, "in_flight", "ratio", "label") + ring(alt, "x:Q", "y:Q")


FIGURES = (
    Figure(
        name="measured/bound",
        inputs=(MODEL, SYSTEM, PRECISION, BATCH, CONTEXT, GROUPED, RUN),
        compute=against,
        chart=against_chart,
        pointed="run",
        table="groups",
        columns={
            "group": "Runs of",
            "count": "Points",
            "low": "Over the bound, 10 %",
            "middle": "median",
            "high": "90 %",
        },
        assumptions=(
            *ASSUMPTIONS,
            "Your setting is laid out over the domain as the lectures do: its bound, and what the forecast expects, "
            "with its band of 80 %. Prompts are read elsewhere.",
        ),
        sources=(SOURCE,),
    ),
)
