"""A request and what it costs: tokens that are read, tokens that a cache holds, tokens that are written."""

from __future__ import annotations

from dataclasses import dataclass

from calc.quantities.check import Quantity, Range
from calc.quantities.fields import accept

MOST_CACHED = 0.99  # of an input: its last tokens are always read


@dataclass(frozen=True)
class Request:
    """One request and its answer: tokens in, tokens out, and the share of its input that a cache holds."""

    input_tokens: Quantity
    output_tokens: Quantity
    cached_share: Quantity

    def __post_init__(self) -> None:
        accept(self, Range(0, open_low=True), cached_share=Range(0, MOST_CACHED))

    @property
    def cached(self) -> Quantity:
        """Tokens that are found in a cache: h L."""
        return self.input_tokens * self.cached_share

    @property
    def fresh(self) -> Quantity:
        """Tokens that are read: (1 - h) L."""
        return self.input_tokens - self.cached

    @property
    def held(self) -> Quantity:
        """Tokens that a sequence holds on average while its answer is written: L + n / 2."""
        return self.input_tokens + self.output_tokens / 2


@dataclass(frozen=True)
class TokenDollars:
    """Dollars of a token that is read, of one that a cache holds, and of one that is written."""

    fresh: Quantity
    cached: Quantity
    output: Quantity

    def of(self, request: Request) -> Quantity:
        """Dollars of a whole request.

        >>> TokenDollars(2.0, 1.0, 5.0).of(Request(10, 4, 0.5))
        35.0
        """
        return self.fresh * request.fresh + self.cached * request.cached + self.output * request.output_tokens
