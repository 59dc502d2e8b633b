"""Batch mode and fast mode: the same chips at the same rent, with more sequences sharing a step, or with fewer.

Batch mode promises no speed, so that every step is shared by as many sequences as the memory holds. Fast mode promises
a multiple of the ordinary speed, so that a step may last only so long, and few share it. A promised speed does the
same for itself. All costs are forecasts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Array
from calc.serving.sheet import Sheet
from calc.step import most_sequences
from calc.step.forecasting import forecast

FASTER = 1.2
"""Speed of the fast mode, as a multiple of the ordinary one."""

TRIED = 64  # batches from one sequence a group to the ordinary batch
PROMISED = 256  # batches from one sequence to the largest, between two of which every one is tried


@dataclass(frozen=True)
class Mode:
    """Sequences that share a step, its seconds, and dollars of a token; without end where the mode cannot be had."""

    batch: float
    seconds: float
    dollars: float


NONE = Mode(math.inf, math.inf, math.inf)


@dataclass(frozen=True)
class Modes:
    """Batch mode, fast mode, the largest batch that keeps a promised speed, and one sequence alone."""

    slow: Mode
    fast: Mode
    promised: Mode
    alone: Mode


def modes(found: Sheet, user_tokens_per_second: float = 0.0) -> Modes:
    """The modes of a sheet, where users are promised a speed; without a promise every batch keeps it.

    >>> from calc.serving.sheet import Request, sheet
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> had = modes(rack, user_tokens_per_second=50)
    >>> had.fast.batch < 2048 < had.promised.batch < had.slow.batch
    True
    >>> bool(had.slow.dollars < had.promised.dollars < rack.forecast.output < had.fast.dollars)
    True
    """
    setting, held = found.writing.setting, found.request.held
    most, ordinary = float(most_sequences(setting, held)), float(found.writing.requests[0].batch)
    groups = float(setting.layout.data)
    if most < max(1.0, groups):
        return Modes(NONE, NONE, NONE, NONE)
    lower = _between(min(groups, ordinary), min(ordinary, most), TRIED)
    every = np.concatenate([lower, _between(1.0, most, PROMISED)])

    def expected(batches: Array) -> Array:
        return np.asarray(forecast(setting, batches, held, fit=found.expected.fit).seconds)

    seconds = expected(every)
    rent = found.dollars_per_chip_second * setting.layout.chips

    def mode(batch: float, lasting: float) -> Mode:
        return Mode(float(batch), float(lasting), float(rent * lasting / batch))

    def largest(kept: NDArray[np.bool_]) -> Mode:
        if not kept.any():
            return NONE
        at = np.flatnonzero(kept)[np.argmax(every[kept])]
        return mode(every[at], seconds[at])

    def largest_promised() -> Mode:
        coarse = largest(~tried & (seconds * user_tokens_per_second <= 1))
        if not coarse.batch < most:
            return coarse
        step = groups if coarse.batch >= groups else 1.0  # from here on in whole sequences of a group
        places = np.arange(coarse.batch // step, every[every > coarse.batch].min() / step)
        finer = np.maximum(coarse.batch, step * places)
        lasting = expected(finer)
        last = np.flatnonzero(lasting * user_tokens_per_second <= 1).max(initial=0)
        return mode(finer[last], lasting[last])

    tried = np.arange(every.size) < lower.size
    return Modes(
        slow=largest(every == most),
        fast=largest(tried & (seconds <= found.expected.seconds / FASTER)),
        promised=largest_promised(),
        alone=largest(every == 1.0),
    )


def _between(low: float, high: float, many: int) -> Array:
    """Whole batches by equal ratios, both ends among them."""
    found: Array = np.unique(np.append(np.round(np.geomspace(low, high, many)), high))
    return found
