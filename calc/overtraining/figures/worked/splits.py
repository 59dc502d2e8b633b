"""The price of a split that is not the cheapest, by both fits."""

from __future__ import annotations

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.budget import TOKENS_PER_PARAM
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import (
    ADVISED,
    ADVISED_TIMES,
    BY_FIT,
    EARLY,
    EXPERTS_WORTH,
    LATER,
    OVER,
    against_cheapest,
    dearer,
    dearer_on_repeats,
    guessed_loss,
    largest_set,
    own_over,
    split,
    training_share,
)
from calc.overtraining.scaling_law import Allocation

YEAR = 6  # times two months
ADVISED_TOKENS = LATER.default / 3 / ADVISED_TIMES


def splits() -> Answer:
    """At the loss of the guess, with its later life; and the guess against the model that is trained for least."""
    values: dict[str, Value] = {
        f"{share}_tokens": Value(LATER.default / 3 / times, "tokens", f"{share} in pre-training, trained on")
        for share, times in OVER.items()
        if share != "half"
    }
    for name, fit in BY_FIT.items():
        held = law(fit)
        target = guessed_loss(held)
        values |= {
            f"{name}_{share}": Value(dearer(held, target, LATER.default, times), "%", f"{share}, dearer by", 2)
            for share, times in OVER.items()
            if (name, share) != ("original", "sixth")
        }
        advised = split(held, target, LATER.default, ADVISED_TIMES)
        values[f"{name}_advised_params"] = Value(advised.params, "parameters", "The share advised, parameters", 3)
        if name == "refit":
            values["refit_advised_over"] = Value(own_over(advised), "x", "The share advised, over the rule", 2)
    return Answer(finding="Splits of the cost of a life", values=values | _experts() | _ceiling() | _least())


def _experts() -> dict[str, Value]:
    """A third in pre-training if experts are worth more, by both fits."""
    values: dict[str, Value] = {}
    for name, fit in BY_FIT.items():
        held = law(fit)
        third = dearer(held, guessed_loss(held, EXPERTS_WORTH), LATER.default, OVER["third"])
        values[f"{name}_experts_third"] = Value(third, "%", "A third with experts, dearer by", 2)
    return values


def _ceiling() -> dict[str, Value]:
    """Plans of the guess's loss on the largest set of the catalogue, read once or until the share advised is spent."""
    values: dict[str, Value] = {}
    tokens = largest_set()
    for name, fit in BY_FIT.items():
        held = law(fit)
        target = guessed_loss(held)
        once = Allocation(scaling_law.params_for_loss(held, target, tokens), tokens)
        _, above = against_cheapest(held, once, LATER.default)
        repeated = dearer_on_repeats(held, target, LATER.default, ADVISED_TOKENS)
        values[f"{name}_ceiling"] = Value(above, "%", "Dearer by, on the largest set on record", 2)
        values[f"{name}_repeated"] = Value(repeated, "%", "The share advised on its repeats", 2)
    return values | {"readings": Value(ADVISED_TOKENS / tokens, "x", "Readings for the share advised", 2)}


def _least() -> dict[str, Value]:
    """By both fits the guess against the model that is trained for least; a year of serving against two months."""
    guess = Allocation(GUESSED_PARAMS, GUESSED_TOKENS)
    values: dict[str, Value] = {}
    for name, fit in BY_FIT.items():
        held = law(fit)
        least = lifetime.cheapest_at_loss(held, guessed_loss(held))
        training = guess.training_operations / least.training_operations
        whole = least.lifetime_operations(LATER.default)
        life = guess.lifetime_operations(LATER.default) / whole
        values |= {
            f"{name}_least_training": Value(training, "x", "The guess over the cheapest trained, training", 2),
            f"{name}_least_life": Value(life, "x", "The guess over the cheapest trained, whole life", 2),
        }
    held = law(BY_FIT["refit"])
    target = guessed_loss(held)
    least = lifetime.cheapest_at_loss(held, target)
    best = lifetime.cheapest_at_loss(held, target, LATER.default)
    served_longer = (YEAR + 1) * 3 * GUESSED_TOKENS  # passes: both bills of the later life are the guess's training
    year = lifetime.cheapest_at_loss(held, target, served_longer)
    raised = lifetime.cheapest_at_loss(held, target, YEAR * LATER.default)
    saved = least.params - GUESSED_PARAMS
    early = lifetime.at_tokens_per_param(held, target, EARLY * TOKENS_PER_PARAM)
    gained = early.lifetime_operations(LATER.default) / least.lifetime_operations(LATER.default)
    paid = (guess.training_operations - least.training_operations) / (overtraining.FORWARD * saved)
    other = law(BY_FIT["original"])
    by_other = lifetime.cheapest_at_loss(other, guessed_loss(other), LATER.default)
    least_by_other = lifetime.cheapest_at_loss(other, guessed_loss(other))
    return values | {
        "refit_early_life": Value(gained, "x", "A briefer plan of the same loss, whole life", 2),
        "half_alone": Value(
            dearer(held, target, LATER.default / 2, 1.0), "%", "The guess, hardly reinforced, dearer", 2
        ),
        "best_share": Value(training_share(best, LATER.default), "%", "Cheapest", 3),
        "original_best_over": Value(own_over(by_other), "x", "Cheapest by the original fit, over the rule"),
        "original_least_params": Value(least_by_other.params, "parameters", "The same by the original fit", 3),
        "original_least_tokens": Value(least_by_other.tokens, "tokens", "The same by the original fit", 3),
        "least_params": Value(least.params, "parameters", "The cheapest trained, parameters", 3),
        "paid": Value(paid, "passes", "Later passes after which the guess has paid", 3),
        "target": Value(target, "nats", "Loss of the guess"),
        "least_tokens": Value(least.tokens, "tokens", "The cheapest trained, tokens", 3),
        "year_reinforced": Value(year.tokens / best.tokens, "x", "Cheapest tokens, a year over two months", 2),
        "advised_share": Value(ADVISED, "%", "Pre-training advised", 2),
        "year_later": Value(served_longer / LATER.default, "x", "Later life, a year over two months", 2),
        "year_raised": Value(raised.tokens / best.tokens, "x", "The same, reinforced as much more as served", 2),
        "year_passes": Value(served_longer, "passes", "Later life, a year"),
        "year_tokens": Value(year.tokens, "tokens", "Cheapest tokens, a year", 3),
    }


FIGURES = (Figure(name="overtraining/splits", compute=splits, sources=("chinchilla-paper", "chinchilla-refit-paper")),)
