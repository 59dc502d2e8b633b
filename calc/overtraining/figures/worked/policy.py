"""A small policy on one H100."""

from __future__ import annotations

from calc import catalog
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import reinforcement, training_run
from calc.overtraining.figures.shared import EXAMPLE_CHIP
from calc.quantities.arithmetic import HOUR


def policy() -> Answer:
    """The default policy on one H100."""
    own = registry.find("overtraining/run")
    run = own.answer(system="hgx-h100").values
    parts = ("wall", "serial", "simulating", "acting", "learning", "acting_batch", "learning_batch")
    given = own.defaults()
    chip = catalog.chip(EXAMPLE_CHIP)
    robot = own.answer(system="hgx-h100", environments=1).values
    held = run["serial"].number / HOUR * catalog.rent(EXAMPLE_CHIP).dollars_per_chip_hour
    return Answer(
        finding="A small policy on one H100",
        values={name: run[name] for name in parts}
        | {
            "params": Value(float(given["params"]), "parameters", "Policy"),
            "samples": Value(float(given["samples"]), "samples", "Experience"),
            "epochs": Value(float(given["epochs"]), "times", "Learned from"),
            "environments": Value(float(given["environments"]), "environments", "Side by side", 9),
            "pace": Value(float(given["pace"]), "steps/s", "Pace of each"),
            "minibatch": Value(float(given["minibatch"]), "samples", "An update", 9),
            "held_dollars": Value(held, "$", "Rent while the run lasts, at least"),
            "one_robot": Value(robot["simulating"].number, "s", "World, one robot"),
            "per_byte": Value(chip.known("bf16_flops") / chip.hbm_bandwidth, "operations", "While it moves a byte"),
            "bytes_each": Value(
                reinforcement.BYTES_PER_UPDATE / 6, "x", "Bytes for each operation, learning over acting"
            ),
            "update_bytes": Value(reinforcement.BYTES_PER_UPDATE, "B", "Moved for each parameter in an update"),
            "least_width": Value(2 * run["acting_batch"].number, "", "Width that a batch can fill"),
            "cache": Value(float(given["cache"]) * 1e6, "B", "Memory beside the multipliers"),
            "state_bytes": Value(training_run.model_state_bytes(1), "B", "State of a parameter"),
        },
    )


FIGURES = (Figure(name="overtraining/policy", compute=policy, sources=("aiconfigurator",)),)
