"""A step: the operations of a pass, and four ways in which they may follow one another or overlap.

`bound_seconds` is a bound: everything overlaps, and no system of these chips is faster whose experts are chosen evenly;
skewed choices wake fewer experts, and at a small batch read less. The other three are no bounds.
`in_turn_seconds` puts a roofline for each operation one after another. `halves_seconds` overlaps one half of the batch
computing with the other half sending, and reads the weights for each half. `serial_seconds` overlaps nothing. Start-up
times of messages and kernels are left out of all four; they are counted, for whoever knows what one takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Quantity, as_plain
from calc.quantities.units import plain, show
from calc.setting import Setting
from calc.step.drafting import guesses
from calc.step.listing import operations
from calc.step.operation import Operation, longest, side_by_side
from calc.step.parts import Pass
from calc.step.requests import Requests
from calc.step.speculation import NO_DRAFTS, Drafts


@dataclass(frozen=True)
class Step:
    """A pass of requests through a setting, in micro-batches that circle through its stages.

    `requests` are those in flight; a pass takes 1 / `micro_batches` of their sequences.
    """

    setting: Setting
    requests: tuple[Requests, ...]
    micro_batches: Quantity
    drafts: Drafts = NO_DRAFTS

    def __str__(self) -> str:
        """The answer in a sentence, for a single setting."""
        bound, serial = (show(each, "s") for each in (self.bound_seconds, self.serial_seconds))
        return f"{self.name}: at least {bound} a step, limited by {self.limit}; {serial} if nothing overlaps."

    @property
    def name(self) -> str:
        """The model and what it runs on, in words."""
        most = plain(np.max(self.setting.layout.chips), 9)
        return f"{self.setting.model.name} on {most} chips of {self.setting.machine.name}"

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """Operations of one micro-batch on its way through all layers, the guesses of drafts first."""
        work = Pass(self.setting, tuple(_portion(each, self.micro_batches) for each in self.requests))
        return (*guesses(work, self.drafts), *operations(work))

    @cached_property
    def compute_seconds(self) -> Quantity:
        """Seconds of multiplying."""
        return _total(each.compute_seconds for each in self.operations)

    @cached_property
    def weights_seconds(self) -> Quantity:
        """Seconds of reading weights."""
        return _total(each.weights / each.memory_bytes_per_second for each in self.operations)

    @cached_property
    def cache_seconds(self) -> Quantity:
        """Seconds of reading and writing caches and states."""
        return _total((each.cache + each.state) / each.memory_bytes_per_second for each in self.operations)

    @cached_property
    def activation_seconds(self) -> Quantity:
        """Seconds of moving activations, if every operation hands them on through memory."""
        return _total(each.activation_seconds for each in self.operations)

    @cached_property
    def scale_up_seconds(self) -> Quantity:
        """Seconds on the links of a domain."""
        return _total(each.scale_up_seconds for each in self.operations)

    @cached_property
    def scale_out_seconds(self) -> Quantity:
        """Seconds on the links out of a domain."""
        return _total(each.scale_out_seconds for each in self.operations)

    @property
    def memory_seconds(self) -> Quantity:
        """Seconds of reading and writing weights, caches and states."""
        return self.weights_seconds + self.cache_seconds

    @property
    def flops(self) -> Quantity:
        """Operations of a chip in a pass."""
        return _total(each.flops for each in self.operations)

    @property
    def memory_bytes(self) -> Quantity:
        """Bytes that a chip must move in a pass: weights, caches and states."""
        return _total(each.memory_bytes for each in self.operations)

    @property
    def rounds(self) -> Quantity:
        """Messages of a pass that wait for one another: times a start-up, what no bandwidth buys back."""
        return _total(each.rounds for each in self.operations)

    @property
    def launches(self) -> Quantity:
        """Operations of a pass that are started: at least so many kernels."""
        return _total(each.launches for each in self.operations)

    @cached_property
    def bound_seconds(self) -> Quantity:
        """A bound: the largest sum of one resource, if everything else goes on meanwhile and switches add."""
        return self._cycle(_most(*self._resources))

    @property
    def in_turn_seconds(self) -> Quantity:
        """Each operation at its own roofline, one after another. Not a bound: operations can overlap."""
        return self._cycle(_total(each.roofline_seconds for each in self.operations))

    @property
    def beside_seconds(self) -> Quantity:
        """The same where each operation that may go on beside another of its layer does. Not a bound either.

        >>> from calc.step import decode_step
        >>> step = decode_step("deepseek-v3", "gb200-nvl72", "fp8", batch=7200, context=4096)
        >>> round(step.in_turn_seconds * 1e3, 2), round(step.beside_seconds * 1e3, 2)
        (6.8, 6.47)
        """
        return self._cycle(_total(side_by_side(self.operations)))

    @property
    def halves_seconds(self) -> Quantity:
        """Two half-batches in turn, one computing while the other sends; each reads the weights. Not a bound."""
        half = self.half
        on_chip = _total(each.roofline_seconds for each in half.operations if not each.sends)
        sending = _total(each.roofline_seconds for each in half.operations if each.sends)
        return self._cycle(2 * np.maximum(on_chip, sending))

    @cached_property
    def half(self) -> Step:
        """The same requests in twice as many micro-batches."""
        return Step(self.setting, self.requests, 2 * np.asarray(self.micro_batches), self.drafts)

    @property
    def serial_seconds(self) -> Quantity:
        """The sum of everything: nothing overlaps. Not a bound."""
        return self._cycle(_total(each.serial_seconds for each in self.operations))

    @property
    def limit(self) -> str:
        """The resource that the bound is made of: compute, memory, scale-up or scale-out."""
        return longest(self._resources)

    @property
    def tokens_per_step(self) -> Quantity:
        """Tokens that come out of a step: of sequences that write, with the drafts that are accepted."""
        return sum(each.batch * each.answers for each in self.requests) / (1 + self.drafts.count) * self._gained

    @property
    def chip_weight_bytes(self) -> Quantity:
        """Bytes of weights that a chip holds."""
        return self.setting.chip_weight_bytes

    @property
    def chip_kept_bytes(self) -> Quantity:
        """Bytes of caches and states that a chip keeps for all requests in flight."""
        return sum(
            self.setting.chip_kept_bytes(each.batch, each.context + each.new, each.shared) for each in self.requests
        )

    @property
    def fits(self) -> bool | NDArray[np.bool_]:
        """Whether weights, caches and states have room in the memory of a chip."""
        return self.chip_weight_bytes + self.chip_kept_bytes <= self.setting.machine.hbm_bytes

    @property
    def user_tokens_per_second(self) -> Quantity:
        """Tokens a second that a sequence gains at the most."""
        return self._gained / self.bound_seconds

    @property
    def chip_tokens_per_second(self) -> Quantity:
        """Tokens a second of all sequences for each chip, at the most."""
        return self.chip_rate(self.bound_seconds)

    def chip_rate(self, seconds: Quantity) -> Quantity:
        """Tokens a second of all sequences for each chip, if a step takes so long."""
        return self.tokens_per_step / seconds / self.setting.layout.chips

    def chip_reading_rate(self, seconds: Quantity) -> Quantity:
        """New tokens a second that go through the layers for each chip, if a step takes so long."""
        return sum(each.tokens for each in self.requests) / seconds / self.setting.layout.chips

    @property
    def _gained(self) -> Quantity:
        """Tokens that a sequence gains."""
        return self.drafts.tokens_per_pass

    @cached_property
    def _resources(self) -> tuple[Quantity, ...]:
        """Seconds of each at the least, in the order of their names."""
        up = _total(each.least_scale_up_seconds for each in self.operations)
        out = _total(each.least_scale_out_seconds for each in self.operations)
        return self.compute_seconds, self.memory_seconds, up, out

    def _cycle(self, seconds: Quantity) -> Quantity:
        """From one token of a sequence to the next: its way through P stages, or a stage's work for M micro-batches."""
        stages = self.setting.layout.pipeline
        found: Quantity = np.maximum(seconds + (stages - 1) * self.hop_seconds, self.micro_batches * seconds / stages)
        return as_plain(found)

    @property
    def hop_seconds(self) -> Quantity:
        """Seconds to hand a micro-batch to the next stage over the links of all its chips, the mean of all such hops.

        A hop between stages of one domain takes its links, and one over a border those out; one stage has none.
        """
        machine, layout = self.setting.machine, self.setting.layout
        hops = np.asarray(layout.pipeline) - 1
        borders = np.ceil(layout.pipeline / np.maximum(1, machine.domain_chips // layout.stage_chips)) - 1
        over = borders / np.maximum(hops, 1)
        inside, outside = (np.where(np.equal(link, 0), np.inf, link) for link in (machine.scale_up, machine.scale_out))
        tokens = sum(each.tokens for each in self.requests) / self.micro_batches
        moved = tokens * self.setting.model.width * self.setting.precisions.activation_bytes / layout.stage_chips
        found: Quantity = np.where(hops > 0, moved * ((1 - over) / inside + over / outside), 0.0)[()]
        return found


def _portion(requests: Requests, micro_batches: Quantity) -> Requests:
    return replace(requests, batch=requests.batch / micro_batches)


def _total(parts: Iterable[Quantity]) -> Quantity:
    return sum(parts)


def _most(first: Quantity, *others: Quantity) -> Quantity:
    found = first
    for each in others:
        found = np.maximum(found, each)
    return found
