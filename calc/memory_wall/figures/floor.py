"""Lecture 4 in pictures: how fast a domain can be."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog, memory_wall, pipelining
from calc.batching.figures.shared import short_name
from calc.catalog import System
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS, here_layer
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import MODEL, PRECISION, SYSTEM
from calc.memory_wall.figures.shared import STARTUP_SECONDS, label, sum_seconds
from calc.quantities.units import plain, show
from calc.setting import Scenario

DOMAINS = np.array([4.0, 20_000.0])
BOX = 8
FAR, APART = 300, 1.5
LANDMARKS = ("hgx-h100", "gb200-nvl72", "rubin-nvl72", "tpu-v5e-pod", "tpu-v4-pod", "tpu-v7-pod")
BEFORE = Choice(
    name="before",
    label="Against",
    default="hgx-h100",
    options={row.id: row.name for row in catalog.systems().values()},
    help="Another domain that reads the same weights.",
)
CHIPS = Number(
    name="chips",
    label="Chips that read together",
    default=72,
    low=4,
    high=20_000,
    log=True,
    whole=True,
    help="Of your system's kind.",
)


def floor(*, model: str, system: str, precision: str, before: str, chips: float) -> Answer:
    """The latency floor of a model on every system, against the chips of its domain."""
    where, other = Scenario.named(model, system, precision), Scenario.named(model, before, precision)
    every = list(catalog.systems().values())
    chosen = list({each.id: each for each in (where.system, other.system)}.values())
    here = memory_wall.latency_floor(where.weight_bytes, chips, where.chip.hbm_bandwidth)
    there = _floor(where.weight_bytes, other.system)
    gain = memory_wall.domain_gain(
        chips,
        where.chip.hbm_bandwidth,
        chips_before=other.system.chips,
        bandwidth_before=other.chip.hbm_bandwidth,
    )
    named = _named(where.system, other.system)
    waits = {each.id: float(sum_seconds(where.model, each, STARTUP_SECONDS)) for each in chosen}
    slower = [each for each in chosen if waits[each.id] > _floor(where.weight_bytes, each)]
    mine = float(sum_seconds(where.model, where.system, STARTUP_SECONDS, min(chips, where.system.chips)))
    least = "at least " * (chips > where.system.chips)
    boxes = [_floor(where.weight_bytes, each) for each in every if each.chips == BOX]
    return Answer(
        finding=(
            f"{short_name(where.chip)} ×{chips:,.0f} reads the weights of {where.model.name} in {show(here, 's')}, "
            f"{label(other.system)} in {show(there, 's')}: {show(gain.chips, 'x')} the chips, "
            f"{show(gain.bandwidth, 'x')} the memory bandwidth of each"
            + (f"; but its messages for one sequence take {least}{show(mine, 's')}" if mine > here else "")
        ),
        description=(
            f"Scatter chart, both axes logarithmic: least time of a decode step against the chips in a scale-up "
            f"domain, for {len(every)} systems. Boxes of {BOX} chips take from {show(min(boxes), 's')} to "
            f"{show(max(boxes), 's')}. Two falling lines show what other numbers of the two chosen chips would take; "
            f"rings mark systems whose memory cannot hold the weights."
            + (" Upright lines reach up to the time that messages take." if slower else "")
        ),
        tables={
            "systems": {
                "system": [label(each) for each in every],
                "chips": [each.chips for each in every],
                "seconds": [_floor(where.weight_bytes, each) for each in every],
                "holds": [bool(each.hbm_bytes >= where.weight_bytes) for each in every],
            },
            "lines": {
                "chips": np.tile(DOMAINS, 2),
                "seconds": np.concatenate([_line(where.weight_bytes, each.system) for each in (where, other)]),
                "of": [row for row in ("here", "there") for _ in DOMAINS],
            },
            "names": _line_names(where.weight_bytes, where.system, other.system),
            "labels": {
                "label": [label(each) for each in named],
                "chips": [each.chips for each in named],
                "seconds": [_floor(where.weight_bytes, each) for each in named],
                **_beside(named, where.system, other.system, chips),
            },
            "sums": {
                "chips": [each.chips for each in slower],
                "seconds": [_floor(where.weight_bytes, each) for each in slower],
                "until": [waits[each.id] for each in slower],
                "label": ["messages"] * len(slower),
            },
            "here": {"chips": [chips], "seconds": [here], "label": [show(here, "s")]},
        },
        values={
            "floor": Value(here, "s", "Latency floor"),
            "before": Value(there, "s", "On the other system"),
            "gain": Value(gain.total, "x", "Gain in reading, without copies"),
            "speed": Value(1 / here, "tokens/s", "Each user, a token a step, at most"),
            "sums": Value(mine, "s", "Not counted: messages of one sequence"),
        },
        notes=_floor_notes(where.weight_bytes, where.system, chips),
    )


def _floor(weights: float, system: System) -> float:
    return memory_wall.latency_floor(weights, system.chips, system.chip.hbm_bandwidth)


def _line(weights: float, system: System) -> Any:
    return memory_wall.latency_floor(weights, DOMAINS, system.chip.hbm_bandwidth)


def _line_names(weights: float, first: System, second: System) -> dict[str, list[Any]]:
    """Each line by its chips, once, where few systems are: the slower chips over theirs, the faster under theirs."""
    slow, fast = sorted((first, second), key=lambda each: each.chip.hbm_bandwidth)
    rows = [(28.0, slow, "left", 5.0, -5.0, "bottom"), (1500.0, fast, "right", -5.0, 5.0, "top")]
    rows = rows[: 1 + (fast.chip.id != slow.chip.id)]
    return {
        "chips": [at for at, *_ in rows],
        "seconds": [memory_wall.latency_floor(weights, at, each.chip.hbm_bandwidth) for at, each, *_ in rows],
        "label": [f"chips like {short_name(each.chip)}" for _, each, *_ in rows],
        **{name: [row[place] for row in rows] for place, name in enumerate(("side", "dx", "dy", "base"), 2)},
    }


def _named(*chosen: System) -> list[System]:
    """The chosen systems, and the landmarks that their labels would not run into."""
    kept = list(dict.fromkeys(chosen))
    for mark in map(catalog.system, LANDMARKS):
        if all(abs(np.log2(mark.hbm_bandwidth / each.hbm_bandwidth)) > 1 for each in kept):
            kept.append(mark)
    return kept


def _beside(named: list[System], first: System, second: System, chips: float) -> dict[str, list[Any]]:
    """Where each label stands by its point, in pixels: on the side that the line of the first system leaves free."""
    nudges = dict(zip((first.id, second.id), _nudges(first, second), strict=True))
    places = [_place(each, first, chips, nudges.get(each.id, 0.0)) for each in named]
    return {name: [place[row] for place in places] for row, name in enumerate(("side", "dx", "dy"))}


def _place(system: System, first: System, chips: float, nudge: float) -> tuple[str, float, float]:
    """The side, and how far across and down. A line falls to the right, so it is free at the lower left."""
    faster = system.hbm_bandwidth / system.chips / (first.hbm_bandwidth / first.chips)
    if system.chips > BOX and system.id == first.id:
        return ("right", -60.0, 15.0) if chips == system.chips else ("right", -11.0, 15.0)  # before the dot's value
    if system.chips > FAR:
        return ("right", -6.0, -24.0) if faster < 1 / APART else ("right", -11.0, 11.0)
    if system.chips > BOX and faster > APART:
        return ("left", -8.0, 19.0) if system.chips == first.chips else ("right", -11.0, 6.0)
    return "left", 11.0, nudge - 5


def _nudges(first: System, second: System) -> list[float]:
    """How far the labels of two chosen systems give way to one another, in pixels."""
    close = abs(np.log2(first.hbm_bandwidth / second.hbm_bandwidth)) < 1
    if first.id == second.id or not close:
        return [0.0, 0.0]
    down = 6.0 if first.hbm_bandwidth > second.hbm_bandwidth else -6.0
    return [down, -down]


def _floor_notes(weights: float, system: System, chips: float) -> list[str]:
    notes, room = [], chips * system.chip.hbm_bytes
    if chips > system.chips:
        notes.append(f"{system.name} joins {system.chips:,}: more need links that it lacks.")
    if room < weights:
        needed = pipelining.stages_to_hold(weights, chips, system.chip.hbm_bytes)
        notes.append(
            f"The weights take {show(weights, 'B')} and these chips have {show(room, 'B')}: a pipeline of "
            f"{plain(needed, 6)} such domains holds them, and the floor stays where it is."
        )
    return notes


def floor_chart() -> Any:
    """Systems as points; the chosen two lie each on a line that falls as one over the chips."""
    import altair as alt

    x = (
        alt.X("chips:Q", title="Chips in the domain")
        .scale(type="log", domain=[4, 20_000], nice=False)
        .axis(format="~s")
    )
    y = alt.Y("seconds:Q", title="Latency floor").scale(type="log").axis(**SECONDS)
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_line(color=look.MUTED, strokeWidth=1.2, clip=True)
        .encode(x=x, y=y, detail="of:N", strokeDash=alt.StrokeDash("of:N", legend=None).scale(range=[[1, 0], [4, 3]]))
    )
    waiting = (
        alt.Chart(alt.NamedData("sums"))
        .mark_rule(color=look.LINKS, strokeWidth=2, opacity=0.7)
        .encode(x=x, y=y, y2="until:Q")
    )
    over: dict[str, Any] = {"align": "right", "dx": 4, "dy": -4, "baseline": "bottom", "fontSize": 11.5}
    named = alt.Chart(alt.NamedData("sums")).encode(x=x, y="until:Q", text="label:N")
    messages = named.mark_text(**over, **HALO) + named.mark_text(**over, color=look.LINKS)
    points = (
        alt.Chart(alt.NamedData("systems"))
        .mark_point(filled=False, strokeWidth=2, size=75, color=look.FREE[0], fill=look.FREE[0])
        .encode(
            x=x,
            y=y,
            fillOpacity=alt.condition("datum.holds", alt.value(1), alt.value(0)),
        )
    )
    labels, names = (alt.Chart(alt.NamedData(name)).encode(x=x, y=y, text="label:N") for name in ("labels", "names"))
    beside: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "dx": alt.expr("datum.dx"),
        "dy": alt.expr("datum.dy"),
        "fontSize": 11.5,
    }
    along = beside | {"baseline": alt.expr("datum.base"), "fontStyle": "italic"}
    halo = labels.mark_text(**beside, **HALO) + names.mark_text(**along, **HALO)
    said = labels.mark_text(**beside) + names.mark_text(**along, color=look.MUTED)
    here = here_layer(alt, "chips", "seconds", label="label", falling=True, under=True)
    return lines + waiting + messages + halo + points + said + here


FLOOR = Figure(
    name="memory_wall/floor",
    inputs=(CHIPS, SYSTEM, MODEL, PRECISION, BEFORE),
    compute=floor,
    chart=floor_chart,
    table="systems",
    columns={"system": "System", "chips": "Chips", "seconds": "Latency floor (s)", "holds": "Holds the weights"},
    assumptions=(
        "A large batch, so that all weights are read: one copy over all chips, each reading at the rated speed.",
        "The floor is for reading alone. An upright line is drawn where messages take longer than the reading, on a "
        f"chosen system: two all-reduces a layer over all chips, of one sequence, at {show(STARTUP_SECONDS, 's')} a "
        "message. Open dots cannot hold the weights.",
        f"NVIDIA's library counts on {show(catalog.datum('nccl-hop').value, 's')} for a message over NVLink.",
    ),
    foremost=4,
    sources=("lecture", "nccl-tuning", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)

FIGURES = (FLOOR,)
