"""Kimi K2 in FP8 on nodes of eight H100: decoding."""

from __future__ import annotations

import math

from calc import batching, pipelining
from calc.batching.figures.shared import AWAKE
from calc.batching.touched import touched_share
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.pipelining.figures.setting import (
    HOP_BYTES,
    HOP_LATENCY,
    OPENING,
    SLOW_HOP,
    STAGES,
    hop,
    in_a_row,
    read_together,
    step_alone,
    way_out,
)
from calc.setting import Layout, Scenario
from calc.step import prefill

PROMPT, PIECES, MANY_PIECES = 100_000, 16, 64
DENSE_BATCH = 512  # of the default context; four stages have room for the caches
STREAMS = 9  # widths that a token of Kimi K3 can need in a later stage: eight blocks and its own
SMALL = 64  # sequences of a micro-batch that leaves experts asleep
FEWER = BATCH.default / STAGES  # sequences of a micro-batch, where the users of one machine are divided


def worked() -> Answer:
    """Kimi K2 in FP8 on nodes of eight H100: decoding."""
    where = Scenario.named(*OPENING)
    step = step_alone(where, BATCH.default, CONTEXT.default)
    each = hop(where, BATCH.default, HOP_LATENCY)
    ring = pipelining.decode_cycle(step, STAGES, STAGES, each, HOP_LATENCY)
    fill = pipelining.micro_batches_to_fill(step, STAGES, each, HOP_LATENCY)
    read = prefill(where.setting.with_layout(Layout()), 1, PROMPT).bound_seconds / where.system.chips
    per_layer = step / where.model.known("layers")
    dense = Scenario.named("llama-3-405b", *OPENING[1:])
    dense_layer = step_alone(dense, DENSE_BATCH, CONTEXT.default) / dense.model.known("layers")
    width = where.model.known("d_model")
    outside = way_out(where)[1]
    return Answer(
        finding=f"{where.model.name} in FP8 on {where.system.name}",
        values={
            "stages": Value(STAGES, "", "Stages"),
            "batch": Value(BATCH.default, "sequences", "Micro-batch", 9),
            "context": Value(CONTEXT.default, "tokens", "Context", 9),
            "step": Value(step, "s", "A step on one machine"),
            "slot": Value(step / STAGES, "s", "on one of four stages"),
            "hop": Value(each, "s", "A hop"),
            "wanted": Value(ring.crossing * STAGES / step, "", "Micro-batches to fill, not rounded"),
            "fill": Value(fill, "", "Micro-batches to fill"),
            "full": Value(
                pipelining.decode_cycle(step, STAGES, fill, each, HOP_LATENCY).seconds, "s", "A token with those"
            ),
            "token": Value(ring.seconds, "s", "A token with one for each stage"),
            "token_slow": Value(
                pipelining.decode_cycle(step, STAGES, STAGES, each, SLOW_HOP).seconds, "s", "with a slow way back"
            ),
            "idle": Value(ring.idle_share, "%", "Stages then wait", 2),
            "prompt": Value(PROMPT, "tokens", "A prompt", 9),
            "pieces": Value(PIECES, "", "Pieces"),
            "read_alone": Value(read, "s", "Read on one machine, at least"),
            "read_in_row": Value(
                pipelining.prompt_seconds(read, STAGES, PIECES, weight_seconds=where.weight_bytes / where.bandwidth),
                "s",
                "on four in a row, before hops",
            ),
            "hop_bytes": Value(BATCH.default * width * HOP_BYTES, "B", "Bytes of a hop, counted"),
            "sending": Value(hop(where, BATCH.default), "s", "Bytes of a hop"),
            "layer": Value(per_layer, "s", "Work of a layer, at least"),
            "layer_over": Value(per_layer / hop(where, BATCH.default), "x", "Work of a layer over the bytes of a hop"),
            "layer_over_all": Value(
                per_layer / hop(where, BATCH.default) / STREAMS, "x", f"over those of {STREAMS} widths", 2
            ),
            "dense_batch": Value(DENSE_BATCH, "sequences", "Micro-batch of Llama 3.1 405B", 9),
            "dense_hop": Value(hop(dense, DENSE_BATCH), "s", "Bytes of a hop, Llama 3.1 405B"),
            "dense_layer": Value(dense_layer, "s", "Work of a layer of it, at least"),
            "width": Value(width, "numbers", "Width of a token", 9),
            "latency": Value(HOP_LATENCY, "s", "Latency of a hop"),
            "guessed": Value(SLOW_HOP / each, "x", "The guessed hop over that"),
            "hop_one": Value(
                pipelining.hop_seconds(BATCH.default, width, links=1, link_bandwidth=outside), "s", "over a single link"
            ),
            "link_out": Value(outside, "B/s", "Link out"),
            "bandwidth": Value(where.bandwidth, "B/s", "Memories of a machine are read at"),
            "each": Value(where.kv_bytes_per_token, "B", "Cache of a token of context"),
            "caches": Value(_cache_seconds(where), "s", "Caches of a micro-batch, read"),
            "hops": Value(ring.seconds - step, "s", "Hops of a round, and the way back"),
            "all_chips": Value(where.chips * STAGES, "chips", "Chips of the row"),
            "together": Value(
                read_together(where, BATCH.default, CONTEXT.default), "s", "A step on all of them as one machine", 4
            ),
            "rate": Value(BATCH.default / ring.seconds, "tokens/s", "Tokens of a node of the row"),
            **_divided(where),
            **_small(where, float(read)),
        },
    )


def _divided(where: Scenario) -> dict[str, Value]:
    """The users of one machine, divided among the machines of the row."""
    token = in_a_row(where, FEWER, CONTEXT.default, STAGES)
    return {
        "fewer": Value(FEWER, "sequences", "Micro-batch, users divided"),
        "fewer_token": Value(token, "s", "A token, users divided"),
        "fewer_rate": Value(FEWER / token, "tokens/s", "Tokens of a node then"),
    }


def _cache_seconds(where: Scenario) -> float:
    """Seconds in which a machine reads the caches of a micro-batch."""
    return BATCH.default * CONTEXT.default * where.kv_bytes_per_token / where.bandwidth


def _small(where: Scenario, read: float) -> dict[str, Value]:
    """Micro-batches that leave experts asleep, and pieces of a prompt, which read the weights as they do."""
    experts, picks = where.model.routed
    weights = float(batching.read_seconds(where.weight_bytes, where.bandwidth))
    waking = math.ceil(math.log(1 - AWAKE) / math.log1p(-picks / experts))
    return {
        "waking": Value(waking, "sequences", "that wake all experts but one in a hundred", 2),
        "small": Value(SMALL, "sequences", "A small micro-batch"),
        "small_share": Value(touched_share(SMALL, experts, picks), "%", "Experts that it wakes", 2),
        "small_step": Value(step_alone(where, SMALL, CONTEXT.default), "s", "Its step, at least"),
        "most_pieces": Value(math.floor(read / weights), "", "Pieces that still take as long as the weights"),
        "piece": Value(PROMPT * weights / read, "tokens", "Tokens of such a piece", 2),
        "many_pieces": Value(MANY_PIECES, "", "More pieces than that"),
        "read_in_many": Value(
            pipelining.prompt_seconds(read, STAGES, MANY_PIECES, weight_seconds=weights), "s", "in so many, in a row"
        ),
    }


FIGURES = (Figure(name="pipelining/worked", compute=worked, sources=("kimi-k2-repo", "aiconfigurator")),)
