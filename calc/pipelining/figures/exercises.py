"""Lecture 3's exercises: every number that they ask for or answer with."""

from __future__ import annotations

import math

from calc import batching, pipelining
from calc.figure import slips
from calc.figure.declared import Answer, Figure, Value
from calc.moe.figures.setting import link_ratio
from calc.pipelining.figures.setting import (
    OPENING,
    chip_memory,
    copies,
    free_layers,
    hop,
    largest_micro_batch,
    step_alone,
    waiting_share,
    way_out,
)
from calc.pipelining.figures.setting import STAGES as ROW
from calc.pipelining.figures.two_nodes import two_nodes
from calc.pipelining.figures.worked.usual import full_row, full_spread
from calc.setting import Scenario

STAGES, FEW, MANY = 8, 2, 32  # with few in flight, stages wait for another share than they work
WANTED = 0.05
LONG = 36_000  # no answer lies close to a whole number, nor does one by the memory that the page prints
BOUNDARY_BATCH, BOUNDARY_CONTEXT = 512, 8192
SPLIT = 4
STEP, LATER = 0.03, 0.1
SLOWER = 3


def recall() -> dict[str, Value]:
    """1: waits of a row that decodes, and the bubble of a training step."""
    bubble = waiting_share("1f1b", STAGES, MANY)
    enough = math.ceil((STAGES - 1) * (1 / WANTED - 1))
    said = "This is waiting over work; the share is that of the whole step."
    over_work = slips.Slip(1 / (1 - bubble), said)
    return {
        "stages": Value(STAGES, "", "Stages"),
        "waits": Value(pipelining.decode_cycle(1, STAGES, FEW, 0).idle_share, "%", "A stage waits, decoding"),
        "many": Value(MANY, "", "Micro-batches"),
        "bubble": Value(bubble, "%", "Bubble in training", slips=(over_work,)),
        "wanted": Value(WANTED, "%", "Wanted"),
        "enough": Value(
            enough,
            "",
            f"Micro-batches for {WANTED:.0%}",
            slips=(slips.Slip((STAGES - 1) / WANTED / enough, said),),
        ),
    }


def boundaries() -> dict[str, Value]:
    """2: two mixtures with few experts a token."""
    found: dict[str, Value] = {
        "free_batch": Value(BOUNDARY_BATCH, "sequences", "Micro-batch", 9),
        "free_context": Value(BOUNDARY_CONTEXT, "tokens", "Context", 9),
    }
    for key, model, system in (("oss", "gpt-oss-120b", "gb200-nvl72"), ("mixtral", "mixtral-8x7b", "hgx-h100")):
        where = Scenario.named(model, system, "bf16")
        layer = step_alone(where, BOUNDARY_BATCH, BOUNDARY_CONTEXT) / where.model.known("layers")
        crossing = hop(where, BOUNDARY_BATCH) * where.chips  # over a single link
        least = pipelining.layers_for_a_hop(layer, crossing)
        free = free_layers(where, 1.0)
        found |= {
            f"{key}_hop": Value(crossing, "s", "A hop"),
            f"{key}_layer": Value(layer, "s", "Work of a layer, at least"),
            f"{key}_step": Value(layer * where.model.known("layers"), "s", "Step through all layers, at least"),
            f"{key}_width": Value(where.model.known("d_model"), "", "Width", 9),
            f"{key}_link": Value(way_out(where)[1], "B/s", "Link out"),
            f"{key}_least": Value(
                least, "", "Fewest layers by the slot", slips=_down(least, "the slot is shorter than a hop")
            ),
            f"{key}_copies": Value(copies(where), "", "Copies of a token that leave its chip"),
            f"{key}_ratio": Value(link_ratio(where), "", "Ratio of the links"),
            f"{key}_free": Value(free, "", "Fewest layers"),
            f"{key}_layers": Value(where.model.known("layers"), "", "Layers"),
            f"{key}_stages": Value(where.model.known("layers") // free, "", "Stages at most, by the exchange"),
        }
    return found


def fitting() -> dict[str, Value]:
    """3: Kimi K2 on nodes of eight H100."""
    where = Scenario.named("kimi-k2", "hgx-h100", "fp8")
    node = where.system
    least = pipelining.stages_to_hold(where.weight_bytes, node.chips, where.chip.hbm_bytes)
    most = {stages: largest_micro_batch(where, LONG, stages) for stages in (least, 2 * least)}
    rates = {count: math.floor(each) / step_alone(where, math.floor(each), LONG) for count, each in most.items()}
    limit = node.hbm_bytes / (LONG * where.kv_bytes_per_token)
    shared = {count: slips.Slip(count, "A micro-batch of every node shares the row's room.") for count in most}
    return {
        "k2_weights": Value(where.weight_bytes, "B", "Weights"),
        "k2_memory": Value(node.hbm_bytes, "B", "Memory of a node"),
        "k2_nodes": Value(least, "", "Nodes", slips=_down(least, "the weights do not fit")),
        "k2_each": Value(where.kv_bytes_per_token, "B", "Cache of a token", 5),
        "k2_context": Value(LONG, "tokens", "Context", 9),
        "k2_most": Value(math.floor(most[least]), "sequences", "Micro-batch", slips=(shared[least],)),
        "k2_most_twice": Value(
            math.floor(most[2 * least]), "sequences", "Micro-batch on twice as many", slips=(shared[2 * least],)
        ),
        "k2_rate": Value(rates[least], "tokens/s", "Tokens of a node, just these"),
        "k2_rate_twice": Value(rates[2 * least], "tokens/s", "Tokens of a node, twice as many"),
        "k2_limit": Value(math.floor(limit), "sequences", "on endlessly many"),
        "k2_floor": Value(where.weight_bytes / node.hbm_bandwidth, "s", "Latency floor"),
    }


def divided() -> dict[str, Value]:
    """4: a batch divided among the stages."""
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    batch, context = 2048.0, 4096.0
    whole = batching.step_time(batch, context, **where.step_arguments())
    part = batching.step_time(batch / SPLIT, context, **where.step_arguments())
    full = chip_memory(where, batch, context, SPLIT)
    split = chip_memory(where, batch / SPLIT, context, SPLIT)
    loss = 1 - whole.bound / SPLIT / part.bound
    layers = slips.Slip(SPLIT, "A stage keeps the caches of its own layers alone.")
    flight = slips.Slip(1 / SPLIT, "Each stage has a batch in flight.")
    shorter = slips.Slip(float((1 - 1 / SPLIT) / loss), "A smaller batch also has a shorter step.")
    return {
        "split": Value(SPLIT, "", "Stages"),
        "split_chips": Value(where.system.chips, "chips", "Chips of a rack"),
        "split_batch": Value(batch, "sequences", "Batch", 9),
        "split_part": Value(batch / SPLIT, "sequences", "Part of a stage"),
        "split_context": Value(context, "tokens", "Context", 9),
        "split_weights": Value(where.weight_bytes, "B", "Weights, each once"),
        "split_bandwidth": Value(where.bandwidth, "B/s", "Bandwidth"),
        "split_full": Value(full.cache, "B", "Cache on a chip, batch for every stage", slips=(layers, flight)),
        "split_cache": Value(split.cache, "B", "Cache on a chip, divided", slips=(layers,)),
        "split_step": Value(part.bound, "s", "Step of a part"),
        "whole_step": Value(whole.bound, "s", "Step of the batch"),
        "split_rate": Value(batch / part.bound, "tokens/s", "Tokens of four racks, divided"),
        "whole_rate": Value(SPLIT * batch / whole.bound, "tokens/s", "with a batch each"),
        "split_loss": Value(loss, "%", "Fewer", slips=(shorter,)),
    }


def hops() -> dict[str, Value]:
    """5: how long a hop may be."""
    each = LATER * STEP / SPLIT
    way_back = "This leaves out the way back from the last node to the first."
    fill = pipelining.micro_batches_to_fill(STEP, SPLIT, each)
    one_each = pipelining.decode_cycle(STEP, SPLIT, SPLIT, each)
    full = pipelining.decode_cycle(STEP, SPLIT, fill, each)
    others = slips.Slip(float(one_each.seconds / full.seconds), "More micro-batches than nodes queue.")
    return {
        "later": Value(LATER, "%", "Later"),
        "hop_step": Value(STEP, "s", "Step"),
        "hop_most": Value(each, "s", "Hop at most", slips=(slips.Slip(SPLIT / (SPLIT - 1), way_back),)),
        "hop_wanted": Value(one_each.crossing * SPLIT / STEP, "", "Micro-batches to fill, not rounded"),
        "hop_fill": Value(fill, "", "Micro-batches to fill", slips=_down(fill, "nodes still wait")),
        "hop_full": Value(full.seconds, "s", "A token with those", slips=(others,)),
        "hop_late": Value(full.seconds / STEP - 1, "%", "later than on one node"),
        "hop_kept": Value(one_each.seconds, "s", "A token with one for each node"),
        "hop_idle": Value(one_each.idle_share, "%", "Nodes then wait", 2),
    }


def slow_links() -> dict[str, Value]:
    """7: the three ways of the lecture's table, with slower sending between nodes."""
    where = Scenario.named(*OPENING)
    row, spread = full_row(where, where.setting, ROW), full_spread(where, where.setting)
    read, halved = spread.once - spread.sent, SLOWER * (spread.sent + spread.starts)
    once, in_row = read + SLOWER * spread.sent, row.token + (SLOWER - 1) * row.hops
    longer = "Halves send while they read, so the longer of both counts: now sending."
    most, rate = row.most / in_row, spread.fit / halved
    return {
        "slow_spread": Value(once, "s", "A token, spread"),
        "slow_halves": Value(
            halved,
            "s",
            "A token, in halves",
            slips=tuple(slips.Slip(each / halved, longer) for each in (spread.halved, spread.halved + halved)),
        ),
        "slow_row": Value(in_row, "s", "A token, in the row"),
        "slow_most": Value(
            most, "tokens/s", "A node, the best way", 2, slips=(slips.Slip(rate / most, "A row decodes more."),)
        ),
        "slow_halves_rate": Value(rate, "tokens/s", "A node, in halves", 2),
    }


def _down(count: float, why: str) -> slips.Slips:
    """The slip of rounding down what must be rounded up; none below one."""
    return (slips.Slip((count - 1) / count, f"Rounded down, {why}."),) if count > 1 else ()


def answers() -> Answer:
    """All of them, under one name."""
    values = recall() | boundaries() | fitting() | divided() | hops() | two_nodes() | slow_links()
    return Answer(finding="The numbers of the exercises", values=values)


EXERCISE = Figure(name="pipelining/exercise", compute=answers, sources=("aiconfigurator", "llama-3-paper"))
FIGURES = (EXERCISE,)
