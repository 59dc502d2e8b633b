"""`claims` and `catalog`: what was said, recomputed, and the facts with their sources."""

from __future__ import annotations

import datetime as dt
from argparse import Namespace
from itertools import pairwise

from calc import catalog
from calc.catalog import ages
from calc.catalog.records import Record
from calc.chapters import CHAPTERS
from calc.cli.report import Report, Value
from calc.ledger import calls
from calc.ledger import claims as ledger
from calc.quantities.errors import MissingFact, UnknownName
from calc.setting import architecture


def claims(options: Namespace) -> Report:
    """One claim in full, or those of a verdict and a chapter; the status is 1 if a verdict is not borne out."""
    if options.id:
        return _claim(ledger.claim(options.id.upper()))
    told = list(ledger.claims().values())
    chapters = {claim.chapter for claim in told} | {chapter.name for chapter in CHAPTERS}
    for option, wanted, known in (
        ("verdict", options.verdict, ledger.VERDICTS),
        ("chapter", options.chapter, chapters),
    ):
        if wanted is not None and wanted not in known:
            raise UnknownName(option, wanted, known)
    chosen = [
        claim for claim in told if options.verdict in (None, claim.verdict) and options.chapter in (None, claim.chapter)
    ]
    rows = [
        {
            "id": Value("claim", claim.id),
            "verdict": Value("verdict", claim.derived()),
            "computed": Value("computed", claim.told or "–"),
            "said": Value("said", claim.said),
        }
        for claim in chosen
    ]
    wrong = [claim.id for claim in chosen if claim.derived() != claim.verdict]
    notes = [f"Not borne out: {', '.join(wrong)}."] * bool(wrong)
    return Report(f"{len(chosen)} of {len(told)} claims", rows=rows, notes=notes, status=int(bool(wrong)))


def _claim(claim: ledger.Claim) -> Report:
    values = {
        "said": Value("Said", claim.said),
        "by": Value("By", "; ".join(catalog.source(name).title for name in claim.by)),
        "quoted": Value("Quoted", claim.quoted or "–"),
        "computed": Value("Computed", claim.told or "–"),
        "call": Value("Call", calls.as_written(claim.call) if claim.call else "–"),
    }
    if claim.counter:
        values["otherwise"] = Value("Otherwise", claim.told_otherwise)
        values["counter"] = Value("by the call", calls.as_written(claim.counter))
    values["verdict"] = Value("Verdict", claim.derived())
    borne_out = claim.derived() == claim.verdict
    notes = (
        [claim.reason]
        if borne_out
        else [claim.reason, f"The ledger says “{claim.verdict}”, which this does not bear out."]
    )
    return Report(f"Claim {claim.id}, {claim.chapter}", values, notes=notes, status=int(not borne_out))


def catalogue(options: Namespace) -> Report:
    """The tables, the rows of one, or one row with its facts and sources."""
    if options.table is None:
        rows = [
            {"table": Value("table", name), "rows": Value("rows", len(catalog.in_force(kind, name)))}
            for name, kind in catalog.KINDS.items()
        ]
        return Report("The catalogue", rows=rows, notes=["One table: rooflines catalog chips"])
    table = options.table.replace("-", "_")
    if table not in catalog.KINDS:
        raise UnknownName("table", options.table, catalog.KINDS)
    kind = catalog.KINDS[table]
    if options.name is None:
        found = catalog.in_force(kind, table).values()
        return Report(options.table, rows=[_line(record) for record in found], notes=_unserved(table))
    try:
        return _record(catalog.history(kind, table, options.name.lower()))
    except UnknownName:
        known = catalog.in_force(kind, table)
        raise UnknownName("name", options.name, known, f"rooflines catalog {options.table}") from None


def check(options: Namespace) -> Report:
    """The facts that were read longer ago than their kind allows; the status is 1 if there are any."""
    day = options.on or dt.date.today()
    late = ages.overdue(day)
    rows = [
        {
            "table": Value("table", each.table),
            "id": Value("id", each.record.id),
            "read": Value("read", each.record.read.isoformat()),
            "days": Value("days ago", each.days),
            "most": Value("may stand", ages.MOST_DAYS[each.table]),
        }
        for each in late
    ]
    title = f"{len(late)} facts want reading again on {day}" if late else f"No fact wants reading again on {day}"
    return Report(title, rows=rows, status=int(bool(late)))


def _unserved(table: str) -> list[str]:
    """Models whose geometry is not known well enough for a step, in a sentence."""
    named = []
    for name in catalog.models() if table == "models" else ():
        try:
            architecture(name)
        except MissingFact:
            named.append(name)
    return [f"Their layers are not published, so nothing can serve them here: {', '.join(named)}."] if named else []


def _line(record: Record) -> dict[str, Value]:
    return {
        "id": Value("id", record.id),
        "name": Value("name", record.name),
        "standing": Value("standing", record.standing),
        "effective": Value("in force since", record.effective.isoformat() if record.effective else "unknown"),
        "read": Value("read", record.read.isoformat()),
    }


def _record(dated: tuple[Record, ...]) -> Report:
    """The newest row in full; the older ones as notes."""
    ordered = sorted(dated, key=lambda row: row.since)
    record = ordered[-1]
    values = {name: Value(fact.label, fact.value, fact.unit) for name, fact in record.facts().items()}
    sources = [f"Source: {each.title}, {each.publisher}, {each.as_of}. {each.url}".rstrip() for each in record.sources]
    older = [
        f"Until {following.since}: "
        + ", ".join(f"{fact.label} {Value(fact.label, fact.value, fact.unit).text}" for fact in row.facts().values())
        for row, following in pairwise(ordered)
    ]
    notes = [*([record.note] if record.note else []), *sources, *older]
    return Report(f"{record.name}, {record.dated} ({record.standing})", values, notes=notes)
