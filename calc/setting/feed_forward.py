"""One layer's feed-forward part, as the numbers that a step needs: dense, or experts with a router before them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import anywhere
from calc.quantities.check import Count, Quantity, Whole, checked, single
from calc.quantities.errors import OutOfRange
from calc.setting.numbers import require_numbers

MATRICES = 3  # of a gated feed-forward layer: gate, up, down


@dataclass(frozen=True, kw_only=True)
class FeedForward:
    """Parameters of one layer: what every token uses (`shared`), the router, and each of the routed experts.

    Where a router first picks groups of experts, a token uses those of `groups_per_token` of `expert_groups` alone.
    """

    shared: Quantity
    shared_hidden: Quantity
    router: Quantity = 0.0
    expert: Quantity = 0.0
    expert_hidden: Quantity = 0.0
    experts: Quantity = 0.0
    experts_per_token: Quantity = 0.0
    expert_groups: float = 1.0
    groups_per_token: float = 1.0

    def __post_init__(self) -> None:
        require_numbers(self)
        if not 1 <= self.groups_per_token <= self.expert_groups:
            raise OutOfRange("groups_per_token", self.groups_per_token, f"from 1 to all groups, {self.expert_groups:g}")
        reach = np.asarray(self.experts) * self.groups_per_token / self.expert_groups
        if np.any(self.experts_per_token > reach):
            raise OutOfRange("experts_per_token", self.experts_per_token, f"at most all experts in reach, {reach}")

    @property
    def routed(self) -> bool:
        """Whether there are experts to choose from."""
        return anywhere(self.experts > 0)

    @property
    def params(self) -> Quantity:
        """Parameters of one layer."""
        return self.shared + self.router + self.experts * self.expert

    @property
    def active_params(self) -> Quantity:
        """Parameters of one layer that a token uses."""
        return self.shared + self.router + self.experts_per_token * self.expert


@checked
def dense(width: Count, hidden: Count) -> FeedForward:
    """A gated feed-forward layer that every token uses: 3 d x hidden.

    >>> dense(8192, 28672).params
    704643072.0
    """
    return FeedForward(shared=MATRICES * width * hidden, shared_hidden=hidden)


@checked
def routed(
    width: Count,
    hidden: Count,
    experts: Count,
    experts_per_token: Count,
    shared_experts: Whole = 0.0,
    expert_groups: Count = 1.0,
    groups_per_token: Count = 1.0,
) -> FeedForward:
    """Experts of equal size, some of which every token uses: (E + shared) 3 d x hidden, and a router of E d.

    >>> layer = routed(7168, 2048, 256, 8, shared_experts=1)
    >>> layer.expert, layer.active_params / layer.expert
    (44040192.0, 9.041666666666666)
    """
    one = MATRICES * width * hidden
    return FeedForward(
        shared=shared_experts * one,
        shared_hidden=shared_experts * hidden,
        router=experts * width,
        expert=one,
        expert_hidden=hidden,
        experts=experts,
        experts_per_token=experts_per_token,
        expert_groups=single("expert_groups", expert_groups),
        groups_per_token=single("groups_per_token", groups_per_token),
    )
