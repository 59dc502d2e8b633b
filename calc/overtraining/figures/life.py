"""Lecture 5 in pictures: the three bills of a model's life."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calc import overtraining
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, guide_layer
from calc.figure.inputs import Number
from calc.overtraining.figures.setting import GUESSED_FACTOR, PARAMS, SLOWER
from calc.overtraining.figures.setting import TOKENS as ANY_TOKENS
from calc.overtraining.figures.shared import EVEN, SERVED_TOKENS
from calc.quantities.units import plain, proportion, show

BILLS = PRETRAINING, REINFORCEMENT, SERVING = ("Pre-training", "Reinforcement", "Serving")
INSIDE_FROM = 0.5  # a bar longer than this has its label inside
TOKENS = replace(ANY_TOKENS, help="Tokens of pre-training. The default follows from Pope's guess of those served.")
REINFORCED = Number(
    name="reinforced",
    label="Reinforced on",
    default=float(EVEN.reinforcement),
    low=1,
    high=1e17,
    unit="tokens",
    log=True,
    help="Tokens generated in reinforcement learning. The default costs as much as the default pre-training.",
)
FACTOR = Number(
    name="factor",
    label="Reinforced token",
    default=GUESSED_FACTOR,
    low=2,
    high=8,
    unit="operations",
    help="For each parameter: 2 if it is only generated, 6 if it is also learned from, 8 if it is first read again.",
)


def life(*, params: float, tokens: float, reinforced: float, factor: float, served: float, slower: float) -> Answer:
    """The cost of a model's three lives, and the share of the whole that each one takes."""
    share = 1 / slower
    costs = [
        overtraining.training_operations(params, tokens),
        overtraining.rl_operations(params, reinforced, factor) / share,
        overtraining.inference_operations(params, served) / share,
    ]
    total = sum(costs)
    shares = [cost / total for cost in costs]
    counts = [tokens, reinforced, served]
    even = overtraining.equalised_tokens(tokens, rl_factor=factor, rl_efficiency=share, serving_efficiency=share)
    over = overtraining.overtraining_factor(params, tokens)
    first, *others = (f"{name} {_share(part)}" for name, part in zip(BILLS, shares, strict=True))
    parts = ", ".join(f"{name.lower()} {_share(part)}" for name, part in zip(BILLS, shares, strict=True))
    return Answer(
        finding="The three bills are alike: each is a third of what this model costs"
        if max(shares) - min(shares) < 0.0005
        else f"{first.replace(' ', ' takes ', 1)} of what this model costs, {', '.join(others).lower()}",
        description=(
            f"Bar chart of three bars: the share of the cost of a model's life that goes into pre-training, "
            f"reinforcement and serving. {parts.capitalize()} of the machine time of {show(total, 'operations')} of "
            f"pre-training. A dotted line marks a third. Beside each bar its tokens, times the operations of one for "
            f"each parameter, times how much slower these are done than in training."
        ),
        tables={
            "bills": {
                "bill": list(BILLS),
                "share": shares,
                "cost": costs,
                "tokens": counts,
                "label": [
                    _product(tokens, "6", 1.0),
                    _product(reinforced, plain(factor), slower),
                    _product(served, "2", slower),
                ],
            },
            "guides": {"share": [1 / 3], "label": ["a third"], "row": [0], "side": ["left"]},
        },
        values={
            "pretraining": Value(costs[0], "operations", PRETRAINING),
            "reinforcement": Value(costs[1], "operations", f"{REINFORCEMENT} takes the time of"),
            "serving": Value(costs[2], "operations", f"{SERVING} takes the time of"),
            "even_reinforced": Value(even.reinforcement, "tokens", "Reinforced, for equal bills"),
            "even_served": Value(even.serving, "tokens", "Served, for equal bills"),
            "over": Value(over, "x", "Tokens, over Chinchilla's"),
        },
        notes=_even_notes(shares),
    )


def _product(tokens: float, operations: str, slower: float) -> str:
    """A bar's tokens, the operations of each, and how many times slower these are, as a product."""
    return " × ".join([show(tokens, "tokens"), operations, plain(slower)])


def _share(part: float) -> str:
    return proportion(part) if part >= 0.001 else f"less than {show(0.001, '%')}"


def _even_notes(shares: list[float]) -> list[str]:
    largest = max(range(3), key=lambda place: shares[place])
    if shares[largest] <= 2 / 3:
        return []
    return [f"{BILLS[largest]} dominates: to halve it saves more than to do without the other two."]


def life_chart() -> Any:
    """Three bars against a third."""
    import altair as alt

    bills = alt.Chart(alt.NamedData("bills"))
    x = (
        alt.X("share:Q", title=["Share of the machine time", "Beside: tokens × operations × time of an operation"])
        .scale(domain=[0, 1])
        .axis(format="%")
    )
    y = alt.Y("bill:N", title=None, sort=None).axis(domain=False, ticks=False)
    bars = bills.mark_bar(height={"band": 0.6}, color=look.MUTED).encode(x=x, y=y)
    short, long = (bills.transform_filter(f"datum.share {side} {INSIDE_FROM}") for side in ("<=", ">"))
    halo = short.mark_text(align="left", dx=8, **HALO).encode(x=x, y=y, text="label:N")
    outside = short.mark_text(align="left", dx=8).encode(x=x, y=y, text="label:N")
    inside = long.mark_text(align="right", dx=-8, color=look.PAPER).encode(x=x, y=y, text="label:N")
    return bars + guide_layer(alt, "share") + halo + outside + inside


LIFE = Figure(
    name="overtraining/life",
    inputs=(PARAMS, TOKENS, REINFORCED, FACTOR, SERVED_TOKENS, SLOWER),
    compute=life,
    chart=life_chart,
    table="bills",
    columns={
        "bill": "Bill",
        "tokens": "Tokens",
        "cost": "Machine time, as operations of pre-training",
        "share": "Share",
    },
    assumptions=(
        "A token that is decoded costs 2 operations per active parameter, one that is trained on 6; attention is free.",
        "Reinforcement generates and learns at the efficiency of decoding. Prompts are counted as if decoded.",
        "The sizes, tokens and efficiency shown first are Pope's guesses, and no maker has confirmed them.",
    ),
    sources=("lecture",),
)


FIGURES = (LIFE,)
