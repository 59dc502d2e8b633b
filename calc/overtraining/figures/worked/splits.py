"""The price of a split that is not the cheapest, by both fits, and the training at which halves are cheapest."""

from __future__ import annotations

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import BY_FIT, CHINCHILLA, LATER, at_exchange, dearer
from calc.overtraining.scaling_law import Allocation

OVER = {"half": 1.0, "third": 2.0, "quarter": 3.0, "sixth": 5.0}  # later life over pre-training, by the latter's share
YEAR = 6  # times two months


def splits() -> Answer:
    """At the loss of the guess, with its later life; and the guess against the model that is trained for least."""
    values: dict[str, Value] = {}
    for name, fit in BY_FIT.items():
        held = law(fit)
        target = float(scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS))
        values |= {
            f"{name}_{share}": Value(dearer(held, target, LATER.default, times), "%", f"{share}, dearer by", 2)
            for share, times in OVER.items()
        }
    held = law("chinchilla-refit")
    target = float(scaling_law.loss(held, GUESSED_PARAMS, GUESSED_TOKENS))
    least = lifetime.cheapest_at_loss(held, target)
    two_months, year = (lifetime.cheapest_at_loss(held, target, n * 3 * GUESSED_TOKENS) for n in (1, YEAR))
    even = at_exchange(held, CHINCHILLA[0], 1 / 2)
    guess = Allocation(GUESSED_PARAMS, GUESSED_TOKENS)
    return Answer(
        finding="Splits of the cost of a life",
        values=values
        | {
            "least_training": Value(guess.training_operations / least.training_operations, "x", "Its training", 2),
            "least_size": Value(least.params / guess.params, "x", "The cheapest trained is larger by", 2),
            "year": Value(year.tokens / two_months.tokens, "x", "Cheapest tokens, a year over two months", 2),
            "even_over": Value(overtraining.overtraining_factor(even.params, even.tokens), "x", "Halves, the rule", 2),
        },
    )


FIGURES = (Figure(name="overtraining/splits", compute=splits, sources=("chinchilla-paper", "chinchilla-refit-paper")),)
