"""Lecture 7 in pictures: what training remembers on its way there and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import reversible
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, guide_layer
from calc.figure.inputs import Number
from calc.quantities.units import plain, show
from calc.reversible import activation_memory, gradients
from calc.reversible.figures.setting import ANY_FORMAT, WIDTH, YOURS, drawn
from calc.reversible.figures.shared import NAMES

SAMPLES = 16
SEEN = 1e-3  # of the largest gradient, from where on the title tells by how much gradients move
BACKWARD = 2  # work of a layer's backward pass, in forward passes
ROUNDS = Number(name="rounds", label="Layers", default=16, low=2, high=24, whole=True)
EVERY = Number(
    name="every", label="Layers between checkpoints", default=4, low=1, high=24, whole=True, help="1 keeps every state."
)


def held(*, rounds: float, every: float, format: str) -> Answer:
    """One training step three ways: how many states are held while the work goes on."""
    net = drawn(int(rounds), "short", format)
    arms = np.where(np.arange(SAMPLES) % 2, 1.0, -1.0).astype(net.weights.dtype)
    readout = np.full((2, WIDTH), 1 / WIDTH, dtype=net.weights.dtype)
    state = reversible.inputs(net, SAMPLES)
    found = {way: gradients.gradients(net, readout, state, arms, way, int(every)) for way in NAMES}
    apart = {way: gradients.difference(found[way], found["store"]) for way in NAMES}
    peaks = {way: one.peak_states for way, one in found.items()}
    moved = apart["reverse"]
    coarse = f", but moves gradients by {show(moved, '%', 2)} of the largest" if moved > SEEN else ""
    larger = peaks["reverse"] - 1 + activation_memory.UNDONE
    wide = "" if format == "bfloat16" else f" ({plain(larger)} if its state is as large as four)"  # four, for 32 bits
    work = {way: one.evaluations + BACKWARD * int(rounds) for way, one in found.items()}
    return Answer(
        finding=(
            f"Storing holds {peaks['store']} states, checkpoints {peaks['checkpoint']}, running backwards "
            f"{peaks['reverse']}{wide}{coarse}"
        ),
        description=(
            f"Step lines: states held against work done in one training step of {plain(rounds, 9)} layers. Storing "
            f"climbs to {peaks['store']} at the rule where the way forward ends, and falls; checkpoints every "
            f"{show(every, 'layers', 9)} peak at {peaks['checkpoint']}; running backwards never holds more than "
            f"{peaks['reverse']}. The last two take {work['reverse']} units of work, storing {work['store']}."
        ),
        tables={
            "curve": _traces(found),
            "peaks": _peaks(found),
            "turn": {"work": [int(rounds)], "label": ["forward ends"], "row": [0], "side": ["right"]},
        },
        values={
            "store": Value(peaks["store"], "states", "Held at most, stored", 9),
            "checkpoint": Value(peaks["checkpoint"], "states", "With checkpoints", 9),
            "reverse": Value(peaks["reverse"], "states", "Run backwards", 9),
            "apart_checkpoint": Value(apart["checkpoint"], "", "Gradients moved by checkpoints", 2),
            "apart_reverse": Value(apart["reverse"], "", "Gradients moved by running backwards", 2),
            "overhead": Value(work["reverse"] / work["store"], "x", "Work, backwards over stored"),
        },
    )


def _traces(found: dict[str, gradients.Gradients]) -> dict[str, list[Any]]:
    rows = [
        (evaluations + BACKWARD * backwards, states, NAMES[way])
        for way, one in found.items()
        for evaluations, backwards, states in ((0, 0, 0), *one.trace)
    ]
    return {key: [row[place] for row in rows] for place, key in enumerate(("work", "states", "way"))}


def _peaks(found: dict[str, gradients.Gradients]) -> dict[str, list[Any]]:
    """Where each way holds most for the last time, and how many states that is."""
    rows = []
    for way, one in found.items():
        last = max(place for place, (_, _, states) in enumerate(one.trace) if states == one.peak_states)
        evaluations, backwards, states = one.trace[last]
        rows.append((evaluations + BACKWARD * backwards, states, NAMES[way], f"{NAMES[way]}: {states}"))
    return {key: [row[place] for row in rows] for place, key in enumerate(("work", "states", "way", "label"))}


def held_chart() -> Any:
    """A tent, a saw and a line near the floor, each named at its last peak, and a rule where the way back begins."""
    import altair as alt

    names = tuple(NAMES.values())
    color = alt.Color("way:N", legend=None).scale(**look.series(*names))
    x = alt.X("work:Q", title="Work done (a layer forward = 1, backward = 2)").scale(nice=False)
    y = (
        alt.Y("states:Q", title="Held for the way back (states)")
        .axis(format="d")
        .scale(domainMax=alt.expr("data('peaks')[0].states * 1.1"))
    )
    lines = alt.Chart(alt.NamedData("curve")).mark_line(interpolate="step-after").encode(x=x, y=y, color=color)
    peaks = alt.Chart(alt.NamedData("peaks")).encode(x="work:Q", y="states:Q", text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "bottom", "dx": 10, "dy": -5}
    halo = peaks.mark_text(**words, **HALO)
    return guide_layer(alt, "work", "turn") + lines + halo + peaks.mark_text(**words).encode(color=color)


HELD = Figure(
    name="reversible/held",
    inputs=(ROUNDS, EVERY, ANY_FORMAT),
    compute=held,
    chart=held_chart,
    table="curve",
    columns={"way": "Way", "work": "Work done", "states": "States held"},
    assumptions=(
        "Counted while three real backward passes run: a network of tanh layers, eight numbers a half, short steps, 16 "
        "samples.",
        "A layer's backward pass is drawn as two forward ones. A record is as large as a state here, and records and "
        "states are counted apart; the state that passes through is not counted.",
        "Gradients are compared kind by kind: those of weights, of biases, of the readout. In 16 bits only the way "
        "forward is; slopes are multiplied in 32.",
        YOURS,
    ),
    sources=("lecture", "revnet-paper"),
    measures_rounding=True,
)


FIGURES = (HELD,)
