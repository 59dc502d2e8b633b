"""The gain of guesses as it was measured, and as the forecast would have it.

The forecast was fitted to runs without guesses, where a sequence has one token a step. With them a step checks several
tokens of each, and how many of those are kept is not on record. It is set so that the pair with the fewest requests
agrees; the question is how the gain falls from there. The forecast's fifth constant may be the time of a sequence, as
it was fitted, or of each token: both are asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calc.catalog.guesses import GuessedPair, guessed_pairs
from calc.setting import Layout, Setting
from calc.step import decode
from calc.step.forecasting import forecast, forecast_of
from calc.step.speculation import Drafts
from calc.world.settings import precisions_of


@dataclass(frozen=True)
class GuessedStep:
    """The forecast of a pair: a token without guesses, a step with them, and prompts read beside each token of both."""

    pair: GuessedPair
    plain_seconds: float
    guessed_seconds: float
    prompt_seconds: float

    @property
    def kept(self) -> float:
        """Tokens that a step would have to keep for the measured gain."""
        return self.guessed_seconds / (self.plain_seconds / self.pair.gain - self.prompt_seconds)

    def gain(self, kept: float) -> float:
        """How many times as fast a reader's tokens come if a step keeps so many."""
        return self.plain_seconds / (self.guessed_seconds / kept + self.prompt_seconds)


def guessed_step(pair: GuessedPair, *, by_token: bool) -> GuessedStep:
    """The forecast of a pair whose model and system are catalogued; `by_token` if each token takes a sequence's time.

    >>> step = guessed_step(guessed_pairs()[0], by_token=False)
    >>> bool(step.guessed_seconds > step.plain_seconds > step.prompt_seconds > 0)
    True
    """
    formats = precisions_of(pair.model, pair.precision)
    setting = Setting.published(pair.model, pair.system, formats, layout=Layout(tensor=pair.chips))
    plain, guessed = pair.in_flight

    def among(batch: float) -> float:
        found = forecast(setting, batch, pair.context, prompt=pair.mean_input, output=pair.mean_output)
        return float(found.seconds)

    step = forecast_of(decode(setting, guessed, pair.context, drafts=Drafts(count=pair.guesses)))
    more = pair.guesses * step.sequence_seconds if by_token else 0.0
    return GuessedStep(
        pair,
        plain_seconds=among(plain),
        guessed_seconds=float(step.seconds + more),
        prompt_seconds=float(among(guessed) - forecast(setting, guessed, pair.context).seconds),
    )


def expected_gains(pairs: Sequence[GuessedPair], *, by_token: bool = False) -> list[float]:
    """Gains by the forecast, if a step keeps as many tokens as the first of the pairs asks for."""
    steps = [guessed_step(pair, by_token=by_token) for pair in pairs]
    return [step.gain(steps[0].kept) for step in steps]


def pairs_of(source: str) -> list[GuessedPair]:
    """The pairs of one source, the fewest requests first."""
    return sorted((pair for pair in guessed_pairs() if pair.source == source), key=lambda pair: pair.load)
