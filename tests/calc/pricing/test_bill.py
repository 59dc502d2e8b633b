"""The reader's own bill, its levers, and conversations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.pricing.bill import Prices, Traffic, bill, conversation, conversation_bill, levers, requests_per_write
from calc.pricing.prompt_cache import break_even_reuses
from calc.quantities.errors import CalcError, OutOfRange, ShapeMismatch, WrongType

OPUS = Prices(input=5e-6, output=25e-6, write=6.25e-6, hit=0.5e-6)
"""Anthropic, pricing page: Claude Opus 4.5 to 4.8."""

price = st.floats(1e-8, 1e-4)
sheets = st.builds(Prices, input=price, output=price, write=price, hit=price)
counts = st.floats(0, 1e6)
streams = st.builds(
    Traffic,
    requests=counts,
    shared_tokens=counts,
    own_tokens=counts,
    output_tokens=counts,
    requests_per_write=st.floats(1, 1e4),
)


def test_a_printed_sheet_is_per_million_and_what_it_lacks_costs_as_input():
    assert Prices.per_million(5, 25, 6.25, 0.5) == OPUS
    assert Prices.per_million(2, 8) == Prices(2e-6, 8e-6, 2e-6, 2e-6)
    with pytest.raises(OutOfRange, match="hit must be a finite number of at least 0; it was -1"):
        Prices.per_million(2, 8, hit=-1)


def test_deepseeks_theoretical_revenue_is_what_they_published():
    """DeepSeek open-infra-index, day 6: 608B tokens in, 342B of them hits, 168B out, at R1's prices: $562,027 a day."""
    r1 = Prices.per_million(0.55, 2.19, hit=0.14)
    day = Traffic(1, shared_tokens=342e9, own_tokens=266e9, output_tokens=168e9, requests_per_write=1e15)
    assert bill(day, r1, cached_share=1).total == pytest.approx(562_027, rel=2e-4)


@given(streams, sheets, st.floats(0, 1))
def test_every_token_is_paid_for_once(traffic, prices, share):
    flat = Prices(prices.input, prices.input, prices.input, prices.input)
    tokens = traffic.requests * (traffic.shared_tokens + traffic.own_tokens + traffic.output_tokens)
    assert bill(traffic, flat, share).total == pytest.approx(tokens * prices.input)


@given(streams, sheets, st.floats(0, 1))
def test_a_bill_is_linear_in_the_share_that_is_cached(traffic, prices, share):
    none, every = bill(traffic, prices).total, bill(traffic, prices, 1).total
    assert bill(traffic, prices, share).total == pytest.approx((1 - share) * none + share * every, rel=1e-9, abs=1e-12)


@given(st.floats(1, 1e4), st.floats(1, 1e6), sheets)
def test_the_cache_lever_pays_exactly_beyond_the_break_even(served, tokens, prices):
    stream = Traffic(1, tokens, 0, 0, served)
    saved = levers(stream, prices).cache * served
    reuses = served - 1
    expected = tokens * (served * prices.input - prices.write - reuses * prices.hit)
    assert saved == pytest.approx(expected, rel=1e-6, abs=1e-9 * tokens * served * 1e-4)
    if abs(expected) > 1e-6 * tokens * served * prices.input and prices.hit < prices.input < prices.write:
        assert (saved > 0) == (reuses > break_even_reuses(prices.input, prices.write, prices.hit))


@given(streams, sheets, st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_each_lever_saves_the_difference_of_two_bills(traffic, prices, cached, batch, multiplier, cut):
    saved = levers(traffic, prices, cached_share=cached, batch_share=batch, batch_multiplier=multiplier, shorten=cut)
    now = bill(traffic, prices, cached)
    tolerance = {"rel": 1e-6, "abs": 1e-9 * (now.total + 1e-9)}
    own = traffic.requests * traffic.own_tokens * prices.input
    assert saved.batch == pytest.approx(now.total * batch * (1 - multiplier), **tolerance)
    assert saved.shorten_output == pytest.approx(cut * now.output, **tolerance)
    assert saved.shorten_own == pytest.approx(cut * own, **tolerance)
    assert saved.shorten_shared == pytest.approx(cut * (now.total - now.output - own), **tolerance)
    assert saved.cache == pytest.approx(now.total - bill(traffic, prices, 1).total, **tolerance)


def test_the_usual_levers_are_a_tenth_shorter_and_half_price_by_batch():
    day = Traffic(1000, 10_000, 1000, 1000, 10)
    saved = levers(day, OPUS, batch_share=0.5)
    assert saved.shorten_output == pytest.approx(0.1 * bill(day, OPUS).output)
    assert saved.batch == pytest.approx(0.25 * bill(day, OPUS).total)


def test_nothing_is_batched_cached_or_reused_unless_said():
    day = Traffic(1000, 10_000, 1000, 1000)
    assert levers(day, OPUS).batch == 0
    assert bill(day, OPUS).input == pytest.approx(55)
    assert bill(day, OPUS, 1).hit == 0


@given(st.integers(1, 60), st.integers(0, 10_000), st.integers(0, 1000), st.integers(0, 1000))
def test_a_conversation_is_the_sum_of_its_turns(turns, system, heard, said):
    new = repeated = context = 0
    for turn in range(turns):
        seen = context
        context += (system if turn == 0 else said) + heard
        new, repeated = new + context - seen, repeated + seen
    tokens = conversation(turns, system, heard, said)
    assert (tokens.new, tokens.repeated, tokens.output) == (new, repeated, turns * said)
    assert tokens.input == new + repeated


def test_ten_times_the_turns_read_a_hundred_times_as_much():
    assert conversation(10_000, 0, 100, 400).input / conversation(1000, 0, 100, 400).input == pytest.approx(
        100, rel=0.01
    )


@given(st.integers(1, 1000), counts, counts, counts, sheets, st.floats(0, 1))
def test_a_conversation_costs_its_tokens(turns, system, heard, said, prices, cached):
    tokens = conversation(turns, system, heard, said)
    made = conversation_bill(turns, system, heard, said, prices, cached)
    assert made.input == pytest.approx((1 - cached) * tokens.input * prices.input)
    assert made.write == pytest.approx(cached * tokens.new * prices.write)
    assert made.hit == pytest.approx(cached * tokens.repeated * prices.hit)
    assert made.output == pytest.approx(tokens.output * prices.output)
    assert made.total == pytest.approx(made.input + made.write + made.hit + made.output)


def test_a_conversation_is_cached_unless_said_otherwise():
    assert conversation_bill(10, 1000, 100, 400, OPUS).input == 0


@given(st.floats(0, 1e4), st.floats(0, 1e5))
def test_the_request_that_writes_is_served_too(rate, lifetime):
    assert requests_per_write(rate, lifetime) == pytest.approx(1 + rate * lifetime)


def test_an_array_gives_what_its_elements_give():
    shared = np.array([0, 1e3, 1e6])
    together = levers(Traffic(1000, shared, 500, 800, 20), OPUS, batch_share=0.2).cache
    apart = [levers(Traffic(1000, one, 500, 800, 20), OPUS, batch_share=0.2).cache for one in shared]
    np.testing.assert_allclose(together, apart, rtol=1e-12)


@pytest.mark.parametrize("field", ["input", "output", "write", "hit"])
def test_a_negative_price_is_refused(field):
    sheet = {"input": 1e-6, "output": 1e-6, "write": 1e-6, "hit": 0}
    with pytest.raises(OutOfRange, match=f"{field} must be a finite number of at least 0; it was -1"):
        Prices(**{**sheet, field: -1})


def test_a_prefix_serves_at_least_the_request_that_writes_it():
    with pytest.raises(OutOfRange, match="requests_per_write must be a finite number of at least 1"):
        Traffic(1, 1, 1, 1, 0.5)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: bill("much", OPUS), "traffic must be a Traffic; it was “much”"),
        (lambda: bill(Traffic(1, 1, 1, 1), 5), "prices must be a Prices; it was 5"),
        (lambda: levers(OPUS, OPUS), "traffic must be a Traffic"),
        (lambda: conversation_bill(1, 1, 1, 1, None), "prices must be a Prices; it was None"),
    ],
)
def test_the_wrong_kind_of_thing_is_refused(call, sentence):
    with pytest.raises(WrongType, match=sentence):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: Traffic([1, 2], [1, 2, 3], 1, 1),
        lambda: bill(Traffic([1, 2], 1, 1, 1), Prices([1, 2, 3], 1, 1, 1)),
        lambda: bill(Traffic([1, 2], 1, 1, 1), OPUS, [0, 0.5, 1]),
        lambda: levers(Traffic([1, 2], 1, 1, 1), OPUS, shorten=[0, 0.5, 1]),
        lambda: conversation_bill([1, 2], 1, 1, 1, Prices([1, 2, 3], 1, 1, 1)),
    ],
)
def test_shapes_that_do_not_combine_are_refused(call):
    with pytest.raises(ShapeMismatch, match=r"combines with .*(\(2,\).*\(3,\)|\(3,\).*\(2,\))"):
        call()


def test_every_refusal_is_of_the_family():
    with pytest.raises(CalcError):
        Traffic(float("nan"), 1, 1, 1)
