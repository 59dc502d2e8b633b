"""Lecture 7 in pictures: a network run forwards and backwards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc import reversible
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import POWERS
from calc.figure.inputs import Number
from calc.quantities.check import Array
from calc.quantities.units import plain, show
from calc.reversible.figures.setting import ANY_FORMAT, ROUNDED, STEP, STRENGTH, YOURS, drawn
from calc.reversible.figures.shared import DRAWN

MOST_POINTS = 49
SEEN, LOST = 0.1, 1  # errors, over the largest number, that an eye sees, and that leave nothing
STATES = {"bfloat16": 16, "float64": 64}  # bits of a state, where they are not 32
NOTHING: dict[str, list[Any]] = {"layer": [], "error": [], "label": []}
DEPTH = Number(name="depth", label="Depth", default=64, low=2, high=512, unit="layers", log=True, whole=True)


def mirror(*, depth: float, step: str, strength: str, format: str) -> Answer:
    """How far the way back has left the way there, layer by layer."""
    layers = int(depth)
    net = drawn(layers, step, format, strength)
    seen = np.array(list(reversible.states(net, *reversible.inputs(net, 1))))
    undone = np.array(list(reversible.undone(net, *seen[-1])))[::-1]
    worst = np.unravel_index(np.abs(undone - seen)[0].argmax(), seen[0].shape)  # of the numbers at the start
    there, back = (way[(slice(None), *worst)] for way in (seen, undone))
    apart = (_largest(undone - seen) / _largest(seen)).astype(float)
    error = apart[0]
    layer = 2 * np.unique(np.linspace(0, layers // 2, MOST_POINTS).astype(int))  # every other: the halves take turns
    left = layer[apart[layer] > 0]
    rounding = net.format.spacing
    missed = (
        f"the network comes back somewhere else: an error of {show(error, 'x', 2)} the largest number of the start"
        if error > LOST
        else f"the network misses its start by {show(error, digits=2)} of the state's largest number"
    )
    near = "ends near the numbers themselves" if error > SEEN else "stays far below the numbers themselves"
    ending = "ends where nothing is left of the start" if error > LOST else near
    return Answer(
        finding=f"Run back through {plain(depth, 9)} layers in {ROUNDED[format]}, {missed}",
        description=(
            f"Line chart on a logarithmic axis: how far the way back lies from the way there, over the largest number "
            f"of the state, against the layer, 0 to {plain(depth, 9)}. Read from right to left the line begins "
            f"near the spacing of its numbers, {show(rounding, digits=2)}, and {ending}, at {show(error, digits=2)}."
        ),
        tables={
            "apart": {"layer": left, "error": apart[left]},
            "rounding": {"error": [rounding], "label": [f"spacing of {STATES.get(format, 32)}-bit numbers near 1"]},
            "lost": {"error": [1.0], "label": ["nothing left"]},
            "here": {"layer": [0], "error": [error], "label": [show(error, digits=2)]} if error else NOTHING,
            "both": {
                "layer": layer,
                "there": there[layer],
                "back": back[layer],
                "error": apart[layer],
            },
        },
        values={
            "error": Value(error, "", "Error at the start", 2),
            "first": Value(there[0], "", "The number furthest off, at the start", 8),
            "again": Value(back[0], "", "The same, come back", 8),
        },
    )


def _largest(states: NDArray[np.floating]) -> Array:
    """The largest number of each state, whatever its sign."""
    found: Array = np.abs(states).max(axis=(1, 2, 3))
    return found


def mirror_chart() -> Any:
    """The distance between the two ways, from a rounding at the right to whatever has become of it at the left."""
    import altair as alt

    x = alt.X("layer:Q", title="Layer (← the way back, from error 0)").scale(nice=False).axis(format="d")
    y = alt.Y("error:Q", title="Error, as a share of the state's largest number")
    y = y.scale(type="log", domainMax=100, nice=False).axis(**POWERS)
    line = alt.Chart(alt.NamedData("apart")).mark_line().encode(x=x, y=y)
    low, high = (alt.Chart(alt.NamedData(name)).encode(y="error:Q") for name in ("rounding", "lost"))
    below = low.mark_text(align="left", baseline="top", dx=3, dy=4, color=look.MUTED, fontSize=11.5, x=0)
    above = high.mark_text(align="right", baseline="bottom", dy=-4, color=look.MUTED, fontSize=11.5, x="width")
    dot = alt.Chart(alt.NamedData("here")).encode(x="layer:Q", y="error:Q")
    return (
        low.mark_rule(strokeDash=[2, 3])
        + high.mark_rule(strokeDash=[2, 3])
        + below.encode(text="label:N")
        + above.encode(text="label:N")
        + line
        + dot.mark_point(**look.HERE)
        + dot.mark_text(align="left", dx=10, dy=-8, fontWeight=600, color=look.ACCENT).encode(text="label:N")
    )


MIRROR = Figure(
    name="reversible/mirror",
    inputs=(DEPTH, STEP, STRENGTH, ANY_FORMAT),
    compute=mirror,
    chart=mirror_chart,
    table="both",
    columns={
        "layer": "Layer",
        "there": "One number, forward",
        "back": "The same, back again",
        "error": "Error, over the state's largest number",
    },
    assumptions=(
        DRAWN,
        YOURS,
        "One random input. All layers are computed, at most 50 are drawn; where not a bit differs, nothing is drawn.",
    ),
    sources=("lecture", "revnet-paper"),
    measures_rounding=True,
)


FIGURES = (MIRROR,)
