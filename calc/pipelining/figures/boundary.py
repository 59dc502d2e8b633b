"""Lecture 3 in pictures: machines in a row, and the traffic over a boundary."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import pipelining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, CONTEXT, PRECISION
from calc.moe.figures.setting import link_notes
from calc.pipelining.figures.setting import (
    COMBINE_BYTES,
    DISPATCH,
    HOP_BYTES,
    K2,
    NODE,
    copies,
    free_layers,
    hop,
    margin,
    stages_input,
    step_alone,
    way_out,
)
from calc.quantities.units import plain, show
from calc.setting import Scenario

TRAFFIC = {"work": "work", "exchange": "exchange", "hop": "hop"}
LAYERS = np.unique(np.round(np.geomspace(1, 128, 30)))
DASHED = "datum.part == 'hop' ? [7, 6] : [1, 0]"  # both links have one colour: the one out is dashed
DECADES = [10.0**power for power in range(-12, 3)]


def boundary(
    *, model: str, system: str, precision: str, context: float, batch: float, stages: float, dispatch: str
) -> Answer:
    """The work of a stage on a micro-batch, and the hop to the next, against the layers that the stage has."""
    where = Scenario.named(model, system, precision)
    inside, outside = way_out(where)
    whole = where.model.known("layers")
    layers = whole / stages
    crossing, each = hop(where, batch), _exchange(where, batch, float(dispatch))
    work = step_alone(where, batch, context) / whole
    slack = pipelining.hops_per_slot(work * whole, stages, crossing)
    least = pipelining.layers_for_a_hop(work, crossing)
    dense = where.model.dense
    curve = {
        "layers": LAYERS,
        "work": work * LAYERS,
        "hop": np.full(len(LAYERS), crossing),
        "exchange": np.full(len(LAYERS), np.nan) if dense else each * LAYERS,
    }
    return Answer(
        finding=_boundary_finding(layers, work * layers, crossing),
        description=(
            f"Line chart, both axes logarithmic. The work of a stage on a micro-batch of {plain(batch, 9)} sequences "
            f"rises by at least {show(work, 's')} a layer, the exchange of its experts by {show(each, 's')}, and the "
            f"hop to the next machine is level at {show(crossing, 's')}: from {plain(least, 9)} layers on it is hidden."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "layers", TRAFFIC),
            "here": {"layers": [layers], "seconds": [work * layers], "said": [show(work * layers, "s")]},
        },
        values={
            "hop": Value(crossing, "s", "A hop, on every chip's link"),
            "slot": Value(work * layers, "s", "Work of a stage, at least"),
            "slack": Value(slack, "x", "Work over hop"),
            "least": Value(least, "layers", "Fewest layers whose work hides the hop"),
            "layers": Value(layers, "layers", "Layers of a stage"),
            "layer": Value(work, "s", "Work of a layer, at least"),
            "inside": Value(each * layers, "s", "Exchanges of the stage"),
            **_margins(where, layers, float(dispatch)),
            "ratio": Value(inside / outside, "", "Link within over link out"),
            "bytes": Value(batch * where.model.known("d_model") * HOP_BYTES, "B", "Handed to the next machine"),
        },
        notes=[*where.notes(), *link_notes(where)],
    )


def _margins(where: Scenario, layers: float, dispatch: float) -> dict[str, Value]:
    """The lecture's stricter comparison, of exchange and hop; a dense model has nothing to exchange."""
    if where.model.dense:
        return {}
    return {
        "margin": Value(margin(where, layers, dispatch), "x", "Exchange over hop"),
        "free": Value(free_layers(where, dispatch), "layers", "Fewest layers whose exchange alone outlasts it"),
    }


def _exchange(where: Scenario, batch: float, dispatch: float) -> float:
    """Seconds for which a layer's exchange keeps a chip's link within the domain busy."""
    if where.model.dense:
        return 0.0
    chips, width = where.system.chips, where.model.known("d_model")
    return batch / chips * width * copies(where) * (dispatch + COMBINE_BYTES) / way_out(where)[0]


def _boundary_finding(layers: float, slot: float, crossing: float) -> str:
    stage = f"a stage of {plain(layers)} layer{'' if layers == 1 else 's'}"
    verdict = "the link keeps up" if slot >= crossing else "the boundary is what a stage waits for"
    times = f"a hop takes {show(crossing, 's')}, and {stage} works for {show(slot, 's')}"
    return f"By the simplest bound, {verdict}: {times}"


def boundary_chart() -> Any:
    """A level line, and two that rise with the layers; where work is above the level the link keeps up."""
    import altair as alt

    x = alt.X("layers:Q", title="Layers of a stage").scale(type="log", nice=False)
    y = alt.Y("seconds:Q", title="Time for a micro-batch").scale(type="log").axis(values=DECADES, **SECONDS)
    lines = labelled_lines(alt, TRAFFIC, x, y, strokeDash=alt.expr(DASHED))
    return lines + here_layer(alt, "layers", "seconds", label="said")


BOUNDARY = Figure(
    name="pipelining/boundary",
    inputs=(stages_input(16, 4), DISPATCH, K2, NODE, PRECISION, CONTEXT, BATCH),
    compute=boundary,
    chart=boundary_chart,
    foremost=4,
    table="curve",
    columns={
        "layers": "Layers of a stage",
        "work": "Work of the stage (s)",
        "exchange": "Exchange of its experts (s)",
        "hop": "Hop to the next (s)",
    },
    assumptions=(
        "The work of a layer is its share of lecture 1's bound, so that real slots are longer.",
        "Every layer of a stage has experts; a token is sent once to every other chip that has any of its own.",
        "Every chip hands its slice of the micro-batch to the next machine over its own link.",
        "Links at their full rate; latencies are left out, on both sides.",
    ),
    sources=("lecture", "aiconfigurator", "deepseek-v3-config"),
)


FIGURES = (BOUNDARY,)
