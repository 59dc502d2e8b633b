"""Lecture 7 in pictures: what rounding does to the way back, by depth."""

from __future__ import annotations

from typing import Any

from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import POWERS, ends, labelled_lines
from calc.quantities.units import show
from calc.reversible.figures.setting import FORMATS, STEP, STEPS, STRENGTH, YOURS
from calc.reversible.figures.shared import DEPTHS, DRAWN, errors


def rounding(*, step: str, strength: str) -> Answer:
    """The error of a state after the way there and back, against depth."""
    found = errors(step, strength)
    single, double = found["float32"], found["float64"]
    grown = single[-1] / single[0]
    curve = {"layers": list(DEPTHS)} | {dtype: list(found[dtype]) for dtype in FORMATS}
    return Answer(
        finding=(
            f"In 32 bits the error grows {show(grown, 'x')} from {DEPTHS[0]} to {DEPTHS[-1]} layers, to "
            f"{show(single[-1], digits=2)}; in 64 bits it ends at {show(double[-1], digits=2)}"
        ),
        description=(
            f"Line chart, both axes logarithmic: largest error of a reconstructed state, over its largest number, "
            f"against depth from {DEPTHS[0]} to {DEPTHS[-1]} layers, steps {STEPS[step]}. In 32 bits it goes from "
            f"{show(single[0], digits=2)} to {show(single[-1], digits=2)}, in 64 bits from "
            f"{show(double[0], digits=2)} to {show(double[-1], digits=2)}."
        ),
        tables={"curve": curve, "ends": ends(curve, "layers", FORMATS)},
        values={
            "single": Value(single[-1], "", "Error in 32 bits, deepest", 2),
            "double": Value(double[-1], "", "Error in 64 bits, deepest", 2),
            "grown": Value(grown, "x", "Growth in 32 bits"),
        },
    )


def rounding_chart() -> Any:
    """Two lines, some nine orders of magnitude apart, named at their ends."""
    import altair as alt

    x = alt.X("layers:Q", title="Depth (layers)").scale(type="log", base=2, nice=False).axis(values=list(DEPTHS))
    y = alt.Y("error:Q", title="Error of the start").scale(type="log")
    y = y.axis(**POWERS)
    return labelled_lines(alt, FORMATS, x, y, point=True)


ROUNDING = Figure(
    name="reversible/rounding",
    inputs=(STEP, STRENGTH),
    compute=rounding,
    chart=rounding_chart,
    table="curve",
    columns={"layers": "Depth (layers)", "float32": "Error in 32 bits", "float64": "Error in 64 bits"},
    assumptions=(DRAWN, YOURS, "Largest error of any number of four drawn inputs."),
    sources=("revnet-paper",),
    measures_rounding=True,
)


FIGURES = (ROUNDING,)
