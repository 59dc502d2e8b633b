"""The scatter of the refit's answers at the guess, from fits to samples of the runs."""

from __future__ import annotations

from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.budget import TOKENS_PER_PARAM
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS
from calc.overtraining.figures.shared import LATER
from calc.overtraining.resampled import NINE_IN_TEN, resampled_laws, scatter_range
from calc.overtraining.scaling_law import Allocation


def scatter() -> Answer:
    """The middle two thirds of the laws' answers, and the middle nine tenths of one."""
    held, guess = resampled_laws(), Allocation(GUESSED_PARAMS, GUESSED_TOKENS)
    best = lifetime.cheapest_at_loss(held, scaling_law.loss(held, guess.params, guess.tokens), LATER.default)
    over = best.tokens_per_param / TOKENS_PER_PARAM
    third = guess.lifetime_operations(LATER.default) / best.lifetime_operations(LATER.default) - 1
    asked = {
        "exchange": (
            1 / (1 + lifetime.serving_that_justifies(held, guess.params, guess.tokens)),
            "",
            "Exchange at the guess",
        ),
        "over": (over, "x", "Cheapest, over the rule"),
        "third": (third, "%", "A third, dearer by"),
    }
    values: dict[str, Value] = {}
    for name, (answers, unit, label) in asked.items():
        for end, bound in zip(("low", "high"), scatter_range(answers), strict=True):
            values[f"{name}_{end}"] = Value(bound, unit, f"{label}, {end} end of two in three", 2)
    for end, bound in zip(("least", "most"), scatter_range(over, NINE_IN_TEN), strict=True):
        values[f"over_{end}"] = Value(bound, "x", f"Cheapest, over the rule, {end} of nine in ten", 2)
    return Answer(finding="The scatter of the refit", values=values)


FIGURES = (Figure(name="overtraining/scatter", compute=scatter, sources=("chinchilla-refit-paper",)),)
