"""Steps of a lone user that are one kernel, beside the forecast, which counts a start and an end for each operation.

No constant has seen them. For GLM-5.1 a user's tokens a second are published, and not how many of them a step kept. So
a step took at most the time in which the user got as many as a step can keep.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from calc import batching, catalog
from calc.setting import Layout, Setting
from calc.step import decode
from calc.step.forecasting import Forecast, forecast
from calc.world.settings import precisions_of


@dataclass(frozen=True)
class OneKernel:
    """A model on chips that share every matrix, and the lengths of one user's text."""

    model: str
    node: str
    precision: str
    chips: int
    context: float
    checked: float = 1
    """Tokens that a step checks: a plain step has as many sequences of one token each, which comes near."""

    @cached_property
    def setting(self) -> Setting:
        """Every matrix cut over all chips."""
        precisions = precisions_of(self.model, self.precision)
        return Setting.published(self.model, self.node, precisions, layout=Layout(tensor=self.chips))

    @cached_property
    def forecast(self) -> Forecast:
        """The forecast of such a step by many kernels."""
        return forecast(self.setting, self.checked, self.context)

    @property
    def expected(self) -> float:
        """Seconds of that forecast."""
        return float(self.forecast.seconds)

    @property
    def bound(self) -> float:
        """Seconds that no step can beat."""
        return float(decode(self.setting, self.checked, self.context).bound_seconds)

    @property
    def starts(self) -> float:
        """Share of the forecast that is starts and ends of kernels."""
        return float(self.forecast.kernel_seconds) / self.expected

    def left(self, seconds: float) -> float:
        """Share of the starts and ends of the forecast that is left in a step of so many seconds."""
        return 1 - (self.expected - seconds) / float(self.forecast.kernel_seconds)


LLAMA = OneKernel("llama-3.2-1b", "hgx-h100", "bf16", chips=1, context=32 + 128 / 2)


def glm(prompt: float) -> OneKernel:
    """GLM-5.1, whose geometry is GLM-5's, half-way through an answer of 1,024 tokens."""
    return OneKernel("glm-5", "hgx-b200", "fp8", chips=8, context=prompt + 1024 / 2, checked=most_kept())


def most_kept() -> float:
    """Tokens that a step keeps if every guess is right.

    >>> most_kept()
    4.0
    """
    return float(catalog.datum("one-kernel-most-kept").value)


def by_bandwidth(share: float) -> float:
    """Seconds of a step of Llama 3.2 1B that kept so much of an H100's bandwidth busy with its weights.

    >>> 0.9e-3 < by_bandwidth(0.78) < 1e-3
    True
    """
    where = LLAMA.setting
    return float(batching.read_seconds(where.read_weight_bytes, share * where.machine.bandwidth))


def at_most(rate: str, kept: float) -> float:
    """Seconds of a step that keeps so many tokens, at a user's tokens a second; at most, if it keeps no more.

    >>> round(at_most("one-kernel-glm-short", most_kept()) * 1e3, 1)
    8.1
    """
    return kept / catalog.datum(rate).value
