"""The share of pre-training to choose if one of Pope's inputs changes, and its price by each of eight laws."""

from __future__ import annotations

import math

from calc.catalog.losses import LOSSES_SOURCES
from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.overtraining.figures.setting import law
from calc.overtraining.figures.shared import (
    ADVISED,
    ADVISED_TIMES,
    BY_FIT,
    EXPERTS_WORTH,
    KEPT,
    LATER,
    OVER,
    dearer,
    dearer_on_repeats,
    guessed_loss,
    if_kept,
    largest_set,
    own_over,
    split,
)
from calc.overtraining.scaling_law import ScalingLaw
from calc.world.losses import SUITES, TUNED, suite_fit

STEPS = 20  # a choice is so many parts of the whole
TEXT = 26e12  # of the largest count, MiMo-V2.5's: text, by the report of its successor (the catalogue's note)
MANY = 5  # readings of the largest set


def choices() -> Answer:
    """For each circumstance the share whose highest price by four laws is least, that price, and that by the others."""
    pair = [law(row) for row in BY_FIT.values()]
    tuned = [suite_fit(suite).law for suite in TUNED]
    other = [suite_fit(suite).law for suite in SUITES if suite not in TUNED]
    four, values, again, again_other = [*pair, *tuned], dict[str, Value](), list[float](), list[float]()
    for name, (later, worth) in circumstances().items():
        share = choice(four, later, worth)
        again += [_repeated(held, later, share, worth) for held in four]
        if _tokens(later, share) > MANY * largest_set():
            again_other += [_repeated(held, later, share, worth) for held in other]
        values |= {
            f"{name}_share": Value(share, "%", f"{name}: in pre-training", 2),
            f"{name}_tokens": Value(_tokens(later, share), "tokens", "trained on", 2 if name == "measured" else 3),
            f"{name}_four": Value(worst(four, later, worth, share), "%", "dearer by at most, four laws", 2),
            f"{name}_other": Value(worst(other, later, worth, share), "%", "other four", 2),
        }
    eight = [*four, *other]
    repeated = max(_repeated(held, LATER.default, share) for held in eight for share in (ADVISED, 1 / 3))
    text = max(
        dearer_on_repeats(held, guessed_loss(held), LATER.default, _tokens(LATER.default, share), TEXT / largest_set())
        for held in eight
        for share in (ADVISED, 1 / 3)
    )
    plans = [split(held, guessed_loss(held), LATER.default, ADVISED_TIMES) for held in eight]
    alone = circumstances()["alone"]
    hedged = choice(eight, *alone)
    return Answer(
        finding="Shares of pre-training to choose",
        values=values
        | {
            "repeated": Value(repeated, "%", "The shares advised on repeats, all eight, at most", 2),
            "text": Value(TEXT, "tokens", "Text in the largest count"),
            "text_repeated": Value(text, "%", "The shares advised on repeats of these, all eight, at most", 2),
            "again": Value(max(again), "%", "Any share of the table on repeats, four laws, at most", 2),
            "again_other": Value(max(again_other), "%", "Those that take many readings, other four, at most", 2),
            "alone_eight_share": Value(hedged, "%", "alone: in pre-training, chosen by all eight", 2),
            "alone_eight": Value(worst(eight, *alone, hedged), "%", "the same, dearer by at most", 2),
            **_kept(eight),
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
        if math.isinf(split(held, target, later, times).params):
            return math.inf
        prices.append(dearer(held, target, later, times))
    return max(prices)


def _repeated(held: ScalingLaw, later: float, share: float, worth: float = 1.0) -> float:
    """How much dearer a share is on repeats of the largest set on record, against the cheapest on new tokens."""
    return dearer_on_repeats(held, guessed_loss(held, worth), later, _tokens(later, share))


def _kept(laws: list[ScalingLaw]) -> dict[str, Value]:
    """The highest prices of three shares if a part of the later life does not shrink with the model."""
    times = {"quarter": 3.0, "advised": ADVISED_TIMES, "third": OVER["third"]}
    return {
        f"kept_{name}": Value(
            max(if_kept(held, KEPT, split(held, guessed_loss(held), LATER.default, each))[1][0] for held in laws),
            "%",
            f"{name}, a part of the later life kept, dearer by at most, all eight",
            2,
        )
        for name, each in times.items()
    }


def _tokens(later: float, share: float) -> float:
    """Tokens that a model is trained on, if pre-training has a share of the cost beside a later life."""
    return later / 3 * share / (1 - share)


SOURCES = (*dict.fromkeys(LOSSES_SOURCES.values()), "chinchilla-paper", "chinchilla-refit-paper")
FIGURES = (Figure(name="world/loss-choices", compute=choices, sources=SOURCES),)
