"""Served runs on one chip, over the sum of the kernels that they need, as those were timed apart."""

from __future__ import annotations

from typing import Any

from calc import catalog
from calc.catalog.chip_times import CHIP_SOURCE
from calc.catalog.measurement import SERVING_SOURCE
from calc.figure import look
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import plain, show
from calc.world.chip_steps import ServedStep, fullest_attention, served_steps
from calc.world.figures.strip import strip
from calc.world.training import middle

KINDS = ("over its kernels", "over its forecast")
FLIGHTS = ((0, 8), (8, 16), (16, 32), (32, 64), (64, 128))


def served() -> Answer:
    """Each run over its step and the prompts read in between; and over its forecast, which did not know it."""
    found = sorted(served_steps(), key=lambda each: each.row.in_flight)
    over, expected = [each.over for each in found], [each.point.over_forecast for each in found]
    attended = fullest_attention()
    model = catalog.model(found[0].row.model).name
    return Answer(
        finding=(
            f"{len(found)} served runs took {show(min(over), 'x', 2)} to {show(max(over), 'x', 3)} the sum of their "
            f"kernels, timed apart and fitted to nothing"
        ),
        description=(
            f"Strip plot, a row for each load: from token to token in {len(found)} served runs of {model} on one H100 "
            f"over the sum of their kernels, and over their forecast. With up to eight sequences in flight the middle "
            f"run took {show(_middle(found, *FLIGHTS[0]), 'x', 3)} its kernels, with the most "
            f"{show(_middle(found, *FLIGHTS[-1]), 'x', 2)}."
        ),
        tables={
            "runs": {
                "load": [_load(each) for each in found for _ in KINDS],
                "kind": [kind for _ in found for kind in KINDS],
                "over": [ratio for each in found for ratio in (each.over, each.point.over_forecast)],
            },
            "table": {
                "in_flight": [each.row.in_flight for each in found],
                "prompt": [each.row.mean_input for each in found],
                "answer": [each.row.mean_output for each in found],
                "measured": [1e3 * each.row.token_seconds for each in found],
                "step": [1e3 * each.step_seconds for each in found],
                "prompts": [1e3 * each.prompt_seconds for each in found],
                "over": over,
            },
        },
        values={
            "count": Value(len(found), "", "Served runs"),
            "low": Value(min(over), "x", "Over their kernels, the least", 2),
            "high": Value(max(over), "x", "Over their kernels, the most", 3),
            "middle": Value(middle(over), "x", "Over their kernels, the middle", 2),
            "off": Value(_off(over), "%", "Off by, the middle", 2),
            "forecast_off": Value(_off(expected), "%", "The forecast is off by, the middle", 2),
            "forecast_low": Value(min(expected), "x", "Over the forecast, the least", 2),
            "forecast_high": Value(max(expected), "x", "Over the forecast, the most", 3),
            "most_prompts": Value(max(each.prompt_seconds / each.kernel_seconds for each in found), "%", "Prompts", 2),
            "attention": Value(attended, "%", "Attention: share of bandwidth in the step of most sequences", 2),
            "few": Value(_middle(found, *FLIGHTS[0]), "x", "With few in flight", 3),
            "many": Value(_middle(found, *FLIGHTS[-1]), "x", "With the most in flight", 2),
        },
    )


def _off(over: list[float]) -> float:
    return middle(abs(each - 1) for each in over)


def _middle(found: list[ServedStep], low: float, high: float) -> float:
    return middle(each.over for each in found if low < each.row.in_flight <= high)


def _load(each: ServedStep) -> str:
    high = next(high for _, high in FLIGHTS if each.row.in_flight <= high)
    return f"up to {plain(high)} in flight"


def served_chart() -> Any:
    """A row of marks for each load, told apart by what they are over, and a rule at one."""
    scale = {"type": "log", "nice": False, "zero": False, "padding": 14}
    kinds: dict[str, Any] = {"kind": "kind", "kinds": KINDS, "colours": (look.ACCENT, look.MUTED)}
    ticks = [0.8, 0.9, 1, 1.1]
    title = "From token to token, over what is counted"
    return strip("runs", "over", title, y="load", at=1, scale=scale, ticks=ticks, size=45, lanes=True, **kinds)


FIGURES = (
    Figure(
        name="world/chip-served",
        foremost=4,
        compute=served,
        chart=served_chart,
        table="table",
        columns={
            "in_flight": "In flight",
            "prompt": "Prompt",
            "answer": "Answer",
            "measured": "Served: from token to token (ms)",
            "step": "Kernels of the step (ms)",
            "prompts": "Kernels of the prompts in between (ms)",
            "over": "Served over both (×)",
        },
        assumptions=(
            "As many prompts begin in a step as answers end; each is read in a pass of its own, as it was timed.",
            "Between the batches and contexts that were timed, times are drawn straight.",
            "Every clean run of this model on one H100 whose source names no format: taken as 16 bits, its cache too.",
        ),
        sources=(CHIP_SOURCE, SERVING_SOURCE),
    ),
)
