"""Pipelines in training. How long each schedule leaves a stage idle, and how much it must remember.

A training step sends M micro-batches forwards through P stages and backwards again. The backward pass splits in two:
the gradient of the input (B), for which the stage before waits, and that of the weights (W), for which nobody waits.
Stages are equally long and sending takes no time, so bubbles are lower bounds. The same schedules are played task by
task in `calc.pipelining.schedules`.

GPipe: Huang et al., 2019. 1F1B: Narayanan et al., 2019. Interleaved: Narayanan et al., 2021. Zero bubble, ZB-H1 and
ZB-H2: Qi et al., 2024.

Symbols: P stages, M micro-batches, v chunks of layers per stage; F, B and W seconds per micro-batch and stage.
"""

from __future__ import annotations

import numpy as np

from calc.quantities.check import Count, NonNegative, Positive, Quantity, checked
from calc.quantities.errors import UnknownName

SCHEDULES = ("gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2")


@checked
def bubble_seconds(
    schedule: str,
    stages: Count,
    chunks: Count = 1.0,
    *,
    forward: Positive = 1.0,
    backward: Positive = 1.0,
    weight: NonNegative = 1.0,
) -> Quantity:
    """Seconds for which a stage waits in one step.

    GPipe and 1F1B (P - 1)(F + B + W); interleaved that / v; ZB-H1 (P - 1)(F + B - W); ZB-H2 (P - 1)(F + B - 2 W), none
    if all three are equal, not counting the wait for the other stages between two steps. Where W outlasts what it has
    to fill, none is left. Independent of M, provided that ZB-H1 has P micro-batches and ZB-H2 has 2 P - 1.

    >>> [bubble_seconds(schedule, 5, chunks=2) for schedule in SCHEDULES]
    [12.0, 12.0, 6.0, 4.0, 0.0]
    """
    known = {
        "gpipe": forward + backward + weight,
        "1f1b": forward + backward + weight,
        "interleaved": (forward + backward + weight) / chunks,
        "zb-h1": forward + backward - weight,
        "zb-h2": forward + backward - 2 * weight,
    }
    if str(schedule) not in known:
        raise UnknownName("schedule", schedule, known)
    return (stages - 1) * np.maximum(known[schedule], 0.0)


@checked
def bubble_share(
    schedule: str,
    stages: Count,
    micro_batches: Count,
    chunks: Count = 1.0,
    *,
    forward: Positive = 1.0,
    backward: Positive = 1.0,
    weight: NonNegative = 1.0,
) -> Quantity:
    """Share of a step for which a stage waits: bubble / (bubble + M (F + B + W)).

    For GPipe and 1F1B this is (P - 1) / (M + P - 1), whatever F, B and W.

    >>> bubble_share("gpipe", 4, 1), round(bubble_share("1f1b", 4, 8), 3), bubble_share("interleaved", 4, 8, 3)
    (0.75, 0.273, 0.1111111111111111)
    """
    bubble = bubble_seconds(schedule, stages, chunks, forward=forward, backward=backward, weight=weight)
    return bubble / (bubble + micro_batches * (forward + backward + weight))


@checked
def peak_activations(schedule: str, stages: Count, micro_batches: Count, chunks: Count = 1.0) -> Quantity:
    """Micro-batches of a stage's activations that the fullest stage holds at once.

    GPipe M; 1F1B and ZB-H1 P; interleaved P + (P - 1) / v; ZB-H2 2 P - 1; never more than M.

    >>> [peak_activations(schedule, 4, 16, chunks=2) for schedule in SCHEDULES]
    [16.0, 4.0, 5.5, 4.0, 7.0]
    """
    known = {
        "gpipe": micro_batches,
        "1f1b": stages,
        "interleaved": stages + (stages - 1) / chunks,
        "zb-h1": stages,
        "zb-h2": 2 * stages - 1,
    }
    if str(schedule) not in known:
        raise UnknownName("schedule", schedule, known)
    return np.minimum(known[schedule], micro_batches) + 0 * chunks
