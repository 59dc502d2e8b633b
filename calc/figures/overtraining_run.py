"""Lecture 5 in pictures: the reader's own run, from a small policy that learns in simulation to a frontier model."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching, catalog, overtraining, reinforcement, training_run
from calc.figures import look
from calc.figures.guides import guide_layer, guides
from calc.figures.overtraining_setting import COUNTED, GUESSED_PARAMS, GUESSED_TOKENS, training_chip
from calc.figures.scenario import SYSTEM
from calc.live import Answer, Choice, Figure, Number, Value
from calc.units import plain, show

PARTS = {"simulating": "World", "acting": "Acting", "learning": "Learning"}
SAID = {"simulating": "the world", "acting": "acting", "learning": "learning"}
SIZES: Any = np.logspace(6, 14, 81)
TICKS = {1e-3: "1 ms", 1.0: "1 s", 60.0: "1 min", 3600.0: "1 h", 86400.0: "1 day", 2.63e6: "1 month", 3.156e7: "1 year"}
TICKS |= {3.156e9: "100 years", 3.156e11: "10,000 years", 3.156e14: "10M years"}
KINDS = {"reinforcement": "Reinforcement", "pretraining": "Pre-training"}
POLICY = {"params": 10e6, "samples": 1e9, "epochs": 5.0}
LADDER = ("llama-3-8b", "llama-3-70b", "deepseek-v3", "llama-3-405b")
GUESS, YOURS = "Lecture's guess", "Your run"
DAY, YEAR = 24.0, 8766.0
HOURS = "datum.label == '' || datum.value >= 1 ? datum.label : format(datum.value, '~g')"  # 0.01, not 10m

SIZE = Number(
    name="params",
    label="Parameters",
    default=POLICY["params"],
    low=1e4,
    high=1e14,
    unit="parameters",
    log=True,
    help="Of the policy; a small network for a robot has ten million.",
)
SAMPLES = Number(
    name="samples",
    label="Experience",
    default=POLICY["samples"],
    low=1e3,
    high=1e17,
    unit="samples",
    log=True,
    help="Steps of all environments together; for a language model, generated tokens.",
)
ENVIRONMENTS = Number(
    name="environments",
    label="Environments",
    default=4096,
    low=1,
    high=1e8,
    log=True,
    whole=True,
    help="Worlds that run side by side; for a language model, sequences.",
)
PACE = Number(
    name="pace",
    label="Pace of each",
    default=50,
    low=0.01,
    high=1e6,
    unit="steps/s",
    log=True,
    help="Steps that one environment takes in a second.",
)
EPOCHS = Number(
    name="epochs",
    label="Learned from",
    default=POLICY["epochs"],
    low=0.01,
    high=1000,
    unit="times",
    log=True,
    help="How often each sample is learned from.",
)
MINIBATCH = Number(
    name="minibatch",
    label="Samples per update",
    default=24576,
    low=1,
    high=1e9,
    unit="samples",
    log=True,
    whole=True,
    help="Learned from together.",
)
CHIPS = Number(
    name="chips",
    label="Chips",
    default=1,
    low=1,
    high=1e7,
    unit="chips",
    log=True,
    whole=True,
    help="They share weights and work, and talk for nothing.",
)
ON_CHIP = Number(
    name="cache",
    label="Memory beside the multipliers",
    default=50,
    low=0,
    high=10000,
    unit="MB",
    help="On each chip. The default is an assumption of this course, of the right order for a large GPU.",
)
KIND = Choice(
    name="kind",
    label="Your run",
    default="reinforcement",
    options=KINDS,
    help="Reinforcement acts once on each sample and then learns from it.",
)
REPEATS = Number(
    name="epochs",
    label="Learned from",
    default=POLICY["epochs"],
    low=0.01,
    high=1000,
    unit="times",
    log=True,
    help="How often each sample is learned from; pre-training here learns once.",
)
UTILISATION = Number(
    name="utilisation",
    label="Multipliers busy",
    default=30,
    low=0.01,
    high=100,
    unit="%",
    help="Of the 16-bit rate. Large published runs lie between a fifth and two fifths.",
)


def run(
    *,
    system: str,
    params: float,
    samples: float,
    environments: float,
    pace: float,
    epochs: float,
    minibatch: float,
    chips: float,
    cache: float,
) -> Answer:
    """World, acting and learning against the size of the policy."""
    chip, flops = training_chip(system)
    machine = {"flops": chips * flops, "bandwidth": chips * chip.hbm_bandwidth, "on_chip_bytes": chips * cache * 1e6}
    world = {"environments": environments, "steps_per_second": pace, "minibatch": minibatch, "epochs": epochs}
    curve: Any = reinforcement.reinforcement_time(SIZES, samples, **world, **machine)
    here: Any = reinforcement.reinforcement_time(params, samples, **world, **machine)
    longest = max(PARTS, key=lambda part: float(getattr(here, part)))
    share = float(getattr(here, longest)) / float(here.serial)
    wall = float(reinforcement.params_on_chip(max(machine["on_chip_bytes"], 1.0)))
    full = float(training_run.largest_trainable(chips * chip.hbm_bytes))
    acting = float(batching.hardware_ratio(flops, chip.hbm_bandwidth, training_run.WEIGHT_BYTES))
    learning = float(reinforcement.balanced_minibatch(flops, chip.hbm_bandwidth))
    return Answer(
        finding=(
            f"A policy of {show(params, 'parameters')} takes at least {show(here.serial, 's')} if it acts and learns "
            f"by turns; {SAID[longest]} is {show(share, '%')} of it"
        ),
        description=(
            f"Line chart, both axes logarithmic: time of a run against the parameters of the policy, on "
            f"{plain(chips, 9)} × {chip.name}. The world takes {show(here.simulating, 's')} whatever the size; acting "
            f"and learning rise with it, and at {show(params, 'parameters')} take {show(here.acting, 's')} and "
            f"{show(here.learning, 's')}. Rules mark where the weights leave the chip, and where their state fills "
            f"its memory."
        ),
        tables={
            "curve": {
                "params": SIZES,
                "simulating": np.full_like(SIZES, curve.simulating),
                "acting": curve.acting,
                "learning": curve.learning,
            },
            "here": {"params": [params], "seconds": [here.serial]},
            "guides": guides("params", {"leaves the chip": wall, "fills memory": full}, 1e6, 1e14),
        },
        values={
            "serial": Value(here.serial, "s", "One after the other, at least"),
            "bound": Value(here.bound, "s", "All at once, at least"),
            "simulating": Value(here.simulating, "s", "World"),
            "acting": Value(here.acting, "s", "Acting"),
            "learning": Value(here.learning, "s", "Learning"),
            "operations": Value(
                float(reinforcement.reinforcement_operations(params, samples, epochs)), "operations", "Operations"
            ),
            "state": Value(float(training_run.state_bytes(params)), "B", "State in memory"),
            "wall": Value(wall, "parameters", "Stay beside the multipliers"),
            "full": Value(full, "parameters", "Fill the memory"),
            "acting_batch": Value(acting, "environments", "Balanced batch, acting"),
            "learning_batch": Value(learning, "samples", "Balanced batch, learning"),
        },
        notes=_walls(params, environments, minibatch, wall, full, acting, learning),
    )


def _walls(
    params: float, environments: float, minibatch: float, wall: float, full: float, acting: float, learning: float
) -> list[str]:
    notes = []
    if params > full:
        notes.append("The state of this policy does not fit in the memory; the times are those of chips that hold it.")
    if params > wall and environments < acting:
        notes.append("Memory wall in acting: reading the weights takes longer than multiplying for so few.")
    if minibatch < learning:
        notes.append("Memory wall in learning: moving the state takes longer than learning from so few samples.")
    return notes


def run_chart() -> Any:
    """A level line and two that rise, with a bend where the weights leave the chip."""
    import altair as alt

    names = tuple(PARTS.values())
    labels = "".join(f"datum.value == {value!r} ? '{label}' : " for value, label in TICKS.items()) + "''"
    lines = (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(PARTS), as_=["key", "seconds"])
        .transform_calculate(part=look.naming("key", PARTS))
        .mark_line()
        .encode(
            x=alt.X("params:Q", title="Parameters of the policy").scale(type="log", nice=False).axis(**COUNTED),
            y=alt.Y("seconds:Q", title="Time, at least")
            .scale(type="log", nice=False)
            .axis(values=list(TICKS), tickCount=40, labelExpr=labels, labelOverlap=False),
            color=alt.Color("part:N", title=None).legend(columns=3).scale(**look.series(*names)),
            strokeDash=alt.StrokeDash("part:N", title=None).legend(columns=3).scale(**look.dashes(*names)),
        )
    )
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE, clip=True).encode(x="params:Q", y="seconds:Q")
    return guide_layer(alt, "params") + lines + here


def runs(*, system: str, kind: str, params: float, samples: float, epochs: float, utilisation: float) -> Answer:
    """Chip-hours and bytes of runs of every size, the reader's among them."""
    chip, flops = training_chip(system)
    busy = utilisation / 100
    rows = ladder()
    yours = (
        float(reinforcement.reinforcement_operations(params, samples, epochs))
        if kind == "reinforcement"
        else float(overtraining.training_operations(params, samples))
    )
    rows = [(YOURS, yours, params), *rows]
    hours = [float(training_run.chip_hours(operations, flops, busy)) for _, operations, _ in rows]
    states = [float(training_run.state_bytes(held)) for _, _, held in rows]
    here, memory = hours[0], states[0]
    fits = max(1.0, float(np.ceil(memory / chip.hbm_bytes)))
    taken = show(here, "chip-hours") if here >= 0.1 else f"{show(here * 3600, 's')} of one chip"
    return Answer(
        finding=f"Your run takes {taken}, and its state {show(memory, 'B')}: {_holders(fits)}",
        description=(
            f"Dot chart with one row for each of {len(rows)} runs, from {rows[1][0].lower()} to the lecture's guess of "
            f"a frontier model: chip-hours of {chip.name} on a logarithmic axis, from {show(min(hours), 'chip-hours')} "
            f"to {show(max(hours), 'chip-hours')}, with the bytes of weights, gradients and optimiser beside each."
        ),
        tables={
            "runs": {
                "run": [name for name, _, _ in rows],
                "hours": hours,
                "operations": [operations for _, operations, _ in rows],
                "state": states,
                "label": [show(size, "B", 2) for size in states],
                "mine": [name == YOURS for name, _, _ in rows],
            },
            "guides": guides("hours", {"a day": DAY, "a year": YEAR, "1,000 years": 1000 * YEAR}, 1e-9, 1e15),
        },
        values={
            "operations": Value(yours, "operations", "Operations"),
            "hours": Value(here, "chip-hours", "Chip-hours"),
            "alone": Value(here * 3600, "s", "On one chip"),
            "state": Value(memory, "B", "State"),
            "chips": Value(fits, "", "Chips that hold the state", 9),
            "largest": Value(float(training_run.largest_trainable(chip.hbm_bytes)), "parameters", "Most on one chip"),
        },
        notes=[
            f"{chip.name} at {plain(utilisation)}% of its 16-bit rate. "
            f"A run shared by many chips takes as many chip-hours, and a time that is so many times shorter."
        ],
    )


def _holders(chips: float) -> str:
    return "one chip has room for it" if chips == 1 else f"it takes {plain(chips, 9)} chips to hold it"


def ladder() -> list[tuple[str, float, float]]:
    """Name, operations and parameters with a state of a few runs, from small to large."""
    models = [catalog.model(name) for name in LADDER]
    policy = float(reinforcement.reinforcement_operations(POLICY["params"], POLICY["samples"], POLICY["epochs"]))
    public = [
        (row.name, float(overtraining.training_operations(row.active_params, row.train_tokens or 0)), row.total_params)
        for row in models
    ]
    guess = float(overtraining.training_operations(GUESSED_PARAMS, GUESSED_TOKENS))
    return [("Robot policy", policy, POLICY["params"]), *public, (GUESS, guess, GUESSED_PARAMS)]


def runs_chart() -> Any:
    """One dot a row, with the bytes of its state beside it."""
    import altair as alt

    rows = alt.Chart(alt.NamedData("runs"))
    x = alt.X("hours:Q", title="Chip-hours").scale(type="log", padding=14).axis(format="~s", labelExpr=HOURS)
    y = alt.Y("run:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelLimit=120)
    color = alt.condition("datum.mine", alt.value(look.ACCENT), alt.value(look.SERIES[0]))
    points = rows.mark_point(size=110).encode(x=x, y=y, color=color)
    text: dict[str, Any] = {
        "align": alt.expr("datum.hours > 1e4 ? 'right' : 'left'"),
        "dx": alt.expr("datum.hours > 1e4 ? -11 : 11"),
    }
    halo = rows.mark_text(**text, stroke=look.PAPER, strokeWidth=4).encode(x=x, y=y, text="label:N")
    label = rows.mark_text(**text).encode(x=x, y=y, text="label:N")
    return guide_layer(alt, "hours") + halo + label + points


RUN = Figure(
    name="overtraining/run",
    inputs=(SYSTEM, SIZE, SAMPLES, ENVIRONMENTS, PACE, EPOCHS, MINIBATCH, CHIPS, ON_CHIP),
    compute=run,
    chart=run_chart,
    table="curve",
    columns={
        "params": "Parameters",
        "simulating": "World (s)",
        "acting": "Acting, at least (s)",
        "learning": "Learning, at least (s)",
    },
    assumptions=(
        "Multiplies at the 16-bit rate. Weights that fit beside the multipliers are not read from memory in acting.",
        "Kernels are never too small for the chip; chips share weights and work evenly and communicate for nothing.",
        "Experience of a language model has the pace of its decoding, which acting bounds as well: they are not added.",
    ),
    sources=("aiconfigurator", "inferencex"),
)

RUNS = Figure(
    name="overtraining/runs",
    inputs=(SYSTEM, KIND, SIZE, SAMPLES, REPEATS, UTILISATION),
    compute=runs,
    chart=runs_chart,
    table="runs",
    columns={"run": "Run", "operations": "Operations", "hours": "Chip-hours", "state": "State (B)"},
    assumptions=(
        "Operations are 6 N D for pre-training, and S N (2 + 6 e) for reinforcement; attention is left out.",
        "State is 16 bytes for each parameter, of all experts. The lecture guesses active parameters only.",
        "The guess of 100 billion parameters and 200 trillion tokens is the lecture's, and no maker has confirmed it.",
    ),
    sources=("lecture", "llama-models", "deepseek-v3-report"),
)

FIGURES = (RUN, RUNS)
