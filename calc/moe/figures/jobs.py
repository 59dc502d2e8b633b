"""A request's two jobs on chips of their own: its prompt is read in one pass, its answer written in steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from calc.setting import Setting
from calc.step import Step, decode, prefill, why_not


class Jobs(NamedTuple):
    """The pass and a step, the prompt's tokens that a cache holds, the groups and chips of either, and missing room."""

    reading: Step
    writing: Step
    held: float
    groups: float
    chips: float
    crowded: str


def jobs(where: Setting, batch: float, prompt: float, answer: float, cached: float) -> Jobs:
    """One prompt in each group of chips, of which a percentage is cached, and a batch of answers, half written.

    >>> from calc.batching.figures.setting import laid_out
    >>> found = jobs(laid_out("deepseek-v3", "gb200-nvl72", "fp8", "usual"), 2048, 4096, 1000, 50)
    >>> found.held, bool(found.reading.in_turn_seconds > found.writing.in_turn_seconds)
    (2048.0, True)
    """
    held = float(np.round(cached / 100 * prompt))
    groups, chips = float(np.max(where.layout.data)), float(np.max(where.layout.chips))
    reading = prefill(where, groups, prompt - held, cached=held)
    writing = decode(where, batch, prompt + answer / 2)
    return Jobs(reading, writing, held, groups, chips, why_not(writing) or why_not(reading))
