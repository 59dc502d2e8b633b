"""Claims of lecture 4 about domains: their chips, their memory and the floor that they set."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, memory_wall, pipelining
from calc.ledger.calls import Found
from calc.setting import Scenario

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
H100 = catalog.chip("h100-sxm")
ULTRA = catalog.announced("rubin-ultra-nvl576")


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
