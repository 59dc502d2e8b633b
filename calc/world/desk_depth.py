"""One user on a desk with a longer and longer context: the time that it adds, beside the time to read its cache."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc import batching, catalog
from calc.catalog.desk import DeskDepth, DeskModel, desk_depths, desk_models
from calc.world.desk import MACHINES, user_cache_bytes

WRITTEN = 32
CHIP_MODEL, CHIP = "llama-3-8b", "h100-sxm"
"""A model timed on an H800, whose memory is that of an H100."""
ENGINES = ("vllm", "lmdeploy")
TIMED = {"short": 1024, "long": 200 * 1024}
"""Tokens of the prompts in that issue."""


@dataclass(frozen=True)
class Deeper:
    """A context beside none: what it adds to a step, as timed and by its bytes."""

    row: DeskDepth
    without: DeskDepth

    @property
    def model(self) -> DeskModel:
        """The file that was read."""
        return desk_models()[self.row.model]

    @property
    def machine(self) -> str:
        """The machine, as people call it."""
        return MACHINES[self.row.machine]

    @property
    def added(self) -> float:
        """Seconds that the context adds to a step."""
        return 1 / self.row.rate - 1 / self.without.rate

    @property
    def reading(self) -> float:
        """Seconds to read what it adds to the cache, at the published rate."""
        more = user_cache_bytes(self.model, self.row.depth + WRITTEN / 2) - user_cache_bytes(self.model, WRITTEN / 2)
        return float(batching.read_seconds(more, catalog.datum(f"{self.row.machine}-bandwidth").value))

    @property
    def over_reading(self) -> float:
        """As timed, over that."""
        return self.added / self.reading


@cache
def deeper() -> tuple[Deeper, ...]:
    """Every context but none.

    >>> len(deeper()), len(of_heads())
    (36, 32)
    """
    without = {(row.machine, row.model): row for row in desk_depths() if not row.depth}
    return tuple(Deeper(row, without[row.machine, row.model]) for row in desk_depths() if row.depth)


def of_heads() -> list[Deeper]:
    """Those of models that keep keys and values for heads."""
    return [each for each in deeper() if not each.model.latent]


def on_chip(engine: str) -> float:
    """The same for two lengths of prompt that a user timed on a chip: added time over reading.

    >>> [round(on_chip(engine), 1) for engine in ENGINES]
    [2.7, 7.0]
    """
    model = catalog.model(CHIP_MODEL)
    more = (TIMED["long"] - TIMED["short"]) * model.kv_bytes_per_token("bf16")
    seconds = {name: catalog.datum(f"long-prompt-{engine}-{name}").value for name in TIMED}
    reading = batching.read_seconds(more, catalog.chip(CHIP).hbm_bandwidth)
    return (seconds["long"] - seconds["short"]) / float(reading)
