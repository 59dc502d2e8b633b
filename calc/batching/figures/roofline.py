"""The roofline of the reader's chip, and on it the operations of the reader's step."""

from __future__ import annotations

from typing import Any

from calc.batching.figures.setting import FILLED, LAYOUT, laid_out
from calc.batching.figures.shared import idle_notes, short_name
from calc.figure import look, on_roofline
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.quantities.units import plain
from calc.setting import Scenario
from calc.step import decode, roofline_flops, why_not
from calc.step.forecasting import forecast_of

MOVES = {"matrices move right with the batch": look.WEIGHTS, "attention stays": look.CACHE}


def roofline(*, model: str, system: str, precision: str, context: float, batch: float, layout: str) -> Answer:
    """The operations of a step by their operations a byte, under what memory and multipliers of a chip allow."""
    where = Scenario.named(model, system, precision)
    step = decode(laid_out(model, system, precision, layout), batch, context)
    found = on_roofline.OnRoofline(step)
    busy = step.compute_seconds / step.in_turn_seconds
    machine = step.setting.machine
    roof = roofline_flops(found.whole["intensity"], found.ridge * machine.bandwidth, machine.bandwidth)
    return Answer(
        finding=(f"At a batch of {plain(batch, 9)} and a context of {plain(context, 9)}, {_sides(found)}"),
        description=found.described(short_name(where.chip)),
        tables=found.tables()
        | {
            "moves": {"label": list(MOVES), "row": list(range(len(MOVES)))},
            "corner": {
                "intensity": [found.ridge],
                "rate": [found.ridge * machine.bandwidth],
                "label": [f"ridge {plain(found.ridge)}"],
            },
        },
        values={
            "ridge": Value(found.ridge, "FLOP/B", "Ridge of the chip"),
            "whole": Value(found.whole["intensity"], "FLOP/B", "The whole step, with what pieces hand on"),
            "attention": Value(found.points["Attention"]["intensity"], "FLOP/B", "Attention"),
            "below": Value(1 - found.whole["rate"] / roof, "%", "The whole step, below the line"),
            "in_turn": Value(step.in_turn_seconds, "s", "Step, operations in turn"),
            "bound": Value(step.bound_seconds, "s", "Laid out, at least"),
            "busy": Value(busy, "%", "Busiest chip multiplies, sending counted"),
            "likely": Value(step.compute_seconds / forecast_of(step).seconds, "%", "The same by the forecast"),
        },
        notes=[*where.rate_notes(), *idle_notes(where), *(note for note in [why_not(step)] if note)],
    )


def _sides(found: on_roofline.OnRoofline) -> str:
    """The pieces left and right of the ridge, as a sentence ends."""
    waiting = [point["limit"] != "compute" for point in found.points.values()]
    if all(waiting):
        ridge = f"the ridge at {plain(found.ridge)} operations a byte"
        return f"every piece lies left of {ridge}: by this bound all wait for memory"
    return found.limits[0].lower() + found.limits[1:]


def roofline_chart() -> Any:
    """The roof with its dots, and in the free corner above the slope the way that each colour goes."""
    import altair as alt

    text: dict[str, Any] = {"align": "left", "baseline": "top", "x": 8, "y": alt.expr("4 + 16 * datum.row")}
    base = alt.Chart(alt.NamedData("moves")).encode(text="label:N")
    hue = alt.Color("label:N", legend=None).scale(domain=list(MOVES), range=list(MOVES.values()))
    words = base.mark_text(**text, **HALO, fontSize=12.5) + base.mark_text(**text, fontSize=12.5).encode(color=hue)
    corner: dict[str, Any] = {"align": "left", "baseline": "top", "dx": 5, "dy": 8, "fontSize": 11.5}
    ridge = alt.Chart(alt.NamedData("corner")).encode(x="intensity:Q", y="rate:Q", text="label:N")
    words += ridge.mark_text(**corner, **HALO) + ridge.mark_text(**corner, color=look.MUTED)
    return alt.layer(on_roofline.roofline_chart(), words).resolve_scale(color="independent")


ROOFLINE = Figure(
    name="batching/roofline",
    inputs=(*FILLED, LAYOUT),
    compute=roofline,
    chart=roofline_chart,
    table="points",
    columns=on_roofline.COLUMNS,
    assumptions=on_roofline.ASSUMPTIONS,
    foremost=3,
    sources=("lecture", "aiconfigurator"),
)

FIGURES = (ROOFLINE,)
