"""Lecture 3 in pictures: racks in a row. What a boundary carries, and how long a token is on its way."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import pipelining
from calc.figure.declared import Answer, Choice, Figure, Value
from calc.figure.guides import SECONDS, guide_layer, guides, here_layer, told_apart
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM, Setting, setting
from calc.moe.figures.setting import is_dense, link_notes
from calc.pipelining.figures.setting import (
    COMBINE_BYTES,
    DISPATCH,
    HOP_BYTES,
    LATENCY,
    free_layers,
    hop,
    margin,
    stages_input,
    step_alone,
    way_out,
)
from calc.quantities.units import plain, show

INSIDE, OUT = TRAFFIC = ("Exchanges within the stage", "Hop to the next")
PIPELINE, NO_HOPS, DOMAIN = WAYS = ("Pipeline", "Pipeline, free hops", "One larger domain")
LAYERS: Any = np.unique(np.round(np.geomspace(1, 128, 30)))
STAGES: Any = np.arange(1, 17)
DECADES = [10.0**power for power in range(-12, 3)]

LINKS = Choice(
    name="links",
    label="A hop takes",
    default="all",
    options={"all": "every chip's link", "one": "a single link"},
    help="Whether a micro-batch is handed over in slices, one from each chip, or by one chip alone.",
)


def boundary(*, model: str, system: str, batch: float, stages: float, dispatch: str) -> Answer:
    """Time on a stage's two networks against the layers that the stage has."""
    where = setting(model, system, "bf16")
    inside, outside = way_out(where)
    layers = where.model.known("layers") / stages
    crossing = hop(where, batch)
    each = _exchange(where, batch, float(dispatch))
    dense = is_dense(where.model)
    least = free_layers(where, float(dispatch))
    ratio = float(margin(where, layers, float(dispatch)))
    drawn = () if dense else LAYERS
    return Answer(
        finding=_boundary_finding(where, layers, crossing, ratio),
        description=(
            f"Line chart, both axes logarithmic: a level line at {show(crossing, 's')}, the hop of "
            f"{plain(batch, 9)} tokens of {where.model.name} to the next rack. "
            + (
                "A dense model has no exchange of experts to compare it with."
                if dense
                else f"A rising line, {show(each, 's')} for each layer of a stage, crosses it at "
                f"{plain(crossing / each)} layers."
            )
        ),
        tables={
            "curve": {
                "traffic": [INSIDE] * len(drawn) + [OUT] * len(LAYERS),
                "layers": [*drawn, *LAYERS],
                "seconds": [each * count for count in drawn] + [crossing] * len(LAYERS),
            },
            "here": {"layers": [layers], "seconds": [crossing if dense else each * layers]},
            "guides": guides("layers", {} if dense else {f"free from {plain(least, 9)}": least}, 1, 128),
        },
        values={
            "layers": Value(layers, "layers", "Layers of a stage"),
            "hop": Value(crossing, "s", "A hop, on every chip's link"),
            "inside": Value(each * layers, "s", "Exchanges of the stage"),
            "margin": Value(ratio, "x", "Exchanges over hop"),
            "free": Value(least, "layers", "Fewest layers for a free boundary", endless="no number suffices"),
            "ratio": Value(inside / outside, "", "Link within over link out"),
            "bytes": Value(batch * where.model.known("d_model") * HOP_BYTES, "B", "Handed to the next rack"),
        },
        notes=link_notes(where),
    )


def _exchange(where: Setting, batch: float, dispatch: float) -> float:
    """Seconds for which a layer's exchange keeps a chip's link within the domain busy."""
    if is_dense(where.model):
        return 0.0
    chips, width = where.system.chips, where.model.known("d_model")
    copies = (where.model.active_routed_experts or 1) * (dispatch + COMBINE_BYTES)
    return batch / chips * width * copies / way_out(where)[0]


def _boundary_finding(where: Setting, layers: float, crossing: float, ratio: float) -> str:
    if is_dense(where.model):
        return f"{where.model.name} is dense: no experts to exchange with; a hop takes {show(crossing, 's')}"
    mean = f"A stage of {plain(layers)} layer{'' if layers == 1 else 's'} keeps the links within busy"
    if ratio >= 1:
        return f"{mean} for {show(ratio, 'x')} as long as those out: its boundary is free"
    return f"{mean} for only {show(ratio, 'x')} as long as those out: the boundary is what it waits for"


def boundary_chart() -> Any:
    """A rising line that crosses a level one."""
    import altair as alt

    line = (
        alt.Chart(alt.NamedData("curve"))
        .mark_line()
        .encode(
            x=alt.X("layers:Q", title="Layers of a stage").scale(type="log", nice=False),
            y=alt.Y("seconds:Q", title="Time on the link").scale(type="log").axis(values=DECADES, **SECONDS),
            **told_apart(alt, "traffic", TRAFFIC),
        )
    )
    return guide_layer(alt, "layers") + line + here_layer(alt, "layers", "seconds")


def latency(
    *,
    model: str,
    system: str,
    precision: str,
    context: float,
    batch: float,
    stages: float,
    latency: float,
    links: str,
) -> Answer:
    """Time between two tokens of a sequence, in a pipeline and in one domain of as many chips."""
    where = setting(model, system, precision)
    alone = step_alone(where, batch, context)
    each = hop(where, batch, latency * 1e-6, links == "all")
    curve: Any = pipelining.decode_cycle(alone, STAGES, STAGES, each)
    fill = float(pipelining.micro_batches_to_fill(alone, stages, each))
    here: Any = pipelining.decode_cycle(alone, stages, fill, each)
    plain_here: Any = pipelining.decode_cycle(alone, stages, stages, each)
    token = float(plain_here.seconds)
    return Answer(
        finding=_latency_finding(int(stages), alone, token),
        description=(
            f"Line chart: time between two tokens of a sequence against racks from 1 to {STAGES[-1]}. With free hops a "
            f"pipeline stays at {show(alone, 's')}; with hops of {show(each, 's')} it rises to "
            f"{show(float(curve.seconds[-1]), 's')}. A single domain of as many chips falls in inverse proportion, to "
            f"{show(alone / float(STAGES[-1]), 's')}."
        ),
        tables={
            "curve": {
                "way": [way for way in WAYS for _ in STAGES],
                "stages": np.tile(STAGES, len(WAYS)),
                "seconds": np.concatenate([curve.seconds, np.full(len(STAGES), alone), alone / STAGES]),
            },
            "here": {"stages": [stages], "seconds": [token]},
        },
        values={
            "alone": Value(alone, "s", "A step on one rack, at least"),
            "hop": Value(each, "s", "A hop"),
            "token": Value(token, "s", "Between two tokens, at least"),
            "slower": Value(token / alone - 1, "%", "Longer than on one rack"),
            "user": Value(1 / token, "tokens/s", "A user sees, at most"),
            "fill": Value(fill, "", "Micro-batches that keep all busy", 9),
            "rate": Value(
                float(pipelining.throughput(batch, fill, float(here.seconds))), "tokens/s", "All of them, at most"
            ),
            "domain": Value(alone / stages, "s", "One domain of that size, at least"),
            "limit": Value(0.1 * alone / stages, "s", "Hop that makes a token 10% later"),
        },
        notes=[*where.notes(), *link_notes(where)],
    )


def _latency_finding(stages: int, alone: float, token: float) -> str:
    if stages == 1:
        return f"One rack has no hops: a token every {show(alone, 's')}"
    whole = f"one domain of their size could take {show(alone / stages, 's')}"
    more = show(token / alone - 1, "%", 2)
    return f"{stages} racks in a row: a token every {show(token, 's')}, {more} later than on one; {whole}"


def latency_chart() -> Any:
    """Level, a little above level, and falling."""
    import altair as alt

    line = (
        alt.Chart(alt.NamedData("curve"))
        .mark_line()
        .encode(
            x=alt.X("stages:Q", title="Racks").scale(nice=False, domainMin=1).axis(tickMinStep=1),
            y=alt.Y("seconds:Q", title="Between two tokens").scale(zero=True).axis(**SECONDS),
            **told_apart(alt, "way", WAYS),
        )
    )
    return line + here_layer(alt, "stages", "seconds")


BOUNDARY = Figure(
    name="pipelining/boundary",
    inputs=(stages_input(16, 4), DISPATCH, MODEL, SYSTEM, BATCH),
    compute=boundary,
    chart=boundary_chart,
    table="curve",
    columns={"traffic": "Traffic", "layers": "Layers of a stage", "seconds": "Seconds"},
    assumptions=(
        "Every layer of a stage has experts, and each token is sent to all of its own.",
        "Every chip hands its slice of the micro-batch to the next rack over its own link.",
        "Links at their full rate; latencies are left out, on both sides.",
    ),
    sources=("lecture", "aiconfigurator", "deepseek-v3-config"),
)
TOKEN = Figure(
    name="pipelining/latency",
    inputs=(stages_input(16, 4), LATENCY, LINKS, MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=latency,
    chart=latency_chart,
    table="curve",
    columns={"way": "Way", "stages": "Racks", "seconds": "Seconds"},
    assumptions=(
        "A step on one rack takes what lecture 1 allows; a token then crosses all stages and comes back.",
        "Your batch is a micro-batch, and there are as many as stages, or as hops ask for.",
        "One larger domain is imagined: it reads and multiplies as all racks together, and its links are free.",
    ),
    sources=("lecture", "aiconfigurator"),
)

FIGURES = (BOUNDARY, TOKEN)
