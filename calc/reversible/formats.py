"""Formats of numbers in which a network is run: how its states are kept, and how the function of a layer is computed.

Training multiplies in sixteen bits, most often in bfloat16: the exponent of a 32-bit number and seven bits behind the
point. numpy has no such type, so its numbers are 32-bit ones whose last sixteen bits are zero, rounded after every
operation; a product of matrices is summed in 32 bits first, as multipliers do. Where a format is `mixed`, states are
kept and added in 32 bits, and only the function is computed in sixteen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.floating]
LOW_BITS = 16  # of a 32-bit number, that bfloat16 drops
SPLITTER = np.float32(2**LOW_BITS + 1)


def bfloat16(values: ArrayLike) -> Floats:
    """A nearest bfloat16 of each number, as 32-bit ones: c - (c - x) with c = (2^16 + 1) x, each rounded to 32 bits.

    The splitting of Dekker, 1971; c must not overflow.

    >>> bfloat16([1.0, 1.003, 1.005, 3.14159]).tolist()
    [1.0, 1.0, 1.0078125, 3.140625]
    """
    given = np.asarray(values, dtype=np.float32)
    large = SPLITTER * given
    return np.asarray(large - (large - given))


def exact(values: ArrayLike) -> Floats:
    """Numbers as they are: rounded by the type in which they are computed, and by nothing else.

    >>> exact([1.5]).tolist()
    [1.5]
    """
    return np.asarray(values)


@dataclass(frozen=True)
class Format:
    """The type of arrays, and what becomes of a state and of a function's result after each operation."""

    dtype: Any
    state: Callable[[ArrayLike], Floats] = exact
    function: Callable[[ArrayLike], Floats] = exact

    @property
    def spacing(self) -> float:
        """The distance of one from the next larger number in which a state is kept."""
        wide = float(np.finfo(self.dtype).eps)
        return wide if self.state is exact else wide * 2**LOW_BITS


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "bfloat16": Format(np.float32, bfloat16, bfloat16),
        "mixed": Format(np.float32, exact, bfloat16),
        "float32": Format(np.float32),
        "float64": Format(np.float64),
    }
)
