"""A catalogued model on chips of a catalogued system by the totals that makers publish, as whole-step bounds take it.

It is what a reader chooses by name. A bound of lectures 1 to 6 asks for five totals, which are here; a step that is
counted operation by operation asks for a `Setting`, which this builds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

from calc import catalog
from calc.catalog import Chip, Model, System
from calc.quantities.errors import CalcError
from calc.quantities.units import show
from calc.setting.precisions import Precisions
from calc.setting.setting import Setting


@dataclass(frozen=True)
class Scenario:
    """Rows of the catalogue, the formats, and how many chips serve; rates and sizes are of all these chips together.

    >>> here = Scenario.named("llama-3-70b", "hgx-h100", "fp8")
    >>> here.chips, here.flops / 1e15, here.setting.layout.tensor
    (8, 15.832, 8.0)
    """

    model: Model
    system: System
    precision: str
    chips: float
    precisions: Precisions = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "precisions", Precisions.named(self.precision))

    @classmethod
    @lru_cache(64)
    def named(cls, model: str, system: str, precision: str, *, chips: float | None = None) -> Scenario:
        """Names looked up; over a whole scale-up domain unless so many chips are asked for."""
        row = catalog.system(system)
        return cls(catalog.model(model), row, precision, row.chips if chips is None else chips)

    def times(self, count: float) -> Scenario:
        """So many times the chips, as if all were one domain.

        >>> Scenario.named("llama-3-70b", "hgx-h100", "fp8").times(4).chips
        32
        """
        return replace(self, chips=count * self.chips)

    @cached_property
    def setting(self) -> Setting:
        """The same with its geometry, laid out as is usual; refused where the geometry lacks a fact."""
        chips = None if self.chips == self.system.chips else int(self.chips)
        return Setting.published(self.model, self.system, self.precisions, chips=chips)

    @property
    def chip(self) -> Chip:
        """One of the chips."""
        return self.system.chip

    @property
    def stored(self) -> str:
        """The format of all weights; refused where parts of the model have formats of their own."""
        parts = self.precisions
        found = {parts.attention_weights, parts.expert_weights, parts.shared_weights, parts.head_weights}
        if len(found) > 1:
            raise CalcError(
                "precision", self.precision, "one format for all weights, as published totals have no parts"
            )
        return found.pop()

    @property
    def weight_bytes(self) -> float:
        """Bytes of all weights: W = b N."""
        return self.model.weight_bytes(self.stored)

    @property
    def kv_bytes_per_token(self) -> float:
        """Bytes of cache that a token of context adds: k."""
        return self.model.kv_bytes_per_token(self.precisions.cache)

    @property
    def flops(self) -> float:
        """Dense rate of all chips: F."""
        return self.chips * self.chip.flops(self.precisions.products)

    @property
    def bandwidth(self) -> float:
        """Memory bandwidth of all chips: w."""
        return self.chips * self.chip.hbm_bandwidth

    @property
    def hbm_bytes(self) -> float:
        """Memory of all chips: M."""
        return self.chips * self.chip.hbm_bytes

    def token_arguments(self) -> dict[str, float]:
        """The keyword arguments of formulas that no longer see the weights: `batching.cheapest_seconds` and its kin.

        >>> sorted(Scenario.named("llama-3-70b", "hgx-h100", "fp8").token_arguments())
        ['active_params', 'bandwidth', 'flops', 'kv_bytes_per_token']
        """
        return {
            "active_params": self.model.active_params,
            "kv_bytes_per_token": self.kv_bytes_per_token,
            "flops": self.flops,
            "bandwidth": self.bandwidth,
        }

    def step_arguments(self) -> dict[str, float]:
        """The keyword arguments of `batching.step_time` and its kin."""
        return self.token_arguments() | {"weight_bytes": self.weight_bytes}

    def notes(self) -> list[str]:
        """Remarks that a reader of this combination needs."""
        return [*self.rate_notes(), *self.cache_notes()]

    def cache_notes(self) -> list[str]:
        """How its cache is taken, where that is not all that the model does."""
        if self.model.index_top_k:
            return [
                f"{self.model.name} reads a selection of its cache; here all of it is read, as a model without would."
            ]
        if self.model.sliding_window or self.model.linear_layers:
            return [f"{self.model.name}: only the layers whose cache grows with the context are counted."]
        return []

    def rate_notes(self) -> list[str]:
        """Whether the chip multiplies this precision at its own rate."""
        arithmetic = self.chip.arithmetic(self.precisions.products)
        if arithmetic == self.precisions.products:
            return []
        stored, used = self.precision.upper(), arithmetic.upper()
        return [
            f"{self.chip.name} does not multiply {stored}: weights are stored in it and multiplied at the {used} rate."
        ]

    def fit_notes(self, context: float, batch: float) -> list[str]:
        """Whether weights and cache fit in memory, said only when they do not."""
        needed = self.weight_bytes + batch * context * self.kv_bytes_per_token
        if needed <= self.hbm_bytes:
            return []
        return [
            f"This does not fit: weights and cache take {show(needed, 'B')}, and {self.system.name} has "
            f"{show(self.hbm_bytes, 'B')}. The times here are those of a system that could hold it."
        ]

    def crowded(self, context: float, batch: float) -> str:
        """How a title begins that states a result of what does not fit in memory; nothing if it does."""
        return "this does not fit; if it did, " if self.fit_notes(context, batch) else ""
