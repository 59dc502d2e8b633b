"""Claims of lecture 6 about reading against writing: price lists, and one published day."""

from __future__ import annotations

import numpy as np

from calc import catalog, pricing
from calc.figure import registry
from calc.ledger.calls import Found
from calc.setting import Setting
from calc.step import decode, prefill

V3 = catalog.model("deepseek-v3")
H800 = catalog.chip("h800-sxm")
DAY = catalog.deployment("deepseek-day-6")
NODE_FLOPS = DAY.chips_per_node * H800.flops("fp8")
COMPUTED = DAY.computed_tokens_per_second


def e9() -> Found:
    return [pricing.price_ratio(p.output, p.input) for p in catalog.prices().values()]


def e9_within() -> Found:
    ratios = np.array([pricing.price_ratio(p.output, p.input) for p in catalog.prices().values()])
    return np.sum((ratios >= 3) & (ratios <= 5))


def e9_six() -> Found:
    return np.sum([np.isclose(pricing.price_ratio(p.output, p.input), 6) for p in catalog.prices().values()])


def e9_five() -> Found:
    return np.mean([np.isclose(pricing.price_ratio(p.output, p.input), 5) for p in catalog.prices().values()])


def e10() -> Found:
    writing = decode(Setting.decoding(DAY), DAY.decode_batch, DAY.mean_context)
    reading = prefill(
        Setting.published(DAY.model, DAY.system, "fp8", chips=DAY.prefill_expert_parallel),
        DAY.prefill_expert_parallel,
        DAY.mean_context,
    )
    return [
        writing.memory_seconds > writing.compute_seconds,
        reading.compute_seconds > reading.memory_seconds,
        writing.limit == "memory" and reading.limit == "compute",
    ]


def e10_sending() -> Found:
    return decode(Setting.decoding(DAY), DAY.decode_batch, DAY.mean_context).scale_out_seconds


def e10_step() -> Found:
    return 1 / DAY.user_tokens_per_second


def e10_reading() -> Found:
    return registry.find("pricing/day").answer().values["busy_read"].number


def e10_writing() -> Found:
    return registry.find("pricing/day").answer().values["busy_attended"].number


def e10_otherwise() -> Found:
    return pricing.utilisation(COMPUTED, V3.active_params, NODE_FLOPS) > 0.5


def e10_uncached() -> Found:
    return pricing.utilisation(COMPUTED, V3.active_params, NODE_FLOPS)


def e10_decode() -> Found:
    return pricing.utilisation(DAY.decode_tokens_per_second, V3.active_params, NODE_FLOPS)


def e11() -> Found:
    return pricing.price_ratio(DAY.decode_tokens_per_second, COMPUTED)


def e11_gross() -> Found:
    return pricing.price_ratio(DAY.decode_tokens_per_second, DAY.prefill_tokens_per_second)


def e28() -> Found:
    return [pricing.price_ratio(p.output, 0.95 * p.input + 0.05 * p.output) for p in catalog.prices().values()]


def e28_middle() -> Found:
    return np.median(
        [pricing.price_ratio(p.output, 0.95 * p.input + 0.05 * p.output) for p in catalog.prices().values()]
    )
