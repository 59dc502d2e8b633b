"""Lecture 5 in pictures: how long to train for what will be served."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from calc import catalog, overtraining
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, guide_layer, guides, here_layer, reaching
from calc.figure.line_names import ends, labelled_lines
from calc.overtraining.figures.setting import (
    COUNTED,
    GUESSED_FACTOR,
    GUESSED_PARAMS,
    GUESSED_TOKENS,
    PARAMS,
    SLOWER,
    later_tokens,
    law,
)
from calc.overtraining.figures.shared import BY_FIT, SERVED_TOKENS
from calc.overtraining.lifetime import cheapest_at_loss
from calc.overtraining.scaling_law import loss
from calc.quantities.arithmetic import MONTH
from calc.quantities.check import Quantity
from calc.quantities.units import show

SERVED = np.logspace(12, 17, 61)
LINES = {"equal": "half and half", "refit": "refit", "original": "original"}
TRAFFIC = replace(SERVED_TOKENS, low=1e6, help="Tokens over the life of the model. The default is Pope's guess.")


def served(*, served: float, slower: float, params: float) -> Answer:
    """Trained tokens against served ones: where their costs are equal, and where the total is least."""
    share = 1 / slower
    here = overtraining.pretraining_tokens_for(served, share)
    rule = overtraining.chinchilla_tokens(params)
    over = overtraining.overtraining_factor(params, here)
    lengths = reaching(SERVED, served)
    lines = {key: _cheapest(fit, lengths, share) for key, fit in BY_FIT.items()}
    drawn = {"served": lengths, "equal": overtraining.pretraining_tokens_for(lengths, share), **lines}
    google = catalog.datum("google-tokens-per-month").value
    cheapest = {key: _cheapest(fit, served, share) for key, fit in BY_FIT.items()}
    return Answer(
        finding=(
            f"The cheapest training grows more slowly than the traffic: for {show(served, 'tokens')} served it is "
            f"{show(cheapest['refit'], 'tokens')} by the refit, {show(cheapest['original'])} by the original"
        ),
        description=(
            f"Line chart, both axes logarithmic: trained tokens against served tokens. Where their costs are equal the "
            f"line rises in proportion, through {show(here, 'tokens')} for {show(served, 'tokens')} served. The "
            f"cheapest numbers of tokens by two fits of a scaling law rise more slowly and cross it."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "served", LINES, bottom=min(rule, *(float(np.min(drawn[key])) for key in LINES))),
            "here": {"served": [served], "trained": [here], "label": [show(here, "tokens")]},
            "rule": {"trained": [rule], "label": [_rule(params)]},
            "guides": guides("served", {"Google, 1 month": google}, 1e12, 1e17),
        },
        values={
            "served": Value(served, "tokens", "Served"),
            "trained": Value(here, "tokens", "Trained, half and half"),
            **{key: Value(best, "tokens", f"Cheapest, {key}") for key, best in cheapest.items()},
            "over": Value(over, "x", "Half and half, over Chinchilla's"),
            "per_served": Value(here / served, "", "Half and half, trained for each served"),
            "rule": Value(rule, "tokens", "Trained, by Chinchilla's rule"),
            "google": Value(google / MONTH, "tokens/s", "All of Google"),
        },
        notes=[
            f"The cheapest are those at the loss of Pope's guess: {show(GUESSED_PARAMS, 'parameters')} on "
            f"{show(GUESSED_TOKENS, 'tokens')}. Both lines follow from a scaling law that was fitted twice to the same "
            f"runs; the refit gives standard errors.",
        ],
    )


def _rule(params: float) -> str:
    return f"{show(overtraining.TOKENS_PER_PARAM, 'tokens')} for each of {show(params, 'parameters')}"


def _cheapest(fit: str, total: Quantity, share: float) -> Quantity:
    held = law(fit)
    target = loss(held, GUESSED_PARAMS, GUESSED_TOKENS)
    return cheapest_at_loss(held, target, later_tokens(total, 0.0, GUESSED_FACTOR, share)).tokens


def served_chart() -> Any:
    """One straight line and two that cross it, above the level of the rule."""
    import altair as alt

    x = alt.X("served:Q", title="Served (tokens)").scale(type="log", nice=False).axis(**COUNTED)
    lines = labelled_lines(
        alt,
        LINES,
        x,
        alt.Y("trained:Q", title="Trained (tokens)").scale(type="log").axis(**COUNTED),
        clip=True,
    )
    rule = alt.Chart(alt.NamedData("rule")).encode(y="trained:Q")
    words: dict[str, Any] = {"align": "right", "baseline": "bottom", "x": "width", "dy": -4, "fontSize": 11.5}
    halo = rule.mark_text(**words, **HALO).encode(text="label:N")
    text = halo + rule.mark_text(**words, color=look.MUTED).encode(text="label:N")
    here = here_layer(alt, "served", "trained", label="label")
    return rule.mark_rule(strokeDash=[2, 3]) + guide_layer(alt, "served") + lines + text + here


SERVED_AGAINST_TRAINED = Figure(
    name="overtraining/served",
    inputs=(TRAFFIC, SLOWER, PARAMS),
    compute=served,
    chart=served_chart,
    foremost=4,
    table="curve",
    columns={
        "served": "Served (tokens)",
        "equal": "Trained, half and half (tokens)",
        "refit": "Cheapest, refit (tokens)",
        "original": "Cheapest, original fit (tokens)",
    },
    assumptions=(
        "Served tokens cost 2 operations per active parameter at the efficiency of decoding, without reinforcement.",
        "Tokens and parameters shown first are Pope's guesses, and no maker has confirmed them.",
        "Google's published traffic is of all its products and models together, prompts included.",
    ),
    sources=("lecture", "chinchilla-paper", "chinchilla-refit-paper", "google-io-2026"),
)


FIGURES = (SERVED_AGAINST_TRAINED,)
