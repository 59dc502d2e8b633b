"""The roofline of one processor, timed with NumPy, beside the same product on one H100."""

from __future__ import annotations

from typing import Any

from calc.catalog.chip_times import CHIP_SOURCE
from calc.catalog.own_times import OWN_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.chip import Crossing, crossings
from calc.world.own_machine import OwnMachine, recorded
from calc.world.training import middle

FOUR, EIGHT, CHIP, SUM = "processor, 4 bytes", "processor, 8 bytes", "H100, 2 bytes", "if nothing overlaps"
PAIR, FEW, SOME, MANY = 2, 8, 16, 256


def own() -> Answer:
    """Both sizes of a number on the processor, and the H100's product with a matrix of as many rows."""
    four, eight, chip = recorded(4), recorded(8), of_h100()
    lines = {FOUR: _line(four), EIGHT: _line(eight), CHIP: _line([chip])}
    most = max(over for _, _, over in lines[FOUR])
    rates = sorted(run.bandwidth for run in four)
    reach = [2.0**power for power in range(-4, 6)]
    drawn: list[tuple[str, int | None, float, float]] = [
        (name, *point) for name, points in lines.items() for point in points
    ]
    drawn += [(SUM, None, at, 1 + min(at, 1 / at)) for at in reach]
    near = [(name, each) for name, each in zip(("processor", "H100"), (four, [chip]), strict=True)]
    highest = max(over for _, _, over in lines[CHIP])
    beside = {name: middle([run.over(run.nearest) for run in runs]) for name, runs in near}
    return Answer(
        finding=(
            f"Near balance this processor takes {show(beside['processor'], 'x', 2)} the longer of reading and "
            f"multiplying, an H100 {show(beside['H100'], 'x', 2)}"
        ),
        description=(
            f"Line chart, logarithmic in columns over those that balance, from a thirty-second to thirty-two: the time "
            f"of a product over the longer of reading its matrix and multiplying. On the processor it rises to "
            f"{show(most, 'x', 2)} and falls back to one; on the H100 it is at most {show(highest, 'x', 2)}. A thin "
            f"line, at most two, is where both would lie if nothing overlapped."
        ),
        tables={
            "lines": {
                "kind": [name for name, *_ in drawn],
                "columns": [columns for _, columns, _, _ in drawn],
                "at": [at for _, _, at, _ in drawn],
                "over": [over for *_, over in drawn],
            },
            "timed": {
                "columns": list(four[0].seconds),
                "four": [1e3 * _seconds(four, columns) for columns in four[0].seconds],
                "eight": [1e3 * _seconds(eight, columns) for columns in four[0].seconds],
                "over": [middle([run.over(columns) for run in four]) for columns in four[0].seconds],
                "over_sum": [middle([run.over_sum(columns) for run in four]) for columns in four[0].seconds],
            },
        },
        values={
            "reads": Value(middle([run.bandwidth for run in four]), "B/s", "Reads, at most", 2),
            "multiplies": Value(middle([run.flops for run in four]), "FLOP/s", "Multiplies, at most"),
            "ridge": Value(middle([run.flops / run.bandwidth for run in four]), "FLOP/B", "Ridge", 2),
            "balanced": Value(_balanced(four), "columns", "Columns that balance", 2),
            "balanced_eight": Value(_balanced(eight), "columns", "with numbers of eight bytes", 2),
            "few": Value(FEW, "", "A few columns"),
            "few_times": Value(_times(four, FEW), "x", "as long as one", 2),
            "few_over": Value(middle([run.over(FEW) for run in four]), "x", "over the longer", 2),
            "few_sum": Value(middle([run.over_sum(FEW) for run in four]), "x", "over the sum", 2),
            "pair_times": Value(_times(four, PAIR), "x", "Two columns, over one", 2),
            "pair_sum": Value(middle([run.over_sum(PAIR) for run in four]), "x", "over the sum", 2),
            "many": Value(MANY, "", "Many"),
            "many_over": Value(middle([run.over(MANY) for run in four]), "x", "over the longer", 3),
            "share": Value(_times(four, MANY) / MANY, "%", "Of a lone column's time, each", 2),
            "some": Value(SOME, "", "Sixteen columns"),
            "some_share": Value(_times(four, SOME) / SOME, "%", "Of a lone column's time, each", 2),
            "chip": Value(beside["H100"], "x", "H100 near balance, over the longer", 2),
            "chip_columns": Value(chip.nearest, "", "Columns, then"),
            "chip_sum": Value(chip.over_sum(chip.nearest), "x", "over the sum", 2),
            "chip_balanced": Value(chip.balanced, "columns", "Columns that balance on it", 2),
            "runs": Value(len(four), "", "Runs"),
            "runs_eight": Value(len(eight), "", "with numbers of eight bytes"),
            "apart": Value(rates[-1] / rates[0] - 1, "%", "Reading, fastest run over slowest: more", 2),
            "near": Value(rates[-2] / rates[0] - 1, "%", "without the fastest", 2),
            "slowest": Value(
                max(
                    run.over(columns) / middle([each.over(columns) for each in four])
                    for run in four
                    for columns in run.seconds
                ),
                "x",
                "The worst time, over the middle of runs",
                2,
            ),
        },
    )


def of_h100() -> OwnMachine:
    """The product with Llama 3 8B's output projection, which has as many rows and columns as the processor's matrix."""
    size = recorded()[0].size
    (found,) = (each for each in crossings() if _is_square(each, size))
    seconds = {timing.row.tokens: timing.row.seconds for timing in found.timings}
    return OwnMachine(size, 2, seconds)


def _is_square(each: Crossing, size: int) -> bool:
    weights = each.timings[0].flops / (2 * each.timings[0].row.tokens)
    return each.form == "bf16" and weights == size**2


def _line(runs: list[OwnMachine] | tuple[OwnMachine, ...]) -> list[tuple[int, float, float]]:
    """Columns, columns over those that balance, and time over the longer: the middle of runs."""
    return [
        (
            columns,
            middle([columns / run.balanced for run in runs]),
            middle([run.over(columns) for run in runs]),
        )
        for columns in runs[0].seconds
        if 1 / 32 < columns / runs[0].balanced < 64
    ]


def _seconds(runs: tuple[OwnMachine, ...], columns: int) -> float:
    return middle([run.seconds[columns] for run in runs])


def _times(runs: tuple[OwnMachine, ...], columns: int) -> float:
    """As long with so many columns as with one."""
    return middle([run.seconds[columns] / run.seconds[1] for run in runs])


def _balanced(runs: tuple[OwnMachine, ...]) -> float:
    return middle([run.balanced for run in runs])


def own_chart() -> Any:
    """Three lines with dots, and a thin one for the sum."""
    import altair as alt

    names = (FOUR, EIGHT, CHIP, SUM)
    colours = (look.FREE[0], look.FREE[1], look.INK, look.MUTED)
    legend = alt.Legend(symbolType="stroke", symbolOpacity=1, symbolStrokeWidth=2.5, columns=2)
    x = alt.X("at:Q", title="Columns, over those that balance").scale(
        type="log", base=2, domain=[1 / 32, 64], nice=False
    )
    x = x.axis(
        values=[1 / 16, 1 / 4, 1, 4, 16, 64], labelExpr="datum.value < 1 ? '1/' + (1 / datum.value) : datum.value"
    )
    y = alt.Y("over:Q", title="Time, over the longer of the two").scale(domain=[0, 3], nice=False)
    base = alt.Chart(alt.NamedData("lines")).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None, legend=legend).scale(domain=list(names), range=list(colours)),
        strokeDash=alt.StrokeDash("kind:N", title=None, legend=legend).scale(**look.dashes(*names)),
    )
    dots = base.transform_filter(f"datum.kind != '{SUM}'").mark_point(filled=True, size=36, opacity=1)
    return base.mark_line() + dots


FIGURES = (
    Figure(
        name="world/own",
        foremost=5,
        compute=own,
        chart=own_chart,
        table="timed",
        columns={
            "columns": "Columns",
            "four": "4 bytes (ms)",
            "eight": "8 bytes (ms)",
            "over": "4 bytes, over the longer (×)",
            "over_sum": "over the sum (×)",
        },
        assumptions=(
            "Reading takes as long as the shortest product; multiplying is at the best rate of any. So no line falls "
            "below one, and what lies above is the test.",
            "Each number is the middle of the runs.",
        ),
        sources=(OWN_SOURCE, CHIP_SOURCE),
    ),
)
