"""Lecture 8 in pictures: the operations of a step under the roofline of the reader's own chip."""

from __future__ import annotations

from calc.figure import on_roofline
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, PRECISION
from calc.quantities.units import show
from calc.serving.figures.setting import CONTEXT, ELSEWHERE, MODEL, OUTPUT, SYSTEM, described
from calc.step import decode


def roofline(
    *, model: str, own: str, system: str, machine: str, precision: str, context: float, batch: float, output: float
) -> Answer:
    """The operations of a step by their operations a byte, under what memory and multipliers of a chip allow."""
    step = decode(described(model, own, system, precision, machine), batch, context + output / 2)
    found = on_roofline.OnRoofline(step)
    busy = step.compute_seconds / step.in_turn_seconds
    return Answer(
        finding=(
            f"{found.limits}; if each operation reads and multiplies at once, "
            f"a step multiplies for {show(busy, '%')} of its time"
        ),
        description=found.described(f"chip of {step.setting.machine.name}"),
        tables=found.tables(),
        values={
            "ridge": Value(found.ridge, "FLOP/B", "Ridge of the chip"),
            "whole": Value(found.whole["intensity"], "FLOP/B", "The whole step, with what pieces hand on"),
            "busy": Value(busy, "%", "Multiplying, if each operation also reads meanwhile"),
        },
    )


ROOFLINE = Figure(
    name="serving/roofline",
    inputs=(MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, BATCH, OUTPUT),
    compute=roofline,
    chart=on_roofline.roofline_chart,
    table="points",
    columns=on_roofline.COLUMNS,
    assumptions=(*on_roofline.ASSUMPTIONS, "A sequence holds its context and half of its answer."),
    sources=("lecture",),
)

FIGURES = (ROOFLINE,)
