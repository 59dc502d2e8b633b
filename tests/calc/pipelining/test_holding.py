"""Memory of a pipeline's chips, and the fewest domains that hold a model."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import catalog, pipelining
from calc.quantities.errors import DoesNotFit

QUICK = settings(max_examples=40, deadline=None)
COUNTS = st.integers(1, 200)
LATENT = (512 + 64) * 61  # bytes of latent cache per token of DeepSeek-V3, one byte per number (its report, table 1)


def deepseek(**given):
    layout = {"chips_per_stage": 64, **given}
    return pipelining.chip_memory(catalog.model("deepseek-v3").total_params, 2400, 1e5, LATENT, **layout)


def test_stages_divide_the_weights_and_leave_the_cache():
    memory = deepseek(stages=np.array([1, 2, 4, 8]))
    assert memory.weights / 1e9 == pytest.approx([10.48, 5.24, 2.62, 1.31], abs=0.005)
    assert memory.cache / 1e9 == pytest.approx([131.8] * 4, abs=0.05)
    assert memory.cache_share[[0, 2]] == pytest.approx([0.926, 0.981], abs=0.001)
    assert memory.total == pytest.approx(memory.weights + memory.cache)


def test_other_numbers_in_flight_change_the_cache_only():
    assert deepseek(stages=4, micro_batches=4) == deepseek(stages=4)
    assert deepseek(stages=4, micro_batches=8).cache == 2 * deepseek(stages=4).cache
    assert deepseek(stages=4, micro_batches=1).cache == deepseek().cache / 4
    assert deepseek(stages=4, micro_batches=8).weights == deepseek(stages=4).weights


@QUICK
@given(st.floats(1e9, 1e13), st.floats(0, 1e5), st.floats(0, 1e6), COUNTS, COUNTS, COUNTS)
def test_all_chips_together_hold_the_weights_once(weights, micro_batch, context, chips, stages, micro_batches):
    layout = {"chips_per_stage": chips, "stages": stages, "micro_batches": micro_batches}
    memory = pipelining.chip_memory(weights, micro_batch, context, 1000, **layout)
    assert memory.weights * chips * stages == pytest.approx(weights)
    assert memory.cache * chips * stages == pytest.approx(micro_batch * micro_batches * context * 1000)


@QUICK
@given(st.floats(1e9, 1e11), st.floats(0.01, 1), COUNTS, COUNTS, st.one_of(st.none(), COUNTS))
def test_the_largest_micro_batch_fills_the_chip(hbm, filled, chips, stages, micro_batches):
    layout = {"chips_per_stage": chips, "stages": stages, "micro_batches": micro_batches}
    weights = filled * hbm * chips * stages
    largest = pipelining.largest_micro_batch(hbm, weights * (1 - 1e-12), 1e4, 1e5, **layout)
    memory = pipelining.chip_memory(weights, largest, 1e4, 1e5, **layout)
    assert memory.total == pytest.approx(hbm)


def test_stages_make_room_only_up_to_a_limit():
    """DeepSeek-V3 on 64 of a rack's chips: four stages save 4 % of the memory, so the batch grows by 6 % at most."""
    model, chip = catalog.model("deepseek-v3"), catalog.system("gb200-nvl72").chip
    fits = pipelining.largest_micro_batch(
        chip.hbm_bytes, model.total_params, 1e5, LATENT, chips_per_stage=64, stages=np.array([1, 4, 10**6])
    )
    limit = chip.hbm_bytes * 64 / (1e5 * LATENT)
    assert np.all(np.diff(fits) > 0)
    assert fits[-1] == pytest.approx(limit, rel=1e-6)
    assert fits[-1] / fits[0] == pytest.approx(1.06, abs=0.01)
    saved = deepseek().weights - deepseek(stages=4).weights
    assert saved / chip.hbm_bytes == pytest.approx(0.0396, abs=0.0005)  # 3/4 of 671 / 64 GB


def test_a_model_that_no_stage_can_hold_is_refused():
    with pytest.raises(DoesNotFit, match="at most 640 GB, the memory of all stages"):
        pipelining.largest_micro_batch(80e9, 671e9, 1e4, 1e5, chips_per_stage=8)
    assert pipelining.largest_micro_batch(80e9, 640e9, 1e4, 1e5, chips_per_stage=8) == 0
    with pytest.raises(DoesNotFit, match="at most 640 GB"):
        pipelining.largest_micro_batch(80e9, 671e9, 1e4, 1e5, chips_per_stage=8, stages=[1, 2])


def test_five_terabytes_take_eight_hopper_boxes_and_one_rack():
    assert pipelining.stages_to_hold(5e12, 8, 80e9) == 8
    assert pipelining.stages_to_hold(5e12, 72, 186e9) == 1


def test_chips_for_llama_3_70b_in_the_scaling_book():
    """The same table: 8.75, 4.38 and 2.81 TPU v5e of 16 GB for 140, 70 and 45 GB."""
    assert pipelining.stages_to_hold(np.array([140e9, 70e9, 45e9]), 1, 16e9).tolist() == [9, 5, 3]


@QUICK
@given(st.floats(1, 1e15), st.integers(1, 10_000), st.floats(1e9, 1e12))
def test_that_many_domains_hold_it_and_one_fewer_does_not(stored, chips, memory):
    stages = pipelining.stages_to_hold(stored, chips, memory)
    assert stages * chips * memory >= stored * (1 - 1e-12)
    assert (stages - 1) * chips * memory < stored


def test_a_number_gives_a_number():
    assert type(pipelining.largest_micro_batch(80e9, 1e9, 1e4, 1e5, chips_per_stage=8)) is float
