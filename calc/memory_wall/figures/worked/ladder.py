"""From the users that the bound allows to those that are expected: four steps, each with what the last left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.shared import LONG, PACE, RACK
from calc.quantities.check import Quantity
from calc.setting import Scenario, Setting
from calc.step import decode, forecast_of

PROMISED = 1 / PACE


def ladder() -> Answer:
    """The time that a promised step leaves for users, the time that each takes, and so how many there are."""
    bound = Scenario.named("deepseek-v3", RACK, "fp8")
    rack = Setting.published("deepseek-v3", RACK, "fp8")
    many: NDArray[np.float64] = np.arange(rack.machine.domain_chips, 4000.0, rack.machine.domain_chips)
    step = decode(rack, many, LONG)
    expected = forecast_of(step)
    kernels, weights = float(np.max(expected.kernel_seconds)), float(np.max(step.weights_seconds))
    each = LONG * bound.kv_bytes_per_token / bound.bandwidth
    first, left = (PROMISED - seconds for seconds in (bound.weight_bytes / bound.bandwidth, weights + kernels))
    left_at_rates = PROMISED - weights / expected.fit.memory_share - kernels
    in_turn, at_rates = (_in_time(seconds, many) for seconds in (step.serial_seconds + kernels, expected.seconds))
    return Answer(
        finding="Users of one rack, from the bound to the forecast",
        values={
            "first": Value(first, "s", "Left by the weights, each on one chip"),
            "each": Value(each, "s", "Reading the cache of a user"),
            "left": Value(left, "s", "Left by kernels and weights, attention copied"),
            "read": Value(left / each, "", "Users whose caches are read in it"),
            "each_in_turn": Value(left / in_turn, "s", "A user, if nothing overlaps"),
            "in_turn": Value(in_turn, "", "Users if nothing overlaps", 2),
            "left_at_rates": Value(left_at_rates, "s", "Left if memory is as fast as measured runs had it"),
            "each_at_rates": Value(left_at_rates / at_rates, "s", "A user at the rates of measured runs"),
            "expected": Value(at_rates, "", "Users at those rates", 2),
        },
    )


def _in_time(steps: Quantity, many: NDArray[np.float64]) -> float:
    """Users whose step lasts as long as was promised."""
    return float(np.interp(PROMISED, steps, many))


FIGURES = (Figure(name="memory_wall/ladder", compute=ladder),)
