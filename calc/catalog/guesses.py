"""Measurements of guesses: runs with speculative decoding, each beside a run without that is else alike.

`measurements/guesses.csv` was gathered by hand from recipes of AMD's engine (MIT) and tutorials of AWS (CC BY-SA 4.0:
its figures alone). The runs without guesses stand in `calc.catalog.other_chips`. Nothing is fitted to either table.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from calc.catalog.measurement import read, text, written_at_once
from calc.catalog.other_chips import OtherChipRun, other_chip_runs
from calc.quantities.errors import CalcError


@dataclass(frozen=True, kw_only=True, slots=True)
class GuessedRun:
    """One run with so many `guesses` a step, of the source, requests at once and lengths of a run without.

    `accepted` is the share of the guesses that the source says was kept; nothing if it does not say. `output_rate` are
    tokens written a second and `token_seconds` the time from token to token of a reader.
    """

    source: str
    load: int
    guesses: int
    accepted: float | None
    output_rate: float
    token_seconds: float

    @property
    def plain(self) -> OtherChipRun:
        """The run without guesses."""
        return plain_runs(self.source)[self.load]

    @property
    def gain(self) -> float:
        """How many times as fast a reader's tokens came with guesses."""
        return self.plain.token_seconds / self.token_seconds

    @property
    def rate_gain(self) -> float:
        """How many times as many tokens a second were written with guesses."""
        return self.output_rate / self.plain.output_rate

    @property
    def acceptance(self) -> float:
        """Share of the guesses that was kept; refused where the source does not say it."""
        if self.accepted is None:
            raise CalcError("accepted", self.source, "a source that says how many guesses were kept")
        return self.accepted

    @property
    def kept(self) -> float:
        """Tokens that a step kept on average: its own, and the guesses that were accepted."""
        return 1 + self.guesses * self.acceptance

    @property
    def in_flight(self) -> float:
        """Sequences that are written at once with guesses, by Little's law; at least one."""
        return written_at_once(self.output_rate, self.token_seconds)


@cache
def guessed_runs() -> tuple[GuessedRun, ...]:
    """Every run of the table, in its order.

    >>> first = guessed_runs()[0]
    >>> first.plain.model, first.load, round(first.gain, 2), round(first.kept, 2)
    ('deepseek-v4-pro', 4, 2.71, 2.94)
    """
    return tuple(read(GuessedRun, text("guesses.csv")))


@cache
def plain_runs(source: str) -> dict[int, OtherChipRun]:
    """Runs without guesses of one source, by requests at once.

    >>> sorted(plain_runs("atom-deepseek-r1"))
    [128, 256]
    """
    return {run.load: run for run in other_chip_runs() if run.source == source}
