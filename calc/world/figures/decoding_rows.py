"""Rows of stages that decoded, and rows that read prompts, beside equation (1) of lecture 3."""

from __future__ import annotations

from typing import Any

from calc.catalog.decoding_rows import DECODING_ROWS_SOURCE, PROMPT_ROWS_SOURCE, decoding_rows, prompt_rows
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.decoding_rows import ONE_STAGE, filled, full, of_load, of_the_most, unwaited_over, wider_gains
from calc.world.figures.both_ends import both_ends

LOADS = [1, 8, 32, 64, 128]
FEW, MANY = 8, 128
MOST = 32  # prompts at once, the most that all ways were given
NAMES = {2: "two stages of four chips", 4: "four of two", 8: "eight of one"}
WAYS = {"stages": "Sixteen stages", "both": "Eight stages of two", "experts": "Experts spread", "slices": "Slices"}


def decoded() -> Answer:
    """Tokens a second by the authors' count and (1), over those measured, against requests at once."""
    rows = decoding_rows()
    whole = [row.counted_over for row in rows if full(row)]
    alone = of_load(1)
    one = [row.counted_over for row in alone]
    return Answer(
        finding=(
            f"For one request a count with (1) was {show(min(one), 'x', 2)} to {show(max(one), 'x', 3)} of what a row "
            f"decoded, and for a full row up to {show(max(whole), 'x', 3)}"
        ),
        description=(
            f"Line chart: tokens a second by count over those measured, against requests at once, for eight chips as "
            f"two, four and eight stages. At one request the lines lie between {show(min(one), 'x', 2)} and "
            f"{show(max(one), 'x', 3)}. For full rows they rise to {show(max(whole), 'x', 3)} at {MANY} requests; the "
            f"line of two stages is the highest there."
        ),
        tables={
            "runs": {
                "row": [NAMES[row.stages] for row in rows],
                "load": [row.load for row in rows],
                "over": [row.counted_over for row in rows],
                "slices": [100 * row.over_slices for row in rows],
                "fill": [100 * filled(row.stages, row.load) for row in rows],
            },
            "level": {"load": [LOADS[0], LOADS[-1]], "over": [1.0, 1.0]},
        },
        values={
            **both_ends("one", one, "Count over measured, one request", "x", 3),
            **both_ends("unwaited", [unwaited_over(row) for row in alone], "if stages did not wait", "x", 3),
            **both_ends("full", whole, "Count over measured, full rows", "x", 3),
            **both_ends("few", [row.counted_over for row in of_load(FEW)], f"{FEW} requests", "x", 3),
            **both_ends("many", [row.counted_over for row in of_load(MANY)], f"{MANY} requests", "x", 3),
            **both_ends("base", ONE_STAGE, "Count over measured, one stage", "x", 3),
            **both_ends("over_many", [row.over_slices for row in of_load(MANY)], f"with {MANY} requests"),
            **{
                f"over_{row.stages}": Value(row.over_slices, "%", f"One request, {NAMES[row.stages]}: over slices", 2)
                for row in alone
            },
            **both_ends("wider", wider_gains(), "One request, twice the chips in a stage: sooner", "x", 3),
        },
    )


def decoded_chart() -> Any:
    """A line for each row, and a level where count and measurement agree."""
    import altair as alt

    x = alt.X("load:Q", title="Requests at once").scale(type="log", base=2, nice=False).axis(values=LOADS)
    y = alt.Y("over:Q", title="Counted over measured tokens a second").scale(domain=[0, 3], nice=False)
    names = list(NAMES.values())
    colour = alt.Color("row:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("row:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    level = alt.Chart(alt.NamedData("level")).mark_line(color=look.MUTED, strokeDash=[2, 3]).encode(x=x, y=y)
    runs = alt.Chart(alt.NamedData("runs"))
    lines = runs.mark_line(strokeWidth=1.2, opacity=0.6).encode(x=x, y=y, color=colour)
    return level + lines + runs.mark_point(size=60, filled=True).encode(x=x, y=y, color=colour, shape=shape)


def prompts() -> Answer:
    """Tokens of prompts that a chip read in a second, by how the chips were divided."""
    rows = prompt_rows()
    at = {way: rows[way, MOST].rate for way in WAYS}
    few = {way: rows[way, 4] for way in ("stages", "both", "experts")}
    values = {
        f"{way}_{load}": Value(row.rate, "tokens/s", f"{WAYS[way]}, {load} prompts", 4)
        for (way, load), row in rows.items()
    }
    return Answer(
        finding="With many prompts at once a row of stages read the most, inside one rack",
        values={
            **values,
            "chips": Value(few["both"].stages * few["both"].slices, "chips", "of one rack"),
            "many": Value(MOST, "prompts", "Prompts at once in all four ways"),
            "over_experts": Value(at["stages"] / at["experts"], "x", f"{MOST} prompts: stages over spread experts"),
            "over_slices": Value(at["stages"] / at["slices"], "x", f"{MOST} prompts: stages over slices"),
            "few_over": Value(few["experts"].rate / few["stages"].rate, "x", "4 prompts: spread experts over stages"),
            "filled_16": Value(filled(16, 4), "%", "Sixteen stages, 4 prompts: by (1)", 2),
            "read_16": Value(of_the_most(few["stages"]), "%", "as measured", 2),
            "filled_8": Value(filled(8, 4), "%", "Eight stages, 4 prompts: by (1)", 2),
            "read_8": Value(of_the_most(few["both"]), "%", "as measured", 2),
        },
    )


FIGURES = (
    Figure(
        name="world/decoding-rows",
        foremost=4,
        compute=decoded,
        chart=decoded_chart,
        table="runs",
        columns={
            "row": "Row",
            "load": "Requests at once",
            "fill": "Computes, by (1) (%)",
            "over": "Counted over measured (×)",
            "slices": "Tokens over those of slices (%)",
        },
        assumptions=(
            "The count is the authors': kernels that were timed apart on the same chips and engine, the slowest "
            "stage, and for one request the waits of (1).",
        ),
        sources=(DECODING_ROWS_SOURCE,),
    ),
    Figure(name="world/prompt-rows", compute=prompts, sources=(PROMPT_ROWS_SOURCE,)),
)
