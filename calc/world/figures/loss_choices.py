"""The share of pre-training to choose if one of Pope's inputs changes, and its price by each of eight laws."""

from __future__ import annotations

from calc import catalog
from calc.catalog.losses import LOSSES_SOURCES
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import scaling_law
from calc.overtraining.figures.setting import law
from calc.overtraining.figures.shared import (
    ADVISED,
    BY_FIT,
    EXPERTS_WORTH,
    LATER,
    dearer,
    guessed_loss,
    own_over,
    split,
)
from calc.overtraining.scaling_law import ScalingLaw
from calc.world.losses import SUITES, TUNED, suite_fit

STEPS = 20  # a choice is so many parts of the whole


def choices() -> Answer:
    """For each circumstance the share whose highest price by four laws is least, and that price; the same by eight."""
    pair = [law(row) for row in BY_FIT.values()]
    four, eight = ([*pair, *(suite_fit(suite).law for suite in suites)] for suites in (TUNED, SUITES))
    values: dict[str, Value] = {}
    for name, (later, worth) in circumstances().items():
        share = choice(four, later, worth)
        values |= {
            f"{name}_share": Value(share, "%", f"{name}: in pre-training", 2),
            f"{name}_tokens": Value(later / 3 * share / (1 - share), "tokens", "trained on", 3),
            f"{name}_four": Value(worst(four, later, worth, share), "%", "dearer by at most, four laws", 2),
            f"{name}_eight": Value(worst(eight, later, worth, share), "%", "all eight", 2),
        }
    repeated = max(_repeated(held, LATER.default, ADVISED) for held in eight)
    again = max(
        _repeated(held, later, choice(four, later, worth), worth)
        for later, worth in circumstances().values()
        for held in four
    )
    plans = [split(held, guessed_loss(held), LATER.default, 1 / ADVISED - 1) for held in eight]
    return Answer(
        finding="Shares of pre-training to choose",
        values=values
        | {
            "repeated": Value(repeated, "%", "The share advised on repeats, all eight, at most", 2),
            "again": Value(again, "%", "Any share of the table on repeats, four laws, at most", 2),
            "over": Value(min(own_over(plan) for plan in plans), "x", "The share advised over the rule, at least", 2),
        },
    )


def circumstances() -> dict[str, tuple[float, float]]:
    """Passes of the later life, and the size of the dense model that is as good over the active one."""
    measured, year, written = (
        float(registry.find(f"overtraining/{figure}").answer().values[value].number)
        for figure, value in (("fits", "measured_later"), ("splits", "year_passes"), ("rollouts", "later"))
    )
    lives = {"alone": LATER.default / 2, "measured": measured, "guess": LATER.default, "rollouts": written}
    return {name: (later, 1.0) for name, later in (lives | {"year": year}).items()} | {
        "experts": (LATER.default, float(EXPERTS_WORTH))
    }


def choice(laws: list[ScalingLaw], later: float, worth: float) -> float:
    """The share, in whole steps, whose highest price is least."""
    return min((step / STEPS for step in range(1, STEPS)), key=lambda share: worst(laws, later, worth, share))


def worst(laws: list[ScalingLaw], later: float, worth: float, share: float) -> float:
    """The highest price of a share by some laws; endless where so few tokens do not suffice."""
    prices, times = [], 1 / share - 1
    for held in laws:
        target = guessed_loss(held, worth)
        if split(held, target, later, times).params == float("inf"):
            return float("inf")
        prices.append(dearer(held, target, later, times))
    return max(prices)


def _repeated(held: ScalingLaw, later: float, share: float, worth: float = 1.0) -> float:
    """How much dearer a share is on repeats of the largest set on record, against the cheapest on new tokens."""
    tokens = later / 3 * share / (1 - share)
    largest = max(row.train_tokens for row in catalog.models().values() if row.train_tokens)
    target, fresh = guessed_loss(held, worth), scaling_law.worth_in_new_tokens(largest, tokens / largest)
    here, there = (scaling_law.params_for_loss(held, target, each) for each in (tokens, fresh))
    return float((1 + dearer(held, target, later, 1 / share - 1)) * there / here - 1)


SOURCES = (*dict.fromkeys(LOSSES_SOURCES.values()), "chinchilla-paper", "chinchilla-refit-paper")
FIGURES = (Figure(name="world/loss-choices", compute=choices, sources=SOURCES),)
