"""The gain of guesses over the requests at once: measured, and as the forecast would have it."""

from __future__ import annotations

from typing import Any

from calc.catalog.guesses import GuessedPair, guessed_pairs
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.guesses import expected_gains, pairs_of

LONGEST, SHORT, LONG, ALONE = "atom-deepseek-v4", "atom-deepseek-r1", "atom-minimax-m3", "neuron-llama-70b"
BY_SEQUENCE, BY_TOKEN = "forecast", "by token"
TICKS = [1, 4, 16, 64, 256]


def guesses() -> Answer:
    """Every pair, and for the longest series two forecasts."""
    pairs = guessed_pairs()
    series = pairs_of(LONGEST)
    by_sequence, by_token = expected_gains(series), expected_gains(series, by_token=True)
    few, many = series[0], series[-1]
    names = list(dict.fromkeys(_name(pair) for pair in pairs))
    lines = ((BY_SEQUENCE, by_sequence), (BY_TOKEN, by_token))
    return Answer(
        finding=(
            f"Three guesses a step made a reader of {few.named} {show(few.gain, 'x')} as fast at {plain(few.load)} "
            f"requests at once, and {show(many.gain, 'x')} at {plain(many.load)}"
        ),
        description=(
            "Dot plot with a logarithmic axis of requests at once: how many times as fast a reader's tokens came with "
            "guesses. "
            + " ".join(f"{name}: {_words([pair for pair in pairs if _name(pair) == name])}." for name in names)
            + f" Two lines forecast {few.named} from its first pair on: at {plain(many.load)} requests one has "
            f"{show(by_sequence[-1], 'x')}, and one in which a sequence's time is that of each token "
            f"{show(by_token[-1], 'x')}."
        ),
        tables={
            "pairs": {
                "model": [_name(pair) for pair in pairs],
                "load": [pair.load for pair in pairs],
                "guesses": [pair.guesses for pair in pairs],
                "plain": [1e3 * pair.plain_seconds for pair in pairs],
                "guessed": [1e3 * pair.guessed_seconds for pair in pairs],
                "gain": [pair.gain for pair in pairs],
            },
            "lines": {
                "line": [name for name, _ in lines for _ in series],
                "load": [pair.load for _ in lines for pair in series],
                "gain": [gain for _, gains in lines for gain in gains],
                "label": [name if pair is many else "" for name, _ in lines for pair in series],
            },
        },
        values={
            "few_gain": Value(few.gain, "x", f"Measured at {plain(few.load)} requests at once"),
            "many_gain": Value(many.gain, "x", f"Measured at {plain(many.load)}"),
            "expected": Value(by_sequence[-1], "x", f"Forecast at {plain(many.load)}"),
            "expected_token": Value(by_token[-1], "x", "The same, a time of each token"),
            "count": Value(len(pairs), "", "Pairs", 3),
            "alone": Value(pairs_of(ALONE)[0].gain, "x", "Llama 3.3 70B on Trainium2, one request"),
            "few": Value(few.load, "", "DeepSeek-V4-Pro, fewest requests at once", 3),
            "many": Value(many.load, "", "DeepSeek-V4-Pro, most requests at once", 3),
            **_ends("short", pairs_of(SHORT)),
            **_ends("long", pairs_of(LONG)),
            "short_expected": Value(expected_gains(pairs_of(SHORT))[-1], "x", "DeepSeek-R1, forecast"),
        },
    )


def _ends(name: str, series: list[GuessedPair]) -> dict[str, Value]:
    first, last = series[0], series[-1]
    return {
        f"{name}_few": Value(first.load, "", f"{first.named}, fewest requests at once", 3),
        f"{name}_few_gain": Value(first.gain, "x", f"{first.named}, gain with fewest"),
        f"{name}_many": Value(last.load, "", f"{first.named}, most requests at once", 3),
        f"{name}_many_gain": Value(last.gain, "x", f"{first.named}, gain with most"),
    }


def _name(pair: GuessedPair) -> str:
    return f"{pair.named}, {pair.chips} {pair.chip}"


def _words(series: list[GuessedPair]) -> str:
    return ", ".join(f"{show(pair.gain, 'x')} at {plain(pair.load)}" for pair in series)


def guesses_chart() -> Any:
    """A mark for each pair, and two lines of forecasts with their names at the end."""
    import altair as alt

    names = list(dict.fromkeys(_name(pair) for pair in guessed_pairs()))
    x = alt.X("load:Q", title="Requests at once").scale(type="log", domain=[0.9, 700], nice=False).axis(values=TICKS)
    y = alt.Y("gain:Q", title="Times as fast with guesses").scale(domain=[1, 4], nice=False)
    dots = (
        alt.Chart(alt.NamedData("pairs"))
        .mark_point(filled=True, size=70, opacity=0.9)
        .encode(
            x=x,
            y=y,
            color=alt.Color("model:N", title=None, legend=alt.Legend(columns=2)).scale(
                domain=names, range=look.RUNS[: len(names)]
            ),
            shape=alt.Shape("model:N", title=None, legend=alt.Legend(columns=2)).scale(**look.shapes(*names)),
        )
    )
    found = alt.Chart(alt.NamedData("lines"))
    lines = found.mark_line(color=look.MUTED, strokeDash=[4, 3]).encode(x=x, y=y, detail="line:N")
    said = found.mark_text(align="left", dx=6, color=look.MUTED).encode(x=x, y=y, text="label:N")
    return lines + said + dots


FIGURES = (
    Figure(
        name="world/guesses",
        foremost=4,
        compute=guesses,
        chart=guesses_chart,
        table="pairs",
        columns={
            "model": "Model, chips",
            "load": "Requests at once",
            "guesses": "Guesses a step",
            "plain": "A token without (ms)",
            "guessed": "A token with guesses (ms)",
            "gain": "Times as fast",
        },
        assumptions=(
            "How many guesses were kept is not on record. The forecast keeps as many as make its first point agree.",
            "MiniMax-M3's runs with guesses framed each prompt as a chat; those without did not. Its guesses come from "
            "a small model of their own, those of DeepSeek from layers of the model.",
            "Prompts are of random tokens, on which more guesses may be kept than on text.",
        ),
        sources=tuple(dict.fromkeys(pair.source for pair in guessed_pairs())),
    ),
)
