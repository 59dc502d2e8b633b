"""Price lists in numbers, and the terms that stand beside the prices."""

from __future__ import annotations

import math

from calc import catalog, pricing
from calc.figure.declared import Answer, Figure, Value
from calc.pricing import prompt_cache
from calc.pricing.figures.shared import (
    on_sale,
    ratio_of,
    step_of,
)
from calc.quantities.arithmetic import MILLION, MINUTE
from calc.quantities.check import Quantity

NINE = 9
TEN = 10.0  # times cheaper, as caching is praised
HUNDRED = 100  # prefixes stored


def sheets() -> Answer:
    """Prices of a few sheets, and the ratios that are read off them."""
    gemini, older, sonnet = (
        catalog.price(f) for f in ("gemini-3.1-pro-preview", "gemini-1.5-pro", "claude-sonnet-4.5")
    )
    gpt, opus, later = (catalog.price(name) for name in ("gpt-5.5", "claude-opus-5", "claude-opus-5.5"))
    recorded = catalog.history(catalog.Price, "prices")
    hits = [row.cached_input / row.input for row in recorded if row.cached_input]
    write5, write1h, hit = opus.known("cache_write_5m"), opus.known("cache_write_1h"), opus.known("cached_input")
    five, hour = (prompt_cache.break_even_reuses(opus.input, write, hit) for write in (write5, write1h))
    saves_ten = prompt_cache.reuses_for_saving(
        TEN, later.input, later.known("cache_write_5m"), later.known("cached_input")
    )
    batches = {row.batch_multiplier for row in catalog.prices().values() if row.batch_multiplier}
    return Answer(
        finding="Prices of a few sheets",
        values={
            "gemini_in": Value(gemini.input, "$", gemini.name),
            "gemini_out": Value(gemini.output, "$", gemini.name),
            "gemini_above": Value(gemini.known("above_tokens"), "tokens", gemini.name, 9),
            "gemini_step_in": Value(step_of(gemini, "input")[1], "x", gemini.name),
            "gemini_step_out": Value(step_of(gemini)[1], "x", gemini.name),
            "gemini_ratio": Value(ratio_of(gemini), "x", f"Output over input, {gemini.name}"),
            "gemini_below": Value(gemini.known("above_tokens") * gemini.input / MILLION, "$", "A prompt up to it"),
            "older_above": Value(older.known("above_tokens"), "tokens", older.name, 9),
            "sonnet_above": Value(sonnet.known("above_tokens"), "tokens", sonnet.name, 9),
            "gpt_above": Value(gpt.known("above_tokens"), "tokens", gpt.name, 9),
            "opus_in": Value(opus.input, "$", opus.name),
            "write_5m": Value(write5, "$", opus.name),
            "write_1h": Value(write1h, "$", opus.name),
            "hit": Value(hit, "$", opus.name),
            "times_5m": Value(write5 / opus.input, "", "Five-minute write over input"),
            "times_1h": Value(write1h / opus.input, "", "One-hour write over input"),
            "hit_share": Value(hit / opus.input, "", "Hit over input"),
            "hit_5m": Value(write5 / hit, "", "Five-minute write over hit"),
            "hit_1h": Value(write1h / hit, "", "One-hour write over hit"),
            "premium": Value(write5 - opus.input, "$", "Five-minute write over input, more"),
            "saves": Value(opus.input - hit, "$", "Saved by a hit"),
            "premium_1h": Value(write1h - opus.input, "$", "One-hour write over input, more"),
            "pays_5m": Value(five, "reuses", "Five minutes break even"),
            "pays_1h": Value(hour, "reuses", "One hour breaks even"),
            "found_5m": Value(_found(five), "", "Hits that a hundred prefixes need, five minutes"),
            "found_1h": Value(_found(hour), "", "and an hour"),
            "later_share": Value(later.known("cached_input") / later.input, "%", f"Hit over input, {later.name}"),
            "later_ten": Value(saves_ten, "reuses", f"Ten times cheaper from, {later.name}"),
            "nine": Value(NINE, "", "Reuses"),
            "nine_times": Value(prompt_cache.saving_factor(NINE, opus.input, write5, hit), "", "At nine"),
            "warm": Value(prompt_cache.keep_warm_seconds(write5, hit, 5 * MINUTE), "s", "Worth keeping warm"),
            "longer": Value(
                prompt_cache.longer_write_seconds(write5, write1h, hit, 5 * MINUTE), "s", "One-hour write cheaper past"
            ),
            "ratio_low": Value(min(on_sale().values()), "x", "Output over input, least"),
            "ratio_high": Value(max(on_sale().values()), "x", "Output over input, most"),
            "hit_low": Value(min(hits), "%", "Hit over input, least"),
            "hit_high": Value(max(hits), "%", "Hit over input, most"),
            "batch": Value(min(batches), "%", "Price of a batch, least"),
            "batch_high": Value(max(batches), "%", "most"),
            **_fast(),
        },
    )


def _found(each: Quantity) -> int:
    """Whole hits from which storing a hundred prefixes saves money."""
    return math.floor(HUNDRED * float(each)) + 1


def _fast() -> dict[str, Value]:
    """The cost of a fast mode now and at first, and which hour it is worth."""
    pace = 50.0
    rows = {"then": catalog.price("claude-opus-4.6"), "now": catalog.price("claude-opus-5")}
    values = {"pace": Value(pace, "tokens/s", "Ordinary speed")}
    for when, row in rows.items():
        price, speed = row.known("fast_multiplier"), row.known("fast_speed")
        worth = pricing.value_of_an_hour(row.output / MILLION, pace, price, speed)
        values[f"fast_{when}"] = Value(price, "", row.name)
        values[f"speed_{when}"] = Value(speed, "", row.name)
        values[f"hour_{when}"] = Value(worth, "$", "An hour must be worth")
    return values | _ultrafast(pace)


def _ultrafast(pace: float) -> dict[str, Value]:
    """Two faster modes of one list: the hour that each is worth, and one that the faster saves beyond the other."""
    row = catalog.price("gpt-6-astra")
    fast, ultra = (
        (row.known(f"{mode}_output") / row.output, row.known(f"{mode}_speed")) for mode in ("fast", "ultrafast")
    )
    between = pricing.value_of_an_hour(
        fast[0] * row.output / MILLION, fast[1] * pace, ultra[0] / fast[0], ultra[1] / fast[1]
    )
    hours = {
        name: pricing.value_of_an_hour(row.output / MILLION, pace, *mode)
        for name, mode in (("fast", fast), ("ultra", ultra))
    }
    return {
        "hour_fast": Value(hours["fast"], "$", f"Fast, {row.name}: an hour must be worth"),
        "fast_ultra": Value(ultra[0], "", f"Ultrafast, {row.name}: price"),
        "speed_ultra": Value(ultra[1], "", "its speed, at most"),
        "hour_ultra": Value(hours["ultra"], "$", "An hour must be worth"),
        "hour_beyond": Value(between, "$", "An hour that it saves beyond Fast"),
    }


def bill_terms() -> Answer:
    """The terms that stand beside the prices on a list."""
    sheet = catalog.price("deepseek-v4-pro")
    return Answer(
        finding="Terms beside the prices",
        values={
            "peak": Value(sheet.known("peak_multiplier"), "x", f"Peak hours, {sheet.name}"),
            "least": Value(catalog.datum("openai-least-cached").value, "", "Least length of a cached prefix", 9),
            "wait_short": Value(catalog.datum("openai-background-2h").value, "%", "Price of waiting for two hours"),
            "wait_long": Value(catalog.datum("openai-background-8h").value, "%", "Price of waiting for eight"),
        },
    )


FIGURES = (
    Figure(
        name="pricing/list",
        compute=sheets,
        sources=("llm-prices", "anthropic-pricing", "gemini-storage-thread", "xai-grok-4.20", "openai-ultrafast"),
    ),
    Figure(
        name="pricing/bill_terms",
        compute=bill_terms,
        sources=("openai-prompt-caching", "deepseek-pricing", "openai-background"),
    ),
)
