"""Kernels timed on one chip, beside what the course counts for them: matrix products, attention, reading, power.

A product of `tokens` rows with a matrix reads the matrix once, moves what goes in and comes out, and makes two
operations for each weight and token. At published rates the longer of the two is its bound. Nothing here is fitted to
served runs, and what is fitted here (`StartAndRate`) goes into no forecast.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from calc import catalog
from calc.catalog.chip_times import TIMED_CHIPS, ChipTime, chip_times
from calc.quantities.units import bytes_per_element
from calc.step.product import matrix_product, product_seconds

CHIP = TIMED_CHIPS[0]
"""The chip that is meant where none is named."""
FEW = 16
"""Tokens up to which a product is one of reading: a twentieth of the batch that balances in 16 bits."""
UNCUT = 32
"""Sequences from which PyTorch's attention no longer cuts contexts into stretches."""
KEPT_BYTES = 2 * 2.0
"""Bytes of a key and a value's number in the cache of the timed kernels: two each."""


@dataclass(frozen=True)
class Timing:
    """A timed kernel, with the bytes that it must move and the operations that it must make."""

    row: ChipTime
    bytes: float
    flops: float

    @property
    def reading(self) -> float:
        """Seconds to move the bytes at the published bandwidth."""
        return self.bytes / bandwidth(self.row.chip)

    @property
    def multiplying(self) -> float:
        """Seconds to make the operations at the published rate of the format."""
        return self.flops / rate(self.row.chip, self.row.format)

    @property
    def bound(self) -> float:
        """The longer of the two, as in equation (1)."""
        chip = self.row.chip
        return float(product_seconds(self.flops, self.bytes, rate(chip, self.row.format), bandwidth(chip)))

    @property
    def over_bound(self) -> float:
        """Measured over the bound."""
        return self.row.seconds / self.bound

    @property
    def memory_share(self) -> float:
        """Share of the published bandwidth that it reached."""
        return self.reading / self.row.seconds

    @property
    def arithmetic_share(self) -> float:
        """Share of the published arithmetic that it reached."""
        return self.multiplying / self.row.seconds

    @property
    def intensity(self) -> float:
        """Operations for each byte."""
        return self.flops / self.bytes


def bandwidth(chip: str) -> float:
    """Published bytes a second of a chip's memory.

    >>> bandwidth("h100-sxm")
    3350000000000.0
    """
    return float(catalog.chip(chip).hbm_bandwidth)


def rate(chip: str, form: str) -> float:
    """Published dense operations a second of a chip in a format.

    >>> rate("h100-sxm", "fp8")
    1979000000000000.0
    """
    return float(getattr(catalog.chip(chip), f"{form}_flops"))


def matrices(model: str) -> dict[str, tuple[int, int]]:
    """A dense layer's matrices and the head: numbers that come out of each, and that go in.

    >>> matrices("llama-3-8b")["gate and up"], matrices("llama-3-70b")["projections"]
    ((28672, 4096), (10240, 8192))
    """
    known = catalog.model(model).known
    width, hidden, size = known("d_model"), known("d_ff_dense"), known("head_dim")
    found = {
        "projections": ((known("heads") + 2 * known("kv_heads")) * size, width),
        "output projection": (width, known("heads") * size),
        "gate and up": (2 * hidden, width),
        "down": (width, hidden),
        "head": (known("vocabulary"), width),
    }
    return {name: (int(out), int(into)) for name, (out, into) in found.items()}


def _product(row: ChipTime) -> Timing:
    out, into = matrices(row.model)[row.name]
    size = bytes_per_element(row.format)
    found = matrix_product(row.tokens, into, out, input_bytes=size, weight_bytes=size)
    return Timing(row, float(found.bytes), float(found.flops))


def _attention(row: ChipTime) -> Timing:
    known = catalog.model(row.model).known
    entries = row.tokens * row.context
    kept = KEPT_BYTES * known("kv_heads") * known("head_dim")
    return Timing(row, entries * kept, 4.0 * entries * known("heads") * known("head_dim"))


@cache
def products(chip: str = CHIP, run: int | None = None) -> tuple[Timing, ...]:
    """Every timed product of a matrix, in the order of the file."""
    return tuple(_product(row) for row in chip_times("product", chip, run))


@cache
def attentions(chip: str = CHIP, run: int | None = None) -> tuple[Timing, ...]:
    """Every timed attention of a layer over its cache."""
    return tuple(_attention(row) for row in chip_times("attention", chip, run))


@dataclass(frozen=True)
class StartAndRate:
    """Products of few tokens held against a start and a rate: t = `start_seconds` + reading / `memory_share`."""

    start_seconds: float
    memory_share: float
    ratios: NDArray[np.float64]


@cache
def held(chip: str = CHIP, run: int | None = None) -> StartAndRate:
    """The start and the share of bandwidth that suit products of few tokens best.

    >>> found = held()
    >>> 3e-6 < found.start_seconds < 5e-6, 0.85 < found.memory_share < 0.88
    (True, True)
    """
    return _held([each for each in products(chip, run) if each.row.tokens <= FEW])


@cache
def held_attention() -> StartAndRate:
    """The same of attention where it cuts contexts: with more sequences it does not wait for bandwidth.

    >>> found = held_attention()
    >>> 9e-6 < found.start_seconds < 10e-6, 0.88 < found.memory_share < 0.92
    (True, True)
    """
    return _held([each for each in attentions() if each.row.tokens < UNCUT])


def _held(rows: Sequence[Timing]) -> StartAndRate:
    """By least squares of relative errors."""
    took = np.array([each.row.seconds for each in rows])
    asked = np.array([[1.0, each.reading] for each in rows])
    (start, slope), *_ = np.linalg.lstsq(asked / took[:, None], np.ones(len(rows)), rcond=None)
    return StartAndRate(float(start), float(1 / slope), took / (asked @ [start, slope]))


@dataclass(frozen=True)
class Crossing:
    """One matrix over all batches: how long reading it takes alone, and the most operations a second that it made."""

    model: str
    name: str
    form: str
    timings: tuple[Timing, ...]

    @cached_property
    def read_seconds(self) -> float:
        """Reading alone: as long as the shortest product of the matrix, mostly one with few tokens."""
        return min(each.row.seconds for each in self.timings)

    @cached_property
    def best_rate(self) -> float:
        """Operations a second of the batch that made most."""
        return max(each.flops / each.row.seconds for each in self.timings)

    def over(self, timing: Timing) -> tuple[float, float]:
        """Measured over the longer of reading and multiplying, each at the rate that it reached, and over their sum."""
        multiply = timing.flops / self.best_rate
        return timing.row.seconds / max(self.read_seconds, multiply), timing.row.seconds / (
            self.read_seconds + multiply
        )

    @cached_property
    def balanced(self) -> Timing:
        """The batch at which the two are nearest to each other."""
        return min(self.timings, key=lambda each: abs(np.log(each.flops / self.best_rate / self.read_seconds)))


@cache
def crossings(chip: str = CHIP) -> tuple[Crossing, ...]:
    """Every matrix in every format."""
    found: dict[tuple[str, str, str], list[Timing]] = {}
    for each in products(chip):
        found.setdefault((each.row.model, each.row.name, each.row.format), []).append(each)
    return tuple(Crossing(*name, tuple(rows)) for name, rows in found.items())


def only(part: str, name: str, chip: str = CHIP, **asked: object) -> ChipTime:
    """The one row of a part of a chip with this name, and whatever else tells it from others.

    >>> round(only("start", "graph").seconds * 1e6, 1)
    1.2
    """
    found = [
        row
        for row in chip_times(part, chip)
        if row.name == name and all(getattr(row, key) == value for key, value in asked.items())
    ]
    (row,) = found
    return row


def fastest(rows: Iterable[ChipTime]) -> ChipTime:
    """The row that moved most bytes a second."""
    return max(rows, key=lambda row: row.bytes / row.seconds)
