"""Memory drawn as boxes, into which parts are poured one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from calc.figure.named import key_layer


def pieces(ends: Iterable[float], most: float = math.inf) -> Iterator[tuple[int, int, float, float]]:
    """Every box, or piece of one, that a part fills: which part, which box, and from where to where in it.

    Parts end where `ends` says, counted in boxes.

    >>> list(pieces([0.5, 1.25]))
    [(0, 0, 0.0, 0.5), (1, 0, 0.5, 1.0), (1, 1, 0.0, 0.25)]
    """
    for part, (start, end) in enumerate(pairwise([0.0, *ends])):
        for box in range(int(start), int(min(np.ceil(round(end, 9)), most))):
            left, right = max(start - box, 0.0), min(end - box, 1.0)
            if right > left:
                yield part, box, left, right


def sides(place: tuple[float, float], gap: float, left: float = 0.0, right: float = 1.0) -> dict[str, float]:
    """The sides of a box at this column and row, or of a piece of it."""
    x, y = place[0] + gap / 2, place[1] + gap
    return {"x": x + left * (1 - gap), "x2": x + right * (1 - gap), "y": y, "y2": y + 1 - 2 * gap}


def table(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Rows of one shape, as columns."""
    known = list(rows)
    return {key: [row[key] for row in known] for key in known[0]}


def boxes_chart(alt: Any, colours: Mapping[str, str], x: Any, **frame: Any) -> Any:
    """The pieces of the table `poured`, coloured by part, in the frames of the table `boxes`, under their `key`."""
    y = alt.Y("y:Q", title=None).scale(nice=False, zero=True, reverse=True).axis(None)
    sides = {"x": x.axis(None), "x2": "x2:Q", "y": y, "y2": "y2:Q"}
    parts: dict[str, list[str]] = {"domain": list(colours), "range": list(colours.values())}
    poured = (
        alt.Chart(alt.NamedData("poured"))
        .mark_rect()
        .encode(
            **sides,
            fillOpacity=alt.FillOpacity("shade:Q", legend=None).scale(None),
            color=alt.Color("part:N", legend=None).scale(**parts),
        )
    )
    frames = alt.Chart(alt.NamedData("boxes")).mark_rect(fill=None, cornerRadius=2, **frame).encode(**sides)
    return poured + frames + key_layer(alt, parts)
