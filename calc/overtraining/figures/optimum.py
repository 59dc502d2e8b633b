"""Lecture 5 in pictures: the size at which all bills together are least."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import (
    COUNTED,
    FIT,
    PARAMS,
    TOKENS,
    by_fit,
    fit_note,
    law,
)
from calc.overtraining.figures.shared import LATER, split, training_share
from calc.overtraining.scaling_law import Allocation, ScalingLaw
from calc.quantities.check import Array, Quantity
from calc.quantities.units import show

BILLS = {"training": "pre-training", "later": "later life", "total": "in all"}
REACH = 30.0
COSTS = 0.1, 10.0  # that are drawn
CLEAR, DRAWN = 2.5, 2.9  # the plan's value stands at this multiple of its cost, up to this cost
HIGHEST = 8.0  # and never higher
TOO_LITTLE = "too little for any size"


def optimum(*, fit: str, params: float, tokens: float, later: float) -> Answer:
    """The cost of a model of a certain loss in its life, against the tokens that it is trained on."""
    held = law(fit)
    target = float(scaling_law.loss(held, params, tokens))
    best = lifetime.cheapest_at_loss(held, target, later)
    least = float(best.lifetime_operations(later))
    lengths = np.geomspace(min(best.tokens / REACH, tokens), max(best.tokens * REACH, tokens), 121)
    curve = Allocation(_sizes(held, target, lengths), lengths)
    third, half = (split(held, target, later, times) for times in (2.0, 1.0))
    above = {name: float(each.lifetime_operations(later)) / least - 1 for name, each in _named(third, half)}
    plan = Allocation(params, tokens)
    mine = float(plan.lifetime_operations(later)) / least
    justifies = 1 / (1 + lifetime.serving_that_justifies(held, params, tokens))
    drawn = {
        "tokens": lengths,
        "params": curve.params,
        "training": curve.training_operations / least,
        "later": 2 * curve.params * later / least,
        "total": curve.lifetime_operations(later) / least,
    }
    return Answer(
        finding=(
            f"{by_fit(fit)} {show(best.params, 'parameters')} on {show(best.tokens, 'tokens')} are cheapest; "
            f"{_heuristic('a third', third, above['third'])}, {_heuristic('half', half, above['half'])}"
        ),
        description=(
            f"Line chart, both axes logarithmic: cost over the cheapest against training tokens, for models that all "
            f"reach the loss of {show(params, 'parameters')} on {show(tokens, 'tokens')}. Pre-training rises with the "
            f"tokens, the later life falls as the model becomes smaller; the total is least at "
            f"{show(best.tokens, 'tokens')} and flat around it."
        ),
        tables={
            "curve": drawn,
            "ends": ends({"tokens": lengths} | {key: np.clip(drawn[key], *COSTS) for key in BILLS}, "tokens", BILLS),
            "here": {
                "tokens": [tokens],
                "cost": [mine],
                "clear": [min(max(mine, min(CLEAR * mine, DRAWN)), HIGHEST)],
                "label": [f"+{show(_more(mine - 1), '%', 2)}"],
            },
            "guides": _marks(best, {"a third": third, "half": half}, lengths),
        },
        values={
            "tokens": Value(best.tokens, "tokens", "Cheapest tokens"),
            "share": Value(training_share(best, later), "%", "In pre-training, cheapest", 3),
            "third": Value(above["third"], "%", "A third in pre-training costs more by", 2, endless=TOO_LITTLE),
            "half": Value(above["half"], "%", "Half in pre-training costs more by", 2, endless=TOO_LITTLE),
            "loss": Value(target, "nats", "Loss, by the law"),
            "params": Value(best.params, "parameters", "Cheapest size"),
            "over": Value(overtraining.overtraining_factor(best.params, best.tokens), "x", "Over Chinchilla's"),
            "plan": Value(_more(mine - 1), "%", "The plan costs more by", 2),
            "justifies": Value(
                justifies if justifies <= 1 else np.inf,
                "%",
                "Share in pre-training that would justify the plan",
                endless="none",
            ),
        },
        notes=[fit_note(fit)],
    )


def _sizes(held: ScalingLaw, target: float, lengths: Quantity) -> Quantity:
    sizes = np.asarray(scaling_law.params_for_loss(held, target, lengths))
    return np.where(np.isfinite(sizes), sizes, np.nan)


def _marks(best: Allocation, shares: dict[str, Allocation], lengths: Array) -> dict[str, list[Any]]:
    """The three rules, the outer ones with their labels outside and in one row, clear of the plan's value."""
    places = {"cheapest": float(best.tokens)} | {label: float(plan.tokens) for label, plan in shares.items()}
    marks = guides("tokens", places, lengths[0], lengths[-1])
    last = len(marks["label"]) - 1
    return marks | {
        "row": [place if place < last else 0 for place in range(last + 1)],
        "side": ["left" if place == last else "right" for place in range(last + 1)],
    }


def _named(third: Allocation, half: Allocation) -> list[tuple[str, Allocation]]:
    return [("third", third), ("half", half)]


def _more(share: float) -> float:
    """By how much a plan is dearer, none below a hundredth of a per cent: sizes are typed to three digits."""
    return share if share >= 1e-4 else 0.0


def _heuristic(share: str, rule: Allocation, above: float) -> str:
    if not np.isfinite(rule.params):
        return f"{share} in pre-training is too little for any size"
    return f"{share} in pre-training costs {show(_more(above), '%', 2)} more"


def optimum_chart() -> Any:
    """A rising and a falling cost, and their sum."""
    import altair as alt

    lines = labelled_lines(
        alt,
        BILLS,
        alt.X("tokens:Q", title="Trained on (tokens)").scale(type="log", nice=False).axis(**COUNTED),
        alt.Y("cost:Q", title="Cost (× the cheapest)")
        .scale(type="log", domain=list(COSTS))
        .axis(format="~g", values=[0.1, 0.2, 0.5, 1, 2, 5, 10], tickCount=7),
        clip=True,
    )
    here = here_layer(alt, "tokens", "cost", label="label", falling=True, over="clear", clip=True)
    return guide_layer(alt, "tokens") + lines + here


OPTIMUM = Figure(
    name="overtraining/optimum",
    inputs=(FIT, PARAMS, TOKENS, LATER),
    compute=optimum,
    chart=optimum_chart,
    foremost=4,
    table="curve",
    columns={
        "tokens": "Trained on (tokens)",
        "params": "Parameters",
        "training": "Pre-training (× cheapest in all)",
        "later": "Later life (× cheapest in all)",
        "total": "In all (× cheapest)",
    },
    assumptions=(
        "All models on the curve reach the same loss by the scaling law, which was fitted to small dense models.",
        "The later life does not depend on the size except in its cost; what reinforcement teaches is not counted.",
        "The plan shown first is Pope's guess of a frontier model, in equal thirds; nobody has confirmed it.",
    ),
    sources=("lecture", "chinchilla-paper", "chinchilla-refit-paper"),
)


FIGURES = (OPTIMUM,)
