"""Lecture 7 in pictures: what rounding does to the way back, by depth."""

from __future__ import annotations

from typing import Any

from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import POWERS
from calc.figure.line_names import ends, labelled_lines
from calc.quantities.units import show
from calc.reversible.figures.setting import ROUNDED, STEP, STEPS, STRENGTH, YOURS
from calc.reversible.figures.shared import DEPTHS, DRAWN, errors


def rounding(*, step: str, strength: str) -> Answer:
    """The error of a state after the way there and back, against depth."""
    found = errors(step, strength)
    half, mixed, single, double = (found[dtype] for dtype in ROUNDED)
    grown = single[-1] / single[0]
    curve = {"layers": list(DEPTHS)} | {dtype: list(found[dtype]) for dtype in ROUNDED}
    ending = "nothing is left" if half[-1] >= 1 else f"the error is {show(half[-1], digits=2)}"
    return Answer(
        finding=(
            f"In 32 bits the error grows {show(grown, 'x')} from {DEPTHS[0]} to {DEPTHS[-1]} layers, to "
            f"{show(single[-1], digits=2)}; in 16 bits {ending} there"
        ),
        description=(
            f"Line chart, both axes logarithmic: largest error of a reconstructed state, over its largest number, "
            f"against depth from {DEPTHS[0]} to {DEPTHS[-1]} layers, steps {STEPS[step]}. It goes "
            f"{', '.join(_ends(name, found[dtype]) for dtype, name in ROUNDED.items())}."
        ),
        tables={"curve": curve, "ends": ends(curve, "layers", ROUNDED)},
        values={
            "half": Value(half[-1], "", "Error in 16 bits, deepest", 2),
            "mixed": Value(mixed[-1], "", "With states in 32 bits", 2),
            "single": Value(single[-1], "", "Error in 32 bits, deepest", 2),
            "double": Value(double[-1], "", "Error in 64 bits, deepest", 2),
            "grown": Value(grown, "x", "Growth in 32 bits"),
        },
    )


def _ends(name: str, error: tuple[float, ...]) -> str:
    return f"in {name} from {show(error[0], digits=2)} to {show(error[-1], digits=2)}"


def rounding_chart() -> Any:
    """A line a format, orders of magnitude apart, named at their ends."""
    import altair as alt

    x = alt.X("layers:Q", title="Depth (layers)").scale(type="log", base=2, nice=False).axis(values=list(DEPTHS))
    y = alt.Y("error:Q", title="Error of the start, over its largest number").scale(type="log")
    y = y.axis(**POWERS)
    return labelled_lines(alt, ROUNDED, x, y, point=True)


ROUNDING = Figure(
    name="reversible/rounding",
    inputs=(STEP, STRENGTH),
    compute=rounding,
    chart=rounding_chart,
    table="curve",
    columns={"layers": "Depth (layers)", **{dtype: f"Error in {name}" for dtype, name in ROUNDED.items()}},
    assumptions=(
        DRAWN,
        YOURS,
        "Largest error of any number of four random inputs.",
        "16 bits are bfloat16: every result is rounded to it. With states in 32, only the function is.",
    ),
    sources=("revnet-paper",),
    measures_rounding=True,
)


FIGURES = (ROUNDING,)
