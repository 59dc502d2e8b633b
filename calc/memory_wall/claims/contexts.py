"""Claims of lecture 4 about contexts: the cache, attention's arithmetic and windows."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from calc import batching, catalog
from calc.ledger.calls import Found
from calc.memory_wall import attention, long_context, sparse_attention
from calc.memory_wall.figures.setting import decode_flops
from calc.quantities import units
from calc.quantities.errors import MissingFact
from calc.setting import published

V3 = catalog.model("deepseek-v3")
V32 = catalog.model("deepseek-v3.2")
LLAMA = catalog.model("llama-3-70b")
QWEN = catalog.model("qwen3-235b-a22b")
RACK = catalog.system("gb200-nvl72")
DAY = catalog.deployment("deepseek-day-6")
V3_PROMPT = published.architecture(V3).expanded_attention_flops_per_position
INDEX = {
    "index_bytes": V32.known("index_key_bytes"),
    "kept_tokens": V32.known("index_top_k"),
    "kv_bytes": V32.known("attended_kv_bytes"),
}
BY_NEIGHBOURS = [
    65536 / attention.cache_reduction(200e3, layers=6, full_layers=6, window=0, layer_sharing=shared)
    for shared in (3, 2)
]
CROSSOVER = 200e3


def c12() -> Found:
    return 1e12 * units.bytes_per_element("fp8")


def c12_bf16() -> Found:
    return 1e12 * units.bytes_per_element("bf16")


def c12_fp4() -> Found:
    return 1e12 * units.bytes_per_element("fp4")


def c13() -> Found:
    return [catalog.system(name).hbm_bytes for name in ("gb200-nvl72", "gb300-nvl72", "rubin-nvl72")]


def c13_all() -> Found:
    return RACK.hbm_bytes + 36 * catalog.tier("lpddr5x-grace").capacity_bytes


def c14() -> Found:
    return [catalog.datum(f"memory-share-of-capex{year}").value for year in ("", "-2026", "-2027")]


def c15() -> Found:
    return catalog.datum("smartphones-2026").value


def e7() -> Found:
    return [
        65536 / catalog.datum("character-ai-reduction").value,
        65536 / attention.cache_reduction(200e3, layers=6, full_layers=1, window=1024, head_sharing=8, layer_sharing=2),
    ]


def e7_otherwise() -> Found:
    return BY_NEIGHBOURS


def e7_neighbours() -> Found:
    return BY_NEIGHBOURS


def e19() -> Found:
    found = [attention.overtaking_context(100e9, attention.attention_flops(10, 64, 128, 128))]
    for model in catalog.models().values():
        with suppress(MissingFact):
            near, far = (decode_flops(model, context) for context in (1e5, 1e6))
            found.append(float(1e5 + (2 * model.active_params - near) / (far - near) * 9e5))
    return found


def e19_index() -> Found:
    v4 = catalog.model("deepseek-v4-pro")
    near, far = (decode_flops(v4, context) for context in (1e5, 1e6))
    return 1e5 + (2 * v4.active_params - near) / (far - near) * 9e5


def e20() -> Found:
    return [catalog.datum("window-claude").value, catalog.datum("window-deepseek-v4").value]


def e20_by_lecture() -> Found:
    return 200e3


def e20_by_summary_001() -> Found:
    return 1e6


def e21() -> Found:
    return [catalog.datum(name).value for name in ("window-gemini-1.5-pro", "window-llama-4-scout", "window-grok-fast")]


def e22() -> Found:
    return long_context.pace(1e8, 30) / np.array([50, DAY.user_tokens_per_second, 3])


def e22_day() -> Found:
    return long_context.pace(1e8, 30)


def e22_work() -> Found:
    return long_context.pace(1e8, 22, 8)


def e22_speed() -> Found:
    return DAY.user_tokens_per_second


def e23() -> Found:
    return any(
        batching.largest_batch(RACK.hbm_bytes, weights, 1e8, token) < 1
        or batching.read_seconds(1e8 * token, RACK.hbm_bandwidth) > 0.02
        for weights, token in ((0, 100e9 / (300 * 200e3)), (V3.weight_bytes("fp8"), V3.kv_bytes_per_token("fp8")))
    )


def e23_held() -> Found:
    return batching.largest_batch(RACK.hbm_bytes, 0, 1e8, 100e9 / (300 * 200e3))


def e23_held_v3() -> Found:
    return batching.largest_batch(RACK.hbm_bytes, V3.weight_bytes("fp8"), 1e8, V3.kv_bytes_per_token("fp8"))


def e23_own() -> Found:
    return batching.read_seconds(1e8 * 100e9 / (300 * 200e3), RACK.hbm_bandwidth)


def e23_v3() -> Found:
    return batching.read_seconds(1e8 * V3.kv_bytes_per_token("fp8"), RACK.hbm_bandwidth)


def e23_prefill() -> Found:
    return attention.prefill_flops(1e8, V3.active_params, V3_PROMPT) / RACK.flops("fp8")


def e24() -> Found:
    return [
        sparse_attention.growth_exponent(
            *(sparse_attention.indexed_bytes(length, **INDEX) for length in (context, 2 * context))
        )
        for context in (64e3, 512e3)
    ] + [
        sparse_attention.growth_exponent(
            *(
                sparse_attention.block_reads(length, sparse_attention.best_block(length, 8), 8)
                for length in (64e3, 128e3)
            )
        )
    ]


def e24_most() -> Found:
    return V32.known("attended_kv_bytes") / V32.known("index_key_bytes")


def e25() -> Found:
    return [
        attention.multiplies_per_element(at.heads, at.key_dim, at.value_dim, at.entry) / 300
        for _, at in (published.attention_layers(m)[0] for m in (LLAMA, QWEN, V3))
    ]


def e26() -> Found:
    short, long = (
        np.minimum(ends, CROSSOVER) + attention.attended_tokens(np.maximum(0, ends - CROSSOVER), CROSSOVER) / CROSSOVER
        for ends in (np.geomspace(1e3, 1e9, 61), 2 * np.geomspace(1e3, 1e9, 61))
    )
    return np.any(long > 4 * short)


def e26_times() -> Found:
    short, long = (
        np.minimum(ends, CROSSOVER) + attention.attended_tokens(np.maximum(0, ends - CROSSOVER), CROSSOVER) / CROSSOVER
        for ends in (np.array([CROSSOVER / 2, CROSSOVER, 1e6]), np.array([CROSSOVER, 2 * CROSSOVER, 2e6]))
    )
    return long / short
