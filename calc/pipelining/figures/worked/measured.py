"""Rows of stages that decoded, as their owners reported them, and the bound that they are held against."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value


def measured() -> Answer:
    """A sequence on one GPU and on two in a row; stages against slices."""
    seen = {
        "one": ("alone-one-gpu", "s", "A run on one GPU"),
        "two": ("alone-two-stages", "s", "on two in a row"),
        "sooner": ("slices-over-stages-latency", "x", "Slices sooner than stages"),
        "more": ("stages-over-slices-throughput", "x", "Stages more than slices"),
        "balanced": ("balanced-micro-batches", "x", "Output with a limit for each micro-batch, over that without"),
        "ahead": ("scheduled-ahead", "x", "Output with micro-batches prepared ahead, over that without"),
        "guessed": ("guesses-in-a-row", "x", "A lone reader in a row with guesses, over one without"),
        "files": ("k3-file-bytes", "B", "Files of Kimi K3"),
    }
    chips = catalog.system("hgx-h200").chips
    return Answer(
        finding="What rows of stages did",
        values={name: Value(catalog.datum(row).value, unit, label) for name, (row, unit, label) in seen.items()}
        | {
            "chips": Value(chips, "", "Chips cut both ways"),
            "bound": Value(chips, "x", "Slices sooner than stages, at most"),
            "files_node": Value(catalog.system("hgx-b200").chips * catalog.chip("b200-sxm").hbm_bytes, "B", "A node"),
            "wider": Value(_over("k3-alone-sixteen", "k3-alone-eight"), "x", "Sixteen chips over eight, a lone reader"),
            "readers": Value(_over("k3-reader-stages", "k3-reader-slices"), "x", "Two stages over slices, a reader"),
        },
    )


def _over(one: str, other: str) -> float:
    """A measured number over another."""
    return catalog.datum(one).value / catalog.datum(other).value


FIGURES = (
    Figure(
        name="pipelining/rows",
        compute=measured,
        sources=(
            "nvidia-stages-reported",
            "tensorrt-llm-1102",
            "vllm-57433",
            "vllm-32618",
            "vllm-50514",
            "vllm-k3-day",
            "sglang-k3-gb200",
            "inferencex-k3",
        ),
    ),
)
