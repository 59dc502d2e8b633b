"""Kernels timed on one chip: what the page says of them, by hand where a hand can count."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.chip_times import all_times, chip_times
from calc.catalog.measurement import clean_measurements
from calc.figure import registry
from calc.world.chip import attentions, crossings, held, held_attention, matrices, only, products
from calc.world.chip_experts import of_kind, woken
from calc.world.chip_learning import backward, counted_bytes, counted_overhead, layer_flops, ways, without_last_product
from calc.world.chip_steps import PARTS, chip_steps, fullest_attention, served_steps, step_seconds

FIT = catalog.forecast_fit("decode")


def values(name: str) -> dict[str, float]:
    return {key: float(value.number) for key, value in registry.find(name).answer().values.items()}


def test_every_kernel_was_checked_before_it_was_timed():
    checks = chip_times("check")
    assert {row.format for row in checks} == {"bf16", "fp8"}
    assert all(0 <= row.error < (0.03 if row.format == "fp8" else 0.01) for row in checks)
    timed = [row for row in all_times() if row.part not in ("check", "power")]
    assert all(0 < row.low <= row.seconds <= row.high and row.replays >= 5 for row in timed)


def test_no_kernel_is_faster_than_its_bound_and_none_reads_faster_than_published():
    assert min(each.over_bound for each in (*products(), *attentions())) > 1
    chip = catalog.chip("h100-sxm")
    assert all(row.bytes / row.seconds < chip.hbm_bandwidth for row in chip_times("memory"))


def test_the_matrices_of_a_model_are_its_parameters():
    names = ("projections", "output projection", "gate and up", "down")
    for model in ("llama-3-8b", "llama-3-70b"):
        row = catalog.model(model)
        layer = sum(into * out for out, into in (matrices(model)[name] for name in names))
        out, into = matrices(model)["head"]
        assert row.known("layers") * layer + 2 * into * out == pytest.approx(row.total_params, rel=2e-3)


def test_one_product_by_hand():
    (one,) = (
        each
        for each in products()
        if (each.row.model, each.row.name, each.row.format, each.row.tokens) == ("llama-3-8b", "down", "fp8", 64)
    )
    assert one.flops == 2 * 64 * 14336 * 4096
    assert one.bytes == 14336 * 4096 + 64 * 14336 + 2 * 64 * 4096
    assert one.reading == one.bytes / 3.35e12
    assert one.multiplying == one.flops / 1979e12


def test_attention_by_hand():
    (one,) = (
        each for each in attentions() if (each.row.model, each.row.tokens, each.row.context) == ("llama-3-70b", 4, 8192)
    )
    assert one.bytes == 4 * 8192 * 2 * 2 * 8 * 128
    assert one.flops == 4 * 4 * 8192 * 64 * 128


def test_the_constants_that_were_fitted_to_served_runs_beside_the_chip():
    """As the page says: memory agrees, arithmetic within its error, and a kernel costs less here."""
    found, chip = held(), values("world/chip")
    assert abs(found.memory_share - FIT.memory_share) < FIT.memory_share_error
    assert abs(held_attention().memory_share - FIT.memory_share) < FIT.memory_share_error
    assert abs(values("world/chip-roof")["middle_many"] - FIT.arithmetic_share) < FIT.arithmetic_share_error
    assert chip["sustained_fp8"] < chip["sustained"] < values("world/chip-roof")["middle_many"] < FIT.arithmetic_share
    below = [FIT.arithmetic_share - chip[name] for name in ("sustained", "sustained_fp8")]
    assert all(1 < each / FIT.arithmetic_share_error < 2 for each in below), "one to two standard errors"
    assert found.start_seconds < FIT.kernel_seconds - 4 * FIT.kernel_seconds_error


def test_reading_and_multiplying_overlap_within_a_product_and_not_between_kernels():
    at = [each.over(each.balanced) for each in crossings()]
    assert max(longer for longer, _ in at) < 1.35
    assert max(added for _, added in at) < 0.75
    assert all(0.93 < each.over_sum < 1.06 for each in chip_steps())
    assert all(set(each.parts) == set(PARTS) for each in chip_steps())


def test_the_advice_of_the_page_gives_the_products_of_a_step():
    """A start, then the longer of reading and multiplying; near balance a sixth more, as matrices there took."""
    memory, sustained = held().memory_share, values("world/chip")["sustained"]
    assert values("world/chip-overlap")["longer"] - 1 == pytest.approx(1 / 6, abs=0.02)
    layers = catalog.model("llama-3-8b").known("layers")
    for step in (each for each in chip_steps() if each.whole.context == 1024):
        asked = [
            each
            for each in products()
            if (each.row.model, each.row.format, each.row.tokens)
            == ("llama-3-8b", step.whole.format, step.whole.tokens)
        ]
        assert len(asked) == 5
        counted = sum(
            (1 if each.row.name == "head" else layers)
            * max(held().start_seconds + each.reading / memory, each.multiplying / sustained)
            for each in asked
        )
        near = 7 / 6 if step.whole.tokens == 256 else 1
        assert step.parts["products"] == pytest.approx(near * counted, rel=0.05)


def test_short_prompts_are_forecast_too_long_mostly_for_the_sum():
    """Without the shorter of reading and multiplying most of what is too much is gone."""
    short = [each for each in chip_steps("pass") if each.whole.tokens <= 512]
    for each in short:
        shorter = min(float(each.expected.moving_seconds), float(each.expected.arithmetic_seconds))
        assert shorter > 0.5 * (float(each.expected.seconds) - each.whole.seconds) > 0


def test_steps_lie_between_their_bound_and_the_forecast_of_services():
    assert all(each.over_bound > 1.1 for each in chip_steps())
    assert all(0.8 < each.over_kernels < 1.1 for each in chip_steps())


def test_a_step_between_those_that_were_timed_lies_between_them():
    assert step_seconds(16, 1024) < step_seconds(20, 1024) < step_seconds(32, 1024)
    assert step_seconds(20, 1024) < step_seconds(20, 1500) < step_seconds(20, 2048)


def test_served_runs_are_their_kernels_and_no_run_was_left_out():
    found = served_steps()
    assert all(0.85 < each.over < 1.1 for each in found)
    (one,) = (each for each in found if (each.row.batch, each.row.mean_input, each.row.mean_output) == (64, 2048, 256))
    assert one.prompt_seconds == pytest.approx(60.96 / 256 * _pass(one))
    assert one.step_seconds == pytest.approx(step_seconds(60.96, 2048 + 128))
    place = ("llama-3-8b", "hgx-h100", 1, "")
    asked = [row for row in clean_measurements() if (row.model, row.system, row.chips, row.precision) == place]
    assert {each.row.id for each in found} == {row.id for row in asked}
    assert len({each.row.id for each in found}) == len(found)


def _pass(each) -> float:
    return only("pass", "whole", format="bf16", tokens=round(each.row.mean_input)).seconds


def test_the_time_of_experts_follows_those_awake_whoever_chose_them():
    small = [each for each in woken() if each.row.tokens <= 1024]
    assert all(0.65 < each.memory_share < 0.9 for each in small)
    each_awake = [each.row.seconds / each.row.count for each in small if each.row.count > 50]
    assert max(each_awake) / min(each_awake) < 1.1
    assert min(each.memory_share for each in woken()) < 0.6, "so the title says up to how many tokens"
    larger = {each.row.tokens: each.memory_share for each in woken("mixtral-8x7b")}
    assert larger[64] > 0.75 > 0.6 > larger[1024], "so the page says up to how many tokens"
    even, uneven = (np.mean([each.row.count for each in of_kind(woken(), name, 32)]) for name in ("even", "uneven"))
    assert uneven < 0.7 * even
    drawn = np.random.default_rng(1)
    weights = 1 / np.arange(1, 257)
    awake = [
        len({expert for _ in range(32) for expert in drawn.choice(256, 8, replace=False, p=weights / weights.sum())})
        for _ in range(20)
    ]
    assert uneven == pytest.approx(np.mean(awake), rel=0.06)
    assert even == pytest.approx(256 * (1 - (1 - 8 / 256) ** 32), rel=0.02)


def test_what_learning_holds_is_what_lecture_seven_counts():
    found = ways("bf16")
    assert found["kept"].layer_bytes == pytest.approx(counted_bytes("kept"), rel=0.01)
    assert found["again"].layer_bytes == pytest.approx(counted_bytes("again"), rel=1e-5)
    assert ways("fp32")["again"].layer_bytes == pytest.approx(counted_bytes("again", "fp32"), rel=1e-5)
    assert found["undone"].layer_bytes == 0 == counted_bytes("undone")


def test_a_second_evaluation_costs_what_it_is_counted_to():
    """Within a fiftieth: one pass forward more, and where PyTorch makes records again one without the last product."""
    for form in ("bf16", "fp32"):
        found = ways(form)
        kept = found["kept"].many.seconds
        assert found["undone"].many.seconds / kept == pytest.approx(counted_overhead("undone"), rel=0.02)
        assert found["again"].many.seconds / kept == pytest.approx(without_last_product(), rel=0.02)
        assert found["again"].many.seconds < found["undone"].many.seconds
    assert counted_overhead("again") == pytest.approx(1 + 1 / (1 + backward()))


def test_undoing_in_sixteen_bits_spoils_the_gradients_and_in_thirty_two_does_not():
    narrow, wide = ways("bf16"), ways("fp32")
    assert narrow["undone"].many.error > 10 * narrow["again"].many.error
    assert wide["undone"].many.error < 1.2 * wide["again"].many.error


def test_the_operations_of_a_layer_by_hand():
    weights = 4096 * (2 * 4096 + 2 * 1024 + 3 * 14336)
    assert layer_flops() == 8192 * (2 * weights + 2 * 4096 * 8193)


def test_a_card_at_its_limit_draws_its_limit():
    got, wide = values("world/chip"), only("power", "product", format="bf16")
    assert wide.joules / wide.seconds == pytest.approx(got["limit"], rel=0.02)
    assert got["idle"] < got["zeros_power"] < got["reading"] < got["limit"]
    assert got["zeros_power"] < 0.7 * got["limit"]
    assert got["clock"] < got["clock_zeros"] < got["clock_reading"]
    assert got["joules_times"] < got["time_times"]


def test_clocks_fell_by_more_than_rates_and_with_zeros_below_the_limit_of_power():
    """So the clock of a burst was not the one seen while reading, and power alone does not set it."""
    found, roof = values("world/chip"), values("world/chip-roof")
    assert found["clock"] / found["clock_reading"] < 0.75 < found["sustained"] / roof["best_bf16"]
    assert found["zeros_power"] < 0.7 * found["limit"]
    assert found["clock_zeros"] < 0.9 * found["clock_reading"]


def test_served_runs_on_the_chip_are_of_one_engine_and_name_no_format():
    assert {(each.row.engine, each.row.precision) for each in served_steps()} == {("trtllm", "")}


def test_attention_of_many_sequences_reaches_less_than_that_of_eight_in_as_full_a_step():
    full = {each.whole.tokens: each for each in chip_steps() if each.whole.format == "bf16" and _held(each) == 2**18}
    shares = {tokens: float(each.counted.cache_seconds) / each.parts["attention"] for tokens, each in full.items()}
    assert shares[256] == fullest_attention()
    assert max(shares[tokens] for tokens in (64, 128, 256)) < 0.75 < 0.9 < shares[8]


def _held(each) -> int:
    return each.whole.tokens * each.whole.context


def test_served_runs_leave_their_kernels_and_the_forecast_behind_at_the_largest_loads():
    found = values("world/chip-served")
    assert found["few"] == pytest.approx(1, abs=0.03)
    assert found["many"] < 0.92
    furthest = min(served_steps(), key=lambda each: each.point.over_forecast)
    assert furthest.row.in_flight > 100
    assert furthest.point.over_forecast == found["forecast_low"] < found["low"]


def test_small_steps_are_shorter_than_forecast():
    """Small kernels more than matrices: 32 layers have four matrices and an attention each, and there is the head."""
    kernel = values("world/forecast")["kernel"]
    for each in (each for each in chip_steps() if each.whole.tokens <= 16):
        small = float(each.expected.kernel_seconds) - (32 * 5 + 1) * kernel - each.parts["rest"]
        assert each.over_kernels < 1
        assert small > (32 * 4 + 1) * (kernel - held().start_seconds) > 0


def test_small_kernels_are_some_hundredths_of_a_step():
    assert all(0.01 < each.parts["rest"] / each.whole.seconds < 0.08 for each in chip_steps())


def test_the_share_of_arithmetic_of_the_longer_is_near_what_the_chip_sustained():
    overlap, chip = values("world/chip-overlap"), values("world/chip")
    assert overlap["served_arithmetic"] == pytest.approx(chip["sustained"], abs=0.02)
    assert overlap["served_longer"] == pytest.approx(overlap["served_sum"], abs=0.005)


def test_passes_are_of_seven_lengths_in_two_formats():
    passes = [each.whole for each in chip_steps("pass")]
    assert (len({row.tokens for row in passes}), len({row.format for row in passes}), len(passes)) == (7, 2, 14)
