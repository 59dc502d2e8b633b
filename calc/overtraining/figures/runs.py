"""Lecture 5 in pictures: runs of every size on one scale, from a small model to a frontier one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calc import catalog, overtraining
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, guide_layer
from calc.figure.inputs import Number
from calc.overtraining import training_run
from calc.overtraining.figures.setting import PARAMS, TOKENS, TRAINING_SYSTEM, training_chip
from calc.overtraining.figures.shared import LADDER, YOURS, ladder
from calc.quantities.arithmetic import whole_up
from calc.quantities.units import plain, show

FIRST = catalog.model(LADDER[0])  # the reader's own run begins as the first row of the ladder, hour for hour
TIMES = {"a year": 8766.0, "100 years": 8766e2, "10,000 years": 8766e4}
HOURS = "datum.label == '' || datum.value >= 1 ? datum.label : format(datum.value, '~g')"  # 0.01, not 10m

SIZE = replace(
    PARAMS,
    label="Parameters",
    default=FIRST.active_params,
    low=1e4,
    help=f"Of a dense model; at first those of {FIRST.name}.",
)
READ = replace(
    TOKENS,
    default=FIRST.known("train_tokens"),
    low=1e3,
    help=f"Tokens of pre-training; at first those of {FIRST.name}.",
)
UTILISATION = Number(
    name="utilisation",
    label="Multipliers busy",
    default=30,
    low=0.01,
    high=100,
    unit="%",
    help="Of the 16-bit rate. With one voice for each maker, the middle run on H100 kept a quarter, on A100 a third.",
)


def runs(*, system: str, params: float, tokens: float, utilisation: float) -> Answer:
    """Chip-hours and bytes of runs of every size, the reader's among them."""
    chip, flops = training_chip(system)
    busy = utilisation / 100
    rows = ladder()
    yours = overtraining.training_operations(params, tokens)
    rows = [(YOURS, yours, params), *rows]
    hours = [training_run.chip_hours(operations, flops, busy) for _, operations, _ in rows]
    states = [training_run.model_state_bytes(held) for _, _, held in rows]
    here, memory = hours[0], states[0]
    fits = max(1.0, float(whole_up(memory / chip.hbm_bytes)))
    taken = show(here, "chip-hours") if here >= 0.1 else f"{show(here * 3600, 's')} of one chip"
    return Answer(
        finding=(
            f"At {plain(utilisation)}% busy your run takes {taken}, and its state {show(memory, 'B')}: {_holders(fits)}"
        ),
        description=(
            f"Dot chart with one row for each of {len(rows)} runs, from {rows[1][0]} to Pope's guess of "
            f"a frontier model: chip-hours of {chip.name} on a logarithmic axis, from {show(min(hours), 'chip-hours')} "
            f"to {show(max(hours), 'chip-hours')}, with the bytes of weights, gradients and optimiser beside each."
        ),
        tables={
            "runs": {
                "run": [name for name, _, _ in rows],
                "hours": hours,
                "operations": [operations for _, operations, _ in rows],
                "state": states,
                "label": [show(size, "B") for size in states],
                "mine": [name == YOURS for name, _, _ in rows],
            },
            "guides": {"hours": list(TIMES.values()), "label": list(TIMES), "row": [0] * 3, "side": ["center"] * 3},
        },
        values={
            "operations": Value(yours, "operations", "Operations"),
            "hours": Value(here, "chip-hours", "Chip-hours"),
            "alone": Value(here * 3600, "s", "On one chip"),
            "state": Value(memory, "B", "State"),
            "chips": Value(fits, "", "Chips that hold the state", 9),
            "largest": Value(training_run.largest_trainable(chip.hbm_bytes), "parameters", "Most on one chip", 2),
        },
        notes=[
            f"{chip.name} at {plain(utilisation)}% of its 16-bit rate. "
            f"A run shared by many chips takes as many chip-hours, and a time that is so many times shorter."
        ],
    )


def _holders(chips: float) -> str:
    return "one chip has room for it" if chips == 1 else f"it takes {plain(chips, 9)} chips to hold it"


def runs_chart() -> Any:
    """One dot a row, with the bytes of its state beside it."""
    import altair as alt

    rows = alt.Chart(alt.NamedData("runs"))
    x = alt.X("hours:Q", title="Chip-hours").scale(type="log", padding=14).axis(format="~s", labelExpr=HOURS)
    y = alt.Y("run:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelLimit=120)
    color = alt.condition("datum.mine", alt.value(look.ACCENT), alt.value(look.MUTED))
    points = rows.mark_point(size=110).encode(x=x, y=y, color=color)
    text: dict[str, Any] = {
        "align": alt.expr("datum.hours > 1e4 ? 'right' : 'left'"),
        "dx": alt.expr("datum.hours > 1e4 ? -11 : 11"),
    }
    halo = rows.mark_text(**text, **HALO).encode(x=x, y=y, text="label:N")
    label = rows.mark_text(**text).encode(x=x, y=y, text="label:N")
    return guide_layer(alt, "hours", top="-20") + halo + label + points


RUNS = Figure(
    name="overtraining/runs",
    inputs=(TRAINING_SYSTEM, SIZE, READ, UTILISATION),
    compute=runs,
    chart=runs_chart,
    table="runs",
    columns={"run": "Run", "operations": "Operations", "hours": "Chip-hours", "state": "State (B)"},
    assumptions=(
        "Operations are 6 N D; attention is left out.",
        "State is 16 bytes for each parameter, of all experts. Pope guesses active parameters only.",
        "The guess of 100 billion parameters and 200 trillion tokens is Pope's, and no maker has confirmed it.",
    ),
    sources=("lecture", "llama-models", "deepseek-v3-report"),
)

FIGURES = (RUNS,)
