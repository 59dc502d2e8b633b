"""The gain of guesses: runs as they were printed, beside runs without, and two ways to expect it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from calc import catalog
from calc.catalog.guesses import GuessedRun, guessed_runs, plain_runs
from calc.catalog.measurement import text, write
from calc.catalog.other_chips import other_chip_runs
from calc.quantities.errors import CalcError
from calc.world.guesses import expected_gain, gain_by_plain_runs, guessed_runs_of, guessed_step
from calc.world.other_chips import OtherChips

RUNS = guessed_runs()
COUNTED = [run for run in RUNS if run.accepted is not None]
SERIES = guessed_runs_of("atom-deepseek-v4")


@pytest.fixture(scope="module")
def judged():
    """The runs without guesses, each with its forecast."""
    return {each.run: each for each in OtherChips().judged}


def name(run):
    return f"{run.source}-{run.load}"


def test_the_table_is_as_it_would_be_written_and_each_run_has_one_without_guesses():
    assert write(RUNS, GuessedRun) == text("guesses.csv")
    assert {run.source for run in RUNS} <= set(catalog.sources())
    for run in RUNS:
        assert (run.plain.source, run.plain.load) == (run.source, run.load)


def test_no_source_has_two_plain_runs_of_one_load():
    """Else the run beside which one with guesses stands would not be certain."""
    for source in {run.source for run in RUNS}:
        assert len(plain_runs(source)) == sum(run.source == source for run in other_chip_runs())


@pytest.mark.parametrize("run", RUNS, ids=name)
def test_rates_and_times_say_the_same_gain(run):
    """They are printed apart, so this tells a slip of the pen from a run; waits for a first token differ a little."""
    apart = 0.09 if run.source == "neuron-llama-70b" else 0.05
    assert run.rate_gain / run.gain == pytest.approx(1, abs=apart)
    assert 0.75 * run.load < run.in_flight < 1.01 * run.load


def test_gains_are_those_that_their_makers_print():
    printed = {
        "neuron-llama-70b": (3.6, 0.06),
        "neuron-eagle-llama-8b": (1.64, 0.01),
        "neuron-eagle-gpt-oss": (1.20, 0.01),
    }
    for source, (gain, apart) in printed.items():
        (run,) = guessed_runs_of(source)
        assert run.gain == pytest.approx(gain, abs=apart)


def test_tokens_kept_are_those_that_aws_prints():
    kept = {"neuron-eagle-llama-8b": 3.22, "neuron-eagle-gpt-oss": 1.69}
    for source, printed in kept.items():
        (run,) = guessed_runs_of(source)
        assert run.kept == pytest.approx(printed, abs=0.01)


def test_a_run_whose_source_does_not_say_what_was_kept_refuses_to():
    with pytest.raises(CalcError, match="accepted must be a source that says how many guesses were kept"):
        _ = guessed_runs_of("atom-deepseek-r1")[0].kept


@pytest.mark.parametrize("source", ["atom-deepseek-v4", "atom-deepseek-r1"])
def test_guesses_gain_less_with_every_reader(source):
    gains = [run.gain for run in guessed_runs_of(source)]
    assert all(after < before for before, after in pairwise(gains))
    assert min(run.gain for run in RUNS) > 1, "every run gained"


@pytest.mark.parametrize("run", COUNTED, ids=name)
def test_a_step_with_guesses_takes_longer_than_one_without_and_gains_all_the_same(run):
    assert 1 < run.gain < run.kept < 1 + run.guesses


@pytest.mark.parametrize("run", RUNS, ids=name)
def test_the_forecast_without_guesses_is_that_of_the_table_of_other_chips(run, judged):
    assert guessed_step(run).plain_seconds == pytest.approx(judged[run.plain].forecast, rel=1e-12)


def test_plain_runs_of_as_many_tokens_foretell_the_gain_within_a_tenth_or_so():
    """Never too much: the tokens of one sequence share its cache, and those of as many sequences do not."""
    shared = {run.load: run.gain / gain for run in SERIES if (gain := gain_by_plain_runs(run)) is not None}
    assert list(shared) == [4, 8, 16, 32, 64]
    assert all(1.04 < ratio < 1.13 for ratio in shared.values())
    assert gain_by_plain_runs(SERIES[-1]) is None


def test_the_forecast_expects_too_little_of_few_requests_and_too_much_of_many():
    ratios = [expected_gain(run) / run.gain for run in SERIES]
    assert ratios[0] < 0.9
    assert ratios[-1] > 1.2
    assert all(before < after + 0.06 for before, after in pairwise(ratios))
    plain = [run.plain.token_seconds / guessed_step(run).plain_seconds for run in SERIES]
    assert (max(plain), min(plain)) == (plain[0], plain[-1]), "without guesses it is too short, most with few"


def test_gain_by_hand():
    """If a step takes as long as four plain ones and keeps two tokens, a reader's tokens come half as fast."""
    run = SERIES[0]
    step = guessed_step(run)
    assert step.gain(3) == pytest.approx(step.plain_seconds / (step.guessed_seconds / 3 + step.prompt_seconds))
    slow = replace(run, token_seconds=2 * run.plain.token_seconds)
    assert slow.gain == 0.5
