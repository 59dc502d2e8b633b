"""The ledger in pages: `<!-- claims: A -->` becomes the claims of a section, `<!-- ledger -->` all of them.

A mark names sections by their letters (`A`, `A B`) or a chapter (`moe`). Everything is there without a script; with
one, `web/browser/ledger.js` filters, sorts and copies links.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from html import escape

from calc import catalog
from calc.ledger import calls, claims, in_words
from calc.ledger.claims import Claim
from calc.quantities.errors import CalcError
from web.cache import ROOT
from web.contents import LECTURES

RECORDING = "https://youtu.be/xmkSf5IS-zw"
MARKS = dict(zip(claims.VERDICTS, "✓≈✗⇄?", strict=True))
SLUGS = dict(zip(claims.VERDICTS, ("holds", "caveats", "fails", "disagree", "unconfirmed"), strict=True))
COLUMNS = ("Claim", "When", "Quoted", "Computed", "Verdict")
_CLAIMS = re.compile(r"<!-- claims: ([A-Za-z_ ]+?) -->")


@dataclass(frozen=True)
class Place:
    """Where a page stands: what leads from it to the site's root, and whether it is the ledger itself."""

    root: str
    whole: bool = False


def fill(markdown: str, url: str) -> str:
    """A page with its marks replaced."""
    root = "../" * url.count("/")
    if "<!-- ledger" in markdown:
        everything = list(claims.claims().values())
        markdown = markdown.replace("<!-- ledger: counts -->", counts(everything))
        markdown = markdown.replace("<!-- ledger -->", filters(everything) + table(everything, Place(root, whole=True)))
    return _CLAIMS.sub(lambda mark: rules(root) + table(chosen(mark[1]), Place(root)), markdown)


def rules(root: str) -> str:
    """The way from a lecture's claims to the rules by which they are judged."""
    href = f"{root}reference/ledger/#how-a-verdict-comes-about"
    return f'<p data-search-exclude><a href="{href}">How a verdict comes about</a>, and what “accepted” means.</p>'


def chosen(asked: str) -> list[Claim]:
    """The claims that a mark asks for."""
    wanted = asked.split()
    found = [claim for claim in claims.claims().values() if {claim.section, claim.chapter} & set(wanted)]
    unknown = set(wanted) - {claim.section for claim in found} - {claim.chapter for claim in found}
    if unknown:
        raise CalcError("claims", " ".join(sorted(unknown)), "letters of sections of the ledger, or a chapter")
    return found


def counts(told: list[Claim]) -> str:
    """How many claims got which verdict, as a sentence's end."""
    number = Counter(claim.verdict for claim in told)
    alone = [verdict for verdict in claims.VERDICTS if verdict != claims.DISAGREE]
    parts = [f"**{number[verdict]}** {_plural(verdict, number[verdict])}" for verdict in alone]
    said = f"Of {len(told)} claims, {', '.join(parts[:-1])}, and {parts[-1]}"
    if not (other := number[claims.DISAGREE]):
        return said
    return f"{said}. In **{other}** more, sources contradict each other, and the numbers support one side"


def table(told: list[Claim], place: Place) -> str:
    """Claims as one table, which narrow screens show as cards."""
    heads = "".join(f'<th scope="col" data-column="{name.lower()}">{name}</th>' for name in COLUMNS)
    rows = "".join(row(borne_out(claim), place) for claim in told)
    quiet = "" if place.whole else " data-search-exclude"
    return (
        f'<div class="rl-ledger" style="--rl-rows: {len(told)}"{quiet}><table class="rl-claims">'
        f'<caption class="rl-unseen">{len(told)} claims, what was computed, and the verdict</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def borne_out(claim: Claim) -> Claim:
    """The claim, provided that its numbers give the verdict that is written beside it."""
    if claim.derived() != claim.verdict:
        raise CalcError(f"verdict of claim {claim.id}", claim.verdict, f"“{claim.derived()}”, as its numbers give")
    return claim


def row(claim: Claim, place: Place) -> str:
    """One claim: what was said, by whom and when; what was quoted; what is computed; the verdict and why."""
    said = f'<p class="rl-said"><a class="rl-id" href="#claim-{claim.id}">{claim.id}</a> {escape(claim.said)}</p>'
    by = f'<p class="rl-by">{_cited("Said in", claim.by)}{_lecture(claim, place)}</p>'
    verdict = (
        f'<p class="rl-verdict" data-verdict="{SLUGS[claim.verdict]}"><span aria-hidden="true">{MARKS[claim.verdict]}'
        f'</span> {claim.verdict}</p>{_sides(claim)}<p class="rl-why">{escape(claim.reason)}</p>{_basis(claim)}'
    )
    cells = (said + by, when(claim), escape(claim.quoted) or "–", computed(claim), verdict)
    tags = "".join(f'<td data-label="{name}">{cell}</td>' for name, cell in zip(COLUMNS, cells, strict=True))
    keys = {
        "verdict": SLUGS[claim.verdict],
        "chapter": claim.chapter,
        "sources": " ".join(claim.by),
        "seconds": "" if claim.seconds is None else str(claim.seconds),
    }
    data = "".join(f' data-{key}="{escape(value)}"' for key, value in keys.items())
    return f'<tr id="claim-{claim.id}"{data}>{tags}</tr>'


def when(claim: Claim) -> str:
    """The time in the recording as a link to it; an estimate keeps its sign."""
    if claim.seconds is None:
        return "–"
    estimate = ' title="Estimated from the place in the transcript"' if claim.at.startswith("~") else ""
    return f'<a href="{RECORDING}?t={claim.seconds}"{estimate}>{claim.at}</a>'


def computed(claim: Claim) -> str:
    """The result of the call, with the circumstance in which it gives something else."""
    if not claim.call:
        return "–"
    kept, of = claim.kept
    partly = claim.basis == "calculation" and 0 < kept < of and claim.unit != in_words.TRUTH
    notes = [f"{kept} of {of} accepted"] * partly
    notes += ["by derivation"] * claim.algebra
    notes += [f"otherwise {claim.told_otherwise}"] * bool(claim.counter)
    return escape(claim.told) + "".join(f' <span class="rl-counter">{escape(note)}</span>' for note in notes)


def filters(told: list[Claim]) -> str:
    """The ledger's filters; hidden until a script can answer them."""
    sources = {name: short(name) for claim in told for name in claim.by}
    verdicts = [(SLUGS[verdict], verdict) for verdict in claims.VERDICTS]
    told_in = {claim.chapter for claim in told}
    chapters = [(lecture.chapter, lecture.title) for lecture in LECTURES if lecture.chapter in told_in]
    fields = (
        _select("verdict", "Verdict", verdicts),
        _select("chapter", "Lecture", [*chapters, ("recording", "The recording itself")]),
        _select("source", "Source", sorted(sources.items())),
        '<label>Words <input type="search" name="words" autocomplete="off"></label>',
        '<button type="reset">Clear</button>',
    )
    return (
        f'<form class="rl-filters" hidden autocomplete="off" data-search-exclude>{"".join(fields)}'
        f'<output class="rl-found" role="status">{len(told)} claims</output></form>'
    )


@cache
def shown_in() -> dict[str, str]:
    """The written lecture in which each claim is listed, by the claim's id."""
    found: dict[str, str] = {}
    for lecture in LECTURES:
        if lecture.written:
            text = (ROOT / "lectures" / lecture.chapter / "index.md").read_text("utf-8")
            for mark in _CLAIMS.findall(text):
                found |= {claim.id: lecture.chapter for claim in chosen(mark) if claim.id not in found}
    return found


def _select(name: str, label: str, options: list[tuple[str, str]]) -> str:
    inner = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in options)
    return f'<label>{label} <select name="{name}"><option value="">all</option>{inner}</select></label>'


def _lecture(claim: Claim, place: Place) -> str:
    chapter = shown_in().get(claim.id) if place.whole else None
    titles = {lecture.chapter: lecture.title for lecture in LECTURES}
    if chapter is None:
        return ""
    about = "Lecture" if chapter == claim.chapter else "The recording itself, listed in"
    return f'. {about}: <a href="{place.root}lectures/{chapter}/#claim-{claim.id}">{escape(titles[chapter])}</a>'


def sides(claim: Claim) -> str:
    """Between sources that disagree: which of them the numbers bear out."""
    told = claim.borne_out()
    right, wrong = (", ".join(short(name) for name in told if told[name] is so) for so in (True, False))
    return f"The numbers bear out {right}, not {wrong}" if claim.verdict == claims.DISAGREE else ""


def _sides(claim: Claim) -> str:
    return f"<p>{escape(sides(claim))}.</p>" if claim.readings else ""


def _basis(claim: Claim) -> str:
    """How the verdict came about: the calls to paste, what is accepted, or where it was looked up."""
    if claim.record:
        return f'<p class="rl-by">{_cited("Looked up in", claim.record)}</p>'
    if not claim.call:
        return ""
    told = [(claim.call, "")] + ([(claim.counter, "<p>Otherwise:</p>")] if claim.counter else [])
    blocks = "".join(
        f'{text}<pre tabindex="0"><code>{_lines(calls.as_written(call))}</code></pre>' for call, text in told
    )
    accepted = f"<p>Accepted: {escape(claim.accepted)}.</p>" if claim.accepted and claim.basis == "calculation" else ""
    readings = "".join(
        f"<p>{escape(short(name))}: {escape(in_words.shown((value,), claim.unit))}</p>"
        for name, value in claim.read().items()
    )
    inner = f"<summary>The call</summary>{blocks}{accepted}{readings}"
    # no-copy: the theme would give every call its button as the page opens, and lay it out anew for each (2 s in all).
    return f'<details class="rl-call no-copy" data-search-exclude>{inner}</details>'


def _lines(code: str) -> str:
    """Code on one line of HTML, so that Markdown does not take a blank one for the end of the block."""
    return escape(code).replace("\n", "&#10;")


def _cited(words: str, names: tuple[str, ...]) -> str:
    return f"{words} " + ", ".join(_link(name) for name in names)


def _link(name: str) -> str:
    source = catalog.source(name)
    title = f'title="{escape(source.title)}, {escape(source.publisher)}"'
    text = escape(short(name))
    return f'<a href="{escape(source.url)}" {title}>{text}</a>' if source.url else f"<span {title}>{text}</span>"


def short(name: str) -> str:
    """The name of a source in a list of many."""
    own = {
        "lecture": "the lecture",
        "flashcards": "its flashcards",
        "summary-002": "Axiom",
        "summary-003": "an unnamed podcast brief",
    }
    return own.get(name) or catalog.source(name).publisher


def _plural(verdict: str, number: int) -> str:
    many = {claims.HOLDS: "hold", claims.CAVEATS: "hold with caveats", claims.FAILS: "do not hold"}
    many |= {claims.UNDECIDED: "are unconfirmed"}
    return many[verdict] if number != 1 else "is unconfirmed" if verdict == claims.UNDECIDED else verdict
