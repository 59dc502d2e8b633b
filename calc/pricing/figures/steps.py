"""Lecture 6 in pictures: a price step against the cost that it should cover."""

from __future__ import annotations

from typing import Any

import numpy as np

from calc import catalog
from calc.catalog import Price
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, guide_layer, guides, here_layer
from calc.figure.inputs import Choice, Number
from calc.figure.line_names import ends, labelled_lines
from calc.figure.scenario import MODELS
from calc.pricing import context_price
from calc.pricing.figures.setting import attention_context, sheet_choice
from calc.pricing.figures.shared import CROSSOVER, NO_STEP, step_of
from calc.quantities.check import Array
from calc.quantities.units import show

CONTEXTS = np.geomspace(1e4, 1e7, 73)
LINES = {"price": "Price", "cost": "Cost"}
ROOM = 1.3  # times the cost of a short request: a price that leaves room for words beneath
LATE = 1e6  # tokens from which on they end at their point
TWO_STEPS = ("qwen3-max",)  # sheets whose second step is not on record
SHEET = sheet_choice(
    "gemini-3.1-pro-preview",
    lambda sheet: (sheet.output_above or sheet.id == "claude-sonnet-4.6") and sheet.id not in TWO_STEPS,
    "Its step is that in the price of written tokens.",
)
MARKUP = Number(
    name="markup", label="Markup", default=0, low=0, high=1000, unit="%", help="Profit on a short request, over cost."
)
WINDOW = Number(
    name="window",
    label="Longest request",
    default=1_000_000,
    low=300_000,
    high=10_000_000,
    unit="tokens",
    log=True,
    whole=True,
    help="Requests past the step are taken to be spread evenly up to this length.",
)
ATTENTION = Choice(
    name="attention",
    label="Arithmetic of attention",
    default="none",
    options={"none": "left out"}
    | {name: f"as in {MODELS[name]}" for name in ("llama-3-70b", "llama-3-405b", "qwen3-235b-a22b", "deepseek-v3")},
    help="Pope leaves it out.",
)


def steps(*, sheet: str, crossover: float, markup: float, window: float, attention: str) -> Answer:
    """A price of two steps and the cost of a written token over the context."""
    row = catalog.price(sheet)
    threshold, step = step_of(row)
    extra, overtaken = markup / 100, None if attention == "none" else attention_context(attention)
    contexts = _with_corners(threshold, crossover)
    price = (1 + extra) * context_price.tiered_price(contexts, threshold, 1, step)
    cost = context_price.decode_cost(contexts, crossover, overtaken)
    covered, longest = (
        context_price.longest_profitable_context(crossover, times, extra, overtaken) for times in (1.0, step)
    )
    at_window = float(context_price.decode_cost(window, crossover, overtaken))
    from_here = min(threshold, window * (1 - 1e-9)) if step > 1 else 1.0
    fair = float(context_price.fair_step(crossover, from_here, window, overtaken)) / (1 + extra)
    counted = "" if overtaken is None else f", attention as in {MODELS[attention]}"
    rises = "the first token on" if counted else f"{show(crossover, 'tokens', 6)} on in proportion to the context"
    name, sold = row.name.partition(" (")[0], f"a markup of {show(extra, '%')}" if extra else "no markup"
    place = "there" if crossover == threshold else f"at {show(crossover, 'tokens', 6)}"
    has_step = f"{show(step, 'x')} past {show(threshold, 'tokens', 6)}" if step > 1 else "one price at every length"
    return Answer(
        finding=(
            f"{name}, {has_step}: with the crossover {place}{counted} and {sold}, writing is "
            f"{_below_cost(covered, threshold, longest)}"
        ),
        description=(
            f"Line chart, both axes logarithmic: price and cost of a token against the context, in units of the cost "
            f"of a token without one. The price is {show(1 + extra, 'x')}, with {has_step}. Cost rises from "
            f"{rises}; a shaded area marks where it is above the price."
        ),
        tables={
            "curve": {"context": contexts, "price": price, "cost": cost, "lost": np.maximum(price, cost)},
            "here": _last_covered(covered, threshold, longest, step, 1 + extra),
            "ends": ends({"context": contexts, "price": price, "cost": cost}, "context", LINES),
            "region": _lost_region(contexts, np.asarray(price), np.asarray(cost)),
            "guides": guides("context", {"crossover": crossover, "longest": window}, 1e4, 1e7),
        },
        values={
            "covered": Value(covered, "tokens", "Lower price would cover cost up to"),
            "longest": Value(longest, "tokens", "Higher price would, up to"),
            "step": Value(step, "x", "Price step"),
            "cost": Value(at_window, "x", "Cost at the longest"),
            "markup": Value(max(0.0, at_window / step - 1), "%", "Markup that would cover the longest"),
            "fair": Value(max(1.0, fair), "x", "Step that would cover cost on average, lengths spread evenly"),
        },
        notes=_step_notes(row, crossover, threshold, overtaken, longest),
    )


def _below_cost(covered: float, threshold: float, longest: float) -> str:
    """Where the two prices are below cost: past the higher one's reach, and before the step past the lower one's."""
    if longest < threshold:
        return f"below cost from {show(covered, 'tokens')} on" if covered else "below cost at every length"
    if covered < threshold:
        return f"below cost from {show(covered, 'tokens')} to the step, and from {show(longest, 'tokens')} on"
    return f"below cost from {show(longest, 'tokens')} on"


def _last_covered(covered: float, threshold: float, longest: float, step: float, price: float) -> dict[str, list[Any]]:
    """The point from which on the price is never above cost again, if it is on the chart."""
    place = (longest, step * price) if longest >= threshold else (covered, price)
    if not 1e4 <= place[0] <= 1e7:
        return {"context": [], "price": []}
    return {"context": [place[0]], "price": [place[1]]}


def _lost_region(contexts: Array, price: Array, cost: Array) -> dict[str, list[Any]]:
    """A word in the middle of the area where the price is below cost, if there is room for it."""
    lost = np.flatnonzero(cost > 3 * price)
    if not lost.size:
        return {"context": [], "times": [], "label": []}
    last = lost[-1]
    middle = int(np.searchsorted(contexts, np.sqrt(contexts[lost[0]] * contexts[last])))
    times = np.sqrt(price[middle] * cost[middle])
    return {"context": [contexts[middle]], "times": [times], "label": ["below cost"]}


def _with_corners(threshold: float, crossover: float) -> Any:
    corners = [place for place in (threshold, threshold * (1 + 1e-9), crossover) if 1e4 <= place <= 1e7]
    return np.sort(np.concatenate([CONTEXTS, corners]))


def _step_notes(row: Price, crossover: float, threshold: float, overtaken: float | None, longest: float) -> list[str]:
    notes = [f"Price sheet: {row.dated}."]
    if threshold != NO_STEP and crossover < threshold:
        below = show(context_price.decode_cost(threshold, crossover, overtaken), "x")
        notes.append(f"Just below the step a token already costs {below} what it does without context.")
    if threshold != NO_STEP and longest < threshold:
        notes.append("Even the higher price is below cost wherever it is asked.")
    return notes


def steps_chart() -> Any:
    """A staircase of price and a slope of cost, with the loss between them."""
    import altair as alt

    curve = alt.Chart(alt.NamedData("curve"))
    x = alt.X("context:Q", title="Context (tokens)").scale(type="log").axis(format="~s")
    lost = curve.mark_area(color=look.FREE[0], fillOpacity=0.14, line=False).encode(x=x, y="price:Q", y2="lost:Q")
    y = alt.Y("times:Q", title="× the cost of a short request").scale(type="log")
    y = y.axis(values=[1, 2, 5, 10, 20, 50, 100, 1000, 10_000], labelExpr="datum.label + '×'")
    region = alt.Chart(alt.NamedData("region")).mark_text(fontSize=13, color=look.MUTED)
    marks = labelled_lines(alt, LINES, x, y) + region.encode(x="context:Q", y="times:Q", text="label:N")
    here = here_layer(alt, "context", "price")
    return lost + guide_layer(alt, "context") + marks + here + _value(alt)


def _value(alt: Any) -> Any:
    """The point's value where neither line runs: under the price if that leaves room, else over it."""
    under = f"datum.price > {ROOM}"
    text: dict[str, Any] = {
        "align": alt.expr(f"{under} && datum.context < {LATE} ? 'left' : 'right'"),
        "dx": alt.expr(f"{under} ? (datum.context < {LATE} ? 3 : 0) : -9"),
        "dy": alt.expr(f"{under} ? 9 : -9"),
        "baseline": alt.expr(f"{under} ? 'top' : 'bottom'"),
        "fontSize": 13,
        "fontWeight": 600,
    }
    at = alt.Chart(alt.NamedData("here")).encode(x="context:Q", y="price:Q", text=alt.Text("context:Q", format=".3~s"))
    return at.mark_text(**text, **HALO) + at.mark_text(**text, color=look.ACCENT)


STEPS = Figure(
    name="pricing/steps",
    inputs=(SHEET, CROSSOVER, MARKUP, WINDOW, ATTENTION),
    compute=steps,
    chart=steps_chart,
    table="curve",
    foremost=4,
    columns={"context": "Context (tokens)", "price": "Price (×)", "cost": "Cost (×)"},
    assumptions=(
        "Price and cost are those of a written token, in a large batch, so that the weights are shared by many.",
        "Both lines are in units of a token without context; a markup of 0 sells short requests at cost.",
        "The cache is fetched whole for every token, and not shared between requests. Fetching overlaps multiplying.",
    ),
    sources=("lecture", "llm-prices", "anthropic-pricing"),
)


FIGURES = (STEPS,)
