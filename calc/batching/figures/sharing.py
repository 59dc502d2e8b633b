"""How many users may share a step of the example: lines from a lone user's step, and the levels that end them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calc import batching, catalog
from calc.batching.figures.promise import PROMPT, read_seconds
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.batching.figures.shared import ANSWER
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, prefixed
from calc.figure.inputs import Number
from calc.figure.scenario import CONTEXT
from calc.quantities.units import plain, show
from calc.setting import Scenario
from calc.step.forecasting import forecast

NAMES = BOUND, FORECAST, BESIDE = ("bound", "forecast", "with prompts")
KNOTS = 9
ABOVE = 1.12  # how far beyond the promise, or its own start, a line is drawn
PROMISE = Number(
    name="promise",
    label="A token every",
    default=20,
    low=1,
    high=1000,
    unit="ms",
    log=True,
    help="The promise to each user, on average.",
)
READ = Number(
    name="prompt",
    label="Prompts",
    default=PROMPT,
    low=100,
    high=100e3,
    unit="tokens",
    whole=True,
    help=f"Tokens of prompt, not yet cached, that this node reads for each {ANSWER:,} written.",
)


@dataclass(frozen=True)
class Sloped:
    """Seconds of a step over its users: a start, a slope, and multiplying for `each` where that is longer."""

    alone: float
    further: float
    room: float
    each: float = 0.0

    def most(self, level: float) -> float:
        """Users whose step is no longer than `level`, and whom memory holds.

        >>> [Sloped(8, 2, room).most(level) for room, level in ((100, 15), (3, 15), (100, 7))]
        [4.0, 3.0, 0.0]
        """
        read = np.floor(1 + (level - self.alone) / self.further)
        return float(max(0, min(read, self.room, level // self.each if self.each else read)))

    def at(self, users: float) -> float:
        """Seconds of a step of so many.

        >>> Sloped(8, 2, 100).at(3), Sloped(8, 2, 100, 5).at(3)
        (12, 15)
        """
        return max(self.alone + (users - 1) * self.further, users * self.each)


def sharing(*, promise: float, context: float, prompt: float) -> Answer:
    """The users whom a promise allows on lecture 1's node, by three counts of a step."""
    here, lines, slow = where(), _lines(context, prompt), catalog.forecast_fit("decode").high_80
    promised, allowed = promise / 1e3, promise / 1e3 / slow
    levels = [(BOUND, promised), (FORECAST, promised), (FORECAST, allowed), (BESIDE, allowed)]
    met = [(name, level, lines[name].most(level)) for name, level in levels]
    counts = [most for _, _, most in met]
    top = ABOVE * max(promised, *(line.alone for line in lines.values()))
    ends = {name: max(1.0, line.most(top)) for name, line in lines.items()}
    drawn = [(name, users) for name in lines for users in np.linspace(1, ends[name], KNOTS).tolist()]
    starts = {name: show(line.alone, "s") for name, line in lines.items()}
    due, within = show(promised, "s"), show(allowed, "s")
    bound, likely, sure, beside = (plain(most, 6) for most in counts)
    dots = [(name, most, lines[name].at(most)) for name, _, most in met if most]
    return Answer(
        finding=(
            f"{here.model.name} at a context of {plain(context, 9)}: a token every {due} allows {bound} users by "
            f"the bound, {likely} by the forecast, {sure} with a margin, {beside} with their prompts"
        ),
        description=(
            f"Line chart: the time of a step against the users that share it, for {here.model.name} on "
            f"{here.system.name} at a context of {plain(context, 9)}. Three lines rise from a lone user's step: the "
            f"bound from {starts[BOUND]}, the forecast from {starts[FORECAST]}, and steeper from {starts[BESIDE]} with "
            f"prompts. Level rules stand at {due} and {within}; dots with their users stand where lines meet them: "
            f"{bound}, {likely}, {sure} and {beside}."
        ),
        tables={
            "curve": {
                "part": [name for name, _ in drawn],
                "users": [users for _, users in drawn],
                "step": [lines[name].at(users) for name, users in drawn],
            },
            "names": _names(lines, ends, counts),
            "levels": {
                "users": counts[1:3],
                "step": [promised, allowed],
                "label": [f"promised {due}", f"with margin {within}"],
            },
            "dots": {
                "part": [name for name, _, _ in dots],
                "users": [most for _, most, _ in dots],
                "step": [seconds for _, _, seconds in dots],
                "label": [plain(most, 6) for _, most, _ in dots],
            },
            "sums": {
                "part": [name for name, _, _ in met],
                "level": [level for _, level, _ in met],
                "alone": [lines[name].alone for name, _, _ in met],
                "further": [lines[name].further for name, _, _ in met],
                "users": counts,
            },
        },
        values={
            "bound": Value(counts[0], "users", "By the bound", 6),
            "likely": Value(counts[1], "users", "By the forecast", 6),
            "sure": Value(counts[2], "users", "At its slow end", 6),
            "beside": Value(counts[3], "users", "The same, with their prompts", 6),
        },
        notes=_notes(lines, met, context, prompt),
    )


def where() -> Scenario:
    """Lecture 1's node."""
    return Scenario.named(*OPENING)


def _lines(context: float, prompt: float) -> dict[str, Sloped]:
    """The bound, the forecast, and the forecast with a prompt for each answer, spread over its steps."""
    here = where()
    room = float(largest_batch(here, context))
    one, two = (batching.step_time(users, context, **here.step_arguments()) for users in (1, 2))
    alone, pair = (float(each) for each in np.asarray(forecast(here.setting, np.array([1.0, 2.0]), context).seconds))
    kept = max(context - ANSWER / 2 - prompt, 0.0)
    spread = read_seconds(prompt, kept) / ANSWER
    read = float(one.memory), float(two.memory - one.memory)
    likely = alone, pair - alone
    return {
        BOUND: Sloped(*read, room, float(one.compute)),
        FORECAST: Sloped(*likely, room),
        BESIDE: Sloped(likely[0] + spread, likely[1] + spread, room),
    }


def _names(lines: dict[str, Sloped], ends: dict[str, float], counts: list[float]) -> dict[str, list[Any]]:
    """The place of each line's name: beside it for two of them, over its end for the steepest."""
    places = {BOUND: 0.6 * ends[BOUND], FORECAST: counts[2] / 2 or ends[FORECAST], BESIDE: ends[BESIDE]}
    return {
        "part": list(places),
        "users": list(places.values()),
        "step": [lines[name].at(users) for name, users in places.items()],
        "over": [name == BESIDE for name in places],
    }


def _notes(lines: dict[str, Sloped], met: list[tuple[str, float, float]], context: float, prompt: float) -> list[str]:
    room = lines[BOUND].room
    long = [name for name, level, _ in met if lines[name].alone > level]
    notes = []
    if room < 1:
        notes.append(f"No cache of {plain(context, 9)} tokens fits beside the weights.")
    elif any(most == room for _, _, most in met):
        notes.append(f"Memory holds {plain(room, 6)} users: there the lines that reach it end.")
    if long:
        notes.append(f"A lone user's step is too long for this promise by: {', '.join(dict.fromkeys(long))}.")
    if prompt > max(context - ANSWER / 2, 0):
        notes.append("No prompt of this context is so long: the tokens are those of several, with shorter answers.")
    return notes


def sharing_chart() -> Any:
    """Three lines from a lone user's step, two levels, and the users where they meet."""
    import altair as alt

    x = alt.X("users:Q", title="Users that share a step").scale(zero=True, nice=False)
    y = alt.Y("step:Q", title="Time of a step").scale(zero=True).axis(**prefixed("s"))
    color = alt.Color("part:N", legend=None).scale(**look.series(*NAMES))
    lines = alt.Chart(alt.NamedData("curve")).mark_line().encode(x=x, y=y, color=color)
    rules = alt.Chart(alt.NamedData("levels")).encode(y=y)
    said: dict[str, Any] = {"align": "left", "baseline": "bottom", "dx": 18, "dy": -3, "fontSize": 11.5}
    level = rules.encode(x=x, text="label:N")
    named = alt.Chart(alt.NamedData("names")).encode(x=x, y=y, text="part:N")
    beside: dict[str, Any] = {
        "align": "left",
        "baseline": alt.expr("datum.over ? 'bottom' : 'top'"),
        "dx": alt.expr("datum.over ? 0 : 9"),
        "dy": alt.expr("datum.over ? -4 : 3"),
        "fontSize": 12,
    }
    dots = alt.Chart(alt.NamedData("dots")).encode(x=x, y=y)
    left = f"datum.part == '{BESIDE}'"
    count: dict[str, Any] = {
        "align": alt.expr(f"{left} ? 'right' : 'left'"),
        "baseline": alt.expr(f"{left} ? 'bottom' : 'top'"),
        "dx": alt.expr(f"{left} ? -6 : 7"),
        "dy": alt.expr(f"{left} ? -4 : 5"),
        "fontSize": 13,
        "fontWeight": 600,
    }
    return (
        rules.mark_rule(strokeDash=[2, 3])
        + lines
        + level.mark_text(**said, **HALO)
        + level.mark_text(**said, color=look.MUTED)
        + named.mark_text(**beside, **HALO)
        + named.mark_text(**beside).encode(color=color)
        + dots.mark_point(filled=True, opacity=1, size=70).encode(color=color)
        + dots.mark_text(**count, **HALO).encode(text="label:N")
        + dots.mark_text(**count).encode(text="label:N", color=color)
    )


SHARING = Figure(
    name="batching/sharing",
    inputs=(PROMISE, replace(CONTEXT, default=EXAMPLE_CONTEXT), READ),
    compute=sharing,
    chart=sharing_chart,
    table="sums",
    columns={
        "part": "Line",
        "level": "Step allowed (s)",
        "alone": "Alone (s)",
        "further": "One more (s)",
        "users": "Users",
    },
    assumptions=(
        "Our node: Llama 3 70B in FP8 on eight H100, with one-byte caches.",
        "The slow end is where one in ten of the forecast's test runs took longer.",
        "Prompts are spread evenly over the steps in which their answers are written.",
        "Halfway through an answer of 1,000 tokens to a prompt of 9,500 the context is 10,000.",
    ),
    sources=("lecture", "llama-models", "aiconfigurator"),
)
