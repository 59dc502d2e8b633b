"""Lecture 1 in pictures: batches as trains, who waits for them, and how many of them a service can fill."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.batching import departures
from calc.figure import look
from calc.figure.declared import Answer, Figure, Number, Value
from calc.figure.guides import guide_layer, guides, here_layer
from calc.figure.scenario import BATCH
from calc.quantities import draws
from calc.quantities.arithmetic import MONTH
from calc.quantities.units import plain, show

TRAINS = 4
DRAWN_SEATS = 6
MOST_DRAWN = 2.0
WAYS = ("Waiting", "Carried")

PERIOD = Number(
    name="period",
    label="Period",
    default=20,
    low=0.5,
    high=500,
    unit="ms",
    log=True,
    help="Time from one departure to the next, and from departure to arrival.",
)
TRAFFIC = Number(
    name="traffic",
    label="Traffic",
    default=80e3,
    low=100,
    high=1e10,
    unit="tokens/s",
    log=True,
    help="Tokens that all users together are to be sent in a second.",
)
LENGTH = Number(
    name="length",
    label="Answer",
    default=1000,
    low=1,
    high=1e6,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that a sequence decodes before it gives up its seat.",
)


def timetable(*, batch: float, period: float, traffic: float, length: float) -> Answer:
    """Requests drawn on the trains that they catch, each line standing for many."""
    seconds = period / 1000
    capacity = batch / seconds
    full = float(departures.occupancy(traffic, batch, seconds))
    overload = traffic / capacity
    share = min(overload, MOST_DRAWN)
    drawn = max(1, round(share * DRAWN_SEATS * (TRAINS - 1)))
    came = np.sort(draws.uniform(7, drawn)) * (TRAINS - 1) * seconds
    trip = departures.board(came, seconds, DRAWN_SEATS)
    worst, mean = float(departures.worst_wait(seconds)), float(departures.mean_wait(seconds))
    conversations = float(departures.sequences_per_second(batch, seconds, length))
    return Answer(
        finding=_trains_finding(overload, worst, mean),
        description=(
            f"Timetable: a batch leaves every {show(seconds, 's')}. {drawn} lines are requests that come at random "
            f"in {TRAINS - 1} periods; each waits for the next batch with a free seat and is carried for one period. "
            f"The longest drawn takes {show(float((np.asarray(trip.arrives) - came).max()), 's')}."
        ),
        tables={
            "trips": {
                "request": list(range(1, drawn + 1)) * 2,
                "way": [way for way in WAYS for _ in range(drawn)],
                "start": 1000 * np.concatenate([came, np.asarray(trip.departs)]),
                "end": 1000 * np.concatenate([np.asarray(trip.departs), np.asarray(trip.arrives)]),
            },
            "trains": {"departs": [period * train for train in range(TRAINS + 1)]},
        },
        values={
            "worst": Value(worst, "s", "Longest wait, with seats"),
            "mean": Value(mean, "s", "Mean wait, with seats"),
            "rate": Value(1 / seconds, "departures/s", "Departures"),
            "capacity": Value(capacity, "tokens/s", "One system, full"),
            "occupancy": Value(full, "%", "Seats taken"),
            "conversations": Value(conversations, "answers/s", "New ones that fill it"),
            "fill": Value(batch / traffic, "s", "A batch is asked for in"),
        },
        notes=_trains_notes(overload),
    )


def _trains_finding(overload: float, worst: float, mean: float) -> str:
    if overload > 1:
        return f"Traffic is {show(overload, 'x')} what the trains carry: the platform fills and no wait is bounded"
    taken = show(overload, "%")
    return (
        f"With {taken} of the seats taken, a token takes {show(mean, 's')} on average and {show(worst, 's')} at worst"
    )


def _trains_notes(overload: float) -> list[str]:
    if overload > MOST_DRAWN:
        return [f"Drawn at {show(MOST_DRAWN, 'x')} what the trains carry; the traffic is higher still."]
    return []


def timetable_chart() -> Any:
    """A staircase of requests: pale while they wait, coloured while they are carried."""
    import altair as alt

    x = alt.X("start:Q", title="Time (ms)").scale(nice=False)
    trains = alt.Chart(alt.NamedData("trains")).mark_rule(strokeDash=[2, 3]).encode(x="departs:Q")
    trips = (
        alt.Chart(alt.NamedData("trips"))
        .mark_bar(cornerRadius=2, height={"band": 0.62})
        .encode(
            x=x,
            x2="end:Q",
            y=alt.Y("request:O", title="Requests, in the order in which they come").axis(labels=False, grid=False),
            color=alt.Color("way:N", title=None).scale(domain=list(WAYS), range=[look.FAINT, look.MUTED]),
        )
    )
    return trains + trips


def traffic_cost(*, batch: float, period: float, traffic: float) -> Answer:
    """The cost of a token against the traffic, because only whole systems can be rented."""
    capacity = batch / (period / 1000)
    systems = departures.systems_needed(traffic, capacity)
    factor = departures.empty_seat_factor(traffic, capacity)
    corners, factors = _saw(capacity, min(traffic, capacity / 50))
    months = announced()
    newest = max(months)
    return Answer(
        finding=(
            f"Traffic of {show(traffic, 'tokens/s')} needs {plain(systems, 6)} system{'' if systems == 1 else 's'} of "
            f"{show(capacity, 'tokens/s')}; a token costs {show(factor, 'x')} what it would on full ones"
        ),
        description=(
            f"Line chart, both axes logarithmic: cost of a token, as a multiple of its cost on full systems, against "
            f"traffic. It falls in inverse proportion down to 1 at {show(capacity, 'tokens/s')}, the rate of one full "
            f"system, and saws between 1 and ever less above it. Dotted lines mark what Google announced."
        ),
        tables={
            "curve": {"traffic": corners, "factor": factors},
            "here": {"traffic": [traffic], "factor": [factor]},
            "guides": guides("traffic", {f"Google {when}": rate for when, rate in months.items()}, 100, 1e10),
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
    return guide_layer(alt, "traffic") + line + here_layer(alt, "traffic", "factor")


DEPARTURES = Figure(
    name="batching/departures",
    inputs=(PERIOD, BATCH, TRAFFIC, LENGTH),
    compute=timetable,
    chart=timetable_chart,
    table="trips",
    columns={"request": "Request", "way": "Way", "start": "From (ms)", "end": "Until (ms)"},
    assumptions=(
        "A batch leaves on time whether it is full or not, and arrives as the next one leaves.",
        f"Each line stands for one in {DRAWN_SEATS} of a batch; requests come at random, from a fixed seed.",
        "Reading the prompt comes before, and is not in the wait.",
    ),
    sources=("lecture",),
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

FIGURES = (DEPARTURES, TRAFFIC_COST)
