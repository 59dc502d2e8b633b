"""Inputs to the operations of one pass: a setting, its requests, and how many tokens meet where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from calc.quantities.check import Quantity
from calc.setting import Setting
from calc.setting.feed_forward import FeedForward
from calc.setting.machine import SWITCH
from calc.step.collectives import all_to_all_rate, gather_rate, gather_rounds
from calc.step.operation import Operation
from calc.step.requests import Requests
from calc.step.woken import visited_share


@dataclass(frozen=True)
class Pass:
    """Requests on their way through all layers together, seen from the busiest chip of a stage."""

    setting: Setting
    requests: tuple[Requests, ...]

    @cached_property
    def tokens(self) -> Quantity:
        """New tokens of all groups: they choose among the same experts."""
        return sum(each.tokens for each in self.requests)

    @cached_property
    def fullest(self) -> tuple[tuple[Requests, Quantity], ...]:
        """Requests, each with its sequences in the fullest group of tensor chips."""
        return tuple((each, self.setting.own_sequences(each.batch)) for each in self.requests)

    @cached_property
    def own_tokens(self) -> Quantity:
        """New tokens of the fullest group of tensor chips."""
        return sum(own * each.new for each, own in self.fullest)

    @cached_property
    def own_answers(self) -> Quantity:
        """Those of the fullest group that go through the head."""
        return sum(own * each.answers for each, own in self.fullest)

    def product(
        self,
        name: str,
        layers: Quantity,
        part: str,
        *,
        tokens: Quantity,
        params: Quantity,
        read: Quantity | None = None,
        inputs: Quantity,
        outputs: Quantity,
        beside: str = "",
    ) -> Operation:
        """A product of tokens with so many parameters a layer on this chip, all of which are read unless said."""
        precisions, machine = self.setting.precisions, self.setting.machine
        moved = tokens * (inputs + outputs) * precisions.activation_bytes
        return Operation(
            name=name,
            layers=layers,
            flops=layers * 2 * tokens * params,
            weights=layers * (params if read is None else read) * precisions.weight_bytes(part),
            activations=layers * moved,
            launches=layers,
            flops_per_second=machine.flops(precisions.arithmetic(part)),
            memory_bytes_per_second=machine.bandwidth,
            beside=beside,
        )

    def all_reduce(self, name: str, layers: Quantity) -> Operation:
        """A sum over the tensor chips of their group's tokens, inside the domain first where they are in several.

        A switch that adds spares all but one sending of the numbers; a mesh or a torus has no such switch.
        """
        machine, chips = self.setting.machine, self.setting.layout.tensor
        inside, domains = np.minimum(chips, machine.domain_chips), np.ceil(chips / machine.domain_chips)
        moved = self.own_tokens * self.setting.model.width * self.setting.precisions.activation_bytes
        up = 2 * moved * (inside - 1) / inside
        out = 2 * moved / inside * (domains - 1) / domains
        rounds = 2 * gather_rounds(machine, inside) + 2 * np.minimum(domains - 1, 1)
        switched = float(machine.topology == SWITCH)
        spared_up = switched * np.maximum(0.0, up - moved * (inside > 1))
        spared_out = np.maximum(0.0, out - moved / inside * (domains > 1))
        sent = self._sent(name, layers, up, out, rounds, gather_rate(machine, inside))
        return replace(sent, spared_up=layers * spared_up, spared_out=layers * spared_out)

    def exchange(self, name: str, layers: Quantity, part: FeedForward, element_bytes: float) -> Operation:
        """Tokens on their way to experts of other groups, or back: to each place at most once, to each domain once."""
        layout, machine = self.setting.layout, self.setting.machine
        inside = np.minimum(layout.stage_chips, machine.domain_chips)
        domains = np.ceil(layout.stage_chips / machine.domain_chips)
        sent = self.own_tokens / layout.tensor
        others = layout.stage_chips - layout.tensor
        if layout.relay:
            choice = part.experts_per_token, part.expert_groups, part.groups_per_token
            copies = others * visited_share(layout.expert, *choice)
            out = np.minimum((domains - 1) * visited_share(domains, *choice), copies)
        else:
            copies = part.experts_per_token * layout.expert_chips * others / layout.stage_chips
            out = np.minimum(part.experts_per_token * (domains - 1) / domains, copies)
        each = sent * self.setting.model.width * element_bytes
        rounds = gather_rounds(machine, inside) + np.minimum(domains - 1, 1)
        rate = all_to_all_rate(machine, inside)
        return self._sent(name, layers, each * (copies - out), each * out, rounds * (others > 0), rate)

    def merge(self, layers: Quantity, numbers: Quantity) -> Operation:
        """Partial results of attention over a sequence that lies on several chips, brought together."""
        machine, ways = self.setting.machine, self.setting.layout.context
        up = self.own_tokens * numbers * (ways - 1) / ways * self.setting.precisions.activation_bytes
        rounds = gather_rounds(machine, ways) * (ways > 1)
        return self._sent("merge of attention", layers, up, 0.0, rounds, gather_rate(machine, ways))

    def _sent(
        self, name: str, layers: Quantity, up: Quantity, out: Quantity, rounds: Quantity, up_rate: Quantity
    ) -> Operation:
        machine = self.setting.machine
        way_out = np.where(np.equal(machine.scale_out, 0), np.inf, machine.scale_out)[()]
        return Operation(
            name=name,
            layers=layers,
            scale_up=layers * up,
            scale_out=layers * out,
            rounds=layers * rounds,
            launches=layers * (rounds > 0),
            scale_up_bytes_per_second=up_rate,
            scale_out_bytes_per_second=way_out,
        )
