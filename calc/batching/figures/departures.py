"""Lecture 1 in pictures: batches as trains, and who waits for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.batching import departures
from calc.batching.figures.shared import PERIOD, TRAFFIC
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.figure.scenario import BATCH
from calc.quantities import draws
from calc.quantities.units import show

TRAINS = 4
DRAWN_SEATS = 6
MOST_DRAWN = 2.0
WAYS = ("Waiting", "Carried")
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
    """Requests drawn on the trains that they catch, a few lines for the seats that come free."""
    seconds = period / 1000
    capacity = batch / seconds
    full = departures.occupancy(traffic, batch, seconds)
    overload = traffic / capacity
    share = min(overload, MOST_DRAWN)
    drawn = max(1, round(share * DRAWN_SEATS * (TRAINS - 1)))
    came = np.sort(draws.uniform(7, drawn)) * (TRAINS - 1) * seconds
    trip = departures.board(came, seconds, DRAWN_SEATS)
    worst, mean = departures.worst_wait(seconds), departures.mean_wait(seconds)
    lines = "One line is the request" if drawn == 1 else f"{drawn} lines are the requests"
    longest = show((np.asarray(trip.arrives) - came).max(), "s")
    conversations = departures.sequences_per_second(batch, seconds, length)
    return Answer(
        finding=_trains_finding(overload, worst, mean),
        description=(
            f"Timetable: a batch leaves every {show(seconds, 's')}. {lines} of {TRAINS - 1} periods, at random times; "
            f"each waits for the next batch with a free seat and is carried for one period. The longest "
            f"drawn takes {longest}."
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
            "mean": Value(mean, "s", "Wait and ride on average, with seats"),
            "worst": Value(worst, "s", "Wait and ride at worst, with seats"),
            "occupancy": Value(full, "%", "Seats taken"),
            "conversations": Value(conversations, "answers/s", "New ones that fill it"),
            "rate": Value(1 / seconds, "departures/s", "Departures"),
            "capacity": Value(capacity, "tokens/s", "One system, full"),
            "fill": Value(batch * length / traffic, "s", "As many requests as seats come in"),
        },
        notes=_trains_notes(overload),
    )


def _trains_finding(overload: float, worst: float, mean: float) -> str:
    if overload > 1:
        times = show(overload, "x")
        more = "more than" if times == show(1, "x") else f"{times} what"
        return f"Traffic is {more} the trains carry: the platform fills and no wait is bounded"
    taken = show(overload, "%")
    return (
        f"With {taken} of the seats taken, a request with its prompt read and a seat free has a token after "
        f"{show(mean, 's')} on average and {show(worst, 's')} at worst"
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


DEPARTURES = Figure(
    name="batching/departures",
    inputs=(PERIOD, BATCH, TRAFFIC, LENGTH),
    compute=timetable,
    chart=timetable_chart,
    table="trips",
    columns={"request": "Request", "way": "Way", "start": "From (ms)", "end": "Until (ms)"},
    assumptions=(
        "A batch leaves on time whether it is full or not, and arrives as the next one leaves.",
        f"{DRAWN_SEATS} lines are the seats that come free at a departure; requests come at random, from a fixed seed.",
        "Reading the prompt comes before, and is not in the wait.",
    ),
    foremost=4,
    sources=("lecture",),
)


FIGURES = (DEPARTURES,)
