"""Lecture 4 in pictures: a latent that is kept for all heads, multiplied as it is or expanded to heads first."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import MODELS
from calc.memory_wall.attention import expanding_pays_from
from calc.quantities.units import plain, show
from calc.setting import Attention
from calc.setting.attention_layer import LATENT
from calc.setting.published import attention_layers

WAYS = ABSORBED, EXPANDED = ("Absorbed", "Expanded")
ROOM = 2.0  # times the width that is absorbed, beyond which a block is cut off
STRIPES = 16  # heads drawn apart, at most
TOP, BOTTOM, LINES, STRIP = 0.38, 0.94, (0.05, 0.17), (0.28, 0.32)  # of a way's half of the drawing
GAP = 0.15  # of a stripe, between heads
PALE = 0.45

KEPT = Choice(
    name="latents",
    label="Model with latents",
    default="deepseek-v3",
    options={name: said for name, said in MODELS.items() if catalog.model(name).kv_lora_rank},
    help="Its geometry, as published.",
)
NEW = Number(
    name="new",
    label="New tokens at once",
    default=1,
    low=1,
    high=100_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that attend to the same kept ones together: one in decode, many in a prompt.",
)


def latent(*, latents: str, new: float) -> Answer:
    """Multiplications of a layer for a new and a kept token, with the latent as it is and with heads made of it."""
    name = catalog.model(latents).name
    at = next(at for _, at in attention_layers(catalog.model(latents)) if at.kind == LATENT)
    wide, plain_heads, expanding = widths(at, new)
    absorbed, expanded = at.heads * wide, at.heads * (plain_heads + expanding)
    turn = float(expanding_pays_from(at.value_dim, at.expanded_dims - at.entry + at.value_dim))
    less = ABSORBED if absorbed <= expanded else EXPANDED
    times = max(absorbed, expanded) / min(absorbed, expanded)
    together = "a single new token" if new == 1 else f"{plain(new, 9)} new tokens together"
    more = "about as much" if show(times, "x") == "1×" else f"{show(times, 'x')} the"
    other = "expanding" if less == ABSORBED else "absorbing"
    return Answer(
        finding=(
            f"For {together}, {name}'s latent is better {less.lower()}: {other} it takes {more} work; "
            f"expanding pays from {show(turn, 'tokens')} on"
        ),
        description=(
            f"Two drawings of one layer of {name}, one under the other, widths to scale. Above, {plain(at.heads)} "
            f"heads are each {plain(wide, 6)} numbers wide and multiply with the {plain(at.entry)} numbers that are "
            f"kept, read once for all. Below, each head is {plain(plain_heads, 6)} wide, and a fainter block of "
            f"{plain(expanding, 6)} is its share of expanding the latent, for {together}."
        ),
        tables={
            "kept": {
                "x": [0.0, 0.0],
                "x2": [at.entry] * 2,
                "y": [half + STRIP[0] for half in range(2)],
                "y2": [half + STRIP[1] for half in range(2)],
                "label": [f"{plain(at.entry)} numbers kept for all heads"] * 2,
            },
            "heads": blocks(at, wide, plain_heads, expanding),
            "words": {
                "y": [half + line for half in range(2) for line in LINES],
                "label": [
                    f"{ABSORBED}: {show(absorbed)} multiplications",
                    f"{plain(at.heads)} heads × {plain(wide, 6)}",
                    f"{EXPANDED}: {show(expanded)} multiplications",
                    f"{plain(at.heads)} heads × ({plain(plain_heads, 6)} + {plain(expanding)} to expand)",
                ],
                "weight": [600, 400] * 2,
            },
            "edge": {
                "x": [ROOM * wide],
                "y": [1 + (TOP + BOTTOM) / 2],
                "label": _beyond(plain_heads + expanding, wide),
            },
            "ways": {
                "way": list(WAYS),
                "heads": [at.heads] * 2,
                "width": [wide, plain_heads],
                "expanding": [0.0, expanding],
                "multiplications": [absorbed, expanded],
            },
        },
        values={
            "kept": Value(at.entry, "numbers", "Kept for a token"),
            "absorbed": Value(absorbed, "", "Multiplications, absorbed"),
            "expanded": Value(expanded, "", "Multiplications, expanded"),
            "turn": Value(turn, "tokens", "Expanding pays from", endless="no number of tokens"),
            "reuse": Value(absorbed / at.entry, "x", "Each number kept is used, absorbed"),
        },
        notes=["One layer, one kept token and one new one; what expanding costs is shared by all new tokens."],
    )


def widths(at: Attention, new: float) -> tuple[float, float, float]:
    """The multiplications of a head for a pair of tokens: with the latent, with its own key and value, to make these.

    >>> at = attention_layers(catalog.model("deepseek-v3"))[0][1]
    >>> widths(at, 128)
    (1088.0, 320.0, 1024.0)
    """
    return float(at.key_dim + at.value_dim), float(at.expanded_dims), float(at.expansion / at.heads / new)


def blocks(at: Attention, wide: float, own: float, expanding: float) -> dict[str, list[Any]]:
    """A stripe for each head, or for a few of them together, as wide as it multiplies."""
    stripes = int(min(float(at.heads), STRIPES))
    high = (BOTTOM - TOP) / stripes
    rows = [
        (way, start, min(end, ROOM * wide), half + TOP + place * high, half + TOP + (place + 1 - GAP) * high, shade)
        for half, way, start, end, shade in (
            (0, ABSORBED, 0.0, wide, 1.0),
            (1, EXPANDED, 0.0, own, 1.0),
            (1, EXPANDED, own, own + expanding, PALE),
        )
        for place in range(stripes)
    ]
    columns = ("way", "x", "x2", "y", "y2", "shade")
    return {name: [row[place] for row in rows] for place, name in enumerate(columns)}


def _beyond(width: float, wide: float) -> list[str]:
    """Words for a block that is wider than the drawing."""
    return [f"{show(width / wide, 'x')} as wide as above →" if width > ROOM * wide else ""]


def latent_chart() -> Any:
    """Stripes of heads under the strip that is kept: wide ones without, narrow ones with what it costs to make them."""
    import altair as alt

    x = alt.X("x:Q", title="Multiplications of a head").scale(nice=False, zero=True).axis(format=",d", tickCount=4)
    y = alt.Y("y:Q", title=None).scale(domain=[0, 2], nice=False, reverse=True).axis(None)
    kept = alt.Chart(alt.NamedData("kept"))
    strip = kept.mark_rect(color=look.CACHE).encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
    named = kept.mark_text(align="left", dx=6, dy=3, fontSize=12, color=look.CACHE, baseline="middle")
    heads = (
        alt.Chart(alt.NamedData("heads"))
        .mark_rect(color=look.ARITHMETIC)
        .encode(x=x, x2="x2:Q", y=y, y2="y2:Q", fillOpacity=alt.FillOpacity("shade:Q", legend=None).scale(None))
    )
    said = alt.Chart(alt.NamedData("words")).encode(y=y, text="label:N")
    words: dict[str, Any] = {"align": "left", "x": 0, "fontSize": 12.5, "fontWeight": alt.expr("datum.weight")}
    edge = alt.Chart(alt.NamedData("edge")).encode(x=x, y=y, text="label:N")
    aside: dict[str, Any] = {"align": "right", "dx": -6, "fontSize": 12}
    return (
        heads
        + strip
        + named.encode(x="x2:Q", y=y, text="label:N")
        + said.mark_text(**words)
        + edge.mark_text(**aside, **HALO)
        + edge.mark_text(**aside)
    )


LATENTS = Figure(
    name="memory_wall/latent",
    inputs=(KEPT, NEW),
    compute=latent,
    chart=latent_chart,
    table="ways",
    columns={
        "way": "Way",
        "heads": "Heads",
        "width": "Width of a head",
        "expanding": "To expand, for a head",
        "multiplications": "Multiplications",
    },
    assumptions=(
        "Only products with what is kept, or made of it; queries and outputs are projected either way.",
        f"At most {STRIPES} stripes are drawn, each for as many heads.",
    ),
    sources=("deepseek-v3-config", "kimi-k2-repo"),
)

FIGURES = (LATENTS,)
