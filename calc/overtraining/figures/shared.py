"""Lecture 5's numbers that several pictures show: the two fits, Chinchilla's size, and the ladder of runs."""

from __future__ import annotations

import numpy as np

from calc import catalog, overtraining
from calc.figure.inputs import Number
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import (
    GUESSED_EFFICIENCY,
    GUESSED_FACTOR,
    GUESSED_PARAMS,
    GUESSED_TOKENS,
    even_plan,
    later_tokens,
)
from calc.overtraining.scaling_law import Allocation, ScalingLaw

BY_FIT = {"refit": "chinchilla-refit", "original": "chinchilla"}
EXAMPLE_CHIP = "h100-sxm"
EVEN = even_plan()
CHINCHILLA = (catalog.datum("chinchilla-params").value, catalog.datum("chinchilla-tokens").value)
SERVED_TOKENS = Number(
    name="served",
    label="Served",
    default=float(EVEN.serving),
    low=1,
    high=1e18,
    unit="tokens",
    log=True,
    help="Tokens over the life of the model. The default costs as much as the default pre-training.",
)
LATER = Number(
    name="later",
    label="Later life",
    default=float(later_tokens(EVEN.serving, EVEN.reinforcement, GUESSED_FACTOR, GUESSED_EFFICIENCY)),
    low=1e9,
    high=1e19,
    unit="passes",
    log=True,
    help="One pass is a token once forward at the pace of training; at Pope's efficiency a written one is three.",
)

RATIO = Number(
    name="ratio",
    label="Tokens per parameter",
    default=2000,
    low=5,
    high=20000,
    log=True,
    help="How long the other model is trained. The rule of thumb says 20.",
)
ADVISED = 0.3  # of all cost in pre-training: within about 2% of the cheapest by either fit
ADVISED_TIMES = 1 / ADVISED - 1  # later life over pre-training
EARLY = 20  # times the rule
OVER = {
    "half": 1.0,
    "third": 2.0,
    "advised": ADVISED_TIMES,
    "sixth": 5.0,
}  # later life over pre-training, by the latter's share
KEPT = 0.3  # of the later life of the guess, supposed not to shrink with the size
EXPERTS_WORTH = 4  # supposed size of a dense model as good as the guess with experts, over its active one
LADDER = ("llama-3-8b", "llama-3-70b", "deepseek-v3", "llama-3-405b")
GUESS, YOURS = "Pope's guess", "Your run"


def split(held: ScalingLaw, target: float, later: float, times: float) -> Allocation:
    """The plan of a loss that is trained so that the later life costs `times` as much as pre-training."""
    tokens = later / 3 / times
    return Allocation(scaling_law.params_for_loss(held, target, tokens), tokens)


def own_over(plan: Allocation) -> float:
    """How many times over the rule a plan trains its own size."""
    return float(overtraining.overtraining_factor(plan.params, plan.tokens))


def over_the_rule(tokens: float) -> float:
    """How many times over the rule so many tokens train the guess."""
    return overtraining.overtraining_factor(GUESSED_PARAMS, tokens)


def ladder() -> list[tuple[str, float, float]]:
    """Name, operations and parameters with a state of a few runs, from small to large."""
    models = [catalog.model(name) for name in LADDER]
    public = [
        (
            row.name,
            overtraining.training_operations(row.active_params, row.known("train_tokens")),
            row.total_params,
        )
        for row in models
    ]
    guess = overtraining.training_operations(GUESSED_PARAMS, GUESSED_TOKENS)
    return [*public, (GUESS, guess, GUESSED_PARAMS)]


def smaller_pays(one: Allocation, two: Allocation) -> float:
    """Passes from which on the smaller of two plans of one loss has cost less; none if both are the same."""
    if np.isclose(one.params, two.params):
        return 0.0
    extra = two.training_operations - one.training_operations
    return max(0.0, float(extra / (2 * (one.params - two.params))))


def against_cheapest(held: ScalingLaw, plan: Allocation, later: float) -> tuple[Allocation, float]:
    """The cheapest plan that is as good, and the share of its cost by which this one is dearer."""
    best = lifetime.cheapest_at_loss(held, scaling_law.loss(held, plan.params, plan.tokens), later)
    return best, float(plan.lifetime_operations(later) / best.lifetime_operations(later)) - 1


def guessed_loss(held: ScalingLaw, worth: float = 1.0) -> float:
    """The loss of Pope's guess, or of a model of so many times its size on the same tokens."""
    return float(scaling_law.loss(held, worth * GUESSED_PARAMS, GUESSED_TOKENS))


def cheapest_plan(held: ScalingLaw) -> Allocation:
    """The cheapest plan as good as the guess, with Pope's later life."""
    return lifetime.cheapest_at_loss(held, guessed_loss(held), LATER.default)


def training_share(plan: Allocation, later: float) -> float:
    """The share of a life's operations that pre-training takes."""
    return float(plan.training_operations / plan.lifetime_operations(later))


def dearer(held: ScalingLaw, target: float, later: float, times: float) -> float:
    """The share of the cheapest by which a plan is dearer if the later life costs `times` as much as pre-training."""
    return against_cheapest(held, split(held, target, later, times), later)[1]


def if_kept(held: ScalingLaw, part: float, *plans: Allocation) -> tuple[float, list[float]]:
    """The cheapest tokens if a part of the guess's later life keeps its cost, and how much dearer other plans are."""
    shrinks = (1 - part) * LATER.default
    best = lifetime.cheapest_at_loss(held, guessed_loss(held), shrinks)
    kept = 2 * part * LATER.default * GUESSED_PARAMS
    least, *bills = (float(plan.lifetime_operations(shrinks)) + kept for plan in (best, *plans))
    return float(best.tokens), [bill / least - 1 for bill in bills]


def largest_set() -> float:
    """Tokens of the largest training set in the catalogue."""
    return max(row.train_tokens for row in catalog.models().values() if row.train_tokens)


def dearer_on_repeats(held: ScalingLaw, target: float, later: float, tokens: float, part: float = 1.0) -> float:
    """How much dearer a plan on so many tokens, of part of the largest set read again, is than the cheapest on new."""
    largest = part * largest_set()
    fresh = scaling_law.worth_in_new_tokens(largest, tokens / largest)
    plan = Allocation(scaling_law.params_for_loss(held, target, fresh), tokens)
    best = lifetime.cheapest_at_loss(held, target, later)
    return float(plan.lifetime_operations(later) / best.lifetime_operations(later)) - 1
