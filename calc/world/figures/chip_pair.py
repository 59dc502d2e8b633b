"""The same kernels on two chips of one processor and two memories: which get shorter, and by how much."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE, TIMED_CHIPS, chip_times
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.chip import FEW, bandwidth, fastest, held, only, rate
from calc.world.training import middle
from calc.world.two_chips import FIRST, MANY, SECOND, apart, pairs, slower, turn, turned_reached

NEAR = 1e-6
KINDS = {"bf16": "a matrix, BF16", "fp8": "a matrix, FP8"}
COLOURS = (look.WEIGHTS, look.FREE[0])
BOUND = "by the bound"


def pair() -> Answer:
    """Every matrix at every batch: its time on the second chip over that on the first, and the same by the bound."""
    every, tokens = pairs("matrices"), sorted({each.row.tokens for each in pairs("matrices")})
    few = middle(each.measured for each in every if each.row.tokens <= FEW)
    many = middle(each.measured for each in every if each.row.tokens >= MANY)
    first, second = (catalog.chip(name).name for name in TIMED_CHIPS)
    turned = [each for each in every if slower() + NEAR < each.expected < 1 - NEAR]
    at = {form: middle(each.measured for each in turned if each.row.format == form) for form in KINDS}
    reads = [fastest(row for row in chip_times("memory", chip) if row.name == "read") for chip in TIMED_CHIPS]
    wide = [only("power", "product", chip, format="bf16") for chip in TIMED_CHIPS]
    again, later = apart(2), apart(3)
    return Answer(
        finding=(
            f"With a faster memory, products of few tokens take {show(few, 'x', 2)} as long and those of many "
            f"{show(many, 'x', 3)}; the bound says {show(slower(), 'x', 2)} and one"
        ),
        description=(
            f"Dot plot, logarithmic in tokens: time of a matrix's product on an {second} over its time on an {first}, "
            f"for {plain(len(every), 9)} products in BF16 and FP8, and a line of the same by the bound. Up to "
            f"{max(each.row.tokens for each in every if each.expected < slower() + NEAR)} tokens dots lie near "
            f"{show(slower(), 'x', 2)}, from {min(each.row.tokens for each in every if each.expected > 1 - NEAR)} near "
            f"one, and between them the bound turns from the one to the other."
        ),
        tables={
            "dots": {
                "kind": [KINDS[each.row.format] for each in every],
                "matrix": [f"{catalog.model(each.row.model).name}, {each.row.name}" for each in every],
                "tokens": [each.row.tokens for each in every],
                "first": [1e6 * each.first for each in every],
                "second": [1e6 * each.second for each in every],
                "measured": [each.measured for each in every],
                "expected": [each.expected for each in every],
            },
            "line": {
                "tokens": tokens,
                "expected": [middle(each.expected for each in every if each.row.tokens == count) for count in tokens],
                "label": [BOUND if count == tokens[-1] else "" for count in tokens],
            },
        },
        values={
            "expected": Value(slower(), "x", "As long, if memory is all", 2),
            "few": Value(few, "x", "Few tokens: as long", 2),
            "many": Value(many, "x", "Many tokens: as long", 3),
            "turned": Value(middle(each.row.tokens for each in turned), "tokens", "The bound turns at"),
            "kernels": Value(len(every), "", "Products in the figure", 9),
            "faster": Value(1 / slower(), "x", "Published bandwidth, over the first's"),
            "few_tokens": Value(FEW, "tokens", "Few, up to"),
            "many_tokens": Value(MANY, "tokens", "Many, from", 9),
            "turned_bf16": Value(at["bf16"], "x", "There, measured in BF16", 3),
            "turned_fp8": Value(at["fp8"], "x", "There, measured in FP8", 2),
            "turned_expected": Value(middle(each.expected for each in turned), "x", "There, by the bound", 2),
            "turned_low": Value(min(each.measured for each in turned), "x", "There, the least of a matrix", 2),
            "turned_high": Value(max(each.measured for each in turned), "x", "There, the most of a matrix", 3),
            "turned_reached": Value(middle(turned_reached(256)), "x", "There, at the rates reached", 3),
            "first_ridge": Value(rate(FIRST, "bf16") / bandwidth(FIRST), "tokens", "Balance of the first"),
            "second_ridge": Value(rate(SECOND, "bf16") / bandwidth(SECOND), "tokens", "Balance of the second"),
            "first_turn": Value(turn(FIRST), "tokens", "The same at the rates reached, the first", 2),
            "second_turn": Value(turn(SECOND), "tokens", "At the rates reached, the second", 2),
            "read": Value(reads[1].bytes / reads[1].seconds / bandwidth(SECOND), "%", "Reading: of the published", 2),
            "memory": Value(held(SECOND).memory_share, "%", "Products: share of bandwidth beyond the start", 2),
            "memory_later": Value(held(SECOND, 3).memory_share, "%", "The same in the third run", 2),
            "memory_first": Value(held().memory_share, "%", "The same on the first chip", 2),
            "sustained": Value(wide[0].seconds / wide[1].seconds, "x", "Multiplying for seconds: as fast", 2),
            "clock_first": Value(wide[0].clock / 1e9, "GHz", "Clock meanwhile, the first"),
            "clock_second": Value(wide[1].clock / 1e9, "GHz", "Clock meanwhile, the second"),
            "again": Value(_span(again), "%", "Minutes later: nine of ten within", 2),
            "again_most": Value(max(abs(each - 1) for each in again), "%", "the worst", 2),
            "later": Value(1 - middle(later), "%", "Half an hour later: the middle is shorter by", 2),
            "later_most": Value(max(abs(each - 1) for each in later), "%", "the worst", 2),
            "repeated": Value(len(again), "", "Kernels timed again", 9),
        },
    )


def _span(ratios: tuple[float, ...]) -> float:
    """Nine of ten lie so near to one."""
    off = sorted(abs(each - 1) for each in ratios)
    return off[int(0.9 * len(off))]


def pair_chart() -> Any:
    """A dot for each product, and the line of the bound."""
    import altair as alt

    names = list(KINDS.values())
    x = alt.X("tokens:Q", title="Tokens in one product").scale(type="log", base=2, domain=[0.8, 40000], nice=False)
    x = x.axis(values=[1, 4, 16, 64, 256, 1024, 4096, 16384], format=",")
    scale: dict[str, Any] = {"domain": [0.5, 1.4], "nice": False}
    y = alt.Y("measured:Q", title="Time on the H200, over the H100").scale(**scale)
    dots = (
        alt.Chart(alt.NamedData("dots"))
        .mark_point(size=34, filled=True, opacity=0.7)
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", title=None).scale(domain=names, range=list(COLOURS)),
            shape=alt.Shape("kind:N", title=None).scale(**look.shapes(*names)),
        )
    )
    line = alt.Chart(alt.NamedData("line")).encode(x=x, y=alt.Y("expected:Q").scale(**scale))
    words = line.mark_text(align="right", dy=16, fontSize=12, color=look.INK).encode(text="label:N")
    return dots + line.mark_line(color=look.INK) + words


FIGURES = (
    Figure(
        name="world/chip-pair",
        foremost=4,
        compute=pair,
        chart=pair_chart,
        table="dots",
        columns={
            "kind": "Kernel",
            "matrix": "Of",
            "tokens": "Tokens",
            "first": "H100 (µs)",
            "second": "H200 (µs)",
            "measured": "H200 over H100 (×)",
            "expected": "By the bound (×)",
        },
        assumptions=(
            "Both chips have the same processor, limit of power, driver and libraries; the H200 has another memory.",
            "One card of each. Two cards of one kind may differ by some hundredths.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
