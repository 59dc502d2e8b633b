"""Runs of DeepSeek-R1 with contexts of more than a hundred thousand tokens, on racks of GB200 and GB300.

`measurements/long-contexts.csv` has the five runs without drafts that NVIDIA and SGLang published on 19 February 2026
(MIT): tokens a second for each chip, those that read prompts included, and the range of a user's speed, which is all
that the text says of it. Chips, places and the share of memory come from the recipes (Apache-2.0). The run of most
throughput on GB200 has two recipes; the one whose chips are those of its name is taken. The recipes' script draws
lengths evenly from four fifths of the longest on.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import Drawn, read, text, written_at_once

LONG_CONTEXTS_SOURCE, RECIPES_SOURCE = "sglang-long-contexts", "srt-slurm-long-contexts"


@dataclass(frozen=True, kw_only=True, slots=True)
class LongContextRun(Drawn):
    """A run: chips that read prompts and that write, what was measured, and what the recipe allowed.

    At `most` so many users are written to at once; `memory_share` is the part of memory for weights and caches. A chip
    gave `chip_rate` tokens a second, and a user got from the `slowest` to the `fastest`, in tokens a second.
    """

    system: str
    aim: str
    reading: int
    writing: int
    most: int
    memory_share: float
    input_tokens: int
    output_tokens: int
    shortest: float
    chip_rate: float
    slowest: float
    fastest: float

    @property
    def rate(self) -> float:
        """Tokens a second of all chips together."""
        return self.chip_rate * (self.reading + self.writing)

    def users(self, speed: float) -> float:
        """Users that are written to at once, if each gets so many tokens a second: by Little's law."""
        return written_at_once(self.rate, 1 / speed)


@cache
def long_context_runs() -> tuple[LongContextRun, ...]:
    """Every run, in the order of the file.

    >>> first = long_context_runs()[0]
    >>> first.system, first.writing, first.context, round(first.users(60))
    ('gb200-nvl72', 32, 118800.0, 114)
    """
    return tuple(read(LongContextRun, text("long-contexts.csv")))
