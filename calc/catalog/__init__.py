"""Dated, sourced facts. A row without a source or a date does not load, so nothing can be computed from one.

>>> from calc import catalog
>>> catalog.chip("h100-sxm").hbm_bandwidth
3350000000000.0
>>> catalog.model("deepseek-v3").fact("total_params").effective.year
2024

A fact that changed has several rows; a date asks for the one that was in force on that day. A row whose day of taking
effect is unknown counts from the day on which it was read.

>>> import datetime as dt
>>> catalog.chip("rubin", on=dt.date(2025, 12, 31)).hbm_bandwidth / 1e12, catalog.chip("rubin").hbm_bandwidth / 1e12
(13.0, 22.0)
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TypeVar, cast

from calc.catalog import tables
from calc.catalog.evidence import Datum, Deployment, ForecastFit, LossFit, RoutingFit
from calc.catalog.geometry import Model
from calc.catalog.hardware import Announced, Chip, System, Tier
from calc.catalog.money import Hosted, Price, Rent
from calc.catalog.records import Fact, Record, Source
from calc.quantities.errors import CalcError, UnknownName, WrongType

__all__ = [
    "KINDS",
    "Announced",
    "Chip",
    "Datum",
    "Deployment",
    "Fact",
    "ForecastFit",
    "Hosted",
    "LossFit",
    "Model",
    "Price",
    "Record",
    "Rent",
    "RoutingFit",
    "Source",
    "System",
    "Tier",
    "announced",
    "chip",
    "chips",
    "data",
    "datum",
    "deployment",
    "forecast_fit",
    "forecast_fits",
    "history",
    "hosts",
    "in_force",
    "loss_fit",
    "loss_fits",
    "model",
    "models",
    "price",
    "prices",
    "rent",
    "rents",
    "routing_fit",
    "routing_fits",
    "source",
    "sources",
    "system",
    "systems",
    "tier",
    "tiers",
]

KINDS: Mapping[str, type[Record]] = MappingProxyType(
    {
        "chips": Chip,
        "systems": System,
        "models": Model,
        "prices": Price,
        "hosts": Hosted,
        "rents": Rent,
        "tiers": Tier,
        "loss_fits": LossFit,
        "routing_fits": RoutingFit,
        "forecast_fits": ForecastFit,
        "deployments": Deployment,
        "announced": Announced,
        "data": Datum,
    }
)
R = TypeVar("R", bound=Record)


def chip(name: str, on: dt.date | None = None) -> Chip:
    """The row of a chip that is in force on a day, or now."""
    return _named(Chip, "chips", name, on)


def system(name: str, on: dt.date | None = None) -> System:
    """The row of a system that is in force on a day, or now, with its chip as it was known on that day."""
    return _named(System, "systems", name, on)


def model(name: str, on: dt.date | None = None) -> Model:
    """The row of a model that is in force on a day, or now."""
    return _named(Model, "models", name, on)


def price(name: str, on: dt.date | None = None) -> Price:
    """The price sheet of an API that is in force on a day, or now."""
    return _named(Price, "prices", name, on)


def tier(name: str, on: dt.date | None = None) -> Tier:
    """The row of a memory or storage device that is in force on a day, or now."""
    return _named(Tier, "tiers", name, on)


def loss_fit(name: str) -> LossFit:
    """A published fit of loss against parameters and tokens."""
    return _named(LossFit, "loss_fits", name)


def routing_fit(name: str) -> RoutingFit:
    """A published fit of loss against size and number of experts."""
    return _named(RoutingFit, "routing_fits", name)


def forecast_fit(name: str, on: dt.date | None = None) -> ForecastFit:
    """The constants of the forecast of a step, by the fit in force on a day, or now."""
    return _named(ForecastFit, "forecast_fits", name, on)


def deployment(name: str) -> Deployment:
    """A serving system whose operator has published its figures."""
    return _named(Deployment, "deployments", name)


def announced(name: str) -> Announced:
    """A machine that is announced and not yet sold."""
    return _named(Announced, "announced", name)


def datum(name: str, on: dt.date | None = None) -> Datum:
    """A single published number, as of a day or newest; `history("data")` has its earlier values."""
    return _named(Datum, "data", name, on)


def rent(system_or_chip: str, on: dt.date | None = None) -> Rent:
    """The offer that is the best default for a system's rent: a market median before one provider before a contract.

    Among offers of one kind, the newest. Chips that nobody is known to rent out are refused: a rent is not guessed.
    """
    known = {**{name: row.chip.id for name, row in systems().items()}, **{name: name for name in chips()}}
    if system_or_chip not in known:
        raise UnknownName("system", system_or_chip, known)
    offers = [row for row in in_force(Rent, "rents", on).values() if row.chip.id == known[system_or_chip]]
    if not offers:
        raise CalcError("system", system_or_chip, "one whose chips have a published rent")
    return min(offers, key=lambda offer: (offer.preference, -offer.since.toordinal()))


def source(name: str) -> Source:
    """A source by its key."""
    if name not in sources():
        raise UnknownName("source", name, sources())
    return sources()[name]


def chips() -> Mapping[str, Chip]:
    """All chips, in the order of the file."""
    return in_force(Chip, "chips")


def systems() -> Mapping[str, System]:
    """All systems, in the order of the file."""
    return in_force(System, "systems")


def models() -> Mapping[str, Model]:
    """All models, in the order of the file."""
    return in_force(Model, "models")


def prices() -> Mapping[str, Price]:
    """All price sheets, in the order of the file."""
    return in_force(Price, "prices")


def hosts(model: str | None = None) -> Mapping[str, Hosted]:
    """Prices that hosts ask for open models, or for one of them, in the order of the file.

    >>> from calc import catalog
    >>> {row.output for row in catalog.hosts("kimi-k3").values()}
    {15.0}
    """
    found = in_force(Hosted, "hosts")
    return MappingProxyType({name: row for name, row in found.items() if model in (None, row.model)})


def rents() -> Mapping[str, Rent]:
    """All rents, in the order of the file."""
    return in_force(Rent, "rents")


def tiers() -> Mapping[str, Tier]:
    """All memory and storage devices, from the fastest to the slowest kind."""
    return in_force(Tier, "tiers")


def loss_fits() -> Mapping[str, LossFit]:
    """All fits of loss against parameters and tokens."""
    return in_force(LossFit, "loss_fits")


def routing_fits() -> Mapping[str, RoutingFit]:
    """All fits of loss against size and experts."""
    return in_force(RoutingFit, "routing_fits")


def forecast_fits() -> Mapping[str, ForecastFit]:
    """All fits of the forecast of a step to measurements."""
    return in_force(ForecastFit, "forecast_fits")


def data() -> Mapping[str, Datum]:
    """All single published numbers."""
    return in_force(Datum, "data")


@cache
def sources() -> Mapping[str, Source]:
    """All sources, by key."""
    return MappingProxyType(tables.read_sources(tables.rows("sources")))


def in_force(kind: type[R], table: str, on: dt.date | None = None) -> Mapping[str, R]:
    """The rows of a table that are in force on a day, or now, by id, in the order of the file."""
    return cast(Mapping[str, R], _in_force(table, on))


def history(kind: type[R], table: str, name: str | None = None) -> tuple[R, ...]:
    """Every dated row of a table, or of one id in it, the superseded ones included.

    >>> from calc import catalog
    >>> [row.since.year for row in catalog.history(Chip, "chips", "rubin")]
    [2025, 2026]
    """
    kept = [row for row in _rows(table) if name in (None, row["id"])]
    if not kept:
        raise UnknownName(table.rstrip("s"), name, {row["id"] for row in _rows(table)})
    return tuple(_build(kind, row) for row in kept)


@cache
def _in_force(table: str, on: dt.date | None) -> Mapping[str, Record]:
    chosen = tables.newest(_rows(table), on)
    return MappingProxyType({name: _build(KINDS[table], row, on) for name, row in chosen.items()})


@cache
def _rows(table: str) -> tuple[tables.Row, ...]:
    found = tables.rows(table)
    tables.check_rows(KINDS[table], table, found, sources())
    return found


def _build(kind: type[R], row: tables.Row, on: dt.date | None = None) -> R:
    references = {"chip": lambda name: _chip_as_of(name, on)} if "chip" in row else {}
    return tables.build(kind, row, sources(), references)


def _chip_as_of(name: str, on: dt.date | None) -> Chip:
    """The chip as it was known on a day; a chip may have been sold, or rented out, before its first row here."""
    first = min((tables.since(row) for row in _rows("chips") if row["id"] == name), default=dt.date.min)
    return chip(name, on and max(on, first))


def _named(kind: type[R], table: str, name: str, on: dt.date | None = None) -> R:
    if on is not None and type(on) is not dt.date:
        raise WrongType("on", on, "a date")
    if not isinstance(name, str):
        raise WrongType(table.rstrip("s"), name, "a name in the catalogue")
    rows = in_force(kind, table, on)
    if name in rows:
        return rows[name]
    argument = table.rstrip("s")
    first = min((tables.since(row) for row in _rows(table) if row["id"] == name), default=None)
    if on is None or first is None:
        raise UnknownName(argument, name, in_force(kind, table))
    raise CalcError("on", on.isoformat(), f"no earlier than {first}, when {argument} {name} was first recorded")
