"""Changes that measured runs show where two of them differ in one thing, beside what the bound and the forecast say.

A forecast that is off by the same factor before and after is right about the change. So this asks what a fit of levels
does not: whether the model answers "what if".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from calc.catalog.measurement import Measurement
from calc.world.against import Point

FORMATS = ("precision", "projections", "experts")
ALIKE = (
    *("model", "system", "engine", "engine_version", *FORMATS, "mode"),
    *("chips", "tensor", "attention_groups", "batch", "input_tokens", "output_tokens"),
)
NEAR = 1.1  # times by which the sequences in flight of two runs may differ that are asked to be alike in them
Ratios = np.ndarray[Any, np.dtype[np.float64]]
Pair = tuple[Point, Point]


@dataclass(frozen=True)
class Change:
    """Pairs of runs, the changed one second, that differ in what the name says."""

    name: str
    pairs: Sequence[Pair]

    def times(self, of: Callable[[Point], float]) -> Ratios:
        """The second time over the first, of each pair."""
        return np.array([of(after) / of(before) for before, after in self.pairs])

    @cached_property
    def measured(self) -> Ratios:
        return self.times(attrgetter("row.token_seconds"))

    @cached_property
    def forecast(self) -> Ratios:
        return self.times(attrgetter("forecast"))

    @cached_property
    def bound(self) -> Ratios:
        return self.times(attrgetter("bound"))

    def off(self, said: Ratios) -> float:
        """The factor, at least 1, by which what is said of a change misses it: its median over the pairs."""
        return float(np.exp(np.median(np.abs(np.log(self.measured / said)))))

    @property
    def by_model(self) -> dict[str, Change]:
        """The same change model by model, the one of most pairs first."""
        groups = defaultdict(list)
        for pair in self.pairs:
            groups[pair[0].row.model].append(pair)
        return {
            model: Change(self.name, groups[model]) for model in sorted(groups, key=lambda each: -len(groups[each]))
        }

    def among(self, asked: Callable[[Pair], bool]) -> Change:
        """The same change in those pairs for which it is true."""
        return Change(self.name, [pair for pair in self.pairs if asked(pair)])

    @property
    def deployments(self) -> int:
        """Configurations that the pairs come from."""
        return len({point.row.configuration for pair in self.pairs for point in pair})


def changes(found: Iterable[Point]) -> tuple[Change, ...]:
    """Six changes that an operator may think of.

    >>> from calc.world.against import points
    >>> chips, *_ = changes(points())
    >>> chips.name, round(float(np.median(chips.measured)), 2)
    ('Chips × 2', 0.75)
    """
    points = list(found)

    def change(name: str, differ: Sequence[str], after: Callable[[Measurement, Measurement], bool]) -> Change:
        groups = defaultdict(list)
        for point in points:
            groups[tuple(getattr(point.row, each) for each in ALIKE if each not in differ)].append(point)
        every = ((one, other) for group in groups.values() for one in group for other in group)
        return Change(name, [pair for pair in every if after(*(point.row for point in pair))])

    def company(low: float, high: float) -> Callable[[Measurement, Measurement], bool]:
        return lambda one, other: low <= one.in_flight <= high and 1.9 < other.in_flight / one.in_flight < 2.1

    return (
        change("Chips × 2", ("chips", "tensor"), _cut_further),
        change("Readers × 2, up to 8", ("batch",), company(0, 8)),
        change("Readers × 2, over 64", ("batch",), company(64, np.inf)),
        change("Prompts 1k → 8k", ("input_tokens",), _from_to(_kilo, 1, 8)),
        change("FP8 → FP4", FORMATS, _from_to(attrgetter("precision"), "fp8", "fp4")),
        change("H200 → B200", ("system", "engine_version"), _from_to(attrgetter("system"), "hgx-h200", "hgx-b200")),
    )


def _cut_further(before: Measurement, after: Measurement) -> bool:
    """A copy of attention that is cut over twice the chips."""
    return after.chips == 2 * before.chips and after.tensor == 2 * before.tensor and _near(before, after)


def _from_to(of: Callable[[Measurement], object], first: object, second: object) -> Callable[..., bool]:
    return lambda before, after: (of(before), of(after)) == (first, second) and _near(before, after)


def _near(one: Measurement, other: Measurement) -> bool:
    return 1 / NEAR < other.in_flight / one.in_flight < NEAR


def _kilo(row: Measurement) -> int:
    return round(row.input_tokens / 1024)
