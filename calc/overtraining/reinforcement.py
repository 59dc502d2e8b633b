"""Training a policy by reinforcement: what it takes, and where the memory wall begins.

n environments take steps; each step is acted on once by a policy of N parameters and learned from e times. For a small
policy the world is slow and the network fast, and the weights stay beside the multipliers, so that neither the memory
nor the arithmetic of a large chip is ever the limit; a frontier model meets the wall twice, when it acts for few and
when it learns from few. Every time is a lower bound.

Symbols: N parameters, S samples (one step of one environment, or one token), n environments, e epochs, m samples per
update, F dense FLOP/s, w memory bandwidth in bytes/s. Left out: kernels too small to fill a chip, which is what limits
a small policy in practice; communication; convolutions, whose operations are not 2 N.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.batching.step import compute_seconds
from calc.overtraining.budget import inference_operations, training_operations
from calc.overtraining.training_run import GRADIENT_BYTES, OPTIMISER_BYTES, WEIGHT_BYTES
from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked

BYTES_PER_UPDATE = 3 * WEIGHT_BYTES + 2 * (GRADIENT_BYTES + OPTIMISER_BYTES)


@checked
def balanced_minibatch(flops: Positive, bandwidth: Positive, bytes_per_update: Positive = BYTES_PER_UPDATE) -> Quantity:
    """Samples per update below which moving the state takes longer than learning from them: traffic x F / (6 w).

    The balanced batch of training, however many parameters there are, if layers are wide; a sample is one token or one
    step. By default an update moves 34 bytes per parameter: weights are read forward and backward and written once,
    gradient and optimiser each written and read once.

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
def policy_operations(params: Positive, samples: NonNegative, epochs: NonNegative = 1.0) -> Quantity:
    """Operations of learning from experience: S N (2 + 6 e), as each sample is acted on once and learned from e times.

    >>> policy_operations(10e6, 1e9, 5)
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
    one_pass: Quantity = np.maximum(compute_seconds(environments, params, flops), read)
    return samples / environments * one_pass


@checked
def learning_seconds(
    params: Positive,
    samples: NonNegative,
    *,
    minibatch: Count,
    flops: Positive,
    bandwidth: Positive,
    epochs: NonNegative = 1.0,
    bytes_per_update: Positive = BYTES_PER_UPDATE,
) -> Quantity:
    """Time to learn from S samples e times: S e / m updates of max(6 N m / F, 34 N / w), a lower bound.

    >>> learning_seconds(10e6, 1e9, minibatch=10_000, flops=1e15, bandwidth=1e12, epochs=5)
    300.0
    """
    moved = bytes_per_update * params / bandwidth
    update: Quantity = np.maximum(training_operations(params, minibatch) / flops, moved)
    return samples * epochs / minibatch * update


@dataclass(frozen=True)
class RunTime:
    """Seconds that a run of reinforcement learning spends on each of its parts, each a lower bound."""

    simulating: Quantity
    acting: Quantity
    learning: Quantity

    @property
    def bound(self) -> Quantity:
        """Seconds if the three go on at once, each on machines of its own: the longest."""
        network: Quantity = np.maximum(self.acting, self.learning)
        return np.maximum(self.simulating, network)

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
    bytes_per_weight: Positive = WEIGHT_BYTES,
) -> RunTime:
    """The parts of a run in which each of n environments takes `steps_per_second`: S / (n x rate), acting, learning.

    >>> world = {"environments": 1000, "steps_per_second": 100, "minibatch": 10_000}
    >>> reinforcement_time(10e6, 1e9, **world, epochs=5, flops=1e15, bandwidth=1e12)
    RunTime(simulating=10000.0, acting=20.0, learning=300.0)
    """
    chip = {"flops": flops, "bandwidth": bandwidth}
    held = {"on_chip_bytes": on_chip_bytes, "bytes_per_weight": bytes_per_weight}
    return RunTime(
        samples / environments / steps_per_second,
        acting_seconds(params, samples, environments=environments, **held, **chip),
        learning_seconds(params, samples, minibatch=minibatch, epochs=epochs, **chip),
    )
