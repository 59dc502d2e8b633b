"""Claims of lecture 1 about fast modes, and about one published day of service."""

from __future__ import annotations

from calc import batching, catalog
from calc.batching import fast_mode
from calc.ledger.calls import Found
from calc.setting import Scenario, Setting
from calc.step import decode

OPUS = catalog.price("claude-opus-4.6")
ASTRA = catalog.price("gpt-6-astra")
DAY = catalog.deployment("deepseek-day-6")
UNIT = Scenario.named(DAY.model, DAY.system, "fp8-bf16-cache", chips=DAY.decode_expert_parallel)
BOUND = batching.step_time(DAY.decode_batch, DAY.mean_context, **UNIT.step_arguments()).bound
TOOK = 1 / DAY.user_tokens_per_second
FAST = fast_mode.fast_mode(6, 2.5)


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
    return FAST.batch_share < 1


def a2_by_summary_001() -> Found:
    return True


def a2_by_summary_002() -> Found:
    return False


def a2_smaller() -> Found:
    return FAST.batch_share


def a2_cache() -> Found:
    return FAST.cache_to_weights


def a2_prompts() -> Found:
    asked = [
        (each * catalog.datum("opus-4.6-fast-prompts").value)
        / (OPUS.output * catalog.datum("opus-4.6-fast-answers").value)
        for each in (OPUS.input, OPUS.known("cached_input"))
    ]
    return [fast_mode.fast_mode(fast_mode.price_with_prompts(6, spent), 2.5).batch_share for spent in asked]


def a2_twice() -> Found:
    return fast_mode.fast_mode(6 / 2, 2.5).batch_share


def a3() -> Found:
    return fast_mode.speed_for_price(100, FAST.cache_to_weights)


def a3_ceiling() -> Found:
    return FAST.speed_ceiling


def a3_faster() -> Found:
    return ASTRA.ultrafast_speed


def a3_first() -> Found:
    return fast_mode.fast_mode(ASTRA.known("fast_multiplier"), ASTRA.known("fast_speed")).speed_ceiling


def a4() -> Found:
    return 1 / fast_mode.price_floor(FAST.cache_to_weights) >= 6


def a4_by_summary_001() -> Found:
    return True


def a4_by_lecture() -> Found:
    return False


def a4_saving() -> Found:
    return 1 - fast_mode.price_floor(FAST.cache_to_weights)


def a4_batch() -> Found:
    return OPUS.batch_multiplier


def a5() -> Found:
    return BOUND <= TOOK


def a5_bound() -> Found:
    return BOUND


def a5_took() -> Found:
    return TOOK


def a5_halves() -> Found:
    return decode(Setting.decoding(DAY), DAY.decode_batch, DAY.mean_context).halves_seconds


def a5_miss() -> Found:
    return TOOK / BOUND


def f9() -> Found:
    return TOOK / BOUND


def f9_full() -> Found:
    return TOOK / decode(Setting.decoding(DAY), DAY.decode_batch, DAY.mean_context).halves_seconds
