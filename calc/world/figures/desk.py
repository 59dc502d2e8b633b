"""Models on two machines that stand on desks: what a further sequence costs, and how many experts can be awake."""

from __future__ import annotations

from typing import Any

from calc.catalog.desk import DESK_SOURCES, SHAPES_SOURCE, desk_models
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.desk import desk_steps, faster_than_even, sweep, times_as_long

DENSE, MIXTURE, FINER, COARSE = "qwen2.5-coder-7b", "gpt-oss-120b", "qwen3-coder-30b", "gpt-oss-20b"
ORDER = (DENSE, COARSE, FINER, MIXTURE)
FIRST, SECOND = DESK_SOURCES
BATCHES = (1, 2, 4, 8, 16, 32)
FEW, MANY = 2, 32


def desk() -> Answer:
    """Steps of four models on the first machine over their bound, and what two of them say of experts."""
    steps = {name: sweep(FIRST, name) for name in ORDER}
    dense, mixture = steps[DENSE], steps[MIXTURE]
    other, same = sweep(SECOND, MIXTURE), sweep(SECOND, DENSE)
    full, finer = mixture[-1], steps[FINER][-1]
    refuting = faster_than_even()
    lone = [each.over for each in desk_steps() if each.row.batch == 1]
    dense_over = [each.over for each in desk_steps() if each.row.model == DENSE]
    longest = sweep(FIRST, DENSE, 8192)[-1]
    return Answer(
        finding=(
            f"On a DGX Spark {MANY} short sequences take gpt-oss-120b {show(full.over, 'x', 2)} the time to read "
            f"evenly chosen experts: fewer are awake"
        ),
        description=(
            f"Line chart, logarithmic in sequences from one to {MANY}: steps of four models on a DGX Spark over the "
            f"time to read what they need, if tokens choose experts evenly. The dense model lies between "
            f"{show(dense[0].over, 'x', 2)} and {show(dense[-1].over, 'x', 2)}. "
            + " ".join(
                f"{desk_models()[name].name} begins at {show(steps[name][0].over, 'x', 2)} and ends at "
                f"{show(steps[name][-1].over, 'x', 2)}."
                for name in ORDER[1:]
            )
        ),
        tables={
            "lines": {
                "model": [desk_models()[name].name for name in ORDER for _ in BATCHES],
                "batch": [each.row.batch for name in ORDER for each in steps[name]],
                "over": [each.over for name in ORDER for each in steps[name]],
            },
            "runs": {
                "machine": [each.machine for each in desk_steps()],
                "model": [each.model.name for each in desk_steps()],
                "prompt": [each.row.prompt for each in desk_steps()],
                "batch": [each.row.batch for each in desk_steps()],
                "milliseconds": [1e3 * each.row.step_seconds for each in desk_steps()],
                "bound": [1e3 * each.bound for each in desk_steps()],
                "over": [each.over for each in desk_steps()],
            },
        },
        values={
            "count": Value(len(desk_steps()), "", "Runs"),
            "dense_second": Value(times_as_long(dense, FEW), "x", "Dense: two sequences, over one"),
            "mixture_second": Value(times_as_long(mixture, FEW), "x", "Mixture: the same"),
            "dense_many": Value(times_as_long(dense, MANY), "x", f"Dense: {MANY} sequences, over one"),
            "mixture_many": Value(times_as_long(mixture, MANY), "x", "Mixture: the same"),
            "dense_second_other": Value(times_as_long(same, FEW), "x", "Dense on the M2 Ultra: two, over one"),
            "dense_many_other": Value(times_as_long(same, MANY), "x", f"Dense on the M2 Ultra: {MANY}, over one"),
            "mixture_many_other": Value(times_as_long(other, MANY), "x", f"Mixture on the M2 Ultra: {MANY}, over one"),
            "dense_second_even": Value(dense[1].bound / dense[0].bound, "x", "Dense, by the count: two, over one"),
            "dense_many_even": Value(dense[-1].bound / dense[0].bound, "x", f"Dense, by the count: {MANY}, over one"),
            "mixture_many_even": Value(mixture[-1].bound / mixture[0].bound, "x", f"Mixture, by the count: {MANY}"),
            "other_over": Value(other[1].over, "x", "Mixture on the M2 Ultra: two, over their count", 2),
            "same_over": Value(same[-1].over, "x", f"Dense on the M2 Ultra: {MANY}, over their count", 2),
            "most_awake": Value(full.most_awake, "%", f"Mixture, {MANY} sequences: awake at most", 2),
            "even": Value(full.even_share, "%", "if chosen evenly", 2),
            "first": Value(dense[0].bandwidth, "B/s", "Bandwidth of the DGX Spark"),
            "second": Value(other[0].bandwidth, "B/s", "Bandwidth of the M2 Ultra"),
            "dense_one": Value(dense[0].row.step_seconds, "s", "Dense, one sequence"),
            "dense_one_bound": Value(dense[0].bound, "s", "Dense, one sequence: bound"),
            "mixture_one": Value(mixture[0].row.step_seconds, "s", "Mixture, one sequence"),
            "mixture_one_bound": Value(mixture[0].bound, "s", "Mixture, one sequence: bound"),
            "mixture_file": Value(mixture[0].model.file_gib * 2**30, "B", "Mixture: its file"),
            "dense_file": Value(dense[0].model.file_gib * 2**30, "B", "Dense: its file"),
            "second_even": Value(mixture[1].bound / mixture[0].bound, "x", "Mixture, by the count: two, over one"),
            "second_other": Value(times_as_long(other, FEW), "x", "Mixture on the M2 Ultra: two, over one"),
            "lone_low": Value(min(lone), "x", "One sequence over its bound, the least"),
            "lone_high": Value(max(lone), "x", "the most"),
            "dense_low": Value(min(dense_over), "x", "Dense, over its bound: the least"),
            "full": Value(full.row.step_seconds, "s", f"Mixture, {MANY} sequences"),
            "full_bound": Value(full.bound, "s", "if experts were chosen evenly"),
            "finer_awake": Value(finer.most_awake, "%", f"Qwen3, {MANY} sequences: awake at most", 2),
            "finer_even": Value(finer.even_share, "%", "if chosen evenly", 2),
            "refuting": Value(len(refuting), "", "Runs faster than evenly chosen experts"),
            "refuting_models": Value(len({each.row.model for each in refuting}), "", "Models of these"),
            "least": Value(
                min(each.over_least for each in desk_steps()), "x", "Over the experts of one token, the least"
            ),
            "cache": Value(longest.cache_bytes / longest.bandwidth, "s", "Dense, many long sequences: caches"),
            "cache_step": Value(longest.row.step_seconds, "s", "their step"),
            "cache_over": Value(longest.over, "x", "over its bound"),
            "many": Value(MANY, "", "Many sequences"),
        },
    )


def desk_chart() -> Any:
    """A line with dots for each model, and a rule at the bound."""
    import altair as alt

    names = tuple(desk_models()[name].name for name in ORDER)
    colours = (look.INK, look.FREE[1], look.FREE[2], look.FREE[0])
    legend = alt.Legend(symbolType="stroke", symbolOpacity=1, symbolStrokeWidth=2.5, columns=2)
    x = alt.X("batch:Q", title="Sequences at once").scale(type="log", base=2, domain=[1, 32], nice=False)
    y = alt.Y("over:Q", title="Time of a step, over reading what it needs").scale(domain=[0, 2], nice=False)
    base = alt.Chart(alt.NamedData("lines")).encode(
        x=x.axis(values=list(BATCHES), format="d"),
        y=y,
        color=alt.Color("model:N", title=None, legend=legend).scale(domain=list(names), range=list(colours)),
        strokeDash=alt.StrokeDash("model:N", title=None, legend=legend).scale(**look.dashes(*names)),
    )
    one = alt.Chart(alt.NamedData("lines")).mark_rule(color=look.MUTED, strokeDash=[2, 3]).encode(y=alt.YDatum(1))
    return one + base.mark_line(point={"size": 40, "filled": True})


FIGURES = (
    Figure(
        name="world/desk",
        foremost=6,
        compute=desk,
        chart=desk_chart,
        table="runs",
        columns={
            "machine": "Machine",
            "model": "Model",
            "prompt": "Prompt (tokens)",
            "batch": "Sequences",
            "milliseconds": "Step (ms)",
            "bound": "Reading, experts chosen evenly (ms)",
            "over": "Step over reading (×)",
        },
        assumptions=(
            "A step reads what every token uses, the experts that are awake, and the caches, each byte once and at the "
            "published rate. Arithmetic is left out.",
            "Experts are awake as if tokens chose them evenly and independently.",
        ),
        sources=(*DESK_SOURCES.values(), SHAPES_SOURCE, "nvidia-dgx-spark", "apple-m2-ultra"),
    ),
)
