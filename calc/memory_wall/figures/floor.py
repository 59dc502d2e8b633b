"""Lecture 4 in pictures: how fast a domain can be, and how large a model it can serve at a given speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog, memory_wall, pipelining
from calc.batching.figures.shared import short_name
from calc.catalog import Model, System
from calc.figure import look
from calc.figure.declared import Answer, Choice, Figure, Number, Value
from calc.figure.guides import SECONDS, guide_layer, guides
from calc.figure.scenario import MODEL, PRECISION, SYSTEM
from calc.memory_wall.figures.shared import largest_model
from calc.quantities.units import plain, show
from calc.setting import Machine, Scenario
from calc.step import gather_rounds

DOMAINS = np.array([4.0, 20_000.0])
BOX = 8
SUMS = 2  # of a layer: after attention and after the feed-forward part
FELT = 0.05  # of a step, from which what messages take is told
VENDORS = ("NVIDIA", "Google", "AMD")
LANDMARKS = ("hgx-h100", "gb200-nvl72", "rubin-nvl72", "tpu-v5e-pod", "tpu-v4-pod", "tpu-v7-pod")
LIMITS = {"total_by_bandwidth": "Read in time", "total_by_capacity": "Held"}
PARAMS: dict[str, Any] = {
    "values": [1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15],
    "labelExpr": "datum.value < 1e12 ? format(datum.value / 1e9, ',d') + 'B' : format(datum.value / 1e12, ',d') + 'T'",
}
RUMOUR = "gpt-4-rumour"

BEFORE = Choice(
    name="before",
    label="Against",
    default="hgx-h100",
    options={row.id: row.name for row in catalog.systems().values()},
    help="Another domain that reads the same weights.",
)
PACE = Number(
    name="pace",
    label="Speed",
    default=50,
    low=1,
    high=10_000,
    unit="tokens/s",
    log=True,
    help="Tokens a second that each user is to get; a person reads about ten.",
)
STARTUP = Number(
    name="startup",
    label="A message takes",
    default=1,
    low=0,
    high=20,
    unit="µs",
    help=(
        "From one chip to the next, however short it is; a sum over many chips waits for several in turn. NVIDIA's "
        f"library counts on {show(catalog.datum('nccl-hop').value, 's')} over NVLink."
    ),
)
RESERVED = Number(
    name="reserved",
    label="Set aside",
    default=50,
    low=0,
    high=95,
    unit="% of memory",
    help="For caches: the share of memory, and of the reading, that is not weights.",
)


def label(system: System) -> str:
    """A system by its chip and how many there are."""
    return f"{short_name(system.chip)} ×{system.chips:,}"


def floor(*, model: str, system: str, precision: str, before: str, startup: float) -> Answer:
    """The latency floor of a model on every system, against the chips of its domain."""
    where, other = Scenario.named(model, system, precision), Scenario.named(model, before, precision)
    every = list(catalog.systems().values())
    here, there = (_floor(where.weight_bytes, each.system) for each in (where, other))
    gain = memory_wall.domain_gain(
        where.system.chips,
        where.chip.hbm_bandwidth,
        chips_before=other.system.chips,
        bandwidth_before=other.chip.hbm_bandwidth,
    )
    named = _named(where.system, other.system)
    waits = {each.id: message_seconds(where.model, each, startup * 1e-6) for each in every}
    slower = [each for each in every if waits[each.id] > _floor(where.weight_bytes, each)]
    mine = waits[where.system.id]
    boxes = [_floor(where.weight_bytes, each) for each in every if each.chips == BOX]
    return Answer(
        finding=(
            f"{label(where.system)} reads the weights of {where.model.name} in {show(here, 's')}, "
            f"{label(other.system)} in {show(there, 's')}: {show(gain.chips, 'x')} the chips, "
            f"{show(gain.bandwidth, 'x')} the memory bandwidth of each"
            + (f"; but its messages take {show(mine, 's')}" if mine > here else "")
        ),
        description=(
            f"Scatter chart, both axes logarithmic: least time of a decode step against the chips in a scale-up "
            f"domain, for {len(every)} systems. Boxes of {BOX} chips take from {show(min(boxes), 's')} to "
            f"{show(max(boxes), 's')}. Two falling lines show what other "
            f"numbers of the two chosen chips would take; rings mark systems whose memory cannot hold the weights. "
            f"Upright lines on {len(slower)} systems reach up to what the messages of all sums take there."
        ),
        tables={
            "systems": {
                "system": [label(each) for each in every],
                "vendor": [each.chip.vendor for each in every],
                "chips": [each.chips for each in every],
                "seconds": [_floor(where.weight_bytes, each) for each in every],
                "holds": [bool(each.hbm_bytes >= where.weight_bytes) for each in every],
            },
            "lines": {
                "chips": np.tile(DOMAINS, 2),
                "seconds": np.concatenate([_line(where.weight_bytes, each.system) for each in (where, other)]),
                "of": [row for row in ("here", "there") for _ in DOMAINS],
            },
            "labels": {
                "label": [label(each) for each in named],
                "chips": [each.chips for each in named],
                "seconds": [_floor(where.weight_bytes, each) for each in named],
                "side": ["right" if each.chips > 300 else "left" for each in named],
                "nudge": [*_nudges(where.system, other.system), *(0.0 for _ in named)][: len(named)],
            },
            "messages": {
                "chips": [each.chips for each in slower],
                "seconds": [_floor(where.weight_bytes, each) for each in slower],
                "until": [waits[each.id] for each in slower],
            },
            "here": {"chips": [where.system.chips], "seconds": [here]},
        },
        values={
            "messages": Value(mine, "s", "Messages of all sums, at least"),
            "floor": Value(here, "s", "Latency floor"),
            "before": Value(there, "s", f"On {label(other.system)}"),
            "gain": Value(gain.total, "x", "Gain"),
            "chips": Value(gain.chips, "x", "of more chips"),
            "bandwidth": Value(gain.bandwidth, "x", "of faster memory"),
            "speed": Value(1 / here, "tokens/s", "Each user, at most"),
        },
        notes=_floor_notes(where.weight_bytes, where.system),
    )


def message_seconds(model: Model, system: System, startup: float) -> float:
    """Seconds for which the sums of a step wait for messages, if all chips of a domain share every layer.

    Two sums a layer, each there and back: rounds of messages from chip to chip, whatever they carry.
    """
    rounds = float(gather_rounds(Machine.published(system), system.chips))
    return SUMS * 2 * rounds * model.known("layers") * startup


def _floor(weights: float, system: System) -> float:
    return float(memory_wall.latency_floor(weights, system.chips, system.chip.hbm_bandwidth))


def _line(weights: float, system: System) -> Any:
    return memory_wall.latency_floor(weights, DOMAINS, system.chip.hbm_bandwidth)


def _named(*chosen: System) -> list[System]:
    """The chosen systems, and the landmarks that their labels would not run into."""
    kept = list(dict.fromkeys(chosen))
    for mark in map(catalog.system, LANDMARKS):
        if all(abs(np.log2(mark.hbm_bandwidth / each.hbm_bandwidth)) > 1 for each in kept):
            kept.append(mark)
    return kept


def _nudges(first: System, second: System) -> list[float]:
    """How far the labels of two chosen systems give way to one another, in pixels."""
    close = abs(np.log2(first.hbm_bandwidth / second.hbm_bandwidth)) < 1
    if first.id == second.id or not close:
        return [0.0] * len({first.id, second.id})
    down = 6.0 if first.hbm_bandwidth > second.hbm_bandwidth else -6.0
    return [down, -down]


def _floor_notes(weights: float, system: System) -> list[str]:
    if system.hbm_bytes >= weights:
        return []
    needed = pipelining.stages_to_hold(weights, system.chips, system.chip.hbm_bytes)
    return [
        f"The weights take {show(weights, 'B')} and {system.name} has {show(system.hbm_bytes, 'B')}: a pipeline of "
        f"{plain(float(needed), 6)} such domains holds them, and the floor stays where it is."
    ]


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
        alt.Chart(alt.NamedData("messages"))
        .mark_rule(color=look.LINKS, strokeWidth=2, opacity=0.7)
        .encode(x=x, y=y, y2="until:Q")
    )
    points = (
        alt.Chart(alt.NamedData("systems"))
        .mark_point(filled=False, strokeWidth=2, size=75)
        .encode(
            x=x,
            y=y,
            color=alt.Color("vendor:N", title=None).legend(columns=3).scale(**look.series(*VENDORS)),
            fill=alt.Fill("vendor:N", title=None).scale(**look.series(*VENDORS)),
            shape=alt.Shape("vendor:N", title=None).scale(**look.shapes(*VENDORS)),
            fillOpacity=alt.condition("datum.holds", alt.value(1), alt.value(0)),
        )
    )
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x=x, y=y)
    labels = alt.Chart(alt.NamedData("labels")).encode(x=x, y=y, text="label:N")
    beside: dict[str, Any] = {
        "align": alt.expr("datum.side"),
        "dx": alt.expr("datum.side == 'left' ? 11 : -11"),
        "dy": alt.expr("(datum.side == 'left' ? -3 : 5) + datum.nudge"),
        "fontSize": 11.5,
    }
    halo = labels.mark_text(stroke=look.PAPER, strokeWidth=4, **beside)
    return lines + waiting + halo + points + here + labels.mark_text(**beside)


def largest(*, model: str, system: str, precision: str, pace: float, reserved: float) -> Answer:
    """The largest model that each system can hold, and the largest that it can read in time."""
    where = Scenario.named(model, system, precision)
    every = list(catalog.systems().values())
    found = {each.id: largest_model(each, precision, pace, reserved / 100) for each in every}
    here = found[system]
    reads, holds = float(here.total_by_bandwidth), float(here.total_by_capacity)
    less = "time to read it" if reads < holds else "room to hold it"
    marks = {where.model.name: where.model.total_params, catalog.model(RUMOUR).name: catalog.model(RUMOUR).total_params}
    return Answer(
        finding=(
            f"At {show(pace, 'tokens/s')}, {label(where.system)} serves models of up to "
            f"{show(float(here.total), 'parameters')}: what it lacks first is {less}"
        ),
        description=(
            f"Dot chart with one row for each of {len(every)} systems, parameters on a logarithmic axis: the largest "
            f"model that the system reads within {show(1 / pace, 's')}, and the largest that it holds, with "
            f"{plain(reserved)} per cent of memory set aside for caches, in {precision.upper()}."
        ),
        tables={
            "systems": {
                "system": [label(each) for each in every] * 2,
                "limit": [name for name in LIMITS.values() for _ in every],
                "params": [float(getattr(found[each.id], key)) for key in LIMITS for each in every],
            },
            "spans": {
                "system": [label(each) for each in every],
                **{key: [float(getattr(found[each.id], key)) for each in every] for key in LIMITS},
            },
            "here": {"system": [label(where.system)], "params": [float(here.total)]},
            "guides": guides("params", marks, 1e10, 1e16),
        },
        values={
            "largest": Value(float(here.total), "parameters", "Largest model"),
            "reads": Value(reads, "parameters", "Read in time"),
            "holds": Value(holds, "parameters", "Held"),
            "drain": Value(where.hbm_bytes / where.bandwidth, "s", "Drain time"),
            "step": Value(1 / pace, "s", "Time of a step"),
            "model": Value(where.model.total_params / float(here.total), "%", f"{where.model.name} against it"),
        },
        notes=[*_message_notes(where, pace), "The size of GPT-4 is a rumour that its maker never confirmed."],
    )


def _message_notes(where: Scenario, pace: float) -> list[str]:
    """Share of a step that messages leave to reading, where it is felt: on a torus, whose sums go from chip to chip."""
    wait = message_seconds(where.model, where.system, STARTUP.default * 1e-6)
    if wait < FELT / pace:
        return []
    left = max(0.0, 1 / pace - wait)
    return [
        f"Links are taken as free. Two sums a layer over all {where.system.chips:,} chips, with the layers of "
        f"{where.model.name}, wait {show(wait, 's')} for messages of {plain(STARTUP.default)} µs each: of "
        f"{show(1 / pace, 's')}, {show(left, 's')} {'are' if left else 'is'} left to read in."
    ]


def largest_chart() -> Any:
    """For every system, how large a model it holds and how large a one it reads in time."""
    import altair as alt

    names = tuple(LIMITS.values())
    y = alt.Y("system:N", title=None, sort=None).axis(grid=True, labelOverlap=False, labelFontSize=11, labelLimit=120)
    spans = (
        alt.Chart(alt.NamedData("spans")).mark_rule().encode(x="total_by_bandwidth:Q", x2="total_by_capacity:Q", y=y)
    )
    dots = (
        alt.Chart(alt.NamedData("systems"))
        .mark_point()
        .encode(
            x=alt.X("params:Q", title="Largest model (parameters)").scale(type="log").axis(**PARAMS),
            y=y,
            color=alt.Color("limit:N", title=None).legend(offset=6).scale(**look.series(*names)),
            shape=alt.Shape("limit:N", title=None).legend(offset=6).scale(**look.shapes(*names)),
        )
    )
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x="params:Q", y=y)
    return guide_layer(alt, "params") + spans + dots + here


FLOOR = Figure(
    name="memory_wall/floor",
    inputs=(MODEL, SYSTEM, PRECISION, BEFORE, STARTUP),
    compute=floor,
    chart=floor_chart,
    table="systems",
    columns={
        "system": "System",
        "chips": "Chips",
        "seconds": "Latency floor (s)",
        "holds": "Holds the weights",
    },
    assumptions=(
        "One copy of the weights is spread over all chips of the domain, and each reads its part at the rated speed.",
        "The floor takes links as free. Upright lines: two sums a layer over all chips, their messages alone.",
    ),
    sources=("lecture", "nccl-tuning", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)

LARGEST = Figure(
    name="memory_wall/largest",
    inputs=(MODEL, SYSTEM, PRECISION, PACE, RESERVED),
    compute=largest,
    chart=largest_chart,
    table="spans",
    columns={
        "system": "System",
        "total_by_bandwidth": "Read in time (parameters)",
        "total_by_capacity": "Held (parameters)",
    },
    assumptions=(
        "A step reads all weights, and caches in proportion to the memory that is set aside for them.",
        "Arithmetic is left out: it limits the active parameters, not all of them. Links are free, on a torus too.",
    ),
    sources=("lecture", "gpt-4-rumour", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)

FIGURES = (FLOOR, LARGEST)
