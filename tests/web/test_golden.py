"""The HTML of a figure, whole, beside the one that was last looked at and found good.

After a change that is meant, write it anew: `python -m tests.web.test_golden`.
"""

from __future__ import annotations

from pathlib import Path

from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Choice, Number
from web import figure_html

GOLDEN = Path(__file__).parent / "golden" / "figure.html"

FIGURE = Figure(
    name="batching/example",
    inputs=(
        Choice(
            name="precision", label="Precision", default="fp8", options={"fp8": "FP8", "bf16": "BF16"}, help="Stored."
        ),
        Number(name="batch", label="Batch", default=2048, low=1, high=1e6, unit="sequences", log=True, whole=True),
        Number(name="share", label="Share", default=0.5, low=0, high=1, help="Of the <whole>."),
    ),
    compute=lambda precision, batch, share: Answer(
        finding=f"Half of {batch:g} & more",
        description="Two numbers.",
        tables={"rows": {"n": [1, 2], "half": [0.5, float("inf")]}},
        values={"half": Value(batch * share, "sequences", "Half")},
        notes=["A note with a “quotation”."],
    ),
    table="rows",
    columns={"n": "Number", "half": "Its half"},
    assumptions=("Nothing is < 0.",),
    sources=("lecture",),
)


def rendered() -> str:
    """The example as a page would carry it."""
    return figure_html.render(FIGURE, FIGURE.answer(), "Figure 1.1", [("few", "batch=1")]) + "\n"


def test_a_figure_is_rendered_as_it_was_found_good():
    assert rendered() == GOLDEN.read_text(encoding="utf-8")


if __name__ == "__main__":
    GOLDEN.write_text(rendered(), encoding="utf-8")
