"""Where caches are kept, and what keeping them is worth."""

from __future__ import annotations

import math

from calc import batching, catalog
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.pricing import prompt_cache
from calc.pricing.figures.setting import GB
from calc.pricing.figures.shared import WRITTEN_OFF, dollars_per_gb, drains, memory_rents, nearest, premium
from calc.quantities.arithmetic import DAY, HOUR, MILLION, MINUTE, YEAR

ARRAY = {"nodes": 180, "drives": 16, "drive_tib": 14.0, "tib_per_second": 6.6}  # 3FS: its drives, and what was read
SMALL = "claude-haiku-5.5"  # on whose list a premium does not pay the dearest rent
LAYER = 2048.0  # bytes of cache that a token keeps in one layer of eight heads


def keeping_in_full() -> Answer:
    """Drain times by medium, and what premiums pay beside the rent of memory."""
    known = drains()
    by = {name: catalog.tier(name).medium for name in known}
    spans = {medium: [known[name] for name in known if by[name] == medium] for medium in dict.fromkeys(by.values())}
    opus, gb200 = catalog.price("claude-opus-5"), catalog.rent("gb200-nvl72")
    hour = prompt_cache.holding_dollars_per_byte_hour(premium(opus, "1 hour"), LAYER, HOUR)
    back, pays = (registry.find(f"pricing/{slug}").answer().values for slug in ("shelf", "holding"))
    disk = "hdd-24tb"
    disk_second = catalog.tier(disk).capacity_bytes / GB * dollars_per_gb(disk) / (WRITTEN_OFF * YEAR)
    fetched, computed = (
        back["disk"].number * disk_second,
        back["anew"].number * gb200.dollars_per_chip_hour / HOUR,
    )
    small, large = known[nearest(5 * MINUTE)], known["nvme-gen5-30tb"]
    drive = catalog.tier(nearest(5 * MINUTE))
    return Answer(
        finding="Where caches are kept",
        values={
            **{f"{medium.lower()}_low": Value(min(spans[medium]), "s", medium) for medium in ("HBM", "flash", "disk")},
            **{f"{medium.lower()}_high": Value(max(spans[medium]), "s", medium) for medium in ("HBM", "DRAM", "flash")},
            "disk_share": Value(fetched / computed, "%", "Fetching from a disk over computing anew, in dollars", 2),
            "disk_gigabyte": Value(dollars_per_gb(disk), "$", "A gigabyte of disk"),
            **{f"premium_{name}": pays[name] for name in ("five", "rent", "over_five", "over")},
            "premium_list": Value(memory_rents("")[1] * GB, "$/GB·h", "HBM's rent by the dearest list price"),
            "premium_small": registry.find("pricing/holding").answer(sheet=SMALL).values["over"],
            "renewed": Value(5 * MINUTE * pays["over_five"].number, "s", "Pays for"),
            "renewing": Value(
                math.floor(pays["over_five"].number)
                * opus.known("cached_input")
                / MILLION
                / premium(opus, "5 minutes"),
                "x",
                "Price of the hits that renew it so often, over the premium, at least",
                2,
            ),
            "meets": Value(LAYER * hour / memory_rents()[1], "B", "An hour pays the dearest rent up to"),
            "meets_list": Value(LAYER * hour / memory_rents("")[1], "B", "and the dearest list price"),
            "writes_small": Value(DAY / small, "", "Writings of a small flash drive in a day", 3),
            "writes_large": Value(DAY / large, "", "Writings of a large one", 3),
            "refill_small": Value(
                drive.capacity_bytes / drive.known("write_bandwidth"), "s", "Writing a small one whole"
            ),
            "array": Value(
                batching.read_seconds(ARRAY["nodes"] * ARRAY["drives"] * ARRAY["drive_tib"], ARRAY["tib_per_second"]),
                "s",
                "DeepSeek's array of flash drives, behind its network",
                2,
            ),
            "array_nodes": Value(ARRAY["nodes"], "", "Nodes of that array"),
            "flash_30": Value(large, "s", "NVMe gen 5, 30.72 TB"),
            "five": Value(small, "s", drive.name),
            "layer": Value(LAYER, "B", "Cache of a token", 4),
        },
    )


FIGURES = (
    Figure(
        name="pricing/keeping",
        compute=keeping_in_full,
        sources=("anthropic-pricing", "spheron", "micron-9550", "exos-x24", "deepseek-3fs"),
    ),
)
