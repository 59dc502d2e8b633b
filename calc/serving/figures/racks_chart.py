"""The drawing of lecture 8's requests in flight, beside the room of racks."""

from __future__ import annotations

from typing import Any

from calc.figure import look

ABOVE, BELOW = 40, 26  # pixels over and under the bars, in which the rules have their names
LINES: dict[str, Any] = {"lineBreak": "|", "lineHeight": 15, "fontSize": 12.5}


def racks_chart() -> Any:
    """Bars that grow from row to row; rules of racks with names over them, and of the forecast with its name below."""
    import altair as alt

    x = alt.X("start:Q", title="Requests in flight").scale(zero=True, nice=False).axis(tickCount=4, format=",d")
    y = alt.Y("row:N", title=None, sort=None).scale(range=[ABOVE, alt.expr(f"height - {BELOW}")])
    lines: dict[str, Any] = {"labelExpr": "split(datum.label, '|')", "labelLineHeight": 15, "labelOffset": -7}
    y = y.axis(ticks=False, labelLimit=190, labelOverlap=False, **lines)
    shade = alt.condition("datum.added", alt.value(look.FREE[1]), alt.value(look.FAINT))
    bars = alt.Chart(alt.NamedData("bars")).mark_bar(height={"band": 0.6}, cornerRadius=0)
    rooms = alt.Chart(alt.NamedData("racks")).encode(x="flight:Q")
    hope = alt.Chart(alt.NamedData("hope")).encode(x="flight:Q")
    down: dict[str, Any] = {"y": ABOVE - 4, "y2": alt.expr(f"height - {BELOW - 6}")}
    ends = rooms.mark_rule(color=look.GROUND, strokeWidth=4.5, **down)  # behind the rule, over a bar of its shade
    ends += rooms.mark_rule(color=look.INK, strokeWidth=1.5, **down)
    named = rooms.mark_text(align="right", baseline="top", y=3, dx=2, **LINES).encode(text="said:N")
    dashed = hope.mark_rule(color=look.MUTED, strokeDash=[4, 3], **down)
    side = "scale('x', datum.flight) > width / 2"
    last = hope.mark_text(
        align=alt.expr(f"{side} ? 'right' : 'left'"),
        dx=alt.expr(f"{side} ? 2 : -2"),
        baseline="bottom",
        y=alt.expr("height - 4"),
        color=look.MUTED,
        **LINES,
    )
    drawn = bars.encode(x=x, x2="end:Q", y=y, color=shade)
    return (drawn + ends + dashed + named + last.encode(text="said:N")).properties(height=230)
