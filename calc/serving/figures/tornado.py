"""Lecture 8 in pictures: which input moves the cost of a written token most, each changed by the same factor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.inputs import Number
from calc.figure.rent import RENT
from calc.figure.scenario import BATCH, PRECISION
from calc.quantities.arithmetic import HOUR, MILLION
from calc.quantities.check import Array, Quantity
from calc.quantities.units import plain, show
from calc.serving.figures.setting import CONTEXT, ELSEWHERE, MODEL, OUTPUT, SYSTEM, described, other_rent
from calc.setting import Setting
from calc.step import decode, why_not
from calc.step.forecasting import Forecast, forecast

FACTOR = Number(
    name="factor",
    label="Factor",
    default=1.25,
    low=1.01,
    high=4,
    unit="x",
    log=True,
    help="Each input is divided by it, and multiplied by it, while the others stay as they are.",
)
NAMES: Mapping[str, str] = {
    "rent": "Rent",
    "batch": "Batch",
    "bandwidth": "Memory bandwidth",
    "arithmetic": "Arithmetic rate",
    "links": "Link bandwidth",
    "kernels": "Kernel time",
    "context": "Context",
    "answer": "Answer",
}


def tornado(
    *,
    model: str,
    own: str,
    system: str,
    machine: str,
    precision: str,
    context: float,
    batch: float,
    output: float,
    price: float,
    factor: float,
) -> Answer:
    """The expected cost of a million written tokens with each input divided and multiplied by a factor."""
    setting = described(model, own, system, precision, machine)
    crowded = why_not(decode(setting, batch, context + output / 2))
    cost, ends = costs(setting, context, batch, output, price, factor)
    order = sorted(ends, key=lambda name: -span(ends[name]))
    first, second = (name for name in order[:2])
    low, high = ({name: pair[at] for name, pair in ends.items()} for at in (0, 1))
    times = plain(factor)
    return Answer(
        finding=(
            f"{'This does not fit; if it did, by' if crowded else 'By'} a factor of {times} either way, "
            f"{_named(first)} {'would move' if crowded else 'moves'} a million written tokens "
            f"{_from_to(ends[first])}; next {'would come' if crowded else 'comes'} {_named(second)}, "
            f"{_from_to(ends[second])}"
        ),
        description=(
            f"Bars around {show(cost, '$')}, the expected cost of a million tokens of {setting.model.name} on "
            f"{setting.machine.name}. Each shows the cost with one input divided and multiplied by {times}, the widest "
            f"first: {', '.join(f'{NAMES[name].lower()} {_from_to(ends[name])}' for name in order)}."
        ),
        tables={
            "bars": {
                "input": [NAMES[name] for name in order],
                "divided": [low[name] for name in order],
                "multiplied": [high[name] for name in order],
                "cost": [cost] * len(order),
            },
            "here": {"cost": [cost], "said": [show(cost, "$")]},
            "ends": {
                "input": [NAMES[first]] * 2,
                "cost": ends[first],
                "said": [f"÷ {times}", f"× {times}"],
                "side": ["left", "right"] if ends[first][0] < ends[first][1] else ["right", "left"],
                "pale": [True, False],
            },
        },
        values={
            "cost": Value(cost, "$", "A million tokens of output, expected"),
            "widest": Value(span(ends[first]), "x", "The widest bar, end over end"),
            "second": Value(span(ends[second]), "x", "The second"),
            "least": Value(min(min(pair) for pair in ends.values()), "$", "The least of all bars"),
            "most": Value(max(max(pair) for pair in ends.values()), "$", "The most"),
            "bandwidth": Value(span(ends["bandwidth"]), "x", "That of memory bandwidth"),
            "batch": Value(span(ends["batch"]), "x", "That of the batch"),
            "kernels": Value(span(ends["kernels"]), "x", "That of kernel time"),
            "context": Value(span(ends["context"]), "x", "That of the context"),
        },
        notes=[each for each in (crowded, other_rent(system, price, cost)) if each],
    )


def costs(
    setting: Setting, context: float, batch: float, output: float, price: float, factor: float
) -> tuple[float, dict[str, tuple[float, float]]]:
    """Dollars for a million written tokens, and the same with each input divided and multiplied by a factor."""
    ways = np.array([1 / factor, factor])
    here = forecast(setting, batch, context + output / 2)
    dollars = MILLION * price / HOUR * setting.layout.chips

    def at(seconds: Quantity, sequences: Quantity = batch) -> tuple[float, float]:
        low, high = np.broadcast_to(np.asarray(dollars * seconds / sequences, dtype=np.float64), (2,)).tolist()
        return low, high

    sizes: Array = batch * ways
    return float(dollars * here.seconds / batch), {
        "rent": at(here.seconds * ways),
        "batch": at(forecast(setting, sizes, context + output / 2).seconds, sizes),
        "bandwidth": at(_without(here, here.moving_seconds) + here.moving_seconds / ways),
        "arithmetic": at(_without(here, here.arithmetic_seconds) + here.arithmetic_seconds / ways),
        "links": at(_without(here, here.sending_seconds) + here.sending_seconds / ways),
        "kernels": at(_without(here, here.kernel_seconds) + here.kernel_seconds * ways),
        "context": at(forecast(setting, batch, context * ways + output / 2).seconds),
        "answer": at(forecast(setting, batch, context + output * ways / 2).seconds),
    }


def span(pair: tuple[float, float]) -> float:
    """The larger of two costs over the smaller.

    >>> span((2.0, 0.5))
    4.0
    """
    return max(pair) / min(pair)


def _without(found: Forecast, part: Quantity) -> float:
    return float(found.seconds) - float(part)


def _named(name: str) -> str:
    return f"the {NAMES[name][:1].lower()}{NAMES[name][1:]}"


def _from_to(pair: tuple[float, float]) -> str:
    low, high = (show(each, "$") for each in sorted(pair))
    return f"from {low} to {high}"


def tornado_chart() -> Any:
    """A bar on each side of the present cost: pale where the input is divided, full where it is multiplied."""
    import altair as alt

    y = alt.Y("input:N", title=None, sort=None).axis(ticks=False, labelLimit=160)
    scale = alt.X("divided:Q", title="Dollars for a million written tokens").scale(zero=False).axis(format="$~g")
    more = alt.X("multiplied:Q").scale(zero=False)
    bars = alt.Chart(alt.NamedData("bars")).encode(y=y)
    divided = bars.mark_bar(color=look.FAINT, height=15).encode(x=scale, x2="cost:Q")
    multiplied = bars.mark_bar(color=look.ACCENT, height=15).encode(x=more, x2="cost:Q")
    here = alt.Chart(alt.NamedData("here")).encode(x="cost:Q")
    rule = here.mark_rule(color=look.INK, strokeWidth=2)
    said = here.mark_text(color=look.INK, baseline="bottom", dy=-4, y=0, fontWeight=600).encode(text="said:N")
    inside: dict[str, Any] = {"align": alt.expr("datum.side"), "dx": alt.expr("datum.side == 'left' ? 5 : -5")}
    shade = alt.condition("datum.pale", alt.value(look.INK), alt.value(look.PAPER))
    ends = alt.Chart(alt.NamedData("ends")).encode(x="cost:Q", y=y, text="said:N", color=shade)
    names = ends.mark_text(fontSize=11.5, **inside)
    return (divided + multiplied + rule + said + names).properties(height=250)


TORNADO = Figure(
    name="serving/tornado",
    inputs=(MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, BATCH, OUTPUT, RENT, FACTOR),
    compute=tornado,
    chart=tornado_chart,
    table="bars",
    columns={"input": "Input", "divided": "Divided by the factor ($)", "multiplied": "Multiplied ($)"},
    assumptions=(
        "One input at a time; full bars are the input multiplied, faint ones the input divided. A batch may be a "
        "fraction, as a mean over time.",
        "Kernel time is all the time beside the work of kernels: their number or what each takes.",
        "The cost is that of the forecast, for chips that are never idle. Whether a larger batch or a longer context "
        "still fits is said by the price list.",
    ),
    foremost=3,
    sources=("lecture", "aiconfigurator-silicon"),
)

FIGURES = (TORNADO,)
