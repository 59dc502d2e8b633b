"""Lecture 7 in pictures: training without what was remembered, step for step the same."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import POWERS
from calc.figure.inputs import Choice
from calc.quantities.units import show
from calc.reversible.figures.setting import FORMAT, YOURS
from calc.reversible.figures.shared import NAMES
from calc.reversible.training import Training, train

FLOORS = {"float32": 1e-9, "float64": 1e-17}  # of the axis: below a rounding of the loss
STEPS, POINTS, TRAINED_ROUNDS, TRAINED_WIDTH = 40, 32, 6, 4
WAY = Choice(
    name="way", label="Compare with", default="reverse", options={key: NAMES[key] for key in ("reverse", "checkpoint")}
)


@cache
def run(way: str, dtype: str) -> Training:
    """A short training run, the same for each way."""
    return train(way, steps=STEPS, points=POINTS, rounds=TRAINED_ROUNDS, width=TRAINED_WIDTH, dtype=dtype, every=3)


def training(*, way: str, format: str) -> Answer:
    """Two runs from the same start: one stores its activations, one does not."""
    kept, other = run("store", format), run(way, format)
    gaps = np.abs(kept.losses - other.losses)
    apart = gaps.max()
    steps = np.arange(1, STEPS + 1)
    most = f"at most {show(apart, digits=2)}" if apart else "nothing at any step"
    differ = f"differ by {show(apart, digits=2)} at most" if apart else "do not differ in a single bit"
    return Answer(
        finding=f"Over {STEPS} steps of training the losses {differ}, though one run forgets what it computed",
        description=(
            f"Logarithmic axis against the step: a line for the loss of the run that forgets, from "
            f"{show(other.losses[0])} to {show(other.losses[-1])}, and points for how far it "
            f"lies from the loss of the run that stores, {most}."
        ),
        tables={
            "loss": {"step": steps, "size": other.losses},
            "apart": {"step": steps[gaps > 0], "size": gaps[gaps > 0]},
            "names": {
                "step": [STEPS, STEPS],
                "size": [other.losses[-1], gaps[gaps > 0][-1] if apart else FLOORS[format]],
                "name": [f"Loss, {show(other.losses[-1])}", "Difference" if apart else "No difference"],
            },
            "first": {"step": [1], "size": [other.losses[0]], "name": [show(other.losses[0])]},
            "floor": {"step": [1], "size": [FLOORS[format]]},
            "both": {"step": steps, "kept": kept.losses, "other": other.losses, "apart": gaps},
        },
        values={
            "apart": Value(apart, "", "Losses apart, at most", 2),
            "first": Value(kept.losses[0], "", "Loss before the first step"),
            "last": Value(other.losses[-1], "", "Loss before the last step"),
            "right": Value(other.accuracy, "%", "Points classified correctly"),
            "peak": Value(other.last.peak_states, "states", "States held", 9),
            "stored": Value(kept.last.peak_states, "states", "States held if stored", 9),
        },
    )


def training_chart() -> Any:
    """The loss as a line, and orders of magnitude below it points where the two runs differ at all."""
    import altair as alt

    x = alt.X("step:Q", title="Step of training").scale(domain=[1, STEPS], nice=False)
    y = alt.Y("size:Q", title="Loss, and by how much the two runs differ")
    y = y.scale(type="log", domainMax=1, nice=False).axis(**POWERS)
    loss = alt.Chart(alt.NamedData("loss")).mark_line().encode(x=x, y=y)
    apart = alt.Chart(alt.NamedData("apart")).mark_point(color=look.FREE[0], size=30).encode(x=x, y=y)
    names = alt.Chart(alt.NamedData("names")).mark_text(align="left", dx=7, fontSize=12)
    first = alt.Chart(alt.NamedData("first")).mark_text(align="left", baseline="top", dx=3, dy=6, fontSize=12)
    floor = alt.Chart(alt.NamedData("floor")).mark_point(opacity=0).encode(x=x, y=y)
    said = names.encode(x=x, y=y, text="name:N") + first.encode(x=x, y=y, text="name:N")
    return floor + loss + apart + said


TRAINING = Figure(
    name="reversible/training",
    inputs=(WAY, FORMAT),
    compute=training,
    chart=training_chart,
    table="both",
    columns={"step": "Step", "kept": "Loss, stored", "other": "Loss, compared", "apart": "Apart"},
    assumptions=(
        f"Two interleaved spirals of {POINTS} points; {TRAINED_ROUNDS} layers, {TRAINED_WIDTH} numbers a half; "
        f"gradient descent with momentum from one start.",
        YOURS,
    ),
    sources=("revnet-paper",),
    measures_rounding=True,
)


FIGURES = (TRAINING,)
