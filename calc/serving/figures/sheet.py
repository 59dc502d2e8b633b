"""Lecture 8 in pictures: what a million tokens costs to make, beside what is asked for it in public."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from calc.catalog import Hosted, Price
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import plain, show
from calc.serving.figures import told
from calc.serving.figures.costs import (
    KINDS,
    NO_PRICE,
    UNUSED,
    chart,
    costs,
    dollars,
    headings,
    hosted,
    named,
    prices,
    used,
)
from calc.serving.figures.derived import derived
from calc.serving.figures.setting import INPUTS, PROMISE, REACHED, WITHIN, other_rent, priced
from calc.serving.modes import NONE, modes
from calc.serving.public import left_over, offers
from calc.serving.request import Request, TokenDollars
from calc.serving.sheet import Sheet
from calc.step import why_not

NO_MODE = "not on this layout"
NO_BATCH = "none of this layout"


def sheet(*, model: str, price: float, promise: float, within: float, **inputs: Any) -> Answer:
    """The cost of a million tokens of each kind, by the bound and by the forecast, beside public prices."""
    found = priced(model=model, price=price, within=within, **inputs)
    sold, step, request = offers(model), found.writing, found.request
    chips, seconds = step.setting.layout.chips, step.bound_seconds
    expected, (low, high) = found.expected.seconds, found.expected.band_above(seconds)
    least, likely = found.bound, found.forecast
    name, machine = step.setting.model.name, step.setting.machine.name
    margins = [left_over(offer, likely, request) for offer in sold.values()]
    best = [left_over(offer, least, request) for offer in sold.values()]
    had = modes(found, promise)
    slow, fast = had.slow, had.fast
    crowded = why_not(step)
    rent = f"at {show(price, '$')} a chip-hour a million tokens"
    begins = f"This does not fit; if it did, {rent} would" if crowded else f"{rent.capitalize()} should"
    of_seller = f" of {next(iter(sold))}" if sold else ""
    late = _late(float(1 / expected), promise, "would" if crowded else "should")
    notes = (
        crowded,
        told.promised(found, within),
        told.kept(found, had, promise, crowded),
        told.own_rates(found),
        other_rent(inputs["system"], price, float(MILLION * likely.output)),
        *told.margins(sold, margins, found),
    )
    return Answer(
        finding=f"{begins} cost {dollars(likely.output)} written{_read(likely, request)}{late}{_beside(sold)}",
        description=(
            f"Dollars for a million tokens of {name} on {plain(chips)} chips of {machine}, on a logarithmic axis, in "
            f"{'three' if request.cached else 'two'} lines: "
            f"{'; '.join(_said(found, kind, sold) for kind in used(found))}. On each line stand the public prices too: "
            f"{', '.join(sold) or 'there are none in the catalogue'}. {_limit(found)}"
        ),
        tables={
            "costs": costs(found),
            "sold": prices(sold),
            "said": headings(found, sold),
            "marks": named(found, sold),
        },
        values={
            "request": Value(likely.of(request), "$", "A request, expected"),
            "step": Value(seconds, "s", "Time per token, at least"),
            "expected": Value(expected, "s", "Time per token, expected"),
            "traffic": Value(found.traffic, "requests/s", "Requests a second that keep it busy"),
            "user": Value(1 / expected, "tokens/s", "Each user, expected"),
            "pass": Value(found.pass_seconds, "s", "First token, at the end of a pass"),
            **_expected(found),
            "chips": Value(chips, "", "Chips that write together"),
            "memory": Value(_filled(found), "%", "Memory needed, of what there is"),
            "low": Value(low, "s", "Range of four in five, from"),
            "high": Value(high, "s", "Range of four in five, to"),
            "user_most": Value(1 / seconds, "tokens/s", "Each user, at most"),
            "first": Value(found.first_token_seconds, "s", "First token of a prompt read alone, at least"),
            "wait": Value(found.longest_first_token_seconds, "s", "First token, with the wait for a pass, at most"),
            "prompts": Value(found.prompts, "", "Prompts of a pass"),
            "throughput": Value(step.chip_rate(expected), "tokens/s", "Written by a chip, expected"),
            "throughput_most": Value(step.chip_tokens_per_second, "tokens/s", "Written by a chip, at most"),
            "readers": Value(found.expected_reading_chips, "", "Chips that read, for one that writes"),
            **_money(likely, least, found),
            "promised": Value(
                had.promised.batch, "sequences", "Largest batch at the promised speed", 9, endless=NO_BATCH
            ),
            "promised_output": Value(MILLION * had.promised.dollars, "$", "Output there, expected", endless=NO_BATCH),
            "batch_mode": Value(MILLION * slow.dollars, "$", "Output in batch mode, expected", endless=NO_MODE),
            "batch_mode_batch": Value(slow.batch, "sequences", "Batch of batch mode", 9, endless=NO_MODE),
            "fast_mode": Value(MILLION * fast.dollars, "$", "Output in fast mode, expected", endless=NO_MODE),
            "fast_mode_speed": Value(
                math.inf if fast is NONE else expected / fast.seconds,
                "x",
                "Speed of fast mode, over this",
                endless=NO_MODE,
            ),
            "fast_mode_batch": Value(fast.batch, "sequences", "Batch of fast mode", 9, endless=NO_MODE),
            "margin": Value(
                margins[0] if margins else math.inf, "%", f"Left of the price{of_seller}", endless=NO_PRICE
            ),
            "margin_most": Value(best[0] if best else math.inf, "%", "The same at the bound", endless=NO_PRICE),
        },
        derived=derived(found, next(iter(sold.values()), None), had, promise, within),
        notes=[each for each in notes if each],
    )


def _read(likely: TokenDollars, request: Request) -> str:
    if not request.cached:
        return f" and {dollars(likely.fresh)} read"
    return (
        f", {dollars(likely.fresh)} read fresh, {dollars(likely.cached)} from a cache "
        f"({show(request.cached_share, '%')} of the input), its keeping left out"
    )


def _late(speed: float, promise: float, should: str) -> str:
    """A broken promise, in the finding that gives the price of breaking it."""
    asked = show(promise, "tokens/s")
    return f"; users {should} see {show(speed, 'tokens/s')}, not the promised {asked}" if speed < promise else ""


def _expected(found: Sheet) -> dict[str, Value]:
    return {key: _million(found, found.forecast, key, "expected") for key in KINDS}


def _million(found: Sheet, each: TokenDollars, key: str, how: str) -> Value:
    cost = MILLION * getattr(each, key) if key in used(found) else math.inf
    return Value(cost, "$", f"{KINDS[key]}, {how}", endless=UNUSED)


def _money(likely: TokenDollars, least: TokenDollars, found: Sheet) -> dict[str, Value]:
    fit = found.expected.fit
    ends = {"low": fit.low_80, "high": fit.high_80}
    bounds = {f"{key}_least": _million(found, least, key, "at least") for key in KINDS}
    dollars_of = {end: MILLION * max(likely.output * by, least.output) for end, by in ends.items()}
    return bounds | {f"output_{end}": Value(each, "$", f"Output, {end}") for end, each in dollars_of.items()}


def _filled(found: Sheet) -> float:
    step = found.writing
    return float((step.chip_weight_bytes + step.chip_kept_bytes) / step.setting.machine.hbm_bytes)


def _limit(found: Sheet) -> str:
    limits = {
        "memory": "reading memory",
        "compute": "arithmetic",
        "scale-up": "the links of the domain",
        "scale-out": "the links out of the domain",
    }
    reading, writing = limits[found.reading.limit], limits[found.writing.limit]
    return f"At the bound the pass of many prompts is limited by {reading}, and the writing of answers by {writing}."


def _beside(sold: Mapping[str, Price | Hosted]) -> str:
    if not sold:
        return ""
    seller, offer = next(iter(sold.items()))
    asked, since = show(offer.output, "$"), offer.since
    if isinstance(offer, Hosted) and len(sold) > 1:
        seller, asked, since = "hosts", hosted("output", sold), max(each.since for each in sold.values())
    return f"; {seller} asked {asked} for the first in {since.year}"


def _said(found: Sheet, kind: str, sold: Mapping[str, Price | Hosted]) -> str:
    least, likely = getattr(found.bound, kind), getattr(found.forecast, kind)
    return f"{KINDS[kind].lower()} costs at least {dollars(least)} and {dollars(likely)} is expected"


SHEET = Figure(
    name="serving/sheet",
    inputs=(*INPUTS, PROMISE, WITHIN, *REACHED),
    compute=sheet,
    chart=chart,
    table="costs",
    folded={
        "Promises": (PROMISE.name, WITHIN.name),
        "Rates that your engine reaches": tuple(given.name for given in REACHED),
    },
    foremost=3,
    columns={
        "kind": "A million tokens of",
        "least": "At least ($)",
        "expected": "Expected ($)",
        "low": "Four of five from ($)",
        "high": "to ($)",
    },
    assumptions=(
        "A request brings the context and gets the answer; prompts are read on chips of their own, and no chip is "
        "ever idle.",
        "The largest batch at a speed is found by trying. B′ is the first whose step t̂′ lasts too long, or that has no "
        "room; one sequence a group fewer is the answer. Prompts of a pass are found so by the promised first token.",
        "Experts lie over all chips of the domain; a dense model takes as many chips as it has key-value heads, or "
        "as hold its weights.",
        "The upright mark is the bound at this batch and layout: everything overlaps. The dot is a forecast at "
        "rates that were fitted to measured runs of decoding, and the band on output holds four of five of those. No "
        "measurement of reading alone stands behind the dots of input.",
        "The hollow diamond is the maker's public price, hollow circles are those of hosts. Keeping a cache, moving "
        "it, and staff cost nothing here.",
    ),
    sources=("lecture", "aiconfigurator-silicon", "llm-prices", "genai-prices"),
)

FIGURES = (SHEET,)
