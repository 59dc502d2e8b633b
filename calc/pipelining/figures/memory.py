"""Lecture 3 in pictures: what a chip of a pipeline holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, prefixed
from calc.figure.inputs import Choice
from calc.figure.line_names import APART, pushed_apart
from calc.figure.scenario import BATCH, CONTEXT, PRECISION
from calc.pipelining.figures.setting import K2, NODE, chip_memory, largest_micro_batch, stages_input
from calc.pipelining.holding import ChipMemory
from calc.quantities.check import Array, Quantity
from calc.quantities.units import plain, proportion, show
from calc.setting import Scenario

WEIGHTS, CACHE = PARTS = ("Weights", "Cache")
STAGES = np.arange(1.0, 17.0)
SEEN_FROM = 0.3  # of a chip's memory; bars below that would be slivers beneath the line

FLIGHT = Choice(
    name="flight",
    label="In flight",
    default="full",
    options={
        "full": "your batch for every stage",
        "split": "your batch, divided among the stages",
        "one": "your batch alone, stages take turns",
    },
    help="How many sequences the pipeline has on their way at once.",
)


def memory(
    *, model: str, system: str, precision: str, context: float, batch: float, stages: float, flight: str
) -> Answer:
    """The contents of a chip's memory against the number of stages."""
    where = Scenario.named(model, system, precision)
    curve, here = (_held(where, context, batch, count, flight) for count in (STAGES, stages))
    one = chip_memory(where, batch, context, 1)
    limit = where.chip.hbm_bytes
    near = np.max(curve.total) > SEEN_FROM * limit
    return Answer(
        finding=_memory_finding(flight, int(stages), batch, one, here, where.chip.hbm_bytes),
        description=(
            f"Stacked bars for 1 to {len(STAGES)} stages of {where.system.name}: bytes of weights and cache on each "
            f"chip for {where.model.name}, {FLIGHT.options[flight]}. With one stage a chip holds "
            f"{show(one.weights, 'B')} and {show(one.cache, 'B')}, with {plain(stages)} it holds "
            f"{show(here.weights, 'B')} and {show(here.cache, 'B')}. Its memory is {show(limit, 'B')}."
        ),
        tables={
            "bars": {
                "stages": np.tile(STAGES, len(PARTS)),
                "part": [part for part in PARTS for _ in STAGES],
                "bytes": np.concatenate([curve.weights, curve.cache]),
                "order": [place for place in range(len(PARTS)) for _ in STAGES],
            },
            "ends": {
                "stages": [STAGES[-1]] * len(PARTS),
                "part": list(PARTS),
                "bytes": _middles(
                    np.ravel(curve.weights),
                    np.ravel(curve.cache),
                    max(float(np.max(curve.total)), limit if near else 0.0),
                ),
            },
            "here": {"stages": [int(stages)], "bytes": [here.total], "label": [show(here.total, "B")]},
            "limit": {
                "bytes": [limit] if near else [],
                "label": [f"memory of a chip, {show(limit, 'B')}"] if near else [],
            },
        },
        values={
            "weights": Value(here.weights, "B", "Weights on a chip"),
            "cache": Value(here.cache, "B", "Cache on a chip"),
            "cache_share": Value(here.cache_share, "%", "Cache in what it holds"),
            "saved": Value(one.weights - here.weights, "B", "Weights that further stages took over"),
            "one_weights": Value(one.weights, "B", "Weights, one stage"),
            "one_cache": Value(one.cache, "B", "Cache, one stage"),
            "sequences": Value(
                batch * (stages if flight == "full" else 1), "sequences", "On their way in all machines", 9
            ),
            "most": Value(_most(where, context, stages, flight), "sequences", "Micro-batch that fills the chips", 9),
        },
        notes=_memory_notes(where, here, flight, int(stages)),
    )


def _middles(weights: Array, cache: Array, highest: float) -> list[float]:
    """Where the names of both parts of the last bar stand, a line apart."""
    wanted = np.array([cache[-1] / 2, cache[-1] + weights[-1] / 2])
    low, high = pushed_apart(wanted, APART * highest, 0.0, highest)
    return [float(high), float(low)]


def _held(where: Scenario, context: float, batch: float, stages: Quantity, flight: str) -> ChipMemory:
    if flight == "full":
        return chip_memory(where, batch, context, stages)
    return chip_memory(where, batch, context, stages, in_flight=np.ones_like(stages) if np.ndim(stages) else 1)


def _most(where: Scenario, context: float, stages: float, flight: str) -> float:
    """Largest micro-batch, or none where the weights alone are too many; alone it has the room of all."""
    if where.weight_bytes > stages * where.hbm_bytes:
        return 0.0
    return float(np.floor(largest_micro_batch(where, context, stages) * (stages if flight == "one" else 1)))


def _memory_finding(flight: str, stages: int, batch: float, one: ChipMemory, here: ChipMemory, memory: float) -> str:
    holds, leave, stay = (
        ("would hold", "would leave", "would stay") if here.total > memory else ("holds", "leave", "stay")
    )
    if stages == 1:
        return f"One stage: a chip {holds} {show(one.weights, 'B')} of weights and {show(one.cache, 'B')} of cache"
    less = f"{stages} stages {leave} {show(here.weights, 'B')} of weights on a chip instead of {show(one.weights, 'B')}"
    if flight == "full":
        return f"{less}; with {stages} times the users its {show(here.cache, 'B')} of cache {stay}"
    cache = f"{show(here.cache, 'B')} of cache instead of {show(one.cache, 'B')}"
    if flight == "split":
        if batch < stages:
            return f"{less} and {cache}, but only {plain(batch)} of {stages} stages work{'s' * (batch == 1)} at a time"
        each = show(batch / stages, "sequences")
        return f"{less} and {cache}, but weights are then read for {each} at a time"
    return f"{less} and {cache}, but only one of {stages} stages works at a time"


def _memory_notes(where: Scenario, here: ChipMemory, flight: str, stages: int) -> list[str]:
    part = here.total / where.chip.hbm_bytes
    notes = [
        f"A chip has {show(where.chip.hbm_bytes, 'B')}; this fills {proportion(part)} of it.",
        *where.cache_notes(),
    ]
    if here.total > where.chip.hbm_bytes:
        times = show(part, "x") if part >= 1.005 else "more than"
        notes[0] = f"This does not fit: it takes {times} a chip's {show(where.chip.hbm_bytes, 'B')}."
    if flight == "split" and stages > 1:
        notes.append("The bars are the same as for one micro-batch at a time; what differs is who waits.")
    return notes


def memory_chart() -> Any:
    """Bars of weights that shrink upon cache that does not."""
    import altair as alt

    x = alt.X("stages:O", title="Stages (machines)").axis(labelAngle=0, grid=False)
    bars = (
        alt.Chart(alt.NamedData("bars"))
        .mark_bar(cornerRadius=0)
        .encode(
            x=x,
            y=alt.Y("bytes:Q", title="On a chip").axis(**prefixed("B")),
            color=alt.Color("part:N", legend=None).scale(domain=[CACHE, WEIGHTS], range=[look.CACHE, look.WEIGHTS]),
            order=alt.Order("order:Q", sort="descending"),
        )
    )
    limit = alt.Chart(alt.NamedData("limit"))
    rule = limit.mark_rule(strokeDash=[5, 3], color=look.INK).encode(y="bytes:Q")
    place: dict[str, Any] = {"align": "right", "baseline": "bottom", "dy": -5, "x": alt.expr("width - 4")}
    words = limit.encode(y="bytes:Q", text="label:N")
    halo = words.mark_text(**HALO, **place)
    scale: dict[str, Any] = {"domain": list(PARTS), "range": [look.WEIGHTS, look.CACHE]}
    aside: dict[str, Any] = {"align": "left", "dx": alt.expr("bandwidth('x') / 2 + 6"), "fontSize": 12}
    names = alt.Chart(alt.NamedData("ends")).mark_text(**aside)
    named = names.encode(x=x, y="bytes:Q", text="part:N", color=alt.Color("part:N", legend=None).scale(**scale))
    here = alt.Chart(alt.NamedData("here")).encode(x=x, y="bytes:Q")
    said: dict[str, Any] = {"align": "left", "baseline": "bottom", "dx": 6, "dy": -9, "fontSize": 13, "fontWeight": 600}
    value = here.mark_text(**said, **HALO).encode(text="label:N")
    mine = here.mark_point(**look.HERE) + value + here.mark_text(**said, color=look.ACCENT).encode(text="label:N")
    return bars + named + rule + halo + words.mark_text(**place) + mine


MEMORY = Figure(
    name="pipelining/memory",
    inputs=(stages_input(16, 4), FLIGHT, K2, NODE, PRECISION, CONTEXT, BATCH),
    compute=memory,
    chart=memory_chart,
    foremost=2,
    table="bars",
    columns={"part": "Part", "stages": "Stages", "bytes": "Bytes on a chip"},
    assumptions=(
        "Your system is one stage; its chips share weights and caches evenly.",
        "Each weight is stored once, as the times of this lecture read it once; engines often copy attention.",
        "Your batch is a micro-batch. Activations are small and left out.",
    ),
    sources=("lecture", "aiconfigurator"),
)

FIGURES = (MEMORY,)
