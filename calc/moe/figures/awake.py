"""Lecture 2 in pictures: what a small batch puts to work, and whom everybody waits for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from calc import moe
from calc.batching import touched
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import DECADES, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, MODEL, SYSTEM
from calc.moe import routing
from calc.moe.figures.shared import EVEN, THROW
from calc.quantities.units import plain, show
from calc.setting import Scenario

SHARES = {"experts": "experts", "chips": "chips at work", "busiest": "busiest chip"}
FEW = replace(BATCH, default=8)
BATCHES = np.unique(np.round(np.logspace(0, 3, 49)))


def awake(*, model: str, system: str, batch: float, throw: float) -> Answer:
    """Shares of experts and of chips that a small batch puts to work, and what the busiest chip must read."""
    where = Scenario.named(model, system, "bf16")
    experts, picks = where.model.routed
    placed = moe.place_experts(experts, where.system.chips)
    per_chip, used = int(placed.experts_per_chip), int(placed.chips_used)
    batches = np.union1d(BATCHES, min(batch, BATCHES[-1]))
    choices = routing.drawn_choices(int(BATCHES[-1]), experts, picks, int(throw))
    seen = np.logical_or.accumulate(choices, axis=0)[batches.astype(int) - 1]
    held = np.pad(seen, ((0, 0), (0, used * per_chip - experts))).reshape(len(batches), used, per_chip)
    at_work, busiest = held.any(axis=2).mean(axis=1), held.sum(axis=2).max(axis=1) / per_chip
    expected = np.asarray(touched.touched_share(batches, experts, picks))
    share = touched.touched_share(batch, experts, picks)
    place = int(np.searchsorted(batches, min(batch, BATCHES[-1])))
    here = busiest[place]
    inside = batch <= BATCHES[-1]
    drawn = {"batch": batches, "experts": expected, "chips": at_work, "busiest": busiest}
    at_batch = {"batch": batch, "share": here, "label": show(here, "%")}
    alone = expected[0]
    reads = f"one chip read {show(busiest[0], '%')} of its own"
    return Answer(
        finding=f"{where.model.name} is dense: every batch wakes all of it"
        if where.model.dense
        else f"A lone sequence wakes {show(alone, '%')} of the experts and has {reads}"
        + (f"; a batch of {plain(batch, 9)} wakes {show(share, '%')}, and one reads {show(here, '%')}" * (batch > 1)),
        description=(
            f"Line chart: shares against the batch on a logarithmic axis from 1 to 1,000, for {where.model.name} with "
            f"{show(per_chip, 'experts', 9)} on each of {show(used, 'chips', 9)}. A lone sequence wakes "
            f"{show(alone, '%')} of the experts, puts {show(at_work[0], '%')} of the chips to work, and has {reads}. "
            f"All three rise to all; the busiest chip is first."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "batch", SHARES, log=False),
            "here": {key: [what] if inside else [] for key, what in at_batch.items()},
        },
        values={
            "alone": Value(alone, "%", "Experts that a lone sequence wakes"),
            "alone_busiest": Value(busiest[0], "%", "Busiest chip for a lone sequence"),
            "alone_fewer": Value(1 / alone, "x", "Bytes that a lone sequence reads, fewer by"),
            "alone_quicker": Value(1 / busiest[0], "x", "Its reading, quicker by, this throw"),
            "experts": Value(share, "%", "Experts awake, expected"),
            "chips": Value(at_work[place], "%", "Chips at work, this throw"),
            "busiest": Value(here, "%", "Busiest chip, of its own"),
            "wait": Value(here / share, "x", "Busiest chip over the average"),
            "alone_wait": Value(busiest[0] / alone, "x", "Busiest over average, lone sequence, this throw"),
            "per_chip": Value(per_chip, "", "Experts on a chip"),
        },
    )


def awake_chart() -> Any:
    """Three shares that rise to all, the busiest chip's in steps."""
    import altair as alt

    lines = labelled_lines(
        alt,
        SHARES,
        alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s", values=DECADES),
        alt.Y("share:Q", title="Share at work in a step").scale(domain=[0, 1]).axis(format="%"),
    )
    return lines + here_layer(alt, "batch", "share", label="label")


AWAKE = Figure(
    name="moe/awake",
    inputs=(MODEL, SYSTEM, FEW, THROW),
    compute=awake,
    chart=awake_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "experts": "Experts awake",
        "chips": "Chips at work",
        "busiest": "Busiest chip, of its own",
    },
    assumptions=(
        EVEN,
        "Experts awake are the expected share; chips are those of one throw; a batch is a part of the next larger one.",
        "One layer. A step has many, and in each another chip may be the busiest.",
    ),
    foremost=4,
    sources=("lecture", "deepseek-v3-config"),
)
