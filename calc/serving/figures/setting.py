"""Lecture 8's inputs, and the sheet of what the reader describes."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Number
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.serving.sheet import MOST_CACHED, Request, Sheet, sheet, usual
from calc.setting import Setting

OUTPUT = Number(
    name="output",
    label="Answer",
    default=1000,
    low=1,
    high=200_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Tokens that a request gets back.",
)
CACHED = Number(
    name="cached",
    label="Found in a cache",
    default=50,
    low=1,
    high=100 * MOST_CACHED,
    unit="%",
    help="Share of the input that another request has brought before.",
)
RENT = Number(
    name="price",
    label="Rent",
    default=catalog.rent(SYSTEM.default).dollars_per_chip_hour,
    low=0.01,
    high=100,
    unit="$/chip-hour",
    log=True,
    help="What an hour of one chip costs you, all in.",
)
INPUTS = (MODEL, SYSTEM, PRECISION, CONTEXT, BATCH, OUTPUT, CACHED, RENT)


def described(model: str, system: str, precision: str) -> Setting:
    """The reader's model on the reader's system, as it is usually laid out."""
    return usual(Setting.published(model, system, precision))


def priced(
    *, model: str, system: str, precision: str, context: float, batch: float, output: float, cached: float, price: float
) -> Sheet:
    """The reader's sheet."""
    request = Request(context, output, cached / 100)
    return sheet(described(model, system, precision), request, batch, price)
