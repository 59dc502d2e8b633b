"""Chance in routing: loads of experts, and nodes that a token visits."""

from __future__ import annotations

import math

import numpy as np

from calc import catalog, moe
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH
from calc.moe import routing

COUNTED_CHIPS, COUNTED_COPIES = 32, 1024  # of the count of loads in the catalogue; copies of tokens a chip in a pass
FILLED_CHIPS = 36  # of the same count with redundant copies
THROWS = 20


def throws() -> Answer:
    """Chance in DeepSeek-V3's routing: loads, and nodes that a token visits."""
    model = catalog.model("deepseek-v3")
    experts, picks = model.routed
    small = routing.busiest_expert(256, experts, picks)
    large = routing.busiest_expert(BATCH.default, experts, picks)
    groups, limit = model.known("expert_groups"), model.known("groups_per_token")
    placed = moe.place_experts(experts, catalog.system("gb200-nvl72").chips)
    used, each = int(placed.chips_used), int(placed.experts_per_chip)
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
            "lone_quicker": Value(lone_quicker(used, each, picks), "x", "A lone token's reading, quicker by", 2),
            "lone_limited": Value(lone_quicker(used * limit / groups, each, picks), "x", "with its limit", 2),
            "remote": Value(remote, "", "Copies that leave, one a node"),
            "counted_chips": Value(COUNTED_CHIPS, "chips", "Chips of the count"),
            "filled_chips": Value(FILLED_CHIPS, "chips", "Chips of the count with copies"),
            "counted_picks": Value(COUNTED_COPIES, "picks", "Picks that one of them expected in a pass", 4),
            "counted": Value(catalog.datum("hottest-chip").value, "x", "Hottest chip, as counted"),
            "counted_chance": Value(hottest_by_chance(experts, picks), "x", "Hottest chip, by chance", 3),
            "counted_filled": Value(catalog.datum("hottest-chip-with-copies").value, "x", "With copies, as counted"),
            "each": Value(picks * moe.leaving_share(groups), "", "Copies that leave, one an expert"),
        },
    )


def lone_quicker(chips: float, held: int, picks: float) -> float:
    """Experts of a chip over those that the busiest reads for one token, on average; all choices are equally likely."""
    most = (
        np.polynomial.polynomial.polypow([math.comb(held, n) for n in range(m + 1)], int(chips)) for m in range(1, held)
    )
    choices = math.comb(int(chips) * held, int(picks))
    return held / (1 + sum(1 - float(ways[int(picks)]) / choices for ways in most))


def hottest_by_chance(experts: float, picks: float) -> float:
    """The load of the fullest chip over the mean where routing is even: the mean of many throws."""
    tokens = COUNTED_COPIES * COUNTED_CHIPS / picks
    throws = (routing.drawn_loads(tokens, experts, picks, seed) for seed in range(THROWS))
    chips = [loads.reshape(COUNTED_CHIPS, -1).sum(axis=1) for loads in throws]
    return float(np.mean([each.max() / each.mean() for each in chips]))


FIGURES = (Figure(name="moe/throws", compute=throws, sources=("deepseek-v3-report", "tensorrt-llm-eplb")),)
