"""One layer's attention, of any kind, as the numbers that a step needs.

All kinds are one record. Beyond its window a layer keeps one entry for `compression` tokens and attends to the best
`top_k` entries: full attention compresses nothing and takes all, a sliding window keeps nothing beyond itself, linear
attention keeps a state instead. Norms, biases, sinks and rotations are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Count, NonNegative, Positive, Quantity, Whole, checked
from calc.quantities.errors import OutOfRange
from calc.setting.numbers import require_numbers

GROUPED, LATENT, WINDOW, SPARSE, COMPRESSED, LINEAR = "grouped", "latent", "window", "sparse", "compressed", "linear"
WIDE = 2  # bytes of a number that carries a position


@dataclass(frozen=True, kw_only=True)
class Attention:
    """One layer of attention by what it holds, keeps and multiplies: parameters, numbers, and widths of heads.

    Parameters: `heads_in` and `heads_out` are split by heads, `shared_in` in at most `splits` parts, `replicated` is on
    every chip; `expansion` is the part of `heads_in` that turns a latent into keys and values. Kept: `entry` numbers
    for `compression` tokens, an index key of `index_dim`, a `state` of a sequence. Heads split a cache in `splits`.
    However narrow the cache is, `wide` numbers of an entry keep 16 bits, and an index key `index_bits` a number.
    """

    kind: str
    heads: Quantity
    heads_in: Quantity
    heads_out: Quantity
    shared_in: Quantity = 0.0
    replicated: Quantity = 0.0
    expansion: Quantity = 0.0
    splits: Quantity = 1.0
    key_dim: Quantity = 0.0
    value_dim: Quantity = 0.0
    expanded_dims: Quantity = 0.0
    entry: Quantity = 0.0
    compression: Quantity = 1.0
    top_k: Quantity = math.inf
    window: Quantity = 0.0
    index_heads: Quantity = 0.0
    index_dim: Quantity = 0.0
    index_bits: Quantity = 8.0
    wide: Quantity = 0.0
    state: Quantity = 0.0
    state_flops: Quantity = 0.0
    layers_per_cache: Quantity = 1.0

    def __post_init__(self) -> None:
        require_numbers(self, at_least_one=("heads", "splits", "compression", "layers_per_cache"))

    @property
    def params(self) -> Quantity:
        """Parameters of one layer."""
        return self.heads_in + self.shared_in + self.replicated + self.heads_out

    @property
    def flops_per_position(self) -> Quantity:
        """Operations of a token for one position that it attends to, with the cache as it is kept ("absorbed")."""
        return 2 * self.heads * (self.key_dim + self.value_dim)

    @property
    def expanded_flops_per_position(self) -> Quantity:
        """The same after a latent was expanded to keys and values of every head; without a latent, no different."""
        return 2 * self.heads * self.expanded_dims if self.kind == LATENT else self.flops_per_position

    def entry_bytes(self, number: float) -> Quantity:
        """Bytes of an entry, at so many bytes a number where it may be narrow."""
        return self.entry * number + self.wide * max(0.0, WIDE - number)

    @property
    def index_bytes(self) -> Quantity:
        """Bytes of an index key, its scales left out as those of entries are."""
        return self.index_dim * self.index_bits / 8

    @property
    def index_flops_per_entry(self) -> Quantity:
        """Operations of a token for one index key."""
        return 2 * self.index_heads * self.index_dim


@checked
def grouped(
    width: Count,
    heads: Count,
    kv_heads: Count,
    head_dim: Count,
    value_dim: Count | None = None,
    *,
    output_gate: bool = False,
    window: Whole = 0.0,
    layers_per_cache: Count = 1.0,
) -> Attention:
    """Plain heads over g key-value heads; with a `window`, over the last tokens alone.

    >>> layer = grouped(8192, 64, 8, 128)
    >>> layer.params, layer.entry, layer.flops_per_position
    (150994944.0, 2048.0, 32768.0)
    """
    if np.any(np.mod(heads, kv_heads)):
        raise OutOfRange("kv_heads", kv_heads, f"one that divides the heads, {heads}")
    value = head_dim if value_dim is None else value_dim
    queries, outputs = width * heads * head_dim, width * heads * value
    return Attention(
        kind=GROUPED,
        heads=heads,
        splits=kv_heads,
        heads_in=queries + outputs * output_gate,
        shared_in=width * kv_heads * (head_dim + value),
        heads_out=outputs,
        key_dim=head_dim,
        value_dim=value,
        entry=kv_heads * (head_dim + value),
        compression=math.inf if window else 1.0,
        window=window,
        layers_per_cache=layers_per_cache,
    )


@checked
def latent(
    width: Count,
    heads: Count,
    latent_dim: Count,
    positional_dim: Count,
    key_dim: Count,
    value_dim: Count,
    *,
    query_latent: Whole = 0.0,
    index_heads: Whole = 0.0,
    index_dim: Whole = 0.0,
    index_bits: Positive = 8.0,
    top_k: Count | None = None,
) -> Attention:
    """Latent attention (MLA): r + p numbers for all heads together; `key_dim` is a head's without its position.

    With an index, a token attends to the best `top_k` positions alone, and positional numbers keep 16 bits.
    Projections down to a latent, and the index, are on every chip of a tensor group.

    >>> layer = latent(7168, 128, 512, 64, 128, 128, query_latent=1536)
    >>> layer.params, layer.entry, layer.flops_per_position, layer.expanded_flops_per_position
    (187105280.0, 576.0, 278528.0, 81920.0)
    """
    queries = heads * (key_dim + positional_dim)
    expansion = latent_dim * heads * (key_dim + value_dim)
    down = width * (query_latent + latent_dim + positional_dim)
    index = (query_latent or width) * index_heads * index_dim + width * (index_dim + index_heads)
    return Attention(
        kind=LATENT,
        heads=heads,
        heads_in=(query_latent or width) * queries + expansion,
        heads_out=width * heads * value_dim,
        replicated=down + index,
        expansion=expansion,
        key_dim=latent_dim + positional_dim,
        value_dim=latent_dim,
        expanded_dims=key_dim + positional_dim + value_dim,
        entry=latent_dim + positional_dim,
        top_k=math.inf if top_k is None else top_k,
        index_heads=index_heads,
        index_dim=index_dim,
        index_bits=index_bits,
        wide=0.0 if top_k is None else positional_dim,
    )


@checked
def compressed(
    width: Count,
    heads: Count,
    head_dim: Count,
    window: Whole,
    *,
    compression: Count | None = None,
    query_latent: Count,
    output_latent: Count,
    output_groups: Count,
    positional_dim: Whole = 0.0,
    overlap: Count = 1.0,
    index_heads: Whole = 0.0,
    index_dim: Whole = 0.0,
    index_bits: Positive = 4.0,
    top_k: Count | None = None,
) -> Attention:
    """One vector, key and value at once, for several tokens, beside a window of the last ones as they are.

    Without a compression only the window is there. `overlap` is of how many blocks an entry is made.
    `positional_dim` of its numbers carry the position and keep 16 bits. The output is projected by groups of heads
    through a latent.

    >>> layer = compressed(4096, 64, 512, 128, compression=128, query_latent=1024, output_latent=1024, output_groups=8)
    >>> layer.params / 1e6, layer.entry, layer.flops_per_position
    (111.149056, 512.0, 131072.0)
    """
    makes = 0.0 if compression is None else 2 * overlap * width * (head_dim + index_dim)
    index = query_latent * index_heads * index_dim + width * index_heads
    return Attention(
        kind=COMPRESSED,
        heads=heads,
        heads_in=query_latent * heads * head_dim,
        heads_out=heads * head_dim * output_latent + output_groups * output_latent * width,
        replicated=width * (query_latent + head_dim) + makes + index,
        key_dim=head_dim,
        value_dim=head_dim,
        entry=head_dim,
        compression=math.inf if compression is None else compression,
        window=window,
        top_k=math.inf if top_k is None else top_k,
        index_heads=index_heads,
        index_dim=index_dim,
        index_bits=index_bits,
        wide=positional_dim,
    )


@checked
def linear(
    width: Count, key_heads: Count, key_dim: Count, value_heads: Count, value_dim: Count, convolution: NonNegative
) -> Attention:
    """A gated delta rule: a state of key x value numbers for each value head, and the last inputs of a convolution.

    A token reads the state, corrects it and reads it again: three products of key x value a head.

    >>> layer = linear(4096, 16, 128, 64, 128, 4)
    >>> round(layer.params / 1e6, 1), layer.state, layer.state_flops
    (118.0, 1085440.0, 6291456.0)
    """
    keys, values = 2 * key_heads * key_dim, value_heads * value_dim
    area = value_heads * key_dim * value_dim
    return Attention(
        kind=LINEAR,
        heads=value_heads,
        splits=value_heads,
        heads_in=width * (keys + 2 * values + 2 * value_heads) + convolution * (keys + values),
        heads_out=values * width,
        compression=math.inf,
        state=area + max(0.0, convolution - 1) * (keys + values),
        state_flops=6 * area,
    )
