"""A strip plot: a row for each model, a mark for each of its cases, and a rule where what was counted would stand."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from calc.figure import look

MOST_BESIDE = 3  # kinds in a row of the legend; several rows are as even as can be


def strip(
    table: str,
    x: str,
    title: str,
    *,
    y: str,
    kind: str,
    kinds: Sequence[str],
    colours: Sequence[str],
    scale: Mapping[str, Any],
    at: float,
    ticks: Sequence[float] | None = None,
    size: float = 75,
    lanes: bool = False,
) -> Any:
    """Marks of a table, told apart by kind in colour and shape, and the rule `at` a place of x.

    With `lanes` each kind has a lane of its own in a row, for many marks.
    """
    import altair as alt

    rows = math.ceil(len(kinds) / MOST_BESIDE)
    legend = alt.Legend(columns=math.ceil(len(kinds) / rows))
    rule = (
        alt.Chart(alt.NamedData(table))
        .mark_rule(color=look.INK, strokeDash=[2, 3])
        .encode(x=alt.XDatum(at).scale(**scale))
    )
    places = alt.X(f"{x}:Q", title=title).scale(**scale)
    dots = (
        alt.Chart(alt.NamedData(table))
        .mark_point(size=size, filled=True, opacity=0.85)
        .encode(
            x=places if ticks is None else places.axis(values=list(ticks)),
            y=alt.Y(f"{y}:N", title=None, sort=None).axis(grid=True),
            color=alt.Color(f"{kind}:N", title=None, legend=legend).scale(domain=list(kinds), range=list(colours)),
            shape=alt.Shape(f"{kind}:N", title=None, legend=legend).scale(**look.shapes(*kinds)),
        )
    )
    return rule + (dots.encode(yOffset=alt.YOffset(f"{kind}:N", sort=list(kinds))) if lanes else dots)
