"""The forecast of a step: what it would take on a real engine, with the error that such forecasts have had.

A bound says what no system can beat. The forecast says what to expect: nothing overlaps, memory, arithmetic and links
reach a share of their published rates, every kernel takes a time beside its work, and so does every sequence of a
group. While sequences are written others' prompts are read, and their share of all three is in the way; the weights
are read with those of the step.

    t = moving / m + arithmetic / f + sending / l + K k + b s

The constants m, f, l (shares), k and s (seconds) are facts of the catalogue, fitted to measurements of decoding by
`python -m calc.world.fit`; so is the band. Cases that the measurements do not hold are not forecast: several pipeline
stages, speculative drafts, and the time to a first token, which arrivals and admission decide more than work.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calc import catalog
from calc.catalog import ForecastFit
from calc.quantities.arithmetic import anywhere
from calc.quantities.check import NonNegative, Positive, Quantity, as_plain, checked
from calc.quantities.errors import OutOfRange
from calc.quantities.units import show
from calc.setting import Setting
from calc.step.kernels import kernels
from calc.step.phases import decode, prefill
from calc.step.step import Step

FIT = "decode"


@dataclass(frozen=True)
class Work:
    """Work that a step asks of a chip: seconds at published rates, kernels that are started, sequences of its group."""

    moving_seconds: Quantity
    arithmetic_seconds: Quantity
    sending_seconds: Quantity
    kernels: Quantity
    sequences: Quantity


@dataclass(frozen=True)
class Forecast:
    """The parts of a forecast, in seconds, one after another, and the fit that they rest on."""

    moving_seconds: Quantity
    arithmetic_seconds: Quantity
    sending_seconds: Quantity
    kernel_seconds: Quantity
    sequence_seconds: Quantity
    fit: ForecastFit

    @property
    def at_rates_seconds(self) -> Quantity:
        """Memory, arithmetic and links, one after another, at the rates that are reached."""
        return as_plain(self.moving_seconds + self.arithmetic_seconds + self.sending_seconds)

    @property
    def seconds(self) -> Quantity:
        """From one token of a sequence to the next: the sum of the parts."""
        return as_plain(self.at_rates_seconds + self.kernel_seconds + self.sequence_seconds)

    def __str__(self) -> str:
        low, high = self.band_80
        if np.ndim(self.seconds):
            return f"{np.size(self.seconds)} forecasts of a step."
        return (
            f"{show(self.seconds, 's')} a step is to be expected; four of five runs lay between "
            f"{show(low, 's')} and {show(high, 's')}."
        )

    @property
    def band_80(self) -> tuple[Quantity, Quantity]:
        """Where four of five measurements of deployments that the constants do not know have lain."""
        return self.seconds * self.fit.low_80, self.seconds * self.fit.high_80

    def band_above(self, bound: Quantity) -> tuple[Quantity, Quantity]:
        """That band for a step that can take no less than this bound."""
        low, high = self.band_80
        return as_plain(np.maximum(low, bound)), as_plain(np.maximum(high, bound))

    @property
    def band_90(self) -> tuple[Quantity, Quantity]:
        """Where nine of ten have."""
        return self.seconds * self.fit.low_90, self.seconds * self.fit.high_90


@checked
def decode_work(
    setting: Setting,
    batch: Positive,
    context: NonNegative,
    *,
    prompt: NonNegative = 0.0,
    output: Positive | None = None,
) -> Work:
    """The work of a step of B sequences of L tokens, with the prompts that are read meanwhile.

    Requests of `output` tokens end at B / output a step, and as many prompts of `prompt` tokens begin.

    >>> llama = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)
    >>> alone, among = decode_work(llama, 64, 8192), decode_work(llama, 64, 8192, prompt=7680, output=1024)
    >>> alone.kernels, float(alone.sequences), bool(among.arithmetic_seconds > 2 * alone.arithmetic_seconds)
    (1040.0, 64.0, True)
    """
    alone = work_of(decode(setting, batch, context))
    begin = 0.0 * np.asarray(batch) if output is None else np.asarray(batch) / output
    if not np.any(begin * prompt > 0):
        return alone
    reading = prefill(setting, begin[()], np.maximum(prompt, 1))
    return replace(
        alone,
        moving_seconds=alone.moving_seconds + reading.activation_seconds,
        arithmetic_seconds=alone.arithmetic_seconds + reading.compute_seconds,
        sending_seconds=alone.sending_seconds + _sending(reading),
    )


@checked
def forecast(
    setting: Setting,
    batch: Positive,
    context: NonNegative,
    *,
    prompt: NonNegative = 0.0,
    output: Positive | None = None,
    fit: ForecastFit | None = None,
) -> Forecast:
    """The forecast of a step of B sequences of L tokens, by the fit in force unless another is given.

    >>> llama = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)
    >>> found = forecast(llama, batch=64, context=8192)
    >>> bool(found.seconds > decode(llama, batch=64, context=8192).serial_seconds)
    True
    """
    return _expected(decode_work(setting, batch, context, prompt=prompt, output=output), fit)


def forecast_of(step: Step, fit: ForecastFit | None = None) -> Forecast:
    """The forecast of a step of writing that is known already.

    >>> llama = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)
    >>> bool(forecast_of(decode(llama, 64, 8192)).seconds == forecast(llama, 64, 8192).seconds)
    True
    """
    return _expected(work_of(step), fit)


def at_measured_rates(reading: Step, fit: ForecastFit) -> Forecast:
    """A pass of reading at the rates that decoding has reached: no measurement of reading stands behind it.

    The parts are those of a step of writing, without the time that a sequence takes in one.

    >>> step = prefill(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 72, 4096)
    >>> bool(at_measured_rates(step, catalog.forecast_fit("decode")).seconds > step.serial_seconds)
    True
    """
    return _expected(replace(work_of(reading), sequences=0.0), fit)


def work_of(writing: Step) -> Work:
    """The work of a step of writing that is known already, without others' prompts.

    >>> llama = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)
    >>> known = work_of(decode(llama, 64, 8192))
    >>> float(known.kernels), float(known.sequences)
    (1040.0, 64.0)
    """
    setting = writing.setting
    if anywhere(setting.layout.pipeline > 1):
        raise OutOfRange("pipeline", setting.layout.pipeline, "1: no measurement has several stages")
    sequences: Quantity = sum(setting.own_sequences(each.batch) for each in writing.requests)
    moving = writing.memory_seconds + writing.activation_seconds
    return Work(moving, writing.compute_seconds, _sending(writing), kernels(setting), sequences)


def _expected(work: Work, fit: ForecastFit | None) -> Forecast:
    """Work at the rates and times of a fit."""
    known = catalog.forecast_fit(FIT) if fit is None else fit
    return Forecast(
        moving_seconds=work.moving_seconds / known.memory_share,
        arithmetic_seconds=work.arithmetic_seconds / known.arithmetic_share,
        sending_seconds=work.sending_seconds / known.link_share,
        kernel_seconds=work.kernels * known.kernel_seconds,
        sequence_seconds=work.sequences * known.sequence_seconds,
        fit=known,
    )


def _sending(step: Step) -> Quantity:
    return step.scale_up_seconds + step.scale_out_seconds
