"""Whole steps timed kernel by kernel on one chip, beside their bound and their forecast."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import SECONDS
from calc.quantities.units import plain, show
from calc.world.chip import only
from calc.world.chip_steps import PARTS, ChipStep, chip_steps
from calc.world.training import middle

CONTEXT, FORM, FULL = 1024, "bf16", 512
KINDS = ("bound", "kernels, timed", "forecast, kernels alone", "forecast")
COLOURS = (look.INK, look.ACCENT, look.FREE[0], look.MUTED)


def steps() -> Answer:
    """A step over the batch: its bound, its kernels as timed, and the forecast with and without the engine's part."""
    every, drawn = chip_steps(), [each for each in chip_steps() if _drawn(each)]
    alone, last = drawn[0], drawn[-1]
    over = {name: [getattr(each, f"over_{name}") for each in every] for name in ("bound", "forecast", "kernels", "sum")}
    passes = chip_steps("pass")
    furthest = max(passes, key=lambda each: each.over_forecast)
    short = [each for each in passes if each.whole.tokens <= FULL]
    long = [each for each in passes if each.whole.tokens > FULL]
    python, start = only("step", "from python", format=FORM), alone.whole.seconds
    narrow, narrow_python = (
        only("step", name, format="fp8", tokens=1, context=CONTEXT) for name in ("whole", "from python")
    )
    return Answer(
        finding=(
            f"The kernels of a step take {show(middle(over['bound']), 'x')} its bound, and "
            f"{show(middle(over['kernels']), 'x', 2)} the forecast of kernels alone (medians)"
        ),
        description=(
            f"Line chart, both axes logarithmic: time of a step of {catalog.model(alone.whole.model).name} in BF16 on "
            f"one H100 against its batch, with {plain(CONTEXT, 9)} tokens of context each. The kernels take from "
            f"{show(alone.whole.seconds, 's')} for one sequence, {show(alone.over_bound, 'x')} the bound, to "
            f"{show(last.whole.seconds, 's')} for {last.whole.tokens}, {show(last.over_bound, 'x')} the bound. The "
            f"forecast without the time of a sequence lies close to them, the whole forecast above."
        ),
        tables={
            "lines": {
                "batch": [each.whole.tokens for each in drawn for _ in KINDS],
                "kind": [kind for _ in drawn for kind in KINDS],
                "seconds": [seconds for each in drawn for seconds in _times(each)],
            },
            "steps": {
                "format": [each.whole.format.upper() for each in every],
                "batch": [each.whole.tokens for each in every],
                "context": [each.whole.context for each in every],
                "milliseconds": [1e3 * each.whole.seconds for each in every],
                **{part: [1e3 * each.parts[part] for each in every] for part in PARTS},
                "bound": over["bound"],
                "kernels": over["kernels"],
            },
            "ends": {
                "batch": [alone.whole.tokens, last.whole.tokens],
                "seconds": [alone.whole.seconds, last.whole.seconds],
                "label": [show(each.whole.seconds, "s") for each in (alone, last)],
                "side": ["left", "right"],
            },
        },
        values={
            "count": Value(len(every), "", "Steps"),
            "most": Value(max(each.whole.tokens for each in every), "", "Sequences at most"),
            "bound_low": Value(min(over["bound"]), "x", "Over the bound, the least"),
            "bound": Value(middle(over["bound"]), "x", "Over the bound"),
            "bound_high": Value(max(over["bound"]), "x", "Over the bound, the most"),
            "kernels_low": Value(min(over["kernels"]), "x", "Over the forecast of kernels, the least", 2),
            "kernels": Value(middle(over["kernels"]), "x", "Over the forecast of kernels", 2),
            "kernels_high": Value(max(over["kernels"]), "x", "Over the forecast of kernels, the most", 3),
            "forecast": Value(middle(over["forecast"]), "x", "Over the whole forecast", 2),
            "forecast_low": Value(min(over["forecast"]), "x", "Over the whole forecast, the least", 2),
            "sum_low": Value(min(over["sum"]), "x", "Whole over its parts, the least", 2),
            "sum_high": Value(max(over["sum"]), "x", "Whole over its parts, the most", 3),
            "alone": Value(start, "s", "One sequence"),
            "python": Value(python.seconds, "s", "One sequence, started from Python"),
            "narrow": Value(narrow.seconds, "s", "One sequence in FP8"),
            "narrow_python": Value(narrow_python.seconds, "s", "The same, started from Python"),
            "pass_sum_low": Value(min(each.over_sum for each in passes), "x", "Passes over their parts, the least", 2),
            "pass_sum_high": Value(max(each.over_sum for each in passes), "x", "Passes over their parts, the most", 3),
            "passes": Value(len(passes), "", "Passes of reading"),
            "pass_short_low": Value(min(each.over_forecast for each in short), "x", "Short prompts, the least", 2),
            "pass_short_high": Value(max(each.over_forecast for each in short), "x", "Short prompts, the most", 2),
            "pass_long_low": Value(min(each.over_forecast for each in long), "x", "Long prompts, the least", 2),
            "pass_long_high": Value(max(each.over_forecast for each in long), "x", "Long prompts, the most", 2),
            "pass_full": Value(FULL, "tokens", "Short, up to"),
            "pass_attention": Value(
                furthest.parts["attention"] / furthest.whole.seconds,
                "%",
                "Attention's share of the pass that is furthest off",
                2,
            ),
        },
    )


def _drawn(each: ChipStep) -> bool:
    return (each.whole.context, each.whole.format) == (CONTEXT, FORM)


def _times(each: ChipStep) -> tuple[float, ...]:
    return (
        float(each.counted.bound_seconds),
        each.whole.seconds,
        each.expected_kernels,
        float(each.expected.seconds),
    )


def steps_chart() -> Any:
    """Four lines over the batch; the timed one has dots and the values of its ends."""
    import altair as alt

    x = alt.X("batch:Q", title="Sequences in a step").scale(type="log", base=2, domain=[0.8, 520], nice=False)
    x = x.axis(values=[1, 2, 4, 8, 16, 32, 64, 128, 256], format=",")
    y = alt.Y("seconds:Q", title="Time of a step").scale(type="log", domain=[4e-3, 4e-2], nice=False)
    y = y.axis(values=[5e-3, 1e-2, 2e-2, 4e-2], **SECONDS)
    lines = (
        alt.Chart(alt.NamedData("lines"))
        .mark_line()
        .encode(
            x=x,
            y=y,
            color=alt.Color("kind:N", title=None, legend=alt.Legend(columns=2)).scale(
                domain=list(KINDS), range=list(COLOURS)
            ),
            strokeDash=alt.StrokeDash("kind:N", title=None).scale(**look.dashes(*KINDS)),
        )
    )
    ends = alt.Chart(alt.NamedData("ends")).encode(x=x, y=y)
    words = ends.mark_text(
        align="left",
        dx=alt.expr("datum.side == 'left' ? 4 : 10"),
        dy=alt.expr("datum.side == 'left' ? 16 : 2"),
        color=look.ACCENT,
        fontWeight=600,
        fontSize=13,
    ).encode(text="label:N")
    return lines + ends.mark_point(filled=True, **look.HERE) + words


FIGURES = (
    Figure(
        name="world/chip-step",
        foremost=4,
        compute=steps,
        chart=steps_chart,
        table="steps",
        columns={
            "format": "Weights",
            "batch": "Sequences",
            "context": "Context",
            "milliseconds": "Step (ms)",
            "products": "Products alone (ms)",
            "attention": "Attention alone (ms)",
            "rest": "The rest alone (ms)",
            "bound": "Over the bound (×)",
            "kernels": "Over the forecast of kernels (×)",
        },
        assumptions=(
            "Every kernel of a step with random weights and a full cache in 16 bits, without an engine, in one graph.",
            "PyTorch's matrix products and attention; norms, rotation and gate are small kernels of our own.",
        ),
        sources=(CHIP_SOURCE,),
    ),
)
