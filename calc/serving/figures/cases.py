"""The two cases of lecture 8's text: a model on a machine, with a request, a batch and a rent."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

from calc import catalog
from calc.quantities.check import Quantity
from calc.serving.request import Request
from calc.serving.room import mean_at_random, room_at_random
from calc.serving.sheet import Sheet, sheet
from calc.serving.usual import usual
from calc.setting import Setting
from calc.step.forecasting import forecast

INPUT = 4096.0
REQUEST = Request(INPUT, 1000, 0.5)
CASES = {"rack": ("deepseek-v3", "gb200-nvl72", 2048), "node": ("llama-3-70b", "hgx-h100", 64)}
PRECISION = "fp8"
PEAK = "servegen-peak-high"  # of requests, in the catalogue
TRACES = {"code": "azure-code", "talk": "azure-conversation", "kimi": "mooncake"}  # in the catalogue
MAKER = "DeepSeek"  # of the first case's model


@cache
def case(name: str, **changes: Any) -> Sheet:
    """One of the two cases, or the same with another request or batch."""
    model, system, batch = CASES[name]
    setting, rent = usual(Setting.published(model, system, PRECISION)), catalog.rent(system).dollars_per_chip_hour
    return sheet(setting, replace(REQUEST, **changes), batch, rent)


def room_at_peak(found: Sheet, speed: float) -> float:
    """Room for what is in flight at a peak, if users get such a speed, and for chance."""
    return float(room_at_random(catalog.datum(PEAK).value * found.in_flight(speed)))


def peak_at_most(room: Quantity, mean: Quantity) -> float:
    """How many times the mean may be in flight in a room, with three square roots of that kept free for chance.

    >>> peak_at_most(130, 50)
    2.0
    """
    return float(mean_at_random(room) / mean)


def fixed_seconds(found: Sheet) -> float:
    """Expected seconds of a sheet's step for weights and kernels, which no number of sequences changes."""
    step, expected = found.writing, found.expected
    return float((step.memory_seconds - step.cache_seconds) / expected.fit.memory_share + expected.kernel_seconds)


def enough(found: Sheet, speed: float, room: float) -> float:
    """How many times its forecast a step may last, with so many in flight on one machine, to keep a promised speed."""
    setting = found.writing.setting
    full = math.ceil(room / setting.layout.chips) * float(setting.layout.chips)  # the busiest chip decides
    return 1 / speed / float(forecast(setting, full, found.request.held, fit=found.expected.fit).seconds)
