"""The cost of hiding an exchange, by the blackboard's sums."""

from __future__ import annotations

from calc import batching
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.setting import exchange_step, links
from calc.setting import Scenario


def overlap() -> Answer:
    """The cost of hiding an exchange, by the blackboard's sums."""
    simple = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    chips, context = simple.system.chips, CONTEXT.default
    each = exchange_step(simple.model, 1 / chips, links(simple)[0], chips)
    batch = BATCH.default
    whole = batching.step_time(batch, context, **simple.step_arguments())
    memory, exchange = whole.weights + whole.cache, each * batch
    return Answer(
        finding="What hiding an exchange costs",
        values={
            "small_batch": Value(batch, "sequences", "Batch", 9),
            "weights": Value(whole.weights, "s", "Reading the weights once"),
            "cache": Value(whole.cache, "s", "Reading the cache"),
            "exchange": Value(exchange, "s", "The exchange"),
            "small_open": Value(max(memory, whole.compute) + exchange, "s", "Exchange in the open"),
            "small_halves": Value(
                max(memory + whole.weights, whole.compute, exchange), "s", "Two halves, weights read twice"
            ),
        },
    )


FIGURES = (Figure(name="moe/overlap", compute=overlap, sources=("deepseek-v3-config", "aiconfigurator")),)
