"""Exchanges of experts that NVIDIA timed on a GB200 rack, by the chips that take part and the tokens of each.

`exchanges.toml` is the table of the source `trtllm-one-sided` (Apache-2.0): tokens of 7,168 numbers in two bytes both
ways, to eight experts of 256 that a router spreads evenly. A figure reads it in the page, so it is a table like the
others, and lies apart from the measurements that no page carries.

The edition of the source's commit says BF16 both ways, and times a dispatch in formats apart: there the 311.8 µs of
eight chips with 2,048 tokens each are those of BF16, and MXFP8 takes 172.2 µs. Another edition of the same post has the
same times, calls the dispatch FP8 and counts half its bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.tables import rows
from calc.quantities.arithmetic import MICRO

EXCHANGES_SOURCE = "trtllm-one-sided"


@dataclass(frozen=True, kw_only=True, slots=True)
class ExchangeTime:
    """One exchange: chips, tokens of each, and how long the way out and the way back took, as printed."""

    chips: int
    tokens: int
    dispatch_microseconds: float
    combine_microseconds: float

    @property
    def dispatch_seconds(self) -> float:
        """To the experts."""
        return self.dispatch_microseconds * MICRO

    @property
    def combine_seconds(self) -> float:
        """Back from them."""
        return self.combine_microseconds * MICRO

    @property
    def seconds(self) -> float:
        """There and back."""
        return self.dispatch_seconds + self.combine_seconds


@cache
def rack_exchanges() -> tuple[ExchangeTime, ...]:
    """Every exchange, in the order of the file.

    >>> first = rack_exchanges()[0]
    >>> first.chips, first.tokens, round(first.seconds * 1e6, 1)
    (8, 1, 49.9)
    """
    return tuple(ExchangeTime(**row) for row in rows("exchanges"))
