"""One kernel for a step: two models, measured, beside the forecast of many kernels and the bound."""

from __future__ import annotations

from calc import catalog
from calc.figure.declared import Answer, Figure, Value
from calc.quantities.units import show
from calc.world.one_kernel import LLAMA, at_most, by_bandwidth, glm, most_kept


def one_kernel() -> Answer:
    """A step of each, what is left of starts and ends, and what engines of many kernels took."""
    small = by_bandwidth(catalog.datum("one-kernel-bandwidth").value)
    engines = by_bandwidth(catalog.datum("many-kernels-bandwidth").value)
    kept = most_kept()
    short, long = (at_most(rate, kept) for rate in ("one-kernel-glm-short", "one-kernel-glm-long"))
    brief, lengthy = glm(prompt=1024), glm(prompt=8192)
    expected = LLAMA.expected
    return Answer(
        finding=f"A lone user's step in one kernel took {show(small / expected, 'x', 2)} of the forecast of many",
        values={
            "busy": Value(catalog.datum("one-kernel-bandwidth").value, "%", "Bandwidth kept busy by one kernel", 2),
            "engines_busy": Value(catalog.datum("many-kernels-bandwidth").value, "%", "by two engines, at most", 2),
            "small": Value(small, "s", "A step of Llama 3.2 1B in one kernel"),
            "small_over": Value(small / expected, "x", "over its forecast", 2),
            "small_bound": Value(small / LLAMA.bound, "x", "over its bound"),
            "engines_over": Value(engines / expected, "x", "Those engines over that forecast, at least", 2),
            "small_forecast": Value(expected, "s", "Its forecast"),
            "small_share": Value(LLAMA.starts, "%", "of it, starts and ends", 2),
            "small_left": Value(LLAMA.left(small), "%", "of its starts and ends, left", 1),
            "rate": Value(catalog.datum("one-kernel-glm-short").value, "tokens/s", "A user of GLM-5.1, short prompts"),
            "rate_long": Value(catalog.datum("one-kernel-glm-long").value, "tokens/s", "long prompts"),
            "sooner": Value(
                catalog.datum("one-kernel-glm-short").value / catalog.datum("many-kernels-glm-short").value,
                "x",
                "over the fastest of other engines",
                2,
            ),
            "kept": Value(kept, "tokens", "Most that a step keeps"),
            "short": Value(short, "s", "A step, short prompts, at most"),
            "short_forecast": Value(brief.expected, "s", "A step that checks as many, forecast"),
            "short_over": Value(short / brief.expected, "x", "over the forecast", 2),
            "short_share": Value(brief.starts, "%", "of it, starts and ends", 2),
            "short_left": Value(brief.left(short), "%", "of its starts and ends, left at most", 2),
            "long_over": Value(long / lengthy.expected, "x", "long prompts, over the forecast", 2),
        },
    )


FIGURES = (
    Figure(
        name="world/one-kernel",
        compute=one_kernel,
        sources=("one-kernel-llama", "inferencex-tilert", "tilert-configuration", "tilert-readme"),
    ),
)
