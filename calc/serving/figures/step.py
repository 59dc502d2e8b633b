"""Lecture 8 in pictures: one step, operation by operation, by what each waits for."""

from __future__ import annotations

from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.figure.scenario import BATCH, PRECISION
from calc.quantities.units import plain, show
from calc.serving.figures.setting import CONTEXT, ELSEWHERE, MODEL, OUTPUT, SYSTEM, described
from calc.step import decode, why_not
from calc.step.operation import Operation

PARTS = {
    "compute": "Arithmetic",
    "weights": "Weights",
    "cache": "Cache",
    "link": "Link",
    "activations": "Activations",
}


def step(
    *, model: str, own: str, system: str, machine: str, precision: str, context: float, batch: float, output: float
) -> Answer:
    """The seconds of each operation of a decode step on the busiest chip, at published rates."""
    found = decode(described(model, own, system, precision, machine), batch, context + output / 2)
    rows = _by_name(found.operations)
    totals = {name: sum(parts.values()) for name, parts in rows.items()}
    most = max(totals, key=totals.__getitem__)
    everything, bound = found.serial_seconds, found.bound_seconds
    sums = {part: sum(parts[part] for parts in rows.values()) for part in PARTS}
    main = max(sums, key=sums.__getitem__)
    spent = [(name, part) for name, parts in rows.items() for part in PARTS if parts[part] > 0]
    chips = plain(found.setting.layout.chips)
    return Answer(
        finding=(
            f"With nothing overlapped the operations of a step take {show(everything, 's')}, the largest part in "
            f"{most}; overlapped, at least {show(bound, 's')}"
        ),
        description=(
            f"Stacked bars: seconds of each operation of a decode step of {found.setting.model.name} on {chips} chips "
            f"of {found.setting.machine.name}, by what they are spent on. The longest is {most} at "
            f"{show(totals[most], 's')}; over all operations {PARTS[main].lower()} takes most, "
            f"{show(sums[main], 's')}."
        ),
        tables={
            "bars": {
                "operation": [name for name, _ in spent],
                "part": [PARTS[part] for _, part in spent],
                "seconds": [rows[name][part] for name, part in spent],
            },
        },
        values={
            "serial": Value(everything, "s", "One after another"),
            "bound": Value(bound, "s", "Overlapped, at least"),
            "longest": Value(totals[most] / everything, "%", "The longest operation, of all"),
            "turn": Value(found.in_turn_seconds, "s", "In turn, each operation overlapped"),
            **{part: Value(sums[part], "s", label) for part, label in PARTS.items()},
        },
        notes=[each for each in (why_not(found),) if each],
    )


def _by_name(operations: tuple[Operation, ...]) -> dict[str, dict[str, float]]:
    """Seconds of every resource, operations of one name in several groups of layers added."""
    rows: dict[str, dict[str, float]] = {}
    for each in operations:
        rate = each.memory_bytes_per_second
        here = {
            "compute": each.compute_seconds,
            "weights": each.weights / rate,
            "cache": (each.cache + each.state) / rate,
            "link": each.scale_up_seconds + each.scale_out_seconds,
            "activations": each.activation_seconds,
        }
        known = rows.setdefault(each.name, dict.fromkeys(PARTS, 0.0))
        for part, seconds in here.items():
            known[part] += float(seconds)
    return rows


def step_chart() -> Any:
    """A bar for each operation in the order of the step, stacked by what it waits for."""
    import altair as alt

    colours = [look.ARITHMETIC, look.WEIGHTS, look.CACHE, look.LINKS, look.FAINT]
    parts: dict[str, Any] = {"domain": list(PARTS.values()), "range": colours}
    return (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar()
        .encode(
            y=alt.Y("operation:N", title=None, sort=None).axis(labelLimit=190, ticks=False),
            x=alt.X("seconds:Q", title="Time of a step, one after another").axis(**SECONDS, tickCount=4),
            color=alt.Color("part:N", title=None).legend(offset=8).scale(**parts),
        )
    )


STEP = Figure(
    name="serving/step",
    inputs=(MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, BATCH, OUTPUT),
    compute=step,
    chart=step_chart,
    table="bars",
    columns={"operation": "Operation", "part": "Spent on", "seconds": "Seconds"},
    assumptions=(
        "Every operation at the published rates of the busiest chip, over all the layers in which it occurs; "
        "the arithmetic of experts as if all chips held as many, their reading as a mean over a batch's picks: "
        "of a small one some chip reads more. "
        "A sequence holds its context and half of its answer.",
        "Messages and kernels start in no time; the forecast of the price list counts them.",
    ),
    foremost=3,
    sources=("lecture",),
)

FIGURES = (STEP,)
