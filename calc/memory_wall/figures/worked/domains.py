"""Domains in numbers: eight H100 and a rack of 72 GB200, what they hold, and how large a model they serve."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog, memory_wall, pipelining
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.shared import (
    FAST,
    LONG,
    MANY,
    PACE,
    RACK,
    RESERVED,
    SLOW,
    STARTUP_SECONDS,
    SUMS,
    kernel_seconds,
    largest_model,
    sum_seconds,
)
from calc.moe.figures.in_parts import STARTUP as CALL
from calc.quantities.arithmetic import BILLION, MICRO
from calc.quantities.units import bytes_per_element
from calc.setting import Scenario, Setting
from calc.step import Step, decode
from calc.step.forecasting import FIT

TRILLIONS, SMALL_BOX = 5e12, "hgx-h100"
FULL, SHORT = 20_000.0, 4096.0


def domains() -> Answer:
    """Eight H100 and a rack of 72 GB200, and a model of five trillion parameters."""
    box, rack = (catalog.system(name) for name in (SMALL_BOX, RACK))
    v3 = catalog.model("deepseek-v3").weight_bytes("fp8")
    gain = memory_wall.domain_gain(
        rack.chips, rack.chip.hbm_bandwidth, chips_before=box.chips, bandwidth_before=box.chip.hbm_bandwidth
    )
    stages = pipelining.stages_to_hold(TRILLIONS, box.chips, box.chip.hbm_bytes)
    day = catalog.deployment("deepseek-day-6")
    called = sum_seconds(catalog.model("deepseek-v3"), rack, CALL.default * MICRO)
    sums = SUMS * catalog.model("deepseek-v3").known("layers")
    step = _usual_step()
    usual, kernels = step.weights_seconds, kernel_seconds("deepseek-v3")
    experts = sum(float(each.weights) for each in step.operations if each.name == "experts")
    return Answer(
        finding="Eight H100 and a rack of 72 GB200",
        values={
            "weights": Value(v3, "B", "Weights of DeepSeek-V3"),
            "box": Value(_floor(v3, SMALL_BOX), "s", "Floor on eight H100"),
            "rack": Value(_floor(v3, RACK), "s", "Floor on the rack", 4),
            "box_speed": Value(1 / _floor(v3, SMALL_BOX), "tokens/s", "Speed on eight H100"),
            "rack_speed": Value(1 / _floor(v3, RACK), "tokens/s", "Speed on the rack"),
            "each": Value(v3 / rack.chips, "B", "Weights of a chip, each of them on one"),
            "kernel": Value(catalog.forecast_fit(FIT).kernel_seconds, "s", "A kernel, as fitted", 4),
            "copied": Value(usual * rack.chip.hbm_bandwidth, "B", "Weights that a chip reads in the usual layout"),
            "for_all": Value(usual * rack.chip.hbm_bandwidth - experts, "B", "Of them, needed by every token"),
            "chips": Value(gain.chips, "x", "More chips"),
            "bandwidth": Value(gain.bandwidth, "x", "Faster memory"),
            "gain": Value(gain.total, "x", "Gain"),
            "gain_copied": Value(_floor(v3, SMALL_BOX) / usual, "x", "Gain, attention copied on the rack", 2),
            "gain_later": Value(
                (_floor(v3, SMALL_BOX) + kernels) / (usual + kernels), "x", "and kernels added to both", 2
            ),
            "box_memory": Value(box.hbm_bytes, "B", "Memory of eight H100"),
            "box_bandwidth": Value(box.hbm_bandwidth, "B/s", "Bandwidth of eight H100"),
            "box_left": Value(box.hbm_bytes - v3, "B", "Left of it by DeepSeek-V3"),
            "box_filled": Value(v3 / box.hbm_bytes, "%", "Share of it that DeepSeek-V3 takes"),
            "engine": Value(catalog.datum("vllm-memory-share").value, "%", "Share that an engine uses"),
            "binary": Value(2**30 / BILLION - 1, "%", "A GiB over a GB", 1),
            "rack_memory": Value(rack.hbm_bytes, "B", "Memory of 72 GB200"),
            "rack_bandwidth": Value(rack.hbm_bandwidth, "B/s", "Bandwidth of 72 GB200"),
            "five": Value(TRILLIONS, "parameters", "A large model"),
            "sums": Value(sums, "", "Sums of a step"),
            "sums_starts": Value(2 * sums * STARTUP_SECONDS, "s", "Starts of two messages a sum"),
            "call": Value(CALL.default * MICRO, "s", "Start of a message, by a call"),
            "sums_called": Value(called, "s", "The sums with such starts"),
            "stages": Value(stages, "", "Boxes that hold it"),
            "five_box": Value(_floor(TRILLIONS, SMALL_BOX), "s", "Its floor on boxes"),
            "five_rack": Value(_floor(TRILLIONS, RACK), "s", "Its floor on the rack"),
            "five_fp8": Value(TRILLIONS * bytes_per_element("fp8"), "B", "It in FP8"),
            "day_chips": Value(day.decode_expert_parallel, "chips", "Chips that shared the experts of a layer"),
            "day_hit": Value(day.cached_input_tokens / day.input_tokens, "%", "Input that was in a cache"),
            "day_box": Value(day.chips_per_node, "chips", "Chips of a box there"),
        },
    )


def _floor(weights: float, system: str) -> float:
    where = catalog.system(system)
    return memory_wall.latency_floor(weights, where.chips, where.chip.hbm_bandwidth)


def _usual_step() -> Step:
    """A full step of DeepSeek-V3 on the rack, in its usual layout."""
    return decode(Setting.published("deepseek-v3", RACK, "fp8"), FULL, SHORT)


def ends() -> Answer:
    """Users of long contexts at two promises: one at which room ends first, and one at which time does."""
    rack = Scenario.named("deepseek-v3", RACK, "fp8")
    room = batching.largest_batch(rack.hbm_bytes, rack.weight_bytes, LONG, rack.kv_bytes_per_token)
    time = batching.batch_within(1 / FAST, LONG, **rack.step_arguments())
    return Answer(
        finding="Room ends first at a slow promise, time at a fast one",
        values={
            "context": Value(LONG, "tokens", "Context", 9),
            "cache": Value(LONG * rack.kv_bytes_per_token, "B", "Cache of a user", 4),
            "drain": Value(batching.read_seconds(rack.hbm_bytes, rack.bandwidth), "s", "Drain time"),
            "slow": Value(SLOW, "tokens/s", "Slow promise"),
            "slow_step": Value(1 / SLOW, "s", "Its step"),
            "slow_reads": Value(rack.bandwidth / SLOW, "B", "Bytes that are read in it"),
            "room": Value(room, "", "Users that have room", 4),
            "reads": Value(rack.bandwidth / PACE, "B", "Bytes that are read at the usual promise"),
            "fast": Value(FAST, "tokens/s", "Fast promise"),
            "fast_step": Value(1 / FAST, "s", "Its step"),
            "fast_reads": Value(rack.bandwidth / FAST, "B", "Bytes that are read in it"),
            "time": Value(time, "", "Users that are read in time", 4),
        },
    )


def sizes() -> Answer:
    """The largest models of some domains at a readable speed, half of memory set aside for caches."""
    rumour = catalog.model("gpt-4-rumour").total_params
    rack, box = catalog.system(RACK), _largest(SMALL_BOX, "fp8")
    return Answer(
        finding="Largest models at a readable speed",
        values={
            "box_fp8": Value(box.total, "parameters", "Largest model of eight H100 in FP8"),
            "box_held": Value(box.total_by_capacity, "parameters", "Held by eight H100"),
            "rack_fp8": Value(_largest(RACK, "fp8").total, "parameters", "Largest model of the rack in FP8"),
            "pace": Value(PACE, "tokens/s", "Speed"),
            "rumour": Value(rumour, "parameters", "GPT-4, as rumoured"),
            "rumour_box": Value(_floor(2 * rumour, SMALL_BOX), "s", "Its floor on eight H100 in BF16"),
            "open_before": Value(catalog.model("llama-3-405b").total_params, "parameters", "Llama 3.1 405B, July 2024"),
            "open_after": Value(catalog.model("deepseek-v4-pro").total_params, "parameters", "DeepSeek-V4-Pro, 2026"),
            "rumour_rack": Value(_floor(2 * rumour, RACK), "s", "Its floor on a rack in BF16"),
            "tpu_sums": Value(_sums("tpu-v4-pod"), "s", "Sums of DeepSeek-V3 over a pod of TPU v4"),
            "batch": Value(MANY, "sequences", "Batch", 9),
            "batch_sums": Value(_sums(RACK, MANY), "s", "Sums of so many on the rack"),
            "batch_largest": Value(_largest(RACK, "fp8", _sums(RACK, MANY)).total, "parameters", "Largest model then"),
            "active": Value(rack.flops("fp8") / PACE / (2 * MANY), "parameters", "Active parameters by arithmetic"),
        },
    )


def _largest(system: str, precision: str, sums: float = 0.0) -> Any:
    return largest_model(catalog.system(system), precision, PACE, RESERVED, sums=sums)


def _sums(system: str, sequences: float = 1.0) -> float:
    v3 = catalog.model("deepseek-v3")
    return float(sum_seconds(v3, catalog.system(system), STARTUP_SECONDS, sequences=sequences))


FIGURES = (
    Figure(name="memory_wall/domains", compute=domains),
    Figure(name="memory_wall/ends", compute=ends),
    Figure(name="memory_wall/sizes", compute=sizes),
)
