"""Claims of lecture 4 about domains: their chips, their memory and the floor that they set."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, memory_wall, pipelining
from calc.ledger.calls import Found
from calc.setting import Scenario, Setting
from calc.step import decode, forecast_of

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
H100 = catalog.chip("h100-sxm")
ULTRA = catalog.announced("rubin-ultra-nvl576")
ULTRA_RACKS = catalog.announced("rubin-ultra-nvl576-racks")
LARGE = 5e12  # parameters, in a byte each
EMPTY = {"kv_bytes_per_token": 0, "chips": 72, "hbm_bytes": GB200.hbm_bytes}
BOXES = pipelining.stages_to_hold(LARGE, 8, H100.hbm_bytes)
BOX_FLOOR = memory_wall.latency_floor(LARGE, 8, H100.hbm_bandwidth)
ASKED = {
    "step_seconds": 0.02,
    "batch": 2000,
    "bytes_per_weight": 1,
    "hbm_bytes": GB200.hbm_bytes,
    "bandwidth": GB200.hbm_bandwidth,
}
GAIN = memory_wall.domain_gain(RACK.chips, GB200.hbm_bandwidth, chips_before=8, bandwidth_before=H100.hbm_bandwidth)
V3_ON_BOX = memory_wall.latency_floor(V3.weight_bytes("fp8"), 8, H100.hbm_bandwidth)
V3_ON_RACK = memory_wall.latency_floor(V3.weight_bytes("fp8"), RACK.chips, GB200.hbm_bandwidth)
V3_STEP = decode(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 20_000.0, 4096.0)


def b9() -> Found:
    return [catalog.system("rubin-nvl72").chips, ULTRA_RACKS.packages]


def b9_dies() -> Found:
    return ULTRA.dies


def b9_packages() -> Found:
    return ULTRA.packages


def b10() -> Found:
    return [
        ULTRA.known("dies") / (2 * catalog.system("rubin-nvl72").chips),
        ULTRA.packages / catalog.system("rubin-nvl72").chips,
        ULTRA_RACKS.packages / catalog.system("rubin-nvl72").chips,
    ]


def b12() -> Found:
    return [catalog.model("gpt-4-rumour").total_params, catalog.model("gpt-4-rumour").active_params]


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
    return [memory_wall.domain_fit(0, 0, weight_bytes=LARGE * b, **EMPTY).free / RACK.hbm_bytes for b in (2, 1, 0.5)]


def b15_bf16() -> Found:
    return memory_wall.domain_fit(0, 0, weight_bytes=LARGE * 2, **EMPTY).free


def b15_fp8() -> Found:
    return memory_wall.domain_fit(0, 0, weight_bytes=LARGE, **EMPTY).free


def b15_later() -> Found:
    rack = catalog.system("gb300-nvl72").hbm_bytes
    return (rack - LARGE * 2) / rack


def b16() -> Found:
    return BOX_FLOOR > 0.02 and BOXES < 61


def b16_by_summary_000() -> Found:
    return True


def b16_by_summary_001() -> Found:
    return False


def b16_boxes() -> Found:
    return BOXES


def b16_floor() -> Found:
    return BOX_FLOOR


def b16_rack() -> Found:
    return memory_wall.latency_floor(LARGE, RACK.chips, GB200.hbm_bandwidth)


def b17() -> Found:
    return [catalog.system(name).chips for name in ("hgx-h100", "gb200-nvl72", "tpu-v4-pod", "tpu-v7-pod")]


def b18() -> Found:
    one = memory_wall.largest_model(**ASKED, chips=72, flops=GB200.flops("fp8"))
    faster = memory_wall.largest_model(**ASKED, chips=72, flops=2 * GB200.flops("fp8"))
    wider = memory_wall.largest_model(**ASKED, chips=144, flops=GB200.flops("fp8"))
    return [np.isclose(faster.active_by_compute, 2 * one.active_by_compute), np.isclose(wider.total, 2 * faster.total)]


def b19() -> Found:
    return [GAIN.chips / 8, GAIN.bandwidth / 2]


def b19_chips() -> Found:
    return GAIN.chips


def b19_memory() -> Found:
    return GAIN.bandwidth


def b19_total() -> Found:
    return GAIN.total


def b19_later() -> Found:
    return GB200.hbm_bandwidth / catalog.chip("h200-sxm").hbm_bandwidth


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
    return V3_ON_RACK


def c19() -> Found:
    return [V3_ON_BOX / V3_ON_RACK, V3_ON_BOX / V3_STEP.weights_seconds]


def c19_otherwise() -> Found:
    kernels = forecast_of(V3_STEP).kernel_seconds
    return (V3_ON_BOX + kernels) / (V3_STEP.weights_seconds + kernels)


def c19_box() -> Found:
    return V3_ON_BOX


def c19_rack() -> Found:
    return V3_ON_RACK


def c19_copied() -> Found:
    return V3_STEP.weights_seconds
