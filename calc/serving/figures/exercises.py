"""The numbers of lecture 8's exercises."""

from __future__ import annotations

import math

import numpy as np

from calc import catalog
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.serving.figures.cases import CASES, PEAK, REQUEST, case
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import modes
from calc.serving.room import room_at_random
from calc.serving.sheet import Sheet, sheet
from calc.step import requests_in_flight

TWICE = 2  # the rack's batch
ARRIVALS = 90.0  # requests a second


def exercise() -> Answer:
    """The numbers of the exercises."""
    short = case("node")
    setting, request = short.writing.setting, short.request
    double = sheet(setting, request, 128, catalog.rent("hgx-h100").dollars_per_chip_hour)
    weights = setting.read_weight_bytes / setting.system_bandwidth / short.expected.fit.memory_share
    beside = short.expected.kernel_seconds
    hot, cold = case("rack", cached_share=0.9), case("rack", cached_share=0.1)
    rent = catalog.rent("gb200-nvl72").dollars_per_chip_hour
    rack, fuller = case("rack"), sheet(case("rack").writing.setting, REQUEST, TWICE * CASES["rack"][2], rent)
    return Answer(
        finding="The exercises of lecture 8",
        values={
            **_in_flight(),
            "weights": Value(setting.read_weight_bytes, "B", "Weights that a step reads"),
            "weights_step": Value(weights, "s", "Reading them, at the share that is reached"),
            "kernels_step": Value(beside, "s", "Beside kernels' work"),
            "rest_step": Value(short.expected.seconds - weights - beside, "s", "What belongs to the sequences", 2),
            "batch": Value(short.writing.requests[0].batch, "sequences", "Batch", 6),
            "double": Value(128.0, "sequences", "Twice the batch", 6),
            "cost": Value(MILLION * short.forecast.output, "$", "Output"),
            "double_cost": Value(MILLION * double.forecast.output, "$", "Output, twice the batch"),
            "cheaper": Value(
                short.forecast.output / double.forecast.output,
                "x",
                "Cheaper by",
                slips=_cheaper(short, double, weights, beside),
            ),
            "saved": Value(1 - (double.forecast.output / short.forecast.output), "%", "Saved"),
            "step": Value(short.expected.seconds, "s", "Step", 4),
            "double_step": Value(double.expected.seconds, "s", "Step, twice the batch", 4),
            "hot_share": Value(hot.request.cached_share, "%", "Found in a cache"),
            "cold_share": Value(cold.request.cached_share, "%", "Found in a cache"),
            **{
                f"{name}_{kind}": Value(MILLION * getattr(of.forecast, kind), "$", f"A million {kind}, {name}")
                for name, of in (("cold", cold), ("hot", hot))
                for kind in ("fresh", "cached")
            },
            "cold_fresh_tokens": Value(np.round(cold.request.fresh), "tokens", "Fresh tokens, cold", 4),
            "cold_cached_tokens": Value(np.round(cold.request.cached), "tokens", "Cached tokens, cold", 4),
            **{
                name: Value(of.forecast.of(of.request), "$", "A request", slips=_request(of))
                for name, of in (("hot", hot), ("cold", cold))
            },
            "hot_saved": Value(
                1 - (hot.forecast.of(hot.request) / cold.forecast.of(cold.request)), "%", "Saved by the cache"
            ),
            "output_part": Value(
                rack.forecast.output * rack.request.output_tokens / rack.forecast.of(rack.request),
                "%",
                "Output, of a request",
            ),
            "rent": Value(rent, "$", "Rent"),
            "idle_cost": Value(
                2 * MILLION * rack.forecast.output,
                "$/Mtok",
                "Output, half idle",
                slips=(slips.Slip(0.5, "This is the cost of busy hours alone; the rent of idle ones is due too."),),
            ),
            "rack_output": Value(
                MILLION * fuller.forecast.output,
                "$/Mtok",
                "Output, twice the batch",
                slips=slips.of_all(float(rack.writing.setting.layout.chips)),
            ),
            "rack_chips": Value(rack.writing.setting.layout.chips, "", "Chips"),
            "rack_hour": Value(rent * rack.writing.setting.layout.chips, "$", "A rack-hour"),
            "rack_tokens": Value(
                fuller.writing.requests[0].batch / fuller.expected.seconds, "tokens/s", "Written by the rack"
            ),
            "rack_step": Value(fuller.expected.seconds, "s", "Step, twice the batch", 4),
            "rack_batch": Value(fuller.writing.requests[0].batch, "sequences", "Batch", 6),
        },
    )


def _cheaper(short: Sheet, double: Sheet, weights: Quantity, kernels: Quantity) -> slips.Slips:
    """By what a token would become cheaper if nothing of a step grew, or if only a part of what stays did stay."""
    right, step = float(short.forecast.output / double.forecast.output), 2 * float(short.expected.seconds)
    forgotten = "Both reading weights and kernels stay the same: add the two."
    return (
        slips.Slip(
            2 / right, "Twice the batch in the same time would be that; each sequence has a cache to read as well."
        ),
        *(slips.Slip(step / (step - float(fixed)) / right, forgotten) for fixed in (weights, kernels)),
    )


def _request(found: Sheet) -> slips.Slips:
    """A request's cost if fresh and cached tokens are mistaken for one another, and without its output."""
    request, cost = found.request, found.forecast
    right = float(cost.of(request))
    written = float(cost.output * request.output_tokens)
    swapped = float(cost.fresh * request.cached + cost.cached * request.fresh) + written
    return (
        slips.Slip(swapped / right, "This takes the fresh tokens for the cached ones."),
        slips.Slip(1 - written / right, "This is the input alone; the answer costs more than that."),
    )


def _in_flight() -> dict[str, Value]:
    """A smaller traffic: what is in flight, the room for its peak and chance, whole racks, and what a token costs."""
    rack, speed, peak = case("rack"), float(PROMISED.default), float(catalog.datum(PEAK).value)
    answer, chips = float(rack.request.output_tokens), float(rack.writing.setting.layout.chips)
    slow = float(modes(rack, rack.expected.fit.high_80 * speed).promised.batch)
    flight = float(requests_in_flight(ARRIVALS, answer / speed))
    room = float(room_at_random(peak * flight))
    racks = math.ceil(room / slow)
    cost = MILLION * racks * chips * float(rack.dollars_per_chip_second) / (ARRIVALS * answer)
    wrong = (
        slips.Slip(ARRIVALS * answer / flight, "These are the tokens that are asked for in a second."),
        slips.Slip(ARRIVALS * speed / flight, "Requests a second times tokens a second: how long does an answer take?"),
        slips.Slip(ARRIVALS / speed / flight, "This is the time of one token; an answer has many."),
        slips.Slip(
            1 + float(rack.request.input_tokens) / answer, "Input is read at once and elsewhere; the answer is written."
        ),
    )
    return {
        "arrivals": Value(ARRIVALS, "requests/s", "Traffic"),
        "stay": Value(answer / speed, "s", "An answer takes"),
        "flight": Value(flight, "requests", "In flight", 6, slips=wrong),
        "flight_busy": Value(peak * flight, "requests", "In flight at the peak", 6),
        "flight_peak": Value(
            room,
            "requests",
            "Room at the peak, with chance",
            4,
            slips=(
                slips.Slip(peak * flight / room, "This is the peak without room for chance: three square roots more."),
                slips.Slip(float(room_at_random(flight)) / room, "This is the mean hour; the busiest one has more."),
            ),
        ),
        "flight_part": Value(room / slow, "racks", "Racks, before rounding up"),
        "flight_racks": Value(
            racks,
            "",
            "Whole racks that write",
            slips=(slips.Slip(1 / racks, "One is enough by the forecast, or without the peak; the plan has both."),),
        ),
        "flight_cost": Value(
            cost,
            "$/Mtok",
            "A million tokens",
            slips=(
                slips.Slip(1 / racks, "This is the rent of one rack."),
                slips.Slip(1 / peak, "This shares the rent among the peak's tokens; the mean hour has fewer."),
                slips.Slip(room / slow / racks, "This rents a part of a rack: only whole ones are planned."),
                slips.Slip(
                    MILLION * float(rack.forecast.output) / cost, "This is the cost on a rack that is always busy."
                ),
            ),
        ),
    }


FIGURES = (Figure(name="serving/exercise", compute=exercise),)
