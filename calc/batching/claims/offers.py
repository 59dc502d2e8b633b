"""Claims of lecture 1 about fast modes, and about one published day of service."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching import fast_mode
from calc.ledger.calls import Found
from calc.setting import Layout, Scenario, Setting
from calc.step import decode

V3 = catalog.model("deepseek-v3")
OPUS = catalog.price("claude-opus-4.6")
DAY = catalog.deployment("deepseek-day-6")
SPEED = (DAY.user_tokens_per_second_low + DAY.user_tokens_per_second_high) / 2
UNIT = Scenario.named(DAY.model, DAY.system, "fp8-bf16-cache", chips=DAY.decode_expert_parallel)


def a1() -> Found:
    return [p.fast_multiplier for p in catalog.prices().values() if p.fast_multiplier]


def a1_then() -> Found:
    return OPUS.fast_multiplier


def a1_later() -> Found:
    return catalog.price("claude-opus-5").fast_multiplier


def a1_other() -> Found:
    return catalog.price("gpt-5.4").fast_speed


def a1_credits() -> Found:
    return catalog.price("gpt-5.4").fast_multiplier


def a2() -> Found:
    return fast_mode.fast_mode(6, 2.5).batch_share < 1


def a2_by_summary_001() -> Found:
    return True


def a2_by_summary_002() -> Found:
    return False


def a2_smaller() -> Found:
    return fast_mode.fast_mode(6, 2.5).batch_share


def a2_cache() -> Found:
    return fast_mode.fast_mode(6, 2.5).cache_to_weights


def a3() -> Found:
    return fast_mode.speed_for_price(100, fast_mode.fast_mode(6, 2.5).cache_to_weights)


def a3_ceiling() -> Found:
    return fast_mode.fast_mode(6, 2.5).speed_ceiling


def a4() -> Found:
    return 1 / fast_mode.price_floor(fast_mode.fast_mode(6, 2.5).cache_to_weights) >= 6


def a4_by_summary_001() -> Found:
    return True


def a4_by_lecture() -> Found:
    return False


def a4_saving() -> Found:
    return 1 - fast_mode.price_floor(fast_mode.fast_mode(6, 2.5).cache_to_weights)


def a4_batch() -> Found:
    return OPUS.batch_multiplier


def a5() -> Found:
    return (
        batching.step_time(
            DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes,
            DAY.mean_context,
            **UNIT.step_arguments(),
        ).bound
        <= 1 / SPEED
    )


def a5_otherwise() -> Found:
    return np.isclose(
        1 / SPEED,
        batching.step_time(
            DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes,
            DAY.mean_context,
            **UNIT.step_arguments(),
        ).bound,
        rtol=0.25,
    )


def a5_bound() -> Found:
    return batching.step_time(
        DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes,
        DAY.mean_context,
        **UNIT.step_arguments(),
    ).bound


def a5_took() -> Found:
    return 1 / SPEED


def a5_sum() -> Found:
    unit = Setting.published(
        V3, DAY.system, "fp8-bf16-cache", layout=Layout(data=DAY.decode_expert_parallel, relay=False)
    )
    step = decode(unit, DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes, DAY.mean_context)
    return step.serial_seconds - step.activation_seconds


def a5_miss() -> Found:
    return (
        1
        / SPEED
        / batching.step_time(
            DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes,
            DAY.mean_context,
            **UNIT.step_arguments(),
        ).bound
    )


def f9() -> Found:
    return (
        1
        / SPEED
        / batching.step_time(
            DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes,
            DAY.mean_context,
            **UNIT.step_arguments(),
        ).bound
    )
