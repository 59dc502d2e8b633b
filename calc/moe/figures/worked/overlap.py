"""The cost of hiding an exchange: the blackboard's sums, and the operations of a real layout."""

from __future__ import annotations

from calc import batching, moe
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.moe.figures.setting import exchange_step, links
from calc.moe.figures.shared import BATCHES, EXAMPLE_TOKENS, Compositions, over, turning_points
from calc.setting import Scenario


def overlap() -> Answer:
    """The cost of hiding an exchange: the blackboard's sums, and the operations of a real layout."""
    simple = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    chips, context = simple.system.chips, CONTEXT.default
    each = exchange_step(simple.model, 1 / chips, links(simple)[0], chips)
    values: dict[str, Value] = {}
    for name, batch in (("small", BATCH.default), ("large", EXAMPLE_TOKENS * chips)):
        step = batching.step_time(batch, context, **simple.step_arguments())
        memory = step.weights + step.cache
        values |= {
            f"{name}_batch": Value(batch, "sequences", "Batch", 9),
            f"{name}_open": Value(max(memory, step.compute) + each * batch, "s", "Exchange in the open"),
            f"{name}_halves": Value(
                max(memory + step.weights, step.compute, each * batch), "s", "Two halves, weights read twice"
            ),
        }
        if name == "small":
            values["small_free"] = Value(max(step.bound, each * batch), "s", "If hiding were free")
    one = batching.step_time(1, context, **simple.step_arguments())
    where = simple.setting
    laid_pays, _ = turning_points(Compositions.of(where, BATCHES, context))
    _, hidden_out = turning_points(Compositions.of(over(where, "out"), BATCHES, context))
    return Answer(
        finding="What hiding an exchange costs",
        values=values
        | {
            "pays": Value(moe.halving_batch(each, one.weights), "sequences", "Halving pays from", 2),
            "laid_pays": Value(laid_pays, "sequences", "Halving pays from, laid out", 2),
            "laid_hidden_out": Value(hidden_out, "sequences", "Hidden up to, links out, laid out", 2),
        },
    )


FIGURES = (Figure(name="moe/overlap", compute=overlap, sources=("deepseek-v3-config", "aiconfigurator")),)
