"""The layouts that a row of the lists is tried in, and what of them neither a rent nor a cached share changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calc.quantities.check import Array
from calc.serving.figures.setting import chosen
from calc.serving.request import Request
from calc.serving.sheet import passes
from calc.serving.usual import narrower
from calc.setting import Setting, published_precisions
from calc.step import Step, decode, most_sequences
from calc.step.forecasting import forecast, forecast_of

TRIED = 24  # batches, between two of which the cost meets a price
KEPT = 128  # answers of each part: all models, at the last few settings


@dataclass(frozen=True)
class Laid:
    """A model on a system, in one of the layouts that are tried."""

    name: str
    system: str
    own: str
    precision: str
    at: int

    @property
    def setting(self) -> Setting:
        return _settings(self.name, self.system, self.own, self.precision)[self.at]

    @property
    def copies(self) -> float:
        """Copies that the domain has chips for, which share what is in flight."""
        return float(max(1.0, self.setting.machine.domain_chips // self.setting.layout.chips))

    def each(self, batch: float) -> float:
        """Sequences of a copy."""
        return batch / min(self.copies, batch)

    def fits(self, batch: float, held: float) -> bool:
        """Whether there is room for these, and for one of each group."""
        return _room(self, held) >= max(self.each(batch), float(self.setting.layout.data))

    def chip_seconds(self, batch: float, held: float) -> float:
        """Chips times the seconds in which they are expected to write a token."""
        each = self.each(batch)
        return float(forecast_of(writing(self, each, held)).seconds * self.setting.layout.chips / each)


def layouts(name: str, system: str, own: str, precision: str) -> list[Laid]:
    """A model as it is usually served, and a dense one on fewer chips too."""
    return [Laid(name, system, own, precision, at) for at in range(len(_settings(name, system, own, precision)))]


@lru_cache(KEPT)
def _settings(name: str, system: str, own: str, precision: str) -> list[Setting]:
    return narrower(Setting.published(name, chosen(system, own).machine, published_precisions(name, precision)))


@lru_cache(KEPT)
def _room(laid: Laid, held: float) -> float:
    """Sequences that have room."""
    return float(most_sequences(laid.setting, held))


@lru_cache(KEPT)
def reading(laid: Laid, request: Request) -> Step:
    """Passes of reading, which neither the batch nor the rent changes."""
    return passes(laid.setting, request)


@lru_cache(KEPT)
def writing(laid: Laid, batch: float, held: float) -> Step:
    """A step of writing, which neither the rent nor the cached share changes."""
    return decode(laid.setting, batch, held)


@lru_cache(KEPT)
def _curve(laid: Laid, held: float) -> tuple[Array, Array]:
    """Batches up to the room, and the expected seconds of their steps."""
    sizes: Array = np.geomspace(1, _room(laid, held), TRIED)
    return sizes, np.asarray(forecast(laid.setting, sizes, held).seconds)


def covers(laid: Laid, batch: float, held: float, chip_seconds: float) -> float:
    """The number in flight from which a token takes no more than these chip-seconds."""
    sizes, seconds = _curve(laid, held)
    each = _crossing(sizes, float(laid.setting.layout.chips) * seconds / sizes, chip_seconds)
    return min(laid.copies, batch) * each


def _crossing(sizes: Array, costs: Array, price: float) -> float:
    """The batch at which a falling cost meets a price, between those that were tried by equal ratios."""
    if costs[-1] > price:
        return math.inf
    at = float(np.interp(-math.log(price), -np.log(costs), np.log(sizes)))
    return float(math.ceil(round(math.exp(at), 6)))
