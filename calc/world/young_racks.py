"""DeepSeek-V4-Pro on racks four weeks after its release, beside the bound and the forecast. No constant has seen it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from calc import catalog
from calc.catalog.young_racks import YOUNG_RACKS_DAY, YOUNG_RACKS_MODEL, YoungRackRun, young_rack_runs
from calc.setting import Layout, Setting
from calc.step import decode
from calc.step.forecasting import FIT, forecast
from calc.world.fitting import count_within
from calc.world.settings import precisions_of

PRECISION = "fp4"


def setting_of_young(run: YoungRackRun) -> Setting:
    """A worker's chips: experts over groups that attend apart, or all cut over one group."""
    layout = Layout(tensor=run.chips // run.groups, data=run.groups, expert=run.groups)
    return Setting.published(YOUNG_RACKS_MODEL, run.system, precisions_of(YOUNG_RACKS_MODEL, PRECISION), layout=layout)


@dataclass(frozen=True)
class YoungRunJudged:
    """A run beside the forecast and the bound of a worker's step."""

    run: YoungRackRun

    @property
    def users(self) -> float:
        """Sequences that a chip writes at once."""
        return self.run.in_flight / self.run.chips

    @cached_property
    def forecast(self) -> float:
        """Seconds that the forecast gives; prompts are read by other chips."""
        return float(forecast(setting_of_young(self.run), self.run.in_flight, self.run.context).seconds)

    @property
    def over_forecast(self) -> float:
        """Measured over forecast."""
        return self.run.token_seconds / self.forecast

    @property
    def over_bound(self) -> float:
        """Measured over the bound."""
        bound = decode(setting_of_young(self.run), self.run.in_flight, self.run.context).bound_seconds
        return self.run.token_seconds / float(bound)


def young_runs() -> tuple[YoungRunJudged, ...]:
    """Every run, judged, in the order of the table."""
    return tuple(YoungRunJudged(run) for run in young_rack_runs())


def off_by_one_factor(runs: Sequence[YoungRunJudged], chosen: int = 0) -> float:
    """The largest error in all other runs, if the forecast is scaled by the factor of the chosen one.

    >>> 0.1 < off_by_one_factor(young_runs()) < 0.15
    True
    """
    factor = runs[chosen].over_forecast
    return max(abs(factor / each.over_forecast - 1) for each in runs)


def inside(runs: Sequence[YoungRunJudged]) -> int:
    """How many lie in the forecast's band of four in five."""
    fit = catalog.forecast_fit(FIT)
    return count_within([each.over_forecast for each in runs], fit.low_80, fit.high_80)


def age_days() -> int:
    """Days from the model's release to the runs.

    >>> age_days()
    28
    """
    released = catalog.model(YOUNG_RACKS_MODEL).effective
    if released is None:
        raise ValueError(f"{YOUNG_RACKS_MODEL} has no day of release")
    return (YOUNG_RACKS_DAY - released).days
