"""The example of lecture 1: Llama 3 70B in FP8 on eight H100."""

from __future__ import annotations

from calc import batching, catalog
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario

CHUNK = 512  # tokens


def worked() -> Answer:
    """Llama 3 70B in FP8 on eight H100."""
    where = Scenario.named(*OPENING)
    most = largest_batch(where, EXAMPLE_CONTEXT)
    alone, crowd = (batching.step_time(batch, EXAMPLE_CONTEXT, **where.step_arguments()) for batch in (1, CROWD))
    rent = catalog.rent(where.system.id).dollars_per_chip_hour * where.system.chips
    model, attention = where.model, EXAMPLE_CONTEXT * where.setting.attention_flops_per_token
    return Answer(
        finding=f"{model.name} in FP8 on {where.system.name}",
        values={
            "params": Value(model.total_params, "parameters", "Parameters"),
            "flops": Value(where.flops, "FLOP/s", "Arithmetic", 4),
            "bandwidth": Value(where.bandwidth, "B/s", "Memory bandwidth"),
            "chip_bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
            "compute": Value(alone.compute, "s", "Arithmetic of one sequence"),
            "weights": Value(alone.weights, "s", "Reading the weights", 4),
            "cache": Value(alone.cache, "s", "Reading the cache of one sequence"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "context": Value(EXAMPLE_CONTEXT, "tokens", "Context", 9),
            "sequence": Value(EXAMPLE_CONTEXT * where.kv_bytes_per_token, "B", "Cache of a sequence", 4),
            "layers": Value(model.known("layers"), "layers", "Layers"),
            "kv_heads": Value(model.known("kv_heads"), "", "Key-value heads"),
            "head_dim": Value(model.known("head_dim"), "", "Width of a head"),
            "ratio": Value(alone.weights / alone.compute, "", "Weights over arithmetic, one sequence"),
            "even": Value(EXAMPLE_CONTEXT * alone.compute / alone.cache, "tokens", "Cache as long as arithmetic"),
            "crowd_compute": Value(crowd.compute, "s", "Arithmetic of a hundred"),
            "crowd_read": Value(crowd.memory, "s", "Reading for a hundred"),
            "attention": Value(attention / (2 * model.active_params), "%", "Attention's arithmetic, of the rest"),
            "alone_read": Value(alone.memory, "s", "Reading for one", 4),
            "crowd": Value(CROWD, "", "A hundred"),
            "crowd_cache": Value(crowd.cache, "s", "Reading a hundred caches", 4),
            "full": Value(most, "", "Sequences in a full memory"),
            "ridge": Value(where.flops / where.bandwidth, "", "Operations while a byte is read"),
            "ceiling": Value(crowd.memory / crowd.weights, "x", "A hundred's reading over the weights'"),
            "growth": Value(crowd.cache / crowd.weights, "", "A hundred caches over the weights"),
            "memory": Value(where.hbm_bytes, "B", "Memory"),
            "drain": Value(batching.read_seconds(where.hbm_bytes, where.bandwidth), "s", "Drain time"),
            "weight_bytes": Value(where.weight_bytes, "B", "Weights"),
            "alone_price": Value(alone.bound * CROWD / crowd.bound, "x", "Price alone, over that among a hundred"),
            "crowd_longer": Value(crowd.bound / alone.bound, "x", "Step of a hundred over that of one"),
            "rent": Value(rent, "$/h", "Rent of the node"),
            "crowd_lasts": Value(MILLION * crowd.bound, "s", "A million steps of a hundred last"),
            **prompted(float(alone.compute), crowd),
        },
    )


def prompted(token: float, crowd: batching.StepTime) -> dict[str, Value]:
    """A prompt as long as the others' contexts, read whole in a step of theirs.

    By the simplest bound a token of it multiplies for as long as a sequence's does, and is read for nothing.
    """
    arithmetic = EXAMPLE_CONTEXT * token
    return {
        "whole_compute": Value(arithmetic, "s", "Arithmetic of a whole prompt"),
        "whole_step": Value(max(crowd.compute + arithmetic, crowd.memory), "s", "Step with a whole prompt"),
        "chunk_tokens": Value(CHUNK, "tokens", "A chunk"),
    }


FIGURES = (Figure(name="batching/worked", compute=worked, sources=("llama-models", "aiconfigurator")),)
