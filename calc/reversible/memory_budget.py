"""One memory budget of training: what stays on a chip, and what is sharded, computed again, sent away or run backwards.

A plan is what one chip holds while it trains: its part of weights, gradients and optimiser, the layer that it works on,
states between layers, and records of layers. In every plan n chips share the training state (ZeRO, FSDP; Rajbhandari et
al., 2020) and gather one layer after the other. Plans differ in how a record is at hand on the way back:

- `stored`: every record is kept;
- `recomputed`: states are kept at the best stretch, and records made again on the way back (Chen et al., 2016);
- `nested`: the same with checkpoints on two levels, so that one record is there at a time;
- `offloaded`: the state before each layer waits in the memory of the host, but for one in use and one on its way;
- `reversed`: no state waits anywhere, for the layers are undone (Gomez et al., 2017); the one state has two halves of
  full width in 32 bits.

Gradients of activations come on top, at their peak: arrays that one layer's way back makes beside its record, and the
gradient that travels from layer to layer. In 16 bits that one has the size of a state for a layer that is only read,
and of two for one that is undone, whose halves are as wide as a state each. Where states are kept, the input of
the layer in use is a state and in its record: there it stands for the gradient that travels.

Logits come on top of any plan: for each token a number for every entry of the vocabulary. A loss that is taken whole
holds each of them several times over; one that is taken in pieces hardly adds to the plan.

Symbols: N parameters, R layers, n chips that share the state, F operations a second of a chip and u the share of them
that it reaches, h width, s tokens of a sequence.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.overtraining import training_run
from calc.quantities.check import Count, NonNegative, Positive, PositiveShare, Quantity, checked
from calc.quantities.errors import UnknownName
from calc.reversible import activation_memory

PLANS = ("stored", "recomputed", "nested", "offloaded", "reversed")
PARAMS_PER_SQUARE = 12.0  # of a layer, over the square of its width (Kaplan et al., 2020)
TRAVELLING = {"stored": 1.0, "reversed": 2.0}  # states' bytes of a gradient, uncounted else
IN_FLIGHT = 2.0  # layers gathered at once, and states on the chip while others are sent: one in use, one on its way


@dataclass(frozen=True)
class Held:
    """Bytes on one chip, by kind, and in its host; `fixed` do not grow with the tokens at once.

    They are added as if all were there at one time, as an allocator keeps what it has once given out.
    """

    model: Quantity
    gathered: Quantity
    states: Quantity
    records: Quantity
    gradients: Quantity
    handed: Quantity
    logits: Quantity
    host: Quantity

    @property
    def fixed(self) -> Quantity:
        """Bytes that are there before the first token."""
        return self.model + self.gathered

    @property
    def total(self) -> Quantity:
        """Bytes on the chip."""
        return self.fixed + self.states + self.records + self.gradients + self.handed + self.logits


@checked
def held(
    plan: str,
    *,
    params: Positive,
    layers: Count,
    replicas: Count,
    state_bytes: Positive,
    record_bytes: Positive,
    gradient_bytes: NonNegative = 0.0,
    logit_bytes: NonNegative = 0.0,
) -> Held:
    """Bytes that a chip holds under a plan; bytes of a state, a record and of gradients beside it are one layer's.

    >>> given = {"params": 1e9, "layers": 10, "replicas": 8, "state_bytes": 1e9, "record_bytes": 17e9}
    >>> [float(held(plan, **given).total / 1e9) for plan in PLANS]
    [173.6, 29.6, 23.6, 21.6, 25.6]
    """
    if plan not in PLANS:
        raise UnknownName("plan", plan, PLANS)
    kept = activations(plan, layers, state_bytes, record_bytes)
    return Held(
        model=training_run.sharded_state_bytes(params, replicas),
        gathered=gathered_bytes(params, layers),
        states=kept.states * state_bytes,
        records=kept.records * record_bytes,
        gradients=gradient_bytes,
        handed=TRAVELLING.get(plan, 0.0) * state_bytes,
        logits=logit_bytes,
        host=layers * state_bytes if plan == "offloaded" else 0.0,
    )


def activations(plan: str, layers: Quantity, state_bytes: Quantity, record_bytes: Quantity) -> activation_memory.Plan:
    """States and records on the chip under a plan, and evaluations of a layer.

    >>> activations("offloaded", 80, 2.0, 17.0)
    Plan(layers=80.0, states=2.0, records=1.0, evaluations=160.0)
    """
    if plan == "stored":
        return activation_memory.store(layers)
    if plan == "recomputed":
        best = activation_memory.whole_interval(layers, state_bytes, record_bytes)
        return activation_memory.checkpoint(layers, best)
    if plan == "nested":
        return activation_memory.nested(layers)
    return activation_memory.reverse(layers, IN_FLIGHT if plan == "offloaded" else activation_memory.UNDONE)


@checked
def gathered_bytes(params: Positive, layers: Count) -> Quantity:
    """Bytes of the layer in use and of the next one, and of one layer's gradients, whole: 6 N / R.

    Embedding and readout are counted as if spread over the layers.

    >>> gathered_bytes(1e9, 10)
    600000000.0
    """
    return (IN_FLIGHT * training_run.WEIGHT_BYTES + training_run.GRADIENT_BYTES) * params / layers


@checked
def most_tokens(memory_bytes: Positive, fixed_bytes: Positive, bytes_per_token: Positive) -> Quantity:
    """Tokens at once that fill what a memory has left; below 0 the fixed part alone does not fit.

    >>> most_tokens(80e9, 30e9, 1e6)
    50000.0
    """
    return (memory_bytes - fixed_bytes) / bytes_per_token


@checked
def sending_rate(
    params: Positive,
    layers: Count,
    width: Count,
    sequence: Count,
    flops: Positive,
    utilisation: PositiveShare = 1.0,
) -> Quantity:
    """Bytes a second at which states leave a chip on the way forward: u F / (N / (R h) + s).

    N are the layers' parameters, without embedding and readout. A token brings each layer 2 N / R operations and one
    state of 2 h bytes; attention, to s / 2 earlier tokens on average, brings 2 h s more. At u = 1 the multipliers never
    wait, and no run needs a faster link; on the way back a layer takes three times as long.

    >>> sending_rate(1e9, 10, 1000, 100_000, 1e12), sending_rate(1e9, 10, 1000, 100_000, 1e12, 0.4)
    (5000000.0, 2000000.0)
    """
    return utilisation * flops / (params / (layers * width) + sequence)


@checked
def narrowest(flops: Positive, link: Positive, sequence: Count, utilisation: PositiveShare = 1.0) -> Quantity:
    """Width from which on a link keeps pace with a dense transformer of the usual shape: (u F / link - s) / 12.

    The rate of `sending_rate` with N = 12 R h^2 parameters; 0 where attention alone gives the link time enough.

    >>> float(narrowest(1.4e15, 1e11, 2000)), float(narrowest(1.4e15, 1e11, 20_000))
    (1000.0, 0.0)
    """
    return np.maximum(0.0, utilisation * flops / link - sequence) / PARAMS_PER_SQUARE
