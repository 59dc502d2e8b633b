"""The forecast beside what was measured where it was not fitted, and what each of its constants buys."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog import ForecastFit
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.against import Point, gains, points
from calc.world.candidates import READING, candidates
from calc.world.fit import FOLDS, coverage, forward, judged
from calc.world.fitting import count_within, fit, fitted, score, within
from calc.world.sample import Sample, sample
from calc.world.work import NAMES

FIT, SIXTH = "decode", "activations of prompts"
RACKS = ("gb200-nvl72", "gb300-nvl72")
OSS = ("gpt-oss-120b", "hgx-b200", "trtllm")  # model, system and engine of a large group
SLOW = "hgx-h200"
WIDE = 32  # chips
SAID = dict(zip(NAMES, ("moving bytes", "arithmetic", "links", "kernels", "sequences"), strict=True))
PARTS = {"all five": "all five constants"} | {f"without {part}": f"without {said}" for part, said in SAID.items()}


def measured() -> Answer:
    """The constants, and how far forecasts by constants that do not know the deployment are off."""
    found, fit, held = points(), catalog.forecast_fit(FIT), sample()
    expected = np.array([point.forecast for point in found])
    whole = score(expected, held.times)
    later, unseen = forward(held, 2025), judged(held, "model")
    eight, four = (
        np.array([each.over_forecast for each in found if each.row.system in RACKS and each.row.precision == precision])
        for precision in ("fp8", "fp4")
    )
    nodes = np.array([each.over_forecast for each in found if each.row.chips > catalog.system(each.row.system).chips])
    oss = np.array([each.over_forecast for each in found if (each.row.model, each.row.system, each.row.engine) == OSS])
    slow = np.array([each.over_forecast for each in found if each.row.system == SLOW])
    longer = np.array([each.over_forecast for each in found]) > fit.high_80
    wide = {
        precision: [each for each in found if _place(each)[2:] == (precision, WIDE)] for precision in ("fp8", "fp4")
    }
    return Answer(
        finding="The forecast where it was not fitted.",
        values={
            "median": Value(whole.median, "%", "Error, median"),
            "mean": Value(whole.mean, "%", "Error, mean"),
            "covered": Value(coverage(held), "%", "The band of 80 % covers"),
            "low": Value(fit.low_80, "x", "The band begins", 2),
            "high": Value(fit.high_80, "x", "The band ends"),
            "high_least": Value(fit.high_80_least, "x", "Its end in redraws, least"),
            "high_most": Value(fit.high_80_most, "x", "Its end in redraws, most"),
            **_by_deployment(found, fit),
            "slow": Value(len(slow), "", "Runs on H200", 4),
            "slow_longer": Value(np.sum(slow > fit.high_80), "", "of them longer than the band", 4),
            "longer": Value(np.sum(longer), "", "All runs longer than the band", 4),
            "racks_fp8": Value(len(eight), "", "Runs on racks in FP8", 4),
            "racks_fp8_covered": Value(count_within(eight, fit.low_80, fit.high_80), "", "of them in the band", 4),
            "racks_fp4": Value(len(four), "", "Runs on racks in FP4", 4),
            "racks_fp4_covered": Value(count_within(four, fit.low_80, fit.high_80), "", "of them in the band", 4),
            "racks_fp4_shorter": Value(np.sum(four < fit.low_80), "", "of them shorter than the band", 4),
            "oss": Value(len(oss), "", "Runs of gpt-oss-120b by TensorRT-LLM on B200", 4),
            "oss_covered": Value(count_within(oss, fit.low_80, fit.high_80), "", "of them in the band", 4),
            "nodes": Value(len(nodes), "", "Runs on more chips than a domain has", 4),
            "nodes_low": Value(nodes.min(), "x", "The nearest to its forecast"),
            "nodes_high": Value(nodes.max(), "x", "The farthest"),
            "wide_deployments": Value(
                len({each.row.configuration for each in wide["fp8"]}), "", f"Deployments on {WIDE} chips, FP8", 3
            ),
            "earlier": Value(sum(_year(each) == 2025 for each in found), "", "Runs of 2025", 4),
            "later": Value(sum(_year(each) == 2026 for each in found), "", "Runs of 2026", 4),
            "model_median": Value(unseen.median, "%", "Error on a model left out, median"),
            "later_median": Value(later.median, "%", "Error on 2026 from 2025, median"),
            "memory": Value(fit.memory_share, "%", "Of memory bandwidth", 2),
            "memory_error": Value(fit.memory_share_error, "%", "Of memory bandwidth, error", 1),
            "arithmetic": Value(fit.arithmetic_share, "%", "Of arithmetic", 2),
            "arithmetic_error": Value(fit.arithmetic_share_error, "%", "Of arithmetic, error", 1),
            "link": Value(fit.link_share, "%", "Of links", 2),
            "link_error": Value(fit.link_share_error, "%", "Of links, error", 1),
            "kernel": Value(fit.kernel_seconds, "s", "A kernel", 2),
            "kernel_error": Value(fit.kernel_seconds_error, "s", "A kernel, error", 1),
            "sequence": Value(fit.sequence_seconds, "s", "A sequence", 2),
            "sequence_error": Value(fit.sequence_seconds_error, "s", "A sequence, error", 1),
            **_of_kernels(held),
        },
    )


def _of_kernels(held: Sample) -> dict[str, Value]:
    """The time of a kernel where prompts are read on other chips, if it has a constant of its own there."""
    both = np.column_stack([held.parts, candidates(held)[READING]])
    found, kernels = fitted(both, held.times, held.grouped("model and system")), NAMES.index("kernels")
    return {
        "kernel_apart": Value(found.constants[kernels], "s", "A kernel, prompts read elsewhere", 2),
        "kernel_apart_error": Value(found.errors[kernels], "s", "The same, error", 1),
        "apart": Value(sum(row.mode != "agg" for row in held.rows), "", "Runs whose prompts are read elsewhere", 4),
    }


def _place(each: Point) -> tuple[str, str, str, int]:
    return each.row.model, each.row.system, each.row.precision, each.row.chips


def _year(each: Point) -> int | None:
    return each.row.date.year if each.row.date else None


def _by_deployment(found: Sequence[Point], fit: ForecastFit) -> dict[str, Value]:
    """Errors with a voice for each deployment, of however many runs."""
    groups: dict[Hashable, list[float]] = {}
    for each in found:
        groups.setdefault(each.row.configuration, []).append(each.over_forecast)
    errors = [np.abs(1 / np.array(ratios) - 1) for ratios in groups.values()]
    middles = np.array([np.median(ratios) for ratios in groups.values()])
    inside = within(middles, fit.low_80, fit.high_80)
    return {
        "deployments": Value(len(groups), "", "Deployments", 4),
        "deployments_inside": Value(np.sum(inside), "", "of them with their middle in the band", 4),
        "deployments_median": Value(
            np.median([np.median(each) for each in errors]), "%", "Error by deployment, median"
        ),
        "deployments_mean": Value(np.mean([np.mean(each) for each in errors]), "%", "Error by deployment, mean"),
    }


def bought() -> Answer:
    """Errors on configurations left out, with all constants and with each taken away."""
    held = sample()
    found = gains(held)
    one, all_five = found["bound times a constant"], found["all five"]
    six = Sample(held.rows, np.column_stack([held.parts, candidates(held)[SIXTH]]), held.times)
    arithmetic = 1 / fit(six.parts, six.times)[NAMES.index("arithmetic")]
    one_share = _one_share(held)
    share = 1 / fit(one_share.parts, one_share.times)[0]
    most = sorted(SAID, key=lambda part: found[f"without {part}"].median, reverse=True)[:2]
    most = [SAID[part] for part in most]
    names = {
        "bound times a constant": "the bound, times one",
        "serial sum times a constant": "the sum, times one",
    } | PARTS
    return Answer(
        finding=(
            f"One constant times the bound misses by {show(one.median, '%', 2)} (median), five constants by "
            f"{show(all_five.median, '%', 3)}; {' and '.join(most)} buy most of it"
        ),
        description=(
            f"Bar chart of the median error on deployments left out: {show(one.median, '%', 2)} for a bound times one "
            f"constant, {show(all_five.median, '%', 3)} for all five, and more whenever one of the five is taken away."
        ),
        tables={
            "ways": {
                "way": [names[name] for name in found],
                "median": [each.median * 100 for each in found.values()],
                "mean": [each.mean * 100 for each in found.values()],
            }
        },
        values={
            "one": Value(one.median, "%", "The bound times one constant, median", 2),
            "five": Value(all_five.median, "%", "Five constants, median"),
            "kernels": Value(found["without kernels"].median, "%", "Without a time for kernels", 2),
            "one_share": Value(share, "%", "One share for memory and arithmetic", 2),
            "one_share_error": Value(judged(one_share, folds=FOLDS).median, "%", "With four constants, median"),
            "sixth": Value(judged(six, folds=FOLDS).median, "%", "With a sixth for prompts' activations, median"),
            "sixth_later": Value(forward(six, 2025).median, "%", "The same on 2026 from 2025, median"),
            "sixth_arithmetic": Value(arithmetic, "%", "The share of arithmetic that it implies", 3),
        },
    )


def _one_share(held: Sample) -> Sample:
    """The sample with memory and arithmetic as one part."""
    chips = [NAMES.index(name) for name in ("moving", "arithmetic")]
    together = held.parts[:, chips].sum(axis=1)
    return Sample(held.rows, np.column_stack([together, np.delete(held.parts, chips, axis=1)]), held.times)


def bought_chart() -> Any:
    """A bar for each way to say less."""
    import altair as alt

    return (
        alt.Chart(alt.NamedData("ways"))
        .mark_bar(color=look.MUTED, height=14)
        .encode(
            x=alt.X("median:Q", title="Error on deployments left out, median, %"),
            y=alt.Y("way:N", title=None, sort=None),
        )
    )


FIGURES = (
    Figure(name="world/forecast", compute=measured),
    Figure(
        name="world/gains",
        compute=bought,
        chart=bought_chart,
        table="ways",
        columns={"way": "Forecast by", "median": "Error, median, %", "mean": "mean, %"},
        assumptions=("Each way is fitted anew, with configurations left out, a tenth of them at a time.",),
        sources=(SERVING_SOURCE,),
    ),
)
