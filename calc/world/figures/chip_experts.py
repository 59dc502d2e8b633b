"""Time of one layer's experts on one chip against the experts that the tokens woke."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.quantities.units import plain, show
from calc.world.chip_experts import Woken, of_kind, woken

PLACES = (0.0, 0.55, 1.0)  # of the line, its label in between
KINDS = {"even": "even choices", "uneven": "by Zipf's law"}
MODEL, SMALL, TOKENS = "deepseek-v3", 1024, 32
LARGER, LARGER_SMALL = "mixtral-8x7b", 64


def experts() -> Answer:
    """Every timing of DeepSeek-V3's experts, against how many were awake."""
    found = woken(MODEL)
    small = [each for each in found if each.row.tokens <= SMALL]
    larger = [each.memory_share for each in woken(LARGER) if each.row.tokens <= LARGER_SMALL]
    shares = [each.memory_share for each in small]
    apart = [each.row.count / each.expected for each in found if each.row.name == "even"]
    even, uneven = (_mean(of_kind(found, name, TOKENS)) for name in KINDS)
    name = catalog.model(MODEL).name
    return Answer(
        finding=f"Up to {plain(SMALL, 9)} tokens, time follows the experts that are awake, at "
        f"{show(min(shares), '%', 2)} to {show(max(shares), '%', 2)} of the published bandwidth",
        description=(
            f"Scatter plot: time of the {plain(found[0].experts)} experts of a layer of {name}, all on one H100 in "
            f"BF16, against the experts that the tokens chose, for {len(found)} draws of 1 to "
            f"{plain(max(each.row.tokens for each in found), 9)} tokens. Dots lie on a line through the origin, a "
            f"little above reading at the published bandwidth, whether choices were even or by Zipf's law, until all "
            f"are awake."
        ),
        tables={
            "dots": {
                "kind": [KINDS[each.row.name] for each in found],
                "tokens": [each.row.tokens for each in found],
                "awake": [each.row.count for each in found],
                "expected": [each.expected for each in found],
                "seconds": [each.row.seconds for each in found],
                "milliseconds": [1e3 * each.row.seconds for each in found],
                "share": [100 * each.memory_share for each in found],
            },
            "line": {
                "awake": [share * found[0].experts for share in PLACES],
                "seconds": [share * found[0].experts * found[0].reading / found[0].row.count for share in PLACES],
                "label": ["", "reading them, at least", ""],
            },
        },
        values={
            "draws": Value(len(found), "", "Draws"),
            "experts": Value(found[0].experts, "", "Experts of a layer"),
            "few": Value(SMALL, "tokens", "Small batches, up to", 9),
            "low": Value(min(shares), "%", "Share of bandwidth, the least", 2),
            "high": Value(max(shares), "%", "Share of bandwidth, the most", 2),
            "off": Value(max(abs(each - 1) for each in apart), "%", "Awake, off the count, at most", 2),
            "tokens": Value(TOKENS, "tokens", "Tokens that choose"),
            "counted": Value(of_kind(found, "even", TOKENS)[0].expected, "", "Awake, by (5)"),
            "even": Value(even, "", "Awake after even choices"),
            "uneven": Value(uneven, "", "Awake after choices by Zipf's law"),
            "even_seconds": Value(_time(of_kind(found, "even", TOKENS)), "s", "Even choices"),
            "uneven_seconds": Value(_time(of_kind(found, "uneven", TOKENS)), "s", "Choices by Zipf's law"),
            "saved": Value(
                1 - _time(of_kind(found, "uneven", TOKENS)) / _time(of_kind(found, "even", TOKENS)),
                "%",
                "Shorter by",
                2,
            ),
            "mixtral_few": Value(LARGER_SMALL, "tokens", "Mixtral, up to"),
            "mixtral_low": Value(min(larger), "%", "its share of bandwidth, the least", 2),
            "mixtral_high": Value(max(larger), "%", "the most", 2),
        },
    )


def _mean(rows: list[Woken]) -> float:
    return float(np.mean([each.row.count for each in rows]))


def _time(rows: list[Woken]) -> float:
    return float(np.mean([each.row.seconds for each in rows]))


def experts_chart() -> Any:
    """A dot for each draw, and the line of reading at the published bandwidth."""
    import altair as alt

    names = list(KINDS.values())
    x = alt.X("awake:Q", title="Experts awake").scale(domain=[0, 260], nice=False).axis(values=[0, 64, 128, 192, 256])
    y = alt.Y("seconds:Q", title="Time of a layer's experts").scale(domain=[0, 0.014], nice=False).axis(**SECONDS)
    dots = (
        alt.Chart(alt.NamedData("dots"))
        .mark_point(size=45, filled=True, opacity=0.8)
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", title=None).scale(domain=names, range=[look.WEIGHTS, look.FREE[0]]),
            shape=alt.Shape("kind:N", title=None).scale(**look.shapes(*names)),
        )
    )
    line = alt.Chart(alt.NamedData("line")).encode(x=x, y=y)
    words = line.mark_text(align="left", dx=6, dy=14, fontSize=12, color=look.INK).encode(text="label:N")
    return line.mark_line(color=look.INK, strokeDash=[7, 3]) + dots + words


FIGURES = (
    Figure(
        name="world/chip-experts",
        foremost=4,
        compute=experts,
        chart=experts_chart,
        table="dots",
        columns={
            "kind": "Choices",
            "tokens": "Tokens",
            "awake": "Awake",
            "expected": "Awake, by (5)",
            "milliseconds": "Time (ms)",
            "share": "Share of the bandwidth (%)",
        },
        assumptions=(
            "Gate, up and down of every chosen expert, by PyTorch's grouped products, without sorting and sending.",
            "A token draws its experts in turn, none twice; by Zipf's law with weights 1, 1/2, 1/3 and so on.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
