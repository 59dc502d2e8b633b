"""Lecture 8 in pictures: what a million tokens costs against the speed that each user sees, over the batch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc.figure.declared import Answer, Figure, Value
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, PRECISION
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Array
from calc.quantities.units import plain, show
from calc.serving.figures.setting import (
    CACHED,
    CONTEXT,
    ELSEWHERE,
    MODEL,
    OUTPUT,
    PROMISE,
    REACHED,
    SYSTEM,
    WITHIN,
    other_rent,
    priced,
)
from calc.serving.figures.speed_chart import speed_chart
from calc.serving.modes import Mode, Modes, modes
from calc.step import why_not
from calc.step.forecasting import forecast

DRAWN = 100  # batches of the curve that share a step, and a quarter as many below one for each group
DEAREST = 13.0  # times the cheapest: so far up the curve is drawn, or to the promise
CLOSE = 0.14, 0.05  # shares of both axes, within which one dot's number would lie on that of another
NEAR = 0.8  # of the largest batch, from which a dot would lie on that of memory that is full
BEYOND = 1.2  # of the fastest that is drawn, up to which the promise is too
NOWHERE: dict[str, list[Any]] = {"user": [], "cost": [], "said": []}
READING: dict[str, Any] = {
    "cached": CACHED.default,
    "within": WITHIN.default,
    **{given.name: given.default for given in REACHED},
}
"""Inputs of the price list that move the cost of reading alone, and rates as they were fitted."""


def speed(*, batch: float, promise: float, **inputs: Any) -> Answer:
    """Speed for each user and cost of a million written tokens, from memory that is full to few sequences."""
    found = priced(batch=batch, **inputs, **READING)
    had, step, slower = modes(found, promise), found.writing, found.expected.fit.high_80
    late = modes(found, slower * promise).promised  # the largest batch that keeps the promise at the slow end
    setting, held, chips = step.setting, found.request.held, step.setting.layout.chips
    groups = float(np.asarray(setting.layout.data))
    room = had.slow.batch if math.isfinite(had.slow.batch) else 0.0
    batches, halves = _batches(max(batch, room), groups)
    if math.isfinite(had.promised.batch):
        batches = np.unique(np.append(batches, had.promised.batch))
    seconds = np.asarray(forecast(setting, batches, held).seconds)
    dollars = MILLION * found.dollars_per_chip_second * chips * seconds / batches
    shown = (dollars <= DEAREST * dollars.min()) | (batches >= had.promised.batch)
    users, costs, sizes = 1 / seconds[shown], dollars[shown], batches[shown]
    here, there = 1 / float(found.expected.seconds), MILLION * float(found.forecast.output)
    asked, cost = show(promise, "tokens/s"), MILLION * had.promised.dollars
    drawn = batch >= sizes.min()
    ring = f" A ring marks a batch of {plain(batch, 9)}, {show(here, 'tokens/s')} at {show(there, '$')}."
    reached = promise < BEYOND * users.max()
    rule = f" An upright rule marks the promise of {asked}." if reached else ""
    low = slower * costs <= costs.max()  # what of the slow end has room under the highest place of the forecast
    offered = other_rent(inputs["system"], inputs["price"], cost if math.isfinite(cost) else None)
    notes = why_not(step), "" if drawn else _beyond(batch, here, there), offered
    name = f"{setting.model.name} on {plain(chips)} chips of {setting.machine.name}"
    return Answer(
        finding=_finding(had, asked, cost),
        description=(
            f"Line chart: dollars for a million tokens written by {name} against tokens a second for each user. It is "
            f"nearly level on the left, where many share a step, and steep on the right, where few do. A dashed line "
            f"above it has steps {show(slower, 'x')} as long, the slow end of the forecast. {_left(room, batch)}. Dots "
            f"show how many share a step, each half as many as the one before.{ring if drawn else ''}{rule}"
        ),
        tables={
            "curve": {"user": users, "cost": costs, "batch": np.round(sizes)},
            "slow": {"user": users[low] / slower, "cost": slower * costs[low], "batch": np.round(sizes[low])},
            "late": _late(late, slower, float(costs.max())),
            "slow_name": _slow_name(users[low] / slower, slower * costs[low]),
            "dots": _dots(users, costs, sizes, halves),
            "full": _end(had),
            "ring": {"user": [here], "cost": [there], "said": [f"yours: {plain(batch, 9)}"]} if drawn else NOWHERE,
            "here": {
                "user": [1 / had.promised.seconds] if math.isfinite(cost) else [],
                "cost": [cost] if math.isfinite(cost) else [],
                "label": [show(cost, "$")] if math.isfinite(cost) else [],
            },
            "promise": {"user": [promise] if reached else []},
        },
        values={
            **_kept(had, cost),
            **_kept_late(late, slower),
            "user": Value(here, "tokens/s", "At your batch, each user"),
            "cost": Value(there, "$", "At your batch, a million tokens"),
            **_full(had),
        },
        notes=[each for each in notes if each],
    )


def _left(room: float, batch: float) -> str:
    """Where memory is full on the curve, or that not even a sequence of each group has room."""
    if not room:
        return "Memory has no room for a sequence of each group"
    full = f"Memory is full at {plain(room, 9)}, and has no room for those to the left of it"
    return "At the left end memory is full" if batch <= room else full


def _finding(had: Modes, asked: str, cost: float) -> str:
    if not math.isfinite(cost):
        return f"No batch of this layout keeps a promise of {asked} to each user"
    over = cost / (MILLION * had.slow.dollars)
    full = had.promised.batch == had.slow.batch
    all_of = ", all that have room" if full else ""
    than = "" if full else f", {show(over, 'x', 2)} the {show(MILLION * had.slow.dollars, '$', 2)} when memory is full"
    return (
        f"By the forecast a promise of {asked} lets {plain(had.promised.batch, 9)} "
        f"{'sequence' if had.promised.batch == 1 else 'sequences'} share a step{all_of}: "
        f"a million tokens then cost {show(cost, '$', 2)}{than}"
    )


def _beyond(batch: float, user: float, cost: float) -> str:
    few = "One sequence" if batch == 1 else f"A batch of {plain(batch, 9)}"
    return f"{few} lies beyond the right end: {show(user, 'tokens/s')} at {show(cost, '$')} for a million tokens."


def _kept(had: Modes, cost: float) -> dict[str, Value]:
    """Numbers of the promise, where a batch keeps it."""
    if not math.isfinite(cost):
        return {}
    return {
        "kept": Value(had.promised.batch, "sequences", "Share a step at the promise", 9),
        "kept_cost": Value(cost, "$", "A million tokens at the promise"),
        "over": Value(cost / (MILLION * had.slow.dollars), "x", "Over the cost without a promise", 2),
    }


def _kept_late(late: Mode, slower: float) -> dict[str, Value]:
    """The same numbers at the slow end, where a batch keeps the promise there."""
    values = {
        "late": Value(late.batch, "sequences", "Share it at the slow end", 9),
        "late_cost": Value(MILLION * slower * late.dollars, "$", "A million tokens then", 2),
    }
    return values if math.isfinite(late.batch) else {}


def _late(late: Mode, slower: float, highest: float) -> dict[str, list[Any]]:
    """The place of the promise on the curve of the slow end, with its cost, where the drawing reaches up to it."""
    if not math.isfinite(late.batch):
        return NOWHERE
    cost, user = MILLION * slower * late.dollars, 1 / (slower * late.seconds)
    if cost > highest:
        return NOWHERE
    return {"user": [user], "cost": [cost], "said": [f"{plain(late.batch, 9)}: {show(cost, '$', 2)}"]}


def _slow_name(users: Array, costs: Array) -> dict[str, list[Any]]:
    """The name of the curve of the slow end, at its lowest place, where no other mark lies above it."""
    if not users.size:
        return NOWHERE
    low = int(np.argmin(costs))
    return {"user": [users[low]], "cost": [costs[low]], "said": ["slow end"]}


def _full(had: Modes) -> dict[str, Value]:
    """Numbers of both ends, where there is room."""
    if not math.isfinite(had.slow.batch):
        return {}
    return {
        "full": Value(had.slow.batch, "sequences", "Fill the memory", 9),
        "full_user": Value(1 / had.slow.seconds, "tokens/s", "Each user then"),
        "full_cost": Value(MILLION * had.slow.dollars, "$", "A million tokens then"),
        "alone": Value(1 / had.alone.seconds, "tokens/s", "A sequence that has all chips to itself"),
    }


def _batches(top: float, groups: float) -> tuple[Array, Array]:
    """Batches from one to the largest, and of these the ones that give each group a power of two.

    Groups that have as many sequences each share a step for least, so that batches between those are not drawn.
    """
    each = 2.0 ** np.arange(0, 64)
    halves = groups * each[groups * each <= NEAR * top]
    alone: Array = np.geomspace(1.0, max(groups, 1.0), DRAWN // 4)
    shared: Array = groups * np.ceil(np.geomspace(1.0, max(top / groups, 1.0), DRAWN))
    return np.unique(np.concatenate([alone, shared, halves])), halves


def _dots(users: Array, costs: Array, sizes: Array, halves: Array) -> dict[str, list[Any]]:
    """Batches that are marked, each with its number where that has room, the fastest first."""
    marked = np.flatnonzero(np.isin(sizes, halves))
    across, up = users[marked] / users.max(), costs[marked] / costs.max()
    said: list[int] = []
    for at in np.argsort(-across):
        if all(abs(across[at] - across[other]) > CLOSE[0] or abs(up[at] - up[other]) > CLOSE[1] for other in said):
            said.append(int(at))
    return {
        "user": users[marked].tolist(),
        "cost": costs[marked].tolist(),
        "said": [_counted(size, at == said[0]) if at in said else "" for at, size in enumerate(sizes[marked])],
        "first": [at in said[:1] for at in range(marked.size)],
    }


def _counted(size: float, first: bool) -> str:
    """The number at a dot; the first says what all of them count."""
    return f"{plain(size, 9)} {'sequence' if size == 1 else 'sequences'}" if first else plain(size, 9)


def _end(had: Modes) -> dict[str, list[Any]]:
    """The left end of the curve, where there is room for a sequence of each group."""
    if not math.isfinite(had.slow.batch):
        return NOWHERE
    user, cost = 1 / had.slow.seconds, MILLION * had.slow.dollars
    return {"user": [user], "cost": [cost], "said": ["memory full"]}


FIGURES = (
    Figure(
        name="serving/speed",
        inputs=(MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, BATCH, OUTPUT, RENT, PROMISE),
        compute=speed,
        chart=speed_chart,
        table="curve",
        columns={
            "user": "Each user sees (tokens/s)",
            "batch": "Sequences that share a step",
            "cost": "A million tokens ($)",
        },
        assumptions=(
            "Speed is one over the forecast of a step, cost is the rent of all chips for that time over the sequences "
            "that share it; chips are never idle. The layout is that of the price list.",
            "On the dashed curve every step lasts as long as the upper end of the range of four in five allows.",
            "A sequence holds its context and half of its answer. The curve ends on the left where caches fill the "
            "memory, or at your batch if that is larger; on the right at a sequence alone, or where a token costs many "
            "times as much.",
            "Groups share its batches evenly; one that they cannot, as at the ring at first, lies a little above it.",
        ),
        foremost=3,
        sources=("lecture", "aiconfigurator-silicon"),
    ),
)
