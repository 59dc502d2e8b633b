"""Costs of a token of context: bytes of cache, bytes to read, operations to attend.

A layer keeps something for every token that it may attend to, reads all of it for every new token, and multiplies each
of its heads' queries with it. Both grow with the context while the weights do not, so at some length attention
overtakes them. Projections and feed-forward layers are in the parameter count; softmax, norms and rotations are left
out.

Symbols: L context and n new tokens, l layers, h query heads, g key-value heads, d width of a head, r latent and p
positional width of latent attention (MLA), N_a active parameters. A multiply-add is two operations.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import AtLeastOne, Count, NonNegative, Positive, Quantity, Whole, checked
from calc.quantities.errors import OutOfRange


@checked
def grouped_elements(kv_heads: Count, head_dim: Count) -> Quantity:
    """Numbers that one layer keeps per token with keys and values: 2 g d.

    Multi-head attention has as many key-value heads as query heads; grouped-query attention fewer (Ainslie et al.,
    2023); multi-query attention one (Shazeer, 2019).

    >>> grouped_elements(8, 128)
    2048.0
    """
    return 2 * kv_heads * head_dim


@checked
def latent_elements(latent_dim: Count, positional_dim: Whole) -> Quantity:
    """Numbers that one layer keeps per token with latent attention: r + p, for all heads together (DeepSeek-V2, 2024).

    >>> latent_elements(512, 64)
    576.0
    """
    return latent_dim + positional_dim


@checked
def attended_positions(
    context: NonNegative, full_layers: Whole, window_layers: Whole = 0.0, window: Whole = 0.0
) -> Quantity:
    """Positions that one token attends to, over all layers: l_full L + l_window min(L, window).

    >>> attended_positions(10_000, 10, 50, 1000), attended_positions(500, 10, 50, 1000)
    (150000.0, 30000.0)
    """
    return full_layers * context + window_layers * np.minimum(context, window)


@checked
def cache_elements(
    positions: NonNegative, elements_per_layer: Positive, layers_per_cache: AtLeastOne = 1.0
) -> Quantity:
    """Numbers in the cache of one sequence: attended positions x numbers per layer, shared by groups of layers.

    Sharing one cache among neighbouring layers divides what is stored (cross-layer attention, Brandon et al., 2024).

    >>> cache_elements(attended_positions(1000, 32), grouped_elements(8, 128), 2)
    32768000.0
    """
    return positions * elements_per_layer / layers_per_cache


@checked
def cache_reduction(
    context: Positive,
    *,
    layers: Count,
    full_layers: Whole,
    window: Whole,
    head_sharing: AtLeastOne = 1.0,
    layer_sharing: AtLeastOne = 1.0,
    precision_ratio: Positive = 1.0,
) -> Quantity:
    """How many times smaller a cache becomes by sharing heads, by windows, by sharing layers and by precision.

    The factors multiply; that of the windows, l L / (l_full L + l_window min(L, window)), depends on the context.

    >>> cache_reduction(10_000, layers=10, full_layers=1, window=1000, head_sharing=8, layer_sharing=2)
    84.21052631578948
    """
    if np.any(np.asarray(full_layers) > layers):
        raise OutOfRange("full_layers", full_layers, f"at most the number of layers, {layers}")
    if np.any((np.asarray(full_layers) == 0) & (np.asarray(window) == 0)):
        raise OutOfRange("window", window, "above 0 where no layer attends to everything")
    kept = attended_positions(context, full_layers, np.asarray(layers) - full_layers, window)
    return layers * context / kept * head_sharing * layer_sharing * precision_ratio


@checked
def attention_flops(positions: NonNegative, heads: Count, key_dim: Count, value_dim: Count) -> Quantity:
    """Operations with which one new token attends to so many positions: 2 h (d_key + d_value) per position.

    Plain heads are d wide on both sides. Latent attention in decode multiplies with the latent itself, key r + p and
    value r wide ("absorbed"); in prefill it first expands the latent to ordinary heads.

    >>> attention_flops(attended_positions(1000, 32), heads=32, key_dim=128, value_dim=128)
    524288000.0
    """
    return 2 * heads * (key_dim + value_dim) * positions


@checked
def expanding_pays_from(latent_dim: Count, head_dims: Count) -> Quantity:
    """New tokens from which on a latent is expanded with less work than it is absorbed: r s / (2 r - s).

    s is the width of a head's key and value together, its position aside. A head absorbs with 2 r multiplications for
    each pair of a new and a kept token; it expands a kept token once, in r s, and then takes s for each new one.

    >>> expanding_pays_from(512, 256), expanding_pays_from(100, 200)
    (170.66666666666666, inf)
    """
    saved = np.asarray(2.0 * latent_dim - head_dims)
    return np.where(saved > 0, latent_dim * head_dims / np.where(saved > 0, saved, 1.0), np.inf)[()]


@checked
def attention_to_weights(attention_flops: NonNegative, active_params: Positive) -> Quantity:
    """Operations of attention over those with the weights, for one token: attention / 2 N_a.

    >>> attention_to_weights(5e8, 1e9)
    0.25
    """
    return attention_flops / (2 * active_params)


@checked
def overtaking_context(
    active_params: Positive, flops_per_context_token: Positive, window_flops: NonNegative = 0.0
) -> Quantity:
    """Context at which a token's attention takes as many operations as the weights: (2 N_a - c_window) / c, at least 0.

    `flops_per_context_token` c is what one more token of context adds; `window_flops` what full windows take in any
    case. A whole prompt, whose tokens see half of it on average, spends the same on both at twice this length.

    >>> overtaking_context(50e9, 5e6)
    20000.0
    """
    return np.maximum(0.0, np.asarray(2 * active_params - window_flops) / flops_per_context_token)


@checked
def attended_tokens(new: NonNegative, before: NonNegative = 0.0) -> Quantity:
    """Tokens that `new` tokens attend to in turn, each itself included: n L + n (n + 1) / 2, quadratic in n.

    Times operations or bytes per token of context, it is the work of a prefill, or the cache that a generation reads.

    >>> attended_tokens(4), attended_tokens(4, before=10)
    (10.0, 50.0)
    """
    return new * before + new * (new + 1) / 2


@checked
def prefill_flops(
    prompt: NonNegative, active_params: Positive, flops_per_context_token: NonNegative, cached: NonNegative = 0.0
) -> Quantity:
    """Operations to read a prompt of n tokens after L cached ones: n (2 N_a + c (L + (n + 1) / 2)).

    >>> prefill_flops(1000, 1e9, 1e6)
    2500500000000.0
    """
    mean_context = cached + (prompt + 1) / 2
    return prompt * (2 * active_params + flops_per_context_token * mean_context)


@checked
def multiplies_per_element(
    heads: Count, key_dim: Count, value_dim: Count, elements_per_layer: Count, tokens_at_once: Count = 1.0
) -> Quantity:
    """Multiplications for each number read from the cache: h (d_key + d_value) x tokens / elements, without unit.

    Beside a chip's hardware ratio it tells what limits attention: below, the reading; above, the multiplying. It is the
    group size h / g for grouped heads, and grows with the tokens that share one reading (prefill, speculation).

    >>> multiplies_per_element(64, 128, 128, grouped_elements(8, 128))
    8.0
    """
    return heads * (key_dim + value_dim) * tokens_at_once / elements_per_layer
