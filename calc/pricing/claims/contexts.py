"""Claims of lecture 6 about prices by length of context, and the cache that they imply."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.figure import registry
from calc.ledger.calls import Found
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import decode_flops
from calc.pricing import context_price
from calc.quantities.errors import MissingFact
from calc.setting import Setting, published

V3 = catalog.model("deepseek-v3")
V4 = catalog.model("deepseek-v4-pro")
GB200 = catalog.chip("gb200")
DAY = catalog.deployment("deepseek-day-6")
KEPT = [m.kv_bytes_per_token("fp8") for m in catalog.models().values() if m.kv_elements_per_token]
QWEN_MAX = catalog.price("qwen3-max")
FETCHED = Setting.published("deepseek-v4-pro", "gb200-nvl72", "fp8").read_bytes(1e6)
DEAR = np.array([context_price.decode_cost(1e6, 200e3), max(1, FETCHED / (V4.active_params / 300))])


def e1() -> Found:
    return [
        catalog.price("gemini-3.1-pro-preview").known("output_above") / catalog.price("gemini-3.1-pro-preview").output,
        catalog.price("gemini-3.1-pro-preview").known("input_above") / catalog.price("gemini-3.1-pro-preview").input,
    ]


def e2() -> Found:
    return [p.above_tokens for p in catalog.prices().values() if p.above_tokens]


def e2_pro() -> Found:
    return registry.find("pricing/family").answer().values["pro_crossing"].number


def e2_doubles() -> Found:
    return registry.find("pricing/limits").answer().values["prompt_405b"].number


def e3() -> Found:
    growth = []
    for model in catalog.models().values():
        try:
            work = [2 * model.active_params + decode_flops(model, context) for context in (1, 200e3)]
        except MissingFact:
            continue
        growth.append(work[1] / work[0])
    return growth


def e3_least() -> Found:
    twice = 2 * V4.active_params
    return (twice + decode_flops(V4, 200e3)) / (twice + decode_flops(V4, 1))


def e3_most() -> Found:
    twice = 2 * V3.active_params
    return (twice + decode_flops(V3, 200e3)) / (twice + decode_flops(V3, 1))


def e3_v3() -> Found:
    return attention.overtaking_context(V3.active_params, published.architecture(V3).attention_flops_per_position)


def e4() -> Found:
    return [
        np.isinf(context_price.longest_profitable_context(200e3, 1.5, markup))
        for markup in (0.0, DAY.revenue_dollars / DAY.cost_dollars - 1)
    ]


def e4_limit() -> Found:
    return context_price.longest_profitable_context(200e3, 1.5)


def e4_markup() -> Found:
    return context_price.decode_cost(1e6, 200e3) / 1.5 - 1


def e4_day() -> Found:
    return DAY.revenue_dollars / DAY.cost_dollars - 1


def e4_far() -> Found:
    return context_price.longest_profitable_context(200e3, 1.5, DAY.revenue_dollars / DAY.cost_dollars - 1)


def e4_attended() -> Found:
    llama = catalog.model("llama-3-405b")
    return context_price.longest_profitable_context(
        context_price.crossover_context(llama.kv_bytes_per_token("fp8"), llama.active_params, 300),
        1,
        DAY.revenue_dollars / DAY.cost_dollars - 1,
        attention.overtaking_context(llama.active_params, published.architecture(llama).attention_flops_per_position),
    )


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
    return [attention.grouped_elements(8, 128), *KEPT]


def e6_least() -> Found:
    return min(KEPT)


def e6_most() -> Found:
    return max(KEPT)


def e6_later() -> Found:
    return catalog.datum("deepseek-v4.1-flash-cache").value


def e6_fetched() -> Found:
    return registry.find("pricing/family").answer().values["pro_read"].number


def e6_kept() -> Found:
    return V4.kv_bytes_per_token("fp8")


def e8() -> Found:
    return any(p.above_tokens in (32000, 32768) for p in catalog.history(catalog.Price, "prices"))


def e8_first() -> Found:
    return QWEN_MAX.known("above_tokens")


def e8_above() -> Found:
    return QWEN_MAX.known("input_above") / QWEN_MAX.input


def e27() -> Found:
    return DEAR


def e27_otherwise() -> Found:
    return DEAR / (DAY.revenue_dollars / DAY.cost_dollars)
