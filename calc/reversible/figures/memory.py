"""Lecture 7 in pictures: what training remembers, what forgetting costs, and that the gradients are the same."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import catalog, reversible
from calc.figure import look
from calc.figure.declared import Answer, Choice, Figure, Number, Value
from calc.figure.guides import DECADES, POWERS, ends, here_layer, labelled_lines, prefixed
from calc.figure.scenario import MODEL
from calc.overtraining import training_run
from calc.quantities.units import plain, show
from calc.reversible import activation_memory, gradients
from calc.reversible.figures.setting import FORMAT, WIDTH, YOURS, drawn
from calc.reversible.training import Training, train

NAMES = {"store": "Store", "checkpoint": "Checkpoints", "reverse": "Backwards"}
SAMPLES = 16
BACKWARD = 2  # work of a layer's backward pass, in forward passes
BYTES = prefixed("B")
DEPTHS: Any = np.arange(1, 201)
FLOOR = 1e-17  # of the figure of training: below a rounding of 64 bits
STEPS, POINTS, TRAINED_ROUNDS, TRAINED_WIDTH = 40, 32, 6, 4

ROUNDS = Number(name="rounds", label="Layers", default=16, low=2, high=24, whole=True)
EVERY = Number(
    name="every", label="Layers between checkpoints", default=4, low=1, high=24, whole=True, help="1 keeps every state."
)
STRETCH = Number(name="stretch", label="Layers between checkpoints", default=2, low=1, high=200, log=True, whole=True)
TOKENS = Number(
    name="tokens",
    label="Tokens at once",
    default=8192,
    low=128,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="All tokens whose gradients are computed together on one machine.",
)
WAY = Choice(
    name="way", label="Compare with", default="reverse", options={key: NAMES[key] for key in ("reverse", "checkpoint")}
)


def held(*, rounds: float, every: float, format: str) -> Answer:
    """One training step three ways: how many states are held while the work goes on."""
    net = drawn(int(rounds), "short", format)
    arms = np.where(np.arange(SAMPLES) % 2, 1.0, -1.0).astype(format)
    readout = np.full((2, WIDTH), 1 / WIDTH, dtype=format)
    state = reversible.inputs(net, SAMPLES)
    found = {way: gradients.gradients(net, readout, state, arms, way, int(every)) for way in NAMES}
    apart = {way: gradients.difference(found[way], found["store"]) for way in NAMES}
    peaks = {way: one.peak_states for way, one in found.items()}
    work = {way: one.evaluations + BACKWARD * int(rounds) for way, one in found.items()}
    return Answer(
        finding=(
            f"{plain(rounds, 9)} layers hold {peaks['store']} states, {peaks['checkpoint']} with checkpoints or "
            f"{peaks['reverse']} backwards; gradients are {show(apart['reverse'], digits=2)} of the largest apart"
        ),
        description=(
            f"Step lines: states held against work done in one training step of {plain(rounds, 9)} layers. Storing "
            f"climbs to {peaks['store']} and falls; checkpoints every {plain(every, 9)} layers peak at "
            f"{peaks['checkpoint']}; running backwards never holds more than {peaks['reverse']}. The last two take "
            f"{work['reverse']} units of work, storing {work['store']}."
        ),
        tables={"curve": _traces(found), "peaks": _peaks(found)},
        values={
            "store": Value(peaks["store"], "states", "Held at most, stored", 9),
            "checkpoint": Value(peaks["checkpoint"], "states", "With checkpoints", 9),
            "reverse": Value(peaks["reverse"], "states", "Run backwards", 9),
            "apart_checkpoint": Value(apart["checkpoint"], "", "Gradients apart, of the largest: checkpoints", 2),
            "apart_reverse": Value(apart["reverse"], "", "Backwards", 2),
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
    """A tent, a saw and a line near the floor, each named at its last peak."""
    import altair as alt

    names = tuple(NAMES.values())
    color = alt.Color("way:N", legend=None).scale(**look.series(*names))
    x = alt.X("work:Q", title="Work done (forward passes of a layer)").scale(nice=False)
    y = alt.Y("states:Q", title="States held").axis(format="d")
    lines = alt.Chart(alt.NamedData("curve")).mark_line(interpolate="step-after").encode(x=x, y=y, color=color)
    peaks = alt.Chart(alt.NamedData("peaks")).encode(x="work:Q", y="states:Q", text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 9}
    halo = peaks.mark_text(**words, stroke=look.GROUND, strokeWidth=4, strokeJoin="round")
    return lines + halo + peaks.mark_text(**words).encode(color=color)


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
                "size": [other.losses[-1], gaps[gaps > 0][-1] if apart else FLOOR],
                "name": ["Loss", "Difference" if apart else "No difference"],
            },
            "both": {"step": steps, "kept": kept.losses, "other": other.losses, "apart": gaps},
        },
        values={
            "apart": Value(apart, "", "Losses apart, at most", 2),
            "first": Value(kept.losses[0], "", "Loss before the first step"),
            "last": Value(other.losses[-1], "", "Loss before the last step"),
            "right": Value(other.accuracy, "%", "Points told apart"),
            "peak": Value(other.last.peak_states, "states", "States held", 9),
            "stored": Value(kept.last.peak_states, "states", "States held if stored", 9),
        },
    )


def training_chart() -> Any:
    """The loss as a line, and orders of magnitude below it points where the two runs differ at all."""
    import altair as alt

    x = alt.X("step:Q", title="Step of training").scale(domain=[1, STEPS], nice=False)
    y = alt.Y("size:Q", title="Loss, and the difference of the two runs")
    y = y.scale(type="log", domain=[FLOOR, 1], nice=False).axis(**POWERS)
    loss = alt.Chart(alt.NamedData("loss")).mark_line().encode(x=x, y=y)
    apart = alt.Chart(alt.NamedData("apart")).mark_point(color=look.FREE[0], size=30).encode(x=x, y=y)
    names = alt.Chart(alt.NamedData("names")).mark_text(align="left", dx=7, fontSize=12)
    return loss + apart + names.encode(x=x, y=y, text="name:N")


def memory(*, model: str, tokens: float, stretch: float) -> Answer:
    """Activations of one training step against depth, at the width of the reader's model."""
    row: Any = catalog.model(model)
    state = activation_memory.state_bytes(tokens, row.d_model)
    record = training_run.record_bytes(tokens, row.d_model)
    curves = {way: plan.bytes(state, record) for way, plan in _plans(DEPTHS, stretch).items()}
    here = {way: plan.bytes(state, record) for way, plan in _plans(row.layers, stretch).items()}
    best = activation_memory.best_interval(row.layers, state, record)
    curve = {
        "layers": DEPTHS[::4],
        **{way: np.broadcast_to(curve, DEPTHS.shape)[::4] for way, curve in curves.items()},
    }
    return Answer(
        finding=(
            f"{row.layers} layers as wide as {row.name}'s keep {show(here['store'], 'B')} for the way back, "
            f"{show(here['checkpoint'], 'B')} with checkpoints, {show(here['reverse'], 'B')} if they are reversible"
        ),
        description=(
            f"Line chart: bytes of activations against depth, 1 to 200 layers {plain(row.d_model, 9)} wide, for "
            f"{plain(tokens, 9)} tokens at once; logarithmic. Storing rises in proportion to depth; so do checkpoints "
            f"up to a stretch of {plain(stretch, 9)} layers, and slowly after it; running backwards is level. "
            f"The marks stand at {row.name}'s depth."
        ),
        tables={
            "curve": curve,
            "ends": ends(curve, "layers", NAMES),
            "here": {
                "layers": [row.layers] * 3,
                "bytes": list(here.values()),
                "label": [show(size, "B") for size in here.values()],
            },
        },
        values={
            "store": Value(here["store"], "B", "Stored"),
            "checkpoint": Value(here["checkpoint"], "B", "With checkpoints"),
            "reverse": Value(here["reverse"], "B", "Run backwards"),
            "saved": Value(here["store"] / here["reverse"], "x", "Stored over run backwards"),
            "state": Value(state, "B", "A state"),
            "record": Value(record, "B", "A record"),
            "best": Value(best, "layers", "Best stretch between checkpoints", 2),
            "layers": Value(row.layers, "layers", "Layers", 9),
        },
        notes=[f"{row.name} routes tokens to experts; its records differ from those of the dense layer counted here."]
        if row.routed_experts
        else [],
    )


def _plans(layers: Any, stretch: float) -> dict[str, activation_memory.Plan]:
    return {
        "store": activation_memory.store(layers),
        "checkpoint": activation_memory.checkpoint(layers, stretch),
        "reverse": activation_memory.reverse(layers),
    }


def memory_chart() -> Any:
    """A line that rises with depth, one that does so up to a stretch and then slowly, and a level one."""
    import altair as alt

    x = alt.X("layers:Q", title="Depth (layers)").scale(domain=[0, 200], nice=False)
    y = alt.Y("bytes:Q", title="Activations kept").scale(type="log").axis(**BYTES, values=DECADES)
    lines = labelled_lines(alt, NAMES, x, y)
    here = alt.Chart(alt.NamedData("here")).encode(x="layers:Q", y="bytes:Q", text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "top", "dx": 6, "dy": 8, "fontWeight": 600}
    halo = here.mark_text(**words, stroke=look.GROUND, strokeWidth=4, strokeJoin="round")
    return lines + here_layer(alt, "layers", "bytes") + halo + here.mark_text(**words, color=look.ACCENT)


HELD = Figure(
    name="reversible/held",
    inputs=(ROUNDS, EVERY, FORMAT),
    compute=held,
    chart=held_chart,
    table="curve",
    columns={"way": "Way", "work": "Work done", "states": "States held"},
    assumptions=(
        "Counted while three real backward passes run: a network of tanh layers, eight numbers a half, 16 samples.",
        "A layer's backward pass is drawn as two forward ones. A record is as large as a state here.",
        "Gradients are compared kind by kind: those of weights, of biases, of the readout.",
        YOURS,
    ),
    sources=("lecture", "revnet-paper"),
    measures_rounding=True,
)
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
MEMORY = Figure(
    name="reversible/memory",
    inputs=(MODEL, TOKENS, STRETCH),
    compute=memory,
    chart=memory_chart,
    table="curve",
    columns={
        "layers": "Depth (layers)",
        "store": "Stored (B)",
        "checkpoint": "Checkpoints (B)",
        "reverse": "Run backwards (B)",
    },
    assumptions=(
        "A record is 34 bytes for each token and unit of width, the published count for a dense layer in 16 bits "
        "whose attention scores are computed again.",
        "A state is two bytes for each; the halves of a reversible layer share the width. Weights and optimiser are "
        "not counted, and nothing is split over chips.",
    ),
    sources=("lecture", "revnet-paper", "reformer-paper"),
)

FIGURES = (HELD, TRAINING, MEMORY)
