"""The operations of one group's feed-forward part: dense, or a router, an exchange with experts and what all use."""

from __future__ import annotations

from collections.abc import Iterator

from calc.quantities.arithmetic import anywhere
from calc.setting import Layers
from calc.setting.split import placed_experts
from calc.step.operation import Operation
from calc.step.parts import Pass
from calc.step.woken import chosen_share


def feed_forward_operations(work: Pass, group: Layers) -> Iterator[Operation]:
    """Dense layers, or router, dispatch, experts, shared experts and combine; then the sum over tensor chips."""
    part, count, layout = group.feed_forward, group.count, work.setting.layout
    if part.routed:
        yield from _experts(work, group)
    else:
        yield _shared(work, group, "feed-forward", "")
    if anywhere(layout.tensor > 1):
        yield work.all_reduce("all-reduce behind feed-forward", count)


def _experts(work: Pass, group: Layers) -> Iterator[Operation]:
    part, count, layout = group.feed_forward, group.count, work.setting.layout
    width, precisions = work.setting.model.width, work.setting.precisions
    yield work.product(
        "router",
        count,
        "head",
        tokens=work.own_tokens / layout.tensor,
        params=part.router,
        inputs=width,
        outputs=part.experts,
    )
    spread = anywhere(layout.data > 1)
    if spread:
        yield work.exchange("dispatch", count, part, precisions.dispatch_bytes)
    if anywhere(part.shared > 0):
        yield _shared(work, group, "shared experts", "dispatch" if spread else "experts")
    woken = chosen_share(work.tokens, part.experts, part.experts_per_token)
    pairs = work.tokens * part.experts_per_token / layout.expert
    yield work.product(
        "experts",
        count,
        "experts",
        tokens=pairs,
        params=part.expert / layout.expert_chips,
        read=placed_experts(part, layout) * woken * part.expert,
        inputs=2 * width,
        outputs=2 * part.expert_hidden / layout.expert_chips,
    )
    if spread:
        yield work.exchange("combine", count, part, precisions.combine_bytes)


def _shared(work: Pass, group: Layers, name: str, beside: str) -> Operation:
    part, tensor = group.feed_forward, work.setting.layout.tensor
    return work.product(
        name,
        group.count,
        "shared",
        tokens=work.own_tokens,
        params=part.shared / tensor,
        inputs=2 * work.setting.model.width,
        outputs=2 * part.shared_hidden / tensor,
        beside=beside,
    )
