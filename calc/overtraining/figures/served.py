"""Lecture 5 in pictures: how long to train for what will be served."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from calc import overtraining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer, reaching
from calc.figure.line_names import ends, labelled_lines
from calc.overtraining.figures.setting import (
    COUNTED,
    GUESSED_FACTOR,
    GUESSED_PARAMS,
    GUESSED_TOKENS,
    SLOWER,
    later_tokens,
    law,
)
from calc.overtraining.figures.shared import BY_FIT, EVEN, SERVED_TOKENS, own_over
from calc.overtraining.lifetime import cheapest_at_loss
from calc.overtraining.scaling_law import Allocation, loss
from calc.quantities.check import Quantity
from calc.quantities.units import show

SERVED = np.logspace(12, 17, 26)
LINES = {"equal": "Pope, by (3)", "refit": "cheapest"}
YEAR = 6 * float(EVEN.serving)  # the guess counts two months
TRAFFIC = replace(SERVED_TOKENS, low=1e6, help="Tokens over the life of the model. The default is Pope's guess.")


def served(*, served: float, slower: float) -> Answer:
    """Trained tokens against served ones: where their costs are equal, and where the total is least."""
    share = 1 / slower
    here = overtraining.pretraining_tokens_for(served, share)
    lengths = reaching(SERVED, served)
    drawn = {
        "served": lengths,
        "equal": overtraining.pretraining_tokens_for(lengths, share),
        **{key: _cheapest(fit, lengths, share).tokens for key, fit in BY_FIT.items()},
    }
    best = {key: _cheapest(fit, served, share) for key, fit in BY_FIT.items()}
    tokens = float(best["refit"].tokens)
    return Answer(
        finding=(
            f"With reinforcement unchanged, the cheapest training grows more slowly than the traffic: for "
            f"{show(served, 'tokens')} served it is {show(tokens, 'tokens')} by the refit"
        ),
        description=(
            f"Line chart, both axes logarithmic: trained tokens against served tokens. Where their costs are equal the "
            f"line rises in proportion, through {show(here, 'tokens')} for {show(served, 'tokens')} served. The "
            f"cheapest number of tokens, by the refit of a scaling law, rises more slowly and crosses it."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "served", LINES),
            "here": {"served": [served], "trained": [tokens], "label": [show(tokens, "tokens")]},
            "guides": guides("served", {"Pope's 200T served": float(EVEN.serving), "a year": YEAR}, 1e12, 1e17),
        },
        values={
            "served": Value(served, "tokens", "Served"),
            "refit": Value(tokens, "tokens", "Cheapest training"),
            "over": Value(own_over(best["refit"]), "x", "The cheapest, over Chinchilla's"),
            "trained": Value(here, "tokens", "Trained, as Pope, by (3)"),
            "original": Value(best["original"].tokens, "tokens", "Cheapest, original fit"),
            "per_served": Value(here / served, "", "As Pope, trained for each served"),
        },
        notes=[
            f"The cheapest are at the loss of Pope's guess: {show(GUESSED_PARAMS, 'parameters')} on "
            f"{show(GUESSED_TOKENS, 'tokens')}, by the refit. Reinforcement stays at "
            f"{show(EVEN.reinforcement, 'tokens')}, as in the text.",
            "For a model of your own, set its size, tokens and later life in the figure of the cheapest plan.",
        ],
    )


def _cheapest(fit: str, total: Quantity, share: float) -> Allocation:
    held = law(fit)
    target = loss(held, GUESSED_PARAMS, GUESSED_TOKENS)
    return cheapest_at_loss(held, target, later_tokens(total, EVEN.reinforcement, GUESSED_FACTOR, share))


def served_chart() -> Any:
    """One straight line and one that crosses it."""
    import altair as alt

    x = alt.X("served:Q", title="Served (tokens)").scale(type="log", nice=False).axis(**COUNTED)
    y = alt.Y("trained:Q", title="Trained (tokens)").scale(type="log").axis(**COUNTED)
    lines = labelled_lines(alt, LINES, x, y, clip=True)
    return guide_layer(alt, "served") + lines + here_layer(alt, "served", "trained", label="label")


SERVED_AGAINST_TRAINED = Figure(
    name="overtraining/served",
    inputs=(TRAFFIC, SLOWER),
    compute=served,
    chart=served_chart,
    foremost=4,
    table="curve",
    columns={
        "served": "Served (tokens)",
        "equal": "Trained, as Pope, by (3) (tokens)",
        "refit": "Cheapest (tokens)",
        "original": "Cheapest, original fit (tokens)",
    },
    assumptions=(
        "Served tokens cost 2 operations per active parameter at the efficiency of decoding; reinforcement is Pope's.",
        "Tokens and parameters shown first are Pope's guesses, and no maker has confirmed them.",
    ),
    sources=("lecture", "chinchilla-paper", "chinchilla-refit-paper"),
)


FIGURES = (SERVED_AGAINST_TRAINED,)
