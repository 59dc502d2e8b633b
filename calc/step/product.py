"""One product of matrices, and the roofline that it lies under.

A roofline is the most operations a second that a chip can do of a kind of work: its arithmetic, or what its memory can
feed. Symbols: m x k times k x n; F FLOP/s, w bytes/s, I operations for each byte.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import NonNegative, Positive, Quantity, checked


@dataclass(frozen=True)
class Product:
    """Operations of a product, and bytes of its two inputs and its output if each is moved once."""

    flops: Quantity
    input_bytes: Quantity
    weight_bytes: Quantity
    output_bytes: Quantity

    @property
    def bytes(self) -> Quantity:
        """All bytes that are moved."""
        return self.input_bytes + self.weight_bytes + self.output_bytes

    @property
    def intensity(self) -> Quantity:
        """Operations for each byte."""
        return self.flops / self.bytes


@checked
def matrix_product(
    rows: Positive,
    inner: Positive,
    columns: Positive,
    *,
    input_bytes: Positive = 2.0,
    weight_bytes: Positive = 2.0,
    output_bytes: Positive = 2.0,
) -> Product:
    """m tokens times a k x n matrix of weights: 2 m k n operations; bytes a number are given for each of the three.

    >>> step = matrix_product(100, 8000, 8000, weight_bytes=1)
    >>> step.flops, step.bytes, round(step.intensity, 1)
    (12800000000.0, 67200000.0, 190.5)
    """
    return Product(
        flops=2 * rows * inner * columns,
        input_bytes=rows * inner * input_bytes,
        weight_bytes=inner * columns * weight_bytes,
        output_bytes=rows * columns * output_bytes,
    )


@checked
def roofline_flops(intensity: NonNegative, flops: Positive, bandwidth: Positive) -> Quantity:
    """The most operations a second at I operations for each byte: min(F, I w).

    >>> roofline_flops(100, 1e15, 4e12), roofline_flops(1000, 1e15, 4e12)
    (400000000000000.0, 1000000000000000.0)
    """
    return np.minimum(flops, intensity * bandwidth)


@checked
def ridge_intensity(flops: Positive, bandwidth: Positive) -> Quantity:
    """Operations for each byte from which arithmetic limits, and no longer memory: F / w.

    >>> ridge_intensity(1e15, 4e12)
    250.0
    """
    return flops / bandwidth


@checked
def product_seconds(flops: NonNegative, moved_bytes: NonNegative, rate: Positive, bandwidth: Positive) -> Quantity:
    """Least time of an operation by itself: max(operations / F, bytes / w).

    >>> product_seconds(1e12, 1e9, 1e15, 4e12)
    0.001
    """
    return np.maximum(flops / rate, moved_bytes / bandwidth)
