"""Measurements of guesses: runs with speculative decoding beside runs without, else alike.

`measurements/guesses.csv` was gathered by hand, pair by pair, from recipes of AMD's engine (MIT) and tutorials of AWS
(CC BY-SA 4.0: its figures alone). Nothing is fitted to them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import Drawn, read, text, written_at_once


@dataclass(frozen=True, kw_only=True, slots=True)
class GuessedPair(Drawn):
    """Two runs of one server, the second with so many `guesses` a step.

    `named` is the model as the source calls it and `model` its row in the catalogue, if it has one, as `system` is for
    the `chip`. `load` are requests at once. Lengths are the longest; they are drawn evenly from the `shortest` share of
    them on. Rates are tokens written a second, times those from token to token of a reader.
    """

    source: str
    named: str
    model: str
    system: str
    chip: str
    chips: int
    precision: str
    guesses: int
    load: int
    input_tokens: int
    output_tokens: int
    shortest: float
    plain_rate: float
    plain_seconds: float
    guessed_rate: float
    guessed_seconds: float

    @property
    def gain(self) -> float:
        """How many times as fast a reader's tokens came with guesses."""
        return self.plain_seconds / self.guessed_seconds

    @property
    def in_flight(self) -> tuple[float, float]:
        """Sequences that are written at once, without guesses and with them, by Little's law; at least one."""
        plain = written_at_once(self.plain_rate, self.plain_seconds)
        return plain, written_at_once(self.guessed_rate, self.guessed_seconds)


@cache
def guessed_pairs() -> tuple[GuessedPair, ...]:
    """Every pair of the table, in its order.

    >>> first = guessed_pairs()[0]
    >>> first.named, first.load, round(first.gain, 2)
    ('DeepSeek-V4-Pro', 4, 2.71)
    """
    return tuple(read(GuessedPair, text("guesses.csv")))
