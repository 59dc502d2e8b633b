"""Times of kernels on one chip, as `tests/chip` of this course measured them.

`measurements/chip.csv` is what that program wrote, row after row, and is never edited by hand. One NVIDIA H100 SXM
(driver 580.159.04, limit 700 W, untouched clocks), PyTorch 2.11 with CUDA 13.0 and Triton 3.6, random numbers, medians
of replayed CUDA graphs. Every kernel was first held against plain arithmetic: the rows of part `check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text

CHIP_SOURCE = "own-chip"


@dataclass(frozen=True, kw_only=True, slots=True)
class ChipTime:
    """One timing: what ran, on how much, and the middle and quartiles of how long it took once.

    `part` is the kind of work and `name` what it was. `tokens` went in together, each with `context` tokens in its
    cache. `count` are experts that were chosen, or layers. `bytes` were moved, or were held at most. `joules` were
    spent, at a `clock` in Hz. `error` is the distance from a reference over its length. A field that says nothing of
    a timing is zero or empty.
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


@cache
def chip_times(part: str = "") -> tuple[ChipTime, ...]:
    """Every timing, or those of one part, in the order of the file.

    >>> reading = chip_times("memory")[-3]
    >>> reading.name, reading.bytes, round(reading.bytes / reading.seconds / 1e12, 2)
    ('read', 4294967296.0, 3.19)
    """
    return tuple(row for row in read(ChipTime, text("chip.csv")) if part in ("", row.part))
