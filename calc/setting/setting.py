"""A model on a machine, at given precisions, laid out in a given way: the noun that every formula is asked about."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calc.catalog import Deployment, Model, System
from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Quantity
from calc.quantities.errors import OutOfRange
from calc.setting import cache
from calc.setting.layers import Architecture, Layers
from calc.setting.layout import Layout
from calc.setting.machine import Machine
from calc.setting.precisions import Precisions
from calc.setting.published import architecture
from calc.setting.split import attention_params, cache_ways, placed_experts


@dataclass(frozen=True)
class Setting:
    """A model on chips. Sizes and rates are per chip where they are a machine's, of the model where they are a model's.

    >>> llama = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)
    >>> llama.layout.tensor, round(llama.weight_bytes / 1e9, 1), llama.kept_bytes_per_token
    (8.0, 70.6, 163840.0)
    """

    model: Architecture
    machine: Machine
    precisions: Precisions
    layout: Layout

    def __post_init__(self) -> None:
        require_possible(self.model, self.machine, self.layout)

    @classmethod
    def published(
        cls,
        model: Architecture | Model | str,
        system: Machine | System | str,
        precision: Precisions | str,
        *,
        layout: Layout | None = None,
        chips: int | None = None,
    ) -> Setting:
        """A model on a catalogued system or a machine, spread over a domain, or over so many chips, unless laid out."""
        shape = model if isinstance(model, Architecture) else architecture(model)
        machine = system if isinstance(system, Machine) else Machine.published(system)
        precisions = precision if isinstance(precision, Precisions) else Precisions.named(precision)
        count = machine.domain_chips if chips is None else chips
        return cls(shape, machine, precisions, usual_layout(shape, count) if layout is None else layout)

    @classmethod
    def decoding(cls, day: Deployment) -> Setting:
        """The decode unit of a published day: attention data-parallel in BF16 over a BF16 cache, experts on all chips.

        A token that several experts of another node want is sent to each of them, as the published kernels do.
        """
        layout = Layout(data=day.decode_expert_parallel, relay=False)
        return cls.published(day.model, day.system, "fp8-bf16-cache", layout=layout)

    def with_layout(self, layout: Layout) -> Setting:
        """The same, laid out otherwise."""
        return replace(self, layout=layout)

    @property
    def weight_bytes(self) -> Quantity:
        """Bytes of one copy of everything, embeddings included: W."""
        return self.read_weight_bytes + self.model.embedding_params * self.precisions.weight_bytes("head")

    @property
    def read_weight_bytes(self) -> Quantity:
        """Bytes of one copy of all that a step can read: W without what is only looked up."""
        stored = self.precisions.weight_bytes
        found = self.model.head_params * stored("head")
        for group in self.model.layers:
            part = group.feed_forward
            found = found + group.count * (
                group.attention.params * stored("attention")
                + part.shared * stored("shared")
                + part.router * stored("head")
                + part.experts * part.expert * stored("experts")
            )
        return found

    def kept_bytes(self, context: Quantity) -> Quantity:
        """Bytes that a sequence of L tokens keeps: its cache, and its recurrent states."""
        return sum(
            group.count
            * (
                cache.kept_bytes(group.attention, context, self._cached)
                + group.attention.state * self.precisions.state_bytes
            )
            for group in self.model.layers
        )

    def read_bytes(self, context: Quantity) -> Quantity:
        """Bytes of cache and states that a new token of a sequence of L tokens reads, from one copy of each."""
        return sum(
            group.count
            * (
                cache.read_bytes(group.attention, context, 1.0, self._cached)
                + group.attention.state * self.precisions.state_bytes
            )
            for group in self.model.layers
        )

    @property
    def kept_bytes_per_token(self) -> Quantity:
        """Bytes that one more token of context adds to what is kept: k kept."""
        return sum(_per_token(group, self._cached) for group in self.model.layers)

    @property
    def read_bytes_per_token(self) -> Quantity:
        """Bytes that one more token of a long context adds to what a new token reads: k read.

        Where attention selects a fixed number of entries only its index goes on growing.
        """
        return sum(_read_per_token(group, self._cached) for group in self.model.layers)

    @property
    def attention_flops_per_token(self) -> Quantity:
        """Operations that one more token of context adds for a new token: a."""
        return self.model.attention_flops_per_position

    @property
    def _cached(self) -> float:
        """Bytes of a number in the cache."""
        return self.precisions.cache_bytes

    @property
    def system_flops(self) -> Quantity:
        """FLOP/s of all chips of the layout, in the format of the products."""
        return self.layout.chips * self.machine.flops(self.precisions.products)

    @property
    def system_bandwidth(self) -> Quantity:
        """Memory bandwidth of all chips of the layout, in B/s."""
        return self.layout.chips * self.machine.bandwidth

    @property
    def system_hbm_bytes(self) -> Quantity:
        """Memory of all chips of the layout, in B."""
        return self.layout.chips * self.machine.hbm_bytes

    def own_sequences(self, batch: Quantity) -> Quantity:
        """Sequences of the fullest group of a batch: ceil(B / D); a mean, not whole, is divided as it is."""
        whole = np.equal(np.floor(batch), batch)
        found: Quantity = np.where(whole, whole_up(batch / self.layout.data), batch / self.layout.data)[()]
        return found

    @property
    def chip_weight_bytes(self) -> Quantity:
        """Bytes of weights that a chip holds, embeddings and whole experts included, as the mean of all stages."""
        stored, layout = self.precisions.weight_bytes, self.layout
        tables = (self.model.head_params + self.model.embedding_params) * stored("head") / layout.tensor
        for group in self.model.layers:
            part = group.feed_forward
            tables = tables + group.count * (
                sum(attention_params(group.attention, layout)) * stored("attention")
                + part.shared / layout.tensor * stored("shared")
                + part.router * stored("head")
                + placed_experts(part, layout) * part.expert * stored("experts")
            )
        return tables / layout.pipeline

    def chip_kept_bytes(self, batch: Quantity, context: Quantity, shared: Quantity = 0.0) -> Quantity:
        """Bytes of cache and state that a chip keeps of B sequences in flight, the first `shared` tokens once."""
        own, layout = self.own_sequences(batch), self.layout
        found: Quantity = 0.0
        for group in self.model.layers:
            at = group.attention
            once = cache.kept_bytes(at, shared, self._cached)
            entries = own * (cache.kept_bytes(at, context, self._cached) - once) + np.minimum(own, 1) * once
            states = own * at.state * self.precisions.state_bytes / np.minimum(layout.tensor, at.heads)
            found = found + group.count * (entries / cache_ways(at, layout) + states)
        return found / layout.pipeline


def usual_layout(model: Architecture, chips: Quantity) -> Layout:
    """Tensors over all chips for a dense model; attention data-parallel and experts over all of them for the others.

    >>> usual_layout(architecture("llama-3-70b"), 8).tensor
    8.0
    """
    if model.experts == 0:
        return Layout(tensor=chips)
    return Layout(data=np.minimum(chips, model.experts).item())


def require_possible(model: Architecture, machine: Machine, layout: Layout) -> None:
    """Refuse more places than experts, more stages than layers, and chips beyond a domain that has no way out."""
    if np.all(possible(model, machine, layout)):
        return
    if model.experts and np.any(np.asarray(layout.expert) > model.experts):
        raise OutOfRange("expert", layout.expert, f"at most the number of routed experts, {model.experts:g}")
    if np.any(np.asarray(layout.pipeline) > model.layer_count):
        raise OutOfRange("pipeline", layout.pipeline, f"at most the number of layers, {model.layer_count:g}")
    most = f"at most {machine.domain_chips:,.0f}, as no link out of the domain is known"
    raise OutOfRange("chips", np.max(layout.chips).item(), most)


def possible(model: Architecture, machine: Machine, layout: Layout) -> NDArray[np.bool_]:
    """Where a layout makes sense on a machine.

    >>> llama, pod = architecture("llama-3-70b"), Machine.published("tpu-v6e-pod")
    >>> possible(llama, pod, Layout(tensor=8, pipeline=np.array([80.0, 81.0]))).tolist()
    [True, False]
    """
    way = (np.asarray(layout.chips) <= machine.domain_chips) | (np.asarray(machine.scale_out) > 0)
    shared = np.asarray(layout.expert) <= (model.experts or np.inf)
    return np.asarray(way & shared & (np.asarray(layout.pipeline) <= model.layer_count))


def _per_token(group: Layers, number: float) -> Quantity:
    at = group.attention
    return group.count / at.compression * (at.entry_bytes(number) + at.index_bytes) / at.layers_per_cache


def _read_per_token(group: Layers, number: float) -> Quantity:
    at = group.attention
    growing = np.where(np.isinf(at.top_k), at.entry_bytes(number), 0.0)[()]
    return group.count / at.compression * (growing + at.index_bytes)
