"""The work of measured steps: what the forecast's constants are multiplied by, a row of five numbers for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calc.catalog.measurement import Measurement
from calc.step.forecasting import decode_work
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


def parts(rows: Sequence[Measurement]) -> Array:
    """The parts of every measured step, in the order of `NAMES`; without prompts where they are read elsewhere."""
    found = np.empty((len(rows), len(NAMES)))
    for places in deployments(rows):
        some = [rows[place] for place in places]
        in_flight, context = loads(some)
        prompt = np.array([row.mean_input for row in some])
        output = np.array([row.mean_output for row in some]) if some[0].mode == "agg" else None
        work = decode_work(setting_of(some[0]), in_flight, context, prompt=prompt, output=output)
        columns = (work.moving_seconds, work.arithmetic_seconds, work.sending_seconds, work.kernels, work.sequences)
        found[places] = np.stack(np.broadcast_arrays(*columns), axis=1)
    return found
