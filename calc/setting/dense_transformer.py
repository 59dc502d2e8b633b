"""The usual dense transformer in one call, from the numbers of its configuration."""

from __future__ import annotations

from calc.quantities.check import Count, Positive, Quantity, checked
from calc.setting.attention_layer import grouped
from calc.setting.feed_forward import dense
from calc.setting.layers import Architecture, Layers


@checked
def transformer(
    layers: Count,
    width: Count,
    hidden: Count,
    heads: Count,
    kv_heads: Count,
    head_dim: Count,
    vocabulary: Count,
    *,
    tied: bool = False,
    name: str = "a transformer",
) -> Architecture:
    """Equal layers of grouped attention and a gated feed-forward part, with their tables of embeddings.

    l (2 d h d_h + 2 d g d_h + 3 d hidden) + 2 V d parameters, the table once where the head is tied to it.

    >>> model = transformer(80, 8192, 28672, 64, 8, 128, 128256)
    >>> round(model.params / 1e9, 1), round(model.attention_share, 2)
    (70.6, 0.17)
    """
    group = Layers(layers, grouped(width, heads, kv_heads, head_dim), dense(width, hidden))
    return Architecture(name=name, width=width, vocabulary=vocabulary, layers=(group,), tied=tied)


@checked
def cache_bytes_per_token(
    layers: Count, kv_heads: Count, head_dim: Count, bytes_per_number: Positive = 2.0
) -> Quantity:
    """Bytes that a token adds to the cache of grouped attention: 2 l g d_h bytes.

    >>> cache_bytes_per_token(80, 8, 128)
    327680.0
    """
    return 2 * layers * kv_heads * head_dim * bytes_per_number
