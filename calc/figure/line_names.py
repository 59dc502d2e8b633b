"""Lines that are told apart by name: at their ends, pushed apart where they meet, or in a legend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from json import dumps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.figure import look
from calc.figure.guides import HALO

APART = 0.062  # of an axis, between the labels of two lines


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


def dashed_only(alt: Any, field: str, names: Iterable[str]) -> Any:
    """A dash for each named series that the legend does not repeat: round a marker it would fray it."""
    scale = look.dashes(*names)
    rows = zip(scale["domain"], scale["range"], strict=True)
    return alt.StrokeDashValue(
        [1, 0], condition=[{"test": f"datum.{field} == {dumps(name)}", "value": dash} for name, dash in rows]
    )


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
