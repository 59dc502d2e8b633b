"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, pricing
from calc.ledger.calls import Found
from calc.memory_wall import attention
from calc.pricing import context_price, prompt_cache
from calc.quantities.errors import MissingFact
from calc.setting import Setting, published
from calc.step import decode, prefill

V3 = catalog.model("deepseek-v3")
GB200 = catalog.chip("gb200")
H800 = catalog.chip("h800-sxm")
OPUS = catalog.price("claude-opus-4.6")
FLASH = catalog.tier("nvme-gen5-4tb")
DAY = catalog.deployment("deepseek-day-6")
NODE_FLOPS = DAY.chips_per_node * H800.flops("fp8")
COMPUTED = DAY.computed_tokens_per_second
QWEN_MAX = catalog.price("qwen3-max")

SAID_SECONDS = {"HBM": (0.02, 0.02), "DRAM": (1, 10), "flash": (60, 60), "disk": (3600, 3600)}


def e1() -> Found:
    return [
        catalog.price("gemini-3.1-pro-preview").known("output_above") / catalog.price("gemini-3.1-pro-preview").output,
        catalog.price("gemini-3.1-pro-preview").known("input_above") / catalog.price("gemini-3.1-pro-preview").input,
    ]


def e2() -> Found:
    return [p.above_tokens for p in catalog.prices().values() if p.above_tokens]


def e3() -> Found:
    growth = []
    for model in catalog.models():
        try:
            setting = Setting.published(model, "gb200-nvl72", "fp8")
        except MissingFact:
            continue
        growth.append(decode(setting, 1, 200e3).flops / decode(setting, 1, 1).flops)
    return growth


def e3_least() -> Found:
    setting = Setting.published("deepseek-v4-pro", "gb200-nvl72", "fp8")
    return decode(setting, 1, 200e3).flops / decode(setting, 1, 1).flops


def e3_v3() -> Found:
    return attention.overtaking_context(V3.active_params, published.architecture(V3).attention_flops_per_position)


def e4() -> Found:
    lengths = np.geomspace(1e3, 1e6, 61, dtype=np.float64)
    return [
        np.all(context_price.tier_margin(lengths, crossover=200e3, threshold=200e3, step=1.5, markup=markup) >= -1e-9)
        for markup in (0.0, DAY.revenue_dollars / DAY.cost_dollars - 1)
    ]


def e4_limit() -> Found:
    return context_price.longest_profitable_context(200e3, 1.5)


def e4_markup() -> Found:
    return context_price.decode_cost(1e6, 200e3) / 1.5 - 1


def e4_day() -> Found:
    return DAY.revenue_dollars / DAY.cost_dollars - 1


def e4_million() -> Found:
    return context_price.decode_cost(1e6, 200e3)


def e5() -> Found:
    return context_price.implied_kv_bytes(200e3, 100e9, 300, np.array([0.5, 1, 2]))


def e5_gb200() -> Found:
    return batching.critical_context(100e9, 200e3, GB200.flops("fp8"), GB200.hbm_bandwidth)


def e5_v7() -> Found:
    return batching.critical_context(
        100e9, 200e3, catalog.chip("tpu-v7").flops("fp8"), catalog.chip("tpu-v7").hbm_bandwidth
    )


def e5_v6e() -> Found:
    return batching.critical_context(
        100e9, 200e3, catalog.chip("tpu-v6e").flops("int8"), catalog.chip("tpu-v6e").hbm_bandwidth
    )


def e6() -> Found:
    return [attention.grouped_elements(8, 128)] + [
        m.kv_elements_per_token for m in catalog.models().values() if m.kv_elements_per_token
    ]


def e6_least() -> Found:
    return min(m.kv_elements_per_token for m in catalog.models().values() if m.kv_elements_per_token)


def e6_most() -> Found:
    return max(m.kv_elements_per_token for m in catalog.models().values() if m.kv_elements_per_token)


def e8() -> Found:
    return any(p.above_tokens in (32000, 32768) for p in catalog.history(catalog.Price, "prices"))


def e8_first() -> Found:
    return QWEN_MAX.known("above_tokens")


def e8_above() -> Found:
    return QWEN_MAX.known("input_above") / QWEN_MAX.input


def e9() -> Found:
    return [pricing.price_ratio(p.output, p.input) for p in catalog.prices().values()]


def e9_share() -> Found:
    ratios = np.array([pricing.price_ratio(p.output, p.input) for p in catalog.prices().values()])
    return np.mean((ratios >= 3) & (ratios <= 5))


def e9_five() -> Found:
    return np.mean([np.isclose(pricing.price_ratio(p.output, p.input), 5) for p in catalog.prices().values()])


def e10() -> Found:
    writing = decode(Setting.decoding(DAY), DAY.decode_batch, DAY.mean_context)
    reading = prefill(
        Setting.published(DAY.model, DAY.system, "fp8", chips=DAY.prefill_expert_parallel),
        DAY.prefill_expert_parallel,
        DAY.mean_context,
    )
    return [writing.memory_seconds > writing.compute_seconds, reading.compute_seconds > reading.memory_seconds]


def e10_otherwise() -> Found:
    return pricing.utilisation(COMPUTED, V3.active_params, NODE_FLOPS) > 0.5


def e10_better() -> Found:
    return pricing.price_ratio(COMPUTED, DAY.decode_tokens_per_second)


def e10_prefill() -> Found:
    return pricing.utilisation(DAY.prefill_tokens_per_second, V3.active_params, NODE_FLOPS)


def e10_uncached() -> Found:
    return pricing.utilisation(COMPUTED, V3.active_params, NODE_FLOPS)


def e10_decode() -> Found:
    return pricing.utilisation(DAY.decode_tokens_per_second, V3.active_params, NODE_FLOPS)


def e11() -> Found:
    return pricing.price_ratio(DAY.decode_tokens_per_second, COMPUTED)


def e11_gross() -> Found:
    return pricing.price_ratio(DAY.decode_tokens_per_second, DAY.prefill_tokens_per_second)


def e12() -> Found:
    return pricing.price_ratio(OPUS.input, OPUS.known("cached_input"))


def e12_by_summary_001() -> Found:
    return 10


def e12_by_summary_004() -> Found:
    return 10 * OPUS.input / OPUS.known("cache_write_5m")


def e12_short() -> Found:
    return OPUS.known("cache_write_5m") / OPUS.known("cached_input")


def e12_long() -> Found:
    return OPUS.known("cache_write_1h") / OPUS.known("cached_input")


def e13() -> Found:
    return [OPUS.input, OPUS.cache_write_5m, OPUS.cache_write_1h, OPUS.cached_input] == [5, 6.25, 10, 0.5]


def e14() -> Found:
    return [
        list(catalog.tiers().values())[
            prompt_cache.implied_tier(hold, np.array([t.drain_seconds for t in catalog.tiers().values()]))
        ].medium
        == medium
        for hold, medium in ((300, "flash"), (3600, "disk"))
    ]


def e14_disk() -> Found:
    return catalog.tier("hdd-24tb").drain_seconds


def e15() -> Found:
    return [t.drain_seconds / np.clip(t.drain_seconds, *SAID_SECONDS[t.medium]) for t in catalog.tiers().values()]


def e15_hbm() -> Found:
    return catalog.tier("hbm3e-gb200").drain_seconds


def e15_dram() -> Found:
    return catalog.tier("ddr5-1.5tb").drain_seconds


def e15_small() -> Found:
    return FLASH.drain_seconds


def e15_large() -> Found:
    return catalog.tier("qlc-123tb").drain_seconds


def e15_disk() -> Found:
    return catalog.tier("hdd-24tb").drain_seconds


def e17() -> Found:
    return np.isclose(
        np.array(
            [
                prompt_cache.holding_cost(h * FLASH.drain_seconds, FLASH.capacity_bytes, FLASH.read_bandwidth, 1)
                / prompt_cache.holding_cost(FLASH.drain_seconds, FLASH.capacity_bytes, FLASH.read_bandwidth, 1)
                for h in (0.5, 1, 2)
            ]
        ),
        [1, 1, 2],
    )


def e18() -> Found:
    return [
        prompt_cache.holding_dollars_per_byte_hour(premium * 1e-6, k, hold)
        / prompt_cache.memory_dollars_per_byte_hour(catalog.rent("gb200-nvl72").dollars_per_chip_hour, GB200.hbm_bytes)
        for k in (2048, 70e3)
        for premium, hold in (
            (OPUS.known("cache_write_5m") - OPUS.input, 300),
            (OPUS.known("cache_write_1h") - OPUS.input, 3600),
        )
    ]


def e27() -> Found:
    return [
        context_price.decode_cost(1e6, 200e3),
        context_price.decode_cost(1e6, 200e3 / catalog.datum("deepseek-v4-kv-share").value),
    ]


def e28() -> Found:
    return [pricing.price_ratio(p.output, 0.95 * p.input + 0.05 * p.output) for p in catalog.prices().values()]


def e28_middle() -> Found:
    return np.median(
        [pricing.price_ratio(p.output, 0.95 * p.input + 0.05 * p.output) for p in catalog.prices().values()]
    )


def e29() -> Found:
    return prompt_cache.saving_factor(
        np.array([1, 9, 99, 1e6]), OPUS.input, OPUS.known("cache_write_5m"), OPUS.known("cached_input")
    )
