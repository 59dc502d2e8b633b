"""Lecture 3's sixth exercise: Llama 3.1 405B in BF16 on two nodes of eight H100, by stages or by slices."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calc import pipelining
from calc.figure import slips
from calc.figure.declared import Value
from calc.pipelining.figures.setting import hop, in_a_row, step_alone, way_out
from calc.setting import Layout, Scenario

BATCH, CONTEXT = 20, 11_700  # neither largest batch lies close to a whole number, and both are counts below 100
LATENCY = 10e-6
REDUCTIONS = 2  # sums over chips that a dense layer needs: after attention and after the feed-forward part


def two_nodes() -> dict[str, Value]:
    """6: the numbers that it asks for or answers with."""
    where = Scenario.named("llama-3-405b", "hgx-h100", "bf16")
    both = where.times(2)
    stages, slices = in_a_row(where, BATCH, CONTEXT, 2, LATENCY), _sliced(both, 2 * BATCH)
    held = pipelining.chip_memory(
        where.weight_bytes, BATCH, CONTEXT, where.kv_bytes_per_token, chips_per_stage=where.chips, stages=2
    )
    cut = both.setting.with_layout(Layout(tensor=both.chips))
    room = where.chip.hbm_bytes - (where.weight_bytes + _twice(both)) / both.chips
    staged_most = math.floor((where.chip.hbm_bytes - held.weights) / (held.cache / BATCH))
    sliced_most = math.floor(room / float(cut.chip_kept_bytes(1, CONTEXT)))
    fullest_staged, fullest_sliced = in_a_row(where, staged_most, CONTEXT, 2, LATENCY), _sliced(both, sliced_most)
    layers, heads = where.model.known("layers"), where.model.known("kv_heads")
    one_copy = (where.weight_bytes + 2 * BATCH * CONTEXT * where.kv_bytes_per_token) / both.bandwidth
    shared = "Slices on more chips than there are key-value heads keep each head more than once."
    once = math.floor((where.chip.hbm_bytes - where.weight_bytes / both.chips) / (held.cache / BATCH))
    return {
        "design_batch": Value(BATCH, "sequences", "Micro-batch"),
        "design_both": Value(2 * BATCH, "sequences", "On their way"),
        "design_context": Value(CONTEXT, "tokens", "Context", 9),
        "design_layers": Value(layers, "", "Layers"),
        "design_width": Value(where.model.known("d_model"), "", "Width", 9),
        "design_heads": Value(heads, "", "Key-value heads"),
        "design_weights": Value(where.weight_bytes, "B", "Weights"),
        "design_each": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        "design_chip": Value(where.chip.hbm_bytes, "B", "Memory of a chip"),
        "design_bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Its bandwidth"),
        "design_link": Value(way_out(where)[1], "B/s", "Link out of a chip"),
        "design_latency": Value(LATENCY, "s", "Latency of a hop"),
        "design_twice": Value(_twice(both), "B", "Weights kept twice, by slices"),
        "design_copies": Value(both.chips / heads, "x", "Copies of a head, by slices"),
        "design_cache": Value(held.cache, "B", "Cache on a chip, by stages"),
        "design_held": Value(held.total, "B", "On a chip, by stages"),
        "design_cache_sliced": Value(
            2 * BATCH * float(cut.chip_kept_bytes(1, CONTEXT)), "B", "Cache on a chip, by slices"
        ),
        "design_held_sliced": Value(slices.held, "B", "On a chip, by slices"),
        "design_hop": Value(hop(where, BATCH, LATENCY), "s", "A hop"),
        "design_step": Value(step_alone(where, BATCH, CONTEXT), "s", "Step of a micro-batch"),
        "design_token": Value(
            stages,
            "s",
            "A token, by stages",
            slips=(slips.Slip(one_copy / stages, "One node works on a token at a time."),),
        ),
        "design_user": Value(1 / stages, "tokens/s", "A user, by stages"),
        "design_rate": Value(2 * BATCH / stages, "tokens/s", "Together, by stages"),
        "design_sums": Value(REDUCTIONS * layers, "", "Sums across nodes"),
        "design_sum": Value(slices.sum_each, "s", "A sum"),
        "design_sum_most": Value(
            (stages - slices.reading) / (REDUCTIONS * layers), "s", "A sum with which slices are no sooner"
        ),
        "design_sums_time": Value(slices.sums, "s", "All sums"),
        "design_half": Value(slices.reading, "s", "Reading, by slices"),
        "design_sliced": Value(
            slices.seconds,
            "s",
            "A token, by slices",
            slips=(slips.Slip((one_copy + slices.sums) / slices.seconds, shared),),
        ),
        "design_sliced_user": Value(1 / slices.seconds, "tokens/s", "A user, by slices"),
        "design_sliced_rate": Value(2 * BATCH / slices.seconds, "tokens/s", "Together, by slices"),
        "design_most": Value(
            2 * staged_most,
            "sequences",
            "Most sequences, by stages",
            slips=(slips.Slip(1 / 2, "Two micro-batches are in flight."),),
        ),
        "design_most_rate": Value(2 * staged_most / fullest_staged, "tokens/s", "Together with those, by stages"),
        "design_most_token": Value(fullest_staged, "s", "A token with those, by stages"),
        "design_sliced_most": Value(
            sliced_most, "sequences", "Most sequences, by slices", slips=(slips.Slip(2 * once / sliced_most, shared),)
        ),
        "design_sliced_most_rate": Value(
            sliced_most / fullest_sliced.seconds, "tokens/s", "Together with those, by slices"
        ),
        "design_sliced_most_token": Value(fullest_sliced.seconds, "s", "A token with those, by slices"),
    }


@dataclass(frozen=True)
class Sliced:
    """A step of layers that are cut over all chips of two nodes, and the bytes that a chip holds."""

    held: float
    reading: float
    sum_each: float
    sums: float

    @property
    def seconds(self) -> float:
        """Between two tokens: reading, and the sums across the nodes after it."""
        return self.reading + self.sums


def _twice(both: Scenario) -> float:
    """Bytes of the projections to keys and values that slices keep once more, as chips are more than heads."""
    cut, whole = (both.setting.with_layout(Layout(tensor=ways)) for ways in (both.chips, 1))
    return float(cut.chip_weight_bytes) * both.chips - float(whole.chip_weight_bytes)


def _sliced(both: Scenario, batch: float) -> Sliced:
    """Each chip reads its slices and the heads that it keeps, with the copies that too few heads make."""
    cut = both.setting.with_layout(Layout(tensor=both.chips))
    held = (both.weight_bytes + _twice(both)) / both.chips + float(cut.chip_kept_bytes(batch, CONTEXT))
    sum_each = hop(both, batch, LATENCY)
    sums = REDUCTIONS * both.model.known("layers") * sum_each
    return Sliced(held, held / both.chip.hbm_bandwidth, sum_each, sums)
