"""DeepSeek-V4-Pro on racks, four weeks old: measured over forecast, against the users of a chip."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.young_racks import YOUNG_LAYOUTS_SOURCE, YOUNG_RACKS_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.step.forecasting import FIT
from calc.world.training import middle
from calc.world.young_racks import YoungRunJudged, age_days, inside, off_by_one_factor, young_runs

GB200, GB300 = "GB200", "GB300"
KINDS = ("cut, GB200", "spread, GB200", "cut, GB300", "spread, GB300")


def young_racks() -> Answer:
    """Every run, and what one factor makes of the forecast."""
    runs = young_runs()
    ratios = [each.over_forecast for each in runs]
    users = [each.users for each in runs]
    fit = catalog.forecast_fit(FIT)
    return Answer(
        finding=(
            f"From {show(min(users), '')} users a chip to {show(max(users), '', 3)}, a token of DeepSeek-V4-Pro took "
            f"{show(min(ratios), 'x')} to {show(max(ratios), 'x')} its forecast: nearly one factor"
        ),
        description=(
            "Dot plot with a logarithmic axis of users a chip: time of a token over its forecast. A band marks where "
            f"four of five runs lay that the forecast was fitted to, from {show(fit.low_80, 'x')} to "
            f"{show(fit.high_80, 'x')}; nearly all dots lie above it, in one row. " + " ".join(map(_words, KINDS))
        ),
        tables={
            "runs": {
                "kind": [_kind(each) for each in runs],
                "chips": [float(each.run.chips) for each in runs],
                "users": users,
                "measured": [1e3 * each.run.token_seconds for each in runs],
                "forecast": [1e3 * each.forecast for each in runs],
                "over": ratios,
                "bound": [each.over_bound for each in runs],
            },
            "band": {"low": [fit.low_80], "high": [fit.high_80], "label": ["four of five runs of the fit"]},
        },
        values={
            "middle": Value(middle(ratios), "x", "Measured over forecast, middle"),
            "low": Value(min(ratios), "x", "Measured over forecast, the least"),
            "high": Value(max(ratios), "x", "Measured over forecast, the most"),
            "off": Value(off_by_one_factor(runs), "%", "Error of the forecast times that, in the others, at most", 2),
            "off_most": Value(
                max(off_by_one_factor(runs, each) for each in range(len(runs))), "%", "scaled by the worst run", 2
            ),
            "first": Value(ratios[0], "x", "One user on eight GB200, over forecast"),
            "inside": Value(inside(runs), "", "Runs in the band of four in five", 2),
            "least_bound": Value(min(each.over_bound for each in runs), "x", "Measured over the bound, the least"),
            "count": Value(len(runs), "", "Runs"),
            "days": Value(age_days(), "days", "After the model's release", 2),
            "most": Value(runs[-1].run.in_flight, "", "Most users of one worker", 3),
        },
    )


def _kind(each: YoungRunJudged) -> str:
    rack = GB200 if each.run.system.startswith("gb200") else GB300
    return f"{'spread' if each.run.groups > 1 else 'cut'}, {rack}"


def _words(kind: str) -> str:
    some = [each for each in young_runs() if _kind(each) == kind]
    ratios = [each.over_forecast for each in some]
    return (
        f"{kind[0].upper()}{kind[1:]}: {plain(len(some))} runs, {show(min(ratios), 'x')} to {show(max(ratios), 'x')}."
    )


def young_racks_chart() -> Any:
    """A dot for each run, and the band of the forecast behind them."""
    import altair as alt

    y = alt.Y("over:Q", title="Measured over forecast").scale(type="log", domain=[0.75, 2], nice=False)
    band = alt.Chart(alt.NamedData("band")).encode(
        y=alt.Y("low:Q").scale(type="log", domain=[0.75, 2], nice=False), y2="high:Q"
    )
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=75, filled=True, opacity=0.85)
        .encode(
            x=alt.X("users:Q", title="Users of a chip").scale(type="log").axis(values=[0.1, 1, 10, 100], format="~r"),
            y=y.axis(values=[0.75, 1, 1.25, 1.5, 2]),
            color=alt.Color("kind:N", title=None).scale(
                domain=list(KINDS), range=[look.FREE[0], look.FREE[1], look.LINKS, look.MUTED]
            ),
            shape=alt.Shape("kind:N", title=None).scale(**look.shapes(*KINDS)),
        )
    )
    label: dict[str, Any] = {"align": "left", "baseline": "top", "dx": 4, "dy": 4, "fontSize": 11.5}
    words = band.mark_text(**label, x=0, color=look.MUTED).encode(y=alt.Y("high:Q"), text="label:N")
    return band.mark_rect(color=look.FAINT, opacity=0.45) + words + dots


FIGURES = (
    Figure(
        name="world/young-racks",
        compute=young_racks,
        chart=young_racks_chart,
        table="runs",
        foremost=4,
        columns={
            "kind": "Layout, rack",
            "chips": "Chips that share a step",
            "users": "Users of a chip",
            "measured": "A token, measured (ms)",
            "forecast": "A token, forecast (ms)",
            "over": "Measured over forecast (×)",
            "bound": "Measured over bound (×)",
        },
        assumptions=(
            "Tokens of prompts and answers are printed together; answers are taken to be their share of the longest "
            "lengths. What was in flight follows by Little's law.",
            "Spread: each chip attends for its own users, and whole experts are spread over all. Cut: all is cut over "
            "the chips.",
            "Experts are in four bits, other weights and products in eight, attention multiplies in 16.",
        ),
        sources=(YOUNG_RACKS_SOURCE, YOUNG_LAYOUTS_SOURCE),
    ),
)
