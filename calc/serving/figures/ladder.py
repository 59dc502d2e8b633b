"""Lecture 8's sums that a reader does on paper: room on a chip at a promise, racks for a traffic, and what is left."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.serving.copies import fewest_chips
from calc.serving.figures.cases import CASES, MAKER, case
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import modes
from calc.serving.public import offers, token_dollars
from calc.serving.room import room_at_random
from calc.serving.sheet import Sheet, sheet
from calc.step import decode, requests_in_flight
from calc.step.forecasting import FIT, forecast_of

SPEED = float(PROMISED.default)
REQUESTS = 1000.0  # of these a price is told; with answers of a thousand tokens they write a million


def ladder() -> Answer:
    """The case's promise and traffic: every number on the way from a step to dollars."""
    here, day, slower = case("rack"), catalog.deployment("deepseek-day-6"), catalog.forecast_fit(FIT).high_80
    request, chips = here.request, float(here.writing.setting.layout.chips)
    second = here.dollars_per_chip_second * chips
    each = float(here.expected.sequence_seconds / here.expected.fit.sequence_seconds)  # sequences of the busiest chip
    kept, late = (modes(here, speed).promised for speed in (SPEED, slower * SPEED))
    traffic = here.writing.requests[0].batch / (request.output_tokens * here.expected.seconds)
    flight = requests_in_flight(traffic, request.output_tokens * kept.seconds)
    peak = day.nodes_peak / day.nodes_mean
    room = room_at_random(peak * flight)
    copies, group = fewest_chips(here, room, slower * SPEED)
    a_rack = MILLION * second / (traffic * request.output_tokens)  # rent of one, for a million tokens of the traffic
    racks = {"even": flight / kept.batch, "slow": flight / late.batch, "sized": room / late.batch}
    reading = flight / kept.batch * chips * _readers(here, kept.batch) * here.dollars_per_chip_second / traffic
    asked = token_dollars(offers(CASES["rack"][0])[MAKER])
    return Answer(
        finding="The case's promise and traffic, from seconds to dollars",
        values={
            "second": Value(second, "$", "Rent of the rack for a second"),
            "allowed": Value(1 / SPEED, "s", "A step that the promise allows"),
            "late_allowed": Value(1 / SPEED / slower, "s", "A forecast step that it allows at the slow end"),
            "left": Value(1 / SPEED - here.expected.seconds, "s", "Left of the allowed step in the case"),
            "another": Value(_another(here, each), "s", "One more sequence on each chip adds"),
            "more": Value(kept.batch / chips - each, "", "More sequences on a chip at the promise"),
            "late_more": Value(late.batch / chips - each, "", "More at the slow end"),
            "answer": Value(request.output_tokens * here.expected.seconds, "s", "An answer of the case takes"),
            **{f"{name}_output": Value(a_rack * of, "$", f"Output, {name}", 2) for name, of in racks.items()},
            "groups": Value(copies * group / chips, "racks", "Racks that two smaller groups amount to"),
            "share": Value(racks["sized"] * chips, "chips", "A rack's chips, times the racks that are sized"),
            "gap": Value(
                MILLION * (asked.output - here.forecast.output), "$", "From the forecast to the maker's price", 2
            ),
            "brought": Value(REQUESTS * request.input_tokens, "tokens", "Input of a thousand requests", 2),
            "asked": Value(REQUESTS * asked.of(request), "$", "A thousand requests at the maker's prices"),
            "reading": Value(
                REQUESTS * peak * reading, "$", "Input of a thousand requests, on readers for the peak", 2
            ),
        },
    )


def _readers(found: Sheet, batch: float) -> float:
    """Chips that read, for one that writes at a batch."""
    return float(sheet(found.writing.setting, found.request, batch, 1.0).expected_reading_chips)


def _another(found: Sheet, each: float) -> float:
    """Seconds that one more sequence on each chip adds to a step."""
    setting, chips = found.writing.setting, float(found.writing.setting.layout.chips)
    fewer, more = (forecast_of(decode(setting, chips * of, found.request.held)).seconds for of in (each, each + 1))
    return float(more - fewer)


FIGURES = (Figure(name="serving/ladder", compute=ladder),)
