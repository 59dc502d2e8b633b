"""The gain of guesses as it was measured, and two ways to expect it: from the forecast, and from plain runs alone.

The forecast was fitted to runs in which a sequence has one token a step. With guesses a step checks several tokens of
each. A table of plain runs says what a step of so many tokens took when they were of as many sequences.
"""

from __future__ import annotations

from dataclasses import dataclass

from calc.catalog.guesses import GuessedRun, guessed_runs, plain_runs
from calc.step import decode
from calc.step.forecasting import forecast, forecast_of
from calc.step.speculation import Drafts
from calc.world.other_chips import setting_of_other


@dataclass(frozen=True)
class GuessedStep:
    """The forecast of a run: a token without guesses, a step with them, and prompts read beside each token of both."""

    plain_seconds: float
    guessed_seconds: float
    prompt_seconds: float

    def gain(self, kept: float) -> float:
        """How many times as fast a reader's tokens come if a step keeps so many."""
        return self.plain_seconds / (self.guessed_seconds / kept + self.prompt_seconds)


def guessed_step(run: GuessedRun) -> GuessedStep:
    """The forecast of a run with guesses by layers of the model, in the setting of the run without.

    >>> step = guessed_step(guessed_runs()[0])
    >>> bool(step.guessed_seconds > step.plain_seconds > step.prompt_seconds > 0)
    True
    """
    plain = run.plain
    setting = setting_of_other(plain)

    def among(batch: float) -> float:
        found = forecast(setting, batch, plain.context, prompt=plain.read_beside, output=plain.mean_output)
        return float(found.seconds)

    step = decode(setting, run.in_flight, plain.context, drafts=Drafts(count=run.guesses))
    return GuessedStep(
        plain_seconds=among(plain.in_flight),
        guessed_seconds=float(forecast_of(step).seconds),
        prompt_seconds=among(run.in_flight) - float(forecast(setting, run.in_flight, plain.context).seconds),
    )


def expected_gain(run: GuessedRun) -> float:
    """The gain by the forecast, with the tokens kept that the source says."""
    return guessed_step(run).gain(run.kept)


def gain_by_plain_runs(run: GuessedRun) -> float | None:
    """The gain if a step took as long as a plain one of as many tokens; nothing where no run had so many requests.

    >>> round(gain_by_plain_runs(guessed_runs()[0]), 2)
    2.49
    """
    as_many = plain_runs(run.source).get((1 + run.guesses) * run.load)
    return None if as_many is None else run.kept * run.plain.token_seconds / as_many.token_seconds


def guessed_runs_of(source: str) -> list[GuessedRun]:
    """The runs with guesses of one source, the fewest requests first."""
    return sorted((run for run in guessed_runs() if run.source == source), key=lambda run: run.load)
