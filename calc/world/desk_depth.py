"""One user on a desk with a longer and longer context: the time that it adds, beside the time to read its cache."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc import batching, catalog
from calc.catalog.desk import DeskDepth, desk_depths
from calc.world.desk import sweep, user_cache_bytes

WRITTEN = 32


@dataclass(frozen=True)
class Deeper:
    """A context beside none: what it adds to a step, as timed and by its bytes."""

    row: DeskDepth
    without: DeskDepth

    @property
    def added(self) -> float:
        """Seconds that the context adds to a step."""
        return 1 / self.row.rate - 1 / self.without.rate

    @property
    def reading(self) -> float:
        """Seconds to read what it adds to the cache, at the published rate."""
        more = user_cache_bytes(self.row.file, self.row.depth + WRITTEN / 2) - user_cache_bytes(
            self.row.file, WRITTEN / 2
        )
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
    return [each for each in deeper() if not each.row.file.latent]


def doublings() -> list[float]:
    """Time that a context adds over that of half the context, wherever both were timed; latents left out.

    >>> len(doublings()), round(min(doublings()), 2)
    (24, 1.47)
    """
    added = {(each.row.machine, each.row.model, each.row.depth): each.added for each in of_heads()}
    return [
        more / added[machine, model, depth // 2]
        for (machine, model, depth), more in added.items()
        if (machine, model, depth // 2) in added
    ]


def weights_over(machine: str, model: str) -> float:
    """A dense model's step without context, over the time to read its weights.

    >>> round(weights_over("dgx-spark", "qwen2.5-coder-7b"), 2)
    1.24
    """
    (row,) = [row for row in desk_depths() if (row.machine, row.model, row.depth) == (machine, model, 0)]
    (step,) = [each for each in sweep(machine, model) if each.row.batch == 1]
    return 1 / row.rate / float(batching.read_seconds(step.shared_bytes, step.bandwidth))
