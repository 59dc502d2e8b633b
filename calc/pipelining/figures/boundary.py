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
    NOT_DRAWN,
    copies,
    free_layers,
    hop,
    margin,
    stages_input,
    step_alone,
    way_out,
)
from calc.quantities.units import show
from calc.setting import Scenario

TRAFFIC = {"work": "work", "exchange": "exchange", "hop": "hop's bytes"}
DASHED = 'datum.part == "hop\'s bytes" ? [7, 6] : [1, 0]'  # both links have one colour: the one out is dashed
DENSE = "A dense model has no experts, so there is no exchange to draw."
DECADES = [10.0**power for power in range(-12, 3)]


def boundary(
    *, model: str, system: str, precision: str, context: float, batch: float, stages: float, dispatch: str
) -> Answer:
    """The work of a stage on a micro-batch, and the hop to the next, against the layers that the stage has."""
    where = Scenario.named(model, system, precision)
    inside, outside = way_out(where)
    whole = where.model.known("layers")
    layers = whole / stages
    crossing, exchanged = (
        hop(where, batch),
        _exchanged(where, batch, layers, 1.0 if dispatch == NOT_DRAWN else float(dispatch)),
    )
    drawn = {} if dispatch == NOT_DRAWN else exchanged
    work = step_alone(where, batch, context) / whole
    slack = pipelining.hops_per_slot(work * whole, stages, crossing)
    least = pipelining.layers_for_a_hop(work, crossing)
    drawn_at = np.unique(np.round(np.geomspace(1, whole, 30)))
    curve = {
        "layers": drawn_at,
        "work": work * drawn_at,
        "hop": np.full(drawn_at.size, crossing),
        "exchange": drawn["inside"].number / layers * drawn_at if drawn else np.full(drawn_at.size, np.nan),
    }
    return Answer(
        finding=_boundary_finding(int(stages), work * layers, slack, drawn),
        description=(
            f"Line chart, both axes logarithmic. The work of a stage on a micro-batch of {show(batch, 'sequences', 9)} "
            f"rises by at least {show(work, 's')} a layer{_exchange_rises(layers, drawn)}, and the bytes of the "
            f"hop to the next machine take {show(crossing, 's')} for any number of layers: from "
            f"{show(least, 'layers')} on they are hidden."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "layers", TRAFFIC),
            "here": {"layers": [layers], "seconds": [work * layers], "said": [show(work * layers, "s")]},
        },
        values={
            "hop": Value(crossing, "s", "Time of a hop's bytes, on every chip's link"),
            "slot": Value(work * layers, "s", "Work of a stage, at least"),
            "slack": Value(slack, "x", "Work over the bytes of a hop"),
            "least": Value(least, "layers", "Fewest layers whose work hides the hop"),
            "layers": Value(layers, "layers", "Layers of a stage, on average"),
            "layer": Value(work, "s", "Work of a layer, at least"),
            **exchanged,
            "ratio": Value(inside / outside, "", "Link within over link out"),
            "bytes": Value(batch * where.model.known("d_model") * HOP_BYTES, "B", "Handed to the next machine"),
        },
        notes=[*[DENSE] * (where.model.dense and dispatch != NOT_DRAWN), *where.notes(), *link_notes(where)],
    )


def _exchanged(where: Scenario, batch: float, layers: float, sent: float) -> dict[str, Value]:
    """Pope's stricter comparison, of exchange and hop; a dense model has nothing to exchange."""
    if where.model.dense:
        return {}
    chips, width = where.system.chips, where.model.known("d_model")
    each = batch / chips * width * copies(where) * (sent + COMBINE_BYTES) / way_out(where)[0]
    return {
        "inside": Value(each * layers, "s", "Exchanges of the stage"),
        "margin": Value(margin(where, layers, sent), "x", "Exchange over hop"),
        "free": Value(free_layers(where, sent), "layers", "Fewest layers whose exchange alone outlasts it"),
    }


def _exchange_rises(layers: float, drawn: dict[str, Value]) -> str:
    return f", the exchange of its experts by {show(drawn['inside'].number / layers, 's')}" if drawn else ""


def _boundary_finding(stages: int, slot: float, slack: float, drawn: dict[str, Value]) -> str:
    if stages == 1:
        return f"One stage has no hop: by the simplest bound, it works {show(slot, 's')} on a micro-batch"
    if slack >= 1:
        said = f"the link keeps up: a stage works {show(slack, 'x')} as long as the bytes of its hop take"
    else:
        said = (
            f"the boundary is what a stage waits for: it works {show(slack, 'x')} as long as the bytes of its hop take"
        )
    strict = f"; its exchanges take {drawn['margin'].text} the time of the hop" if drawn else ""
    return f"By the simplest bound, {said}{strict}"


def boundary_chart() -> Any:
    """A level line, and lines that rise with the layers; where work is above the level the link keeps up."""
    import altair as alt

    x = alt.X("layers:Q", title="Layers of a stage").scale(type="log", nice=False)
    y = alt.Y("seconds:Q", title="To work on a micro-batch, or to hand on its bytes").scale(type="log")
    y = y.axis(values=DECADES, tickCount=len(DECADES), **SECONDS)
    lines = labelled_lines(alt, TRAFFIC, x, y, strokeDash=alt.expr(DASHED))
    return lines + here_layer(alt, "layers", "seconds", label="said")


BOUNDARY = Figure(
    name="pipelining/boundary",
    inputs=(stages_input(16, 4), DISPATCH, K2, NODE, PRECISION, CONTEXT, BATCH),
    compute=boundary,
    chart=boundary_chart,
    foremost=2,
    table="curve",
    columns={
        "layers": "Layers of a stage",
        "work": "Work of the stage (s)",
        "exchange": "Exchange of its experts (s)",
        "hop": "Hop to the next (s)",
    },
    assumptions=(
        "The work of a layer is its share of lecture 1's bound, with the experts that the micro-batch wakes.",
        "Every layer of a stage has experts; a token is sent once to every other chip that has any of its own.",
        "Every chip hands its slice of the micro-batch to the next machine over its own link.",
        "Links at their full rate; latencies are left out, on both sides.",
    ),
    sources=("lecture", "aiconfigurator", "deepseek-v3-config"),
)


FIGURES = (BOUNDARY,)
