"""Reinforcement as makers report it: its share of the cost, and how many chips write for those that learn."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime
from calc.overtraining.figures.setting import GUESSED_EFFICIENCY, law
from calc.overtraining.figures.shared import (
    BY_FIT,
    EVEN,
    OVER,
    dearer,
    guessed_loss,
    own_over,
    training_share,
)

TRAINED_PASSES = 3.0  # of a token that is learned from, at the pace of those who learn


def rollouts() -> Answer:
    """A published job's passes for each token that is learned from, and the cheapest plan of the refit with them."""
    chips, learners = (catalog.datum(f"mai-rl-{name}").value for name in ("chips", "learner-chips"))
    passes = TRAINED_PASSES * chips / learners
    later = float(EVEN.serving / GUESSED_EFFICIENCY + passes * EVEN.reinforcement)
    laws = {name: law(fit) for name, fit in BY_FIT.items()}
    best, other = (lifetime.cheapest_at_loss(held, guessed_loss(held), later) for held in laws.values())
    paid = {
        share: max(dearer(held, guessed_loss(held), later, OVER[share]) for held in laws.values())
        for share in ("advised", "third")
    }
    trained, reinforced = (
        catalog.datum(name).value for name in ("olmo-3-32b-pretraining", "olmo-3.1-32b-reinforcement")
    )
    return Answer(
        finding="Reinforcement as makers report it",
        values={
            "chips": Value(chips, "chips", "Chips of the job", 4),
            "learners": Value(learners, "chips", "of which learn"),
            "passes": Value(passes, "passes", "Passes of a token that is learned from"),
            "later": Value(later, "passes", "Later life with them", 2),
            "tokens": Value(best.tokens, "tokens", "Cheapest tokens"),
            "over": Value(own_over(best), "x", "over the rule", 2),
            "share": Value(training_share(best, later), "%", "in pre-training", 2),
            "original_share": Value(training_share(other, later), "%", "in pre-training, original fit", 2),
            **{share: Value(most, "%", f"{share}, dearer by at most", 2) for share, most in paid.items()},
            "olmo": Value(reinforced / trained, "%", "Olmo 3.1 32B, of the chips' time of pre-training", 2),
            "deepseek": Value(catalog.datum("deepseek-v3.2-reinforcement").value, "%", "DeepSeek-V3.2, more than", 2),
        },
    )


FIGURES = (
    Figure(
        name="overtraining/rollouts",
        compute=rollouts,
        sources=("mai-thinking-report", "olmo-3-report", "deepseek-v3.2-paper"),
    ),
)
