"""A chip's memory in numbers: what it holds with stages and without."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.pipelining.figures.setting import OPENING, STAGES, chip_memory, held_weights, largest_micro_batch
from calc.setting import Scenario

BATCH_LONG, CONTEXT_LONG = 2400, 100_000


def held() -> Answer:
    """The share of Kimi K2 and long contexts that a chip of a rack holds."""
    where = Scenario.named(OPENING[0], "gb200-nvl72", OPENING[2])
    limit = where.chip.hbm_bytes
    found = {stages: chip_memory(where, BATCH_LONG, CONTEXT_LONG, stages) for stages in (1, 2, 4, 8)}
    most = {stages: largest_micro_batch(where, CONTEXT_LONG, stages) for stages in (1, 4)}
    saved = found[1].weights - found[STAGES].weights
    values = {f"weights_{stages}": Value(each.weights, "B", "Weights") for stages, each in found.items()}
    values |= {f"share_{stages}": Value(each.cache_share, "%", "Cache") for stages, each in found.items()}
    return Answer(
        finding="What a chip holds of Kimi K2 and long contexts",
        values=values
        | {
            "stored": Value(held_weights(where), "B", "Weights on a rack, copies counted"),
            "stored_node": Value(held_weights(Scenario.named(*OPENING)), "B", "on a node"),
            "once": Value(where.weight_bytes, "B", "Weights, each once"),
            "chips": Value(where.system.chips, "", "Chips of a stage"),
            "batch": Value(BATCH_LONG, "sequences", "Micro-batch", 9),
            "context": Value(CONTEXT_LONG, "tokens", "Context", 9),
            "cache": Value(found[1].cache, "B", "Cache"),
            "memory": Value(limit, "B", "Memory"),
            "saved": Value(saved, "B", "Set free by four stages"),
            "saved_share": Value(saved / limit, "%", "of the memory", 2),
            "most_1": Value(most[1], "sequences", "Largest micro-batch, one stage"),
            "most_4": Value(most[4], "sequences", "with four"),
            "more": Value(most[4] / most[1] - 1, "%", "More", 2),
        },
    )


FIGURES = (Figure(name="pipelining/held", compute=held, sources=("kimi-k2-repo", "aiconfigurator")),)
