from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import batching
from calc.batching import fast_mode
from calc.quantities.errors import OutOfRange

prices = st.floats(1.01, 1000)
speeds = st.floats(1.01, 100)
caches = st.floats(1e-3, 1e3)


def test_six_times_the_price_for_two_and_a_half_times_the_speed():
    """By hand: 1 / 15 of the batch; x = 1.5 / (5 / 6) = 1.8; ceiling 2.8."""
    implied = fast_mode.fast_mode(6, 2.5)
    assert (1 / implied.batch_share, implied.cache_to_weights, implied.speed_ceiling) == pytest.approx((15, 1.8, 2.8))


def test_nothing_bought_for_nothing():
    assert fast_mode.fast_mode(1, 1) == fast_mode.FastMode(1.0, 0.0, 1.0)


@given(caches, st.floats(2, 1e5), st.floats(1.01, 1e4))
def test_it_finds_the_batches_that_made_the_offer(cache_to_weights, ordinary, smaller):
    """Two batches on one machine, stepped and priced by `calc.batching`, give an offer; the offer gives them back."""
    weights = 1e12
    machine = {"active_params": 1.0, "weight_bytes": weights, "flops": 1e30, "bandwidth": 1e13}
    sequence = cache_to_weights * weights / ordinary
    sizes = (ordinary, ordinary / smaller)
    steps = [batching.step_time(size, 1, kv_bytes_per_token=sequence, **machine).bound for size in sizes]
    costs = [batching.dollars_per_token(size, step, 1) for size, step in zip(sizes, steps, strict=True)]
    implied = fast_mode.fast_mode(costs[1] / costs[0], steps[0] / steps[1])
    assert 1 / implied.batch_share == pytest.approx(smaller, rel=1e-6)
    assert implied.cache_to_weights == pytest.approx(cache_to_weights, rel=1e-6)


@given(prices, speeds)
def test_the_curve_passes_through_the_offer_and_the_ordinary_mode(price, speed):
    cache = fast_mode.fast_mode(price, speed).cache_to_weights
    assert fast_mode.speed_for_price(price, cache) == pytest.approx(speed)
    assert fast_mode.price_for_speed(speed, cache) == pytest.approx(price, rel=1e-6)
    assert fast_mode.speed_for_price(1, cache) == 1


@given(caches, prices, st.floats(1, 100))
def test_speed_rises_with_price_and_stays_below_the_ceiling(cache, price, dearer):
    speed = fast_mode.speed_for_price(price, cache)
    assert 1 <= speed <= fast_mode.speed_for_price(price * dearer, cache) * (1 + 1e-12) <= (1 + cache) * (1 + 2e-12)


@given(caches)
def test_the_slow_mode_ends_where_its_speed_does(cache):
    floor = fast_mode.price_floor(cache)
    assert 0 < floor < 1
    assert fast_mode.speed_for_price(floor * (1 + 1e-9), cache) == pytest.approx(0, abs=1e-5)
    assert 1 - floor == pytest.approx(1 / (1 + cache))
    with pytest.raises(OutOfRange, match="price_ratio must be at least x"):
        fast_mode.speed_for_price(floor * 0.99, cache)


@given(st.lists(st.tuples(prices, speeds), min_size=1, max_size=5))
def test_an_array_holds_what_each_number_gives(offers):
    price, speed = (np.array(column) for column in zip(*offers, strict=True))
    implied = fast_mode.fast_mode(price, speed)
    alone = [fast_mode.fast_mode(*offer) for offer in offers]
    assert implied.cache_to_weights.tolist() == [each.cache_to_weights for each in alone]
    assert implied.batch_share.tolist() == [each.batch_share for each in alone]


def test_impossible_offers_are_refused():
    with pytest.raises(OutOfRange, match="price_ratio must be above 1 where the speed is"):
        fast_mode.fast_mode(1, 2)
    with pytest.raises(OutOfRange, match="speed_ratio must be below 1"):
        fast_mode.price_for_speed(3, 2)


def test_an_offer_that_multiplies_the_price_of_prompts_has_smaller_batches_and_a_lower_ceiling():
    """By hand: as much spent on prompts as on answers makes 6 a price of 11: 27.5 times smaller, x = 1.65."""
    price = fast_mode.price_with_prompts(6, 1)
    implied = fast_mode.fast_mode(price, 2.5)
    assert (price, 1 / implied.batch_share, implied.cache_to_weights) == pytest.approx((11, 27.5, 1.65))


@given(prices, speeds, st.floats(1e-3, 1e3))
def test_prompts_take_the_ceiling_down_towards_the_speed_that_is_sold(price, speed, prompts):
    """The machine that writes earns c + (c - 1) rho a token, and both modes earn the same."""
    alone = fast_mode.fast_mode(price, speed)
    both = fast_mode.fast_mode(fast_mode.price_with_prompts(price, prompts), speed)
    assert both.batch_share < alone.batch_share
    assert speed <= both.speed_ceiling * (1 + 1e-12) <= alone.speed_ceiling * (1 + 2e-12)
    ordinary, fast = 1 + prompts, price * (1 + prompts)  # paid for a token of answers and its prompts
    for_writing = (fast - prompts) / (ordinary - prompts)  # prompts cost as much to read as before
    assert for_writing * speed * both.batch_share == pytest.approx(1)


def test_a_mode_that_earns_twice_as_much_is_one_at_cost_that_is_sold_for_half():
    """By hand: a user pays 6 times 2.5, or 15 times as much a second, so 7.5 times fewer pay twice as much."""
    implied = fast_mode.fast_mode(6 / 2, 2.5)
    found = 1 / implied.batch_share, implied.cache_to_weights, implied.speed_ceiling
    assert found == pytest.approx((7.5, 2.25, 3.25))
    assert 6 * 2.5 * implied.batch_share == pytest.approx(2)


def test_a_second_mode_within_the_ceiling_of_the_first_if_both_earn_more_than_the_ordinary_one():
    """By hand: alike, x = 3 and 6 times the price buys 3.5; at 1.6 times the earnings x = 1.5 / 0.2 and it buys 6.5."""
    alike, more = fast_mode.fast_mode(2, 2.5), fast_mode.fast_mode(2 / 1.6, 2.5)
    assert fast_mode.speed_for_price(6, alike.cache_to_weights) == pytest.approx(3.5)
    assert fast_mode.speed_for_price(6 / 1.6, more.cache_to_weights) == pytest.approx(6.5)
