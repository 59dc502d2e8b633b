"""Cost of a token, and what prices say about the machine that makes it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calc.batching.fast_mode import fast_mode
from calc.batching.step import step_time
from calc.pricing.implied import (
    blended_multiplier,
    decode_floor_dollars_per_token,
    implied_bytes_per_output_token,
    implied_decode_utilisation,
    margin,
    markup,
    prefill_dollars_per_token,
    price_ratio,
    slow_mode_saving,
    utilisation,
    value_of_an_hour,
)
from calc.quantities.errors import OutOfRange

H800_NODE_FP8 = 8 * 1979e12
seconds = st.floats(1e-6, 1)
prices = st.floats(1e-9, 1e-3)


def test_deepseeks_nodes_were_as_busy_as_their_published_rates_say():
    """DeepSeek open-infra-index, day 6: 73.7K tokens a second in (56.3 % of them cache hits), 14.8K out, per node."""
    decode = utilisation(14_800, 37e9, H800_NODE_FP8)
    prefill = utilisation(73_700, 37e9, H800_NODE_FP8)
    fresh = utilisation(73_700 * (1 - 0.563), 37e9, H800_NODE_FP8)
    assert (decode, prefill, fresh) == tuple(pytest.approx(share, abs=0.0005) for share in (0.0692, 0.3445, 0.1505))
    assert prefill / decode == pytest.approx(4.98, abs=0.005)
    assert fresh / decode == pytest.approx(2.18, abs=0.005)


def test_deepseeks_profit_is_what_they_published():
    """DeepSeek open-infra-index, day 6: 226.75 nodes of 8 at $2 a GPU-hour, $562,027 a day, 545 % over cost."""
    cost = 226.75 * 8 * 24 * 2
    assert cost == 87_072
    assert markup(562_027, cost) == pytest.approx(5.45, abs=0.005)
    assert margin(562_027, cost) == pytest.approx(1 - 1 / 6.4547, abs=1e-4)


@given(st.floats(1, 1e6), st.floats(1, 1e6))
def test_markup_and_margin_tell_the_same_story(price, cost):
    assert (1 + markup(price, cost)) * (1 - margin(price, cost)) == pytest.approx(1)


@given(st.floats(1e8, 1e12), st.floats(1e14, 1e18), st.floats(0.1, 1000), st.floats(0.01, 1), st.floats(0, 1e12))
def test_a_busy_system_earns_its_rent_by_reading(params, flops, rent, busy, attention):
    price = prefill_dollars_per_token(params, flops, rent, busy, attention)
    tokens_per_hour = 3600 * flops * busy / (2 * params + attention)
    assert price * tokens_per_hour == pytest.approx(rent)


@given(st.floats(0, 1e7), st.floats(1, 1e6), st.floats(1e8, 1e12))
def test_writing_costs_at_least_as_much_as_reading(context, kv, params):
    chip = {"active_params": params, "flops": 1e15, "dollars_per_hour": 10}
    floor = decode_floor_dollars_per_token(context, kv_bytes_per_token=kv, bandwidth=3e12, **chip)
    assert floor >= prefill_dollars_per_token(**chip) * (1 - 1e-12)
    without = decode_floor_dollars_per_token(0, kv_bytes_per_token=kv, bandwidth=3e12, **chip)
    assert without == pytest.approx(prefill_dollars_per_token(**chip), rel=1e-12)
    assert floor == pytest.approx(10 / 3600 * max(2 * params / 1e15, context * kv / 3e12))


@given(st.floats(0.5, 20), st.floats(0.01, 1), st.floats(1e8, 1e12))
def test_a_price_ratio_at_cost_gives_the_utilisation_away(ratio, busy, params):
    read = prefill_dollars_per_token(params, 1e15, 10, busy)
    assume(busy / ratio <= 1)
    written = prefill_dollars_per_token(params, 1e15, 10, implied_decode_utilisation(ratio, busy))
    assert price_ratio(written, read) == pytest.approx(ratio)


@given(st.floats(1, 20), st.floats(0.05, 1), st.floats(1e8, 1e12))
def test_the_implied_bytes_take_as_long_as_the_price_says(ratio, busy, params):
    held = implied_bytes_per_output_token(ratio, params, 1e15, 3e12, busy)
    assert held / 3e12 == pytest.approx(ratio * 2 * params / (1e15 * busy))


def test_defaults_stand_for_a_machine_that_is_always_busy():
    assert implied_decode_utilisation(5) == pytest.approx(0.2)
    assert implied_bytes_per_output_token(5, 50e9, 1e15, 2e12) == 1e9


@given(seconds, seconds, seconds)
def test_a_slow_mode_saves_at_most_the_share_of_the_weights(compute, weights, cache):
    saving = slow_mode_saving(compute, weights, cache)
    assert -1e-12 <= saving <= weights / (weights + cache) + 1e-12
    if compute >= weights + cache:
        assert saving == 0
    if compute <= cache:
        assert saving == pytest.approx(weights / (weights + cache))


@given(st.floats(1, 1e5), st.floats(0, 1e5))
def test_a_slow_mode_is_an_endless_batch(batch, context):
    model = {"active_params": 37e9, "weight_bytes": 671e9, "kv_bytes_per_token": 70e3}
    here = step_time(batch, context, **model, flops=3.6e17, bandwidth=5.76e14)
    endless = step_time(1e18, context, **model, flops=3.6e17, bandwidth=5.76e14)
    saving = 1 - (endless.bound / 1e18) / (here.bound / batch)
    assert slow_mode_saving(here.compute, here.weights, here.cache) == pytest.approx(saving, abs=1e-9)


def test_the_fast_modes_of_the_catalogue_imply_these_ceilings():
    """Anthropic price lists: six times the price for 2.5 times the speed (2026-04), then twice (2026-07)."""
    april, july, codex = fast_mode(6, 2.5), fast_mode(2, 2.5), fast_mode(2, 1.5)
    assert [1 / mode.batch_share for mode in (april, july, codex)] == pytest.approx([15, 5, 3])
    assert [mode.speed_ceiling for mode in (april, july, codex)] == pytest.approx([2.8, 4, 2])


@given(prices, st.floats(1, 1000), st.floats(1, 20), st.floats(1.01, 20))
def test_at_the_value_of_an_hour_fast_and_ordinary_cost_the_same(price, speed, dearer, faster):
    hour = value_of_an_hour(price, speed, dearer, faster)
    tokens = 1e6
    ordinary = tokens * price + hour * tokens / speed / 3600
    fast = tokens * price * dearer + hour * tokens / (speed * faster) / 3600
    assert fast == pytest.approx(ordinary)


def test_a_mode_that_is_no_faster_saves_no_time():
    with pytest.raises(OutOfRange, match=r"speed_ratio must be above 1: .*; it was 1\.0"):
        value_of_an_hour(1e-6, 50, 2, 1)


@given(st.floats(0, 0.5), st.floats(0, 1), st.floats(0, 0.5), st.floats(1, 6))
def test_a_blended_bill_is_the_sum_of_its_shares(batch, half, fast, dear):
    parts = batch * half + fast * dear + (1 - batch - fast)
    assert blended_multiplier(batch, half, fast, dear) == pytest.approx(parts)
    assert blended_multiplier() == 1


@pytest.mark.parametrize(
    "nothing", [{"batch_share": 0.5}, {"batch_multiplier": 0.5}, {"fast_share": 0.5}, {"fast_multiplier": 6}]
)
def test_a_share_without_a_multiplier_or_the_reverse_changes_nothing(nothing):
    assert blended_multiplier(**nothing) == 1


def test_one_bad_element_of_an_array_is_enough_to_refuse():
    with pytest.raises(OutOfRange, match="speed_ratio must be above 1"):
        value_of_an_hour(1e-6, 50, 2, [2, 1])
    with pytest.raises(OutOfRange, match="fast_share must be at most"):
        blended_multiplier(0.5, 0.5, [0.5, 0.6], 2)


def test_more_than_everything_cannot_be_sent():
    assert blended_multiplier(0.5, 0.5, 0.5, 2) == 1.25
    with pytest.raises(OutOfRange, match=r"fast_share must be at most what the batch share of 0\.75 leaves"):
        blended_multiplier(0.75, 0.5, 0.5, 2)


def test_an_array_gives_what_its_elements_give():
    contexts = np.array([0, 1e4, 1e6])

    def floor(context):
        model = {"active_params": 37e9, "kv_bytes_per_token": 70e3}
        return decode_floor_dollars_per_token(context, **model, flops=1e15, bandwidth=3e12, dollars_per_hour=2)

    np.testing.assert_array_equal(floor(contexts), [floor(context) for context in contexts])
