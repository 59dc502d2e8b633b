"""Lecture 1 in pictures: how many trains a service can fill."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.batching import departures
from calc.batching.figures.shared import PERIOD, TRAFFIC
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer
from calc.figure.scenario import BATCH
from calc.quantities.arithmetic import MONTH
from calc.quantities.units import plain, show

LABEL = 30.0  # how many times further to the right the next label has room beside one


def traffic_cost(*, batch: float, period: float, traffic: float) -> Answer:
    """The cost of a token against the traffic, because only whole systems can be rented."""
    capacity = batch / (period / 1000)
    systems = departures.systems_needed(traffic, capacity)
    factor = departures.empty_seat_factor(traffic, capacity)
    corners, factors = _saw(capacity, min(traffic, capacity / 50))
    digits = 9 if plain(traffic) == plain(capacity) else 3  # all where rounding would hide which is the larger
    months = announced()
    newest = max(months)
    return Answer(
        finding=(
            f"Traffic of {show(traffic, 'tokens/s', digits)} needs {plain(systems, 6)} "
            f"system{'' if systems == 1 else 's'} of {show(capacity, 'tokens/s', digits)}; "
            f"a token costs {show(factor, 'x')} what it would on full ones"
        ),
        description=(
            f"Line chart, both axes logarithmic: cost of a token, as a multiple of its cost on full systems, against "
            f"traffic. It falls in inverse proportion down to 1 at {show(capacity, 'tokens/s')}, the rate of one full "
            f"system, and saws between 1 and ever less above it. Dotted lines mark the last "
            "figure that Google announced in each year."
        ),
        tables={
            "curve": {"traffic": corners, "factor": factors},
            "here": {
                "traffic": [traffic],
                "factor": [factor],
                "said": [show(factor, "x")],
                "clear": [max(factor, 2.0)],
            },
            "guides": _marks(months),
        },
        values={
            "capacity": Value(capacity, "tokens/s", "One system, full"),
            "systems": Value(systems, "", "Systems to rent", 6),
            "factor": Value(factor, "x", "Cost, against full systems"),
            "google": Value(months[newest], "tokens/s", f"Google, {newest}"),
            "times": Value(months[newest] / capacity, "x", "Google over one system"),
        },
        notes=["Google's announcements count input and output of all its products; only output is decoded."],
    )


@cache
def announced() -> dict[int, float]:
    """Tokens a second that Google announced, the last figure of each year."""
    series = catalog.history(catalog.Datum, "data", "google-tokens-per-month")
    return {row.since.year: row.value / MONTH for row in sorted(series, key=lambda row: row.since)}


def _marks(months: dict[int, float]) -> dict[str, list[Any]]:
    """A rule for each year, labels side by side where they have room and one over the other where they have not."""
    named = guides("traffic", {f"Google {when}": rate for when, rate in months.items()}, 100, 1e10)
    rates = np.asarray(named["traffic"])
    crowded = np.append(False, rates[1:] < LABEL * rates[:-1])
    return named | {"row": [int(each) for each in crowded]}


def _saw(capacity: float, start: float) -> tuple[list[float], list[float]]:
    """Corners of the saw: full systems, and just one request more."""
    full = np.concatenate([np.arange(1, 25), np.geomspace(25, max(1e10 / capacity, 26), 12)]) * capacity
    corners = np.concatenate([[start], full, full[:24] * (1 + 1e-6)])
    corners.sort()
    return corners.tolist(), np.asarray(departures.empty_seat_factor(corners, capacity)).tolist()


def traffic_chart() -> Any:
    """A slope down to one full system, then a saw that no longer matters."""
    import altair as alt

    line = (
        alt.Chart(alt.NamedData("curve"))
        .mark_line()
        .encode(
            x=alt.X("traffic:Q", title="Traffic (tokens/s)").scale(type="log").axis(format="~s"),
            y=alt.Y("factor:Q", title="Cost of a token (× full systems)")
            .scale(type="log")
            .axis(values=[1, 2, 5, 10, 100, 1000]),
        )
    )
    return (
        guide_layer(alt, "traffic", top="-41")
        + line
        + here_layer(alt, "traffic", "factor", label="said", falling=True, over="clear")
    )


TRAFFIC_COST = Figure(
    name="batching/traffic",
    inputs=(PERIOD, BATCH, TRAFFIC),
    compute=traffic_cost,
    chart=traffic_chart,
    table="curve",
    columns={"traffic": "Traffic (tokens/s)", "factor": "Cost (× full systems)"},
    assumptions=(
        "Only whole systems are rented, all day, and the traffic is steady.",
        "A month is a twelfth of a year.",
    ),
    sources=("lecture", "google-io-2026", "decoder-google"),
)


FIGURES = (TRAFFIC_COST,)
