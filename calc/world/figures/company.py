"""Machine time of a written token against the sequences that share the step, as it was measured."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.measurement import SERVING_SOURCE, Measurement
from calc.catalog.training import STEPS_SOURCE
from calc.figure import look, registry
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.overtraining.figures.shared import EVEN, over_the_rule
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.units import plain, show
from calc.world.against import points
from calc.world.training import newest, trained

MODEL, PRECISION, TOKENS, CHIPS = "deepseek-v3", "fp8", (1024, 1024), 8
SYSTEM = "gb200-nvl72"
DECADES = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]  # seconds at which the axis is labelled


def shared() -> Answer:
    """Every run of one model on eight chips, and of them those of one deployment, alone and in company."""
    held = [point for point in points() if _asked(point.row)]
    runs = [point.row for point in held]
    ours = sorted((each for each in held if each.row.system == SYSTEM), key=lambda each: each.row.in_flight)
    alone, among = ours[0].row, ours[-1].row
    bounds, forecasts = (
        [getattr(each, kind) / each.row.in_flight for each in (ours[0], ours[-1])] for kind in ("bound", "forecast")
    )
    times = _chip_seconds(alone) / _chip_seconds(among)
    rent = catalog.rent(SYSTEM).dollars_per_chip_hour / HOUR * MILLION
    model = catalog.model(MODEL).name
    return Answer(
        finding=(
            f"A token for one reader alone takes {show(times, 'x')} the machine time of one among "
            f"{plain(among.in_flight, 3)}"
        ),
        description=(
            f"Scatter plot, both axes logarithmic: chip-seconds for a token that {model} writes on {CHIPS} chips, "
            f"against the sequences in flight, over {len(runs)} measured runs. It falls all the way, on GB200 from "
            f"{show(_chip_seconds(alone), 's')} at {plain(alone.in_flight)} to {show(_chip_seconds(among), 's')} at "
            f"{plain(among.in_flight, 3)}."
        ),
        tables={
            "runs": {
                "in_flight": [row.in_flight for row in runs],
                "seconds": [_chip_seconds(row) for row in runs],
                "system": [catalog.system(row.system).chip.name for row in runs],
                "engine": [f"{row.engine} {row.engine_version}".strip() for row in runs],
                "id": [row.id for row in runs],
            },
            "ends": {
                "in_flight": [alone.in_flight, among.in_flight],
                "seconds": [_chip_seconds(alone), _chip_seconds(among)],
                "label": [show(_chip_seconds(row), "s") for row in (alone, among)],
                "side": ["left", "right"],
            },
        },
        values={
            "times": Value(times, "x", "Alone over in company"),
            "times_bound": Value(bounds[0] / bounds[1], "x", "Alone over in company, by the bound"),
            "times_forecast": Value(forecasts[0] / forecasts[1], "x", "Alone over in company, by the forecast"),
            "chips": Value(among.chips, "", "Chips"),
            "readers": Value(among.in_flight, "", "Sequences in flight"),
            "context": Value(among.context, "tokens", "Context, on average", 4),
            "alone": Value(_chip_seconds(alone), "s", "Chip time of a token alone"),
            "among": Value(_chip_seconds(among), "s", "Chip time of a token in company"),
            "alone_step": Value(alone.token_seconds, "s", "From token to token, alone"),
            "among_step": Value(among.token_seconds, "s", "From token to token, in company"),
            "slower": Value(among.token_seconds / alone.token_seconds, "x", "Later tokens in company"),
            "alone_dollars": Value(_chip_seconds(alone) * rent, "$/Mtok", "Rent, alone"),
            "among_dollars": Value(_chip_seconds(among) * rent, "$/Mtok", "Rent, in company"),
            "among_million": Value(_chip_seconds(among) * rent, "$", "Rent of a million, in company"),
        },
    )


def passes() -> Answer:
    """Passes of lecture 5 that a written token takes on chips whose pace of training was benchmarked."""
    asked = (MODEL, SYSTEM, PRECISION, 1)  # with the layer that guesses, as the model was made
    rows = (one.row for one in newest(trained()))
    (benchmark,) = (row for row in rows if (row.model, row.system, row.format, row.predicted) == asked)
    ours = (point.row for point in points() if _asked(point.row) and point.row.system == SYSTEM)
    among = max(ours, key=lambda row: row.in_flight)
    pace = 3 * benchmark.chip_tokens_per_second  # passes a second: a token that is trained takes three
    written = registry.find("serving/sheet").answer().values["throughput"].number
    return Answer(
        finding="Writing against benchmarks of training, on one chip",
        values={
            "among": Value(pace * _chip_seconds(among), "", "Passes of a written token, in company", 2),
            "paced": Value(pace / written, "", "Passes of a written token, at lecture 8's pace as forecast", 2),
            "over": Value(
                over_the_rule(pace / written / 3 * float(EVEN.serving)), "x", "Equal bills over the rule, so", 2
            ),
        },
    )


def _asked(row: Measurement) -> bool:
    place = (row.model, row.chips, row.precision, (row.input_tokens, row.output_tokens))
    return place == (MODEL, CHIPS, PRECISION, TOKENS)


def _chip_seconds(row: Measurement) -> float:
    """Seconds of one chip that a written token takes."""
    return row.chips * row.token_seconds / row.in_flight


def shared_chart() -> Any:
    """Every run in grey; the two ends of one deployment in the accent, with their values."""
    import altair as alt

    x = (
        alt.X("in_flight:Q", title="Sequences in flight")
        .scale(type="log", domain=[0.8, 2e4], nice=False)
        .axis(values=[1, 10, 100, 1e3, 1e4], format="~s")
    )
    y = alt.Y("seconds:Q", title="Chip time of a written token").scale(type="log").axis(values=DECADES, **SECONDS)
    ends = alt.Chart(alt.NamedData("ends")).encode(x=x, y=y)
    return (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(size=24, filled=True, color=look.MUTED, opacity=0.5)
        .encode(x=x, y=y)
        + ends.mark_point(filled=True, **look.HERE)
        + ends.mark_text(
            align=alt.expr("datum.side"),
            dx=alt.expr("datum.side == 'left' ? 10 : -10"),
            dy=alt.expr("datum.side == 'left' ? -4 : 14"),
            color=look.ACCENT,
            fontWeight=600,
            fontSize=13,
        ).encode(text="label:N")
    )


FIGURES = (
    Figure(
        name="world/company",
        foremost=4,
        compute=shared,
        chart=shared_chart,
        table="runs",
        columns={
            "id": "Run",
            "system": "Chip",
            "engine": "Engine",
            "in_flight": "In flight",
            "seconds": "Chip time of a token (s)",
        },
        assumptions=(
            "FP8 on eight chips that decode, prompts and answers of 0.8 to 1 of 1,024 tokens, no speculative drafts.",
            "The labelled runs are of one engine on one day, each laid out as suits its load; chips that read prompts "
            "are not counted.",
        ),
        sources=(SERVING_SOURCE,),
    ),
    Figure(name="world/passes", compute=passes, sources=(SERVING_SOURCE, STEPS_SOURCE)),
)
