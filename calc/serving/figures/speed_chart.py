"""The drawing of lecture 8's cost against speed."""

from __future__ import annotations

from typing import Any

from calc.figure import look
from calc.figure.guides import HALO, here_layer

SLOW = [7, 3]  # dashes of the curve of steps at the slow end


def speed_chart() -> Any:
    """Two curves, level and then steep: the forecast, with the batch at its dots, and dashed its slow end."""
    import altair as alt

    x = alt.X("user:Q", title="Tokens a second for each user").scale(zero=True).axis(grid=False)
    y = alt.Y("cost:Q", title="Dollars for a million tokens").scale(zero=True).axis(format="$,~r")
    line = alt.Chart(alt.NamedData("curve")).mark_line(color=look.ACCENT).encode(x=x, y=y, order="batch:Q")
    slow = alt.Chart(alt.NamedData("slow")).mark_line(color=look.MUTED, strokeDash=SLOW)
    late = alt.Chart(alt.NamedData("late")).encode(x=x, y=y)
    dots = alt.Chart(alt.NamedData("dots")).encode(x=x, y=y)
    slow_name = alt.Chart(alt.NamedData("slow_name")).encode(x=x, y=y)
    full = alt.Chart(alt.NamedData("full")).encode(x=x, y=y)
    ring = alt.Chart(alt.NamedData("ring")).encode(x=x, y=y)
    first = "datum.first"  # the fastest: its words stand on its left, where no line is
    below: dict[str, Any] = {
        "align": alt.expr(f"{first} ? 'right' : 'left'"),
        "dx": alt.expr(f"{first} ? -9 : 6"),
        "dy": alt.expr(f"{first} ? -6 : 5"),
        "baseline": "top",
        "fontSize": 12,
    }
    under: dict[str, Any] = {"align": "left", "baseline": "top", "dx": -3, "dy": 7, "fontSize": 12}
    aside: dict[str, Any] = {"align": "right", "baseline": "bottom", "dx": -9, "dy": -6, "fontSize": 12}
    over: dict[str, Any] = {"align": "left", "baseline": "bottom", "dy": -6, "fontSize": 12}
    said = [
        layer.mark_text(**place, **halo).encode(text="said:N")
        for layer, place in ((dots, below), (full, under), (ring, aside), (late, aside), (slow_name, over))
        for halo in (HALO, {})
    ]
    rule = alt.Chart(alt.NamedData("promise")).mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(x="user:Q")
    point: dict[str, Any] = {"size": 45, "color": look.ACCENT, "opacity": 1}
    hollow = ring.mark_point(filled=False, size=150, stroke=look.INK, strokeWidth=2)
    return alt.layer(
        rule,
        slow.encode(x=x, y=y, order="batch:Q"),
        line,
        dots.mark_point(**point),
        full.mark_point(**point),
        hollow,
        late.mark_point(filled=True, size=70, color=look.MUTED, opacity=1),
        *said,
        here_layer(alt, "user", "cost", label="label"),
    )
