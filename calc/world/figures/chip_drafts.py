"""Checking several tokens of a sequence in one step: how much longer its kernels take."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.chip import bandwidth, rate
from calc.world.chip_drafts import CHIP, Checked, checked

FORM, SOME, MANY, TOKENS = "bf16", 32, 128, 4


def drafts() -> Answer:
    """The matrices of a step over the tokens that each sequence gains, for few sequences and many."""
    every = [each for each in checked("products") if each.row.format == FORM]
    counts = sorted({each.row.count for each in every})
    some, many = (_of("products", sequences) for sequences in (SOME, MANY))
    first = every[0].row
    ridge = rate(CHIP, FORM) / bandwidth(CHIP)
    whole = [_of("whole", sequences).times for sequences in (8, SOME, MANY)]
    apart = [each.times for each in checked("attention") if each.row.count > 1 and each.row.tokens >= SOME]
    return Answer(
        finding=(
            f"Matrices check {TOKENS} tokens of each of {SOME} sequences in {show(some.times, 'x')} the time of one, "
            f"of {MANY} in {show(many.times, 'x', 2)}"
        ),
        description=(
            f"Line chart: time of all matrices of a step of {catalog.model(first.model).name} in BF16 on one "
            f"{catalog.chip(CHIP).name}, over the same with one token of each sequence, for {counts[0]} to "
            f"{counts[-1]} tokens and {every[0].row.tokens} to {every[-1].row.tokens} sequences of "
            f"{plain(first.context, 9)} tokens. With few sequences the lines stay near one; with {MANY} the step "
            f"passes {show(ridge, '', 3)} tokens, the balance of this chip, and its time grows with them."
        ),
        tables={
            "lines": {
                "kind": [_named(each) for each in every],
                "count": [each.row.count for each in every],
                "times": [each.times for each in every],
                "milliseconds": [1e3 * each.row.seconds for each in every],
                "tokens": [each.row.count * each.row.tokens for each in every],
            }
        },
        values={
            "some_times": Value(some.times, "x", "Some: matrices, as long"),
            "many_times": Value(many.times, "x", "Many: matrices, as long", 2),
            "some": Value(SOME, "sequences", "Some sequences"),
            "many": Value(MANY, "sequences", "Many sequences"),
            "tokens": Value(TOKENS, "tokens", "Checked at once"),
            "many_tokens": Value(MANY * TOKENS, "tokens", "Many: tokens of the step", 9),
            "ridge": Value(ridge, "tokens", "Balance of the chip"),
            "whole_few": Value(whole[0], "x", "8 sequences: whole step, as long", 2),
            "whole_some": Value(whole[1], "x", "Some: whole step, as long", 2),
            "whole_many": Value(whole[2], "x", "Many: whole step, as long", 2),
            "attention_low": Value(min(apart), "x", "Attention that reads anew: as long, the least", 2),
            "attention_high": Value(max(apart), "x", "the most", 2),
        },
    )


def _of(name: str, sequences: int) -> Checked:
    (found,) = [
        each
        for each in checked(name)
        if (each.row.format, each.row.tokens, each.row.count) == (FORM, sequences, TOKENS)
    ]
    return found


def _named(each: Checked) -> str:
    return "1 sequence" if each.row.tokens == 1 else f"{each.row.tokens} sequences"


def drafts_chart() -> Any:
    """A line for each number of sequences."""
    import altair as alt

    names = list(dict.fromkeys(_named(each) for each in checked("products")))
    colours = (look.MUTED, look.FREE[1], look.WEIGHTS, look.FREE[0])
    legend = alt.Legend(symbolType="stroke")
    x = alt.X("count:Q", title="Tokens of each sequence in the step").scale(domain=[0.8, 8.2], nice=False)
    x = x.axis(values=[1, 2, 4, 8], format="d")
    y = alt.Y("times:Q", title="Time of its matrices, over one token's").scale(domain=[0, 6], nice=False)
    return (
        alt.Chart(alt.NamedData("lines"))
        .mark_line(point={"size": 50, "filled": True})
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", title=None, sort=names, legend=legend).scale(domain=names, range=list(colours)),
            strokeDash=alt.StrokeDash("kind:N", title=None, sort=names, legend=legend).scale(**look.dashes(*names)),
        )
    )


FIGURES = (
    Figure(
        name="world/chip-drafts",
        foremost=4,
        compute=drafts,
        chart=drafts_chart,
        table="lines",
        columns={
            "kind": "Step of",
            "count": "Tokens of each",
            "tokens": "Tokens in all",
            "milliseconds": "Matrices (ms)",
            "times": "Over one token's (×)",
        },
        assumptions=("All matrices of a step in BF16, and the head for every checked token; attention is left out.",),
        sources=(CHIP_SOURCE,),
    ),
)
