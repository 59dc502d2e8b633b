"""Measured steps over the bound on them, one point a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain
from calc.world.against import over_bound, points

COLUMNS = {"model": "Model", "system": "System", "engine": "Engine", "chips": "Chips", "year": "Year"}


def measured() -> Answer:
    """Every clean measurement: its time over the bound, against the sequences in flight."""
    found = points()
    ratios = np.array([point.over_bound for point in found])
    near = found[int(np.argmin(ratios))]
    groups = [(label, *_named(key, name), *rest) for key, label in COLUMNS.items() for name, rest in _groups(key)]
    middle, twice = float(np.median(ratios)), float(np.mean(ratios < 2))
    return Answer(
        finding=(
            f"Of {len(found):,} measured steps none is faster than the bound; half of them take more than "
            f"{plain(middle, 3)} times as long"
        ),
        description=(
            f"Scatter plot, both axes logarithmic: measured time over the bound against the sequences in flight. All "
            f"{len(found):,} points lie above 1; the nearest takes {plain(ratios.min(), 3)} times the bound, half "
            f"take more than {plain(middle, 3)} times, and small batches take up to {plain(ratios.max(), 2)} times."
        ),
        tables={
            "runs": {
                "in_flight": [point.row.in_flight for point in found],
                "ratio": ratios,
                "chips": [_size(point.row.chips) for point in found],
            },
            "bound": {"ratio": [1.0]},
            "groups": {
                name: [row[place] for row in groups]
                for place, name in enumerate(("by", "value", "count", "low", "middle", "high"))
            },
        },
        values={
            "count": Value(len(found), "", "Measured steps", 4),
            "median": Value(middle, "x", "Over the bound, median"),
            "least": Value(float(ratios.min()), "x", "Over the bound, nearest"),
            "twice": Value(twice, "%", "Nearer than twice", 2),
            "nearest_batch": Value(near.row.in_flight, "", "In flight in the nearest", 2),
            "one_chip": Value(over_bound(found, "chips")["1"][2], "x", "Over the bound on one chip, median", 2),
            "eight_chips": Value(over_bound(found, "chips")["8"][2], "x", "Over the bound on eight, median", 2),
        },
    )


def _groups(column: str) -> list[tuple[str, tuple[int, float, float, float]]]:
    found = over_bound(points(), column)
    return sorted(found.items(), key=lambda group: int(group[0]) if group[0].isdigit() else 0)


def _named(column: str, name: str) -> tuple[str]:
    rows = {"model": catalog.models(), "system": catalog.systems()}.get(column, {})
    return (rows[name].name if name in rows else name,)


def _size(chips: int) -> str:
    return "1 chip" if chips == 1 else "2 or 4" if chips <= 4 else "8 or more"


def measured_chart() -> Any:
    """One dot a run, and the bound as a line that none of them crosses."""
    import altair as alt

    order = ["1 chip", "2 or 4", "8 or more"]
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=16, opacity=0.45, filled=True)
        .encode(
            x=alt.X("in_flight:Q", title="Sequences in flight").scale(type="log").axis(format="~s"),
            y=alt.Y("ratio:Q", title="Measured time over the bound")
            .scale(type="log", domain=[0.8, 60], nice=False)
            .axis(format="~g"),
            color=alt.Color("chips:N", title=None, sort=order).scale(**look.series(*order)),
            shape=alt.Shape("chips:N", title=None, sort=order).scale(**look.shapes(*order)),
        )
    )
    line = alt.Chart(alt.NamedData("bound")).mark_rule(color=look.INK, strokeWidth=1.5).encode(y="ratio:Q")
    return line + dots


FIGURES = (
    Figure(
        name="world/bound",
        compute=measured,
        chart=measured_chart,
        table="groups",
        columns={
            "by": "By",
            "value": "Runs of",
            "count": "Points",
            "low": "Over the bound, 10 %",
            "middle": "median",
            "high": "90 %",
        },
        assumptions=(
            "Runs without speculative drafts, with the load of one replica and most of its requests in flight.",
            "What was in flight follows from Little's law; experts are chosen evenly.",
        ),
        sources=(SERVING_SOURCE,),
    ),
)
