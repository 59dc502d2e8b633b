"""Schedules that wait less, in measured rows of stages: what they gained beside their formulas."""

from __future__ import annotations

from typing import Any

from calc.catalog.pipelines import PIPELINES_SOURCE, pass_times
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.figures.both_ends import both_ends
from calc.world.pipelines import FILLED, JOINED, PIECES, PLAIN, SPLIT, RowRun, beside, split_with_few

NAMED = {PIECES: "interleaved", SPLIT: "backward pass split", FILLED: "split, twice the memory"}
MOST = 35.0  # per cent, of both axes


def gains() -> Answer:
    """Other schedules over 1F1B: samples a second as measured, and by their formulas."""
    pairs = {name: beside(name, PLAIN) for name in (PIECES, SPLIT)}
    filled = [(each, plain) for each, plain in beside(FILLED, PLAIN) if each.for_each_stage > 1]
    found = {**pairs, FILLED: filled}
    over = {name: [_gain(pair) for pair in rows] for name, rows in found.items()}
    counted = {name: [_counted(pair) for pair in rows] for name, rows in found.items()}
    part = {
        name: [real / said for real, said in zip(over[name], counted[name], strict=True)] for name in (PIECES, SPLIT)
    }
    played = {name: [_gain(pair) / _played(pair) for pair in pairs[name]] for name in (PIECES, SPLIT)}
    joined = [1 - each.row.samples / other.row.samples for each, other in beside(JOINED, FILLED)]
    few = [pair for pair in beside(FILLED, PLAIN) if pair[0].for_each_stage <= 1]
    left = [(each.forward + each.backward - each.weight) / each.all for each in pass_times().values()]
    return Answer(
        finding=(
            f"Interleaving gained {show(min(part[PIECES]), '%', 2)} to {show(max(part[PIECES]), '%', 2)} of what its "
            f"formula says, a split backward pass {show(min(part[SPLIT]), '%', 2)} to {show(max(part[SPLIT]), '%', 2)}"
        ),
        description=(
            "Scatter plot: what three schedules gained over 1F1B in samples a second, against what their formulas "
            f"say, {len(over[PIECES])} runs each. On a rising line both are equal. The dots of interleaving lie below "
            "it, those of a split backward pass about it; with twice the memory they lie about it or below."
        ),
        tables={
            "gains": {
                "schedule": [NAMED[name] for name, rows in found.items() for _ in rows],
                "model": [each.name for rows in found.values() for each, _ in rows],
                "micro": [each.row.micro_batches for rows in found.values() for each, _ in rows],
                "counted": [100 * each for rows in counted.values() for each in rows],
                "gain": [100 * each for rows in over.values() for each in rows],
            },
            "equal": {"counted": [0.0, MOST], "gain": [0.0, MOST]},
        },
        values={
            "runs": Value(len(over[PIECES]), "", "Runs of each schedule"),
            **both_ends("pieces", over[PIECES], "Interleaved: gained"),
            **both_ends("pieces_counted", counted[PIECES], "by its formula"),
            **both_ends("part", part[PIECES], "gained, of what the formula says"),
            **both_ends("split", over[SPLIT], "Backward pass split: gained"),
            **both_ends("split_part", part[SPLIT], "gained, of what the formula says"),
            **both_ends("split_played", played[SPLIT], "of what the timetable with hops says"),
            **both_ends("played", played[PIECES], "Interleaved: of what the timetable with hops says"),
            **both_ends("filled", over[FILLED], "Split, twice the memory: gained"),
            **both_ends("filled_counted", counted[FILLED], "if nothing waited"),
            "filled_more": Value(
                sum(real > said for real, said in zip(over[FILLED], counted[FILLED], strict=True)),
                "",
                "Runs above that",
            ),
            "few_memory": Value(
                max(each.gigabytes / plain.gigabytes for each, plain in few) - 1,
                "%",
                "Split, few micro-batches: memory",
                2,
            ),
            **both_ends("few", [_gain(pair) for pair in few], "Split, few micro-batches: gained"),
            **both_ends("few_counted", [split_with_few(each) for each, _ in few], "by the authors' formula"),
            **both_ends("joined", joined, "Stages that wait for each other: fewer samples"),
            **both_ends("left", left, "Bubble of ZB-H1 over that of 1F1B"),
        },
    )


def _gain(pair: tuple[RowRun, RowRun]) -> float:
    each, plain = pair
    return each.row.samples / plain.row.samples - 1


def _counted(pair: tuple[RowRun, RowRun]) -> float:
    """Gain by the formulas; the search with twice the memory is held against no wait at all."""
    each, plain = pair
    return (1.0 if each.row.schedule == FILLED else each.formula) / plain.formula - 1


def _played(pair: tuple[RowRun, RowRun]) -> float:
    """Gain by the timetables, with hops."""
    each, plain = pair
    return each.played / plain.played - 1


def gains_chart() -> Any:
    """Dots about a line on which measured and counted gains are equal."""
    import altair as alt

    names = list(NAMED.values())
    x = alt.X("counted:Q", title="Gained over 1F1B by the formulas, %").scale(domain=[0, MOST], nice=False)
    y = alt.Y("gain:Q", title="Gained as measured, %").scale(domain=[0, MOST], nice=False)
    colour = alt.Color("schedule:N", title=None).scale(domain=names, range=look.RUNS[: len(names)])
    shape = alt.Shape("schedule:N", title=None).scale(domain=names, range=look.RUN_SHAPES[: len(names)])
    equal = alt.Chart(alt.NamedData("equal")).mark_line(color=look.MUTED, strokeDash=[2, 3]).encode(x=x, y=y)
    dots = alt.Chart(alt.NamedData("gains")).mark_point(size=60, filled=True, opacity=0.9)
    return equal + dots.encode(x=x, y=y, color=colour, shape=shape)


FIGURES = (
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
        sources=(PIPELINES_SOURCE,),
    ),
)
