"""Lecture 5 in pictures: where the bytes of training go, drawn into the memory of one chip."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.boxes import boxes_chart, pieces, sides, table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice, Number
from calc.figure.named import present
from calc.figure.scenario import CONTEXT
from calc.overtraining import training_run
from calc.overtraining.figures.setting import TRAINING_SYSTEM
from calc.quantities.arithmetic import whole_up
from calc.quantities.units import plain, show

PARTS = WEIGHTS, GRADIENTS, OPTIMISER, ACTIVATIONS, FREE = (
    "Weights",
    "Gradients",
    "Optimiser",
    "Activations",
    "Free",
)
BOXES, COLUMNS, MOST_BOXES = 100, 20, 140
GAP = 0.08
SHADES = {True: 1.0, False: 0.5}  # within the memory of the chip, and beyond it
HEAD_WIDTH = 128
STAGES = {
    "nothing": "Nothing",
    "optimiser": "The optimiser",
    "gradients": "Optimiser, gradients",
    "everything": "Everything",
}
KEPT = {"everything": "Everything", "linear": "All but attention", "inputs": "Inputs of layers"}

MODEL_PARAMS = Number(
    name="params",
    label="All parameters",
    default=8e9,
    low=1e5,
    high=1e14,
    unit="parameters",
    log=True,
    help="Every parameter has a state, whether a token uses it or not.",
)
REPLICAS = Number(
    name="replicas",
    label="Chips that share the state",
    default=1,
    low=1,
    high=1e6,
    unit="chips",
    log=True,
    whole=True,
    help="Each trains the same model on other data.",
)
SHARDED = Choice(
    name="sharded",
    label="What they share",
    default="everything",
    options=STAGES,
    help="The rest is held by every chip.",
)
ALONE = "One chip shares with nobody: the choice of what is shared matters from two on."
SEQUENCES = Number(
    name="sequences",
    label="Sequences on a chip",
    default=1,
    low=1,
    high=10000,
    unit="sequences",
    log=True,
    whole=True,
    help="At once, each as long as the context.",
)
REMEMBERED = Choice(
    name="kept",
    label="Activations kept",
    default="linear",
    options=KEPT,
    help="What is not kept is computed again on the way back.",
)


def memory(
    *, system: str, context: float, params: float, replicas: float, sharded: str, sequences: float, kept: str
) -> Answer:
    """Weights, gradients, optimiser and activations on one chip."""
    chip = catalog.system(system).chip
    parts = state(params, replicas, sharded) | {ACTIVATIONS: activations(params, sequences, context, kept)}
    needed = sum(parts.values())
    capacity = chip.hbm_bytes
    largest = [_article(name) for name, size in parts.items() if np.isclose(size, max(parts.values()))]
    parts_are = "part is" if len(largest) == 1 else "parts are"
    listed = ", ".join(f"{name.lower()} {show(size, 'B')}" for name, size in parts.items())
    fill = needed / capacity
    box = max(capacity / BOXES, needed / MOST_BOXES)
    finding = f"Training {show(params, 'parameters')} puts {show(needed, 'B')} on each chip"
    room = f"{show(fill, '%')} of its memory" if fill <= 1 else f"{show(fill, 'x')} what {chip.name} has"
    poured = _poured(parts, capacity, box)
    return Answer(
        finding=f"{finding}, {room}; the largest {parts_are} {' and '.join(largest)}",
        description=(
            f"Drawing of the memory of one {chip.name}, {show(capacity, 'B')}, as boxes filled one after the "
            f"other: {listed}; "
            + (f"{show(capacity - needed, 'B')} are free." if fill <= 1 else "boxes beyond the memory are faint.")
        ),
        tables={
            "key": present(poured["part"]),
            "boxes": table(sides(_place(cell), GAP) for cell in range(_framed(capacity, box))),
            "poured": poured,
            "parts": {
                "part": [*parts, FREE],
                "bytes": [*parts.values(), max(0.0, capacity - needed)],
                "share": [size / capacity for size in parts.values()] + [max(0.0, 1 - fill)],
            },
        },
        values={
            **{name.lower(): Value(size, "B", name) for name, size in parts.items()},
            "needed": Value(needed, "B", "On each chip"),
            "filled": Value(fill, "%", "of its memory"),
            "state": Value(training_run.model_state_bytes(params), "B", "State of the whole model"),
            "chips": Value(
                max(1.0, float(whole_up(training_run.model_state_bytes(params) / capacity))),
                "",
                "Chips to hold the state",
                9,
            ),
            "logits": Value(logits(sequences * context), "B", "Logits, on top if the loss is taken whole"),
            "largest": Value(training_run.largest_trainable(capacity), "parameters", "Most on a chip alone", 2),
        },
        notes=[*_notes(box, fill, params), *[ALONE] * (replicas == 1 and sharded != SHARDED.default)],
    )


def state(params: float, replicas: float, sharded: str) -> dict[str, float]:
    """Bytes of weights, gradients and optimiser on one of the chips."""
    order = ("nothing", "optimiser", "gradients", "everything")
    held = [training_run.sharded_state_bytes(params, replicas, stage) for stage in order]
    full = (training_run.OPTIMISER_BYTES, training_run.GRADIENT_BYTES, training_run.WEIGHT_BYTES)
    saved = [before - after for before, after in pairwise(held[: order.index(sharded) + 1])]
    optimiser, gradients, weights = (
        params * each - (saved[place] if place < len(saved) else 0.0) for place, each in enumerate(full)
    )
    return {WEIGHTS: weights, GRADIENTS: gradients, OPTIMISER: optimiser}


def activations(params: float, sequences: float, context: float, kept: str) -> float:
    """Bytes of activations of a transformer of the usual shape."""
    shape = training_run.usual_shape(params)
    heads = max(1.0, round(float(shape.width) / HEAD_WIDTH))
    layers = max(1.0, round(float(shape.layers)))
    return float(
        training_run.activation_bytes(sequences * context, shape.width, layers, context=context, heads=heads, kept=kept)
    )


def logits(tokens: float) -> float:
    """Bytes of the logits of a loss taken whole, with a vocabulary as large as that of Llama 3."""
    return float(training_run.logit_bytes(tokens, catalog.model("llama-3-8b").known("vocabulary")))


def _article(part: str) -> str:
    return "optimiser state" if part == OPTIMISER else part.lower()


def _notes(box: float, fill: float, params: float) -> list[str]:
    shape = training_run.usual_shape(params)
    layers = max(1, round(float(shape.layers)))
    notes = [
        f"Activations are those of a transformer of the usual shape: {show(layers, 'layers')} "
        f"of width {plain(shape.width)}."
    ]
    size = f"A box is {show(box, 'B')}"
    return [f"{size}; the framed ones are the chip's memory." if fill > 1 else f"{size} of the chip's memory.", *notes]


def _place(cell: int) -> tuple[int, int]:
    row, column = divmod(cell, COLUMNS)
    return column, row


def _poured(parts: dict[str, float], capacity: float, box: float) -> dict[str, list[Any]]:
    """The space that each part fills, beyond the memory of the chip in a paler shade."""
    sizes = parts | {FREE: max(0.0, capacity - sum(parts.values()))}
    names = list(sizes)
    return table(
        {"part": names[part], "shade": SHADES[cell < _framed(capacity, box)]} | sides(_place(cell), GAP, left, right)
        for part, cell, left, right in pieces(np.cumsum([size / box for size in sizes.values()]))
    )


def _framed(capacity: float, box: float) -> int:
    return max(1, round(capacity / box))


def memory_chart() -> Any:
    """Boxes of memory, filled from the upper left; those of the chip are framed."""
    import altair as alt

    colours = [look.WEIGHTS, *look.FREE, look.GRID]
    x = alt.X("x:Q", title=None).scale(nice=False, zero=False, domain=[0, COLUMNS])
    return boxes_chart(alt, dict(zip(PARTS, colours, strict=True)), x, stroke=look.INK, strokeWidth=1.2)


MEMORY = Figure(
    name="overtraining/memory",
    inputs=(TRAINING_SYSTEM, CONTEXT, MODEL_PARAMS, REPLICAS, SHARDED, SEQUENCES, REMEMBERED),
    compute=memory,
    chart=memory_chart,
    foremost=6,
    table="parts",
    columns={"part": "Part", "bytes": "Bytes", "share": "Of the chip's memory"},
    assumptions=(
        "Adam in mixed precision: 2 bytes a parameter for weights, 2 for gradients, 12 for the optimiser "
        "(Rajbhandari et al., 2020). Activations in 16 bits (Korthikanti et al., 2022).",
        "Every chip holds all layers for its own sequences, and takes the loss in pieces; taken whole, it holds 14 "
        "bytes for each token and entry of the vocabulary (here Llama 3's).",
        "Buffers, fragments and communication are not counted.",
    ),
    sources=("lecture", "cut-cross-entropy", "aiconfigurator", "inferencex"),
)

FIGURES = (MEMORY,)
