"""Lecture 6 in pictures: the memories beneath a chip, and a kept prefix in each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calc import catalog
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS
from calc.figure.scenario import CONTEXT, MODEL, PRECISION, SYSTEM
from calc.quantities.units import plain, show
from calc.setting import Scenario

BENEATH = {"lpddr5x-grace": "DRAM", "nvme-gen5-4tb": "Flash", "hdd-24tb": "Disk"}
SOONER, LATER = KINDS = ("sooner than computed", "later, or no room")


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
    """A chip's own memory and three beneath it: how soon a prefix is back, and how often it fits."""
    where = Scenario.named(model, system, precision)
    chips = where.system.chips
    own = Shelf("HBM", where.chip.hbm_bytes, where.chip.hbm_bandwidth, where.weight_bytes / chips)
    tiers = {title: catalog.tier(name) for name, title in BENEATH.items()}
    rows = [own, *(Shelf(title, tier.capacity_bytes, tier.read_bandwidth) for title, tier in tiers.items())]
    prefix = context * where.kv_bytes_per_token
    anew = 2 * where.model.active_params * context / (where.flops / chips)
    back = [prefix / row.bandwidth for row in rows]
    fits = [np.floor(row.free_bytes / prefix) for row in rows]
    early = [bool(seconds < anew and number) for seconds, number in zip(back, fits, strict=True)]
    sooner = [row.name for row, first in zip(rows, early, strict=True) if first]
    return Answer(
        finding=_finding(where, context, anew, sooner),
        description=(
            f"Dot chart, a row for each of four memories, on a logarithmic axis of time: how soon a prefix of "
            f"{show(prefix, 'B')} is back. An upright line marks the {show(anew, 's')} in which a chip computes it "
            "anew. "
            + "; ".join(
                f"{row.name} of {show(row.capacity_bytes, 'B')}, read at {show(row.bandwidth, 'B/s')}, has the prefix "
                f"back in {show(seconds, 's')} and room for {plain(number)} of it"
                for row, seconds, number in zip(rows, back, fits, strict=True)
            )
            + f". The weights fill {show(own.weight_bytes, 'B')} of the first."
        ),
        tables={
            "marks": {
                "row": [f"{row.name}, room for {plain(number)}" for row, number in zip(rows, fits, strict=True)],
                "back": back,
                "anew": [anew] * len(rows),
                "label": [show(seconds, "s") for seconds in back],
                "kind": [SOONER if first else LATER for first in early],
            },
            "line": {"anew": [anew], "label": [f"computed anew: {show(anew, 's')}"], "side": [_side(anew, back)]},
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
        notes=list(where.cache_notes()),
    )


def _finding(where: Scenario, context: float, anew: float, sooner: list[str]) -> str:
    """The memories with room for a prefix that have it back sooner than a chip computes it, in words."""
    prefix = f"A prefix of {show(context, 'tokens', 7)} of {where.model.name}"
    computed = f"a chip of {where.system.name.partition(' (')[0]} computes it anew in {show(anew, 's')}"
    if not sooner:
        return f"{prefix} is back from no memory sooner than {computed}"
    *others, last = (name if name.isupper() else name.lower() for name in sooner)
    named = f"{', '.join(others)} and {last}" if others else last
    return f"{prefix} is back from {named} sooner than {computed}"


def _side(anew: float, back: list[float]) -> str:
    """The side of the line on which its words end, clear of the frame."""
    return "right" if anew > max(back) else "left" if anew < min(back) else "center"


def shelf_chart() -> Any:
    """A row for each memory: a dot where the prefix is back, and a line where it would have been computed."""
    import altair as alt

    marks, line = alt.Chart(alt.NamedData("marks")), alt.Chart(alt.NamedData("line"))
    scale: dict[str, Any] = {"type": "log", "padding": 40, "nice": False}
    x = alt.X("back:Q", title="Until the prefix is back").scale(**scale)
    x = x.axis(**SECONDS, values=[10.0**power for power in range(-7, 6)])
    y = alt.Y("row:N", title=None, sort=None).axis(labelLimit=160, ticks=False, domain=False)
    rule = marks.mark_rule(strokeWidth=1, color=look.FAINT).encode(x=x, x2="anew:Q", y=y)
    points = marks.mark_point(size=95).encode(
        x=x,
        y=y,
        color=alt.Color("kind:N", title=None).scale(domain=list(KINDS), range=[look.CACHE, look.MUTED]),
        shape=alt.Shape("kind:N", title=None).scale(domain=list(KINDS), range=["circle", "diamond"]),
    )
    text = marks.encode(x=x, y=y, text="label:N")
    words: dict[str, Any] = {"dy": -13, "fontSize": 11.5}
    here = line.encode(x=alt.X("anew:Q").scale(**scale))
    label = here.mark_text(y=-6, align=alt.expr("datum.side"), color=look.ACCENT, fontSize=11.5).encode(text="label:N")
    computed = here.mark_rule(color=look.ACCENT, strokeDash=[4, 3], strokeWidth=1.5)
    return rule + computed + label + points + text.mark_text(**words, **HALO) + text.mark_text(**words)


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
        "What V4 keeps at any length is left out.",
    ),
    sources=("lecture", "micron-9550", "exos-x24"),
)

FIGURES = (SHELF,)
