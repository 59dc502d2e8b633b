"""The case that runs through lecture 4, and a context that is cut over the chips of its rack, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry
from calc.ledger import claims
from calc.memory_wall.figures import setting
from calc.memory_wall.figures.kept import line, planned, prompt_chips
from calc.setting import Layout, Setting
from calc.step import decode, forecast_of
from calc.world.long_contexts import long_runs_judged
from calc.world.overlapped import overlapped
from tests.calc.figure import asking

_, number = asking.of("memory_wall")
READS, MULTIPLIES, ROOM, WEIGHTS = 72 * 8e12, 72 * 5e15, 72 * 189_471 * 2**20, 671.03e9
STEP, CONTEXT, V3 = 1 / 50, 100_000, 61 * 576
KERNELS = (3 * 18 + 58 * 25) * 4.884e-6  # two exchanges a layer among them

READ_FITTED = CONTEXT * V3 / 8e12 / 0.8655  # of a user's cache
MULTIPLIED_FITTED = (2 * 37e9 + 61 * 2 * 128 * (576 + 512) * CONTEXT) / 5e15 / 0.774


def cut(users):
    """Two messages a layer, a microsecond each, what they carry, and a kernel for each."""
    return 61 * (2e-6 + users * 128 * (576 + 512) * 2 * 71 / 72 / 900e9) + 122 * 4.884e-6


def test_users_in_time_are_what_the_weights_leave_of_the_reading():
    assert number("thread", "users") == pytest.approx((STEP * READS - WEIGHTS) / (CONTEXT * V3), rel=1e-3)
    assert number("thread", "llama") == pytest.approx((STEP * READS - WEIGHTS) / (CONTEXT * 163_840), rel=2e-3)
    assert number("thread", "near") == pytest.approx((STEP * READS - WEIGHTS) / (1e6 * V3), rel=5e-3)
    assert number("ends", "reads") == STEP * READS < ROOM
    assert number("thread", "filled") == pytest.approx(WEIGHTS / ROOM, rel=1e-3)


def test_three_of_a_hundred_million_keep_the_promise_and_a_fourth_has_no_room():
    assert number("thread", "far") == number("far", "users") == 3
    assert 3 * 1e8 * V3 < STEP * READS - WEIGHTS < ROOM - WEIGHTS < 4 * 1e8 * V3
    assert 3 * (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 1e8) < STEP * MULTIPLIES


def test_reading_decides_with_fp8_and_arithmetic_with_bf16():
    weights, attention = 2 * 37e9, 61 * 2 * 128 * (576 + 512) * CONTEXT
    assert number("thread", "over") == pytest.approx(attention / weights)
    assert number("thread", "multiplies") == pytest.approx(
        number("thread", "users") * (weights + attention) / MULTIPLIES
    )
    assert number("thread", "multiplies") < STEP
    assert number("thread", "wide") == pytest.approx(STEP * MULTIPLIES / (weights + 2 * attention), rel=1e-3)


def test_with_an_index_fewer_have_room_and_more_are_served_in_time():
    """656 bytes of cache and 132 of index a token and layer."""
    assert number("thread", "indexed") == pytest.approx((ROOM - WEIGHTS) / (CONTEXT * 61 * 788), rel=2e-3)
    assert number("thread", "unindexed") == pytest.approx((ROOM - WEIGHTS) / (CONTEXT * 61 * 656), rel=1e-3)
    assert number("thread", "indexed") < number("thread", "unindexed") < number("ends", "room")
    assert number("thread", "indexed") < number("thread", "users")
    rack = Setting.published("deepseek-v3.2", "gb200-nvl72", "fp8")
    served = number("expected", "indexed")
    assert forecast_of(decode(rack, served, CONTEXT)).seconds <= STEP
    assert forecast_of(decode(rack, served + 1, CONTEXT)).seconds > STEP
    assert decode(rack, served, CONTEXT).fits
    assert 3 * number("ladder", "expected") < number("expected", "indexed") < number("expected", "indexed_room")
    assert number("expected", "indexed_room") < number("thread", "indexed")
    assert 2 * number("ladder", "expected") < number("expected", "indexed_kept") < served, "room decides in an engine"
    room = ROOM / 72 - rack.chip_weight_bytes
    assert number("expected", "indexed_room") == 72 * (room // (CONTEXT * 61 * 788))


def test_time_is_expected_to_end_before_room_at_every_promise_of_the_table():
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")

    def seconds(users, context=CONTEXT):
        return forecast_of(decode(rack, users, context)).seconds

    room = number("expected", "room")
    assert room == 72 * ((ROOM / 72 - rack.chip_weight_bytes) // (CONTEXT * V3)) < number("ends", "room")
    slow = number("expected", "slow")
    assert seconds(slow) <= number("ends", "slow_step") < seconds(slow + 1)
    assert number("expected", "stored") == rack.chip_weight_bytes > number("domains", "copied")
    assert room == 72 * number("expected", "room_each")
    assert number("expected", "slow") < room
    assert number("expected", "room_step") == pytest.approx(seconds(room))
    assert number("expected", "room_step") > 2 * number("ends", "drain")
    fast = forecast_of(decode(rack, room, CONTEXT)).band_80[0]
    assert fast == pytest.approx(number("ends", "slow_step"), rel=0.03)
    assert number("ends", "fast_step") < seconds(1), "not even a lone user"


def test_the_expected_users_are_whole_on_each_chip_and_have_the_range_of_the_forecast():
    """Eight on each chip, and four to thirteen in four runs of five."""
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    for name, each, ratio in (("expected", 8, 1.0), ("fewest", 4, 1.311), ("most", 13, 0.8112)):
        users = number("ladder", name)
        assert users == 72 * each
        kept, missed = (forecast_of(decode(rack, many, CONTEXT)).seconds * ratio for many in (users, users + 1))
        assert kept <= STEP < missed
        assert decode(rack, users, CONTEXT).fits
    assert 8 < number("ladder", "chip") < 9
    assert number("ladder", "late") == pytest.approx(STEP / 1.311)
    assert registry.find("serving/ladder").answer().values["slow"].number == 1.311
    assert number("ladder", "late_left") == pytest.approx(STEP / 1.311 - number("ladder", "fixed"))
    assert number("ladder", "late_left") // number("ladder", "each_at_rates") == 4
    assert (STEP / 0.8112 - number("ladder", "fixed")) // number("ladder", "each_at_rates") == 13


def test_four_at_the_slow_end_and_five_by_the_run_only_just_fit():
    """Steps longer by a hundredth leave three and four."""
    run = long_runs_judged()[0]
    assert [each // 1 for each in run.kept] == [5, 7]
    readings = (1.311, "late"), (0.8112, "early")
    for over, end in readings:
        rest = (STEP / over - number("ladder", "fixed")) / number("ladder", "each_at_rates")
        assert number("ladder", f"{end}_chip") == pytest.approx(rest, rel=1e-3)
    for over, each in zip(run.over_forecast, run.kept, strict=True):
        rest = (STEP / over - number("ladder", "fixed")) / number("ladder", "each_at_rates")
        assert each == pytest.approx(rest, rel=2e-3)
    for over, each in ((1.311, 4), (max(run.over_forecast), 5)):
        for longer, fit in ((1.0, each), (1.01, each - 1)):
            left = STEP / over / longer - number("ladder", "fixed")
            assert left // number("ladder", "each_at_rates") == fit


def test_unequal_contexts_on_the_fullest_chip_leave_three_a_chip_and_not_four():
    """Contexts by a gamma law that differ by three tenths fall on 72 chips by chance, so many on each."""
    for name, uneven, users in (("fullest", "uneven", 2), ("three_fullest", "three_uneven", 3)):
        assert number("plan", name) == pytest.approx(drawn_by_gamma(0.3, users), rel=5e-3)
        assert number("plan", uneven) == pytest.approx(kept_by(drawn_by_gamma(0.3, users)), rel=2e-3)
    run = max(long_runs_judged()[0].over_forecast)
    assert kept_by(drawn_by_gamma(0.3, 8)) < 1 < kept_by(drawn_by_gamma(0.3, 4)) < run
    assert run < number("plan", "three_uneven") < 1.311, "less than the slow end"
    assert number("plan", "three") == 3 * 72


@pytest.mark.parametrize(
    ("name", "spread", "users", "end"), [("", 0.3, 2, 1.406), ("three_", 0.3, 3, 1.311), ("two_", 0.6, 2, 1.311)]
)
def test_users_sent_to_the_emptiest_chip_let_the_plans_reach_the_slow_end(name, spread, users, end):
    """By a simulation of one fleet: by chance they fall short; two go as far as three with equal contexts."""
    sent = number("plan", f"{name}sent")
    assert sent == pytest.approx(kept_by(placed_by_load(spread, users)), rel=0.01)
    assert sent == pytest.approx(end, rel=0.005)
    assert number("plan", f"{name}uneven") < 0.995 * sent


def test_contexts_that_differ_by_twice_as_much_leave_two_a_chip_at_most():
    """By a gamma law two outlast the run on GB200 and not the slow end; by a lognormal one they barely do."""
    run = max(long_runs_judged()[0].over_forecast)
    assert number("plan", "two_fullest") == pytest.approx(drawn_by_gamma(0.6, 2), rel=5e-3)
    assert number("plan", "two_uneven") == pytest.approx(kept_by(drawn_by_gamma(0.6, 2)), rel=2e-3)
    assert kept_by(drawn_by_gamma(0.6, 3)) < run < number("plan", "two_uneven") < 1.311
    width = np.sqrt(np.log(1 + 0.6**2))
    skewed = np.random.default_rng(0).lognormal(-(width**2) / 2, width, (4000, 72, 2)).sum(axis=2).max(axis=1)
    assert kept_by(skewed.mean()) == pytest.approx(run, abs=0.01)


def test_the_plan_of_four_turns_on_the_rate_at_which_attention_multiplies():
    """At the share of a published kernel three have time at the slow end; in BF16, at either share, two."""
    read, sent = READ_FITTED, number("ladder", "sending_at_rates")
    multiplied, kernel = number("ladder", "multiplied"), number("crossings", "kernel_multiplies")
    weights = 2 * 37e9 / 5e15  # of the operations of a token; they stay in FP8
    wide = 2 * multiplied - weights
    for seconds, users in ((multiplied / kernel, 3), (wide / 0.774, 2), (wide / kernel, 2)):
        assert number("ladder", "late_left") // (read + seconds + sent) == users
    fp8 = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    rack = replace(fp8, precisions=replace(fp8.precisions, attention_products="bf16"))
    slow = [forecast_of(decode(rack, 72 * users, CONTEXT)).band_80[1] for users in (2, 3)]
    assert slow[0] < STEP < slow[1]


def test_attention_in_bf16_and_contexts_that_differ_leave_one_a_chip():
    """Two, sent to the emptiest chip, stop short of the slow end; one outlasts it even where users fall by chance."""
    fixed, multiplied = number("ladder", "fixed"), number("ladder", "multiplied")
    each = number("ladder", "each_at_rates") + (multiplied - 2 * 37e9 / 5e15) / 0.774
    assert number("plan", "wide_sent") == pytest.approx(STEP / (fixed + placed_by_load(0.3, 2) * each), rel=0.01)
    assert number("plan", "wide_each") == pytest.approx(each, rel=1e-3)
    assert number("ladder", "attended") == pytest.approx(multiplied - 2 * 37e9 / 5e15)
    assert number("slow_end", "wide_late") == pytest.approx(number("ladder", "late_left") / each, rel=1e-3)
    assert number("ladder", "late_left") // number("plan", "wide_each") == 2
    assert placed_by_load(0.3, 3) == pytest.approx(4, abs=0.1), "users' load on the fullest of three a chip"
    assert number("plan", "wide_sent") < 1.3 < 1.311 < STEP / (fixed + drawn_by_gamma(0.3, 1) * each)
    assert number("plan", "wide_apart") == pytest.approx(STEP / (fixed + drawn_by_gamma(0.6, 1) * each), rel=2e-3)
    assert number("plan", "wide_apart") < 1.3 < 1.311, "at twice the spread not even one"


def test_overlap_would_leave_a_slow_run_time_for_seven_and_in_bf16_for_four():
    sent, late = (number("ladder", name) for name in ("sending_at_rates", "late_left"))
    users = [late // (max(READ_FITTED, times * MULTIPLIED_FITTED) + sent) for times in (1, 2)]
    assert users == [7, 4]
    assert number("ladder", "late_overlapped") == 72 * 7


def test_the_bound_keeps_the_promise_at_a_hundred_million_and_the_forecast_breaks_it():
    """A chip reads 16.2 GB of copies, 2.55 GB of one expert a layer and its stretch, at the fitted share."""
    assert number("far", "token") < STEP < number("lone", "step") < number("lone", "copied")
    read = ((16.2e9 + 2.55e9) / 8e12 + number("far", "read")) / 0.866
    assert number("lone", "cache_read") + number("lone", "copied_weights") == pytest.approx(read, rel=0.003)
    kernels = number("far", "beside") - number("cut", "merging")
    assert kernels == pytest.approx(KERNELS, rel=1e-3)
    left = STEP - number("far", "beside") - number("lone", "copied_weights")
    context = number("lone", "cache_read") + number("lone", "multiplied")
    assert number("lone", "copied_longest") == pytest.approx(1e8 * left / context, rel=1e-3)
    slow = left - STEP + STEP / 1.311
    assert number("lone", "copied_slow") == pytest.approx(1e8 * slow / context, rel=5e-3)
    assert number("lone", "weights_bound") == pytest.approx(37e9 / READS)
    why = claims.claim("E23").why
    assert "by our forecast, which adds kernels and multiplying, DeepSeek-V3 writes fewer than fifty" in why


def test_at_the_pace_of_the_run_on_gb200_five_have_time_if_both_overlap_and_at_worst_starts_leave_one():
    """By the forecast that overlaps, fitted anew, and by ours; four fifths of the starts are not counted."""
    run, ours = overlapped(), long_runs_judged()[0]
    pace = max(took / said for took, said in zip(ours.seconds, ours.longer_of_both(), strict=True))
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    steps = [float(run.seconds(rack, 72 * users, CONTEXT)) for users in (5, 6, 7, 8, 15, 16)]
    assert pace * steps[0] < STEP < pace * steps[1]
    assert run.error.high_80 * steps[2] < STEP < run.error.high_80 * steps[3], "seven at its slow end, too"
    assert steps[4] < STEP < steps[5], "fifteen, too"
    assert (STEP / pace - number("ladder", "fixed")) // number("ladder", "each_overlapped") == 5
    uncounted = registry.find("moe/ours").answer().values["starts"].number - 2 * 61 * 4.884e-6
    for left, users in (("left_at_rates", 6), ("late_left", 1)):
        assert (number("ladder", left) - uncounted) // number("ladder", "each_at_rates") == users
    assert 1 - uncounted / number("ladder", "late_left") == pytest.approx(2 / 5, abs=0.03), "left by slow starts"
    assert 58 * 25 + 3 * 18 == 1504, "kernels of a step"


def test_half_the_context_is_not_half_of_a_users_time():
    """254 us of reading, 239 us of multiplying and 56 us of sending; sixteen by the forecast and seven at its end."""
    user = 5e4 * V3 / 8e12 / 0.8655 + (74e9 + 5e4 * 61 * 2 * 128 * 1088) / 5e15 / 0.774
    user += number("ladder", "sending_at_rates")
    assert number("halved", "each") == pytest.approx(user, rel=1e-3)
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    for name, users, over in (("chip", 16, 1.0), ("late_chip", 7, 1.311), ("least_chip", 5, 1.4)):
        assert number("halved", name) // 1 == users
        fits = [over * forecast_of(decode(rack, 72 * each, 5e4)).seconds <= STEP for each in (users, users + 1)]
        assert fits == [True, False]
    assert number("halved", "fewest") == 7 * 72


def test_an_average_run_kept_full_brings_prompts_nearly_every_four_seconds():
    step = number("ladder", "fixed") + 4 * number("ladder", "each_at_rates")
    assert 1000 * step / 4 == pytest.approx(3.8, abs=0.05)
    assert number("ladder", "sending_at_rates") > 2 * 24.01e-6, "less than half is the fitted delay"


def test_the_words_of_the_plan_and_of_what_changes_it():
    """Three and eleven a chip; racks of chips for prompts; users of a chip in a rack that does both."""
    assert [number("plan", name) / 72 for name in ("three", "guessed_fewest")] == [3, 11]
    more = (STEP / (1.311 + 0.01) - number("ladder", "fixed")) / number("ladder", "each_at_rates")
    assert 3 < more < 4, "a hundredth more in the slow end"
    run = max(long_runs_judged()[0].over_forecast)
    left = STEP / run - number("ladder", "fixed")
    assert left > 4.9 * number("ladder", "each_at_rates"), "at that run's pace four have time to spare"
    late = number("plan", "guessed_step") / (1.311 + 0.01) - number("plan", "guessed_fixed")
    assert late // number("plan", "guessed_each") == 10, "eleven fit as narrowly as four"
    step = number("plan", "guessed_step")
    assert step == pytest.approx(0.037), "longer than a promised step, so tokens come in bursts"
    users = [(step / over - number("plan", "guessed_fixed")) / number("plan", "guessed_each") for over in (1, 1.311)]
    assert [each // 1 for each in users] == [16, 11], "eleven are of the slow end, the forecast has sixteen"
    assert 2.6 < number("plan", "guessed_fewest") / number("ladder", "fewest") < 3, (
        "almost three times the chips for prompts"
    )
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    for name, racks in (("readers_low", 5), ("readers_high", 5), ("again_low", 0.8), ("again_high", 0.9)):
        assert runs[name] == pytest.approx(racks, rel=0.12)
    for writing, users in ((29, 2), (43, 3), (52, 3)):
        rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8", chips=writing)
        fits = [forecast_of(decode(rack, writing * each, CONTEXT)).band_80[1] <= STEP for each in (users, users + 1)]
        assert fits == [True, False]
    for name, users in (("both_low", 32), ("both_high", 37), ("both_again_low", 129), ("both_again_high", 135)):
        assert runs[name] == users, "whole users"
    known = runs["known"]
    assert known < CONTEXT / 10


@pytest.mark.parametrize("over", [1.4, 1.414])
def test_planned_for_a_later_slow_end_a_rack_for_both_serves_thirty_one_or_ninety_eight(over):
    runs = registry.find("world/long-contexts").answer().values
    share = runs["prompt_low"].number
    assert [runs[name].number for name in ("both_safe", "again_safe")] == [31, 98]
    for kept, served in ((0.0, 31), (0.9, 98)):
        most = 0.0
        for writing in range(20, 60):
            rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8", chips=writing)
            fixed, each = line(rack, writing)
            users = writing * ((STEP / over - fixed) // each)
            most = max(most, min(users, (72 - writing) * share // prompt_chips(1, kept)))
        assert most == served
    for name, writers, users in (("nine", 31, 1), ("six", 49, 2)):
        fixed, each = line(Setting.published("deepseek-v3", "gb200-nvl72", "fp8", chips=writers), writers)
        assert number("slow_end", f"{name}_fixed") == pytest.approx(fixed)
        assert number("slow_end", f"{name}_chip") // 1 == (STEP / 1.4 - fixed) // each == users
    assert [-(-256 // writers) for writers in (31, 49)] == [9, 6]
    assert round(41 * 4 / 5.3) == 31 <= (72 - 31) * share / prompt_chips(1)
    assert 49 * 2 == 98 <= (72 - 49) * share / prompt_chips(1, 0.9)


def test_each_row_of_the_plan_is_the_sum_that_it_shows():
    """By digits as printed: what is left, over a user's time; two unequal users just fit, and three just do not."""
    fixed, left, late = 11.16, 20 / 1.4 - 11.16, 20 / 1.311 - 11.16
    rows = ("safe_chip", "wide_late", "wide_safe", "more_late", "more_safe")
    found = {name: number("slow_end", name) for name in rows}
    two, three = (number("plan", name) for name in ("sent_load", "three_load"))
    assert number("slow_end", "safe_left") * 1e3 == pytest.approx(left, abs=1e-3)
    wide = 1.021 + 0.3398 / 0.774
    sums = left / 1.021, late / wide, left / wide, (late - 2.4) / 1.021, (left - 2.4) / 1.021
    assert list(found.values()) == pytest.approx(sums, rel=0.01)
    assert [each // 1 for each in found.values()] == [3, 2, 2, 1, 0]
    assert two < found["safe_chip"] < number("ladder", "late_chip") < three
    assert fixed == pytest.approx(number("ladder", "fixed") * 1e3, abs=5e-3)
    assert number("plan", "begun") + number("plan", "again") == pytest.approx(number("far", "own_prompt"))


def test_copies_and_sending_are_the_bytes_of_the_fold():
    copies, experts = (number("domains", name) / 1e9 for name in ("for_all", "copied"))
    attention, shared, first = 61 * 187.1e-3, 58 * 44.04e-3, 3 * 3 * 7168 * 18432 / 1e9
    assert (attention, shared, first) == pytest.approx((11.4, 2.6, 1.2), abs=0.05)
    assert copies == pytest.approx(attention + shared + first + 129280 * 7168 / 1e9 + 0.106, abs=0.05)
    assert experts - copies == pytest.approx(4 * 58 * 44.04e-3, rel=1e-3)
    assert number("ladder", "linked") * 900e9 == pytest.approx(8.9e6, abs=5e4)
    assert number("ladder", "passed") * 8e12 == pytest.approx(56e6, abs=5e5)


def test_chips_for_prompts_follow_from_what_is_printed():
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    shown = [round(runs[f"prompt_{end}"], 3) for end in ("low", "high")]
    readers = [round(6.48 / share / 5, digits) for share, digits in zip(shown, (2, 1), strict=True)]
    assert readers == [round(runs["readers_high"], 2), round(runs["readers_low"], 1)], (
        "6.48 s over shares of three digits"
    )
    assert 41 * 4 // readers[0] == 31
    faster = runs["prompt_high"]
    assert round(runs["again_low"], 1) == round(1.1 / faster / 5, 1) == 0.8
    assert runs["both_low"] == 43 * 4 / 5.3 // 1, "forty-three chips take prompts in"
    assert runs["both_again_low"] == 43 * 3, "forty-three write to three each"
    for kept, racks in ((0.8, (1.4, 1.8)), (0.89, (0.8, 1.0))):  # a second rack is enough at nearly nine tenths
        needed = [prompt_chips(planned(), kept) / runs[f"prompt_{end}"] for end in ("low", "high")]
        assert racks[0] < min(needed) < max(needed) < racks[1]


def test_a_user_of_the_forecast_is_the_sum_that_the_text_gives():
    """439 us at 86.6%, 355 us at 77.4%, and sending at its own fitted rate; weights and kernels as well."""
    error = {name: value.number for name, value in registry.find("serving/error").answer().values.items()}
    parts = number("ladder", "each") / error["memory"] + number("ladder", "multiplied") / error["arithmetic"]
    user = parts + number("ladder", "sending_at_rates")
    assert user == pytest.approx(number("ladder", "each_at_rates"), rel=1e-3)
    linked, passed = number("ladder", "linked"), number("ladder", "passed")
    assert linked + passed == pytest.approx(number("ladder", "sending"))
    sent = linked / error["link"] + passed / error["memory"] + error["sequence"]
    assert number("ladder", "sending_at_rates") == pytest.approx(sent, rel=1e-3)
    assert number("ladder", "sending_at_rates") > 3 * number("ladder", "sending"), "17 us would give nine a chip"
    assert number("ladder", "left_at_rates") / (parts + number("ladder", "sending")) > 8.95


def drawn_by_gamma(spread, users):
    """Load of the fullest of 72 chips, none of whose contexts is below nothing."""
    shape = 1 / spread**2
    return np.random.default_rng(0).gamma(shape * users, 1 / shape, (20_000, 72)).max(axis=1).mean()


def kept_by(fullest):
    return STEP / (number("ladder", "fixed") + fullest * number("ladder", "each_at_rates"))


def placed_by_load(spread, each):
    """Average users on the fullest of 72 chips with so many each, sent to the lightest while others leave."""
    random = np.random.default_rng(1)
    drawn, load = random.gamma(1 / spread**2, spread**2, 20_000), np.zeros(72)
    users, fullest = [], []
    for size in drawn:
        if len(users) == 72 * each:
            chip, gone = users.pop(int(random.integers(72 * each)))
            load[chip] -= gone
        chip = int(load.argmin())
        load[chip] += size
        users.append((chip, size))
        fullest.append(load.max())
    return np.mean(fullest[2000:])


def test_without_two_of_three_conditions_the_plan_is_one_user_a_chip_or_none():
    """Attention in BF16, spread by three tenths, starts as timed alone; of these a fifth is counted already."""
    left, each, wide = number("ladder", "late_left"), number("ladder", "each_at_rates"), number("plan", "wide_each")
    starts = 0.8 * registry.find("moe/ours").answer().values["starts"].number
    lone, pair = placed_by_load(0.3, 1), placed_by_load(0.3, 2)
    assert lone * wide < left < pair * wide, "in BF16 and spread: one"
    assert wide < left - starts < 2 * wide, "in BF16 and slow to start: one"
    assert lone * each > left - starts, "spread and slow to start: none"


def test_a_fresh_prompt_alone_on_a_chip_takes_less_time_than_its_answer():
    for end, share in (("low", "high"), ("high", "low")):
        wait = number("far", "own_prompt") / number("published", f"lone_share_{share}")
        assert number("published", f"lone_wait_{end}") == pytest.approx(wait, rel=1e-3)
        assert 0.5 < wait / (1000 * STEP) < 0.75


def test_runs_with_long_contexts_are_held_against_the_forecast_and_not_against_its_sum_at_rated_speeds():
    """At rated speeds reading, multiplying, sending and kernels make less, and the run on GB200 took more than that."""
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    run = long_runs_judged()[0]
    for speed, said in zip(run.speeds, run.forecast, strict=True):
        rated = float(decode(run.setting, run.run.users(speed), run.run.context).serial_seconds) + KERNELS
        assert rated < said < 1 / speed
    ratios = [ratio for each in long_runs_judged() for ratio in each.over_forecast]
    assert max(runs["gb200_over_low"], runs["wide_high"]) < runs["gb200_over_high"] < 1.311, "at most so much"
    assert (runs["over_low"], runs["over_high"]) == (min(ratios), max(ratios))


def test_a_chip_that_writes_to_four_needs_more_than_one_that_takes_fresh_prompts_in():
    """A prompt multiplies for 6.5 s of a chip, its last tenth for 1.1 s; four answers bring one every 5 s."""
    prompt = CONTEXT * (2 * 37e9 + 2 * 128 * 320 * 61 * (CONTEXT + 1) / 2) / 5e15
    assert number("far", "own_prompt") == pytest.approx(prompt)
    between = 1000 * STEP / 4
    assert between == pytest.approx(5)
    last = 0.1 * CONTEXT * (2 * 37e9 + 2 * 128 * 320 * 61 * (0.95 * CONTEXT + 0.5)) / 5e15  # nine tenths kept
    assert number("plan", "again") == pytest.approx(last) == pytest.approx(1.1, abs=0.01)
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    assert runs["both_high"] < runs["rack_high"], "fewer than in the run"
    run = long_runs_judged()[0].run  # answers of 7,200 tokens, a prompt of 115,200 before each
    each = 115_200 * (2 * 37e9 + 2 * 128 * 320 * 61 * 115_201 / 2) / 5e15
    assert runs["prompt_low"] == pytest.approx(run.rate / 7200 * each / run.reading)
    for slow, fast in (("low", "high"), ("high", "low")):
        readers = prompt / between / runs[f"prompt_{slow}"]
        assert runs[f"readers_{fast}"] == pytest.approx(readers)
        assert runs[f"again_{fast}"] == pytest.approx(last / between / runs[f"prompt_{slow}"])
        assert runs["gb200_chip_low"] == pytest.approx(5, abs=0.1), "about five"
    assert 0.45 < number("far", "prompt") / number("published", "at_kernel") < 0.5, "as fast as a prompt alone"


def test_one_rack_that_does_both_has_fewer_chips_that_write_and_each_reads_more_experts():
    """By hand at the slow end: a chip of n reads 16.2 GB and ceil(256 / n) experts a layer; 29 write, nine a layer."""
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    expert = number("domains", "copied") - number("domains", "for_all")  # four a layer

    def whole(chips):
        read = number("domains", "for_all") + -(-256 // chips) * expert / 4
        left = STEP / 1.311 - read / 8e12 / 0.8655 - KERNELS
        return max(0.0, left // number("ladder", "each_at_rates"))

    def best(share, prompt):
        brought = number(*prompt) * 50 / 1000 / share
        return max((min(n * whole(n), (72 - n) / brought), n) for n in range(8, 72))

    assert (whole(72), whole(29), -(-256 // 29), whole(18)) == (4, 2, 9, 0)
    assert (whole(28), -(-256 // 28), whole(43)) == (1, 10, 3)
    for end in ("low", "high"):  # a rack of GB200 takes prompts in as fast as GB200 did
        share, users, again = (runs[f"{name}_{end}"] for name in ("prompt", "both", "both_again"))
        (fresh, writing), (kept, _) = (best(share, prompt) for prompt in (("far", "own_prompt"), ("plan", "again")))
        assert (users, again) == (fresh // 1, kept // 1)
        assert writing == 29
        assert again < 72 * 4 / (1 + number("plan", "again") / 5 / share), "a rack's share of racks that do one thing"
        assert 0.4 < again / 288 < 0.5, "under half"
    assert runs["both_low"] / number("ladder", "fewest") == pytest.approx(1 / 9)


def test_if_multiplying_overlaps_reading_a_chip_serves_fifteen_by_this_fit_and_by_one_of_that_form():
    """A forecast that takes the longer in each operation has constants of its own, fitted to the same runs."""
    left, each = number("ladder", "left_at_rates"), number("ladder", "each_at_rates")
    assert number("ladder", "each_overlapped") == pytest.approx(each - MULTIPLIED_FITTED, rel=1e-3)
    assert left // number("ladder", "each_overlapped") == 15
    assert number("ladder", "overlapped") == 72 * 15 > number("ladder", "most")
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    for users, kept in ((72 * 15, True), (72 * 16, False)):
        assert (overlapped().seconds(rack, users, CONTEXT) <= STEP) == kept


def test_the_long_run_near_the_promise_has_fewer_users_than_its_forecast_on_gb200_and_as_many_on_gb300():
    """Five were allowed there and eight on GB300, which wrote to about six; slower users were more than eight.

    With GB200's factors a chip of the lecture's rack serves five to seven, with GB300's seven to ten.
    """
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    assert (runs["gb200_places"], runs["gb300_places"]) == (5, 8)
    assert (runs["gb200_users_low"] + runs["gb200_users_high"]) / 2 == pytest.approx(4, abs=0.1)
    assert (runs["gb300_users_low"] + runs["gb300_users_high"]) / 2 == pytest.approx(6, abs=0.2)
    assert runs["gb200_users_high"] < runs["gb200_promised_low"]
    assert runs["gb300_promised_low"] < runs["gb300_users_low"] < runs["gb300_users_high"] < runs["gb300_promised_high"]
    for chip, fewest, most in (("gb200", 5, 7), ("gb300", 7, 10)):  # as many our rack serves with the factors of each
        for end, each in (("high", fewest), ("low", most)):
            left = STEP / runs[f"{chip}_over_{end}"] - number("ladder", "fixed")
            assert left // number("ladder", "each_at_rates") == each
    assert (runs["pace_low"], runs["pace_high"]) == (1 / STEP, pytest.approx(1.2 / STEP)), "our speed or a fifth more"
    assert STEP / runs["gb200_over_high"] - number("ladder", "fixed") == pytest.approx(5e-3, rel=0.05)
    fewest = number("ladder", "fewest") / 72
    assert fewest == 5 - 1, "one fewer than the least that the run speaks for"
    assert runs["gb200_users_low"] < fewest < runs["gb200_users_high"], "the number to plan with"
    assert number("ladder", "expected") == 2 * number("ladder", "fewest"), "half of them"
    assert runs["rack_high"] < number("ladder", "fewest")
    slower = next(each for each in long_runs_judged()[1:] if each.run.system == "gb200-nvl72")
    assert max(slower.speeds) < 1 / STEP
    assert min(slower.users) > 8
    assert slower.over_forecast == pytest.approx([1, 1], abs=0.1)


def test_with_attention_in_bf16_or_with_starts_as_timed_a_chip_serves_six():
    """Two starts in each of 58 layers, each counted as a kernel of 4.884 µs; timed, one took 25.6 µs."""
    left, each = number("ladder", "left_at_rates"), number("ladder", "each_at_rates")
    wide = each + 61 * 2 * 128 * (576 + 512) * CONTEXT / 5e15 / 0.774
    starts = asking.standing("moe/ours").values["starts"].number
    assert left // wide == (left - starts + 116 * 4.884e-6) // each == 6
    assert starts / (116 * 4.884e-6) == pytest.approx(5, rel=0.06)
    messages = 116 + 2 * 61  # those of the experts, and two a layer for a context that is cut
    left = STEP - number("far", "beside") - messages * (starts / 116 - 4.884e-6)
    assert 1e8 * left / number("lone", "work") == pytest.approx(number("lone", "longest_slow"), rel=0.03)


def test_in_the_share_of_memory_that_recipes_leave_room_ends_before_the_time_of_the_bound():
    """With all memory for weights and caches time ends first; the forecast's users have room in any case."""
    kept = 72 * ((0.72 * ROOM / 72 - number("expected", "stored")) // (CONTEXT * V3))
    assert number("expected", "kept") == kept < number("thread", "users") < number("ends", "room")
    assert 3 * number("ladder", "expected") < kept == 72 * 32


def test_exponentials_at_twice_the_rate_save_little_of_what_gb300_gained():
    """At the rate that a kernel reached in a prompt, none of them hidden behind reading."""
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    rate = 128 * 128_000 * 128_001 / 2 / number("published", "kernel")
    saved = runs["gb200_users_high"] * 128 * 61 * runs["context"] / rate / 2
    gained = [1 - runs[f"gb300_over_{end}"] / runs[f"gb200_over_{end}"] for end in ("low", "high")]
    assert saved / STEP < 0.03 < min(gained) / 4


def test_at_our_speed_a_chip_of_the_long_run_wrote_to_more_users_than_at_a_faster_one():
    """Tokens a second are known for each chip: so many users at our speed, and fewer that are a fifth faster."""
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    written = runs["gb200_users_high"] * runs["pace_low"]
    assert written == pytest.approx(runs["gb200_users_low"] * runs["pace_high"])
    assert runs["gb200_over_high"] > runs["gb200_over_low"], "the slower users had the longer token"


def test_eight_h100_hold_fewer_than_four_caches_beside_the_weights():
    assert 0 < number("domains", "box_memory") - WEIGHTS < 4 * CONTEXT * V3


def test_a_million_is_kept_for_none_or_one_on_every_chip_and_a_hundred_million_for_a_month():
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    one, every = (forecast_of(decode(rack, users, 1e6)) for users in (1, 72))
    assert one.seconds < STEP < every.seconds
    assert (STEP - one.seconds, every.seconds - STEP) < (0.04 * STEP, 0.04 * STEP)
    assert every.band_80[0] < STEP < one.band_80[1]
    cut_over_all = forecast_of(decode(rack.with_layout(Layout(tensor=72, context=72)), 1, 1e8)).seconds
    reading, multiplying = (37e9 + 1e8 * V3) / READS / 0.8655, number("far", "multiplies") / 0.774
    for expected in (cut_over_all, reading + multiplying + number("far", "beside")):
        assert STEP < expected < 1.1 * STEP < 1 / number("far", "month")


def test_each_row_of_the_ladder_divides_what_is_left_by_what_a_user_takes():
    """Attention copied is read in 3.3 ms; a chip reads for 0.44 ms for a user and multiplies for 0.35."""
    each, kernels = CONTEXT * V3 / 8e12, KERNELS
    assert number("ladder", "each") == pytest.approx(each)
    assert number("ladder", "first") == pytest.approx(STEP - WEIGHTS / READS, rel=1e-4)
    assert 72 * number("ladder", "first") // number("ladder", "each") == number("thread", "users")
    assert 72 * number("ladder", "in_bound") // 1 == number("thread", "users")
    copied = asking.standing("batching/layouts").values["copied_floor"].number
    assert number("ladder", "left") == pytest.approx(STEP - copied - kernels)
    multiplies = (2 * 37e9 + 61 * 2 * 128 * (576 + 512) * CONTEXT) / 5e15
    assert each + multiplies < number("ladder", "each_in_turn") < 1.05 * (each + multiplies)
    assert number("ladder", "sending") == pytest.approx(number("ladder", "each_in_turn") - each - multiplies)
    at_once = 72 * number("ladder", "left") / (each + number("ladder", "sending"))
    assert number("ladder", "at_once") == pytest.approx(at_once)
    users = 72 * number("ladder", "left") / number("ladder", "each_in_turn")
    step = decode(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), users, CONTEXT)
    assert step.serial_seconds + kernels == pytest.approx(STEP, rel=2e-3)
    at_rates = number("ladder", "left_at_rates") / number("ladder", "each_at_rates")
    assert at_rates == pytest.approx(number("ladder", "chip"))
    assert number("ladder", "left_at_rates") < number("ladder", "left")


def test_copies_are_attention_the_shared_expert_the_first_layers_and_the_output():
    """By the published widths: a chip reads them beside four experts of each of 58 layers."""
    wide, attention = 7168, 7168 * (1536 + 576) + 1536 * 128 * 192 + 512 * 128 * 256 + 128 * 128 * 7168
    others = 58 * (3 * wide * 2048 + 256 * wide) + 3 * 3 * wide * 18_432 + 129_280 * wide
    assert number("domains", "for_all") == pytest.approx(61 * attention + others, rel=5e-3)
    assert number("domains", "for_all") + 58 * 4 * 3 * wide * 2048 == pytest.approx(number("domains", "copied"))
    assert 61 * attention > 0.6 * number("domains", "for_all")
    shared, box = number("domains", "for_all"), number("domains", "box_memory")
    assert 8 * shared + WEIGHTS - shared > box > WEIGHTS, "eight H100 hold the model, and no copies"


def test_what_a_user_takes_is_the_sum_of_its_parts():
    multiplies = (2 * 37e9 + 61 * 2 * 128 * (576 + 512) * CONTEXT) / 5e15
    assert number("ladder", "multiplied") == pytest.approx(multiplies)
    parts = READ_FITTED + MULTIPLIED_FITTED + number("ladder", "sending_at_rates")
    assert parts == pytest.approx(number("ladder", "each_at_rates"), rel=1e-4)
    assert number("ladder", "sending") < number("ladder", "sending_at_rates") - 24.01e-6, "the rest is a delay"
    assert number("ladder", "fixed") == pytest.approx(STEP - number("ladder", "left_at_rates"))
    users = 72 * number("ladder", "slow_left") / number("ladder", "each_at_rates")
    assert number("expected", "slow") <= users < number("expected", "slow") + 72
    late = 72 * ((0.05 / 1.311 - number("ladder", "fixed")) // number("ladder", "each_at_rates"))
    assert late == number("expected", "slow_fewest") < number("expected", "kept")
    full = number("ladder", "fixed") + number("expected", "room_each") * number("ladder", "each_at_rates")
    assert number("expected", "room_step") == pytest.approx(full, rel=2e-3)


def test_the_steps_of_long_contexts_are_the_sums_of_their_parts():
    read, multiplied = 1e6 * V3 / 8e12 / 0.8655, (2 * 37e9 + 61 * 2 * 128 * (576 + 512) * 1e6) / 5e15 / 0.774
    assert number("millions", "read") == pytest.approx(read)
    assert number("millions", "multiplied") == pytest.approx(multiplied)
    assert read + multiplied < number("millions", "asked") < 1.01 * (read + multiplied)
    alone = number("millions", "asked") + number("millions", "alone_weights") + KERNELS
    assert number("millions", "alone_step") == pytest.approx(alone)
    every = number("millions", "asked") + number("millions", "every_weights") + KERNELS
    assert STEP < number("millions", "every_step") == pytest.approx(every, rel=2e-3)
    assert 1 / number("millions", "far_step") == pytest.approx(number("thread", "far_later"))
    assert number("millions", "far_beside") == pytest.approx(KERNELS + cut(3))
    assert number("far", "prompt") == pytest.approx(1e8 * number("far", "prompt_each") / MULTIPLIES)


def test_the_memory_is_drawn_with_the_users_of_the_case():
    asked = registry.find("memory_wall/fit").answer()
    assert asked.values["cache"].number == pytest.approx(number("thread", "users") * CONTEXT * V3)
    assert asked.values["users"].number == number("ends", "room") > number("thread", "users")


def test_the_largest_model_is_held_against_the_one_that_is_served():
    assert number("thread", "larger") == pytest.approx(STEP * READS / 2 / 671e9)
    kernels = asking.standing("serving/parts").values["kernels_expected"].number
    assert kernels == pytest.approx(KERNELS)
    for value, sums in (("larger_later", number("floor", "sums")), ("larger_many", number("sizes", "batch_sums"))):
        assert number("thread", value) == pytest.approx((STEP - kernels - sums) * READS / 2 / 671e9)


def test_three_of_a_hundred_million_miss_the_promise_once_kernels_count():
    beside = KERNELS + cut(3)
    reading = 1 / number("thread", "far_later") - beside
    assert reading == pytest.approx(number("road", "full", goal="100M"))
    assert reading < STEP < reading + beside
    assert number("thread", "far_later") < number("far", "month")
    assert number("far", "token") == pytest.approx((37e9 + 1e8 * V3) / READS)
    multiplies = 3 * (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 1e8) / MULTIPLIES
    assert 1 / number("thread", "far_in_turn") == pytest.approx(reading + beside + multiplies)


def test_a_lone_user_beats_the_floor_until_kernels_count():
    near = (37e9 + 1e6 * V3) / READS
    assert near < number("domains", "rack") < number("lone", "near_step")
    multiplied = (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 1e6) / MULTIPLIES
    assert number("lone", "near_step") == pytest.approx(near / 0.8655 + multiplied / 0.774 + KERNELS + cut(1))
    assert number("lone", "step_times") == pytest.approx(number("lone", "step") / number("lone", "near_step"))


def test_copies_of_attention_lengthen_a_lone_token_by_their_reading():
    """A chip reads for 2.71 ms and not for 74 µs: it misses the promise sooner, and keeps the month.

    In each of 58 layers the busiest chip reads one of the token's eight experts, which lie on eight chips.
    """
    expert = 58 * 3 * 7168 * 2048
    read = (number("domains", "for_all") + expert) / 8e12 / 0.8655
    assert number("lone", "copied_weights") == pytest.approx(read, rel=2e-3)
    assert number("lone", "copied_weights") == pytest.approx(number("millions", "alone_weights"))
    copies = number("lone", "copied_weights") - 37e9 / READS / 0.8655
    assert number("lone", "copied") == pytest.approx(number("lone", "step") + copies)
    assert number("lone", "copied") < number("lone", "month")
    lost = copies / (number("lone", "work") / 1e8)
    assert number("lone", "copied_longest") == pytest.approx(number("lone", "longest") - lost, rel=1e-2)


def test_the_forecast_of_a_lone_user_has_the_range_of_the_whole_step():
    """Four fifths of measured runs took so many times their forecast; a context gives and takes the rest alone."""
    each = (number("lone", "step") - number("lone", "near_step")) / 99e6
    for name, ratio in (("longest_slow", 1.311), ("longest_fast", 0.8112)):
        context = 1e8 + (STEP / ratio - number("lone", "step")) / each
        assert number("lone", name) == pytest.approx(context)
    assert number("lone", "longest_slow") < number("lone", "longest") < number("lone", "longest_fast")
    assert number("far", "active_bytes") == pytest.approx(37e9)


def test_the_longest_context_of_a_lone_user_is_what_a_promised_step_reads_beside_the_woken_weights():
    longest = (STEP * READS - 37e9) / V3
    assert number("far", "promised") == pytest.approx(longest)
    assert longest < number("far", "longest")
    assert (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * longest) / MULTIPLIES < STEP


def test_a_lone_user_is_expected_to_miss_the_promise_by_little_and_to_keep_the_month():
    """At the fitted rates, reading and multiplying in turn; a forecast of the same layout agrees nearly."""
    slope = setting.slope(catalog.model("deepseek-v3"))
    read, multiplied = (37e9 + 1e8 * V3) / READS / 0.8655, (2 * 37e9 + slope * 1e8) / MULTIPLIES / 0.774
    assert number("lone", "read") == pytest.approx(read, rel=1e-3)
    assert number("lone", "multiplied") == pytest.approx(multiplied)
    assert number("lone", "work") == pytest.approx(read + multiplied, rel=1e-3)
    assert number("lone", "step") == pytest.approx(number("lone", "work") + KERNELS + cut(1))
    assert number("lone", "left") == pytest.approx(STEP - KERNELS - cut(1))
    assert number("lone", "month") == pytest.approx(30 * 86_400 / 1e8) == pytest.approx(1 / number("far", "month"))
    assert STEP < number("lone", "step") < number("lone", "month")
    for limit in (STEP, number("lone", "month")):
        assert 0.8112 * number("lone", "step") < limit < 1.311 * number("lone", "step")
    longest, spread = number("lone", "longest"), Layout(tensor=72, context=72)
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8").with_layout(spread)
    assert forecast_of(decode(rack, 1, longest)).seconds == pytest.approx(STEP, rel=0.03)
    ratio = (longest * (V3 / READS / 0.8655 + slope / MULTIPLIES / 0.774)) / number("lone", "left")
    assert 0.99 < ratio < 1


def test_three_contexts_that_grow_from_nothing_keep_the_month_at_rated_speeds_and_not_at_fitted_rates():
    """Half as long on average: 20 days by reading, 28 with multiplying added, 32 at fitted rates."""
    beside = KERNELS + cut(3) + number("millions", "far_weights")
    reading = beside + number("millions", "far") / 2
    multiplying = 3 * (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 5e7) / MULTIPLIES
    assert 1e8 * reading / 86_400 == pytest.approx(20, rel=0.02)
    assert 1e8 * (reading + multiplying) / 86_400 == pytest.approx(28, rel=0.02)
    assert reading + multiplying < number("lone", "month")
    fitted = (reading - KERNELS - cut(3)) / 0.8655 + KERNELS + cut(3) + multiplying / 0.774
    assert number("lone", "month") < fitted == pytest.approx(32 * 86_400 / 1e8, rel=0.02)


def test_operations_of_a_token_of_context_are_those_that_the_text_multiplies_out():
    pairs = 2 * number("caches", "latent_layers") * number("caches", "queries")
    decoded = number("caches", "latent") + number("caches", "latent_value")
    made = number("caches", "key_made") + number("caches", "value_made")
    assert (number("crossings", "v3_slope"), number("crossings", "v3_slope_prompt")) == (pairs * decoded, pairs * made)


def test_eight_h100_hold_more_than_they_read_in_time():
    assert number("sizes", "box_held") == pytest.approx(number("domains", "box_memory") / 2)
    assert number("sizes", "box_fp8") < number("sizes", "box_held") < 671e9
    left = number("domains", "box_left")
    assert left == pytest.approx(number("domains", "box_memory") - 671e9)
    assert 3 < left / (CONTEXT * V3) < 4, "caches, with nothing for an engine and its buffers"


def test_a_prompt_of_a_million_by_hand():
    near = 1e6 * (2 * 37e9 + 2 * 128 * 320 * 61 * (1e6 + 1) / 2) / MULTIPLIES
    assert number("far", "near_prompt_cost") == pytest.approx(near * 72 * 4.54 / 3600)
    multiplies = (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 1e8) / MULTIPLIES
    assert number("far", "multiplies") == pytest.approx(multiplies)
    assert multiplies < number("far", "token")


def test_the_kink_is_where_a_full_memory_is_read_as_long_as_it_is_multiplied_with():
    at, users = number("far", "kink"), (ROOM - WEIGHTS) / (number("far", "kink") * V3)
    multiplies = users * (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * at) / MULTIPLIES
    assert multiplies == pytest.approx(ROOM / READS, rel=1e-4)


def test_tokens_written_without_a_pause_cost_more_than_a_month_of_rent_once_kernels_count():
    kept, month = number("far", "month_cost"), number("far", "month")
    assert number("far", "month_written") == pytest.approx(kept * month * number("road", "full", goal="100M"))
    assert number("far", "written_later") == pytest.approx(kept * month / number("thread", "far_later"))
    assert kept < number("far", "written_later") < 1.03 * kept
    assert month > number("thread", "far_in_turn")
    multiplies = 3 * (2 * 37e9 + setting.slope(catalog.model("deepseek-v3")) * 1e8) / MULTIPLIES
    step = number("road", "full", goal="100M") / 0.8655 + multiplies / 0.774 + KERNELS + cut(3)
    assert number("far", "written_expected") == pytest.approx(kept * month * step, rel=1e-4)
    half = (step - KERNELS - cut(3)) / 2 + KERNELS + cut(3)
    rated = (number("road", "full", goal="100M") + multiplies) / 2 + KERNELS + cut(3)
    assert rated < 1 / month < half, "contexts written from empty keep the month at rated speeds alone"


def test_a_month_of_a_third_of_the_rack_costs_many_prompts():
    month = 72 * 4.54 * 720 / 3
    assert number("far", "month_cost") == pytest.approx(month)
    attention, weights = 61 * 2 * 128 * (192 + 128) * 1e16 / 2 / (72 * 1460e12), 2 * 37e9 * 1e8 / MULTIPLIES
    prompt = 72 * 4.54 * (attention + weights) / 3600
    assert number("far", "kernel_cost") == pytest.approx(prompt)
    assert number("far", "month_over") == pytest.approx(month / prompt)


def test_the_rates_of_a_published_kernel_leave_reading_and_multiplying_about_equal():
    assert number("crossings", "kernel_reads") == pytest.approx(3000 / 3350)
    assert number("crossings", "kernel_multiplies") == pytest.approx(660 / 989, rel=1e-3)
    assert number("crossings", "rated") == pytest.approx(number("reuse", "share"))
    reached = number("reuse", "share") * 3000 / 3350 / (660 / 989)
    assert number("crossings", "reached") == pytest.approx(reached, rel=1e-3)


def test_with_kernels_reading_decides_at_both_speeds_of_an_exercise_and_less_may_be_read():
    reads, kernels = 72 * 8e12 * 0.75 / 0.5, number("exercise", "size_kernels")
    assert kernels == pytest.approx(KERNELS)
    assert number("exercise", "size_later") == pytest.approx((0.01 - KERNELS) * reads)
    assert number("exercise", "size_slow_later") == pytest.approx((0.04 - KERNELS) * reads)
    assert number("exercise", "size_slow_later") < number("exercise", "size_holds")
    beside = number("exercise", "far_beside")
    assert beside == pytest.approx(KERNELS + cut(20))
    assert number("exercise", "far_later") == pytest.approx(((STEP - beside) * READS - WEIGHTS) / 20e8, rel=1e-3)


def test_a_cut_context_sends_queries_out_and_sums_back():
    """576 and 512 numbers of two bytes for each of 128 heads, a microsecond a message, 61 layers."""
    assert (number("cut", "queries"), number("cut", "found")) == (128 * 576 * 2, 128 * 512 * 2)
    sending = 61 * (2e-6 + 128 * (576 + 512) * 2 * 71 / 72 / 900e9)
    assert number("cut", "sending") == pytest.approx(sending)
    assert sending < 0.03 * number("far", "read")
    assert number("cut", "kernels") == pytest.approx(122 * 4.884e-6)
    for name, lost in (("pays", sending), ("pays_expected", cut(1))):
        alone, spread = (number("cut", name) * V3 / bandwidth for bandwidth in (8e12, READS))
        assert alone == pytest.approx(spread + lost)


def test_the_sums_of_a_cut_context_are_the_bytes_that_a_step_merges():
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    step = decode(rack.with_layout(Layout(tensor=72, context=72)), 1, 1e6)
    merged = sum(each.scale_up_seconds for each in step.operations if each.name == "merge of attention")
    assert merged == pytest.approx(61 * number("cut", "found") * 71 / 72 / 900e9)


def test_an_engine_that_keeps_memory_back_has_room_for_fewer_and_then_room_decides_with_an_index():
    """72% of 189,471 MiB, less 27.3 GB of weights: 32 caches of 3.5 GB a chip, or 23 of 4.8 GB."""
    left = 0.72 * ROOM / 72 - number("expected", "stored")
    assert number("expected", "kept") == 72 * (left // (CONTEXT * V3)) == 72 * 32
    assert number("expected", "indexed_kept") == 72 * 23 < number("expected", "indexed")
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    assert number("expected", "kept_step") == pytest.approx(forecast_of(decode(rack, 72 * 32, CONTEXT)).seconds)
    assert number("expected", "kept_step") < number("ends", "slow_step"), "at the slow promise room decides"
    assert number("expected", "slow") > number("expected", "kept") > number("ladder", "expected")


def test_with_a_guess_a_step_more_users_are_served_than_a_token_a_step_allows():
    """By hand: in a step a user reads its cache once and does all else twice, for 1.85 tokens."""
    twice = MULTIPLIED_FITTED + number("ladder", "sending_at_rates")
    step = STEP * (1 + catalog.datum("deepseek-v3-mtp-accepted").value)
    each = READ_FITTED + 2 * twice
    assert number("plan", "guessed_step") == pytest.approx(step)
    assert number("plan", "guessed_each") == pytest.approx(each, rel=0.01)
    fixed = number("plan", "guessed_fixed")
    assert 0 < fixed - number("ladder", "fixed") < 3e-4, "one more layer to read, and no more kernels"
    assert number("plan", "guessed") == 72 * int((step - fixed) / each)
    assert number("plan", "guessed_fewest") == 72 * int((step / 1.311 - fixed) / number("plan", "guessed_each"))
    assert number("ladder", "expected") < number("plan", "guessed_fewest") < number("plan", "guessed")
    kept = number("plan", "guessed_pays")  # as many users as without, in a step that lasts so much longer
    users = number("ladder", "left_at_rates") / number("ladder", "each_at_rates")
    assert fixed + users * number("plan", "guessed_each") == pytest.approx(STEP * (1 + kept))


def test_a_guess_gains_less_on_a_rack_that_takes_its_own_prompts_in():
    runs = {name: value.number for name, value in registry.find("world/long-contexts").answer().values.items()}
    for end in ("low", "high"):
        assert runs[f"guessed_{end}"] / runs[f"both_{end}"] == pytest.approx(1.45, abs=0.04), "over four tenths"
        prompt = number("far", "own_prompt") / runs[f"prompt_{end}"]
        assert 72 / prompt * 1000 * STEP > runs[f"guessed_{end}"], "a rack of prompts"
    assert number("plan", "guessed_fewest") > 2 * number("ladder", "fewest")


def test_kernels_and_not_more_chips_make_a_step_of_the_rack_shorter():
    """A chip reads 26.4 GB, of which 10.2 are four experts a layer; on 144 chips the busiest has two."""
    read, each = number("domains", "copied") - number("domains", "for_all"), 8e12 * 0.8655
    fixed = number("domains", "copied") / each + KERNELS
    assert fixed == pytest.approx(number("ladder", "fixed"), rel=1e-4)
    for name, rest in (
        ("kernels", fixed - KERNELS / 2),
        ("bytes", fixed - number("domains", "copied") / each / 2),
        ("chips", fixed - read / each / 2),
    ):
        assert number("remedies", name) == pytest.approx(rest / fixed, rel=1e-3)
    assert number("remedies", "kernels") < number("remedies", "bytes") < number("remedies", "chips") < 1
