"""The same kernels on two chips that differ in their memory alone, and on one of them again.

An H200 has the processor of an H100 and a faster, larger memory. So each kernel says what it waits for: if memory, it
gets shorter as the bound says; if anything else, it takes as long as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from calc import catalog
from calc.catalog.chip_times import TIMED_CHIPS, ChipTime, chip_times
from calc.quantities.units import bytes_per_element
from calc.world.chip import FEW, UNCUT, Timing, attentions, bandwidth, held, products, rate
from calc.world.chip_experts import Woken, of_kind, woken
from calc.world.chip_steps import chip_steps

FIRST, SECOND = TIMED_CHIPS
KINDS = ("matrices", "attention", "whole steps", "prompts")
MANY = 1024
"""Tokens from which a product of these matrices waits for arithmetic on both chips."""
LARGE_CACHE = 1e8  # bytes from which starting attention hardly counts
EXPERTS = {"deepseek-v3": 256, "mixtral-8x7b": 128}  # and tokens up to which their time is one of reading
Key = tuple[str, str, str, str, int, int, int, float]


@dataclass(frozen=True)
class Pair:
    """One kernel, or one step, on both chips: its row on the first, and seconds of both as measured and as bound."""

    row: ChipTime
    first: float
    second: float
    first_bound: float
    second_bound: float

    @property
    def measured(self) -> float:
        """As long on the second chip as on the first, as it was timed."""
        return self.second / self.first

    @property
    def expected(self) -> float:
        """The same by the bound."""
        return self.second_bound / self.first_bound


def slower() -> float:
    """As long as on the first chip if memory is all that a kernel waits for.

    >>> round(slower(), 3)
    0.698
    """
    return bandwidth(FIRST) / bandwidth(SECOND)


@cache
def pairs(kind: str) -> tuple[Pair, ...]:
    """Everything of a kind that was timed on both.

    >>> [len(pairs(kind)) for kind in KINDS]
    [296, 66, 42, 14]
    """
    if kind in ("matrices", "attention"):
        timed = products if kind == "matrices" else attentions
        both = zip(timed(FIRST), timed(SECOND), strict=True)
        return tuple(_pair(one.row, other.row, one.bound, other.bound) for one, other in both)
    part = "step" if kind == "whole steps" else "pass"
    steps = zip(chip_steps(part, FIRST), chip_steps(part, SECOND), strict=True)
    return tuple(
        _pair(one.whole, other.whole, float(one.counted.bound_seconds), float(other.counted.bound_seconds))
        for one, other in steps
    )


def _pair(one: ChipTime, other: ChipTime, one_bound: float, other_bound: float) -> Pair:
    assert key(one) == key(other)
    return Pair(one, one.seconds, other.seconds, one_bound, other_bound)


def key(row: ChipTime) -> Key:
    """All that tells a timing from others, but the chip and the run."""
    return row.part, row.name, row.model, row.format, row.tokens, row.context, row.count, row.bytes


def of_part(part: str, name: str) -> list[tuple[ChipTime, ChipTime]]:
    """Timings of one part and name on both chips."""
    first, second = ({key(row): row for row in chip_times(part, chip) if row.name == name} for chip in TIMED_CHIPS)
    return [(row, second[each]) for each, row in first.items() if each in second]


def largest(name: str) -> tuple[ChipTime, ChipTime]:
    """Reading, writing or copying most bytes, on both chips."""
    return max(of_part("memory", name), key=lambda both: both[0].bytes)


def attention_pairs(*, many: bool) -> list[Pair]:
    """Attention over large caches, of many sequences or of few."""
    large = {key(each.row) for each in attentions() if each.bytes >= LARGE_CACHE}
    return [each for each in pairs("attention") if key(each.row) in large and (each.row.tokens >= UNCUT) == many]


def experts(model: str, most: int) -> list[tuple[list[Woken], list[Woken]]]:
    """Draws of a model's experts on both chips, batch by batch up to `most` tokens."""
    first, second = (woken(model, chip) for chip in TIMED_CHIPS)
    kinds = dict.fromkeys((each.row.name, each.row.tokens) for each in first if each.row.tokens <= most)
    return [(of_kind(first, name, tokens), of_kind(second, name, tokens)) for name, tokens in kinds]


def an_expert(draws: Sequence[Woken]) -> float:
    """Seconds for each expert that is awake, the mean of some draws."""
    return float(np.mean([each.row.seconds / each.row.count for each in draws]))


@cache
def followers() -> dict[str, tuple[float, ...]]:
    """As long on the second chip as on the first, for each kind of kernel.

    >>> found = followers()
    >>> [round(min(found[name]), 2) for name in ("reading 4 GB", "writing 4 GB")]
    [0.69, 0.97]
    """
    matrices, prompts = pairs("matrices"), pairs("prompts")
    found: dict[str, Iterable[float]] = {
        "reading 4 GB": [_as_long(*largest("read"))],
        "a matrix, few tokens": [each.measured for each in matrices if each.row.tokens <= FEW],
        "attention, few sequences": [each.measured for each in attention_pairs(many=False)],
        **{
            f"experts, {catalog.model(model).name}": [
                an_expert(other) / an_expert(one) for one, other in experts(model, most)
            ]
            for model, most in EXPERTS.items()
        },
        "writing 4 GB": [_as_long(*largest("write"))],
        "small kernels": [_as_long(*both) for both in of_part("step", "rest")],
        "long prompts": [each.measured for each in prompts if each.row.tokens >= MANY],
        "attention, many": [each.measured for each in attention_pairs(many=True)],
        "a matrix, many tokens": [each.measured for each in matrices if each.row.tokens >= MANY],
    }
    return {name: tuple(ratios) for name, ratios in found.items()}


def _as_long(one: ChipTime, other: ChipTime) -> float:
    return other.seconds / one.seconds


def turn(chip: str, form: str = "bf16") -> float:
    """Tokens at which a matrix balances on a chip, at the shares of both rates that its kernels reach.

    >>> round(turn(FIRST)), round(turn(SECOND))
    (252, 160)
    """
    operations = rate(chip, form) * busy(chip, form) / (bandwidth(chip) * held(chip).memory_share)
    return operations * bytes_per_element(form) / 2


@cache
def busy(chip: str, form: str) -> float:
    """Share of the published arithmetic that the middle product of many tokens makes.

    >>> round(busy(FIRST, "bf16"), 2), round(busy(SECOND, "bf16"), 2)
    (0.74, 0.69)
    """
    many = [each.arithmetic_share for each in products(chip) if each.row.tokens >= MANY and each.row.format == form]
    return float(np.median(many))


def reached(each: Timing) -> float:
    """Seconds of a product whose longer part takes all of its time, at the shares of both rates that kernels reach."""
    chip = each.row.chip
    return max(each.reading / held(chip).memory_share, each.multiplying / busy(chip, each.row.format))


def turned_reached(tokens: int) -> tuple[float, ...]:
    """As long on the second chip as on the first by those shares, for each product of so many tokens."""
    both = zip(products(FIRST), products(SECOND), strict=True)
    return tuple(reached(other) / reached(one) for one, other in both if one.row.tokens == tokens)


@cache
def apart(run: int, parts: Sequence[str] = ("product", "attention")) -> tuple[float, ...]:
    """Times of another run of the second chip over those of its first.

    >>> len(apart(2)), len(apart(3))
    (362, 362)
    """
    first, other = (
        {key(row): row.seconds for part in parts for row in chip_times(part, SECOND, each)} for each in (1, run)
    )
    return tuple(seconds / first[each] for each, seconds in other.items())
