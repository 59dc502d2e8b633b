"""The consequences of the lecture's guesses of a frontier model."""

from __future__ import annotations

from calc import catalog, overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining.figures.setting import (
    GUESSED_EFFICIENCY,
    GUESSED_FACTOR,
    GUESSED_PARAMS,
    GUESSED_TOKENS,
    even_plan,
    later_tokens,
)
from calc.overtraining.figures.shared import over_the_rule
from calc.quantities.arithmetic import DAY

FAMILY_RATE, DAYS, ONE_OF = 500e6, 60.0, 10  # said by Pope: all models of one family, two months, a tenth for one model
GOOGLE = catalog.datum("google-tokens-per-month").value
LOW_TOKENS = 150e12  # the lower of Pope's two figures for pre-training


def guess() -> Answer:
    """The consequences of the lecture's guesses of a frontier model."""
    family = overtraining.served_tokens(FAMILY_RATE, DAYS * DAY)
    plan = even_plan()
    operations = {"own_pace": 2, "again": 3, "all": 6}  # of learning from a reinforced token, at the pace of training
    later = later_tokens(plan.serving, plan.reinforcement, GUESSED_FACTOR, GUESSED_EFFICIENCY)
    return Answer(
        finding="Pope's guesses of a frontier model",
        values={
            "params": Value(GUESSED_PARAMS, "parameters", "Active parameters"),
            "tokens": Value(GUESSED_TOKENS, "tokens", "Trained on"),
            "tokens_low": Value(LOW_TOKENS, "tokens", "Trained on, lower"),
            "family_rate": Value(FAMILY_RATE, "tokens/s", "Traffic of a family"),
            "google": Value(GOOGLE, "tokens", "All of Google in a month"),
            "google_times": Value(GOOGLE / GUESSED_TOKENS, "x", "All of Google in a month, over the guess", 2),
            "served": Value(family / ONE_OF, "tokens", "Served by one model, not rounded"),
            "chinchilla": Value(overtraining.chinchilla_tokens(GUESSED_PARAMS), "tokens", "By the rule"),
            "factor": Value(over_the_rule(GUESSED_TOKENS), "x", "Over the rule"),
            "factor_low": Value(over_the_rule(LOW_TOKENS), "x", "Over the rule, lower"),
            "factor_high": Value(over_the_rule(family / ONE_OF), "x", "Over the rule, not rounded"),
            "cost_factor": Value(GUESSED_FACTOR, "", "Operations of a reinforced token"),
            "rl_share": Value(plan.reinforcement / GUESSED_TOKENS, "", "Reinforced for each trained"),
            **{
                f"rl_{name}": Value(
                    6 * GUESSED_TOKENS / (2 / GUESSED_EFFICIENCY + learnt), "tokens", f"Reinforced, {name}"
                )
                for name, learnt in operations.items()
            },
            "served_even": Value(plan.serving, "tokens", "Served, equal bills"),
            "rl_even": Value(plan.reinforcement, "tokens", "Reinforced, equal bills"),
            "bill": Value(3 * GUESSED_TOKENS, "passes", "Each of three equal bills"),
            "later": Value(later, "passes", "Later life"),
            "later_trillions": Value(later / 1e12, "", "Later life, trillions of passes", 4),
        },
    )


FIGURES = (Figure(name="overtraining/guess", compute=guess, sources=("lecture", "google-io-2026")),)
