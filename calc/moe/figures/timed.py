"""Lecture 2 in pictures: exchanges that NVIDIA timed on a GB200 rack, by the tokens of a chip."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.catalog.exchanges import EXCHANGES_SOURCE, rack_exchanges
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice
from calc.figure.line_names import ends, labelled_lines
from calc.moe.figures.shared import WAY
from calc.moe.figures.timings import LIKE_OURS, MOST_TIMED, rack_exchange, seconds_of_bytes
from calc.quantities.units import show

TICKS = [1, 4, 16, 64, 256, 1024]
TIMES = [1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3]
LINES = {"bytes": "bytes at full rate", "started": f"bytes and starts at {LIKE_OURS}"}

AMONG = Choice(
    name="among",
    label="Chips",
    default=str(MOST_TIMED),
    options={str(chips): f"{chips} chips" for chips in (MOST_TIMED, 32, 16, 8)},
    help="Chips of the rack that share the experts.",
)


def timed(*, among: str, way: str) -> Answer:
    """Seconds of an exchange against the tokens of a chip, beside its bytes and its starts."""
    chips, passes = int(among), 2 if way == "both" else 1
    counts = [row.tokens for row in rack_exchanges() if row.chips == chips]
    found = {tokens: rack_exchange(tokens, chips, way) for tokens in counts}
    few = [each.measured for tokens, each in found.items() if tokens <= LIKE_OURS]
    one, ours, most = found[1], found[LIKE_OURS], found[counts[-1]]
    starts = ours.measured - ours.bound
    tokens = np.geomspace(1, counts[-1], 12)
    alone = np.asarray(seconds_of_bytes(tokens, chips, way))
    curve = {"tokens": tokens, "bytes": alone, "started": alone + starts}
    return Answer(
        finding=(
            f"On {chips} chips of a rack, {WAY.options[way]}, up to {LIKE_OURS} tokens a chip take "
            f"{show(min(few), 's')} to {show(max(few), 's')}; their bytes need at most {show(ours.bound, 's', 2)}"
        ),
        description=(
            f"Line chart with dots, both axes logarithmic: time of an exchange on {chips} chips, {WAY.options[way]}, "
            f"against the tokens of a chip. Timed, it is nearly level up to some dozens of tokens and then rises with "
            f"the bytes, from {show(one.measured, 's')} to {show(most.measured, 's')}. A line counts the bytes alone, "
            f"{show(one.bound, 's', 2)} to {show(most.bound, 's')}; another adds starts of {show(starts, 's', 2)}."
        ),
        tables={
            "timed": {
                "tokens": counts,
                "seconds": [each.measured for each in found.values()],
                "bytes": [each.bound for each in found.values()],
            },
            "names": {"tokens": [counts[1]], "seconds": [found[counts[1]].measured], "label": ["timed"]},
            "curve": curve,
            "ends": ends(curve, "tokens", LINES),
        },
        values={
            "ours": Value(ours.measured, "s", f"With {LIKE_OURS} tokens a chip"),
            "one": Value(one.measured, "s", "With one token a chip"),
            "most": Value(most.measured, "s", f"With {counts[-1]:,}"),
            "bytes": Value(ours.bound, "s", f"Bytes of {LIKE_OURS} tokens alone", 2),
            "start": Value(starts / passes, "s", "A start"),
            "chips": Value(chips, "", "Chips"),
            "tokens": Value(LIKE_OURS, "tokens", "Tokens of a chip"),
            "full": Value(counts[-1], "tokens", "The most tokens of a chip", 4),
            "rate": Value(most.bound / (most.measured - starts), "%", "Of the link's rate, past the starts", 2),
        },
    )


def timed_chart() -> Any:
    """Dots that lie level and then rise, and the two lines that count them."""
    import altair as alt

    x = alt.X("tokens:Q", title="Tokens of a chip").scale(type="log", nice=False).axis(values=TICKS)
    microseconds = "format(datum.value * 1e6, ',d') + ' µs'"
    y = alt.Y("seconds:Q", title="Time of an exchange with its starts").scale(type="log", nice=False)
    y = y.axis(values=TIMES, labelExpr=microseconds, tickCount=2 * len(TIMES))
    dots = alt.Chart(alt.NamedData("timed")).mark_point(size=60, filled=True, color=look.INK, opacity=1)
    named = alt.Chart(alt.NamedData("names")).mark_text(dy=-14, fontSize=12, color=look.INK)
    return (
        labelled_lines(alt, LINES, x, y)
        + dots.encode(x="tokens:Q", y="seconds:Q")
        + named.encode(x="tokens:Q", y="seconds:Q", text="label:N")
    )


TIMED = Figure(
    name="moe/timed",
    inputs=(AMONG, WAY),
    compute=timed,
    chart=timed_chart,
    table="timed",
    columns={"tokens": "Tokens of a chip", "seconds": "Timed (s)", "bytes": "Bytes alone (s)"},
    assumptions=(
        "Tokens of 7,168 numbers in two bytes, out and back, to eight experts of 256 on as many chips, chosen evenly.",
        "Bytes travel at the full rate of a chip's link in one direction; those for a chip's own experts do not.",
        f"Starts are what {LIKE_OURS} tokens a chip took beyond their bytes.",
    ),
    foremost=5,
    sources=(EXCHANGES_SOURCE,),
)
