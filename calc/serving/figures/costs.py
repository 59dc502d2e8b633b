"""The drawing of lecture 8's sheet: its rows, the words over them, and the chart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calc.catalog import Hosted, Price
from calc.figure import look
from calc.figure.guides import HALO
from calc.quantities.arithmetic import MILLION
from calc.quantities.units import show
from calc.serving.public import token_dollars
from calc.serving.sheet import Sheet

KINDS = {"output": "Output", "fresh": "Fresh input", "cached": "Cached input"}
NO_PRICE = "no public price in the catalogue"
UNUSED = "none is found"
NAME = 60  # pixels that a word beside a mark takes
HEADING, ASKED, LINE, ROWS = 0.0, 0.75, 1.8, 3.2  # heights of a kind's words and of its marks; and of the next kind
TENFOLD = "Dollars for a million tokens, each number ten times the last"
POWERS = "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-9 ? datum.label : ''"  # of ten, alone
CENTS = 2  # digits of a cost that is a forecast


def dollars(each: Any) -> str:
    """A million tokens' price, from that of one."""
    return show(MILLION * each, "$", CENTS)


def used(found: Sheet) -> Mapping[str, str]:
    """The kinds that a request has: tokens from a cache only where some are found."""
    return {key: name for key, name in KINDS.items() if key != "cached" or found.request.cached}


def costs(found: Sheet) -> dict[str, list[Any]]:
    """A row for each kind: the bound, what is expected, and the band where measurements stand behind it."""
    fit, rows = found.expected.fit, []
    for place, (key, name) in enumerate(used(found).items()):
        least, likely = (MILLION * getattr(each, key) for each in (found.bound, found.forecast))
        low, high = (likely * fit.low_80, likely * fit.high_80) if key == "output" else (likely, likely)
        rows.append((name, ROWS * place + LINE, least, likely, low, high))
    columns = ("kind", "y", "least", "expected", "low", "high")
    return {column: list(cells) for column, cells in zip(columns, zip(*rows, strict=True), strict=True)}


def prices(sold: Mapping[str, Price | Hosted]) -> dict[str, list[Any]]:
    """A row for each public price of each kind."""
    rows = [
        (seller, MILLION * getattr(token_dollars(offer), key), ROWS * place + LINE, isinstance(offer, Price))
        for place, key in enumerate(KINDS)
        for seller, offer in sold.items()
    ]
    columns = ("seller", "price", "y", "maker")
    return {column: [row[at] for row in rows] for at, column in enumerate(columns)}


def headings(found: Sheet, sold: Mapping[str, Price | Hosted]) -> dict[str, list[Any]]:
    """The words over the line of each kind: its costs, and its prices."""
    texts, places, bold = [], [], []
    for place, (key, name) in enumerate(KINDS.items()):
        least, likely = getattr(found.bound, key), getattr(found.forecast, key)
        cost = f"at least {dollars(least)}, expected {dollars(likely)}" if key in used(found) else UNUSED
        texts += [f"{name}: {cost}", _asked(key, sold)]
        places += [ROWS * place + HEADING, ROWS * place + ASKED]
        bold += [True, False]
    return {"text": texts, "y": places, "bold": bold}


def named(found: Sheet, sold: Mapping[str, Price | Hosted]) -> dict[str, list[Any]]:
    """Words beside the marks of the first kind: bound and forecast, and the price of the model's maker."""
    kind = next(iter(KINDS))
    least, likely = (MILLION * float(getattr(each, kind)) for each in (found.bound, found.forecast))
    rows = [("bound", least, LINE), ("forecast", likely, LINE)]
    asked = [MILLION * getattr(token_dollars(offer), kind) for offer in sold.values() if isinstance(offer, Price)]
    rows += [("asked", max(asked), LINE)] if asked else []
    known = [row for row in rows if row[1] > 0]
    return {column: [row[at] for row in known] for at, column in enumerate(("said", "cost", "y"))}


def _asked(kind: str, sold: Mapping[str, Price | Hosted]) -> str:
    makers = [(seller, offer) for seller, offer in sold.items() if isinstance(offer, Price)]
    parts = [
        f"{seller} asked {dollars(getattr(token_dollars(offer), kind))} in {offer.since.year}"
        for seller, offer in makers
    ]
    if hosts := hosted(kind, sold):
        parts.append(f"hosts ask {hosts}")
    return ", ".join(parts) or NO_PRICE


def hosted(kind: str, sold: Mapping[str, Price | Hosted]) -> str:
    """The least and the most that hosts ask for a million tokens, if there are any hosts."""
    asked = [getattr(token_dollars(offer), kind) for offer in sold.values() if isinstance(offer, Hosted)]
    return " to ".join(dict.fromkeys((dollars(min(asked)), dollars(max(asked))))) if asked else ""


def chart() -> Any:
    """For each kind of token one line: its cost from bound to forecast, with the band, and its public prices."""
    import altair as alt

    y = alt.Y("y:Q", title=None).scale(domain=[-0.5, ROWS * len(KINDS) - 0.4], reverse=True, nice=False).axis(None)
    x = alt.X("expected:Q", title=TENFOLD).scale(type="log").axis(format="$~g", labelExpr=POWERS)
    made = alt.Chart(alt.NamedData("costs")).transform_filter("datum.expected > 0")
    known = made.transform_filter("datum.least > 0")
    way = known.mark_rule(color=look.MUTED, strokeWidth=2).encode(x=x, x2="least:Q", y=y)
    band = made.mark_rule(color=look.ACCENT, strokeWidth=13, opacity=0.3).encode(x="low:Q", x2="high:Q", y=y)
    bound = known.mark_tick(color=look.INK, thickness=3, size=20, orient="vertical").encode(x="least:Q", y=y)
    dot = made.mark_point(**look.HERE).encode(x=x, y=y)
    sold = (
        alt.Chart(alt.NamedData("sold"))
        .mark_point(filled=False, strokeWidth=2, size=90, color=look.INK)
        .encode(
            x="price:Q",
            y=y,
            shape=alt.Shape("maker:N", legend=None).scale(domain=[True, False], range=["diamond", "circle"]),
        )
    )
    said = alt.Chart(alt.NamedData("said")).mark_text(align="left", x=2, baseline="middle", fontSize=12.5)
    text = said.encode(
        y=y,
        text="text:N",
        color=alt.condition("datum.bold", alt.value(look.INK), alt.value(look.MUTED)),
    )
    before, under = "datum.said == 'bound'", "datum.said == 'forecast'"
    crowded = f"!({under}) && scale('x', datum.cost) > width - {NAME}"
    beside: dict[str, Any] = {
        "align": alt.expr(f"{under} ? 'center' : {before} || {crowded} ? 'right' : 'left'"),
        "dx": alt.expr(f"{under} ? 0 : {before} ? -8 : {crowded} ? 4 : 9"),
        "dy": alt.expr(f"{under} ? 19 : !({before}) && {crowded} ? -16 : 0"),
        "baseline": "middle",
        "fontSize": 12,
    }
    marks = alt.Chart(alt.NamedData("marks")).encode(x="cost:Q", y=y, text="said:N")
    names = marks.mark_text(**beside, **HALO) + marks.mark_text(**beside, color=look.MUTED)
    return (way + band + bound + dot + sold + names + text).properties(height=290)
