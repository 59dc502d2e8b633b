"""A model laid over chips. Who holds what, whether it fits, and what has to travel.

Three ways to split, which multiply. `tensor` chips share every matrix and every head. `expert` groups of such chips
share the routed experts and each serves sequences of its own, with its own copy of everything else. `stages` share the
layers. Experts are chosen evenly, tensor groups stay within a domain, and a token that several experts of one place
want is sent there once: what travels is the least that can.

Symbols: t tensor chips, x expert groups, P stages, D chips of a scale-up domain, m domains of a stage, s parameters
that every token uses, e parameters of one routed expert over all layers, E experts of a layer, k experts per token.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calc.batching.touched import touched_share
from calc.memory_wall.domain import DomainFit
from calc.moe.exchange import exchange_bytes, leaving_share
from calc.moe.experts import place_experts
from calc.quantities.arithmetic import quotient, whole_up
from calc.quantities.check import Count, NonNegative, Quantity, Range, checked
from calc.quantities.errors import DoesNotFit, OutOfRange
from calc.quantities.fields import accept, of_kind
from calc.quantities.units import plain, show
from calc.serving.shapes import Machine, ModelShape

ACTIVATION_BYTES = 2.0
REDUCTIONS = 2.0  # of a layer: one behind attention, one behind the feed-forward part


@dataclass(frozen=True)
class Layout:
    """How many ways each kind of parallelism splits a model.

    >>> Layout(tensor=8, expert=4, stages=2).chips
    64.0
    """

    tensor: Quantity = 1.0
    expert: Quantity = 1.0
    stages: Quantity = 1.0

    def __post_init__(self) -> None:
        accept(self, Range(1, whole=True))

    @property
    def stage_chips(self) -> Quantity:
        """Chips that work on a layer: t x."""
        return self.tensor * self.expert

    @property
    def chips(self) -> Quantity:
        """Chips of all stages: t x P."""
        return self.stage_chips * self.stages


def require_kinds(model: object, layout: object, machine: object) -> tuple[ModelShape, Layout, Machine]:
    """The three, provided that each is what it should be and that their arrays combine.

    >>> require_kinds("llama", Layout(), None)
    Traceback (most recent call last):
    calc.quantities.errors.WrongType: model must be a ModelShape; it was “llama”.
    """
    shape = of_kind(ModelShape, "model", model)
    split = of_kind(Layout, "layout", layout, model=shape)
    return shape, split, of_kind(Machine, "machine", machine, model=shape, layout=split)


def possible(model: ModelShape, layout: Layout, machine: Machine) -> NDArray[np.bool_]:
    """Where a layout makes sense: no more groups than experts, tensor groups in one domain, no wall without a way out.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("llama-3-70b"), "fp8")
    >>> possible(shape, Layout(np.array([8, 16]), 1), Machine.published(catalog.system("hgx-h100"), "fp8")).tolist()
    [True, False]
    """
    model, layout, machine = require_kinds(model, layout, machine)
    way = (np.asarray(layout.chips) <= machine.domain_chips) | np.asarray(machine.scale_out > 0)
    inside = np.asarray(layout.tensor) <= machine.domain_chips
    shared = (np.asarray(layout.expert) <= model.experts) & (np.asarray(layout.stages) <= model.layers)
    return np.asarray(way & inside & shared)


def require_possible(model: ModelShape, layout: Layout, machine: Machine) -> None:
    """Refuse a layout that makes no sense, naming the kind of parallelism and the most of it that there can be.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("llama-3-70b"), "fp8")
    >>> require_possible(shape, Layout(16), Machine.published(catalog.system("hgx-h100"), "fp8"))
    Traceback (most recent call last):
    calc.quantities.errors.OutOfRange: tensor must be at most the chips of one scale-up domain, 8; it was 16.0.
    """
    if np.all(possible(model, layout, machine)):
        return
    for name, most, why in (
        ("expert", model.experts, "the number of routed experts"),
        ("stages", model.layers, "the number of layers"),
        ("tensor", machine.domain_chips, "the chips of one scale-up domain"),
    ):
        if np.any(np.asarray(getattr(layout, name)) > most):
            raise OutOfRange(name, getattr(layout, name), f"at most {why}, {_least(most)}")
    raise OutOfRange(
        "layout", layout, f"of at most {_least(machine.domain_chips)} chips, as no link out of the domain is known"
    )


def _least(limits: Quantity) -> str:
    return plain(float(np.min(limits)), 9)


def held_weights(model: ModelShape, layout: Layout) -> Quantity:
    """Bytes of weights on a chip: (s / t + ceil(E / x) e / t) x bytes / P. Whole experts, so that x need not divide E.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
    >>> [round(held_weights(shape, Layout(1, expert)) / 1e9) for expert in (8, 144)]
    [98, 22]
    """
    placed = place_experts(model.experts, layout.expert).experts_per_chip
    params = model.shared_params + placed * model.expert_params
    return params * model.bytes_per_weight / layout.chips * layout.expert


def cache_ways(model: ModelShape, layout: Layout) -> Quantity:
    """Into how many parts a group of chips and the stages split a sequence's cache: min(t, splits) P.

    >>> from calc import catalog
    >>> [cache_ways(ModelShape.published(catalog.model(name), "fp8"), Layout(8)) for name in ("llama-3-70b", "kimi-k2")]
    [8.0, 1.0]
    """
    ways: Quantity = np.minimum(layout.tensor, model.cache_splits) * layout.stages
    return ways if np.ndim(ways) else float(ways)


@checked
def own_sequences(batch: NonNegative, expert: Count) -> Quantity:
    """Sequences of the fullest group: ceil(B / x). The others wait for it.

    >>> own_sequences(100, 8)
    13.0
    """
    return whole_up(batch / expert)


@checked
def chip_fit(
    model: ModelShape, layout: Layout, machine: Machine, batch: NonNegative, context: NonNegative
) -> DomainFit:
    """What a chip must hold for B sequences in flight of L tokens each, beside its memory; `fits` says whether it can.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
    >>> h800 = Machine.published(catalog.system("hgx-h800"), "fp8")
    >>> [chip_fit(shape, Layout(1, expert), h800, 8 * expert, 4096).fits for expert in (8, 32)]
    [False, True]
    """
    model, layout, machine = require_kinds(model, layout, machine)
    cache = own_sequences(batch, layout.expert) * context * model.kv_bytes_per_token / cache_ways(model, layout)
    return DomainFit(machine.hbm_bytes, held_weights(model, layout), cache)


def why_not(fit: DomainFit) -> str:
    """Why something does not fit on a chip, and what would help; empty if it does fit.

    >>> why_not(DomainFit(80e9, 98e9, 1e9))
    'The weights alone, 98 GB, exceed the 80 GB of a chip: more chips, or fewer bits, must share them.'
    >>> why_not(DomainFit(80e9, 22e9, 61e9))
    'Weights of 22 GB leave 58 GB of a chip and the cache needs 61 GB: fewer sequences, shorter ones or more chips.'
    """
    if np.ndim(fit.free):
        raise DoesNotFit("fit", "many layouts", "a single layout")
    if fit.fits:
        return ""
    weights, memory = show(float(fit.weights), "B"), show(float(fit.capacity), "B")
    if fit.weights > fit.capacity:
        return (
            f"The weights alone, {weights}, exceed the {memory} of a chip: more chips, or fewer bits, must share them."
        )
    room, cache = show(float(fit.capacity - fit.weights), "B"), show(float(fit.cache), "B")
    return (
        f"Weights of {weights} leave {room} of a chip and the cache needs {cache}: "
        "fewer sequences, shorter ones or more chips."
    )


@checked
def most_sequences(model: ModelShape, layout: Layout, machine: Machine, context: NonNegative) -> Quantity:
    """Sequences in flight whose caches have room: x floor(room / (L cache bytes of one on a chip)), 0 if none has.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("llama-3-70b"), "fp8")
    >>> most_sequences(shape, Layout(8), Machine.published(catalog.system("hgx-h100"), "fp8"), 8192)
    424.0
    """
    model, layout, machine = require_kinds(model, layout, machine)
    room = np.asarray(np.maximum(0.0, np.asarray(machine.hbm_bytes) - held_weights(model, layout)))
    one = np.asarray(context * model.kv_bytes_per_token / cache_ways(model, layout))
    return np.asarray(layout.expert * np.floor(quotient(room, one)))


@dataclass(frozen=True)
class Sent:
    """Bytes that a chip sends over all layers of a pass, inside its domain and out of it."""

    scale_up: Quantity
    scale_out: Quantity


@checked
def sent_bytes(model: ModelShape, layout: Layout, machine: Machine, tokens: NonNegative) -> Sent:
    """What a chip sends for its group's `tokens`: reductions among t chips, and the exchange with the experts.

    A reduction takes 2 (t - 1) / t of the activations, twice a layer. Of a token's k experts, those in other groups are
    found in (x - 1) (1 - (1 - 1 / x)^k) places, those in other domains in (m - 1) (1 - (1 - 1 / m)^k).

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
    >>> sent = sent_bytes(shape, Layout(1, 8), Machine.published(catalog.system("hgx-h800"), "fp8"), 1)
    >>> round(sent.scale_up / 1e6, 1), sent.scale_out
    (5.7, 0.0)
    """
    model, layout, machine = require_kinds(model, layout, machine)
    reduced = 2 * leaving_share(layout.tensor) * tokens * model.width * ACTIVATION_BYTES * REDUCTIONS * model.layers
    domains = whole_up(layout.stage_chips / np.asarray(machine.domain_chips, dtype=float))
    elsewhere = (layout.expert - 1) * touched_share(model.experts_per_token, layout.expert, 1)
    beyond = np.minimum((domains - 1) * touched_share(model.experts_per_token, domains, 1), elsewhere)
    each = exchange_bytes(tokens / layout.tensor, model.width, 1).total * model.expert_layers
    inside, out = np.asarray(reduced + each * (elsewhere - beyond)), np.asarray(each * beyond)
    return Sent(*(float(part) if part.ndim == 0 else part for part in (inside, out)))
