"""The forecast's parts if each operation of a step takes the longer of reading and multiplying, and not their sum.

Kernels that were timed alone overlap the two (`calc.world.chip`). The forecast adds them up. Here is what served runs
say of the other form: constants of the same kind, fitted to the same runs. Prompts that are read in between are passes
of their own, as in the forecast.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from calc import catalog
from calc.quantities.check import Quantity, as_plain
from calc.setting import Setting
from calc.step import decode
from calc.step.forecasting import FIT, work_of
from calc.world.fit import FOLDS
from calc.world.fitting import Score, fit, left_out, score
from calc.world.sample import Sample, sample
from calc.world.settings import setting_of
from calc.world.work import NAMES, Array, deployments, loads

ROUNDS = 2
"""Fits, one after another: whether an operation waits for memory depends on the shares that are fitted."""


@dataclass(frozen=True)
class Overlapped:
    """Constants of the form that overlaps, and its errors on configurations that were left out, and of the other."""

    constants: Array
    error: Score
    summed: Score

    @property
    def memory_share(self) -> float:
        """The share of the published bandwidth that is reached."""
        return 1 / float(self.constants[0])

    @property
    def arithmetic_share(self) -> float:
        """The share of the published rate of arithmetic that is reached."""
        return 1 / float(self.constants[1])

    def seconds(self, setting: Setting, in_flight: Quantity, context: Quantity) -> Quantity:
        """Seconds of a step that only writes, by this form.

        >>> rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
        >>> round(overlapped().seconds(rack, 72, 4096) * 1e3, 2)
        11.13
        """
        moving, multiplying, sending, kernel, sequence = self.constants
        step = decode(setting, in_flight, context)
        work = work_of(step)
        longer = sum(
            np.maximum(moving * (each.memory_seconds + each.activation_seconds), multiplying * each.compute_seconds)
            for each in step.operations
        )
        found: Quantity = longer + sending * work.sending_seconds + kernel * work.kernels + sequence * work.sequences
        return as_plain(found)


@cache
def overlapped() -> Overlapped:
    """Both forms, fitted and judged alike.

    >>> found = overlapped()
    >>> abs(found.error.median - found.summed.median) < 0.01
    True
    """
    held, known = sample(), catalog.forecast_fit(FIT)
    groups, faster = held.grouped("configuration"), known.memory_share / known.arithmetic_share
    for _ in range(ROUNDS):
        parts = longer_of_both(held, faster)
        constants = fit(parts, held.times)
        faster = constants[1] / constants[0]
    errors = (score(left_out(each, held.times, groups, FOLDS), held.times) for each in (parts, held.parts))
    return Overlapped(constants, *errors)


def longer_of_both(held: Sample, faster: float) -> Array:
    """The parts of every run: of each operation its reading, or its arithmetic if that takes longer.

    `faster` is the share of memory bandwidth that is reached over that of arithmetic.
    """
    found = held.parts.copy()
    moving, arithmetic = (NAMES.index(name) for name in ("moving", "arithmetic"))
    for places in deployments(held.rows):
        some = [held.rows[place] for place in places]
        in_flight, context = loads(some)
        for each in decode(setting_of(some[0]), in_flight, context).operations:
            read = np.broadcast_to(each.memory_seconds + each.activation_seconds, len(some))
            made = np.broadcast_to(each.compute_seconds, len(some))
            waits = read >= made * faster
            found[places, moving] -= np.where(waits, 0.0, read)
            found[places, arithmetic] -= np.where(waits, made, 0.0)
    return found
