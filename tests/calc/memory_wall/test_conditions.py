"""Where a conclusion of lecture 4 ends: the case in which it turns, found by the formulas themselves."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.memory_wall.figures.kept import PROMISED, most_in_time, whole_rounds
from calc.memory_wall.figures.setting import slope
from calc.memory_wall.figures.shared import LONG, MANY, STARTUP_SECONDS, largest_model, sum_seconds
from calc.memory_wall.figures.worked.ladder import fullest_of
from calc.step import decode, forecast_of
from calc.step.forecasting import FIT
from tests.calc.figure import asking

_, number = asking.of("memory_wall")
READ_RATE = 0.8655  # of the rated speed, as fitted


def test_half_the_heads_of_a_latent_cross_the_line_only_by_both_choices():
    for model, alone in (("deepseek-v3", True), ("kimi-k2", False)):
        cases = {("fp8", 0): False, ("mixed", 0): alone, ("fp8", 1): alone, ("mixed", 1): True}
        for (attention, drafts), crosses in cases.items():
            share = number("reuse", "share", model=model, attention=attention, drafts=drafts)
            assert (share > 1) == crosses, (model, attention, drafts)
        assert number("reuse", "share", model=model, attention="mixed", drafts=1) < 8, "cut over eight chips"


def test_scans_of_six_times_their_reading_leave_an_index_no_more_users():
    rack, many = whole_rounds("deepseek-v3.2")
    seconds = np.asarray(forecast_of(decode(rack, many, LONG)).seconds)
    scan = LONG * 61 * 132 / 8e12 / READ_RATE
    users = [most_in_time(seconds + (times - 1) * scan * many / 72, many) for times in (1, 5, 6)]
    assert users == [2088, 648, 576]
    assert users[-1] == number("ladder", "expected")
    assert number("published", "scan_over") > 6, "on a machine where it was measured, kernels included"
    fit = catalog.forecast_fit(FIT)
    slow = [fit.high_80 * (seconds + (times - 1) * scan * many / 72) for times in (2, 3)]
    assert [most_in_time(each, many) for each in slow] == [432, number("ladder", "fewest")]


def test_multiplying_moves_the_turn_from_time_to_room_further_than_kernels_do():
    held, fixed, turn = number("expected", "room_each"), number("ladder", "fixed"), number("expected", "room_step")
    without_kernels = turn - asking.standing("serving/parts").values["kernels_expected"].number
    assert turn == pytest.approx(fixed + held * number("ladder", "each_at_rates"), rel=1e-3)
    assert number("ends", "drain") < fixed + held * number("ladder", "each_overlapped") < 0.75 * without_kernels


def test_caches_inferred_for_chips_have_both_ends_in_rates_of_whole_numbers():
    found = {
        form: sorted(
            1e11 / (chip.rates[form] / 2 / chip.hbm_bandwidth) / 2e5
            for chip in catalog.chips().values()
            if form in chip.rates
        )
        for form in ("int8", "fp8")
    }
    assert found["int8"][0] == pytest.approx(number("caches", "chip_v6e"))
    assert found["int8"][0] < 0.75 * found["fp8"][0]
    assert found["int8"][-1] == pytest.approx(number("caches", "chip_v4"))


def test_keeping_a_context_through_all_prompts_costs_what_its_own_prompt_does():
    """Each of twenty users pays for a twentieth of the rack."""
    kept = number("exercise", "far_rent") * number("exercise", "far_prompts") / 3600
    assert kept == pytest.approx(number("far", "prompt_cost"), rel=1e-6)


def test_three_of_a_hundred_million_miss_the_month_unless_kernels_are_faster_and_multiplying_overlaps():
    month, kernels = 1 / number("far", "month"), asking.standing("serving/parts").values["kernels_expected"].number
    overlapped, in_turn = number("millions", "far_step"), 1 / number("thread", "far_in_turn")
    assert overlapped - kernels / 2 < month < overlapped
    assert in_turn - kernels > month, "even without kernels"


def test_answers_eight_times_as_long_need_less_than_half_a_rack_where_nine_tenths_are_kept():
    """Nearly one rack to five racks of chips for prompts are for answers of a thousand tokens."""
    needed = [
        asking.standing("world/long-contexts").values[name].number
        for name in ("again_low", "again_high", "readers_low", "readers_high")
    ]
    assert min(needed) == pytest.approx(0.77, abs=0.01)
    assert max(needed) == pytest.approx(5.25, abs=0.01)
    assert max(needed[:2]) / 8 < 0.12


def test_contexts_spread_further_leave_one_user_a_chip_or_none():
    """The mean of the longest of 72 exponential lengths is the sum of 1 / n up to 72."""
    fixed, each = number("ladder", "fixed"), number("ladder", "each_at_rates")
    assert number("plan", "one_fullest") == pytest.approx(sum(1 / n for n in range(1, 73)), rel=1e-3)
    assert number("plan", "one_uneven") == pytest.approx(0.02 / (fixed + each * number("plan", "one_fullest")))
    late, safe = catalog.forecast_fit(FIT).high_80, number("slow_end", "safe")
    assert number("plan", "one_uneven") < late < number("plan", "two_sent") < safe < number("plan", "sent")
    assert fixed + each * fullest_of(72, 1, 0.6) < 0.02 / safe, "one keeps the plan at six tenths"
    wide = number("plan", "wide_each")
    assert (
        max(number("plan", "wide_sent"), number("plan", "wide_apart"))
        < late
        < 0.02 / (fixed + wide * fullest_of(72, 1, 0.3))
    )


def test_kernels_take_half_of_a_planned_step_and_memory_is_a_fifth_full():
    fixed, each = number("ladder", "fixed"), number("ladder", "each_at_rates")
    kernels = asking.standing("serving/parts").values["kernels_expected"].number
    step = number("slow_end", "safe_step")
    assert kernels / step == pytest.approx(0.5, abs=0.02)
    full = (number("expected", "stored") + 3 * number("ends", "cache")) / number("exercise", "far_chip")
    assert full == pytest.approx(0.2, abs=0.015)
    assert (step - fixed + kernels / 2) // each == 6


def test_more_chips_of_a_torus_may_read_a_smaller_model_in_time():
    pod, model = catalog.system("tpu-v5p-pod"), catalog.model("deepseek-v3")
    chips = np.array([2048.0, 4096.0, 8192.0])
    for sequences, rises in ((1.0, True), (MANY, False)):
        sums = sum_seconds(model, pod, STARTUP_SECONDS, chips, sequences)
        reads = np.asarray(largest_model(pod, "fp8", 1 / PROMISED, 0.5, sums=sums, chips=chips).total_by_bandwidth)
        assert (reads[2] > reads[1] > reads[0]) == rises


def test_few_global_layers_do_not_make_every_model_cross_late():
    last = number("crossings", "last")
    few = [catalog.model(name) for name in ("gpt-oss-120b", "step-3.5-flash", "qwen3.5-397b-a17b")]
    assert all(2 * model.active_params / slope(model) < last for model in few)
    assert number("crossings", "designed") > 5 * last


def test_a_latent_and_grouped_heads_at_the_forecasts_rates_and_at_rated_speeds():
    """37 per cent at rated speeds; at the rates of the forecast it is 39."""
    v3, llama = catalog.model("deepseek-v3"), catalog.model("llama-3-70b")
    for read, multiplied, share in ((1.0, 1.0, 0.371), (READ_RATE, 0.774, 0.389)):
        times = [
            model.kv_bytes_per_token("fp8") / 8e12 / read + slope(model) / 5e15 / multiplied for model in (v3, llama)
        ]
        assert times[0] / times[1] == pytest.approx(share, abs=1e-3)
    assert number("crossings", "added") == pytest.approx(0.371, abs=1e-3)
