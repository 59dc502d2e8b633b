"""The stages of a row as they are: a dense first layer, an embedding, and copies; and slots of unequal length."""

from __future__ import annotations

from collections.abc import Sequence

from calc.setting import Layout, Setting

UNEQUAL = (1.0, 1.0, 1.0, 2.0)  # slots of four micro-batches, one with a piece of a prompt


def first_stage(setting: Setting, nodes: float, chips: float = 1) -> float:
    """Bytes of weights on the machine of a first stage: the embedding, dense layers, an even share of the others.

    Each of its chips copies all but the routed experts; with one chip each weight is stored once.
    """
    model, stored = setting.model, setting.precisions.weight_bytes
    whole = float(setting.with_layout(Layout(data=chips)).chip_weight_bytes) * chips
    dense = sum(
        group.count * (group.attention.params * stored("attention") + group.feed_forward.shared * stored("shared"))
        for group in model.layers
        if not group.feed_forward.routed
    )
    kept = float(dense + model.embedding_params * stored("head"))
    return (whole - chips * (kept + float(model.head_params * stored("head")))) / nodes + chips * kept


def waits_of_unequal(slots: Sequence[float] = UNEQUAL) -> float:
    """Share of a round for which stages wait, one micro-batch for each: none overtakes the longest.

    >>> waits_of_unequal()
    0.375
    """
    return 1 - sum(slots) / len(slots) / max(slots)
