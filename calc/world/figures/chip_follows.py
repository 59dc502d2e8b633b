"""Kinds of kernels on two chips of one processor: which of them a faster memory makes shorter."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE, TIMED_CHIPS
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.chip import FEW, UNCUT, bandwidth, only
from calc.world.training import middle
from calc.world.two_chips import (
    EXPERTS,
    FIRST,
    LARGE_CACHE,
    MANY,
    SECOND,
    experts,
    followers,
    largest,
    pairs,
    slower,
)


def follows() -> Answer:
    """Each kind of kernel: its time on the second chip over the first, by the middle and four of five."""
    found = followers()
    low, centre, high = ([float(np.quantile(ratios, at)) for ratios in found.values()] for at in (0.1, 0.5, 0.9))
    steps = [each for each in pairs("whole steps") if each.row.tokens * each.row.context >= 2**18]
    far, full = ([each.measured for each in steps if (each.row.tokens >= UNCUT) == many] for many in (False, True))
    lone = [each.measured for each in pairs("whole steps") if each.row.tokens == 1 and each.row.format == "bf16"]
    shares = {
        (model, which): [middle([each.memory_share for each in both[which]]) for both in experts(model, most)]
        for model, most in EXPERTS.items()
        for which in (0, 1)
    }
    written = [row.bytes / row.seconds / bandwidth(row.chip) for row in largest("write")]
    joules = [only("power", "step", chip, format="bf16", tokens=1).joules for chip in TIMED_CHIPS]
    return Answer(
        finding=(
            f"With a memory {show(1 / slower(), 'x')} as fast, reading, products of few tokens and attention for few "
            f"sequences get shorter; the rest hardly does"
        ),
        description=(
            f"Dot plot, a row for each kind of kernel: its time on an {catalog.chip(SECOND).name} over its time on an "
            f"{catalog.chip(FIRST).name}, the middle and four of five. If the bandwidth of memory were all that it "
            f"waits for, it would be {show(slower(), 'x', 2)}. "
            + " ".join(f"{name}: {show(each, 'x', 2)}." for name, each in zip(found, centre, strict=True))
        ),
        tables={
            "rows": {
                "name": [*found],
                "low": low,
                "middle": centre,
                "high": high,
                "pairs": [len(ratios) for ratios in found.values()],
            },
            "places": {"times": [slower(), 1.0], "label": ["bandwidth alone", "no change"]},
        },
        values={
            "v3": Value(centre[3], "x", "Experts of DeepSeek-V3: as long", 2),
            "v3_low": Value(min(found["experts, DeepSeek-V3"]), "x", "at best", 2),
            "mixtral": Value(centre[4], "x", "Experts of Mixtral: as long", 2),
            "written": Value(centre[5], "x", "Writing: as long", 2),
            "small": Value(centre[6], "x", "Small kernels of a step: as long", 2),
            "prompts": Value(centre[7], "x", "Long prompts: as long", 2),
            "write_first": Value(written[0], "%", "Writing: of the published bandwidth, the first", 2),
            "write_second": Value(written[1], "%", "Writing: of the published bandwidth, the second", 2),
            "v3_first": Value(middle(shares["deepseek-v3", 0]), "%", "Experts of DeepSeek-V3 read, the first", 2),
            "v3_second": Value(middle(shares["deepseek-v3", 1]), "%", "Experts of DeepSeek-V3 read, the second", 2),
            "lone": Value(middle(lone), "x", "A step of one sequence in BF16: as long", 2),
            "joules": Value(joules[1] / joules[0], "x", "Joules of its token, over the first's", 2),
            "full_low": Value(min(full), "x", "Full steps of many sequences: as long, the least", 2),
            "full_high": Value(max(full), "x", "the most", 2),
            "far": Value(middle(far), "x", "Full steps of eight long sequences: as long", 2),
        },
    )


def follows_chart() -> Any:
    """A bar and a dot for each kind, and two rules: bandwidth alone, and no change."""
    import altair as alt

    scale: dict[str, Any] = {"domain": [0.6, 1.2], "nice": False}
    y = alt.Y("name:N", title=None, sort=None).axis(labelLimit=260)
    rows = alt.Chart(alt.NamedData("rows"))
    x = alt.X("low:Q", title="Time on the H200, over the H100").scale(**scale).axis(values=[0.6, 0.7, 0.8, 0.9, 1, 1.1])
    spans = rows.mark_rule(strokeWidth=9, color=look.FAINT, opacity=0.8).encode(x=x, x2="high:Q", y=y)
    dots = rows.mark_point(size=90, filled=True, opacity=1, color=look.FREE[0]).encode(
        x=alt.X("middle:Q").scale(**scale), y=y
    )
    places = alt.Chart(alt.NamedData("places"))
    where = places.encode(x=alt.X("times:Q").scale(**scale))
    left = "datum.times < 0.9"
    words = where.mark_text(
        align=alt.expr(f"{left} ? 'right' : 'left'"),
        dx=alt.expr(f"{left} ? 14 : -14"),
        dy=-8,
        fontSize=12,
        color=look.INK,
    ).encode(y=alt.value(0), text="label:N")
    return spans + where.mark_rule(color=look.INK, strokeDash=[4, 3]) + dots + words


FIGURES = (
    Figure(
        name="world/chip-follows",
        foremost=4,
        compute=follows,
        chart=follows_chart,
        table="rows",
        columns={
            "name": "Kernels",
            "low": "One in ten below (×)",
            "middle": "Middle (×)",
            "high": "One in ten above (×)",
            "pairs": "Pairs",
        },
        assumptions=(
            f"Few tokens are at most {FEW}, many at least {MANY:,}, few sequences fewer than {UNCUT}.",
            f"Attention is over caches of {show(LARGE_CACHE, 'B')} and more; long prompts are whole passes.",
            f"Of experts, the time for each that is awake, in batches to {max(EXPERTS.values())} tokens.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
