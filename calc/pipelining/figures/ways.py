"""Lecture 3 in pictures: a row, spread layers and halves, memories full, as links between nodes get slower."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, here_layer
from calc.figure.inputs import Choice, Number
from calc.figure.line_names import ends_of, labelled_series
from calc.figure.scenario import CONTEXT
from calc.moe.figures.shared import crossing
from calc.pipelining.figures.setting import OPENING, STAGES
from calc.pipelining.figures.shared import published
from calc.pipelining.figures.worked.sending import multiplied
from calc.pipelining.figures.worked.stages import longest_share
from calc.pipelining.figures.worked.usual import full_rates, full_row, full_spread
from calc.quantities.units import plain, show
from calc.setting import Scenario

ROW, SPREAD, HALVES = WAYS = ("row", "spread", "in halves")
LEADS = {ROW: "a row decodes", SPREAD: "spread layers decode", HALVES: "halves decode"}
LINKS = np.linspace(0.2, 1, 161).astype(np.float64)
DRAWN, SAID = 4, 10  # of so many places one is drawn, one stands in the table; crossings take all
PAIRS = ((HALVES, ROW), (SPREAD, ROW), (SPREAD, HALVES))  # the first is ahead on quick links

REACHED = Number(
    name="reached",
    label="Links reach",
    default=100,
    low=100 * float(LINKS[0]),
    high=100,
    unit="%",
    help="Share of their rate that the links between nodes reach; those inside nodes reach all.",
)
BITS = Choice(
    name="bits",
    label="Weights",
    default="8",
    options={"8": "FP8", "4": "experts in four bits"},
    help="As Kimi K2 is published: all in FP8, or later its experts in four bits and the rest in sixteen.",
)


def ways(*, bits: str, context: float, reached: float) -> Answer:
    """Tokens a second of a node in each way, memories full, against the share of their rate that links reach."""
    where = Scenario.named(*OPENING)
    kept = where.setting if bits == "8" else published(where)
    row, spread = full_row(where, kept, STAGES), full_spread(where, kept)
    dtype, times = ("fp8" if bits == "8" else "bf16"), CONTEXT.default / context
    slowest = STAGES * longest_share(where.model, STAGES)  # the stage with most layers multiplies longest
    busy = (
        slowest * multiplied(where, times * row.most, dtype, context),
        multiplied(where, times * spread.fit, dtype, context),
    )
    rates = full_rates(row, spread, context, LINKS, busy)
    lines = {way: np.asarray(rate, dtype=np.float64) for way, rate in zip(WAYS, rates, strict=True)}
    here = dict(zip(WAYS, (float(rate) for rate in full_rates(row, spread, context, reached / 100, busy)), strict=True))
    lead = max(here, key=lambda way: here[way])
    even = {pair: crossing(LINKS, lines[pair[0]], lines[pair[1]]) for pair in PAIRS}
    places = np.union1d(np.arange(0, len(LINKS), DRAWN), _level_from(lines[HALVES]))
    drawn = {pair: place for pair, place in even.items() if LINKS[0] < place < 1}
    return Answer(
        finding=f"One copy a node: {LEADS[lead]} most, {show(here[lead], 'tokens/s', 2)} a node; {_row_leads(lines)}",
        description=(
            "Line chart: tokens a second that a node decodes, memories full, against the share of their rate that "
            f"links between nodes reach, from {show(LINKS[0], '%')} to 100%. "
            + "; ".join(f"{way} from {plain(line[0], 2)} to {plain(line[-1], 2)}" for way, line in lines.items())
            + ". "
            + ". ".join(f"{one} and {other} are even at {show(at, '%', 2)}" for (one, other), at in drawn.items())
        ),
        tables={
            "curve": {
                "way": [way for way in WAYS for _ in places],
                "links": np.tile(LINKS[places], len(WAYS)),
                "rate": np.concatenate([line[places] for line in lines.values()]),
            },
            "rates": {"links": LINKS[::SAID]} | {way: line[::SAID] for way, line in lines.items()},
            "ends": ends_of({way: (LINKS, line) for way, line in lines.items()}, "links", log=False),
            "even": _crossings(lines, drawn),
            "here": {"links": [reached / 100], "rate": [here[lead]]},
        },
        values={
            "row": Value(here[ROW], "tokens/s", "A node in the row", 2),
            "spread": Value(here[SPREAD], "tokens/s", "in spread layers", 2),
            "halves": Value(here[HALVES], "tokens/s", "in halves", 2),
        },
    )


def _level_from(line: Any) -> int:
    """The first place at which a line is as high as at its end: it bends there."""
    return int(np.argmax(line >= line[-1] * (1 - 1e-9)))


def _crossings(lines: dict[str, Any], drawn: dict[tuple[str, str], float]) -> dict[str, list[Any]]:
    """Where two lines cross, and the share of the rate there."""
    return {
        "links": list(drawn.values()),
        "rate": [float(np.interp(place, LINKS, lines[one])) for (one, _), place in drawn.items()],
        "said": [show(place, "%", 2) for place in drawn.values()],
    }


def _row_leads(lines: dict[str, Any]) -> str:
    """Below which share of their rate the row decodes most."""
    under = crossing(LINKS, np.maximum(lines[SPREAD], lines[HALVES]), lines[ROW])
    if under == LINKS[0]:
        return "a row leads both on no links drawn"
    return (
        "a row leads both on all links drawn"
        if under > 1
        else f"a row leads both under {show(under, '%', 2)} of the links' rate"
    )


def ways_chart() -> Any:
    """Three lines that rise with the links, and rings where two of them cross."""
    import altair as alt

    x = alt.X("links:Q", title="Links between nodes reach")
    x = x.scale(domain=[float(LINKS[0]), 1.0], nice=False, zero=False).axis(format="%", values=[0.25, 0.5, 0.75, 1])
    y = alt.Y("rate:Q", title="Tokens/s of a node").scale(zero=True).axis(format="~s")
    even = alt.Chart(alt.NamedData("even")).encode(x="links:Q", y="rate:Q")
    late = "datum.links > 0.85 ?"  # near the lines' names: over the ring, and to the left
    text: dict[str, Any] = {
        "align": alt.expr(f"{late} 'right' : 'left'"),
        "baseline": alt.expr(f"{late} 'bottom' : 'top'"),
        "dx": alt.expr(f"{late} -5 : 5"),
        "dy": alt.expr(f"{late} -5 : 5"),
        "fontSize": 12,
    }
    words = even.mark_text(**text, **HALO).encode(text="said:N")
    words += even.mark_text(**text, color=look.INK).encode(text="said:N")
    rings = even.mark_point(color=look.INK, size=50, opacity=1, filled=False)
    return labelled_series(alt, "way", WAYS, x, y) + rings + words + here_layer(alt, "links", "rate")


FIGURES = (
    Figure(
        name="pipelining/ways",
        inputs=(replace(CONTEXT, low=500, high=32_000), REACHED, BITS),
        compute=ways,
        chart=ways_chart,
        table="rates",
        columns={
            "links": "Share of the links' rate",
            ROW: "Row (tokens/s)",
            SPREAD: "Spread (tokens/s)",
            HALVES: "In halves (tokens/s)",
        },
        assumptions=(
            "Kimi K2 on four nodes of eight H100, with as many users as fit; prompts are read elsewhere.",
            "Chips copy all but the routed experts. The row's longest stage sets its room and its pace.",
            "A token goes once to each other node. Sending inside nodes counts in the row; elsewhere it hides.",
            "Memory, arithmetic and links inside nodes reach their full rate. Arithmetic hides behind reading, or "
            "reading behind arithmetic.",
        ),
        sources=("kimi-k2-repo", "aiconfigurator"),
    ),
)
