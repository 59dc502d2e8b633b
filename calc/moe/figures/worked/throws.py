"""Chance in routing: loads of experts, and nodes that a token visits."""

from __future__ import annotations

import math

from calc import catalog, moe
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.moe import routing


def throws() -> Answer:
    """Chance in DeepSeek-V3's routing: loads, and nodes that a token visits."""
    model = catalog.model("deepseek-v3")
    experts, picks = model.routed
    small = routing.busiest_expert(256, experts, picks)
    large = routing.busiest_expert(BATCH.default, experts, picks)
    groups, limit = model.known("expert_groups"), model.known("groups_per_token")
    remote = routing.remote_groups(experts, picks, groups, limit)
    return Answer(
        finding="What even routing does by chance",
        values={
            "small_batch": Value(256, "tokens", "A small batch"),
            "small_mean": Value(small.mean, "tokens", "An expert of it"),
            "small": Value(small.imbalance, "x", "Busiest, at least", 2),
            "large_batch": Value(BATCH.default, "tokens", "The usual batch", 9),
            "large_mean": Value(large.mean, "tokens", "An expert of it"),
            "spread": Value(math.sqrt(large.mean), "tokens", "One spread"),
            "rule": Value(3 / math.sqrt(large.mean), "%", "Three spreads, of the mean"),
            "large": Value(large.imbalance, "x", "Busiest, at least", 3),
            "nodes": Value(groups, "", "Nodes"),
            "limit": Value(limit, "", "Nodes that a token may use"),
            "remote": Value(remote, "", "Copies that leave, one a node"),
            "each": Value(picks * moe.leaving_share(groups), "", "Copies that leave, one an expert"),
        },
    )


FIGURES = (Figure(name="moe/throws", compute=throws, sources=("deepseek-v3-report",)),)
