"""The operations of one group's attention: projections, attention proper, what follows it, and the sum over chips."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from calc.quantities.arithmetic import anywhere
from calc.quantities.check import Quantity
from calc.setting import Attention, Layers, cache
from calc.setting.split import attention_params, cache_ways
from calc.step.operation import Operation
from calc.step.parts import Pass
from calc.step.requests import Requests


def attention_operations(work: Pass, group: Layers) -> Iterator[Operation]:
    """Projections before, the index, attention proper, the projection behind, and the sum over tensor chips."""
    at, count, width = group.attention, group.count, work.setting.model.width
    layout = work.setting.layout
    before, behind = attention_params(at, layout)
    by_heads = np.minimum(layout.tensor, at.heads)
    queries, values = at.heads * at.key_dim / by_heads, at.heads * at.value_dim / by_heads
    tokens = work.own_tokens
    yield work.product(
        "projections", count, "attention", tokens=tokens, params=before, inputs=width, outputs=queries + at.entry
    )
    if anywhere(at.index_heads > 0):
        yield _index(work, group)
    yield _attention(work, group, queries + values)
    if anywhere(layout.context > 1):
        yield work.merge(count, at.heads * at.value_dim / layout.tensor * layout.context)
    yield work.product(
        "output projection", count, "attention", tokens=tokens, params=behind, inputs=values, outputs=width
    )
    if anywhere(layout.tensor > 1):
        yield work.all_reduce("all-reduce behind attention", count)


def sequence_attention_flops(at: Attention, requests: Requests) -> Quantity:
    """Operations of one sequence's attention in one layer, in the form that takes fewer, its state included.

    As it is kept, each position costs 2 h (key + value); a latent can be expanded first, once for what is cached.
    """
    entries = cache.attended_entries(at, requests.new, requests.context)
    kept = entries * at.flops_per_position
    expanded = entries * at.expanded_flops_per_position + 2 * at.expansion * requests.context
    return np.minimum(kept, expanded) + requests.new * at.state_flops


def cache_read_bytes(at: Attention, requests: Requests, sequences: Quantity, number: float) -> Quantity:
    """Bytes of one layer's cache that so many sequences read: what they share once, and each what it has alone."""
    each = cache.read_bytes(at, requests.context, requests.new, number)
    if not anywhere(requests.shared > 0):
        return sequences * each
    alone = cache.read_bytes(at, requests.context, requests.new, number, requests.shared)
    together = cache.read_bytes(at, requests.shared, sequences * requests.new, number)
    found: Quantity = np.minimum(sequences * each, sequences * alone + together)
    return found


def _index_bytes(at: Attention, requests: Requests, sequences: Quantity) -> Quantity:
    """Index keys among the bytes read."""
    once = np.minimum(sequences, 1) * requests.shared
    return (sequences * (requests.context - requests.shared) + once) / at.compression * at.index_bytes


def _index(work: Pass, group: Layers) -> Operation:
    at, precisions, machine = group.attention, work.setting.precisions, work.setting.machine
    ways, layout = np.minimum(work.setting.layout.tensor, at.index_heads), work.setting.layout
    flops = sum(
        own * cache.indexed_entries(at, each.new, each.context) * at.index_flops_per_entry for each, own in work.fullest
    )
    keys = sum(_index_bytes(at, each, own) for each, own in work.fullest) / layout.context
    return Operation(
        name="index",
        layers=group.count,
        flops=group.count * flops / ways,
        cache=group.count * keys,
        launches=group.count,
        flops_per_second=machine.flops(precisions.attention_products),
        memory_bytes_per_second=machine.bandwidth,
    )


def _attention(work: Pass, group: Layers, handed: Quantity) -> Operation:
    at, count, precisions = group.attention, group.count, work.setting.precisions
    layout, machine = work.setting.layout, work.setting.machine
    by_heads = np.minimum(layout.tensor, at.heads)
    flops = sum(own * sequence_attention_flops(at, each) for each, own in work.fullest)
    number = precisions.cache_bytes
    read = sum(cache_read_bytes(at, each, own, number) - _index_bytes(at, each, own) for each, own in work.fullest)
    entry = at.entry_bytes(number)
    written = work.own_tokens * ((entry + at.index_bytes) / at.compression + entry * np.minimum(at.window, 1))
    states = sum(own for _, own in work.fullest) * at.state / by_heads
    return Operation(
        name="attention",
        layers=count,
        flops=count * flops / by_heads,
        cache=count * (read + written) / cache_ways(at, layout),
        state=count * 2 * states * precisions.state_bytes,
        activations=count * work.own_tokens * handed * precisions.activation_bytes,
        launches=count,
        flops_per_second=machine.flops(precisions.attention_products),
        memory_bytes_per_second=machine.bandwidth,
    )
