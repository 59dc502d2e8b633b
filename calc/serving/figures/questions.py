"""Further numbers of lecture 8's text: three questions put to the sheet, and by how much its forecast has missed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from calc import catalog
from calc.batching.figures.shared import published_guess
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import CONTEXT
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Quantity
from calc.serving import measured
from calc.serving.figures.cases import CASES, INPUT, MAKER, PEAK, PRECISION, REQUEST, case, enough, room_at_peak
from calc.serving.figures.runs import ROOM, nearest
from calc.serving.figures.runs import measured as measured_runs
from calc.serving.figures.runs import setting as run_setting
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.modes import always_full, modes
from calc.serving.public import offers, token_dollars
from calc.serving.rates import chip_dollars_per_token
from calc.serving.room import room_at_random
from calc.serving.sheet import Sheet, sheet
from calc.setting import Layout, Precisions, Setting
from calc.step import decode
from calc.step.forecasting import FIT, forecast_of

LONGER = 8.0
SPEED = float(PROMISED.default)  # tokens a second for each user
FASTER = 1.5 * SPEED
SERVICES = {
    "sglang_ratio": "sglang-h100-prefill",
    "day_ratio": "deepseek-prefill",
    "rack_ratio": "sglang-gb200-prefill",
    "rack_decode": "sglang-gb200-decode-fp4",
    "rack_before": "sglang-gb200-decode",
    "nodes_decode": "sglang-h100-decode",
}


def questions() -> Answer:
    """Buy or rent, how many chips, and what a longer context costs."""
    rent = catalog.rent("gb200-nvl72").dollars_per_chip_hour
    offered = [row.dollars_per_chip_hour for row in catalog.rents().values() if row.chip.id == "gb200"]
    owned = catalog.datum("gb200-owned").value
    here, long = case("rack"), case("rack", input_tokens=LONGER * INPUT)
    setting, request = here.writing.setting, here.request
    promised = modes(here, SPEED).promised
    slower = catalog.forecast_fit(FIT).high_80
    late = modes(here, slower * SPEED).promised
    sequences, slow = promised.batch, late.batch
    kept = sheet(setting, request, sequences, rent)
    chips, stay = setting.layout.chips, request.output_tokens / SPEED
    traffic = here.traffic
    flight, peak = here.in_flight(SPEED), catalog.datum(PEAK).value
    busy, room = peak * flight, room_at_peak(here, SPEED)
    writing = always_full(here, promised)
    reading, racks = writing * kept.expected_reading_chips, np.ceil(room / slow)
    cost, longer = here.forecast.of(request), long.forecast.of(long.request)
    rented = (racks * chips + peak * reading) * rent / HOUR  # dollars a second
    third = (racks + 1) * chips * rent / HOUR  # and with a rack that reads
    slowest = 1 / measured.comparison(SERVICES["rack_ratio"]).over_expected
    coming = slowest * here.pass_seconds * peak * traffic  # prompts, while such a pass lasts
    alike_chips = 2 * np.ceil(chips * room_at_random(coming) / here.prompts / 2)  # rented in pairs
    alike = (racks * chips + alike_chips) * rent / HOUR
    asked = token_dollars(offers(CASES["rack"][0])[MAKER]).of(request)
    written_for = partial(_output, rent=rent, tokens_per_second=traffic * request.output_tokens)
    tokens_alone = here.forecast.of(long.request)  # the long request at the costs of the short one's tokens
    return Answer(
        finding="Three questions that are asked of the sheet",
        values={
            "offered_low": Value(min(offered), "$", "Lowest offer of a chip-hour"),
            "offered_high": Value(max(offered), "$", "Highest offer of a chip-hour", 4),
            "owned": Value(owned, "$", "A chip-hour that is owned"),
            "owned_busy": Value(owned / rent, "%", "Hours in use from which owning is cheaper", 2),
            "owned_busy_most": Value(owned / min(offered), "%", "The same against the lowest offer", 2),
            "traffic": Value(traffic, "requests/s", "Traffic", 4),
            "sequences": Value(sequences, "sequences", "Largest batch that keeps the promise", 4),
            **_faster_promise(here),
            "stay": Value(stay, "s", "An answer takes", 4),
            "flight": Value(flight, "requests", "Requests in flight", 4),
            "racks": Value(flight / sequences, "racks", "Racks that write, by the forecast"),
            "slow_sequences": Value(slow, "sequences", "The same at the slow end of the forecast", 9),
            "slow_output": Value(MILLION * slower * late.dollars, "$", "Output at the slow end", 2),
            "peak": Value(peak, "x", "Requests of the busiest hour over the mean of its day"),
            "peak_flight": Value(busy, "requests", "Requests in flight at such a peak", 4),
            "peak_forecast": Value(busy / sequences, "racks", "Racks that write at the peak, by the forecast"),
            "more_at_random": Value(room / busy - 1, "%", "More, for requests that come at random", 2),
            "sized": Value(room / slow, "racks", "Racks that write at the peak, with room for chance"),
            "rented_output": Value(written_for(racks * chips), "$", "Output on whole racks for the peak"),
            "spare_output": Value(written_for((racks + 1) * chips), "$", "The same with a spare rack"),
            "mean_sized": Value(room_at_random(flight) / slow, "racks", "The same in the mean hour"),
            "reading": Value(reading, "", "Chips that read"),
            "peak_reading": Value(peak * reading, "", "Chips that read at the peak"),
            "rented": Value(racks * chips, "", "Chips of the racks for the peak"),
            "per_request": Value((writing + reading) * rent / (traffic * HOUR), "$", "A request"),
            "sized_request": Value(rented / traffic, "$", "A request of the mean hour, on racks for the peak"),
            "sized_left": Value(1 - rented / traffic / asked, "%", "Left of a request's price over that", 2),
            "third_left": Value(1 - third / traffic / asked, "%", "The same with a whole rack that reads", 1),
            "alike_left": Value(1 - alike / traffic / asked, "%", "The same, readers for slow passes, peak, chance", 1),
            "alike_chance": Value(room_at_random(coming) / coming, "x", "Prompts in a pass over their mean, by chance"),
            "alike_chips": Value(alike_chips, "", "Chips that read, for slow passes, peak and chance", 2),
            "alike": Value(written_for(racks * chips + alike_chips), "$", "A thousand requests, all", 3),
            "alike_reading": Value(written_for(alike_chips), "$", "Of it, chips that read", 2),
            "alike_budget": Value(written_for((racks + 1) * chips + alike_chips), "$", "The same with a spare rack", 3),
            "alike_one": Value(written_for(chips + alike_chips), "$", "The same with one rack that writes", 3),
            "alike_cheap": Value(alike * min(offered) / rent / traffic * 1000, "$", "All, at the least rent", 3),
            "alike_dear": Value(alike * max(offered) / rent / traffic * 1000, "$", "All, at the highest offer", 3),
            "peak_request": Value(rented / (peak * traffic), "$", "A request of the peak hour, on them"),
            "longer": Value(LONGER, "x", "Longer input"),
            "long_input": Value(long.request.input_tokens, "tokens", "Long input", 6),
            "long_cost": Value(longer, "$", "A long request"),
            "cost_ratio": Value(longer / cost, "x", "Long over short"),
            "output_ratio": Value(long.forecast.output / here.forecast.output, "x", "Output, long over short"),
            "more_tokens": Value((tokens_alone - cost) / (longer - cost), "%", "More tokens, of the rise"),
            "cached_ratio": Value(long.forecast.cached / here.forecast.cached, "x", "Cached input, long over short"),
            "fresh_ratio": Value(long.forecast.fresh / here.forecast.fresh, "x", "Fresh input, long over short"),
        },
    )


def _output(chips: Quantity, *, rent: float, tokens_per_second: Quantity) -> Quantity:
    """Dollars for a million tokens of a traffic, on chips that are rented whether they work or idle."""
    return MILLION * chips * rent / (HOUR * tokens_per_second)


def _faster_promise(found: Sheet) -> dict[str, Value]:
    """A faster promise, a step that it allows, and what keeps it by the forecast."""
    kept = modes(found, FASTER).promised
    return {
        "faster_speed": Value(FASTER, "tokens/s", "A faster promise"),
        "faster_room": Value(kept.batch, "sequences", "Largest batch that keeps it by the forecast", 4),
        "faster_output": Value(MILLION * kept.dollars, "$", "Output of the faster promise then", 2),
        "faster_step": Value(1 / FASTER, "s", "A step that the faster promise allows", 4),
    }


def _for_a_million(rent: float, tokens_per_second: float) -> float:
    """Dollars for a million tokens at the rate of a chip."""
    return float(MILLION * chip_dollars_per_token(rent, tokens_per_second))


def _uneven() -> float:
    """How much longer the case's step is if its busiest chip gets a counted multiple of the tokens of a fair share."""
    here = case("rack")
    experts = sum(float(each.compute_seconds) for each in here.writing.operations if each.name == "experts")
    even = float(here.expected.sending_seconds) + experts / here.expected.fit.arithmetic_share
    return float((catalog.datum("hottest-chip").value - 1) * even / here.expected.seconds)


def _drafted() -> float:
    """Dollars for a million tokens of the case if each step checks a guess that the model made, kept as published."""
    here, guess = case("rack"), published_guess()
    step = decode(here.writing.setting, here.writing.requests[0].batch, REQUEST.held, drafts=guess)
    longer = forecast_of(step).seconds / here.expected.seconds
    return float(MILLION * here.forecast.output * longer / guess.tokens_per_pass)


def _around() -> dict[str, Value]:
    """The measured run nearest to the promise, and on as many chips the next that is slower than promised."""
    found, rent = measured_runs(*CASES["rack"][:2], (PRECISION,)), catalog.rent(CASES["rack"][1]).dollars_per_chip_hour
    each, near, here = [run_setting(found, at) for at in range(found.places.size)], nearest(found, SPEED), case("rack")
    allowed = enough(here, SPEED, room_at_peak(here, SPEED))
    ringed, rate = each[near], found.chip[near]
    wide = found.alike & (np.array([run["run_groups"] for run in each]) == ringed["run_groups"])
    below = int(np.argmax(np.where(wide & (found.user < SPEED), found.user, 0.0)))
    layout = Layout(tensor=int(ringed["run_tensor"]), data=int(ringed["run_groups"]))
    setting = Setting.published(*CASES["rack"][:2], PRECISION, layout=layout)
    contexts = np.array([ringed["run_context"], CONTEXT.default])
    own, longer = np.asarray(forecast_of(decode(setting, ringed["run_flight"], contexts)).seconds)
    return {
        "run_longer": Value(longer / own - 1, "%", "Step of the run nearest to the promise, longer by", 2),
        "ours": Value(np.count_nonzero(found.alike), "", "Runs of this model, system and precision"),
        "ours_within": Value(np.count_nonzero(found.over[found.alike] <= allowed), "", "Of these, within one rack's"),
        "ringed_user": Value(found.user[near], "tokens/s", "Run nearest to the promise: each user"),
        "ringed_over": Value(ringed["run_over"], "x", "Its step over its own forecast"),
        "ringed_cost": Value(_for_a_million(rent, rate), "$", "A million tokens of it"),
        "ringed_rate": Value(rate, "tokens/s", "A chip of it writes"),
        "below_user": Value(found.user[below], "tokens/s", "The next slower on as many chips: each user"),
        "below_cost": Value(_for_a_million(rent, found.chip[below]), "$", "A million tokens of it"),
        "below_flight": Value(each[below]["run_flight"], "sequences", "In flight in it", 4),
        "below_context": Value(each[below]["run_context"], "tokens", "Tokens of each", 4),
    }


def error() -> Answer:
    """By how much the forecast has missed measurements that it had not seen, and services the rates of reading."""
    from calc.measured.runs import runs

    fit = catalog.forecast_fit(FIT)
    services = {name: measured.comparison(known).over_expected for name, known in SERVICES.items()}
    chips = runs().chips * runs().are("precision", "fp8")
    over = runs().over_forecast[chips == chips.max()]
    day = measured.comparison("deepseek-decode")
    here = case("rack").writing
    wide = replace(here.setting, precisions=Precisions.named("fp8-bf16-cache"))
    wider = forecast_of(decode(wide, here.requests[0].batch, REQUEST.held)).seconds
    four = measured.comparison(SERVICES["rack_ratio"])
    at_our_rent = partial(_for_a_million, catalog.rent(CASES["rack"][1]).dollars_per_chip_hour)
    return Answer(
        finding="What the forecast is known to miss by",
        values={
            "most_chips": Value(chips.max(), "", "The most chips of a run in FP8"),
            "most_runs": Value(len(over), "", "Runs in FP8 on as many"),
            "most_over": Value(np.quantile(over, 0.5), "x", "The middle one over its forecast"),
            "median": Value(fit.median_error, "%", "Median error, left out", 2),
            "low": Value(fit.low_80, "x", "Four of five from", 2),
            "high": Value(fit.high_80, "x", "Four of five to"),
            "rows": Value(fit.rows, "", "Rows fitted", 6),
            "configurations": Value(fit.configurations, "", "Configurations"),
            "memory": Value(fit.memory_share, "%", "Memory reaches"),
            "arithmetic": Value(fit.arithmetic_share, "%", "Arithmetic reaches"),
            "link": Value(fit.link_share, "%", "Links reach"),
            "kernel": Value(fit.kernel_seconds, "s", "A kernel", 4),
            "sequence": Value(fit.sequence_seconds, "s", "A sequence"),
            "day_faster": Value(day.over_expected, "x", "The day over the forecast"),
            "wider": Value(
                wider / forecast_of(here).seconds - 1,
                "%",
                "Longer, if caches and attention's own arithmetic are in BF16",
                2,
            ),
            "wider_bound": Value(
                decode(wide, here.requests[0].batch, REQUEST.held).bound_seconds, "s", "The bound then"
            ),
            "uneven": Value(_uneven(), "%", "A step longer by, if a chip gets as many tokens as in a count", 2),
            "drafted_more": Value(MILLION * case("rack").forecast.output / _drafted(), "x", "More tokens then", 2),
            "rack_fresh": Value(at_our_rent(four.measured), "$", "Fresh input at the rate measured on four GB200"),
            "rack_forecast": Value(at_our_rent(four.expected), "$", "Fresh input at the forecast for those four"),
            **_around(),
            "reads_low": Value(1 / services["sglang_ratio"], "x", "Reading, the fastest service", 2),
            "reads_high": Value(1 / services["rack_ratio"], "x", "Reading, the slowest", 2),
            **{name: Value(each, "x", "Measured over told") for name, each in services.items()},
        },
    )


FIGURES = (
    Figure(name="serving/questions", compute=questions),
    Figure(name="serving/error", compute=error, rests_on=ROOM),
)
