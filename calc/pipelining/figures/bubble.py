"""Lecture 3 in pictures: the bubble, for which stages wait."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import here_layer
from calc.figure.line_names import ends_of, labelled_series
from calc.pipelining import bubbles
from calc.pipelining.figures.setting import (
    CHUNKS,
    NAMES,
    SCHEDULE,
    formula_holds,
    micro_input,
    parts_of,
    stages_input,
    waiting_share,
)
from calc.pipelining.figures.timetable import counted
from calc.quantities.units import plain, show

MOST = 1024
LINES = {"1f1b": "GPipe, 1F1B", "interleaved": "interleaved", "zb-h1": "ZB-H1", "zb-h2": "ZB-H2"}
COUNTS = np.unique(np.round(np.geomspace(1, MOST, 36)))


def bubble(*, schedule: str, stages: float, micro: float, chunks: float) -> Answer:
    """Share of a step for which stages wait, against the number of micro-batches."""
    count, many, parts = int(stages), int(micro), int(chunks)
    shares = {name: waiting_share(name, count, many, parts_of(name, parts)) for name in NAMES}
    here = shares[schedule]
    tenth = 9 * (count - 1)
    return Answer(
        finding=_bubble_finding(schedule, count, many, here),
        description=(
            f"Line chart: waits of {counted(count, 'stage')} in a training step, against micro-batches from 1 to "
            f"{plain(MOST, 4)} on a logarithmic axis. GPipe and 1F1B begin at {show((count - 1) / count, '%')}; "
            f"interleaving and ZB-H1 lie no higher, ZB-H2 at zero once it has enough. With {plain(many, 9)}: "
            f"{', '.join(f'{NAMES[name]} {show(share, chr(37))}' for name, share in shares.items())}."
        ),
        tables={
            **_curve(count, parts),
            "here": {"micro": [many], "share": [here], "label": [show(here, "%")]},
        },
        values={
            **{name.replace("-", "_"): Value(share, "%", NAMES[name]) for name, share in shares.items()},
            "zb_h2": Value(shares["zb-h2"], "%", "ZB-H2, if steps run on"),
            "tenth": Value(max(tenth, 1), "", "Micro-batches for 10%, GPipe and 1F1B", 9),
            "one": Value((count - 1) / count, "%", "With a single micro-batch"),
            "held": Value(
                bubbles.peak_activations(schedule, count, many, parts_of(schedule, parts)),
                "",
                f"Micro-batches held, {NAMES[schedule]}",
            ),
        },
        notes=_bubble_notes(schedule, count, many),
    )


def _curve(stages: int, chunks: int) -> dict[str, dict[str, list[Any]]]:
    """Every line from the first micro-batch for which its formula holds."""
    kept = {
        name: COUNTS[formula_holds(name, stages, COUNTS) & ((name != "interleaved") | (stages <= COUNTS))]
        for name in LINES
    }
    shares = {
        name: np.broadcast_to(bubbles.bubble_share(name, stages, counts, parts_of(name, chunks)), counts.shape)
        for name, counts in kept.items()
    }
    curve: dict[str, list[Any]] = {
        "schedule": [LINES[name] for name, counts in kept.items() for _ in counts],
        "micro": [count for counts in kept.values() for count in counts],
        "share": [share for column in shares.values() for share in column],
    }
    lines = {LINES[name]: (counts, shares[name]) for name, counts in kept.items()}
    return {"curve": curve, "ends": ends_of(lines, "micro", log=False, top=1.0)}


def _bubble_finding(schedule: str, stages: int, micro: int, here: float) -> str:
    if stages == 1:
        return "One stage never waits, in any schedule"
    plural, name = "" if micro == 1 else "es", "interleaving" if schedule == "interleaved" else NAMES[schedule]
    row = f"{stages} stages and {plain(micro, 9)} micro-batch{plural} under {name}"
    step = "a step that runs on into the next" if schedule == "zb-h2" else "a step"
    return f"{row} wait {show(here, '%')} of {step}; with {9 * (stages - 1)}, 1F1B waits a tenth"


def _bubble_notes(schedule: str, stages: int, micro: int) -> list[str]:
    notes = []
    if schedule == "interleaved" and micro > stages and micro % stages:
        notes.append("Interleaving wants a multiple of the stages; the formula is drawn through.")
    if not formula_holds(schedule, stages, micro):
        least = stages if schedule == "zb-h1" else 2 * stages - 1
        notes.append(f"{NAMES[schedule]} wants {least} micro-batches here; with fewer its step was played out.")
    return notes


def bubble_chart() -> Any:
    """Curves that fall towards nothing, each from where its schedule can begin."""
    import altair as alt

    x = alt.X("micro:Q", title="Micro-batches in a step").scale(type="log", nice=False).axis(format="~s")
    y = alt.Y("share:Q", title="Share of the step spent waiting").scale(domain=[0, 1]).axis(format="%")
    lines = labelled_series(alt, "schedule", LINES.values(), x, y)
    return lines + here_layer(alt, "micro", "share", label="label", falling=True)


BUBBLE = Figure(
    name="pipelining/bubble",
    inputs=(SCHEDULE, stages_input(16), micro_input(MOST, 8, log=True), CHUNKS),
    compute=bubble,
    chart=bubble_chart,
    foremost=6,
    table="curve",
    columns={"schedule": "Schedule", "micro": "Micro-batches", "share": "Waits (share)"},
    assumptions=(
        "A forward pass, the gradient of the inputs and that of the weights take equally long, on every stage.",
        "Sending takes no time. ZB-H2 is taken to run on from step to step.",
        "A line begins where its formula holds, and interleaving wants a multiple of the stages.",
    ),
    sources=("lecture",),
)


FIGURES = (BUBBLE,)
