"""Lecture 4's exercises: every number that they ask for or answer with."""

from __future__ import annotations

from calc import batching, catalog, memory_wall
from calc.catalog import System
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall import attention, sparse_attention
from calc.memory_wall.figures.journey import HUGE, journey
from calc.memory_wall.figures.setting import DESIGNED, slope
from calc.memory_wall.figures.shared import kernel_seconds, largest_model
from calc.pipelining.figures.setting import held_weights
from calc.setting import Scenario

ASKED = 100.0  # tokens a second
SET_ASIDE = 0.25
BATCH, CONTEXT, STAGES = 2400.0, 100_000.0, 4
LONG = 1e6
KEPT_BLOCKS = 8.0
LAYERS, EVERY, HEADS, WIDTH, WINDOW = 60, 6, 8, 128, 1024


def recall() -> dict[str, Value]:
    """1: two floors, and the factors between them."""
    model = catalog.model("kimi-k2")
    before, after = catalog.system("hgx-h200"), catalog.system("gb300-nvl72")
    weights = model.weight_bytes("fp8")
    gain = memory_wall.domain_gain(
        after.chips, after.chip.hbm_bandwidth, chips_before=before.chips, bandwidth_before=before.chip.hbm_bandwidth
    )
    return {
        "recall_before_each": Value(before.chip.hbm_bandwidth, "B/s", "Memory bandwidth of an H200"),
        "recall_after_each": Value(after.chip.hbm_bandwidth, "B/s", "of a GB300"),
        "recall_weights": Value(weights, "B", "Weights"),
        "recall_before": _floor(weights, before, "Floor on eight H200"),
        "recall_after": _floor(weights, after, "Floor on 72 GB300"),
        "recall_gain": Value(gain.total, "x", "Gain"),
        "recall_chips": Value(gain.chips, "x", "More chips"),
        "recall_bandwidth": Value(gain.bandwidth, "x", "Faster memory"),
    }


def _floor(weights: float, row: System, label: str) -> Value:
    wrong = slips.of_all(row.chips) + slips.BYTES_OF_A_NUMBER
    return Value(batching.read_seconds(weights, row.hbm_bandwidth), "s", label, slips=wrong)


def size() -> dict[str, Value]:
    """5: the largest model for a fast service."""
    found = largest_model(catalog.system("gb300-nvl72"), "fp4", ASKED, SET_ASIDE)
    half = largest_model(catalog.system("gb300-nvl72"), "fp4", ASKED / 4, SET_ASIDE)
    excess = float(half.total_by_bandwidth / half.total)
    in_time = slips.Slip(excess, "So many are read in time: do they have room?")
    kernels = kernel_seconds("deepseek-v3")
    later, slow_later = (
        largest_model(catalog.system("gb300-nvl72"), "fp4", pace, SET_ASIDE, sums=kernels)
        for pace in (ASKED, ASKED / 4)
    )
    return {
        "size_chip": Value(catalog.chip("gb300").hbm_bytes, "B", "Memory of a chip"),
        "size_bandwidth": Value(catalog.chip("gb300").hbm_bandwidth, "B/s", "Its bandwidth"),
        "size_pace": Value(ASKED, "tokens/s", "Speed"),
        "size_aside": Value(SET_ASIDE, "%", "Set aside for caches"),
        "size_reads": Value(found.total_by_bandwidth, "parameters", "Read in time", slips=slips.BYTES_OF_A_NUMBER),
        "size_holds": Value(found.total_by_capacity, "parameters", "Held"),
        "size_slow": Value(ASKED / 4, "tokens/s", "A quarter of the speed"),
        "size_slow_reads": Value(half.total_by_bandwidth, "parameters", "Read in time then"),
        "size_slow_largest": Value(
            half.total,
            "parameters",
            "Largest then",
            slips=(in_time,),
        ),
        "size_kernels": Value(kernels, "s", "Kernels"),
        "size_later": Value(later.total, "parameters", "Largest with kernels"),
        "size_slow_later": Value(slow_later.total, "parameters", "Largest with kernels, at a quarter"),
        "size_drain": Value(_drain("gb300-nvl72"), "s", "Drain time"),
    }


def _drain(system: str) -> float:
    row = catalog.system(system)
    return batching.read_seconds(row.hbm_bytes, row.hbm_bandwidth)


def share() -> dict[str, Value]:
    """6: what a pipeline does to the share of the cache."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    one, four = (_fit(where, stages) for stages in (1, STAGES))
    return {
        "share_batch": Value(BATCH, "sequences", "Batch", 9),
        "share_context": Value(CONTEXT, "tokens", "Context", 9),
        "share_stages": Value(STAGES, "", "Stages"),
        "share_once": Value(where.weight_bytes, "B", "Weights, once"),
        "share_each": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        "share_stored": Value(one.weights, "B", "Weights, every copy"),
        "share_cache": Value(one.cache, "B", "Caches"),
        "share_one": Value(one.cache_share, "%", "Share of the caches, one domain"),
        "share_four": Value(four.cache_share, "%", "Share of the caches, four"),
        "share_weights_each": Value(four.weights / STAGES, "B", "Weights of a stage"),
        "share_needed": Value(one.needed, "B", "In one domain"),
        "share_needed_each": Value(four.needed / STAGES, "B", "In each of four"),
    }


def _fit(where: Scenario, stages: int) -> memory_wall.DomainFit:
    return memory_wall.domain_fit(
        BATCH,
        CONTEXT,
        weight_bytes=held_weights(where),
        kv_bytes_per_token=where.kv_bytes_per_token,
        chips=where.system.chips,
        hbm_bytes=where.chip.hbm_bytes,
        stages=stages,
    )


def design() -> dict[str, Value]:
    """3: a cache of one's own."""
    full = LAYERS / EVERY
    per_layer = attention.grouped_elements(HEADS, WIDTH)
    pair = slips.either(2, "A head keeps a key and a value, two numbers for each of its width.")
    plain = attention.cache_elements(LAYERS, per_layer)
    mine = attention.cache_elements(full, per_layer)
    whole = attention.cache_elements(full, per_layer, full)
    at = {
        name: attention.cache_reduction(context, layers=LAYERS, full_layers=full, window=WINDOW)
        for name, context in (("short", 2 * WINDOW), ("long", LONG))
    }
    return {
        "design_layers": Value(LAYERS, "layers", "Layers"),
        "design_every": Value(EVERY, "", "One global layer in"),
        "design_heads": Value(HEADS, "", "Key-value heads"),
        "design_width": Value(WIDTH, "", "Width of a head"),
        "design_window": Value(WINDOW, "tokens", "Window", 9),
        "design_plain": Value(plain, "B", "All layers global", slips=pair),
        "design_mine": Value(mine, "B", "Growth with windows", slips=pair),
        "design_whole_read": Value(mine, "B", "Read with one cache for all global layers"),
        "design_whole": Value(whole, "B", "One cache for all global layers"),
        "design_short_at": Value(2 * WINDOW, "tokens", "A short context", 9),
        "design_long_at": Value(LONG, "tokens", "A long context", 9),
        "design_short": Value(at["short"], "x", "Smaller at a short context"),
        "design_long": Value(at["long"], "x", "Smaller at a long one"),
    }


def crossing() -> dict[str, Value]:
    """7: attention against weights."""
    qwen = catalog.model("qwen3-235b-a22b")
    a = slope(qwen)
    at = attention.overtaking_context(qwen.active_params, a)
    few = attention.attention_flops(10, qwen.known("heads"), qwen.known("head_dim"), qwen.known("head_dim"))
    return {
        "cross_layers": Value(qwen.known("layers"), "layers", "Layers"),
        "cross_heads": Value(qwen.known("heads"), "", "Query heads"),
        "cross_width": Value(qwen.known("head_dim"), "", "Width of a head"),
        "cross_active": Value(qwen.active_params, "parameters", "Active parameters"),
        "cross_slope": Value(a, "FLOP", "One token of context"),
        "cross_weights": Value(2 * qwen.active_params, "FLOP", "Weights"),
        "cross_at": Value(at, "tokens", "Overtakes at", slips=slips.MULTIPLY_ADD),
        "cross_few": Value(DESIGNED["layers"], "layers", "Few global layers"),
        "cross_few_at": Value(attention.overtaking_context(qwen.active_params, few), "tokens", "Overtakes then"),
    }


def choosing() -> dict[str, Value]:
    """8: blocks of the best length."""
    best = sparse_attention.best_block(LONG, KEPT_BLOCKS)
    reads = sparse_attention.block_reads(LONG, best, KEPT_BLOCKS)
    far = sparse_attention.block_reads(HUGE, sparse_attention.best_block(HUGE, KEPT_BLOCKS), KEPT_BLOCKS)
    stale = sparse_attention.block_reads(HUGE, best, KEPT_BLOCKS)
    all_blocks = slips.either(KEPT_BLOCKS**0.5, "Several whole blocks are read, not one.")
    one_part = slips.Slip(2.0, "Summaries and whole blocks are both read: this counts one of the two.")
    return {
        "block_context": Value(LONG, "tokens", "Context", 9),
        "block_kept": Value(KEPT_BLOCKS, "", "Blocks kept"),
        "block_best": Value(best, "tokens", "Best block", slips=all_blocks),
        "block_reads": Value(reads, "tokens", "Reads"),
        "block_saved": Value(LONG / reads, "x", "Saved", slips=(one_part,)),
        "block_far_context": Value(HUGE, "tokens", "A longer context", 9),
        "block_far_times": Value(far / reads, "x", "As much as before"),
        "block_stale_times": Value(stale / reads, "x", "As much as before, length unchanged"),
    }


def exercise() -> Answer:
    """The numbers of all exercises."""
    parts = (recall(), size(), share(), design(), crossing(), choosing(), journey())
    return Answer(
        finding="The exercises of lecture 4", values={name: value for part in parts for name, value in part.items()}
    )


FIGURES = (Figure(name="memory_wall/exercise", compute=exercise),)
