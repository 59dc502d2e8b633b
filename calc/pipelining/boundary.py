"""The boundary between two stages of a pipeline: the time of a hop over it, and when that costs nothing.

A token's activations cross P - 1 boundaries on scale-out links; inside a stage the experts' all-to-all stays on
scale-up links.

Symbols: P stages, d width, r scale-up over scale-out rate of a chip.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked


@checked
def boundary_margin(
    copies: Positive,
    layers_per_stage: Positive,
    bandwidth_ratio: Positive,
    *,
    dispatch_bytes: NonNegative = 2.0,
    combine_bytes: NonNegative = 2.0,
    hop_bytes: Positive = 2.0,
) -> Quantity:
    """How many times longer a stage's scale-up links are busy than its scale-out links; from 1 on the boundary is free.

    Per token a stage sends c copies there and back in each of its expert layers, and one copy to the next stage:
    c l (dispatch + combine) / (hop r). With equal precisions and a copy for each of k experts this is the lecture's
    2 k l / r; where one copy serves all experts on a chip, c is the number of chips that a token is sent to.

    >>> boundary_margin(8, 1, 8), boundary_margin(8, 2, 16, dispatch_bytes=1)
    (2.0, 1.5)
    """
    within = copies * layers_per_stage * (dispatch_bytes + combine_bytes)
    return within / (hop_bytes * bandwidth_ratio)


@checked
def free_layers(
    copies: Positive,
    bandwidth_ratio: Positive,
    *,
    dispatch_bytes: NonNegative = 2.0,
    combine_bytes: Positive = 2.0,
    hop_bytes: Positive = 2.0,
) -> Quantity:
    """Fewest expert layers in a stage for which its boundary is free: ceil(r hop / (c (dispatch + combine))).

    >>> free_layers(8, 9), free_layers(8, 18), free_layers(1, 18)
    (1.0, 2.0, 9.0)
    """
    return whole_up(bandwidth_ratio * hop_bytes / (copies * (dispatch_bytes + combine_bytes)))


@checked
def hop_seconds(
    tokens: NonNegative,
    width: Positive,
    *,
    links: Count,
    link_bandwidth: Positive,
    element_bytes: Positive = 2.0,
    latency: NonNegative = 0.0,
) -> Quantity:
    """Least time to hand a micro-batch to the next stage: tokens d bytes / (links x bandwidth) + latency, in seconds.

    >>> hop_seconds(5000, 5000, links=50, link_bandwidth=50e9)
    2e-05
    """
    return tokens * width * element_bytes / (links * link_bandwidth) + latency


@checked
def hops_per_slot(seconds_alone: Positive, stages: Count, hop_seconds: Positive) -> Quantity:
    """How many hops fit into the time that a stage works on a micro-batch: t / P t_h; from 1 on the boundary is free.

    A link out carries one micro-batch a slot, whatever the links within do meanwhile, so this is what a pipeline needs.
    That exchanges within take longer than the hop (`boundary_margin`) suffices for it, as they are part of the slot.

    >>> hops_per_slot(0.02, 4, 0.001)
    5.0
    """
    return seconds_alone / (stages * hop_seconds)


@checked
def layers_for_a_hop(layer_seconds: Positive, hop_seconds: NonNegative) -> Quantity:
    """Fewest layers of a stage whose slot is as long as a hop: t_h over the time of a layer, rounded up, at least 1.

    >>> layers_for_a_hop(30e-6, 8e-6), layers_for_a_hop(30e-6, 100e-6)
    (1.0, 4.0)
    """
    return np.maximum(1.0, whole_up(hop_seconds / layer_seconds))
