"""Kimi K2 in FP8 on nodes of eight H100: decoding."""

from __future__ import annotations

import numpy as np

from calc import pipelining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.shared import crossing
from calc.pipelining.figures.setting import OPENING, SLOW_HOP, STAGES, hop, step_alone, way_out
from calc.quantities.check import Quantity
from calc.setting import Layout, Scenario
from calc.step import decode, prefill

PROMPT, PIECES = 100_000, 16
LATENCY = 10e-6
DENSE_BATCH = 512  # of the default context; four stages have room for the caches
COPIES = {True: "one copy a node", False: "a copy for each expert"}
MICRO = np.geomspace(500, 8000, 201).astype(np.float64)  # micro-batches close enough for two digits


def worked() -> Answer:
    """Kimi K2 in FP8 on nodes of eight H100: decoding."""
    where = Scenario.named(*OPENING)
    step = step_alone(where, BATCH.default, CONTEXT.default)
    each = hop(where, BATCH.default, LATENCY)
    ring = pipelining.decode_cycle(step, STAGES, STAGES, each, LATENCY)
    fill = pipelining.micro_batches_to_fill(step, STAGES, each, LATENCY)
    read = prefill(where.setting.with_layout(Layout()), 1, PROMPT).bound_seconds / where.system.chips
    per_layer = step / where.model.known("layers")
    dense = Scenario.named("llama-3-405b", *OPENING[1:])
    dense_layer = step_alone(dense, DENSE_BATCH, CONTEXT.default) / dense.model.known("layers")
    width = where.model.known("d_model")
    inside, outside = way_out(where)
    sequences = BATCH.default * STAGES
    return Answer(
        finding=f"{where.model.name} in FP8 on {where.system.name}",
        values={
            "stages": Value(STAGES, "", "Stages"),
            "batch": Value(BATCH.default, "sequences", "Micro-batch", 9),
            "each": Value(BATCH.default / where.chips, "sequences", "of a chip"),
            "context": Value(CONTEXT.default, "tokens", "Context", 9),
            "step": Value(step, "s", "A step on one machine"),
            "slot": Value(step / STAGES, "s", "on one of four stages"),
            "hop": Value(each, "s", "A hop"),
            "wanted": Value(ring.crossing * STAGES / step, "", "Micro-batches to fill, not rounded"),
            "fill": Value(fill, "", "Micro-batches to fill"),
            "full": Value(
                pipelining.decode_cycle(step, STAGES, fill, each, LATENCY).seconds, "s", "A token with those"
            ),
            "token": Value(ring.seconds, "s", "A token with one for each stage"),
            "idle": Value(ring.idle_share, "%", "Stages then wait", 2),
            "chips": Value(where.system.chips, "", "Chips of a machine"),
            "prompt": Value(PROMPT, "tokens", "A prompt", 9),
            "pieces": Value(PIECES, "", "Pieces"),
            "read_alone": Value(read, "s", "Read on one machine, at least"),
            "read_in_row": Value(pipelining.prompt_seconds(read, STAGES, PIECES, each), "s", "on four in a row"),
            "sending": Value(hop(where, BATCH.default), "s", "Bytes of a hop"),
            "layer": Value(per_layer, "s", "Work of a layer, at least"),
            "dense_batch": Value(DENSE_BATCH, "sequences", "Micro-batch of Llama 3.1 405B", 9),
            "dense_hop": Value(hop(dense, DENSE_BATCH), "s", "Bytes of a hop, Llama 3.1 405B"),
            "dense_layer": Value(dense_layer, "s", "Work of a layer of it, at least"),
            "width": Value(width, "numbers", "Width of a token", 9),
            "latency": Value(LATENCY, "s", "Latency of a hop"),
            "guessed": Value(SLOW_HOP / each, "x", "The guessed hop over that"),
            "hop_one": Value(
                pipelining.hop_seconds(BATCH.default, width, links=1, link_bandwidth=outside), "s", "over a single link"
            ),
            "link_out": Value(outside, "B/s", "Link out"),
            "link_in": Value(inside, "B/s", "Link within"),
            "caches": Value(_cache_seconds(where), "s", "Caches of a micro-batch, read"),
            "all_chips": Value(where.chips * STAGES, "chips", "Chips of the row"),
            "all_sequences": Value(sequences, "sequences", "Sequences of the row", 9),
            "together": Value(_read_together(where, BATCH.default), "s", "A step on all of them as one machine"),
            **_over_slow_links(where),
        },
    )


def _cache_seconds(where: Scenario) -> float:
    """Seconds in which a machine reads the caches of a micro-batch."""
    return BATCH.default * CONTEXT.default * where.kv_bytes_per_token / where.bandwidth


def _over_slow_links(where: Scenario) -> dict[str, Value]:
    """Every layer spread over the nodes of the row: one copy of a token for a node, or one for each expert."""
    row = np.array([_row_token(where, micro) for micro in MICRO.tolist()])
    together = np.array([_read_together(where, micro) for micro in MICRO.tolist()])
    values: dict[str, Value] = {}
    for name, relay in (("once", True), ("apart", False)):
        sending = _spread_exchange(where, BATCH.default, relay)
        even = crossing(MICRO, together + _spread_exchange(where, MICRO, relay), row)
        values |= {
            name: Value(sending, "s", f"Crossing between nodes, {COPIES[relay]}"),
            f"spread_{name}": Value(_read_together(where, BATCH.default) + sending, "s", f"A token, {COPIES[relay]}"),
            f"even_{name}": Value(even, "sequences", f"Micro-batch from which the row wins, {COPIES[relay]}", 2),
        }
    return values


def _spread_exchange(where: Scenario, micro: Quantity, relay: bool) -> Quantity:
    """Seconds of a step on links between nodes, experts spread over all; every crossing starts after a latency."""
    layout = Layout(data=where.chips * STAGES, relay=relay)
    step = decode(where.setting.with_layout(layout), micro * STAGES, CONTEXT.default)
    crossings = sum(float(each.layers) for each in step.operations if np.any(each.scale_out))
    return step.scale_out_seconds + crossings * LATENCY


def _read_together(where: Scenario, micro: float) -> float:
    """Seconds in which all nodes read the weights and the caches of the row; within a node the exchange is free."""
    return step_alone(where, micro * STAGES, CONTEXT.default) / STAGES


def _row_token(where: Scenario, micro: float) -> float:
    """Seconds between two tokens in the row, with hops."""
    step = step_alone(where, micro, CONTEXT.default)
    return float(pipelining.decode_cycle(step, STAGES, STAGES, hop(where, micro, LATENCY), LATENCY).seconds)


FIGURES = (Figure(name="pipelining/worked", compute=worked, sources=("kimi-k2-repo", "aiconfigurator")),)
