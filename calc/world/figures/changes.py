"""Changes from one measured run to another, beside what the bound and the forecast say of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.against import points
from calc.world.changes import Change, Ratios, changes

KINDS = ("measured", "forecast", "bound")
SHORT = ("chips", "few", "many", "prompts")  # the first of `changes`, in which models agree
LEAST = 5  # pairs of a model that make a row


def changed() -> Answer:
    """How many times as long a token takes after each change; where models disagree, model by model."""
    found = changes(points())
    chips, few, _, _, form, generation = found
    drawn = [(each.name, each) for each in found[: len(SHORT)]]
    drawn += [
        (f"{each.name.rpartition(' ')[2]}, {model}", one) for each in (form, generation) for model, one in _models(each)
    ]
    rows = [(each, model, one) for each in found for model, one in [("all", each), *_models(each)]]
    low, high = (edge(_middle(one.measured) for _, one in _models(generation)) for edge in (min, max))
    return Answer(
        finding=(
            f"Twice the chips left {show(_middle(chips.measured), '%', 2)} of a token's time, where the forecast says "
            f"{show(_middle(chips.forecast), '%', 2)}; B200 in place of H200 left {show(low, '%', 2)} to "
            f"{show(high, '%', 2)}, by model"
        ),
        description=(
            "Dot plot, a row for each change between two measured runs, and for a change of format or chip one for "
            "each model: how many times as long a token takes after it as before, as measured, as forecast and by the "
            f"bound, each the median. {_words(drawn)}"
        ),
        tables={
            "marks": {
                "name": [name for name, _ in drawn for _ in KINDS],
                "kind": [kind for _ in drawn for kind in KINDS],
                "times": [_middle(getattr(each, kind)) for _, each in drawn for kind in KINDS],
            },
            "spans": {
                "name": [name for name, _ in drawn],
                "low": [float(np.quantile(each.measured, 0.1)) for _, each in drawn],
                "high": [float(np.quantile(each.measured, 0.9)) for _, each in drawn],
            },
            "ranges": {
                "name": [each.name for each, _, _ in rows],
                "model": [model for _, model, _ in rows],
                "low": [float(np.quantile(one.measured, 0.1)) for _, _, one in rows],
                "middle": [_middle(one.measured) for _, _, one in rows],
                "high": [float(np.quantile(one.measured, 0.9)) for _, _, one in rows],
                "forecast": [_middle(one.forecast) for _, _, one in rows],
                "bound": [_middle(one.bound) for _, _, one in rows],
                "off": [one.off(one.forecast) for _, _, one in rows],
                "pairs": [len(one.pairs) for _, _, one in rows],
                "deployments": [one.deployments for _, _, one in rows],
            },
        },
        values={
            "chips": Value(_middle(chips.measured), "x", "Twice the chips, measured"),
            "chips_worst": Value(
                max(one.off(one.forecast) for _, one in _models(chips)) - 1, "%", "Twice the chips: most, by model", 2
            ),
            "few": Value(_middle(few.measured), "x", "Twice the readers, from 8 or fewer, measured"),
            "few_bound": Value(_middle(few.bound), "x", "by the bound"),
            **{
                f"{short}_off": Value(each.off(each.forecast) - 1, "%", f"{each.name}: the forecast misses by", 2)
                for short, each in zip(SHORT, found[: len(SHORT)], strict=True)
            },
            **_formats(form),
            **_generations(generation),
        },
    )


def _formats(form: Change) -> dict[str, Value]:
    of, short = form.by_model, {"minimax": "minimax-m2.5", "deepseek": "deepseek-v3", "llama": "llama-3-70b"}
    return {
        f"format_{name}": Value(_middle(of[model].measured), "x", f"FP4 in place of FP8, {_name(model)}")
        for name, model in short.items()
    }


def _generations(generation: Change) -> dict[str, Value]:
    of = generation.by_model
    deepseek = of["deepseek-v3"]
    engines = {
        "same": deepseek.among(lambda pair: pair[0].row.engine_version == pair[1].row.engine_version),
        "newer": deepseek.among(lambda pair: pair[0].row.engine_version != pair[1].row.engine_version),
    }
    return {
        "b200_deepseek": Value(_middle(deepseek.measured), "x", "H200 → B200, DeepSeek-V3, all engines"),
        **{
            f"b200_{name}_off": Value(of[model].off(of[model].forecast) - 1, "%", f"H200 → B200, {_name(model)}", 2)
            for name, model in {"llama": "llama-3-70b", "gpt_oss": "gpt-oss-120b"}.items()
        },
        **{
            f"b200_{name}{end}": Value(_middle(said), "x", f"H200 → B200, DeepSeek-V3, {name} engine{label}", 2)
            for name, each in engines.items()
            for end, said, label in (("", each.measured, ""), ("_forecast", each.forecast, ", forecast"))
        },
    }


def _models(each: Change) -> list[tuple[str, Change]]:
    return [(_name(model), one) for model, one in each.by_model.items() if len(one.pairs) >= LEAST]


def _name(model: str) -> str:
    return catalog.model(model).name


def _middle(ratios: Ratios) -> float:
    return float(np.median(ratios))


def _words(rows: Iterable[tuple[str, Change]]) -> str:
    return " ".join(
        f"{name}: measured {show(_middle(each.measured), 'x')}, forecast {show(_middle(each.forecast), 'x')}, "
        f"bound {show(_middle(each.bound), 'x')}, over {plain(len(each.pairs), 9)} pairs."
        for name, each in rows
    )


def changed_chart() -> Any:
    """A row for each change: four of five pairs as a bar, and three medians on it."""
    import altair as alt

    y = alt.Y("name:N", title=None, sort=None).axis(labelLimit=260)
    span = (
        alt.Chart(alt.NamedData("spans"))
        .mark_rule(strokeWidth=9, color=look.FAINT, opacity=0.7)
        .encode(x=alt.X("low:Q"), x2="high:Q", y=y)
    )
    same = alt.Chart(alt.NamedData("spans")).mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(x=alt.datum(1))
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
            "model": "Model",
            "middle": "Measured (×)",
            "low": "One of ten is below (×)",
            "high": "One of ten is above (×)",
            "forecast": "Forecast (×)",
            "bound": "Bound (×)",
            "off": "Forecast misses it by (×)",
            "pairs": "Pairs",
            "deployments": "Deployments",
        },
        foremost=4,
        assumptions=(
            "Two runs of a pair are alike in model, system, engine and its version, formats, layout, lengths and "
            "load, but for what the row names and follows from it; B200 and H200 may have run other versions. "
            "Where neither run has a version on record, as those of Llama, it is taken as the same.",
            f"FP4 is in place of FP8, and B200 of H200. A model has a row of its own from {LEAST} pairs on.",
            "A run is in as many pairs as it has partners, so pairs are fewer in kind than in number.",
            "Each run is forecast by constants that its own deployment had no part in.",
        ),
        sources=(SERVING_SOURCE,),
    ),
)
