"""One company's published day: its experts over eighteen nodes."""

from __future__ import annotations

from calc import catalog, moe
from calc.figure.declared import Answer, Figure, Value
from calc.moe.figures.shared import day_step, observed, published_bound
from calc.moe.figures.timings import (
    MEASURED_CHIPS,
    MEASURED_TOKENS,
    NEWER_CHIPS,
    measured_exchange,
)

TIMED_CHIPS = 128  # the timing nearest to the chips of that day's unit


def day() -> Answer:
    """DeepSeek's experts over eighteen nodes."""
    found, unit = observed(), catalog.deployment("deepseek-day-6")
    experts = catalog.model(unit.model).routed[0]
    decode = moe.place_experts(experts, unit.decode_expert_parallel)
    fast = catalog.datum("comm-bound-tokens-per-device").value
    rack_link = catalog.system("gb200-nvl72").known("scale_up_bandwidth")
    step = day_step()
    layers = catalog.model(unit.model).expert_layers
    timed = measured_exchange(TIMED_CHIPS, "both")
    scale = found.tokens / MEASURED_TOKENS
    apart = timed.bound * scale + 2 * (timed.measured - timed.bound)  # each of two halves takes it beyond its bytes
    reached = catalog.datum("deepep-h800-within").value
    one, *several = (_beyond(chips) for chips in NEWER_CHIPS)
    return Answer(
        finding="DeepSeek's experts over eighteen nodes",
        values={
            "chips": Value(unit.decode_expert_parallel, "", "Chips that share the experts"),
            "nodes": Value(unit.decode_nodes, "", "Nodes"),
            "copies": Value(decode.copies_to_fill, "", "Redundant experts"),
            "per_chip": Value(decode.experts_per_chip, "", "Routed experts on a chip"),
            "tokens": Value(found.tokens, "tokens", "Tokens of a chip", 2),
            "speed": Value(found.speed, "tokens/s", "Speed of a user"),
            "step": Value(found.step_seconds, "s", "Step, as observed"),
            "bound": Value(found.bound_seconds, "s", "Exchange, at least"),
            "timed": Value(timed.measured * scale * layers, "s", "Exchange by its makers' timing, if all shrinks"),
            "timed_most": Value(apart * layers, "s", "The same, if only its bytes do"),
            "timed_chips": Value(TIMED_CHIPS, "", "Chips of that timing"),
            "miss": Value(found.step_seconds / found.bound_seconds, "x", "Step over that", 2),
            "reads": Value(sum(each.weights for each in step.operations), "B", "Weights that a chip reads"),
            "weights": Value(step.weights_seconds, "s", "Reading them"),
            "cache": Value(step.cache_seconds, "s", "Reading the cache", 2),
            "arithmetic": Value(step.compute_seconds, "s", "Multiplying"),
            "halves": Value(step.halves_seconds, "s", "Two halves, one sending"),
            "over_halves": Value(found.step_seconds / step.halves_seconds, "x", "Step over that", 2),
            "paper_tokens": Value(fast, "tokens", "Tokens of DeepSeek's estimate"),
            "paper_copies": Value(catalog.datum("comm-bound-copies").value, "", "Copies that it counts"),
            "paper_layers": Value(catalog.model("deepseek-v3").known("layers"), "", "Layers that it counts"),
            "paper_speed": Value(catalog.datum("comm-bound-speed").value, "tokens/s", "as a speed", 2),
            "paper_rack_speed": Value(1 / published_bound(rack_link), "tokens/s", "as a speed", 2),
            "beyond_one": Value(one, "s", "Measured beyond the bound, one node", 2),
            "beyond_reached": Value(
                _beyond(NEWER_CHIPS[0], reached), "s", "The same, by the makers' most for the links within", 2
            ),
            "reached": Value(reached, "B/s", "Links within, the makers' most"),
            "beyond_eight": Value(max(several), "s", "Measured beyond the bound, two to eight nodes, at most", 2),
            "beyond_step": Value(one * layers, "s", "The former, in all layers", 2),
            **_rack(),
            "measured_from": Value(MEASURED_CHIPS[0], "", "Fewest chips measured"),
            "measured_to": Value(MEASURED_CHIPS[-1], "", "Most chips measured"),
            "measured_tokens": Value(MEASURED_TOKENS, "tokens", "Tokens of a chip, measured"),
        },
    )


def _beyond(chips: int, within: float | None = None) -> float:
    """Seconds that an exchange took beyond its bound."""
    found = measured_exchange(chips, "both", within)
    return found.measured - found.bound


def _rack() -> dict[str, Value]:
    """A chip of a rack over one in nodes of eight, as measured: at one speed of users, and at most throughput."""
    pairs = {"": "user", "_full": "full"}
    worth = {
        key: catalog.datum(f"infx-rack-{at}").value / catalog.datum(f"infx-nodes-{at}").value
        for key, at in pairs.items()
    }
    return {
        "rack_speed": Value(catalog.datum("infx-speed").value, "tokens/s", "Speed of a user there"),
        **{f"rack_worth{key}": Value(times, "x", "A chip of a rack over one of nodes") for key, times in worth.items()},
        "rack_chips": Value(catalog.datum("infx-rack-chips").value, "", "Chips that share the experts, at most"),
        "nodes_lead": Value(catalog.datum("infx-nodes-lead").value, "tokens/s", "Speed from which nodes lead"),
    }


FIGURES = (
    Figure(
        name="moe/day", compute=day, sources=("deepseek-day-6", "deepseek-insights", "deepep-legacy", "infx-gb200-b200")
    ),
)
