"""Rows of stages that decoded, as their owners reported them, and the bound that they are held against."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value

DEEP = 8  # GPUs of the row that gained nothing


def measured() -> Answer:
    """A sequence on one GPU and on two in a row; stages against slices; a row whose chips idle."""
    seen = {
        "one": ("alone-one-gpu", "s", "A run on one GPU"),
        "two": ("alone-two-stages", "s", "on two in a row"),
        "sooner": ("slices-over-stages-latency", "x", "Slices sooner than stages"),
        "more": ("stages-over-slices-throughput", "x", "Stages more than slices"),
        "flat_rate": ("idle-one-gpu", "tokens/s", "Decoded on one GPU"),
        "deep_rate": ("idle-eight-stages", "tokens/s", "on a row"),
    }
    chips = catalog.system("hgx-h200").chips
    return Answer(
        finding="What rows of stages did",
        values={name: Value(catalog.datum(row).value, unit, label) for name, (row, unit, label) in seen.items()}
        | {
            "chips": Value(chips, "", "Chips cut both ways"),
            "bound": Value(chips, "x", "Slices sooner than stages, at most"),
            "deep": Value(DEEP, "", "GPUs in a row"),
        },
    )


FIGURES = (
    Figure(
        name="pipelining/rows",
        compute=measured,
        sources=("nvidia-stages-reported", "tensorrt-llm-1102", "vllm-11500"),
    ),
)
