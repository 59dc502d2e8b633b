"""Lecture 5: the same accounting for a run of your own, from a small robot policy to a frontier model.

What does a training run take in operations, in hours and in memory, and from which size on does memory decide? Times
are lower bounds: the chip does what its data sheet says, apart from the utilisation that you grant it. State in memory
is counted as in mixed-precision training with Adam (Rajbhandari et al., 2020): two bytes a parameter for the weights,
two for the gradient, twelve for the optimiser. Activations are those of a transformer (Korthikanti et al., 2022).

Symbols: N parameters, F dense FLOP/s of all chips together, w memory bandwidth in bytes/s, S samples (one step of one
environment, one token), e epochs (times that a sample is learned from). Left out: kernels that are too small to fill a
chip, which is what really limits a small policy; communication; convolutions, whose operations are not 2 N.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.batching import HOUR, compute_seconds
from calc.check import Count, NonNegative, Positive, PositiveShare, Quantity, checked
from calc.errors import UnknownName
from calc.overtraining import inference_operations, training_operations

WEIGHT_BYTES = 2.0
GRADIENT_BYTES = 2.0
OPTIMISER_BYTES = 12.0


@checked
def run_seconds(operations: NonNegative, flops: Positive, utilisation: PositiveShare = 1.0) -> Quantity:
    """Time of a run that keeps a share u of the multipliers busy: C / (F u) seconds, a lower bound at u = 1.

    >>> run_seconds(3.6e18, 1e15, 0.5)
    7200.0
    """
    return operations / (flops * utilisation)


@checked
def chip_hours(operations: NonNegative, chip_flops: Positive, utilisation: PositiveShare = 1.0) -> Quantity:
    """Chip-hours of a run, however many chips share it: C / (3600 F u), with the rate F of one chip.

    >>> chip_hours(3.6e18, 1e15, 0.5)
    2.0
    """
    return operations / (chip_flops * utilisation) / HOUR


@checked
def achieved_utilisation(operations: NonNegative, chip_flops: Positive, reported_chip_hours: Positive) -> Quantity:
    """Share of the multipliers that a reported run kept busy (MFU): C / (F x 3600 x chip-hours).

    >>> achieved_utilisation(3.6e18, 1e15, 4)
    0.25
    """
    return operations / (chip_flops * reported_chip_hours * HOUR)


@checked
def state_bytes(
    params: Positive,
    weight_bytes: NonNegative = WEIGHT_BYTES,
    gradient_bytes: NonNegative = GRADIENT_BYTES,
    optimiser_bytes: NonNegative = OPTIMISER_BYTES,
) -> Quantity:
    """Bytes of weights, gradients and optimiser: 16 N with Adam in mixed precision (Rajbhandari et al., 2020).

    >>> state_bytes(7.5e9)
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
def activation_bytes(
    tokens: Positive, width: Positive, layers: Count, *, context: Positive, heads: Count, kept: str = "everything"
) -> Quantity:
    """Bytes of activations that a transformer keeps for the backward pass (Korthikanti et al., 2022, 16-bit).

    tokens x width x layers x (34 + 5 heads x context / width). `kept` is everything, linear (the attention matrices
    are computed again: 34) or inputs (each layer is: 2).

    >>> activation_bytes(1000, 1000, 10, context=1000, heads=10, kept="linear")
    340000000.0
    """
    ways = {"everything": 34 + 5 * heads * context / width, "linear": 34.0, "inputs": 2.0}
    if kept not in ways:
        raise UnknownName("kept", kept, ways)
    return tokens * width * layers * ways[kept]


@dataclass(frozen=True)
class Shape:
    """Width and number of layers of a transformer, as real numbers."""

    width: Quantity
    layers: Quantity


@checked
def usual_shape(params: Positive, width_per_layer: Positive = 128.0) -> Shape:
    """Shape of a transformer of N parameters without embeddings: N = 12 layers x width^2 (Kaplan et al., 2020).

    The ratio of width to layers is 128 in GPT-3, and little depends on it.

    >>> shape = usual_shape(96e9, 125)
    >>> f"{shape.layers:.6g} layers of width {shape.width:.6g}"
    '80 layers of width 10000'
    """
    layers = (params / (12 * width_per_layer**2)) ** (1 / 3)
    return Shape(width_per_layer * layers, layers)


@checked
def largest_trainable(
    memory_bytes: Positive, bytes_per_param: Positive = WEIGHT_BYTES + GRADIENT_BYTES + OPTIMISER_BYTES
) -> Quantity:
    """Parameters whose state alone fills a memory: bytes / 16. An upper bound: activations come on top.

    >>> largest_trainable(80e9)
    5000000000.0
    """
    return memory_bytes / bytes_per_param


@checked
def traffic_per_update(
    weight_bytes: NonNegative = WEIGHT_BYTES,
    gradient_bytes: NonNegative = GRADIENT_BYTES,
    optimiser_bytes: NonNegative = OPTIMISER_BYTES,
) -> Quantity:
    """Bytes per parameter that an update moves through memory at least: 3 weights + 2 gradients + 2 optimiser.

    Weights are read forward and backward and written once; gradient and optimiser are each written and read once.

    >>> traffic_per_update()
    34.0
    """
    return 3 * weight_bytes + 2 * (gradient_bytes + optimiser_bytes)


@checked
def balanced_minibatch(flops: Positive, bandwidth: Positive, bytes_per_update: Positive = 34.0) -> Quantity:
    """Samples per update below which moving the state takes longer than learning: traffic x F / (6 w).

    The balanced batch of training. It does not depend on the size of the model; a sample is one token or one step.

    >>> balanced_minibatch(6e14, 1e12, 30)
    3000.0
    """
    return bytes_per_update * flops / (6 * bandwidth)


@checked
def params_on_chip(on_chip_bytes: Positive, bytes_per_weight: Positive = WEIGHT_BYTES) -> Quantity:
    """Parameters that stay in the memory beside the multipliers: where the wall in front of main memory begins.

    >>> params_on_chip(50e6)
    25000000.0
    """
    return on_chip_bytes / bytes_per_weight


@checked
def reinforcement_operations(params: Positive, samples: NonNegative, epochs: NonNegative = 1.0) -> Quantity:
    """Operations of learning from experience: S N (2 + 6 e), as each sample is acted on once and learned from e times.

    >>> reinforcement_operations(10e6, 1e9, 5)
    3.2e+17
    """
    return inference_operations(params, samples) + training_operations(params, samples) * epochs


@checked
def acting_seconds(
    params: Positive,
    samples: NonNegative,
    *,
    environments: Count,
    flops: Positive,
    bandwidth: Positive,
    on_chip_bytes: NonNegative = 0.0,
    bytes_per_weight: Positive = WEIGHT_BYTES,
) -> Quantity:
    """Time to act S times, all environments in one batch: S / n passes of max(2 N n / F, N b / w), a lower bound.

    Weights that stay in `on_chip_bytes` are not read from memory, and then only the multiplications count.

    >>> acting_seconds(10e6, 1e9, environments=1, flops=1e15, bandwidth=1e12)
    20000.0
    >>> acting_seconds(10e6, 1e9, environments=1, flops=1e15, bandwidth=1e12, on_chip_bytes=50e6)
    20.0
    """
    weights = np.asarray(bytes_per_weight * params)
    read = np.where(weights > on_chip_bytes, weights, 0.0) / bandwidth
    return np.asarray(samples / environments * np.maximum(compute_seconds(environments, params, flops), read))


@checked
def learning_seconds(
    params: Positive,
    samples: NonNegative,
    *,
    minibatch: Count,
    flops: Positive,
    bandwidth: Positive,
    epochs: NonNegative = 1.0,
    bytes_per_update: Positive = 34.0,
) -> Quantity:
    """Time to learn from S samples e times: S e / m updates of max(6 N m / F, 34 N / w), a lower bound.

    >>> learning_seconds(10e6, 1e9, minibatch=10_000, flops=1e15, bandwidth=1e12, epochs=5)
    300.0
    """
    moved = bytes_per_update * params / bandwidth
    return samples * epochs / minibatch * np.maximum(training_operations(params, minibatch) / flops, moved)


@dataclass(frozen=True)
class RunTime:
    """Seconds that a run of reinforcement learning spends on each of its parts, each a lower bound."""

    simulating: Quantity
    acting: Quantity
    learning: Quantity

    @property
    def bound(self) -> Quantity:
        """Seconds if the three go on at once, each on machines of its own: the longest."""
        return np.maximum(self.simulating, np.maximum(self.acting, self.learning))

    @property
    def serial(self) -> Quantity:
        """Seconds if they take turns: the sum."""
        return self.simulating + self.acting + self.learning


@checked
def reinforcement_time(
    params: Positive,
    samples: NonNegative,
    *,
    environments: Count,
    steps_per_second: Positive,
    minibatch: Count,
    flops: Positive,
    bandwidth: Positive,
    epochs: NonNegative = 1.0,
    on_chip_bytes: NonNegative = 0.0,
) -> RunTime:
    """The parts of a run in which each of n environments takes `steps_per_second`: S / (n x rate), acting, learning.

    >>> world = {"environments": 1000, "steps_per_second": 100, "minibatch": 10_000}
    >>> reinforcement_time(10e6, 1e9, **world, epochs=5, flops=1e15, bandwidth=1e12)
    RunTime(simulating=10000.0, acting=20.0, learning=300.0)
    """
    chip = {"flops": flops, "bandwidth": bandwidth}
    return RunTime(
        samples / environments / steps_per_second,
        acting_seconds(params, samples, environments=environments, on_chip_bytes=on_chip_bytes, **chip),
        learning_seconds(params, samples, minibatch=minibatch, epochs=epochs, **chip),
    )
