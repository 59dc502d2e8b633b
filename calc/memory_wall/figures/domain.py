"""Lecture 4 in pictures: the memory of a domain, drawn chip by chip, with weights and caches in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from calc import batching, memory_wall
from calc.figure import look
from calc.figure.boxes import boxes_chart, pieces, sides, table
from calc.figure.declared import Answer, Figure, Value
from calc.figure.named import present
from calc.figure.scenario import BATCH, MODEL, PRECISION, SYSTEM
from calc.memory_wall.figures.setting import domain
from calc.memory_wall.figures.shared import LONG_CONTEXT, scale_notes, tokens
from calc.quantities.arithmetic import whole_up
from calc.quantities.units import plain, proportion, show
from calc.setting import Scenario

MOST_CELLS = 72
WEIGHTS, CACHES, FREE, MISSING = PARTS = ("Weights", "Caches", "Free", "Missing")
GAP = 0.07
MOST_APART = 32
SHADES = (1.0, 0.72)
IN_TIME = replace(BATCH, default=3087)  # users of the lecture's case, as many as a promised step reads


def fit(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """Weights and caches poured into the memory of one domain."""
    where = Scenario.named(model, system, precision)
    asked = _asked(where, context, batch)
    cells, chips_each = grid(where.system.chips)
    users = batching.largest_batch(context=context, **domain(where))
    poured = _poured(_ends(asked, batch, float(asked.capacity) / cells), cells)
    return Answer(
        finding=_finding(where, asked, users, context, batch),
        description=(
            f"Drawing of the memory of {where.system.name}, {show(asked.capacity, 'B')}, as {cells} boxes of "
            f"{chips_each} {'chip' if chips_each == 1 else 'chips'} each. Weights fill {show(asked.weights, 'B')}, "
            f"{plain(batch, 9)} {'cache' if batch == 1 else 'caches'} of {tokens(context)} {show(asked.cache, 'B')}; "
            + (f"{show(asked.free, 'B')} are free." if asked.fits else f"{show(-asked.free, 'B')} find no room.")
        ),
        tables={
            "key": present(poured["part"]),
            "boxes": table(sides(_place(cell, cells), GAP) for cell in range(cells)),
            "poured": poured,
            "parts": {
                "part": list(PARTS),
                "bytes": [asked.weights, asked.cache, max(0.0, asked.free), max(0.0, -asked.free)],
            },
        },
        values={
            "users": Value(users, "sequences", "Sequences that fit", _digits(users, batch)),
            "weights": Value(asked.weights, "B", "Weights"),
            "sequence": Value(asked.cache / batch, "B", "Cache of a sequence"),
            "cache": Value(asked.cache, "B", "Caches of the batch"),
            "capacity": Value(asked.capacity, "B", "Memory"),
            "cache_share": Value(asked.cache_share, "%", "Cache in what is stored"),
            "chips": Value(asked.weights / where.chip.hbm_bytes, "chips", "Weights fill"),
            "domains": Value(
                max(1.0, float(whole_up(asked.needed / asked.capacity))), "", "Such domains to hold all", 9
            ),
        },
        notes=_notes(asked, cells, chips_each, where),
    )


def _asked(where: Scenario, context: float, batch: float) -> memory_wall.DomainFit:
    return memory_wall.domain_fit(
        batch,
        context,
        weight_bytes=where.weight_bytes,
        kv_bytes_per_token=where.kv_bytes_per_token,
        chips=where.system.chips,
        hbm_bytes=where.chip.hbm_bytes,
    )


def _finding(where: Scenario, asked: memory_wall.DomainFit, users: float, context: float, batch: float) -> str:
    name = where.system.name
    if asked.weights > asked.capacity:
        return (
            f"{name} cannot hold the weights of {where.model.name}: {show(asked.weights, 'B')} in "
            f"{show(asked.capacity, 'B')} of memory"
        )
    if not users:
        return f"Beside the weights {name} has no room for even one sequence of {tokens(context)}"
    room = f"{plain(users, _digits(users, batch))} sequence{'' if users == 1 else 's'} of {tokens(context)}"
    if asked.fits:
        used = proportion(asked.needed / asked.capacity)
        return f"Beside the weights {name} has room for {room}; both, with your {plain(batch, 9)}, fill {used}"
    return f"Beside the weights {name} has room for {room}, not for your {plain(batch, 9)}"


def _digits(users: float, batch: float) -> int:
    """All digits where rounding would hide which of the two numbers is the larger."""
    return 9 if plain(users) == plain(batch) else 3


def _notes(asked: memory_wall.DomainFit, cells: int, chips_each: int, where: Scenario) -> list[str]:
    each = "A box is the memory of one chip" if chips_each == 1 else f"A box is the memory of {chips_each} chips"
    notes = [f"{each}. Poured in one after the other here; in the machine every chip holds weights and caches."]
    if asked.needed > 2 * asked.capacity:
        times = show(asked.needed / asked.capacity, "x")
        notes.append(f"What is missing is drawn up to one more domain; all together takes {times} the memory.")
    return [*notes, *(scale_notes(where.model) or where.cache_notes())]


def grid(chips: int) -> tuple[int, int]:
    """How many boxes to draw for a domain, and how many chips each of them stands for.

    >>> grid(8), grid(72), grid(9216)
    ((8, 1), (72, 1), (72, 128))
    """
    each = 1
    while chips / each > MOST_CELLS:
        each *= 2
    return int(chips // each), each


def columns(cells: int) -> int:
    """Boxes in a row, so that rows are full and the drawing about twice as wide as high.

    >>> columns(8), columns(72), columns(64)
    (4, 12, 16)
    """
    return next(wide for wide in range(int(np.ceil(np.sqrt(2 * cells))), cells + 1) if cells % wide == 0)


def _place(cell: int, cells: int) -> tuple[int, float]:
    """Column and row of a box; what has no room is drawn below the domain, apart."""
    row, column = divmod(cell, columns(cells))
    return column, row + (0.35 if cell >= cells else 0)


def _ends(asked: memory_wall.DomainFit, batch: float, per_cell: float) -> list[tuple[str, float, float]]:
    """Where each part ends, counted in boxes, and its shade; few caches are told apart by alternating shades."""
    apart = int(batch) if batch <= MOST_APART else 1
    caches = [
        (CACHES, asked.weights + asked.cache * (place + 1) / apart, SHADES[place % len(SHADES)])
        for place in range(apart)
    ]
    parts = [(WEIGHTS, asked.weights, 1.0), *caches, (FREE, max(asked.capacity, asked.needed), 1.0)]
    return [(part, float(end) / per_cell, shade) for part, end, shade in parts]


def _poured(ends: list[tuple[str, float, float]], cells: int) -> dict[str, list[Any]]:
    """The space that each part fills; beyond the last box it is missing, for one more domain."""
    return table(
        {"part": ends[part][0] if cell < cells else MISSING, "shade": ends[part][2]}
        | sides(_place(cell, cells), GAP, left, right)
        for part, cell, left, right in pieces([end for _, end, _ in ends], 2 * cells)
    )


def fit_chart() -> Any:
    """Boxes of memory, filled from the upper left; what finds no room stands below them."""
    import altair as alt

    colours = [look.WEIGHTS, look.CACHE, look.GRID, look.FREE[0]]
    x = alt.X("x:Q", title=None).scale(nice=False, zero=False)
    return boxes_chart(alt, dict(zip(PARTS, colours, strict=True)), x, stroke=look.MUTED, strokeWidth=1)


FIT = Figure(
    name="memory_wall/fit",
    inputs=(MODEL, SYSTEM, PRECISION, LONG_CONTEXT, IN_TIME),
    compute=fit,
    chart=fit_chart,
    table="parts",
    columns={"part": "Part", "bytes": "Bytes"},
    assumptions=(
        "All memory holds weights or caches; activations, buffers and fragments take their share of a real one.",
        "One copy of the weights in the domain. Every sequence has the same context.",
    ),
    foremost=4,
    sources=("lecture", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)

FIGURES = (FIT,)
