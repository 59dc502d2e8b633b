"""The numbers of lecture 8's exercises."""

from __future__ import annotations

import numpy as np

from calc import catalog
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import HOUR, MILLION
from calc.serving.copies import fewest_chips
from calc.serving.figures.cases import CASES, MAKER, REQUEST, case
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import modes
from calc.serving.public import offers
from calc.serving.sheet import Sheet, sheet
from calc.step import requests_in_flight

TWICE = 2  # the rack's batch
ARRIVALS = 60.0  # requests a second


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
    half = rent / 2
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
                slips=(
                    slips.Slip(
                        2.0 * float(double.forecast.output / short.forecast.output),
                        "Twice the batch in the same time would be that; each sequence has a cache to read as well.",
                    ),
                ),
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
            "hot": Value(hot.forecast.of(hot.request), "$", "A request"),
            "cold": Value(cold.forecast.of(cold.request), "$", "A request"),
            "hot_saved": Value(
                1 - (hot.forecast.of(hot.request) / cold.forecast.of(cold.request)), "%", "Saved by the cache"
            ),
            "output_part": Value(
                rack.forecast.output * rack.request.output_tokens / rack.forecast.of(rack.request),
                "%",
                "Output, of a request",
            ),
            "rent": Value(rent, "$", "Rent"),
            "half_rent": Value(half, "$", "Half the rent"),
            "half_saves": Value(half * rack.writing.setting.layout.chips, "$", "Half the rent of a rack-hour"),
            "nights": Value(_sold(rack) / 2, "$", "Output that filled nights sell in a rack-hour, on average"),
            "idle_cost": Value(MILLION * rack.forecast.output * rent / half, "$", "Output, half idle"),
            "rack_output": Value(
                MILLION * fuller.forecast.output,
                "$",
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


def _sold(rack: Sheet) -> float:
    """Output of a rack that is always busy, in an hour, at its maker's price."""
    written = float(rack.writing.requests[0].batch / rack.expected.seconds) * HOUR
    return written * offers(CASES["rack"][0])[MAKER].output / MILLION


def _in_flight() -> dict[str, Value]:
    """Requests that come to the rack, and how many are being written at the promised speed."""
    rack, speed = case("rack"), float(PROMISED.default)
    room, chips = modes(rack, speed).promised.batch, rack.writing.setting.layout.chips
    answer = float(rack.request.output_tokens)
    slow = modes(rack, rack.expected.fit.high_80 * speed).promised.batch
    flight = float(requests_in_flight(ARRIVALS, answer / speed))
    forecast_room = slips.Slip(slow / room, "This is the room by the forecast; sized for the slow end there is less.")
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
        "flight_room": Value(room, "sequences", "Room at that speed, by the forecast", 6),
        "flight_share": Value(flight / slow, "%", "Of the room at the slow end", slips=(forecast_room,)),
        "flight_worth": Value(flight / slow * chips, "chips", "That share of the chips"),
        "flight_fewest": Value(
            fewest_chips(rack, flight, rack.expected.fit.high_80 * speed)[1], "chips", "Fewest that hold so many"
        ),
    }


FIGURES = (Figure(name="serving/exercise", compute=exercise),)
