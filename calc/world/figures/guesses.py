"""The gain of guesses over the requests at once: measured, forecast, and as plain runs of as many tokens have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from calc import catalog
from calc.catalog.guesses import GuessedRun, guessed_runs
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.serving.figures.cases import case, room_at_peak
from calc.serving.figures.setting import PROMISE
from calc.serving.modes import modes
from calc.world.guesses import expected_gain, gain_by_plain_runs, guessed_runs_of
from calc.world.other_chips import short_name

LONGEST, SHORT, ALONE = "atom-deepseek-v4", "atom-deepseek-r1", "neuron-llama-70b"
SMALL, MIXTURE = "neuron-eagle-llama-8b", "neuron-eagle-gpt-oss"
FORECAST, PLAIN = "forecast", "plain runs"
TICKS = [1, 4, 16, 64, 256]


def guesses() -> Answer:
    """Every run, and for the longest series two ways to expect it."""
    runs, series = guessed_runs(), guessed_runs_of(LONGEST)
    forecasts = [expected_gain(run) for run in series]
    shared = [(run, gain) for run in series if (gain := gain_by_plain_runs(run)) is not None]
    lines = [(FORECAST, run, gain) for run, gain in zip(series, forecasts, strict=True)]
    lines += [(PLAIN, run, gain) for run, gain in shared]
    few, many, names = series[0], series[-1], list(dict.fromkeys(map(_name, runs)))
    return Answer(
        finding=(
            f"{_many(few.guesses)} guesses a step made a reader of {catalog.model(few.plain.model).name} "
            f"{show(few.gain, 'x')} as fast at {plain(few.load)} requests at once, and {show(many.gain, 'x')} at "
            f"{plain(many.load)}"
        ),
        description=(
            "Dot plot with a logarithmic axis of requests at once: how many times as fast a reader's tokens came with "
            "guesses. "
            + " ".join(f"{name}: {_words([run for run in runs if _name(run) == name])}." for name in names)
            + f" Two lines expect {_name(few)}: a forecast, from {show(forecasts[0], 'x')} at {plain(few.load)} "
            f"requests to {show(forecasts[-1], 'x')} at {plain(many.load)}, and its plain runs of as many tokens, from "
            f"{show(shared[0][1], 'x')} to {show(shared[-1][1], 'x')} at {plain(shared[-1][0].load)}."
        ),
        tables={
            "runs": {
                "model": [_name(run) for run in runs],
                "load": [run.load for run in runs],
                "guesses": [run.guesses for run in runs],
                "plain": [1e3 * run.plain.token_seconds for run in runs],
                "guessed": [1e3 * run.token_seconds for run in runs],
                "gain": [run.gain for run in runs],
                "rate": [run.rate_gain for run in runs],
            },
            "lines": {
                "line": [name for name, _, _ in lines],
                "load": [run.load for _, run, _ in lines],
                "gain": [gain for _, _, gain in lines],
                "label": [name if run is few else "" for name, run, _ in lines],
            },
        },
        values={
            "few_gain": Value(few.gain, "x", f"{_name(few)}, {plain(few.load)} requests at once"),
            "many_gain": Value(many.gain, "x", f"{_name(few)}, {plain(many.load)} requests at once"),
            "forecast_few": Value(forecasts[0], "x", f"Forecast at {plain(few.load)}"),
            "forecast_many": Value(forecasts[-1], "x", f"Forecast at {plain(many.load)}"),
            "count": Value(len(runs), "", "Runs with guesses", 3),
            "few": Value(few.load, "", f"{_name(few)}, fewest requests at once", 3),
            "many": Value(many.load, "", f"{_name(few)}, most requests at once", 3),
            "many_rate": Value(many.rate_gain, "x", f"{_name(few)}, tokens a second of all readers, most requests"),
            "guesses": Value(few.guesses, "", f"{_name(few)}, guesses a step", 2),
            "tokens": Value(1 + few.guesses, "", f"{_name(few)}, tokens that a step checks of a sequence", 2),
            "accepted": Value(few.acceptance, "%", f"{_name(few)}, guesses accepted"),
            "kept": Value(few.kept, "tokens", f"{_name(few)}, kept by a step"),
            "few_longer": Value(_longer(few), "x", "A step with guesses, as long as one without, fewest requests"),
            "many_longer": Value(_longer(many), "x", "A step with guesses, as long as one without, most requests"),
            "plain_first": Value(shared[0][1], "x", f"By plain runs of as many tokens, at {plain(shared[0][0].load)}"),
            "plain_last": Value(shared[-1][1], "x", f"By plain runs of as many tokens, at {plain(shared[-1][0].load)}"),
            "shared": Value(shared[-1][0].load, "", "Most requests with a plain run of as many tokens", 3),
            "under": Value(max(run.gain / gain - 1 for run, gain in shared), "%", "Measured beyond those, most", 2),
            "under_least": Value(min(run.gain / gain - 1 for run, gain in shared), "%", "Measured beyond, least", 1),
            **_ends(guessed_runs_of(SHORT)),
            **_one("alone", ALONE),
            **_one("small", SMALL),
            **_one("mixture", MIXTURE),
        },
    )


def _ends(series: Sequence[GuessedRun]) -> dict[str, Value]:
    first, last = series[0], series[-1]
    here, promised = case("rack"), float(PROMISE.default)
    room = modes(here, here.expected.fit.high_80 * promised / last.rate_gain).promised.batch
    return {
        "short_few": Value(first.load, "", f"{_name(first)}, fewest requests at once", 3),
        "short_few_gain": Value(first.gain, "x", f"{_name(first)}, with fewest"),
        "short_many": Value(last.load, "", f"{_name(first)}, most requests at once", 3),
        "short_many_gain": Value(last.gain, "x", f"{_name(first)}, with most"),
        "short_rate": Value(last.rate_gain, "x", f"{_name(first)}, tokens a second of all readers, most requests"),
        "short_chip": Value(
            room / here.writing.setting.layout.chips, "", "Room on a chip of lecture 8's plan with that gain"
        ),
        "short_racks": Value(room_at_peak(here, promised) / room, "racks", "Racks that this plan then takes"),
    }


def _one(name: str, source: str) -> dict[str, Value]:
    (run,) = guessed_runs_of(source)
    gain = {f"{name}_gain": Value(run.gain, "x", f"{_name(run)}, as fast")}
    if run.accepted is None:
        return gain | {f"{name}_guesses": Value(run.guesses, "", f"{_name(run)}, guesses a step", 2)}
    return gain | {
        f"{name}_kept": Value(run.kept, "tokens", f"{_name(run)}, kept by a step"),
        f"{name}_longer": Value(_longer(run), "x", f"{_name(run)}, a step as long as one without"),
    }


def _longer(run: GuessedRun) -> float:
    """How many times as long as a step without guesses one with them took, for each token kept."""
    return run.kept / run.gain


def _many(count: int) -> str:
    return {1: "One", 2: "Two", 3: "Three"}.get(count, plain(count))


def _name(run: GuessedRun) -> str:
    return f"{catalog.model(run.plain.model).name}, {run.plain.chips} {short_name(run.plain.system)}"


def _words(series: list[GuessedRun]) -> str:
    return ", ".join(f"{show(run.gain, 'x')} at {plain(run.load)}" for run in series)


def guesses_chart() -> Any:
    """A mark for each run, and two lines with their names where they begin."""
    import altair as alt

    names = list(dict.fromkeys(map(_name, guessed_runs())))
    x = alt.X("load:Q", title="Requests at once").scale(type="log", domain=[0.9, 350], nice=False).axis(values=TICKS)
    y = alt.Y("gain:Q", title="Times as fast with guesses").scale(domain=[1, 4], nice=False)
    legend = alt.Legend(columns=2)
    dots = (
        alt.Chart(alt.NamedData("runs"))
        .mark_point(filled=True, size=70, opacity=0.9)
        .encode(
            x=x,
            y=y,
            color=alt.Color("model:N", title=None, legend=legend).scale(domain=names, range=look.RUNS[: len(names)]),
            shape=alt.Shape("model:N", title=None, legend=legend).scale(**look.shapes(*names)),
        )
    )
    found = alt.Chart(alt.NamedData("lines"))
    dashes = alt.StrokeDash("line:N", legend=None).scale(domain=[FORECAST, PLAIN], range=[[4, 3], [1, 0]])
    lines = found.mark_line(color=look.MUTED).encode(x=x, y=y, strokeDash=dashes)
    said = found.mark_text(align="right", dx=-7, color=look.MUTED).encode(x=x, y=y, text="label:N")
    return lines + said + dots


FIGURES = (
    Figure(
        name="world/guesses",
        foremost=4,
        compute=guesses,
        chart=guesses_chart,
        table="runs",
        columns={
            "model": "Model, chips",
            "load": "Requests at once",
            "guesses": "Guesses a step",
            "plain": "A token without (ms)",
            "guessed": "A token with guesses (ms)",
            "gain": "Times as fast, a reader",
            "rate": "Times as many tokens a second, all readers",
        },
        assumptions=(
            "DeepSeek's guesses come from a layer of the model, Trainium's from a small model. AMD counted the guesses "
            "accepted on other prompts (GSM8K) than those timed, AWS on the same; for DeepSeek-V3 (these are runs of "
            "R1, of its shape) and Llama 3 70B nobody did.",
            "AMD's prompts are consecutive token numbers, and answers run on to their length: more guesses may be kept "
            "than on text. Trainium was asked for lines of Shakespeare; Llama 3 70B had to repeat them.",
            "Times on Trainium are medians, the others means. Settings are those of the runs without guesses.",
            "The tokens of a sequence are taken to choose experts independently, and the kernels of the guessing layer "
            "are not counted.",
            "Left out are published pairs that differ in more than guesses, such as MiniMax-M3's, of two builds of an "
            "engine and two formats of cache.",
        ),
        sources=tuple(dict.fromkeys(run.source for run in guessed_runs())),
    ),
)
