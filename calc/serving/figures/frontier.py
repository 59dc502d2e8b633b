"""Lecture 8 in pictures: throughput of a chip against the speed of a user, over batches and layouts."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from calc.figure import guides, look
from calc.figure.declared import Answer, Figure, Number, Value
from calc.figure.rent import RENT
from calc.figure.scenario import CONTEXT, PRECISION, SYSTEM
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Array, Quantity
from calc.quantities.errors import DoesNotFit
from calc.quantities.units import plain, show
from calc.serving.figures import runs
from calc.serving.figures.setting import ELSEWHERE, MODEL, OWN, described
from calc.serving.frontier import Sweep, sweep
from calc.serving.rates import chip_dollars_per_token
from calc.setting import Layout, Setting
from calc.step.forecasting import forecast

MOST_POINTS = 60  # of a frontier, that are drawn
BATCHES = np.unique(np.round(np.geomspace(1, 131_072, 35))).tolist()
TENSOR, EXPERT = (1, 2, 4, 8, 16), (1, 2, 4, 8, 16, 32, 64)

VALUES = {
    "cost": ("$", "A million tokens of output, expected"),
    "cheapest": ("$", "Without a promise"),
    "premium": ("x", "What the promise multiplies the cost by"),
    "speed": ("tokens/s", "Speed of a user there"),
    "rate": ("tokens/s", "Written by a chip there"),
    "batch": ("sequences", "Batch there"),
    "chips": ("", "Chips that write together there"),
    "fastest": ("tokens/s", "The fastest that is expected"),
    "fastest_most": ("tokens/s", "The fastest that the bound allows"),
    "tried": ("", "Combinations tried"),
    "runs": ("", "Measured runs"),
}

PROMISE = Number(
    name="promise",
    label="Promised speed",
    default=50,
    low=1,
    high=1000,
    unit="tokens/s",
    log=True,
    help="Tokens a second that every user is to see.",
)


def frontier(
    *, model: str, own: str, system: str, precision: str, context: float, price: float, promise: float
) -> Answer:
    """The layouts and batches that no other beats, and the cheapest that keeps the reader's promise."""
    setting = described(model, own, system, precision)
    name, machine = setting.model.name, setting.machine.name
    try:
        every = sweep(setting, context, batch=BATCHES, tensor=TENSOR, expert=EXPERT, stages=(1,))
    except DoesNotFit:
        return _nothing_fits(name, machine, context)
    likely = _expected(setting, every, context)
    bounds, best = every.frontier(), likely.frontier()
    kept = np.flatnonzero(best.per_user >= promise)
    at = int(kept[np.argmax(best.per_chip[kept])]) if kept.size else -1  # without one, the fastest
    known = runs.none() if model == OWN else runs.measured(model, system, precision)
    run = runs.nearest(known, promise) if known.places.size else None
    dollars = np.asarray(MILLION * chip_dollars_per_token(price, best.per_chip))
    speed, rate, cost = (column[at] for column in (best.per_user, best.per_chip, dollars))
    fastest, cheapest = best.per_user[-1], dollars.min()
    layout = _layout(best, at)
    finding = (
        f"{show(promise, 'tokens/s')} for every user are to cost {show(cost, '$')} a million: {layout}"
        if kept.size
        else f"No layout is expected to keep {show(promise, 'tokens/s')}; {show(fastest, 'tokens/s')} is the fastest"
    )
    return Answer(
        finding=finding,
        description=(
            f"Line chart, both axes logarithmic: tokens a second that a chip writes against tokens a second that each "
            f"user sees, for {name} on {machine}. The bound falls from {show(bounds.per_chip[0], 'tokens/s')} a "
            f"chip to the right; the forecast lies below it, from {show(best.per_chip[0], 'tokens/s')}. Marked "
            f"is {layout}, at {show(speed, 'tokens/s')} for a user. {_counted(known)}"
        ),
        tables={
            "expected": _table(best, dollars),
            "bound": _table(bounds, MILLION * chip_dollars_per_token(price, bounds.per_chip)),
            "here": {"user": [speed], "chip": [rate], "cost": [show(cost, "$")]},
            "promise": {"user": [promise]},
            "names": {
                "user": [bounds.per_user[0], best.per_user[0]],
                "chip": [bounds.per_chip[0], best.per_chip[0]],
                "line": ["bound", "forecast"],
            },
            **runs.tables(known, run),
        },
        notes=[_unmeasured(name, machine)] if run is None else [runs.told(known, run)],
        values=_values(
            cost=cost,
            cheapest=cheapest,
            premium=cost / cheapest,
            speed=speed,
            rate=rate,
            batch=best.batch[at],
            chips=best.chips[at],
            fastest=fastest,
            fastest_most=bounds.per_user[-1],
            tried=every.tried,
            runs=known.places.size,
        ),
    )


def _counted(known: runs.Measured) -> str:
    several = known.places.size
    return f"{several:,} measured runs of the same model and system are points." if several else "Nothing is measured."


def _unmeasured(name: str, machine: str) -> str:
    return f"Among the published measurements there is no clean run of {name} on {machine}."


def _values(**numbers: float) -> dict[str, Value]:
    """The numbers of a frontier; what is not given has none, for nothing fits."""
    return {
        name: Value(numbers.get(name, math.inf), unit, label, endless="nothing fits")
        for name, (unit, label) in VALUES.items()
    }


def _nothing_fits(name: str, machine: str, context: float) -> Answer:
    """Where no chip of any layout that is tried has room for its weights and one sequence."""
    room = f"{name} and one sequence of {show(context, 'tokens')}"
    empty: dict[str, list[Any]] = {"user": [], "promise": [], "chip": [], "dollars": [], "layout": []}
    return Answer(
        finding=f"No layout that is tried on {machine} holds {room}",
        description=(
            f"Empty chart: none of the layouts that are tried on {machine} has memory for {room}. A shorter context, "
            f"fewer bits or larger chips would make room."
        ),
        tables={
            "expected": empty,
            "bound": empty,
            "here": {"user": [], "chip": [], "cost": []},
            "promise": {"user": []},
            "names": {"user": [], "chip": [], "line": []},
            **runs.tables(runs.none(), None),
        },
        values=_values(),
        notes=["A shorter context, fewer bits or larger chips would make room."],
    )


def _expected(setting: Setting, every: Sweep, context: float) -> Sweep:
    """The same combinations at the rates of the forecast."""
    layout = Layout(tensor=every.tensor, data=every.expert, expert=every.expert, pipeline=every.stages)
    seconds = np.asarray(forecast(setting.with_layout(layout), every.batch, context).seconds)
    return replace(every, per_user=1 / seconds, per_chip=every.batch / seconds / every.chips)


def _layout(found: Sweep, at: int) -> str:
    tensor, groups, batch = (plain(column[at]) for column in (found.tensor, found.expert, found.batch))
    if groups == "1":
        return f"batch {batch} on {tensor} tensor-parallel chip{'s' * (tensor != '1')}"
    return f"batch {batch}, {groups} groups of {tensor} chip{'s' * (tensor != '1')}"


def _kept(speeds: Array) -> Array:
    """The promise that each speed just keeps, to four digits, among those that can be asked for."""
    digits = 10.0 ** (np.floor(np.log10(speeds)) - 3)
    kept: Array = np.clip(np.floor(speeds / digits) * digits, PROMISE.low, PROMISE.high)
    return kept


def _table(found: Sweep, dollars: Quantity) -> dict[str, Any]:
    places = np.unique(np.round(np.linspace(0, found.batch.size - 1, MOST_POINTS)).astype(int))
    return {
        "user": found.per_user[places],
        "promise": _kept(found.per_user[places]),
        "chip": found.per_chip[places],
        "dollars": np.asarray(dollars)[places],
        "layout": [_layout(found, int(at)) for at in places],
    }


def frontier_chart() -> Any:
    """Two frontiers, the promise as an upright rule, and the cheapest point that keeps it."""
    import altair as alt

    x = alt.X("user:Q", title="Tokens a second for each user").scale(type="log").axis(format="~s")
    y = alt.Y("chip:Q", title="Tokens a second a chip").scale(type="log").axis(**guides.PLAIN)
    bound = alt.Chart(alt.NamedData("bound")).mark_line(color=look.INK, interpolate="step-before")
    likely = alt.Chart(alt.NamedData("expected")).mark_line(color=look.ACCENT, interpolate="step-before")
    each = alt.Chart(alt.NamedData("expected")).mark_point(color=look.ACCENT, size=28).encode(x=x, y=y)
    rule = alt.Chart(alt.NamedData("promise")).mark_rule(color=look.MUTED, strokeDash=[2, 3])
    lines = bound.encode(x=x, y=y) + likely.encode(x=x, y=y)
    names = alt.Chart(alt.NamedData("names")).mark_text(align="left", dx=2, dy=-10, fontSize=12.5)
    shown = alt.Chart(alt.NamedData("runs"))
    point = shown.mark_point(filled=False, stroke=look.INK, strokeWidth=1.2, size=34)
    measured = point.encode(
        x=x, y=y, strokeOpacity=alt.StrokeOpacity("alike:N", legend=None).scale(domain=[True, False], range=[1, 0.45])
    )
    ring = alt.Chart(alt.NamedData("run")).mark_point(filled=False, size=150, stroke=look.INK, strokeWidth=2)
    named = names.encode(
        x=x,
        y=y,
        text="line:N",
        color=alt.condition("datum.line == 'bound'", alt.value(look.INK), alt.value(look.ACCENT)),
    )
    here = alt.Chart(alt.NamedData("here")).encode(x=x, y=y)
    text: dict[str, Any] = {"align": "left", "dx": 12, "dy": -4, "fontSize": 13, "fontWeight": 600}
    halo = here.mark_text(**text, stroke=look.GROUND, strokeWidth=4, strokeJoin="round").encode(text="cost:N")
    cost = halo + here.mark_text(**text, color=look.ACCENT).encode(text="cost:N")
    return (
        rule.encode(x="user:Q")
        + measured
        + ring.encode(x=x, y=y)
        + lines
        + each
        + named
        + here.mark_point(**look.HERE)
        + cost
    )


FRONTIER = Figure(
    name="serving/frontier",
    inputs=(MODEL, ELSEWHERE, SYSTEM, PRECISION, CONTEXT, RENT, PROMISE),
    compute=frontier,
    chart=frontier_chart,
    table="expected",
    pointed="promise",
    rests_on=runs.ROOM,
    columns={
        "user": "Each user (tokens/s)",
        "chip": "A chip (tokens/s)",
        "dollars": "A million tokens ($)",
        "layout": "Batch and layout",
    },
    assumptions=(
        "The upper line is the frontier of bounds, the lower one that of forecasts; the dotted rule is the promise. "
        "To point at a dot is to promise its speed.",
        "Batches from one to a hundred thousand, tensors over 1 to 16 chips, experts over 1 to 64 groups of them; no "
        "pipeline, no drafts, and only what fits.",
        "Only writing is counted: prompts are read elsewhere.",
        "Hollow points are published measurements of this model on this system, each at its own context and layout, "
        "and faint where the precision is another; where prompts were read on the same chips, that is in their times.",
    ),
    sources=("lecture", "aiconfigurator-silicon"),
)

FIGURES = (FRONTIER,)
