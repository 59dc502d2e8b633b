"""Steps on a desk: the table as it was published, bytes by hand, and what the page concludes from them."""

from __future__ import annotations

import pytest

from calc.catalog.desk import desk_models, desk_runs
from calc.world.desk import DeskStep, desk_steps, faster_than_even, sweep, times_as_long

SPARK, ULTRA = "dgx-spark", "m2-ultra"


@pytest.mark.parametrize("row", desk_runs(), ids=lambda row: f"{row.machine}-{row.model}-{row.prompt}-{row.batch}")
def test_seconds_and_rate_of_the_table_agree(row):
    """Both are published; a digit that was copied wrongly would part them."""
    assert row.batch * row.written / row.seconds == pytest.approx(row.rate, rel=3e-3)


def test_every_machine_ran_every_model_at_every_length_and_batch():
    assert (
        len({(row.machine, row.model, row.prompt, row.batch) for row in desk_runs()})
        == 2 * 4 * 3 * 6
        == len(desk_runs())
    )


def test_the_bytes_of_a_lone_step_of_gpt_oss_120b_by_hand():
    step = sweep(SPARK, "gpt-oss-120b")[0]
    experts = 36 * 128 * (3 * 2880 * 2880 * 17 / 32 + 4 * 8640)
    shared = 59.02 * 2**30 - experts - 201088 * 2880 * 34 / 32
    cache = (18 * 528 + 18 * 128) * 2 * 8 * 64 * 2
    assert step.bound == pytest.approx((shared + experts * 4 / 128 + cache) / 273e9)
    assert 0.9 * step.model.file_gib * 2**30 < experts < step.model.file_gib * 2**30


def test_a_dense_file_is_its_weights_of_eight_bits():
    model = desk_models()["qwen2.5-coder-7b"]
    assert model.file_gib * 2**30 == pytest.approx(7.62e9 * 34 / 32, rel=1e-3)
    assert sweep(SPARK, model.id)[0].expert_bytes == 0


def test_no_dense_step_is_faster_than_its_reading():
    assert min(each.over for each in desk_steps() if not each.model.experts) > 1.2


def test_a_second_user_is_nearly_free_in_a_dense_model_and_not_in_a_mixture():
    """The experiment of the page: equal factors would refute that a mixture's second user wakes other experts."""
    assert times_as_long(sweep(SPARK, "qwen2.5-coder-7b"), 2) < 1.1
    counted = sweep(ULTRA, "gpt-oss-120b")
    assert times_as_long(counted, 2) == pytest.approx(counted[1].bound / counted[0].bound, rel=0.03)


@pytest.mark.parametrize("machine", [SPARK, ULTRA])
def test_a_second_user_adds_far_less_in_the_dense_model_on_both_machines(machine):
    dense, mixture = (times_as_long(sweep(machine, name), 2) - 1 for name in ("qwen2.5-coder-7b", "gpt-oss-120b"))
    assert dense < 0.4 * mixture


def test_runs_below_the_count_are_mixtures_of_many_small_experts_on_one_machine():
    found = faster_than_even()
    assert {each.row.machine for each in found} == {SPARK}
    assert {each.model.experts for each in found} == {128}
    assert {each.row.batch for each in found} == {8, 16, 32}
    assert all(each.most_awake < each.even_share for each in found)


def test_awake_experts_bring_the_count_to_the_time_that_was_measured():
    step: DeskStep = sweep(SPARK, "gpt-oss-120b")[-1]
    read = step.shared_bytes + step.most_awake * step.expert_bytes + step.cache_bytes
    assert read / step.bandwidth == pytest.approx(step.row.step_seconds)
    assert step.model.active_experts / step.model.experts < step.most_awake < step.even_share


def test_no_step_reads_less_than_the_experts_of_one_token():
    """Holds whatever tokens choose; a step below it would refute the bytes or the bandwidth."""
    assert min(each.over_least for each in desk_steps()) > 1.2
    lone = sweep(SPARK, "gpt-oss-120b")[0]
    assert lone.over_least == pytest.approx(lone.over)
