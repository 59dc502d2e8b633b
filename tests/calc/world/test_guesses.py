"""The gain of guesses: pairs as they were printed, and forecasts that expect more of them."""

from __future__ import annotations

from itertools import pairwise

import pytest

from calc import catalog
from calc.catalog.guesses import GuessedPair, guessed_pairs
from calc.catalog.measurement import text, write
from calc.catalog.other_chips import other_chip_runs
from calc.world.guesses import expected_gains, guessed_step, pairs_of

PAIRS = guessed_pairs()
LONG = pairs_of("atom-deepseek-v4")


def test_the_table_is_as_it_would_be_written_and_knows_its_words():
    assert write(PAIRS, GuessedPair) == text("guesses.csv")
    assert {pair.source for pair in PAIRS} <= set(catalog.sources())
    assert {pair.model for pair in PAIRS} - {""} <= set(catalog.models())
    assert {pair.system for pair in PAIRS} - {""} <= set(catalog.systems())


def test_runs_without_guesses_are_those_of_the_table_of_other_chips():
    """One run stands in both tables, and says the same in both."""
    runs = {(run.source, run.load): run for run in other_chip_runs()}
    both = [(pair, runs[pair.source, pair.load]) for pair in PAIRS if (pair.source, pair.load) in runs]
    assert len(both) == 10
    for pair, run in both:
        assert (pair.plain_seconds, pair.plain_rate, pair.chips) == (run.token_seconds, run.output_rate, run.chips)
        assert (pair.mean_input, pair.mean_output) == (run.mean_input, run.mean_output)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.named}-{pair.load}")
def test_what_is_in_flight_is_not_more_than_the_load(pair):
    for one in pair.in_flight:
        assert 0.75 * pair.load < one < 1.01 * pair.load


@pytest.mark.parametrize("source", ["atom-deepseek-v4", "atom-deepseek-r1", "atom-minimax-m3"])
def test_guesses_gain_less_with_every_reader(source):
    gains = [pair.gain for pair in pairs_of(source)]
    assert all(after <= before + 0.01 for before, after in pairwise(gains))
    assert gains[-1] > 1


def test_the_forecast_agrees_where_it_is_set_and_expects_too_much_elsewhere():
    last = LONG[-1].gain
    by_sequence, by_token = expected_gains(LONG), expected_gains(LONG, by_token=True)
    assert by_sequence[0] == by_token[0] == pytest.approx(LONG[0].gain)
    assert last < by_token[-1] < by_sequence[-1]
    assert by_sequence[-1] > 1.5 * last, "refuted"
    short = pairs_of("atom-deepseek-r1")
    assert expected_gains(short)[-1] > 1.15 * short[-1].gain


def test_a_step_keeps_no_more_tokens_than_it_checks():
    for by_token in (False, True):
        assert 1 < guessed_step(LONG[0], by_token=by_token).kept < 1 + LONG[0].guesses


def test_gain_by_hand():
    """If prompts took no time and a step with guesses took twice as long, three kept tokens gain half as much again."""
    step = guessed_step(LONG[0], by_token=False)
    token = step.guessed_seconds / 3 + step.prompt_seconds
    assert step.gain(3) == pytest.approx(step.plain_seconds / token)
    assert step.gain(step.kept) == pytest.approx(LONG[0].gain)


def test_by_token_each_guess_takes_a_sequence_s_time_once_more():
    one, other = (guessed_step(LONG[-1], by_token=by_token) for by_token in (False, True))
    each = catalog.forecast_fit("decode").sequence_seconds
    more = LONG[-1].guesses * each * LONG[-1].in_flight[1]
    assert other.guessed_seconds - one.guessed_seconds == pytest.approx(more)
    assert other.plain_seconds == one.plain_seconds
