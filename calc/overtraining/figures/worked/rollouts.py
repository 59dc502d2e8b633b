"""Reinforcement as makers report it: its share of the cost, and how many chips write for those that learn."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining.figures.setting import GUESSED_EFFICIENCY
from calc.overtraining.figures.shared import EVEN

TRAINED_PASSES = 3.0  # of a token that is learned from, at the pace of those who learn


def rollouts() -> Answer:
    """A published job's passes for each token that is learned from, and the later life with them."""
    chips, learners = (catalog.datum(f"mai-rl-{name}").value for name in ("chips", "learner-chips"))
    passes = TRAINED_PASSES * chips / learners
    later = float(EVEN.serving / GUESSED_EFFICIENCY + passes * EVEN.reinforcement)
    trained, reinforced = (
        catalog.datum(name).value for name in ("olmo-3-32b-pretraining", "olmo-3.1-32b-reinforcement")
    )
    return Answer(
        finding="Reinforcement as makers report it",
        values={
            "chips": Value(chips, "chips", "Chips of the job", 4),
            "learners": Value(learners, "chips", "of which learn"),
            "passes": Value(passes, "passes", "Passes of a token that is learned from"),
            "later": Value(later, "passes", "Later life with them, every reinforced token learned from", 2),
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
