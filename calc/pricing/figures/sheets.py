"""Lecture 6 in pictures: price sheets as they were recorded, in dollars or as multiples of their own input price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from calc import catalog
from calc.catalog import Price
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice
from calc.quantities.units import show

KINDS = {
    "cached_input": "hit",
    "input": "input",
    "output": "output",
    "output_above": "output, long",
    "fast_output": "output, fast",
}
DOLLARS, MULTIPLES = "dollars", "multiples"


@cache
def history() -> dict[str, tuple[Price, ...]]:
    """Every recorded sheet by maker, oldest first, of makers with several, one of which names a price of a hit."""
    rows = sorted(catalog.history(Price, "prices"), key=lambda row: (row.since, row.input))
    makers = dict.fromkeys(row.maker for row in rows)
    found = {maker: tuple(row for row in rows if row.maker == maker) for maker in makers}
    return {maker: rows for maker, rows in found.items() if len(rows) > 1 and any(row.cached_input for row in rows)}


MAKER = Choice(name="maker", label="Vendor", default="DeepSeek", options={maker: maker for maker in sorted(history())})
UNIT = Choice(
    name="unit",
    label="Shown in",
    default=DOLLARS,
    options={DOLLARS: "dollars a million tokens", MULTIPLES: "multiples of input"},
)


def sheets(*, maker: str, unit: str) -> Answer:
    """Every sheet of a vendor as a row of prices."""
    rows = history()[maker]
    cells = [
        (label(row), KINDS[key], price / (row.input if unit == MULTIPLES else 1.0))
        for row in rows
        for key in KINDS
        if (price := getattr(row, key))
    ]
    inputs, ratios = [row.input for row in rows], [row.output / row.input for row in rows]
    hits = [row.cached_input / row.input for row in rows if row.cached_input]
    return Answer(
        finding=(
            f"{maker}, {_years(rows)}: input cost {_span(inputs, '$')} a million tokens, and hits {_span(hits, '%')} "
            f"of that"
        ),
        description=(
            f"Dot chart of {len(rows)} price sheets of {maker}, one a row, oldest on top, prices on a logarithmic "
            f"axis: hit, input and output, and where they exist the prices of long requests and of a fast mode."
        ),
        tables={
            "cells": {
                "sheet": [row for row, _, _ in cells],
                "kind": [kind for _, kind, _ in cells],
                "price": [price for _, _, price in cells],
            },
            "named": _named(cells),
        },
        values={
            "rows": Value(len(rows), "", "Sheets recorded"),
            "lowest": Value(min(inputs), "$/Mtok", "Input, least"),
            "highest": Value(max(inputs), "$/Mtok", "Input, most"),
            "hit_low": Value(min(hits), "%", "Hit over input, least"),
            "hit_high": Value(max(hits), "%", "Hit over input, most"),
            "ratio_low": Value(min(ratios), "x", "Output over input, least"),
            "ratio_high": Value(max(ratios), "x", "Output over input, most"),
        },
        notes=[
            "A date is the first on which a price is known to have been asked; after “by” it is that of reading it."
        ],
    )


def _named(cells: Sequence[tuple[str, str, float]]) -> dict[str, list[Any]]:
    """Every kind of price once: over the first of its dots, neighbours on two lines, and dearer ones beside theirs."""
    first: dict[str, tuple[str, float]] = {}
    for row, kind, price in cells:
        first.setdefault(kind, (row, price))
    above = {"hit": -12, "input": -26, "output": -12}
    return {
        "kind": list(first),
        "sheet": [row for row, _ in first.values()],
        "price": [price for _, price in first.values()],
        "dy": [above.get(kind, 0) for kind in first],
        "side": ["center" if kind in above else "left" for kind in first],
    }


def label(row: Price) -> str:
    """A sheet's name and date, short enough for an axis."""
    name = re.sub(r"^(Claude|DeepSeek)[ -]| \(.*", "", row.name)
    return f"{name}, {row.since}" if row.effective else f"{name}, by {row.read}"


def _years(rows: tuple[Price, ...]) -> str:
    first, last = rows[0].since.year, rows[-1].since.year
    return f"{last}" if first == last else f"{first} to {last}"


def _span(numbers: list[float], unit: str) -> str:
    low, high = show(min(numbers), unit), show(max(numbers), unit)
    return low if low == high else f"{low} to {high}"


def sheets_chart() -> Any:
    """Rows of dots, joined by a rule from the cheapest token to the dearest."""
    import altair as alt

    names = tuple(KINDS.values())
    colour = alt.Color("kind:N", legend=None).scale(**look.series(*names))
    cells = alt.Chart(alt.NamedData("cells"))
    y = alt.Y("sheet:N", title=None, sort=None).axis(labelLimit=150, domain=False, ticks=False)
    rule = cells.mark_line(strokeWidth=1, color=look.FAINT).encode(
        x=alt.X("price:Q").scale(type="log", padding=12, nice=False), y=y, detail="sheet:N"
    )
    points = cells.mark_point(size=80).encode(
        x=alt.X("price:Q", title="Dollars, or multiples of input")
        .scale(type="log", padding=12, nice=False)
        .axis(format="~r"),
        y=y,
        color=colour,
        shape=alt.Shape("kind:N", legend=None).scale(**look.shapes(*names)),
    )
    named = alt.Chart(alt.NamedData("named")).mark_text(
        align=alt.expr("datum.side"), dx=alt.expr("datum.side == 'left' ? 9 : 0"), dy=alt.expr("datum.dy"), fontSize=12
    )
    return rule + points + named.encode(x="price:Q", y=y, text="kind:N", color=colour)


SHEETS = Figure(
    name="pricing/sheets",
    inputs=(MAKER, UNIT),
    compute=sheets,
    chart=sheets_chart,
    table="cells",
    columns={"sheet": "Sheet and date", "kind": "Token", "price": "Price"},
    assumptions=(
        "Prices as printed, in US dollars a million tokens, without discounts for volume.",
        "Off-peak prices where a vendor has peak hours.",
    ),
    sources=("llm-prices", "anthropic-pricing", "anthropic-fast-mode", "deepseek-pricing", "deepseek-disk-cache"),
)

FIGURES = (SHEETS,)
