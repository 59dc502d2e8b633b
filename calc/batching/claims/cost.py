"""Claims of lecture 1 about rents, and about the penalty of serving alone."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching import touched
from calc.catalog.measurement import clean_measurements
from calc.ledger.calls import Found
from calc.setting import Scenario, Setting
from calc.step import decode

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
DAY = catalog.deployment("deepseek-day-6")
SERVED = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
LONE = Scenario.named("llama-3-70b", "hgx-h100", "fp8", chips=1)
WOKEN = touched.touched_params(
    1, V3.total_params, V3.active_params, V3.known("routed_experts"), V3.known("active_routed_experts")
)
ALL_SECONDS = batching.read_seconds(V3.weight_bytes("fp8"), RACK.hbm_bandwidth)
WOKEN_SECONDS = batching.read_seconds(WOKEN, RACK.hbm_bandwidth)
CHEAPEST = batching.cheapest_seconds(0, **SERVED.token_arguments())
CHEAPEST_CONTEXT = batching.cheapest_seconds(DAY.mean_context, **SERVED.token_arguments())
DENSE = batching.batching_penalty(
    batching.read_seconds(LONE.weight_bytes, LONE.bandwidth), batching.cheapest_seconds(0, **LONE.token_arguments())
)
LAID_OUT = batching.batching_penalty(
    decode(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 1.0, 0.0).bound_seconds, CHEAPEST
)

RUNS = sorted(
    (
        row
        for row in clean_measurements()
        if (row.model, row.system, row.precision, row.chips) == ("deepseek-v3", "gb200-nvl72", "fp8", 8)
        and row.input_tokens == row.output_tokens == 1024
    ),
    key=lambda row: row.in_flight,
)
CHIP_SECONDS = [row.chips * row.token_seconds / row.in_flight for row in RUNS]


def a33() -> Found:
    return batching.context_for_utilisation(0.5, 100e3, np.array([0, 0.2, 0.5]))


def a34() -> Found:
    return [r.dollars_per_chip_hour for r in catalog.rents().values() if not r.chip.id.startswith(("tpu", "trainium"))]


def a34_reserved() -> Found:
    return catalog.in_force(catalog.Rent, "rents")["h100-reserved"].dollars_per_chip_hour


def a34_demand() -> Found:
    return catalog.rent("hgx-h100").dollars_per_chip_hour


def a34_rack() -> Found:
    return catalog.rent("gb200-nvl72").dollars_per_chip_hour


def a35() -> Found:
    return [
        batching.batching_penalty(alone, together)
        for alone in (ALL_SECONDS, WOKEN_SECONDS)
        for together in (CHEAPEST, CHEAPEST_CONTEXT)
    ] + [LAID_OUT, DENSE, CHIP_SECONDS[0] / CHIP_SECONDS[-1]]


def a35_all() -> Found:
    return batching.batching_penalty(ALL_SECONDS, CHEAPEST)


def a35_cache() -> Found:
    return batching.batching_penalty(ALL_SECONDS, CHEAPEST_CONTEXT)


def a35_woken() -> Found:
    return batching.batching_penalty(WOKEN_SECONDS, CHEAPEST)


def a35_woken_cache() -> Found:
    return batching.batching_penalty(WOKEN_SECONDS, CHEAPEST_CONTEXT)


def a35_copied() -> Found:
    return LAID_OUT


def a35_dense() -> Found:
    return DENSE


def a35_measured() -> Found:
    return CHIP_SECONDS[0] / CHIP_SECONDS[-1]


def a35_company() -> Found:
    return RUNS[-1].in_flight
