"""Lecture 8's sums that a reader does on paper: room on a chip at a promise, racks for a traffic, and what is left."""

from __future__ import annotations

import datetime as dt
import math

from calc import catalog
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.serving import measured
from calc.serving.figures.cases import CASES, MAKER, PEAK, case, enough, fixed_seconds, peak_at_most, room_at_peak
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import always_full, modes, readers
from calc.serving.public import SOLD_AS, offers, token_dollars
from calc.step.forecasting import FIT

SPEED = float(PROMISED.default)
COUNTS = {"one": 1, "two": 2, "three": 3}
AFTER = dt.date(2025, 9, 5)  # since when the maker's next list was asked, for the next version
REQUESTS = 1000.0  # of these a price is told; with answers of a thousand tokens they write a million


def ladder() -> Answer:
    """The case's promise and traffic: every number on the way from a step to dollars."""
    here, slower = case("rack"), catalog.forecast_fit(FIT).high_80
    request, chips = here.request, float(here.writing.setting.layout.chips)
    second = here.dollars_per_chip_second * chips
    asks = {"promised": SPEED, "late": slower * SPEED}
    room_for = {name: modes(here, speed).promised for name, speed in asks.items()}
    kept, late, fixed = room_for["promised"], room_for["late"], fixed_seconds(here)
    each = (float(here.expected.seconds) - fixed) * float(
        here.expected.fit.sequence_seconds / here.expected.sequence_seconds
    )
    traffic, flight, peak = here.traffic, here.in_flight(SPEED), catalog.datum(PEAK).value
    room = room_at_peak(here, SPEED)
    a_rack = MILLION * second / (traffic * request.output_tokens)  # rent of one, for a million tokens of the traffic
    racks = math.ceil(room / late.batch)
    longer = {name: enough(here, SPEED, room / count) for name, count in COUNTS.items()}
    slow_pass = here.pass_seconds / measured.comparison("sglang-gb200-prefill").over_expected  # the slowest service
    reading = peak * always_full(here, kept) * readers(here, kept) * here.dollars_per_chip_second / traffic
    asked = REQUESTS * token_dollars(offers(CASES["rack"][0])[MAKER]).of(request)
    after = REQUESTS * token_dollars(catalog.price(SOLD_AS[CASES["rack"][0]][0], on=AFTER)).of(request)
    whole = registry.find("serving/questions").answer().values
    left = {name: 1 - whole[name].number / after for name in ("alike", "alike_budget")}
    return Answer(
        finding="The case's promise and traffic, from seconds to dollars",
        values={
            "second": Value(second, "$", "Rent of the rack for a second"),
            "expected": Value(here.expected.seconds, "s", "Step, expected, with a digit more", 4),
            "slow": Value(slower, "x", "Slow end over the forecast", 4),
            "busy": Value(REQUESTS * here.forecast.of(request), "$", "A thousand requests on chips that never idle"),
            "allowed": Value(1 / SPEED, "s", "A step that the promise allows"),
            "late_allowed": Value(1 / SPEED / slower, "s", "A forecast step that it allows at the slow end", 4),
            "fixed": Value(fixed, "s", "Weights and kernels of a step, expected", 4),
            "late_fixed": Value(slower * fixed, "s", "Weights and kernels of a step at the slow end", 4),
            "each": Value(each, "s", "A sequence of the busiest chip adds", 4),
            **{f"{name}_chip": Value(of.batch / chips, "", f"Room on a chip, {name}") for name, of in room_for.items()},
            **{f"{name}_room": Value(of.batch, "", f"Room on a rack, {name}", 4) for name, of in room_for.items()},
            **{
                f"{name}_left": Value(1 / of - fixed, "s", f"Left for sequences, {name}", 3)
                for name, of in asks.items()
            },
            "full_output": Value(MILLION * kept.dollars, "$", "Output of a full rack at the promised speed, expected"),
            "peak_traffic": Value(peak * traffic, "requests/s", "Traffic of the peak", 4),
            "peak_fresh": Value(peak * traffic * request.fresh, "tokens/s", "Fresh tokens of the peak"),
            "slow_pass": Value(slow_pass, "s", "A full pass as slow as the slowest service's"),
            "slow_pass_prompts": Value(slow_pass * peak * traffic, "prompts", "Prompts that come during it", 3),
            **{
                f"median_{name}": Value(of, "x", f"Step over its forecast that keeps it, {name}")
                for name, of in longer.items()
            },
            **{
                f"{name}_step": Value(1 / SPEED / of, "s", f"Forecast step at the peak, {name}", 4)
                for name, of in longer.items()
            },
            **{
                f"{name}_chip": Value(math.ceil(room / count / chips), "", f"Sequences of its busiest chip, {name}")
                for name, count in COUNTS.items()
            },
            "one_peak": Value(peak_at_most(kept.batch, flight), "x", "Largest peak of one rack as forecast"),
            "two_peak": Value(peak_at_most(2 * late.batch, flight), "x", "Largest peak of two racks at the slow end"),
            "room": Value(room, "", "Requests in flight at the peak, with room for chance", 4),
            "brought": Value(REQUESTS * request.input_tokens, "tokens", "Input of a thousand requests", 2),
            "asked": Value(asked, "$", "A thousand requests at the maker's prices"),
            "after": Value(after, "$", "The same at its next prices"),
            "after_left": Value(left["alike"], "%", "Left of that in the plan", 2),
            "after_third": Value(left["alike_budget"], "%", "The same with a third rack", 2),
            "reading": Value(REQUESTS * reading, "$", "Input of a thousand requests, on readers for the peak", 2),
            "reading_most": Value((asked - racks * a_rack) / (REQUESTS * reading), "x", "At most"),
        },
    )


FIGURES = (Figure(name="serving/ladder", compute=ladder),)
