"""Marks that several charts share: named lines, rules where something changes, and the reader's own setting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from json import dumps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.figure import look

APART = 0.062  # of an axis, between the labels of two lines
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


def uncrowded(heights: Iterable[float], labels: Iterable[str], span: float) -> list[str]:
    """The labels of points that stand over each other, without those that would lie on one that is said already.

    >>> uncrowded([5.0, 5.1, 1.0], ["five", "about five", "one"], 10)
    ['five', '', 'one']
    """
    said: list[float] = []
    kept = []
    for height, label in zip(heights, labels, strict=True):
        clear = all(abs(height - other) > 1.5 * APART * span for other in said)
        kept.append(label if clear else "")
        said += [height] * clear
    return kept


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


def ends_of(
    series: Mapping[str, tuple[Any, Any]], x: str, *, log: bool = True, top: float | None = None
) -> dict[str, list[Any]]:
    """The same for lines that have places of their own: by name, the places and what is there.

    >>> ends_of({"up": ([1.0, 2.0], [0.0, 1.0]), "down": ([1.0, 3.0], [1.0, 0.0])}, "at_x", log=False)
    {'at_x': [3.0, 2.0], 'at': [0.0, 1.0], 'part': ['down', 'up']}
    """
    places = np.concatenate([np.asarray(xs, dtype=float) for xs, _ in series.values()])
    curve = {name: np.full(places.size, np.nan) for name in series}
    start = 0
    for name, (xs, ys) in series.items():
        curve[name][start : start + len(xs)] = ys
        start += len(xs)
    return ends({x: places} | curve, x, {name: name for name in series}, log=log, top=top)


def ends(
    curve: Mapping[str, Any],
    x: str,
    names: Mapping[str, str],
    *,
    log: bool = True,
    top: float | None = None,
    bottom: float | None = None,
) -> dict[str, list[Any]]:
    """A table of where the lines of a `curve` end and what they are called, labels pushed apart where lines meet.

    `log` says whether the axis of the values is logarithmic; the labels keep `APART` of the axis between them, which
    reaches from the lines' `bottom` to their `top` unless those are given.
    """
    columns = {key: np.asarray(curve[key], dtype=float) for key in names}
    usable = np.concatenate([column[np.isfinite(column) & ((column > 0) | (not log))] for column in columns.values()])
    if not usable.size:
        return {x: [], "at": [], "part": []}
    level = np.log10 if log else np.asarray
    low, high = (
        float(level(end if given is None else given)) for end, given in ((usable.min(), bottom), (usable.max(), top))
    )
    lasts = {}
    for key, column in columns.items():
        drawn = np.flatnonzero(np.isfinite(column) & ((column > 0) | (not log)))
        if drawn.size:
            lasts[key] = drawn[-1]
    ordered = sorted(lasts, key=lambda key: float(columns[key][lasts[key]]))
    wanted = np.array([float(level(columns[key][lasts[key]])) for key in ordered])
    axis = np.ceil(high) - np.floor(low) if log else high - min(low, 0.0)  # which begins and ends at a round number
    placed = pushed_apart(wanted, APART * axis, low, max(high, low + APART * axis * (wanted.size - 1)))
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


def labelled_series(alt: Any, field: str, names: Iterable[str], x: Any, y: Any, **mark: Any) -> Any:
    """The lines of a table `curve` that has a row for each point, each named at its end by the table `ends`."""
    known = tuple(names)
    lines = alt.Chart(alt.NamedData("curve")).mark_line(**mark)
    color = alt.Color(f"{field}:N", legend=None).scale(**look.series(*known))
    return lines.encode(x=x, y=y, color=color) + end_labels(alt, known, x)


def end_labels(alt: Any, names: Iterable[str], x: Any) -> Any:
    """The names at the ends of lines, in their colours."""
    base = alt.Chart(alt.NamedData("ends")).encode(x=f"{x.shorthand}", y="at:Q", text="part:N")
    text: dict[str, Any] = {"align": "left", "baseline": "middle", "dx": 7, "fontSize": 12}
    color = alt.Color("part:N", legend=None).scale(**look.series(*names))
    return base.mark_text(**text, **HALO) + base.mark_text(**text).encode(color=color)


def labelled_lines(alt: Any, names: Mapping[str, str], x: Any, y: Any, **mark: Any) -> Any:
    """The lines of the table `curve`, each named at its end by the table `ends`, in colours that mean something."""
    color = alt.Color("part:N", legend=None).scale(**look.series(*names.values()))
    value = y.shorthand.partition(":")[0]
    lines = (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(names), as_=["key", value])
        .transform_calculate(part=look.naming("key", names))
        .mark_line(**mark)
        .encode(x=x, y=y, color=color)
    )
    return lines + end_labels(alt, names.values(), x)


def named_lines(alt: Any, names: Mapping[str, str], x: Any, y: Any, *, columns: int | None = None, **mark: Any) -> Any:
    """A line for each of these columns of the table `curve`, under the name that readers see."""
    return (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(names), as_=["key", y.shorthand.partition(":")[0]])
        .transform_calculate(part=look.naming("key", names))
        .mark_line(**mark)
        .encode(x=x, y=y, **told_apart(alt, "part", names.values(), columns))
    )
