"""Long contexts on racks: the runs as published, one by hand, and what the page and lecture 4 say of them."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.long_contexts import LongContextRun, long_context_runs
from calc.catalog.measurement import clean_measurements, text, write
from calc.step.forecasting import FIT
from calc.world.figures.long_contexts import _prompt_share
from calc.world.long_contexts import PUBLISHED, long_runs_judged, over
from calc.world.overlapped import overlapped
from tests.calc.figure.asking import standing

RUNS, JUDGED = long_context_runs(), long_runs_judged()
BAND = catalog.forecast_fit(FIT)


def number(name):
    return standing("world/long-contexts").values[name].number


def test_the_table_is_as_it_would_be_written():
    assert write(RUNS, LongContextRun) == text("long-contexts.csv")


@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run.system}-{run.aim}")
def test_no_more_are_written_to_than_the_recipe_allows(run):
    """Rate and speed are printed apart: chips that do not belong to a rate would give more users than places."""
    for speed in (run.slowest, run.fastest):
        assert 0.55 * run.most < run.users(speed) < run.most


def test_gb300_wrote_as_much_more_as_the_text_says():
    """1.58 times for fast users, 1.38 for many, 1.53 for most tokens: quotients that the text prints."""
    rate = {(run.system[:5], run.aim): run.chip_rate for run in RUNS}
    assert rate["gb300", "balanced"] / rate["gb200", "balanced"] == pytest.approx(1.58, abs=0.005)
    assert rate["gb300", "throughput"] / rate["gb200", "throughput"] == pytest.approx(1.384, abs=0.0005)
    assert rate["gb300", "most"] / rate["gb200", "throughput"] == pytest.approx(1.53, abs=0.005)


def test_a_run_by_hand():
    """64 GB200 at 106.5 tokens a second each, half of them writing, and at least 35,136 bytes of each token read."""
    fast = JUDGED[0]
    assert (fast.run.writing, fast.run.context) == (32, 0.9 * 132_000)
    assert fast.users == [pytest.approx(64 * 106.5 / speed / 32) for speed in (50, 60)]
    caches = [users * 118_800 * 35_136 / 8e12 for users in fast.users]
    kernels = (3 * 18 + 58 * 25) * 4.884e-6
    for said, cache, measured in zip(fast.forecast, caches, fast.seconds, strict=True):
        assert cache / BAND.memory_share + kernels < said < measured < 1.25 * said
    slope = (fast.forecast[0] - fast.forecast[1]) / (fast.users[0] - fast.users[1])
    assert slope == pytest.approx(1.22e-3, rel=0.01), "what a user takes of its chip"


def test_attention_multiplies_nearly_as_long_as_it_reads():
    """128 heads, 576 numbers of a key and 512 of a value, of one byte that all heads share; GB200 and GB300 alike."""
    assert len({each.setting.machine.bandwidth for each in JUDGED}) == 1
    for each in JUDGED:
        machine = each.setting.machine
        multiplied = 2 * 128 * (576 + 512) / catalog.system(each.run.system).chip.fp8_flops / BAND.arithmetic_share
        assert 0.8 < multiplied / (576 / machine.bandwidth / BAND.memory_share) < 1


def test_weights_and_places_fit_in_the_memory_that_the_recipe_gives():
    """The text counts some 40 GB of weights on each of sixteen chips."""
    sixteen = next(each for each in JUDGED if each.run.writing == 16)
    assert sixteen.stored == pytest.approx(40e9, rel=0.02)
    assert all(each.places <= each.places_with_room for each in JUDGED)


def test_every_run_lies_in_the_band_of_the_forecast_and_above_its_bound():
    assert all(BAND.low_80 < ratio < BAND.high_80 for each in JUDGED for ratio in each.over_forecast)
    assert all(ratio > 2 for each in JUDGED for ratio in each.over_bound)
    longest = over(JUDGED, [each.expected(each.run.input_tokens + each.run.output_tokens / 2) for each in JUDGED])
    assert BAND.low_80 < min(longest) < max(longest) < BAND.high_80, "whichever lengths were drawn"


def test_attention_in_16_bits_would_be_forecast_as_slower_than_every_run():
    assert max(over(JUDGED, [each.expected(each.run.context, PUBLISHED) for each in JUDGED])) < 1


def test_no_run_that_the_constants_know_has_a_tenth_of_such_a_context():
    assert max(row.context for row in clean_measurements()) == number("known") < 0.1 * number("context")


def test_the_run_nearest_to_lecture_4_has_the_fewest_of_its_range():
    """About four users a chip, of five places, at its promise or a fifth faster; half of 64 chips read prompts."""
    promise = standing("memory_wall/sizes").values["pace"].number
    assert (number("pace_low"), number("pace_high")) == (promise, 1.2 * promise)
    assert 3.5 < number("gb200_users_low") < number("gb200_users_high") < number("gb200_places") == 5
    assert number("gb200_users_high") < number("gb200_promised_high")
    assert number("gb300_promised_low") < number("gb300_users_low") < number("gb300_users_high")
    assert number("writing") == number("chips") / 2
    assert number("served_high") == pytest.approx(64 * 106.5 / 50)
    assert all(each.run.reading >= each.run.writing for each in JUDGED)


def test_what_remains_if_users_were_counted_otherwise():
    """With all places taken some runs lie below the band; with whole users on the fullest chip, none."""
    assert number("full_low") < BAND.low_80 < number("whole_low")
    assert number("full_high") < number("over_high")
    assert number("whole_high") < number("over_high") < BAND.high_80


def test_the_runs_speak_for_the_sum_in_the_recipes_formats_and_for_the_longer_in_sixteen_bits():
    """The form whose middle ratio is nearer to one fits better; in FP8 the one that overlaps is always too short."""
    longer = over(JUDGED, [each.longer_of_both() for each in JUDGED])
    assert min(longer) > 1
    assert max(longer) > overlapped().error.high_80 == number("longer_band")
    assert amiss(over(JUDGED, [each.forecast for each in JUDGED])) < amiss(longer)
    wide = over(JUDGED, [each.longer_of_both(PUBLISHED) for each in JUDGED])
    assert amiss(wide) < amiss(over(JUDGED, [each.expected(each.run.context, PUBLISHED) for each in JUDGED]))


def amiss(ratios):
    return abs(np.log(np.median(ratios)))


def test_gb300_took_prompts_in_faster_than_gb200_in_every_run():
    """Rated alike in FP8, so the lecture has those of GB200 alone."""
    found = standing("world/long-contexts").values
    slow = [_prompt_share(run) for run in RUNS if run.system == "gb200-nvl72"]
    fast = [_prompt_share(run) for run in RUNS if run.system == "gb300-nvl72"]
    assert found["prompt_low"].number == min(slow) < max(slow) == found["prompt_high"].number < min(fast)
    assert {catalog.chip(name).flops("fp8") for name in ("gb200", "gb300")} == {5e15}
