"""Measured rows of stages: how long they computed beside (6) of lecture 3, and what other schedules gained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calc import catalog
from calc.catalog.pipelines import PIPELINES_SOURCE, pass_times
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.pipelining.bubbles import bubble_share
from calc.quantities.units import show
from calc.world.pipelines import (
    FILLED,
    JOINED,
    PIECES,
    PLAIN,
    SPLIT,
    RowRun,
    beside,
    long_enough,
    micro_batch_gigabytes,
    row_runs,
)

NODE = 8  # chips of a node, and stages of the rows that fit into one
FEWEST, MOST = 0.25, 8.0  # micro-batches for each stage
HELD = "1.5B"  # the model whose memory the page tells
EXAMPLE = "6.2B"
SAME = 32  # micro-batches whose memory is that of 24
NAMED = {PIECES: "interleaved", SPLIT: "backward pass split", FILLED: "split, twice the memory"}
TRAINER = {PLAIN: "torchtitan-405b-1f1b", PIECES: "torchtitan-405b-interleaved"}
TRAINER_STAGES, TRAINER_CHUNKS = 8, 2  # one micro-batch for each stage or chunk, by its defaults


def measured_rows() -> Answer:
    """1F1B from few micro-batches to many, beside (6)."""
    runs = row_runs(PLAIN)
    longer = {
        name: sorted(each.longer for each in runs if (each.row.stages > NODE) is beyond)
        for name, beyond in (("node", False), ("nodes", True))
    }
    played = sorted(each.played / each.share for each in long_enough(runs))
    example = {each.row.micro_batches: each for each in runs if each.row.model == EXAMPLE}
    times = pass_times().values()
    return Answer(
        finding=(
            f"Steps of rows took {show(longer['node'][0], 'x')} to {show(longer['nodes'][-1], 'x')} as long as (6) says"
        ),
        description=(
            f"Scatter plot: share of a step in which a stage computes, against micro-batches for each stage, in "
            f"{len(runs)} runs under 1F1B of four models on rows of 8, 16 and 32 stages. Two lines are (6), for 8 and "
            f"for 32 stages. They rise from {show(min(each.formula for each in runs), '%', 2)} to "
            f"{show(max(each.formula for each in runs), '%', 2)}. The dots follow them from below, those of 8 stages "
            f"more closely."
        ),
        tables={"runs": _table(runs), "lines": _formula()},
        values={
            "runs": Value(len(runs), "", "Runs under 1F1B"),
            "node_low": Value(longer["node"][0], "x", "Step over (6), one node, least"),
            "node_high": Value(longer["node"][-1], "x", "one node, most"),
            "nodes_low": Value(longer["nodes"][0], "x", "several nodes, least"),
            "nodes_high": Value(longer["nodes"][-1], "x", "several nodes, most"),
            "played_low": Value(played[0], "x", "Step over the timetable with hops, least"),
            "played_high": Value(played[-1], "x", "the most"),
            **{
                f"{kind}_{count}": Value(getattr(each, kind), "%", f"{EXAMPLE}, {count} micro-batches", 2)
                for count, each in example.items()
                if count in (2, 8, 64)
                for kind in ("formula", "share")
            },
            "back_low": Value(min((each.backward + each.weight) / each.forward for each in times), "x", "Backward"),
            "back_high": Value(max((each.backward + each.weight) / each.forward for each in times), "x", "the most"),
            "weight_low": Value(min(each.weight / each.forward for each in times), "%", "Weights, over forward", 2),
            "weight_high": Value(max(each.weight / each.forward for each in times), "%", "the most", 2),
        },
    )


def _table(runs: Sequence[RowRun]) -> dict[str, list[Any]]:
    return {
        "model": [f"{each.row.model}, {each.row.stages} stages" for each in runs],
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


def rows_chart() -> Any:
    """Dots of four models below two lines."""
    import altair as alt

    x = alt.X("each:Q", title="Micro-batches of a step for each stage").scale(type="log", base=2, nice=False)
    x = x.axis(values=[FEWEST, 0.5, 1, 2, 4, MOST])
    y = alt.Y("share:Q", title="Of the step, a stage computes, %").scale(domain=[0, 100], nice=False)
    names = list(dict.fromkeys(_table(row_runs(PLAIN))["model"]))
    colour = alt.Color("model:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("model:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_line(color=look.MUTED, strokeWidth=1.2)
        .encode(x=x, y=y, detail="stages:N")
    )
    dots = alt.Chart(alt.NamedData("runs")).mark_point(size=60, filled=True, opacity=0.9)
    return lines + dots.encode(x=x, y=y, color=colour, shape=shape)


def gains() -> Answer:
    """Other schedules over 1F1B: samples a second as measured, and by their formulas."""
    pairs = {name: beside(name, PLAIN) for name in (PIECES, SPLIT)}
    filled = [(each, plain) for each, plain in beside(FILLED, PLAIN) if each.for_each_stage > 1]
    found = {**pairs, FILLED: filled}
    over = {name: [_gain(pair) for pair in rows] for name, rows in found.items()}
    counted = {name: [_counted(pair) for pair in rows] for name, rows in found.items()}
    part = [real / said for real, said in zip(over[PIECES], counted[PIECES], strict=True)]
    apart = [abs(real - said) for real, said in zip(over[SPLIT], counted[SPLIT], strict=True)]
    joined = sorted(1 - each.row.samples / other.row.samples for each, other in beside(JOINED, FILLED))
    few = sorted(_gain(pair) for pair in beside(FILLED, PLAIN) if pair[0].for_each_stage <= 1)
    left = sorted((each.forward + each.backward - each.weight) / each.all for each in pass_times().values())
    trained = {name: catalog.datum(row).value for name, row in TRAINER.items()}
    return Answer(
        finding=(
            f"Interleaving gained {show(min(part), '%', 2)} to {show(max(part), '%', 2)} of what its formula says; "
            f"splitting the backward pass gained all, within {show(100 * max(apart), '', 2)} points"
        ),
        description=(
            "Scatter plot: what three schedules gained over 1F1B in samples a second, against what their formulas "
            f"say, {len(part)} runs each. On a rising line both are equal. The dots of interleaving lie below it, "
            "those of a split backward pass on it; with twice the memory they lie on it or little below."
        ),
        tables={
            "gains": {
                "schedule": [NAMED[name] for name, rows in found.items() for _ in rows],
                "model": [f"{each.row.model}, {each.row.stages} stages" for rows in found.values() for each, _ in rows],
                "micro": [each.row.micro_batches for rows in found.values() for each, _ in rows],
                "counted": [100 * each for rows in counted.values() for each in rows],
                "gain": [100 * each for rows in over.values() for each in rows],
            },
            "equal": {"counted": [0.0, 35.0], "gain": [0.0, 35.0]},
        },
        values={
            "runs": Value(len(part), "", "Runs of each schedule"),
            **{
                f"{kind}_{end}": Value(pick(values), "%", f"{kind}, {end}", 2)
                for kind, values in (
                    ("pieces", over[PIECES]),
                    ("pieces_counted", counted[PIECES]),
                    ("split", over[SPLIT]),
                    ("filled", over[FILLED]),
                    ("filled_counted", counted[FILLED]),
                    ("part", part),
                )
                for end, pick in (("low", min), ("high", max))
            },
            "apart": Value(100 * max(apart), "", "Splitting: farthest from its formula, in points", 2),
            "joined_low": Value(joined[0], "%", "Stages that wait for each other: fewer samples, least", 2),
            "joined_high": Value(joined[-1], "%", "the most", 2),
            "few_low": Value(few[0], "%", "Split, micro-batches no more than stages: gained, least", 2),
            "few_high": Value(few[-1], "%", "the most", 2),
            "left_low": Value(left[0], "%", "Bubble of ZB-H1 over that of 1F1B, least", 2),
            "left_high": Value(left[-1], "%", "the most", 2),
            "trainer": Value(trained[PIECES] / trained[PLAIN], "x", "Another trainer, interleaved over 1F1B", 3),
            "trainer_counted": Value(_trainer(), "x", "by (6), at its defaults", 3),
        },
    )


def _gain(pair: tuple[RowRun, RowRun]) -> float:
    each, plain = pair
    return each.row.samples / plain.row.samples - 1


def _counted(pair: tuple[RowRun, RowRun]) -> float:
    """Gain by the formulas; the search with twice the memory is held against no wait at all."""
    each, plain = pair
    return (1.0 if each.row.schedule == FILLED else each.formula) / plain.formula - 1


def _trainer() -> float:
    """Gain of interleaving by (6), with one micro-batch for each stage and chunk, each chunk's half as large."""
    stages, chunks = TRAINER_STAGES, TRAINER_CHUNKS
    plain = 1 - float(bubble_share(PLAIN, stages, stages))
    return (1 - float(bubble_share(PIECES, stages, stages * chunks, chunks))) / plain


def gains_chart() -> Any:
    """Dots about a line on which measured and counted gains are equal."""
    import altair as alt

    names = list(NAMED.values())
    x = alt.X("counted:Q", title="Gained over 1F1B by the formulas, %").scale(domain=[0, 35], nice=False)
    y = alt.Y("gain:Q", title="as measured, %").scale(domain=[0, 35], nice=False)
    colour = alt.Color("schedule:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("schedule:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    equal = alt.Chart(alt.NamedData("equal")).mark_line(color=look.MUTED, strokeDash=[2, 3]).encode(x=x, y=y)
    dots = alt.Chart(alt.NamedData("gains")).mark_point(size=60, filled=True, opacity=0.9)
    return equal + dots.encode(x=x, y=y, color=colour, shape=shape)


def held() -> Answer:
    """Memory of the fullest chip: one model from few micro-batches to many, and other schedules."""
    runs = {
        name: [each for each in row_runs(name) if each.row.model == HELD] for name in (PLAIN, PIECES, SPLIT, FILLED)
    }
    plain = {each.row.micro_batches: each for each in runs[PLAIN] if each.row.micro_batches != SAME}
    first, each_one = plain[min(plain)], micro_batch_gigabytes(HELD)

    def said(run: RowRun) -> float:
        return 1e9 * (_printed(first) + each_one * (run.held - first.held))

    last = {name: rows[-1] for name, rows in runs.items()}
    return Answer(
        finding="A chip holds no more micro-batches than stages under 1F1B",
        values={
            **{
                f"printed_{count}": Value(1e9 * _printed(run), "B", f"{count} micro-batches", 2)
                for count, run in plain.items()
            },
            **{f"said_{count}": Value(said(run), "B", "by the table", 2) for count, run in plain.items()},
            **{
                f"printed_{name}": Value(1e9 * _printed(last[key]), "B", NAMED[key], 2)
                for name, key in (("pieces", PIECES), ("split", SPLIT), ("filled", FILLED))
            },
            **{
                f"said_{name}": Value(said(last[key]), "B", "by the table", 2)
                for name, key in (("pieces", PIECES), ("split", SPLIT), ("filled", FILLED))
            },
            "each": Value(1e9 * each_one, "B", "One more micro-batch", 2),
            **{
                f"held_{name}": Value(last[key].held, "", "Micro-batches held", 3)
                for name, key in (("plain", PLAIN), ("pieces", PIECES), ("filled", FILLED))
            },
        },
    )


def _printed(run: RowRun) -> float:
    found = run.row.gigabytes
    assert found is not None, f"no memory is printed for {run.row.schedule}"
    return found


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
    Figure(
        name="world/pipeline-gains",
        foremost=4,
        compute=gains,
        chart=gains_chart,
        table="gains",
        columns={
            "schedule": "Schedule",
            "model": "Model and row",
            "micro": "Micro-batches",
            "counted": "Gained, by the formulas (%)",
            "gain": "as measured (%)",
        },
        assumptions=(
            "Interleaved: each layer is a chunk. Backward pass split: the search with the memory of 1F1B, held "
            "against ZB-H1. With twice the memory it is held against no wait at all.",
        ),
        sources=(PIPELINES_SOURCE, "torchtitan-llama-3"),
    ),
    Figure(name="world/pipeline-memory", compute=held, sources=(PIPELINES_SOURCE,)),
)
