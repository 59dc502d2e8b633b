"""Lecture 2's exercises: every number that they ask for or answer with."""

from __future__ import annotations

import math

from calc import batching, catalog, moe
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.moe import routed_scaling, routing
from calc.moe.figures.setting import exchange_step, link_ratio, links, sent_bytes
from calc.moe.figures.shared import ROUTED_SHARE, gain
from calc.moe.figures.timings import LIKE_OURS, MANY, rack_start
from calc.quantities.arithmetic import MICRO
from calc.setting import Scenario

SPREAD = 4
TOKENS = 50
WANTED = 100.0
NODES, CONTEXT = 8, 4096
RACK = 72
HOLDERS = 64  # chips of a rack that hold experts, by the lecture


def placing() -> dict[str, Value]:
    """1: Kimi K2 on a rack."""
    experts = catalog.model("kimi-k2").routed[0]
    placed = moe.place_experts(experts, RACK)
    held = (slips.Slip(float(placed.chips_used / placed.chips_idle), "These are the chips with experts."),)
    return {
        "chips": Value(RACK, "", "Chips"),
        "experts": Value(experts, "", "Experts"),
        "per_chip": Value(placed.experts_per_chip, "", "On a chip"),
        "used": Value(placed.chips_used, "", "Chips with experts"),
        "idle": Value(placed.chips_idle, "", "Chips without", slips=held),
        "fill": Value(placed.copies_to_fill, "", "Redundant experts that fill the rack"),
    }


def exchanging() -> dict[str, Value]:
    """2: Qwen3-235B-A22B on a GB300 rack."""
    where = Scenario.named("qwen3-235b-a22b", "gb300-nvl72", "fp8")
    inside, _ = links(where)
    left_out = slips.forgotten(where.model.routed[1], "a token goes to several experts")
    left_out += slips.forgotten(where.model.expert_layers, "every layer with experts exchanges") + slips.DIRECTIONS
    layers, experts, memory = where.model.expert_layers, where.model.routed[0], where.chip.hbm_bandwidth
    holds = [moe.place_experts(experts, chips).experts_per_chip for chips in (RACK, RACK / 2)]
    fewer = holds[1] - holds[0]
    average = slips.Slip(float(experts / RACK / fewer), "Chips hold whole experts: (1) rounds up.")
    all_read = slips.Slip(float(holds[1] / fewer), "This is all that half a rack reads: subtract what one rack reads.")
    expert = 3.0 * where.model.known("d_model") * where.model.known("d_ff_expert")
    return {
        "tokens": Value(TOKENS, "tokens", "Tokens of a chip"),
        "width": Value(where.model.known("d_model"), "", "Width", 9),
        "qwen_picks": Value(where.model.routed[1], "", "Experts of a token"),
        "layers": Value(where.model.expert_layers, "", "Layers"),
        "link_in": Value(inside, "B/s", "Link within"),
        "sent": Value(sent_bytes(where.model, TOKENS), "B", "Sent in a layer"),
        "layer": Value(moe.exchange_seconds(sent_bytes(where.model, TOKENS), inside), "s", "A layer, within"),
        "inside": Value(exchange_step(where.model, TOKENS, inside, 72), "s", "A step, within", slips=left_out),
        "qwen_experts": Value(experts, "", "Experts of a layer"),
        "qwen_expert": Value(expert, "B", "An expert"),
        "qwen_memory": Value(memory, "B/s", "Memory bandwidth"),
        "half_holds": Value(holds[1], "", "Experts on a chip of half a rack"),
        "one_holds": Value(holds[0], "", "on one of a rack"),
        "lead": Value(
            layers * fewer * expert / memory,
            "s",
            "Shorter by",
            slips=(average, all_read, *slips.forgotten(layers, "every layer with experts reads its own")),
        ),
    }


def spreading() -> dict[str, Value]:
    """3: racks of GB300, and the ratio at which two would cost nothing."""
    ratio = link_ratio(Scenario.named("deepseek-v3", "gb300-nvl72", "bf16"))
    stays = slips.forgotten(moe.leaving_share(SPREAD), "a part stays in its own rack")
    return {
        "ratio": Value(ratio, "", "Ratio"),
        "spread": Value(SPREAD, "", "Racks"),
        "leaves": Value(moe.leaving_share(SPREAD), "%", "Leaves"),
        "slower": Value(moe.spread_slowdown(SPREAD, ratio), "x", "Slower", slips=stays),
        "free_two": Value(1 / moe.leaving_share(2), "", "Ratio at which two racks are free"),
        "free_spread": Value(1 / moe.leaving_share(SPREAD), "", "Ratio at which four are"),
    }


def allowing() -> dict[str, Value]:
    """4: tokens of a chip that a promise of speed allows."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    inside, outside = links(where)
    each = {"in": inside, "out": outside}
    seconds = {key: exchange_step(where.model, 1, link, 72) for key, link in each.items()}
    few, left = (
        1 / WANTED - 2 * where.model.expert_layers * rack_start(tokens=many) * MICRO for many in (LIKE_OURS, MANY)
    )
    short = slips.Slip(few / left, "These are starts as timed with few tokens on a chip; with many they are longer.")
    byte_field = (slips.Slip(left * WANTED, "Here bytes alone count, without starts."), *slips.DIRECTIONS)
    bytes_alone = slips.Slip(1 / WANTED / left, "This leaves the starts out: a step has two in each layer.")
    return {
        "wanted": Value(WANTED, "tokens/s", "Promised"),
        "allowed": Value(1 / WANTED, "s", "A step may take"),
        "token_out": Value(seconds["out"], "s", "A token, links out"),
        "token_in": Value(seconds["in"], "s", "A token, links within"),
        "most_out": Value(1 / WANTED / seconds["out"], "tokens", "A chip may have, links out", slips=byte_field),
        "left": Value(left, "s", "Left by starts"),
        "most_in": Value(
            left / seconds["in"],
            "tokens",
            "A chip may have, links within",
            slips=(bytes_alone, short, *slips.DIRECTIONS),
        ),
    }


def waking() -> dict[str, Value]:
    """5: a lone token on 64 chips of four experts."""
    experts, picks = catalog.model("deepseek-v3").routed
    each = experts / HOLDERS
    apart = math.comb(HOLDERS, picks) * each**picks / math.comb(experts, picks)
    visited = routing.expected_groups(experts, picks, HOLDERS)
    alone = slips.Slip(picks / visited, "Two of the experts may share a chip.")
    whole = slips.Slip(each, "A chip reads only experts that were picked.")
    return {
        "lone_of": Value(HOLDERS, "", "Chips"),
        "lone_each": Value(each, "", "Experts on a chip"),
        "lone_chips": Value(visited, "", "Chips visited", slips=(alone,)),
        "lone_picks": Value(picks, "", "Experts of a token"),
        "lone_share": Value(picks / experts, "%", "Experts awake"),
        "lone_quarter": Value(1 / each, "%", "One expert of a chip"),
        "lone_wait": Value(experts / picks / each, "x", "Waits for, against even reading, at least", slips=(whole,)),
        "lone_shared": Value(1 - apart, "%", "Layers in which two share a chip"),
    }


def designing() -> dict[str, Value]:
    """6: Kimi K2 on 64 chips: eight nodes, or a part of one rack."""
    node = Scenario.named("kimi-k2", "hgx-b200", "fp8")
    chips = NODES * node.system.chips
    inside, outside = links(node)
    experts, picks = node.model.routed
    step = batching.step_time(1, CONTEXT, **node.times(NODES).step_arguments())
    sent, layers = sent_bytes(node.model, 1 / chips), node.model.expert_layers
    leaving = moe.leaving_share(NODES)
    remote = routing.remote_groups(experts, picks, NODES)
    each = {
        "rack": moe.leaving_share(chips) * sent / inside,
        "nodes": moe.link_seconds(sent, leaving, inside, outside).bound,
        "copy": max(sent / inside, sent * remote / picks / outside),
    }
    hidden = {
        key: moe.hidden_batch(layers * seconds, step.weights, step.cache, step.compute, readings=2)
        for key, seconds in each.items()
    }
    reached = hidden["nodes"]
    halves = 2 * step.weights + reached * step.cache
    once = slips.forgotten(2, "each half reads all weights")
    single = slips.Slip(float(1 - step.weights / halves), "Halves read all weights twice.")
    opened = step.weights + reached * (step.cache + layers * each["rack"])
    unsent = slips.Slip(float(1 - reached * layers * each["rack"] / opened), "The rack sends after it has read.")
    return {
        "design_nodes": Value(NODES, "", "Nodes"),
        "design_chips": Value(chips, "", "Chips"),
        "design_context": Value(CONTEXT, "tokens", "Context", 9),
        "design_total": Value(node.weight_bytes, "B", "Weights"),
        "design_token": Value(node.kv_bytes_per_token, "B", "Cache of a token"),
        "design_bandwidth": Value(node.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
        "design_layers": Value(layers, "", "Layers with experts"),
        "design_width": Value(node.model.known("d_model"), "", "Width", 9),
        "design_picks": Value(picks, "", "Experts of a token"),
        "design_in": Value(inside, "B/s", "Link within"),
        "design_out": Value(outside, "B/s", "Link out"),
        "design_leaves": Value(leaving, "%", "Leaves a node"),
        "design_rack": Value(layers * each["rack"], "s", "Exchange of a sequence, rack"),
        "design_spread": Value(layers * each["nodes"], "s", "Exchange of a sequence, nodes"),
        "design_copy": Value(layers * each["copy"], "s", "with one copy a node"),
        "design_copies": Value(remote, "", "Copies that leave, one a node"),
        "design_each": Value(picks * leaving, "", "Copies that leave, one an expert"),
        "design_weights": Value(step.weights, "s", "Weights"),
        "design_cache": Value(step.cache, "s", "Cache of a sequence"),
        "design_hidden": Value(hidden["nodes"], "sequences", "Hidden up to, nodes", slips=once),
        "design_hidden_copy": Value(hidden["copy"], "sequences", "Hidden up to, one copy a node", slips=once),
        "design_halves": Value(halves, "s", "Step of that batch in halves, nodes", slips=(single,)),
        "design_opened": Value(opened, "s", "The same in turn, rack", slips=(unsent,)),
        "design_slower": Value(halves / opened, "x", "Nodes slower by"),
    }


def criticising() -> dict[str, Value]:
    """7: sixty-four experts at two sizes of base."""
    large = gain(37e9, 64, "s-base")
    return {
        "law_small": Value(gain(370e6, 64, "s-base"), "x", "At 370M"),
        "law_large": Value(large, "x", "At 37B"),
        "law_size": Value(37e9, "parameters", "A larger base"),
        "law_growth": Value(routed_scaling.expanded_params(1.0, 64, ROUTED_SHARE), "x", "Parameters, about", 2),
    }


def exercise() -> Answer:
    """All of them under one name."""
    parts = (placing, exchanging, spreading, allowing, waking, designing, criticising)
    return Answer(finding="The exercises", values={name: value for part in parts for name, value in part().items()})


FIGURES = (
    Figure(
        name="moe/exercise", compute=exercise, sources=("kimi-k2-repo", "qwen3-paper", "aiconfigurator", "clark-paper")
    ),
)
