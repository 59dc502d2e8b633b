"""Dated, sourced facts. A row without a source or a date does not load, so nothing can be computed from one.

>>> from calc import catalog
>>> catalog.chip("h100-sxm").hbm_bandwidth
3350000000000.0
>>> catalog.model("deepseek-v3").fact("total_params").as_of.year
2025
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeVar

from calc.catalog.records import Chip, Fact, Model, Record, Source, System
from calc.errors import CalcError, UnknownName

__all__ = [
    "Chip",
    "Fact",
    "Model",
    "Record",
    "Source",
    "System",
    "chip",
    "chips",
    "history",
    "model",
    "models",
    "source",
    "sources",
    "system",
    "systems",
]

R = TypeVar("R", bound=Record)


def chip(name: str) -> Chip:
    """The row in force of a chip."""
    return _named("chip", name, chips())


def system(name: str) -> System:
    """The row in force of a system."""
    return _named("system", name, systems())


def model(name: str) -> Model:
    """The row in force of a model."""
    return _named("model", name, models())


def source(name: str) -> Source:
    """A source by its key."""
    if name not in sources():
        raise UnknownName("source", name, sources())
    return sources()[name]


@cache
def chips() -> Mapping[str, Chip]:
    """All chips, in the order of the file."""
    return _newest(Chip, "chips")


@cache
def systems() -> Mapping[str, System]:
    """All systems, in the order of the file."""
    return _newest(System, "systems")


@cache
def models() -> Mapping[str, Model]:
    """All models, in the order of the file."""
    return _newest(Model, "models")


@cache
def sources() -> Mapping[str, Source]:
    """All sources, by key."""
    rows = _read("sources")
    return MappingProxyType({row["id"]: Source(**row) for row in rows})


def history(kind: type[R], table: str) -> tuple[R, ...]:
    """Every dated row of a table, the superseded ones included."""
    return tuple(_record(kind, table, row) for row in _read(table))


def _newest(kind: type[R], table: str) -> Mapping[str, R]:
    newest: dict[str, R] = {}
    for record in history(kind, table):
        if record.id not in newest or record.as_of > newest[record.id].as_of:
            newest[record.id] = record
    return MappingProxyType(newest)


def _named(argument: str, name: str, known: Mapping[str, R]) -> R:
    if name not in known:
        raise UnknownName(argument, name, known)
    return known[name]


def _record(kind: type[R], table: str, row: dict[str, Any]) -> R:
    where = f"{table}.toml, row {row.get('id', '?')}"
    unknown = set(row) - {f.name for f in fields(kind)}
    if unknown:
        raise CalcError(where, ", ".join(sorted(unknown)), f"made of the fields of {kind.__name__}")
    if not row.get("sources"):
        raise CalcError(where, row.get("sources"), "given at least one source")
    if type(row.get("as_of")) is not dt.date:
        raise CalcError(where, row.get("as_of"), "dated: as_of = YYYY-MM-DD")
    resolved = {**row, "sources": tuple(source(name) for name in row["sources"])}
    if "chip" in row:
        resolved["chip"] = chip(row["chip"])
    return kind(**resolved)


@cache
def _read(table: str) -> tuple[dict[str, Any], ...]:
    text = files("calc.catalog").joinpath(f"{table}.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["row"])
