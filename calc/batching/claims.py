"""Calculations of the ledger's claims about this lecture.

`a1` decides claim A1, `a1_otherwise` is the circumstance in which it fails, `a1_by_lecture` a source's reading of it;
any other `a1_name` is a number that its reason quotes.
"""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, moe
from calc.batching import departures, fast_mode, touched
from calc.ledger.calls import Found
from calc.memory_wall import attention
from calc.setting import Layout, Scenario, Setting
from calc.step import decode

V3 = catalog.model("deepseek-v3")
LLAMA = catalog.model("llama-3-70b")
QWEN = catalog.model("qwen3-235b-a22b")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
H100 = catalog.chip("h100-sxm")
H800 = catalog.chip("h800-sxm")
OPUS = catalog.price("claude-opus-4.6")
DAY = catalog.deployment("deepseek-day-6")
SPEED = (DAY.user_tokens_per_second_low + DAY.user_tokens_per_second_high) / 2
UNIT = Scenario.named(DAY.model, DAY.system, "fp8-bf16-cache", chips=DAY.decode_expert_parallel)
SERVED = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
LONE = Scenario.named("llama-3-70b", "hgx-h100", "fp8", chips=1)
V3_CHIP = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8", chips=1)
LLAMA_CHIP = Scenario.named("llama-3-70b", "gb200-nvl72", "fp8", chips=1)
V3_ATTENTION = V3_CHIP.setting.attention_flops_per_token
LLAMA_ATTENTION = LLAMA_CHIP.setting.attention_flops_per_token
V3_STEP = V3_CHIP.step_arguments() | {"attention_flops": V3_ATTENTION}
WOKEN = touched.touched_params(
    1, V3.total_params, V3.active_params, V3.known("routed_experts"), V3.known("active_routed_experts")
)
GOOGLE = catalog.history(catalog.Datum, "data", "google-tokens-per-month")


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


def a6() -> Found:
    return [
        batching.compute_seconds(2400, V3.active_params, 2 * 180e15) / (2400 * V3.active_params / 180e15),
        batching.compute_seconds(2400, V3.active_params, RACK.flops("fp8"))
        / (2400 * V3.active_params / RACK.flops("fp8")),
    ]


def a6_twice() -> Found:
    return batching.compute_seconds(2400, V3.active_params, RACK.flops("fp8")) / (
        2400 * V3.active_params / RACK.flops("fp8")
    )


def a7() -> Found:
    return touched.touched_share(
        np.array([1, 8, 32, 256]), V3.known("routed_experts"), V3.known("active_routed_experts")
    )


def a7_alone() -> Found:
    return WOKEN


def a7_all() -> Found:
    return V3.total_params


def a8() -> Found:
    return batching.cache_bytes(
        np.array([64, 128]), np.array([16e3, 8e3]), V3.kv_bytes_per_token("fp8")
    ) / batching.cache_bytes(64, 8e3, V3.kv_bytes_per_token("fp8"))


def a9() -> Found:
    return np.all(
        batching.step_time(
            np.geomspace(1, 1e5, 51, dtype=np.float64),
            8000,
            **SERVED.step_arguments(),
        ).bound
        >= batching.read_seconds(V3.weight_bytes("fp8"), RACK.hbm_bandwidth)
    )


def a9_rack() -> Found:
    return batching.read_seconds(V3.weight_bytes("fp8"), RACK.hbm_bandwidth)


def a9_node() -> Found:
    return batching.read_seconds(V3.weight_bytes("fp8"), catalog.system("hgx-h100").hbm_bandwidth)


def a10() -> Found:
    return np.isclose(
        np.array(
            [
                batching.step_time(
                    2 * B,
                    0,
                    **SERVED.step_arguments(),
                ).bound
                / batching.step_time(
                    B,
                    0,
                    **SERVED.step_arguments(),
                ).bound
                for B in (100, 1e5)
            ]
        ),
        [1, 2],
    )


def a11() -> Found:
    return [
        batching.hardware_ratio(c.bf16_flops or c.known("fp4_flops") / 4, c.hbm_bandwidth, 2)
        for c in catalog.chips().values()
    ]


def a11_median() -> Found:
    return np.median(
        [
            batching.hardware_ratio(c.bf16_flops or c.known("fp4_flops") / 4, c.hbm_bandwidth, 2)
            for c in catalog.chips().values()
        ]
    )


def a11_a100() -> Found:
    return batching.hardware_ratio(catalog.chip("a100-sxm").flops("bf16"), catalog.chip("a100-sxm").hbm_bandwidth, 2)


def a11_h200() -> Found:
    return batching.hardware_ratio(catalog.chip("h200-sxm").flops("bf16"), catalog.chip("h200-sxm").hbm_bandwidth, 2)


def a11_v6e() -> Found:
    return batching.hardware_ratio(catalog.chip("tpu-v6e").flops("bf16"), catalog.chip("tpu-v6e").hbm_bandwidth, 2)


def a11_rubin() -> Found:
    return batching.hardware_ratio(catalog.chip("rubin").flops("fp4"), catalog.chip("rubin").hbm_bandwidth, 0.5)


def a12() -> Found:
    return [catalog.chip("b200-sxm").flops(p) / catalog.chip("b200-sxm").hbm_bandwidth for p in ("bf16", "fp8", "fp4")]


def a13() -> Found:
    return RACK.hbm_bandwidth


def a13_package() -> Found:
    return catalog.chip("rubin").hbm_bandwidth


def a13_over() -> Found:
    return RACK.hbm_bandwidth / 20e12


def a13_flops() -> Found:
    return RACK.flops("fp4")


def a14() -> Found:
    return batching.balanced_batch(300, V3.sparsity)


def a14_by_summary_000() -> Found:
    return 300 / V3.sparsity


def a14_by_summary_001() -> Found:
    return 300 * V3.sparsity


def a14_inverted() -> Found:
    return 300 / V3.sparsity


def a15() -> Found:
    return [batching.balanced_batch(300, V3.sparsity), batching.balanced_batch(300, 256 / 8)]


def a15_routed() -> Found:
    return V3.active_routed_experts


def a15_sparsity() -> Found:
    return V3.sparsity


def a15_experts() -> Found:
    return V3.known("routed_experts") / V3.known("active_routed_experts")


def a16() -> Found:
    return moe.sparsity(700e9, 37e9)


def a16_published() -> Found:
    return V3.sparsity


def a17() -> Found:
    return [
        batching.balanced_batch(
            batching.hardware_ratio(GB200.flops("bf16"), GB200.hbm_bandwidth, 2), catalog.model(m).sparsity
        )
        for m in (
            "llama-3-70b",
            "mixtral-8x7b",
            "mixtral-8x22b",
            "qwen3-235b-a22b",
            "deepseek-v3",
            "gpt-oss-120b",
            "kimi-k2",
        )
    ]


def a17_v3() -> Found:
    return batching.balanced_batch(batching.hardware_ratio(GB200.flops("bf16"), GB200.hbm_bandwidth, 2), V3.sparsity)


def a17_dense() -> Found:
    return batching.balanced_batch(batching.hardware_ratio(GB200.flops("bf16"), GB200.hbm_bandwidth, 2))


def a18() -> Found:
    return (
        DAY.decode_tokens_per_second
        / SPEED
        * DAY.decode_nodes
        / batching.balanced_batch(batching.hardware_ratio(H800.flops("fp8"), H800.hbm_bandwidth, 1), V3.sparsity)
    )


def a18_batch() -> Found:
    return DAY.decode_tokens_per_second / SPEED * DAY.decode_nodes


def a18_nodes() -> Found:
    return DAY.decode_nodes


def a19() -> Found:
    return [batching.tokens_per_second(2000, 0.02) * 0.02 / 2000, catalog.datum("deepseek-v3-mtp-speed").value]


def a19_mtp() -> Found:
    return catalog.datum("deepseek-v3-mtp-speed").value


def a20() -> Found:
    return batching.balanced_batch_with_cache(1000, **V3_STEP) / batching.balanced_batch_with_cache(0, **V3_STEP)


def a20_otherwise() -> Found:
    return batching.balanced_batch_with_cache(16_384, **V3_STEP) / batching.balanced_batch_with_cache(0, **V3_STEP)


def a20_v3() -> Found:
    return batching.critical_context(**V3_CHIP.token_arguments(), attention_flops=V3_ATTENTION)


def a20_llama() -> Found:
    return batching.critical_context(**LLAMA_CHIP.token_arguments(), attention_flops=LLAMA_ATTENTION)


def a20_simple() -> Found:
    return batching.critical_context(**V3_CHIP.token_arguments())


def a20_mean() -> Found:
    return DAY.mean_context


def a21() -> Found:
    return np.allclose(
        batching.balanced_batch_with_cache(
            0,
            active_params=np.geomspace(1e9, 1e12, 31, dtype=np.float64),
            weight_bytes=8 * np.geomspace(1e9, 1e12, 31, dtype=np.float64),
            kv_bytes_per_token=0,
            flops=GB200.flops("fp8"),
            bandwidth=GB200.hbm_bandwidth,
        ),
        batching.balanced_batch(batching.hardware_ratio(GB200.flops("fp8"), GB200.hbm_bandwidth, 1), 8),
    )


def a22() -> Found:
    return 1 - np.array([1, 24, 240, 1200]) / batching.balanced_batch(300, 8)


def a22_balanced() -> Found:
    return batching.balanced_batch(300, 8)


def a23() -> Found:
    return departures.worst_wait(0.02)


def a24() -> Found:
    return np.max(departures.board(np.arange(1, 2001) / 128e3, 0.02, 2000).departs)


def a25() -> Found:
    return [batching.read_seconds(c.hbm_bytes, c.hbm_bandwidth) for c in catalog.chips().values()]


def a25_median() -> Found:
    return np.median([batching.read_seconds(c.hbm_bytes, c.hbm_bandwidth) for c in catalog.chips().values()])


def a26() -> Found:
    return [batching.read_seconds(288e9, 20e12)] + [
        batching.read_seconds(c.hbm_bytes, c.hbm_bandwidth) for c in catalog.history(catalog.Chip, "chips", "rubin")
    ]


def a27() -> Found:
    return [batching.read_seconds(m.weight_bytes("fp8"), RACK.hbm_bandwidth) for m in catalog.models().values()]


def a27_drain() -> Found:
    return batching.read_seconds(RACK.hbm_bytes, RACK.hbm_bandwidth)


def a27_node() -> Found:
    return batching.read_seconds(V3.weight_bytes("fp8"), catalog.system("hgx-h100").hbm_bandwidth)


def a28() -> Found:
    return [
        batching.read_seconds(V3.weight_bytes("fp8"), RACK.hbm_bandwidth),
        batching.read_seconds(0.1 * GB200.hbm_bytes, GB200.hbm_bandwidth),
    ]


def a29() -> Found:
    return [
        batching.tokens_per_second(2000, 0.02),
        batching.tokens_per_second(2000, 1 / 64),
        batching.tokens_per_second(2400, 0.015),
        batching.tokens_per_second(batching.balanced_batch(300, V3.sparsity), 0.02),
    ]


def a30() -> Found:
    return [row.value / 2629800 / 128e3 for row in GOOGLE if row.since.year > 2024]


def a30_api() -> Found:
    return catalog.datum("google-api-tokens-per-minute").value / 60 / 128e3


def a31() -> Found:
    return [row.value / 2629800 for row in GOOGLE if row.since.year == 2025]


def a32() -> Found:
    return [
        row.value / 2629800 / 1000 / batching.tokens_per_second(2000, 0.02) for row in GOOGLE if row.since.year > 2024
    ]


def a32_first() -> Found:
    return GOOGLE[1].value / 2629800 / 1000 / batching.tokens_per_second(2000, 0.02)


def a32_last() -> Found:
    return catalog.datum("google-tokens-per-month").value / 2629800 / 1000 / batching.tokens_per_second(2000, 0.02)


def a33() -> Found:
    return batching.context_for_utilisation(0.5, 100e3, np.array([0, 0.2, 0.5]))


def a34() -> Found:
    return [r.dollars_per_chip_hour for r in catalog.rents().values() if not r.chip.id.startswith("tpu")]


def a34_reserved() -> Found:
    return catalog.in_force(catalog.Rent, "rents")["h100-reserved"].dollars_per_chip_hour


def a34_demand() -> Found:
    return catalog.rent("hgx-h100").dollars_per_chip_hour


def a34_rack() -> Found:
    return catalog.rent("gb200-nvl72").dollars_per_chip_hour


def a35() -> Found:
    return [
        batching.batching_penalty(
            batching.read_seconds(read, RACK.hbm_bandwidth),
            batching.cheapest_seconds(
                L,
                **SERVED.token_arguments(),
            ),
        )
        for read, L in (
            (V3.weight_bytes("fp8"), 0),
            (V3.weight_bytes("fp8"), DAY.mean_context),
            (WOKEN, 0),
            (WOKEN, DAY.mean_context),
        )
    ] + [
        batching.batching_penalty(
            batching.read_seconds(LONE.weight_bytes, LONE.bandwidth),
            batching.cheapest_seconds(
                0,
                **LONE.token_arguments(),
            ),
        )
    ]


def a35_all() -> Found:
    return batching.batching_penalty(
        batching.read_seconds(V3.weight_bytes("fp8"), RACK.hbm_bandwidth),
        batching.cheapest_seconds(
            0,
            **SERVED.token_arguments(),
        ),
    )


def a35_cache() -> Found:
    return batching.batching_penalty(
        batching.read_seconds(V3.weight_bytes("fp8"), RACK.hbm_bandwidth),
        batching.cheapest_seconds(
            DAY.mean_context,
            **SERVED.token_arguments(),
        ),
    )


def a35_woken() -> Found:
    return batching.batching_penalty(
        batching.read_seconds(WOKEN, RACK.hbm_bandwidth),
        batching.cheapest_seconds(
            0,
            **SERVED.token_arguments(),
        ),
    )


def a35_dense() -> Found:
    return batching.batching_penalty(
        batching.read_seconds(LONE.weight_bytes, LONE.bandwidth),
        batching.cheapest_seconds(
            0,
            **LONE.token_arguments(),
        ),
    )


def a41() -> Found:
    return [V3.active_params / 37e9, V3.total_params / 700e9]


def a41_total() -> Found:
    return V3.total_params


def a42() -> Found:
    return [
        attention.attention_to_weights(attention.attention_flops(8192 * layers, heads, key, value), active)
        for layers, heads, key, value, active in [
            (m.known("layers"), m.known("heads"), m.known("head_dim"), m.known("head_dim"), m.active_params)
            for m in (LLAMA, QWEN)
        ]
        + [
            (
                V3.known("layers"),
                V3.known("heads"),
                V3.known("qk_nope_dim") + V3.known("rope_dim"),
                V3.known("v_dim"),
                V3.active_params,
            ),
            (
                V3.known("layers"),
                V3.known("heads"),
                V3.known("kv_lora_rank") + V3.known("rope_dim"),
                V3.known("kv_lora_rank"),
                V3.active_params,
            ),
        ]
    ]


def a43() -> Found:
    return [departures.mean_wait(0.02), departures.worst_wait(0.02)]


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
