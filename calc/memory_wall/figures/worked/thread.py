"""One case in numbers, through all sections: DeepSeek-V3 in FP8 on a rack of GB200, at a promise to each user."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall.figures.kept import read_in_time
from calc.memory_wall.figures.setting import slope
from calc.memory_wall.figures.shared import (
    FAR,
    LONG,
    MANY,
    PACE,
    RACK,
    RESERVED,
    STARTUP_SECONDS,
    awake,
    beside_reading,
    indexed_token_bytes,
    kernel_seconds,
    largest_model,
    sum_seconds,
)
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario


def thread() -> Answer:
    """How many users the rack keeps its promise to, and what each section changes of that."""
    rack = Scenario.named("deepseek-v3", RACK, "fp8")
    users = read_in_time(rack, LONG)
    few = read_in_time(rack, FAR)
    far = _reading(rack, FAR) + beside_reading(rack, few)
    return Answer(
        finding="Users of one rack at one promise",
        values={
            "filled": Value(rack.weight_bytes / rack.hbm_bytes, "%", "Share of memory that the weights take"),
            "larger": Value(_times_as_large(rack, 0.0), "x", "Largest model over DeepSeek-V3"),
            "larger_later": Value(
                _times_as_large(rack, _beside(rack)), "x", "with kernels and sums of one taken off", 2
            ),
            "larger_many": Value(_times_as_large(rack, _beside(rack, MANY)), "x", "with the sums of many"),
            "beside": Value(_beside(rack), "s", "Kernels and sums of one"),
            "users": Value(users, "", "Users that are read in time", 4),
            "llama": Value(
                read_in_time(rack, LONG, catalog.model("llama-3-70b").kv_bytes_per_token("fp8")),
                "",
                "with the cache of Llama 3 70B",
            ),
            "over": Value(slope(rack.model) * LONG / (2 * rack.model.active_params), "x", "Attention over the weights"),
            "multiplies": Value(users * _products(rack, "fp8"), "s", "Their products in a step"),
            "wide": Value(np.floor(1 / PACE / _products(rack, "bf16")), "", "with attention in BF16"),
            "indexed": Value(_room(rack, indexed_token_bytes()), "", "Users that have room, with an index"),
            "unindexed": Value(_room(rack, indexed_token_bytes(index=False)), "", "without it, as it is stored"),
            "near": Value(read_in_time(rack, MILLION), "", "Users of a million tokens"),
            "far": Value(few, "", "of a hundred million"),
            "far_later": Value(1 / far, "tokens/s", "with kernels and sending"),
            "far_in_turn": Value(1 / (far + few * _products(rack, "fp8", FAR)), "tokens/s", "in turn"),
        },
    )


def _times_as_large(rack: Scenario, beside: float) -> float:
    """The largest model over the one that is served, where so many seconds of a step go to other than reading."""
    return float(largest_model(rack.system, "fp8", PACE, RESERVED, sums=beside).total / rack.model.total_params)


def _beside(rack: Scenario, sequences: float = 1.0) -> float:
    """Seconds of a step that kernels and the sums of so many sequences are expected to take."""
    sums = sum_seconds(rack.model, rack.system, STARTUP_SECONDS, sequences=sequences)
    return float(sums) + kernel_seconds(rack.model.id)


def _reading(rack: Scenario, context: float) -> float:
    """Seconds in which the rack reads the caches of all users that it promised a speed, and the weights they wake."""
    users = read_in_time(rack, context)
    read = rack.weight_bytes * awake(rack.model)(users) + users * context * rack.kv_bytes_per_token
    return float(read / rack.bandwidth)


def _products(rack: Scenario, attention: str, context: float = LONG) -> float:
    """Seconds in which the rack multiplies for a token of one user, with attention in a format of its own."""
    weights = 2 * rack.model.active_params / rack.flops
    return weights + slope(rack.model) * context / rack.system.flops(attention)


def _room(rack: Scenario, token: float) -> float:
    """Users for whose caches, of so many bytes a token, the rack has room beside DeepSeek-V3.2."""
    weights = catalog.model("deepseek-v3.2").weight_bytes("fp8")
    return float(batching.largest_batch(rack.hbm_bytes, weights, LONG, token))


FIGURES = (Figure(name="memory_wall/thread", compute=thread),)
