"""Lecture 4 in pictures: a promised step as a bar, filled with weights, kernels and users."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import floor
from typing import Any

import numpy as np

from calc import batching, catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, prefixed
from calc.figure.inputs import Choice, Number
from calc.figure.named import name_layer, over_bars
from calc.memory_wall.figures.kept import CROWD, SAFE, line, whole_rounds
from calc.memory_wall.figures.shared import LONG_CONTEXT, RACK, SPEED
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.step import decode, forecast_of, most_sequences
from calc.step.forecasting import FIT

PARTS = {"Weights": look.WEIGHTS, "Kernels": look.FREE[0], "Starts": look.LINKS, "Users": look.CACHE}
SPARE, SLOW = "Spare", "Slow end"
COLOURS = PARTS | {SPARE: look.FREE[2]}
APART = 45  # users of a chip that are drawn each for itself
BAR, FAINT = 0.5, 0.4  # of its band, and of its colour

ATTENTION = Choice(
    name="products",
    label="Attention in",
    default="fp8",
    options={"fp8": "FP8", "bf16": "BF16, at half the rate"},
    help="Cache and weights stay in FP8.",
)
MORE = Number(
    name="more",
    label="Starts of messages",
    default=0,
    low=0,
    high=20,
    unit="ms more",
    help="Time of a step to set up messages, beyond the forecast's.",
)


@dataclass(frozen=True)
class Filled:
    """A chip's step up to an end: what it takes before any user, in parts, and a user; and for whom there is room."""

    row: str
    end: float
    before: tuple[float, float, float]
    each: float
    room: float
    whole: bool = True

    @property
    def users(self) -> float:
        """Users of the chip, whole ones where a cache lies on one chip."""
        most = max(min((self.end - sum(self.before)) / self.each, self.room), 0.0)
        return floor(most) if self.whole else most

    def cells(self) -> list[tuple[str, str, float, float]]:
        """Row, part, beginning and end of all that is drawn: a cell for each user, unless they are too many."""
        edges = np.cumsum([0.0, *self.before])
        found = [(self.row, part, *edges[place : place + 2]) for place, part in enumerate(list(PARTS)[:3])]
        ends = [*range(floor(self.users) + 1), self.users] if self.users <= APART else [0, self.users]
        found += [
            (self.row, "Users", edges[3] + low * self.each, edges[3] + high * self.each) for low, high in pairwise(ends)
        ]
        return [each for each in found if each[3] > each[2]]


def filled(pace: float, context: float, products: str, more: float) -> list[Filled]:
    """Four steps: reading alone, all work at rated speeds, the forecast, and one at its slow end."""
    rated, (rack, _) = Scenario.named("deepseek-v3", RACK, "fp8"), whole_rounds("deepseek-v3")
    rack = replace(rack, precisions=replace(rack.precisions, attention_products=products))
    chips, promised = float(rack.machine.domain_chips), 1 / pace
    step = decode(rack, chips * CROWD, context)
    kernels, weights = (float(np.max(each)) for each in (forecast_of(step).kernel_seconds, step.weights_seconds))
    one, two = (float(each) for each in np.asarray(step.serial_seconds))
    fixed, each = line(rack, chips, context=context)
    reading, read = rated.weight_bytes / rated.bandwidth, rated.kv_bytes_per_token * context / rated.chip.hbm_bandwidth
    held = batching.largest_batch(rated.hbm_bytes, rated.weight_bytes, context, rated.kv_bytes_per_token)
    room, before = float(most_sequences(rack, context)) / chips, (fixed - kernels, kernels, more)
    late = promised / catalog.forecast_fit(FIT).high_80
    return [
        Filled("Reading", promised, (reading, 0.0, 0.0), read, float(held) / chips, whole=False),
        Filled("All work", promised, (weights, kernels, more), two - one, room, whole=False),
        Filled("Forecast", promised, before, each, room),
        Filled(SLOW, late, before, each, room),
    ]


def bar(*, pace: float, context: float, products: str, more: float) -> Answer:
    """A promised step as a bar: by reading alone, by all work, by the forecast, and as the slow end leaves it."""
    rows, promised = filled(pace, context, products, more / 1000), 1 / pace
    chips = Scenario.named("deepseek-v3", RACK, "fp8").system.chips
    cells = [cell for row in rows for cell in row.cells()]
    plan = rows[-1]
    spare = max(plan.end, sum(plan.before))
    if spare < promised:
        cells.append((plan.row, SPARE, spare, promised))
    whole = [floor(chips * row.users + 1e-6) for row in rows]
    said = [plain(many, 9) for many in whole]
    longest = max(cell[3] for cell in cells)
    return Answer(
        finding=_finding(rows, said),
        description=(
            f"Four bars of one chip's step of {show(promised, 's')}, cut in weights, kernels and a block for each "
            f"user. So filled, the rack has time for "
            + ", ".join(f"{many} ({row.row.lower()})" for many, row in zip(said, rows, strict=True))
            + f" users. The last ends at {show(plan.end, 's')}; the rest is spare, for a slow run."
        ),
        tables={
            "parts": {name: [cell[at] for cell in cells] for at, name in enumerate(("row", "part", "from", "to"))}
            | {"shade": [FAINT if cell[1] == SPARE else 1.0 for cell in cells]},
            "bars": {
                "row": [row.row for row in rows],
                "left": [row.end - sum(row.before) for row in rows],
                "each": [row.each for row in rows],
                "chip": [row.users for row in rows],
                "rack": whole,
            },
            "ends": {
                "row": [row.row for row in rows],
                "end": [longest] * 4,
                "edge": [1.35 * longest] * 4,
                "label": [f"{many} users" for many in said],
            },
            "promise": {"end": [promised]},
            "named": over_bars(cells),
        },
        values={
            "plan": Value(plan.users, "", "Users of a chip at the slow end"),
            "left": Value(plan.end - sum(plan.before), "s", "Left for users there", 4),
            "each": Value(plan.each, "s", "A user, by the forecast", 4),
        },
        notes=[_known(plan, promised)]
        + [f"Room ends first: {plain(plan.room)} such caches fit on a chip beside its weights."]
        * any(row.whole and row.users == row.room for row in rows),
    )


def _known(slow: Filled, promised: float) -> str:
    """The slow end is an estimate: the users that have time at the end to plan with."""
    return (
        f"The slow end is itself an estimate, at most {show(SAFE, 'x')} the forecast in nineteen of twenty redraws. "
        f"Planned so, users of a chip: {plain(replace(slow, end=promised / SAFE).users)}."
    )


def _finding(rows: list[Filled], said: list[str]) -> str:
    """Users at the slow end, if it leaves any, against the forecast and the bound."""
    others = f"the forecast allows {said[2]}, reading alone {said[0]}"
    plan = rows[-1]
    if plan.users:
        many = f"{plain(plan.users)} user{'s' * (plan.users != 1)}"
        return f"At the slow end a chip has time for {many}, the rack for {said[3]}: {others}"
    short = plan.room if plan.room < 1 else 1
    return f"A chip has no {'room' if short < 1 else 'time'} for a user in a slow run: {others}"


def bar_chart() -> Any:
    """Four bars, each cut in parts and users, with the users of the rack behind it and the promise as a rule."""
    import altair as alt

    colours: dict[str, Any] = {"domain": list(COLOURS), "range": list(COLOURS.values())}
    y = alt.Y("row:N", title=None, sort=None).scale(paddingInner=0)
    y = y.axis(labelColor=look.INK, labelFontSize=12.5, domain=False, ticks=False, grid=False)
    x = alt.X("from:Q", title="Time of a chip in a step; dotted: the promise").scale(nice=False, zero=True)
    bars = alt.Chart(alt.NamedData("parts"))
    bars = bars.mark_bar(cornerRadiusEnd=0, height={"band": BAR}, stroke=look.GROUND, strokeWidth=0.8)
    shade = alt.FillOpacity("shade:Q", legend=None).scale(None)
    color = alt.Color("part:N", legend=None).scale(**colours)
    drawn = bars.encode(x=x.axis(**prefixed("s"), tickCount=4), x2="to:Q", y=y, color=color, fillOpacity=shade)
    ends = alt.Chart(alt.NamedData("ends"))
    words: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 8}
    said = ends.mark_text(**words, **HALO).encode(x="end:Q", y=y, text="label:N")
    said += ends.mark_text(**words).encode(x="end:Q", y=y, text="label:N")
    edge = ends.mark_rule(opacity=0).encode(x="edge:Q")
    rule = alt.Chart(alt.NamedData("promise")).mark_rule(color=look.INK, strokeDash=[2, 3]).encode(x="end:Q")
    return drawn + edge + rule + said + name_layer(alt, colours, y, over=BAR)


FIGURES = (
    Figure(
        name="memory_wall/bar",
        inputs=(SPEED, LONG_CONTEXT, ATTENTION, MORE),
        compute=bar,
        chart=bar_chart,
        table="bars",
        columns={
            "row": "Counted",
            "left": "Left for users (s)",
            "each": "A user (s)",
            "chip": "Users of a chip",
            "rack": "Users of the rack",
        },
        assumptions=(
            "DeepSeek-V3 in FP8 on 72 GB200, all with equal contexts; chips write only. Reading: at rated speed, "
            "nothing copied. All work: copies, fitted kernels, multiplying and sending, the rest at rated speeds. "
            "Forecast: all at rates fitted to measured runs. Slow end: with time for a run as slow as any of "
            "nine in ten of those; both count whole users. For another model or rack, size by lecture 8's price list.",
        ),
        sources=("deepseek-v3-config", "aiconfigurator-silicon"),
    ),
)
