"""The forecast beside what was measured where it was not fitted, and what each of its constants buys."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.against import gains, peers, points
from calc.world.fit import coverage, forward, judged
from calc.world.fitting import by_group, score
from calc.world.sample import sample

FIT = "decode"
PARTS = {
    "all five": "all five constants",
    "without moving": "without moving bytes",
    "without arithmetic": "without arithmetic",
    "without sending": "without links",
    "without kernels": "without kernels",
    "without sequences": "without sequences",
}


def measured() -> Answer:
    """Measured over forecast, against the forecast, for constants that do not know the deployment."""
    found, fit = points(), catalog.forecast_fit(FIT)
    expected = np.array([point.forecast for point in found])
    times = np.array([point.row.token_seconds for point in found])
    models = by_group(expected, times, [catalog.model(point.row.model).name for point in found])
    whole, held = score(expected, times), sample()
    later, unseen = forward(held, 2025), judged(held, "model")
    ends = [float(expected.min()), float(expected.max())]
    return Answer(
        finding=(
            f"Four of five measured steps take between {plain(fit.low_80, 2)} and {plain(fit.high_80, 3)} times a "
            "forecast that never saw their deployment"
        ),
        description=(
            f"Scatter plot, both axes logarithmic: measured time over forecast against the forecast, from "
            f"{show(ends[0], 's')} to {show(ends[1], 's')}. Points crowd around 1 at every length of a step; a band "
            f"from {plain(fit.low_80, 2)} to {plain(fit.high_80, 3)} holds four of five."
        ),
        tables={
            "runs": {"expected": expected * 1e3, "ratio": times / expected},
            "band": {"low": [fit.low_80], "high": [fit.high_80]},
            "models": {
                "model": [str(name) for name in models],
                "count": [each.count for each in models.values()],
                "median": [each.median * 100 for each in models.values()],
                "mean": [each.mean * 100 for each in models.values()],
            },
        },
        values={
            "median": Value(whole.median, "%", "Error, median"),
            "mean": Value(whole.mean, "%", "Error, mean"),
            "covered": Value(coverage(held), "%", "The band of 80 % covers"),
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
            "low": Value(fit.low_80, "x", "Band, low", 2),
            "high": Value(fit.high_80, "x", "Band, high", 3),
            "peer_most": Value(max(abs(error) for error in _theirs()), "%", "InferSim, worst of three", 2),
        },
    )


def _theirs() -> tuple[float, ...]:
    errors = peers()[1].errors
    assert isinstance(errors, tuple)
    return errors


def measured_chart() -> Any:
    """One dot a run about a line at 1, with the band."""
    import altair as alt

    band = (
        alt.Chart(alt.NamedData("band"))
        .mark_rect(color=look.ACCENT, opacity=0.14)
        .encode(y=alt.Y("low:Q"), y2="high:Q")
    )
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=14, opacity=0.4, filled=True, color=look.SERIES[0])
        .encode(
            x=alt.X("expected:Q", title="Forecast of a step, ms").scale(type="log").axis(format="~g"),
            y=alt.Y("ratio:Q", title="Measured over forecast")
            .scale(type="log", domain=[0.4, 5], nice=False)
            .axis(format="~g"),
        )
    )
    return band + dots


def bought() -> Answer:
    """Errors on configurations left out, with all constants and with each taken away."""
    found = gains(sample())
    one, all_five = found["bound times a constant"], found["all five"]
    names = {
        "bound times a constant": "the bound, times one",
        "serial sum times a constant": "the sum, times one",
    } | PARTS
    return Answer(
        finding=(
            f"One constant times the bound misses by {show(one.median, '%', 2)} (median), five constants by "
            f"{show(all_five.median, '%', 3)}, and none of the five is idle"
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
        },
    )


def bought_chart() -> Any:
    """A bar for each way to say less."""
    import altair as alt

    return (
        alt.Chart(alt.NamedData("ways"))
        .mark_bar(color=look.SERIES[0], height=14)
        .encode(
            x=alt.X("median:Q", title="Error on deployments left out, median, %"),
            y=alt.Y("way:N", title=None, sort=None),
        )
    )


FIGURES = (
    Figure(
        name="world/forecast",
        compute=measured,
        chart=measured_chart,
        table="models",
        columns={"model": "Model", "count": "Points", "median": "Error, median, %", "mean": "mean, %"},
        assumptions=(
            "Each point's configuration is left out of the fit that forecasts it, a tenth of them at a time.",
        ),
        sources=(SERVING_SOURCE, "infersim"),
    ),
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
