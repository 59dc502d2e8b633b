"""The forecast over the bound: of lecture 1's example, and of another model on a rack."""

from __future__ import annotations

from calc import batching
from calc.batching.figures.setting import CROWD, EXAMPLE_CONTEXT, OPENING
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import BATCH, CONTEXT
from calc.setting import Scenario
from calc.step.forecasting import forecast

RACK = ("deepseek-v3", "gb200-nvl72")  # of the figure that draws a step against its batch


def nearest() -> Answer:
    """How many times the bound the forecast says, with prompts read elsewhere."""
    return Answer(
        finding="Forecast over the bound, with prompts read elsewhere",
        values={
            "alone": Value(over(OPENING[1], 1, EXAMPLE_CONTEXT), "x", "One user of the example"),
            "crowd": Value(over(OPENING[1], CROWD, EXAMPLE_CONTEXT), "x", "A hundred of them"),
            "rack": Value(over(RACK[1], BATCH.default, CONTEXT.default, RACK[0]), "x", "Another model on a rack"),
        },
    )


def bound(system: str, users: float, context: float, model: str = OPENING[0]) -> float:
    """The simplest bound on a step, of the example's model unless another is named.

    >>> round(bound("hgx-h100", 100, 10_000), 5)
    0.00875
    """
    where = Scenario.named(model, system, OPENING[2])
    return float(batching.step_time(users, context, **where.step_arguments()).bound)


def over(system: str, users: float, context: float, model: str = OPENING[0]) -> float:
    """The forecast of such a step, with prompts read elsewhere, over its bound.

    >>> over("hgx-h200", 100, 5_000) > over("hgx-h100", 100, 5_000) > over("hgx-h100", 100, 10_000)
    True
    """
    where = Scenario.named(model, system, OPENING[2])
    return float(forecast(where.setting, users, context).seconds) / bound(system, users, context, model)


FIGURES = (Figure(name="world/nearest", compute=nearest, sources=("aiconfigurator",)),)
