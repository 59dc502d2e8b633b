"""How far each kind of parallelism goes before its sending takes longer than its arithmetic; both overlapping.

In training the gradients of n copies are summed once a step, behind a backward pass of 4 operations a parameter and
token; fully sharded weights are gathered for both passes as well. In a forward pass tensor chips sum twice a layer.
The limits are for many chips; what a sum sends, 2 (n - 1) / n of its bytes, is taken as 2.

Symbols: F FLOP/s and b link bytes/s of a chip, p parameters of a layer, d width, s total over active parameters.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import AtLeastOne, Count, Positive, Quantity, checked


@checked
def most_tensor_chips(
    layer_params: Positive,
    width: Positive,
    *,
    flops: Positive,
    link_bandwidth: Positive,
    activation_bytes: Positive = 2.0,
    sums_per_layer: Count = 2.0,
) -> Quantity:
    """Tensor chips up to which the sums take no longer than the products: t = 1 + p b / (sums d bytes F).

    The batch cancels: each token brings its products and its sums.

    >>> round(most_tensor_chips(855.6e6, 8192, flops=1.979e15, link_bandwidth=450e9), 1)
    6.9
    """
    return 1 + layer_params * link_bandwidth / (sums_per_layer * width * activation_bytes * flops)


@checked
def least_tokens_data_parallel(
    *,
    flops: Positive,
    link_bandwidth: Positive,
    gradient_bytes: Positive = 2.0,
    sparsity: AtLeastOne = 1.0,
) -> Quantity:
    """Tokens a chip and step above which the sum of gradients hides behind the backward pass: s bytes F / 2 b.

    >>> least_tokens_data_parallel(flops=1e15, link_bandwidth=50e9)
    20000.0
    """
    return sparsity * gradient_bytes * flops / (2 * link_bandwidth)


@checked
def least_tokens_fully_sharded(
    *,
    flops: Positive,
    link_bandwidth: Positive,
    weight_bytes: Positive = 2.0,
    gradient_bytes: Positive = 2.0,
    sparsity: AtLeastOne = 1.0,
) -> Quantity:
    """Tokens a chip and step above which gathering weights hides too: the larger of both passes' limits.

    Forward, weights in 2 operations a token: s bytes F / 2 b. Backward, weights and gradients in 4.

    >>> least_tokens_fully_sharded(flops=1e15, link_bandwidth=50e9)
    20000.0
    """
    scale = sparsity * flops / link_bandwidth
    return scale * np.maximum(weight_bytes / 2, (weight_bytes + gradient_bytes) / 4)
