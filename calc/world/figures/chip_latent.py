"""Attention over latents on one chip: the same bytes, and more and more rows that ask of them."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS
from calc.quantities.units import plain, show
from calc.world.chip import Timing
from calc.world.chip_latent import CHIP, balanced_rows, latents, of_load, shared_heads
from calc.world.training import middle
from calc.world.two_chips import FIRST, LARGE_CACHE

LOAD = 64, 4096
CUT, WHOLE, DRAFTED = 16, 128, 256
"""Rows of a chip: heads cut over eight chips, all heads of one token, and of two."""
KINDS = ("timed", "reading, at least", "multiplying, at least")
TILE = 64  # rows that the kernel takes at once


def latent() -> Answer:
    """One batch: its time as timed, and what reading and multiplying take at least, over the rows that ask."""
    drawn = of_load(*LOAD)
    of = {each.row.count: each for each in drawn}
    full = [each for each in latents() if each.bytes >= LARGE_CACHE]
    cut, whole, drafted = (_rows(full, rows) for rows in (CUT, WHOLE, DRAFTED))
    name, chip = catalog.model(drawn[0].row.model).name, catalog.chip(CHIP).name
    second = middle(_over(drafted, whole))
    return Answer(
        finding=(
            f"{CUT} rows read latents at {show(middle(each.memory_share for each in cut), '%', 2)} of the bandwidth; "
            f"our kernel takes at most {TILE} at a time, and each further {TILE} take nearly as long again"
        ),
        description=(
            f"Line chart, both axes logarithmic: time of one layer's attention of {name} on one {chip}, for {LOAD[0]} "
            f"sequences with {plain(LOAD[1], 9)} latents each, against the rows that ask of each latent, "
            f"{drawn[0].row.count} to {drawn[-1].row.count}. Reading takes at least {show(drawn[0].reading, 's')} "
            f"whatever the rows; multiplying grows with them and meets it at {show(balanced_rows(), '', 3)} rows. "
            f"The timed kernel takes {show(of[CUT].row.seconds, 's')} for {CUT} rows and "
            f"{show(of[WHOLE].row.seconds, 's')} for {WHOLE}, and from there grows as the rows do."
        ),
        tables={
            "lines": {
                "rows": [each.row.count for each in drawn for _ in KINDS],
                "kind": [kind for _ in drawn for kind in KINDS],
                "seconds": [
                    seconds for each in drawn for seconds in (each.row.seconds, each.reading, each.multiplying)
                ],
            },
            "all": {
                "sequences": [each.row.tokens for each in latents()],
                "context": [each.row.context for each in latents()],
                "rows": [each.row.count for each in latents()],
                "microseconds": [1e6 * each.row.seconds for each in latents()],
                "memory": [100 * each.memory_share for each in latents()],
                "arithmetic": [100 * each.arithmetic_share for each in latents()],
            },
            "places": {
                "rows": [CUT, WHOLE, DRAFTED],
                "seconds": [of[rows].row.seconds for rows in (CUT, WHOLE, DRAFTED)],
                "label": ["heads cut over 8 chips", "all heads", "and two tokens"],
            },
        },
        values={
            "cut_memory": Value(middle(each.memory_share for each in cut), "%", "Cut: share of bandwidth", 2),
            "whole_over_cut": Value(middle(_over(whole, cut)), "x", "All heads, over an eighth of them", 2),
            "second": Value(second, "x", "Two tokens, over one"),
            "balanced": Value(balanced_rows(), "", "Rows at balance, published rates"),
            "count": Value(len(latents()), "", "Timings"),
            "cut": Value(CUT, "", "Rows, heads cut over eight chips"),
            "whole": Value(WHOLE, "", "Rows, all heads"),
            "balanced_first": Value(balanced_rows(FIRST), "", "The same on an H100"),
            "whole_memory": Value(middle(each.memory_share for each in whole), "%", "All heads: share of bandwidth", 2),
            "whole_busy": Value(
                middle(each.arithmetic_share for each in whole), "%", "All heads: of the arithmetic", 2
            ),
            "grouped_low": Value(min(shared_heads()), "x", "Grouped heads: twice the rows, the least", 2),
            "grouped_high": Value(max(shared_heads()), "x", "the most", 3),
            "grouped_rows": Value(len(shared_heads()), "", "Caches of grouped heads"),
            "tile": Value(TILE, "", "Rows that our kernel takes at once"),
            "half": Value(TILE // 2, "", "Half of them"),
            "within": Value(_twice(full, TILE // 2), "x", "A full tile, over half a one", 3),
            "below": Value(_twice(full, CUT), "x", "Twice the cut heads, over one", 3),
        },
    )


def _twice(every: list[Timing], rows: int) -> float:
    """How many times as long twice the rows take, in the middle of all loads."""
    return middle(_over(_rows(every, 2 * rows), _rows(every, rows)))


def _rows(every: list[Timing], rows: int) -> list[Timing]:
    return [each for each in every if each.row.count == rows]


def _over(many: list[Timing], few: list[Timing]) -> list[float]:
    return [one.row.seconds / other.row.seconds for one, other in zip(many, few, strict=True)]


def latent_chart() -> Any:
    """Three lines over the rows, and three of the timed dots by name."""
    import altair as alt

    colours = (look.FREE[0], look.CACHE, look.ARITHMETIC)
    legend = alt.Legend(symbolType="stroke", columns=3)
    x = alt.X("rows:Q", title="Rows that ask of each latent").scale(type="log", base=2, domain=[13, 700], nice=False)
    x = x.axis(values=[16, 32, 64, 128, 256, 512], format=",")
    y = alt.Y("seconds:Q", title="Time of one layer's attention").scale(type="log", domain=[8e-6, 1.5e-3], nice=False)
    y = y.axis(values=[1e-5, 1e-4, 1e-3], **SECONDS)
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_line(point={"size": 40, "filled": True})
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", title=None, legend=legend).scale(domain=list(KINDS), range=list(colours)),
            strokeDash=alt.StrokeDash("kind:N", title=None, legend=legend).scale(**look.dashes(*KINDS)),
        )
    )
    places = alt.Chart(alt.NamedData("places")).encode(x=x, y=y, text="label:N")
    words: dict[str, Any] = {
        "align": alt.expr(f"datum.rows == {CUT} ? 'left' : 'right'"),
        "dx": alt.expr(f"datum.rows == {CUT} ? 10 : -8"),
        "dy": alt.expr(f"datum.rows == {CUT} ? 10 : -10"),
        "fontSize": 12,
    }
    return lines + places.mark_text(**words, **HALO) + places.mark_text(**words, color=look.INK)


FIGURES = (
    Figure(
        name="world/chip-latent",
        foremost=4,
        compute=latent,
        chart=latent_chart,
        table="all",
        columns={
            "sequences": "Sequences",
            "context": "Context",
            "rows": "Rows",
            "microseconds": "Time (µs)",
            "memory": "Of the bandwidth (%)",
            "arithmetic": "Of the arithmetic (%)",
        },
        assumptions=(
            "A kernel of our own in Triton, in 16 bits; each shape in the fastest of several ways to cut it up.",
            "Rows beyond all heads are those of further tokens, and see all latents.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
