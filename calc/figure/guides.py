"""Marks that several charts share: named lines, rules where something changes, and the reader's own setting."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from json import dumps
from typing import Any

import numpy as np

from calc.figure import look

SECONDS: dict[str, Any] = {"labelExpr": "format(datum.value, '~s') + 's'"}  # an axis of seconds: 10ms rather than 10m


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


def here_layer(alt: Any, x: str, y: str, **mark: Any) -> Any:
    """The reader's setting, from the table `here`."""
    return alt.Chart(alt.NamedData("here")).mark_point(**look.HERE, **mark).encode(x=f"{x}:Q", y=f"{y}:Q")


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


def named_lines(alt: Any, names: Mapping[str, str], x: Any, y: Any, *, columns: int | None = None, **mark: Any) -> Any:
    """A line for each of these columns of the table `curve`, under the name that readers see."""
    return (
        alt.Chart(alt.NamedData("curve"))
        .transform_fold(list(names), as_=["key", y.shorthand.partition(":")[0]])
        .transform_calculate(part=look.naming("key", names))
        .mark_line(**mark)
        .encode(x=x, y=y, **told_apart(alt, "part", names.values(), columns))
    )
