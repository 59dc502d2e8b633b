"""Times to a first token while little else was asked, beside a pass that reads one prompt: its bound, its forecast.

Such a time holds more than the pass: the request travels, waits for the step that runs and, at times, for another
prompt. Under load it is a measurement of queues. With four requests at once, and a long prompt, it nearly is one of
reading.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from calc import catalog
from calc.catalog.measurement import Measurement
from calc.step import prefill
from calc.step.forecasting import FIT, at_measured_rates
from calc.world.settings import fastest_setting_of, setting_of

FEW = 4  # requests at once: the fewest of which many runs are on record
LONG = 4096  # tokens: prompts are of a thousand or of several thousand


@dataclass(frozen=True)
class Read:
    """A run with few requests at once, and the seconds of a pass that reads one of its prompts alone."""

    row: Measurement
    bound: float
    expected: float

    @property
    def over(self) -> float:
        """Time to the first token over the forecast of the pass."""
        return self.row.first_token_seconds / self.expected

    @property
    def over_bound(self) -> float:
        """Time to the first token over the bound of the pass."""
        return self.row.first_token_seconds / self.bound

    @property
    def beside(self) -> float:
        """Seconds to the first token that the forecast of the pass does not know."""
        return self.row.first_token_seconds - self.expected

    @property
    def is_long(self) -> bool:
        """Whether its prompts have several thousand tokens."""
        return self.row.mean_input > LONG


def reads(rows: Iterable[Measurement]) -> list[Read]:
    """Those of these runs that read and write on the same chips, with few requests at once.

    >>> from calc.catalog.measurement import clean_measurements
    >>> found = reads(clean_measurements())
    >>> all(each.bound < each.expected for each in found), min(each.over_bound for each in found) > 1
    (True, True)
    """
    fit = catalog.forecast_fit(FIT)
    found = []
    for row in rows:
        if row.mode == "agg" and row.concurrency == FEW:
            one, fastest = (prefill(of(row), 1.0, row.mean_input) for of in (setting_of, fastest_setting_of))
            found.append(Read(row, float(fastest.bound_seconds), float(at_measured_rates(one, fit).seconds)))
    return found
