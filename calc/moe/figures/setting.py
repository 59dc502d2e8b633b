"""Lecture 2's formulas, asked of a model on a system."""

from __future__ import annotations

from calc import batching, moe, step
from calc.catalog import Model
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import show
from calc.setting import Machine, Scenario

BLACKBOARD_RATIO = 8.0  # scale-up over scale-out, as Pope rounds it


def sent_bytes(model: Model, tokens: Quantity) -> Quantity:
    """Bytes that a chip sends in one layer, there and back, for so many tokens of its own."""
    if model.dense:
        return 0.0 * tokens
    return moe.exchange_bytes(tokens, model.known("d_model"), model.routed[1]).total


def exchange_step(model: Model, tokens: Quantity, bandwidth: float, chips: float) -> Quantity:
    """Seconds that the exchanges of a whole step occupy a chip's link, as two micro-batches take them in turn."""
    if model.dense:
        return 0.0 * tokens
    leaving = moe.leaving_share(chips)
    layer = moe.exchange_seconds(leaving * sent_bytes(model, tokens / 2), bandwidth)
    return moe.exchange_bound_step(layer, model.expert_layers)


def hidden_batch(where: Scenario, context: float, bandwidth: float, readings: int = 1) -> float:
    """Batch up to which the exchange hides behind the rest of the step, with so many readings of the weights."""
    each = exchange_step(where.model, 1 / where.system.chips, bandwidth, where.system.chips)
    if each == 0:
        return float("inf")
    alone = batching.step_time(1, context, **where.step_arguments())
    return float(moe.hidden_batch(each, alone.weights, alone.cache, alone.compute, readings))


def link_ratio(where: Scenario) -> float:
    """How many times faster a chip's link in the domain is than its link out of it."""
    inside, outside = links(where)
    return inside / outside


def links(where: Scenario) -> tuple[float, float]:
    """The rate of a chip in an all-to-all within the domain, and its link out of it; without one it is not a number.

    Over a switch that is its whole link; over a torus a message crosses several, and less is left.
    """
    if where.system.scale_up_bandwidth is None:
        raise CalcError("system", where.system.id, "one whose links are published")
    inside = step.all_to_all_rate(Machine.published(where.system), sharing_chips(where))
    return float(inside), where.system.scale_out_bandwidth or float("nan")


def sharing_chips(where: Scenario) -> int:
    """Chips of a domain that share the experts: all of it, or as many as there are experts."""
    return where.system.chips if where.model.dense else min(where.system.chips, where.model.routed[0])


def link_notes(where: Scenario) -> list[str]:
    """The facts that a reader should know about the network of this system."""
    notes = []
    if where.system.torus:
        sides = " × ".join(str(side) for side in where.system.torus)
        used, inside, link = sharing_chips(where), links(where)[0], where.system.known("scale_up_bandwidth")
        notes.append(
            f"A torus of {sides}, not a switch: a copy crosses several links. In an all-to-all over {used} chips each "
            f"sends {show(inside, 'B/s')}, where its links carry {show(link, 'B/s')}."
        )
    if where.system.scale_out_bandwidth is None:
        notes.append(f"No link out of a {where.system.name} is published in the catalogue.")
    return notes
