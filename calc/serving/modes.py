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
from calc.serving.sheet import Sheet, sheet
from calc.step import Forecast, most_sequences
from calc.step.forecasting import forecast

FASTER = 1.2
"""Speed of the fast mode, as a multiple of the ordinary one, at the least."""

TRIED = 256  # batches from one sequence to the largest, between two of which every one is tried


@dataclass(frozen=True)
class Mode:
    """Sequences that share a step, its seconds, and dollars of a token; without end where the mode cannot be had.

    Where a speed is asked, `place` is that of the batch among the last that were tried; the next one takes too long, or
    has no room.
    """

    batch: float
    seconds: float
    dollars: float
    place: int = 0


NONE = Mode(math.inf, math.inf, math.inf)


@dataclass(frozen=True)
class Modes:
    """Batch mode, fast mode, the largest batch that keeps a promised speed, and one sequence alone.

    `tried` are the batches among which the two that a speed ends were found, and `expected` their forecasts.
    """

    slow: Mode
    fast: Mode
    promised: Mode
    alone: Mode
    tried: Array
    expected: Forecast


def modes(found: Sheet, user_tokens_per_second: float = 0.0) -> Modes:
    """The modes of a sheet, where users are promised a speed; without a promise every batch keeps it.

    >>> from calc.serving.request import Request
    >>> from calc.serving.sheet import sheet
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> had = modes(rack, user_tokens_per_second=50)
    >>> had.fast.batch < 2048 < had.promised.batch < had.slow.batch
    True
    >>> bool(had.slow.dollars < had.promised.dollars < rack.forecast.output < had.fast.dollars)
    True
    """
    setting, held = found.writing.setting, found.request.held
    most, groups = float(most_sequences(setting, held)), float(setting.layout.data)
    if most < max(1.0, groups):
        return Modes(NONE, NONE, NONE, NONE, np.empty(0), found.expected)

    def expected(batches: Array) -> Forecast:
        return forecast(setting, batches, held, fit=found.expected.fit)

    every: Array = np.unique(np.append(np.round(np.geomspace(1.0, most, TRIED)), most))
    seconds = np.atleast_1d(expected(every).seconds)
    limits = float(found.expected.seconds) / FASTER, 1 / user_tokens_per_second if user_tokens_per_second else math.inf
    finer = [_from_last(every, seconds <= limit, groups) for limit in limits]
    tried: Array = np.append(most, np.concatenate(finer))
    likely = expected(tried)
    lasting = np.atleast_1d(likely.seconds)
    rent = found.dollars_per_chip_second * setting.layout.chips

    def mode(batch: float, lasts: float, place: int = 0) -> Mode:
        return Mode(float(batch), float(lasts), float(rent * lasts / batch), place)

    def largest(limit: float, start: int, size: int) -> Mode:
        if not size:
            return NONE
        kept = (lasting <= limit) & (tried <= most)
        place = start + max(1, int(np.argmin(kept[start : start + size]))) - 1
        return mode(tried[place], lasting[place], place)

    sizes = [each.size for each in finer]
    return Modes(
        slow=mode(most, seconds[-1]),
        fast=largest(limits[0], 1, sizes[0]),
        promised=largest(limits[1], 1 + sizes[0], sizes[1]),
        alone=mode(every[0], seconds[0]),
        tried=tried,
        expected=likely,
    )


def always_full(found: Sheet, kept: Mode) -> float:
    """Chips that write a sheet's traffic if all their steps are shared by as many as a mode allows.

    >>> from calc.serving.request import Request
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> round(always_full(rack, modes(rack, user_tokens_per_second=50).promised), 1)
    37.8
    """
    each = found.writing.setting.layout.chips / kept.batch  # chips for a sequence in flight
    return float(found.traffic * found.request.output_tokens * kept.seconds * each)


def readers(found: Sheet, kept: Mode) -> float:
    """Chips that read, at measured rates, for one that writes with the batch of a mode.

    >>> from calc.serving.request import Request
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> round(readers(rack, modes(rack, user_tokens_per_second=50).promised), 2)
    0.42
    """
    return float(sheet(found.writing.setting, found.request, kept.batch, 1.0).expected_reading_chips)


def _from_last(every: Array, kept: NDArray[np.bool_], groups: float) -> Array:
    """Batches from the last that is kept to beyond the next, in whole sequences of a group if it has one each."""
    if not kept.any():
        return every[:0]
    at = np.flatnonzero(kept)[-1]
    low, high = every[at], every[at : at + 2][-1]
    more = groups if low >= groups else 1.0
    found: Array = more * np.arange(low // more, high // more + 2)
    return found
