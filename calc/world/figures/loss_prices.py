"""How much too dear a share of pre-training can be, by the worst fit of two groups: why lecture 5 advises its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.catalog.losses import LOSSES_SOURCES
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.overtraining.figures.setting import law
from calc.overtraining.figures.shared import (
    ADVISED,
    BY_FIT,
    LATER,
    cheapest_plan,
    dearer,
    guessed_loss,
    split,
    training_share,
)
from calc.overtraining.scaling_law import ScalingLaw
from calc.quantities.units import show
from calc.world.losses import SUITES, TUNED, suite_fit

THIRD = 1 / 3
BAND = ADVISED, THIRD
MARKED = (0.25, *BAND, 0.4)
SHARES = np.linspace(0.14, 0.46, 129)
FINE = np.linspace(0.25, 0.36, 111)
HIGHEST = 0.5  # of the cheapest plan, where the chart ends
REFIT_AND_TUNED, OTHER = "refit, tuned two", "other four"
NAMES = {REFIT_AND_TUNED: (0.46, 0.035), OTHER: (0.46, 0.4)}  # where a line's name ends


def groups() -> dict[str, list[ScalingLaw]]:
    """The seven fits: the refit with the tuned suites, and the others."""
    refit = law(BY_FIT["refit"])
    return {
        REFIT_AND_TUNED: [refit, *(suite_fit(suite).law for suite in TUNED)],
        OTHER: [suite_fit(suite).law for suite in SUITES if suite not in TUNED],
    }


def prices() -> Answer:
    """The highest price of each share of pre-training, by the refit and the tuned suites and by the other four."""
    held = groups()
    low, third = ([_price(laws, share) for laws in held.values()] for share in BAND)
    safest = {name: min(FINE, key=lambda share: _price(laws, float(share))) for name, laws in held.items()}
    curves = {name: [(share, _price(laws, float(share))) for share in SHARES] for name, laws in held.items()}
    own = [(100 * _cheapest(each), name) for name, laws in held.items() for each in laws]
    return Answer(
        finding=(
            f"By seven fits {show(ADVISED, '%', 2)} in pre-training costs at most {show(max(low), '%', 2)} too much "
            f"and a third {show(max(third), '%', 2)}; by the refit and the tuned two they cost "
            f"{show(low[0], '%', 2)} and {show(third[0], '%', 2)}"
        ),
        description=(
            "Line chart: how much dearer a plan is than a fit's own cheapest, against the share of pre-training in its "
            f"cost, by the dearest fit of two groups. By the refit and the tuned two the line is least at "
            f"{show(safest[REFIT_AND_TUNED], '%', 2)}, by the other four at {show(safest[OTHER], '%', 2)}, left of "
            f"which it climbs steeply. A band marks {show(ADVISED, '%', 2)} to a third. Marks at the foot are the "
            f"cheapest shares of seven fits, {show(min(own)[0] / 100, '%', 2)} to {show(max(own)[0] / 100, '%', 2)}."
        ),
        tables={
            "curve": _rows(curves),
            "points": _points(held),
            "cheapest": {"share": [share for share, _ in own], "by": [name for _, name in own]},
            "names": _rows({name: [place] for name, place in NAMES.items()}),
            "band": {"from": [100 * BAND[0]], "to": [100 * BAND[1]], "label": ["advised"]},
            "foot": {"share": [100 * SHARES[0]], "dearer": [4.0], "label": ["cheapest"]},
        },
        values={
            "tuned": Value(safest[REFIT_AND_TUNED], "%", "Safest by the refit and the tuned two", 2),
            "other": Value(safest[OTHER], "%", "Safest by the other four", 2),
            "least": Value(min(own)[0] / 100, "%", "Lowest cheapest share of a fit", 2),
            "most": Value(max(own)[0] / 100, "%", "Highest", 2),
        },
    )


def _cheapest(held: ScalingLaw) -> float:
    return training_share(cheapest_plan(held), LATER.default)


def _price(laws: list[ScalingLaw], share: float) -> float:
    """The highest price of a share by some laws; endless where so few tokens do not suffice."""
    at = [(each, guessed_loss(each), LATER.default, 1 / share - 1) for each in laws]
    return max(dearer(*each) if np.isfinite(split(*each).params) else np.inf for each in at)


def _rows(lines: dict[str, list[tuple[Any, float]]]) -> dict[str, list[Any]]:
    kept = [(name, 100 * share, 100 * price) for name, row in lines.items() for share, price in row if price < 0.7]
    return {key: [each[at] for each in kept] for at, key in enumerate(("by", "share", "dearer"))}


def _points(held: dict[str, list[ScalingLaw]]) -> dict[str, list[Any]]:
    """The shares that are marked; a label stands right of a point where its line falls steeply, else over it."""
    found = _rows({name: [(share, _price(laws, share)) for share in MARKED] for name, laws in held.items()})
    falls = [by == OTHER and share <= 100 * ADVISED for by, share in zip(found["by"], found["share"], strict=True)]
    return found | {
        "label": [show(price / 100, "%", 2) for price in found["dearer"]],
        "align": ["left" if each else "center" for each in falls],
        "dx": [4 if each else 0 for each in falls],
    }


def prices_chart() -> Any:
    """Two valleys, and the band between their feet."""
    import altair as alt

    scale = alt.Scale(domain=[100 * SHARES[0], 100 * SHARES[-1]], nice=False)
    x = alt.X("share:Q", title="Pre-training, % of the cost of a life", scale=scale)
    y = alt.Y("dearer:Q", title="More than a fit's cheapest, %").scale(domain=[0, 100 * HIGHEST], nice=False)
    two = [REFIT_AND_TUNED, OTHER]
    colour = alt.Color("by:N", legend=None).scale(domain=two, range=[look.RUNS[0], look.RUNS[2]])
    dash = alt.StrokeDash("by:N", legend=None).scale(domain=two, range=[[1, 0], [6, 3]])
    shape = alt.Shape("by:N", legend=None).scale(**look.shapes(*two))
    band = alt.Chart(alt.NamedData("band")).encode(x=alt.X("from:Q", scale=scale))
    shade = band.mark_rect(color=look.FAINT, opacity=0.45).encode(x2="to:Q")
    lines = alt.Chart(alt.NamedData("curve")).mark_line(clip=True).encode(x=x, y=y, color=colour, strokeDash=dash)
    own = alt.Chart(alt.NamedData("cheapest")).encode(x=x, y=alt.datum(0), color=colour, shape=shape)
    points = alt.Chart(alt.NamedData("points")).encode(x=x, y=y)
    labels = points.encode(text="label:N")
    words: dict[str, Any] = {"align": alt.expr("datum.align"), "dx": alt.expr("datum.dx"), "dy": -8, "fontWeight": 600}
    names = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="by:N", color=colour)
    return (
        shade
        + lines
        + (own.mark_point(size=60) + points.encode(color=colour, shape=shape).mark_point(size=60))
        + labels.mark_text(**words, baseline="bottom", **HALO)
        + labels.encode(color=colour).mark_text(**words, baseline="bottom")
        + names.mark_text(align="right", baseline="middle")
        + band.mark_text(align="left", dx=-7, y=9, color=look.MUTED).encode(text="label:N")
        + alt.Chart(alt.NamedData("foot")).mark_text(align="left", color=look.MUTED).encode(x=x, y=y, text="label:N")
    )


FIGURES = (
    Figure(
        name="world/loss-prices",
        compute=prices,
        chart=prices_chart,
        table="points",
        columns={"by": "Highest price of", "share": "Pre-training (%)", "dearer": "Costs more by (%)"},
        assumptions=(
            "All plans are as good as Pope's guess by their fit, with its later life, on new tokens, none read twice.",
            "Each fit is taken as it stands. With one size left out of a fit, prices can be several times as high.",
            "Tuned: the suites OpenEuroLLM and Step Law, learning rate and batch tuned for each run.",
        ),
        sources=(*dict.fromkeys(LOSSES_SOURCES.values()), "chinchilla-paper", "chinchilla-refit-paper"),
    ),
)
