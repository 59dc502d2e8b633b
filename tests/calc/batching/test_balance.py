from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc import batching, catalog
from calc.quantities.errors import OutOfRange
from calc.setting import Scenario
from tests.calc.batching.drawn import batches, contexts, systems, without


def test_in_bf16_the_ratio_is_the_operations_per_byte_that_the_h100_is_sold_with():
    """Its sheet: 989 TFLOP/s dense BF16 and 3.35 TB/s. At two bytes a weight the two counts agree."""
    chip = catalog.chip("h100-sxm")
    assert batching.hardware_ratio(chip.flops("bf16"), chip.hbm_bandwidth, 2) == pytest.approx(989 / 3.35, rel=1e-3)


def test_the_scaling_book_finds_the_same_critical_batch_for_a_tpu():
    """Austin et al., "How to Scale Your Model", inference: 197e12 / 8.2e11 = 240 tokens for BF16 on a TPU v5e."""
    chip = catalog.chip("tpu-v5e")
    ratio = batching.hardware_ratio(chip.flops("bf16"), chip.hbm_bandwidth, 2)
    assert batching.balanced_batch(ratio) == pytest.approx(240, rel=0.01)


def test_deepseek_v3_needs_thousands_of_sequences():
    model, system = catalog.model("deepseek-v3"), catalog.system("gb200-nvl72")
    ratio = batching.hardware_ratio(system.flops("fp8"), system.hbm_bandwidth, 1)
    assert batching.balanced_batch(ratio, model.sparsity) == pytest.approx(5667, abs=1)
    assert batching.read_seconds(model.weight_bytes("fp8"), system.hbm_bandwidth) == pytest.approx(1.165e-3, rel=1e-3)


@given(systems(), st.floats(0, 0.999))
def test_the_balanced_batch_balances(arguments, part):
    critical = batching.critical_context(**without(arguments, "weight_bytes"))
    balanced = batching.balanced_batch_with_cache(part * critical, **arguments)
    step = batching.step_time(balanced, part * critical, **arguments)
    assert step.compute == pytest.approx(step.memory, rel=1e-6)


@given(systems(), st.floats(1.001, 1000), batches)
def test_past_the_critical_context_nothing_balances(arguments, beyond, batch):
    critical = batching.critical_context(**without(arguments, "weight_bytes"))
    assert math.isinf(batching.balanced_batch_with_cache(beyond * critical, **arguments))
    step = batching.step_time(batch, beyond * critical, **arguments)
    assert step.utilisation < batching.utilisation_ceiling(beyond * critical, critical) < 1


@given(systems(), st.floats(0.5, 4), st.floats(1, 100))
def test_without_a_cache_only_ratio_and_sparsity_count(arguments, width, sparsity):
    weights = width * sparsity * arguments["active_params"]
    given_weights = arguments | {"weight_bytes": weights, "kv_bytes_per_token": 0}
    ratio = batching.hardware_ratio(arguments["flops"], arguments["bandwidth"], width)
    expected = batching.balanced_batch(ratio, sparsity)
    assert batching.balanced_batch_with_cache(0, **given_weights) == pytest.approx(expected)


@given(st.floats(0.01, 1), contexts, st.floats(0, 0.99))
def test_the_context_for_a_utilisation_gives_it(utilisation, context, weights):
    longer = batching.context_for_utilisation(utilisation, context, weights)
    assert longer >= context * (1 - 1e-12)
    step = batching.StepTime(compute=1.0, weights=weights, cache=(1 - weights) * longer / context)
    assert step.utilisation == pytest.approx(utilisation)


def test_where_all_reading_is_weights_no_context_slows_a_step():
    with pytest.raises(OutOfRange, match="weight_share must be below 1"):
        batching.context_for_utilisation(0.5, 1000, 1)


def test_twice_the_context_halves_what_weights_keep_busy_and_leaves_what_attention_does():
    """Llama 3 70B on GB200 at 100K and 200K by hand: 1.38 and 0.69 % on weights, and 16 of 625 operations a byte."""
    chip = Scenario.named("llama-3-70b", "gb200-nvl72", "fp8", chips=1)
    arguments = without(chip.step_arguments(), "weight_bytes")
    attention = chip.setting.attention_flops_per_token
    on_weights, in_all = (
        batching.attainable_utilisation(np.array([1e5, 2e5]), **arguments, attention_flops=each)
        for each in (0, attention)
    )
    assert on_weights == pytest.approx([0.01379, 0.006894], rel=1e-3)
    assert in_all - on_weights == pytest.approx([16 / 625, 16 / 625], rel=1e-3)
