"""Lecture 6 in numbers: the reader's scenario in symbols, and worked examples that do not change with it."""

from __future__ import annotations

from calc import catalog, pricing
from calc.batching.figures.setting import critical_context
from calc.batching.figures.shared import BLACKBOARD, chip_ratio
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import CONTEXT, MODEL, MODELS, PRECISION, SYSTEM
from calc.memory_wall import attention
from calc.pricing import context_price, prompt_cache
from calc.pricing.figures.setting import GB, KEPT, MILLION, attention_context
from calc.pricing.figures.shared import (
    DAY,
    drains,
    measured,
    measured_prefill,
    nearest,
    on_sale,
    premium,
    step_of,
)
from calc.quantities.arithmetic import MINUTE
from calc.setting import Scenario

CROSSOVER, ACTIVE = 200_000.0, 100e9
LONG = 1_000_000.0
KEPT_FOR = {"five": "5 minutes", "hour": "1 hour"}
HEADS, WIDTH = 8, 128
NINE = 9


def scenario(*, model: str, system: str, precision: str, context: float) -> Answer:
    """The symbols at the reader's setting."""
    where = Scenario.named(model, system, precision)
    critical = critical_context(where)
    return Answer(
        finding=f"{where.model.name} in {precision.upper()} on {where.system.name}",
        values={
            "context": Value(context, "tokens", "Context", 9),
            "active": Value(where.model.active_params, "parameters", "Active parameters"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "ratio": Value(chip_ratio(where.chip, precision), "", "Ratio of the chip"),
            "element": Value(where.weight_bytes / where.model.total_params, "B", "A stored weight"),
            "critical": Value(critical, "tokens", "Crossover"),
            "cost": Value(context_price.decode_cost(context, critical), "x", "Cost at the context"),
        },
        notes=where.notes(),
    )


def blackboard() -> Answer:
    """The consequences of the lecture's round figures."""
    implied = {
        width: context_price.implied_kv_bytes(CROSSOVER, ACTIVE, BLACKBOARD, size)
        for width, size in {"fp4": 0.5, "fp8": 1.0, "bf16": 2.0}.items()
    }
    _, step = step_of(catalog.price("gemini-3.1-pro-preview"))
    cost = context_price.decode_cost(LONG, CROSSOVER)
    models = [catalog.model(name) for name in MODELS]
    public = [model.kv_bytes_per_token("fp8") for model in models]
    crossovers = [
        context_price.crossover_context(size, model.active_params, BLACKBOARD)
        for size, model in zip(public, models, strict=True)
    ]
    character = catalog.datum("character-ai-reduction").value
    return Answer(
        finding="Pope's round figures",
        values={
            "crossover": Value(CROSSOVER, "tokens", "Crossover", 9),
            "active": Value(ACTIVE, "parameters", "Active parameters, assumed"),
            "ratio": Value(BLACKBOARD, "", "Ratio"),
            **{f"bytes_{width}": Value(size, "B", f"Implied, {width}", 4) for width, size in implied.items()},
            "layer": Value(attention.grouped_elements(HEADS, WIDTH), "B", "One layer of eight heads", 4),
            "heads": Value(HEADS, "", "Heads"),
            "width": Value(WIDTH, "", "Width of a head"),
            "longest": Value(context_price.longest_profitable_context(CROSSOVER, step), "tokens", "Up to"),
            "cost_million": Value(cost, "x", "Cost at a million tokens"),
            "markup": Value(cost / step - 1, "%", "Markup that covers a million"),
            "fair": Value(context_price.fair_step(CROSSOVER, CROSSOVER, LONG), "x", "Fair step"),
            "public_low": Value(min(public), "B", "Leanest public model"),
            "public_high": Value(max(public), "B", "Richest public model"),
            "over_low": Value(min(public) / implied["fp8"], "x", "Leanest over implied", 2),
            "over_high": Value(max(public) / implied["fp8"], "x", "Richest over implied", 3),
            "cross_low": Value(min(crossovers), "tokens", "First crossover of a public model", 2),
            "cross_high": Value(max(crossovers), "tokens", "Last crossover of a public model", 2),
            "shared": Value(catalog.model("llama-3-8b").kv_bytes_per_token("fp8") / character, "B", "Shared"),
            "sharing": Value(character, "x", "Character.AI's saving"),
            "llama_8b": Value(catalog.model("llama-3-8b").kv_bytes_per_token("fp8"), "B", "Llama 3 8B"),
            **{
                name.removeprefix("lecture-drain-"): Value(catalog.datum(name).value, "s", "As said")
                for name in ("lecture-drain-flash", "lecture-drain-disk")
            },
        },
    )


def sheets() -> Answer:
    """Prices of a few sheets, and the ratios that are read off them."""
    gemini, older, sonnet = (
        catalog.price(f) for f in ("gemini-3.1-pro-preview", "gemini-1.5-pro", "claude-sonnet-4.5")
    )
    gpt, opus, haiku = (catalog.price(name) for name in ("gpt-5.5", "claude-opus-5", "claude-haiku-4.5"))
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
            "gemini_in_above": Value(gemini.known("input_above"), "$", gemini.name),
            "gemini_out_above": Value(gemini.known("output_above"), "$", gemini.name),
            "gemini_above": Value(gemini.known("above_tokens"), "tokens", gemini.name, 9),
            "gemini_step_in": Value(step_of(gemini, "input")[1], "x", gemini.name),
            "gemini_step_out": Value(step_of(gemini)[1], "x", gemini.name),
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
            "hit_times": Value(opus.input / hit, "", "Input over hit"),
            "hit_5m": Value(write5 / hit, "", "Five-minute write over hit"),
            "hit_1h": Value(write1h / hit, "", "One-hour write over hit"),
            "pays_5m": Value(five, "reuses", "Five minutes break even"),
            "pays_1h": Value(hour, "reuses", "One hour breaks even"),
            "nine": Value(NINE, "", "Reuses"),
            "nine_times": Value(prompt_cache.saving_factor(NINE, opus.input, write5, hit), "", "At nine"),
            "warm": Value(prompt_cache.keep_warm_seconds(write5, hit, 5 * MINUTE), "s", "Worth keeping warm"),
            "haiku": Value(opus.input / haiku.input, "", "Opus over Haiku, input"),
            "ratio_low": Value(min(on_sale().values()), "x", "Output over input, least"),
            "ratio_high": Value(max(on_sale().values()), "x", "Output over input, most"),
            "hit_span": Value(max(hits) / min(hits), "x", "Hit over input, most over least", 2),
            "ratio_span": Value(max(on_sale().values()) / min(on_sale().values()), "x", "Output over input", 2),
            "hit_low": Value(min(hits), "%", "Hit over input, least"),
            "hit_high": Value(max(hits), "%", "Hit over input, most"),
            "batch": Value(max(batches), "%", "Price of a batch"),
            **_fast(),
        },
    )


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
    return values


def day() -> Answer:
    """DeepSeek's published day against the ratios of price lists."""
    row = catalog.deployment(DAY)
    where = Scenario.named(row.model, row.system, "fp8")
    active, busy = where.model.active_params, measured_prefill(row)
    decode = pricing.utilisation(row.decode_tokens_per_second, active, where.flops)
    net, gross = measured().values()
    sheet = catalog.price("deepseek-reasoner")
    hits = 1 - row.uncached_share
    tier = catalog.tier("nvme-gen5-4tb")
    chip = where.chip
    fetched = prompt_cache.fetch_speedup(where.kv_bytes_per_token, tier.read_bandwidth, active, chip.flops("fp8"))
    return Answer(
        finding="A published day of service",
        values={
            "prefill": Value(row.prefill_tokens_per_second, "tokens/s", "Prefill of a node"),
            "decode": Value(row.decode_tokens_per_second, "tokens/s", "Decode of a node"),
            "ratio": Value(gross, "", "Prefill over decode"),
            "net": Value(net, "", "Prefill over decode, without hits"),
            "hits": Value(hits, "%", "Input found in a cache"),
            "busy": Value(busy, "%", "Multipliers busy in prefill", 2),
            "busy_decode": Value(decode, "%", "Multipliers busy in decode", 2),
            "computed": Value(row.computed_tokens_per_second, "tokens/s", "Prompts that a node computed"),
            "sheet": Value(sheet.output / sheet.input, "", "Output over a miss on its price list"),
            "beyond": Value(sheet.output / sheet.input / net, "x", "The list's ratio over that of the rates"),
            "margin": Value(pricing.margin(row.revenue_dollars, row.cost_dollars), "%", "Theoretical margin"),
            "compute": Value(2 * active / chip.flops("fp8"), "s", "Computing a token"),
            "fetch": Value(where.kv_bytes_per_token / tier.read_bandwidth, "s", "Fetching a token"),
            "fetched": Value(fetched, "", "Fetching, faster by"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        },
    )


def keeping() -> Answer:
    """Drain times by medium, and what premiums pay beside the rent of memory."""
    known = drains()
    by = {name: catalog.tier(name).medium for name in known}
    spans = {medium: [known[name] for name in known if by[name] == medium] for medium in dict.fromkeys(by.values())}
    opus, gb200 = catalog.price("claude-opus-5"), catalog.rent("gb200-nvl72")
    rent = prompt_cache.memory_dollars_per_byte_hour(gb200.dollars_per_chip_hour, gb200.chip.hbm_bytes)
    sizes = {"": 2048.0, "_v3": catalog.model("deepseek-v3").kv_bytes_per_token("fp8")}
    paid = {
        f"{key}{suffix}": prompt_cache.holding_dollars_per_byte_hour(premium(opus, kept), size, KEPT[kept])
        for key, kept in KEPT_FOR.items()
        for suffix, size in sizes.items()
    }
    return Answer(
        finding="Where caches are kept",
        values={
            **{f"{medium.lower()}_low": Value(min(spans[medium]), "s", medium) for medium in ("HBM", "flash", "disk")},
            **{f"{medium.lower()}_high": Value(max(spans[medium]), "s", medium) for medium in ("HBM", "DRAM", "flash")},
            "flash_30": Value(known["nvme-gen5-30tb"], "s", "NVMe gen 5, 30.72 TB"),
            "five": Value(known[nearest(5 * MINUTE)], "s", catalog.tier(nearest(5 * MINUTE)).name),
            "rent": Value(rent * GB, "$", "HBM of a GB200, a gigabyte and hour"),
            "layer": Value(sizes[""], "B", "Cache of a token", 4),
            **{f"pays_{key}": Value(paid[key] * GB, "$", "Premium pays") for key in KEPT_FOR},
            **{f"over_{key}": Value(dollars / rent, "", "Over the rent") for key, dollars in paid.items()},
        },
    )


def limits() -> Answer:
    """Where the model stops: attention, records of prices that moved, and the flat window."""
    flash = {row.since: row for row in catalog.history(catalog.Price, "prices", "deepseek-v4-flash")}
    rows = [flash[when] for when in sorted(flash)]
    first, second = rows[0].known("cached_input"), rows[1].known("cached_input")
    steps = [row.above_tokens for row in catalog.history(catalog.Price, "prices") if row.above_tokens]
    small = catalog.price("claude-haiku-5.5")
    attended = {
        name: attention_context(name) for name in ("llama-3-70b", "llama-3-405b", "qwen3-235b-a22b", "deepseek-v3")
    }
    return Answer(
        finding="Where the model stops",
        values={
            **{name.replace("-", "_"): Value(length, "tokens", MODELS[name]) for name, length in attended.items()},
            "prompt_405b": Value(_prompt("llama-3-405b"), "x", "A token of a long prompt, Llama 3.1 405B"),
            "prompt_70b": Value(_prompt("llama-3-70b"), "x", "A token of a long prompt, Llama 3 70B"),
            "flash_first": Value(first, "$", "Hit, first record"),
            "flash_second": Value(second, "$", "Hit, second record"),
            "flash_fell": Value(first / second, "", "Fell by"),
            "steps_low": Value(min(steps), "tokens", "Shortest context with a step", 9),
            "steps_high": Value(max(steps), "tokens", "Longest context with a step", 9),
            "steps_lengths": Value(len(set(steps)), "", "Lengths at which steps stand"),
            "small_above": Value(small.known("above_tokens"), "tokens", small.name, 9),
            "small_step": Value(step_of(small)[1], "x", small.name),
            "flat": Value(catalog.datum("window-claude").value, "tokens", "Window at one price", 9),
        },
    )


def bill_terms() -> Answer:
    """The terms that stand beside the prices on a list."""
    sheet = catalog.price("deepseek-v4-pro")
    return Answer(
        finding="Terms beside the prices",
        values={
            "peak": Value(sheet.known("peak_multiplier"), "x", f"Peak hours, {sheet.name}"),
            "least": Value(catalog.datum("openai-least-cached").value, "", "Least length of a cached prefix", 9),
        },
    )


def _prompt(name: str) -> float:
    """Cost of a token that is read in a prompt as long as the step, over one of a short prompt."""
    return float(context_price.prompt_cost(CROSSOVER, attention_context(name)))


FIGURES = (
    Figure(name="pricing/setting", inputs=(MODEL, SYSTEM, PRECISION, CONTEXT), compute=scenario),
    Figure(name="pricing/blackboard", compute=blackboard, sources=("lecture", "character-ai")),
    Figure(name="pricing/list", compute=sheets, sources=("llm-prices", "anthropic-pricing", "gemini-storage-thread")),
    Figure(name="pricing/day", compute=day, sources=("deepseek-day-6", "deepseek-pricing", "micron-9550")),
    Figure(
        name="pricing/keeping", compute=keeping, sources=("anthropic-pricing", "spheron", "micron-9550", "exos-x24")
    ),
    Figure(name="pricing/bill_terms", compute=bill_terms, sources=("openai-prompt-caching", "deepseek-pricing")),
    Figure(name="pricing/limits", compute=limits, sources=("llm-prices", "deepseek-pricing", "anthropic-fast-mode")),
)
