"""Claims of lecture 1 about the bound of a decode step and its parts."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching import touched
from calc.catalog.measurement import clean_measurements
from calc.ledger.calls import Found
from calc.setting import Scenario

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
SERVED = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
WOKEN = touched.touched_params(
    1, V3.total_params, V3.active_params, V3.known("routed_experts"), V3.known("active_routed_experts")
)

GB200 = catalog.chip("gb200")
MEASURED = sorted(
    (
        row
        for row in clean_measurements()
        if (row.model, row.system, row.precision, row.chips) == ("deepseek-v3", "gb200-nvl72", "fp8", 8)
    ),
    key=lambda row: row.in_flight,
)
EIGHT_SECONDS = batching.read_seconds(V3.weight_bytes("fp8"), 8 * GB200.hbm_bandwidth)


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


def a9_otherwise() -> Found:
    return MEASURED[0].token_seconds >= EIGHT_SECONDS


def a9_eight() -> Found:
    return EIGHT_SECONDS


def a9_measured() -> Found:
    return MEASURED[0].token_seconds


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


def a10_otherwise() -> Found:
    crowded = batching.step_time(1e5, 16384, **SERVED.step_arguments())
    return crowded.compute >= crowded.bound


def a41() -> Found:
    return [V3.active_params / 37e9, V3.total_params / 700e9]


def a41_total() -> Found:
    return V3.total_params
