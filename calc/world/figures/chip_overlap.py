"""Whether reading a matrix and multiplying with it overlap on one chip, from one token to many."""

from __future__ import annotations

from typing import Any

from calc.catalog.chip_times import CHIP_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.chip import Crossing, Timing, crossings
from calc.world.overlapped import overlapped
from calc.world.training import middle

OVERLAP = ("over the longer of the two", "over their sum")
PAST = 4  # balanced batches, to see what a token still saves


def overlap() -> Answer:
    """Each matrix over its batch: its time over the longer of reading and multiplying, and over their sum."""
    at = [each.over(each.balanced) for each in crossings()]
    rows = [(each, timing) for each in crossings() for timing in each.timings]
    served, past = overlapped(), middle(map(_past, crossings()))
    longer, added = (middle([pair[which] for pair in at]) for which in (0, 1))
    tokens = sorted({timing.row.tokens for _, timing in rows})
    return Answer(
        finding=(
            f"In one product reading and multiplying overlap: at balance it takes {show(longer, 'x')} the longer of "
            f"the two, {show(added, 'x', 2)} their sum"
        ),
        description=(
            f"Line chart, logarithmic in tokens: the time of a product over the longer of reading its matrix and "
            f"multiplying, and over their sum, each at the rate that the same matrix reached, the middle of "
            f"{len(crossings())} matrices and formats with the span of all. If the two overlapped perfectly the first "
            f"would be one throughout. At the balanced batch it is {show(longer, 'x')}, the second {show(added, 'x')}."
        ),
        tables={
            "lines": {
                "tokens": [count for count in tokens for _ in range(2)],
                "kind": [kind for _ in tokens for kind in OVERLAP],
                "over": [middle(_at(rows, count, which)) for count in tokens for which in (0, 1)],
                "low": [min(_at(rows, count, which)) for count in tokens for which in (0, 1)],
                "high": [max(_at(rows, count, which)) for count in tokens for which in (0, 1)],
            }
        },
        values={
            "matrices": Value(len(crossings()), "", "Matrices and formats"),
            "longer": Value(longer, "x", "At balance, over the longer of the two"),
            "longer_low": Value(min(pair[0] for pair in at), "x", "the least"),
            "longer_high": Value(max(pair[0] for pair in at), "x", "the most"),
            "added": Value(added, "x", "At balance, over their sum", 2),
            "served_longer": Value(served.error.median, "%", "Served runs, by the longer: off by", 3),
            "served_sum": Value(served.summed.median, "%", "Served runs, by the sum: off by", 3),
            "served_arithmetic": Value(served.arithmetic_share, "%", "Share of arithmetic, by the longer", 2),
            "served_memory": Value(served.memory_share, "%", "Share of bandwidth, by the longer", 2),
            "tokens": Value(middle([each.balanced.row.tokens for each in crossings()]), "tokens", "At balance"),
            "past": Value(1 - past / PAST, "%", "Four times that batch: saved", 2),
            "past_step": Value(past, "x", "Four times that batch: as long", 2),
        },
    )


def _at(rows: list[tuple[Any, Timing]], tokens: int, which: int) -> list[float]:
    return [each.over(timing)[which] for each, timing in rows if timing.row.tokens == tokens]


def _past(each: Crossing) -> float:
    """How many times as long as at balance a product takes with `PAST` times the tokens."""
    tokens = PAST * each.balanced.row.tokens
    (past,) = [timing for timing in each.timings if timing.row.tokens == tokens]
    return past.row.seconds / each.balanced.row.seconds


def overlap_chart() -> Any:
    """Two lines with the span of all matrices, and a rule at one."""
    import altair as alt

    scale: dict[str, Any] = {"domain": list(OVERLAP), "range": [look.INK, look.FREE[0]]}
    x = alt.X("tokens:Q", title="Tokens in one product").scale(type="log", base=2, nice=False)
    x = x.axis(values=[1, 4, 16, 64, 256, 1024, 4096, 16384], format=",")
    legend = alt.Legend(symbolType="stroke", symbolOpacity=1, symbolStrokeWidth=2.5)
    colour = alt.Color("kind:N", title=None, legend=legend).scale(**scale)
    dash = alt.StrokeDash("kind:N", title=None, legend=legend).scale(**look.dashes(*OVERLAP))
    base = alt.Chart(alt.NamedData("lines")).encode(x=x, color=colour)
    y = alt.Y("over:Q", title="Measured, over what is counted").scale(domain=[0, 1.6], nice=False)
    span = base.mark_area(opacity=0.2, line=False).encode(y="low:Q", y2="high:Q")
    one = alt.Chart(alt.NamedData("lines")).mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(y=alt.YDatum(1))
    return span + one + base.mark_line().encode(y=y, strokeDash=dash)


FIGURES = (
    Figure(
        name="world/chip-overlap",
        foremost=4,
        compute=overlap,
        chart=overlap_chart,
        table="lines",
        columns={
            "tokens": "Tokens",
            "kind": "Measured",
            "low": "Least (×)",
            "over": "Middle (×)",
            "high": "Most (×)",
        },
        assumptions=(
            "Reading takes as long as the shortest product of the same matrix; multiplying is at the best rate that it "
            "reached with any batch.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
