"""Lecture 8 in pictures: every open model that hosts sell, its cost beside what is asked for it in public."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from calc import catalog
from calc.catalog import Hosted, Price
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, MODELS, PRECISION
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import BITS_PER_ELEMENT, plain, show
from calc.serving.figures.laid import covers, layouts, reading, writing
from calc.serving.figures.setting import CACHED, CONTEXT, ELSEWHERE, OUTPUT, OWN, SYSTEM, chosen, other_rent
from calc.serving.public import left_over, offers
from calc.serving.request import Request
from calc.serving.sheet import of_steps
from calc.setting import Precisions, published_precisions

NONE = "none has room"
WRITTEN = {4: "four", 8: "eight"}  # bits of an expert's number, where they are fewer than the chosen ones


@dataclass(frozen=True)
class Row:
    """One model: dollars for a million written tokens, what is asked, and the batch from which the least covers it."""

    name: str
    least: float
    expected: float
    asked: Mapping[str, float]
    makers: tuple[str, ...]
    margin: float
    covers: float


@cache
def sold() -> Mapping[str, Mapping[str, Price | Hosted]]:
    """Models of the catalogue that are sold in public, and of which every fact that a step needs is known."""
    return MappingProxyType({name: offers(name) for name in MODELS if offers(name)})


def lists(
    *,
    system: str,
    machine: str,
    precision: str,
    context: float,
    batch: float,
    output: float,
    cached: float,
    price: float,
) -> Answer:
    """A row for each model that has room, from the cheapest to write to the dearest."""
    request = Request(context, output, cached / 100)
    own = machine if system == OWN else ""
    found = [_row(name, system, own, precision, request, batch, price) for name in sold()]
    rows = sorted((row for row in found if row), key=lambda row: row.expected)
    held = {name: bool(row) for name, row in zip(sold(), found, strict=True)}
    under = [row for row in rows if row.expected > min(row.asked.values())]
    place = chosen(system, machine).machine.name
    return Answer(
        finding=_finding(rows, under, batch),
        description=(
            f"Dollars for a million written tokens, on a logarithmic axis, a row for each open model with room on "
            f"{place} and {plain(batch, 6)} in flight: from the bound to the forecast with its band, "
            f"and public prices. {'; '.join(_said(row) for row in rows) or 'None has room'}."
        ),
        tables=_tables(rows, catalog.forecast_fit("decode").low_80, catalog.forecast_fit("decode").high_80),
        values={
            "models": Value(len(rows), "", "Models that are sold and fit"),
            "under": Value(len(under), "", "Output is sold by someone below its expected cost"),
            "lost": Value(
                sum(row.margin < 0 for row in under), "", "Of these, a whole request at that seller's price too"
            ),
            "best": Value(
                max((row.margin for row in rows), default=math.inf),
                "%",
                "Largest share left of a request",
                endless=NONE,
            ),
            "worst": Value(
                min((row.margin for row in rows), default=math.inf), "%", "Smallest share left", endless=NONE
            ),
        },
        notes=[*_notes(held, place, batch, precision), *filter(None, [other_rent(system, price)])],
    )


def _finding(rows: list[Row], under: list[Row], batch: float) -> str:
    if not rows:
        return f"None of the open models that are sold has room with {plain(batch, 6)} in flight"
    flight, one = f"With {plain(batch, 6)} in flight", len(rows) == 1
    models = "the one open model with room" if one else f"{len(rows)} open models"
    if not under:
        return f"{flight} nobody sells output of {models} below its expected cost"
    sold_under = models if one else f"{len(under)} of {models}"
    return f"{flight}, output of {sold_under} is sold by someone below its expected cost"


def _notes(held: Mapping[str, bool], machine: str, batch: float, precision: str) -> list[str]:
    """Models without room, and those with it whose experts take fewer bits than the chosen precision, by the bits."""
    groups = {f"No room on {machine} with {plain(batch, 6)} in flight": [each for each in held if not held[each]]}
    for name in (each for each in held if held[each]):
        own = published_precisions(name, precision)
        if own != Precisions.named(precision):
            bits = WRITTEN[BITS_PER_ELEMENT[own.expert_weights]]
            groups.setdefault(f"Experts in {bits} bits, as their maker publishes them", []).append(name)
    return [f"{said}: {', '.join(MODELS[name] for name in names)}." for said, names in groups.items() if names]


def _row(name: str, system: str, own: str, precision: str, request: Request, batch: float, price: float) -> Row | None:
    """A model in the layout that writes for least, if it has room in any."""
    held = float(request.held)
    fitting = [each for each in layouts(name, system, own, precision) if each.fits(batch, held)]
    if not fitting:
        return None
    laid = min(fitting, key=lambda each: each.chip_seconds(batch, held))
    found = of_steps(request, reading(laid, request), writing(laid, laid.each(batch), held), price)
    each = {seller: offer.output for seller, offer in sold()[name].items()}
    cheapest = min(sold()[name].values(), key=lambda offer: offer.output)
    paid = cheapest.output / (float(found.dollars_per_chip_second) * MILLION)
    return Row(
        name=MODELS[name],
        least=MILLION * float(found.bound.output),
        expected=MILLION * float(found.forecast.output),
        asked=each,
        makers=tuple(seller for seller, offer in sold()[name].items() if isinstance(offer, Price)),
        margin=left_over(cheapest, found.forecast, request),
        covers=min(covers(each, batch, held, paid) for each in fitting),
    )


def _said(row: Row) -> str:
    low, high = (show(end(row.asked.values()), "$") for end in (min, max))
    asked = low if low == high else f"{low} to {high}"
    return f"{row.name} at least {show(row.least, '$')}, expected {show(row.expected, '$')}, asked {asked}"


def _tables(rows: list[Row], low: float, high: float) -> dict[str, dict[str, list[Any]]]:
    asked = [(row, seller, price) for row in rows for seller, price in row.asked.items()]
    return {
        "costs": {
            "model": [row.name for row in rows],
            "least": [row.least for row in rows],
            "expected": [row.expected for row in rows],
            "low": [row.expected * low for row in rows],
            "high": [row.expected * high for row in rows],
            "asked": [min(row.asked.values()) for row in rows],
            "asked_most": [max(row.asked.values()) for row in rows],
            "margin": [100 * row.margin for row in rows],
            "covers": [row.covers for row in rows],
        },
        "asked": {
            "model": [row.name for row, _, _ in asked],
            "seller": [seller for _, seller, _ in asked],
            "price": [price for _, _, price in asked],
            "maker": [seller in row.makers for row, seller, _ in asked],
        },
    }


def lists_chart() -> Any:
    """A row for each model: from bound to forecast, its band, and public prices as hollow marks."""
    import altair as alt

    y = alt.Y("model:N", title=None, sort=None).axis(ticks=False, labelLimit=130)
    x = (
        alt.X("expected:Q", title="Dollars for a million written tokens")
        .scale(type="log")
        .axis(format="$~g", values=DECADES)
    )
    costs = alt.Chart(alt.NamedData("costs")).transform_filter("datum.least > 0").encode(y=y)
    way = costs.mark_rule(color=look.MUTED, strokeWidth=2).encode(x=x, x2="least:Q")
    band = costs.mark_rule(color=look.ACCENT, strokeWidth=11, opacity=0.3).encode(x="low:Q", x2="high:Q")
    bound = costs.mark_tick(color=look.INK, thickness=3, size=16, orient="vertical").encode(x="least:Q")
    dot = costs.mark_point(**{**look.HERE, "size": 90}).encode(x=x)
    asked = (
        alt.Chart(alt.NamedData("asked"))
        .mark_point(filled=False, strokeWidth=2, size=70, color=look.MUTED)
        .encode(
            x="price:Q",
            y=y,
            shape=alt.Shape("maker:N", legend=None).scale(domain=[True, False], range=["diamond", "circle"]),
        )
    )
    return (way + band + bound + dot + asked).properties(height=330)


LISTS = Figure(
    name="serving/lists",
    inputs=(SYSTEM, ELSEWHERE[1], PRECISION, CONTEXT, BATCH, OUTPUT, CACHED, RENT),
    compute=lists,
    chart=lists_chart,
    table="costs",
    columns={
        "model": "Model",
        "least": "At least ($)",
        "expected": "Expected ($)",
        "low": "Four of five from ($)",
        "high": "to ($)",
        "asked": "Asked from ($)",
        "asked_most": "to ($)",
        "margin": "Left of a request at the lowest price (%)",
        "covers": "That price covers the cost from this batch on",
    },
    assumptions=(
        "Dollars are for a million written tokens. The upright mark is a bound, the dot a forecast with the band of "
        "four of five measured runs; hollow circles are public prices of some hosts, a diamond the maker's.",
        "A model with experts lies over the whole domain, a dense one over the chips that write for least, from one to "
        "its key-value heads; in as many copies as the domain has chips for, which share the chosen number in flight. "
        "A host may choose otherwise, fewer bits, or other chips.",
        "Experts that their maker publishes in fewer bits than the chosen precision are held in those, scales counted; "
        "all else is held, and everything is multiplied, in the chosen precision.",
    ),
    sources=("lecture", "aiconfigurator-silicon", "llm-prices", "genai-prices"),
)

FIGURES = (LISTS,)
