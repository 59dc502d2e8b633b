"""The price of a split that is not the cheapest, by both fits, and the training at which halves are cheapest."""

from __future__ import annotations

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import BY_FIT, CHINCHILLA, EXPERTS_WORTH, LATER, at_exchange, dearer, split
from calc.overtraining.scaling_law import Allocation, ScalingLaw

OVER = {"half": 1.0, "third": 2.0, "quarter": 3.0, "sixth": 5.0}  # later life over pre-training, by the latter's share
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
        values |= {
            f"{name}_{share}_over": Value(_over(split(held, target, LATER.default, OVER[share])), "x", "Over the rule")
            for share in ("half", "quarter", "sixth")
        }
        even = at_exchange(held, CHINCHILLA[0], 1 / 2)
        alone = dearer(held, target, 3 * GUESSED_TOKENS, 1)
        values[f"{name}_alone"] = Value(alone, "%", "Half and half of serving alone, dearer by", 2)
        values[f"{name}_even_over"] = Value(_over(even), "x", "Half and half is cheapest at, over the rule", 2)
    return Answer(finding="Splits of the cost of a life", values=values | _experts() | _least())


def _target(held: ScalingLaw, worth: float = 1.0) -> float:
    """The loss of the guess, if it is as good as a dense model of so many times its active size."""
    return float(scaling_law.loss(held, worth * GUESSED_PARAMS, GUESSED_TOKENS))


def _over(plan: Allocation) -> float:
    """How many times over the rule a plan trains its own size."""
    return float(overtraining.overtraining_factor(plan.params, plan.tokens))


def _experts() -> dict[str, Value]:
    """A third in pre-training if experts are worth more, by the fit that finds it dearer."""
    laws = [law(fit) for fit in BY_FIT.values()]
    most = max(dearer(held, _target(held, EXPERTS_WORTH), LATER.default, OVER["third"]) for held in laws)
    return {"experts_third": Value(most, "%", "third with experts, dearer by at most", 2)}


def _least() -> dict[str, Value]:
    """The guess against the model that is trained for least, and a year of serving against two months."""
    held = law("chinchilla-refit")
    target = _target(held)
    least = lifetime.cheapest_at_loss(held, target)
    two_months, year = (lifetime.cheapest_at_loss(held, target, n * 3 * GUESSED_TOKENS) for n in (1, YEAR))
    guess = Allocation(GUESSED_PARAMS, GUESSED_TOKENS)
    other = law(BY_FIT["original"])
    best, least_other = (lifetime.cheapest_at_loss(other, _target(other), later) for later in (LATER.default, 0.0))
    by_other = guess.training_operations / least_other.training_operations
    return {
        "original_best_over": Value(_over(best), "x", "Cheapest by the original fit, over the rule"),
        "original_best_params": Value(best.params, "parameters", "Cheapest by the original fit", 2),
        "original_least_training": Value(by_other, "x", "Its training, by the original fit", 2),
        "original_least_size": Value(least_other.params / guess.params, "x", "Larger by, by the original fit", 2),
        "least_params": Value(least.params, "parameters", "The cheapest trained, parameters", 3),
        "least_ratio": Value(least.tokens_per_param, "", "The cheapest trained, tokens per parameter", 2),
        "least_training": Value(guess.training_operations / least.training_operations, "x", "Its training", 2),
        "least_size": Value(least.params / guess.params, "x", "The cheapest trained is larger by", 2),
        "least_tokens": Value(least.tokens, "tokens", "The cheapest trained, tokens", 2),
        "year": Value(year.tokens / two_months.tokens, "x", "Cheapest tokens, a year over two months", 2),
    }


FIGURES = (Figure(name="overtraining/splits", compute=splits, sources=("chinchilla-paper", "chinchilla-refit-paper")),)
