"""The frontier of a setting as a picture draws it: what no other layout and batch beats, at the bound and expected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calc.figure.declared import Number
from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Array
from calc.quantities.units import plain
from calc.serving.frontier import Sweep, sweep
from calc.serving.rates import chip_dollars_per_token
from calc.setting import Layout, Setting
from calc.step.forecasting import forecast

MOST_POINTS = 60  # of a frontier, that are drawn
BATCHES = np.unique(np.round(np.geomspace(1, 131_072, 35))).tolist()
TENSOR, EXPERT = (1, 2, 4, 8, 16), (1, 2, 4, 8, 16, 32, 64)

PROMISE = Number(
    name="promise",
    label="Promised speed",
    default=50,
    low=1,
    high=1000,
    unit="tokens/s",
    log=True,
    help="Tokens a second that every user is to see.",
)


@dataclass(frozen=True)
class Line:
    """The two frontiers of a setting, dollars for a million tokens along them, and how many combinations were tried.

    Where no rent is known, dollars are not a number.
    """

    bounds: Sweep
    likely: Sweep
    bound_dollars: Array
    dollars: Array
    tried: int

    def keeping(self, promise: float) -> int | None:
        """The cheapest place of the expected frontier that keeps a promise, if one does."""
        kept = np.flatnonzero(self.likely.per_user >= promise)
        return int(kept[np.argmax(self.likely.per_chip[kept])]) if kept.size else None

    def layout(self, at: int) -> str:
        """Batch and layout of a place of the expected frontier."""
        return layout(self.likely, at)

    def columns(self, whose: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Points of the expected frontier and of that of bounds, for a table each."""
        points = _columns(self.likely, self.dollars), _columns(self.bounds, self.bound_dollars)
        expected, bound = (each | _alike(whose, name, len(each["user"])) for each in points)
        return expected, bound


def line(setting: Setting, context: float, dollars_per_chip_hour: float | None) -> Line:
    """Every combination that is tried, and of those that fit the ones that no other beats.

    >>> found = line(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 4096, 4.54)
    >>> found.layout(found.keeping(50)), found.keeping(1e6)
    ('batch 4,100, 64 groups of 1 chip', None)
    """
    every = sweep(setting, context, batch=BATCHES, tensor=TENSOR, expert=EXPERT, stages=(1,))
    bounds, likely = every.frontier(), _expected(setting, every, context).frontier()
    least, costs = (_dollars(dollars_per_chip_hour, each.per_chip) for each in (bounds, likely))
    return Line(bounds, likely, least, costs, every.tried)


def layout(found: Sweep, at: int) -> str:
    """Batch and layout of one place, in words."""
    tensor, groups, batch = (plain(column[at]) for column in (found.tensor, found.expert, found.batch))
    if groups == "1":
        return f"batch {batch} on {tensor} tensor-parallel chip{'s' * (tensor != '1')}"
    return f"batch {batch}, {groups} groups of {tensor} chip{'s' * (tensor != '1')}"


def _dollars(price: float | None, per_chip: Array) -> Array:
    if price is None:
        return np.full(per_chip.shape, np.nan)
    return np.asarray(MILLION * chip_dollars_per_token(price, per_chip))


def _expected(setting: Setting, every: Sweep, context: float) -> Sweep:
    """The same combinations at the rates of the forecast."""
    laid = Layout(tensor=every.tensor, data=every.expert, expert=every.expert, pipeline=every.stages)
    seconds = np.asarray(forecast(setting.with_layout(laid), every.batch, context).seconds)
    return replace(every, per_user=1 / seconds, per_chip=every.batch / seconds / every.chips)


def _kept(speeds: Array) -> Array:
    """The promise that each speed just keeps, to four digits, among those that can be asked for."""
    digits = 10.0 ** (np.floor(np.log10(speeds)) - 3)
    kept: Array = np.clip(np.floor(speeds / digits) * digits, PROMISE.low, PROMISE.high)
    return kept


def _columns(found: Sweep, dollars: Array) -> dict[str, Any]:
    places = np.unique(np.round(np.linspace(0, found.batch.size - 1, MOST_POINTS)).astype(int))
    return {
        "user": found.per_user[places].tolist(),
        "promise": _kept(found.per_user[places]).tolist(),
        "chip": found.per_chip[places].tolist(),
        "dollars": dollars[places].tolist(),
        "layout": [layout(found, int(at)) for at in places],
    }


def _alike(whose: str, name: str, many: int) -> dict[str, list[str]]:
    return {"whose": [whose] * many, "of": [name] * many}
