"""Slips: mistakes that a wrong answer gives away by its size, each a factor and a sentence.

An exercise's value carries the slips that its own question invites; those of its unit come with it, where they can be
true. A page compares what a reader answered with the right value, and names the slip within whose reach it lies.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

RIGHT = 1.02  # an answer within this factor is right
COUNTED = 100  # what is counted by hand up to here is written without a prefix
NEAR = math.log(1.025)  # what rounding on the way may add to a slip


@dataclass(frozen=True)
class Slip:
    """A mistake: what it makes of the right answer, as a factor, and the sentence that explains it."""

    factor: float
    sentence: str


Slips = tuple[Slip, ...]


def either(factor: float, sentence: str) -> Slips:
    """A factor that is as easily there twice as missing.

    >>> [slip.factor for slip in either(8, "A byte has eight bits.")]
    [8, 0.125]
    """
    return Slip(factor, sentence), Slip(1 / factor, sentence)


def of_all(count: float, things: str = "chips") -> Slips:
    """One for all of them, or all for one.

    >>> of_all(72)[0].sentence
    'This is the factor between one chip and all 72: are all rates and bytes those of the same?'
    """
    one = things.removesuffix("s")
    return either(
        count, f"This is the factor between one {one} and all {count:g}: are all rates and bytes those of the same?"
    )


def forgotten(factor: float, thing: str) -> Slips:
    """A factor of the formula that was left out, or used the wrong way round.

    >>> [round(slip.factor, 3) for slip in forgotten(8, "the number of experts")]
    [0.125, 0.016]
    """
    return (
        Slip(1 / factor, f"This lacks a factor: {thing}."),
        Slip(factor**-2, f"A factor stands on the wrong side: {thing}."),
    )


MULTIPLY_ADD = either(2, "A multiply-add counts as two operations here, once with each weight.")
DIRECTIONS = either(2, "A link's advertised rate often adds up both directions; here a rate is that of one.")
BYTES_OF_A_NUMBER = either(2, "This is the factor between FP4 and FP8, or FP8 and BF16: how many bytes has a number?")
_TWO = either(
    2,
    "This is a factor of two. It often hides in one of three places: a multiply-add is two operations, a link has two "
    "directions, a number in BF16 takes two bytes.",
)
_BITS = either(8, "This is the factor between bits and bytes.")
_PREFIX = "This is a factor of a thousand for each prefix: k, M, G and T upwards, m, µ and n downwards."
_PREFIXES = tuple(slip for power in (3, 6, 9) for slip in either(10.0**power, _PREFIX))
_BINARY = "This is the factor between prefixes of 1,000 and of 1,024: GB or GiB?"
_MINUTE = 60
_CLOCK = either(_MINUTE, "This is a factor of sixty: seconds, minutes or hours?") + either(
    3600, "This is the number of seconds in an hour."
)
_CENTS = either(100, "This is the factor between cents and dollars.")
_OF_UNIT: dict[str, Slips] = {
    "s": _CLOCK + _PREFIXES,
    "B": _BITS + _PREFIXES + BYTES_OF_A_NUMBER,
    "B/s": _BITS + _PREFIXES + DIRECTIONS,
    "FLOP": _PREFIXES + MULTIPLY_ADD,
    "FLOP/s": _PREFIXES + MULTIPLY_ADD,
    "operations": _PREFIXES + MULTIPLY_ADD,
    "$": _CENTS + _PREFIXES,
    "$/h": _CENTS + _CLOCK + _PREFIXES,
    "$/Mtok": _CENTS + _CLOCK + _PREFIXES,
    "%": either(100, "This is the factor between a share and a percentage."),
}


def likely(number: float, unit: str, own: Iterable[Slip] = ()) -> Slips:
    """The slips by which an answer may be wrong: its own first, then those of its unit, each factor once.

    >>> [slip.factor for slip in likely(0.25, "%")]
    [100, 0.01, 3.0]
    """
    counted = _PREFIXES if number >= COUNTED else ()
    return tuple(_once([*own, *_OF_UNIT.get(unit, counted), *_of_value(number, unit)]))


def reach(factor: float) -> float:
    """How far from a slip, as a logarithm, an answer is explained by it: small slips explain only what they match.

    So an answer lies in the reach of a slip of a tenth only if it is five times nearer to it than to the right one.
    """
    return min(NEAR, abs(math.log(factor)) / 5)


def _of_value(number: float, unit: str) -> Iterator[Slip]:
    """Those that hang on the size too: the rest in place of a share, for one, or a ratio the wrong way round."""
    if unit == "s" and number < _MINUTE:  # a step, and no storage of hours
        yield from _TWO
    if unit == "B" and number >= 1e6:
        yield from either(1.024 ** (math.log10(number) // 3), _BINARY)
    if unit == "%" and 0 < number < 1:
        yield Slip((1 - number) / number, "This is the rest: what is left when the share that was asked for is gone.")
    if unit == "x" and number > 0:
        yield Slip(number**-2, "This is one over it: the ratio stands the other way round.")


def _once(slips: Iterable[Slip]) -> Iterator[Slip]:
    """Two slips that no answer tells apart are one, and the first has the word; none may look like the right answer."""
    told: list[Slip] = []
    for slip in slips:
        if abs(math.log(slip.factor)) > math.log(RIGHT) + reach(slip.factor) and all(
            _apart(slip, other) for other in told
        ):
            told.append(slip)
            yield slip


def _apart(one: Slip, other: Slip) -> bool:
    return abs(math.log(one.factor / other.factor)) > reach(one.factor) + reach(other.factor)
