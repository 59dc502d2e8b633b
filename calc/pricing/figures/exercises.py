"""Lecture 6's exercises: every number that they ask for or answer with."""

from __future__ import annotations

import math
from dataclasses import replace

from calc import catalog, pricing
from calc.batching.figures.shared import chip_ratio
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.pricing import context_price, prompt_cache
from calc.pricing.bill import Traffic, bill, conversation, conversation_bill
from calc.pricing.figures.setting import GB, per_token, writes
from calc.pricing.figures.shared import DAY, WRITTEN_OFF, dollars_per_gb, measured_prefill, step_of
from calc.quantities.arithmetic import HOUR, MILLION
from calc.setting import Scenario

BOUGHT = {"dram": "ddr5-1.5tb", "flash": "nvme-gen5-30tb"}
TURNS, SYSTEM_TOKENS, ASKED, ANSWERED = 40, 2000, 200, 600
WAITING, TRIMMED = 0.4, 0.25
DESIGN = Traffic(requests=50_000, shared_tokens=6000, own_tokens=500, output_tokens=300, requests_per_write=50)
STAY = replace(DESIGN, requests=DESIGN.requests * (1 - WAITING), requests_per_write=50 * (1 - WAITING))


def step() -> dict[str, Value]:
    """1: a step on an older sheet."""
    sheet = catalog.price("gemini-1.5-pro")
    threshold, times = step_of(sheet)
    window = catalog.datum("window-gemini-1.5-pro").value
    cost = context_price.decode_cost(window, threshold)
    short = slips.forgotten(times, "the step, by which the price rises")
    markup = cost / times - 1
    over = slips.Slip(1 + 1 / markup, "This is the price over the cost; a markup is how far it lies above one.")
    stepless = slips.Slip((cost - 1) / markup, "The step already multiplies the price: divide by it first.")
    return {
        "step_at": Value(threshold, "tokens", "Step at", 9),
        "step_times": Value(times, "", "Step"),
        "step_longest": Value(
            context_price.longest_profitable_context(threshold, times), "tokens", "Up to", 9, slips=short
        ),
        "step_window": Value(window, "tokens", "Window", 9),
        "step_cost": Value(cost, "x", "Cost there"),
        "step_markup": Value(markup, "%", "Markup that covers it", slips=(over, stepless)),
    }


def crossover() -> dict[str, Value]:
    """2: from bytes to a crossover, and to the size that a step would need."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    ratio, at = chip_ratio(where.chip, "fp8"), 200_000.0
    back = context_price.crossover_context(where.kv_bytes_per_token, where.model.active_params, ratio)
    needed = where.kv_bytes_per_token * ratio * at
    return {
        "v3_bytes": Value(where.kv_bytes_per_token, "B", "Cache of a token", 4),
        "v3_crossover": Value(back, "tokens", "Crossover"),
        "v3_at": Value(at, "tokens", "Step at", 9),
        "v3_needed": Value(needed, "parameters", "Active parameters that it would need"),
        "v3_active": Value(where.model.active_params, "parameters", "Active parameters"),
        "v3_ratio": Value(ratio, "", "Ratio", 4),
    }


def storage() -> dict[str, Value]:
    """3: storage that is billed by the hour."""
    sheet = catalog.price("gemini-1.5-pro")
    held, hit = sheet.known("cache_storage"), sheet.known("cached_input")
    hour = prompt_cache.break_even_reuses(sheet.input, sheet.input, hit, held, 1.0)
    gap, whole = HOUR * (sheet.input - hit) / held, sheet.input / (sheet.input - hit)
    free = "A hit is not free: it saves the difference to reading."
    return {
        "stored_in": Value(sheet.input, "$", "Input"),
        "stored_hit": Value(hit, "$", "Hit", 4),
        "stored_hour": Value(held, "$", "An hour"),
        "stored_pays": Value(hour, "reuses", "Breaks even, one hour", slips=(slips.Slip(1 / whole, free),)),
        "stored_whole": Value(math.floor(hour) + 1, "", "Reuses that save"),
        "stored_gap": Value(gap, "s", "A pause that a hit pays for", slips=(slips.Slip(whole, free),)),
    }


def day() -> dict[str, Value]:
    """5: the revenue of a published day from its tokens and its price list."""
    row, sheet = catalog.deployment(DAY), catalog.price("deepseek-reasoner")
    parts = {
        "hits": row.cached_input_tokens * sheet.known("cached_input") / MILLION,
        "fresh": (row.input_tokens - row.cached_input_tokens) * sheet.input / MILLION,
        "written": row.output_tokens * sheet.output / MILLION,
    }
    total = sum(parts.values())
    cost = slips.Slip(total / row.cost_dollars, "This is profit over cost; a margin is profit over revenue.")
    return {
        **{f"day_{name}": Value(dollars, "$", name) for name, dollars in parts.items()},
        "day_read": Value(row.input_tokens, "tokens", "Read"),
        "day_found": Value(row.cached_input_tokens, "tokens", "Found in a cache"),
        "day_wrote": Value(row.output_tokens, "tokens", "Written"),
        "r1_in": Value(sheet.input, "$", sheet.name),
        "r1_hit": Value(sheet.known("cached_input"), "$", sheet.name),
        "r1_out": Value(sheet.output, "$", sheet.name),
        "day_total": Value(total, "$", "Revenue, recomputed"),
        "day_said": Value(row.revenue_dollars, "$", "Revenue, as published"),
        "day_cost": Value(row.cost_dollars, "$", "Cost, as published"),
        "day_share": Value(parts["written"] / total, "%", "Written tokens in it"),
        "day_margin": Value(pricing.margin(total, row.cost_dollars), "%", "Margin", slips=(cost,)),
    }


def store() -> dict[str, Value]:
    """6: to store or to compute again."""
    where, row = Scenario.named("deepseek-v3", "hgx-h800", "fp8"), catalog.deployment(DAY)
    rent = catalog.rent("hgx-h800").dollars_per_chip_hour
    busy = measured_prefill(row)
    again = pricing.prefill_dollars_per_token(where.model.active_params, where.chip.flops("fp8"), rent, busy)
    costs = {"hbm": prompt_cache.memory_dollars_per_byte_hour(rent, where.chip.hbm_bytes)} | {
        medium: prompt_cache.owned_dollars_per_byte_hour(dollars_per_gb(name) / GB, WRITTEN_OFF)
        for medium, name in BOUGHT.items()
    }
    worth = {
        name: prompt_cache.hold_worth_storing(again, where.kv_bytes_per_token, cost) for name, cost in costs.items()
    }
    return {
        "again": Value(again * MILLION, "$", "Computing a million tokens again"),
        "again_rent": Value(rent, "$/h", "Rent"),
        "again_busy": Value(busy, "%", "Multipliers busy", 4),
        "again_bytes": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        "again_memory": Value(where.chip.hbm_bytes, "B", "Memory of a chip"),
        "again_rate": Value(where.chip.flops("fp8"), "FLOP/s", "Arithmetic of a chip"),
        "years": Value(WRITTEN_OFF, "", "Years"),
        **{f"bought_{medium}": Value(dollars_per_gb(name), "$", "A gigabyte") for medium, name in BOUGHT.items()},
        **{f"worth_{name}": Value(seconds, "s", f"Worth keeping in {name}") for name, seconds in worth.items()},
        **{f"price_{name}": Value(cost * GB, "$", f"A gigabyte and hour in {name}") for name, cost in costs.items()},
    }


def _listed(name: str, model: str) -> dict[str, Value]:
    """Four prices of a sheet: read, written to the cache, found there, written."""
    sheet = catalog.price(model)
    return {
        f"{name}_in": Value(sheet.input, "$", sheet.name),
        f"{name}_write": Value(sheet.known("cache_write_5m"), "$", sheet.name),
        f"{name}_hit": Value(sheet.known("cached_input"), "$", sheet.name),
        f"{name}_out": Value(sheet.output, "$", sheet.name),
    }


def talk() -> dict[str, Value]:
    """7: a long conversation."""
    sheet = catalog.price("claude-sonnet-4.6")
    said = TURNS, SYSTEM_TOKENS, ASKED, ANSWERED
    tokens = conversation(*said)
    bills = [conversation_bill(*said, per_token(sheet), cached=share) for share in (0.0, 1.0)]
    plain, cached = (each.total for each in bills)
    prompts = (plain - bills[0].output) / (cached - bills[1].output)
    sent = slips.Slip(float(1 + tokens.new / tokens.repeated), "This is all that is sent, new tokens too.")
    unanswered = slips.Slip(float(prompts * cached / plain), "Answers belong to both bills.")
    twice = conversation(2 * TURNS, SYSTEM_TOKENS, ASKED, ANSWERED)
    return _listed("sonnet", "claude-sonnet-4.6") | {
        "turns": Value(TURNS, "", "Turns"),
        "talk_system": Value(SYSTEM_TOKENS, "tokens", "Instructions"),
        "talk_asked": Value(ASKED, "tokens", "A question"),
        "talk_answered": Value(ANSWERED, "tokens", "An answer"),
        "talk_new": Value(tokens.new, "tokens", "New", 6),
        "talk_repeated": Value(tokens.repeated, "tokens", "Repeated", 6, slips=(sent,)),
        "talk_fresh": Value(plain, "$", "Without a cache"),
        "talk_cached": Value(cached, "$", "With one"),
        "talk_times": Value(plain / cached, "", "Cheaper by", slips=(unanswered,)),
        "talk_twice": Value(twice.repeated / tokens.repeated, "", "Repeated, at twice the turns"),
    }


def design() -> dict[str, Value]:
    """8: a service of one's own."""
    sheet = catalog.price("claude-haiku-4.5")
    prices, batch = per_token(sheet), sheet.known("batch_multiplier")
    now, cached = bill(DESIGN, prices), bill(DESIGN, prices, cached_share=1.0)
    missed = bill(STAY, prices, cached_share=1.0).total + WAITING * batch * now.total
    factor = pricing.blended_multiplier(WAITING, batch)
    unstored = float(1 - cached.write * (1 - prices.hit / prices.write) / cached.total)
    wrong = (
        slips.Slip(unstored, "Of all that share a prefix one stores it, for more than reading costs."),
        slips.Slip(batch / factor, "Only what can wait goes as a batch."),
    )
    return _listed("haiku", "claude-haiku-4.5") | {
        "own_requests": Value(DESIGN.requests, "", "Requests a day"),
        "own_shared": Value(DESIGN.shared_tokens, "tokens", "Prefix"),
        "own_prompt": Value(DESIGN.own_tokens, "tokens", "Own prompt"),
        "own_answer": Value(DESIGN.output_tokens, "tokens", "Answer"),
        "own_serves": Value(DESIGN.requests_per_write, "", "Requests per writing"),
        "own_now": Value(now.total, "$", "A day"),
        "own_input": Value(now.input / now.total, "%", "Read, of it"),
        "own_cached": Value(cached.total, "$", "With a cache"),
        "own_saved": Value(1 - cached.total / now.total, "%", "Saved by it"),
        "own_waiting": Value(WAITING, "%", "Can wait"),
        "own_both": Value(cached.total * factor, "$", "And as batch", slips=wrong),
        "own_missed": Value(missed, "$", "Where batches miss"),
        "own_left": Value(cached.output / cached.total, "%", "Written, of what is left"),
        "own_trimmed": Value(TRIMMED, "%", "Answers shorter by"),
        "own_trim": Value(cached.output * TRIMMED / cached.total, "%", "Saved by shorter answers"),
    }


def limit() -> dict[str, Value]:
    """9: ten times, and for whom."""
    sheet = catalog.price("claude-opus-5")
    hit = sheet.known("cached_input")
    five, hour = writes(sheet).values()
    half = prompt_cache.reuses_for_saving(sheet.input / hit / 2, sheet.input, five, hit)
    return {
        "ten": Value(sheet.input / hit, "", "Input over hit"),
        "ten_once": Value(prompt_cache.saving_factor(1, sheet.input, five, hit), "", "At one reuse"),
        "ten_nine": Value(prompt_cache.saving_factor(9, sheet.input, five, hit), "", "At nine reuses"),
        "ten_hour": Value(prompt_cache.saving_factor(9, sheet.input, hour, hit), "", "At nine, for an hour"),
        "ten_never": Value(prompt_cache.saving_factor(0, sheet.input, five, hit), "", "At none"),
        "ten_half": Value(half, "reuses", "For half of it"),
    }


def payer() -> dict[str, Value]:
    """4: who pays for a long answer."""
    sheet, asked = catalog.price("gemini-3.1-pro-preview"), {"fresh": 200_000.0, "found": 400_000.0, "written": 5000.0}
    fresh, found = asked["fresh"] * sheet.input / MILLION, asked["found"] * sheet.known("cached_input") / MILLION
    threshold, times = step_of(sheet)
    prompt, (_, twice) = fresh + found, step_of(sheet, "input")
    short = asked["written"] * sheet.output / MILLION
    cost = short * context_price.decode_cost(asked["fresh"] + asked["found"], threshold)
    surplus, lost = prompt * (twice - 1), cost - short * times
    paid = slips.Slip(cost / lost, "This is the answer's cost. It is also sold, past the step.")
    one = slips.Slip(surplus / fresh + 1, "The surplus must first pay for the answer's loss.")
    return {
        **{f"payer_{kind}": Value(tokens, "tokens", kind, 9) for kind, tokens in asked.items()},
        "payer_cost": Value(cost, "$", "Cost of the answer"),
        "payer_lost": Value(lost, "$", "Loss on the answer", slips=(paid,)),
        "payer_surplus": Value(surplus, "$", "Surplus of the prompt"),
        "payer_reading": Value(fresh, "$", "Cost of reading, in short prompts"),
        "payer_times": Value(1 + (surplus - lost) / fresh, "x", "Reading dearer at most", slips=(one,)),
    }


def answers() -> Answer:
    """All of them, under one name."""
    values = step() | crossover() | storage() | day() | store() | talk() | design() | limit() | payer()
    return Answer(finding="The numbers of the exercises", values=values)


EXERCISE = Figure(
    name="pricing/exercise",
    compute=answers,
    sources=("llm-prices", "anthropic-pricing", "gemini-storage-thread", "deepseek-day-6", "flash-prices"),
)
FIGURES = (EXERCISE,)
