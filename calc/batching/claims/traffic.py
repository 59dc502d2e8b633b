"""Claims of lecture 1 about departures, and about how many tokens a system and a provider make."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching import departures
from calc.catalog.measurement import clean_measurements
from calc.ledger.calls import Found
from calc.setting import Setting
from calc.step import decode

V3 = catalog.model("deepseek-v3")
RACK = catalog.system("gb200-nvl72")
FEW = np.array([1, 240, 1200])
V3_STEPS = [decode(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), FEW, context) for context in (0, 4096)]
IDLE_AT_ONCE, IDLE_LATER = (1 - step.compute_seconds / step.bound_seconds for step in V3_STEPS)
DRAINS = np.array([batching.read_seconds(c.hbm_bytes, c.hbm_bandwidth) for c in catalog.chips().values()])
ANSWER = 1000  # tokens of an answer
GOOGLE = catalog.history(catalog.Datum, "data", "google-tokens-per-month")
ALONE = min(
    (
        row
        for row in clean_measurements()
        if (row.model, row.system, row.precision, row.chips) == ("deepseek-v3", "gb200-nvl72", "fp8", 8)
    ),
    key=lambda row: row.in_flight,
)
GUESSED = 1 + catalog.datum("deepseek-v3-mtp-accepted").value  # tokens of a step


def a19() -> Found:
    return [batching.tokens_per_second(2000, 0.02) * 0.02 / 2000, GUESSED]


def a19_more() -> Found:
    return GUESSED


def a19_mtp() -> Found:
    return catalog.datum("deepseek-v3-mtp-speed").value


def a22() -> Found:
    return np.concatenate([IDLE_AT_ONCE, IDLE_LATER])


def a22_at_once() -> Found:
    return IDLE_AT_ONCE


def a22_later() -> Found:
    return IDLE_LATER


def a22_simple() -> Found:
    ratio = batching.hardware_ratio(RACK.chip.flops("fp8"), RACK.chip.hbm_bandwidth, 1)
    return 1 - FEW / batching.balanced_batch(ratio, V3.sparsity)


def a23() -> Found:
    return departures.worst_wait(0.02)


def a24() -> Found:
    return [
        np.max(departures.board(np.arange(1, 2001) / (tokens / ANSWER), 0.02, 2000).departs)
        for tokens in (GOOGLE[-1].value / 2629800, catalog.datum("google-api-tokens-per-minute").value / 60)
    ]


def a24_otherwise() -> Found:
    return np.max(departures.board(np.arange(1, 2001) / (128e3 / ANSWER), 0.02, 2000).departs)


def a25() -> Found:
    return DRAINS


def a25_middle() -> Found:
    return np.median(DRAINS)


def a25_least() -> Found:
    return DRAINS.min()


def a25_most() -> Found:
    return DRAINS.max()


def a25_off() -> Found:
    return DRAINS.max() / 20e-3


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
        ALONE.token_seconds,
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


def a31_after() -> Found:
    return GOOGLE[-1].value / 2629800


def a31_api() -> Found:
    return catalog.datum("google-api-tokens-per-minute").value / 60


def a32() -> Found:
    return [row.value / 2629800 / 1000 / 128e3 for row in GOOGLE if row.since.year > 2024]


def a32_first() -> Found:
    return GOOGLE[1].value / 2629800 / 1000 / 128e3


def a32_first_cost() -> Found:
    return departures.empty_seat_factor(GOOGLE[1].value / 2629800 / 1000, 128e3)


def a32_last() -> Found:
    return catalog.datum("google-tokens-per-month").value / 2629800 / 1000 / 128e3


def a32_last_cost() -> Found:
    return departures.empty_seat_factor(catalog.datum("google-tokens-per-month").value / 2629800 / 1000, 128e3)


def a43() -> Found:
    return [departures.mean_wait(0.02), departures.worst_wait(0.02)]
