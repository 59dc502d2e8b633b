"""Sequences that go through a pass together: how many, how many new tokens each, and after how many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Quantity, Range
from calc.quantities.errors import OutOfRange
from calc.quantities.fields import accept


@dataclass(frozen=True, kw_only=True)
class Requests:
    """`batch` sequences with `context` tokens before, of which the first `shared` are the same in all, and new ones.

    `answers` new tokens of each go through the head: all while writing, the last alone while reading.

    >>> Requests(batch=8, new=2, context=100, answers=2).tokens
    16.0
    """

    batch: Quantity
    new: Quantity = 1.0
    context: Quantity = 0.0
    shared: Quantity = 0.0
    answers: Quantity = 1.0

    def __post_init__(self) -> None:
        accept(self, Range(0), batch=Range(0, open_low=True), new=Range(0, open_low=True))
        if np.any(np.asarray(self.shared) > self.context):
            raise OutOfRange("shared", self.shared, f"at most the context, {self.context}")

    @property
    def tokens(self) -> Quantity:
        """New tokens of all."""
        return self.batch * self.new
