"""Entries of MLPerf Inference: what one accelerator writes, and no less than what it could."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from calc.catalog.measurement import MLPERF_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain
from calc.world.mlperf import NAMES, Entry, entries

SCENARIOS = ("Offline", "Server", "Interactive")
TOGETHER = 5  # entries of a model on an accelerator, at least, that make a row


def listed() -> Answer:
    """A row for each model and accelerator of several entries, from the fastest of a model to the slowest."""
    rows = _rows(entries())
    bounded = [each for its in rows.values() for each in its if np.isfinite(each.bound)]
    shares = [max(each.share for each in its if np.isfinite(each.bound)) for its in rows.values() if _bound(its)]
    name = NAMES[bounded[0].row.model]
    return Answer(
        finding=(
            f"{name} in MLPerf reaches at best {plain(100 * min(shares), 2)} to {plain(100 * max(shares), 2)}% of the "
            f"most that an accelerator could write if prompts cost nothing, where {TOGETHER} entries or more are known"
        ),
        description=(
            f"Dot plot, logarithmic: tokens a second of one accelerator in {sum(map(len, rows.values()))} entries of "
            f"MLPerf Inference v6.1, in {len(rows)} rows of a model and an accelerator, by scenario. Where lengths are "
            f"in the table, for {name}, a tick marks the bound on writing, at {plain(1 / max(shares), 2)} to "
            f"{plain(1 / min(shares), 2)} times the best entry."
        ),
        tables={
            "entries": {
                "row": [row for row, its in rows.items() for _ in its],
                "rate": [each.row.per_accelerator for its in rows.values() for each in its],
                "scenario": [each.row.scenario for its in rows.values() for each in its],
            },
            "bounds": {
                "row": [row for row, its in rows.items() if _bound(its)],
                "rate": [_bound(its) for its in rows.values() if _bound(its)],
            },
            "best": {
                "entry": [its[0].row.entry for its in rows.values()],
                "result": [its[0].row.result for its in rows.values()],
                "accelerators": [its[0].row.accelerators for its in rows.values()],
                "rate": [its[0].row.per_accelerator for its in rows.values()],
                "bound": [_bound(its) or None for its in rows.values()],
            },
        },
        values={
            "entries": Value(len(entries()), "", "Entries that count tokens", 4),
            "bounded": Value(sum(bool(np.isfinite(each.bound)) for each in entries()), "", "Of which with a bound", 4),
            "low": Value(min(shares), "%", "Of the bound, least of the best", 2),
            "high": Value(max(shares), "%", "Of the bound, most", 2),
        },
    )


def _rows(found: Sequence[Entry]) -> dict[str, list[Entry]]:
    """By model, and within a model by accelerator: each with its entries, the fastest first."""
    groups: dict[tuple[str, str], list[Entry]] = {}
    for each in found:
        groups.setdefault((each.row.model, each.row.accelerator), []).append(each)
    kept = [sorted(its, key=lambda each: -each.row.per_accelerator) for its in groups.values() if len(its) >= TOGETHER]
    order = list(NAMES)
    kept.sort(key=lambda its: (order.index(its[0].row.model), -its[0].row.per_accelerator))
    return {f"{NAMES[its[0].row.model]}, {its[0].row.accelerator}": its for its in kept}


def _bound(its: Sequence[Entry]) -> float:
    """The highest bound of a row's entries; 0 where none is known."""
    return max((each.bound for each in its if np.isfinite(each.bound)), default=0.0)


def listed_chart() -> Any:
    """A dot an entry, coloured by scenario, and a tick for the bound."""
    import altair as alt

    y = alt.Y("row:N", title=None, sort=None)
    x = alt.X("rate:Q", title="Tokens a second of one accelerator").scale(type="log", nice=False).axis(format="~s")
    dots = (
        alt.Chart(alt.NamedData("entries"))
        .mark_point(size=40, filled=True, opacity=0.75)
        .encode(
            x=x,
            y=y,
            color=alt.Color("scenario:N", title=None).scale(**look.series(*SCENARIOS)),
            shape=alt.Shape("scenario:N", title=None).scale(**look.shapes(*SCENARIOS)),
        )
    )
    bound = alt.Chart(alt.NamedData("bounds")).mark_tick(color=look.INK, thickness=3, size=12).encode(x=x, y=y)
    return dots + bound


FIGURES = (
    Figure(
        name="world/mlperf",
        compute=listed,
        chart=listed_chart,
        table="best",
        columns={
            "entry": "Best entry",
            "result": "Result (tokens/s)",
            "accelerators": "Accelerators",
            "rate": "Of one accelerator, derived",
            "bound": "Bound on writing",
        },
        assumptions=(
            "A rate of one accelerator is derived from an entry's result; it is no metric of MLPerf, and MLCommons has "
            "not verified it. MLPerf is a trademark of MLCommons.",
            "The bound is on writing alone, in the entry's format, with answers as long as the entry's and all the "
            "sequences that have room; prompts are taken as free, as their lengths are not in the table.",
            f"Rows with at least {TOGETHER} entries that count tokens.",
        ),
        sources=(MLPERF_SOURCE,),
    ),
)
