"""DeepSeek-V3 in numbers, its published day of service, and the critical contexts of public models."""

from __future__ import annotations

from calc import batching, catalog
from calc.batching import touched
from calc.batching.figures.setting import balanced_batch, critical_context, latency_floor, penalty
from calc.batching.figures.shared import day_step
from calc.catalog import Deployment
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import key
from calc.setting import Scenario

CRITICAL = ("deepseek-v3", "kimi-k2", "llama-3-70b")


def deepseek_v3() -> Answer:
    """DeepSeek-V3 in FP8: the model that the lecture takes as its example."""
    rack, node = (Scenario.named("deepseek-v3", system, "fp8") for system in ("gb200-nvl72", "hgx-h200"))
    part = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8", chips=8)
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
            "floor_part": Value(latency_floor(part), "s", "Latency floor on eight GB200"),
            "lone_floor": Value(lone * latency_floor(rack), "s", "Floor of one sequence, woken experts only"),
            "lone_bytes": Value(lone * model.weight_bytes("fp8"), "B", "Read for one sequence"),
            "penalty": Value(penalty(rack), "x", "Penalty, all weights, no cache"),
            "penalty_cache": Value(penalty(rack, context), "x", "Penalty with a cache"),
            "penalty_woken": Value(penalty(rack, weight_share=lone), "x", "Penalty, woken experts only"),
            "penalty_dense": Value(penalty(Scenario.named("llama-3-70b", "hgx-h100", "fp8")), "x", "Penalty, dense"),
            **woken,
        },
    )


def critical_contexts() -> Answer:
    """The critical context of public models on GB200 in FP8."""
    settings = {name: Scenario.named(name, "gb200-nvl72", "fp8") for name in CRITICAL}
    return Answer(
        finding="Critical contexts in FP8",
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
            "sequences": Value(
                round(day.decode_batch / day.decode_expert_parallel), "sequences", "Sequences of a chip"
            ),
            "node": Value(day.decode_tokens_per_second, "tokens/s", "Written by a node"),
            "node_chips": Value(day.chips_per_node, "chips", "Chips of a node"),
            "user": Value(day.user_tokens_per_second, "tokens/s", "Written for a user"),
            "bound": Value(step.bound, "s", "Step, at least"),
            "miss": Value(1 / day.user_tokens_per_second / step.bound, "x", "Observed over bound"),
            "copies": Value(full.weights_seconds - step.weights, "s", "Reading weights, beyond the bound's"),
            "uncounted": Value(full.halves_seconds / step.bound, "x", "Two halves over bound"),
        },
    )


def _decode_unit(day: Deployment) -> Scenario:
    """One unit of the published deployment: so many nodes at once, the cache in BF16 as its makers store it."""
    return Scenario.named(day.model, day.system, "fp8-bf16-cache").times(day.decode_nodes)


FIGURES = (
    Figure(name="batching/v3", compute=deepseek_v3, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="batching/critical", compute=critical_contexts, sources=("aiconfigurator",)),
    Figure(name="batching/deepseek-day", compute=deepseek_day, sources=("deepseek-day-6",)),
)
