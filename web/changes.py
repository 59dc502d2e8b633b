"""Changes: every fact that has more than one dated row, and the answers of the course that moved with it.

`<!-- changes -->` in a page becomes the list, newest first. Nothing of it is written by hand: the facts are the rows
of the catalogue, and the answers are computed from the row before and the row after.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

from calc import batching, catalog, pricing
from calc.catalog.records import Record, day
from calc.quantities.check import Quantity
from calc.quantities.units import show
from web.catalogue_pages import Table, shown, slug

MARK = "<!-- changes -->"
MONTH = 365.25 / 12 * 86400
PRICES = ("input", "output", "cached_input")

Answer = Callable[[Any], Quantity | None]
# Answers that the lectures compute from a row of each table: the words, the unit, the call.
ANSWERS: Mapping[str, tuple[tuple[str, str, Answer], ...]] = {
    "chips": (
        ("Drain time (lecture 1)", "s", lambda row: batching.read_seconds(row.hbm_bytes, row.hbm_bandwidth)),
        (
            "Hardware ratio in FP4 (lecture 1)",
            "",
            lambda row: row.fp4_flops and batching.hardware_ratio(row.fp4_flops, row.hbm_bandwidth, 0.5),
        ),
    ),
    "prices": (
        ("Output over input (lecture 6)", "x", lambda row: pricing.price_ratio(row.output, row.input)),
        (
            "Fresh input over a cache hit (lecture 6)",
            "x",
            lambda row: row.cached_input and pricing.price_ratio(row.input, row.cached_input),
        ),
        (
            "Step of the output price for long requests (lecture 6)",
            "x",
            lambda row: row.output_above and pricing.price_ratio(row.output_above, row.output),
        ),
    ),
    "data": (
        ("Tokens a second (lecture 1)", "tokens/s", lambda row: row.value / MONTH if "month" in row.id else None),
    ),
}


@dataclass(frozen=True)
class Change:
    """Two dated rows of the same thing, one after the other."""

    table: Table
    before: Record
    after: Record

    @property
    def on(self) -> dt.date:
        """The first day on which the later row is known to hold."""
        return self.after.since

    def facts(self) -> Iterator[tuple[str, str, str]]:
        """Label, old and new of each fact that is not what it was."""
        old, new = self.before.facts(), self.after.facts()
        for name in {**old, **new}:
            was, now = (shown(facts[name]) if name in facts else "–" for facts in (old, new))
            if was != now:
                yield (new.get(name) or old[name]).label, was, now

    def answers(self) -> Iterator[tuple[str, str, str]]:
        """The same for what the lectures compute from them."""
        for words, unit, call in ANSWERS.get(self.table.name, ()):
            was, now = (_shown(call(row), unit) for row in (self.before, self.after))
            if was != now:
                yield words, was, now


def changes() -> list[Change]:
    """Every change that the catalogue records, newest first."""
    found = []
    for name, kind in catalog.KINDS.items():
        for thing in catalog.in_force(kind, name):
            rows = sorted(catalog.history(kind, name, thing), key=lambda row: row.since)
            found += [Change(Table(name), before, after) for before, after in pairwise(rows)]
    return sorted(found, key=lambda change: (change.on, change.after.id), reverse=True)


def fill(markdown: str) -> str:
    """A page with the list where it asks for it, and before it which way prices went."""
    return markdown.replace(MARK, "\n".join([_ways(), *map(_section, changes())])) if MARK in markdown else markdown


def ways() -> dict[str, int]:
    """Changes of prices: in all, those that lowered one of three and raised none, and the other way round."""
    found = [(change.before, change.after) for change in changes() if change.table.name == "prices"]
    moves = [
        {
            now > was
            for name in PRICES
            if (was := getattr(before, name)) and (now := getattr(after, name)) and now != was
        }
        for before, after in found
    ]
    return {"all": len(moves), "fell": moves.count({False}), "rose": moves.count({True})}


def _ways() -> str:
    found = ways()
    return (
        f"Of {found['all']} changes of prices {found['fell']} lowered input, output or cached input and raised none of "
        f"them; {found['rose']} raised one or more and lowered none. So quote a price with its day.\n"
    )


def _section(change: Change) -> str:
    place = f"catalogue/{change.table.slug}.md#{slug(change.after.id)}"
    sources = "; ".join(escape(source.publisher) for source in change.after.sources)
    when = day(change.on) if change.after.effective else f"By {day(change.on)}"
    parts = [f"## {when}: {change.after.name}\n", _table("Fact", change.facts())]
    moved = _table("Answer", change.answers())
    parts.append(moved or "None of the answers that this page follows moved with it.\n")
    read = f"Read on {day(change.after.read)} at: {sources}"
    parts.append(f"Rows with their notes: [{change.table.title.lower()}]({place}). {read}.\n")
    return "\n".join(parts)


def _table(what: str, rows: Iterator[tuple[str, str, str]]) -> str:
    lines = [f"| {label} | {was} | {now} |" for label, was, now in rows]
    return "\n".join([f"| {what} | before | after |", "| --- | --- | --- |", *lines]) + "\n" if lines else ""


def _shown(value: Quantity | None, unit: str) -> str:
    return "–" if value is None else show(float(value), unit)
