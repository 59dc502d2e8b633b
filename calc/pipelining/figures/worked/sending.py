"""Seconds of a step of layers that are spread over nodes: what is read, and what is sent between them."""

from __future__ import annotations

import numpy as np

from calc.figure.scenario import CONTEXT
from calc.pipelining.figures.setting import HOP_LATENCY, STAGES, read_together
from calc.quantities.check import Quantity
from calc.setting import Layout, Scenario
from calc.step import decode, visited_share

COPIES = {True: "one copy a node", False: "a copy for each expert"}
HALVES = 2


def spread_step(
    where: Scenario, micro: float, relay: bool, parts: int = 1, stages: int = STAGES, stored: float = 0
) -> float:
    """Seconds of a step of spread layers: crossing after reading, or in halves that each read while the other sends."""
    reading = parts * read_together(where, micro / parts, CONTEXT.default, stages, stored)
    sending = float(sending_seconds(where, micro, relay, parts, stages))
    return reading + sending if parts == 1 else max(reading, sending)


def sending_seconds(where: Scenario, micro: Quantity, relay: bool, parts: int = 1, stages: int = STAGES) -> Quantity:
    """Seconds of a step on links between nodes, experts spread over all; every crossing starts after a latency."""
    layout = Layout(data=where.chips * stages, relay=relay)
    step = decode(where.setting.with_layout(layout), micro * stages, CONTEXT.default)
    crossings = sum(float(each.layers) for each in step.operations if np.any(each.scale_out))
    return step.scale_out_seconds + parts * crossings * HOP_LATENCY


def inside_seconds(where: Scenario, micro: float, nodes: int = 1) -> float:
    """Seconds of a step on links inside nodes, where so many share the experts; bytes alone.

    Spread layers pass a token on inside a node while links between nodes bring the next ones.
    """
    layout = Layout(data=where.chips * nodes, relay=True)
    return float(decode(where.setting.with_layout(layout), micro * nodes, CONTEXT.default).scale_up_seconds)


def passing(where: Scenario, micro: float) -> float:
    """Seconds of passing copies on inside the nodes of spread layers, each from the chip where it lands."""
    experts, picks = where.model.routed
    one, wide = (visited_share(where.chips * nodes, picks, experts=experts) for nodes in (1, STAGES))
    return STAGES * inside_seconds(where, micro) * float(wide / one)


def multiplied(where: Scenario, tokens: float, dtype: str = "bf16", context: float = CONTEXT.default) -> float:
    """Seconds of a node's arithmetic: weights in `dtype`, and attention in BF16 over the latent cache itself."""
    one = decode(where.setting.with_layout(Layout(data=where.chips)), where.chips, context)  # a token a chip
    attended = sum(float(each.flops) for each in one.operations if each.name == "attention")
    weights = 2 * where.model.active_params / where.chip.flops(dtype)
    return tokens / where.chips * (weights + attended / where.chip.flops("bf16"))
