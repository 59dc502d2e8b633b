"""Lecture 7 in pictures: what forgetting saves and costs in a model."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, HALO, here_layer, prefixed
from calc.figure.inputs import Number
from calc.figure.line_names import ends, labelled_lines
from calc.quantities.units import plain, show
from calc.reversible import activation_memory
from calc.reversible.figures.setting import TRAINED, record_bytes
from calc.reversible.figures.shared import NAMES

BYTES = prefixed("B")
DEEPEST = 1000
DEPTHS = np.unique(np.geomspace(1, DEEPEST, 91).round())
TOKENS = Number(
    name="tokens",
    label="Tokens at once",
    default=131072,
    low=128,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="All tokens whose gradients are computed together on one machine.",
)


def memory(*, trained: str, tokens: float) -> Answer:
    """Activations of one training step against depth, at the width of a model."""
    row = catalog.model(trained)
    layers, width = row.known("layers"), row.known("d_model")
    state = activation_memory.state_bytes(tokens, width)
    record = record_bytes(row, tokens)
    here = {way: plan.bytes(state, record) for way, plan in _plans(layers, state, record).items()}
    curve = {
        "layers": DEPTHS,
        **{
            way: np.broadcast_to(plan.bytes(state, record), DEPTHS.shape)
            for way, plan in _plans(DEPTHS, state, record).items()
        },
    }
    return Answer(
        finding=(
            f"{layers} layers as wide as {row.name}'s keep, gradients aside, {show(here['store'], 'B')} for the way "
            f"back, {show(here['checkpoint'], 'B')} with checkpoints on one level, "
            f"{show(here['reverse'], 'B')} if they are reversible"
        ),
        description=(
            f"Line chart, both axes logarithmic: bytes of activations against depth, 1 to {plain(DEEPEST)} layers "
            f"{plain(width, 9)} wide, for {plain(tokens, 9)} tokens at once. Storing rises in proportion to depth; "
            f"checkpoints at the best stretch of each depth rise slowly, then half as steeply as storing; running "
            f"backwards is level. The marks stand at {row.name}'s depth."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "layers", NAMES),
            "here": {
                "layers": [layers] * 3,
                "bytes": list(here.values()),
                "label": [show(size, "B") for size in here.values()],
            },
        },
        values={
            "store": Value(here["store"], "B", "Stored"),
            "checkpoint": Value(here["checkpoint"], "B", "With checkpoints"),
            "reverse": Value(here["reverse"], "B", "Run backwards"),
            "saved": Value(here["store"] / here["reverse"], "x", "Stored over run backwards, gradients aside"),
            "state": Value(state, "B", "A state"),
            "record": Value(record, "B", "A record"),
            "best": Value(
                activation_memory.whole_interval(layers, state, record), "layers", "Best stretch between checkpoints"
            ),
            "layers": Value(layers, "layers", "Layers", 9),
        },
    )


def _plans(layers: Any, state: Any, record: Any) -> dict[str, activation_memory.Plan]:
    best = activation_memory.whole_interval(layers, state, record)
    return {
        "store": activation_memory.store(layers),
        "checkpoint": activation_memory.checkpoint(layers, best),
        "reverse": activation_memory.reverse(layers, activation_memory.UNDONE),
    }


def memory_chart() -> Any:
    """A line that rises with depth, one that comes to rise half as steeply, and a level one."""
    import altair as alt

    x = alt.X("layers:Q", title="Depth (layers)").scale(type="log", domain=[1, DEEPEST], nice=False)
    x = x.axis(values=[1, 10, 100, DEEPEST], format="d")
    y = alt.Y("bytes:Q", title="Activations kept").scale(type="log").axis(**BYTES, values=DECADES)
    lines = labelled_lines(alt, NAMES, x, y)
    here = alt.Chart(alt.NamedData("here")).encode(x="layers:Q", y="bytes:Q", text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "top", "dx": 6, "dy": 8, "fontWeight": 600}
    halo = here.mark_text(**words, **HALO)
    return lines + here_layer(alt, "layers", "bytes") + halo + here.mark_text(**words, color=look.ACCENT)


MEMORY = Figure(
    name="reversible/memory",
    inputs=(TRAINED, TOKENS),
    compute=memory,
    chart=memory_chart,
    foremost=4,
    table="curve",
    columns={
        "layers": "Depth (layers)",
        "store": "Stored (B)",
        "checkpoint": "Checkpoints (B)",
        "reverse": "Run backwards (B)",
    },
    assumptions=(
        "Checkpoints are on one level, as many layers apart as is best at each depth.",
        "A record is that of the model's own layers in 16 bits: a gated feed-forward part, grouped heads, no dropout, "
        "attention scores computed again.",
        "A state is two bytes for each; the one that is run backwards has two halves of full width in four. Weights, "
        "gradients and optimiser are not counted, and nothing is split over chips.",
    ),
    sources=("lecture", "revnet-paper", "reformer-paper"),
)


FIGURES = (MEMORY,)
