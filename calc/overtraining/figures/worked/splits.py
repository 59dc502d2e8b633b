"""The price of a split that is not the cheapest, by both fits, and the training at which halves are cheapest."""

from __future__ import annotations

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import BY_FIT, CHINCHILLA, EXPERTS_WORTH, LATER, at_exchange, dearer
from calc.overtraining.scaling_law import Allocation, ScalingLaw

OVER = {"half": 1.0, "third": 2.0, "quarter": 3.0, "sixth": 5.0}  # later life over pre-training, by the latter's share
WITH_EXPERTS = ("half", "third", "quarter")
YEAR = 6  # times two months


def splits() -> Answer:
    """At the loss of the guess, with its later life; and the guess against the model that is trained for least."""
    values: dict[str, Value] = {
        f"{share}_tokens": Value(LATER.default / 3 / times, "tokens", f"{share} in pre-training, trained on")
        for share, times in OVER.items()
    }
    for name, fit in BY_FIT.items():
        held = law(fit)
        target = _target(held)
        values |= {
            f"{name}_{share}": Value(dearer(held, target, LATER.default, times), "%", f"{share}, dearer by", 2)
            for share, times in OVER.items()
        }
        even = at_exchange(held, CHINCHILLA[0], 1 / 2)
        alone = dearer(held, target, 3 * GUESSED_TOKENS, 1)
        rule = overtraining.overtraining_factor(even.params, even.tokens)
        values[f"{name}_alone"] = Value(alone, "%", "Half and half of serving alone, dearer by", 2)
        values[f"{name}_even_over"] = Value(rule, "x", "Half and half is cheapest at, over the rule", 2)
    return Answer(finding="Splits of the cost of a life", values=values | _experts() | _least())


def _target(held: ScalingLaw, worth: float = 1.0) -> float:
    """The loss of the guess, if it is as good as a dense model of so many times its active size."""
    return float(scaling_law.loss(held, worth * GUESSED_PARAMS, GUESSED_TOKENS))


def _experts() -> dict[str, Value]:
    """The splits if experts are worth more, each by the fit that finds it dearer."""
    laws = [law(fit) for fit in BY_FIT.values()]
    targets = [_target(held, EXPERTS_WORTH) for held in laws]
    return {
        f"experts_{share}": Value(
            max(dearer(held, target, LATER.default, OVER[share]) for held, target in zip(laws, targets, strict=True)),
            "%",
            f"{share} with experts, dearer by at most",
            2,
        )
        for share in WITH_EXPERTS
    }


def _least() -> dict[str, Value]:
    """The guess against the model that is trained for least, and a year of serving against two months."""
    held = law("chinchilla-refit")
    target = _target(held)
    least = lifetime.cheapest_at_loss(held, target)
    two_months, year = (lifetime.cheapest_at_loss(held, target, n * 3 * GUESSED_TOKENS) for n in (1, YEAR))
    guess = Allocation(GUESSED_PARAMS, GUESSED_TOKENS)
    return {
        "least_training": Value(guess.training_operations / least.training_operations, "x", "Its training", 2),
        "least_size": Value(least.params / guess.params, "x", "The cheapest trained is larger by", 2),
        "least_tokens": Value(least.tokens, "tokens", "The cheapest trained, tokens", 2),
        "year": Value(year.tokens / two_months.tokens, "x", "Cheapest tokens, a year over two months", 2),
    }


FIGURES = (Figure(name="overtraining/splits", compute=splits, sources=("chinchilla-paper", "chinchilla-refit-paper")),)
