"""The chart of the frontier: two lines of bounds and forecasts, measured runs, the promise and what keeps it."""

from __future__ import annotations

from typing import Any

from calc.figure import guides, look
from calc.serving.figures import beside


def frontier_chart() -> Any:
    """Two frontiers, the promise as an upright rule, and the cheapest point that keeps it."""
    import altair as alt

    x = alt.X("user:Q", title="Tokens a second for each user").scale(type="log").axis(format="~s")
    y = alt.Y("chip:Q", title="Tokens a second a chip").scale(type="log").axis(**guides.PLAIN)
    whose = [beside.FIRST, beside.SECOND]
    dash = alt.StrokeDash("whose:N", legend=None).scale(domain=whose, range=[[1, 0], [4, 5]])
    hue = alt.Color("whose:N", legend=None).scale(domain=whose, range=[look.ACCENT, look.FREE[0]])
    bound = alt.Chart(alt.NamedData("bound")).mark_line(color=look.INK, interpolate="step-before")
    likely = alt.Chart(alt.NamedData("expected")).mark_line(interpolate="step-before")
    each = alt.Chart(alt.NamedData("expected")).mark_point(size=28).encode(x=x, y=y, color=hue)
    rule = alt.Chart(alt.NamedData("promise")).mark_rule(color=look.MUTED, strokeDash=[2, 3])
    both = bound.encode(x=x, y=y, strokeDash=dash) + likely.encode(x=x, y=y, color=hue, strokeDash=dash)
    end = alt.Chart(alt.NamedData("ends")).encode(x=x, y=y, text="line:N")
    free: dict[str, Any] = {
        "align": alt.expr(f"datum.free == '{beside.LEFT}' ? '{beside.RIGHT}' : '{beside.LEFT}'"),
        "dx": alt.expr(f"datum.free == '{beside.LEFT}' ? -8 : 8"),
        "fontSize": 12.5,
    }
    second = end.mark_text(**free, **guides.HALO) + end.mark_text(**free, color=look.FREE[0])
    above: dict[str, Any] = {"align": "left", "dx": 2, "dy": -10, "fontSize": 12.5}
    names = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="line:N")
    shown = alt.Chart(alt.NamedData("runs"))
    point = shown.mark_point(filled=False, stroke=look.INK, strokeWidth=1.2, size=34)
    measured = point.encode(
        x=x, y=y, strokeOpacity=alt.StrokeOpacity("alike:N", legend=None).scale(domain=[True, False], range=[1, 0.45])
    )
    ring = alt.Chart(alt.NamedData("run")).mark_point(filled=False, size=150, stroke=look.INK, strokeWidth=2)
    lettered = alt.condition("datum.line == 'bound'", alt.value(look.INK), alt.value(look.ACCENT))
    named = names.mark_text(**above, **guides.HALO) + names.mark_text(**above).encode(color=lettered)
    here = alt.Chart(alt.NamedData("here")).encode(x=x, y=y)
    dy = alt.expr("datum.under ? 20 : -4")
    text: dict[str, Any] = {"align": "left", "dx": 12, "dy": dy, "fontSize": 13, "fontWeight": 600}
    halo = here.mark_text(**text, **guides.HALO).encode(text="cost:N")
    cost = halo + here.mark_text(**text, color=look.ACCENT).encode(text="cost:N")
    return (
        rule.encode(x="user:Q")
        + measured
        + ring.encode(x=x, y=y)
        + both
        + each
        + named
        + second
        + here.mark_point(**look.HERE)
        + cost
    )
