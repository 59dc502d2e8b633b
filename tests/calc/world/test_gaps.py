from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from calc.batching.figures.promise import PROMPT, beside, promised_users, read_seconds, users_beside_prompts
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING
from calc.batching.figures.shared import ANSWER
from calc.batching.figures.worked import example, forecasts, measured
from calc.figure import registry
from calc.setting import Scenario
from calc.step.forecasting import forecast
from calc.world.figures.gaps import CHUNK, SMALL, in_chunks, step


def number(name: str) -> float:
    slug, _, value = name.rpartition(".")
    return float(registry.find(slug).answer().values[value].number)


def test_the_prompts_are_those_of_the_lecture():
    assert (SMALL, PROMPT) == (example.CHUNK, forecasts.PROMPT)


def test_the_mean_gap_is_the_forecast_of_a_step_with_its_share_of_prompts():
    """By another road: the forecast spreads prompts evenly over steps; cut, they cost 0.2% more."""
    users, where = number("world/gaps.users"), Scenario.named(*OPENING).setting
    mean = forecast(where, users, EXAMPLE_CONTEXT, prompt=PROMPT, output=ANSWER).seconds
    assert number("world/gaps.whole_mean") == pytest.approx(mean, rel=1e-6)
    assert mean < number("world/gaps.chunks_mean") < 1.002 * mean < 0.02 / 1.31


def test_the_long_gaps_are_those_of_one_prompt_and_of_a_chunk():
    """By hand: 1 - e^-0.014 of the steps, 1.4%, begin a prompt: the 99th gap holds one; one in eight has a chunk."""
    begins, alone = 0.014, 8.213e-3 + 13 * 135.2e-6
    assert math.exp(-begins) > 0.9
    assert math.exp(-begins) < 0.99 < math.exp(-begins) * (1 + begins)
    assert number("world/gaps.whole_p90") == pytest.approx(alone, rel=1e-3)
    assert number("world/gaps.whole_p99") == pytest.approx(alone + number("world/gaps.prompt"), rel=1e-3)
    assert begins * PROMPT / CHUNK == pytest.approx(1 / 8, rel=0.04)
    assert number("world/gaps.every") == pytest.approx(1 / begins)
    each = number("world/gaps.prompt") * CHUNK / PROMPT
    for key in ("chunks_p90", "chunks_p99"):
        assert alone + 0.97 * each < number(f"world/gaps.{key}") < alone + 1.05 * each
        assert number(f"world/gaps.{key}") / alone == pytest.approx(5, abs=0.2)


def test_a_prompt_takes_the_node_as_long_as_its_parts_at_the_rates_of_the_fit():
    """By hand: 24 ms of moving, 116 ms of multiplying, 233 ms of sending; $29.20 an hour for it, over 1,000 tokens."""
    parts = [number(f"world/gaps.{name}") for name in ("moved", "multiplied", "sent")]
    assert parts == pytest.approx([0.0243, 0.1158, 0.2329], rel=2e-3)
    assert number("world/gaps.prompt") == pytest.approx(sum(parts))
    assert number("world/gaps.spread") == pytest.approx(373e-6, rel=2e-3)
    assert number("world/gaps.sent") == pytest.approx(PROMPT * number("batching/parts.sending"))
    assert number("world/gaps.multiplied") < PROMPT * number("batching/parts.multiplying")


def test_fourteen_users_keep_the_promise_beside_their_prompts_and_a_fifteenth_breaks_it():
    """By hand: each adds 135 us of writing and 373 us of reading, so (15.3 - 8.58) ms / 508 us is room for 13 more."""
    users = users_beside_prompts(Scenario.named(*OPENING).setting)
    assert users == 1 + (15.3e-3 - 8.58e-3) // 508e-6 == number("world/gaps.users")
    assert number("world/gaps.cost") == pytest.approx(step(users, PROMPT) / users * 29.2 / 3600 * 1e6, rel=1e-6)
    assert number("world/gaps.likely_users") == 1 + (20e-3 - 8.58e-3) // 508e-6 == 23
    assert users / step(users, PROMPT) == pytest.approx(922, abs=1)


def test_the_size_of_a_chunk_moves_the_long_gaps_and_hardly_the_mean():
    found = [in_chunks(15.243e-3, 0.053, chunk) for chunk in (SMALL, CHUNK, 4 * CHUNK)]
    means = [float(np.dot(*each)) for each in found]
    assert max(means) < 1.001 * min(means)
    assert all(few[0][-1] < many[0][-1] and few[1][0] < many[1][0] for few, many in pairwise(found))


def test_the_forecast_of_the_example_is_nearer_to_its_bound_than_any_run_beside_it():
    """By hand: 21.6 ms / 8.75 ms is 2.47, 8.21 ms / 2.70 ms 3.05."""
    told = {key: value.number for key, value in registry.find("world/nearest").answer().values.items()}
    assert told["crowd"] == pytest.approx(21.599 / 8.7495, rel=1e-3)
    assert told["alone"] == pytest.approx(8.213 / 2.6954, rel=1e-3)
    drawn = registry.find("batching/step-time").answer().values
    assert told["rack"] == pytest.approx(drawn["forecast"].number / drawn["step"].number)
    runs = registry.find("batching/measured").answer().values
    least = min(runs[f"{key}_took"].number / runs[f"{key}_bound"].number for key in measured.TABLED)
    assert max(told["alone"], told["crowd"]) < least


def test_caches_of_two_bytes_allow_fewer_users_and_short_texts_as_many_as_are_multiplied_for():
    """By hand: 20 ms / 8.92 us is 2,242."""
    told = registry.find("batching/promised").answer().values
    assert told["multiplied"].number == 20e-3 // (2 * 70.6e9 / 15.832e15) == 2242
    assert number("world/gaps.wide_users") < told["wide_sure"].number == 34 < told["sure"].number
    where = Scenario.named(*OPENING).setting
    two = replace(where, precisions=replace(where.precisions, cache="bf16"))
    assert forecast(two, told["sure"].number, EXAMPLE_CONTEXT).band_80[1] > 1.2 * 0.02


def test_prompts_of_which_four_fifths_are_kept_leave_time_for_more_users():
    """By hand: the rest takes 76 ms, more than a fifth of 373; 1 + (15.26 - 8.29) ms / 211 us is 33."""
    rest = read_seconds(PROMPT / 5, 4 * PROMPT / 5)
    assert number("world/gaps.prompt") / 5 < rest == pytest.approx(76.2e-3, rel=2e-3)
    assert number("world/gaps.kept_users") == 1 + (15.26e-3 - 8.213e-3 - rest / ANSWER) // (135.2e-6 + rest / ANSWER)
    assert number("world/gaps.users") < number("world/gaps.kept_users") == 33 < promised_users()[0]
    mean = 8.213e-3 + 32 * 135.2e-6 + 33 * rest / ANSWER
    assert number("world/gaps.kept_cost") == pytest.approx(mean / 33 * 29.2 / 3600 * 1e6, rel=1e-3)


def test_prompts_of_a_node_that_writes_keep_more_than_one_busy_but_less_in_halves():
    """By hand: 53 users bring 3.48 prompts a second, of 373 ms: 1.3 nodes. Four chips multiply for 232 ms.

    They send for 200, move for 30, and two prompts at once keep 0.8 of a node busy; two nodes rent at $58.40.
    """
    assert 53 / step(53) == pytest.approx(3_477, rel=1e-3)
    assert number("world/gaps.busy") == pytest.approx(3.477 * 0.3729, rel=1e-3)
    halved = 0.2316 + 0.1996 + 0.0302
    assert number("world/gaps.halved") == pytest.approx(halved, rel=2e-3)
    assert number("world/gaps.halved_busy") == pytest.approx(3.477 * halved / 2, rel=2e-3)
    assert number("world/gaps.halved_busy") < 1 < number("world/gaps.busy")
    assert number("world/gaps.two") == pytest.approx(58.4 / 3600 / 3477 * 1e6, rel=1e-3)
    assert number("world/gaps.two") < number("world/gaps.split_cost") < number("world/gaps.cost")
    assert number("world/gaps.small_adds") == pytest.approx(512 / PROMPT * 0.3729, rel=0.01)


def test_a_node_that_does_both_is_dearer_than_two_from_some_new_part_of_the_prompts():
    """By hand: 3,300 new tokens take 131 ms; 26 users of 8.34 + 25 x 0.266 ms + 0.131 pay 4.68, two nodes 4.67."""
    setting = Scenario.named(*OPENING).setting
    few, many = (beside(setting, read_seconds(new, PROMPT - new)) for new in (3_200, 3_300))
    cost_few, cost_many = (29.2 / 3600 * seconds / users * 1e6 for users, seconds in (few, many))
    assert cost_few < number("world/gaps.two") < cost_many
    assert number("world/gaps.pays") == 3_300
    assert many[0] == 26 == few[0] - 1
    assert number("world/gaps.apart") == pytest.approx(number("world/gaps.two") / 2)
    assert number("world/gaps.wide_apart") == pytest.approx(29.2 / 3600 * 1e6 * 15.08e-3 / 34, rel=3e-3)


def test_a_half_that_reads_keeps_up_with_a_half_that_writes_and_writes_more_than_a_node_that_does_both():
    """By hand: 19 users of 15.19 ms write 1,251 tokens/s, whose prompts keep the other half busy for 58%."""
    split = number("world/gaps.split")
    assert split == pytest.approx(19 / 15.185e-3, rel=1e-3)
    assert split / 1000 * number("world/gaps.halved") == pytest.approx(0.577, rel=2e-3)
    assert number("world/gaps.split_cost") == pytest.approx(29.2 / 3600 / split * 1e6, rel=1e-4)
    assert number("world/gaps.two_saves") == pytest.approx(1 - 4.667 / 6.484, abs=1e-3)
    assert split > 922  # of users with their prompts
