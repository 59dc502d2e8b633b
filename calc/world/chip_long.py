"""Served runs with long contexts on the second chip, and how fast their engine's attention must have read the cache.

A served token waits for its step and for the prompts that are read in between. All of it but attention over the
cache was timed as kernels. So a run's time leaves for attention what is neither product, nor rest, nor prompt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from calc.catalog.chip_times import TIMED_CHIPS
from calc.step import decode
from calc.world.against import Point, points
from calc.world.chip_steps import SYSTEMS, ChipStep, chip_steps, flat_seconds

CHIP = TIMED_CHIPS[1]
FORM = "fp8"
LEAST = 0.4
"""Runs are long where reading the cache at the published bandwidth is this share of it and of all other kernels."""


@dataclass(frozen=True)
class LongRun:
    """A served run, and seconds of its kernels but those of attention over the cache."""

    point: Point
    other_seconds: float
    reading: float

    @property
    def memory_share(self) -> float:
        """Share of the published bandwidth that attention reached, if nothing else took time."""
        return self.reading / (self.point.row.token_seconds - self.other_seconds)


@cache
def long_runs() -> tuple[LongRun, ...]:
    """Every clean served run of the model in eight bits on one such chip, within the timed batches, that is long.

    >>> found = long_runs()
    >>> len(found), all(0.5 < each.memory_share < 0.9 for each in found)
    (9, True)
    """
    steps = [each for each in chip_steps("step", CHIP) if each.whole.format == FORM]
    passes = [each for each in chip_steps("pass", CHIP) if each.whole.format == FORM]
    model, most = steps[0].whole.model, max(each.whole.tokens for each in steps)
    asked = [
        each
        for each in points()
        if (each.row.model, each.row.system, each.row.chips, each.row.precision) == (model, SYSTEMS[CHIP], 1, FORM)
        and each.row.in_flight <= most
    ]
    found = (_run(each, steps, passes) for each in asked)
    return tuple(each for each in found if each.reading >= LEAST * (each.reading + each.other_seconds))


def _run(point: Point, steps: list[ChipStep], passes: list[ChipStep]) -> LongRun:
    row = point.row
    least = min(each.whole.context for each in steps)
    flat = [each for each in steps if each.whole.context == least]
    other = flat_seconds(row.in_flight, flat)
    lengths = [each.whole.tokens for each in passes]
    prompt = float(np.interp(row.mean_input, lengths, [each.whole.seconds for each in passes]))
    counted = decode(flat[0].counted.setting, row.in_flight, row.context)
    return LongRun(point, other + row.in_flight / row.mean_output * prompt, float(counted.cache_seconds))
