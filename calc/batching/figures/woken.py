"""Lecture 1 in pictures: the experts that a small batch wakes, and the weights that it need not read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from calc.batching import touched
from calc.batching.figures.setting import latency_floor
from calc.batching.figures.shared import AWAKE
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, MODEL, PRECISION, SYSTEM
from calc.quantities.check import Quantity
from calc.quantities.units import plain, show
from calc.setting import Scenario

SMALL = 10_000  # sequences, by which the experts of every model are awake
SHARES = {"weights": "weights", "experts": "experts", "unshared": "unshared"}


def touched_weights(*, model: str, system: str, precision: str, batch: float) -> Answer:
    """The share of the experts that a batch wakes, and of all weights that it must read."""
    where = Scenario.named(model, system, precision)
    routed, picks = where.model.routed
    batches = np.unique(np.append(np.geomspace(1, max(SMALL, batch), 81), routed / picks))  # the bend of `unshared`
    experts, unshared, weights = shares(where, batches)
    experts_here, _, weights_here = shares(where, batch)
    weights_alone = shares(where, 1)[-1]
    floor = latency_floor(where)
    drawn = {"batch": batches, "weights": weights, "experts": experts, "unshared": unshared}
    told = f"one sequence reads {show(weights_alone, '%')} of its weights"
    if batch > 1:
        told += f", {plain(batch, 9)} together read {show(weights_here, '%')}"
    told += f"; it takes {plain(waking(routed, picks))} to wake {show(AWAKE, '%')} of the experts"
    dense = where.model.routed_experts is None
    if dense:
        told = "every batch reads all its weights"
    return Answer(
        finding=f"{where.model.name}{' is dense' if dense else ''}: {told}",
        description=(
            f"Line chart: share of the weights of {where.model.name} that a step reads, and of its routed experts that "
            f"it wakes, against the batch on a logarithmic axis from 1 to {plain(batches[-1])}. {told[0].upper()}"
            f"{told[1:]}."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "batch", SHARES, log=False),
            "here": {"batch": [batch], "share": [weights_here], "label": [show(weights_here, "%")]},
        },
        values={
            "experts": Value(experts_here, "%", "Routed experts woken"),
            "weights": Value(weights_here, "%", "Weights read"),
            "seconds": Value(weights_here * floor, "s", "Time to read them, at least"),
            "alone": Value(weights_alone * floor, "s", "For a single sequence"),
            "bytes": Value(weights_here * where.weight_bytes, "B", "Bytes of weights read"),
            "all": Value(floor, "s", "For all weights"),
        },
    )


def waking(experts: float, picks: float) -> float:
    """The least batch that wakes the share `AWAKE` of the experts: the B at which 1 - (1 - E_a/E)^B reaches it.

    >>> waking(256, 8), waking(1, 1)
    (146, 1)
    """
    return math.ceil(math.log(1 - AWAKE) / math.log1p(-picks / experts)) if picks < experts else 1


def shares(where: Scenario, batch: Quantity) -> tuple[Any, Any, Any]:
    """Shares that a batch touches: of the experts, of them if no two tokens shared one, of all weights.

    A dense model counts as a single expert that is always awake.
    """
    model, sequences = where.model, np.asarray(batch, dtype=np.float64)
    if model.routed_experts is None or model.active_routed_experts is None:
        return np.ones_like(sequences), np.ones_like(sequences), np.ones_like(sequences)
    routed = (model.routed_experts, model.active_routed_experts)
    params = touched.touched_params(batch, model.total_params, model.active_params, *routed)
    woken = touched.touched_share(batch, *routed), touched.touched_share_unshared(batch, *routed)
    return *woken, params / model.total_params


def touched_chart() -> Any:
    """Two shares that rise to all."""
    import altair as alt

    lines = labelled_lines(
        alt,
        SHARES,
        alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
        alt.Y("share:Q", title="Share touched by a step").scale(domain=[0, 1]).axis(format="%"),
    )
    return lines + here_layer(alt, "batch", "share", label="label")


TOUCHED = Figure(
    name="batching/touched",
    inputs=(MODEL, SYSTEM, PRECISION, BATCH),
    compute=touched_weights,
    chart=touched_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "weights": "Weights read",
        "experts": "Experts woken",
        "unshared": "Unshared",
    },
    assumptions=(
        "Each token chooses its experts evenly and independently of the others; real batches often wake fewer.",
        "The experts that are woken are spread evenly over the chips, so that all memory is read at once.",
    ),
    foremost=4,
    sources=("lecture", "deepseek-v3-config"),
)
