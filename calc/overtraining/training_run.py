"""A training run of your own: what it takes, in hours and in memory.

Operations come from `calc.overtraining`, or from `calc.overtraining.reinforcement` for a policy that learns from
experience. Times are lower bounds unless you grant a utilisation that somebody measured. State in memory is counted as
in mixed-precision training with Adam (Rajbhandari et al., 2020): two bytes a parameter for the weights, two for the
gradient, twelve for the optimiser. Activations are those of a transformer (Korthikanti et al., 2022).

Symbols: C operations, N parameters, F dense FLOP/s, u utilisation. Left out: communication, buffers, fragmentation.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.arithmetic import HOUR
from calc.quantities.check import Count, NonNegative, Positive, PositiveShare, Quantity, Whole, checked
from calc.quantities.errors import UnknownName

WEIGHT_BYTES = 2.0
GRADIENT_BYTES = 2.0
OPTIMISER_BYTES = 12.0
STATE_BYTES = 2.0
LOGIT_BYTES = {"pieces": 0.0, "compiled": 8.0, "whole": 14.0}
"""Bytes held at once for each logit, by the way in which the loss is taken.

Taken whole, a logit is there as it is multiplied (2), in 32 bits (4), as a log-probability (4) and as a gradient (4);
a compiled loss needs 8. Both are what Wijmans et al. (2025) measured, in their Table 1: 28,000 and 16,000 MiB for 8,192
tokens and 256,000 entries. In pieces they measured next to nothing beside the gradient of the weights.
"""


@checked
def run_seconds(operations: NonNegative, flops: Positive, utilisation: PositiveShare = 1.0) -> Quantity:
    """Time of a run that keeps a share u of the multipliers busy: C / (F u) seconds, a lower bound at u = 1.

    >>> run_seconds(3.6e18, 1e15, 0.5)
    7200.0
    """
    return operations / flops / utilisation


@checked
def chip_hours(operations: NonNegative, chip_flops: Positive, utilisation: PositiveShare = 1.0) -> Quantity:
    """Chip-hours of a run, however many chips share it: C / (3600 F u), with the rate F of one chip.

    >>> chip_hours(3.6e18, 1e15, 0.5)
    2.0
    """
    return operations / chip_flops / utilisation / HOUR


@checked
def achieved_utilisation(operations: NonNegative, chip_flops: Positive, reported_chip_hours: Positive) -> Quantity:
    """Share of the multipliers that a reported run kept busy (MFU): C / (F x 3600 x chip-hours).

    >>> achieved_utilisation(3.6e18, 1e15, 4)
    0.25
    """
    return operations / chip_flops / reported_chip_hours / HOUR


@checked
def model_state_bytes(
    params: Positive,
    weight_bytes: NonNegative = WEIGHT_BYTES,
    gradient_bytes: NonNegative = GRADIENT_BYTES,
    optimiser_bytes: NonNegative = OPTIMISER_BYTES,
) -> Quantity:
    """Bytes of weights, gradients and optimiser: 16 N with Adam in mixed precision (Rajbhandari et al., 2020).

    >>> model_state_bytes(7.5e9)
    120000000000.0
    """
    return params * (weight_bytes + gradient_bytes + optimiser_bytes)


@checked
def sharded_state_bytes(params: Positive, replicas: Count, sharded: str = "everything") -> Quantity:
    """Bytes of state on each of the chips that train the same model on different data (ZeRO, Rajbhandari et al., 2020).

    `sharded` names what is divided among the replicas: nothing, optimiser, gradients (and the optimiser), everything.

    >>> sharded_state_bytes(7.5e9, 64) / 1e9
    1.875
    """
    parts = (OPTIMISER_BYTES, GRADIENT_BYTES, WEIGHT_BYTES)
    stages = ("nothing", "optimiser", "gradients", "everything")
    if sharded not in stages:
        raise UnknownName("sharded", sharded, stages)
    stage = stages.index(sharded)
    return params * (sum(parts[stage:]) + sum(parts[:stage]) / replicas)


@checked
def record_bytes(tokens: Positive, width: Positive, heads: Whole = 0.0, sequence: NonNegative = 0.0) -> Quantity:
    """Bytes that one transformer layer in 16-bit training keeps for its backward pass: t h (34 + 5 a s / h).

    Korthikanti et al. (2022), Eq. 1, with t tokens, width h, a heads, sequences of s tokens. The second term is the
    matrix of attention scores; kernels that compute it again (FlashAttention) are given with `heads` 0.

    >>> record_bytes(2048, 12288, heads=96, sequence=2048) / (2048 * 12288)
    114.0
    """
    return np.asarray(tokens * (34 * np.asarray(width) + 5 * np.asarray(heads) * sequence))


@checked
def gated_record_bytes(tokens: Positive, width: Positive, hidden: Positive, keys_values: Positive) -> Quantity:
    """Bytes that a layer with a gated feed-forward part keeps in 16-bit training: 2 t (6 h + kv + 4 m).

    The count of `record_bytes` for such a layer, without dropout: what enters and what leaves two norms, the queries
    and what attention hands on (h each), keys and values (kv in all), and gate, gate passed through its function, other
    branch and product (m each). A kernel that makes the second of these again keeps 2 t m less.

    >>> gated_record_bytes(1, 8192, 28672, 2048) / 8192
    40.5
    """
    numbers = 6 * np.asarray(width) + np.asarray(keys_values) + 4 * np.asarray(hidden)
    return np.asarray(2 * np.asarray(tokens) * numbers)


@checked
def halved_record_bytes(tokens: Positive, width: Positive, hidden: Positive, keys_values: Positive) -> Quantity:
    """Bytes that such a layer keeps if every second product is computed again: 2 t (4 h + kv / 2 + m).

    PyTorch's trainers call it selective checkpointing by operation. They keep the first, third, fifth and seventh
    product, for queries, values, gate and result, beside what enters the layer and what attention hands on.

    >>> halved_record_bytes(1, 8192, 28672, 2048)
    124928.0
    >>> gated_record_bytes(1, 8192, 28672, 2048)
    331776.0
    """
    numbers = 4 * np.asarray(width) + np.asarray(keys_values) / 2 + np.asarray(hidden)
    return np.asarray(2 * np.asarray(tokens) * numbers)


@checked
def activation_bytes(
    tokens: Positive, width: Positive, layers: Count, *, context: Positive, heads: Count, kept: str = "everything"
) -> Quantity:
    """Bytes of activations that a transformer keeps for the backward pass (Korthikanti et al., 2022, 16-bit).

    tokens x width x layers x (34 + 5 heads x context / width). `kept` is everything, linear (the attention matrices
    are computed again: 34) or inputs (each layer is: 2).

    >>> activation_bytes(1000, 1000, 10, context=1000, heads=10, kept="linear")
    340000000.0
    """
    ways: dict[str, Quantity] = {
        "everything": record_bytes(tokens, width, heads, context),
        "linear": record_bytes(tokens, width),
        "inputs": STATE_BYTES * tokens * width,
    }
    if kept not in ways:
        raise UnknownName("kept", kept, ways)
    return layers * ways[kept]


@checked
def logit_bytes(tokens: Positive, vocabulary: Count, loss: str = "whole") -> Quantity:
    """Bytes of the logits while the loss is taken whole, by a compiled loss, or in pieces.

    >>> logit_bytes(8192, 256_000) / 2**20, logit_bytes(8192, 256_000, "compiled") / 2**20
    (28000.0, 16000.0)
    """
    if loss not in LOGIT_BYTES:
        raise UnknownName("loss", loss, LOGIT_BYTES)
    return LOGIT_BYTES[loss] * np.asarray(tokens) * vocabulary


@dataclass(frozen=True)
class TransformerShape:
    """Width and number of layers of a transformer, as real numbers."""

    width: Quantity
    layers: Quantity


@checked
def usual_shape(params: Positive, width_per_layer: Positive = 128.0) -> TransformerShape:
    """Shape of a transformer of N parameters without embeddings: N = 12 layers x width^2 (Kaplan et al., 2020).

    The ratio of width to layers is 128 in GPT-3, and little depends on it.

    >>> shape = usual_shape(96e9, 125)
    >>> f"{shape.layers:.6g} layers of width {shape.width:.6g}"
    '80 layers of width 10000'
    """
    size = (params / 12) ** (1 / 3)
    return TransformerShape(size * width_per_layer ** (1 / 3), size / width_per_layer ** (2 / 3))


@checked
def largest_trainable(
    memory_bytes: Positive, bytes_per_param: Positive = WEIGHT_BYTES + GRADIENT_BYTES + OPTIMISER_BYTES
) -> Quantity:
    """Parameters whose state alone fills a memory: bytes / 16. An upper bound: activations come on top.

    >>> largest_trainable(80e9)
    5000000000.0
    """
    return memory_bytes / bytes_per_param
