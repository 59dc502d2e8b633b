"""A step for users of a million tokens, each on a chip of its own, and for those of a hundred million that fit."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import read_in_time
from calc.memory_wall.figures.setting import token_operations
from calc.memory_wall.figures.shared import FAR, RACK, awake, beside_reading, uneven_seconds
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario, Setting
from calc.step import decode, forecast_of


def millions() -> Answer:
    """The parts of a step: what users ask for, the weights, and what comes beside the work."""
    rack, bound = Setting.published("deepseek-v3", RACK, "fp8"), Scenario.named("deepseek-v3", RACK, "fp8")
    alone, every = (decode(rack, users, MILLION) for users in (1.0, rack.machine.domain_chips))
    found, fit = forecast_of(alone), forecast_of(alone).fit
    shared_weights, every_weights = (step.weights_seconds / fit.memory_share for step in (alone, every))
    asked = found.seconds - found.kernel_seconds - shared_weights
    busiest = uneven_seconds(bound) / fit.memory_share
    operations = token_operations(bound.model, MILLION)
    read = MILLION * bound.kv_bytes_per_token / bound.chip.hbm_bandwidth
    users = read_in_time(bound, FAR)
    far = users * FAR * bound.kv_bytes_per_token / bound.bandwidth
    far_weights = bound.weight_bytes * awake(bound.model)(users) / bound.bandwidth
    beside = beside_reading(bound, users)
    return Answer(
        finding="Steps for users of a million tokens, and of a hundred million",
        values={
            "read": Value(read / fit.memory_share, "s", "A cache of a million, as fast as measured runs"),
            "multiplied": Value(operations / bound.chip.flops("fp8") / fit.arithmetic_share, "s", "Multiplying so"),
            "asked": Value(asked, "s", "Both, with messages"),
            "alone_weights": Value(shared_weights + busiest, "s", "Weights, for one user"),
            "alone_step": Value(found.seconds + busiest, "s", "Its step"),
            "every_weights": Value(every_weights, "s", "Weights, for a user on each chip"),
            "every_step": Value(forecast_of(every).seconds, "s", "Its step"),
            "far": Value(far, "s", "Caches of a hundred million, of all that fit"),
            "far_weights": Value(far_weights, "s", "Weights that these users ask for"),
            "far_beside": Value(beside, "s", "Kernels and sending for them"),
            "far_step": Value(far + far_weights + beside, "s", "Their step"),
        },
    )


FIGURES = (Figure(name="memory_wall/millions", compute=millions),)
