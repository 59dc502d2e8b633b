"""Lecture 1 in pictures: what a token costs in a batch."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from calc import batching, catalog
from calc.batching.figures.setting import FILLED, OPENING, balanced_batch, cheapest_seconds, largest_batch, penalty
from calc.batching.figures.shared import ROOM, counted, known, sleeping, torus_notes
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.rent import RENT
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.step import decode
from calc.step.forecasting import forecast_of

BATCHES = np.logspace(0, 6, 61)
ON_DEMAND = replace(RENT, default=catalog.rent(OPENING[1]).dollars_per_chip_hour)
PARTS = {"cost": "bound", "weights": "weights", "cache": "cache", "compute": "compute"}
NAMED = 4  # how many times further to the right the name of a line reaches
SHOWN_BELOW_FLOOR = 20  # the axis, and the line of the weights, go to the decade that is so much cheaper


def cost(*, model: str, system: str, precision: str, context: float, batch: float, price: float) -> Answer:
    """Dollars for a million decoded tokens against the batch."""
    where = Scenario.named(model, system, precision)
    rent = price * where.system.chips
    arguments = where.step_arguments()

    def dollars(sequences: Quantity, seconds: Quantity) -> Quantity:
        return MILLION * batching.dollars_per_token(sequences, seconds, rent)

    curve = batching.step_time(BATCHES, context, **arguments)
    here = batching.step_time(batch, context, **arguments)
    weights = dollars(BATCHES, curve.weights)
    places = {"balance": balanced_batch(where, context), "memory full": largest_batch(where, context)}
    spent = dollars(batch, here.bound)
    full = places["memory full"]
    filled = ""
    if 1 <= full < math.inf and full != batch:
        most = dollars(full, batching.step_time(full, context, **arguments).bound)
        filled = f", with memory full {show(most, '$')}"
    found = known(where)
    likely = {}
    if found is not None:
        seconds = forecast_of(decode(found, batch, context)).seconds
        likely["forecast"] = Value(dollars(batch, seconds), "$/Mtok", "Cost, forecast")
    crowded = where.crowded(context, batch)
    begins, costs = (f"{crowded.capitalize()}by", "would cost") if crowded else ("By", "cost")
    floor = dollars(1, cheapest_seconds(where, context))
    alone = dollars(1, batching.step_time(1, context, **arguments).bound)
    end = _last(float(dollars(1, curve.weights)), float(floor), places)
    drawn = {
        "batch": BATCHES,
        "cost": dollars(BATCHES, curve.bound),
        "weights": np.where(end < BATCHES, np.nan, weights),
        "cache": dollars(BATCHES, curve.cache),
        "compute": dollars(BATCHES, curve.compute),
    }
    return Answer(
        finding=(
            f"{begins} the simplest bound, prompts left out, a million tokens at a batch of {plain(batch, 9)} {costs} "
            f"at least {show(spent, '$')}{filled}, and at this context no batch goes below {show(floor, '$')}"
        ),
        description=(
            f"Line chart, both axes logarithmic: dollars for a million tokens of {where.model.name} on "
            f"{where.system.name} against the batch. The share of the weights falls in inverse proportion to the "
            f"batch, from {show(alone, '$')} in all at a batch of 1; compute and cache are level lines, and the larger "
            f"of the two, {show(floor, '$')}, is the cost in an endless batch."
        ),
        tables={
            "curve": drawn,
            "ends": ends(drawn, "batch", PARTS, bottom=_off_axis(drawn)),
            "here": {"batch": [batch], "cost": [spent], "label": [show(spent, "$")]},
            "guides": guides("batch", places, 1, 1e6),
        },
        values={
            "cost": Value(spent, "$/Mtok", "Cost, at least"),
            **likely,
            "floor": Value(floor, "$/Mtok", "Endless batch"),
            "above": Value(spent / floor, "x", "Over the endless batch"),
            "alone": Value(alone, "$/Mtok", "Batch of 1"),
            "penalty": Value(batching.batching_penalty(alone, floor), "x", "Alone, all weights read, dearer by"),
            "penalty_woken": Value(
                penalty(where, context, 1 / where.model.sparsity), "x", "Alone, only its experts read, dearer by"
            ),
            "rent": Value(rent, "$/h", "Rent of the system"),
        },
        notes=[
            *counted(where),
            *where.fit_notes(context, batch),
            *sleeping(where, batch),
            *torus_notes(where.system),
            _rent_note(where, price),
        ],
    )


def _last(alone: float, floor: float, places: Mapping[str, float]) -> float:
    """The batch at which the line of the weights, `alone` dollars at one, ends: on the axis and clear of rules."""
    end = alone / 10.0 ** math.floor(math.log10(floor / SHOWN_BELOW_FLOOR))
    for place in sorted(places.values()):
        if end < place < NAMED * end:
            end = place * BATCHES[1]
    return end


def _off_axis(drawn: Mapping[str, Any]) -> float:
    """The lowest place of a name: where the lowest line is, but not on the axis, which lies at a power of ten."""
    lowest = min(float(each) for key in PARTS for each in np.atleast_1d(drawn[key]) if each > 0)
    return max(lowest, 1.6 * 10.0 ** math.floor(math.log10(lowest)))


def _rent_note(where: Scenario, price: float) -> str:
    try:
        known = catalog.rent(where.system.id)
    except CalcError:
        return (
            f"The catalogue knows no published rent for {where.chip.name}; the figure uses yours, {show(price, '$')}."
        )
    asked = f"{show(known.dollars_per_chip_hour, '$')} an hour ({known.name}, {known.since.strftime('%B %Y')})"
    yours = "" if price == known.dollars_per_chip_hour else f"; the figure uses {show(price, '$')}"
    return f"The catalogue's rent for this chip is {asked}{yours}."


def cost_chart() -> Any:
    """A falling share of the weights above two level lines."""
    import altair as alt

    lines = labelled_lines(
        alt,
        PARTS,
        alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s"),
        alt.Y("dollars:Q", title="Dollars per million tokens").scale(type="log").axis(format="$,~r"),
    )
    return guide_layer(alt, "batch") + lines + here_layer(alt, "batch", "cost", label="label", falling=True)


COST = Figure(
    name="batching/cost",
    inputs=(*FILLED, ON_DEMAND),
    compute=cost,
    chart=cost_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "cost": "Cost, at least ($/Mtok)",
        "weights": "Weights ($/Mtok)",
        "cache": "Cache ($/Mtok)",
        "compute": "Compute ($/Mtok)",
    },
    assumptions=(
        "Reading and computing overlap perfectly; communication, scheduling and the arithmetic of attention are free.",
        "Every step reads all weights; a small batch of a mixture wakes only some experts, and can cost less.",
        "Decoded tokens only: prompts, idle hours, staff and margin are not in it.",
        ROOM,
    ),
    foremost=4,
    sources=("lecture", "spheron"),
)
