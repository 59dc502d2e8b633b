"""Operations of a model's three lives, and how they are made equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import catalog
from calc.overtraining.budget import (
    TokenBudget,
    chinchilla_tokens,
    equalised_tokens,
    forward_tokens,
    inference_operations,
    overtraining_factor,
    pretraining_tokens_for,
    rl_factor,
    rl_operations,
    served_tokens,
    training_operations,
)

sizes = st.floats(1e6, 1e13)
counts = st.floats(1e6, 1e17)
efficiencies = st.floats(0.01, 1)


def test_gpt_3_took_the_operations_that_its_authors_report():
    """Brown et al. 2020, table D.1: 174,600 million parameters, 300 billion tokens, 3.14e23 operations."""
    assert training_operations(174.6e9, 300e9) == pytest.approx(3.14e23, rel=0.002)


def test_llama_3_405b_took_the_operations_that_its_authors_report():
    """Llama 3 report 2024, section 1: 405B parameters, 15.6T tokens, 3.8e25 operations."""
    assert training_operations(405e9, 15.6e12) == pytest.approx(3.8e25, rel=0.005)


@given(sizes, counts)
def test_training_is_three_times_reading(params, tokens):
    assert training_operations(params, tokens) == pytest.approx(3 * inference_operations(params, tokens))


@given(sizes, counts, st.floats(0, 1))
def test_reinforcement_lies_between_reading_and_training(params, tokens, share):
    operations = rl_operations(params, tokens, rl_factor(share))
    least, most = inference_operations(params, tokens), training_operations(params, tokens)
    assert least * (1 - 1e-12) <= operations <= most * (1 + 1e-12)


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_second_forward_pass_costs_two_for_each_token_learned_from(share, repeated):
    assert rl_factor(share, repeated) - rl_factor(share) == pytest.approx(2 * repeated * share, abs=1e-12)


def test_the_practice_card_of_the_lecture_is_met():
    """Practice cards to the lecture: with a factor of 3 and a third of the efficiency, D = 1.5 D_rl = T."""
    budget = equalised_tokens(1.0, rl_factor=3, rl_efficiency=1 / 3, serving_efficiency=1 / 3)
    assert (budget.reinforcement, budget.serving) == (pytest.approx(2 / 3), pytest.approx(1))


@given(counts, st.floats(2, 8), efficiencies, efficiencies, st.floats(0.1, 10), st.floats(0.1, 10))
def test_equalised_tokens_cost_what_is_asked(tokens, factor, rl_eff, serving_eff, rl_ratio, serving_ratio):
    budget = equalised_tokens(
        tokens,
        rl_factor=factor,
        rl_efficiency=rl_eff,
        serving_efficiency=serving_eff,
        rl_cost_ratio=rl_ratio,
        serving_cost_ratio=serving_ratio,
    )
    cost = training_operations(1, budget.pretraining)
    assert rl_operations(1, budget.reinforcement, factor) / rl_eff == pytest.approx(rl_ratio * cost)
    assert inference_operations(1, budget.serving) / serving_eff == pytest.approx(serving_ratio * cost)


def test_without_losses_a_token_of_training_is_worth_one_of_reinforcement_or_three_of_serving():
    assert equalised_tokens(1e12, rl_factor=6) == TokenBudget(1e12, 1e12, 3e12)


@given(counts, efficiencies, st.floats(0.1, 10))
def test_tokens_to_train_on_and_tokens_to_serve_are_each_others_way_back(tokens, efficiency, ratio):
    budget = equalised_tokens(tokens, rl_factor=4, serving_efficiency=efficiency, serving_cost_ratio=ratio)
    assert pretraining_tokens_for(budget.serving, efficiency, ratio) == pytest.approx(tokens)


@given(counts, efficiencies, counts, st.floats(2, 8), efficiencies)
def test_forward_tokens_cost_as_much_as_serving_and_reinforcement_together(served, e_serving, rl, factor, e_rl):
    together = forward_tokens(served, e_serving, rl_tokens=rl, rl_factor=factor, rl_efficiency=e_rl)
    parts = inference_operations(1, served) / e_serving + rl_operations(1, rl, factor) / e_rl
    assert inference_operations(1, together) == pytest.approx(parts)


def test_without_reinforcement_and_losses_served_tokens_are_forward_tokens():
    assert forward_tokens(5e12) == 5e12
    assert forward_tokens(0, rl_tokens=2e12) == 6e12


def test_two_months_of_fifty_million_tokens_a_second_are_259_trillion():
    assert served_tokens(50e6, 60 * 86400) == pytest.approx(259.2e12)


def test_chinchilla_itself_is_not_overtrained():
    """Hoffmann et al. 2022, section 4: 70B parameters, 1.4T tokens."""
    assert chinchilla_tokens(70e9) == 1.4e12
    assert overtraining_factor(70e9, 1.4e12) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "by_active", "by_total"),
    [("llama-4-scout", 117.6, 18.3), ("llama-3-8b", 93.4, 93.4), ("deepseek-v3", 20.0, 1.10), ("kimi-k2", 24.2, 0.78)],
)
def test_public_models_stand_here_by_active_and_by_total_parameters(name, by_active, by_total):
    model = catalog.model(name)
    assert overtraining_factor(model.active_params, model.train_tokens) == pytest.approx(by_active, rel=0.01)
    assert overtraining_factor(model.total_params, model.train_tokens) == pytest.approx(by_total, rel=0.01)


@given(sizes, st.floats(0.01, 1e4), st.floats(1, 100))
def test_the_factor_counts_multiples_of_the_rule(params, factor, rule):
    assert overtraining_factor(params, factor * chinchilla_tokens(params, rule), rule) == pytest.approx(factor)


@given(st.lists(sizes, min_size=1, max_size=4), counts)
def test_an_array_gives_what_its_elements_give(params, tokens):
    together = overtraining_factor(np.array(params), tokens)
    assert list(together) == [overtraining_factor(one, tokens) for one in params]
