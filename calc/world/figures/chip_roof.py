"""The roof of one chip as it was measured: operations a second against operations for each byte."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE, all_times, chip_times
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.quantities.units import plain, show
from calc.step.product import ridge_intensity, roofline_flops
from calc.world.chip import CHIP, FEW, Timing, attentions, bandwidth, fastest, products, rate
from calc.world.training import middle

FORMATS = {"bf16": "BF16", "fp8": "FP8"}
KINDS = ("a matrix, BF16", "a matrix, FP8", "attention, BF16")
COLOURS = (look.WEIGHTS, look.FREE[0], look.CACHE)
MANY = 2048
"""Tokens from which a product of these matrices is one of arithmetic alone."""
LARGE = 2e8  # bytes of a matrix
LINE = np.geomspace(0.5, 1e4, 80)


def roof() -> Answer:
    """Every timed product and attention: operations a second against operations a byte, under the published roof."""
    chip, dots = catalog.chip(CHIP), [*products(), *attentions()]
    read = fastest(row for row in chip_times("memory") if row.name == "read")
    memory = bandwidth(CHIP)
    reached = read.bytes / read.seconds / memory
    many = {
        form: [each.arithmetic_share for each in products() if each.row.tokens >= MANY and each.row.format == form]
        for form in FORMATS
    }
    reached_many = [share for shares in many.values() for share in shares]
    best = {form: max(each.arithmetic_share for each in products() if each.row.format == form) for form in FORMATS}
    few = [each for each in products() if each.row.tokens <= FEW]
    attended = max(each.memory_share for each in attentions())
    large = [each for each in few if each.bytes > LARGE]
    return Answer(
        finding=(
            f"No kernel passes the published roof: reading reaches {show(reached, '%', 2)} of it, multiplying "
            f"{show(best['bf16'], '%', 2)}"
        ),
        description=(
            f"Scatter plot, both axes logarithmic: operations a second against operations for each byte moved, for "
            f"{plain(len(dots), 9)} timed kernels on one {chip.name}, and the published roofs in BF16 and FP8. Left of "
            f"the ridges dots follow the sloping roof a little below it; right of them matrices level off at "
            f"{show(best['bf16'], '%', 2)} of the published rate in BF16 and {show(best['fp8'], '%', 2)} in FP8. "
            f"Attention stays left of the ridge at every batch, at up to {show(attended, '%', 2)} of the bandwidth."
        ),
        tables={
            "dots": {
                "kind": [_kind(each) for each in dots],
                "matrix": [f"{catalog.model(each.row.model).name}, {_called(each)}" for each in dots],
                "tokens": [each.row.tokens for each in dots],
                "context": [each.row.context for each in dots],
                "microseconds": [1e6 * each.row.seconds for each in dots],
                "intensity": [each.intensity for each in dots],
                "rate": [each.flops / each.row.seconds for each in dots],
                "tera": [each.flops / each.row.seconds / 1e12 for each in dots],
                "over": [each.over_bound for each in dots],
            },
            "roofs": {
                "format": [label for label in FORMATS.values() for _ in LINE],
                "intensity": [float(each) for _ in FORMATS for each in LINE],
                "rate": [
                    float(roofline_flops(each, rate(CHIP, form), bandwidth(CHIP))) for form in FORMATS for each in LINE
                ],
            },
            "names": {
                "intensity": [float(ridge_intensity(rate(CHIP, form), memory)) for form in FORMATS],
                "rate": [rate(CHIP, form) for form in FORMATS],
                "label": [f"{label}, as published" for label in FORMATS.values()],
            },
        },
        values={
            "timings": Value(sum(row.seconds > 0 and row.chip == CHIP for row in all_times()), "", "Timings", 9),
            "kernels": Value(len(dots), "", "Kernels in the figure", 9),
            "read": Value(reached, "%", "Reading: most of the published bandwidth", 2),
            "read_rate": Value(read.bytes / read.seconds, "B/s", "Reading: bytes a second"),
            "best_bf16": Value(best["bf16"], "%", "BF16: most of the published arithmetic", 2),
            "best_fp8": Value(best["fp8"], "%", "FP8: most of the published arithmetic", 2),
            "low_many": Value(min(reached_many), "%", "Large products: least", 2),
            "middle_many": Value(middle(reached_many), "%", "Large products, by the middle", 2),
            "few_low": Value(min(each.memory_share for each in few), "%", "Few tokens: least of the bandwidth", 2),
            "large_low": Value(min(each.memory_share for each in large), "%", "Large matrices: least", 2),
            "large_high": Value(max(each.memory_share for each in large), "%", "Large matrices: most", 2),
            "large": Value(LARGE, "B", "Large matrices, from", 1),
            "many": Value(MANY, "tokens", "Large products, from", 9),
            "middle_bf16": Value(middle(many["bf16"]), "%", "of them in BF16", 2),
            "middle_fp8": Value(middle(many["fp8"]), "%", "of them in FP8", 2),
            "attention_low": Value(min(each.memory_share for each in attentions()), "%", "Attention: least", 1),
            "attention_high": Value(attended, "%", "Attention: most", 2),
            "least_over": Value(min(each.over_bound for each in dots), "x", "Over the bound, the least"),
            "ridge": Value(ridge_intensity(rate(CHIP, "bf16"), memory), "", "Ridge in BF16"),
        },
    )


def _kind(each: Timing) -> str:
    return KINDS[2] if each.row.part == "attention" else KINDS[[*FORMATS].index(each.row.format)]


def _called(each: Timing) -> str:
    return "attention" if each.row.part == "attention" else each.row.name


def roof_chart() -> Any:
    """The two published roofs, and every kernel as a dot under them."""
    import altair as alt

    x = alt.X("intensity:Q", title="Operations for each byte").scale(type="log", domain=[0.5, 1e4], nice=False)
    y = alt.Y("rate:Q", title="Operations a second").scale(type="log", domain=[1e11, 3e15], nice=False)
    x = x.axis(values=[1, 10, 100, 1000, 10000], format="~s")
    y = y.axis(values=[1e12, 1e13, 1e14, 1e15], labelExpr="format(datum.value / 1e12, ',') + ' TFLOP/s'")
    roofs = (
        alt.Chart(alt.NamedData("roofs")).mark_line(color=look.INK, strokeWidth=1.5).encode(x=x, y=y, detail="format:N")
    )
    dots = (
        alt.Chart(alt.NamedData("dots"))
        .mark_point(size=26, filled=True, opacity=0.7)
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", title=None).scale(domain=list(KINDS), range=list(COLOURS)),
            shape=alt.Shape("kind:N", title=None).scale(**look.shapes(*KINDS)),
        )
    )
    names = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="label:N")
    words: dict[str, Any] = {"align": "right", "dx": -8, "dy": -2, "fontSize": 12}
    return roofs + dots + names.mark_text(**words, **HALO) + names.mark_text(**words, color=look.INK)


FIGURES = (
    Figure(
        name="world/chip-roof",
        foremost=4,
        compute=roof,
        chart=roof_chart,
        table="dots",
        columns={
            "kind": "Kernel",
            "matrix": "Of",
            "tokens": "Tokens",
            "context": "Context",
            "microseconds": "Time (µs)",
            "intensity": "Operations a byte",
            "tera": "TFLOP/s",
            "over": "Over the bound (×)",
        },
        assumptions=(
            "Matrices lie whole on the chip. Each use of a matrix finds it in memory, not in the chip's cache.",
            "Kernels in a recorded graph, the middle of its replays, with random numbers, at clocks that the card set.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
