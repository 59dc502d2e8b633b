"""The decode step against its batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching
from calc.batching.figures.setting import balanced_batch, critical_context, largest_batch
from calc.batching.figures.shared import READS, ROOM, counted, known, said_layer, sleeping, torus_notes, turning
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS, guide_layer, guides, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.quantities.units import plain, show
from calc.setting import Scenario, Setting
from calc.step import decode
from calc.step.forecasting import forecast_of

BATCHES = np.unique(np.round(np.logspace(0, 6, 61)))
PARTS = {"bound": "Bound", "compute": "Compute", "weights": "Weights", "cache": "Cache", "turn": "In turn"}


def step_time(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The parts of a decode step against the batch."""
    where = Scenario.named(model, system, precision)
    given = where.step_arguments()
    curve, here = (batching.step_time(each, context, **given) for each in (BATCHES, batch))
    balanced = balanced_batch(where, context)
    room = largest_batch(where, context)
    laid_out = known(where)
    full, turn = _in_turn(laid_out, batch, context)
    highest = max(here.bound, full["turn"].number if full else 0.0)
    said = [f"bound {show(here.bound, 's')}", *([f"in turn {full['turn'].text}"] if full else [])]
    lines = {
        "batch": BATCHES,
        "turn": turn,
        "compute": curve.compute,
        "weights": np.full_like(BATCHES, curve.weights),
        "cache": curve.cache,
        "bound": curve.bound,
    }
    crowded = where.crowded(context, batch)
    begins, takes, be = (f"{crowded.capitalize()}by", "would take", "be") if crowded else ("By", "takes", "is")
    return Answer(
        finding=(
            f"{begins} the simplest bound, a step at a batch of {plain(batch, 9)} {takes} at least "
            f"{show(here.bound, 's')} and {be} {_limit(here)}"
        ),
        description=(
            f"Line chart, both axes logarithmic: seconds of a decode step of {where.model.name} on {where.system.name} "
            f"against the batch, from 1 to a million sequences. Weights are a level line at {show(here.weights, 's')}; "
            f"compute and cache rise in proportion to the batch. The step is at least the larger of compute and "
            f"weights plus cache. A further line is the step operation by operation in a layout that can be had."
        ),
        tables={
            "curve": lines,
            "ends": ends(lines, "batch", PARTS),
            "here": {"batch": [batch], "bound": [here.bound], "highest": [highest]},
            "said": {
                "batch": [batch] * len(said),
                "highest": [highest] * len(said),
                "label": said,
                "row": list(range(len(said))),
                "falls": [False] * len(said),
            },
            "guides": guides("batch", {"balance": balanced, "memory full": room}, 1, 1e6),
        },
        values={
            "step": Value(here.bound, "s", "Step, at least"),
            "user": Value(1 / here.bound, "tokens/s", "Each sequence, at most"),
            **full,
            "compute": Value(here.compute, "s", "Compute"),
            "weights": Value(here.weights, "s", "Weights"),
            "cache": Value(here.cache, "s", "Cache"),
            "tokens": Value(batching.tokens_per_second(batch, here.bound), "tokens/s", "Decoded, at most"),
            "utilisation": Value(here.utilisation, "%", "Multipliers on weights, at most"),
            "balanced": Value(balanced, "sequences", "Balanced batch, by this bound", endless="none"),
            "full": Value(room, "sequences", "Largest batch that fits"),
        },
        notes=[
            *counted(where),
            *where.fit_notes(context, batch),
            *torus_notes(where.system),
            *sleeping(where, batch),
            *_balance_notes(where, context),
        ],
    )


def _in_turn(found: Setting | None, batch: float, context: float) -> tuple[dict[str, Value], Any]:
    """The step operation by operation, laid out as is usual: as a line over all batches, and at the reader's, last."""
    if found is None:
        return {}, np.full_like(BATCHES, np.nan)
    line = decode(found, np.append(BATCHES, batch), context)
    likely, turn = forecast_of(line), np.asarray(line.in_turn_seconds)
    low, high = likely.band_above(line.bound_seconds)
    told = {
        "turn": (turn, "Its operations in turn"),
        "forecast": (likely.seconds, "Forecast"),
        "laid_out": (line.bound_seconds, "With a layout, at least"),
        "forecast_low": (low, "Four of five lie above"),
        "forecast_high": (high, "and below"),
    }
    values = {name: Value(np.asarray(seconds)[-1], "s", label) for name, (seconds, label) in told.items()}
    values["busy"] = Value(np.asarray(line.compute_seconds / turn)[-1], "%", "Busiest chip multiplies, in turn")
    return values, turn[:-1]


def _limit(here: batching.StepTime) -> str:
    if here.compute > here.memory:
        return "limited by arithmetic"
    return f"mostly spent on reading {'the cache' if here.cache > here.weights else 'weights'}"


def _balance_notes(where: Scenario, context: float) -> list[str]:
    simple, real = critical_context(where), turning(where)
    if context < max(simple, real):
        return []
    onwards = f"from {show(real, 'tokens')} on" if real else "at any length"
    return [
        f"By this bound no batch balances arithmetic and memory past {show(simple, 'tokens')} of context; with the "
        f"arithmetic of attention{', and what a step does read,' if where.cache_notes() else ''} that is so {onwards}."
    ]


def step_time_chart() -> Any:
    """Three straight parts, the bound over them, and the step operation by operation."""
    import altair as alt

    x = alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s")
    y = alt.Y("seconds:Q", title="Time of a step").scale(type="log").axis(**SECONDS)
    lines = labelled_lines(alt, PARTS, x, y)
    base = alt.Chart(alt.NamedData("here")).encode(x=x)
    stem = base.mark_rule(color=look.ACCENT, strokeWidth=1).encode(y="bound:Q", y2="highest:Q")
    ring = base.mark_point(color=look.ACCENT, filled=False, strokeWidth=2, size=60).encode(y="highest:Q")
    dots = stem + ring + here_layer(alt, "batch", "bound")
    return guide_layer(alt, "batch") + lines + dots + said_layer(alt, "batch", "highest")


OVERLAP = "Reading and computing overlap perfectly; communication, scheduling and the arithmetic of attention are free."
IN_TURN = "In turn: every operation at its own roofline, one after another, in the layout that is usual for the model."
STEP_TIME = Figure(
    name="batching/step-time",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=step_time,
    chart=step_time_chart,
    table="curve",
    columns={
        "batch": "Batch (sequences)",
        "compute": "Compute (s)",
        "weights": "Weights (s)",
        "cache": "Cache (s)",
        "bound": "Step, at least (s)",
        "turn": "Operations in turn (s)",
    },
    assumptions=(
        OVERLAP,
        READS,
        IN_TURN,
        ROOM,
    ),
    foremost=4,
    sources=("lecture",),
)
