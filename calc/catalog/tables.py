"""Reading a table: every row is dated, sourced and made of known fields, or nothing can be computed from it.

Tables are TOML, written by people. Where a table is also there as JSON (`as_json`, for a browser: parsed in C, several
times faster), that is read instead.
"""

from __future__ import annotations

import datetime as dt
import json
import os.path
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Any, TypeAlias, TypeVar

from calc.catalog.records import STANDINGS, Record, Source
from calc.quantities.check import number
from calc.quantities.errors import CalcError, UnknownName

Row: TypeAlias = dict[str, Any]
R = TypeVar("R", bound=Record)
DATES = ("effective", "read", "as_of")  # the last of a source
UNKNOWN = "unknown"  # written for the day on which a fact took effect, where nobody has said when
TOLD = ("note", "url")  # no answer is computed from these
SAID = {  # nor from these, which a row of the table needs
    "sources": {"title": "-", "publisher": "-", "as_of": "0001-01-01"},
    "data": {"name": "-", "topic": "-"},
}
FOLDER = os.path.dirname(__file__)  # noqa: PTH120  (pathlib takes longer to import than all tables to read)


@cache
def rows(table: str, folder: str = FOLDER) -> tuple[Row, ...]:
    """The rows of a table as they are written, in the order of the file, with dates as dates and None if unknown."""
    try:
        found = json.loads(_read(folder, f"{table}.json"))
    except OSError:
        return tuple(row | {name: None for name in DATES if row.get(name) == UNKNOWN} for row in _toml(table, folder))
    found = [SAID.get(table, {}) | row for row in found]
    return tuple(row | {name: _day(row[name]) for name in DATES if name in row} for row in found)


def since(row: Row) -> dt.date:
    """The first day on which a row is known to hold, as `Record.since`."""
    day: dt.date = row["effective"] or row["read"]
    return day


def _day(written: str) -> dt.date | None:
    return None if written == UNKNOWN else dt.date.fromisoformat(written)


def as_json(table: str, folder: str = FOLDER, *, words: bool = True) -> str:
    """A table as compact JSON, for `rows` to find beside, or instead of, the TOML.

    Without its `words` it has what answers are computed from: no notes, sources by their ids and kinds, and single
    numbers by their ids.
    """
    found = _toml(table, folder)
    dropped = () if words else (*TOLD, *SAID.get(table, ()))
    kept = [{name: fact for name, fact in row.items() if name not in dropped} for row in found]
    return json.dumps(kept, default=dt.date.isoformat, ensure_ascii=False, separators=(",", ":"))


def _toml(table: str, folder: str) -> tuple[Row, ...]:
    import tomllib  # not needed where the tables are JSON, and slow to import there

    found = tomllib.loads(_read(folder, f"{table}.toml").decode())
    stray = set(found) - {"row"}
    if stray or not isinstance(found.get("row"), list):
        raise CalcError(f"{table}.toml", ", ".join(sorted(stray)) or "nothing", "made of [[row]] tables alone")
    return tuple(found["row"])


def _read(folder: str, name: str) -> bytes:
    """The bytes of a file, also where the package is imported from an archive."""
    data: bytes = __spec__.loader.get_data(f"{folder}/{name}")  # type: ignore[union-attr]
    return data


def read_sources(found: Iterable[Row], table: str = "sources") -> dict[str, Source]:
    """The sources of a table by their ids, each with a title, a publisher, a kind and a date."""
    sources: dict[str, Source] = {}
    for row in found:
        where = _where(table, row)
        _check_shape(Source, where, row)
        _check_date(where, "as_of", row["as_of"])
        if row["kind"] not in STANDINGS:
            raise UnknownName(f"{where}: kind", row["kind"], STANDINGS)
        if row["id"] in sources:
            raise CalcError(where, row["id"], "the only source of its id")
        sources[row["id"]] = Source(**row)
    return sources


def check_rows(kind: type[Record], table: str, found: Iterable[Row], sources: Mapping[str, Source]) -> None:
    """Refuse a row that is undated, unsourced, unknown in a field, twice there, or not the number that it should be."""
    seen = set()
    for row in found:
        where = _where(table, row)
        if not row.get("sources"):
            raise CalcError(where, row.get("sources"), "given at least one source")
        _check_shape(kind, where, row)
        _check_date(where, "read", row["read"])
        if row["effective"] is not None:
            _check_date(where, "effective", row["effective"])
            if row["effective"] > row["read"]:
                raise CalcError(f"{where}: effective", str(row["effective"]), f"no later than read, {row['read']}")
        for name in row["sources"]:
            if name not in sources:
                raise UnknownName(f"{where}: source", name, sources)
        if (row["id"], since(row)) in seen:
            raise CalcError(where, str(since(row)), "the only row of its id and date")
        seen.add((row["id"], since(row)))


def newest(found: Iterable[Row], on: dt.date | None = None) -> dict[str, Row]:
    """The row of each id that is in force on a day (or now): the newest that is not later."""
    chosen: dict[str, Row] = {}
    for row in found:
        known = on is None or since(row) <= on
        if known and (row["id"] not in chosen or since(row) > since(chosen[row["id"]])):
            chosen[row["id"]] = row
    return chosen


def build(kind: type[R], row: Row, sources: Mapping[str, Source], references: Mapping[str, Callable[[str], Any]]) -> R:
    """The record of a row, with its sources, and the rows that it names, in place of their ids."""
    resolved = {**row, "sources": tuple(sources[name] for name in row["sources"])}
    for name, look_up in references.items():
        resolved[name] = look_up(row[name])
    return kind(**resolved)


def _where(table: str, row: Row) -> str:
    return f"{table}.toml, row {row.get('id', '?')}"


def _check_date(where: str, name: str, value: object) -> None:
    if type(value) is not dt.date:
        raise CalcError(where, value, f"dated: {name} = YYYY-MM-DD")


def _check_shape(kind: type[Any], where: str, row: Row) -> None:
    known = {f.name: f for f in fields(kind)}
    unknown = set(row) - set(known)
    if unknown:
        raise CalcError(where, ", ".join(sorted(unknown)), f"made of the fields of {kind.__name__}")
    missing = [name for name, f in known.items() if f.default is MISSING and name not in row]
    if missing:
        raise CalcError(where, None, f"given {', '.join(missing)}")
    for name, value in row.items():
        _check_value(f"{where}: {name}", known[name], value)


def _check_value(where: str, f: Field[Any], value: object) -> None:
    if "accepted" in f.metadata:
        number(where, value, f.metadata["accepted"])
        if "int" in str(f.type) and not isinstance(value, int):
            raise CalcError(where, value, "a whole number, written without a point")
    elif "flag" in f.metadata:
        if not isinstance(value, bool):
            raise CalcError(where, value, "true or false")
    elif f.name == "sources":
        if not isinstance(value, list):
            raise CalcError(where, value, "a list of ids of sources")
    elif f.name not in DATES and (not isinstance(value, str) or not value):
        raise CalcError(where, value, "a text that is not empty")
