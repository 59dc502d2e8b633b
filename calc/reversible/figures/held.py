"""Lecture 7 in pictures: what training remembers on its way there and back."""

from __future__ import annotations

from dataclasses import replace
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
LATE = 0.7  # of all work, from where on a peak's label stands to its left
BACKWARD = 2  # work of a layer's backward pass, in forward passes
ROUNDS = Number(name="rounds", label="Layers", default=16, low=2, high=24, whole=True)
EVERY = Number(
    name="every", label="Layers between checkpoints", default=4, low=1, high=24, whole=True, help="1 keeps every state."
)
FORMAT = replace(ANY_FORMAT, default="mixed")
HALVES = 2  # of a reversible state, each as wide as an ordinary one


def held(*, rounds: float, every: float, format: str) -> Answer:
    """One training step three ways: how many ordinary states' bytes are held while the work goes on."""
    net = drawn(int(rounds), "short", format)
    arms = np.where(np.arange(SAMPLES) % 2, 1.0, -1.0).astype(net.weights.dtype)
    readout = np.full((2, WIDTH), 1 / WIDTH, dtype=net.weights.dtype)
    state = reversible.inputs(net, SAMPLES)
    found = {way: gradients.gradients(net, readout, state, arms, way, int(every)) for way in NAMES}
    apart = {way: gradients.difference(found[way], found["store"]) for way in NAMES}
    undone = int(activation_memory.UNDONE) if format == "mixed" else HALVES
    traces = {way: _trace(one, way, undone) for way, one in found.items()}
    peaks = {way: max(states for _, states in trace) for way, trace in traces.items()}
    moved = apart["reverse"]
    coarse = f", but moves gradients by {show(moved, '%', 2)} of the largest" if moved > SEEN else ""
    work = {way: one.evaluations + BACKWARD * int(rounds) for way, one in found.items()}
    return Answer(
        finding=(
            f"Storing holds {peaks['store']} ordinary states, checkpoints {peaks['checkpoint']}, running backwards "
            f"{peaks['reverse']}{coarse}"
        ),
        description=(
            f"Step lines: bytes held, in ordinary states, against work done in one training step of "
            f"{plain(rounds, 9)} layers. Storing climbs to {peaks['store']} at the rule where the way forward ends, "
            f"and falls; checkpoints every "
            f"{show(every, 'layers', 9)} peak at {peaks['checkpoint']}; running backwards never holds more than "
            f"{peaks['reverse']}. The last two take {work['reverse']} units of work, storing {work['store']}."
        ),
        tables={
            "curve": _curve(traces),
            "peaks": _peaks(traces),
            "turn": {"work": [int(rounds)], "label": ["forward ends"], "row": [0], "side": ["right"]},
        },
        values={
            "store": Value(peaks["store"], "states", "Held at most, stored", 9),
            "checkpoint": Value(peaks["checkpoint"], "states", "With checkpoints", 9),
            "reverse": Value(peaks["reverse"], "states", "Run backwards", 9),
            "apart_checkpoint": Value(apart["checkpoint"], "", "Gradients off those of storing, checkpoints", 2),
            "apart_reverse": Value(apart["reverse"], "", "Gradients off those of storing, backwards", 2),
            "overhead": Value(work["reverse"] / work["store"], "x", "Work, backwards over stored"),
        },
    )


def _trace(one: gradients.Gradients, way: str, undone: int) -> list[tuple[int, int]]:
    """Work done and ordinary states held, step by step: a record is one, a state to undo as many as it takes."""
    larger = undone - 1 if way == "reverse" else 0
    seen = ((0, 0, 0), *one.trace)
    return [(evaluations + BACKWARD * backwards, kept and kept + larger) for evaluations, backwards, kept in seen]


def _curve(traces: dict[str, list[tuple[int, int]]]) -> dict[str, list[Any]]:
    rows = [(*each, NAMES[way]) for way, trace in traces.items() for each in trace]
    return {key: [row[place] for row in rows] for place, key in enumerate(("work", "states", "way"))}


def _peaks(traces: dict[str, list[tuple[int, int]]]) -> dict[str, list[Any]]:
    """Where each way holds most for the last time, and how many states that is."""
    rows = []
    end = max(work for trace in traces.values() for work, _ in trace)
    for way, trace in traces.items():
        states, work = max((states, work) for work, states in trace)
        rows.append((work, states, NAMES[way], f"{NAMES[way]}: {states}", "right" if work > LATE * end else "left"))
    return {key: [row[place] for row in rows] for place, key in enumerate(("work", "states", "way", "label", "side"))}


def held_chart() -> Any:
    """A tent, a saw and a line near the floor, each named at its last peak, and a rule where the way back begins."""
    import altair as alt

    names = tuple(NAMES.values())
    color = alt.Color("way:N", legend=None).scale(**look.series(*names))
    x = alt.X("work:Q", title="Work done (a layer forward = 1, backward = 2)").scale(nice=False)
    tops = ", ".join(f"data('peaks')[{place}].states" for place in range(len(names)))
    y = (
        alt.Y("states:Q", title="Held for the way back (ordinary states)")
        .axis(format="d")
        .scale(domainMax=alt.expr(f"1.1 * max({tops})"))
    )
    lines = alt.Chart(alt.NamedData("curve")).mark_line(interpolate="step-after").encode(x=x, y=y, color=color)
    peaks = alt.Chart(alt.NamedData("peaks")).encode(x="work:Q", y="states:Q", text="label:N")
    words: dict[str, Any] = {"align": alt.expr("datum.side"), "baseline": "bottom", "dy": -5}
    words["dx"] = alt.expr("datum.side == 'left' ? 10 : 0")
    halo = peaks.mark_text(**words, **HALO)
    return guide_layer(alt, "work", "turn") + lines + halo + peaks.mark_text(**words).encode(color=color)


HELD = Figure(
    name="reversible/held",
    inputs=(ROUNDS, EVERY, FORMAT),
    compute=held,
    chart=held_chart,
    table="curve",
    columns={"way": "Way", "work": "Work done", "states": "Ordinary states held"},
    assumptions=(
        "Counted while three real backward passes run: a network of tanh layers, eight numbers a half, short steps, 16 "
        "samples.",
        "A layer's backward pass is drawn as two forward ones. A record is as large as an ordinary state here. Both "
        "are counted apart; the state that passes through is not counted.",
        "An ordinary state has numbers of the format that a layer computes with. One to undo has two halves, each as "
        "wide: two ordinary states, or four with states in 32 bits beside 16.",
        "Gradients are compared kind by kind: those of weights, of biases, of the readout. In 16 bits only the way "
        "forward is; slopes are multiplied in 32.",
        YOURS,
    ),
    sources=("lecture", "revnet-paper"),
    measures_rounding=True,
)


FIGURES = (HELD,)
