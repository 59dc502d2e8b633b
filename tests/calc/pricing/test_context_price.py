"""Price steps by context, against what context costs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.batching import largest_batch, step_time
from calc.batching.balance import critical_context, hardware_ratio
from calc.ledger.calls import evaluate
from calc.ledger.claims import claim
from calc.pricing.context_price import (
    crossover_context,
    decode_cost,
    fair_step,
    implied_kv_bytes,
    longest_profitable_context,
    tier_margin,
    tiered_price,
)
from calc.quantities.errors import OutOfRange

lengths = st.floats(1, 1e8)


def test_the_lectures_step_implies_the_lectures_bytes():
    """Lecture, 01:36: 100B active parameters, a ratio of 300 and a step at 200K tokens give 1,667 bytes a token."""
    assert implied_kv_bytes(200e3, 100e9, 300) == pytest.approx(1667, abs=0.5)
    assert implied_kv_bytes(200e3, 100e9, 300, 0.5) == pytest.approx(833, abs=0.5)
    assert implied_kv_bytes(200e3, 100e9, 300, 2) == pytest.approx(3333, abs=0.5)


@given(lengths, st.floats(1e8, 1e13), st.floats(50, 1000), st.sampled_from([0.5, 1, 2]))
def test_length_and_bytes_are_each_others_way_back(crossover, params, ratio, width):
    held = implied_kv_bytes(crossover, params, ratio, width)
    assert crossover_context(held, params, ratio, width) == pytest.approx(crossover)


@given(
    st.floats(1e8, 1e13), st.floats(1, 1e6), st.floats(1e12, 1e17), st.floats(1e10, 1e14), st.sampled_from([0.5, 1, 2])
)
def test_the_crossover_is_the_critical_context_of_the_first_lecture(params, kv, flops, bandwidth, width):
    ratio = hardware_ratio(flops, bandwidth, width)
    assert crossover_context(kv, params, ratio, width) == pytest.approx(critical_context(params, kv, flops, bandwidth))


@given(st.floats(0, 1e8), lengths, lengths, st.floats(1.1, 10))
def test_cost_grows_with_context_from_one(context, crossover, attention, more):
    assert 1 <= decode_cost(context, crossover) <= decode_cost(more * context, crossover)
    assert decode_cost(context, crossover) <= decode_cost(context, crossover, attention)
    assert decode_cost(context, crossover, attention) >= 1 + context / attention


def test_without_attention_cost_is_flat_up_to_the_crossover_and_then_in_proportion():
    costs = decode_cost(np.array([0, 1e5, 2e5, 3e5, 4e5, 1e6]), 2e5)
    np.testing.assert_allclose(costs, [1, 1, 1, 1.5, 2, 5])


@given(lengths, lengths, st.floats(0.1, 10), st.floats(1, 10))
def test_the_step_comes_after_the_threshold(context, threshold, base, above):
    assert tiered_price(context, threshold, base, above) == (above if context > threshold else base)


def test_a_step_of_a_half_is_under_water_beyond_one_and_a_half_times_the_crossover():
    lengths = np.array([150e3, 200e3, 250e3, 300e3, 400e3, 1e6])
    margins = tier_margin(lengths, crossover=200e3, threshold=200e3, step=1.5)
    np.testing.assert_allclose(margins, [0, 0, 1 / 6, 0, -1 / 3, -7 / 3], atol=1e-12)


@given(lengths, lengths, lengths, st.floats(1, 5), st.floats(0, 5), lengths)
def test_a_margin_is_what_the_price_leaves_of_the_cost(context, crossover, threshold, step, markup, attention):
    rest = 1 - tier_margin(
        context, crossover=crossover, threshold=threshold, step=step, markup=markup, attention_context=attention
    )
    price = tiered_price(context, threshold, 1 + markup, (1 + markup) * step)
    assert rest * price == pytest.approx(decode_cost(context, crossover, attention))


@given(lengths, st.floats(1, 10), st.floats(0, 5), st.none() | lengths)
def test_the_higher_price_meets_the_cost_at_the_longest_profitable_context(crossover, step, markup, attention):
    longest = longest_profitable_context(crossover, step, markup, attention)
    assert decode_cost(longest, crossover, attention) == pytest.approx(step * (1 + markup))


def test_a_price_at_cost_without_a_step_lasts_to_the_crossover():
    assert longest_profitable_context(2e5, 1) == 2e5


@pytest.mark.parametrize("attention", [None, 1e5])
def test_a_price_below_the_least_cost_is_profitable_nowhere(attention):
    assert longest_profitable_context(2e5, 0.9, attention_context=attention) == 0
    assert longest_profitable_context(2e5, 0.9, 1, attention) > 0


@given(lengths, lengths, st.floats(1.01, 100), st.one_of(st.none(), lengths))
def test_a_fair_step_is_the_mean_cost_beyond_the_threshold(crossover, threshold, more, attention):
    longest = threshold * more
    lengths = threshold + (np.arange(4000) + 0.5) / 4000 * (longest - threshold)
    mean = np.mean(decode_cost(lengths, crossover, attention))
    assert fair_step(crossover, threshold, longest, attention) == pytest.approx(mean, rel=1e-4)


def test_a_tier_that_ends_before_it_begins_is_refused():
    with pytest.raises(OutOfRange, match=r"longest must be above the threshold, 200000\.0; it was 200000\.0"):
        fair_step(2e5, 2e5, 2e5)
    with pytest.raises(OutOfRange, match="longest must be above the threshold"):
        fair_step(2e5, 2e5, [1e6, 1e5])


def test_an_array_gives_what_its_elements_give():
    steps = np.array([0.9, 1.5, 4])
    together = longest_profitable_context(2e5, steps, 0, 1e5)
    np.testing.assert_array_equal(together, [longest_profitable_context(2e5, step, 0, 1e5) for step in steps])


@pytest.mark.parametrize(("lengths", "times"), [(0.5, 1), (1, 2), (3, 6)])
def test_weights_that_take_half_of_a_full_memory_double_the_slope_and_halve_the_crossover(lengths, times):
    """In units of the crossover and of a token that costs its multiplying alone; of 16 TB, the weights take 8."""
    machine, kept = {"active_params": 100e9, "flops": 1e17, "bandwidth": 1e14}, 2e3
    context = lengths * critical_context(kv_bytes_per_token=kept, **machine)
    batch = largest_batch(16e12, 8e12, context, kept)
    step = step_time(batch, context, weight_bytes=8e12, kv_bytes_per_token=kept, **machine)
    assert step.bound / step.compute == pytest.approx(times, rel=1e-3)


def test_a_generation_of_twice_the_length_takes_from_two_to_four_times_as_long():
    """Claim E26, by summing (4) token by token: two up to half the crossover, four in the limit alone."""
    times = [
        float(decode_cost(np.arange(2 * length) + 1.0, 200e3).sum() / decode_cost(np.arange(length) + 1.0, 200e3).sum())
        for length in (100_000, 200_000, 1_000_000)
    ]
    assert times == pytest.approx(evaluate(claim("E26").numbers["times"][0]), rel=1e-4)
    assert times == pytest.approx([2, 2.5, 3.88], rel=1e-2)
    assert max(times) < 4


def test_no_markup_covers_every_length_and_a_measured_one_no_million_with_attention_counted():
    """Claim E4: 1.5 times 6.45 of Pope's crossovers; by Llama's own cache the lower price ends long before a step."""
    far, attended = (evaluate(claim("E4").numbers[name][0])[0] for name in ("far", "attended"))
    assert far == pytest.approx(1.5 * 6.45 * 200e3, rel=2e-3)
    assert attended == pytest.approx(6.45 * 405e9 / (300 * 258_048), rel=2e-3)
    assert attended < (6.45 - 1) * 98_092
    assert 1.5 * attended < 200e3 < 1e6 < far  # so the higher price too is below cost at a step as long as Gemini's


@given(st.lists(st.floats(0, 1e8), min_size=1, max_size=20), lengths)
def test_a_mixed_batch_costs_no_more_than_batches_sorted_by_length_and_no_less_than_half(contexts, crossover):
    mixed, apart = decode_cost(np.mean(contexts), crossover), np.mean(decode_cost(np.array(contexts), crossover))
    assert mixed <= apart * (1 + 1e-9)
    assert apart <= 2 * mixed * (1 + 1e-9)


def test_half_of_the_requests_short_and_half_at_twice_the_crossover_cost_a_third_less_in_one_batch():
    assert decode_cost(1.0, 1) == pytest.approx(np.mean(decode_cost(np.array([0.0, 2.0]), 1)) * 2 / 3)
