"""Whole steps of a dense model's shape on one chip, kernel after kernel, beside bound, forecast and served runs.

The steps were timed without an engine: every kernel of every layer, from the table of embeddings to the choice of a
token, with random weights and a full cache. Served runs stand beside the sum of such kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from calc import catalog
from calc.catalog.chip_times import ChipTime, chip_times
from calc.catalog.measurement import Measurement
from calc.setting import Setting
from calc.step import decode, prefill
from calc.step.forecasting import FIT, Forecast, at_measured_rates, forecast
from calc.step.step import Step
from calc.world.against import Point, points
from calc.world.chip import CHIP, only

PARTS = ("products", "attention", "rest")
SYSTEMS = {"h100-sxm": "hgx-h100", "h200-sxm": "hgx-h200"}
FORMATS = {"bf16": "bf16", "fp8": "fp8-bf16-cache"}
"""As the course calls what was timed: the cache has 16 bits in both."""


@dataclass(frozen=True)
class ChipStep:
    """A step of writing, or a pass that reads one prompt: timed whole, and each kind of kernel alone."""

    whole: ChipTime
    parts: dict[str, float]

    @cached_property
    def counted(self) -> Step:
        """The same as the course counts it."""
        row = self.whole
        setting = Setting.published(row.model, SYSTEMS[row.chip], FORMATS[row.format], chips=1)
        return prefill(setting, 1.0, row.tokens) if row.part == "pass" else decode(setting, row.tokens, row.context)

    @cached_property
    def expected(self) -> Forecast:
        """Its forecast."""
        row = self.whole
        if row.part == "pass":
            return at_measured_rates(self.counted, catalog.forecast_fit(FIT))
        return forecast(self.counted.setting, row.tokens, row.context)

    @property
    def over_bound(self) -> float:
        """Measured over the bound."""
        return self.whole.seconds / float(self.counted.bound_seconds)

    @property
    def over_forecast(self) -> float:
        """Measured over the forecast."""
        return self.whole.seconds / float(self.expected.seconds)

    @property
    def expected_kernels(self) -> float:
        """Seconds of the forecast without the time of a sequence, which no kernel takes."""
        return float(self.expected.seconds - self.expected.sequence_seconds)

    @property
    def over_kernels(self) -> float:
        """Measured over that."""
        return self.whole.seconds / self.expected_kernels

    @property
    def over_sum(self) -> float:
        """The whole over the sum of its parts."""
        return self.whole.seconds / sum(self.parts.values())


@cache
def chip_steps(part: str = "step", chip: str = CHIP) -> tuple[ChipStep, ...]:
    """Every timed step of writing, or pass of reading.

    >>> found = chip_steps()
    >>> len(found), min(each.over_bound for each in found) > 1
    (42, True)
    """
    rows = chip_times(part, chip)
    return tuple(
        ChipStep(row, {each.name: each.seconds for each in rows if each.name in PARTS and _same(each, row)})
        for row in rows
        if row.name == "whole"
    )


def _same(one: ChipTime, other: ChipTime) -> bool:
    return (one.format, one.tokens, one.context) == (other.format, other.tokens, other.context)


@dataclass(frozen=True)
class ServedStep:
    """A served run on one such chip, and what its kernels would take: its step, and the prompts read in between."""

    point: Point
    step_seconds: float
    prompt_seconds: float

    @property
    def row(self) -> Measurement:
        """The run."""
        return self.point.row

    @property
    def kernel_seconds(self) -> float:
        """Both."""
        return self.step_seconds + self.prompt_seconds

    @property
    def over(self) -> float:
        """Served over its kernels."""
        return self.row.token_seconds / self.kernel_seconds


@cache
def served_steps() -> tuple[ServedStep, ...]:
    """Every clean served run of the model whose kernels were timed, in 16 bits on one such chip.

    As many prompts begin in a step as answers end. Each takes a pass of its own as it was timed; none shares one.

    >>> found = served_steps()
    >>> len(found), all(0.8 < each.over < 1.2 for each in found)
    (42, True)
    """
    model = chip_steps()[0].whole.model
    asked = [
        point
        for point in points()
        if (point.row.model, point.row.system, point.row.chips, point.row.precision) == (model, SYSTEMS[CHIP], 1, "")
    ]
    return tuple(_served(point) for point in asked)


def _served(point: Point) -> ServedStep:
    row = point.row
    one = only("pass", "whole", format="bf16", tokens=round(row.mean_input)).seconds
    begin = row.in_flight / row.mean_output
    return ServedStep(point, step_seconds(row.in_flight, row.context), begin * one)


def _wide() -> list[ChipStep]:
    return [each for each in chip_steps() if each.whole.format == "bf16"]


def step_seconds(batch: float, context: float) -> float:
    """A step in 16 bits between those that were timed: its products, its attention and the rest, one after another.

    >>> one = next(each.whole for each in chip_steps() if (each.whole.tokens, each.whole.context) == (64, 2048))
    >>> abs(step_seconds(64, 2048) / one.seconds - 1) < 0.05
    True
    """
    steps = _wide()
    shortest = min(each.whole.context for each in steps)
    at_shortest = [each for each in steps if each.whole.context == shortest]
    flat = flat_seconds(batch, at_shortest)
    contexts = [each for each in sorted({step.whole.context for step in steps}) if _reaches(steps, each, batch)]
    token = [
        _between(batch, [each for each in steps if each.whole.context == known], "attention") / known
        for known in contexts
    ]
    return flat + context * float(np.interp(context, contexts, token))


def flat_seconds(batch: float, steps: Sequence[ChipStep]) -> float:
    """The products of a step and the rest, between steps of one context: its length does not matter to them.

    >>> flat_seconds(1, chip_steps()[:9]) < flat_seconds(20, chip_steps()[:9])
    True
    """
    return sum(_between(batch, steps, part) for part in ("products", "rest"))


def fullest_attention() -> float:
    """Share of the published bandwidth of attention, in the timed step in 16 bits of most sequences, by its parts.

    Among steps that hold as many tokens in longer contexts, those of few sequences reach more: there it cuts contexts.

    >>> 0.6 < fullest_attention() < 0.8
    True
    """
    fullest = max(_wide(), key=lambda each: each.whole.tokens)
    return float(fullest.counted.cache_seconds) / fullest.parts["attention"]


def _reaches(steps: Sequence[ChipStep], context: int, batch: float) -> bool:
    batches = [each.whole.tokens for each in steps if each.whole.context == context]
    return min(batches) <= batch <= max(batches)


def _between(batch: float, steps: Sequence[ChipStep], part: str) -> float:
    known = sorted(steps, key=lambda each: each.whole.tokens)
    return float(np.interp(batch, [each.whole.tokens for each in known], [each.parts[part] for each in known]))
