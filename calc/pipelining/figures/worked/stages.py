"""The stages of a row as they are: a dense first layer, an embedding, and copies; and slots of unequal length."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calc.catalog import Model
from calc.setting import Layout, Setting

UNEQUAL = (1.0, 1.0, 1.0, 2.0)  # slots of four micro-batches, one with a piece of a prompt


def first_stage(setting: Setting, nodes: float, chips: float = 1) -> float:
    """Bytes of weights on the machine of a first stage: the embedding, dense layers, an even share of the others.

    Each of its chips copies all but the routed experts; with one chip each weight is stored once.
    """
    model, weight = setting.model, setting.precisions.weight_bytes
    whole = stored_weights(setting, chips)
    dense = sum(
        group.count * (group.attention.params * weight("attention") + group.feed_forward.shared * weight("shared"))
        for group in model.layers
        if not group.feed_forward.routed
    )
    kept = float(dense + model.embedding_params * weight("head"))
    return (whole - chips * (kept + float(model.head_params * weight("head")))) / nodes + chips * kept


def stored_weights(setting: Setting, chips: float) -> float:
    """Bytes of weights on so many chips that share the routed experts and copy the rest."""
    return float(setting.with_layout(Layout(data=chips)).chip_weight_bytes) * chips


def longest_share(model: Model, stages: int) -> float:
    """Share of a model's layers that the longest of so many stages has."""
    layers = model.known("layers")
    return math.ceil(layers / stages) / layers


def waits_of_unequal(slots: Sequence[float] = UNEQUAL) -> float:
    """Share of a round for which stages wait, one micro-batch for each: none overtakes the longest.

    >>> waits_of_unequal()
    0.375
    """
    return 1 - sum(slots) / len(slots) / max(slots)
