"""Prices asked in public for a model: by its maker, and by hosts that did not make it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from types import MappingProxyType

from calc import catalog
from calc.catalog import Hosted, Price
from calc.serving.request import Request, TokenDollars

SOLD_AS: Mapping[str, tuple[str, dt.date | None]] = MappingProxyType(
    {"deepseek-v3": ("deepseek-chat", dt.date(2025, 2, 8)), "deepseek-v3.2": ("deepseek-chat", None)}
)
"""Models whose maker's price sheet has another name, and a day on which that name meant this model."""


def offers(model: str) -> Mapping[str, Price | Hosted]:
    """Sheets on which a model is sold, by seller, its maker's first.

    >>> offers("deepseek-v3")["DeepSeek"].output, list(offers("llama-3-70b"))
    (1.1, ['Together', 'Novita'])
    """
    name, day = SOLD_AS.get(model, (model, None))
    found: dict[str, Price | Hosted] = {}
    if name in catalog.prices():
        sheet = catalog.price(name, on=day)
        found[sheet.maker] = sheet
    return MappingProxyType(found | {row.host: row for row in catalog.hosts(model).values()})


def token_dollars(offer: Price | Hosted) -> TokenDollars:
    """A sheet in dollars per token; input that is found in a cache costs as much as fresh where nothing else is said.

    >>> token_dollars(offers("deepseek-v3")["DeepSeek"]).cached
    7e-08
    """
    cached = offer.input if offer.cached_input is None else offer.cached_input
    return TokenDollars(*(dollars / 1e6 for dollars in (offer.input, cached, offer.output)))


def left_over(offer: Price | Hosted, cost: TokenDollars, request: Request) -> float:
    """The share of a request's price that is left over its cost; below zero it is sold under cost.

    >>> left_over(offers("deepseek-v3")["DeepSeek"], TokenDollars(0.0, 0.0, 0.55e-6), Request(1e-9, 1000, 0.5))
    0.5
    """
    asked = token_dollars(offer).of(request)
    return float(round(1 - float(cost.of(request)) / float(asked), 12))
