"""The work of measured steps: what the forecast's constants are multiplied by, a row of five numbers for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calc.catalog.measurement import Measurement
from calc.step.forecasting import Work, decode_work
from calc.world.settings import setting_of

NAMES = ("moving", "arithmetic", "sending", "kernels", "sequences")
Array = NDArray[np.float64]


def deployments(rows: Sequence[Measurement]) -> list[list[int]]:
    """The places of rows that ran in one setting, together: what is computed for them is computed at once."""
    found: dict[tuple[object, ...], list[int]] = {}
    for place, row in enumerate(rows):
        key = (row.model, row.system, row.precision, row.mode, row.tensor, row.attention_groups)
        found.setdefault(key, []).append(place)
    return list(found.values())


def loads(rows: Sequence[Measurement]) -> tuple[Array, Array]:
    """Sequences in flight, and the tokens that each has on average while it is written: prompt and half its answer."""
    in_flight = np.array([row.in_flight for row in rows])
    return in_flight, np.array([row.context for row in rows])


def work(rows: Sequence[Measurement]) -> Work:
    """The work of the steps of one deployment; without prompts where they are read elsewhere."""
    prompt, output = (np.array([getattr(row, name) for row in rows]) for name in ("mean_input", "mean_output"))
    here = output if rows[0].mode == "agg" else None
    return decode_work(setting_of(rows[0]), *loads(rows), prompt=prompt, output=here)


def parts(rows: Sequence[Measurement]) -> Array:
    """The parts of every measured step, in the order of `NAMES`."""
    found = np.empty((len(rows), len(NAMES)))
    for places in deployments(rows):
        each = work([rows[place] for place in places])
        columns = (each.moving_seconds, each.arithmetic_seconds, each.sending_seconds, each.kernels, each.sequences)
        found[places] = np.stack(np.broadcast_arrays(*columns), axis=1)
    return found
