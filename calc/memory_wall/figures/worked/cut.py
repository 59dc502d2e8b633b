"""One context cut over all chips of a rack: what is sent, the length from which it pays, and the expected step."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import PROMISED
from calc.memory_wall.figures.setting import slope
from calc.memory_wall.figures.shared import (
    FAR,
    RACK,
    beside_reading,
    cut_bytes,
    cut_kernel_seconds,
    cut_sending_seconds,
    uneven_seconds,
)
from calc.memory_wall.long_context import pace
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario, Setting
from calc.step import decode
from calc.step.forecasting import FIT


def cut() -> Answer:
    """Queries and partial results that chips send in each layer, if each has a stretch of one context."""
    rack = Scenario.named("deepseek-v3", RACK, "fp8")
    (queries, found), sending = cut_bytes(rack.model), cut_sending_seconds(rack)
    kernels = cut_kernel_seconds(rack.model)
    spared = rack.kv_bytes_per_token / rack.chip.hbm_bandwidth * (1 - 1 / rack.system.chips)
    return Answer(
        finding="One context on all chips of a rack",
        values={
            "queries": Value(queries, "B", "Queries of a layer"),
            "found": Value(found, "B", "Partial results of a layer, from each chip"),
            "sending": Value(sending, "s", "Sending both, all layers"),
            "kernels": Value(kernels, "s", "A kernel for each sending"),
            "merging": Value(sending + kernels, "s", "Both"),
            "pays": Value(sending / spared, "tokens", "Context from which the cut pays"),
            "pays_expected": Value((sending + kernels) / spared, "tokens", "with a kernel for each sending"),
        },
    )


def lone() -> Answer:
    """A token of a lone user with a hundred million tokens of context: the bound's work at the rates of measured runs.

    Reading and multiplying are added, as in the forecast, with kernels and sending beside them. With copies each
    layer waits for a chip that reads one of the token's experts whole.
    """
    rack, fit = Scenario.named("deepseek-v3", RACK, "fp8"), catalog.forecast_fit(FIT)
    read_rate, rate = rack.bandwidth * fit.memory_share, rack.flops * fit.arithmetic_share
    uses = rack.model.active_params
    weights_read, products = (
        rack.model.weight_bytes("fp8") * uses / rack.model.total_params / read_rate,
        2 * uses / rate,
    )
    read = weights_read + FAR * rack.kv_bytes_per_token / read_rate
    multiplied = products + slope(rack.model) * FAR / rate
    beside, month = beside_reading(rack), 1 / pace(FAR, 30)
    of_context = rack.kv_bytes_per_token / read_rate + slope(rack.model) / rate
    fixed = beside + weights_read + products
    near, step = (fixed + many * of_context for many in (MILLION, FAR))
    usual = Setting.published("deepseek-v3", RACK, "fp8")
    copied = (decode(usual, 1.0, FAR).weights_seconds + uneven_seconds(rack)) / fit.memory_share
    left = PROMISED - beside
    shortest, longest = (PROMISED / times for times in (fit.high_80, fit.low_80))
    return Answer(
        finding="A lone user of a rack, as it is expected",
        values={
            "weights_bound": Value(weights_read * fit.memory_share, "s", "Reading the weights it wakes, by the bound"),
            "cache_read": Value(read - weights_read, "s", "Reading the cache as fast as measured runs", 2),
            "read": Value(read, "s", "with the weights"),
            "multiplied": Value(multiplied, "s", "Multiplying as fast"),
            "work": Value(read + multiplied, "s", "Both, in turn"),
            "step": Value(step, "s", "A token, with kernels and sending"),
            "near_step": Value(near, "s", "with both, at a million"),
            "step_times": Value(step / near, "x", "A token, over that at a million", 2),
            "copied": Value(step - weights_read + copied, "s", "A token, if attention is copied"),
            "copied_weights": Value(copied, "s", "Reading the weights then"),
            "left": Value(left, "s", "Left by kernels and sending of a promised step"),
            "month": Value(month, "s", "A token, to write so many in a month"),
            "longest": Value((PROMISED - fixed) / of_context, "tokens", "Context expected in a step", 2),
            "longest_slow": Value((shortest - fixed) / of_context, "tokens", "if it is as slow as its range allows", 2),
            "longest_fast": Value((longest - fixed) / of_context, "tokens", "if it is as fast", 2),
            "copied_longest": Value((left - copied - products) / of_context, "tokens", "if attention is copied", 2),
            "copied_slow": Value((shortest - beside - copied - products) / of_context, "tokens", "if it is as slow", 2),
        },
    )


FIGURES = (Figure(name="memory_wall/cut", compute=cut), Figure(name="memory_wall/lone", compute=lone))
