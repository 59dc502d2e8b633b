"""All that a page needs to show the models against the world: points, what each constant buys, peers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from calc import catalog
from calc.catalog.measurement import Measurement
from calc.world.falsify import confronted
from calc.world.fit import FOLDS, judged, without
from calc.world.fitting import Score, left_out, score
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


def table() -> dict[str, list[Any]]:
    """The same as columns, for a page to show, from the fewest sequences in flight to the most.

    Times are in seconds; what is computed is rounded to five digits, in which a fit is the same on every machine.
    """
    ordered = sorted(points(), key=lambda point: (point.row.in_flight, point.row.id))
    rows = [(point, point.row) for point in ordered]
    return {
        **{name: [getattr(row, name) for _, row in rows] for name in COLUMNS},
        "release": [f"{row.engine} {row.engine_version}".strip() for _, row in rows],
        "date": [str(row.date or "unknown") for _, row in rows],
        "context": [_digits(row.context) for _, row in rows],
        "measured": [row.token_seconds for _, row in rows],
        **{name: [_digits(getattr(point, name)) for point, _ in rows] for name in ("bound", "serial", "forecast")},
    }


COLUMNS = ("id", "model", "system", "engine", "precision", "mode", "chips", "tensor", "attention_groups", "in_flight")


def _digits(value: float) -> float:
    return float(f"{value:.5g}")


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
    """Gains that constants buy: one of its own for each way to say less, on configurations left out.

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
class Peer:
    """Errors of a way to forecast decoding, each with its kind, over how many points, and how they were obtained."""

    name: str
    errors: tuple[float, ...]
    kinds: tuple[str, ...]
    points: int
    obtained: str


INFERSIM = ("deepseek-v3-h800", "qwen3-30b-a3b-h20", "qwen3-8b-h20")


def peers() -> list[Peer]:
    """Ours, on configurations left out, beside others: what a tool gave once on our rows, what one prints of itself.

    >>> [round(error, 2) for error in peers()[2].errors]
    [0.15, -0.04, -0.04]
    """
    times = np.array([point.row.token_seconds for point in points()])
    ours = score(np.array([point.forecast for point in points()]), times)
    count, median, mean = (catalog.datum(f"aiconfigurator-decode-{of}").value for of in ("points", "median", "mean"))
    theirs = tuple(
        catalog.datum(f"infersim-{case}-simulated").value / catalog.datum(f"infersim-{case}-measured").value - 1
        for case in INFERSIM
    )
    average = ("median", "mean")
    return [
        Peer(
            "this forecast",
            (ours.median, ours.mean),
            average,
            ours.count,
            "every clean measurement, its configuration left out of the fit",
        ),
        Peer(
            "aiconfigurator 0.12",
            (median, mean),
            average,
            int(count),
            "run once on those of these measurements that it takes; profiles of kernels, checked on their file",
        ),
        Peer(
            "InferSim",
            theirs,
            ("one case",) * len(theirs),
            len(theirs),
            "three cases as its makers print them, with benchmarks of their kernels",
        ),
    ]
