"""Lecture 5 in pictures: two plans of training that reach one loss, as areas."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.overtraining import lifetime, scaling_law
from calc.overtraining.figures.setting import (
    FIT,
    GUESSED_PARAMS,
    GUESSED_TOKENS,
    PARAMS,
    TOKENS,
    by_fit,
    fit_note,
    law,
)
from calc.overtraining.figures.shared import LATER, RATIO, smaller_pays
from calc.overtraining.scaling_law import Allocation
from calc.quantities.check import Quantity
from calc.quantities.units import show

TRAINING, SERVING = "pre-training", "later life"
FORWARD = 3  # passes forward that cost what a pass of training costs
NAMED = 0.08  # of both heights, from a plan to its name
PASSES = (  # in trillions, as in the text, however many
    "datum.value >= 1e12 ? format(datum.value / 1e12, ',~f') + 'T' : replace(format(datum.value, '~s'), 'G', 'B')"
)


def _rounded(count: Quantity) -> float:
    """A number of parameters or tokens to the three digits that an input shows."""
    return float(f"{float(count):.3g}")


REFIT = law("chinchilla-refit")
LEAST = lifetime.cheapest_at_loss(REFIT, scaling_law.loss(REFIT, GUESSED_PARAMS, GUESSED_TOKENS))
SAID = "The model to compare with: the one as good as Pope's guess that takes the least training, by the refit."
BASE = replace(PARAMS, label="Parameters", default=_rounded(LEAST.params), help=SAID)
BASE_TOKENS = replace(TOKENS, default=_rounded(LEAST.tokens), help=SAID)
LONGER = replace(
    RATIO,
    label="The other model, tokens per parameter",
    help="The rule of thumb says 20, Pope's guess 2,000.",
)


def plans(*, fit: str, params: float, tokens: float, ratio: float, later: float) -> Answer:
    """A model and a smaller one of its loss, each with its machine time before and after it is served."""
    one = Allocation(params, tokens)
    found = lifetime.price_at_equal_loss(law(fit), params, tokens, ratio)
    two = found.allocation
    lives = [float(each.lifetime_operations(later)) for each in (one, two)]
    times = lives[1] / lives[0]
    names = [f"{show(each.params, 'parameters')} on {show(each.tokens, 'tokens')}" for each in (one, two)]
    ways = ((one, 1.0), (two, -1.0))
    above = NAMED * (params + float(two.params))
    pays = smaller_pays(one, two)
    paid = [FORWARD * float(each.tokens) + pays for each in (one, two)] if 0 < pays <= later else []
    return Answer(
        finding=(
            f"{by_fit(fit)} {names[1]} are as good as {names[0]}: training the first costs "
            f"{show(found.training_ratio, 'x', 2)} as much, its whole life {show(times, 'x', 2)}"
        ),
        description=(
            f"Two pairs of rectangles on a common baseline. Their height is the size of a model, their width the "
            f"passes through it, {FORWARD} for each token of training, so an area is machine time. Above, "
            f"{names[0]}. Below, {names[1]}: {show(times, 'x', 2)} the time in a life. Dashed marks, where the "
            f"longer training is paid back within this life, say up to where the two areas are equal."
        ),
        tables={
            "areas": {
                "from": [0.0, FORWARD * tokens, 0.0, FORWARD * float(two.tokens)],
                "to": [
                    end
                    for each, _ in ways
                    for end in (FORWARD * float(each.tokens), FORWARD * float(each.tokens) + later)
                ],
                "size": [side * float(each.params) for each, side in ways for _ in range(2)],
                "part": [TRAINING, SERVING] * 2,
                "operations": [
                    bill
                    for each, _ in ways
                    for bill in (float(each.training_operations), 2 * float(each.params) * later)
                ],
            },
            "paid": {
                "passes": paid,
                "size": [params, -float(two.params)][: len(paid)],
                "label": ["paid back here"] * len(paid),
            },
            "names": {
                "size": [params + above, -float(two.params) - above],
                "label": names,
            },
        },
        values={
            "params": Value(two.params, "parameters", "The other model, parameters"),
            "tokens": Value(two.tokens, "tokens", "The other model, tokens"),
            "training": Value(found.training_ratio, "x", "Its training", 2),
            "life": Value(times, "x", "Its whole life", 2),
            "pays": Value(pays, "passes", "The smaller has paid after"),
        },
        notes=[fit_note(fit)],
    )


def plans_chart() -> Any:
    """One plan above the baseline and one below it; the area of each part is its machine time."""
    import altair as alt

    parts = (TRAINING, SERVING)
    x = alt.X("from:Q", title="Passes (three for each trained token)").scale(nice=False).axis(labelExpr=PASSES)
    label = "replace(replace(format(abs(datum.value), '~s'), 'G', 'B'), 'k', 'K')"
    y = alt.Y("size:Q", title="Parameters").scale(padding=10).axis(labelExpr=label)
    areas = (
        alt.Chart(alt.NamedData("areas"))
        .mark_rect(stroke=look.PAPER, strokeWidth=1)
        .encode(
            x=x,
            x2="to:Q",
            y=y,
            y2=alt.datum(0),
            color=alt.Color("part:N", title=None).scale(domain=parts, range=[look.ARITHMETIC, look.FAINT]),
        )
    )
    names = alt.Chart(alt.NamedData("names")).encode(x=alt.datum(0), y="size:Q", text="label:N")
    words: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 4}
    base = alt.Chart(alt.NamedData("names")).mark_rule(color=look.INK).encode(y=alt.datum(0))
    return areas + base + _paid(alt) + names.mark_text(**words, **HALO) + names.mark_text(**words)


def _paid(alt: Any) -> Any:
    """A dashed mark across each plan where longer training has paid, with words on the side that has more room."""
    marks = alt.Chart(alt.NamedData("paid")).encode(x="passes:Q")
    across = marks.mark_rule(color=look.INK, strokeDash=[4, 3]).encode(y="size:Q", y2=alt.datum(0))
    room = "scale('x', datum.passes) > 0.6 * width"
    words: dict[str, Any] = {
        "align": alt.expr(f"{room} ? 'right' : 'left'"),
        "dx": alt.expr(f"{room} ? -5 : 5"),
        "y": alt.expr("(scale('y', datum.size) + scale('y', 0)) / 2"),
        "baseline": "middle",
    }
    return across + marks.mark_text(**words).encode(text="label:N")


FIGURES = (
    Figure(
        name="overtraining/plans",
        inputs=(FIT, BASE, BASE_TOKENS, LONGER, LATER),
        compute=plans,
        chart=plans_chart,
        table="areas",
        columns={
            "part": "Part",
            "size": "Parameters (below zero: the other model)",
            "from": "From (passes)",
            "to": "To (passes)",
            "operations": "Machine time, as operations of training",
        },
        assumptions=(
            "A pass of training costs as much as three passes forward. Both models reach one loss by the scaling law.",
            "Later life: serving and reinforcement, in passes: a token once forward, at the pace of training.",
        ),
        sources=("lecture", "chinchilla-paper", "chinchilla-refit-paper"),
    ),
)
