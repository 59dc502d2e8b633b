"""Lecture 6 in pictures: the reader's own bill, and what each measure does to it."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import Any

from calc import catalog, pricing
from calc.catalog import Price
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.figure.named import Names, name_layer, over_bars
from calc.pricing.bill import Bill, Prices, Traffic, bill
from calc.pricing.figures.setting import per_token, sheet_choice
from calc.quantities.arithmetic import DAY, MONTH
from calc.quantities.units import show

KINDS = {"input": "input", "write": "cache write", "hit": "cache hit", "output": "output"}
BAR, ROOM = 0.5, 1.3  # of its band, and of the longest, for what is written behind it
SEEN = 0.005  # of the longest, that a part must have to be named
AS_IT_IS, CACHE, TOGETHER = "as it is", "cache the prefix", "all of these"

SHEET = sheet_choice("claude-opus-5", lambda sheet: sheet.cached_input, "Those that name a price for a hit.")
REQUESTS = Number(
    name="requests", label="Requests", default=10_000, low=1, high=1e9, unit="a day", log=True, help="All of a kind."
)
SHARED = Number(
    name="shared",
    label="Shared prefix",
    default=8000,
    low=1,
    high=1_000_000,
    unit="tokens",
    log=True,
    help="Tokens that begin many requests alike.",
)
OWN = Number(
    name="own",
    label="Own prompt",
    default=1000,
    low=1,
    high=1_000_000,
    unit="tokens",
    log=True,
    help="What each request adds.",
)
ANSWER = Number(
    name="answer",
    label="Answer",
    default=600,
    low=1,
    high=200_000,
    unit="tokens",
    log=True,
    help="Tokens written, hidden thinking too.",
)
SERVES = Number(
    name="serves",
    label="Requests per writing",
    default=20,
    low=1,
    high=1e6,
    unit="requests",
    log=True,
    help="How many requests one written prefix serves before it expires.",
)
WAITING = Number(
    name="waiting", label="Can wait", default=30, low=0, high=100, unit="%", help="Share that may be sent as a batch."
)
SHORTEN = Number(
    name="shorten", label="Shorten by", default=20, low=0, high=100, unit="%", help="What you could leave out."
)
PACE = Number(
    name="pace", label="Speed", default=50, low=1, high=1000, unit="tokens/s", log=True, help="In the ordinary mode."
)


def reader_bill(
    *,
    sheet: str,
    requests: float,
    shared: float,
    own: float,
    answer: float,
    serves: float,
    waiting: float,
    shorten: float,
    pace: float,
) -> Answer:
    """A day's bill as it is, and after each measure by itself."""
    row = catalog.price(sheet)
    traffic = Traffic(requests, shared, own, answer, serves)
    bills = measures(traffic, per_token(row), row.batch, waiting / 100, shorten / 100)
    now = float(bills[AS_IT_IS].total)
    singles = {name: now - float(each.total) for name, each in bills.items() if name not in (AS_IT_IS, TOGETHER)}
    best = max(singles, key=lambda name: singles[name])
    named = f"{best} at {show(serves, 'requests')} per writing" if best == CACHE else best
    hour = _hour(row, float(bills[AS_IT_IS].total) / (requests * answer), pace)
    return Answer(
        finding=(
            f"{show(now, '$')} a day; the best of these measures alone, to {named}, saves "
            f"{show(singles[best], '$')}, or {show(singles[best] / now, '%')}"
            if singles[best] > 0
            else f"{show(now, '$')} a day, and none of these measures lowers it"
        ),
        description=(
            f"Stacked bars: dollars a day by kind of token for {show(requests, 'requests')} at the prices of "
            f"{row.name}, as it is and after each of {len(singles)} measures. "
            + " ".join(f"To {name} leaves {show(bills[name].total, '$')}." for name in singles)
        ),
        tables={"bars": _bars(bills), "totals": _totals(bills), "named": _named(bills)},
        values={
            "day": Value(now, "$", "A day"),
            "best": Value(singles[best], "$", f"Saved a day: {best}"),
            "together": Value(bills[TOGETHER].total, "$", "A day, all of these, if batches hit"),
            "output": Value(float(bills[AS_IT_IS].output) / now, "%", "Output, of the bill"),
            "month": Value(now * MONTH / DAY, "$", "A month"),
            "request": Value(now / requests, "$", "A request"),
            "hour": Value(hour, "$", "Fast mode pays if an hour is worth", endless="more than any sum"),
        },
        notes=_bill_notes(row, singles, hour),
    )


def measures(traffic: Traffic, prices: Prices, batch: float, waiting: float, shorten: float) -> dict[str, Bill]:
    """The bill as it is, after each measure alone, and after all of them together."""
    factor = pricing.blended_multiplier(waiting, batch)
    left = 1 - shorten
    shorter = {
        "shorten the prefix": {"shared_tokens": traffic.shared_tokens * left},
        "shorten the prompt": {"own_tokens": traffic.own_tokens * left},
        "shorten answers": {"output_tokens": traffic.output_tokens * left},
    }
    now = bill(traffic, prices)
    every = {field: tokens for change in shorter.values() for field, tokens in change.items()}
    return {
        AS_IT_IS: now,
        CACHE: bill(traffic, prices, cached_share=1.0),
        "batch what can wait": _times(now, factor),
        **{name: bill(replace(traffic, **change), prices) for name, change in shorter.items()},
        TOGETHER: _times(bill(replace(traffic, **every), prices, cached_share=1.0), factor),
    }


def _times(dollars: Bill, factor: float) -> Bill:
    return Bill(**{kind: factor * amount for kind, amount in asdict(dollars).items()})


def _bars(bills: dict[str, Bill]) -> dict[str, list[Any]]:
    cells = [(name, kind, getattr(each, key)) for name, each in bills.items() for key, kind in KINDS.items()]
    names, kinds, dollars = zip(*cells, strict=True)
    return {"measure": list(names), "kind": list(kinds), "dollars": list(dollars)}


def _named(bills: dict[str, Bill]) -> Names:
    """Each kind of token over the first bar in which it can be seen."""
    seen = SEEN * max(float(each.total) for each in bills.values())
    cells = []
    for name, each in bills.items():
        start = 0.0
        for key, kind in KINDS.items():
            end = start + float(getattr(each, key))
            if end - start >= seen:
                cells.append((name, kind, start, end))
            start = end
    return over_bars(cells)


def _totals(bills: dict[str, Bill]) -> dict[str, list[Any]]:
    totals = {name: each.total for name, each in bills.items()}
    return {
        "measure": list(totals),
        "dollars": list(totals.values()),
        "label": [show(dollars, "$") for dollars in totals.values()],
    }


def _hour(row: Price, dollars: float, pace: float) -> float:
    """An hour of waiting worth a fast mode, if a request costs so much a written token; infinite if there is none."""
    price, speed = row.fast_multiplier, row.fast_speed
    if not price or not speed:
        return math.inf
    return pricing.value_of_an_hour(dollars, pace, price, speed)


def _bill_notes(row: Price, singles: dict[str, float], hour: float) -> list[str]:
    notes = []
    if row.batch_multiplier is None:
        notes.append(f"No price for batches is recorded for {row.name}, so waiting is counted as saving nothing.")
    if singles[CACHE] < 0:
        notes.append("At so few requests per writing the cache costs more than it saves.")
    if math.isinf(hour):
        notes.append(f"No fast mode with a stated speed is recorded for {row.name}.")
    if row.fast_credit_multiplier and not row.fast_output:
        notes.append(f"The fast mode of {row.name} is sold in credits of a subscription; its multiple is taken here.")
    if row.cache_storage:
        notes.append("Storage of a cache made on request, billed by the hour, is not counted.")
    if row.above_tokens:
        notes.append(f"Requests of more than {show(row.above_tokens, 'tokens', 6)} cost more; that is not counted.")
    return notes


def bill_chart() -> Any:
    """One bar a measure, split by kind of token."""
    import altair as alt

    names = tuple(KINDS.values())
    y = alt.Y("measure:N", title=None, sort=None).axis(labelLimit=130, domain=False, ticks=False)
    bars = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(height={"band": BAR})
        .encode(
            x=alt.X("sum(dollars):Q", title="Dollars a day").axis(labelExpr="format(datum.value, '$~s')", tickCount=5),
            y=y,
            color=alt.Color("kind:N", legend=None, sort=None).scale(**look.series(*names)),
            order=alt.Order("place:Q"),
        )
        .transform_calculate(place=f"indexof({list(names)}, datum.kind)")
    )
    totals = alt.Chart(alt.NamedData("totals"))
    text = totals.mark_text(align="left", dx=6).encode(x="dollars:Q", y=y, text="label:N")
    room = totals.transform_calculate(room=f"datum.dollars * {ROOM}").mark_rule(opacity=0).encode(x="room:Q")
    named = name_layer(alt, look.series(*names), alt.Y("row:N", title=None, sort=None), over=BAR)
    return room + bars + text + named


BILL = Figure(
    name="pricing/bill",
    inputs=(SHEET, REQUESTS, SHARED, OWN, ANSWER, SERVES, WAITING, SHORTEN, PACE),
    compute=reader_bill,
    chart=bill_chart,
    foremost=4,
    table="bars",
    columns={"measure": "Measure", "kind": "Kind of token", "dollars": "Dollars a day"},
    assumptions=(
        "Every request is alike; every reuse of a written prefix is a hit, in a batch too.",
        "Caching writes for the shortest time that the vendor sells. Whether its discounts may be combined differs: a "
        "batch lowers hits here, as it does on some lists and not on others.",
        "A fast mode multiplies the whole price of a request, uncached, and hastens its answer alone.",
    ),
    sources=("anthropic-pricing", "llm-prices", "anthropic-opus-5", "openai-priority"),
)

FIGURES = (BILL,)
