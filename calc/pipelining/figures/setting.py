"""Lecture 3's formulas, asked of a model on machines of a system."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calc import batching, pipelining
from calc.batching.figures.shared import known
from calc.batching.touched import touched_params
from calc.catalog import Model
from calc.figure.inputs import Choice, Number
from calc.figure.scenario import MODEL, SYSTEM
from calc.moe.figures.setting import links, sharing_chips
from calc.pipelining import bubbles, schedules
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.setting import Scenario
from calc.step import visited_share

HOP_BYTES = COMBINE_BYTES = 2.0
NAMES = {
    "gpipe": "GPipe",
    "1f1b": "1F1B",
    "interleaved": "Interleaved",
    "zb-h1": "ZB-H1",
    "zb-h2": "ZB-H2",
}
STAGES = 4  # of the examples
OPENING = ("kimi-k2", "hgx-h100", "fp8")  # with which the lecture opens, and to which it keeps
K2, NODE = replace(MODEL, default=OPENING[0]), replace(SYSTEM, default=OPENING[1])
SLOW_HOP = 3e-3
HOP_LATENCY = 10e-6  # of the examples, and of a crossing of layers that are spread
LLAMA_STAGES = 16  # The Llama 3 herd of models, table 4
NOT_DRAWN = "none"
SENT = {NOT_DRAWN: "not drawn", "1": "one byte (FP8)", "2": "two bytes (BF16)"}

SCHEDULE = Choice(
    name="schedule",
    label="Schedule",
    default="1f1b",
    options=NAMES,
    help="The order in which a stage takes up its forward and backward passes.",
)
DISPATCH = Choice(
    name="dispatch",
    label="Exchange of experts",
    default=NOT_DRAWN,
    options=SENT,
    help="Bytes of a number on its way to an expert: one where it is not drawn. Results and hops take two.",
)
LATENCY = Number(
    name="latency",
    label="Latency of a hop",
    default=10,
    low=0.1,
    high=1_000_000,
    unit="µs",
    log=True,
    help="Before the first byte of a micro-batch arrives at the next machine.",
)
CHUNKS = Number(
    name="chunks",
    label="Chunks of a stage",
    default=2,
    low=2,
    high=8,
    whole=True,
    help="Pieces of the model on each stage, when interleaved.",
)


def stages_input(most: int, default: int = 4, low: int = 1) -> Number:
    """Stages of a pipeline, up to what a drawing can show."""
    return Number(
        name="stages",
        label="Stages",
        default=default,
        low=low,
        high=most,
        whole=True,
        help="Machines in a row, each with its share of the layers.",
    )


def micro_input(most: int, default: int, log: bool = False) -> Number:
    """Micro-batches, up to what a drawing can show."""
    return Number(
        name="micro",
        label="Micro-batches",
        default=default,
        low=1,
        high=most,
        log=log,
        whole=True,
        help="Groups of sequences, one after another.",
    )


def way_out(where: Scenario) -> tuple[float, float]:
    """A chip's link within its domain and its link out, for systems with both."""
    inside, outside = links(where)
    if outside != outside:
        raise CalcError("system", where.system.id, "one whose link out of the domain is published")
    return inside, outside


def hop(where: Scenario, tokens: float, latency: float = 0.0, sharded: bool = True) -> float:
    """Seconds to hand a micro-batch to the next machine, over every chip's link or over a single one."""
    chips = where.system.chips if sharded else 1
    outside = way_out(where)[1]
    width = where.model.known("d_model")
    return pipelining.hop_seconds(
        tokens, width, links=chips, link_bandwidth=outside, element_bytes=HOP_BYTES, latency=latency
    )


def copies(where: Scenario) -> float:
    """Chips beside its own that a token is sent to in a layer: one copy serves all of its experts on a chip."""
    if where.model.dense:
        return 0.0
    experts, picks = where.model.routed
    chips = sharing_chips(where)
    return float((chips - 1) * visited_share(chips, picks, *where.model.groups, experts=experts))


def margin(where: Scenario, layers: Quantity, dispatch: float) -> Quantity:
    """How many times longer a stage's links within are busy than those out; a dense model exchanges nothing."""
    if where.model.dense:
        return 0.0 * layers
    inside, outside = way_out(where)
    sent = {"dispatch_bytes": dispatch, "combine_bytes": COMBINE_BYTES, "hop_bytes": HOP_BYTES}
    return pipelining.boundary_margin(copies(where), layers, inside / outside, **sent)


def free_layers(where: Scenario, dispatch: float) -> float:
    """Fewest layers of a stage for which its boundary is free; without experts nothing hides it."""
    if where.model.dense:
        return float("inf")
    inside, outside = way_out(where)
    sent = {"dispatch_bytes": dispatch, "combine_bytes": COMBINE_BYTES, "hop_bytes": HOP_BYTES}
    return pipelining.free_layers(copies(where), inside / outside, **sent)


def chip_memory(
    where: Scenario, batch: float, context: float, stages: Quantity, in_flight: Quantity | None = None
) -> pipelining.ChipMemory:
    """Weights and cache on a chip, evenly shared, with a micro-batch for each stage unless told otherwise."""
    return pipelining.chip_memory(
        where.weight_bytes,
        batch,
        context,
        where.kv_bytes_per_token,
        chips_per_stage=where.system.chips,
        stages=stages,
        micro_batches=in_flight,
    )


def largest_micro_batch(where: Scenario, context: float, stages: Quantity, stored: float | None = None) -> Quantity:
    """Sequences of a micro-batch that fill the chips beside `stored` bytes of weights, or each once; not rounded."""
    return pipelining.largest_micro_batch(
        where.chip.hbm_bytes,
        stored or where.weight_bytes,
        context,
        where.kv_bytes_per_token,
        chips_per_stage=where.system.chips,
        stages=stages,
    )


def held_weights(where: Scenario) -> float:
    """Bytes of weights on all chips of a domain, every copy counted that the usual layout makes; W without a layout."""
    found = known(where)
    return where.weight_bytes if found is None else float(found.chip_weight_bytes) * where.system.chips


def step_alone(where: Scenario, batch: float, context: float, stored: float = 0) -> float:
    """Least seconds of a micro-batch through all layers on the chips of one domain, and so on machines in turn.

    It reads the experts that it wakes, as if they lay evenly on the chips: all of them, unless the batch is small.
    `stored` takes the place of all weights' bytes.

    >>> small = step_alone(Scenario.named("kimi-k2", "hgx-h100", "fp8"), 1, 0)
    >>> round(1e3 * small, 2)
    1.19
    """
    read = {"weight_bytes": (stored or where.weight_bytes) * read_share(where.model, batch)}
    return float(batching.step_time(batch, context, **where.step_arguments() | read).bound)


def in_a_row(
    where: Scenario, micro: float, context: float, machines: int, latency: float = HOP_LATENCY, stored: float = 0
) -> float:
    """Least seconds between two tokens in a row that is full: a micro-batch for each machine."""
    step, each = step_alone(where, micro, context, stored), hop(where, micro, latency)
    return float(pipelining.decode_cycle(step, machines, machines, each, latency).seconds)


def read_together(where: Scenario, micro: float, context: float, nodes: float = STAGES, stored: float = 0) -> float:
    """Seconds in which the machines of a row read weights and caches of all its micro-batches as one machine."""
    return step_alone(where, micro * nodes, context, stored) / nodes


def read_share(model: Model, batch: Quantity) -> Quantity:
    """The share of a model's weights that a batch reads: the part of every token, and the experts that it wakes.

    >>> from calc import catalog
    >>> [round(float(read_share(catalog.model("kimi-k2"), batch)), 3) for batch in (1, 64, 2048)]
    [0.032, 0.743, 1.0]
    """
    read = touched_params(batch, model.total_params, model.active_params, *model.routed)
    return read / model.total_params


def formula_holds(schedule: str, stages: float, micro: Quantity) -> NDArray[np.bool_]:
    """Whether there are micro-batches enough for the formula of a zero-bubble schedule."""
    return np.asarray(micro >= {"zb-h1": stages, "zb-h2": 2 * stages - 1}.get(schedule, 1))


def waiting_share(schedule: str, stages: int, micro: int, chunks: int = 1) -> float:
    """Share of a training step for which stages wait: by the formula, or played where the formula does not hold.

    Interleaved, fewer micro-batches than stages leave gaps between the chunks: the last of them begins a chunk's time
    after the one before and then goes all the way alone, P forward passes and P backward.

    >>> waiting_share("interleaved", 4, 1, 2), round(waiting_share("interleaved", 4, 4, 2), 3)
    (0.75, 0.273)
    """
    if schedule == "interleaved" and micro < stages:
        return 1 - micro / (stages + (micro - 1) / chunks)
    if formula_holds(schedule, stages, micro):
        return bubbles.bubble_share(schedule, stages, micro, chunks)
    return share_of(schedule, schedules.timetable(schedule, stages, micro))


def share_of(schedule: str, played: schedules.Timetable) -> float:
    """Share of a played step; ZB-H2 begins the next where others still end, so only the wait inside counts."""
    if schedule != "zb-h2":
        return played.idle_share
    wait = max(played.waits)
    work = sum(task.end - task.start for task in played.tasks) / played.stages
    return wait / (wait + work)


def parts_of(schedule: str, chunks: int) -> int:
    """Pieces of the model on a stage: one, unless a schedule interleaves."""
    return chunks if schedule == "interleaved" else 1
