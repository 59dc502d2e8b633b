"""The numbers of lecture 8's text: two cases, from architecture to dollar."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calc import batching, catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Quantity
from calc.serving.figures.cases import CASES, MAKER, PRECISION, REQUEST, case
from calc.serving.figures.setting import PROMISE as PROMISED
from calc.serving.figures.setting import WITHIN
from calc.serving.modes import modes
from calc.serving.public import left_over, offers
from calc.serving.sheet import FRESH, PASS_TOKENS, Sheet, passes, sheet
from calc.setting import Layout, Scenario, Setting
from calc.step import most_sequences

FIRST_TOKEN = 0.5  # seconds, the longest
READERS = 4  # chips of a small group that reads


def walk(name: str) -> Answer:
    """A case, one number or two a lecture."""
    found = case(name)
    step, setting = found.writing, found.writing.setting
    likely, least, expected = found.forecast, found.bound, found.expected.seconds
    return Answer(
        finding=f"{setting.model.name} on {setting.machine.name}, from architecture to dollar",
        values={
            "batch": Value(step.requests[0].batch, "sequences", "Batch", 6),
            "rent": Value(catalog.rent(CASES[name][1]).dollars_per_chip_hour, "$", "Rent of a chip-hour"),
            "active": Value(setting.model.active_params, "", "Active parameters"),
            "token": Value(setting.kept_bytes_per_token, "B", "Cache of a token"),
            "step": Value(step.bound_seconds, "s", "Step, at least"),
            "chip_weights": Value(step.chip_weight_bytes, "B", "Weights on a chip"),
            "chip_cache": Value(step.chip_kept_bytes, "B", "Caches on a chip"),
            "full": Value(most_sequences(setting, found.request.held), "sequences", "Sequences that fill the memory"),
            "expected": Value(expected, "s", "Step, expected"),
            "user": Value(1 / expected, "tokens/s", "Each user, expected"),
            "pass": Value(found.pass_seconds, "s", "First token, if read in a full pass"),
            "output_least": Value(MILLION * least.output, "$", "Output, at least", 2),
            "fresh": Value(MILLION * likely.fresh, "$", "Fresh input, expected"),
            "cached_cost": Value(MILLION * likely.cached, "$", "Cached input, expected", 2),
            "output": Value(MILLION * likely.output, "$", "Output, expected"),
            "of_bound": Value(likely.output / least.output, "x", "Expected over the bound"),
        },
    )


def in_full(found: Sheet) -> dict[str, Value]:
    """The case that is told in full: further numbers of it."""
    step, fit, likely = found.writing, found.expected.fit, found.forecast
    setting, model = step.setting, step.setting.model
    expected = found.expected.seconds
    parts, each = found.expected, replace(found, reading=passes(setting, found.request, prompts=1))
    reading = found.expected_reading
    fours = sheet(
        setting.with_layout(Layout(data=READERS)), found.request, READERS, found.dollars_per_chip_second * HOUR
    )
    return {
        "input": Value(found.request.input_tokens, "tokens", "Input", 6),
        "answer": Value(found.request.output_tokens, "tokens", "Answer", 6),
        "held": Value(found.request.held, "tokens", "Held by a sequence", 6),
        "cached": Value(found.request.cached_share, "%", "Found in a cache"),
        "total": Value(model.params, "", "Parameters"),
        "active_published": Value(catalog.model(CASES["rack"][0]).active_params, "", "Active, as published"),
        "weights": Value(setting.weight_bytes, "B", "Weights"),
        "floor": Value(setting.read_weight_bytes / setting.system_bandwidth, "s", "Reading all weights"),
        "turn": Value(step.in_turn_seconds, "s", "In turn, each operation overlapped"),
        "link": Value(step.scale_up_seconds, "s", "On the links"),
        "cache_seconds": Value(step.cache_seconds, "s", "Reading caches"),
        "high": Value(expected * fit.high_80, "s", "To"),
        "kernels": Value(parts.kernel_seconds / expected, "%", "Beside kernels' work, of the expected"),
        "kernel_count": Value(parts.kernel_seconds / fit.kernel_seconds, "", "Kernels of a step", 6),
        "prompts": Value(found.prompts, "prompts", "Prompts of a pass"),
        "pass_tokens": Value(PASS_TOKENS, "", "Fresh tokens of a chip in a pass", 6),
        "alone_memory": Value(np.asarray(reading.moving_seconds)[FRESH], "s", "Memory, of the fresh tokens' pass"),
        "alone_arithmetic": Value(np.asarray(reading.arithmetic_seconds)[FRESH], "s", "Arithmetic, of that pass"),
        "alone_links": Value(np.asarray(reading.sending_seconds)[FRESH], "s", "Links, of that pass"),
        "each_prompts": Value(each.prompts, "prompts", "Prompts of a pass, one of each group"),
        "each_wait": Value(each.longest_first_token_seconds, "s", "First token then, at most"),
        "each_fresh": Value(MILLION * each.forecast.fresh, "$", "Fresh input then"),
        "wait": Value(found.longest_first_token_seconds, "s", "First token, with the wait for a full pass, at most"),
        "pass_fresh": Value(found.prompts * found.request.fresh, "tokens", "Fresh tokens of a pass"),
        "pass_more": Value(found.pass_seconds - found.reading_seconds[FRESH], "s", "Longer for cached tokens"),
        "hidden": Value(
            MILLION * likely.fresh * (1 - np.asarray(reading.sending_seconds)[FRESH] / found.reading_seconds[FRESH]),
            "$",
            "Fresh input, all but links",
            2,
        ),
        "pass_alone": Value(found.reading_seconds[FRESH], "s", "The fresh tokens of that pass alone"),
        "fours_fresh": Value(MILLION * fours.forecast.fresh, "$", "Fresh input, read by groups of four"),
        "readers": Value(found.expected_reading_chips, "", "Chips that read, for one that writes"),
    }


def rack() -> Answer:
    """DeepSeek-V3 on a rack, with its maker's price list."""
    walked, found = walk("rack"), case("rack")
    offer = offers("deepseek-v3")[MAKER]
    step, rent = found.writing, found.dollars_per_chip_second * HOUR
    held = sheet(step.setting, REQUEST, step.requests[0].batch, rent, first_token_seconds=FIRST_TOKEN)
    asked = {
        **_beside_lecture_1(found),
        **_fast_mode(found),
        **_half_load(found),
        "promised": Value(PROMISED.default, "tokens/s", "Speed that is promised"),
        "within": Value(WITHIN.default, "s", "First token that is promised"),
        "promise": Value(FIRST_TOKEN, "s", "A first token, promised within"),
        "promise_wait": Value(held.longest_first_token_seconds, "s", "First token then, at most"),
        "promise_prompts": Value(held.prompts, "prompts", "Prompts of a pass then"),
        "promise_fresh": Value(MILLION * held.forecast.fresh, "$", "Fresh input then"),
        "asked_output": Value(offer.output, "$", "Output, asked"),
        "asked_fresh": Value(offer.input, "$", "Fresh input, asked"),
        "asked_cached": Value(offer.cached_input or offer.input, "$", "Cached input, asked"),
        "margin": Value(left_over(offer, found.forecast, found.request), "%", "Left over the expected cost"),
    }
    return replace(walked, values={**walked.values, **in_full(found), **asked})


def _beside_lecture_1(found: Sheet) -> dict[str, Value]:
    """The cost by the simplest bound, in which all chips share all weights evenly."""
    name, system, batch = CASES["rack"]
    where = Scenario.named(name, system, PRECISION)
    least = batching.step_time(batch, float(found.request.held), **where.step_arguments()).bound
    rent = found.dollars_per_chip_second * HOUR * where.system.chips
    return {"simplest": Value(MILLION * batching.dollars_per_token(batch, least, rent), "$", "By the simplest bound")}


def _fast_mode(found: Sheet) -> dict[str, Value]:
    fast = modes(found).fast
    return {
        "fast_speed": Value(found.expected.seconds / fast.seconds, "x", "Speed of fast mode, over this"),
        "fast_output": Value(MILLION * fast.dollars, "$", "Output in fast mode"),
    }


def _half_load(found: Sheet) -> dict[str, Value]:
    """The same chips at the same rent, in an hour with half of the sequences."""
    half = found.writing.requests[0].batch / 2
    quiet = sheet(found.writing.setting, REQUEST, half, found.dollars_per_chip_second * HOUR)
    return {
        "half_output": Value(MILLION * quiet.forecast.output, "$", "Output at half load"),
    }


def node() -> Answer:
    """Llama 3 70B on one node, with its hosts' prices."""
    walked, found = walk("node"), case("node")
    hosts = list(offers("llama-3-70b").values())
    readers, chips = case("rack").writing, found.writing.setting.layout.chips
    even = np.round(readers.requests[0].batch / readers.setting.layout.chips * chips)
    rent = catalog.rent(CASES["node"][1]).dollars_per_chip_hour
    fuller = sheet(found.writing.setting, REQUEST, even, rent)
    by_twos = sheet(found.writing.setting.with_layout(Layout(tensor=2)), REQUEST, 1, rent)
    asked = [offer.output for offer in hosts]
    left = [left_over(offer, found.forecast, found.request) for offer in hosts]
    more = {
        "pair_fresh": Value(MILLION * by_twos.forecast.fresh, "$", "Fresh input, read by two chips"),
        "even": Value(even, "sequences", "With as many a chip as the rack", 6),
        "even_output": Value(MILLION * fuller.forecast.output, "$", "Output with as many a chip"),
        "even_user": Value(1 / fuller.expected.seconds, "tokens/s", "Each user with as many a chip"),
        "fours_output": Value(_by_fours(CASES["node"][1], even / 2), "$", "The same, by four chips"),
        "rack_output": Value(_by_fours(CASES["rack"][1], even / 2), "$", "The same on the rack's chips"),
        **_at_equal_speed(even / 2),
        "asked_low": Value(min(asked), "$", "Hosts ask from"),
        "asked_high": Value(max(asked), "$", "Hosts ask to"),
        "margin_low": Value(min(left), "%", "Left over the expected cost, from"),
        "margin_high": Value(max(left), "%", "Left over the expected cost, to"),
    }
    return replace(walked, values={**walked.values, **more})


def _by_fours(system: str, batch: Quantity) -> Quantity:
    """The expected cost of a million tokens of the node's model, a copy on each four chips of a system."""
    return MILLION * _fours(system, batch, catalog.rent(system).dollars_per_chip_hour).forecast.output


def _fours(system: str, batch: Quantity, rent: float) -> Sheet:
    """The node's model, a copy on each four chips of a system."""
    return sheet(Setting.published(CASES["node"][0], system, PRECISION, layout=Layout(tensor=4)), REQUEST, batch, rent)


def _at_equal_speed(batch: Quantity) -> dict[str, Value]:
    """Four of the rack's chips with as many sequences as keep the speed of four of the node's, at two rents of each."""
    (node, rack), rents = (CASES["node"][1], CASES["rack"][1]), catalog.rents()
    surveyed = {name: rents[f"{kind}-survey"].dollars_per_chip_hour for name, kind in ((node, "h100"), (rack, "gb200"))}
    older = _fours(node, batch, surveyed[node])
    newer = _fours(rack, batch, catalog.rent(rack).dollars_per_chip_hour)
    alike = modes(newer, 1 / float(older.expected.seconds)).promised
    more, less = (
        _fours(rack, of, surveyed[rack]).forecast.output / older.forecast.output for of in (batch, alike.batch)
    )
    return {
        "alike": Value(alike.batch, "sequences", "With the speed of four H100"),
        "alike_output": Value(MILLION * alike.dollars, "$", "Output then"),
        "surveyed_more": Value(more - 1, "%", "More at equal load, at a survey's rents", 2),
        "alike_saved": Value(1 - less, "%", "Saved then at a survey's rents", 2),
        "surveyed": Value(surveyed[rack] / surveyed[node], "x", "Rent of GB200 over that of H100 in it"),
    }


FIGURES = tuple(
    Figure(name=f"serving/{name}", compute=compute) for name, compute in {"rack": rack, "node": node}.items()
)
