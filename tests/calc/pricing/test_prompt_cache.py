"""The worth of keeping a prompt, and where its price says that it is kept."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.batching.step import read_seconds
from calc.pricing.prompt_cache import (
    break_even_reuses,
    cached_cost,
    fetch_speedup,
    fresh_cost,
    hold_worth_storing,
    holding_cost,
    holding_dollars_per_byte_hour,
    implied_tier,
    keep_warm_seconds,
    longer_write_seconds,
    memory_dollars_per_byte_hour,
    owned_dollars_per_byte_hour,
    reuses_for_saving,
    saving_factor,
    share_read_per_hold,
)
from calc.quantities.errors import ShapeMismatch

prices = st.floats(0.01, 100)
bytes_held = st.floats(1e9, 1e15)
bandwidths = st.floats(1e8, 1e13)


@pytest.mark.parametrize(("write", "reuses"), [(6.25, 1), (10, 2)])
def test_caching_pays_after_as_many_reads_as_the_vendor_says(write, reuses):
    """Anthropic, pricing page: one read at 1.25 times the input price (5 minutes), two at twice (1 hour)."""
    assert math.ceil(break_even_reuses(5, write, 0.5)) == reuses
    assert cached_cost(reuses, write, 0.5) < fresh_cost(reuses, 5)
    assert cached_cost(reuses - 1, write, 0.5) > fresh_cost(reuses - 1, 5)


def test_a_minute_of_storage_and_a_hit_cost_what_the_forum_computed():
    """Google developer forum, thread 194137: Gemini 1.5 Pro at $4.50 per million token-hours and hits of $0.3125."""
    assert cached_cost(1, 0, 0.3125, storage_per_hour=4.5, hours=1 / 60) == pytest.approx(0.3875)


@pytest.mark.parametrize("half", [{"hours": 2}, {"storage_per_hour": 2}])
def test_storage_costs_nothing_without_a_price_or_without_time(half):
    assert cached_cost(1, 6, 0.5, **half) == cached_cost(1, 6, 0.5) == 6.5
    assert break_even_reuses(5, 6, 0.5, **half) == break_even_reuses(5, 6, 0.5)


@given(prices, st.floats(0, 10), st.floats(0.01, 0.99), st.floats(0, 10), st.floats(0, 10))
def test_at_break_even_cached_and_fresh_cost_the_same(fresh, premium, discount, storage, hours):
    write, hit = fresh * (1 + premium), fresh * discount
    reuses = break_even_reuses(fresh, write, hit, storage, hours)
    assert cached_cost(reuses, write, hit, storage, hours) == pytest.approx(fresh_cost(reuses, fresh))


def test_a_cache_without_premium_pays_at_once_and_one_without_discount_never():
    assert break_even_reuses(5, 5, 0.5) == 0
    assert break_even_reuses(5, 4, 0.5) == 0
    assert break_even_reuses(5, 6, 5) == math.inf
    assert break_even_reuses(5, 6, 7) == math.inf
    assert break_even_reuses(5, 5, 5) == 0


@given(prices, st.floats(1, 3), st.floats(0.01, 0.99), st.floats(0, 1e4))
def test_the_saving_grows_towards_the_discount_and_never_reaches_it(fresh, premium, discount, reuses):
    here = saving_factor(reuses, fresh, fresh * premium, fresh * discount)
    assert here <= saving_factor(reuses + 1, fresh, fresh * premium, fresh * discount) * (1 + 1e-12)
    assert here <= 1 / discount * (1 + 1e-12)
    assert saving_factor(1e15, fresh, fresh * premium, fresh * discount) == pytest.approx(1 / discount, rel=1e-6)


@given(st.floats(0.1, 100), st.floats(0.01, 1), st.floats(1, 1e5))
def test_pings_and_the_hit_on_return_cost_no_more_than_a_write_and_one_more_would(write, share, lifetime):
    hit = write * share
    hits = keep_warm_seconds(write, hit, lifetime) / lifetime
    assert hits == pytest.approx(round(hits))
    assert hits * hit <= write * (1 + 1e-8)
    assert (hits + 1) * hit > write * (1 - 1e-8)


def test_the_dearer_write_of_the_list_is_cheaper_from_the_eighth_ping_on():
    """Anthropic, pricing page: $6.25 for five minutes, $10 for an hour, $0.50 for a hit; both end with a hit."""
    bills = {pings: 6.25 + 0.5 * pings for pings in range(12)}
    first = min(pings for pings, dollars in bills.items() if dollars > 10)
    assert first == 8
    # Seven pings bridge eight lifetimes; a longer pause takes the eighth.
    assert longer_write_seconds(6.25, 10, 0.5, 300) == 300 * first
    assert keep_warm_seconds(6.25, 0.5, 300) == 3600
    assert keep_warm_seconds(1.4, 0.14, 300) == 3000


def test_the_premiums_of_the_price_list_are_far_above_the_rent_of_memory():
    """Anthropic, pricing page: premiums of $1.25 and $5 a million tokens, for five minutes and an hour."""
    five_minutes = holding_dollars_per_byte_hour(1.25e-6, 2048, 300)
    hour = holding_dollars_per_byte_hour(5e-6, 2048, 3600)
    assert (five_minutes * 1e9, hour * 1e9) == (pytest.approx(7.32, abs=0.005), pytest.approx(2.44, abs=0.005))
    rent = memory_dollars_per_byte_hour(9.08 / 2, 186e9)
    assert rent * 1e9 == pytest.approx(0.0244, abs=0.0001)
    assert 70 < hour / rent < five_minutes / rent < 310


@given(prices, st.floats(100, 1e6), st.floats(1, 1e5))
def test_a_premium_pays_for_the_bytes_and_the_hours_it_is_spread_over(premium, kv, hold):
    assert holding_dollars_per_byte_hour(premium, kv, hold) * kv * hold / 3600 == pytest.approx(premium)


@given(bytes_held, bandwidths, st.floats(1e-3, 1e6), st.floats(0.01, 100))
def test_a_memory_is_used_whole_when_it_is_read_once_in_a_hold(capacity, bandwidth, hold, rent):
    drain = read_seconds(capacity, bandwidth)
    assert share_read_per_hold(drain, drain) == 1
    cost = holding_cost(hold, capacity, bandwidth, rent)
    by_capacity, by_bandwidth = rent / 3600 * hold / capacity, rent / 3600 / bandwidth
    assert cost == pytest.approx(max(by_capacity, by_bandwidth))
    assert holding_cost(drain, capacity, bandwidth, rent) == pytest.approx(by_bandwidth)


@pytest.mark.parametrize(("hold", "tier"), [(0.02, 0), (5, 1), (300, 2), (3600, 3), (86_400, 4)])
def test_hold_times_point_at_the_memories_on_sale(hold, tier):
    """GB200 HBM; 3 TB of DDR5 on 12 channels; 3.84 and 30.72 TB of Micron 9550 flash; a 24 TB Exos X24 disk."""
    capacity = np.array([186e9, 3e12, 3.84e12, 30.72e12, 24e12])
    bandwidth = np.array([8e12, 614.4e9, 14e9, 14e9, 285e6])
    assert implied_tier(hold, read_seconds(capacity, bandwidth)) == tier


@given(st.lists(st.floats(1e-3, 1e6), min_size=1, max_size=6), st.floats(1e-3, 1e6))
def test_no_other_memory_is_nearer_as_a_ratio(drains, hold):
    distances = [max(drain / hold, hold / drain) for drain in drains]
    assert distances[implied_tier(hold, drains)] == pytest.approx(min(distances))


def test_a_tier_is_asked_for_one_hold_among_several_drains():
    with pytest.raises(ShapeMismatch, match="a list of drain times, beside one hold time"):
        implied_tier(300, [[20, 200], [2, 3]])
    with pytest.raises(ShapeMismatch, match="a list of drain times, beside one hold time"):
        implied_tier([300, 3600], [20, 200])
    assert implied_tier(300, 20) == 0


@pytest.mark.parametrize("years", [1, 5])
def test_the_five_minute_rule_comes_out_as_in_1987(years):
    """Gray and Putzolu 1987, section 1: $2,000 for a disc access a second, $5 for a kilobyte of memory: 400 seconds."""
    hours = years * 365 * 24
    access, memory = 2000 / (3600 * hours), 5 / 1000 / hours
    assert hold_worth_storing(access, 1000, memory) == pytest.approx(400)


@given(st.floats(1e-9, 1e-3), st.floats(100, 1e6), st.floats(1e-14, 1e-8))
def test_storing_for_the_break_even_time_costs_a_recomputation(recompute, kv, rent):
    hold = hold_worth_storing(recompute, kv, rent)
    assert kv * rent * hold / 3600 == pytest.approx(recompute)


@given(st.floats(100, 1e6), bandwidths, st.floats(1e8, 1e12), st.floats(1e12, 1e17))
def test_fetching_is_quicker_as_often_as_it_says(kv, bandwidth, params, flops):
    speedup = fetch_speedup(kv, bandwidth, params, flops)
    assert read_seconds(kv, bandwidth) * speedup == pytest.approx(2 * params / flops)


def test_an_array_gives_what_its_elements_give():
    hits = np.array([0.5, 5, 7])
    np.testing.assert_array_equal(break_even_reuses(5, 6.25, hits), [break_even_reuses(5, 6.25, hit) for hit in hits])


@given(prices, st.floats(1, 3), st.floats(0.01, 0.9), st.floats(0.05, 0.95))
def test_so_many_reuses_make_a_prefix_so_many_times_cheaper(fresh, premium, discount, part):
    write, hit = premium * fresh, discount * fresh
    factor = max(part / discount, 1 / premium)  # below the limit p / p_h, and no less than at no reuse
    if factor * hit < 0.999 * fresh:
        reuses = reuses_for_saving(factor, fresh, write, hit)
        assert saving_factor(reuses, fresh, write, hit) == pytest.approx(factor)


def test_no_number_of_reuses_reaches_the_limit():
    assert reuses_for_saving(10, 5, 6.25, 0.5) == math.inf
    assert reuses_for_saving(0.5, 5, 6.25, 0.5) == 0


def test_bought_memory_costs_its_price_over_its_hours():
    """32 dollars a gigabyte over four years of 8,766 hours."""
    assert owned_dollars_per_byte_hour(32e-9, 4) * 4 * 8766 == pytest.approx(32e-9)
