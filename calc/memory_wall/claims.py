"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, memory_wall, pipelining
from calc.ledger.calls import Found
from calc.memory_wall import attention, long_context, sparse_attention
from calc.quantities import units
from calc.setting import Scenario

V3 = catalog.model("deepseek-v3")
V32 = catalog.model("deepseek-v3.2")
LLAMA = catalog.model("llama-3-70b")
QWEN = catalog.model("qwen3-235b-a22b")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
H100 = catalog.chip("h100-sxm")
ULTRA = catalog.announced("rubin-ultra-nvl576")
DAY = catalog.deployment("deepseek-day-6")
SPEED = (DAY.user_tokens_per_second_low + DAY.user_tokens_per_second_high) / 2
CACHE = {"kv_bytes_per_token": V3.kv_bytes_per_token("fp8"), "bandwidth": RACK.hbm_bandwidth}


def b9() -> Found:
    return catalog.system("rubin-nvl72").chips


def b9_dies() -> Found:
    return ULTRA.dies


def b9_packages() -> Found:
    return ULTRA.packages


def b10() -> Found:
    return [
        ULTRA.known("dies") / (2 * catalog.system("rubin-nvl72").chips),
        ULTRA.packages / catalog.system("rubin-nvl72").chips,
    ]


def b12() -> Found:
    return catalog.model("gpt-4-rumour").sparsity > 1


def b12_by_summary_002() -> Found:
    return False


def b12_by_gpt_4_rumour() -> Found:
    return True


def b12_total() -> Found:
    return catalog.model("gpt-4-rumour").total_params


def b12_active() -> Found:
    return catalog.model("gpt-4-rumour").active_params


def b13() -> Found:
    return catalog.system("hgx-h100").hbm_bytes


def b13_one() -> Found:
    return H100.hbm_bytes


def b14() -> Found:
    return [RACK.hbm_bytes, catalog.system("gb300-nvl72").hbm_bytes]


def b15() -> Found:
    return [
        memory_wall.domain_fit(
            0, 0, weight_bytes=5e12 * b, kv_bytes_per_token=0, chips=72, hbm_bytes=GB200.hbm_bytes
        ).free
        / RACK.hbm_bytes
        for b in (2, 1, 0.5)
    ]


def b15_bf16() -> Found:
    return memory_wall.domain_fit(
        0, 0, weight_bytes=10e12, kv_bytes_per_token=0, chips=72, hbm_bytes=GB200.hbm_bytes
    ).free


def b15_fp8() -> Found:
    return memory_wall.domain_fit(
        0, 0, weight_bytes=5e12, kv_bytes_per_token=0, chips=72, hbm_bytes=GB200.hbm_bytes
    ).free


def b16() -> Found:
    return (
        memory_wall.latency_floor(5e12, 8, H100.hbm_bandwidth) > 0.02
        and pipelining.stages_to_hold(5e12, 8, H100.hbm_bytes) < 61
    )


def b16_by_summary_000() -> Found:
    return True


def b16_by_summary_001() -> Found:
    return False


def b16_boxes() -> Found:
    return pipelining.stages_to_hold(5e12, 8, H100.hbm_bytes)


def b16_floor() -> Found:
    return memory_wall.latency_floor(5e12, 8, H100.hbm_bandwidth)


def b16_rack() -> Found:
    return memory_wall.latency_floor(5e12, RACK.chips, GB200.hbm_bandwidth)


def b17() -> Found:
    return [catalog.system(name).chips for name in ("hgx-h100", "gb200-nvl72", "tpu-v4-pod", "tpu-v7-pod")]


def b18() -> Found:
    return [
        np.isclose(
            memory_wall.largest_model(
                0.02,
                2000,
                bytes_per_weight=1,
                chips=72,
                hbm_bytes=GB200.hbm_bytes,
                bandwidth=GB200.hbm_bandwidth,
                flops=2 * GB200.flops("fp8"),
            ).active_by_compute,
            2
            * memory_wall.largest_model(
                0.02,
                2000,
                bytes_per_weight=1,
                chips=72,
                hbm_bytes=GB200.hbm_bytes,
                bandwidth=GB200.hbm_bandwidth,
                flops=GB200.flops("fp8"),
            ).active_by_compute,
        ),
        np.isclose(
            memory_wall.largest_model(
                0.02,
                2000,
                bytes_per_weight=1,
                chips=144,
                hbm_bytes=GB200.hbm_bytes,
                bandwidth=GB200.hbm_bandwidth,
                flops=GB200.flops("fp8"),
            ).total,
            2
            * memory_wall.largest_model(
                0.02,
                2000,
                bytes_per_weight=1,
                chips=72,
                hbm_bytes=GB200.hbm_bytes,
                bandwidth=GB200.hbm_bandwidth,
                flops=2 * GB200.flops("fp8"),
            ).total,
        ),
    ]


def b19() -> Found:
    return [
        memory_wall.domain_gain(
            RACK.chips, GB200.hbm_bandwidth, chips_before=8, bandwidth_before=H100.hbm_bandwidth
        ).chips
        / 8,
        memory_wall.domain_gain(
            RACK.chips, GB200.hbm_bandwidth, chips_before=8, bandwidth_before=H100.hbm_bandwidth
        ).bandwidth
        / 2,
    ]


def b19_chips() -> Found:
    return memory_wall.domain_gain(
        RACK.chips, GB200.hbm_bandwidth, chips_before=8, bandwidth_before=H100.hbm_bandwidth
    ).chips


def b19_memory() -> Found:
    return memory_wall.domain_gain(
        RACK.chips, GB200.hbm_bandwidth, chips_before=8, bandwidth_before=H100.hbm_bandwidth
    ).bandwidth


def b19_total() -> Found:
    return memory_wall.domain_gain(
        RACK.chips, GB200.hbm_bandwidth, chips_before=8, bandwidth_before=H100.hbm_bandwidth
    ).total


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
    return [catalog.datum("memory-share-of-capex").value, catalog.datum("memory-share-of-capex-2027").value]


def c15() -> Found:
    return catalog.datum("smartphones-2026").value


def c18() -> Found:
    return [
        np.isclose(
            memory_wall.latency_floor(V3.weight_bytes("fp8"), S, GB200.hbm_bandwidth),
            batching.step_time(
                1, 0, **Scenario.named("deepseek-v3", "gb200-nvl72", "fp8", chips=S).step_arguments()
            ).weights,
        )
        for S in (8, 72)
    ]


def c18_rack() -> Found:
    return memory_wall.latency_floor(V3.weight_bytes("fp8"), RACK.chips, GB200.hbm_bandwidth)


def c19() -> Found:
    return memory_wall.latency_floor(V3.weight_bytes("fp8"), 8, H100.hbm_bandwidth) / memory_wall.latency_floor(
        V3.weight_bytes("fp8"), RACK.chips, GB200.hbm_bandwidth
    )


def c19_box() -> Found:
    return memory_wall.latency_floor(V3.weight_bytes("fp8"), 8, H100.hbm_bandwidth)


def c19_rack() -> Found:
    return memory_wall.latency_floor(V3.weight_bytes("fp8"), RACK.chips, GB200.hbm_bandwidth)


def e7() -> Found:
    return [
        65536 / catalog.datum("character-ai-reduction").value,
        65536 / attention.cache_reduction(200e3, layers=6, full_layers=1, window=1024, head_sharing=8, layer_sharing=2),
    ]


def e19() -> Found:
    return [
        attention.overtaking_context(active, attention.attention_flops(layers, heads, key, value))
        for active, layers, heads, key, value in [
            (
                V3.active_params,
                V3.known("layers"),
                V3.known("heads"),
                V3.known("kv_lora_rank") + V3.known("rope_dim"),
                V3.known("kv_lora_rank"),
            ),
            (
                V3.active_params,
                V3.known("layers"),
                V3.known("heads"),
                V3.known("qk_nope_dim") + V3.known("rope_dim"),
                V3.known("v_dim"),
            ),
        ]
        + [
            (m.active_params, m.known("layers"), m.known("heads"), m.known("head_dim"), m.known("head_dim"))
            for m in (QWEN, LLAMA, catalog.model("llama-3-405b"))
        ]
        + [(100e9, 10, 64, 128, 128)]
    ]


def e20() -> Found:
    return [catalog.datum("window-claude").value, catalog.datum("window-deepseek-v4").value]


def e20_by_lecture() -> Found:
    return 200e3


def e20_by_summary_001() -> Found:
    return 1e6


def e21() -> Found:
    return [catalog.datum(name).value for name in ("window-gemini-1.5-pro", "window-llama-4-scout", "window-grok-fast")]


def e22() -> Found:
    return long_context.pace(1e8, 30) / np.array([40, SPEED, 3])


def e22_day() -> Found:
    return long_context.pace(1e8, 30)


def e22_work() -> Found:
    return long_context.pace(1e8, 22, 8)


def e22_speed() -> Found:
    return SPEED


def e23() -> Found:
    return [
        batching.largest_batch(RACK.hbm_bytes, 0, 1e8, 100e9 / (300 * 200e3)),
        batching.largest_batch(RACK.hbm_bytes, V3.weight_bytes("fp8"), 1e8, V3.kv_bytes_per_token("fp8")),
    ]


def e23_own() -> Found:
    return batching.read_seconds(1e8 * 100e9 / (300 * 200e3), RACK.hbm_bandwidth)


def e23_v3() -> Found:
    return batching.read_seconds(1e8 * V3.kv_bytes_per_token("fp8"), RACK.hbm_bandwidth)


def e23_prefill() -> Found:
    return attention.prefill_flops(
        1e8,
        V3.active_params,
        attention.attention_flops(
            V3.known("layers"), V3.known("heads"), V3.known("qk_nope_dim") + V3.known("rope_dim"), V3.known("v_dim")
        ),
    ) / RACK.flops("fp8")


def e24() -> Found:
    return [
        sparse_attention.growth_exponent(
            sparse_attention.indexed_bytes(
                L,
                index_bytes=V32.known("index_key_bytes"),
                kept_tokens=V32.known("index_top_k"),
                kv_bytes=V32.known("attended_kv_bytes"),
            ),
            sparse_attention.indexed_bytes(
                2 * L,
                index_bytes=V32.known("index_key_bytes"),
                kept_tokens=V32.known("index_top_k"),
                kv_bytes=V32.known("attended_kv_bytes"),
            ),
        )
        for L in (64e3, 512e3)
    ]


def e24_most() -> Found:
    return V32.known("attended_kv_bytes") / V32.known("index_key_bytes")


def e25() -> Found:
    return [
        attention.multiplies_per_element(
            m.known("heads"),
            m.known("head_dim"),
            m.known("head_dim"),
            attention.grouped_elements(m.known("kv_heads"), m.known("head_dim")),
        )
        / 300
        for m in (LLAMA, QWEN)
    ] + [
        attention.multiplies_per_element(
            V3.known("heads"),
            V3.known("kv_lora_rank") + V3.known("rope_dim"),
            V3.known("kv_lora_rank"),
            attention.latent_elements(V3.known("kv_lora_rank"), V3.known("rope_dim")),
        )
        / 300
    ]


def e26() -> Found:
    near, far = (
        sparse_attention.growth_exponent(*(long_context.memory_seconds(n, 0, **CACHE) for n in (length, 2 * length)))
        for length in (1e4, 1e6)
    )
    return far > 1.5 * near


def e26_power() -> Found:
    return sparse_attention.growth_exponent(*(long_context.memory_seconds(n, 0, **CACHE) for n in (1e6, 2e6)))
