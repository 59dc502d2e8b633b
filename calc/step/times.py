"""One call for the times of a decode step: its bound, its limit and its forecast, in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Quantity
from calc.quantities.errors import CalcError
from calc.quantities.units import show
from calc.setting import Layout, Precisions, Setting
from calc.step.forecasting import forecast
from calc.step.phases import decode
from calc.step.room import why_not


@dataclass(frozen=True)
class StepTimes:
    """How long a step takes at the least, if nothing overlaps, and as it would be measured, with its band of 80 %.

    `measured` says whether runs on the same system were among those that the forecast was fitted to, `crowded` why the
    step does not fit on its chips, or nothing; as a text, such a step has no forecast.
    """

    name: str
    limit: str
    bound_seconds: Quantity
    serial_seconds: Quantity
    expected_seconds: Quantity
    expected_low_seconds: Quantity
    expected_high_seconds: Quantity
    measured: bool
    crowded: str = ""

    def __str__(self) -> str:
        if np.ndim(self.bound_seconds):
            return f"{self.name}: {np.size(self.bound_seconds)} steps."
        bound, serial, expected, low, high = (
            show(each, "s")
            for each in (
                self.bound_seconds,
                self.serial_seconds,
                self.expected_seconds,
                self.expected_low_seconds,
                self.expected_high_seconds,
            )
        )
        band = (
            f"four of five runs lay between {low} and {high}"
            if self.measured
            else "no run on this system is among those that the forecast was fitted to"
        )
        bounds = f"{self.name}: at least {bound} a step, limited by {self.limit}; {serial} if nothing overlaps."
        return f"{bounds} {self.crowded or f'To be expected: {expected}; {band}.'}"


def decode_times(
    model: str,
    system: str,
    precision: str | Precisions,
    *,
    batch: Quantity,
    context: Quantity,
    chips: int | None = None,
    layout: Layout | None = None,
    prompt: Quantity = 0.0,
    output: Quantity | None = None,
) -> StepTimes:
    """The step of a catalogued model on a catalogued system in one call: its bound, its limit and its forecast.

    With `prompt` and `output`, tokens of a request, others' prompts are read meanwhile; one is not given without the
    other.

    >>> found = decode_times("llama-3-70b", "hgx-h100", "fp8", chips=8, batch=64, context=8192)
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    Llama 3 70B on 8 chips of HGX H100 (8 GPUs): at least 5.8 ms a step, limited by memory; 7.24 ms if nothing
    overlaps. To be expected: 15.9 ms; four of five runs lay between 12.9 ms and 20.8 ms.
    >>> found.limit, found.bound_seconds < found.expected_low_seconds
    ('memory', True)
    >>> decode_times("llama-3-70b", "mi300x-8", "fp8", chips=8, batch=64, context=8192).measured
    False
    >>> decode_times("kimi-k2", "hgx-h100", "fp8", batch=4, context=100).crowded
    'The weights alone, 139 GB, exceed the 85.5 GB of a chip: more chips, or fewer bits, must share them.'
    """
    if output is None and np.any(np.asarray(prompt) > 0):
        raise CalcError("output", None, "given with a prompt: tokens of an answer, after which the next prompt is read")
    setting = Setting.published(model, system, precision, layout=layout, chips=chips)
    step, expected = decode(setting, batch, context), forecast(setting, batch, context, prompt=prompt, output=output)
    low, high = expected.band_above(step.bound_seconds)
    times = step.bound_seconds, step.serial_seconds, expected.seconds, low, high
    crowded = "" if np.ndim(step.fits) else why_not(step)
    return StepTimes(step.name, step.limit, *times, expected.fit.covers(system), crowded)
