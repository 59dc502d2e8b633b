"""The frontier of a setting as a picture draws it: what no other layout and batch beats, at the bound and expected."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np

from calc.quantities.arithmetic import MILLION
from calc.quantities.check import Array
from calc.quantities.errors import CalcError, DoesNotFit
from calc.quantities.units import plain
from calc.serving.figures.runs import Measured, middle
from calc.serving.figures.setting import PROMISE
from calc.serving.figures.tried import EVERY, Named
from calc.serving.frontier import POWERS, Sweep, bounds_and_forecasts, joined
from calc.serving.rates import chip_dollars_per_token

MOST_POINTS = 60  # of a frontier, that are drawn
FINE, FINEST = "fine", "finest"
STEPS = {FINE: 360, FINEST: 5200}  # from one sequence to MOST_BATCH, by equal ratios
MOST_BATCH, KEPT, KEPT_PIECES = 131_072, 64, 512
FEW_DIGITS, MOST_DIGITS = 3, 10  # of a promise
TENSOR, EXPERT = (1, 2, 4, 8, 16), POWERS  # and as many groups as a domain has chips


@dataclass(frozen=True)
class Line:
    """The two frontiers of a setting, dollars for a million tokens along them, and how many combinations were tried.

    Where no rent is known, dollars are not a number. `held` are the precisions in which some layout has room, in the
    order in which the frontiers number them.
    """

    named: Named
    bounds: Sweep
    likely: Sweep
    bound_dollars: Array
    dollars: Array
    tried: int
    held: tuple[str, ...]

    def keeping(self, promise: float) -> int | None:
        """The cheapest place of the expected frontier that keeps a promise, if one does."""
        kept = np.flatnonzero(self.likely.per_user >= promise)
        return int(kept[np.argmax(self.likely.per_chip[kept])]) if kept.size else None

    def layout(self, at: int) -> str:
        """Batch and layout of a place of the expected frontier, and its precision where every one is tried."""
        return self._layout(self.likely, at)

    def _layout(self, found: Sweep, at: int) -> str:
        precision = f", {self.held[found.of[at]].upper()}" if self.named.precision == EVERY else ""
        domain = float(self.named.setting(self.named.precisions[0]).machine.domain_chips)
        domains = math.ceil(found.chips[at] / domain)
        several = f" on {domains} domains" if domains > 1 else ""
        return layout(found, at) + several + precision

    def columns(self, whose: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
        """Points of the expected frontier and of that of bounds, for a table each."""
        points = self._columns(self.likely, self.dollars), self._columns(self.bounds, self.bound_dollars)
        expected, bound = (each | _alike(whose, name, len(each["user"])) for each in points)
        return expected, bound

    def _columns(self, found: Sweep, dollars: Array) -> dict[str, Any]:
        places = np.unique(np.round(np.linspace(0, found.batch.size - 1, MOST_POINTS)).astype(int))
        return {
            "user": found.per_user[places].tolist(),
            "promise": _kept(found.per_user)[places].tolist(),
            "chip": found.per_chip[places].tolist(),
            "dollars": dollars[places].tolist(),
            "layout": [self._layout(found, int(at)) for at in places],
        }


def line(named: Named, context: float, grid: str, dollars_per_chip_hour: float | None) -> Line:
    """Every combination that is tried, and of those that fit the ones that no other beats, whatever their precision.

    >>> found = line(Named("deepseek-v3", "", "gb200-nvl72", "fp8"), 4096, "fine", 4.54)
    >>> found.likely.per_user[found.keeping(50)] >= 50, found.keeping(1e6)
    (np.True_, None)
    """
    bounds, likely, tried, held = _frontiers(named, context, grid)
    least, costs = (_dollars(dollars_per_chip_hour, each.per_chip) for each in (bounds, likely))
    return Line(named, bounds, likely, least, costs, tried, held)


def parts(named: Named, context: float, grid: str) -> list[Callable[[], object]]:
    """The pieces of a line in the smallest steps, each of one layout in one precision; no other takes long.

    >>> rack = Named("deepseek-v3", "", "gb200-nvl72", "fp8")
    >>> len(parts(rack, 4096, "finest")), len(parts(rack, 4096, "fine"))
    (40, 0)
    """
    if grid != FINEST:
        return []
    each = [(precision, piece) for precision in named.precisions for piece in _pieces(named, grid)]
    return [partial(_tried, named, context, grid, precision, *piece) for precision, piece in each]


def over_runs(named: Named, found: Measured) -> float:
    """Rate of a chip on the expected frontier over each run's, at the run's own speed and context: the middle one.

    Only runs in the precisions of the frontier count, and those whose speed it has.
    """
    ratios = [np.empty(0)]
    for context in found.contexts:
        if likely := _expected(named, context):
            of = found.alike & (found.context == context) & (found.user <= likely.per_user[-1])
            at = np.searchsorted(likely.per_user, found.user[of])
            ratios.append(likely.per_chip[at] / found.chip[of])
    return middle(np.concatenate(ratios))


def _expected(named: Named, context: float) -> Sweep | None:
    try:
        return _frontiers(named, context, FINE)[1]
    except DoesNotFit:
        return None


@lru_cache(KEPT)
def _pieces(named: Named, grid: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Tensor chips and groups of experts that are served at once: all, or in the smallest steps one of each."""
    setting = named.setting(named.precisions[0])
    groups = groups_tried(float(setting.model.experts), float(setting.machine.domain_chips))
    return [((t,), (x,)) for t in TENSOR for x in groups] if grid == FINEST else [(TENSOR, groups)]


def groups_tried(experts: float, domain: float) -> tuple[int, ...]:
    """Groups of experts that are tried: powers of two, and as many as fill a larger domain; a dense model has one.

    >>> groups_tried(256, 72), groups_tried(256, 8) == groups_tried(256, 4096) == EXPERT, groups_tried(0, 72)
    ((1, 2, 4, 8, 16, 32, 64, 72), True, (1,))
    """
    if not experts:
        return (1,)
    return (*EXPERT, int(domain)) if max(EXPERT) < domain <= experts else EXPERT


@lru_cache(KEPT_PIECES)
def _tried(
    named: Named, context: float, grid: str, precision: str, tensor: tuple[int, ...], expert: tuple[int, ...]
) -> tuple[Sweep, Sweep] | CalcError:
    """Frontiers of bounds and of forecasts of some layouts in one precision, or why there are none."""
    try:
        every = bounds_and_forecasts(
            named.setting(precision), context, batch=batches(grid), tensor=tensor, expert=expert
        )
    except CalcError as error:
        return error
    return every[0].frontier(), every[1].frontier()


@lru_cache(len(STEPS))
def batches(grid: str) -> Array:
    """The batches that are tried, by the name of their steps."""
    return np.unique(np.round(np.geomspace(1, MOST_BATCH, STEPS[grid])))


@lru_cache(KEPT)
def _frontiers(named: Named, context: float, grid: str) -> tuple[Sweep, Sweep, int, tuple[str, ...]]:
    """Frontiers of bounds and of forecasts, which neither a rent nor a promise changes; how many were tried, and held.

    Each layout and precision has frontiers of its own; of these together again only what no other beats is kept.
    """
    pieces, held = _pieces(named, grid), {}
    for precision in named.precisions:
        each = [_tried(named, context, grid, precision, *piece) for piece in pieces]
        for error in each:
            if isinstance(error, CalcError) and not isinstance(error, DoesNotFit):
                raise error
        if found := [frontiers for frontiers in each if not isinstance(frontiers, CalcError)]:
            held[precision] = [joined(side) for side in zip(*found, strict=True)]
    if not held:
        raise DoesNotFit("model", named.model, f"held by the chips of {named.system}")
    bounds, likely = (joined(side).frontier() for side in zip(*held.values(), strict=True))
    layouts = sum(len(tensor) * len(expert) for tensor, expert in pieces)
    return bounds, likely, len(named.precisions) * layouts * batches(grid).size, tuple(held)


def layout(found: Sweep, at: int) -> str:
    """Batch and layout of one place, in words."""
    tensor, groups, batch = (plain(column[at]) for column in (found.tensor, found.expert, found.batch))
    if groups == "1":
        return f"batch {batch} on {tensor} tensor-parallel chip{'s' * (tensor != '1')}"
    return f"batch {batch}, {groups} groups of {tensor} chip{'s' * (tensor != '1')}"


def _dollars(price: float | None, per_chip: Array) -> Array:
    if price is None:
        return np.full(per_chip.shape, np.nan)
    return np.asarray(MILLION * chip_dollars_per_token(price, per_chip))


def _kept(speeds: Array) -> Array:
    """The promise that each of rising speeds just keeps and the one below it does not, in as few digits as that takes.

    >>> _kept(np.array([50.1234, 50.4321, 70.0])).tolist()
    [50.1, 50.4, 70.0]
    """
    slower, size = np.concatenate([[0.0], speeds[:-1]]), np.floor(np.log10(speeds))
    kept = speeds
    for digits in range(MOST_DIGITS, FEW_DIGITS - 1, -1):
        unit = 10.0 ** (size - digits + 1)
        rounded = np.round(np.floor(speeds / unit) * unit, MOST_DIGITS)
        kept = np.where(rounded > slower, rounded, kept)
    asked: Array = np.clip(kept, PROMISE.low, PROMISE.high)
    return asked


def _alike(whose: str, name: str, many: int) -> dict[str, list[str]]:
    return {"whose": [whose] * many, "of": [name] * many}
