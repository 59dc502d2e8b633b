"""The scaling law: its optimum, its lines of equal loss, and what serving changes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calc.errors import CalcError, OutOfRange, ShapeMismatch, WrongType
from calc.scaling_law import (
    Allocation,
    ScalingLaw,
    at_tokens_per_param,
    cheapest_at_loss,
    compute_optimal,
    loss,
    params_for_loss,
    price_at_equal_loss,
    rule_of_thumb,
    serving_that_justifies,
)

HOFFMANN = ScalingLaw(1.69, 406.4, 410.7, 0.34, 0.28)
"""Hoffmann et al. 2022, section D.3, equation 10."""
BESIROGLU = ScalingLaw(1.8172, 482.01, 2085.43, 0.3478, 0.3658)
"""Besiroglu et al. 2024, table 1."""
SARDANA = ScalingLaw(1.69, 406.4, 410.7, 0.336, 0.283)
"""Sardana et al. 2024, section 2: the constants of Hoffmann et al. before rounding of the exponents to two digits."""

laws = st.builds(
    ScalingLaw,
    irreducible=st.floats(0, 3),
    size_scale=st.floats(10, 5000),
    token_scale=st.floats(10, 5000),
    size_exponent=st.floats(0.2, 0.6),
    token_exponent=st.floats(0.2, 0.6),
)
sizes = st.floats(1e7, 1e12)
counts = st.floats(1e9, 1e15)


def test_the_refit_finds_the_tokens_that_chinchilla_was_given():
    """Besiroglu et al. 2024: at the compute of Chinchilla, their fit agrees with about 20 tokens per parameter."""
    best = compute_optimal(BESIROGLU, 5.76e23)
    assert best.params == pytest.approx(70e9, rel=0.05)
    assert best.tokens_per_param == pytest.approx(20, rel=0.1)


def test_the_refit_scales_size_with_the_exponent_that_its_authors_give():
    """Besiroglu et al. 2024, section 3: the optimal size grows with compute to the power 0.51."""
    grown = compute_optimal(BESIROGLU, 1e25).params / compute_optimal(BESIROGLU, 1e24).params
    assert np.log10(grown) == pytest.approx(0.51, abs=0.005)


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
    assert (first.params, first.tokens) == (pytest.approx(30.0e9, rel=0.002), pytest.approx(2.735e12, rel=0.001))
    assert (second.params, second.tokens) == (pytest.approx(73.0e9, rel=0.001), pytest.approx(1.342e12, rel=0.001))


@pytest.mark.parametrize(
    ("law", "size", "tokens", "price"), [(HOFFMANN, 9.1e9, 18.2e12, 1.69), (BESIROGLU, 17.0e9, 34.0e12, 5.91)]
)
def test_a_hundred_times_the_tokens_per_parameter_at_chinchillas_loss(law, size, tokens, price):
    longer = price_at_equal_loss(law, 70e9, 1.4e12, 2000)
    assert longer.allocation.params == pytest.approx(size, rel=0.002)
    assert longer.allocation.tokens == pytest.approx(tokens, rel=0.002)
    assert longer.training_ratio == pytest.approx(price, rel=0.001)
    assert longer.size_ratio == pytest.approx(70e9 / size, rel=0.002)


@given(laws, sizes, counts, st.floats(1.01, 100))
def test_more_of_either_lowers_the_loss_and_never_below_the_floor(law, params, tokens, more):
    here = loss(law, params, tokens)
    assert law.irreducible < loss(law, more * params, tokens) < here
    assert law.irreducible < loss(law, params, more * tokens) < here


@given(st.floats(1e15, 1e30), st.floats(0.1, 1e4))
def test_the_rule_of_thumb_spends_its_budget_in_its_proportion(operations, rule):
    best = rule_of_thumb(operations, rule)
    assert best.training_operations == pytest.approx(operations)
    assert best.tokens_per_param == pytest.approx(rule)


@given(laws, st.floats(1e18, 1e27), st.floats(-1, 1))
def test_nothing_of_the_same_compute_beats_the_optimum(law, operations, shift):
    best = compute_optimal(law, operations)
    assert best.training_operations == pytest.approx(operations)
    other = best.params * np.exp(shift)
    assert loss(law, best.params, best.tokens) <= loss(law, other, operations / 6 / other) * (1 + 1e-12)


@given(laws, sizes, counts)
def test_the_size_for_a_loss_is_the_way_back(law, params, tokens):
    target = loss(law, params, tokens)
    assume(law.size_scale * params**-law.size_exponent > 1e-6)
    assert params_for_loss(law, target, tokens) == pytest.approx(params, rel=1e-6)


def test_too_few_tokens_reach_a_loss_at_no_size():
    law = ScalingLaw(1, 10, 20, 0.5, 0.5)
    assert list(params_for_loss(law, 3, np.array([100, 400]))) == [np.inf, 100]


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


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: loss(BESIROGLU, x, 1e12),
        lambda x: compute_optimal(BESIROGLU, x * 1e14).params,
        lambda x: params_for_loss(BESIROGLU, 2.0, x * 1e3),
        lambda x: cheapest_at_loss(BESIROGLU, 2.0, x * 1e4).tokens,
        lambda x: at_tokens_per_param(BESIROGLU, 2.0, x / 1e9).params,
        lambda x: price_at_equal_loss(BESIROGLU, 70e9, x * 1e3, 500).pays_after,
        lambda x: serving_that_justifies(BESIROGLU, x, 1e13),
    ],
)
def test_an_array_gives_what_its_elements_give(answer):
    values = [1e9, 7e9, 3e11]
    np.testing.assert_allclose(answer(np.array(values)), [answer(value) for value in values], rtol=1e-12)


def test_two_laws_can_be_asked_at_once():
    both = ScalingLaw([1.69, 1.8172], [406.4, 482.01], [410.7, 2085.43], [0.34, 0.3478], [0.28, 0.3658])
    ratio = price_at_equal_loss(both, 70e9, 1.4e12, 2000).training_ratio
    apart = [price_at_equal_loss(law, 70e9, 1.4e12, 2000).training_ratio for law in (HOFFMANN, BESIROGLU)]
    np.testing.assert_allclose(ratio, apart, rtol=1e-12)


@pytest.mark.parametrize("solve", [cheapest_at_loss, lambda law, target: params_for_loss(law, target, 1e12)])
def test_a_loss_below_the_floor_is_refused(solve):
    with pytest.raises(OutOfRange, match=r"target_loss must be above 1\.8172, .*; it was 1\.8172"):
        solve(BESIROGLU, 1.8172)


def test_something_that_is_not_a_law_is_refused():
    with pytest.raises(WrongType, match="law must be a ScalingLaw; it was “Chinchilla”"):
        loss("Chinchilla", 1e9, 1e9)


def test_a_law_and_sizes_that_do_not_combine_are_refused():
    both = ScalingLaw([1.0, 1.0], 10, 10, 0.5, 0.5)
    with pytest.raises(ShapeMismatch, match=r"law \(2,\), params \(3,\)"):
        loss(both, [1e9, 2e9, 3e9], 1e9)


@pytest.mark.parametrize("field", ["size_scale", "token_scale", "size_exponent", "token_exponent"])
def test_a_law_without_a_slope_is_refused(field):
    constants = {"irreducible": 0, "size_scale": 10, "token_scale": 10, "size_exponent": 0.5, "token_exponent": 0.5}
    assert ScalingLaw(**constants).irreducible == 0
    with pytest.raises(CalcError, match=f"{field} must be a finite number above 0"):
        ScalingLaw(**{**constants, field: 0})
