"""Batch mode and fast mode: the same chips at the same rent, with more sequences sharing a step, or with fewer.

Batch mode promises no speed, so that every step is shared by as many sequences as the memory holds. Fast mode promises
a multiple of the ordinary speed, so that a step may last only so long, and few share it. Both costs are forecasts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Array
from calc.serving.sheet import Sheet
from calc.step import most_sequences
from calc.step.forecasting import forecast

FASTER = 1.2
"""Speed of the fast mode, as a multiple of the ordinary one."""

TRIED = 64  # batches from one sequence a group to the ordinary batch


@dataclass(frozen=True)
class Mode:
    """Sequences that share a step, its seconds, and dollars of a token; without end where the mode cannot be had."""

    batch: float
    seconds: float
    dollars: float


NONE = Mode(math.inf, math.inf, math.inf)


def modes(found: Sheet) -> tuple[Mode, Mode]:
    """Batch mode and fast mode of a sheet.

    >>> from calc.serving.sheet import Request, sheet
    >>> from calc.setting import Setting
    >>> rack = sheet(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5), 2048, 4.54)
    >>> slow, fast = modes(rack)
    >>> fast.batch < 2048 < slow.batch, bool(slow.dollars < rack.forecast.output < fast.dollars)
    (True, True)
    """
    setting, held = found.writing.setting, found.request.held
    most, ordinary = float(most_sequences(setting, held)), float(found.writing.requests[0].batch)
    groups = float(setting.layout.data)
    if most < max(1.0, groups):
        return NONE, NONE
    sizes: Array = np.unique(np.round(np.geomspace(min(groups, ordinary), min(ordinary, most), TRIED)))
    seconds = np.asarray(forecast(setting, np.append(sizes, most), held, fit=found.expected.fit).seconds)
    rent = found.dollars_per_chip_second * setting.layout.chips
    quick = np.flatnonzero(seconds[:-1] <= found.expected.seconds / FASTER)
    fast = int(quick[-1]) if quick.size else None
    kept = [(most, seconds[-1])] + ([] if fast is None else [(sizes[fast], seconds[fast])])
    had = [Mode(float(batch), float(step), float(rent * step / batch)) for batch, step in kept]
    return had[0], had[1] if fast is not None else NONE
