"""Lecture 1 in pictures: a price and a speed, and the curve of batches on which both lie."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.batching import fast_mode
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, here_layer
from calc.figure.inputs import Number
from calc.quantities.units import plain, show

DEAREST = 100.0

PRICE = Number(
    name="price",
    label="Price",
    default=6,
    low=1.01,
    high=100,
    unit="× the ordinary price",
    log=True,
    help="What a token costs in the fast mode.",
)
SPEED = Number(
    name="speed",
    label="Speed",
    default=2.5,
    low=1.01,
    high=10,
    unit="× the ordinary speed",
    help="How much sooner each token comes.",
)


@cache
def products() -> dict[str, tuple[float, float]]:
    """Fast modes on sale: price and speed as multiples, under the names of the models that share them."""
    groups: dict[tuple[float, float], list[str]] = {}
    for sheet in catalog.prices().values():
        if sheet.fast_multiplier and sheet.fast_speed:
            groups.setdefault((sheet.fast_multiplier, sheet.fast_speed), []).append(sheet.name)
        if sheet.ultrafast_multiplier and sheet.ultrafast_speed:
            faster = groups.setdefault((sheet.ultrafast_multiplier, sheet.ultrafast_speed), [])
            faster.append(f"{sheet.name}, ultrafast")
    return {_together(names): offer for offer, names in groups.items()}


def _together(names: list[str]) -> str:
    first, *others = names
    if len(others) > 1:
        return f"{first} and {len(others)} others"
    stem = first[: first.rfind(" ") + 1]
    return ", ".join([first, *(name.removeprefix(stem) for name in others)])


def offer(*, price: float, speed: float) -> Answer:
    """The implications of an offer, and every other offer on the same curve."""
    implied = fast_mode.fast_mode(price, speed)
    cache, ceiling = implied.cache_to_weights, implied.speed_ceiling
    floor = fast_mode.price_floor(cache)
    prices = np.asarray(np.geomspace(max(1.001 * floor, 0.01), DEAREST, 121), dtype=np.float64)
    sold = products()
    return Answer(
        finding=(
            f"If modes earn the same, prompts are left out, only batches differ and steps wait for memory, "
            f"{plain(speed)} times the speed for {plain(price)} times the price means "
            f"{plain(1 / implied.batch_share)} times fewer users, and no price buys more than "
            f"{show(ceiling, 'x')} the speed"
        ),
        description=(
            f"Line chart: speed against price on a logarithmic axis, both as multiples of the ordinary mode. The curve "
            f"starts at {show(floor, 'x')} the price with no speed at all, passes through the ordinary mode and the "
            f"offer, and bends towards a ceiling of {show(ceiling, 'x')} the speed. Marks show {len(sold)} offers that "
            f"were on sale."
        ),
        tables={
            "curve": {"price": prices, "speed": fast_mode.speed_for_price(prices, cache)},
            "ends": {
                "speed": [ceiling],
                "label": [f"ceiling {show(ceiling, 'x')}"],
                "top": [1.1 * max(ceiling, *(pace for _, pace in sold.values()))],
            },
            "here": {"price": [price], "speed": [speed], "label": ["your offer"]},
            "foot": {"price": [1.0], "speed": [0.0], "label": [f"endless batch: {show(floor, 'x')} the price"]},
            "modes": {"price": [1.0, 1.0], "label": ["slow", "fast"], "side": ["right", "left"]},
            "sold": {
                "name": list(sold),
                "price": [cost for cost, _ in sold.values()],
                "speed": [pace for _, pace in sold.values()],
            },
        },
        values={
            "smaller": Value(1 / implied.batch_share, "x", "Batch, smaller by"),
            "cache": Value(cache, "x", "What grows over what stays, ordinary"),
            "ceiling": Value(ceiling, "x", "Ceiling on speed"),
            "floor": Value(floor, "x", "Slow mode costs at least"),
            "saving": Value(1 - floor, "%", "Slow mode saves at most"),
        },
        notes=_notes(price, speed),
    )


def _notes(price: float, speed: float) -> list[str]:
    if speed > price:
        return [
            "This offer is faster than it is dear. If only batches differ, what grows with the users is most of an "
            "ordinary step."
        ]
    return []


def offer_chart() -> Any:
    """One curve from the slow mode to the ceiling, with the offers that were on sale."""
    import altair as alt

    names = tuple(products())
    x = (
        alt.X("price:Q", title="Price (× ordinary)")
        .scale(type="log", nice=False)
        .axis(values=[0.5, 1, 2, 5, 10, 20, 50, 100], tickCount=40, format="~r")
    )
    y = alt.Y("speed:Q", title="Speed (× ordinary)").scale(zero=True)
    line = alt.Chart(alt.NamedData("curve")).mark_line().encode(x=x, y=y)
    ends = alt.Chart(alt.NamedData("ends")).encode(y="speed:Q")
    above: dict[str, Any] = {"align": "right", "baseline": "bottom", "x": alt.expr("width"), "dy": -3}
    label = ends.mark_text(**above, **HALO).encode(text="label:N")
    label += ends.mark_text(**above, color=look.MUTED).encode(text="label:N")
    headroom = alt.Chart(alt.NamedData("ends")).mark_rule(opacity=0).encode(y="top:Q")
    sold = (
        alt.Chart(alt.NamedData("sold"))
        .mark_point(filled=False, strokeWidth=2, size=200)
        .encode(
            x=x,
            y=y,
            color=alt.Color("name:N", title=None).scale(**look.series(*names)),
            shape=alt.Shape("name:N", title=None).scale(**look.shapes(*names)),
        )
    )
    modes = alt.Chart(alt.NamedData("modes")).encode(x="price:Q")
    bottom: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "baseline": "top",
        "dx": alt.expr("datum.side == 'left' ? 5 : -3"),
    }
    words = modes.mark_text(**bottom, y=3, color=look.MUTED, fontSize=11.5).encode(text="label:N")
    foot = alt.Chart(alt.NamedData("foot")).encode(x="price:Q", y="speed:Q", text="label:N")
    least: dict[str, Any] = {"align": "left", "baseline": "bottom", "dx": 5, "dy": -4, "fontSize": 11.5}
    words += foot.mark_text(**least, **HALO) + foot.mark_text(**least, color=look.MUTED)
    levels = headroom + ends.mark_rule(strokeDash=[2, 3]) + label + modes.mark_rule(strokeDash=[2, 3]) + words
    return levels + line + here_layer(alt, "price", "speed", label="label", under=True) + sold


FAST_MODE = Figure(
    name="batching/fast-mode",
    inputs=(PRICE, SPEED),
    compute=offer,
    chart=offer_chart,
    table="curve",
    columns={"price": "Price (× ordinary)", "speed": "Speed (× ordinary)"},
    assumptions=(
        "By the bound, both modes wait for reading. Both run on one system and earn the same an hour.",
        "A step has a part that stays and one that grows evenly with its users: by the bound, weights and caches.",
        "Every step reads all weights: a small batch of a mixture reads fewer, and can pass the ceiling.",
        "Only the batch differs: no speculative decoding, no other precision, no other number of chips.",
        "Memory has room for every batch; in truth it ends the slow mode, as no reading outlasts the drain.",
        "Prompts are left out: where the mode multiplies their price too, the fast batch is smaller still.",
    ),
    sources=(
        "lecture",
        "anthropic-fast-mode",
        "openrouter-fast",
        "anthropic-opus-5",
        "codex-speed",
        "openai-ultrafast",
        "vercel-ultrafast",
    ),
)

FIGURES = (FAST_MODE,)
