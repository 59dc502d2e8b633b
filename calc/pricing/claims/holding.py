"""Claims of lecture 6 about kept prompts: prices of a cache, and the memory that it lies in."""

from __future__ import annotations

import numpy as np

from calc import catalog, pricing
from calc.ledger.calls import Found
from calc.pricing import prompt_cache

OPUS = catalog.price("claude-opus-4.6")
FLASH = catalog.tier("nvme-gen5-4tb")
RENTED = np.array(
    [
        prompt_cache.memory_dollars_per_byte_hour(rent.dollars_per_chip_hour, rent.chip.hbm_bytes)
        for rent in catalog.rents().values()
    ]
)
OVER_RENTS = np.array(
    [
        [
            prompt_cache.holding_dollars_per_byte_hour((write - OPUS.input) * 1e-6, kept, hold) / RENTED
            for write, hold in ((OPUS.known("cache_write_5m"), 300), (OPUS.known("cache_write_1h"), 3600))
        ]
        for kept in (2048, 70e3)
    ]
)
SAID_SECONDS = {"HBM": (0.02, 0.02), "DRAM": (1, 10), "flash": (60, 60), "disk": (3600, 3600)}


def e12() -> Found:
    return pricing.price_ratio(OPUS.input, OPUS.known("cached_input"))


def e12_by_summary_001() -> Found:
    return 10


def e12_by_summary_004() -> Found:
    return 10 * OPUS.input / OPUS.known("cache_write_5m")


def e12_short() -> Found:
    return OPUS.known("cache_write_5m") / OPUS.known("cached_input")


def e12_long() -> Found:
    return OPUS.known("cache_write_1h") / OPUS.known("cached_input")


def e13() -> Found:
    return [OPUS.input, OPUS.cache_write_5m, OPUS.cache_write_1h, OPUS.cached_input] == [5, 6.25, 10, 0.5]


def e14_disk() -> Found:
    return catalog.tier("hdd-24tb").drain_seconds


def e15() -> Found:
    return [t.drain_seconds / np.clip(t.drain_seconds, *SAID_SECONDS[t.medium]) for t in catalog.tiers().values()]


def e15_hbm() -> Found:
    return catalog.tier("hbm3e-gb200").drain_seconds


def e15_dram() -> Found:
    return catalog.tier("ddr5-1.5tb").drain_seconds


def e15_small() -> Found:
    return FLASH.drain_seconds


def e15_large() -> Found:
    return catalog.tier("qlc-123tb").drain_seconds


def e15_disk() -> Found:
    return catalog.tier("hdd-24tb").drain_seconds


def e17() -> Found:
    return np.isclose(
        np.array(
            [
                prompt_cache.holding_cost(h * FLASH.drain_seconds, FLASH.capacity_bytes, FLASH.read_bandwidth, 1)
                / prompt_cache.holding_cost(FLASH.drain_seconds, FLASH.capacity_bytes, FLASH.read_bandwidth, 1)
                for h in (0.5, 1, 2)
            ]
        ),
        [1, 1, 2],
    )


def e18() -> Found:
    return OVER_RENTS


def e18_two() -> Found:
    return OVER_RENTS[0]


def e18_hour() -> Found:
    return np.sum((OVER_RENTS[1, 1] >= 0.33) & (OVER_RENTS[1, 1] <= 3))


def e18_five() -> Found:
    return np.sum((OVER_RENTS[1, 0] >= 0.33) & (OVER_RENTS[1, 0] <= 3))


def e18_middle() -> Found:
    return np.median(OVER_RENTS[1, 1])


def e18_all() -> Found:
    return len(catalog.rents())


def e18_small() -> Found:
    haiku = catalog.price("claude-haiku-5.5")
    held = prompt_cache.holding_dollars_per_byte_hour((haiku.known("cache_write_1h") - haiku.input) * 1e-6, 2048, 3600)
    return np.sum((held / RENTED >= 0.33) & (held / RENTED <= 3))


def e29() -> Found:
    return prompt_cache.saving_factor(
        np.array([1, 9, 99, 1e6]), OPUS.input, OPUS.known("cache_write_5m"), OPUS.known("cached_input")
    )
