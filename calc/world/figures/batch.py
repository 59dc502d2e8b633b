"""A step against the batch for one deployment: bound, forecast, band, and the runs that were measured."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show
from calc.world.against import curve, points
from calc.world.settings import setting_of

MODEL, SYSTEM, CHIPS, TOKENS = "deepseek-v3", "hgx-b200", 8, (1024, 1024)
BATCHES = np.geomspace(1, 256, 65, dtype=np.float64)


def over_batch() -> Answer:
    """One deployment that many have measured, with lengths that many have used."""
    runs = [point for point in points() if _asked(point.row)]
    first = runs[0].row
    drawn = curve(
        setting_of(first),
        BATCHES,
        first.mean_input + first.mean_output / 2,
        prompt=first.mean_input,
        output=first.mean_output,
    )
    inside = [drawn_low <= run.row.token_seconds <= drawn_high for run, drawn_low, drawn_high in _ends(runs, drawn)]
    name, system = catalog.model(MODEL).name, catalog.system(SYSTEM).chip.name
    low, high = (float(np.interp(64, BATCHES, ends)) for ends in (drawn.low, drawn.high))
    return Answer(
        finding=(
            f"{name} on {CHIPS} chips, 64 sequences in flight: at least {show(_at(drawn.bound), 's')} a step by the "
            f"bound, {show(low, 's')} to {show(high, 's')} to be expected"
        ),
        description=(
            f"Line chart over 1 to 256 sequences in flight, both axes logarithmic: the bound, above it the forecast "
            f"with its band for {name} on {CHIPS} x {system}. {plain(sum(inside))} of {plain(len(runs))} measured runs "
            "lie in the band."
        ),
        tables={
            "lines": {
                "batch": BATCHES,
                **{key: getattr(drawn, key) * 1e3 for key in ("bound", "serial", "forecast", "low", "high")},
            },
            "runs": {
                "batch": [run.row.in_flight for run in runs],
                "measured": [run.row.token_seconds * 1e3 for run in runs],
                "engine": [f"{run.row.engine} {run.row.engine_version}".strip() for run in runs],
                "date": [str(run.row.date or "unknown") for run in runs],
                "id": [run.row.id for run in runs],
            },
        },
        values={
            "bound": Value(_at(drawn.bound), "s", "Bound at 64"),
            "forecast": Value(_at(drawn.forecast), "s", "Forecast at 64"),
            "inside": Value(sum(inside), "", "Measured runs in the band", 4),
            "runs": Value(len(runs), "", "Measured runs", 4),
        },
    )


def _asked(row: Any) -> bool:
    place = (row.model, row.system, row.chips, row.precision) == (MODEL, SYSTEM, CHIPS, "fp8")
    return place and (row.input_tokens, row.output_tokens) == TOKENS and row.tensor == CHIPS


def _at(seconds: Quantity) -> float:
    return float(np.interp(64, BATCHES, seconds))


def _ends(runs: Any, drawn: Any) -> Any:
    loads = [run.row.in_flight for run in runs]
    return zip(runs, np.interp(loads, BATCHES, drawn.low), np.interp(loads, BATCHES, drawn.high), strict=True)


def over_batch_chart() -> Any:
    """The bound as a line, the forecast with its band, and dots for what was measured."""
    import altair as alt

    lines, runs = alt.NamedData("lines"), alt.NamedData("runs")
    x = alt.X("batch:Q", title="Sequences in flight").scale(type="log", domain=[1, 256])
    title = "Time of a step, ms"
    band = (
        alt.Chart(lines)
        .mark_area(color=look.ACCENT, fillOpacity=0.22, opacity=1, line=False)
        .encode(
            x=x,
            y=alt.Y("low:Q", title=title).scale(type="log", domain=[0.5, 60], nice=False).axis(format="~g"),
            y2="high:Q",
        )
    )
    expected = alt.Chart(lines).mark_line(color=look.ACCENT).encode(x=x, y=alt.Y("forecast:Q").scale(type="log"))
    bound = alt.Chart(lines).mark_line(color=look.INK).encode(x=x, y=alt.Y("bound:Q").scale(type="log"))
    dots = (
        alt.Chart(runs)
        .mark_point(size=44, filled=True, opacity=0.8, color=look.SERIES[0])
        .encode(x=x, y=alt.Y("measured:Q").scale(type="log"))
    )
    names = [
        alt.Chart(lines)
        .transform_filter("datum.batch == 256")
        .mark_text(align="right", dy=dy, color=colour, fontSize=12)
        .encode(x=x, y=alt.Y(f"{key}:Q").scale(type="log"), text=alt.value(text))
        for key, text, colour, dy in (("bound", "bound", look.INK, 16), ("forecast", "forecast", look.ACCENT, -10))
    ]
    return alt.layer(band, expected, bound, dots, *names)


FIGURES = (
    Figure(
        name="world/batch",
        compute=over_batch,
        chart=over_batch_chart,
        table="runs",
        columns={
            "id": "Run",
            "engine": "Engine",
            "date": "Date",
            "batch": "In flight",
            "measured": "Measured, ms",
        },
        assumptions=(
            "FP8, tensor parallel over all chips, prompts and answers of 0.8 to 1 of 1,024 tokens; other requests' "
            "prompts are read meanwhile.",
        ),
        sources=(SERVING_SOURCE,),
    ),
)
