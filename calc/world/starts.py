"""Memory that engines print when they start, beside what the course counts for the same layout and formats.

Weights and caches are counted as everywhere in the course, for one GPU; the machine does not matter to either. Engines
print GiB. Nothing is fitted.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property

from calc.catalog.starts import EngineStart, engine_starts
from calc.quantities.arithmetic import MILLION
from calc.setting import Layout, Setting
from calc.world.settings import precisions_of

GIB = 2**30
ANY = "gb200-nvl72"  # has room for every layout of the table


@dataclass(frozen=True)
class Started:
    """A start beside what is counted for it."""

    row: EngineStart

    @cached_property
    def setting(self) -> Setting:
        """The model as it was stored and laid out; experts over all GPUs of a stage."""
        row = self.row
        formats = replace(precisions_of(row.model, row.weights), cache=row.cache)
        layout = Layout(tensor=row.tensor, data=row.groups, pipeline=row.stages, context=row.context)
        return Setting.published(row.model, ANY, formats, layout=layout)

    @property
    def weights_gib(self) -> float:
        """Weights of a GPU, counted."""
        return float(self.setting.chip_weight_bytes) / GIB

    @property
    def token_bytes(self) -> float:
        """Bytes that a GPU keeps for one more token of a long context, counted."""
        kept = self.setting.chip_kept_bytes
        return float(kept(1, 2 * MILLION) - kept(1, MILLION)) / MILLION

    @property
    def weights_over(self) -> float:
        """Weights that the engine printed, over those counted."""
        assert self.row.weights_gib is not None
        return self.row.weights_gib / self.weights_gib

    @property
    def token_over(self) -> float:
        """Cache of a token by what the engine printed, over that counted."""
        return self.room_gib * GIB / self.room_tokens / self.token_bytes

    @property
    def room_gib(self) -> float:
        """Room for caches on a GPU, of a start that printed it."""
        assert self.row.cache_gib is not None
        return self.row.cache_gib

    @property
    def room_tokens(self) -> float:
        """Tokens that it is for, of a start that printed them."""
        assert self.row.tokens is not None
        return self.row.tokens


@cache
def started() -> tuple[Started, ...]:
    """Every start that can be compared with a plain count, in the order of the table."""
    return tuple(Started(row) for row in engine_starts() if not row.set_aside)


def with_weights(rows: Iterable[Started]) -> list[Started]:
    """Those that say what the weights took; what one source printed alike for one layout counts once."""
    said = [each for each in rows if each.row.weights_gib is not None]
    return list({(each.row.source, each.weights_gib, each.row.weights_gib): each for each in said}.values())


def with_cache(rows: Iterable[Started]) -> list[Started]:
    """Those that say how many tokens so much room is for."""
    return [each for each in rows if each.row.cache_gib is not None and each.row.tokens is not None]
