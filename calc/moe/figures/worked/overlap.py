"""The cost of hiding an exchange, by the blackboard's sums."""

from __future__ import annotations

from calc import batching, moe
from calc.batching.figures.setting import laid_out
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.setting import exchange_step, links
from calc.quantities.arithmetic import MICRO, whole_up
from calc.setting import Scenario
from calc.step import decode

ATTENTION, EXPERTS, DISPATCH, COMBINE = 20.0, 40.0, 10.0, 20.0  # microseconds of one half in one layer


def stages() -> Answer:
    """A layer in two halves in round numbers, on its links and on links half as fast."""
    reading, sending = ATTENTION + EXPERTS, 2 * (DISPATCH + COMBINE)
    times = {
        "attention": (ATTENTION, "Attention of a half"),
        "experts": (EXPERTS, "Experts of a half"),
        "dispatch": (DISPATCH, "Dispatch of a half"),
        "combine": (COMBINE, "Combine of a half"),
        "layer": (moe.staged_layer(ATTENTION, EXPERTS, DISPATCH, COMBINE), "The layer"),
        "reading": (reading, "Its weights, read once"),
        "sending": (sending, "Its transfers, of both halves"),
        "open": (reading + sending, "The layer in one piece"),
        "slow_dispatch": (2 * DISPATCH, "Dispatch on links half as fast"),
        "slow_combine": (2 * COMBINE, "Combine on links half as fast"),
        "slow_layer": (moe.staged_layer(ATTENTION, EXPERTS, 2 * DISPATCH, 2 * COMBINE), "The layer on those links"),
    }
    values = {key: Value(time * MICRO, "s", label) for key, (time, label) in times.items()}
    return Answer(finding="A layer in two halves, stage by stage", values=values)


def overlap() -> Answer:
    """The cost of hiding an exchange, by the blackboard's sums."""
    simple = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    chips, context = simple.system.chips, CONTEXT.default
    each = exchange_step(simple.model, 1 / chips, links(simple)[0], chips)
    batch = BATCH.default
    whole = batching.step_time(batch, context, **simple.step_arguments())
    memory, exchange = whole.weights + whole.cache, each * batch
    usual = laid_out("deepseek-v3", "gb200-nvl72", "fp8", "usual")
    laid = decode(usual, batch, context)
    rate = laid.weights_seconds / sum(each.weights for each in laid.operations)
    experts = rate * sum(each.weights for each in laid.operations if each.name == "experts")
    attention, shared = (
        float(rate * sum(each.weights for each in laid.operations if name in each.name))
        for name in ("projection", "shared")
    )
    fullest = float(whole_up(batch / chips))
    wide = decode(laid_out("deepseek-v3", "gb200-nvl72", "fp8-bf16-attention", "usual"), batch, context)
    attended = sum(each.compute_seconds for each in wide.operations if each.name == "attention")
    passed = sum(each.activation_seconds for each in laid.operations if not each.sends)
    return Answer(
        finding="What hiding an exchange costs",
        values={
            "small_batch": Value(batch, "sequences", "Batch", 9),
            "weights": Value(whole.weights, "s", "Reading the weights once"),
            "copied": Value(laid.weights_seconds, "s", "Reading them with attention on every chip"),
            "copied_experts": Value(experts, "s", "of it the routed experts of a chip"),
            "copied_expert_bytes": Value(experts / rate, "B", "of it the routed experts of a chip, in bytes"),
            "memory": Value(1 / rate, "B/s", "Memory bandwidth of a chip"),
            "copied_others": Value(laid.weights_seconds - experts, "s", "of it what every chip reads whole"),
            "attention": Value(attention, "s", "of that attention"),
            "shared": Value(shared, "s", "of that the shared experts"),
            "rest": Value(laid.weights_seconds - experts - attention - shared, "s", "the rest of that"),
            "fullest": Value(fullest, "sequences", "Sequences of the fullest chip"),
            "cache_token": Value(laid.cache_seconds / rate / fullest / context, "B", "Cache of a token"),
            "copied_cache": Value(laid.cache_seconds, "s", "Reading the cache, at the fullest chip"),
            "turn": Value(laid.in_turn_seconds, "s", "Its operations in turn, the exchange in the open"),
            "copied_passed": Value(passed, "s", "Passing results from operation to operation"),
            "passed_token": Value(passed / rate / fullest, "B", "of a token, in bytes"),
            "attended_wide": Value(attended, "s", "Attention's products in BF16"),
            "attended_more": Value(wide.in_turn_seconds - laid.in_turn_seconds, "s", "Its step is longer by", 2),
            "cache": Value(whole.cache, "s", "Reading the cache"),
            "exchange": Value(exchange, "s", "The exchange"),
            "small_open": Value(max(memory, whole.compute) + exchange, "s", "Exchange in the open"),
            "small_halves": Value(
                max(memory + whole.weights, whole.compute, exchange), "s", "Two halves, weights read twice"
            ),
        },
    )


FIGURES = (
    Figure(name="moe/overlap", compute=overlap, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="moe/stages", compute=stages),
)
