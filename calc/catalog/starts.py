"""Starts of inference engines: what each printed of its memory.

`measurements/engine-starts.csv` was gathered by hand from logs that users and makers of engines show in public threads;
each row names its source and its thread. Nothing is fitted to it.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text


@dataclass(frozen=True, kw_only=True, slots=True)
class EngineStart:
    """One start: the model as it was laid out and stored, and what a GPU held, in GiB as engines print it.

    `named` is the model as the log calls it, `gpu` the GPU, where it says so. `stages` share the layers, `tensor` GPUs
    each layer's attention, and each of `groups` has its own sequences; experts lie over all GPUs of a stage. `context`
    of the tensor GPUs split each cache by tokens. `weights` and `cache` are formats. `weights_gib` and `cache_gib` are
    of one GPU, `tokens` those that the caches of a group have room for. `set_aside` says why a row
    cannot be compared with a plain count, and is empty if it can.
    """

    engine: str
    version: str
    named: str
    model: str
    gpu: str
    tensor: int
    stages: int
    groups: int
    context: int
    weights: str
    cache: str
    weights_gib: float | None
    cache_gib: float | None
    tokens: float | None
    source: str
    thread: str
    date: dt.date | None
    set_aside: str


@cache
def engine_starts() -> tuple[EngineStart, ...]:
    """Every start, in the order of the file.

    >>> first = engine_starts()[0]
    >>> first.engine, first.model, first.tensor, first.weights_gib
    ('vllm', 'llama-3-8b', 1, 14.9888)
    """
    return tuple(read(EngineStart, text("engine-starts.csv")))
