"""Size and tokens of a model that will be served: what is cheapest, and what training for longer costs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calc.overtraining.lifetime import (
    at_tokens_per_param,
    cheapest_at_loss,
    equal_cost_at_loss,
    price_at_equal_loss,
    serving_that_justifies,
)
from calc.overtraining.scaling_law import Allocation, ScalingLaw, compute_optimal, loss, params_for_loss
from calc.quantities.errors import OutOfRange
from tests.calc.overtraining.laws import BESIROGLU, HOFFMANN, laws, sizes

SARDANA = ScalingLaw(1.69, 406.4, 410.7, 0.336, 0.283)
"""Sardana et al. 2024: the constants of Hoffmann et al. with their exponents to three digits."""


def test_smaller_for_longer_saves_what_the_paper_on_serving_reports():
    """Sardana et al. 2024, figure 1: for 2T tokens served, 7B instead of 13B saves 1.7e22 operations (17 %)."""
    budget = np.logspace(20, 24, 4001)
    thirteen = np.interp(13e9, compute_optimal(SARDANA, budget).params, budget)
    before = compute_optimal(SARDANA, thirteen)
    after = cheapest_at_loss(SARDANA, loss(SARDANA, before.params, before.tokens), 2e12)
    saved = before.lifetime_operations(2e12) - after.lifetime_operations(2e12)
    assert after.params == pytest.approx(7e9, rel=0.01)
    assert saved == pytest.approx(1.7e22, rel=0.01)
    assert saved / before.lifetime_operations(2e12) == pytest.approx(0.17, abs=0.005)


def test_two_fits_disagree_about_the_best_model_of_chinchillas_loss():
    first = cheapest_at_loss(HOFFMANN, loss(HOFFMANN, 70e9, 1.4e12))
    second = cheapest_at_loss(BESIROGLU, loss(BESIROGLU, 70e9, 1.4e12))
    assert (first.params, first.tokens) == (pytest.approx(39.10e9, rel=0.001), pytest.approx(2.290e12, rel=0.001))
    assert (second.params, second.tokens) == (pytest.approx(73.0e9, rel=0.001), pytest.approx(1.342e12, rel=0.001))


@pytest.mark.parametrize(
    ("law", "size", "tokens", "price"), [(HOFFMANN, 10.57e9, 21.14e12, 2.28), (BESIROGLU, 17.0e9, 34.0e12, 5.91)]
)
def test_a_hundred_times_the_tokens_per_parameter_at_chinchillas_loss(law, size, tokens, price):
    longer = price_at_equal_loss(law, 70e9, 1.4e12, 2000)
    assert longer.allocation.params == pytest.approx(size, rel=0.002)
    assert longer.allocation.tokens == pytest.approx(tokens, rel=0.002)
    assert longer.training_ratio == pytest.approx(price, rel=0.001)
    assert longer.size_ratio == pytest.approx(70e9 / size, rel=0.002)


@given(laws, st.floats(0.05, 2), st.floats(0, 1e16), st.floats(-0.7, 3))
def test_nothing_of_the_same_loss_is_cheaper_over_a_life(law, gap, served, shift):
    target = law.irreducible + gap
    best = cheapest_at_loss(law, target, served)
    assert loss(law, best.params, best.tokens) == pytest.approx(target)
    tokens = best.tokens * np.exp(shift)
    other = Allocation(params_for_loss(law, target, tokens), tokens)
    assert best.lifetime_operations(served) <= other.lifetime_operations(served) * (1 + 1e-9)


@given(laws, st.floats(1e18, 1e27))
def test_without_serving_it_is_the_compute_optimum(law, operations):
    best = compute_optimal(law, operations)
    target = loss(law, best.params, best.tokens)
    assume(target - law.irreducible > 1e-4)
    same = cheapest_at_loss(law, target)
    assert (same.params, same.tokens) == (pytest.approx(best.params, rel=1e-6), pytest.approx(best.tokens, rel=1e-6))


@given(laws, st.floats(0.05, 2), st.floats(1e10, 1e15), st.floats(1.1, 100))
def test_more_serving_wants_a_smaller_model_trained_for_longer(law, gap, served, more):
    target = law.irreducible + gap
    less, much = cheapest_at_loss(law, target, served), cheapest_at_loss(law, target, more * served)
    assert much.params < less.params * (1 + 1e-12)
    assert much.tokens > less.tokens * (1 - 1e-12)


@given(laws, st.floats(0.05, 2), st.floats(1e10, 1e16))
def test_the_serving_that_justifies_an_optimum_is_the_one_it_was_made_for(law, gap, served):
    best = cheapest_at_loss(law, law.irreducible + gap, served)
    ratio = served / (3 * best.tokens)
    assert serving_that_justifies(law, best.params, best.tokens) == pytest.approx(ratio, rel=1e-6, abs=1e-9)


def test_no_serving_justifies_a_model_too_large_for_its_tokens():
    assert serving_that_justifies(BESIROGLU, 175e9, 300e9) < 0


@given(laws, st.floats(0.05, 2), st.floats(0.01, 1e5))
def test_a_given_ratio_is_met_at_the_given_loss(law, gap, ratio):
    found = at_tokens_per_param(law, law.irreducible + gap, ratio)
    assert found.tokens_per_param == pytest.approx(ratio)
    assert loss(law, found.params, found.tokens) == pytest.approx(law.irreducible + gap)


@given(laws, sizes, st.floats(1, 100), st.floats(1.5, 100))
def test_the_longer_training_pays_exactly_after_the_tokens_it_says(law, params, ratio, more):
    here = Allocation(params, ratio * params)
    longer = price_at_equal_loss(law, params, here.tokens, more * ratio)
    assert longer.size_ratio > 1
    served = longer.pays_after
    there = longer.allocation.lifetime_operations(served)
    if longer.training_ratio > 1:
        assert there == pytest.approx(here.lifetime_operations(served), rel=1e-6)
    else:
        assert served == 0
        assert there <= here.lifetime_operations(0)


def test_a_larger_model_never_pays():
    assert price_at_equal_loss(BESIROGLU, 70e9, 1.4e12, 2).pays_after == np.inf


def test_two_laws_can_be_asked_at_once():
    laws = zip(dataclasses.astuple(HOFFMANN), dataclasses.astuple(BESIROGLU), strict=True)
    both = ScalingLaw(*map(list, laws))
    ratio = price_at_equal_loss(both, 70e9, 1.4e12, 2000).training_ratio
    apart = [price_at_equal_loss(law, 70e9, 1.4e12, 2000).training_ratio for law in (HOFFMANN, BESIROGLU)]
    np.testing.assert_allclose(ratio, apart, rtol=1e-12)


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: cheapest_at_loss(BESIROGLU, 2.0, x * 1e4).tokens,
        lambda x: equal_cost_at_loss(BESIROGLU, 2.0, x * 1e4).params,
        lambda x: at_tokens_per_param(BESIROGLU, 2.0, x / 1e9).params,
        lambda x: price_at_equal_loss(BESIROGLU, 70e9, x * 1e3, 500).pays_after,
        lambda x: serving_that_justifies(BESIROGLU, x, 1e13),
    ],
)
def test_an_array_gives_what_its_elements_give(answer):
    values = [1e9, 7e9, 3e11]
    np.testing.assert_allclose(answer(np.array(values)), [answer(value) for value in values], rtol=1e-12)


@given(laws, st.floats(0.05, 2), st.floats(1e10, 1e16))
def test_the_heuristic_spends_alike_and_is_never_cheaper_than_the_optimum(law, gap, served):
    target = law.irreducible + gap
    even, best = equal_cost_at_loss(law, target, served), cheapest_at_loss(law, target, served)
    assert even.tokens == pytest.approx(served / 3)
    assert even.lifetime_operations(served) >= best.lifetime_operations(served) * (1 - 1e-9)
    if np.isfinite(even.params):
        assert even.training_operations == pytest.approx(even.lifetime_operations(served) / 2)
        assert loss(law, even.params, even.tokens) == pytest.approx(target)


def test_the_heuristic_costs_little_more_than_the_optimum_at_the_size_of_the_lecture():
    target = loss(BESIROGLU, 100e9, 200e12)
    even, best = equal_cost_at_loss(BESIROGLU, target, 600e12), cheapest_at_loss(BESIROGLU, target, 600e12)
    assert even.params == pytest.approx(100e9)
    assert even.lifetime_operations(600e12) / best.lifetime_operations(600e12) == pytest.approx(1.17, abs=0.005)


@pytest.mark.parametrize(
    "solve",
    [
        cheapest_at_loss,
        lambda law, target: equal_cost_at_loss(law, target, 1e13),
        lambda law, target: at_tokens_per_param(law, target, 20),
    ],
)
def test_a_loss_below_the_floor_is_refused(solve):
    with pytest.raises(OutOfRange, match=r"target_loss must be above 1\.8172, .*; it was 1\.8172"):
        solve(BESIROGLU, 1.8172)
