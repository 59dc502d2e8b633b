"""Lecture 3 in pictures: racks. What a boundary carries, what a chip holds, and how long a token is on its way."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import pipelining
from calc.figures import look
from calc.figures.guides import SECONDS, guide_layer, guides, here_layer
from calc.figures.moe_setting import is_dense, link_notes
from calc.figures.pipelining_setting import (
    COMBINE_BYTES,
    DISPATCH,
    HOP_BYTES,
    LATENCY,
    chip_memory,
    free_layers,
    hop,
    margin,
    stages_input,
    step_alone,
    way_out,
)
from calc.figures.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM, Setting, setting
from calc.live import Answer, Choice, Figure, Value
from calc.units import plain, show

INSIDE, OUT = TRAFFIC = ("Exchanges within the stage", "Hop to the next")
WEIGHTS, CACHE = PARTS = ("Weights", "Cache")
PIPELINE, NO_HOPS, DOMAIN = WAYS = ("Pipeline", "Pipeline, free hops", "One larger domain")
LAYERS: Any = np.unique(np.round(np.geomspace(1, 128, 30)))
STAGES: Any = np.arange(1, 17)
SEEN_FROM = 0.3  # of a chip's memory; bars below that would be slivers beneath the line
DECADES = [10.0**power for power in range(-12, 3)]

FLIGHT = Choice(
    name="flight",
    label="In flight",
    default="full",
    options={
        "full": "your batch for every stage",
        "split": "your batch, divided among the stages",
        "one": "your batch alone, stages take turns",
    },
    help="How many sequences the pipeline has on their way at once.",
)
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
    layers = (where.model.layers or 1) / stages
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
            "free": Value(least, "layers", "Fewest layers for a free boundary"),
            "ratio": Value(inside / outside, "", "Link within over link out"),
            "bytes": Value(batch * (where.model.d_model or 1) * HOP_BYTES, "B", "Handed to the next rack"),
        },
        notes=link_notes(where),
    )


def _exchange(where: Setting, batch: float, dispatch: float) -> float:
    """Seconds for which a layer's exchange keeps a chip's link within the domain busy."""
    if is_dense(where.model):
        return 0.0
    chips, width = where.system.chips, where.model.d_model or 1
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
            color=alt.Color("traffic:N", title=None).scale(**look.series(*TRAFFIC)),
            strokeDash=alt.StrokeDash("traffic:N", title=None).scale(**look.dashes(*TRAFFIC)),
        )
    )
    return guide_layer(alt, "layers") + line + here_layer(alt, "layers", "seconds")


def memory(
    *, model: str, system: str, precision: str, context: float, batch: float, stages: float, flight: str
) -> Answer:
    """What a chip holds against the number of stages."""
    where = setting(model, system, precision)
    curve, here = (_held(where, context, batch, count, flight) for count in (STAGES, stages))
    one: Any = chip_memory(where, batch, context, 1)
    limit = where.chip.hbm_bytes
    near = float(curve.total.max()) > SEEN_FROM * limit
    return Answer(
        finding=_memory_finding(flight, int(stages), batch, one, here),
        description=(
            f"Stacked bars for 1 to {STAGES[-1]} stages of {where.system.name}: bytes of weights and cache on each "
            f"chip for {where.model.name}, {FLIGHT.options[flight]}. With one stage a chip holds "
            f"{show(one.weights, 'B')} and {show(one.cache, 'B')}, with {plain(stages)} it holds "
            f"{show(here.weights, 'B')} and {show(here.cache, 'B')}. Its memory is {show(limit, 'B')}."
        ),
        tables={
            "bars": {
                "stages": np.tile(STAGES, len(PARTS)),
                "part": [part for part in PARTS for _ in STAGES],
                "bytes": np.concatenate([curve.weights, curve.cache]),
                "order": [place for place in range(len(PARTS)) for _ in STAGES],
            },
            "here": {"stages": [int(stages)], "bytes": [here.total]},
            "limit": {
                "bytes": [limit] if near else [],
                "label": [f"memory of a chip, {show(limit, 'B')}"] if near else [],
            },
        },
        values={
            "weights": Value(here.weights, "B", "Weights on a chip"),
            "cache": Value(here.cache, "B", "Cache on a chip"),
            "cache_share": Value(here.cache_share, "%", "Cache in what it holds"),
            "one_weights": Value(one.weights, "B", "Weights, one stage"),
            "one_cache": Value(one.cache, "B", "Cache, one stage"),
            "saved": Value((one.weights - here.weights) / limit, "%", "Memory that the stages set free"),
            "sequences": Value(
                batch * (stages if flight == "full" else 1), "sequences", "On their way in all racks", 9
            ),
            "most": Value(_most(where, context, stages), "sequences", "Micro-batch that would fill the chips"),
        },
        notes=_memory_notes(where, here, flight, int(stages)),
    )


def _held(where: Setting, context: float, batch: float, stages: Any, flight: str) -> Any:
    if flight == "full":
        return chip_memory(where, batch, context, stages)
    return chip_memory(where, batch, context, stages, in_flight=np.ones_like(stages) if np.ndim(stages) else 1)


def _most(where: Setting, context: float, stages: float) -> float:
    """Largest micro-batch, or none where the weights alone are too many."""
    if where.weight_bytes > stages * where.system.hbm_bytes:
        return 0.0
    return float(
        np.floor(
            pipelining.largest_micro_batch(
                where.chip.hbm_bytes,
                where.weight_bytes,
                context,
                where.kv_bytes_per_token,
                chips_per_stage=where.system.chips,
                stages=stages,
            )
        )
    )


def _memory_finding(flight: str, stages: int, batch: float, one: Any, here: Any) -> str:
    if stages == 1:
        return f"One stage: a chip holds {show(one.weights, 'B')} of weights and {show(one.cache, 'B')} of cache"
    less = f"{stages} stages leave {show(here.weights, 'B')} of weights on a chip instead of {show(one.weights, 'B')}"
    if flight == "full":
        return f"{less}; its {show(here.cache, 'B')} of cache stay"
    cache = f"{show(here.cache, 'B')} of cache instead of {show(one.cache, 'B')}"
    if flight == "split":
        each = show(batch / stages, "sequences")
        return f"{less} and {cache}, but weights are then read for {each} at a time"
    return f"{less} and {cache}, but at any time {stages - 1} of {stages} stages wait"


def _memory_notes(where: Setting, here: Any, flight: str, stages: int) -> list[str]:
    used = show(here.total / where.chip.hbm_bytes, "%")
    notes = [f"A chip has {show(where.chip.hbm_bytes, 'B')}; this fills {used} of it.", *where.cache_notes()]
    if here.total > where.chip.hbm_bytes:
        notes[0] = f"This does not fit: it takes {used} of a chip's {show(where.chip.hbm_bytes, 'B')}."
    if flight == "split" and stages > 1:
        notes.append("The bars are the same as for one micro-batch at a time; what differs is who waits.")
    return notes


def memory_chart() -> Any:
    """Bars of weights that shrink upon cache that does not."""
    import altair as alt

    x = alt.X("stages:O", title="Stages (racks)").axis(labelAngle=0, grid=False)
    size: dict[str, Any] = {"labelExpr": "format(datum.value / 1e9, ',~r') + ' GB'"}
    bars = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(cornerRadius=0)
        .encode(
            x=x,
            y=alt.Y("bytes:Q", title="On a chip").axis(**size),
            color=alt.Color("part:N", title=None).scale(
                domain=[CACHE, WEIGHTS], range=[look.SERIES[1], look.SERIES[0]]
            ),
            order=alt.Order("order:Q", sort="descending"),
        )
    )
    limit = alt.Chart(alt.NamedData("limit"))
    rule = limit.mark_rule(strokeDash=[5, 3], color=look.INK).encode(y="bytes:Q")
    place: dict[str, Any] = {"align": "right", "baseline": "bottom", "dy": -5, "x": alt.expr("width - 4")}
    words = limit.encode(y="bytes:Q", text="label:N")
    halo = words.mark_text(stroke=look.PAPER, strokeWidth=5, strokeJoin="round", **place)
    return bars + rule + halo + words.mark_text(**place) + here_layer(alt, "stages", "bytes").encode(x="stages:O")


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
            color=alt.Color("way:N", title=None).scale(**look.series(*WAYS)),
            strokeDash=alt.StrokeDash("way:N", title=None).scale(**look.dashes(*WAYS)),
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
MEMORY = Figure(
    name="pipelining/memory",
    inputs=(stages_input(16, 4), FLIGHT, MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=memory,
    chart=memory_chart,
    table="bars",
    columns={"part": "Part", "stages": "Stages", "bytes": "Bytes on a chip"},
    assumptions=(
        "Your system is one stage; its chips share the stage's weights and caches evenly.",
        "Your batch is a micro-batch. Activations are small and left out.",
    ),
    sources=("lecture", "aiconfigurator", "inferencex"),
)
LATENCY_FIGURE = Figure(
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

FIGURES = (BOUNDARY, MEMORY, LATENCY_FIGURE)
