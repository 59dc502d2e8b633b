"""A step against the batch for the reader's setting: bound, forecast, band, and the nearest runs that were measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS, here_layer, reaching
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.measured.figures.setting import ASSUMPTIONS, NONE, RUN, SOURCE, chosen, laid_out, picked, ring
from calc.measured.nearest import chip_name, distances, nearest, told, where
from calc.measured.runs import runs
from calc.quantities.units import plain, show
from calc.setting import Setting
from calc.step import decode, why_not
from calc.step.forecasting import forecast

BATCHES = np.geomspace(1, 4096, 49)
SHOWN = 40  # runs
TICKS = [ones * 10.0**power for power in range(-6, 3) for ones in (1, 2, 5)]
WRITTEN = 2 / 3  # of the context, where prompts are as long as answers: L = n + n / 2
CHIPS = Number(
    name="chips",
    label="Chips",
    default=8,
    low=1,
    high=9216,
    log=True,
    whole=True,
    help="Chips of one replica: a dense model's matrices are split over them, experts are spread over them.",
)
PROMPTS = Choice(
    name="prompts",
    label="Prompts",
    default="elsewhere",
    options={"elsewhere": "read by other chips", "here": "read meanwhile, as long as answers"},
    help="Whether the same chips read the prompts of other requests.",
)


def over_batch(
    model: str, system: str, precision: str, context: float, batch: float, chips: float, prompts: str, run: float
) -> Answer:
    """The curve for the reader's setting, and the runs that are nearest to it, at any batch."""
    setting = Setting.published(model, system, precision, chips=int(chips))
    batches = reaching(BATCHES, batch)
    prompt, output = (WRITTEN * context, WRITTEN * context) if prompts == "here" else (0.0, None)
    step = decode(setting, batches, context)
    expected = forecast(setting, batches, context, prompt=prompt, output=output)
    lows, highs = expected.band_above(step.bound_seconds)
    here = decode(setting, batch, context)
    mine = forecast(setting, batch, context, prompt=prompt, output=output)
    low, high = (float(edge) for edge in mine.band_above(here.bound_seconds))
    found = runs()
    mode = "agg" if prompts == "here" else "disagg"
    apart = distances(found, model=model, system=system, precision=precision, chips=chips, context=context, mode=mode)
    near = nearest(apart, SHOWN)
    at = chosen(run, int(near[np.argmin(np.abs(np.log(found.in_flight[near] / batch)))]) if near.size else 0)
    missed = found.measured[near] / found.forecast[near]
    inside = (mine.fit.low_80 <= missed) & (missed <= mine.fit.high_80)
    name, on = catalog.model(model).name, f"{plain(setting.layout.chips, 4)} × {chip_name(system)}"
    recorded = "among the nearest" if np.any(found.are("model", model) & found.are("system", system)) else "on record"
    crowded = "this does not fit; if it did, " if why_not(here) else ""
    notes = [told(found, at)] if near.size or run else []
    if not near.size:
        notes.append(f"No run of {name} is on record: the curve stands alone.")
    elif system not in {found.system[place] for place in near}:
        notes.append(f"No run of {name} on {chip_name(system)} is {recorded}: those drawn are on other chips.")
    return Answer(
        finding=(
            f"{name} on {on}, {show(batch, 'sequences', 4)}: {crowded}at least "
            f"{show(here.bound_seconds, 's')} a step, {show(low, 's')} to {show(high, 's')} to be expected"
        ),
        description=(
            f"Line chart over the sequences in flight, both axes logarithmic: the bound, and above it the forecast "
            f"with its band, for {name} on {on}."
            + (
                f" Dots are the {near.size} nearest measured runs, of which {inside.sum()} lie in the band around "
                "the forecast for their own lengths and layout."
            )
            * bool(near.size)
        ),
        tables={
            "lines": {
                "batch": batches,
                "bound": np.broadcast_to(step.bound_seconds, batches.shape),
                "forecast": np.broadcast_to(expected.seconds, batches.shape),
                "low": np.broadcast_to(lows, batches.shape),
                "high": np.broadcast_to(highs, batches.shape),
            },
            "names": {
                "batch": [batches[-1]] * 2,
                "seconds": [np.ravel(of)[-1] for of in (step.bound_seconds, expected.seconds)],
                "label": ["bound", "forecast"],
            },
            "runs": {
                "batch": [found.in_flight[place] for place in near],
                "seconds": [found.measured[place] for place in near],
                "run": [int(place) + 1 for place in near],
                "ran": [where(found, int(place)) for place in near],
                "tokens": [found.context[place] for place in near],
                "bound": [found.bound[place] for place in near],
                "forecast": [found.forecast[place] for place in near],
                "date": [found.date[place] for place in near],
                "id": [found.id[place] for place in near],
            },
            "picked": picked(found.in_flight[at], found.measured[at], where(found, at), 60.0)
            if near.size or run
            else NONE,
            "here": {
                "batch": [batch],
                "seconds": [mine.seconds],
                "label": [show(mine.seconds, "s")],
            },
        },
        values={
            "bound": Value(here.bound_seconds, "s", "At least"),
            "expected": Value(mine.seconds, "s", "To be expected"),
            "low": Value(low, "s", "Four of five, from"),
            "high": Value(high, "s", "to"),
            "runs": Value(len(inside), "", "Nearest runs", 4),
            "inside": Value(int(inside.sum()), "", "Of these, in the band of their own forecast", 4),
        },
        notes=[*notes, *laid_out(here, chips)],
    )


def over_batch_chart() -> Any:
    """The bound as a line, the forecast with its band, dots for what was measured, and the reader's batch."""
    import altair as alt

    lines = alt.NamedData("lines")
    x = alt.X("batch:Q", title="Sequences in flight").scale(type="log", nice=False).axis(format="~s")
    y = alt.Y("seconds:Q", title="Time of a step").scale(type="log").axis(**SECONDS | {"values": TICKS})
    colour = alt.Color("label:N", legend=None).scale(domain=["forecast", "bound"], range=[look.ACCENT, look.INK])
    band = (
        alt.Chart(lines)
        .mark_area(color=look.ACCENT, fillOpacity=0.22, opacity=1, line=False)
        .encode(x=x, y="low:Q", y2="high:Q")
    )
    expected = alt.Chart(lines).mark_line(color=look.ACCENT).encode(x=x, y="forecast:Q")
    bound = alt.Chart(lines).mark_line(color=look.INK).encode(x=x, y="bound:Q")
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=44, filled=True, opacity=0.75, color=look.MUTED)
        .encode(x=x, y=y)
    )
    names = (
        alt.Chart(alt.NamedData("names"))
        .mark_text(align="left", dx=7, fontSize=12)
        .encode(x=x, y=y, text="label:N", color=colour)
    )
    return (
        band + expected + bound + dots + names + here_layer(alt, "batch", "seconds", "label") + ring(alt, "x:Q", "y:Q")
    )


FIGURES = (
    Figure(
        name="measured/batch",
        inputs=(MODEL, SYSTEM, PRECISION, BATCH, CONTEXT, CHIPS, PROMPTS, RUN),
        compute=over_batch,
        chart=over_batch_chart,
        pointed="run",
        table="runs",
        columns={
            "run": "Run",
            "ran": "Where",
            "batch": "In flight",
            "tokens": "Tokens each",
            "seconds": "Measured (s)",
            "bound": "Its bound (s)",
            "forecast": "Its forecast (s)",
            "date": "Date",
        },
        assumptions=(
            "Nearest by doublings of chips and of a sequence's tokens; another format counts as one, prompts read "
            "otherwise as one, another system as two; at any batch.",
            "The band is that of the fit: it held four in five of the runs that were left out.",
            *ASSUMPTIONS,
        ),
        sources=(SOURCE,),
    ),
)
