"""Attention that does not read everything, and how what it reads grows with the context.

Two ways to choose. Block selection looks at one summary per block of b tokens and reads the k best blocks; the best
block length grows with the square root of the context, and so does the reading. An indexer looks at a small key of
every token and reads a fixed number of tokens: constant plus linear, with a gentler slope. Neither count says anything
of what is lost in quality, and both leave out the time to rank.

Symbols: L context (tokens), b tokens per block, k blocks kept, s size of a block's summary in tokens' worth of cache.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import AtLeastOne, NonNegative, Positive, Quantity, checked
from calc.quantities.errors import OutOfRange


@checked
def block_reads(context: Positive, block: Positive, blocks_kept: Positive, summary_size: Positive = 1.0) -> Quantity:
    """Tokens' worth of cache read per new token with block selection: s L / b + k b, which at best grows as sqrt(L).

    Where the kept blocks cover the context there is nothing to choose: L, and no summaries.

    >>> block_reads(10_000, 100, 1), block_reads(10_000, 100, 100)
    (200.0, 10000.0)
    """
    chosen = summary_size * context / block + blocks_kept * block
    covered = np.asarray(blocks_kept) * block >= context
    return np.where(covered, context, chosen)


@checked
def best_block(context: Positive, blocks_kept: Positive, summary_size: Positive = 1.0) -> Quantity:
    """Block length, in tokens, at which block selection reads least: sqrt(s L / k), reading 2 sqrt(s k L).

    >>> best_block(10_000, 4)
    50.0
    """
    return np.sqrt(summary_size * context / blocks_kept)


@checked
def indexed_bytes(
    context: NonNegative, *, index_bytes: Positive, kept_tokens: Positive, kv_bytes: Positive
) -> Quantity:
    """Bytes that one layer reads per new token with an indexer: L x index + min(L, kept) x kv.

    DeepSeek-V3.2 (2025) keeps 2048 tokens and stores 132 bytes of index beside 656 bytes of latent per token and layer.

    >>> indexed_bytes(10_000, index_bytes=100, kept_tokens=2000, kv_bytes=500)
    2000000.0
    """
    return context * index_bytes + np.minimum(context, kept_tokens) * kv_bytes


@checked
def indexed_saving(context: Positive, *, index_bytes: Positive, kept_tokens: Positive, kv_bytes: Positive) -> Quantity:
    """How many times less is read than with full attention: L kv / indexed bytes. It never exceeds kv / index.

    Below 1 for a context that is kept whole, where the index is read in addition.

    >>> indexed_saving(10_000, index_bytes=100, kept_tokens=2000, kv_bytes=500)
    2.5
    """
    read = indexed_bytes(context, index_bytes=index_bytes, kept_tokens=kept_tokens, kv_bytes=kv_bytes)
    return context * kv_bytes / read


@checked
def indexed_flops(
    context: NonNegative, *, index_flops: Positive, kept_tokens: Positive, attention_flops: Positive
) -> Quantity:
    """Operations of one layer per new token with an indexer: L x index + min(L, kept) x attention, each per position.

    >>> indexed_flops(10_000, index_flops=100, kept_tokens=2000, attention_flops=500)
    2000000.0
    """
    return context * index_flops + np.minimum(context, kept_tokens) * attention_flops


@checked
def growth_exponent(before: Positive, after: Positive, factor: AtLeastOne = 2.0) -> Quantity:
    """Exponent a of a cost ~ L^a that went from `before` to `after` as the context grew by `factor`: log / log.

    0 for constant, 1/2 for square root, 1 for linear, 2 for quadratic.

    >>> growth_exponent(100, 400), growth_exponent(100, 200, factor=4)
    (2.0, 0.5)
    """
    if np.any(np.asarray(factor) <= 1):
        raise OutOfRange("factor", factor, "above 1: without growth there is no exponent")
    exponent: Quantity = np.log(np.divide(after, before)) / np.log(factor)
    return exponent
