"""One company's published day: its experts over eighteen nodes."""

from __future__ import annotations

from calc import catalog, moe
from calc.figure.declared import Answer, Figure, Value
from calc.moe.figures.shared import (
    MEASURED_CHIPS,
    MEASURED_TOKENS,
    day_step,
    measured_exchange,
    observed,
    published_bound,
)

TIMED_CHIPS = 128  # the timing nearest to the chips of that day's unit


def day() -> Answer:
    """DeepSeek's experts over eighteen nodes."""
    found, unit = observed(), catalog.deployment("deepseek-day-6")
    experts = catalog.model(unit.model).routed[0]
    decode = moe.place_experts(experts, unit.decode_expert_parallel)
    slow, fast = (catalog.datum(f"comm-bound-{name}").value for name in ("link", "tokens-per-device"))
    rack_link = catalog.system("gb200-nvl72").known("scale_up_bandwidth")
    step = day_step()
    timed = measured_exchange(TIMED_CHIPS, "both").measured * catalog.model(unit.model).expert_layers
    return Answer(
        finding="DeepSeek's experts over eighteen nodes",
        values={
            "chips": Value(unit.decode_expert_parallel, "", "Chips that share the experts"),
            "nodes": Value(unit.decode_nodes, "", "Nodes"),
            "copies": Value(decode.copies_to_fill, "", "Redundant copies"),
            "per_chip": Value(decode.experts_per_chip, "", "Routed experts on a chip"),
            "tokens": Value(found.tokens, "tokens", "Tokens of a chip", 2),
            "speed": Value(found.speed, "tokens/s", "Speed of a user"),
            "step": Value(found.step_seconds, "s", "Step, as observed"),
            "bound": Value(found.bound_seconds, "s", "Exchange, at least"),
            "timed": Value(timed * found.tokens / MEASURED_TOKENS, "s", "Exchange by its makers' timing"),
            "timed_chips": Value(TIMED_CHIPS, "", "Chips of that timing"),
            "miss": Value(found.step_seconds / found.bound_seconds, "x", "Step over that", 2),
            "reads": Value(sum(each.weights for each in step.operations), "B", "Weights that a chip reads"),
            "weights": Value(step.weights_seconds, "s", "Reading them"),
            "cache": Value(step.cache_seconds, "s", "Reading the cache", 2),
            "arithmetic": Value(step.compute_seconds, "s", "Multiplying"),
            "halves": Value(step.halves_seconds, "s", "Two halves, one sending"),
            "over_halves": Value(found.step_seconds / step.halves_seconds, "x", "Step over that", 2),
            "ceiling": Value(1 / found.bound_seconds, "tokens/s", "The links would leave a user", 2),
            "paper_tokens": Value(fast, "tokens", "Tokens of DeepSeek's estimate"),
            "paper_copies": Value(catalog.datum("comm-bound-copies").value, "", "Copies that it counts"),
            "paper_layers": Value(catalog.model("deepseek-v3").known("layers"), "", "Layers that it counts"),
            "paper_step": Value(published_bound(slow), "s", "DeepSeek's estimate, links out"),
            "paper_speed": Value(catalog.datum("comm-bound-speed").value, "tokens/s", "as a speed", 2),
            "paper_rack_step": Value(published_bound(rack_link), "s", "DeepSeek's estimate, a rack's links", 2),
            "paper_rack_speed": Value(1 / published_bound(rack_link), "tokens/s", "as a speed", 2),
            "measured_from": Value(MEASURED_CHIPS[0], "", "Fewest chips measured"),
            "measured_to": Value(MEASURED_CHIPS[-1], "", "Most chips measured"),
            "measured_tokens": Value(MEASURED_TOKENS, "tokens", "Tokens of a chip, measured"),
        },
    )


FIGURES = (Figure(name="moe/day", compute=day, sources=("deepseek-day-6", "deepseek-insights", "deepep-legacy")),)
