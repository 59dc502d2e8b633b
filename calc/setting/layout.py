"""How a model is laid over chips. Four ways to split, which multiply.

`tensor` chips share every matrix and head of a group's attention and dense layers. `data` such groups each serve their
own sequences with their own copy of those. `expert` places share the routed experts; each is as many chips as remain.
`pipeline` stages share the layers. `context` of the tensor chips split a sequence's cache by tokens instead of copying
what heads cannot split.

Symbols: t tensor, D data, x expert places, P stages, c context; S = t D chips of a stage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Quantity, Range
from calc.quantities.errors import OutOfRange
from calc.quantities.fields import accept


@dataclass(frozen=True)
class Layout:
    """How many ways each kind of parallelism splits a model; experts over all chips of a stage unless said otherwise.

    With `relay`, a token that several experts beyond a border want crosses it once; without, once for each.

    >>> Layout(tensor=8, data=9).stage_chips, Layout(tensor=8, data=9, expert=9).expert_chips
    (72.0, 8.0)
    """

    tensor: Quantity = 1.0
    data: Quantity = 1.0
    expert: Quantity = 0.0
    pipeline: Quantity = 1.0
    context: Quantity = 1.0
    relay: bool = True

    def __post_init__(self) -> None:
        relay, places = self.relay, np.asarray(self.expert)
        if np.ndim(places) == 0 and places == 0:
            object.__setattr__(self, "expert", np.asarray(self.tensor) * self.data * 1.0)
        held = _Ways(self.tensor, self.data, self.expert, self.pipeline, self.context)
        for name, value in vars(held).items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "relay", bool(relay))
        if np.any(np.asarray(self.stage_chips) % self.expert != 0):
            raise OutOfRange("expert", self.expert, f"a divisor of the chips of a stage, {self.stage_chips}")
        if np.any(np.asarray(self.tensor) % self.context != 0):
            raise OutOfRange("context", self.context, f"a divisor of tensor, {self.tensor}")

    @property
    def stage_chips(self) -> Quantity:
        """Chips that work on a layer: S = t D."""
        return self.tensor * self.data

    @property
    def expert_chips(self) -> Quantity:
        """Chips that share one place's experts: S / x."""
        return self.stage_chips / self.expert

    @property
    def chips(self) -> Quantity:
        """Chips of all stages: S P."""
        return self.stage_chips * self.pipeline


@dataclass(frozen=True)
class _Ways:
    tensor: Quantity
    data: Quantity
    expert: Quantity
    pipeline: Quantity
    context: Quantity

    def __post_init__(self) -> None:
        accept(self, Range(1, whole=True))
