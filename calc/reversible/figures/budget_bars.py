"""The bars of the memory budget: a plan each, cut off where the drawing ends, against the memory of a chip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from calc.figure import look
from calc.figure.guides import HALO, prefixed
from calc.figure.named import key_layer
from calc.quantities.units import show
from calc.reversible import memory_budget

PLANS = {
    "stored": "Stored",
    "recomputed": "Recomputed, one level",
    "nested": "Recomputed, two levels",
    "offloaded": "Recomputed, offloaded",
    "reversed": "Run backwards",
}
PARTS = {
    "model": "Chip's share",
    "gathered": "Layer in use",
    "records": "Records",
    "gradients": "Gradients",
    "states": "States",
    "handed": "Handed on",
    "logits": "Logits",
}
COLOURS = (look.WEIGHTS, look.FAINT, look.FREE[0], look.FREE[2], look.FREE[1], look.MUTED, look.ARITHMETIC)
WIDE = 56  # pixels that a label needs between its bar and the memory's rule
SHOWN, CROWDED = 2.0, 1.6  # memories of the chip: up to which bars are drawn; from which labels stand inside them


def drawn(plan: str, one: memory_budget.Held, state: float) -> memory_budget.Held:
    """The same bytes: where a kept state is a record's input too, it counts as the gradient that is handed on."""
    shared = 0.0 if plan in memory_budget.TRAVELLING else state
    return replace(one, states=one.states - shared, handed=one.handed + shared)


def label(one: memory_budget.Held, room: float) -> str:
    """The length of a bar; where it is cut short, that of the records in it too, and a sign that it goes on."""
    whole = show(one.total, "B")
    return f"{whole}, {show(one.records, 'B')} of it records →" if one.total > SHOWN * room else whole


def parts(plans: dict[str, memory_budget.Held], room: float) -> list[dict[str, Any]]:
    """Every piece of every bar, cut off where the drawing ends and paler beyond the memory."""
    rows = []
    for plan, one in plans.items():
        start = 0.0
        for part, name in PARTS.items():
            end = start + getattr(one, part)
            for low, high, shade in ((0.0, room, 1.0), (room, SHOWN * room, 0.4)):
                left, right = max(start, low), min(end, high)
                if right > left:
                    rows.append({"plan": PLANS[plan], "part": name, "from": left, "to": right, "shade": shade})
            start = end
    return rows


def budget_chart() -> Any:
    """A bar a plan, its parts side by side, and the memory of the chip as a rule."""
    import altair as alt

    colours: dict[str, Any] = {"domain": list(PARTS.values()), "range": list(COLOURS)}
    y = alt.Y("plan:N", title=None).scale(domain=list(PLANS.values()), paddingInner=0.35)
    y = y.axis(labelColor=look.INK, labelFontSize=12.5, domain=False, ticks=False, grid=False)
    x = alt.X("from:Q", title="Bytes on one chip").scale(nice=False, zero=True).axis(**prefixed("B"))
    bars = (
        alt.Chart(alt.NamedData("parts"))
        .mark_bar(cornerRadiusEnd=0)
        .encode(
            x=x,
            x2="to:Q",
            y=y,
            color=alt.Color("part:N", legend=None).scale(**colours),
            fillOpacity=alt.FillOpacity("shade:Q", legend=None).scale(None),
        )
    )
    ends = alt.Chart(alt.NamedData("ends")).encode(x="end:Q", y=y, text="label:N")
    words: dict[str, Any] = {"baseline": "middle", "fontWeight": 600}
    gap = "scale('x', datum.room) - scale('x', datum.end)"
    words["dx"] = alt.expr(f"datum.side == 'right' ? -6 : 6 + ({gap} > 0 && {gap} < {WIDE} ? {gap} : 0)")
    words["align"] = alt.expr("datum.side")
    halo = ends.mark_text(**words, **HALO)
    room = alt.Chart(alt.NamedData("room")).encode(x="bytes:Q")
    line = room.mark_rule(color=look.INK, strokeWidth=1.75)
    said = room.mark_text(align="left", baseline="bottom", dx=3, y=0, dy=-3, color=look.INK, fontSize=11.5)
    edge = alt.Chart(alt.NamedData("room")).mark_rule(opacity=0).encode(x="edge:Q")
    named = halo + ends.mark_text(**words) + key_layer(alt, colours, above=30)
    return bars + edge + line + said.encode(text="label:N") + named
