"""Runs on chips of other makers beside the bound and the forecast of their own settings. No constant has seen them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calc import catalog
from calc.catalog import ForecastFit
from calc.catalog.measurement import Measurement
from calc.catalog.other_chips import OtherChipRun, other_chip_runs
from calc.setting import Layout, Setting
from calc.step import decode
from calc.step.forecasting import FIT, forecast
from calc.world.fitting import count_within
from calc.world.judge import expected
from calc.world.sample import sample
from calc.world.settings import precisions_of
from calc.world.work import Array


def short_name(system: str) -> str:
    """The chip of a system without its maker.

    >>> short_name("mi300x-8"), short_name("tpu-v7-pod")
    ('MI300X', 'TPU7x')
    """
    chip = catalog.system(system).chip
    return str(chip.name.removeprefix(f"{chip.vendor} ").partition(" (")[0])


def setting_of_other(run: OtherChipRun) -> Setting:
    """The model, machine, formats and layout of a run."""
    usual = precisions_of(run.model, run.precision)
    formats = replace(usual, products=run.products or usual.products, cache=run.cache or usual.cache)
    layout = Layout(tensor=run.tensor, data=run.groups, expert=run.groups)
    return Setting.published(run.model, run.system, formats, layout=layout)


@dataclass(frozen=True)
class OtherRunJudged:
    """A run beside its forecast, with the part that is its kernels, and its bound, in seconds."""

    run: OtherChipRun
    forecast: float
    kernels: float
    bound: float

    @property
    def over_forecast(self) -> float:
        """Measured over forecast."""
        return self.run.token_seconds / self.forecast

    @property
    def over_bound(self) -> float:
        """Measured over the bound."""
        return self.run.token_seconds / self.bound

    @property
    def of_a_layer(self) -> tuple[float, float]:
        """Time of the forecast's kernels, and time beyond the forecast, for each layer of the model."""
        layers = catalog.model(self.run.model).known("layers")
        return self.kernels / layers, (self.run.token_seconds - self.forecast) / layers


@dataclass(frozen=True)
class OtherDeployment:
    """The runs of one model in one table on one number of chips."""

    judged: tuple[OtherRunJudged, ...]

    @property
    def first(self) -> OtherChipRun:
        """The first of its runs."""
        return self.judged[0].run

    @property
    def name(self) -> str:
        """Model and chips."""
        return f"{catalog.model(self.first.model).name}, {self.first.chips} {short_name(self.first.system)}"

    @property
    def vendor(self) -> str:
        """The maker of the chips."""
        return str(catalog.system(self.first.system).chip.vendor)

    @property
    def ratios(self) -> list[float]:
        """Measured over forecast, run by run."""
        return [each.over_forecast for each in self.judged]

    @property
    def middle(self) -> float:
        """Measured over forecast, the median."""
        return float(np.median(self.ratios))

    @property
    def spread(self) -> float:
        """How far apart its runs lie, measured over forecast."""
        return max(self.ratios) / min(self.ratios)

    @property
    def scaled_off(self) -> float:
        """How far a forecast that is scaled between the fewest and the most requests misses those between: the most."""
        series: dict[tuple[float, float], list[OtherRunJudged]] = {}
        for each in self.judged:
            series.setdefault((each.run.input_tokens, each.run.output_tokens), []).append(each)
        return max((abs(off) for some in series.values() for off in _off_between(some)), default=0.0)

    @property
    def elsewhere(self) -> float | None:
        """Measured over forecast of the same model in as many bits on the chips that the constants know, the median."""
        bits = "fp4" if self.first.precision == "mxfp4" else self.first.precision
        known = known_ratios(lambda row: (row.model, row.precision) == (self.first.model, bits))
        return float(np.median(known)) if known else None


class OtherChips:
    """Every deployment of the table, in its order, and all of their runs together."""

    def __init__(self) -> None:
        self.fit: ForecastFit = catalog.forecast_fit(FIT)
        self.judged = tuple(_judged(run) for run in other_chip_runs())
        self.deployments = _apart(self.judged)

    @property
    def over_forecast(self) -> Array:
        """Measured over forecast, run by run."""
        return np.array([each.over_forecast for each in self.judged])

    @property
    def over_bound(self) -> Array:
        """Measured over the bound, run by run."""
        return np.array([each.over_bound for each in self.judged])

    def of(self, source: str) -> list[float]:
        """Measured over forecast, in all runs of one source."""
        return [each.over_forecast for each in self.judged if each.run.source == source]

    @property
    def widest(self) -> float:
        """How far apart runs on one kind of chips lie, measured over forecast, the most of any kind."""
        systems = {each.run.system for each in self.judged}
        ratios = [[each.over_forecast for each in self.judged if each.run.system == system] for system in systems]
        return max(max(some) / min(some) for some in ratios)

    def inside(self, ratios: Sequence[float]) -> int:
        """How many of them lie in the band of 80 %."""
        return count_within(ratios, self.fit.low_80, self.fit.high_80)


def known_ratios(asked: Callable[[Measurement], bool]) -> list[float]:
    """Measured over forecast of those runs of the sample that the constants were fitted to for which it is true."""
    held = sample()
    ratios = held.times / expected(held.parts, catalog.forecast_fit(FIT))
    return [ratio for row, ratio in zip(held.rows, ratios.tolist(), strict=True) if asked(row)]


def _off_between(series: Sequence[OtherRunJudged]) -> list[float]:
    """Errors of a forecast times a factor that goes from the first load's to the last's, evenly by logarithms."""
    by_load = sorted(series, key=lambda each: each.run.load)
    loads = np.log([each.run.load for each in by_load])
    factors = np.log([each.over_forecast for each in by_load])
    said = np.interp(loads, loads[[0, -1]], factors[[0, -1]])
    return [float(off) for off in np.expm1(said - factors)[1:-1]]


def _judged(run: OtherChipRun) -> OtherRunJudged:
    setting = setting_of_other(run)
    found = forecast(setting, run.in_flight, run.context, prompt=run.read_beside, output=run.mean_output)
    bound = decode(setting, run.in_flight, run.context).bound_seconds
    return OtherRunJudged(run, float(found.seconds), float(found.kernel_seconds), float(bound))


def _apart(judged: Sequence[OtherRunJudged]) -> tuple[OtherDeployment, ...]:
    found: dict[tuple[str, str, int], list[OtherRunJudged]] = {}
    for each in judged:
        found.setdefault((each.run.source, each.run.model, each.run.chips), []).append(each)
    return tuple(OtherDeployment(tuple(some)) for some in found.values())
