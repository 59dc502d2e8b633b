"""How busy whole runs of training kept their chips, from the hours that their makers report."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.training import TrainingRun, training_runs
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.arithmetic import HOUR
from calc.quantities.units import plain, show
from calc.world.figures.both_ends import both_ends
from calc.world.training import RULE, middle

CHIPS = {"a100-sxm": "A100", "h100-sxm": "H100", "h800-sxm": "H800", "tpu-v4": "TPU v4"}
NARROW = "pre-training"  # hours of nothing else


def busy(run: TrainingRun) -> float:
    """Share of the 16-bit multipliers, by six operations for each active parameter and token."""
    rate = catalog.chip(run.chip).known("bf16_flops")
    return RULE * run.active_params * run.tokens / rate / (run.chip_hours * HOUR)


def maker(run: TrainingRun) -> str:
    """Whose run it is: the first word of its name, for every maker here gave its runs one of its own."""
    return run.name.split()[0].split("-")[0].lower()


def by_maker(runs: Iterable[TrainingRun]) -> list[float]:
    """The middle share of each maker, so that nobody has more voices for more runs."""
    shares: dict[str, list[float]] = {}
    for run in runs:
        shares.setdefault(maker(run), []).append(busy(run))
    return sorted(map(middle, shares.values()))


def reported() -> Answer:
    """The share of each run, against its length."""
    runs = sorted(training_runs(), key=busy)
    shares = [busy(run) for run in runs]
    of = {chip: [run for run in runs if run.chip == chip] for chip in CHIPS}
    makers = {chip: by_maker(found) for chip, found in of.items()}
    named = [run.name for run in runs]
    low, high = (float(np.quantile(shares, each)) for each in (0.25, 0.75))
    return Answer(
        finding=(
            f"{plain(len(runs))} published runs kept {show(shares[0], '%', 2)} to {show(shares[-1], '%', 2)} of their "
            f"16-bit multipliers busy, half of them {show(low, '%', 2)} to {show(high, '%', 2)}"
        ),
        description=(
            f"Dot plot of {plain(len(runs))} runs: the share of the 16-bit multipliers that was busy over all reported "
            f"hours, against chip-hours on a logarithmic axis. Least: {runs[0].name}, {show(shares[0], '%', 2)}; most: "
            f"{runs[-1].name}, {show(shares[-1], '%', 2)}. Middles, each maker once: "
            + ", ".join(f"{CHIPS[chip]} {show(middle(found), '%', 2)}" for chip, found in makers.items())
            + "."
        ),
        tables={
            "runs": {
                "name": [run.name for run in runs],
                "chip": [CHIPS[run.chip] for run in runs],
                "busy": [100 * share for share in shares],
                "hours": [run.chip_hours for run in runs],
                "params": [run.active_params for run in runs],
                "tokens": [run.tokens for run in runs],
                "covers": [run.covers for run in runs],
                "from": [run.hours_from for run in runs],
                "year": [str(run.year) for run in runs],
            },
        },
        values={
            "count": Value(len(runs), "", "Published runs", 3),
            "least": Value(shares[0], "%", f"Least: {runs[0].name}", 2),
            "most": Value(shares[-1], "%", f"Most: {runs[-1].name}", 2),
            "low": Value(low, "%", "A quarter of the runs is below", 2),
            "high": Value(high, "%", "A quarter of the runs is above", 2),
            "middle": Value(middle(shares), "%", "Middle", 2),
            "a100": Value(middle(makers["a100-sxm"]), "%", "Middle on A100, each maker once", 2),
            "h100": Value(middle(makers["h100-sxm"]), "%", "Middle on H100, each maker once", 2),
            "a100_makers": Value(len(makers["a100-sxm"]), "", "Makers of runs on A100", 3),
            "h100_makers": Value(len(makers["h100-sxm"]), "", "Makers of runs on H100", 3),
            **both_ends("a100_maker", makers["a100-sxm"], "Middle of a maker on A100"),
            **both_ends("h100_maker", makers["h100-sxm"], "Middle of a maker on H100"),
            "maker_a100": Value(shares[named.index("Llama 2 70B")], "%", "Llama 2 70B, on A100", 2),
            "maker_h100": Value(shares[named.index("Llama 3 70B")], "%", "Llama 3 70B, on H100", 2),
            "h100_runs": Value(len(of["h100-sxm"]), "", "Runs on H100", 3),
            "h100_more": Value(
                sum(run.covers != NARROW for run in runs if run.chip == "h100-sxm"), "", "whose hours hold more", 2
            ),
        },
    )


def reported_chart() -> Any:
    """A mark for each run."""
    import altair as alt

    chips = list(CHIPS.values())
    legend = alt.Legend(columns=4)
    return (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(filled=True, size=80, opacity=0.85)
        .encode(
            x=alt.X("hours:Q", title="Chip-hours").scale(type="log", nice=True).axis(format="~s"),
            y=alt.Y("busy:Q", title="Multipliers busy, %").scale(domain=[0, 60], nice=False),
            color=alt.Color("chip:N", title=None, legend=legend).scale(domain=chips, range=look.RUNS[: len(chips)]),
            shape=alt.Shape("chip:N", title=None, legend=legend).scale(
                domain=chips, range=look.RUN_SHAPES[: len(chips)]
            ),
        )
    )


FIGURES = (
    Figure(
        name="world/training-runs",
        compute=reported,
        chart=reported_chart,
        table="runs",
        columns={
            "name": "Run",
            "chip": "Chip",
            "busy": "Busy (%)",
            "hours": "Chip-hours",
            "params": "Active parameters",
            "tokens": "Tokens",
            "covers": "Hours of",
            "from": "Hours from",
            "year": "Year",
        },
        foremost=3,
        assumptions=(
            "Operations are six for each active parameter and token; attention is left out, restarts are in the hours.",
            "All at the 16-bit rate, DeepSeek-V3 too, which multiplied in FP8. An A800 multiplies as fast as an A100.",
            "Runs with parameters, tokens, chip and hours on record, where the hours are not an upper limit.",
        ),
        sources=tuple(dict.fromkeys(run.source for run in training_runs())),
    ),
)
