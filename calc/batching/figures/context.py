"""The share of the multipliers that can be busy, against the context."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import batching
from calc.batching.figures.setting import critical_context, largest_batch
from calc.batching.figures.shared import CONTEXTS, ENDLESS, READS, busy, known, said_layer, turning
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import guide_layer, guides, here_layer
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import BATCH, CONTEXT, MODEL, PRECISION, SYSTEM
from calc.quantities.units import plain, show
from calc.setting import Scenario

HEADROOM = 1.17  # of the axis, for the names of upright rules above the lines
USES = {"here": "Your batch", "ceiling": "Endless batch", "simple": "By (7)"}


def context_use(*, model: str, system: str, precision: str, context: float, batch: float) -> Answer:
    """How busy the multipliers can be against the context, at the reader's batch and in an endless one."""
    where = Scenario.named(model, system, precision)
    simple, turns = critical_context(where), turning(where)
    room = largest_batch(where, batch)  # in tokens of context: the two change places
    few = [context, 2 * context, CONTEXTS[0]]
    asked = np.concatenate([CONTEXTS, CONTEXTS, few, [context]])
    batches = np.repeat([batch, ENDLESS, batch, ENDLESS], [CONTEXTS.size, CONTEXTS.size, len(few), 1])
    used = np.asarray(busy(where, batches, asked))
    line, endless = used[: CONTEXTS.size], used[CONTEXTS.size : 2 * CONTEXTS.size]
    here, doubled, short, ceiling = used[2 * CONTEXTS.size :]
    side = (
        "no batch can keep them all busy at any length"
        if not turns
        else f"past {show(turns, 'tokens')} no batch can keep them all busy"
        if context > turns
        else f"a large enough batch keeps all busy up to {show(turns, 'tokens')}"
        if turns < np.inf
        else "a large enough batch keeps all busy at any length"
    )
    crowded = where.crowded(context, batch)
    begins, can = (f"{crowded.capitalize()}by", "could") if crowded else ("By", "can")
    lines = {
        "context": CONTEXTS,
        "here": line,
        "ceiling": endless,
        "simple": np.asarray(batching.utilisation_ceiling(CONTEXTS, simple)),
    }
    return Answer(
        finding=(
            f"{begins} the simplest bound with attention's arithmetic, {show(here, '%')} of the multipliers {can} be "
            f"busy at a batch of {plain(batch, 9)} and a context of {plain(context, 9)}; {side}"
        ),
        description=(
            f"Line chart: share of the multipliers that can be busy, the arithmetic of attention included, against the "
            f"context on a logarithmic axis, for {where.model.name} on {where.system.name}. At a batch of "
            f"{plain(batch, 9)} it starts at {show(short, '%')}; in an endless batch it is "
            f"{show(ceiling, '%')} at the reader's context. A line without attention's arithmetic falls from "
            f"{show(simple, 'tokens')} on."
        ),
        tables={
            "curve": lines,
            "ends": ends(lines, "context", USES, log=False),
            "here": {"context": [context], "share": [here]},
            "said": {
                "context": [context],
                "share": [here],
                "label": [show(here, "%")],
                "row": [0],
                "falls": [bool(doubled < here)],
            },
            "guides": guides("context", {"critical context": turns, "memory full": room}, 10, 1e8),
        },
        values={
            "utilisation": Value(here, "%", "Multipliers busy, at most"),
            "ceiling": Value(ceiling, "%", "In an endless batch"),
            "critical": Value(turns, "tokens", "Critical context", endless="none"),
            "simple": Value(simple, "tokens", "Attention left out"),
            "doubled": Value(doubled, "%", "At twice the context"),
            "token_bytes": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
        },
        notes=[*where.rate_notes(), *_cache_notes(where), *where.fit_notes(context, batch), *_rate_notes(where)],
    )


def _cache_notes(where: Scenario) -> list[str]:
    if not where.cache_notes() or known(where) is None:
        return where.cache_notes()
    return [f"The line by (7) counts the whole of a cache that grows; the others count what {where.model.name} reads."]


def _rate_notes(where: Scenario) -> list[str]:
    if known(where):
        return []
    return [f"No rate of {where.chip.name} for attention is published: its arithmetic is left out."]


def context_chart() -> Any:
    """A ceiling that breaks at the critical context, and the reader's batch below it."""
    import altair as alt

    x = alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s")
    y = alt.Y("share:Q", title="Multipliers busy, at most").scale(domain=[0, HEADROOM])
    y = y.axis(format="%", values=[0, 0.2, 0.4, 0.6, 0.8, 1], tickCount=6)
    marks = labelled_lines(alt, USES, x, y) + here_layer(alt, "context", "share") + said_layer(alt, "context", "share")
    return guide_layer(alt, "context") + marks


EVENLY = "Reading and computing overlap perfectly and are shared evenly; the arithmetic of attention is counted."
CONTEXT_USE = Figure(
    name="batching/context",
    inputs=(MODEL, SYSTEM, PRECISION, CONTEXT, BATCH),
    compute=context_use,
    chart=context_chart,
    table="curve",
    columns={
        "context": "Context (tokens)",
        "here": "Busy, your batch",
        "ceiling": "Busy, endless batch",
        "simple": "Attention left out",
    },
    assumptions=(EVENLY, READS, "The endless batch ignores how much memory its caches would take."),
    foremost=4,
    sources=("lecture",),
)
