"""Half a rack and one with loads that are not even, with starts as timed on each, and with experts in four bits."""

from __future__ import annotations

from dataclasses import replace

from calc.figure import registry
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Precisions


def uneven() -> Answer:
    """Tokens of a chip from which half a rack writes as much, and the speed of a user there, as counted.

    Experts of one rack lie on so many chips that these get more than a chip sends. Favourites load one chip of either
    plan; there the plans' lines meet sooner.
    """
    spans, sizes, worked, overlap, throws = (
        {name: value.number for name, value in registry.find(f"moe/{slug}").answer().values.items()}
        for slug in ("spans", "sizes", "worked", "overlap", "throws")
    )
    ours, reads, multiplied, passed = worked["tokens"], sizes["half_experts"], spans["multiplied"], spans["passed"]
    sent = worked["step_inside"] / ours
    own = (sizes["other"] - overlap["copied_others"]) / ours + sent

    def speed(tokens: float, step: float = sizes["half_step"], more: float = 0.0) -> float:
        return 1 / (step + (tokens - ours) * own + more * tokens)

    busier = worked["chips"] / worked["used"]
    placed = reads / (busier * multiplied + (busier - 1) * sent - passed)
    even, filled = (reads / (throws[key] * (multiplied - passed)) for key in ("counted", "counted_filled"))
    fuller = (worked["received"] / worked["sends"] - 1) * ours * (sent + passed)
    sooner = sizes["half_step"] - sizes["starts"] * (1 - spans["few_start"] / spans["slow"])
    four = replace(Precisions.named("nvfp4"), block_scales=True).weight_bytes("experts")  # beside one byte in FP8
    half_four = sizes["half_step"] - (1 - four) * reads
    return Answer(
        finding="Half a rack and one by other counts",
        values={
            "placed_even": Value(placed, "tokens", "One rack's experts on fewer chips: as much from", 2),
            "placed_speed": Value(speed(placed), "tokens/s", "A user has then", 2),
            "placed_less": Value(1 - (sizes["one_step"] + fuller) / sooner, "%", "Less, each with its starts", 2),
            "counted_even": Value(even, "tokens", "Loads as counted: as much from", 3),
            "counted_speed": Value(
                speed(even, more=(throws["counted"] - 1) * (sent + passed)), "tokens/s", "A user has then", 2
            ),
            "filled_even": Value(filled, "tokens", "With redundant experts: as much from", 3),
            "four_speed": Value(1 / half_four, "tokens/s", "A user of half a rack, experts in four bits", 3),
            "four_even": Value(speed(spans["even_four"], half_four), "tokens/s", "A user has, both alike", 2),
        },
    )


FIGURES = (
    Figure(name="moe/uneven", compute=uneven, sources=("deepseek-v3-config", "aiconfigurator", "tensorrt-llm-eplb")),
)
