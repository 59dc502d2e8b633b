"""How many users a promise of speed allows the example, by the bound and by the forecast."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.setting import Scenario
from calc.step.forecasting import forecast


def promised_period() -> float:
    """Seconds in which each user is promised a token: Pope's.

    >>> promised_period()
    0.02
    """
    return float(catalog.datum("lecture-drain-hbm").value)


def promised_users(chips: float | None = None, period: float | None = None) -> tuple[float, float]:
    """The most users of the example with a token each in a period (Pope's): by the forecast's slow end, by the bound.

    >>> sure, kept = promised_users()
    >>> bool(0 < sure < kept), bool(promised_users(4)[0] < sure / 2)
    (True, True)
    """
    where, period = Scenario.named(*OPENING, chips=chips), promised_period() if period is None else period
    batches = np.arange(1.0, largest_batch(where, EXAMPLE_CONTEXT) + 1)
    slow = np.asarray(forecast(where.setting, batches, EXAMPLE_CONTEXT).band_80[1])
    kept = batching.batch_within(period, EXAMPLE_CONTEXT, **where.step_arguments())
    return float((slow <= period).sum()), float(kept)
