"""Changes from one measured run to another, beside what the bound and the forecast say of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.against import points
from calc.world.changes import Change, Ratios, changes

KINDS = ("measured", "forecast", "bound")
SHORT = ("chips", "few", "many", "prompts", "format", "generation")  # in the order of `changes`


def changed() -> Answer:
    """How many times as long a token takes after each change."""
    found = changes(points())
    chips, few, _, _, form, _ = found
    return Answer(
        finding=(
            f"Twice the chips left {show(_middle(chips.measured), '%', 2)} of a token's time where the forecast says "
            f"{show(_middle(chips.forecast), '%', 2)} and the bound {show(_middle(chips.bound), '%', 2)}"
        ),
        description=(
            "Dot plot, a row for each change between two measured runs: how many times as long a token takes after it "
            f"as before, as measured, as forecast and by the bound, each the median. {_rows(found)}"
        ),
        tables={
            "marks": {
                "name": [each.name for each in found for _ in KINDS],
                "kind": [kind for _ in found for kind in KINDS],
                "times": [_middle(getattr(each, kind)) for each in found for kind in KINDS],
            },
            "ranges": {
                "name": [each.name for each in found],
                "low": [float(np.quantile(each.measured, 0.1)) for each in found],
                "middle": [_middle(each.measured) for each in found],
                "high": [float(np.quantile(each.measured, 0.9)) for each in found],
                "forecast": [_middle(each.forecast) for each in found],
                "bound": [_middle(each.bound) for each in found],
                "off": [each.off(each.forecast) for each in found],
                "pairs": [len(each.pairs) for each in found],
                "deployments": [each.deployments for each in found],
            },
        },
        values={
            "chips": Value(_middle(chips.measured), "x", "Twice the chips, measured"),
            "few": Value(_middle(few.measured), "x", "Twice the readers, from 8 or fewer, measured"),
            "few_bound": Value(_middle(few.bound), "x", "by the bound"),
            "format": Value(_middle(form.measured), "x", "FP4 in place of FP8, measured"),
            "format_bound": Value(_middle(form.bound), "x", "by the bound"),
            **{
                f"{short}_off": Value(each.off(each.forecast) - 1, "%", f"{each.name}: the forecast misses by", 2)
                for short, each in zip(SHORT, found, strict=True)
            },
        },
    )


def _middle(ratios: Ratios) -> float:
    return float(np.median(ratios))


def _rows(found: tuple[Change, ...]) -> str:
    return " ".join(
        f"{each.name}: measured {show(_middle(each.measured), 'x')}, forecast {show(_middle(each.forecast), 'x')}, "
        f"bound {show(_middle(each.bound), 'x')}, over {plain(len(each.pairs), 9)} pairs."
        for each in found
    )


def changed_chart() -> Any:
    """A row for each change: four of five pairs as a bar, and three medians on it."""
    import altair as alt

    y = alt.Y("name:N", title=None, sort=None).axis(labelLimit=260)
    span = (
        alt.Chart(alt.NamedData("ranges"))
        .mark_rule(strokeWidth=9, color=look.FAINT, opacity=0.7)
        .encode(x=alt.X("low:Q"), x2="high:Q", y=y)
    )
    same = alt.Chart(alt.NamedData("ranges")).mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(x=alt.datum(1))
    marks = (
        alt.Chart(alt.NamedData("marks"))
        .mark_point(size=90, filled=True, opacity=0.95)
        .encode(
            x=alt.X("times:Q", title="Time of a token, after over before").scale(zero=False, nice=True),
            y=y,
            color=alt.Color("kind:N", title=None, legend=alt.Legend(columns=3)).scale(
                domain=list(KINDS), range=[look.ACCENT, look.SERIES[3], look.INK]
            ),
            shape=alt.Shape("kind:N", title=None, legend=alt.Legend(columns=3)).scale(**look.shapes(*KINDS)),
        )
    )
    return same + span + marks


FIGURES = (
    Figure(
        name="world/changes",
        compute=changed,
        chart=changed_chart,
        table="ranges",
        columns={
            "name": "Change",
            "middle": "Measured (×)",
            "low": "One of ten is below (×)",
            "high": "One of ten is above (×)",
            "forecast": "Forecast (×)",
            "bound": "Bound (×)",
            "off": "Forecast misses it by (×)",
            "pairs": "Pairs",
            "deployments": "Deployments",
        },
        foremost=3,
        assumptions=(
            "Two runs of a pair are alike in model, system, engine and its version, formats, layout, lengths and "
            "load, but for what the row names and follows from it; B200 and H200 may have run other versions.",
            "A run is in as many pairs as it has partners, so pairs are fewer in kind than in number.",
            "Each run is forecast by constants that its own deployment had no part in.",
        ),
        sources=(SERVING_SOURCE,),
    ),
)
