"""Lecture 8's sums that a reader does on paper: room on a chip at a promise, racks for a traffic, and what is left."""

from __future__ import annotations

import math

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.serving.copies import fewest_chips
from calc.serving.figures.cases import CASES, MAKER, case, fixed_seconds
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import Mode, modes
from calc.serving.public import offers, token_dollars
from calc.serving.room import room_at_random
from calc.serving.sheet import Sheet, sheet
from calc.step import requests_in_flight
from calc.step.forecasting import FIT

SPEED = float(PROMISED.default)
SLOWER, FASTER = SPEED / 2, 1.5 * SPEED
REQUESTS = 1000.0  # of these a price is told; with answers of a thousand tokens they write a million


def ladder() -> Answer:
    """The case's promise and traffic: every number on the way from a step to dollars."""
    here, day, slower = case("rack"), catalog.deployment("deepseek-day-6"), catalog.forecast_fit(FIT).high_80
    request, chips = here.request, float(here.writing.setting.layout.chips)
    second = here.dollars_per_chip_second * chips
    asks = {"slower": SLOWER, "promised": SPEED, "faster": FASTER, "late": slower * SPEED}
    room_for = {name: modes(here, speed).promised for name, speed in asks.items()}
    kept, late, fixed = room_for["promised"], room_for["late"], fixed_seconds(here)
    growing = float(here.expected.seconds) - fixed
    each = growing * float(here.expected.fit.sequence_seconds / here.expected.sequence_seconds)
    traffic = here.traffic
    flight = requests_in_flight(traffic, request.output_tokens * kept.seconds)
    peak = day.nodes_peak / day.nodes_mean
    room = room_at_random(peak * flight)
    copies, group = fewest_chips(here, room, slower * SPEED)
    a_rack = MILLION * second / (traffic * request.output_tokens)  # rent of one, for a million tokens of the traffic
    racks = {"even": flight / kept.batch, "slow": flight / late.batch, "sized": room / late.batch}
    readers = peak * flight / kept.batch * chips * _readers(here, kept.batch)
    reading = readers * here.dollars_per_chip_second / traffic
    asked = token_dollars(offers(CASES["rack"][0])[MAKER])
    return Answer(
        finding="The case's promise and traffic, from seconds to dollars",
        values={
            "second": Value(second, "$", "Rent of the rack for a second"),
            "allowed": Value(1 / SPEED, "s", "A step that the promise allows"),
            "late_allowed": Value(1 / SPEED / slower, "s", "A forecast step that it allows at the slow end", 4),
            "fixed": Value(fixed, "s", "Weights and kernels of a step, expected", 4),
            "growing": Value(growing, "s", "The rest of the case's step"),
            "each": Value(each, "s", "A sequence of the busiest chip adds", 4),
            **{
                f"{name}_left": Value(
                    1 / speed - fixed, "s", f"Left beside weights and kernels, {name}", 4 if name == "slower" else 3
                )
                for name, speed in asks.items()
            },
            **{f"{name}_chip": Value(of.batch / chips, "", f"Room on a chip, {name}") for name, of in room_for.items()},
            **_states(here, kept, slower, late),
            "room": Value(room, "", "Requests in flight at the peak, with room for chance", 4),
            **{f"{name}_output": Value(a_rack * of, "$", f"Output, {name}", 2) for name, of in racks.items()},
            "groups": Value(copies * group / chips, "racks", "Racks that two smaller groups amount to"),
            "share": Value(racks["sized"] * chips, "chips", "A rack's chips, times the racks that are sized"),
            "brought": Value(REQUESTS * request.input_tokens, "tokens", "Input of a thousand requests", 2),
            "asked": Value(REQUESTS * asked.of(request), "$", "A thousand requests at the maker's prices"),
            "reading": Value(REQUESTS * reading, "$", "Input of a thousand requests, on readers for the peak", 2),
            "service": Value(math.ceil(racks["sized"]) * chips + readers, "chips", "Racks that write, and readers"),
        },
    )


def _states(here: Sheet, kept: Mode, slower: float, late: Mode) -> dict[str, Value]:
    """Steps of a rack that is full at the promise, and tokens that it writes in a second in three states."""
    least, full, last = float(here.writing.bound_seconds), float(kept.seconds), slower * float(late.seconds)
    return {
        "least_rate": Value(here.writing.requests[0].batch / least, "tokens/s", "Written at the bound"),
        "full_step": Value(full, "s", "Step of a rack that is full at the promise", 4),
        "full_rate": Value(kept.batch / full, "tokens/s", "Written by it"),
        "late_step": Value(last, "s", "The same at the slow end: step", 4),
        "late_rate": Value(late.batch / last, "tokens/s", "Written by it at the slow end"),
    }


def _readers(found: Sheet, batch: float) -> float:
    """Chips that read, for one that writes at a batch."""
    return float(sheet(found.writing.setting, found.request, batch, 1.0).expected_reading_chips)


FIGURES = (Figure(name="serving/ladder", compute=ladder),)
