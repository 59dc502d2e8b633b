"""Lecture 6 in pictures: the memories beneath a chip, and a kept prefix in each of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO
from calc.figure.scenario import CONTEXT, MODEL, PRECISION, SYSTEM
from calc.quantities.units import plain, show
from calc.setting import Scenario

BENEATH = {"lpddr5x-grace": "DRAM", "nvme-gen5-4tb": "Flash", "hdd-24tb": "Disk"}
WEIGHTS, PREFIX = "weights", "the prefix's cache"
SMALLEST = 1e10  # bytes of the box whose width would be none; each tenfold adds as much
WIDE, ROOM = 1.0, 1.62  # right ends of the widest box, and of the words beside it
THIN = 0.012  # the least width at which a part of a box is seen
TALL, GAP = 1.0, 0.75  # of a box, and of the space over it, where its name stands


@dataclass(frozen=True)
class Shelf:
    """A memory beneath a chip: what it holds, how fast it is read, and how much of it weights take."""

    name: str
    capacity_bytes: float
    bandwidth: float
    weight_bytes: float = 0.0

    @property
    def drain_seconds(self) -> float:
        """Time in which it is read whole."""
        return self.capacity_bytes / self.bandwidth

    @property
    def free_bytes(self) -> float:
        """Bytes that the weights leave."""
        return max(self.capacity_bytes - self.weight_bytes, 0.0)


def shelf(*, model: str, system: str, precision: str, context: float) -> Answer:
    """A chip's own memory and three beneath it: how often a prefix fits, and how soon it is back."""
    where = Scenario.named(model, system, precision)
    chips = where.system.chips
    own = Shelf("HBM", where.chip.hbm_bytes, where.chip.hbm_bandwidth, where.weight_bytes / chips)
    tiers = {title: catalog.tier(name) for name, title in BENEATH.items()}
    rows = [own, *(Shelf(title, tier.capacity_bytes, tier.read_bandwidth) for title, tier in tiers.items())]
    prefix = context * where.kv_bytes_per_token
    anew = 2 * where.model.active_params * context / (where.flops / chips)
    back = [prefix / row.bandwidth for row in rows]
    fits = [np.floor(row.free_bytes / prefix) for row in rows]
    sooner = [row.name for row, seconds in zip(rows, back, strict=True) if seconds < anew]
    return Answer(
        finding=(
            f"A prefix of {show(prefix, 'B')} is back from flash in {show(back[2], 's')}; "
            f"a chip computes it anew in {show(anew, 's')}"
        ),
        description=(
            "Drawing of four memories as boxes, the fastest on top and wider with each tenfold of what they hold: "
            + "; ".join(
                f"{row.name} of {show(row.capacity_bytes, 'B')}, read at {show(row.bandwidth, 'B/s')}, has the prefix "
                f"back in {show(seconds, 's')} and room for {plain(number)} of it"
                for row, seconds, number in zip(rows, back, fits, strict=True)
            )
            + f". The weights fill {show(own.weight_bytes, 'B')} of the first."
        ),
        tables={
            "boxes": _boxes(rows),
            "parts": _parts(rows, prefix),
            "names": {
                "x": [0.0] * len(rows),
                "y": [_top(row) for row in range(len(rows))],
                "label": [_name(row) for row in rows],
            },
            "words": {
                "x": [WIDE] * len(rows),
                "y": [_top(row) + TALL / 2 for row in range(len(rows))],
                "label": [
                    f"back in {show(seconds, 's')}\n{plain(number)} of them fit"
                    for seconds, number in zip(back, fits, strict=True)
                ],
            },
            "shelves": {
                "name": [row.name for row in rows],
                "capacity": [row.capacity_bytes for row in rows],
                "bandwidth": [row.bandwidth for row in rows],
                "drain": [row.drain_seconds for row in rows],
                "back": back,
                "fits": fits,
            },
        },
        values={
            "prefix": Value(prefix, "B", "Cache of the prefix"),
            "anew": Value(anew, "s", "Computed anew on a chip, at least"),
            "hbm": Value(back[0], "s", "Back from HBM"),
            "dram": Value(back[1], "s", "from DRAM"),
            "flash": Value(back[2], "s", "from a flash drive"),
            "disk": Value(back[3], "s", "from a disk"),
            "fit": Value(fits[0], "", "Of them fit beside the weights of a chip"),
        },
        notes=[
            f"Sooner back than computed: from {', '.join(sooner)}." if sooner else "Computing anew is soonest.",
            *where.cache_notes(),
        ],
    )


def _name(row: Shelf) -> str:
    return f"{row.name}, {show(row.capacity_bytes, 'B')} at {show(row.bandwidth, 'B/s')}"


def _top(row: int) -> float:
    return row * (TALL + GAP) + GAP


def _width(row: Shelf) -> float:
    widest = log10(catalog.tier("hdd-24tb").capacity_bytes / SMALLEST)
    return min(max(log10(row.capacity_bytes / SMALLEST), 0.1) / widest, 1.0) * (WIDE - 0.04)


def _boxes(rows: list[Shelf]) -> dict[str, list[float]]:
    tops = [_top(place) for place in range(len(rows))]
    return {
        "x": [0.0] * len(rows),
        "x2": [_width(row) for row in rows],
        "y": tops,
        "y2": [top + TALL for top in tops],
    }


def _parts(rows: list[Shelf], prefix: float) -> dict[str, list[Any]]:
    """Weights from the left of the first box, and the prefix after them in each, no thinner than can be seen."""
    found: dict[str, list[Any]] = {"x": [], "x2": [], "y": [], "y2": [], "part": []}
    for place, row in enumerate(rows):
        left, width = 0.0, _width(row)
        for part, size in ((WEIGHTS, row.weight_bytes), (PREFIX, prefix)):
            right = min(left + max(size / row.capacity_bytes * width, THIN if size else 0.0), width)
            if right > left:
                for key, value in zip(found, (left, right, _top(place), _top(place) + TALL, part), strict=True):
                    found[key].append(value)
            left = right
    return found


def shelf_chart() -> Any:
    """Four boxes under each other with weights and a prefix in them, and words beside them."""
    import altair as alt

    x = alt.X("x:Q", title=None).scale(domain=[0, ROOM], nice=False, zero=False).axis(None)
    bottom = _top(len(BENEATH)) + TALL
    y = alt.Y("y:Q", title=None).scale(domain=[0, bottom + 0.1], reverse=True, nice=False, zero=False).axis(None)
    sides = {"x": x, "x2": "x2:Q", "y": y, "y2": "y2:Q"}

    def boxes(table: str, **mark: Any) -> Any:
        return alt.Chart(alt.NamedData(table)).mark_rect(**mark).encode(**sides)

    def words(table: str, **mark: Any) -> Any:
        base = alt.Chart(alt.NamedData(table)).encode(x=x, y=y, text="label:N")
        return base.mark_text(align="left", **mark, **HALO) + base.mark_text(align="left", **mark)

    kinds = {WEIGHTS: look.WEIGHTS, PREFIX: look.CACHE}
    colour = alt.Color("part:N", title=None).scale(domain=list(kinds), range=list(kinds.values())).legend(offset=6)
    parts = alt.Chart(alt.NamedData("parts")).mark_rect().encode(**sides, color=colour)
    return (
        boxes("boxes", fill=look.GRID)
        + parts
        + boxes("boxes", fill=None, stroke=look.MUTED, strokeWidth=1, cornerRadius=2)
        + words("names", baseline="bottom", dy=-5, fontSize=12.5)
        + words("words", baseline="middle", dx=6, dy=-6, fontSize=12.5, lineBreak="\n", lineHeight=15)
    )


SHELF = Figure(
    name="pricing/shelf",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT),
    compute=shelf,
    chart=shelf_chart,
    table="shelves",
    columns={
        "name": "Memory",
        "capacity": "Holds (B)",
        "bandwidth": "Read at (B/s)",
        "drain": "Read whole in (s)",
        "back": "Prefix back in (s)",
        "fits": "Prefixes that fit",
    },
    assumptions=(
        "One chip, with an even share of the weights and as much of the prefix as it computes alone. Layouts that copy "
        "some weights leave less room (lecture 8).",
        "One device beneath it, read at its rated speed; a slower link between it and the chip is left out.",
        "Computing anew: two operations a parameter and token at the chip's full rate, attention left out.",
        "Each tenfold of bytes adds the same width to a box; parts too thin are widened.",
    ),
    sources=("lecture", "micron-9550", "exos-x24"),
)

FIGURES = (SHELF,)
