"""Random numbers that are the same everywhere: a counter through a mixing function, so draw i needs no draw before it.

The mixer is splitmix64 (Steele, Lea and Flood, 2014). It is no cipher, and good enough for a simulation. NumPy's own
generators are left out because the browser's copy of NumPy comes without them.
"""

from __future__ import annotations

import math
from typing import Annotated, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calc.quantities.check import Array, Count, Quantity, Range, checked, single
from calc.quantities.errors import OutOfRange, WrongType

Shape: TypeAlias = int | tuple[int, ...]
Seed: TypeAlias = Annotated[Quantity, Range(0, 2.0**53, whole=True)]
Some: TypeAlias = Annotated[Quantity, Range(1, 1e6, whole=True)]
Words: TypeAlias = NDArray[np.uint64]

LIMIT = 20_000_000
GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST = (np.uint64(30), np.uint64(0xBF58476D1CE4E5B9))
_SECOND = (np.uint64(27), np.uint64(0x94D049BB133111EB))


@checked
def bits(seed: Seed, shape: Shape) -> Words:
    """Words of 64 random bits: the first draws of splitmix64 from `seed`, in the given shape.

    >>> [int(word) for word in bits(1234567, 2)]
    [6457827717110365317, 3203168211198807973]
    """
    sides = _sides(shape)
    counter = np.arange(1, math.prod(sides) + 1, dtype=np.uint64)
    mixed = np.uint64(single("seed", seed)) + counter * GAMMA
    for shift, factor in (_FIRST, _SECOND):
        mixed = (mixed ^ (mixed >> shift)) * factor
    return (mixed ^ (mixed >> np.uint64(31))).reshape(sides)


def uniform(seed: int, shape: Shape) -> Array:
    """Numbers from 0 up to, but without, 1: the upper 53 bits of each word.

    >>> draws = uniform(1, 10_000)
    >>> bool(draws.min() >= 0), bool(draws.max() < 1), round(float(draws.mean()), 1)
    (True, True, 0.5)
    """
    return (bits(seed, shape) >> np.uint64(11)).astype(np.float64) * 2.0**-53


@checked
def below(seed: Seed, shape: Shape, limit: Count) -> NDArray[np.int64]:
    """Whole numbers from 0 to limit - 1, each as likely as the next (to one part in 2^53 / limit).

    >>> sorted(set(below(1, 100, 4).tolist()))
    [0, 1, 2, 3]
    """
    return (uniform(int(single("seed", seed)), shape) * limit).astype(np.int64)


def normal(seed: int, shape: Shape) -> Array:
    """Draws from the normal distribution with mean 0 and deviation 1 (Box and Muller, 1958).

    >>> draws = normal(1, 10_000)
    >>> bool(abs(draws.mean()) < 0.05), bool(abs(draws.std() - 1) < 0.05)
    (True, True)
    """
    sides = _sides(shape)
    pairs = uniform(seed, (2, *sides))
    return np.asarray(np.sqrt(-2 * np.log1p(-pairs[0])) * np.cos(2 * np.pi * pairs[1]))


def _sides(shape: Shape) -> tuple[int, ...]:
    sides = shape if isinstance(shape, tuple) else (shape,)
    if not sides or not all(type(side) is int and side > 0 for side in sides):
        raise WrongType("shape", shape, "a whole number above 0, or several")
    if math.prod(sides) > LIMIT:
        raise OutOfRange("shape", shape, f"of at most {LIMIT:,} numbers in all, or memory runs out")
    return sides
