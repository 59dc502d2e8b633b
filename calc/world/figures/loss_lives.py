"""Pope's guess against the model as good that is trained for least, by the newer fits: its training and its life."""

from __future__ import annotations

from calc.catalog.losses import LOSSES_SOURCES
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining import lifetime
from calc.overtraining.budget import TOKENS_PER_PARAM
from calc.overtraining.figures.setting import GUESSED_PARAMS, GUESSED_TOKENS, law
from calc.overtraining.figures.shared import BY_FIT, EARLY, LATER, cheapest_plan, guessed_loss, own_over, training_share
from calc.overtraining.scaling_law import Allocation, ScalingLaw
from calc.world.figures.both_ends import both_ends
from calc.world.losses import SUITES, suite_fit, without_one

GUESS = Allocation(GUESSED_PARAMS, GUESSED_TOKENS)


def lives() -> Answer:
    """By the newer fits as they stand, with one size left out, and without the exponent that they add."""
    newer = [suite_fit(suite).law for suite in SUITES]
    left = [each.law for suite in SUITES for each in without_one(suite)]
    plain = [training_share(cheapest_plan(suite_fit(suite, joint=False).law), LATER.default) for suite in SUITES]
    early = [
        lifetime.at_tokens_per_param(held, guessed_loss(held), EARLY * TOKENS_PER_PARAM).lifetime_operations(
            LATER.default
        )
        / _least(held).lifetime_operations(LATER.default)
        for held in newer
    ]
    trained = [
        float(GUESS.training_operations / _least(held).training_operations) for held in (law(BY_FIT["refit"]), *newer)
    ]
    ratios = [float(_least(held).tokens_per_param) for held in newer]
    over = [own_over(cheapest_plan(held)) for held in left]
    return Answer(
        finding="Pope's guess against the model as good that is trained for least",
        values={
            **both_ends("trained", trained, "Training, the guess, seven fits", "x", 3),
            **both_ends("ratio", ratios, "Tokens a parameter of the other, newer fits", ""),
            **both_ends("past", [float(GUESS.tokens_per_param) / each for each in ratios], "The guess over that", "x"),
            "most": Value(max(map(_life, newer)), "x", "Whole life, the guess, newer fits, at most", 2),
            "left": Value(max(map(_life, left)), "x", "The same, one size left out", 2),
            "early": Value(float(max(early)), "x", "Whole life, at twenty times the rule, newer fits, at most", 3),
            **both_ends("left_over", over, "Cheapest plan over the rule, one size left out", "x"),
            **both_ends("plain", plain, "Cheapest share by (6), newer runs"),
        },
    )


def _least(held: ScalingLaw) -> Allocation:
    return lifetime.cheapest_at_loss(held, guessed_loss(held))


def _life(held: ScalingLaw) -> float:
    """The whole life of the guess over that of the other."""
    return float(GUESS.lifetime_operations(LATER.default) / _least(held).lifetime_operations(LATER.default))


SOURCES = (*dict.fromkeys(LOSSES_SOURCES.values()), "chinchilla-paper", "chinchilla-refit-paper")
FIGURES = (Figure(name="world/loss-lives", compute=lives, sources=SOURCES),)
