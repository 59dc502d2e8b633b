"""Lecture 2 in pictures: the rack. Experts on their chips, and who is sent where."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc import moe
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.figure.named import key_layer, present
from calc.figure.scenario import BATCH, MODEL, SYSTEM
from calc.moe import routing
from calc.moe.figures.shared import EVEN, THROW
from calc.quantities.check import Array
from calc.quantities.units import plain, show
from calc.setting import Scenario

MOST_THROWN = 4096
MOST_DRAWN = 256  # chips; of a larger domain only those with experts are drawn
ROUTER = 0.085  # its height
ARRIVES, RIGHT = 0.22, 0.985  # where the token stands, and where the words on the right end
TOP = 0.2  # the part of the drawing above the rack, where the router stands
KINDS = ("Expert", "Redundant expert")
REDUNDANT = Number(
    name="redundant",
    label="Redundant experts",
    default=0,
    low=0,
    high=256,
    whole=True,
    help="The most loaded experts are copied first; copies share the load.",
)


def rack(*, model: str, system: str, batch: float, redundant: float, throw: float) -> Answer:
    """Experts on the chips of one domain, and how many tokens of a throw each of them gets."""
    where = Scenario.named(model, system, "bf16")
    experts, picks = where.model.routed
    tokens = min(int(batch), MOST_THROWN)
    choices = routing.drawn_choices(tokens, experts, picks, int(throw))
    placed = moe.place_experts(experts, where.system.chips, redundant)
    loads = np.count_nonzero(choices, axis=0).astype(np.float64)
    mean = routing.tokens_per_expert(tokens, experts, picks)
    per_chip, used = int(placed.experts_per_chip), int(placed.chips_used)
    owner = _slots(loads, int(redundant), per_chip)
    slot_loads = loads[owner] / np.bincount(owner)[owner]
    chip_loads = np.bincount(np.arange(len(owner)) // per_chip, weights=slot_loads, minlength=used)
    fair = tokens * picks / where.system.chips
    shown = where.system.chips if where.system.chips <= MOST_DRAWN else used
    boxes = _grid(shown)
    slots = _inside(boxes, per_chip, len(owner))
    expected = routing.busiest_expert(batch, experts, picks)
    busiest, luck = chip_loads.max() / fair, chip_loads.max() * used / (tokens * picks)
    stand = f"{plain(experts, 9)} experts" + (f" and {show(redundant, 'copies', 9)}" if redundant else "")
    held = np.pad(chip_loads, (0, shown - used)) if shown > used else chip_loads
    return Answer(
        finding=_rack_finding(where.model.name, where.model.dense, placed, where.system.chips, stand, luck),
        description=f"Drawing of {plain(shown, 9)} chips of {where.system.name} in a grid. "
        + (
            f"One of them holds a layer of {where.model.name} whole, and a line leads from a token to it."
            if where.model.dense
            else f"{plain(used, 9)} hold {plain(per_chip, 9)} of the {stand} of a layer of "
            f"{where.model.name}; an expert is the stronger in colour, the more of {show(tokens, 'tokens', 9)} it was "
            f"sent. Lines lead from one token by a router to its {picks} experts. The busiest chip, ringed, has "
            f"{show(luck, 'x')} their average."
        ),
        tables={
            "chips": {
                "chip": list(range(1, shown + 1)),
                "experts": np.bincount(np.arange(len(owner)) // per_chip, minlength=shown)[:shown],
                "tokens": held,
                "busiest": held == held.max(),
                **boxes,
            },
            "slots": {
                "kind": [KINDS[0]] * experts + [KINDS[1]] * (len(owner) - experts),
                "load": np.round(slot_loads / mean, 1),  # as fine as shades are told apart
                **slots,
            },
            "token": _lines(slots, np.flatnonzero(choices[0])),
            "key": present([*KINDS[:1], *(KINDS[1:] if len(owner) > experts else ())]),
            "router": {"x": [0.3], "x2": [0.62], "y": [0.0], "y2": [ROUTER]},
            "arrives": {"x": [ARRIVES], "x2": [0.3], "y": [ROUTER / 2], "y2": [ROUTER / 2]},
            "words": {
                "x": [0.46, ARRIVES - 0.02, RIGHT, RIGHT],
                "y": [ROUTER / 2, ROUTER / 2, ROUTER / 5, ROUTER],
                "align": ["center", "right", "right", "right"],
                "label": [f"Router: {picks} of {experts}", "one token", "faint: few tokens", "ringed: busiest chip"],
            },
        },
        values={
            "per_chip": Value(per_chip, "", "Experts on a chip"),
            "idle": Value(placed.chips_idle, "chips", "Chips without", 9),
            "thrown": Value(loads.max() / mean, "x", "Busiest expert of this throw, times the average"),
            "luck": Value(luck, "x", "Busiest chip of it, times the average with experts"),
            "chip": Value(busiest, "x", "Busiest chip of the throw, over a fair share"),
            "fair": Value(fair, "picks", "A fair share of a chip"),
            "busy": Value(chip_loads.max(), "picks", "The busiest chip of the throw"),
            "placed": Value(where.system.chips / used, "x", "A chip with experts expects, over a fair share", 4),
            "used": Value(used, "chips", "Chips with experts", 9),
            "idle_share": Value(placed.idle_share, "%", "Share without"),
            "fill": Value(placed.copies_to_fill, "copies", "More copies would fill every chip", 9),
            "mean": Value(batch * picks / experts, "tokens", "An expert gets, on average"),
            "expected": Value(expected.imbalance, "x", "Busiest expert, mean of all throws, at least"),
        },
        notes=_rack_notes(int(batch), shown, where.system.chips),
    )


def _rack_finding(name: str, dense: bool, placed: moe.Placement, chips: int, held: str, luck: float) -> str:
    if dense:
        return f"{name} is dense: it has no experts to place, and nothing to route"
    used, idle = plain(placed.chips_used, 9), plain(placed.chips_idle, 9)
    each = f"{plain(placed.experts_per_chip, 9)} on a chip"
    where = f"{used} of {plain(chips, 9)} chips ({idle} without any)" if placed.chips_idle else f"all {used} chips"
    return f"{held}, {each}, take {where}; the busiest chip has {show(luck, 'x')} their average"


def _rack_notes(batch: int, shown: int, chips: int) -> list[str]:
    notes = []
    if batch > MOST_THROWN:
        notes.append(f"Thrown for {MOST_THROWN:,} tokens. A larger batch is more even, as the expected load says.")
    if shown < chips:
        notes.append(f"{chips - shown:,} chips without experts are not drawn.")
    return notes


def _slots(loads: Array, redundant: int, per_chip: int) -> NDArray[np.intp]:
    """The expert in each slot: all of them in order, then copies of the most loaded, dealt over the chips with room."""
    hottest = np.argsort(-loads, kind="stable")
    owner = np.append(np.arange(len(loads)), np.zeros(redundant, dtype=np.intp)).astype(np.intp)
    chip, place = np.divmod(np.arange(len(loads), len(owner)), per_chip)
    owner[len(loads) + np.lexsort((chip, place))] = hottest[np.arange(redundant) % len(loads)]
    return owner


def _columns(count: int, aspect: float) -> int:
    """Columns of a grid of about this aspect, chosen so that the last row is as full as possible."""
    ideal = math.sqrt(aspect * count)
    tried = range(max(1, math.ceil(0.7 * ideal)), max(1, math.floor(1.5 * ideal)) + 1)
    return min(tried, key=lambda columns: (-count % columns, abs(columns - ideal)))


def _grid(count: int) -> dict[str, Any]:
    """Boxes of a grid on the unit square below the router."""
    columns = _columns(count, 1.15)
    rows = math.ceil(count / columns)
    place = np.arange(count)
    gap = 0.1
    x, y = place % columns / columns, TOP + (1 - TOP) * (place // columns) / rows
    return {
        "x": x,
        "x2": x + (1 - gap) / columns,
        "y": y,
        "y2": y + (1 - TOP) * (1 - gap) / rows,
    }


def _inside(boxes: dict[str, Any], per_box: int, count: int) -> dict[str, Any]:
    """Boxes inside boxes, with a margin: slot s lies in box s // per_box."""
    columns = _columns(per_box, 1.6)
    rows = math.ceil(per_box / columns)
    slot = np.arange(count)
    box, place = slot // per_box, slot % per_box
    wide, high = (boxes["x2"] - boxes["x"])[box], (boxes["y2"] - boxes["y"])[box]
    margin, size, part = 0.1, 0.8, 0.86
    between = (1 - part) / 2
    x = boxes["x"][box] + wide * (margin + size * (place % columns + between) / columns)
    y = boxes["y"][box] + high * (margin + size * (place // columns + between) / rows)
    return {"x": x, "x2": x + part * size * wide / columns, "y": y, "y2": y + part * size * high / rows}


def _lines(slots: dict[str, Array], chosen: NDArray[np.intp]) -> dict[str, Any]:
    """From the router to the middle of each chosen slot."""
    start = np.linspace(0.36, 0.56, len(chosen)) if len(chosen) > 1 else np.array([0.46])
    return {
        "x": start,
        "y": np.full(len(chosen), ROUTER),
        "x2": (slots["x"] + slots["x2"])[chosen] / 2,
        "y2": (slots["y"] + slots["y2"])[chosen] / 2,
    }


def rack_chart() -> Any:
    """A router above a grid of chips; in every chip its experts, stronger in colour with load; lines for one token."""
    import altair as alt

    unit: dict[str, Any] = {"domain": [0, 1], "nice": False, "zero": False}
    x = alt.X("x:Q", title=None).scale(**unit).axis(None)
    y = alt.Y("y:Q", title=None).scale(**unit, reverse=True).axis(None)
    chips = alt.Chart(alt.NamedData("chips")).mark_rect(
        fill="transparent",
        stroke=alt.expr(f"datum.busiest ? '{look.INK}' : '{look.MUTED}'"),
        strokeWidth=alt.expr("datum.busiest ? 3 : 1"),
        cornerRadius=3,
    )
    experts = alt.Chart(alt.NamedData("slots")).mark_rect(strokeWidth=0.8, strokeOpacity=0.7)
    router = alt.Chart(alt.NamedData("router"))
    words = alt.Chart(alt.NamedData("words"))
    token, arrives = (alt.Chart(alt.NamedData(name)) for name in ("token", "arrives"))
    load = alt.FillOpacity("load:Q", legend=None).scale(domain=[0.4, 1.6], range=[0.05, 1], clamp=True)
    colours: dict[str, Any] = {"domain": list(KINDS), "range": [look.WEIGHTS, look.FREE[0]]}
    return (
        chips.encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
        + experts.encode(
            x=x,
            x2="x2:Q",
            y=y,
            y2="y2:Q",
            fill=alt.Fill("kind:N", legend=None).scale(**colours),
            stroke=alt.Stroke("kind:N", legend=None).scale(**colours),
            fillOpacity=load,
        )
        + token.mark_rule(color=look.LINKS, strokeWidth=1.4, opacity=0.75).encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
        + arrives.mark_rule(color=look.LINKS, strokeWidth=1.4, opacity=0.75).encode(x=x, x2="x2:Q", y=y, y2="y2:Q")
        + arrives.mark_point(color=look.LINKS, size=60, opacity=1).encode(x=x, y=y)
        + token.mark_point(color=look.LINKS, size=26, opacity=1).encode(
            x=alt.X("x2:Q").scale(**unit).axis(None), y=alt.Y("y2:Q").scale(**unit, reverse=True).axis(None)
        )
        + router.mark_rect(fill=look.PAPER, stroke=look.LINKS, strokeWidth=1.4, cornerRadius=4).encode(
            x=x, x2="x2:Q", y=y, y2="y2:Q"
        )
        + words.mark_text(baseline="middle", align=alt.expr("datum.align"), fontSize=11.5).encode(
            x=x, y=y, text="label:N"
        )
        + key_layer(alt, colours)
    )


RACK = Figure(
    name="moe/rack",
    inputs=(MODEL, SYSTEM, BATCH, REDUNDANT, THROW),
    compute=rack,
    chart=rack_chart,
    table="chips",
    columns={"chip": "Chip", "experts": "Experts", "tokens": "Tokens sent to them"},
    assumptions=(
        EVEN,
        "A fair share is that of a chip if all chips of the domain, with experts or not, had equally many tokens.",
        "One layer is drawn. Experts stand in order, on as few chips as hold them evenly; copies are dealt out behind.",
        "The lines are the first token's. Which chip a token comes from is not drawn: any.",
    ),
    foremost=4,
    sources=("lecture", "deepseek-v3-config", "deepseek-day-6"),
)
