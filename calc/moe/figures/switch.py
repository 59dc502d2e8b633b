"""Lecture 2 in pictures: one message round a ring of chips, and over a switch."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.quantities.units import plain
from calc.step.collectives import mean_hops

MOST = 16
RING, SWITCH = 0.0, 1.0  # where the halves of the drawing begin
MIDDLE, DOWN, RADIUS = 0.5, 0.55, 0.37  # of a half: the middle of its circle, and how far out its chips stand

AROUND = Number(
    name="around",
    label="Chips",
    default=8,
    low=4,
    high=MOST,
    whole=True,
    help="Chips that stand in the ring, or round the switch.",
)
TO = Number(
    name="to",
    label="Message to chip",
    default=5,
    low=2,
    high=MOST,
    whole=True,
    help="Chip 1 sends. A number beyond the last chip means the last.",
)


def paths(*, around: float, to: float) -> Answer:
    """The links that one message takes up, from the first chip to another, round a ring and over a switch."""
    chips = int(around)
    end = min(int(to), chips) - 1
    hops = min(end, chips - end)
    way = range(hops + 1) if end <= chips - end else range(0, -hops - 1, -1)
    stops = [place % chips for place in way]
    ring, switch = ([_place(half, place, chips) for place in range(chips)] for half in (RING, SWITCH))
    hub = (SWITCH + MIDDLE, DOWN)
    mean = float(mean_hops(chips)) * chips / (chips - 1)
    links = f"{plain(hops)} link{'' if hops == 1 else 's'}"
    return Answer(
        finding=(
            f"Round a ring of {chips} a message from chip 1 to chip {end + 1} takes up {links} between chips; a switch "
            "passes it straight to its receiver"
        ),
        description=(
            f"Two drawings of {chips} chips in a circle. On the left each is linked to its two neighbours, and the "
            f"message from chip 1 to chip {end + 1} runs over {links}. On the right each is linked to a switch in the "
            "middle, and the message runs to the switch and on to its receiver."
        ),
        tables={
            "links": _rules([(ring[place], ring[(place + 1) % chips]) for place in range(chips)]),
            "spokes": _rules([(place, hub) for place in switch]),
            "way": _rules(
                [(ring[here], ring[there]) for here, there in pairwise(stops)] + [(switch[0], hub), (hub, switch[end])]
            ),
            "chips": {
                "x": [x for x, _ in ring + switch],
                "y": [y for _, y in ring + switch],
                "label": [str(place + 1) for place in range(chips)] * 2,
                "met": [place in stops for place in range(chips)] + [place in (0, end) for place in range(chips)],
            },
            "hub": {"x": [hub[0]], "y": [hub[1]], "label": ["switch"]},
            "words": {"x": [RING, SWITCH + 0.04], "label": [f"Ring: {links} taken", "Switch: straight across"]},
            "receivers": {
                "to": [place + 1 for place in range(1, chips)],
                "hops": [min(place, chips - place) for place in range(1, chips)],
            },
        },
        values={
            "hops": Value(hops, "", "Links of the ring that it takes up"),
            "mean": Value(mean, "", "The same, the mean of all receivers"),
            "rate": Value(1 / mean, "%", "An all-to-all round the ring has of the links' rate"),
            "chips": Value(chips, "", "Chips"),
        },
    )


def _place(half: float, place: int, chips: int) -> tuple[float, float]:
    """Where a chip stands on its circle, the first on top."""
    turn = 2 * math.pi * place / chips
    return half + MIDDLE + RADIUS * math.sin(turn), DOWN - RADIUS * math.cos(turn)


def _rules(found: list[tuple[tuple[float, float], tuple[float, float]]]) -> dict[str, list[float]]:
    return {
        "x": [start[0] for start, _ in found],
        "y": [start[1] for start, _ in found],
        "x2": [end[0] for _, end in found],
        "y2": [end[1] for _, end in found],
    }


def paths_chart() -> Any:
    """A ring beside a star: the links of a message thick in both."""
    import altair as alt

    x = alt.X("x:Q", title=None).scale(domain=[0, 2], nice=False).axis(None)
    y = alt.Y("y:Q", title=None).scale(domain=[0, 1], nice=False, reverse=True).axis(None)
    rule = {"x": x, "x2": "x2:Q", "y": y, "y2": "y2:Q"}
    faint = [
        alt.Chart(alt.NamedData(name)).mark_rule(color=look.FAINT, strokeWidth=1.5).encode(**rule)
        for name in ("links", "spokes")
    ]
    way = alt.Chart(alt.NamedData("way")).mark_rule(color=look.LINKS, strokeWidth=3.5, opacity=1).encode(**rule)
    edge = alt.expr(f"datum.met ? '{look.LINKS}' : '{look.MUTED}'")
    chips = alt.Chart(alt.NamedData("chips")).encode(x=x, y=y)
    boxes = chips.mark_point(size=420, fill=look.PAPER, stroke=edge, strokeWidth=1.5, opacity=1)
    hub = alt.Chart(alt.NamedData("hub")).encode(x=x, y=y)
    core = hub.mark_point(shape="square", size=2300, fill=look.PAPER, stroke=look.LINKS, strokeWidth=1.5, opacity=1)
    words = alt.Chart(alt.NamedData("words")).mark_text(align="left", y=8, fontSize=12.5, fontWeight=600)
    return alt.layer(
        *faint,
        way,
        boxes,
        chips.mark_text(fontSize=12).encode(text="label:N"),
        core,
        hub.mark_text(fontSize=12).encode(text="label:N"),
        words.encode(x=x, text="label:N"),
    )


PATHS = Figure(
    name="moe/switch",
    inputs=(AROUND, TO),
    compute=paths,
    chart=paths_chart,
    table="receivers",
    columns={"to": "To chip", "hops": "Links of the ring"},
    assumptions=(
        "A message takes the shorter way round. In an all-to-all every chip sends equally much to every other, and "
        "all links of the ring are busy: each chip has what its links carry, divided by the mean number of links. "
        "Over a switch it has all.",
    ),
    sources=("lecture", "tpu-v7-docs"),
)
