"""Lecture 6 in pictures: price sheets as they were recorded, in dollars or as multiples of their own input price."""

from __future__ import annotations

import re
from datetime import date
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
    "input": "read",
    "output": "written",
    "output_above": "written, long",
    "fast_output": "written, fast",
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
    options={DOLLARS: "dollars a million tokens", MULTIPLES: "multiples of reading"},
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
            f"{maker}, {_years(rows)}: a million tokens cost {_span(inputs, '$')} to read; a hit cost "
            f"{_span(hits, '%')} of reading"
        ),
        description=(
            f"Dot chart of {len(rows)} price sheets of {maker}, one a row, oldest on top, prices on a logarithmic "
            f"axis: a hit, a token read and one written, and where they exist the prices of long requests and of a "
            f"fast mode."
        ),
        tables={
            "cells": {
                "sheet": [row for row, _, _ in cells],
                "kind": [kind for _, kind, _ in cells],
                "price": [price for _, _, price in cells],
            },
        },
        values={
            "rows": Value(len(rows), "", "Sheets recorded"),
            "lowest": Value(min(inputs), "$/Mtok", "Reading, least"),
            "highest": Value(max(inputs), "$/Mtok", "Reading, most"),
            "hit_low": Value(min(hits), "%", "Hit over reading, least"),
            "hit_high": Value(max(hits), "%", "Hit over reading, most"),
            "ratio_low": Value(min(ratios), "x", "Written over read, least"),
            "ratio_high": Value(max(ratios), "x", "Written over read, most"),
        },
        notes=[
            "A date is the first day on which the price is known to have been asked; “by” a date, the day on which it "
            "was looked up."
        ],
    )


def label(row: Price) -> str:
    """A sheet's name and date, short enough for an axis."""
    name, _, model = row.name.partition(" (")
    if row.maker == "DeepSeek" and model:  # its sheets are named by use; the model stands behind
        name = model.removesuffix(")")
    name = re.sub(r"^(Claude|DeepSeek)[ -]", "", name)
    return f"{name}, {_day(row.since)}" if row.effective else f"{name}, by {_day(row.read)}"


def _day(when: date) -> str:
    return f"{when.day} {when:%b %Y}"


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
    cells = alt.Chart(alt.NamedData("cells"))
    y = alt.Y("sheet:N", title=None, sort=None).axis(labelLimit=170, domain=False, ticks=False)
    x = alt.X("price:Q", title="Dollars, or multiples of reading")
    x = x.scale(type="log", padding=12, nice=False).axis(format="~r")
    rule = cells.mark_line(strokeWidth=1, color=look.FAINT).encode(x=x, y=y, detail="sheet:N")
    points = cells.mark_point(size=80).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None).scale(**look.series(*names)),
        shape=alt.Shape("kind:N", title=None).scale(**look.shapes(*names)),
    )
    return rule + points


SHEETS = Figure(
    name="pricing/sheets",
    inputs=(MAKER, UNIT),
    compute=sheets,
    chart=sheets_chart,
    table="cells",
    columns={"sheet": "Sheet and date", "kind": "Token", "price": "Price"},
    assumptions=(
        "Prices as printed, in US dollars a million tokens, without discounts for volume.",
        "Off-peak prices where a vendor has peak hours; discounts by night are left out.",
    ),
    sources=("llm-prices", "anthropic-pricing", "anthropic-fast-mode", "deepseek-pricing", "deepseek-disk-cache"),
)

FIGURES = (SHEETS,)
