"""Small language models that were trained backwards, and large ones whose states were sent to the host.

`measurements/reversed.csv` pairs runs of models of twenty million parameters, with all records kept and without, from
three repositories of 2026: one under MIT, two that name no licence, of which only these figures are carried. In the
second and third the run that keeps its records has an ordinary network with the same arithmetic.
`measurements/reversed-kernels.csv` has milliseconds of all kernels of a step of the second, and of those that undo
layers and those that make records. `measurements/reversed-drift.csv` has how far the start was missed, over its largest
number, and how far gradients moved, over their length, after so many tokens of training.
`measurements/offloaded.csv` has pairs of runs that recompute every layer, the second of which sends something to the
host: from pull requests of Axolotl and Accelerate (Apache-2.0).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text


@dataclass(frozen=True, kw_only=True, slots=True)
class ReversedRun:
    """A pair of runs: one keeps all records, in the other layers are "undone", or records made "again".

    Each layer is evaluated so often in a step of the other. `matrices` of a width times `feed_forward` are in its
    feed-forward part. A step takes `tokens`. Rates are tokens a second; bytes are the most that were allocated.
    """

    source: str
    chip: str
    way: str
    evaluations: int
    layers: int
    width: int
    feed_forward: int
    matrices: int
    vocabulary: int
    sequence: int
    tokens: int
    kept_rate: float
    rate: float
    kept_bytes: float | None
    bytes: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ReversedKernels:
    """Milliseconds of a step's kernels: with records kept, and undone; of the latter, to undo and to make records."""

    source: str
    kept: float
    undone: float
    undoing: float
    recording: float


@dataclass(frozen=True, kw_only=True, slots=True)
class ReversedDrift:
    """How far the way back `missed` the start, or how far it `moved` the gradients, after so many tokens of training.

    States have 32 bits; `products` is the format of the layers' products and `step` what they are multiplied by.
    """

    source: str
    layers: int
    step: float
    products: str
    tokens: int
    missed: float | None
    moved: float | None


@dataclass(frozen=True, kw_only=True, slots=True)
class OffloadedRun:
    """A pair of runs: one recomputes layers, the other sends "states", their inputs, or keeps and sends "everything".

    `tokens` are those of a chip. Rates are tokens a second, or of one in terms of the other. Gigabytes are of a chip
    and of its host; of axolotl-3776 they are what a step adds to what lay there before.
    """

    source: str
    model: str
    tokens: int
    sent: str
    kept_rate: float
    rate: float
    kept_gb: float
    gb: float
    kept_host_gb: float | None
    host_gb: float | None


@cache
def reversed_runs() -> tuple[ReversedRun, ...]:
    """Every pair, in the order of the file.

    >>> last = reversed_runs()[-1]
    >>> last.chip, last.evaluations, round(last.kept_rate / last.rate, 3)
    ('L4', 2, 1.118)
    """
    return tuple(read(ReversedRun, text("reversed.csv")))


@cache
def reversed_kernels() -> ReversedKernels:
    """The one step whose kernels were counted.

    >>> reversed_kernels().undoing
    56.579
    """
    return next(read(ReversedKernels, text("reversed-kernels.csv")))


@cache
def reversed_drifts() -> tuple[ReversedDrift, ...]:
    """Every error of a way back through a network in training.

    >>> [row.tokens for row in reversed_drifts() if row.missed]
    [0, 29440000, 49920000]
    """
    return tuple(read(ReversedDrift, text("reversed-drift.csv")))


@cache
def offloaded_runs() -> tuple[OffloadedRun, ...]:
    """Every pair of which the second sends something to the host.

    >>> [row.sent for row in offloaded_runs()]
    ['states', 'everything', 'states', 'states']
    """
    return tuple(read(OffloadedRun, text("offloaded.csv")))
