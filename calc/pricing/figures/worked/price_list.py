"""Price lists in numbers, and the terms that stand beside the prices."""

from __future__ import annotations

from calc import catalog, pricing
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODELS
from calc.pricing import prompt_cache
from calc.pricing.context_price import decode_cost
from calc.pricing.figures.shared import AT_RATE, CROSSOVER, HALF, LEFT_OUT, Slower, measured, on_sale, ratio_of, step_of
from calc.pricing.figures.worked.reading import full_times, reading_times, writing_times
from calc.quantities.arithmetic import MILLION, MINUTE

NINE = 9
LONG = {"fresh": 100_000.0, "found": 900_000.0, "written": 1000.0}  # tokens of a request past the step
LEAN = "deepseek-v4-pro"  # its attention makes a long request least dear
ASKED = {"pro": LEAN, "405b": "llama-3-405b", "v3": "deepseek-v3"}


def sheets() -> Answer:
    """Prices of a few sheets, and the ratios that are read off them."""
    gemini, older, sonnet = (
        catalog.price(f) for f in ("gemini-3.1-pro-preview", "gemini-1.5-pro", "claude-sonnet-4.5")
    )
    gpt, opus = (catalog.price(name) for name in ("gpt-5.5", "claude-opus-5"))
    recorded = catalog.history(catalog.Price, "prices")
    hits = [row.cached_input / row.input for row in recorded if row.cached_input]
    write5, write1h, hit = opus.known("cache_write_5m"), opus.known("cache_write_1h"), opus.known("cached_input")
    five, hour = (prompt_cache.break_even_reuses(opus.input, write, hit) for write in (write5, write1h))
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


def whole_request() -> Answer:
    """A long request by its three prices, and its cost if short requests are sold at cost."""
    sheet, read = catalog.price("gemini-3.1-pro-preview"), LONG["fresh"] + LONG["found"]
    short = {"fresh": sheet.input, "found": sheet.known("cached_input"), "written": sheet.output}
    above = {"fresh": "input_above", "found": "cached_above", "written": "output_above"}
    paid = {kind: tokens * sheet.known(above[kind]) / MILLION for kind, tokens in LONG.items()}
    base = {kind: tokens * short[kind] / MILLION for kind, tokens in LONG.items()}
    grown = float(decode_cost(read, CROSSOVER.default))
    plain = base | {"written": base["written"] * grown}
    readings = {name: reading_times(name, LONG["fresh"], LONG["found"]) for name in MODELS}
    asked = {short: _attended(base, name) for short, name in ASKED.items()}
    price, cost = sum(paid.values()), sum(plain.values())
    full = full_times(LEAN, LONG["fresh"], LONG["found"])
    alike = LONG["written"] * sheet.input * grown / MILLION
    before, weights = LONG["found"] + LONG["fresh"] / 2, 2 * catalog.model(LEAN).active_params
    lasts = {
        name: _paid_for(sum(base.values()) - base["written"], sheet.input * times, sheet.known("output_above"), read)
        for name, times in {"lasts": ratio_of(sheet), "lasts_day": measured()}.items()
    }
    return Answer(
        finding="A whole request past the step",
        values={
            **{kind: Value(tokens, "tokens", kind, 9) for kind, tokens in LONG.items()},
            "share": Value(LONG["found"] / read, "%", "Hits, of the prompt"),
            **{f"{kind}_paid": Value(dollars, "$", f"Sold, {kind}") for kind, dollars in paid.items()},
            "written_cost": Value(plain["written"], "$", "Cost, written"),
            "prompt_paid": Value(price - paid["written"], "$", "Sold, the prompt"),
            "prompt_cost": Value(cost - plain["written"], "$", "Cost, the prompt"),
            **{
                f"asks_{short}": Value(sum(asked[short]) / price, "x", f"Over cost, {MODELS[name]}")
                for short, name in ASKED.items()
            },
            **{
                f"asks_{short}_half": Value(sum(_attended(base, ASKED[short], HALF)) / price, "x", "at half the rate")
                for short in ("pro", "v3")
            },
            "writing_v3_half": Value(writing_times(ASKED["v3"], read, HALF), "x", "Dearer, written, at half the rate"),
            **{
                f"{what}_{short}": value
                for short in ("pro", "v3")
                for what, value in _apart(base, ASKED[short], readings[ASKED[short]], before, price).items()
            },
            **{
                f"alike_{short}": Value((prompt + answer / ratio_of(sheet)) / price, "x", "as read", 3)
                for short, (prompt, answer) in asked.items()
            },
            "hits_pro": Value((sum(asked["pro"]) - base["found"] / 2) / price, "x", "Hits at half"),
            "grows_pro": Value((readings[LEAN] - full) / before * weights, "FLOP", "A token before", 4),
            "rest_pro": Value(readings[LEAN] - full, "x", "Attention with tokens before, over the weights"),
            "full_pro": Value((sum(asked["pro"]) + base["found"] * (full - 1)) / full / price, "x", "short ones too"),
            **{
                name: Value(_alone(base, slower, price), "x", "Over cost, reading alone, else at cost", 3)
                for name, slower in {"alone_pro": AT_RATE, "alone_pro_half": HALF}.items()
            },
            **{f"prompt_{short}": Value(each, "$", f"Cost, prompt, {short}") for short, (each, _) in asked.items()},
            **{f"answer_{short}": Value(each, "$", f"Cost, answer, {short}") for short, (_, each) in asked.items()},
            **{f"{kind}_short": Value(dollars, "$", f"In short requests, {kind}") for kind, dollars in base.items()},
            "before": Value(before, "tokens", "Before a token read, in the mean", 9),
            "limit": Value(catalog.datum("answer-gemini-3.1-pro").value, "tokens", "Longest answer", 9),
            "paid": Value(price, "$", "Price of the request"),
            "cost": Value(cost, "$", "Cost of the request"),
            "margin": Value(pricing.margin(price, cost), "%", "Margin of the request", 2),
            "alike": Value(alike, "$", "Answer, if a short written token cost what a read one does"),
            "bearable": Value(paid["written"] / alike, "x", "Short token written over one read, at most"),
            **{name: Value(tokens, "tokens", "Answer that the prompt pays for", 2) for name, tokens in lasts.items()},
        },
    )


def _apart(short: dict[str, float], name: str, reads: float, before: float, price: float) -> dict[str, Value]:
    """Factors of a design's own crossover and attention, and the request without attention, over its price."""
    model = MODELS[name]
    full = full_times(name, LONG["fresh"], LONG["found"])
    writes = writing_times(name, LONG["fresh"] + LONG["found"])
    fetched = writing_times(name, LONG["fresh"] + LONG["found"], LEFT_OUT)
    plain = short["fresh"] + short["found"] + short["written"] * fetched
    return {
        "always": Value(full - 1, "x", f"Attention over the weights at any length, read, {model}"),
        "each": Value(before / (reads - full), "tokens", f"And once more for each, {model}"),
        "halved": Value(reading_times(name, LONG["fresh"], LONG["found"], HALF), "x", "Read, at half the rate", 4),
        "reading": Value(reads, "x", f"Dearer by attention, read, {model}"),
        "writing": Value(writes, "x", f"Dearer, written, {model}"),
        "plain": Value(plain / price, "x", f"Over the price, attention left out, {model}"),
    }


def _attended(short: dict[str, float], name: str, slower: Slower = AT_RATE) -> tuple[float, float]:
    """Cost of the prompt and of the answer, attention counted at a rate so many times slower than the weights'."""
    prompt = short["fresh"] * reading_times(name, LONG["fresh"], LONG["found"], slower) + short["found"]
    return prompt, short["written"] * writing_times(name, LONG["fresh"] + LONG["found"], slower)


def _alone(short: dict[str, float], slower: Slower, price: float) -> float:
    """Times its cost at which reading must be sold, if hits and the answer are sold at cost, in the lean design."""
    prompt, answer = _attended(short, LEAN, slower)
    return (prompt - short["found"]) / (price - short["found"] - answer)


def _paid_for(surplus: float, short: float, sold: float, before: float) -> float:
    """Tokens of an answer whose loss is as large as a surplus, attention left out; prices are of a million tokens.

    A token written behind L others costs `short` times L / L*, its answer's own among them.

    >>> _paid_for(0.38, 12, 18, 1e6) < 0.38e6 / (60 - 18)
    True
    """
    rise = short / CROSSOVER.default / MILLION  # for each token more
    lost = short * float(decode_cost(before, CROSSOVER.default)) / MILLION - sold / MILLION
    return float(2 * surplus / (lost + (lost**2 + 2 * rise * surplus) ** 0.5))


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
            "batch_median": Value(catalog.datum("openrouter-batch-median").value, "s", "Half of batches done within"),
        },
    )


FIGURES = (
    Figure(
        name="pricing/list",
        compute=sheets,
        sources=("llm-prices", "anthropic-pricing", "gemini-storage-thread", "xai-grok-4.20", "openai-ultrafast"),
    ),
    Figure(name="pricing/request", compute=whole_request, sources=("llm-prices", "lecture", "gemini-3.1-pro-model")),
    Figure(
        name="pricing/bill_terms",
        compute=bill_terms,
        sources=("openai-prompt-caching", "deepseek-pricing", "openai-background", "openrouter-batches"),
    ),
)
