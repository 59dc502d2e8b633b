"""The forecast beside runs that are no part of what it was fitted to: models in their first days."""

from __future__ import annotations

import math
from statistics import median
from typing import Any

from calc import catalog
from calc.catalog.measurement import FIRST_DAYS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.first_days import FirstDays, age, as_young

TICKS = [1, 2, 4, 8]
SHORT = {"minimax-m2.5": "minimax", "qwen3.5-397b-a17b": "qwen"}


def first() -> Answer:
    """How many times as long as forecast a token took, model by model."""
    found = FirstDays()
    names = {model: catalog.model(model).name for model in SHORT}
    middle = {model: found.middle(found.models == model) for model in SHORT}
    others = as_young()
    told = " and ".join(f"{show(middle[model], 'x')} for {names[model]}" for model in SHORT)
    return Answer(
        finding=(
            f"In an experiment within {plain(found.oldest)} days of two models' releases a token took longer than "
            f"forecast: {told}"
        ),
        description=(
            f"Dot plot, both axes logarithmic: time of a token over its forecast, in {len(found.rows)} runs of "
            f"{' and '.join(names.values())} on eight H200, against the tokens of prompts read beside a step. By the "
            f"median {told}; {found.inside} lie in the band of the forecast, from {show(found.fit.low_80, 'x')} to "
            f"{show(found.fit.high_80, 'x')}, and all others above it."
        ),
        tables={
            "runs": {
                "model": [names[model] for model in found.models.tolist()],
                "prompts": found.prompts,
                "times": found.over_forecast,
                "bound": found.over_bound,
            },
            "band": {
                "low": [found.fit.low_80],
                "middle": [math.sqrt(found.fit.low_80 * found.fit.high_80)],
                "high": [found.fit.high_80],
                "prompts": [found.prompts.max()],
                "label": ["four of five published runs"],
            },
        },
        values={
            "count": Value(len(found.rows), "", "Runs without drafts", 4),
            "days": Value(found.oldest, "days", "After a model's release, at most", 2),
            **{
                name: Value(middle[model], "x", f"{names[model]}: measured over forecast")
                for model, name in SHORT.items()
            },
            "fewest": Value(found.middle(found.fewest), "x", "Measured over forecast, with the fewest prompts"),
            "most": Value(found.over_forecast.max(), "x", "Measured over forecast, the most"),
            "inside": Value(found.inside, "", "of them in the band of 80 %", 3),
            "others": Value(len(others), "", "Runs as young in the record: Qwen3.5 in SGLang on B200", 3),
            "others_days": Value(max(age(each.row) for each in others), "days", "After the release", 2),
            "others_middle": Value(median(each.over_forecast for each in others), "x", "Those over their forecast"),
            "least_bound": Value(found.over_bound.min(), "x", "Measured over the bound, the least"),
        },
    )


def first_chart() -> Any:
    """A dot for each run, and the band of the forecast behind them."""
    import altair as alt

    x = alt.X("prompts:Q", title="Tokens of prompts read beside a step").scale(type="log", nice=False).axis(format="~s")
    y = alt.Y("times:Q", title="Measured over forecast").scale(type="log", nice=False).axis(values=TICKS)
    band = alt.Chart(alt.NamedData("band"))
    lane = band.mark_rect(color=look.FAINT, opacity=0.45).encode(y=alt.Y("low:Q"), y2="high:Q")
    said = band.mark_text(align="right", color=look.MUTED).encode(x=x, y=alt.Y("middle:Q"), text="label:N")
    names = [catalog.model(model).name for model in SHORT]
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(filled=True, size=55, opacity=0.75)
        .encode(
            x=x,
            y=y,
            color=alt.Color("model:N", title=None).scale(domain=names, range=[look.FREE[0], look.FREE[1]]),
            shape=alt.Shape("model:N", title=None).scale(**look.shapes(*names)),
        )
    )
    return lane + dots + said


FIGURES = (
    Figure(
        name="world/first-days",
        compute=first,
        chart=first_chart,
        table="runs",
        columns={
            "model": "Model",
            "prompts": "Tokens of prompts beside a step",
            "times": "Measured over forecast (×)",
            "bound": "Measured over bound (×)",
        },
        assumptions=(
            "Times are medians over the requests of a run; what was in flight follows from them by Little's law.",
            "Experts are counted as cut over eight chips where attention is cut, also if a server spread them whole.",
        ),
        sources=(FIRST_DAYS_SOURCE,),
    ),
)
