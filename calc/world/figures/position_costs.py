"""Costs of DeepSeek's tokens by their position, and the prices at which they were sold."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.position_costs import POSITION_COSTS_SOURCE, POSITIONS
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.position_costs import (
    DAY,
    DENSE,
    READ,
    SPARSE,
    WRITTEN,
    attention_busy,
    cost_line,
    day_dollars,
    day_over_lines,
    fetching,
    level_until,
    weights_busy,
)

SHEETS = {DENSE: "DeepSeek chat (V3.1)", SPARSE: "DeepSeek chat (V3.2-Exp)"}
GROUPED = "llama-3-405b"  # whose queries share a cache by groups
SHORT = {DENSE: "V3.1", SPARSE: "V3.2"}
THOUSAND = 1024  # tokens of the axis that are called a K


def sheet(model: str) -> catalog.Price:
    """The price list of a model on the day of the costs."""
    (row,) = (row for row in catalog.history(catalog.Price, "prices", "deepseek-chat") if row.name == SHEETS[model])
    return row


def position_costs() -> Answer:
    """The four lines, beside the price of writing."""
    written, read = cost_line(DENSE, WRITTEN), cost_line(DENSE, READ)
    sparse = cost_line(SPARSE, WRITTEN)
    price, later = (sheet(model).output for model in (DENSE, SPARSE))
    covered = written.covered(price)
    bought, mean_read = sheet(DENSE).input, (read.first + read.last) / 2
    knee = sparse.corners[1]
    slower = (sparse.last - knee.dollars) / (sparse.corners[-1].position - knee.position) / written.rise
    day_read, day_written = day_over_lines()
    at_read, at_written = day_dollars()
    return Answer(
        finding=(
            "By DeepSeek's lines a token written by V3.1 costs twice the first at "
            f"{show(written.doubling, 'tokens', 4)}, and more than its price from {show(covered, 'tokens')}"
        ),
        description=(
            "Line chart: cost of a million tokens, in dollars, over the tokens before each, up to 128K. "
            + " ".join(
                f"{SHORT[model]}, {phase}: from {show(cost_line(model, phase).first, '$')} to "
                f"{show(cost_line(model, phase).last, '$')}."
                for model in SHORT
                for phase in (WRITTEN, READ)
            )
            + f" Two level lines are the prices of writing, {show(price, '$')} for V3.1 and {show(later, '$')} for "
            "V3.2. V3.1's written tokens cross theirs before the end; V3.2's stay below."
        ),
        tables={
            "lines": {
                "line": [f"{SHORT[corner.model]}, {corner.phase}" for corner in _corners()],
                "position": [corner.position / THOUSAND for corner in _corners()],
                "dollars": [corner.dollars for corner in _corners()],
            },
            "prices": {
                "dollars": [price, later],
                "position": [2.0, 32.0],
                "label": [f"{SHORT[model]}'s price of writing" for model in SHEETS],
            },
        },
        values={
            "doubling": Value(written.doubling, "tokens", "Context at which a token written costs twice the first", 4),
            "covered": Value(covered, "tokens", "Context up to which V3.1's price of writing covers it"),
            "last": Value(written.last, "$", "Written by V3.1 at the end of the window"),
            "price": Value(price, "$", "Price of writing, V3.1"),
            "read_doubling": Value(read.doubling, "tokens", "Context at which a token read costs twice the first", 3),
            "read_over": Value(bought / mean_read, "x", "Price of reading over the cost of reading a whole window", 2),
            "price_over": Value(price / written.first, "x", "Price of writing over the cost of a first token", 2),
            "days": Value((sheet(SPARSE).since - sheet(DENSE).since).days, "days", "V3.2's price after V3.1's"),
            "slower": Value(slower, "%", "Rise of V3.2's writing past the corner, over V3.1's", 1),
            "window": Value(POSITIONS, "tokens", "The window", 6),
            "first": Value(written.first, "$", "A million first tokens, written by V3.1"),
            "read_first": Value(read.first, "$", "A million first tokens, read by V3.1"),
            "later": Value(later, "$", "Price of writing, V3.2"),
            "sparse_first": Value(sparse.first, "$", "A million first tokens, written by V3.2"),
            "sparse_last": Value(sparse.last, "$", "Written by V3.2 at the end of the window"),
            "sparse_over": Value(later / sparse.last, "x", "V3.2's price over that cost", 2),
            "knee": Value(knee.position, "tokens", "Corner of V3.2's line of writing"),
            "level": Value(level_until(), "tokens", "Level until, by (4)", 4),
            "grouped": Value(level_until(GROUPED), "tokens", "Llama 3.1 405B: level until, by (4)", 3),
            "starts": Value(written.first / read.first, "x", "First tokens, written over read"),
            "rises": Value(read.rise / written.rise, "x", "Rise of reading over that of writing"),
            "weights_read": Value(weights_busy(READ), "%", "Weights in reading, of the FP8 rate", 2),
            "weights_written": Value(weights_busy(WRITTEN), "%", "Weights in writing, of the FP8 rate", 2),
            "attention": Value(attention_busy(WRITTEN), "%", "Attention, of the BF16 rate", 2),
            "fetching": Value(fetching(), "%", "Fetching instead, of the bandwidth", 2),
            "day": Value(at_written / at_read, "x", "Written over read at the day's contexts"),
            "day_read": Value(day_read, "%", "The day's rate of reading over the lines'", 2),
            "day_written": Value(day_written, "%", "The day's rate of writing over the lines'", 2),
            "rent": Value(_rent(), "$", "Rent that the costs take"),
        },
    )


def _rent() -> float:
    return catalog.deployment(DAY).dollars_per_chip_hour


def _corners() -> list[Any]:
    return [corner for model in SHORT for phase in (WRITTEN, READ) for corner in cost_line(model, phase).corners]


def position_costs_chart() -> Any:
    """Four lines straight between their corners, and the prices of writing as level dashes."""
    import altair as alt

    names = [f"{SHORT[model]}, {phase}" for model in SHORT for phase in (WRITTEN, READ)]
    x = alt.X("position:Q", title="Tokens before this one, thousands (1,024)").scale(domain=[0, 128], nice=False)
    x = x.axis(values=[0, 32, 64, 96, 128])
    y = alt.Y("dollars:Q", title="Cost of a million tokens, $").scale(domain=[0, 2.4], nice=False)
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_line(strokeWidth=2)
        .encode(
            x=x,
            y=y,
            color=alt.Color("line:N", title=None).scale(**look.series(*names)),
            strokeDash=alt.StrokeDash("line:N", title=None).scale(**look.dashes(*names)),
        )
    )
    prices = alt.Chart(alt.NamedData("prices"))
    rules = prices.mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(y=y)
    words = prices.mark_text(color=look.MUTED, align="left", dy=-7).encode(x=x, y=y, text="label:N")
    return rules + lines + words


FIGURES = (
    Figure(
        name="world/position-costs",
        foremost=4,
        compute=position_costs,
        chart=position_costs_chart,
        table="lines",
        columns={"line": "Model, tokens", "position": "Tokens before (thousands)", "dollars": "Cost of a million ($)"},
        assumptions=(
            "DeepSeek estimated the costs from benchmarks of its service on H800, at its own rent. It drew straight "
            "lines, whose corners were read from the file of the figure; no single benchmark is shown.",
            "V3.1 has the geometry of DeepSeek-V3. Operations of attention are those of lecture 4.",
        ),
        sources=(POSITION_COSTS_SOURCE, "deepseek-pricing-2025-09", "llm-prices", DAY),
    ),
)
