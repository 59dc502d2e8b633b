"""Runs on chips of other makers beside the bound and the forecast of their own settings. No constant has seen them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calc import catalog
from calc.catalog import ForecastFit
from calc.catalog.other_chips import OtherChipRun, other_chip_runs
from calc.world.falsify import confronted
from calc.world.fitting import within
from calc.world.judge import judge
from calc.world.work import Array


def short_name(system: str) -> str:
    """The chip of a system without its maker.

    >>> short_name("mi300x-8"), short_name("tpu-v7-pod")
    ('MI300X', 'TPU7x')
    """
    chip = catalog.system(system).chip
    return str(chip.name.removeprefix(f"{chip.vendor} ").partition(" (")[0])


@dataclass(frozen=True)
class OtherDeployment:
    """The runs of one table on one number of chips, in which only load and lengths differ."""

    runs: tuple[OtherChipRun, ...]
    over_forecast: Array
    over_bound: Array

    @property
    def name(self) -> str:
        """Model and chips."""
        first = self.runs[0]
        return f"{catalog.model(first.model).name}, {first.chips} {short_name(first.system)}"

    @property
    def vendor(self) -> str:
        """The maker of the chips."""
        return str(catalog.system(self.runs[0].system).chip.vendor)

    @property
    def middle(self) -> float:
        """Measured over forecast, the median."""
        return float(np.median(self.over_forecast))

    @property
    def age(self) -> int:
        """Days from the release of the model to the run."""
        first = self.runs[0]
        released = catalog.model(first.model).effective
        if first.date is None or released is None:
            raise ValueError(f"{first.source} has no date, or {first.model} none of its release")
        return (first.date - released).days


class OtherChips:
    """Every deployment of the table, in its order, and all of their runs together."""

    def __init__(self) -> None:
        runs = other_chip_runs()
        rows = [run.measurement for run in runs]
        judged = judge(rows)
        if len(judged.rows) != len(rows):
            raise ValueError(f"some runs were not judged: {dict(judged.not_judged)}")
        self.fit: ForecastFit = judged.fit
        self.over_forecast: Array = judged.times / judged.forecast
        self.over_bound: Array = np.array([each.ratio for each in confronted(rows)])
        self.deployments = self._apart(runs)

    def of(self, source: str) -> Array:
        """Measured over forecast, in all runs of one source."""
        return np.concatenate([each.over_forecast for each in self.deployments if each.runs[0].source == source])

    @property
    def widest(self) -> float:
        """How far apart runs on one kind of chips lie, measured over forecast, the most of any kind."""
        systems = {each.runs[0].system for each in self.deployments}
        ratios = [
            np.concatenate([each.over_forecast for each in self.deployments if each.runs[0].system == system])
            for system in sorted(systems)
        ]
        return float(max(some.max() / some.min() for some in ratios))

    @property
    def inside(self) -> int:
        """How many runs lie in the band of 80 %."""
        return int(np.sum(within(self.over_forecast, self.fit.low_80, self.fit.high_80)))

    def _apart(self, runs: Sequence[OtherChipRun]) -> tuple[OtherDeployment, ...]:
        places: dict[tuple[str, int], list[int]] = {}
        for place, run in enumerate(runs):
            places.setdefault((run.source, run.chips), []).append(place)
        return tuple(
            OtherDeployment(tuple(runs[place] for place in some), self.over_forecast[some], self.over_bound[some])
            for some in places.values()
        )
