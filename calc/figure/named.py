"""Names that stand beside what they name: at the dots of a row, at the first of a group, over parts of bars.

Each function makes a table of names; `name_layer` draws one, every name in the colour of what it names.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from calc.figure.guides import HALO

LETTER = 6.5  # pixels, of a name's letter
BESIDE = 10  # pixels from a dot to its name
BEFORE = 3  # names of a bar that may push one along
Names = dict[str, list[Any]]


def pair(rows: Sequence[str], first: Sequence[float], second: Sequence[float], kinds: Mapping[str, str]) -> Names:
    """Both dots of a row in which they lie far apart, by their logarithms, and near the middle; named on the outside.

    `kinds` says how both are called, by kind.

    >>> pair(["A", "B"], [1.0, 8.0], [2.0, 1.0], {"Floor": "floor", "Drain": "drain"})["row"]
    ['B', 'B']
    """
    there = [(row, one, two) for row, one, two in zip(rows, first, second, strict=True) if one > 0 and two > 0]
    if not there:
        return _table([])
    apart = max(abs(math.log(two / one)) for _, one, two in there)
    middle = math.log(min(min(one, two) for _, one, two in there) * max(max(one, two) for _, one, two in there)) / 2
    wide = [each for each in there if abs(math.log(each[2] / each[1])) >= apart / 2]
    row, one, two = min(wide, key=lambda each: abs(math.log(each[1] * each[2]) / 2 - middle))
    sides = ("right", "left") if one < two else ("left", "right")
    named = zip(kinds.items(), (one, two), sides, strict=True)
    return _table([(row, at, part, label, side, BESIDE) for (part, label), at, side in named])


def first_of(rows: Iterable[tuple[str, float, str]], skip: str = "") -> Names:
    """The first dot of each group, of dots that have a row, a place and a group; never in the row to `skip`.

    >>> first_of([("A", 1.0, "old"), ("B", 2.0, "old"), ("C", 3.0, "new")])["row"]
    ['A', 'C']
    """
    first: dict[str, tuple[str, float]] = {}
    for row, at, part in rows:
        if row != skip:
            first.setdefault(part, (row, at))
    return _table([(row, at, part, part.lower(), "left", BESIDE) for part, (row, at) in first.items()])


def over_bars(cells: Iterable[tuple[str, str, float, float]]) -> Names:
    """Each part over the first bar that has it, of parts with row, name, beginning and end; at most four in a bar.

    A name stands behind those before it where they reach over its part: each brings their places, and their lengths.

    >>> over_bars([("read", "Cache", 0.0, 1.0), ("read", "Link", 1.0, 10.0)])["row"]
    ['read', 'read']
    """
    said: set[str] = set()
    before: dict[str, list[tuple[float, float]]] = {}
    named, behind = [], []
    for row, part, start, end in cells:
        if part in said or end <= start:
            continue
        said.add(part)
        others = before.setdefault(row, [])
        reach = [(at, sum(length for _, length in others[place:])) for place, (at, _) in enumerate(others)]
        behind.append([*reach, *[(start, 0)] * BEFORE][:BEFORE])
        named.append((row, start, part, part, "left", 0))
        others.append((start, LETTER * (len(part) + 1)))
    columns = {
        f"{name}{place}": [each[place][at] for each in behind]
        for place in range(BEFORE)
        for at, name in enumerate(("from", "off"))
    }
    return _table(named) | columns


def present(parts: Iterable[str]) -> Names:
    """A key to the parts that are drawn, each once.

    >>> present(["Weights", "Weights", "Free"])["part"]
    ['Weights', 'Free']
    """
    drawn = list(dict.fromkeys(parts))
    wide = 24 + 6 * max(map(len, drawn), default=0)
    return {
        "part": drawn,
        "place": list(range(len(drawn))),
        "many": [len(drawn)] * len(drawn),
        "wide": [wide] * len(drawn),
    }


def _table(cells: Sequence[tuple[str, float, str, str, str, float]]) -> Names:
    columns = ("row", "at", "part", "label", "align", "dx")
    return {name: [cell[place] for cell in cells] for place, name in enumerate(columns)}


def name_layer(alt: Any, colours: Mapping[str, Any], y: Any, *, over: float = 0) -> Any:
    """The names of the table `named` in these colours; `over` is the share of its band of a bar over which they stand.

    One that would reach over an end of the frame stands on the other side of its dot.
    """
    base = alt.Chart(alt.NamedData("named")).encode(y=y, text="label:N")
    text: dict[str, Any] = {"fontSize": 12}
    if over:
        places = ", ".join(f"scale('x', datum.from{each}) + datum.off{each}" for each in range(BEFORE))
        last = f"width - 6 - {LETTER} * length(datum.label)"
        text |= {"x": alt.expr(f"min(max(scale('x', datum.at), {places}), {last})"), "align": "left"}
        text |= {"baseline": "bottom", "dy": alt.expr(f"-{over / 2} * bandwidth('y') - 3")}
    else:
        room, place = f"({LETTER} * length(datum.label) + datum.dx)", "scale('x', datum.at)"
        beyond = f"{place} > width - {room} && datum.dx == {BESIDE}"
        side = f"datum.align == 'right' ? ({place} < {room} ? 'left' : 'right') : {beyond} ? 'right' : 'left'"
        base = base.encode(x="at:Q")
        text |= {"align": alt.expr(side), "dx": alt.expr(f"({side}) == 'left' ? datum.dx : -datum.dx")}
    color = alt.Color("part:N", legend=None).scale(**colours)
    return base.mark_text(**text, **HALO) + base.mark_text(**text).encode(color=color)


def key_layer(alt: Any, colours: Mapping[str, Any], *, above: int = 12) -> Any:
    """The parts of the table `key` in rows above the frame, with a square of their colour each."""
    a_row = "max(1, floor(width / datum.wide))"
    rows_below = f"ceil(datum.many / {a_row}) - 1 - floor(datum.place / {a_row})"
    across, down = f"datum.wide * (datum.place % {a_row})", f"-{above} - 17 * ({rows_below})"
    base = alt.Chart(alt.NamedData("key"))
    color = alt.Color("part:N", legend=None).scale(**colours)
    square: dict[str, Any] = {"shape": "square", "size": 110, "opacity": 1}
    squares = base.mark_point(**square, x=alt.expr(f"5 + {across}"), y=alt.expr(down)).encode(color=color)
    words = base.mark_text(align="left", x=alt.expr(f"16 + {across}"), y=alt.expr(down), fontSize=12)
    return squares + words.encode(text="part:N")
