"""The roofline of the reader's chip, and on it the operations of the reader's step."""

from __future__ import annotations

from calc.batching.figures.setting import LAYOUT, laid_out
from calc.batching.figures.shared import short_name
from calc.figure import on_roofline
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.step import decode, why_not


def roofline(*, model: str, system: str, precision: str, context: float, batch: float, layout: str) -> Answer:
    """The operations of a step by their operations a byte, under what memory and multipliers of a chip allow."""
    step = decode(laid_out(model, system, precision, layout), batch, context)
    found = on_roofline.OnRoofline(step)
    busy = step.compute_seconds / step.in_turn_seconds
    return Answer(
        finding=(
            f"{found.limits} at a batch of {plain(batch, 9)} and a context of {plain(context, 9)}: "
            f"in turn, the busiest chip multiplies {show(busy, '%')} of the time"
        ),
        description=found.described(short_name(Scenario.named(model, system, precision).chip)),
        tables=found.tables(),
        values={
            "ridge": Value(found.ridge, "FLOP/B", "Ridge of the chip"),
            "whole": Value(found.whole["intensity"], "FLOP/B", "The whole step"),
            "busy": Value(busy, "%", "Busiest chip multiplies"),
            "in_turn": Value(step.in_turn_seconds, "s", "Step, operations in turn"),
            **{
                name.lower().replace(" ", "_"): Value(point["intensity"], "FLOP/B", name)
                for name, point in found.points.items()
            },
            "bound": Value(step.bound_seconds, "s", "Laid out, at least"),
        },
        notes=[note for note in [why_not(step)] if note],
    )


ROOFLINE = Figure(
    name="batching/roofline",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, LAYOUT),
    compute=roofline,
    chart=on_roofline.roofline_chart,
    table="points",
    columns=on_roofline.COLUMNS,
    assumptions=on_roofline.ASSUMPTIONS,
    foremost=4,
    sources=("lecture", "aiconfigurator"),
)

FIGURES = (ROOFLINE,)
