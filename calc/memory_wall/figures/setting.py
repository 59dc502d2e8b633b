"""Lecture 4's formulas, asked of a model: what it keeps of a token and what attending to one costs.

Latent attention has two sizes. A decode step multiplies with the latent itself, so that each head is as wide as the
latent; a prompt is worth expanding first, into heads of ordinary width. Other designs have one.
"""

from __future__ import annotations

import math

import numpy as np

from calc.catalog import Model
from calc.memory_wall import attention
from calc.quantities.check import Quantity
from calc.setting import Precisions, Scenario, cache
from calc.setting.published import attention_layers

DESIGNS = ("Grouped heads", "Latent", "Windows or folds", "Partly linear")
DESIGNED = {"layers": 10.0, "heads": 64.0, "width": 128.0, "active_params": 100e9}  # few global layers, many windows


def design(model: Model) -> str:
    """Which of the designs that the catalogue knows a model has."""
    if model.kv_lora_rank:
        return DESIGNS[1]
    if model.linear_layers:
        return DESIGNS[3]
    return DESIGNS[2] if model.sliding_window else DESIGNS[0]


def growing_layers(model: Model) -> float:
    """Layers that attend to the whole context."""
    return model.known("layers") if model.full_attention_layers is None else model.full_attention_layers


def slope(model: Model, *, prompt: bool = False) -> float:
    """Operations that one more token of context adds to each token, if all of it is attended to."""
    return float(
        sum(
            count / at.compression * (at.expanded_flops_per_position if prompt else at.flops_per_position)
            for count, at in attention_layers(model)
        )
    )


def token_operations(model: Model, context: float) -> float:
    """Operations of one token that is written after so many: twice the parameters that it uses, and attention."""
    return 2 * model.active_params + slope(model) * context


def state_bytes(model: Model) -> float:
    """Bytes of the states that linear attention keeps of a sequence, however long that is."""
    numbers = sum(count * at.state for count, at in attention_layers(model))
    return float(numbers * Precisions.named("fp8").state_bytes)


def decode_flops(model: Model, context: Quantity) -> Quantity:
    """Operations of attention in one decode step of a sequence: in full, in windows, by an index, or with a state."""
    before = np.asarray(context) - 1.0
    return sum(
        count
        * (
            cache.attended_entries(at, 1.0, before) * at.flops_per_position
            + cache.indexed_entries(at, 1.0, before) * at.index_flops_per_entry
            + at.state_flops
        )
        for count, at in attention_layers(model)
    )


def overtaking(model: Model, *, prompt: bool = False) -> float:
    """Context at which attention takes as many operations as the weights; of a prompt, its length."""
    if prompt:
        return 2 * attention.overtaking_context(model.active_params, slope(model, prompt=True))
    grows: Quantity = 0.0
    constant: Quantity = 0.0
    for count, at in attention_layers(model):
        chosen = at.top_k if math.isfinite(at.top_k) else 0.0
        constant += count * ((at.window + chosen) * at.flops_per_position + at.state_flops)
        whole = 0.0 if chosen else at.flops_per_position
        grows += count / at.compression * (whole + at.index_flops_per_entry)
    return float(attention.overtaking_context(model.active_params, grows, constant))


def multiplies_per_number(model: Model, tokens_at_once: float = 1.0) -> float:
    """Multiplications of a decode step for each number that it reads from the cache, in the first of its layers."""
    at = attention_layers(model)[0][1]
    return float(attention.multiplies_per_element(at.heads, at.key_dim, at.value_dim, at.entry, tokens_at_once))


def domain(where: Scenario) -> dict[str, float]:
    """The memory of a system, and what a model keeps in it, as the functions of the chapter take them."""
    return {
        "memory_bytes": where.hbm_bytes,
        "weight_bytes": where.weight_bytes,
        "kv_bytes_per_token": where.kv_bytes_per_token,
    }
