"""Experts that were awake in served models, beside (5) of lecture 1 and beside the time to read them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from calc import batching, catalog
from calc.catalog.awake import MOST_AT_ONCE, AwakeCount, AwakeModel, awake_counts, awake_models
from calc.step.woken import touched_share

CHIP = "h100-sxm"
MATRICES, WEIGHT_BYTES = 3, 2


@dataclass(frozen=True)
class Layer:
    """The mean layer of a run beside what (5) and the memory say of it."""

    row: AwakeCount

    @cached_property
    def model(self) -> AwakeModel:
        """The model that was served."""
        return awake_models()[self.row.model]

    @property
    def seconds(self) -> float:
        """As timed."""
        return self.row.microseconds / 1e6

    @property
    def even(self) -> float:
        """Experts that would be awake if as many tokens as allowed chose evenly, each as many as it brings."""
        model = self.model
        return model.experts * float(touched_share(MOST_AT_ONCE, model.experts, self.row.chosen))

    @property
    def share(self) -> float:
        """Experts awake, over those by (5)."""
        return self.row.awake / self.even

    @property
    def as_if(self) -> float:
        """Tokens that would wake as many if they chose evenly, always so many: no mean batch is lower."""
        model = self.model
        return math.log1p(-self.row.awake / model.experts) / math.log1p(-self.row.chosen / model.experts)

    @property
    def as_if_mixed(self) -> float:
        """The mean batch that would wake as many, if tokens chose evenly and batches were of one or of the most."""
        share = (self.row.awake - self.row.chosen) / (self.even - self.row.chosen)
        return 1 + share * (MOST_AT_ONCE - 1)

    def as_if_most(self, usual: Layer) -> float:
        """The most that `as_if` can be if batches varied from one to the most as in a run by the ordinary rule.

        It is reached by a mixture of two batches.
        """
        counts = np.arange(1.0, MOST_AT_ONCE + 1)
        experts = self.model.experts
        here, there = (experts * np.asarray(touched_share(counts, experts, run.row.chosen)) for run in (self, usual))
        low, high = there <= usual.row.awake, there > usual.row.awake
        part = (usual.row.awake - there[low][:, None]) / (there[high] - there[low][:, None])
        most = float(np.max(here[low][:, None] + part * (here[high] - here[low][:, None])))
        return math.log1p(-most / experts) / math.log1p(-self.row.chosen / experts)

    @property
    def expert_bytes(self) -> float:
        """Bytes of an expert that a chip holds."""
        model = self.model
        return MATRICES * model.d_model * model.d_ff_expert * WEIGHT_BYTES / model.chips

    @property
    def expert_seconds(self) -> float:
        """Seconds to read these at the published rate."""
        return float(batching.read_seconds(self.expert_bytes, catalog.chip(CHIP).hbm_bandwidth))

    @property
    def over_reading(self) -> float:
        """As timed, over reading the experts that were awake."""
        return self.seconds / (self.row.awake * self.expert_seconds)


@dataclass(frozen=True)
class LayerLine:
    """Time of a layer against experts awake, by least squares: a part that stays, and one for each expert."""

    rest: float
    each: float
    farthest: float

    def __call__(self, awake: float) -> float:
        """Seconds with so many awake."""
        return self.rest + self.each * awake


@cache
def layers(model: str) -> tuple[Layer, ...]:
    """All runs of a model.

    >>> [len(layers(name)) for name in awake_models()]
    [24, 20]
    """
    return tuple(Layer(row) for row in awake_counts() if row.model == model)


def by_rule(found: Iterable[Layer]) -> dict[int, list[Layer]]:
    """Layers by the number of experts that a token brings."""
    rows = list(found)
    return {
        chosen: [each for each in rows if each.row.chosen == chosen] for chosen in {each.row.chosen for each in rows}
    }


def ordinary(found: Iterable[Layer]) -> list[Layer]:
    """Those of the model as it is: each token brings all that it chooses."""
    return [each for each in found if each.row.chosen == each.model.active_experts]


def line(found: Iterable[Layer]) -> LayerLine:
    """The line through layers of a model.

    >>> fitted = line(layers("qwen3-30b-a3b"))
    >>> round(fitted.each * 1e6, 2), round(fitted.rest * 1e6, 1)
    (2.92, 33.3)
    """
    rows = list(found)
    awake = np.array([each.row.awake for each in rows])
    seconds = np.array([each.seconds for each in rows])
    each, rest = np.polyfit(awake, seconds, 1)
    return LayerLine(float(rest), float(each), float(np.max(np.abs(rest + each * awake - seconds))))
