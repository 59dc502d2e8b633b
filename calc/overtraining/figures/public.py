"""Lecture 5 in pictures: how far past Chinchilla published models were trained, by active and by all parameters."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog import Model
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, PLAIN, guide_layer
from calc.figure.named import name_layer, pair
from calc.figure.scenario import MODEL
from calc.overtraining.budget import overtraining_factor
from calc.overtraining.figures.setting import PARAMS, TOKENS
from calc.quantities.units import show

COUNTS = ACTIVE, ALL = ("Active parameters", "All parameters")
YOURS = "The guess"


def published() -> list[Model]:
    """The models of the catalogue whose makers have said how long they were trained, longest first."""
    known = [row for row in catalog.models().values() if row.train_tokens and row.standing != "rumour"]
    return sorted(known, key=lambda row: -_over(row, ACTIVE))


def _over(model: Model, count: str) -> float:
    params = model.active_params if count == ACTIVE else model.total_params
    return overtraining_factor(params, model.known("train_tokens"))


def public(*, model: str, params: float, tokens: float) -> Answer:
    """Tokens over the rule of thumb for every model whose maker states them, and for a guess."""
    rows = published()
    names = [row.name for row in rows]
    by = {count: [_over(row, count) for row in rows] for count in COUNTS}
    guess = overtraining_factor(params, tokens)
    chosen = catalog.model(model)
    here = [chosen.name] if chosen.name in names else []
    low, high = min(by[ACTIVE]), max(by[ACTIVE])
    return Answer(
        finding=(
            f"{_said(chosen, bool(here))}; {show(params, 'parameters')} on {show(tokens, 'tokens')} would be "
            f"{show(guess, 'x')}"
        ),
        description=(
            f"Dot chart with one row for each of {len(rows)} models: training tokens over 20 per parameter, on "
            f"a logarithmic axis, once by active and once by all parameters. By active ones they run from "
            f"{show(low, 'x')} to {show(high, 'x')}, by all from {show(min(by[ALL]), 'x')} to "
            f"{show(max(by[ALL]), 'x')}. The last row is a guess, at {show(guess, 'x')}."
        ),
        tables={
            "models": {
                "model": [*names, *names, YOURS],
                "count": [ACTIVE] * len(names) + [ALL] * len(names) + [ACTIVE],
                "over": [*by[ACTIVE], *by[ALL], guess],
            },
            "spans": {"model": names, "active": by[ACTIVE], "all": by[ALL]},
            "named": pair(names, by[ACTIVE], by[ALL], {ACTIVE: "active", ALL: "all"}),
            "here": {"model": here, "over": [_over(chosen, ACTIVE)] if here else []},
            "guides": {"over": [1.0], "label": ["Chinchilla"], "row": [0], "side": ["left"]},
        },
        values={
            "low": Value(low, "x", "Shortest, active"),
            "high": Value(high, "x", "Longest, active"),
            "low_all": Value(min(by[ALL]), "x", "Shortest, all"),
            "high_all": Value(max(by[ALL]), "x", "Longest, all"),
            "guess": Value(guess, "x", "The guess"),
            "count": Value(len(rows), "", "Models whose makers state their tokens"),
        },
        notes=[
            f"Figures of {row.name} are relayed, not its maker's own text."
            for row in rows
            if row.standing == "secondary"
        ],
    )


def _said(model: Model, known: bool) -> str:
    if not known:
        return f"How long {model.name} was trained is not in the catalogue"
    active, everything = (show(_over(model, count), "x") for count in COUNTS)
    tokens = show(model.known("train_tokens"), "tokens")
    if active == everything:
        return f"{model.name} was trained on {tokens}, {active} Chinchilla's"
    return f"{model.name} was trained on {tokens}: {active} Chinchilla's by active parameters, {everything} by all"


def public_chart() -> Any:
    """Two marks a row, joined."""
    import altair as alt

    x = alt.X("over:Q", title="Tokens over Chinchilla's (×)").scale(type="log").axis(values=DECADES, **PLAIN)
    y = alt.Y("model:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelFontSize=11, labelLimit=130)
    spans = (
        alt.Chart(alt.NamedData("spans"))
        .mark_bar(height=2, color=look.FAINT, cornerRadiusEnd=0)
        .encode(x="active:Q", x2="all:Q", y=y)
    )
    marks = (
        alt.Chart(alt.NamedData("models"))
        .mark_point(size=80)
        .encode(
            x=x,
            y=y,
            color=alt.Color("count:N", legend=None).scale(**look.series(*COUNTS)),
            shape=alt.Shape("count:N", legend=None).scale(**look.shapes(*COUNTS)),
        )
    )
    here = (
        alt.Chart(alt.NamedData("here"))
        .mark_point(shape="triangle-down", yOffset=-10, color=look.ACCENT, size=70, opacity=1)
        .encode(x="over:Q", y=y)
    )
    names = name_layer(alt, look.series(*COUNTS), alt.Y("row:N", title=None, sort=None))
    return guide_layer(alt, "over") + spans + marks + here + names


PUBLIC = Figure(
    name="overtraining/map",
    inputs=(MODEL, PARAMS, TOKENS),
    compute=public,
    chart=public_chart,
    table="models",
    columns={"model": "Model", "count": "Counted by", "over": "Tokens over Chinchilla's (×)"},
    assumptions=(
        "The rule of thumb is 20 tokens a parameter; it was found for dense models, where active and all are the same.",
        "Tokens are as each maker states them. Some count later stages too; MAI-Base-1's leave them out.",
        "The guess is Pope's until you change it, and no maker has confirmed it.",
    ),
    sources=("lecture", "chinchilla-paper", "llama-models", "deepseek-v3-report", "qwen3-paper", "kimi-k2-repo"),
)

FIGURES = (PUBLIC,)
