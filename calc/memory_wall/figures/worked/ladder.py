"""From the users that the bound allows to those that are expected: four steps, each with what the last left out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.shared import LONG, PACE, RACK, SLOW, indexed_token_bytes
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.setting import Scenario, Setting
from calc.step import decode, forecast_of, most_sequences

PROMISED = 1 / PACE


def ladder() -> Answer:
    """The time that a promised step leaves for users, the time that each takes, and so how many there are."""
    bound = Scenario.named("deepseek-v3", RACK, "fp8")
    rack, many = _whole_rounds("deepseek-v3")
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


def expected() -> Answer:
    """Users that are expected at other promises, with an index and without, and the steps at which that turns."""
    rack, many = _whole_rounds("deepseek-v3")
    chosen, more = _whole_rounds("deepseek-v3.2")
    room = most_sequences(rack, LONG)
    seconds = {
        name: float(forecast_of(decode(rack, users, context)).seconds)
        for name, users, context in (
            ("alone", 1.0, LONG),
            ("room_step", room, LONG),
        )
    }
    slow = _in_time(forecast_of(decode(rack, many, LONG)).seconds, many, 1 / SLOW)
    few: NDArray[np.float64] = np.arange(1.0, 1.0 + rack.machine.domain_chips)
    millions = forecast_of(decode(rack, few, MILLION)).seconds
    indexed = _in_time(forecast_of(decode(chosen, more, LONG)).seconds, more)
    return Answer(
        finding="Users of one rack, as they are expected",
        values={
            "slow": Value(slow, "", "Users at the slow promise", 2),
            "indexed": Value(indexed, "", "Users at the usual promise, with an index", 2),
            "indexed_room": Value(_room_with_scales(chosen), "", "Users that have room beside copies, then"),
            "room": Value(room, "", "Users that have room beside copies of attention"),
            "room_step": Value(seconds["room_step"], "s", "A step of so many"),
            "alone": Value(seconds["alone"], "s", "A step of a lone user"),
            "million": Value(_in_time(millions, few), "", "Users of a million tokens, each on a chip of its own", 2),
        },
    )


def _whole_rounds(model: str) -> tuple[Setting, NDArray[np.float64]]:
    """A model on the rack, and numbers of users that leave as many on every chip."""
    rack = Setting.published(model, RACK, "fp8")
    return rack, np.arange(rack.machine.domain_chips, 4000.0, rack.machine.domain_chips)


def _room_with_scales(rack: Setting) -> float:
    """Users that have room beside copies of attention, with index and scales as they are stored."""
    room = rack.machine.hbm_bytes - float(np.max(rack.chip_weight_bytes))
    return float(rack.machine.domain_chips * np.floor(room / (LONG * indexed_token_bytes())))


def _in_time(steps: Quantity, many: NDArray[np.float64], promised: float = PROMISED) -> float:
    """Users whose step lasts as long as was promised."""
    return float(np.interp(promised, steps, many))


FIGURES = (
    Figure(name="memory_wall/ladder", compute=ladder),
    Figure(name="memory_wall/expected", compute=expected),
)
