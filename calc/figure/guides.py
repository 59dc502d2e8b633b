"""Marks that several charts share: named lines, rules where something changes, and the reader's own setting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from json import dumps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.figure import look

APART = 0.055  # of an axis, between the labels of two lines
ROOM = {"left": 4, "right": 66, "top": 6, "bottom": 4}  # for labels at the ends of lines


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


def guide_layer(alt: Any, field: str, table: str = "guides") -> Any:
    """Dotted upright rules at the places of a `guides` table, each with its label at the top."""
    base = alt.Chart(alt.NamedData(table)).encode(x=f"{field}:Q")
    text = base.mark_text(
        align=alt.expr("datum.side"),
        dx=alt.expr("datum.side == 'left' ? 5 : -5"),
        baseline="top",
        y=alt.expr("3 + 15 * datum.row"),
        color=look.MUTED,
        fontSize=11.5,
    ).encode(text="label:N")
    return base.mark_rule(strokeDash=[2, 3]) + text


def reaching(places: Any, here: float) -> Any:
    """The places of a logarithmic axis, and those on the way to the reader's own where it lies beyond them."""
    first, last = float(places[0]), float(places[-1])
    if first <= here <= last:
        return places
    way = np.geomspace(here, first if here < first else last, 19)[:-1]
    return np.concatenate([way, places] if here < first else [places, way[::-1]])


def here_layer(alt: Any, x: str, y: str, label: str = "", **mark: Any) -> Any:
    """The reader's setting, from the table `here`; with a `label`, the column that says its value beside it."""
    base = alt.Chart(alt.NamedData("here")).encode(x=f"{x}:Q", y=f"{y}:Q")
    dot = base.mark_point(**look.HERE, **mark)
    if not label:
        return dot
    text = {"align": "right", "dx": -9, "dy": -9, "baseline": "bottom", "fontSize": 13, "fontWeight": 600}
    halo = base.mark_text(**text, stroke=look.GROUND, strokeWidth=4, strokeJoin="round").encode(text=f"{label}:N")
    return dot + halo + base.mark_text(**text, color=look.ACCENT).encode(text=f"{label}:N")


def told_apart(alt: Any, field: str, names: Iterable[str], columns: int | None = None) -> dict[str, Any]:
    """The channels that tell named series apart: a colour and a dash for each, in one legend."""
    known = tuple(names)
    shown = {"title": None} | ({"legend": {"columns": columns}} if columns else {})
    return {
        "color": alt.Color(f"{field}:N", **shown).scale(**look.series(*known)),
        "strokeDash": alt.StrokeDash(f"{field}:N", **shown).scale(**look.dashes(*known)),
    }


def dashed_only(alt: Any, field: str, names: Iterable[str]) -> Any:
    """A dash for each named series that the legend does not repeat: round a marker it would fray it."""
    scale = look.dashes(*names)
    rows = zip(scale["domain"], scale["range"], strict=True)
    return alt.StrokeDashValue(
        [1, 0], condition=[{"test": f"datum.{field} == {dumps(name)}", "value": dash} for name, dash in rows]
    )


def ends(curve: Mapping[str, Any], x: str, names: Mapping[str, str], *, log: bool = True) -> dict[str, list[Any]]:
    """A table of where the lines of a `curve` end and what they are called, labels pushed apart where lines meet.

    `log` says whether the axis of the values is logarithmic; the labels keep `APART` of the axis between them.
    """
    columns = {key: np.asarray(curve[key], dtype=float) for key in names}
    usable = np.concatenate([column[np.isfinite(column) & ((column > 0) | (not log))] for column in columns.values()])
    if not usable.size:
        return {x: [], "at": [], "part": []}
    level = np.log10 if log else np.asarray
    low, high = float(level(usable.min())), float(level(usable.max()))
    lasts = {}
    for key, column in columns.items():
        drawn = np.flatnonzero(np.isfinite(column) & ((column > 0) | (not log)))
        if drawn.size:
            lasts[key] = drawn[-1]
    ordered = sorted(lasts, key=lambda key: float(columns[key][lasts[key]]))
    wanted = np.array([float(level(columns[key][lasts[key]])) for key in ordered])
    placed = pushed_apart(wanted, APART * (high - low), low, high)
    return {
        x: [float(np.asarray(curve[x])[lasts[key]]) for key in ordered],
        "at": (10**placed if log else placed).tolist(),
        "part": [names[key] for key in ordered],
    }


def pushed_apart(wanted: NDArray[np.float64], gap: float, low: float, high: float) -> NDArray[np.float64]:
    """Rising places moved as little as it takes to lie a gap apart, within the ends where they can.

    >>> pushed_apart(np.array([0.0, 0.0, 10.0]), 2, 0, 10).tolist()
    [0.0, 2.0, 10.0]
    """
    steps = gap * np.arange(wanted.size)
    up = np.maximum.accumulate(wanted - steps) + steps
    down = steps + np.minimum.accumulate((wanted - steps)[::-1])[::-1]
    placed: NDArray[np.float64] = np.maximum(np.minimum((up + down) / 2, high - steps[::-1]), low + steps)
    return placed


def labelled_lines(alt: Any, names: Mapping[str, str], x: Any, y: Any, **mark: Any) -> Any:
    """The lines of the table `curve`, each named at its end by the table `ends`: solid, in colours that mean something.

    The chart that holds them leaves `ROOM` at its right: `.properties(padding=ROOM)`.
    """
    color = alt.Color("part:N", legend=None).scale(**look.series(*names.values()))
    value = y.shorthand.partition(":")[0]
    lines = (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(names), as_=["key", value])
        .transform_calculate(part=look.naming("key", names))
        .mark_line(**mark)
        .encode(x=x, y=y, color=color)
    )
    text = alt.Chart(alt.NamedData("ends")).mark_text(align="left", baseline="middle", dx=7, fontSize=12)
    return lines + text.encode(x=f"{x.shorthand}", y="at:Q", text="part:N", color=color)


def named_lines(alt: Any, names: Mapping[str, str], x: Any, y: Any, *, columns: int | None = None, **mark: Any) -> Any:
    """A line for each of these columns of the table `curve`, under the name that readers see."""
    return (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(names), as_=["key", y.shorthand.partition(":")[0]])
        .transform_calculate(part=look.naming("key", names))
        .mark_line(**mark)
        .encode(x=x, y=y, **told_apart(alt, "part", names.values(), columns))
    )
