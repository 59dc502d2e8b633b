"""How many users a promise of speed allows the example, by the bound and by the forecast."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc import batching, catalog
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING, largest_batch
from calc.setting import Scenario
from calc.step.forecasting import forecast

TURNED_AWAY = 0.01  # of requests


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


def seated(nodes: int) -> tuple[float, float]:
    """Seats taken and tokens a second on each of some nodes that share their users, if these come at random.

    One in a hundred finds all seats of the promise taken, and goes. An answer keeps its seat for its steps, by the
    forecast, which are shorter while fewer seats are taken; its length does not matter.

    >>> seated(1)[0] < seated(4)[0] < promised_users()[0]
    True
    """
    taken = np.arange(1.0, nodes * promised_users()[0] + 1)
    where = Scenario.named(*OPENING)
    steps = np.asarray(forecast(where.setting, taken / nodes, EXAMPLE_CONTEXT).seconds)
    return at_random(steps, nodes)


def at_random(steps: NDArray[np.float64], nodes: int = 1) -> tuple[float, float]:
    """Seats taken and tokens a second: n taken are offered^n times the product of steps / n as likely as none.

    With steps of one length this is Erlang's formula: 53 seats turn one in a hundred away at a load of 40.6.

    >>> round(at_random(np.ones(53))[0] / (1 - TURNED_AWAY), 1)
    40.6
    """
    taken = np.arange(1.0, steps.size + 1)
    offered = np.linspace(0.4, 1.1, 7001)[:, np.newaxis] * steps.size / steps[-1]
    logs = np.cumsum(np.log(offered * steps / taken), axis=1)
    ways = np.exp(logs - logs.max(axis=1, keepdims=True))
    place = int(np.searchsorted(ways[:, -1] / ways.sum(axis=1), TURNED_AWAY))  # none is taken so seldom
    mean, rate = (np.average(each, weights=ways[place]) / nodes for each in (taken, taken / steps))
    return float(mean), float(rate)
