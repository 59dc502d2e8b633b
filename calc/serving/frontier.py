"""Which layouts and batches are worth having. Throughput per chip against speed for a user.

A sweep serves every combination of batch, tensor chips, expert groups and stages at once, as arrays. Among those that
are possible and fit, the frontier keeps each one that no other beats in both throughput per chip and speed for a user.
It is a frontier of bounds: efficiencies move it, and what a real system reaches lies inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Array, Finite, NonNegative, Quantity, checked
from calc.quantities.errors import DoesNotFit, ShapeMismatch, WrongType
from calc.quantities.units import show
from calc.setting import Layout, Setting, possible
from calc.step import Step, decode
from calc.step.forecasting import forecast_of

BATCHES = tuple(np.unique(np.round(np.logspace(0, 5, 61))).tolist())
POWERS = (1, 2, 4, 8, 16, 32, 64)


@checked
def pareto(first: Finite, second: Finite) -> NDArray[np.intp]:
    """Places of the points that no other point beats, the more of both the better, in the order of rising `first`.

    The first of equal points is kept. Sorted once, so that it takes n log n.

    >>> pareto([1, 2, 3, 2], [5, 4, 1, 3]).tolist()
    [0, 1, 2]
    """
    ups, downs = np.atleast_1d(first), np.atleast_1d(second)
    if ups.shape != downs.shape or ups.ndim != 1:
        raise ShapeMismatch("first", f"{ups.shape} beside {downs.shape}", "a list as long as the second")
    order = np.lexsort((np.arange(ups.size), -downs, -ups))
    best_before = np.concatenate([[-np.inf], np.maximum.accumulate(downs[order])[:-1]])
    kept: NDArray[np.intp] = order[downs[order] > best_before][::-1]
    return kept


@dataclass(frozen=True)
class Sweep:
    """Every combination that is possible and fits, one a place in each array; the rates are bounds.

    `tried` is how many there were before those that are impossible or do not fit were left out. `of` is which sweep of
    several a place is from, where they were put together.
    """

    batch: Array
    tensor: Array
    expert: Array
    stages: Array
    per_user: Array
    per_chip: Array
    tried: int
    of: NDArray[np.intp]

    @property
    def chips(self) -> Array:
        """Chips that each takes."""
        return self.tensor * self.expert * self.stages

    def frontier(self) -> Sweep:
        """Those that no other beats in both rates, from the slowest for a user to the fastest."""
        return self.only(pareto(self.per_user, self.per_chip))

    def only(self, kept: NDArray[Any]) -> Sweep:
        """The same with some places alone."""
        return replace(self, **{name: getattr(self, name)[kept] for name in COLUMNS})


COLUMNS = ("batch", "tensor", "expert", "stages", "per_user", "per_chip", "of")


def joined(sweeps: Sequence[Sweep]) -> Sweep:
    """Several sweeps as one, such as a model's in several precisions; `of` is a place in this list.

    >>> rack, both = "gb200-nvl72", ("fp8", "fp4")
    >>> eight, four = (sweep(Setting.published("deepseek-v3", rack, each), 4096) for each in both)
    >>> found = joined([eight, four])
    >>> found.tried == 2 * eight.tried, int(found.of[0]), int(found.of[-1])
    (True, 0, 1)
    """
    if not sweeps:
        raise WrongType("sweeps", list(sweeps), "at least one sweep")
    columns = {name: np.concatenate([getattr(each, name) for each in sweeps]) for name in COLUMNS}
    columns["of"] = np.repeat(np.arange(len(sweeps)), [each.batch.size for each in sweeps])
    return Sweep(**columns, tried=sum(each.tried for each in sweeps))


@checked
def sweep(
    setting: Setting,
    context: NonNegative,
    *,
    batch: NonNegative = BATCHES,  # type: ignore[assignment]
    tensor: Sequence[int] = POWERS,
    expert: Sequence[int] = POWERS,
    stages: Sequence[int] = (1, 2, 4),
) -> Sweep:
    """Decode a setting's model on its machine with every combination of batch and layout, at one context.

    `expert` groups of `tensor` chips share the experts and attend to sequences of their own; a dense model has one.

    >>> found = sweep(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 4096)
    >>> best = found.frontier()
    >>> found.tried > found.batch.size > best.batch.size > 10, bool(np.all(np.diff(best.per_chip) < 0))
    (True, True)
    """
    every, step = _decoded(setting, context, batch, tensor, expert, stages)
    return every.only(_fitting(step))


@checked
def bounds_and_forecasts(
    setting: Setting,
    context: NonNegative,
    *,
    batch: NonNegative = BATCHES,  # type: ignore[assignment]
    tensor: Sequence[int] = POWERS,
    expert: Sequence[int] = POWERS,
) -> tuple[Sweep, Sweep]:
    """One sweep with two pairs of rates: at its bounds, and as the forecast expects them, of one stage alone.

    >>> most, likely = bounds_and_forecasts(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 4096)
    >>> bool(np.all(most.batch == likely.batch)), bool(np.all(likely.per_user < most.per_user))
    (True, True)
    """
    every, step = _decoded(setting, context, batch, tensor, expert, (1,))
    seconds, fits = np.asarray(forecast_of(step).seconds), _fitting(step)
    likely = replace(every, per_user=1 / seconds, per_chip=every.batch / seconds / every.chips)
    return every.only(fits), likely.only(fits)


def _decoded(
    setting: Setting,
    context: Quantity,
    batch: Quantity,
    tensor: Sequence[int],
    expert: Sequence[int],
    stages: Sequence[int],
) -> tuple[Sweep, Step]:
    """Every combination that is possible, whether it fits or not, at its bounds, and the step that says so."""
    groups = expert if setting.model.experts else (1,)
    grids = (np.unique(np.asarray(each, dtype=float)) for each in (batch, tensor, groups, stages))
    every = [grid.ravel() for grid in np.meshgrid(*grids, indexing="ij")]
    sane = possible(setting.model, setting.machine, _laid(*every[1:])) & (every[0] >= every[3])
    if not sane.any():
        raise DoesNotFit("layout", "every one tried", "one that the chips of a domain and the model's layers allow")
    sizes, t, x, p = (grid[sane] for grid in every)
    step = decode(setting.with_layout(_laid(t, x, p)), sizes, context)
    rates = np.asarray(step.user_tokens_per_second), np.asarray(step.chip_tokens_per_second)
    return Sweep(sizes, t, x, p, *rates, sane.size, np.zeros(sizes.size, np.intp)), step


def _fitting(step: Step) -> NDArray[np.bool_]:
    """Which of the places of a step have room; at least one has."""
    fits = np.asarray(step.fits)
    if not fits.any():
        least, room = np.min(step.chip_weight_bytes), show(np.max(step.setting.machine.hbm_bytes), "B")
        raise DoesNotFit("model", f"at least {show(least, 'B')} of weights on a chip", f"held by chips of {room}")
    return fits


def _laid(tensor: Array, groups: Array, stages: Array) -> Layout:
    return Layout(tensor=tensor, data=groups, expert=groups, pipeline=stages)
