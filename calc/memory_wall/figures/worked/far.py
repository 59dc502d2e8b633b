"""A hundred million tokens in numbers: of cache, of prompt, of price."""

from __future__ import annotations

from calc import batching, catalog
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall import attention, long_context
from calc.memory_wall.figures.setting import slope, token_operations
from calc.memory_wall.figures.shared import (
    FAR,
    LONG,
    PACE,
    RACK,
    awake,
    beside_reading,
    decode,
    longest,
    prompt_seconds,
    said_bytes,
)
from calc.quantities.arithmetic import DAY, HOUR, MILLION
from calc.setting import Scenario, Setting
from calc.step.forecasting import FIT

MONTH_DAYS = 30


def far() -> Answer:
    """A hundred million tokens: of cache, of prompt, of price."""
    where = Scenario.named("deepseek-v3", RACK, "fp8")
    rent = _rent() * where.system.chips
    own = decode(where, FAR, rent)
    said = decode(where, FAR, rent, said_bytes())
    near = decode(where, MILLION, rent)
    reading = said_bytes() * FAR / where.bandwidth
    prompt = prompt_seconds(where, FAR)
    prompt_cost = prompt / HOUR * rent
    month_cost = MONTH_DAYS * DAY / HOUR * rent / own.sequences
    near_prompt = prompt_seconds(where, MILLION)
    kink = batching.critical_context(  # the reading of the weights counted with the caches that fill the memory
        where.model.active_params,
        where.kv_bytes_per_token * where.hbm_bytes / (where.hbm_bytes - where.weight_bytes),
        where.flops,
        where.bandwidth,
        attention_flops=slope(where.model),
    )
    all_beside = beside_reading(where, float(own.sequences))
    operations = token_operations(where.model, FAR)
    products = attention.prefill_flops(FAR, where.model.active_params, 0.0) / where.flops
    at_a_kernel = (
        (products + (prompt - products) * where.chip.flops("fp8") / catalog.datum("flashmla-prompt").value)
        / HOUR
        * rent
    )
    fit = catalog.forecast_fit(FIT)
    expected = (  # reading and multiplying one after the other
        own.step_seconds / fit.memory_share
        + own.sequences * operations / where.flops / fit.arithmetic_share
        + all_beside
    )
    wide = products + (prompt - products) * where.chip.flops("fp8") / where.chip.flops("bf16")
    return Answer(
        finding="A hundred million tokens",
        values={
            "far": Value(FAR, "tokens", "Context", 9),
            "month": Value(long_context.pace(FAR, MONTH_DAYS), "tokens/s", "Round the clock"),
            "said_cache": Value(said.cache_bytes, "B", "Cache, as inferred"),
            "said_read": Value(reading, "s", "Reading it"),
            "said_users": Value(said.sequences, "sequences", "Such contexts on a rack"),
            "cache": Value(own.cache_bytes, "B", "Cache of DeepSeek-V3"),
            "active": Value(where.model.active_params, "parameters", "Parameters that a token uses"),
            "active_bytes": Value(_lone_weights(where), "B", "They take"),
            "flops": Value(where.flops, "FLOP/s", "Rate of the rack"),
            "multiplies": Value(operations / where.flops, "s", "Multiplying for a token"),
            "read": Value(own.cache_bytes / where.bandwidth, "s", "Reading it"),
            "token": Value(own.fastest_seconds, "s", "A token"),
            "beside": Value(beside_reading(where), "s", "Kernels and sending"),
            "users": Value(own.sequences, "sequences", "Such contexts on a rack"),
            "prompt": Value(prompt, "s", "Working through the prompt"),
            "own_prompt": Value(prompt_seconds(where, LONG) * where.system.chips, "s", "One on a chip"),
            "prompt_each": Value(prompt / FAR * where.flops, "FLOP", "A token of the prompt, on average"),
            "prompt_wide": Value(wide, "s", "Working through it, attention in BF16"),
            "prompt_cost": Value(prompt_cost, "$", "What that costs"),
            "month_cost": Value(month_cost, "$", "Share of a month's rent"),
            "kernel_cost": Value(at_a_kernel, "$", "The prompt at the rate of a published kernel"),
            "month_over": Value(month_cost / at_a_kernel, "x", "The month over that"),
            "month_written": Value(FAR * own.dollars_per_token, "$", "So many tokens at that context"),
            "written_later": Value(
                FAR * own.dollars_per_token * (1 + all_beside / own.step_seconds),
                "$",
                "The same with kernels and sending",
            ),
            "written_expected": Value(
                FAR * own.dollars_per_token * expected / own.step_seconds, "$", "The same as it is expected"
            ),
            "kink": Value(kink, "tokens", "Context from which a full step waits for memory"),
            "cost": Value(MILLION * own.dollars_per_token, "$", "A million tokens"),
            "shared_step": Value(own.step_seconds, "s", "A step for all that fit"),
            "near_cost": Value(MILLION * near.dollars_per_token, "$", "At a million tokens of context"),
            "near_prompt_cost": Value(near_prompt / HOUR * rent, "$", "What that costs", 2),
            "longest": Value(longest(where), "tokens", "Longest context that fits"),
            "promised": Value(_longest_promised(where), "tokens", "Longest context in a promised step, alone"),
            "whole": Value(_longest_on_a_chip(), "tokens", "Longest context on one chip, with weights"),
            "rent": Value(_rent(), "$/h", "Rent of a chip"),
        },
    )


def _longest_promised(where: Scenario) -> float:
    """Tokens whose cache is read in a promised step, beside the weights that a lone user wakes."""
    return float(
        long_context.longest_context(
            1 / PACE,
            weight_bytes=_lone_weights(where),
            kv_bytes_per_token=where.kv_bytes_per_token,
            hbm_bytes=where.hbm_bytes,
            bandwidth=where.bandwidth,
        )
    )


def _lone_weights(where: Scenario) -> float:
    """Bytes of the weights that a lone user wakes."""
    return where.weight_bytes * float(awake(where.model)(1.0))


def _longest_on_a_chip() -> float:
    """Tokens of a sequence that lies whole on one chip, beside that chip's weights in the usual layout."""
    usual = Setting.published("deepseek-v3", RACK, "fp8")
    return float((usual.machine.hbm_bytes - usual.chip_weight_bytes) / usual.chip_kept_bytes(1, 1))


def _rent() -> float:
    return catalog.rent(RACK).dollars_per_chip_hour


FIGURES = (Figure(name="memory_wall/far", compute=far, sources=("flashmla",)),)
