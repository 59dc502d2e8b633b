"""Measured rows of stages beside lecture 3: for how long of a step they computed, and what a chip held."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calc.catalog.pipelines import PIPELINES_SOURCE, pass_times
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.pipelining.bubbles import bubble_share
from calc.quantities.units import show
from calc.world.figures.both_ends import both_ends
from calc.world.pipelines import (
    FILLED,
    PIECES,
    PLAIN,
    SPLIT,
    RowRun,
    counted_gigabytes,
    long_enough,
    micro_batch_gigabytes,
    row_runs,
)

NODE = 8  # chips of a node, and stages of the rows that fit into one
FEWEST, MOST = 0.25, 8.0  # micro-batches for each stage
HELD = "1.5B"  # the model whose memory the page tells
EXAMPLE = "6.2B"
SAME = 32  # micro-batches whose memory is that of 24
LARGER = ("6.2B", "14.6B")  # others that ran with few micro-batches, too
OTHERS = {"pieces": PIECES, "split": SPLIT, "filled": FILLED}


def measured_rows() -> Answer:
    """1F1B from few micro-batches to many, beside (6)."""
    runs = row_runs(PLAIN)
    node, nodes = ([each.longer for each in runs if (each.row.stages > NODE) is more] for more in (False, True))
    example = {each.row.micro_batches: each for each in runs if each.row.model == EXAMPLE}
    played = [each.played / each.share for each in runs]
    fewest = next(each for each in runs if each.row.stages == 2 * NODE)
    backward = [(each.backward + each.weight) / each.forward for each in pass_times().values()]
    weight = [each.weight / each.forward for each in pass_times().values()]
    return Answer(
        finding=f"Steps under 1F1B took {show(min(node), 'x')} to {show(max(nodes), 'x')} as long as (6) says",
        description=(
            f"Scatter plot: share of a step in which a stage computes, against micro-batches for each stage, in "
            f"{len(runs)} runs under 1F1B of four models on rows of 8, 16 and 32 stages. Two lines are (6), for 8 and "
            f"for 32 stages. They rise from {show(min(each.formula for each in runs), '%', 2)} to "
            f"{show(max(each.formula for each in runs), '%', 2)}. The dots follow them from below, those of 8 stages "
            f"more closely."
        ),
        tables={"runs": _table(runs), "lines": _formula(), "names": _name(2.0)},
        values={
            "runs": Value(len(runs), "", "Runs under 1F1B"),
            **both_ends("node", node, "Step over (6), one node", "x", 3, most="one node, most"),
            **both_ends("nodes", nodes, "several nodes", "x", 3, most="several nodes, most"),
            **both_ends("played", played, "Step over the timetable with hops", "x", 3),
            "few_left": Value(fewest.played / fewest.share - 1, "%", f"{fewest.name}, fewest micro-batches: left", 2),
            **both_ends("rest", [each.rest for each in long_enough(runs)], "Left for each micro-batch", "s"),
            **{
                f"{kind}_{count}": Value(getattr(each, kind), "%", f"{EXAMPLE}, {count} micro-batches", 2)
                for count, each in example.items()
                if count in (2, 8, 64)
                for kind in ("formula", "share")
            },
            **both_ends("back", backward, "Backward pass over forward pass", "x", 3),
            **both_ends("weight", weight, "Its part for weights over forward pass"),
        },
    )


def _table(runs: Sequence[RowRun]) -> dict[str, list[Any]]:
    return {
        "model": [each.name for each in runs],
        "each": [each.for_each_stage for each in runs],
        "micro": [each.row.micro_batches for each in runs],
        "share": [100 * each.share for each in runs],
        "formula": [100 * each.formula for each in runs],
        "longer": [each.longer for each in runs],
    }


def _formula() -> dict[str, list[Any]]:
    rows = [
        (stages, micro)
        for stages in (NODE, 4 * NODE)
        for micro in range(int(FEWEST * stages), int(MOST * stages) + 1, stages // NODE)
    ]
    return {
        "stages": [stages for stages, _ in rows],
        "each": [micro / stages for stages, micro in rows],
        "share": [100 * (1 - float(bubble_share(PLAIN, stages, micro))) for stages, micro in rows],
    }


def _name(each: float) -> dict[str, list[Any]]:
    """A label of the upper line, at so many micro-batches for each stage."""
    share = 1 - float(bubble_share(PLAIN, NODE, each * NODE))
    return {"each": [each], "share": [100 * share], "label": ["by (6): 8 stages; below it, 32"]}


def rows_chart() -> Any:
    """Dots of four models below two lines."""
    import altair as alt

    x = alt.X("each:Q", title="Micro-batches of a step for each stage").scale(type="log", base=2, nice=False)
    x = x.axis(values=[FEWEST, 0.5, 1, 2, 4, MOST])
    y = alt.Y("share:Q", title="Of the step, a stage computes, %").scale(domain=[0, 100], nice=False)
    names = list(dict.fromkeys(each.name for each in row_runs(PLAIN)))
    colour = alt.Color("model:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("model:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_line(color=look.MUTED, strokeWidth=1.2)
        .encode(x=x, y=y, detail="stages:N")
    )
    dots = alt.Chart(alt.NamedData("runs")).mark_point(size=60, filled=True, opacity=0.9)
    named = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="label:N")
    words = named.mark_text(align="right", dx=-8, dy=-10, color=look.MUTED)
    return lines + dots.encode(x=x, y=y, color=colour, shape=shape) + words


def held() -> Answer:
    """Memory of the fullest chip: one model from few micro-batches to many, and other schedules."""
    runs = {
        name: [each for each in row_runs(name) if each.row.model == HELD] for name in (PLAIN, PIECES, SPLIT, FILLED)
    }
    plain = {each.row.micro_batches: each for each in runs[PLAIN] if each.row.micro_batches != SAME}
    last = {name: runs[schedule][-1] for name, schedule in OTHERS.items()}
    rows = {str(count): run for count, run in plain.items()} | last
    more = [run.gigabytes / counted_gigabytes(run) - 1 for run in others_held(LARGER)]
    return Answer(
        finding="A chip holds no more micro-batches than stages under 1F1B",
        values={
            **{
                f"printed_{name}": Value(1e9 * run.gigabytes, "B", f"{name}: as printed", 2)
                for name, run in rows.items()
            },
            **{
                f"said_{name}": Value(1e9 * counted_gigabytes(run), "B", f"{name}: as counted", 2)
                for name, run in rows.items()
            },
            "each": Value(1e9 * micro_batch_gigabytes(HELD), "B", "One more micro-batch", 2),
            **both_ends("more", more, "Other schedules, larger models: over the count"),
            "held": Value(plain[max(plain)].held, "", "Micro-batches held under 1F1B"),
            "held_pieces": Value(last["pieces"].held, "", "interleaved"),
            "held_filled": Value(last["filled"].held, "", "with twice the memory"),
        },
    )


def others_held(models: Sequence[str]) -> list[RowRun]:
    """Runs of these models under other schedules with more micro-batches than stages."""
    return [run for name in OTHERS.values() for run in long_enough(row_runs(name)) if run.row.model in models]


FIGURES = (
    Figure(
        name="world/pipelines",
        foremost=4,
        compute=measured_rows,
        chart=rows_chart,
        table="runs",
        columns={
            "model": "Model and row",
            "micro": "Micro-batches",
            "share": "Computes (%)",
            "formula": "By (6) (%)",
            "longer": "Step over (6) (×)",
        },
        assumptions=(
            "Passes were timed apart, under a schedule that splits the backward pass. Where few micro-batches were "
            "not timed, those of the same model with more are taken.",
            "A stage is one A100 with layers that are not cut. The first and the last have a layer less.",
        ),
        sources=(PIPELINES_SOURCE,),
    ),
    Figure(name="world/pipeline-memory", compute=held, sources=(PIPELINES_SOURCE,)),
)
