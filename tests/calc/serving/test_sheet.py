"""A price list by hand, its limits, and what it must not do."""

from __future__ import annotations

import pytest

from calc.quantities.errors import CalcError
from calc.serving.public import left_over, offers, token_dollars
from calc.serving.request import Request, TokenDollars
from calc.serving.sheet import of_steps, passes, sheet
from calc.serving.usual import usual
from calc.setting import Setting
from calc.step.times import decode_times

RACK = usual(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"))
REQUEST = Request(4096, 1000, 0.5)
FOUND = sheet(RACK, REQUEST, 2048, 4.54)


def test_output_is_the_rent_of_a_step_shared_by_the_batch():
    by_hand = 72 * 4.54 / 3600 * FOUND.writing.bound_seconds / 2048
    assert FOUND.bound.output == pytest.approx(by_hand)


def test_the_expected_output_rests_on_the_course_s_one_forecast():
    told = decode_times("deepseek-v3", "gb200-nvl72", "fp8", batch=2048, context=4596)
    assert FOUND.forecast.output == pytest.approx(72 * 4.54 / 3600 * told.expected_seconds / 2048)


def test_traffic_is_what_keeps_the_batch_in_flight():
    """2,048 answers of a thousand tokens, each written in a thousand steps of the forecast."""
    assert FOUND.traffic == pytest.approx(2048 / (1000 * FOUND.expected.seconds))


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_fresh_and_cached_input_together_are_the_whole_pass(share):
    found = sheet(RACK, Request(4096, 1000, share), 2048, 4.54)
    request = found.request
    together = found.forecast.fresh * request.fresh + found.forecast.cached * request.cached
    whole = found.reading_seconds[1] * 72 * 4.54 / 3600 / found.prompts
    assert together == pytest.approx(whole)


def test_costs_are_proportional_to_the_rent_and_fall_with_the_batch():
    double, larger = sheet(RACK, REQUEST, 2048, 9.08), sheet(RACK, REQUEST, 4096, 4.54)
    assert double.forecast.of(REQUEST) == pytest.approx(2 * FOUND.forecast.of(REQUEST))
    assert larger.forecast.output < FOUND.forecast.output
    assert larger.forecast.fresh == FOUND.forecast.fresh


def test_a_bound_is_below_what_is_expected():
    for kind in ("fresh", "cached", "output"):
        assert getattr(FOUND.bound, kind) <= getattr(FOUND.forecast, kind)


def test_chips_that_read_keep_up_with_those_that_write():
    """As many requests a second pass through both."""
    reads = FOUND.prompts / FOUND.reading_seconds[1] / 72
    writes = 2048 / (1000 * FOUND.expected.seconds) / 72
    assert FOUND.expected_reading_chips * reads == pytest.approx(writes)


@pytest.mark.parametrize("promise", [0.26, 0.5, 1.0, 1.8])
def test_two_passes_last_no_longer_than_a_promised_first_token_and_one_more_prompt_would(promise):
    held = sheet(RACK, REQUEST, 2048, 4.54, first_token_seconds=promise)
    each = held.prompts / 72
    assert held.longest_first_token_seconds <= promise
    longer = of_steps(REQUEST, passes(RACK, REQUEST, each + 1), held.writing, 4.54)
    assert longer.longest_first_token_seconds > promise
    assert held.forecast.fresh > FOUND.forecast.fresh
    assert held.forecast.output == FOUND.forecast.output


def test_a_promise_that_holds_anyway_changes_nothing_and_one_that_nothing_keeps_leaves_a_prompt_in_each_group():
    assert sheet(RACK, REQUEST, 2048, 4.54, first_token_seconds=10).forecast == FOUND.forecast
    least = sheet(RACK, REQUEST, 2048, 4.54, first_token_seconds=1e-3)
    assert (least.prompts, least.longest_first_token_seconds > 1e-3) == (72, True)
    with pytest.raises(CalcError, match="first_token_seconds"):
        sheet(RACK, REQUEST, 2048, 4.54, first_token_seconds=0)


def test_a_maker_s_sheet_is_that_of_the_day_on_which_its_name_meant_the_model():
    assert offers("deepseek-v3")["DeepSeek"].output > offers("deepseek-v3.2")["DeepSeek"].output
    assert list(offers("llama-3-405b")) == []


def test_a_margin_is_what_is_left_of_the_price():
    offer = offers("deepseek-v3")["DeepSeek"]
    assert left_over(offer, token_dollars(offer), REQUEST) == 0
    assert left_over(offer, TokenDollars(0, 0, 0), REQUEST) == 1
    dear = TokenDollars(*(2 * each for each in vars(token_dollars(offer)).values()))
    assert left_over(offer, dear, REQUEST) == pytest.approx(-1)


def test_a_written_token_of_a_long_request_costs_more_by_reading_its_cache_and_by_multiplying_it():
    short, long = (sheet(RACK, Request(each, 1000, 0.5), 2048, 4.54).expected for each in (4096, 8 * 4096))
    longer = long.seconds - short.seconds
    assert (long.moving_seconds - short.moving_seconds) / longer == pytest.approx(0.54, abs=0.02)
    assert (long.arithmetic_seconds - short.arithmetic_seconds) / longer == pytest.approx(0.46, abs=0.02)
