"""Marks that several charts share: axes in units, rules where something changes, and the reader's own setting."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from calc.figure import look

ABOVE = 26  # pixels that the reader's value needs over its point
ASIDE = "(14 + 7.5 * length('' + datum.{}))"  # and beside it
PLAIN: dict[str, Any] = {"labelExpr": "format(datum.value, datum.value < 1 ? '~r' : '~s')"}  # 0.1 and not 100m
HALO: dict[str, Any] = {"stroke": look.GROUND, "strokeWidth": 4, "strokeJoin": "round"}  # behind words, over lines


def prefixed(unit: str) -> dict[str, Any]:
    """An axis in a unit with decimal prefixes, written as everywhere else: 10 ms, 1 GB, 2 s."""
    return {"labelExpr": f"replace(format(datum.value, '~s'), /([^0-9.]?)$/, ' $1{unit}')"}


SECONDS: dict[str, Any] = prefixed("s")
DECADES = [10.0**power for power in range(-18, 19)]
_POWER = "round(log(datum.value) / LN10)"
_DIGITS = "'⁰¹²³⁴⁵⁶⁷⁸⁹'"
_TENS, _ONES = f"floor(abs({_POWER}) / 10)", f"abs({_POWER}) % 10"
POWERS: dict[str, Any] = {  # an axis of powers of ten, written as in the text, without lines between them
    "values": DECADES,
    "labelOverlap": "greedy",
    "labelExpr": f"'10' + ({_POWER} < 0 ? '⁻' : '') + ({_TENS} ? slice({_DIGITS}, {_TENS}, {_TENS} + 1) : '') "
    f"+ slice({_DIGITS}, {_ONES}, {_ONES} + 1)",
}


def guides(field: str, places: Mapping[str, float], low: float, high: float) -> dict[str, list[Any]]:
    """A table of labelled places on an axis, without those that are beyond its ends.

    The row staggers the labels of neighbours; the side keeps the label of a place near an end inside the chart.
    """
    kept = sorted((place, label) for label, place in places.items() if low <= place <= high)
    middle = math.sqrt(low * high)
    return {
        field: [place for place, _ in kept],
        "label": [label for _, label in kept],
        "row": list(range(len(kept))),
        "side": ["right" if place > middle else "left" for place, _ in kept],
    }


def guide_layer(alt: Any, field: str, table: str = "guides", top: str = "3") -> Any:
    """Dotted upright rules at the places of a `guides` table, each with its label; the first stands at `top`."""
    base = alt.Chart(alt.NamedData(table)).encode(x=f"{field}:Q")
    text: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "dx": alt.expr("datum.side == 'left' ? 5 : -5"),
        "baseline": "top",
        "y": alt.expr(f"{top} + 15 * datum.row"),
        "fontSize": 11.5,
    }
    halo = base.mark_text(**text, **HALO).encode(text="label:N")
    return base.mark_rule(strokeDash=[2, 3]) + halo + base.mark_text(**text, color=look.MUTED).encode(text="label:N")


def reaching(places: Any, here: float) -> Any:
    """The places of a logarithmic axis, and those on the way to the reader's own where it lies beyond them."""
    first, last = float(places[0]), float(places[-1])
    if first <= here <= last:
        return places
    way = np.geomspace(here, first if here < first else last, 19)[:-1]
    return np.concatenate([way, places] if here < first else [places, way[::-1]])


def here_layer(
    alt: Any,
    x: str,
    y: str,
    label: str = "",
    *,
    falling: bool = False,
    under: bool = False,
    over: str = "",
    **mark: Any,
) -> Any:
    """The reader's setting, from the table `here`; with a `label`, the column that says its value beside it.

    The value stands over the line, to the left where it rises and to the right where it is `falling`, or, near an end
    of the frame, under it on the other side. With `under` it is the other way about. `over` is the column that says
    how high another line runs there: the value then stands over that one, joined to its point, and right over it near
    an end of the frame.
    """
    base = alt.Chart(alt.NamedData("here")).encode(x=f"{x}:Q", y=f"{y}:Q")
    dot = base.mark_point(**look.HERE, **mark)
    if not label:
        return dot
    across, down = f"scale('x', datum.{x})", f"scale('y', datum.{y})"
    aside = ASIDE.format(label)
    left, right = f"{across} < {aside}", f"{across} > width - {aside}"
    turned = (f"!({left})" if falling else f"!({right})") if under else right if falling else left
    rightwards = f"!({turned})" if falling else turned
    below = "false" if over else f"({down} < {ABOVE} || ({turned}) && {down} < height - {ABOVE})"
    centred = f"({turned})" if over else "false"
    text: dict[str, Any] = {
        "align": alt.expr(f"{centred} || {rightwards} ? 'left' : 'right'"),
        "dx": alt.expr(f"{centred} ? -min({across}, {aside} / 2) : {rightwards} ? 9 : -9"),
        "dy": alt.expr(f"{below} ? 9 : -9"),
        "baseline": alt.expr(f"{below} ? 'top' : 'bottom'"),
        "fontSize": 13,
        "fontWeight": 600,
    }
    if over:
        stem = base.encode(y2=f"{over}:Q").mark_rule(color=look.ACCENT, strokeWidth=1, **mark)
        dot, base = stem + dot, base.encode(y=f"{over}:Q")
    halo = base.mark_text(**text, **HALO).encode(text=f"{label}:N")
    return dot + halo + base.mark_text(**text, color=look.ACCENT).encode(text=f"{label}:N")
