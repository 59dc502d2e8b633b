"""The decode step against its batch, and against its context."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching
from calc.batching.figures.setting import balanced_batch, critical_context, largest_batch
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import ROOM, SECONDS, ends, guide_layer, guides, here_layer, labelled_lines, named_lines
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM, Setting, fit_notes, setting
from calc.quantities.units import plain, show

BATCHES: Any = np.logspace(0, 6, 97)
CONTEXTS: Any = np.logspace(1, 8, 113)
PARTS = {"bound": "Bound", "compute": "Compute", "weights": "Weights", "cache": "Cache"}
USES = {"here": "At your batch", "ceiling": "In an endless batch"}


def step_time(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """The parts of a decode step against the batch."""
    where = setting(model, system, precision)
    curve: Any = batching.step_time(BATCHES, context, **where.step_arguments())
    here: Any = batching.step_time(batch, context, **where.step_arguments())
    balanced = balanced_batch(where, context)
    full = largest_batch(where, context)
    lines = {
        "batch": BATCHES,
        "compute": curve.compute,
        "weights": np.full_like(BATCHES, curve.weights),
        "cache": curve.cache,
        "bound": curve.bound,
        "serial": curve.serial,
    }
    return Answer(
        finding=f"At a batch of {plain(batch, 9)}, a step takes at least {show(here.bound, 's')} and is {_limit(here)}",
        description=(
            f"Line chart, both axes logarithmic: seconds of a decode step of {where.model.name} on {where.system.name} "
            f"against the batch, from 1 to a million sequences. Weights are a level line at {show(here.weights, 's')}; "
            f"compute and cache rise in proportion to the batch. The step is at least the larger of compute and "
            f"weights plus cache; a band above it reaches to their sum."
        ),
        tables={
            "curve": lines,
            "ends": ends(lines, "batch", PARTS),
            "here": {"batch": [batch], "bound": [here.bound], "time": [show(here.bound, "s")]},
            "guides": guides("batch", {"balance": balanced, "memory full": full}, 1, 1e6),
        },
        values={
            "step": Value(here.bound, "s", "Step, at least"),
            "compute": Value(here.compute, "s", "Compute"),
            "weights": Value(here.weights, "s", "Weights"),
            "cache": Value(here.cache, "s", "Cache"),
            "tokens": Value(float(batching.tokens_per_second(batch, here.bound)), "tokens/s", "Decoded, at most"),
            "user": Value(1 / here.bound, "tokens/s", "Each sequence, at most"),
            "utilisation": Value(float(here.utilisation), "%", "Multipliers busy, at most"),
            "balanced": Value(balanced, "sequences", "Balanced batch", endless="none: no batch balances"),
            "full": Value(full, "sequences", "Largest batch that fits"),
        },
        notes=[*where.notes(), *fit_notes(where, context, batch), *_balance_notes(where, context)],
    )


def _limit(here: Any) -> str:
    if here.compute > here.memory:
        return "limited by arithmetic"
    return f"mostly spent on reading {'the cache' if here.cache > here.weights else 'weights'}"


def _balance_notes(where: Setting, context: float) -> list[str]:
    critical = critical_context(where)
    if context < critical:
        return []
    return [f"No batch balances arithmetic and memory: the context is past the critical {show(critical, 'tokens')}."]


def step_time_chart() -> Any:
    """Three straight parts, and between the bounds a band in which a step without other overheads lies."""
    import altair as alt

    curve = alt.Chart(alt.NamedData("curve"))
    x = alt.X("batch:Q", title="Batch (sequences)").scale(type="log").axis(format="~s")
    band = curve.mark_area(color=look.MUTED, fillOpacity=0.14, line=False).encode(x=x, y="bound:Q", y2="serial:Q")
    y = alt.Y("seconds:Q", title="Time of a step").scale(type="log").axis(**SECONDS)
    lines = labelled_lines(alt, PARTS, x, y)
    chart = band + guide_layer(alt, "batch") + lines + here_layer(alt, "batch", "bound", label="time")
    return chart.properties(padding=ROOM)


def context_use(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """How busy the multipliers can be against the context, at the reader's batch and in an endless one."""
    where = setting(model, system, precision)
    critical = critical_context(where)

    def busy(tokens: Any) -> Any:
        return batching.step_time(batch, tokens, **where.step_arguments()).utilisation

    here, ceiling = float(busy(context)), float(batching.utilisation_ceiling(context, critical))
    side = (
        f"past {show(critical, 'tokens')} no batch can keep them all busy"
        if context > critical
        else f"a large enough batch keeps all busy up to {show(critical, 'tokens')}"
    )
    return Answer(
        finding=f"At a context of {plain(context, 9)}, {show(here, '%')} of the multipliers can be busy; {side}",
        description=(
            f"Line chart: share of the multipliers that can be busy against the context on a logarithmic axis, for "
            f"{where.model.name} on {where.system.name}. In an endless batch it is all of them up to "
            f"{show(critical, 'tokens')} and falls in inverse proportion from there; at a batch of {plain(batch, 9)} "
            f"it starts at {show(float(busy(10)), '%')} and falls likewise."
        ),
        tables={
            "curve": {
                "context": CONTEXTS,
                "here": busy(CONTEXTS),
                "ceiling": np.asarray(batching.utilisation_ceiling(CONTEXTS, critical)),
            },
            "here": {"context": [context], "share": [here]},
            "guides": guides("context", {"critical context": critical}, 10, 1e8),
        },
        values={
            "utilisation": Value(here, "%", "Multipliers busy, at most"),
            "ceiling": Value(ceiling, "%", "In an endless batch"),
            "critical": Value(critical, "tokens", "Critical context"),
            "doubled": Value(busy(2 * context), "%", "At twice the context"),
            "token_bytes": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        },
        notes=[*where.notes(), *fit_notes(where, context, batch)],
    )


def context_chart() -> Any:
    """A ceiling that breaks at the critical context, and the reader's batch below it."""
    import altair as alt

    lines = named_lines(
        alt,
        USES,
        alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s"),
        alt.Y("share:Q", title="Multipliers busy, at most").scale(domain=[0, 1]).axis(format="%"),
    )
    return guide_layer(alt, "context") + lines + here_layer(alt, "context", "share")


OVERLAP = "Reading and computing overlap perfectly; communication, scheduling and the arithmetic of attention are free."
READS = "Every step reads all the weights of the model once, and the whole cache of every sequence."

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
        "serial": "Step without overlap (s)",
    },
    assumptions=(OVERLAP, READS, "The band reaches up to a step in which reading and computing do not overlap at all."),
    sources=("lecture",),
)

CONTEXT_USE = Figure(
    name="batching/context",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=context_use,
    chart=context_chart,
    table="curve",
    columns={"context": "Context (tokens)", "here": "Busy, your batch", "ceiling": "Busy, endless batch"},
    assumptions=(OVERLAP, READS, "The endless batch ignores how much memory its caches would take."),
    sources=("lecture",),
)
