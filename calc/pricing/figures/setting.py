"""The catalogue for lecture 6's figures: sheets to choose from, and where attention overtakes the weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from calc import catalog
from calc.catalog import Price
from calc.figure.inputs import Choice, Number
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import slope
from calc.pricing.bill import Prices
from calc.quantities.arithmetic import HOUR, MINUTE

GB = 1e9
KEPT = {"5 minutes": 5 * MINUTE, "1 hour": HOUR}
HOLD = Number(
    name="hold",
    label="Hold",
    default=300,
    low=0.01,
    high=259_200,
    unit="s",
    log=True,
    help="The time for which a cache is sold. An hour is 3,600 s, a day 86,400 s.",
)


def sheet_choice(default: str, accept: Callable[[Price], Any], help: str) -> Choice:
    """An input that chooses among the price sheets in force that `accept` takes."""
    options = {name: sheet.name for name, sheet in catalog.prices().items() if accept(sheet)}
    return Choice(name="sheet", label="Price sheet", default=default, options=options, help=help)


def writes(sheet: Price) -> dict[str, float]:
    """The cost of writing a token into the cache, in dollars per million, by the time for which it is kept.

    A vendor that sells no times has one price for all; if it names none, then the first reading is billed as input.
    """
    named = {"5 minutes": sheet.cache_write_5m, "1 hour": sheet.cache_write_1h}
    return {kept: price for kept, price in named.items() if price} or {"": sheet.cache_write or sheet.input}


def per_token(sheet: Price, kept: str = "") -> Prices:
    """The sheet in dollars per token; writes are those of the first time for which the vendor keeps, or of `kept`."""
    known = writes(sheet)
    return Prices.per_million(
        sheet.input, sheet.output, known.get(kept, next(iter(known.values()))), sheet.cached_input
    )


@cache
def attention_context(name: str) -> float:
    """Tokens of context at which a decoded token spends as much on attention as on the weights."""
    model = catalog.model(name)
    return attention.overtaking_context(model.active_params, slope(model))
