"""Lecture 2's formulas, asked of a model on a system."""

from __future__ import annotations

from typing import Any

from calc import batching, moe
from calc.catalog import Model
from calc.figure.scenario import Setting
from calc.quantities.errors import CalcError

BLACKBOARD_RATIO = 8.0  # scale-up over scale-out, as the lecture rounds it


def routed(model: Model) -> tuple[int, int]:
    """Routed experts of a layer and of a token; a dense model counts as one expert that every token uses."""
    return model.routed_experts or 1, model.active_routed_experts or 1


def is_dense(model: Model) -> bool:
    """Whether there is nothing to route."""
    return model.routed_experts is None


def expert_layers(model: Model) -> float:
    """Layers that have experts."""
    return model.known("layers") - (model.dense_layers or 0)


def sent_bytes(model: Model, tokens: Any) -> Any:
    """Bytes that a chip sends in one layer, there and back, for so many tokens of its own."""
    if is_dense(model):
        return 0.0 * tokens
    return moe.exchange_bytes(tokens, model.known("d_model"), routed(model)[1]).total


def exchange_step(model: Model, tokens: Any, bandwidth: float, chips: float) -> Any:
    """Seconds that the exchanges of a whole step occupy a chip's link, as two micro-batches take them in turn."""
    leaving = float(moe.leaving_share(chips))
    layer = moe.exchange_seconds(leaving * sent_bytes(model, tokens / 2), bandwidth)
    return moe.exchange_bound_step(layer, expert_layers(model))


def hidden_batch(where: Setting, context: float, bandwidth: float) -> float:
    """Batch up to which the exchange hides behind the rest of the step."""
    each = float(exchange_step(where.model, 1 / where.system.chips, bandwidth, where.system.chips))
    if each == 0:
        return float("inf")
    step: Any = batching.step_time(1, context, **where.step_arguments())
    return float(moe.hidden_batch(each, step.weights, step.cache, step.compute))


def link_ratio(where: Setting) -> float:
    """How many times faster a chip's link in the domain is than its link out of it."""
    inside, outside = links(where)
    return inside / outside


def links(where: Setting) -> tuple[float, float]:
    """A chip's link within the domain and its link out of it; a domain with no published way out has none."""
    inside, outside = where.system.scale_up_bandwidth, where.system.scale_out_bandwidth
    if inside is None:
        raise CalcError("system", where.system.id, "one whose links are published")
    return inside, outside or float("nan")


def link_notes(where: Setting) -> list[str]:
    """What a reader should know about the network of this system."""
    notes = []
    if where.system.id.startswith("tpu"):
        notes.append(
            "A torus, not a switch: most copies take several hops, so an all-to-all is further from its bound."
        )
    if where.system.scale_out_bandwidth is None:
        notes.append(f"No link out of a {where.system.name} is published in the catalogue.")
    return notes
