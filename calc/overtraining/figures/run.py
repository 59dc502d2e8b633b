"""Lecture 5 in pictures: a policy that learns by reinforcement, and where the memory wall begins for it."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer, reaching
from calc.figure.inputs import Number
from calc.figure.line_names import ends, labelled_lines
from calc.overtraining import reinforcement, training_run
from calc.overtraining.figures.setting import COUNTED, TRAINING_SYSTEM, training_chip
from calc.overtraining.figures.shared import EPOCHS, SAMPLES, SIZE
from calc.quantities.units import plain, show

PARTS = {"simulating": "world", "acting": "acting", "learning": "learning"}
SAID = {"simulating": "the world", "acting": "acting", "learning": "learning"}
SIZES = np.logspace(6, 14, 81)
TICKS = {1e-3: "1 ms", 1.0: "1 s", 60.0: "1 min", 3600.0: "1 h", 86400.0: "1 day", 2.63e6: "1 month", 3.156e7: "1 year"}
TICKS |= {3.156e9: "100 years", 3.156e11: "10,000 years", 3.156e14: "10M years"}

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
    sizes = reaching(SIZES, params)
    curve = reinforcement.reinforcement_time(sizes, samples, **world, **machine)
    here = reinforcement.reinforcement_time(params, samples, **world, **machine)
    drawn = {
        "params": sizes,
        "simulating": np.full_like(sizes, curve.simulating),
        "acting": curve.acting,
        "learning": curve.learning,
    }
    longest = max(PARTS, key=lambda part: getattr(here, part))
    share = getattr(here, longest) / here.serial
    wall = reinforcement.params_on_chip(max(machine["on_chip_bytes"], 1.0))
    full = training_run.largest_trainable(chips * chip.hbm_bytes)
    acting = batching.hardware_ratio(flops, chip.hbm_bandwidth, training_run.WEIGHT_BYTES)
    learning = reinforcement.balanced_minibatch(flops, chip.hbm_bandwidth)
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
            "curve": drawn,
            "ends": ends(drawn, "params", PARTS),
            "here": {"params": [params], "seconds": [here.serial], "label": [show(here.serial, "s")]},
            "guides": guides("params", {"leaves the chip": wall, "fills memory": full}, 1e6, 1e14),
        },
        values={
            "simulating": Value(here.simulating, "s", "World"),
            "acting": Value(here.acting, "s", "Acting"),
            "learning": Value(here.learning, "s", "Learning"),
            "serial": Value(here.serial, "s", "One after the other, at least"),
            "bound": Value(here.bound, "s", "All at once, at least"),
            "operations": Value(reinforcement.policy_operations(params, samples, epochs), "operations", "Operations"),
            "state": Value(training_run.model_state_bytes(params), "B", "State in memory"),
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

    labels = "".join(f"datum.value == {value!r} ? '{label}' : " for value, label in TICKS.items()) + "''"
    lines = labelled_lines(
        alt,
        PARTS,
        alt.X("params:Q", title="Parameters of the policy").scale(type="log", nice=False).axis(**COUNTED),
        alt.Y("seconds:Q", title="Time, at least")
        .scale(type="log", nice=False)
        .axis(values=list(TICKS), tickCount=40, labelExpr=labels, labelOverlap=False),
    )
    here = here_layer(alt, "params", "seconds", label="label", clip=True)
    return guide_layer(alt, "params") + lines + here


RUN = Figure(
    name="overtraining/run",
    inputs=(TRAINING_SYSTEM, SIZE, SAMPLES, ENVIRONMENTS, PACE, EPOCHS, MINIBATCH, CHIPS, ON_CHIP),
    compute=run,
    chart=run_chart,
    foremost=4,
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
FIGURES = (RUN,)
