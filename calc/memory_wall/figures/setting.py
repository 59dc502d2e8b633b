"""Lecture 4's formulas, asked of a model: what it keeps of a token and what attending to one costs.

Latent attention has two sizes. A decode step multiplies with the latent itself, so that each head is as wide as the
latent; a prompt is worth expanding first, into heads of ordinary width. Other designs have one.
"""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog import Model
from calc.figure.scenario import Setting
from calc.memory_wall import attention, sparse_attention

DESIGNS = ("Grouped heads", "Latent", "Half of it windows")
DESIGNED = {"layers": 10.0, "heads": 64.0, "width": 128.0, "active_params": 100e9}  # few global layers, many windows
EXPANDED_AS = "deepseek-v3"  # whose head widths stand in where a maker who adopted its attention gives none


def design(model: Model) -> str:
    """Which of the designs that the catalogue knows a model has."""
    if model.kv_lora_rank:
        return DESIGNS[1]
    return DESIGNS[2] if model.sliding_window else DESIGNS[0]


def growing_layers(model: Model) -> int:
    """Layers that attend to the whole context."""
    return model.full_attention_layers or model.layers or 0


def decode_widths(model: Model) -> tuple[float, float]:
    """Widths of a key and a value as a decode step multiplies them."""
    if model.kv_lora_rank and model.rope_dim:
        return model.kv_lora_rank + model.rope_dim, model.kv_lora_rank
    return model.head_dim or 0, model.head_dim or 0


def prompt_widths(model: Model) -> tuple[float, float]:
    """Widths of a key and a value as a prompt multiplies them."""
    if not model.kv_lora_rank:
        return decode_widths(model)
    like = model if model.qk_nope_dim else catalog.model(EXPANDED_AS)
    return (like.qk_nope_dim or 0) + (model.rope_dim or 0), like.v_dim or 0


def flops_per_position(model: Model, *, prompt: bool = False) -> float:
    """Operations with which one layer of a model attends to one position."""
    widths = prompt_widths(model) if prompt else decode_widths(model)
    return float(attention.attention_flops(1, model.heads or 1, *widths))


def slope(model: Model, *, prompt: bool = False) -> float:
    """Operations that one more token of context adds to each token, if all of it is attended to."""
    return growing_layers(model) * flops_per_position(model, prompt=prompt)


def window_flops(model: Model) -> float:
    """Operations of a token in windows that are full."""
    others = (model.layers or 0) - growing_layers(model)
    return others * (model.sliding_window or 0) * flops_per_position(model)


def decode_flops(model: Model, context: Any) -> Any:
    """Operations of attention in one decode step of a sequence: in full, in windows, or by way of an index."""
    if not model.index_top_k:
        windows = (model.layers or 0) - growing_layers(model)
        positions = attention.attended_positions(context, growing_layers(model), windows, model.sliding_window or 0)
        return attention.attention_flops(positions, model.heads or 1, *decode_widths(model))
    indexed = sparse_attention.indexed_flops(
        context,
        index_flops=index_flops(model),
        kept_tokens=model.index_top_k,
        attention_flops=flops_per_position(model),
    )
    return growing_layers(model) * indexed


def index_flops(model: Model) -> float:
    """Operations with which one layer's index looks at one position."""
    return float(2 * (model.index_heads or 1) * (model.index_head_dim or 1))


def overtaking(model: Model, *, prompt: bool = False) -> float:
    """Context at which attention takes as many operations as the weights; of a prompt, its length."""
    if prompt:
        return 2 * float(attention.overtaking_context(model.active_params, slope(model, prompt=True)))
    if model.index_top_k:
        grows = growing_layers(model) * index_flops(model)
        constant = growing_layers(model) * model.index_top_k * flops_per_position(model)
        return float(attention.overtaking_context(model.active_params, grows, constant))
    return float(attention.overtaking_context(model.active_params, slope(model), window_flops(model)))


def multiplies_per_number(model: Model, tokens_at_once: float = 1.0) -> float:
    """Multiplications of a decode step for each number that it reads from the cache."""
    kept = (model.kv_elements_per_token or 1) / growing_layers(model)
    return float(attention.multiplies_per_element(model.heads or 1, *decode_widths(model), kept, tokens_at_once))


def domain(where: Setting) -> dict[str, float]:
    """The memory of a system, and what a model keeps in it, as the functions of the chapter take them."""
    return {
        "memory_bytes": where.system.hbm_bytes,
        "weight_bytes": where.weight_bytes,
        "kv_bytes_per_token": where.kv_bytes_per_token,
    }
