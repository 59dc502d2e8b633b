"""Lecture 1 in pictures: one decode step, in which weights are read once for all users and a cache for each."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc import batching
from calc.batching.figures.setting import FILLED
from calc.batching.figures.shared import sleeping, torus_notes
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.figure.line_names import APART, pushed_apart
from calc.quantities.units import plain, show
from calc.setting import Scenario

COLUMNS = 32  # users that can still be told apart; of more, each column stands for several
GAP = 0.22  # of a column, between it and the next
LANE = (1.06, 1.16)  # where the arithmetic stands beside the users, who fill the width up to 1
LINES = 2.1  # that a part's name and size take, with the gap to the next
TALL = 22  # pixels of a slab that words fit into
PARTS = ("weights", "cache", "arithmetic")


def stream(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The reading of a step, as a slab above columns: the width is the batch, the height is time."""
    where = Scenario.named(model, system, precision)
    step = batching.step_time(batch, context, **where.step_arguments())
    weights, cache, compute = float(step.weights), float(step.cache), float(step.compute)
    own = context * where.kv_bytes_per_token
    mine = show(weights / batch, "s"), show(cache / batch, "s")
    each = math.ceil(batch / COLUMNS)
    drawn = math.ceil(batch / each)
    users = f"{plain(batch, 9)} user{'' if batch == 1 else 's'}"
    fewer = " (the last for fewer)" if batch % each else ""
    many = f"Each column stands for {plain(each, 9)} users{fewer}." if each > 1 else "Each column is a user."
    part = f"{show(where.weight_bytes / batch, 'B')} + {show(own, 'B')}"
    return Answer(
        finding=(
            f"One reading of {show(where.weight_bytes, 'B')} of weights serves {users}; each user's "
            f"cache is another {show(own, 'B')} to read"
        ),
        description=(
            f"Drawing of a decode step, time running downwards: a slab of weights, {show(weights, 's')} high, lies "
            f"across {users}. Below it hang their caches side by side, {show(cache, 's')} high. A strip beside "
            f"them is the arithmetic, {show(compute, 's')}. The first column's strip is outlined; a user's part is "
            f"{mine[0]} of weights and {mine[1]} of cache. {many}"
        ),
        tables={
            "slab": {
                "x": [0.0],
                "x2": [1.0],
                "y": [0.0],
                "y2": [weights],
                "label": [f"{users}, {plain(each, 9)} a column" if each > 1 else users],
            },
            "caches": _columns(drawn, weights, weights + cache),
            "lane": {"x": [LANE[0]], "x2": [LANE[1]], "y": [0.0], "y2": [compute]},
            "mine": {
                "x": [0.0],
                "x2": [1 / drawn],
                "y": [0.0],
                "y2": [weights + cache],
                "label": [f"one column: {plain(each, 9)} × ({part})" if each > 1 else f"one user: {part}"],
            },
            "end": {"y": [float(step.bound)], "label": [f"at least {show(step.bound, 's')}"]},
            "words": _words(
                {"weights": (0.0, weights), "cache": (weights, weights + cache), "arithmetic": (0.0, compute)},
                {"weights": show(where.weight_bytes, "B"), "cache": show(batch * own, "B"), "arithmetic": "meanwhile"},
            ),
            "parts": {
                "part": list(PARTS),
                "seconds": [weights, cache, compute],
                "bytes": [where.weight_bytes, batch * own, np.nan],
                "each": [weights / batch, cache / batch, compute / batch],
            },
        },
        values={
            "share": Value(where.weight_bytes / batch, "B", "Weights, for each user"),
            "own": Value(own, "B", "Cache of each user"),
            "even": Value(where.weight_bytes / own, "sequences", "Batch whose caches weigh as much"),
            "weights": Value(where.weight_bytes, "B", "Weights, read once"),
            "caches": Value(batch * own, "B", "Caches of all"),
            "each": Value((weights + cache) / batch, "s", "Reading for each user"),
        },
        notes=[
            many,
            *where.notes(),
            *where.fit_notes(context, batch),
            *sleeping(where, batch),
            *torus_notes(where.system),
        ],
    )


def _columns(count: int, top: float, bottom: float) -> dict[str, list[float]]:
    """Columns side by side over the whole width, with gaps between them."""
    edge = GAP / 2 if count > 1 else 0.0
    return {
        "x": [(place + edge) / count for place in range(count)],
        "x2": [(place + 1 - edge) / count for place in range(count)],
        "y": [top] * count,
        "y2": [bottom] * count,
    }


def _words(spans: dict[str, tuple[float, float]], said: dict[str, str]) -> dict[str, list[Any]]:
    """The name and the amount of each part, at its middle and beside the drawing, pushed apart where thin."""
    order = sorted(spans, key=lambda part: sum(spans[part]))
    bottom = max(end for _, end in spans.values())
    middles = np.array([sum(spans[part]) / 2 for part in order])
    places = pushed_apart(middles, LINES * APART * bottom, APART * bottom, (1 - APART) * bottom)
    return {
        "x": [LANE[1]] * len(order),
        "y": places.tolist(),
        "part": order,
        "label": [f"{part}\n{said[part]}" for part in order],
    }


def stream_chart() -> Any:
    """A slab over columns, a strip beside them, and the end of the longer."""
    import altair as alt

    x = alt.X("x:Q", title="The batch: users side by side").scale(domain=[0, LANE[1]], nice=False)
    x = x.axis(labels=False, ticks=False, grid=False, domain=False, titlePadding=42)
    y = alt.Y("y:Q", title="Time, downwards").scale(reverse=True, zero=True, nice=False).axis(tickCount=4, **SECONDS)
    sides = {"x": x, "x2": "x2:Q", "y": y, "y2": "y2:Q"}

    def boxes(table: str, **mark: Any) -> Any:
        return alt.Chart(alt.NamedData(table)).mark_rect(**mark).encode(**sides)

    end = alt.Chart(alt.NamedData("end")).encode(y=y)
    told = end.mark_text(x=0, align="left", baseline="top", dy=7, color=look.INK, fontSize=12.5, fontWeight=600)
    strip = alt.Chart(alt.NamedData("mine")).mark_text(
        x=0, y=alt.expr("height + 24"), align="left", baseline="top", color=look.ACCENT, fontSize=12.5, fontWeight=600
    )
    words = alt.Chart(alt.NamedData("words")).mark_text(
        align="left", baseline="middle", dx=7, fontSize=12, lineBreak="\n", lineHeight=14
    )
    inside = alt.Chart(alt.NamedData("slab")).mark_text(
        x=alt.expr("(scale('x', 0) + scale('x', 1)) / 2"),
        y=alt.expr("(scale('y', datum.y) + scale('y', datum.y2)) / 2"),
        baseline="middle",
        color=look.PAPER,
        fontSize=12.5,
        opacity=alt.expr(f"scale('y', datum.y2) - scale('y', datum.y) > {TALL} ? 1 : 0"),
    )
    colour = alt.Color("part:N", legend=None).scale(**look.series(*PARTS))
    return (
        boxes("slab", fill=look.WEIGHTS)
        + boxes("caches", fill=look.CACHE)
        + boxes("lane", fill=look.ARITHMETIC)
        + boxes("mine", fill=None, stroke=look.PAPER, strokeWidth=5)
        + boxes("mine", fill=None, stroke=look.ACCENT, strokeWidth=2.5)
        + inside.encode(text="label:N")
        + end.mark_rule(color=look.INK, strokeWidth=1.5)
        + told.encode(text="label:N")
        + strip.encode(text="label:N")
        + words.encode(x="x:Q", y="y:Q", text="label:N", color=colour)
    )


STREAM = Figure(
    name="batching/stream",
    inputs=FILLED,
    compute=stream,
    chart=stream_chart,
    table="parts",
    columns={"part": "Part", "seconds": "Time (s)", "bytes": "Bytes", "each": "For each user (s)"},
    assumptions=(
        "The simplest bound: every chip shares every reading evenly, and arithmetic goes on beside it.",
        "Weights first and caches after them: a real step goes layer by layer, with the same sums.",
    ),
    foremost=3,
    sources=("lecture",),
)
