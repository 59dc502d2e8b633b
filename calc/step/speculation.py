"""Drafts: tokens that are guessed and then checked together, in one pass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Quantity, Range, Share, Whole, checked
from calc.quantities.fields import accept


@dataclass(frozen=True)
class Drafts:
    """`count` tokens guessed for each pass, each accepted with `acceptance` if those before it were.

    `layers` are what the model's own guess of one token takes: a layer like its last and its head, for one predicted
    token of DeepSeek-V3; 0 where guesses cost nothing, as those copied from the prompt.
    """

    count: Quantity = 0.0
    acceptance: Quantity = 1.0
    layers: Quantity = 1.0

    def __post_init__(self) -> None:
        accept(self, Range(0), count=Range(0, whole=True), acceptance=Range(0, 1))

    @property
    def tokens_per_pass(self) -> Quantity:
        """Tokens that a sequence gains in a pass, on average."""
        return expected_tokens(self.count, self.acceptance)


NO_DRAFTS = Drafts()


@checked
def expected_tokens(drafts: Whole, acceptance: Share) -> Quantity:
    """Tokens of a pass when each of g drafts is accepted with probability p after the others: sum of p^i, i = 0..g.

    >>> expected_tokens(1, 0.75), expected_tokens(3, 1), expected_tokens(0, 0.5)
    (1.75, 4.0, 1.0)
    """
    sure = np.equal(acceptance, 1)
    ratio = np.where(sure, 0.0, acceptance)
    return np.where(sure, drafts + 1.0, (1 - np.power(ratio, drafts + 1.0)) / (1 - ratio))
