"""The scaling law: its optimum for a budget, and its lines of equal loss."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calc import catalog
from calc.overtraining.scaling_law import (
    Allocation,
    ScalingLaw,
    chinchilla_allocation,
    compute_optimal,
    loss,
    params_for_loss,
    worth_in_new_tokens,
)
from calc.quantities.errors import CalcError, OutOfRange, ShapeMismatch, WrongType
from tests.calc.overtraining.laws import BESIROGLU, HOFFMANN, counts, laws, sizes


def test_a_published_fit_gives_its_own_constants():
    assert ScalingLaw.published(catalog.loss_fit("chinchilla")) == HOFFMANN
    assert ScalingLaw.published(catalog.loss_fit("chinchilla-refit")) == BESIROGLU


def test_the_refit_finds_the_tokens_that_chinchilla_was_given():
    """Besiroglu et al. 2024: at the compute of Chinchilla, their fit agrees with about 20 tokens per parameter."""
    best = compute_optimal(BESIROGLU, 5.76e23)
    assert best.params == pytest.approx(70e9, rel=0.05)
    assert best.tokens_per_param == pytest.approx(20, rel=0.1)


@pytest.mark.parametrize(("law", "exponent", "digits"), [(HOFFMANN, 0.46, 0.01), (BESIROGLU, 0.51, 0.005)])
def test_the_optimal_size_grows_with_compute_as_the_authors_say(law, exponent, digits):
    """Hoffmann et al. 2022, table 2, approach 3: 0.46 (0.45 by its rounded constants). Besiroglu et al. 2024: 0.51."""
    grown = compute_optimal(law, 1e25).params / compute_optimal(law, 1e24).params
    assert np.log10(grown) == pytest.approx(exponent, abs=digits)


@given(laws, sizes, counts, st.floats(1.01, 100))
def test_more_of_either_lowers_the_loss_and_never_below_the_floor(law, params, tokens, more):
    here = loss(law, params, tokens)
    assert law.irreducible < loss(law, more * params, tokens) < here
    assert law.irreducible < loss(law, params, more * tokens) < here


def test_a_life_is_six_operations_a_token_of_training_and_two_a_token_of_serving():
    assert Allocation(2, 3).training_operations == 36
    assert Allocation(2, 3).lifetime_operations(5) == 36 + 20


@given(st.floats(1e15, 1e30), st.floats(0.1, 1e4))
def test_the_rule_of_thumb_spends_its_budget_in_its_proportion(operations, rule):
    best = chinchilla_allocation(operations, rule)
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
    assume(law.params_factor * params**-law.params_exponent > 1e-6)
    assert params_for_loss(law, target, tokens) == pytest.approx(params, rel=1e-6)


def test_too_few_tokens_reach_a_loss_at_no_size():
    law = ScalingLaw(1, 10, 20, 0.5, 0.5)
    assert list(params_for_loss(law, 3, np.array([100, 400]))) == [np.inf, 100]


@pytest.mark.parametrize(
    "answer",
    [
        lambda x: loss(BESIROGLU, x, 1e12),
        lambda x: compute_optimal(BESIROGLU, x * 1e14).params,
        lambda x: params_for_loss(BESIROGLU, 2.0, x * 1e3),
    ],
)
def test_an_array_gives_what_its_elements_give(answer):
    values = [1e9, 7e9, 3e11]
    np.testing.assert_allclose(answer(np.array(values)), [answer(value) for value in values], rtol=1e-12)


def test_a_loss_below_the_floor_is_refused():
    with pytest.raises(OutOfRange, match=r"target_loss must be above 1\.8172, .*; it was 1\.8172"):
        params_for_loss(BESIROGLU, 1.8172, 1e12)
    with pytest.raises(OutOfRange, match="target_loss must be above"):
        params_for_loss(BESIROGLU, [2.0, 1.0], 1e12)


def test_something_that_is_not_a_law_is_refused():
    with pytest.raises(WrongType, match="law must be a ScalingLaw; it was “Chinchilla”"):
        loss("Chinchilla", 1e9, 1e9)


def test_a_law_and_sizes_that_do_not_combine_are_refused():
    both = ScalingLaw([1.0, 1.0], 10, 10, 0.5, 0.5)
    with pytest.raises(ShapeMismatch, match=r"law \(2,\), params \(3,\)"):
        loss(both, [1e9, 2e9, 3e9], 1e9)


@pytest.mark.parametrize("field", ["params_factor", "tokens_factor", "params_exponent", "tokens_exponent"])
def test_a_law_without_a_slope_is_refused(field):
    constants = {
        "irreducible": 0,
        "params_factor": 10,
        "tokens_factor": 10,
        "params_exponent": 0.5,
        "tokens_exponent": 0.5,
    }
    assert ScalingLaw(**constants).irreducible == 0
    with pytest.raises(CalcError, match=f"{field} must be a finite number above 0"):
        ScalingLaw(**{**constants, field: 0})


def test_repeats_are_worth_what_their_authors_say():
    """Muennighoff et al. 2023, section 3.1: R* repeats are worth on average 1 - 1/e of new tokens."""
    assert worth_in_new_tokens(1.0, 1.0) == 1
    assert (worth_in_new_tokens(1.0, 1 + 15.387756) - 1) / 15.387756 == pytest.approx(1 - 1 / np.e)
    assert worth_in_new_tokens(1.0, 4.0) / 4 > 0.93  # “nearly as good as new”


@given(readings=st.floats(1, 1e4), more=st.floats(1e-6, 1e3))
def test_a_further_reading_never_hurts_and_never_beats_new_tokens(readings, more):
    assert 0 <= worth_in_new_tokens(1.0, readings + more) - worth_in_new_tokens(1.0, readings) <= more * (1 + 1e-6)
