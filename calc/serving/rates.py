"""Prefill and decode of a model on chips, as bounds. How fast for a user, how much per chip, at what cost.

A pass takes some new tokens of every sequence through all layers: one when decoding, the prompt when reading it. Its
work is multiplying, reading weights and cache, and sending. If all of that overlaps, the longest part is its time, and
no system of these chips is faster; if nothing overlaps, the sum is. Real systems lie near or above the sum: kernels,
uneven experts, queues and small messages are left out. What they miss of the rates can be stated as efficiencies.

Symbols: B sequences in flight, M micro-batches, L context, n new tokens, S chips of a stage, P stages. Layouts and what
they hold and send are in `calc.serving.layout`, the pipeline in `calc.pipelining`, the experts that a batch wakes in
`calc.batching.touched`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calc.batching.touched import touched_share
from calc.memory_wall.attention import attended_tokens
from calc.memory_wall.domain import DomainFit
from calc.moe.experts import place_experts
from calc.pipelining.decoding import decode_cycle, hop_seconds
from calc.quantities.arithmetic import HOUR
from calc.quantities.check import Count, NonNegative, Positive, Quantity, Range, checked
from calc.quantities.fields import accept, of_kind
from calc.serving.layout import Layout, cache_ways, chip_fit, own_sequences, require_kinds, require_possible, sent_bytes
from calc.serving.shapes import Machine, ModelShape


@dataclass(frozen=True)
class Efficiency:
    """Shares of the published rates that are reached: of the multipliers (MFU), of memory (MBU), of the links."""

    mfu: Quantity = 1.0
    mbu: Quantity = 1.0
    link: Quantity = 1.0

    def __post_init__(self) -> None:
        accept(self, Range(0, 1, open_low=True))


PERFECT = Efficiency()


@dataclass(frozen=True)
class PassTime:
    """Seconds that each part of one micro-batch's way through all layers takes at the least."""

    compute: Quantity
    weights: Quantity
    cache: Quantity
    scale_up: Quantity
    scale_out: Quantity

    @property
    def memory(self) -> Quantity:
        """Seconds of reading."""
        return self.weights + self.cache

    @property
    def bound(self) -> Quantity:
        """Seconds if everything overlaps: the longest of computing, reading and either network."""
        links: Quantity = np.maximum(self.scale_up, self.scale_out)
        bound: Quantity = np.maximum(np.maximum(self.compute, self.memory), links)
        return bound

    @property
    def serial(self) -> Quantity:
        """Seconds if nothing overlaps: the sum."""
        return self.compute + self.memory + self.scale_up + self.scale_out

    @property
    def limit(self) -> str:
        """The part that the bound is made of; of many, the part of the most."""
        parts = {"compute": self.compute, "memory": self.memory, "scale-up": self.scale_up, "scale-out": self.scale_out}
        longest = np.argmax(np.stack(np.broadcast_arrays(*parts.values())), axis=0)
        return list(parts)[int(np.bincount(np.ravel(longest)).argmax())]


@checked
def pass_time(
    model: ModelShape,
    layout: Layout,
    machine: Machine,
    batch: Positive,
    new_tokens: Positive,
    context: NonNegative,
    context_flops: NonNegative,
    efficiency: Efficiency = PERFECT,
) -> PassTime:
    """Parts of a pass of n new tokens of each of B sequences, after L that are cached, through the chips of one stage.

    Computing: (2 s + 2 k e) B n and attention, over S chips, of which the fullest group has ceil(B / x) sequences.
    Reading: what each chip holds of the shared weights, of the experts that B n tokens wake, and of the cache.

    >>> model = ModelShape(shared_params=1e11, expert_params=0, experts=1, experts_per_token=1, layers=100,
    ...     expert_layers=0, width=10_000, bytes_per_weight=1, kv_bytes_per_token=1e5, cache_splits=8,
    ...     decode_flops=0, prefill_flops=0)
    >>> chip = Machine(flops=1e15, bandwidth=4e12, hbm_bytes=1e11, domain_chips=8, scale_up=5e11)
    >>> pass_time(model, Layout(8), chip, 100, 1, 1000, 0)
    PassTime(compute=0.0025, weights=0.003125, cache=0.0003125, scale_up=0.0014, scale_out=0.0)
    """
    require_possible(model, layout, machine)
    of_kind(Efficiency, "efficiency", efficiency, layout=layout, batch=batch)
    own = own_sequences(batch, layout.expert)
    experts = 2 * model.experts_per_token * model.expert_params * batch * new_tokens / layout.stage_chips
    attention = context_flops * own * attended_tokens(new_tokens, context) / layout.tensor
    shared = 2 * model.shared_params * own * new_tokens / layout.tensor
    sent = sent_bytes(model, layout, machine, own * new_tokens)
    memory, out = machine.bandwidth * efficiency.mbu, np.where(np.equal(machine.scale_out, 0), 1, machine.scale_out)
    parts = (
        (shared + experts + attention) / (machine.flops * efficiency.mfu),
        read_weights(model, layout, batch * new_tokens) / memory,
        own * context * model.kv_bytes_per_token / cache_ways(model, layout) * layout.stages / memory,
        sent.scale_up / (machine.scale_up * efficiency.link),
        sent.scale_out / (out * efficiency.link),
    )
    return PassTime(*(float(part) if np.ndim(part) == 0 else part for part in parts))


@checked
def read_weights(model: ModelShape, layout: Layout, tokens: Positive) -> Quantity:
    """Bytes of weights that a chip reads in a pass of so many tokens through all layers, a stage's on each stage.

    (s + experts held x share woken x e) x bytes / t; an expert that nobody chose is not read.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
    >>> [round(read_weights(shape, Layout(1, 8), tokens) / 1e9) for tokens in (1, 100)]
    [19, 95]
    """
    placed = place_experts(model.experts, layout.expert).experts_per_chip
    woken = touched_share(tokens, model.experts, model.experts_per_token)
    return (model.shared_params + placed * woken * model.expert_params) * model.bytes_per_weight / layout.tensor


@dataclass(frozen=True)
class Rate:
    """Tokens that come out of so many chips when every sequence gains `new_tokens` in `seconds`."""

    seconds: Quantity
    batch: Quantity
    chips: Quantity
    new_tokens: Quantity = 1.0

    @property
    def per_user(self) -> Quantity:
        """Tokens a second of one sequence."""
        return self.new_tokens / self.seconds

    @property
    def per_chip(self) -> Quantity:
        """Tokens a second of all sequences over all chips."""
        return self.batch * self.per_user / self.chips

    def dollars_per_token(self, dollars_per_chip_hour: Quantity) -> Quantity:
        """Rent of a chip over the tokens that it makes, never idle."""
        return dollars_per_chip_hour / HOUR / self.per_chip


@dataclass(frozen=True)
class Served:
    """A way of serving: the parts of a pass, the rate if all overlap and if nothing does, and what a chip holds."""

    parts: PassTime
    bound: Rate
    serial: Rate
    fit: DomainFit


@checked
def decode(
    model: ModelShape,
    layout: Layout,
    machine: Machine,
    batch: Positive,
    context: NonNegative,
    *,
    micro_batches: Count | None = None,
    efficiency: Efficiency = PERFECT,
) -> Served:
    """Writing: B sequences in flight, one token each a cycle, as M micro-batches (P unless given) through P stages.

    What does not fit is still timed; `fit.fits` says so.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
    >>> h800 = Machine.published(catalog.system("hgx-h800"), "fp8")
    >>> served = decode(shape, Layout(1, 144), h800, batch=144 * 88, context=4989)
    >>> served.fit.fits, round(float(served.bound.per_chip)), round(float(served.serial.per_chip))
    (True, 6426, 2695)
    """
    work = _Work(*require_kinds(model, layout, machine), efficiency)
    return work.served(batch, 1.0, context, model.decode_flops, micro_batches)


@checked
def prefill(
    model: ModelShape,
    layout: Layout,
    machine: Machine,
    batch: Positive,
    prompt: Positive,
    *,
    cached: NonNegative = 0.0,
    micro_batches: Count | None = None,
    efficiency: Efficiency = PERFECT,
) -> Served:
    """Reading: B prompts of n new tokens after `cached` ones, as M micro-batches (P unless given) through P stages.

    `seconds` is how long a prompt takes to be read, the time to its first token without any queue.

    >>> from calc import catalog
    >>> shape = ModelShape.published(catalog.model("llama-3-405b"), "fp8")
    >>> h200 = Machine.published(catalog.system("hgx-h200"), "fp8")
    >>> read = prefill(shape, Layout(8), h200, batch=1, prompt=2048)
    >>> round(float(read.bound.seconds), 3), read.parts.limit
    (0.106, 'compute')
    """
    work = _Work(*require_kinds(model, layout, machine), efficiency)
    read = work.served(batch, prompt, cached, model.prefill_flops, micro_batches)
    return replace(read, fit=chip_fit(model, layout, machine, batch, cached + prompt))


@dataclass(frozen=True)
class _Work:
    """A model on chips, before anybody asks for tokens."""

    model: ModelShape
    layout: Layout
    machine: Machine
    efficiency: Efficiency

    def served(
        self, batch: Quantity, new_tokens: Quantity, context: Quantity, flops: Quantity, micro_batches: Quantity | None
    ) -> Served:
        """Micro-batches of B / M sequences circling through the stages."""
        place = (self.model, self.layout, self.machine)
        in_turn = self.layout.stages if micro_batches is None else micro_batches
        parts = pass_time(*place, batch / in_turn, new_tokens, context, flops, self.efficiency)
        hop = self._hop_seconds(batch / in_turn * new_tokens)
        cycles = (decode_cycle(time, self.layout.stages, in_turn, hop).seconds for time in (parts.bound, parts.serial))
        bound, serial = (Rate(seconds, batch, self.layout.chips, new_tokens) for seconds in cycles)
        return Served(parts, bound, serial, chip_fit(*place, batch, context))

    def _hop_seconds(self, tokens: Quantity) -> Quantity:
        """From one stage to the next, inside the domain where all stages have room in it."""
        together = np.asarray(self.layout.chips) <= self.machine.domain_chips
        link = np.where(together, self.machine.scale_up, self.machine.scale_out) * self.efficiency.link
        return hop_seconds(tokens, self.model.width, links=self.layout.stage_chips, link_bandwidth=link)


@checked
def blended_rate(
    prompt_seconds: NonNegative, output_tokens: Positive, token_seconds: Positive, sequences: Positive
) -> Quantity:
    """Output tokens a second of chips that read and write in turn: n / (read + n T / B), for requests of n tokens out.

    `prompt_seconds` is what one prompt takes of all chips; T, with B sequences in flight, is the time of a step.

    >>> blended_rate(0.25, 100, 0.5, 200)
    200.0
    """
    return output_tokens / (prompt_seconds + output_tokens * token_seconds / sequences)
