"""A chip's memory in numbers: what it holds with stages and without."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.pipelining.figures.setting import (
    OPENING,
    STAGES,
    chip_memory,
    held_weights,
    in_a_row,
    largest_micro_batch,
    step_alone,
)
from calc.pipelining.figures.shared import files
from calc.pipelining.figures.worked.stages import first_stage, longest_share
from calc.setting import Scenario

BATCH_LONG, CONTEXT_LONG = 2400, 100_000
FILLED = (2, 4, 8)  # nodes of a row
DEEP = (1, 2, 3, 4)  # nodes that hold the weights of a row
THREE = 3  # nodes that just hold weights and caches
FEW = (1, 2)  # nodes of a row with the published files in four bits
TIMED = (("filled", STAGES), ("bits", FEW[1]))  # rows whose hops and tokens stand beside spread layers


def held() -> Answer:
    """The share of Kimi K2 and long contexts that a chip of a rack holds."""
    where = Scenario.named(OPENING[0], "gb200-nvl72", OPENING[2])
    limit = where.chip.hbm_bytes
    found = {stages: chip_memory(where, BATCH_LONG, CONTEXT_LONG, stages) for stages in (1, 2, 4, 8)}
    most = {stages: int(largest_micro_batch(where, CONTEXT_LONG, stages)) for stages in (1, 4)}
    saved = found[1].weights - found[STAGES].weights
    stored = held_weights(where)
    copied = stored / where.system.chips * (1 - 1 / STAGES)
    grown = [largest_micro_batch(where, CONTEXT_LONG, stages, stored) for stages in (1, STAGES)]
    values = {f"weights_{stages}": Value(each.weights, "B", "Weights") for stages, each in found.items()}
    values |= {f"share_{stages}": Value(each.cache_share, "%", "Cache") for stages, each in found.items()}
    return Answer(
        finding="What a chip holds of Kimi K2 and long contexts",
        values=values
        | {
            **_rows(),
            "stored": Value(stored, "B", "Weights on a rack, copies counted"),
            "stored_node": Value(held_weights(Scenario.named(*OPENING)), "B", "on a node"),
            "once": Value(where.weight_bytes, "B", "Weights, each once"),
            "chips": Value(where.system.chips, "", "Chips of a stage"),
            "batch": Value(BATCH_LONG, "sequences", "Micro-batch", 9),
            "context": Value(CONTEXT_LONG, "tokens", "Context", 9),
            "cache": Value(found[1].cache, "B", "Cache"),
            "memory": Value(limit, "B", "Memory"),
            "saved": Value(saved, "B", "Set free by four stages"),
            "saved_share": Value(saved / limit, "%", "of the memory", 2),
            "most_1": Value(most[1], "sequences", "Largest micro-batch, one stage", 9),
            "most_4": Value(most[4], "sequences", "with four", 9),
            "copied": Value(copied, "B", "Set free where attention is copied"),
            "copied_share": Value(copied / limit, "%", "of the memory", 3),
            "copied_more": Value(grown[1] / grown[0] - 1, "%", "More, where attention is copied", 2),
            "more": Value(most[4] / most[1] - 1, "%", "More", 2),
        },
    )


def _rows() -> dict[str, Value]:
    """Rows of nodes whose memories are full, and the cache of a chip with attention in equal parts and in slices."""
    where = Scenario.named(*OPENING)
    values: dict[str, Value] = {}
    for nodes in FILLED:
        values |= {f"filled_{nodes}": Value(nodes, "", "Nodes")} | _full(where, nodes, "filled", "Micro-batch")
    values |= _bits(where)
    alone, two, three, row = (chip_memory(where, BATCH.default, CONTEXT.default, count) for count in DEEP)
    even = row.cache
    copied = {
        nodes: first_stage(where.setting, nodes, where.chips) / where.chips
        + nodes * longest_share(where.model, nodes) * even
        for nodes in (THREE, STAGES)
    }
    return values | {
        "alone_weights": Value(alone.weights, "B", "Weights on a chip of a single node"),
        "row_wide": Value(
            row.weights + even * where.model.kv_bytes_per_token("bf16") / where.kv_bytes_per_token,
            "B",
            "Weights and a cache in BF16 on a chip of the row",
        ),
        "two": Value(two.total, "B", "with caches, in a row of two"),
        "three_copied": Value(copied[THREE], "B", "with copies"),
        "row_copied": Value(copied[STAGES], "B", "with copies"),
        "three_free": Value(where.hbm_bytes / where.chips - three.total, "B", "Free in a row of three", 1),
        "row": Value(row.total, "B", "with caches, in a row of four"),
        "even": Value(even, "B", "Cache on a chip of a node, in equal parts"),
        "whole": Value(even * where.system.chips, "B", "Latent cache on a chip, attention sliced by heads"),
    }


def _bits(where: Scenario) -> dict[str, Value]:
    """The same with four bits as published, which one node has room for."""
    stored = files(where)
    values = {
        "bits_room": Value(where.hbm_bytes - stored, "B", "Room of a node beside the files in four bits"),
        "files": Value(stored, "B", "Weights with experts alone in four bits, scales counted"),
    }
    for nodes in FEW:
        values |= _full(where, nodes, "bits", "Micro-batch, four bits as published", stored)
    return values


def _full(where: Scenario, nodes: int, name: str, said: str, stored: float = 0) -> dict[str, Value]:
    """A row whose memory is full: its micro-batch, the step, and the tokens of a node, hops counted."""
    most = int(largest_micro_batch(where, CONTEXT.default, nodes, stored))
    step = step_alone(where, most, CONTEXT.default, stored)
    token = in_a_row(where, most, CONTEXT.default, nodes, stored=stored)
    timed = {
        f"{name}_hops_{nodes}": Value(token - step, "s", "Hops of a round, and the way back"),
        f"{name}_token_{nodes}": Value(token, "s", "A token, at best, every"),
    }
    return {
        f"{name}_most_{nodes}": Value(most, "sequences", said, 9),
        f"{name}_step_{nodes}": Value(step, "s", "Step, at least"),
        f"{name}_rate_{nodes}": Value(most / token, "tokens/s", "Tokens of a node"),
    } | (timed if (name, nodes) in TIMED else {})


FIGURES = (
    Figure(
        name="pipelining/held",
        compute=held,
        sources=("kimi-k2-repo", "kimi-k2.5-repo", "kimi-int4", "aiconfigurator"),
    ),
)
