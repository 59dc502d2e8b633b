"""Times of kernels on single chips, as `tests/chip` of this course measured them.

`measurements/chip.csv` is what that program wrote, row after row, and is never edited by hand. One NVIDIA H100 SXM in
one run; one H200 in two runs, one minutes after the other, and half an hour later in a third, perhaps on another card.
All have driver 580.159.04, a limit of 700 W and untouched clocks, PyTorch 2.11 with CUDA 13.0 and Triton 3.6. Numbers
are random, times medians of replayed CUDA graphs. Every kernel was first held against plain arithmetic: the rows of
part `check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

CHIP_SOURCE = "own-chip"
TIMED_CHIPS = ("h100-sxm", "h200-sxm")


@dataclass(frozen=True, kw_only=True, slots=True)
class ChipTime:
    """One timing: what ran, on how much, and the middle and quartiles of how long it took once.

    `part` is the kind of work and `name` what it was. `tokens` went in together, each with `context` tokens in its
    cache. `count` are experts that were chosen, layers, rows that ask of a latent, or tokens that a sequence gains.
    `bytes` were moved, or were held at most. `joules` were spent, at a `clock` in Hz. `error` is the distance from a
    reference over its length. A field that says nothing of a timing is zero or empty.
    """

    chip: str = ""
    part: str
    name: str
    model: str = ""
    format: str = "bf16"
    tokens: int = 0
    context: int = 0
    count: int = 0
    seconds: float = 0.0
    low: float = 0.0
    high: float = 0.0
    replays: int = 0
    bytes: float = 0.0
    joules: float = 0.0
    clock: float = 0.0
    error: float = 0.0
    run: int = 1


@cache
def all_times() -> tuple[ChipTime, ...]:
    """Every row of every chip and run, in the order of the file.

    >>> sorted({(row.chip, row.run) for row in all_times()})
    [('h100-sxm', 1), ('h200-sxm', 1), ('h200-sxm', 2), ('h200-sxm', 3)]
    """
    return tuple(read(ChipTime, text("chip.csv")))


@cache
def chip_times(part: str, chip: str = TIMED_CHIPS[0], run: int | None = None) -> tuple[ChipTime, ...]:
    """The rows of one part of a chip: of the run asked for, else of the first that has the part.

    >>> reading = chip_times("memory")[-3]
    >>> reading.name, reading.bytes, round(reading.bytes / reading.seconds / 1e12, 2)
    ('read', 4294967296.0, 3.19)
    """
    rows = [row for row in all_times() if (row.part, row.chip) == (part, chip)]
    first = min((row.run for row in rows), default=1) if run is None else run
    return tuple(row for row in rows if row.run == first)
