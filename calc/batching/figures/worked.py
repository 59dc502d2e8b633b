"""Lecture 1 in numbers: the reader's scenario in symbols, and worked examples that do not change with it."""

from __future__ import annotations

import datetime as dt
import math

from calc import batching, catalog
from calc.batching import departures, fast_mode, touched
from calc.batching.figures.setting import balanced_batch, critical_context, latency_floor, penalty
from calc.batching.figures.shared import ANSWER, BLACKBOARD, day_step, rows
from calc.catalog import Deployment
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM, key
from calc.quantities.arithmetic import MONTH
from calc.setting import Scenario
from calc.step import decode, prefill
from calc.step.forecasting import forecast_of

EXAMPLE_CONTEXT = 10_000
CROWD = 100
CHUNK = 512  # tokens
SPARSITY_ON_THE_BLACKBOARD = 8
SEATS_SAID, DEPARTURES_SAID = 2000, 64
CRITICAL = ("deepseek-v3", "kimi-k2", "llama-3-70b")


def scenario(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """Every symbol at the reader's setting."""
    where = Scenario.named(model, system, precision)
    here = batching.step_time(batch, context, **where.step_arguments())
    cache_to_weights = here.cache / here.weights
    return Answer(
        finding=f"{where.model.name} in {precision.upper()} on {where.system.name}",
        values={
            "batch": Value(batch, "sequences", "Batch", 9),
            "context": Value(context, "tokens", "Context", 9),
            "total": Value(where.model.total_params, "parameters", "Total parameters"),
            "active": Value(where.model.active_params, "parameters", "Active parameters"),
            "sparsity": Value(where.model.sparsity, "", "Sparsity"),
            "element": Value(where.weight_bytes / where.model.total_params, "B", "A stored weight"),
            "weights": Value(where.weight_bytes, "B", "Weights"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "flops": Value(where.flops, "FLOP/s", "Arithmetic"),
            "bandwidth": Value(where.bandwidth, "B/s", "Memory bandwidth"),
            "memory": Value(where.hbm_bytes, "B", "Memory"),
            "chips": Value(where.system.chips, "", "Chips"),
            "cache_to_weights": Value(cache_to_weights, "", "Cache read for each byte of weights"),
            "ceiling": Value(here.bound / here.weights, "x", "Ceiling of a fast mode"),
        },
        notes=where.notes(),
    )


def worked() -> Answer:
    """Llama 3 70B in FP8 on eight H100."""
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8")
    alone, crowd = (batching.step_time(batch, EXAMPLE_CONTEXT, **where.step_arguments()) for batch in (1, CROWD))
    model = where.model
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
            **expected(where),
            **chunked(where, float(alone.compute), crowd),
        },
    )


def expected(where: Scenario) -> dict[str, Value]:
    """The forecasts that stand beside the bounds: of one sequence alone, and of the hundred."""
    alone, crowd = (forecast_of(decode(where.setting, batch, EXAMPLE_CONTEXT)) for batch in (1, CROWD))
    return {
        "alone_forecast": Value(alone.seconds, "s", "Step of one sequence, forecast"),
        "crowd_forecast": Value(crowd.seconds, "s", "Step of a hundred, forecast"),
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


def deepseek_v3() -> Answer:
    """DeepSeek-V3 in FP8: the model that the lecture takes as its example."""
    rack, node = (Scenario.named("deepseek-v3", system, "fp8") for system in ("gb200-nvl72", "hgx-h200"))
    model = rack.model
    routed = model.routed
    lone = model.active_params / model.total_params
    woken = {f"woken_{batch}": Value(touched.touched_share(batch, *routed), "%") for batch in (1, 8, 32)}
    context = catalog.deployment("deepseek-day-6").mean_context
    return Answer(
        finding=f"{model.name} in FP8",
        values={
            "total": Value(model.total_params, "parameters", "Total parameters"),
            "active": Value(model.active_params, "parameters", "Active parameters"),
            "sparsity": Value(model.sparsity, "", "Sparsity"),
            "experts": Value(routed[0], "", "Routed experts"),
            "per_token": Value(routed[1], "", "Routed experts of a token"),
            "expert_ratio": Value(routed[0] / routed[1], "", "Routed experts over those of a token"),
            "balanced": Value(balanced_batch(rack), "sequences", "Balanced batch on GB200"),
            "floor_rack": Value(latency_floor(rack), "s", "Latency floor on a rack"),
            "floor_node": Value(latency_floor(node), "s", "Latency floor on eight H200"),
            "lone_floor": Value(lone * latency_floor(rack), "s", "Floor of one sequence, woken experts only"),
            "lone_bytes": Value(lone * model.weight_bytes("fp8"), "B", "Read for one sequence"),
            "penalty": Value(penalty(rack), "x", "Penalty, all weights, no cache"),
            "penalty_cache": Value(penalty(rack, context), "x", "Penalty with a cache"),
            "penalty_woken": Value(penalty(rack, weight_share=lone), "x", "Penalty, woken experts only"),
            "penalty_dense": Value(penalty(Scenario.named("llama-3-70b", "hgx-h100", "fp8")), "x", "Penalty, dense"),
            **woken,
        },
    )


def blackboard() -> Answer:
    """The consequences of the round figures of the lecture."""
    batch = batching.balanced_batch(BLACKBOARD, SPARSITY_ON_THE_BLACKBOARD)
    period = catalog.datum("lecture-drain-hbm").value
    gb200 = catalog.chip("gb200")
    ratios = [number for _, _, number in rows()]
    said = SEATS_SAID * DEPARTURES_SAID
    google = {row.since: row.value / MONTH for row in catalog.history(catalog.Datum, "data", "google-tokens-per-month")}
    return Answer(
        finding="Pope's round figures",
        values={
            "ratio": Value(BLACKBOARD, "", "Ratio"),
            "lowest": Value(min(ratios), "", "Smallest of the catalogue"),
            "highest": Value(max(ratios), "", "Largest of the catalogue"),
            "sparsity": Value(SPARSITY_ON_THE_BLACKBOARD, "", "Sparsity"),
            "batch": Value(batch, "sequences", "Balanced batch"),
            "period": Value(period, "s", "Period"),
            "capacity": Value(batching.tokens_per_second(batch, period), "tokens/s", "One system"),
            "worst": Value(departures.worst_wait(period), "s", "First token at worst"),
            "answer": Value(ANSWER, "tokens", "An answer", 9),
            "answer_slow": Value(ANSWER * period, "s", "An answer, at the period"),
            "mean": Value(departures.mean_wait(period), "s", "First token on average"),
            "said": Value(said, "tokens/s", "One system, as said"),
            "google_2025": Value(google[dt.date(2025, 5, 20)] / said, "x", "Google in May 2025"),
            "google_october": Value(google[dt.date(2025, 10, 31)] / said, "x", "Google in October 2025"),
            "google_2026": Value(google[dt.date(2026, 5, 19)] / said, "x", "Google in May 2026"),
            "bytes_bf16": Value(gb200.flops("bf16") / gb200.hbm_bandwidth, "FLOP/B", "GB200, BF16"),
            "bytes_fp8": Value(gb200.flops("fp8") / gb200.hbm_bandwidth, "FLOP/B", "GB200, FP8"),
            "bytes_fp4": Value(gb200.flops("fp4") / gb200.hbm_bandwidth, "FLOP/B", "GB200, FP4"),
            "rent": Value(catalog.rent("hgx-h100").dollars_per_chip_hour, "$/h", "H100, middle of the market"),
            "rent_gb200": Value(catalog.rent("gb200-nvl72").dollars_per_chip_hour, "$/h", "GB200, one provider"),
        },
    )


def critical_contexts() -> Answer:
    """The critical context of public models on GB200 in FP8."""
    settings = {name: Scenario.named(name, "gb200-nvl72", "fp8") for name in CRITICAL}
    return Answer(
        finding="Critical contexts on GB200 in FP8",
        values={key(name): Value(critical_context(each), "tokens", each.model.name) for name, each in settings.items()},
    )


def deepseek_day() -> Answer:
    """DeepSeek's published day of service against the bound."""
    day = catalog.deployment("deepseek-day-6")
    where = _decode_unit(day)
    step = batching.step_time(day.decode_batch, day.mean_context, **where.step_arguments())
    full = day_step(day, day.decode_batch / day.decode_expert_parallel, day.mean_context)
    return Answer(
        finding="DeepSeek's day of service against the bound",
        values={
            "context": Value(day.mean_context, "tokens", "Mean context", 9),
            "node": Value(day.decode_tokens_per_second, "tokens/s", "Written by a node"),
            "node_chips": Value(day.chips_per_node, "chips", "Chips of a node"),
            "user": Value(day.user_tokens_per_second, "tokens/s", "Written for a reader"),
            "bound": Value(step.bound, "s", "Step, at least"),
            "miss": Value(1 / day.user_tokens_per_second / step.bound, "x", "Observed over bound"),
            "overlapped": Value(full.bound_seconds / step.bound, "x", "All of it overlapping, over bound", 2),
            "uncounted": Value(full.halves_seconds / step.bound, "x", "Two halves over bound"),
        },
    )


def _decode_unit(day: Deployment) -> Scenario:
    """One unit of the published deployment: so many nodes at once, the cache in BF16 as its makers store it."""
    return Scenario.named(day.model, day.system, "fp8-bf16-cache").times(day.decode_nodes)


def offers() -> Answer:
    """The implications of three fast modes on sale."""
    sheets = {"opus_46": "claude-opus-4.6", "opus_48": "claude-opus-4.8", "codex": "gpt-5.4"}
    values: dict[str, Value] = {}
    for sold, name in sheets.items():
        sheet = catalog.price(name)
        price, speed = sheet.known("fast_multiplier"), sheet.known("fast_speed")
        values |= {
            f"{sold}_price": Value(price, "", sheet.name),
            f"{sold}_speed": Value(speed, "", sheet.name),
        }
    implied = fast_mode.fast_mode(*(values[f"opus_46_{part}"].number for part in ("price", "speed")))
    values |= {
        "opus_46_smaller": Value(1 / implied.batch_share, "", "Fast batch, smaller by"),
        "opus_46_cache": Value(implied.cache_to_weights, "", "Cache over weights"),
        "opus_46_ceiling": Value(implied.speed_ceiling, "x", "Speed at any price"),
        "opus_46_saving": Value(1 / implied.speed_ceiling, "%", "Least price"),
    }
    batch = catalog.price("claude-opus-4.6").known("batch_multiplier")
    return Answer(finding="What fast modes imply", values=values | {"batch_price": Value(batch, "%", "Batch price")})


SETTING = Figure(name="batching/setting", inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH), compute=scenario)

FIGURES = (
    SETTING,
    Figure(name="batching/worked", compute=worked, sources=("llama-models", "aiconfigurator")),
    Figure(name="batching/v3", compute=deepseek_v3, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="batching/blackboard", compute=blackboard, sources=("lecture",)),
    Figure(name="batching/critical", compute=critical_contexts, sources=("aiconfigurator",)),
    Figure(name="batching/deepseek-day", compute=deepseek_day, sources=("deepseek-day-6",)),
    Figure(name="batching/offers", compute=offers, sources=("anthropic-fast-mode", "openrouter-fast", "codex-speed")),
)
