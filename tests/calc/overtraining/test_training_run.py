"""A training run in hours and in bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.overtraining.budget import training_operations
from calc.overtraining.training_run import (
    achieved_utilisation,
    activation_bytes,
    chip_hours,
    largest_trainable,
    model_state_bytes,
    run_seconds,
    sharded_state_bytes,
    usual_shape,
)
from calc.quantities.errors import UnknownName

sizes = st.floats(1e6, 1e13)
H100_BF16 = 989e12


def test_llama_3_405b_took_longer_than_the_bound_at_its_best_reported_utilisation():
    """Llama 3.1 model card: 30.84M H100 hours. Llama 3 report, table 4: 38 to 43 % of the dense BF16 rate."""
    operations = training_operations(405e9, 15.6e12)
    assert chip_hours(operations, H100_BF16) < chip_hours(operations, H100_BF16, 0.43) < 30.84e6
    assert chip_hours(operations, H100_BF16) == chip_hours(operations, H100_BF16, 1)
    assert run_seconds(operations, H100_BF16) == run_seconds(operations, H100_BF16, 1)
    assert achieved_utilisation(operations, H100_BF16, 30.84e6) == pytest.approx(0.345, abs=0.001)


def test_deepseek_v3_kept_about_a_third_of_its_multipliers_busy():
    """DeepSeek-V3 report, table 1: 2.664M H800 hours for 14.8T tokens of pre-training, 37B parameters active."""
    operations = training_operations(37e9, 14.8e12)
    assert achieved_utilisation(operations, H100_BF16, 2.664e6) == pytest.approx(0.346, abs=0.001)


@given(st.floats(1e15, 1e27), st.floats(1e12, 1e18), st.floats(0.01, 1), st.integers(1, 10_000))
def test_chips_share_the_hours(operations, flops, utilisation, chips):
    hours = run_seconds(operations, chips * flops, utilisation) / 3600
    assert hours * chips == pytest.approx(chip_hours(operations, flops, utilisation))
    assert achieved_utilisation(operations, flops, hours * chips) == pytest.approx(utilisation)


@pytest.mark.parametrize(
    ("sharded", "gigabytes"), [("nothing", 120), ("optimiser", 31.4), ("gradients", 16.6), ("everything", 1.9)]
)
def test_state_is_sharded_as_in_the_table_of_zero(sharded, gigabytes):
    """Rajbhandari et al. 2020, figure 1: 7.5B parameters over 64 replicas."""
    assert sharded_state_bytes(7.5e9, 64, sharded) / 1e9 == pytest.approx(gigabytes, abs=0.05)


@given(sizes, st.integers(1, 100_000))
def test_sharding_more_never_costs_memory(params, replicas):
    stages = [sharded_state_bytes(params, replicas, kind) for kind in ("nothing", "optimiser", "gradients")]
    last = sharded_state_bytes(params, replicas)
    assert stages[0] == pytest.approx(model_state_bytes(params))
    assert last == pytest.approx(model_state_bytes(params) / replicas)
    assert sorted([*stages, last], reverse=True) == pytest.approx([*stages, last])


@given(sizes, st.floats(0, 8), st.floats(0, 8), st.floats(1, 16))
def test_the_largest_trainable_model_fills_the_memory(params, weights, gradients, optimiser):
    stored = model_state_bytes(params, weights, gradients, optimiser)
    assert largest_trainable(stored, weights + gradients + optimiser) == pytest.approx(params)
    assert stored == pytest.approx(params * weights + params * gradients + params * optimiser)


def test_eighty_gigabytes_train_five_billion_parameters():
    assert largest_trainable(80e9) == 5e9


@pytest.mark.parametrize(("heads", "width", "attention"), [(96, 12288, 80), (128, 20480, 64)])
def test_attention_matrices_weigh_what_the_paper_on_recomputation_says(heads, width, attention):
    """Korthikanti et al. 2022, section 5: 5 a s / h is 80 for GPT-3 and 64 for MT-NLG, at 2,048 tokens."""
    shape = {"tokens": 2048, "width": width, "layers": 1, "context": 2048, "heads": heads}
    per_number = activation_bytes(**shape) / (2048 * width)
    assert per_number == pytest.approx(34 + attention)
    assert activation_bytes(**shape, kept="linear") == 34 * 2048 * width
    assert activation_bytes(**shape, kept="inputs") == 2 * 2048 * width


@given(st.floats(1, 1e6), st.integers(1, 200), st.integers(2, 9))
def test_activations_grow_with_tokens_and_layers(tokens, layers, more):
    def kept(tokens, layers):
        return activation_bytes(tokens, 4096, layers, context=1000, heads=32)

    assert kept(more * tokens, layers) == pytest.approx(more * kept(tokens, layers))
    assert kept(tokens, more * layers) == pytest.approx(more * kept(tokens, layers))


def test_gpt_3_has_the_usual_shape():
    """Brown et al. 2020, table 2.1: 175B parameters, 96 layers of width 12,288."""
    shape = usual_shape(175e9)
    assert (shape.layers, shape.width) == (pytest.approx(96, rel=0.003), pytest.approx(12288, rel=0.003))


@given(sizes, st.floats(1, 1000))
def test_the_usual_shape_has_the_parameters_it_was_made_from(params, ratio):
    shape = usual_shape(params, ratio)
    assert 12 * shape.layers * shape.width**2 == pytest.approx(params)
    assert shape.width / shape.layers == pytest.approx(ratio)


def test_an_array_gives_what_its_elements_give():
    params = np.array([1e7, 1e9, 1e12])
    np.testing.assert_allclose(usual_shape(params).width, [usual_shape(one).width for one in params], rtol=1e-12)
    np.testing.assert_array_equal(sharded_state_bytes(params, 8), [sharded_state_bytes(one, 8) for one in params])


def test_an_unknown_way_is_refused_with_the_nearest_known_one():
    with pytest.raises(UnknownName, match=r"^sharded must be one of .*did you mean “gradients”"):
        sharded_state_bytes(1e9, 8, "gradient")
    with pytest.raises(UnknownName, match=r"kept must be one of everything, inputs, linear.*“linear”"):
        activation_bytes(1, 1, 1, context=1, heads=1, kept="lineal")
