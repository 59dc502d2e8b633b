"""From a setting to a price list: the costs of reading and of writing, at the bound and at measured rates.

Prompts are read on machines of their own and answers are written on others, all laid out alike. A request brings
L tokens, a share h of which is found in a cache; the rest are read in passes of many prompts. It gets n tokens back,
so that a sequence holds L + n / 2 tokens on average while it is written. Chips are never idle; the keeping and moving
of caches between machines is left out.

Symbols: c dollars per chip-second, S chips, T seconds of a pass or step, B sequences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calc.catalog import ForecastFit
from calc.quantities.arithmetic import HOUR, whole_up
from calc.quantities.check import Array, NonNegative, Positive, Quantity, as_plain, checked
from calc.serving.promised import WAITED, prompts_within
from calc.serving.request import Request, TokenDollars
from calc.setting import Setting
from calc.step import Forecast, Step, decode, prefill, requests_in_flight
from calc.step.forecasting import at_measured_rates, forecast_of

PASS_TOKENS = 16_384
"""New tokens of a group in a pass: enough for the weights to be shared among them on every catalogued chip."""

LONE, AFTER_CACHE, FRESH = range(3)  # the three passes of reading


@dataclass(frozen=True)
class Sheet:
    """The three passes of reading, the step of writing with its forecast, and what tokens cost of both."""

    request: Request
    reading: Step
    writing: Step
    expected: Forecast
    dollars_per_chip_second: Quantity

    @property
    def first_token_seconds(self) -> Quantity:
        """The least time to a first token: one prompt, read alone and unqueued."""
        return float(np.asarray(self.reading.bound_seconds)[LONE])

    @cached_property
    def bound(self) -> TokenDollars:
        """The least that tokens cost."""
        return self._dollars(np.asarray(self.reading.bound_seconds), self.writing.bound_seconds)

    @cached_property
    def forecast(self) -> TokenDollars:
        """The cost to be expected at the rates that measurements of decoding have reached."""
        return self._dollars(self.reading_seconds, self.expected.seconds)

    @cached_property
    def expected_reading(self) -> Forecast:
        """The three passes at those rates."""
        return at_measured_rates(self.reading, self.expected.fit)

    @cached_property
    def reading_seconds(self) -> Array:
        """Seconds of the three passes at those rates."""
        return np.asarray(self.expected_reading.seconds)

    @cached_property
    def prompts(self) -> Quantity:
        """Prompts of a pass that many share."""
        return float(np.asarray(self.reading.requests[0].batch)[FRESH])

    @property
    def pass_seconds(self) -> Quantity:
        """Seconds of the pass that many prompts share, behind their caches, at those rates: all get a token at its end.

        A prompt that comes while a pass runs waits for the end of that one first.
        """
        return float(self.reading_seconds[AFTER_CACHE])

    @property
    def longest_first_token_seconds(self) -> Quantity:
        """The longest wait for a first token, of a prompt that comes just after a pass has begun: two passes."""
        return WAITED * self.pass_seconds

    @property
    def traffic(self) -> float:
        """Requests a second that keep the batch in flight at measured rates: by Little's law."""
        return float(self.writing.requests[0].batch / (self.request.output_tokens * self.expected.seconds))

    def in_flight(self, user_tokens_per_second: float) -> Quantity:
        """Requests of this traffic in flight, if every user's answer lasts as long as a speed allows."""
        return requests_in_flight(self.traffic, self.request.output_tokens / user_tokens_per_second)

    @property
    def reading_chips(self) -> Quantity:
        """Chips that read for each chip that writes, where both keep up with the same requests, at the bound."""
        return self._chips(np.asarray(self.reading.bound_seconds), self.writing.bound_seconds)

    @property
    def expected_reading_chips(self) -> Quantity:
        """The same at measured rates."""
        return self._chips(self.reading_seconds, self.expected.seconds)

    def _chips(self, passes: Array, step: Quantity) -> Quantity:
        written = self.request.output_tokens * step / self.writing.requests[0].batch
        return float(passes[AFTER_CACHE]) / self.prompts / written

    def _dollars(self, passes: Array, step: Quantity) -> TokenDollars:
        spent = self.dollars_per_chip_second * self.writing.setting.layout.chips
        alone, cached = float(passes[FRESH]), self.request.cached
        extra = max(0.0, float(passes[AFTER_CACHE]) - alone)
        return TokenDollars(
            fresh=spent * alone / (self.prompts * self.request.fresh),
            cached=spent * extra / (self.prompts * cached) if np.any(cached) else 0.0,
            output=spent * step / self.writing.requests[0].batch,
        )


@checked
def sheet(
    setting: Setting,
    request: Request,
    batch: Positive,
    dollars_per_chip_hour: NonNegative,
    fit: ForecastFit | None = None,
    first_token_seconds: Positive = math.inf,
    reading: Step | None = None,
) -> Sheet:
    """The whole calculation for B sequences in flight on chips at a rent, where a first token may be promised in time.

    A cached token costs what a prompt takes longer behind it: c S (T(after the cache) - T(alone)) / (prompts h L).
    Where none is found, cached tokens cost nothing.
    Fewer prompts share a pass where two passes would last longer than the promise. `reading` are the passes of this
    request, where they are known.

    >>> rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    >>> found = sheet(rack, Request(4096, 1000, 0.5), batch=2048, dollars_per_chip_hour=4.54)
    >>> found.writing.limit, bool(found.bound.output < found.forecast.output)
    ('memory', True)
    """
    writing = decode(setting, batch, request.held)
    known = passes(setting, request) if reading is None else reading
    found = of_steps(request, known, writing, dollars_per_chip_hour, fit)
    if np.all(found.longest_first_token_seconds <= first_token_seconds):
        return found
    of_request = {"most": most_prompts(request), "fresh": request.fresh, "cached": request.cached}
    fewer = prompts_within(setting, first_token_seconds, **of_request, fit=found.expected.fit)
    return replace(found, reading=passes(setting, request, fewer))


def most_prompts(request: Request) -> Quantity:
    """Prompts of a group in a pass where no first token is promised.

    >>> most_prompts(Request(4096, 1000, 0.5))
    8.0
    """
    return as_plain(whole_up(PASS_TOKENS / request.fresh))


def passes(setting: Setting, request: Request, prompts: Quantity | None = None) -> Step:
    """The three passes of reading: a prompt alone, many behind their caches, and the same tokens without one.

    So many prompts of a group share a pass, or as many as share it where no first token is promised.

    >>> found = passes(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5))
    >>> found.requests[0].batch.tolist(), found.requests[0].context.tolist()
    ([1.0, 576.0, 576.0], [2048.0, 2048.0, 0.0])
    """
    many = setting.layout.data * (most_prompts(request) if prompts is None else prompts)
    return prefill(
        setting,
        np.array([1.0, many, many]),
        np.full(3, request.fresh),
        cached=np.array([request.cached, request.cached, 0.0]),
    )


def of_steps(
    request: Request, reading: Step, writing: Step, dollars_per_chip_hour: Quantity, fit: ForecastFit | None = None
) -> Sheet:
    """The sheet of a request whose passes of reading and step of writing are known.

    >>> rack, request = Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), Request(4096, 1000, 0.5)
    >>> found = of_steps(request, passes(rack, request), decode(rack, 2048, request.held), 4.54)
    >>> bool(found.bound.output == sheet(rack, request, 2048, 4.54).bound.output)
    True
    """
    return Sheet(request, reading, writing, forecast_of(writing, fit), dollars_per_chip_hour / HOUR)
