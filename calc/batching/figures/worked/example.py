"""The example of lecture 1: Llama 3 70B in FP8 on eight H100."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from calc import batching, catalog
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING, cheapest_seconds, largest_batch
from calc.batching.figures.shared import ANSWER
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import MILLION
from calc.setting import Scenario
from calc.step import decode, prefill
from calc.step.forecasting import forecast_of

CHUNK = 512  # tokens
FEW = 10  # sequences


def worked() -> Answer:
    """Llama 3 70B in FP8 on eight H100."""
    where = Scenario.named(*OPENING)
    most = largest_batch(where, EXAMPLE_CONTEXT)
    alone, few, crowd, full = (
        batching.step_time(batch, EXAMPLE_CONTEXT, **where.step_arguments()) for batch in (1, FEW, CROWD, most)
    )
    model, attention = where.model, EXAMPLE_CONTEXT * where.setting.attention_flops_per_token
    return Answer(
        finding=f"{model.name} in FP8 on {where.system.name}",
        values={
            "params": Value(model.total_params, "parameters", "Parameters"),
            "flops": Value(where.flops, "FLOP/s", "Arithmetic"),
            "bandwidth": Value(where.bandwidth, "B/s", "Memory bandwidth"),
            "compute": Value(alone.compute, "s", "Arithmetic of one sequence"),
            "weights": Value(alone.weights, "s", "Reading the weights"),
            "cache": Value(alone.cache, "s", "Reading the cache of one sequence"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "context": Value(EXAMPLE_CONTEXT, "tokens", "Context", 9),
            "sequence": Value(EXAMPLE_CONTEXT * where.kv_bytes_per_token, "B", "Cache of a sequence"),
            "layers": Value(model.known("layers"), "layers", "Layers"),
            "kv_heads": Value(model.known("kv_heads"), "", "Key-value heads"),
            "head_dim": Value(model.known("head_dim"), "", "Width of a head"),
            "ratio": Value(alone.weights / alone.compute, "", "Weights over arithmetic, one sequence"),
            "even": Value(EXAMPLE_CONTEXT * alone.compute / alone.cache, "tokens", "Cache as long as arithmetic"),
            "crowd_compute": Value(crowd.compute, "s", "Arithmetic of a hundred"),
            "crowd_read": Value(crowd.memory, "s", "Reading for a hundred"),
            "crowd_busy": Value(crowd.utilisation, "%", "Multipliers busy, a hundred"),
            "attention": Value(attention / (2 * model.active_params), "%", "Attention's arithmetic, of the rest"),
            "alone_read": Value(alone.memory, "s", "Reading for one"),
            "crowd": Value(CROWD, "", "A hundred"),
            "crowd_cache": Value(crowd.cache, "s", "Reading a hundred caches"),
            "full": Value(most, "", "Sequences in a full memory"),
            "full_compute": Value(full.compute, "s", "Arithmetic of a full memory"),
            "full_cache": Value(full.cache, "s", "Reading its caches"),
            "full_read": Value(full.memory, "s", "Reading for a full memory"),
            "ridge": Value(where.flops / where.bandwidth, "", "Operations while a byte is read"),
            "ceiling": Value(crowd.memory / crowd.weights, "x", "A hundred's reading over the weights'"),
            "growth": Value(crowd.cache / crowd.weights, "", "A hundred caches over the weights"),
            "memory": Value(where.hbm_bytes, "B", "Memory"),
            "chip_memory": Value(where.chip.hbm_bytes, "B", "Memory of a chip"),
            "drain": Value(batching.read_seconds(where.hbm_bytes, where.bandwidth), "s", "Drain time"),
            **rented(where, {"alone": (1, alone.bound), "crowd": (CROWD, crowd.bound), "full": (most, full.bound)}),
            **modes({"alone": (1, alone.bound), "few": (FEW, few.bound), "full": (most, full.bound)}, crowd.bound),
            "few_read": Value(few.memory, "s", "Reading for ten"),
            "crowd_lasts": Value(MILLION * crowd.bound, "s", "A million steps of a hundred last"),
            **expected(where),
            **chunked(where, float(alone.compute), crowd),
        },
    )


def rented(where: Scenario, steps: Mapping[str, tuple[float, Any]]) -> dict[str, Value]:
    """The bound on a token's cost for each batch, at what a chip rents for in the middle of the market."""
    rent = catalog.rent(where.system.id).dollars_per_chip_hour * where.system.chips
    cheapest = cheapest_seconds(where, EXAMPLE_CONTEXT)
    spent = {key: batching.dollars_per_token(batch, step, rent) for key, (batch, step) in steps.items()}
    return {f"{key}_cost": Value(each * MILLION, "$/Mtok", f"A token, {key}") for key, each in spent.items()} | {
        "endless_cost": Value(batching.dollars_per_token(1, cheapest, rent) * MILLION, "$/Mtok", "A token, endless"),
        "rent": Value(rent, "$/h", "Rent of the node"),
        "crowd_steps": Value(spent["crowd"] * CROWD * MILLION, "$", "A million steps of a hundred"),
    }


def modes(steps: Mapping[str, tuple[float, Any]], ordinary: Any) -> dict[str, Value]:
    """Speed and price of each batch at the same rent, as multiples of those of the hundred."""
    return {f"{key}_speed": Value(ordinary / step, "x", f"Speed, {key}") for key, (_, step) in steps.items()} | {
        f"{key}_price": Value(step / batch * CROWD / ordinary, "x", f"Price of a token, {key}")
        for key, (batch, step) in steps.items()
    }


def expected(where: Scenario) -> dict[str, Value]:
    """The forecasts that stand beside the bounds: of one sequence alone, and of the hundred."""
    alone, crowd = (forecast_of(decode(where.setting, batch, EXAMPLE_CONTEXT)) for batch in (1, CROWD))
    return {
        "alone_forecast": Value(alone.seconds, "s", "Step of one sequence, forecast"),
        "crowd_forecast": Value(crowd.seconds, "s", "Step of a hundred, forecast"),
        "crowd_low": Value(crowd.band_80[0], "s", "Four of five lie above"),
        "crowd_high": Value(crowd.band_80[1], "s", "and below"),
    }


def chunked(where: Scenario, token: float, crowd: batching.StepTime) -> dict[str, Value]:
    """A prompt as long as the others' contexts beside their steps: whole, in chunks, and for as long as answers come.

    By the simplest bound a token of it multiplies for as long as a sequence's does, and is read for nothing.
    """
    chunks = math.ceil(EXAMPLE_CONTEXT / CHUNK)
    arithmetic = {
        "whole": EXAMPLE_CONTEXT * token,
        "chunk": CHUNK * token,
        "steady": CROWD / ANSWER * EXAMPLE_CONTEXT * token,
    }
    steps = {key: max(crowd.compute + each, crowd.memory) for key, each in arithmetic.items()}
    last = prefill(where.setting, 1, CHUNK, cached=EXAMPLE_CONTEXT - CHUNK)
    return {
        **{f"{key}_compute": Value(each, "s", f"Arithmetic of prompts, {key}") for key, each in arithmetic.items()},
        "whole_step": Value(steps["whole"], "s", "Step with a whole prompt"),
        "steady_step": Value(steps["steady"], "s", "Step with a tenth of a prompt"),
        "chunk_tokens": Value(CHUNK, "tokens", "A chunk"),
        "chunk_turn": Value(last.in_turn_seconds, "s", "The last chunk, its operations in turn"),
        "chunks": Value(chunks, "steps", "Chunks of the prompt"),
        "chunked_first": Value(chunks * steps["chunk"], "s", "Its first token, in chunks, at least"),
    }


FIGURES = (Figure(name="batching/worked", compute=worked, sources=("llama-models", "aiconfigurator")),)
