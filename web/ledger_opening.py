"""How the ledger opens: what stood and what fell, counted, drawn and cited.

Marks on the page: `<!-- claim: A13 -->` says a claim in the words of its row, with its verdict and number, so that no
line of the opening can say what its row does not. `<!-- ledger: tally -->` draws verdicts by lecture, and `strip` how
far numbers lie from what was said; `near`, `voices`, `unseen` and `exceptions` are sentences and lists. All is text and
boxes: there is nothing to run.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from html import escape

from calc import catalog
from calc.ledger import claims, in_words
from calc.ledger.band import BANDS
from calc.ledger.claims import Claim
from calc.quantities.errors import CalcError
from web.contents import LECTURES
from web.ledger import MARKS, SLUGS, short, sides

REACH = 300.0  # times more, and less, than was said: where the strip ends
DECIDED = (claims.HOLDS, claims.CAVEATS, claims.FAILS)
_MARK = re.compile(r"<!-- (claim|ledger): ([\w ]+?) -->")


def fill(markdown: str) -> str:
    """A page with its marks replaced; those that `web.ledger` answers stay."""
    told = list(claims.claims().values())

    def answer(mark: re.Match[str]) -> str:
        if mark[1] == "claim":
            return cited(claims.claim(mark[2]))
        return ANSWERS[mark[2]](told) if mark[2] in ANSWERS else mark[0]

    return _MARK.sub(answer, checked(markdown))


def cited(claim: Claim) -> str:
    """A claim in its own words: its verdict as a mark, its id as a link, and the number or the side that decides it.

    One that fails and was not made in the lecture names who made it.
    """
    if claim.readings:
        number = f": {escape(_lowered(sides(claim)))}"
    elif claim.unit == in_words.TRUTH or claim.basis != "calculation":
        number = ""
    else:
        distinct = tuple(dict.fromkeys(round(number, 9) for number in claim.computed()))
        number = f" ({escape(in_words.shown(distinct, claim.unit))})"
    others = claim.verdict == claims.FAILS and "lecture" not in claim.by
    by = f"({escape(', '.join(map(short, claim.by)))}) " * others
    return (
        f'<a class="rl-cited" href="#claim-{claim.id}" data-verdict="{SLUGS[claim.verdict]}" title="{claim.verdict}">'
        f'<span aria-hidden="true">{MARKS[claim.verdict]}</span>&nbsp;{claim.id}</a> {by}'
        f"{escape(claim.said.rstrip('.'))}{number}"
    )


def _lowered(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def near(told: Iterable[Claim]) -> str:
    """How many claims with a number keep to it, within which band."""
    stated = [claim for claim in told if claim.stated and claim.ratios()]
    close = [claim for claim in stated if _within(claim, "close")]
    order = [claim for claim in stated if claim not in close and _within(claim, "order")]
    return (
        f"Of {len(stated)} claims that state a number, {len(close)} keep to it within ±25 % wherever we computed it, "
        f"{len(order)} more within a factor of 3, and {len(stated) - len(close) - len(order)} stray further somewhere"
    )


def _within(claim: Claim, band: str) -> bool:
    low, high = BANDS[band]
    return all(low <= ratio <= high for ratio in claim.ratios())


def voices(told: Iterable[Claim]) -> str:
    """How often claims of the lecture hold, without a caveat and with one, or fail, and those that only others made."""
    decided = [claim for claim in told if claim.verdict in DECIDED]
    groups = [[claim for claim in decided if ("lecture" in claim.by) is own] for own in (True, False)]
    (own, mine, shy, fallen), (others, theirs, less, wrong) = (
        (len(group), *(sum(claim.verdict == verdict for claim in group) for verdict in DECIDED)) for group in groups
    )
    return (
        f"Of {own} decided claims made in the lecture {mine} hold ({mine / own:.0%}), {shy} with caveats and "
        f"{fallen} not; of {others} that only others made {theirs} ({theirs / others:.0%}), {less} and {wrong}. "
        f"{sum(claim.algebra for claim in decided)} hold by derivation, and nothing was measured for them"
    )


def exceptions(told: Iterable[Claim]) -> str:
    """The claims whose words had to be read as numbers, each with the reading, and those that say only an order."""
    known = list(told)
    read = [(claim, claim.exception) for claim in known if claim.exception]
    orders = [(claim, f"“{claim.order}”") for claim in known if claim.order]
    return _folded(f"{len(read)} exceptions: words that had to be read as numbers", read) + _folded(
        f"{len(orders)} claims that say only an order, and the word that says so", orders
    )


def _folded(summary: str, listed: list[tuple[Claim, str]]) -> str:
    rows = "".join(f"<li>{cited_id(claim)} {escape(text)}</li>" for claim, text in listed)
    return f'<details class="rl-exceptions"><summary>{summary}</summary><ul>{rows}</ul></details>'


def unseen(told: Iterable[Claim]) -> str:
    """The claims that only a source without an address made, so that nobody can look them up."""
    known = [claim for claim in told if not any(catalog.source(name).url for name in claim.by)]
    listed = ", ".join(cited_id(claim) for claim in known)
    return f"{len(known)} claims stand only in summaries whose address was not kept: {listed}"


def cited_id(claim: Claim) -> str:
    """A claim's id, leading to it."""
    return f'<a href="#claim-{claim.id}">{claim.id}</a>'


def lanes(told: Iterable[Claim]) -> list[tuple[str, list[Claim]]]:
    """The claims of each lecture under its title, and those about the recording itself."""
    known = list(told)
    titles = [(lecture.chapter, f"{number} {lecture.title}") for number, lecture in enumerate(LECTURES, 1)]
    found = [
        (title, [claim for claim in known if claim.chapter == chapter])
        for chapter, title in [*titles, ("recording", "The recording itself")]
    ]
    return [(title, group) for title, group in found if group]


def tally(told: Iterable[Claim]) -> str:
    """Verdicts by lecture, as bars whose parts are as wide as there are claims."""
    groups = lanes(told)
    most = max(len(group) for _, group in groups)
    rows = []
    for title, group in groups:
        number = Counter(claim.verdict for claim in group)
        parts = "".join(
            f'<span data-verdict="{SLUGS[verdict]}" style="--rl-n: {number[verdict]}" title="{verdict}">'
            f'{number[verdict]}<span class="rl-unseen"> {verdict}, </span></span>'
            for verdict in claims.VERDICTS
            if number[verdict]
        )
        rows.append(
            f'<tr><th scope="row">{escape(title)}</th><td><div class="rl-bar" style="--rl-most: {most}">'
            f"{parts}</div></td></tr>"
        )
    key = "".join(
        f'<span data-verdict="{SLUGS[verdict]}">{MARKS[verdict]} {verdict}</span>' for verdict in claims.VERDICTS
    )
    return (
        f'<figure class="rl-tally"><figcaption>Verdicts by lecture<span class="rl-key">{key}</span></figcaption>'
        f"<table>{''.join(rows)}</table></figure>"
    )


def strip(told: Iterable[Claim]) -> str:
    """How far numbers lie from what was said: a line a claim, on a logarithmic axis with both bands."""
    groups = [(title, [claim for claim in group if claim.ratios()]) for title, group in lanes(told)]
    inner = "".join(_lane(title, group) for title, group in groups if group)
    return (
        '<figure class="rl-strip"><figcaption>Computed over said. The tinted bands are ±25 % and a factor of 3; '
        "a line reaches over all numbers of a claim. Filled dots compare with a number that was said, hollow ones with "
        "a bound or a word. Claims all of whose numbers lie in the inner band are one bar, “within”."
        f'</figcaption><div class="rl-lanes" style="{_bands()}">{inner}</div></figure>'
    )


def _bands() -> str:
    ends = {
        f"--rl-{band}-{side}": limit for band, pair in BANDS.items() for side, limit in zip("lh", pair, strict=True)
    }
    return "; ".join(f"{name}: {_place(limit):.2f}%" for name, limit in ends.items())


def _lane(title: str, group: list[Claim]) -> str:
    far = [claim for claim in group if not _within(claim, "close")]
    kept = len(group) - len(far)
    marks = "".join(
        f'<span style="left: {_place(value):.2f}%">{text}</span>'
        for value, text in ((1 / 100, "1/100"), (1 / 10, "1/10"), (1, "1"), (10, "10"), (100, "100"))
    )
    ticks = f'<span class="rl-track rl-ticks" aria-hidden="true">{marks}</span>'
    head = f'<p class="rl-lane"><b>{escape(title)}</b>{ticks}</p>'
    within = (
        f'<p><span class="rl-name">{kept} within</span><span class="rl-track"><span class="rl-many" '
        f'style="left: {_place(1):.2f}%; --rl-n: {kept}"></span></span></p>'
        if kept
        else ""
    )
    return f"<div>{head}{within}{''.join(_line(claim) for claim in sorted(far, key=_middle))}</div>"


def _line(claim: Claim) -> str:
    ratios = claim.ratios()
    low, high = min(ratios), max(ratios)
    kind = "said" if claim.stated else "bound"
    dots = "".join(
        f'<i style="left: {_place(ratio):.2f}%"></i>' for ratio in sorted({_clipped(each) for each in ratios})
    )
    reach = f"{_times(low)} to {_times(high)}" if low < high else _times(low)
    return (
        f'<p data-verdict="{SLUGS[claim.verdict]}" data-kind="{kind}"><a class="rl-name" href="#claim-{claim.id}" '
        f'title="{escape(claim.said)} {claim.verdict}: {reach} what was said">{claim.id}</a>'
        f'<span class="rl-track"><span class="rl-reach" style="left: {_place(low):.2f}%; '
        f'width: {_place(high) - _place(low):.2f}%"></span>{dots}</span>'
        f'<span class="rl-unseen">{claim.verdict}, {reach} what was said</span></p>'
    )


def _middle(claim: Claim) -> float:
    return math.log(min(claim.ratios())) + math.log(max(claim.ratios()))


def _times(ratio: float) -> str:
    return in_words.shown((ratio,), "x")


def _clipped(ratio: float) -> float:
    return min(max(ratio, 1 / REACH), REACH)


def _place(ratio: float) -> float:
    """Where a ratio stands on the strip, in per cent from its left end."""
    return 50 + 50 * math.log(_clipped(ratio)) / math.log(REACH)


ANSWERS: dict[str, Callable[[list[Claim]], str]] = {
    "near": near,
    "voices": voices,
    "tally": tally,
    "strip": strip,
    "unseen": unseen,
    "exceptions": exceptions,
}


def checked(markdown: str) -> str:
    """The page, provided that each line's claims have the verdict with which the line begins."""
    for heading, line in re.findall(r"^- \*\*(.+?)\.\*\*(.*<!-- claim: .*)$", markdown, flags=re.M):
        for name in re.findall(r"<!-- claim: (\w+) -->", line):
            if claims.claim(name).verdict != heading.lower():
                raise CalcError(f"“{heading}” of claim {name}", heading, f"“{claims.claim(name).verdict}”")
    return markdown
