"""Bytes that a layer keeps of a sequence and reads for new tokens, and what it attends to: three, and they differ.

Kept and read differ where layers share a cache (kept once, read by each) and where attention selects (all kept, the
best read). Symbols: L tokens before, n new ones, c tokens in an entry, w window, k entries selected.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import NonNegative, Quantity, checked
from calc.setting.attention_layer import Attention


@checked
def attended(new: NonNegative, before: NonNegative, most: NonNegative | None = None) -> Quantity:
    """Positions that n tokens attend to in turn, each itself included and none more than `most`.

    Without a limit n L + n (n + 1) / 2; with one, the sum of min(L + i, most).

    >>> attended(4, 10), attended(4, 10, 12), attended(1, 99, 16)
    (50.0, 47.0, 16.0)
    """
    return positions(new, before, np.inf if most is None else most)


def positions(new: Quantity, before: Quantity, most: Quantity) -> Quantity:
    """`attended` without its checks, where `most` may be infinite."""
    rising = np.minimum(new, np.maximum(0.0, np.subtract(most, before)))
    flat = (new - rising) * np.minimum(most, 1e18)
    found: Quantity = rising * before + rising * (rising + 1) / 2 + flat
    return found


def kept_bytes(attention: Attention, context: Quantity, number: float) -> Quantity:
    """Bytes that a layer keeps of a sequence of L tokens: entries, index keys and window, shared among layers.

    An entry has `number` bytes a number, where it may be so narrow.
    """
    entry, entries = attention.entry_bytes(number), context / attention.compression
    held = entries * (entry + attention.index_bytes) + np.minimum(context, attention.window) * entry
    return held / attention.layers_per_cache


def read_bytes(
    attention: Attention, context: Quantity, new: Quantity, number: float, shared: Quantity = 0.0
) -> Quantity:
    """Bytes that a layer reads of a sequence of L tokens for n new ones, the first `shared` of them left out.

    All index keys, the entries that any of the n selects, and the window; once for all n.
    """
    entries = (context - shared) / attention.compression
    chosen = np.minimum(entries, new * attention.top_k)
    near = np.minimum(context - shared, attention.window)
    found: Quantity = entries * attention.index_bytes + (chosen + near) * attention.entry_bytes(number)
    return found


def attended_entries(attention: Attention, new: Quantity, before: Quantity) -> Quantity:
    """Entries that n tokens attend to in turn: the best k of those beyond, and the window."""
    limit = attention.top_k * attention.compression
    beyond = positions(new, before, limit) / attention.compression
    return beyond + positions(new, before, attention.window)


def indexed_entries(attention: Attention, new: Quantity, before: Quantity) -> Quantity:
    """Index keys that n tokens are compared with in turn."""
    return positions(new, before, np.inf) / attention.compression
