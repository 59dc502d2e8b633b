"""Lecture 1 in pictures: the decode step against its batch, its price, its traffic."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching
from calc.figures import look
from calc.figures.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM, fit_notes, setting
from calc.live import Answer, Figure, Value
from calc.units import plain, show

SCALE = np.logspace(0, 6, 97)


def step_time(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The parts of a decode step against the batch."""
    where = setting(model, system, precision)
    curve = batching.step_time(SCALE, context, **where.step_arguments())
    here = batching.step_time(batch, context, **where.step_arguments())
    limit = "compute" if here.compute > here.memory else "cache" if here.cache > here.weights else "weights"
    ways = {
        "compute": "limited by arithmetic",
        "cache": "mostly spent on reading the cache",
        "weights": "mostly spent on reading weights",
    }
    tokens = batching.tokens_per_second(batch, here.bound)
    critical = batching.critical_context(
        where.model.active_params, where.kv_bytes_per_token, where.flops, where.system.hbm_bandwidth
    )
    balanced = batching.balanced_batch_with_cache(context, **where.step_arguments())
    return Answer(
        finding=f"At a batch of {plain(batch)}, a step takes at least {show(here.bound, 's')} and is {ways[limit]}",
        description=(
            f"Line chart, both axes logarithmic: seconds of a decode step of {where.model.name} on {where.system.name} "
            f"against the batch, from 1 to a million sequences. Weights are a level line at {show(here.weights, 's')}; "
            f"compute and cache rise in proportion to the batch. The step is at least the larger of compute and "
            f"weights plus cache."
        ),
        tables={
            "curve": {
                "batch": SCALE,
                "compute": curve.compute,
                "weights": np.full_like(SCALE, curve.weights),
                "cache": curve.cache,
                "bound": curve.bound,
            },
            "here": {"batch": [batch], "bound": [here.bound]},
        },
        values={
            "step": Value(here.bound, "s", "Step, at least"),
            "compute": Value(here.compute, "s", "Compute"),
            "weights": Value(here.weights, "s", "Weights"),
            "cache": Value(here.cache, "s", "Cache"),
            "tokens": Value(tokens, "tokens/s", "Decoded, at most"),
            "utilisation": Value(float(here.utilisation), "%", "Multipliers busy, at most"),
            "balanced": Value(balanced, "sequences", "Balanced batch"),
            "critical": Value(critical, "tokens", "Critical context"),
        },
        notes=[*where.notes(), *fit_notes(where, context, batch)],
    )


def step_time_chart() -> Any:
    """Three straight parts and the bound above them."""
    import altair as alt

    names = ("Step, at least", "Compute", "Weights", "Cache")
    parts = dict(zip(("bound", "compute", "weights", "cache"), names, strict=True))
    lines = (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(parts), as_=["key", "seconds"])
        .transform_calculate(part=look.naming("key", parts))
        .mark_line()
        .encode(
            x=alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
            y=alt.Y("seconds:Q", title="Seconds a step").scale(type="log").axis(format="~s"),
            color=alt.Color("part:N", title=None).scale(**look.series(*names)),
            strokeDash=alt.StrokeDash("part:N", title=None).scale(**look.dashes(*names)),
        )
    )
    point = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x="batch:Q", y="bound:Q")
    return lines + point


STEP_TIME = Figure(
    name="batching/step-time",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=step_time,
    chart=step_time_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "compute": "Compute (s)",
        "weights": "Weights (s)",
        "cache": "Cache (s)",
        "bound": "Step, at least (s)",
    },
    assumptions=(
        "Reading and computing overlap perfectly; communication, scheduling and the arithmetic of attention are free.",
        "Every step reads all the weights of the model once, and the whole cache of every sequence.",
    ),
    sources=("lecture",),
)

FIGURES = (STEP_TIME,)
