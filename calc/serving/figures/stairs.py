"""Lecture 8 in pictures: a step from an even share of the weights to the forecast, stair by stair."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.figure.guides import HALO, SECONDS
from calc.figure.scenario import BATCH, PRECISION
from calc.quantities.units import plain, show
from calc.serving.figures.setting import CONTEXT, ELSEWHERE, MODEL, OUTPUT, SYSTEM, described
from calc.step import Forecast, Step, decode, why_not
from calc.step.forecasting import forecast_of

STAIRS = {
    "weights, shared evenly": look.WEIGHTS,
    "more on the busiest chip": look.WEIGHTS,
    "caches": look.CACHE,
    "arithmetic": look.ARITHMETIC,
    "links": look.LINKS,
    "activations": look.FAINT,
    "rates below data sheets": look.FREE[2],
    "overhead of kernels": look.FREE[0],
    "overhead of sequences": look.FREE[1],
}
READ = 3  # of these are read from memory; after them stands the bound
BOUND, LAST = "the bound", "the forecast"
ROWS = [*list(STAIRS)[:READ], BOUND, *list(STAIRS)[READ:], LAST]


def stairs(
    *, model: str, own: str, system: str, machine: str, precision: str, context: float, batch: float, output: float
) -> Answer:
    """The parts of an expected step, each on top of those before it, from weights at full rates to the forecast."""
    found = decode(described(model, own, system, precision, machine), batch, context + output / 2)
    expected = forecast_of(found)
    climbed = _climbed(found, expected)
    tops = dict(zip(climbed, accumulate(climbed.values()), strict=True))
    bound, likely = float(found.bound_seconds), float(expected.seconds)
    low, high = (float(end) for end in expected.band_above(bound))
    highest = max(climbed, key=climbed.__getitem__)
    name = f"{found.setting.model.name} on {plain(found.setting.layout.chips)} chips of {found.setting.machine.name}"
    told = ", ".join(f"{row} to {show(top, 's')}" for row, top in tops.items())
    crowded = why_not(found)
    begins, ends = ("With room, a step would take", "probably") if crowded else ("A step takes", "should take")
    reach = tops | {BOUND: bound}
    return Answer(
        finding=(
            f"{begins} at least {show(bound, 's')} and {ends} {show(likely, 's')}; its longest bar is "
            f"“{highest}”, {show(climbed[highest], 's')}"
        ),
        description=(
            f"A stair of bars, each of which begins where the one above it ends: seconds of a step of {name}. They "
            f"climb with {told}. An upright rule marks the bound, {show(bound, 's')}, and a dot the forecast, "
            f"{show(likely, 's')}, in a band from {show(low, 's')} to {show(high, 's')}."
        ),
        tables={
            "stairs": {
                "stair": list(climbed),
                "added": list(climbed.values()),
                "start": [top - added for top, added in zip(tops.values(), climbed.values(), strict=True)],
                "end": list(tops.values()),
            },
            "ends": {
                "stair": list(reach),
                "end": list(reach.values()),
                "said": [
                    f"+{show(climbed[row], 's')}" if row in climbed else show(end, "s") for row, end in reach.items()
                ],
            },
            "bound": {"stair": [BOUND], "end": [bound]},
            "here": {"stair": [LAST], "end": [likely], "low": [low], "high": [high], "said": [show(likely, "s")]},
        },
        values={
            "bound": Value(bound, "s", "The bound"),
            "serial": Value(found.serial_seconds, "s", "One after another, at full rates"),
            "expected": Value(likely, "s", "The forecast"),
            "rates": Value(expected.at_rates_seconds, "s", "One after another, at rates that engines reach"),
            "kernels": Value(expected.kernel_seconds / likely, "%", "Overhead of kernels, of the forecast"),
            "low": Value(low, "s", "Range of four in five, from"),
            "high": Value(high, "s", "Range of four in five, to"),
        },
        notes=[each for each in (crowded,) if each],
    )


def _climbed(found: Step, expected: Forecast) -> dict[str, float]:
    """The height of each stair; their sum is the forecast."""
    setting, weights = found.setting, found.weights_seconds
    even = min(weights, setting.read_weight_bytes / setting.system_bandwidth)
    sending = found.scale_up_seconds + found.scale_out_seconds
    slower = expected.at_rates_seconds - found.serial_seconds
    heights = (
        *(even, weights - even, found.cache_seconds),
        *(found.compute_seconds, sending, found.activation_seconds),
        *(slower, expected.kernel_seconds, expected.sequence_seconds),
    )
    return {row: float(seconds) for row, seconds in zip(STAIRS, heights, strict=True)}


def stairs_chart() -> Any:
    """Bars that climb to the right, the bound as an upright rule down from its row, and the forecast with its range."""
    import altair as alt

    y = alt.Y("stair:N", title=None).scale(domain=ROWS).axis(labelLimit=190, ticks=False, labelOverlap=False)
    x = alt.X("start:Q", title="Time of a step").axis(**SECONDS, tickCount=5)
    colours: dict[str, Any] = {"domain": list(STAIRS), "range": list(STAIRS.values())}
    bars = (
        alt.Chart(alt.NamedData("stairs"))
        .mark_bar(height={"band": 0.72}, cornerRadius=0)
        .encode(y=y, x=x, x2="end:Q", color=alt.Color("stair:N", legend=None).scale(**colours))
    )
    ends = alt.Chart(alt.NamedData("ends")).encode(y=y)
    text: dict[str, Any] = {"align": "left", "dx": 8, "fontSize": 12.5}
    said = ends.mark_text(**text, **HALO).encode(x="end:Q", text="said:N")
    said += ends.mark_text(**text).encode(x="end:Q", text="said:N")
    bound = alt.Chart(alt.NamedData("bound")).encode(x="end:Q")
    way = bound.mark_rule(color=look.INK, strokeDash=[2, 3], strokeWidth=1.5).encode(y=y, y2=alt.value("height"))
    mark = bound.mark_tick(color=look.INK, thickness=4, size=22, opacity=1, orient="vertical").encode(y=y)
    here = alt.Chart(alt.NamedData("here")).encode(y=y)
    band = here.mark_rule(color=look.ACCENT, strokeWidth=13, opacity=0.3).encode(x="low:Q", x2="high:Q")
    dot = here.mark_point(**look.HERE).encode(x="end:Q")
    last = here.mark_text(align="right", dx=-8, fontSize=12.5).encode(x="low:Q", text="said:N")
    return (way + bars + mark + band + dot + said + last).properties(height=330)


FIGURES = (
    Figure(
        name="serving/stairs",
        inputs=(MODEL, SYSTEM, *ELSEWHERE, PRECISION, CONTEXT, BATCH, OUTPUT),
        compute=stairs,
        chart=stairs_chart,
        table="stairs",
        columns={"stair": "Stair", "added": "Adds (s)", "end": "To (s)"},
        assumptions=(
            "The first six stairs are at published rates: the first is all weights over all chips that write "
            "together, where a step reads as much; the next five are what the busiest chip does beyond that. The bound "
            "is the longest of memory, arithmetic and links. It lies at the third stair where that is memory. "
            "Reading of experts is a mean over a batch's picks: of a small one some chip reads more.",
            "The other three stairs are by five numbers that were fitted to measured runs: shares of three rates, and "
            "times for a kernel and for a sequence of a chip's group. A sequence holds its context and half of its "
            "answer.",
        ),
        foremost=3,
        sources=("lecture", "aiconfigurator-silicon"),
    ),
)
