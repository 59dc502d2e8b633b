"""What a page needs to show the models against the world: points, what each constant buys, nearest runs, peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from calc import catalog
from calc.catalog.measurement import Measurement
from calc.quantities.check import Quantity
from calc.setting import Setting
from calc.step import decode
from calc.step.forecasting import forecast
from calc.world.falsify import confronted
from calc.world.fit import FOLDS, judged, without
from calc.world.fitting import Array, Score, left_out, score
from calc.world.sample import Sample, sample


@dataclass(frozen=True)
class Point:
    """A measurement with what is computed for it, in seconds; the forecast does not know its configuration."""

    row: Measurement
    bound: float
    serial: float
    forecast: float

    @property
    def over_bound(self) -> float:
        """Measured over the bound, at least 1."""
        return self.row.token_seconds / self.bound

    @property
    def over_forecast(self) -> float:
        """Measured over the forecast: what the bands are bands of."""
        return self.row.token_seconds / self.forecast


@cache
def points() -> tuple[Point, ...]:
    """Every clean measurement, in the order of the table.

    >>> found = points()
    >>> len(found) > 2000, min(point.over_bound for point in found) > 1
    (True, True)
    """
    held = sample()
    expected = left_out(held.parts, held.times, held.grouped("configuration"), FOLDS)
    beside = zip(confronted(held.rows), expected.tolist(), strict=True)
    return tuple(Point(each.row, each.bound, each.serial, seconds) for each, seconds in beside)


def over_bound(found: Sequence[Point], of: str) -> dict[str, tuple[int, float, float, float]]:
    """Measured over bound within each value of a column: points, and its quantiles at 10, 50 and 90 %.

    >>> over_bound(points(), "engine")["vllm"][0] > 500
    True
    """
    groups: dict[str, list[float]] = {}
    for point in found:
        value = point.row.date.year if of == "year" and point.row.date else getattr(point.row, of, "unknown")
        groups.setdefault(str(value), []).append(point.over_bound)
    quantiles = {name: np.quantile(ratios, [0.1, 0.5, 0.9]).tolist() for name, ratios in groups.items()}
    return {name: (len(groups[name]), *quantiles[name]) for name in sorted(groups)}


def gains(held: Sample) -> dict[str, Score]:
    """What constants buy: one of its own for each way to say less, on configurations left out.

    The bound times one constant, the serial sum times one, all five, and all but each.
    """
    beside = confronted(held.rows)
    said = {
        "bound times a constant": np.array([[each.bound] for each in beside]),
        "serial sum times a constant": np.array([[each.serial] for each in beside]),
    }
    found = {name: judged(Sample(held.rows, parts, held.times), folds=FOLDS) for name, parts in said.items()}
    return {**found, "all five": judged(held, folds=FOLDS), **{f"without {name}": of for name, of in without(held)}}


@dataclass(frozen=True)
class Curve:
    """A step against the batch: bound, serial sum and forecast with its band of 80 %, in seconds."""

    batch: Array
    bound: Array
    serial: Array
    forecast: Array
    low: Array
    high: Array


def curve(
    setting: Setting, batch: Array, context: Quantity, *, prompt: Quantity = 0.0, output: Quantity | None = None
) -> Curve:
    """The forecast over the batch for a reader's setting, between the bound and what a run may take.

    >>> llama = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)
    >>> drawn = curve(llama, np.array([1.0, 64.0]), 8192)
    >>> bool(np.all(drawn.bound < drawn.low)), bool(np.all(drawn.low < drawn.forecast))
    (True, True)
    """
    step = decode(setting, batch, context)
    expected = forecast(setting, batch, context, prompt=prompt, output=output)
    low, high = expected.band_80
    each = (step.bound_seconds, step.serial_seconds, expected.seconds, low, high)
    return Curve(batch, *(np.broadcast_to(np.asarray(seconds, dtype=float), batch.shape) for seconds in each))


def nearest(model: str, system: str, batch: float, context: float, count: int = 8) -> list[Point]:
    """The measurements of a model nearest to a setting: its system first, then by the ratio of batch and of context.

    >>> near = nearest("llama-3-70b", "hgx-h200", 64, 1536, count=3)
    >>> {point.row.system for point in near}, all(16 < point.row.in_flight < 256 for point in near)
    ({'hgx-h200'}, True)
    """

    def distance(point: Point) -> tuple[bool, float]:
        tokens = point.row.mean_input + point.row.mean_output / 2
        away = abs(np.log(point.row.in_flight / batch)) + abs(np.log(tokens / context))
        return point.row.system != system, float(away)

    return sorted((point for point in points() if point.row.model == model), key=distance)[:count]


@dataclass(frozen=True)
class Peer:
    """The error of another tool's forecasts of decoding, and how it was obtained."""

    name: str
    errors: Score | tuple[float, ...]
    obtained: str
    source: str


INFERSIM = ("deepseek-v3-h800", "qwen3-30b-a3b-h20", "qwen3-8b-h20")


def peers() -> list[Peer]:
    """Ours, on configurations left out, beside what others publish of themselves.

    >>> [round(error, 2) for error in peers()[1].errors]
    [0.15, -0.04, -0.04]
    """
    times = np.array([point.row.token_seconds for point in points()])
    ours = score(np.array([point.forecast for point in points()]), times)
    theirs = tuple(
        catalog.datum(f"infersim-{case}-simulated").value / catalog.datum(f"infersim-{case}-measured").value - 1
        for case in INFERSIM
    )
    return [
        Peer("this forecast", ours, "every clean measurement, its configuration left out of the fit", ""),
        Peer("InferSim", theirs, "its own three cases, with benchmarks of their kernels", "infersim"),
    ]
