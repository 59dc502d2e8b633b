"""How far forecasts of decoding were off, ours and those of others, with how each was obtained."""

from __future__ import annotations

from typing import Any

from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.against import Peer, peers


def compared() -> Answer:
    """The errors of each, as medians and means where many points were judged, one by one where three were."""
    ours, run, printed = peers()
    rows = [
        (each, kind, 100 * abs(error)) for each in peers() for kind, error in zip(each.kinds, each.errors, strict=True)
    ]
    worst = max(map(abs, printed.errors))
    return Answer(
        finding=(
            f"Five constants miss by {show(ours.errors[0], '%', 3)} (median) on deployments left out, profiles of "
            f"kernels by {show(run.errors[0], '%', 3)} on {plain(run.points, 4)} of their runs"
        ),
        description=(
            f"Dot plot of relative errors. {' '.join(f'{_named(each)}: {each.obtained}.' for each in peers())} Ours "
            f"are {show(ours.errors[0], '%', 3)} (median) and {show(ours.errors[1], '%', 3)} (mean)."
        ),
        tables={
            "errors": {
                "name": [_named(each) for each, _, _ in rows],
                "kind": [kind for _, kind, _ in rows],
                "error": [error for _, _, error in rows],
                "obtained": [each.obtained for each, _, _ in rows],
            }
        },
        values={
            "median": Value(ours.errors[0], "%", "Ours, median"),
            "mean": Value(ours.errors[1], "%", "Ours, mean"),
            "run": Value(run.errors[0], "%", "aiconfigurator, median"),
            "run_mean": Value(run.errors[1], "%", "aiconfigurator, mean"),
            "run_points": Value(run.points, "", "Points on which it was run", 4),
            "worst": Value(worst, "%", "InferSim, worst of three", 2),
        },
    )


def _named(peer: Peer) -> str:
    return f"{peer.name}, {peer.points:,} points"


def compared_chart() -> Any:
    """A row for each, its errors as dots."""
    import altair as alt

    kinds = ("median", "mean", "one case")
    return (
        alt.Chart(alt.NamedData("errors"))
        .mark_point(size=110, filled=True, opacity=0.9)
        .encode(
            x=alt.X("error:Q", title="Relative error, %").scale(zero=True, nice=True),
            y=alt.Y("name:N", title=None, sort=None),
            color=alt.Color("kind:N", title=None, legend=alt.Legend(columns=3)).scale(**look.series(*kinds)),
            shape=alt.Shape("kind:N", title=None, legend=alt.Legend(columns=3)).scale(**look.shapes(*kinds)),
        )
    )


FIGURES = (
    Figure(
        name="world/peers",
        compute=compared,
        chart=compared_chart,
        table="errors",
        columns={"name": "Forecast", "kind": "Error", "error": "%", "obtained": "Obtained"},
        assumptions=(
            "Others are quoted as they print themselves, or as their tool was run once on those rows that it takes.",
            "Ours is judged on all rows, so the two medians are not of one set of runs and no rank follows.",
        ),
        sources=(SERVING_SOURCE, "infersim", "aiconfigurator"),
    ),
)
