"""Lecture 4 in pictures: how large a model a domain can serve at a given speed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog import Model, System
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides
from calc.figure.inputs import Number
from calc.figure.named import name_layer, pair
from calc.figure.scenario import MODEL, PRECISION, SYSTEM
from calc.memory_wall.figures.shared import SPEED, STARTUP_SECONDS, label, largest_model, sum_seconds
from calc.quantities.check import Array
from calc.quantities.units import plain, show
from calc.setting import Scenario

FELT = 0.05  # of a step, from which the time of messages is taken off and told
LIMITS = {"total_by_bandwidth": "Read in time", "total_by_capacity": "Held"}
PARAMS: dict[str, Any] = {
    "values": [1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15],
    "labelExpr": "datum.value < 1e12 ? format(datum.value / 1e9, ',d') + 'B' : format(datum.value / 1e12, ',d') + 'T'",
}
RESERVED = Number(
    name="reserved",
    label="Set aside",
    default=50,
    low=0,
    high=95,
    unit="% of both",
    help="For caches: the share of memory, and of the reading, that is not weights.",
)


@dataclass(frozen=True)
class Limits:
    """The largest model of a system, in a slice of so many chips, whose messages take so many seconds of a step."""

    chips: float
    sums: float
    total_by_bandwidth: float
    total_by_capacity: float

    @property
    def total(self) -> float:
        """Most parameters that are both held and read in time."""
        return min(self.total_by_bandwidth, self.total_by_capacity)


@cache
def slices(model: str, system: str) -> tuple[Array, Array]:
    """Numbers of chips of a system that could share every layer, and the seconds of their sums."""
    row = catalog.system(system)
    sizes = np.append(2.0 ** np.arange(int(np.log2(row.chips)) + 1), row.chips)
    return sizes, np.broadcast_to(sum_seconds(catalog.model(model), row, STARTUP_SECONDS, sizes), sizes.shape)


def served(model: Model, system: System, precision: str, pace: float, reserved: float) -> Limits:
    """The slice of a system, of all its chips or of a power of two, that serves the largest model at a speed."""
    sizes, sums = slices(model.id, system.id)
    sizes, sums = sizes[sums < 1 / pace], sums[sums < 1 / pace]
    off = np.where(sums < FELT / pace, 0.0, sums)
    found = largest_model(system, precision, pace, reserved, sums=off, chips=sizes)
    reads, holds = np.asarray(found.total_by_bandwidth), np.asarray(found.total_by_capacity)
    best = int(np.argmax(np.minimum(reads, holds)))
    return Limits(float(sizes[best]), float(sums[best]), float(reads[best]), float(holds[best]))


def largest(*, model: str, system: str, precision: str, pace: float, reserved: float) -> Answer:
    """The largest model that each system can hold, and the largest that it can read in time."""
    where = Scenario.named(model, system, precision)
    every = list(catalog.systems().values())
    found = {each.id: served(where.model, each, precision, pace, reserved / 100) for each in every}
    here = found[system]
    limits = {key: [float(getattr(found[each.id], key)) for each in every] for key in LIMITS}
    reads, holds = here.total_by_bandwidth, here.total_by_capacity
    against = where.model.total_params / here.total
    less = "time to read" if reads < holds else "room to hold"
    marks = {where.model.name: where.model.total_params}
    return Answer(
        finding=(
            f"At {show(pace, 'tokens/s')}, with {plain(reserved)}% left to caches, "
            f"{label(where.system)} serves models of up to {show(here.total, 'parameters')}: {less} them runs out first"
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
                "params": [number for numbers in limits.values() for number in numbers],
            },
            "spans": {
                "system": [label(each) for each in every],
                **limits,
                "chips": [found[each.id].chips for each in every],
            },
            "named": pair([label(where.system)], [reads], [holds], {name: name.lower() for name in LIMITS.values()}),
            "here": {"system": [label(where.system)], "params": [here.total]},
            "guides": guides("params", marks, 1e10, 1e16),
        },
        values={
            "largest": Value(here.total, "parameters", "Largest model"),
            "reads": Value(reads, "parameters", "Read in time"),
            "holds": Value(holds, "parameters", "Held"),
            "drain": Value(where.hbm_bytes / where.bandwidth, "s", "Drain time"),
            "step": Value(1 / pace, "s", "Time of a step"),
            "sums": Value(here.sums, "s", "of it messages, one sequence"),
            "model": Value(against, "x" if against > 1 else "%", "Your model against it"),
        },
        notes=_sum_notes(where, pace, here),
    )


def _sum_notes(where: Scenario, pace: float, here: Limits) -> list[str]:
    """Share of a step that messages leave to reading, where it is felt: on a torus, where they go from chip to chip."""
    whole = float(sum_seconds(where.model, where.system, STARTUP_SECONDS))
    if whole < FELT / pace:
        return []
    told = (
        f"Messages over all {where.system.chips:,} chips, in the layers of {where.model.name}, take "
        f"{show(whole, 's')}{' of' if whole < 1 / pace else ', longer than a step of'} {show(1 / pace, 's')}."
    )
    if here.chips == where.system.chips:
        return [told]
    if here.chips == 1:
        return [f"{told} So the largest model is served by single chips, which send none."]
    return [
        f"{told} So the largest model is served by slices of {plain(here.chips, 6)}, "
        f"whose messages take {show(here.sums, 's')}."
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
            color=alt.Color("limit:N", legend=None).scale(**look.series(*names)),
            shape=alt.Shape("limit:N", legend=None).scale(**look.shapes(*names)),
        )
    )
    here = alt.Chart(alt.NamedData("here")).mark_point(**look.HERE).encode(x="params:Q", y=y)
    named = name_layer(alt, look.series(*names), alt.Y("row:N", title=None, sort=None))
    return guide_layer(alt, "params", top="-16") + spans + dots + here + named


LARGEST = Figure(
    name="memory_wall/largest",
    inputs=(MODEL, SYSTEM, PRECISION, SPEED, RESERVED),
    compute=largest,
    chart=largest_chart,
    table="spans",
    columns={
        "system": "System",
        "total_by_bandwidth": "Read in time (parameters)",
        "total_by_capacity": "Held (parameters)",
        "chips": "Chips that share the layers",
    },
    assumptions=(
        "A step reads all weights, and caches in proportion to the memory that is set aside for them.",
        "Arithmetic is left out: it limits the active parameters, not all of them.",
        f"Messages come off the time for reading where they take at least {show(FELT, '%')} of a step: two all-reduces "
        f"in each layer that your model has, of one sequence, at {show(STARTUP_SECONDS, 's')} a message. A larger "
        "model is wider or has more experts; it has no more layers.",
        "A domain whose messages take too long works in slices: both marks are of the slice that serves the largest "
        "model.",
    ),
    foremost=4,
    sources=("lecture", "aiconfigurator", "inferencex", "rubin-writeups", "scaling-book-tpus"),
)


FIGURES = (LARGEST,)
