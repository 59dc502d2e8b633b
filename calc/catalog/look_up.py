"""The rows of the catalogue's tables: one by its name, all that are in force on a day, and the history of one."""

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
from calc.catalog.records import Record, Source
from calc.quantities.errors import CalcError, UnknownName, WrongType

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
        raise UnknownName(table.rstrip("s"), name, {row["id"] for row in _rows(table)}, _listing(table))
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
    return named(Chip, "chips", name, on and max(on, first))


def named(kind: type[R], table: str, name: str, on: dt.date | None = None) -> R:
    """The row of a table by its id that is in force on a day, or now; what is not there is refused by name."""
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
        raise UnknownName(argument, name, in_force(kind, table), _listing(table))
    raise CalcError("on", on.isoformat(), f"no earlier than {first}, when {argument} {name} was first recorded")


def _listing(table: str) -> str:
    """The command that lists a table."""
    return f"rooflines catalog {table}"
