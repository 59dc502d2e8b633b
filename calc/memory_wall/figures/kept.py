"""Users to whom the rack of the examples keeps a promise: by reading alone, and as the forecast expects."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calc import batching
from calc.memory_wall.figures.shared import PACE, awake
from calc.quantities.check import Quantity
from calc.setting import Scenario

PROMISED = 1 / PACE


def read_in_time(rack: Scenario, context: float, kv_bytes: float | None = None) -> float:
    """Users that memory holds and that are read in a promised step, with the weights that they wake."""
    kept = kv_bytes or rack.kv_bytes_per_token
    many = np.arange(1.0, 1 + batching.largest_batch(rack.hbm_bytes, rack.weight_bytes, context, kept))
    read = rack.weight_bytes * awake(rack.model)(many) + many * context * kept
    return float(np.count_nonzero(read <= rack.bandwidth / PACE))


def in_time(steps: Quantity, many: NDArray[np.float64], promised: float = PROMISED) -> float:
    """Users whose step lasts as long as was promised, between the numbers whose steps are known."""
    return float(np.interp(promised, steps, many))


def most_in_time(steps: Quantity, many: NDArray[np.float64], promised: float = PROMISED) -> float:
    """The most of these numbers of users whose step lasts no longer than was promised.

    >>> most_in_time(np.array([0.01, 0.02, 0.03]), np.array([72.0, 144.0, 216.0]))
    144.0
    """
    return float(np.max(many[np.asarray(steps) <= promised]))
