"""Measured steps of racks, experts of DeepSeek-V3 spread wide: one beside its count, and more chips beside fewer."""

from __future__ import annotations

import numpy as np

from calc.catalog.exchanges import EXCHANGES_SOURCE
from calc.catalog.measurement import SERVING_SOURCE, Measurement, clean_measurements, read
from calc.catalog.measurement import text as table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.timings import rack_start
from calc.quantities.arithmetic import MICRO
from calc.step import decode
from calc.world.settings import setting_of

ASKED = ("deepseek-v3", "gb200-nvl72", "fp8")
OTHERS = ("deepseek-v3", "gb300-nvl72", "fp8", "sglang", 1024)
PLACES = 288  # of experts, redundant copies among them, by the recipes of both
MIDDLE, MOST = 2048, 4096  # requests at once, of the runs that are quoted


def wide_runs() -> tuple[Measurement, ...]:
    """Runs that `calc.world.take` refuses, since their rows count no workers: by their recipes there was one.

    The recipes are those of `dsr1-fp8-gb200-dynamo-sglang` in InferenceX, and guess nothing ahead.
    """
    return tuple(read(Measurement, table("wide-racks.csv")))


def narrow_seconds(tokens: float) -> float:
    """A step on 32 chips of a GB300 rack with so many sequences on each, on lines between the runs of that engine."""
    runs = [
        row
        for row in clean_measurements()
        if (row.model, row.system, row.precision, row.engine, row.input_tokens) == OTHERS and row.chips == 32
    ]
    drawn = np.array(sorted((row.in_flight / row.chips, row.token_seconds) for row in runs))
    return float(np.interp(tokens, drawn[:, 0], drawn[:, 1]))


def rack() -> Answer:
    """The run of the most chips and sequences: its operations in turn, with starts, and its clock."""
    runs = (row for row in clean_measurements() if (row.model, row.system, row.precision) == ASKED)
    row = max(runs, key=lambda each: (each.chips, each.in_flight))
    step = decode(setting_of(row), row.in_flight, row.context)
    starts = step.rounds * rack_start(row.chips) * MICRO  # as timed on as many chips
    counted = float(step.in_turn_seconds + starts)
    return Answer(
        finding="A step of a rack, counted and measured",
        values={
            "chips": Value(row.chips, "", "Chips that share the experts"),
            "readers": Value(row.in_flight, "sequences", "In flight", 9),
            "context": Value(row.context, "tokens", "Context, on average", 9),
            "counted": Value(counted, "s", "Operations in turn, with starts"),
            "measured": Value(row.token_seconds, "s", "From token to token"),
            "over": Value(row.token_seconds / counted, "x", "Measured over that", 2),
            **_wider(),
        },
    )


def _wider() -> dict[str, Value]:
    """Steps of one engine on 48 chips and on 32, with as many sequences on each chip."""
    middle, most = (
        next(row for row in wide_runs() if row.chips == 48 and row.batch == load) for load in (MIDDLE, MOST)
    )
    whole = plan_parts(1, ASKED[1], BATCH.default, 0, "expert")[0]  # four experts, in all layers
    fewer = PLACES / 32 - PLACES / 48
    values = {"wide_less": Value(whole * fewer / 4, "s", "Experts of 48 chips, read sooner by")}
    for key, row in (("wide", middle), ("fuller", most)):
        tokens = row.in_flight / row.chips
        values[f"{key}_tokens"] = Value(tokens, "tokens", "Sequences of a chip", 2)
        values[key] = Value(row.token_seconds, "s", "Step on 48 chips of a GB200 rack")
        values[f"{key}_narrow"] = Value(narrow_seconds(tokens), "s", "Step on 32 chips of a GB300 rack")
    return values


FIGURES = (Figure(name="world/rack", compute=rack, sources=(SERVING_SOURCE, EXCHANGES_SOURCE)),)
