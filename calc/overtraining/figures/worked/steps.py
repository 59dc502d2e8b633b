"""The steps from Pope's guess to the cheapest plan and to the share advised, at the loss of the guess."""

from __future__ import annotations

from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import (
    ADVISED_TIMES,
    BY_FIT,
    EXPERTS_WORTH,
    KEPT,
    LATER,
    OVER,
    dearer,
    guessed_loss,
    if_kept,
    own_over,
    split,
    training_share,
)
from calc.overtraining.scaling_law import Allocation

REFIT = law(BY_FIT["refit"])
TARGET, BETTER = guessed_loss(REFIT), guessed_loss(REFIT, EXPERTS_WORTH)
GUESS = Allocation(GUESSED_PARAMS, GUESSED_TOKENS)
WRITTEN = 3 / 4  # of that life: all of serving, and two of the four operations of a reinforced token


def steps() -> Answer:
    """By the refit, unless it is said: terms, exchanges, sizes and passes of some plans, and the cheapest shares."""
    best = lifetime.cheapest_at_loss(REFIT, TARGET, LATER.default)
    sixth = split(REFIT, TARGET, LATER.default, OVER["sixth"])
    passes = {"guess": GUESS, "best": best}
    return Answer(
        finding="From the guess to the cheapest plan",
        values=_terms(best)
        | {
            "sixth_exchange": Value(_exchange(sixth), "", "sixth, exchange"),
        }
        | {
            f"{name}_passes": Value((3 * plan.tokens + LATER.default) / 1e12, "", f"{name}, trillions of passes", 4)
            for name, plan in passes.items()
        }
        | {
            "best_size": Value(best.params, "parameters", "best, size", 4),
            "sixth_size": Value(sixth.params, "parameters", "sixth, size", 4),
            "best_over": Value(own_over(best), "x", "best, over the rule", 2),
        }
        | _shares()
        | _crossed()
        | _kept(),
    )


def _terms(plan: Allocation) -> dict[str, Value]:
    """Both terms of the loss of the cheapest plan, and its exchange."""
    return {
        "best_data_term": Value(REFIT.tokens_term(plan.tokens), "", "best, term of data", 4),
        "best_size_term": Value(REFIT.params_term(plan.params), "", "best, term of size", 4),
        "best_exchange": Value(_exchange(plan), "", "best, exchange"),
    }


def _exchange(plan: Allocation) -> float:
    return 1 / (1 + float(lifetime.serving_that_justifies(REFIT, plan.params, plan.tokens)))


def _kept() -> dict[str, Value]:
    """The cheapest plan, and the prices of others, if a part of the guess's later life keeps its cost."""
    advised = split(REFIT, TARGET, LATER.default, ADVISED_TIMES)
    tokens, (shorter, guess) = if_kept(REFIT, KEPT, advised, GUESS)
    efficiency = registry.find("overtraining/decoding").answer().values["measured"].number
    part = WRITTEN * (1 - float(efficiency))
    attended, (by_day,) = if_kept(REFIT, part, GUESS)
    return {
        "kept_tokens": Value(tokens, "tokens", "Cheapest tokens, three tenths of the later life kept", 2),
        "kept_advised": Value(shorter, "%", "The share advised, dearer by", 2),
        "kept_guess": Value(guess, "%", "The guess, dearer by", 2),
        "attended_part": Value(part, "%", "Of the later life, attention as on DeepSeek's day", 2),
        "attended_tokens": Value(attended, "tokens", "Cheapest tokens, that part kept", 2),
        "attended_guess": Value(by_day, "%", "The guess, dearer by", 2),
    }


def _shares() -> dict[str, Value]:
    """The cheapest share of pre-training by the original fit, and with experts by both."""
    original = law(BY_FIT["original"])
    target, better = guessed_loss(original), guessed_loss(original, EXPERTS_WORTH)
    return {
        "experts_share": Value(_share("refit", BETTER), "%", "Cheapest share, experts", 2),
        "original_share": Value(_share("original", target), "%", "Cheapest share, original fit", 3),
        "experts_original_share": Value(_share("original", better), "%", "Experts, original fit", 2),
    }


def _crossed() -> dict[str, Value]:
    """The original's price of the share that is cheapest by the refit."""
    other = law(BY_FIT["original"])
    price = dearer(other, guessed_loss(other), LATER.default, 1 / _share("refit", TARGET) - 1)
    return {"original_at_refit": Value(price, "%", "Cheapest share of the refit, by the original", 2)}


def _share(fit: str, target: float) -> float:
    return training_share(lifetime.cheapest_at_loss(law(BY_FIT[fit]), target, LATER.default), LATER.default)


FIGURES = (Figure(name="overtraining/steps", compute=steps, sources=("chinchilla-paper", "chinchilla-refit-paper")),)
