"""Lecture 7's numbers that several pictures show: errors of the way back, a differential, activations of a model."""

from __future__ import annotations

from functools import cache
from typing import Any

from calc import reversible
from calc.figure.declared import Value
from calc.reversible import activation_memory, feistel
from calc.reversible.figures.setting import ROUNDED, drawn, record_bytes

NAMES = {"store": "Store", "checkpoint": "Checkpoints", "reverse": "Backwards"}
DEPTHS = tuple(2**power for power in range(1, 9))
SAMPLES = 4
DRAWN = "Layers are tanh of a random matrix, weights of deviation “weights” / √8; halves are eight numbers wide."


@cache
def errors(step: str, strength: str) -> dict[str, tuple[float, ...]]:
    """Reconstruction errors at every depth, in each format."""
    return {
        dtype: tuple(
            reversible.reconstruction_error(drawn(layers, step, dtype, strength), SAMPLES) for layers in DEPTHS
        )
        for dtype in ROUNDED
    }


def best_differential() -> float:
    """The largest share of inputs for which the S-box turns one difference into another."""
    return float(feistel.difference_table()[1:].max() / len(feistel.SBOX))


def memory_values(model: Any, tokens: float) -> dict[str, Value]:
    """Activations of one training step of a model, three ways."""
    state = activation_memory.state_bytes(tokens, model.d_model)
    record = record_bytes(model, tokens)
    best = activation_memory.whole_interval(model.layers, state, record)
    plans = {
        "store": activation_memory.store(model.layers),
        "checkpoint": activation_memory.checkpoint(model.layers, best),
        "reverse": activation_memory.reverse(model.known("layers"), activation_memory.UNDONE),
    }
    return {
        "tokens": Value(tokens, "tokens", "Tokens at once", 9),
        "layers": Value(model.known("layers"), "layers", "Layers", 9),
        "width": Value(model.known("d_model"), "", "Width", 9),
        "state": Value(state, "B", "A state"),
        "record": Value(record, "B", "A record"),
        "best": Value(best, "layers", "Best stretch"),
        **{way: Value(plan.bytes(state, record), "B", way.capitalize()) for way, plan in plans.items()},
    }
