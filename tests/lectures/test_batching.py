"""The particulars of lecture 1; what all lectures must be is in test_every.py."""

from __future__ import annotations

import re

import numpy as np
import pytest

from calc import batching, catalog
from calc.batching.figures.promise import PROMPT, promised_period, promised_users, prompt_parts
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING
from calc.figure import registry
from calc.figure.inputs import SCENARIO
from calc.ledger.claims import claim
from calc.measured.runs import runs
from calc.setting import Scenario
from calc.step import decode
from calc.step.forecasting import forecast
from calc.world.against import points
from calc.world.changes import changes
from calc.world.sample import sample
from calc.world.settings import setting_of
from calc.world.work import deployments, loads
from tests.lectures.reading import Lecture
from web.cache import ROOT

NAMES = (  # figures that are part of a name, or of what somebody said
    r"Llama 3(\.1)? (\d+B)?|GB\d00|[HBA]\d00|gpt-oss-120b|DeepSeek-V3|Qwen3-235B-A22B|Qwen3-30B-A3B|"
    r"Gemma 4 31B|Groq 3 LPX|Kimi K2|GLM-4\.5|FP[48]|BF16|"
    r"“300 FLOPs per byte”|from 100K to 200K|rack of 72 |2,000 seats and 64 departures|batch of 1\b|1 / B|"
    r"[Ee]xercise \d|[Ll]ecture \d|\(\d[a-z]?\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|B/\(T|day 6|"
    r"MI355X|\bp9[09]\b|DeepSeek-V4-Pro|lecture: 1|“300|The 300|TPU v5e, v5p and v6e|Trainium3"
)
LECTURE = Lecture(
    chapter="batching",
    number=1,
    claims="batching",
    covers=((0, 32 * 60 + 9),),
    drawn={
        "lanes",
        "day",
        "roofline",
        "step-time",
        "stream",
        "drain",
        "cost",
        "ratio",
        "touched",
        "context",
        "fast-mode",
        "departures",
        "sharing",
    },
    suggestions=4,
    small={"1", "1.5", "2", "32"},  # in formulas, and the batch that a card asks about
    names=NAMES,
    moving=frozenset({"day", "departures", "moe/steps"}),
)


def test_the_symbols_are_those_of_the_scenario():
    assert {"batch", "context"} <= {value for slug, value in LECTURE.quoted if slug == "setting"}
    assert {given.name for given in registry.find("batching/setting").inputs} == set(SCENARIO)


def test_words_that_rest_on_a_condition_name_it():
    before = LECTURE.text.partition("worked.alone_price")[0]
    assert "times are this bound." in before
    told = next(each for each in LECTURE.text.split("\n\n") if each.startswith("**What to notice.** Both bars"))
    assert "by this bound a step for a hundred users takes only `#!value worked.crowd_longer` as long" in told
    assert "by the simplest bound" in registry.find("batching/lanes").answer().finding
    why = {name: claim(name).why for name in ("A2", "A3", "A4", "A5", "F9")}
    for said in (why["A2"], why["A4"], registry.find("batching/fast-mode").answer().finding):
        assert "earn the same" in said
        assert "prompts are left out" in said
        assert "only batches differ" in said or "only the batch differs" in said
    assert all("if a step writes" in why[each] for each in ("A5", "F9"))


def test_speed_bought_with_smaller_batches_has_its_conditions_wherever_it_is_said():
    said = [each for each in LECTURE.text.split(". ") if "speed is bought with smaller batches" in each]
    assert len(said) == 2
    for each in said:
        assert "same chips, layout and programs, and without guesses" in each
    ceiling = "While steps read all weights, speed has a ceiling: by the forecast, with prompts read elsewhere"
    assert ceiling in LECTURE.text


def test_most_chips_take_longer_to_read_their_memory_than_was_said():
    numbers = {name: float(np.squeeze(call())) for name, (call, _) in claim("A25").numbers.items()}
    assert numbers["off"] == pytest.approx(45.8 / 20, rel=1e-3)
    assert numbers["least"] > 20e-3 / numbers["off"]
    assert numbers["middle"] > 0.025
    near, every = claim("A25").kept
    assert near < every / 2


def test_every_measured_step_is_longer_than_its_operations_in_turn_but_not_than_halves():
    over: dict[str, list[float]] = {"turn": [], "halves": []}
    rows = sample().rows
    for places in deployments(rows):
        some = [rows[place] for place in places]
        step = decode(setting_of(some[0]), *loads(some))
        took = np.array([row.token_seconds for row in some])
        over["turn"].extend(took / step.in_turn_seconds)
        over["halves"].extend(took / step.halves_seconds)
    assert min(over["turn"]) > 1 > min(over["halves"])


def test_the_promise_leaves_most_of_memory_empty_but_a_smaller_node_does_not_pay_by_the_forecast():
    where = Scenario.named(*OPENING)
    users, _ = promised_users()
    assert where.weight_bytes + users * EXAMPLE_CONTEXT * where.kv_bytes_per_token < where.hbm_bytes / 2
    for chips in (2, 4):
        assert promised_users(chips)[0] / chips < users / where.chips


def test_half_a_node_that_the_forecast_ranks_behind_the_whole_was_ahead_of_it_in_one_engine():
    """By hand: 128 users with short prompts, 19.4 ms on four H200 and 20.7 on eight; forecast, 25.5 and 18.8."""
    told = {key: value.number for key, value in registry.find("batching/measured").answer().values.items()}
    assert told["short_four_forecast"] > told["short_many_forecast"]
    assert told["short_halves"] < told["short_four"] == pytest.approx(19.37e-3, rel=1e-3)
    assert told["short_four"] < told["short_many_took"] == pytest.approx(20.74e-3, rel=1e-3)
    said = LECTURE.text.partition("By the forecast half a node")[2].partition("???")[0]
    yours = next(each for each in LECTURE.text.split("\n\n") if each.startswith("**Your own chips.**"))
    assert said.startswith(" writes for fewer than half of our users")
    assert promised_users(4)[0] < promised_users()[0] / 2
    assert "against the forecast, a step of `#!value measured.short_many_flight` users took" in yours
    assert "measured.short_four` on four H200, `#!value measured.short_many_took` on eight (one engine, short" in yours
    assert "short prompts; another mostly disagreed). So two halves may serve about twice as many." in yours
    fold = next(each for each in LECTURE.text.split("\n\n") if "measured.short_halves" in each)
    assert "with few users, and in another engine mostly, longer than the whole" in fold
    assert (
        "two halves would serve `#!value measured.halves_serve` in time, the whole `#!value measured.wh" in LECTURE.text
    )
    halves, whole = (  # by hand: alone and one more, on four chips and on eight
        1 + (20 * forecast / took - alone) // more
        for forecast, took, alone, more in ((25.53, 19.37, 11.29, 0.2165), (18.78, 20.74, 8.211, 0.1352))
    )
    assert (told["halves_serve"], told["whole_serves"]) == (2 * halves, whole) == (140, 74)
    every = runs()
    four = every.are("model", OPENING[0]) & every.are("system", "hgx-h200") & (every.chips == 4)
    misses = (every.forecast / every.measured)[four & every.are("precision", OPENING[2])]
    assert 1.25 < misses.max() == pytest.approx(4 / 3, abs=0.01)


def test_more_users_cost_less_than_the_bound_says_in_small_batches_and_more_in_large_ones():
    _, few, many, *_ = changes(points())
    assert np.median(few.measured) < np.median(few.bound)
    assert np.median(many.measured) > np.median(many.bound)


def test_runs_in_fp8_on_the_most_chips_took_longer_than_forecast():
    found = runs()
    chips = found.chips * found.are("precision", "fp8")
    assert (found.over_forecast[chips == chips.max()] > 1).all()


def test_a_ratio_of_two_bounds_is_called_no_limit():
    """By the forecast a lone user's token is dearer than by the bound, and a step of fewer starts gains more speed."""
    assert 100 / registry.find("batching/batches").answer().values["longer"].number > 30.8
    said = [each for each in LECTURE.text.split("\n\n") if "worked.ceiling" in each and "|" not in each]
    assert len(said) == 1
    assert "if steps took exactly their bound" in said[0]
    assert "forecasts.ceiling" in said[0]
    opened = next(each for each in LECTURE.text.split("\n\n") if each.startswith("**How fast can a mode become?**"))
    assert "By the forecast our hundred's step takes" in opened
    assert (
        "So if other chips read the prompts, smaller batches buy no more than the whole step over this part" in opened
    )


def test_the_slow_end_is_said_of_runs_and_the_slow_mode_of_the_node_beside_its_own_limit():
    slow = next(each for each in LECTURE.text.split("\n\n") if "**slow end**" in each)
    assert "runs that it was not fitted to. In one run of ten the mean step took over `#!value promised.slow`" in slow
    saving = next(each for each in LECTURE.text.split("\n\n") if "ends the saving" in each)
    assert "forecasts.saving_bound" in saving
    assert "forecasts.saving`" in saving
    bound = registry.find("batching/cost").answer()
    assert "with memory full $0.553" in bound.finding
    assert 1 - 0.553 / bound.values["cost"].number == pytest.approx(0.2, abs=0.03)


def test_caches_enlarge_the_balanced_batch_only_while_attention_is_short():
    """By hand, at 1,000 tokens: 83.9 ms / (14.8 us + 6.8 us - 4.39 us) is 4,870, of 5,670 without a cache."""
    numbers = {name: float(np.squeeze(call())) for name, (call, _) in claim("A20").numbers.items()}
    assert claim("A20").computed()[0] > 1 > numbers["wide"] == pytest.approx(4_875 / 5_667, abs=1e-3)
    assert "With caches the batch that balances is larger" not in LECTURE.text
    told = next(each for each in LECTURE.text.split("\n\n") if "the **critical context** $L^*$ of the model" in each)
    assert "Attention's arithmetic [moves it]" in told
    box = next(each for each in LECTURE.text.split("\n\n") if "a batch of about $r s$" in each)
    assert "By (1), sharing pays up to a batch of about $r s$ without caches" in box
    assert "Real steps have no such sharp end" in LECTURE.text
    assert "without caches, sharing pays up to the chip's ratio times the model's sparsity" in LECTURE.text


def test_what_real_steps_share_is_said_where_the_bound_shares_weights_alone():
    box = next(each for each in LECTURE.text.split("\n\n") if "only one part of a token's cost falls" in each)
    assert "By (1)" in box
    assert "other fixed times" in box
    past = next(each for each in LECTURE.text.split(". ") if "forecasts.node_past" in each)
    assert "also without caches" in past
    alone = next(each for each in LECTURE.text.split(". ") if "world/company.alone_step" in each)
    assert "in FP8 and without guesses" in alone


def test_a_fixed_time_of_kernels_is_called_fitted_and_no_start_that_was_measured():
    """Lecture 8 fits it together with all else that no batch lengthens; kernels timed alone lose less."""
    told = next(each for each in LECTURE.text.split("\n\n") if "The fixed time of a kernel" in each)
    assert "fitted, not measured" in told
    assert "other delays" in told
    loss = registry.find("world/chip").answer().values["kernel"].number
    assert loss < registry.find("batching/parts").answer().values["program"].number
    assert "starts of kernels" not in LECTURE.text


def test_where_the_bound_describes_a_service_its_forecast_stands_beside():
    """By hand: a full node takes 25.5 ms of a promised 20 by the bound; a chunk looks back on at most 9,488 tokens."""
    assert registry.find("batching/promised").answer().values["speed"].number == pytest.approx(50)
    assert "fifty tokens a second" in LECTURE.text
    assert "Time limits us: reading a full memory takes the drain time, `#!value worked.drain`, longer" in LECTURE.text
    worked = registry.find("batching/worked").answer().values
    full = worked["weights"].number + worked["full"].number * worked["cache"].number
    assert promised_period() < full == pytest.approx(worked["drain"].number, rel=0.01)
    own = 9_488 * worked["token"].number / worked["bandwidth"].number
    assert 0.94 * worked["cache"].number < own < worked["cache"].number
    assert "adds no time" not in LECTURE.text


def test_the_users_of_a_promise_are_said_with_their_caches_and_where_prompts_are_read():
    start = next(each for each in LECTURE.text.split("\n\n") if each.startswith("That leaves"))
    cases = next(each for each in LECTURE.text.split("\n\n") if each.startswith("**A second node**"))
    taken = next(each for each in LECTURE.text.split("\n") if "our node with one-byte" in each)
    assert "promised.sure` with one-byte caches, `#!value promised.wide_sure` with two-byte ones, if other" in start
    assert "[on four chips](#where-the-model-stops-being-true), with [all seats taken](#trains" in cases
    assert "| a second node | `#!value promised.sure` | `#!value world/gaps.two` |" in LECTURE.text
    assert "| half of our node | `#!value promised.half` | `#!value world/gaps.split_cost` |" in LECTURE.text
    assert "| our node alone | `#!value world/gaps.users` | `#!value world/gaps.cost` |" in LECTURE.text
    assert "a step as forecast, divided by the users; at the slow end, `#!value promised.slow` as much" in LECTURE.text
    assert "On our node it is `#!value world/gaps.apart` without prompts" in LECTURE.text
    wide = next(each for each in LECTURE.text.split("\n\n") if "world/gaps.wide_apart" in each)
    assert "With two-byte caches and our margin" in wide
    assert "world/gaps.wide_users" in wide
    assert "A second node, or half of ours, reads prompts more cheaply by the forecast" in taken
    gaps = {key: value.number for key, value in registry.find("world/gaps").answer().values.items()}
    assert max(gaps["two"], gaps["split_cost"]) < gaps["cost"]
    assert "margin; measure, half nodes too: two may serve more" in taken
    assert "promised.sure` (two-byte: `#!value promised.wide_sure`) if other chips read prompts, for" in taken
    assert "for `#!value world/gaps.users` if it reads" in taken
    assert "reads `#!value forecasts.prompt` of prompt for each thousand written" in taken
    assert registry.find("world/gaps").answer().values["users"].number < 0.3 * promised_users()[0]
    box = next(each for each in LECTURE.text.split("\n\n") if "Allow less than the promised mean step" in each)
    assert "For a dense model past its critical context, users = " in box
    assert "if memory holds them" in box
    assert "count any prompts that the same chips read; then measure" in box
    far = next(each for each in LECTURE.text.split("\n\n") if "which no run tests" in each)
    assert "world/nearest.alone` the bound on our node, but `#!value world/nearest.rack" in far
    assert "with far more users" in far


def test_the_runs_that_are_over_the_bound_stand_beside_their_own_forecasts():
    """By hand: 21.6 / 8.75 is 2.47, of the hundred whose prompts are read elsewhere."""
    told = {key: value.number for key, value in registry.find("batching/measured").answer().values.items()}
    assert registry.find("world/nearest").answer().values["crowd"].number == pytest.approx(21.6 / 8.75, rel=2e-3)
    for run in ("short_few", "short_many", "long_few", "long_many"):
        assert 0.8 <= told[f"{run}_took"] / told[f"{run}_forecast"] <= 1.25
    said = next(each for each in LECTURE.text.split("\n\n") if "by at most a quarter" in each)
    assert "eight H200 (H100 with faster memory), which also read prompts. Forecasts fitted without these" in said
    every = runs()
    ours = every.are("model", OPENING[0]) & every.are("system", "hgx-h200") & (every.chips == 8)
    misses = every.forecast[ours & every.are("precision", OPENING[2])] / every.measured[ours]
    assert ours.sum() == 33
    assert 0.8 < misses.min() < misses.max() < 1.25
    assert "By the forecast our hundred's step takes `#!value world/nearest.crowd` its bound" in said
    fold = next(each for each in LECTURE.text.split("\n\n") if "measured.bandwidth" in each)
    assert "prompts, which the bound leaves out" in fold


def test_a_reading_within_the_drain_is_of_a_step_that_reads_nothing_twice():
    """By hand: if texts share 9,000 of 10,000 tokens 3,734 fit; each reads all its text, so a step takes 231 ms."""
    said = [each for each in LECTURE.text.split("\n\n") if "for longer than the drain" in each]
    assert len(said) == 1
    assert "at the full rate none reads for longer than the drain, unless it reads something twice" in said[0]
    where = Scenario.named(*OPENING)
    drain, token = where.hbm_bytes / where.bandwidth, where.kv_bytes_per_token
    users = (where.hbm_bytes - where.weight_bytes - 9_000 * token) // (1_000 * token)
    assert (where.weight_bytes + users * EXAMPLE_CONTEXT * token) / where.bandwidth > 9 * drain


def test_the_slow_end_has_time_for_fifty_two_users_more():
    told = registry.find("batching/promised").answer().values
    alone = registry.find("batching/batches").answer().values["alone_forecast"].number
    assert (told["allowed"].number - alone) // told["further"].number == 52 == told["sure"].number - 1
    assert (20e-3 - alone) // told["further"].number == 87 == told["expected"].number - 1


def test_users_are_chosen_at_the_slow_end_and_what_they_write_is_counted_at_the_forecast():
    """By hand: 8.21 ms + 52 x 135.2 us is 15.24 ms, in which 53 write 53 tokens: 3,477 a second, at $4.67 a million."""
    told = {key: value.number for key, value in registry.find("batching/promised").answer().values.items()}
    step = registry.find("batching/batches").answer().values["alone_forecast"].number + 52 * told["further"]
    assert step < told["allowed"] < 1.01 * step
    cost = 2 * 29.2 / 3600 / (53 / step) * 1e6
    assert registry.find("world/gaps").answer().values["two"].number == pytest.approx(cost, rel=2e-3)
    answer = next(each for each in LECTURE.text.split("\n\n") if "*At the slow end.*" in each)
    assert "A plan counts what a node decodes even then, at the promised speed" in answer
    exercise = {key: value.number for key, value in registry.find("batching/exercise").answer().values.items()}
    assert exercise["safe_tokens"] == exercise["safe_batch"] * exercise["design_wanted"]


def test_the_model_of_the_text_is_the_release_whose_window_holds_its_contexts():
    """Llama 3 of April 2024 reads 8,192 tokens, 3.1 of July 131,072."""
    window = catalog.model(OPENING[0]).known("max_context")
    assert window == 131_072 > EXAMPLE_CONTEXT > 8_192
    assert "a step of Llama 3.1 70B for a hundred users" in LECTURE.text
    assert "start from Llama 3.1 70B (below, Llama 3 70B or our model)" in LECTURE.text


def test_the_rule_for_a_promise_says_where_arithmetic_allows_fewer():
    """By hand, at 1,000 tokens: 1 + (20 - 2.64) ms / 6.11 us is 2,840, but 20 ms / 8.92 us only 2,242."""
    where, period = Scenario.named(*OPENING), promised_period()
    most = registry.find("batching/promised").answer().values["multiplied"].number
    assert batching.batch_within(period, 1_000, **where.step_arguments()) == most
    assert batching.batch_within(period, EXAMPLE_CONTEXT, **where.step_arguments()) < most
    rule = next(each for each in LECTURE.text.split("\n\n") if "So the promise allows" in each)
    assert "In a dense model past its critical context each further user" in rule
    short = next(each for each in LECTURE.text.split("\n\n") if "promised.multiplied" in each)
    assert "With short texts" in short


def test_no_run_of_the_fit_is_of_the_model_on_the_node_of_the_text():
    model, system, _ = OPENING
    assert not [row for row in sample().rows if row.model == model and row.system == system]
    assert [row for row in sample().rows if row.model == model]
    assert "none of which was of this model on H100" in LECTURE.text


def test_a_wait_for_a_train_leaves_out_the_prompt_wherever_it_is_told():
    assert any("a request whose prompt is read has a token" in card["front"] for card in LECTURE.cards)
    assert "Prompts are read already" in LECTURE.text
    assert "with its prompt read" in registry.find("batching/departures").answer().finding


def test_past_the_balanced_batch_the_bound_saves_nothing_only_without_caches():
    """By hand, 295 and three times as many at 10,000 tokens: 2.63 ms / 295 + 61.1 us is 70.0 us, then 64.1."""
    where = Scenario.named(*OPENING)
    balanced = batching.balanced_batch(where.flops / 2 / where.bandwidth, where.model.sparsity)
    batches = np.array([1, 3]) * balanced
    bare, cached = (
        np.divide(*batching.step_time(batches, context, **where.step_arguments()).bound / batches)
        for context in (0, EXAMPLE_CONTEXT)
    )
    assert bare == pytest.approx(1)
    assert cached == pytest.approx(70.0 / 64.1, abs=2e-3)
    assert "By the bound, without caches, that saves nothing" in LECTURE.text
    assert "its ring lies inside the other" in LECTURE.text


def test_a_lone_token_of_a_sparse_model_that_reads_all_weights_need_not_cost_a_thousand():
    """By hand, without a cache it is r s: Mixtral 8x7B on H200 has 206 x 3.62, DeepSeek-V3 206 x 18.1."""
    ratio = batching.hardware_ratio(catalog.chip("h200-sxm").flops("fp8"), catalog.chip("h200-sxm").hbm_bandwidth, 1)
    few, many = (ratio * catalog.model(name).sparsity for name in ("mixtral-8x7b", "deepseek-v3"))
    assert few == pytest.approx(746, abs=1)
    assert few < 1000 < many
    assert "can break where a lone token of a sparse model reads all weights" in LECTURE.text
    assert "can break where a lone token of a sparse model reads all weights" in claim("A35").why


def test_how_many_users_a_fast_mode_has_is_said_with_both_conditions():
    told = next(each for each in LECTURE.text.split("\n\n") if "a fifteenth of the users" in each)
    assert "If prompts are left out and both modes are to earn the same a second on the same chips, a" in told
    goal = next(each for each in LECTURE.text.split("\n") if "how much smaller its fast batches are" in each)
    box = next(each for each in LECTURE.text.split("\n\n") if "$cg$ times smaller, if" in each)
    assert all("earn the same and prompts are left out" in each for each in (goal, box))
    reseller = registry.find("batching/dear-prompts").answer().values
    assert 30 < reseller["hits_smaller"].number < reseller["fresh_smaller"].number


def test_what_explains_a_day_is_said_apart_from_what_it_took():
    """By hand: 23.4 / 10.6 is 2.21, 47.6 / 10.6 is 4.49."""
    said = next(each for each in LECTURE.text.split("\n\n") if "deepseek-day.uncounted" in each)
    assert "two halves included, explains `#!value deepseek-day.uncounted` the bound" in said
    assert "It does not explain what lies beyond" in said
    told = registry.find("batching/deepseek-day").answer().values
    assert told["uncounted"].number == pytest.approx(23.4 / 10.6, rel=3e-3)
    assert told["miss"].number == pytest.approx(47.6 / 10.6, rel=3e-3)


def test_two_steps_on_a_reader_s_own_chips_give_both_times_of_the_rule():
    """The rule's table has them from one user and a hundred; fifty give the same, as the forecast is a line."""
    where = Scenario.named(*OPENING).setting
    alone, fifty = (float(forecast(where, users, EXAMPLE_CONTEXT).seconds) for users in (1, 50))
    assert registry.find("batching/batches").answer().values["alone_forecast"].number == pytest.approx(alone)
    assert registry.find("batching/promised").answer().values["further"].number == pytest.approx((fifty - alone) / 49)
    said = next(each for each in LECTURE.text.split("\n\n") if each.startswith("**Your own chips.**"))
    assert (
        "For a dense model past its critical context, time a step with one user and one with fifty at your context. The"
        " first is *alone*" in said
    )
    assert "the difference, divided by $49$, is *one more*" in said
    slow = next(each for each in LECTURE.text.split("\n\n") if "**slow end**" in each)
    assert "To keep the promise in nine such runs of ten, allow a forecast of only" in slow
    assert "Your times need a margin only for their spread" in said


def test_both_times_of_the_rule_are_split_into_parts():
    """By hand: 3.07 and 5.08 ms of 8.21; a further user's 135.2 us are 73.2 of reading, 13.5, 24.5 and 24.0."""
    told = {key: value.number for key, value in registry.find("batching/parts").answer().values.items()}
    alone = registry.find("batching/batches").answer().values["alone_forecast"].number
    more = registry.find("batching/promised").answer().values["further"].number
    assert (told["reading"] + told["kernels"]) / alone == pytest.approx(8.15 / 8.21, abs=1e-3)
    assert told["further"] / more == pytest.approx(73.2 / 135.2, abs=1e-3)
    cache = registry.find("batching/worked").answer().values["cache"].number
    assert 0.5 < cache / catalog.forecast_fit("decode").memory_share / more < 73.2 / 135.2
    rows = [
        line
        for line in LECTURE.text.split("\n")
        if line.startswith(("| memory |", "| programs |", "| multiplying |", "| sending |", "| delay |"))
    ]
    named = [re.findall(r"parts\.(\w+)", row) for row in rows]
    each = ["multiplying", "sending", "users"]
    assert named == [["reading", "further"], ["kernels"], *([part] * 2 for part in each)]
    assert sum(told[part] for part in ("reading", "kernels", *each)) == pytest.approx(alone)
    assert told["further"] + sum(told[part] for part in each) == pytest.approx(more)
    gaps = [re.findall(r"gaps\.(\w+)", row) for row in rows]
    assert gaps == [["moved"], [], ["multiplied"], ["sent"], []]
    real = next(
        each for each in LECTURE.text.split("\n\n") if each.startswith("A step runs `#!value parts.programs` small")
    )
    assert "*delay* is fitted. At `#!value parts.rate` of its published rate memory also carries" in real
    assert "no table of embeddings" in real
    assert 0 < told["reading"] * told["rate"] - (70.554e9 - 128256 * 8192) / 26.8e12 - cache < cache / 10
    assert told["kernels"] > alone / 2
    assert told["programs"] * told["program"] == pytest.approx(told["kernels"])


def test_long_gaps_and_prices_beside_prompts_are_said_with_their_conditions():
    """By hand: two nodes at 2.33 are 4.67; one that does both has 14 users for their 53, at 8.80."""
    gaps = registry.find("world/gaps").answer().values
    assert gaps["two"].number == pytest.approx(2 * 2.333, rel=1e-3)
    second, price = (
        next(each for each in LECTURE.text.split("\n\n") if each.startswith(start))
        for start in ("**A second node** reads", "    A token costs the nodes' rent")
    )
    assert (
        "reads two prompts at once, each on four chips, which send less: both in `#!value world/gaps.halved`" in second
    )
    assert 2 * prompt_parts(PROMPT, 0, 4)[2] * 4 < 2 * prompt_parts(PROMPT, 0)[2] * 8
    assert gaps["halved_busy"].number == pytest.approx(53 * 461.3 / (2 * 1000 * 15.243), rel=1e-3)
    lone, further = (gaps[name].number for name in ("lone", "further"))
    assert (
        gaps["users"].number
        == 1 + (registry.find("batching/promised").answer().values["allowed"].number - lone) // further
    )
    fold = next(each for each in LECTURE.text.split("\n\n") if "world/gaps.busy`" in each)
    assert "world/gaps.halved_busy` of a thousand steps of `#!value batches.sure_forecast`" in fold
    assert "would keep `#!value world/gaps.busy` nodes busy" in fold
    assert gaps["halved_busy"].number < 1 < gaps["busy"].number
    assert gaps["busy"].number == pytest.approx(53 * 373e-6 / 15.24e-3, rel=2e-3)
    assert "A second node pays from about `#!value world/gaps.pays` of prompt, the rest cached, for each" in price
    over = registry.find("batching/promised").answer().values["slow"].number
    assert 1 / over < gaps["halved_busy"].number == pytest.approx(1 / 1.25, rel=5e-3)
    assert gaps["halved_busy"].number * over > 1
    assert "; if reading is at its slow end, this node falls behind" in fold
    assert 3.7 < promised_users()[0] / gaps["users"].number < 4
    assert 0.5 < gaps["two"].number / gaps["cost"].number < 0.55
    assert "The four nodes share their users, and carry about as much traffic as the two" in LECTURE.text
    told = {key: value.number for key, value in registry.find("batching/measured").answer().values.items()}
    assert "forecasts are too long for long prompts, too short for short" in price
    assert told["long_many_forecast"] > told["long_many_took"]
    assert told["short_many_forecast"] < told["short_many_took"]
    assert "on few chips, if first tokens may wait longer" in fold
    assert gaps["halved"].number > gaps["prompt"].number
    assert "Single gaps between tokens can be [far longer](#trains-and-traffic) than the mean" in price


def test_the_whole_step_of_the_roofline_counts_activations():
    """By hand: 100 users make 2.065 TFLOP; weights and caches are 29.17 GB, activations 0.75 GB more."""
    whole = registry.find("batching/roofline").answer().values["whole"]
    assert whole.label == "The whole step, with what pieces hand on"
    assert whole.number == pytest.approx(2065e9 / (29.17e9 + 0.749e9), rel=1e-3)
    assert whole.number < 2065e9 / 29.17e9


def test_the_card_of_a_ceiling_asks_for_the_same_programs_as_the_box_does():
    assert "With the same chips, layout and programs, and without guesses, speed is bought" in LECTURE.text
    card = next(each["back"] for each in LECTURE.cards if each["front"].startswith("Why can no price buy any speed"))
    assert "On the same chips, with the same layout and programs, without guesses" in card


def test_services_on_more_chips_were_mostly_faster_than_forecast_wherever_it_is_said():
    """One version on two thirds of a rack was slower, so neither page says that all were faster."""
    known = registry.find("serving/error").answer().values
    assert known["rack_before"].number < 1 < known["nodes_decode"].number < known["day_faster"].number
    assert "(../serving/index.md#from-a-bound-to-a-forecast) were mostly faster than forecast." in LECTURE.text
    world = (ROOT / "docs" / "reference" / "world.md").read_text(encoding="utf-8")
    assert "(../lectures/serving/index.md#from-a-bound-to-a-forecast) mostly wrote faster than forecast." in world


def test_a_floor_follows_the_bandwidth_of_a_chip_and_the_chips_that_share_and_a_drain_neither():
    """By hand: a Rubin reads 22 TB/s and a TPU v5e 0.819, 26.9 times less; both drain in 13 to 46 ms."""
    chips = [system.chip for system in catalog.systems().values()]
    rates = [chip.hbm_bandwidth for chip in chips]
    drains = [chip.hbm_bytes / chip.hbm_bandwidth for chip in chips]
    assert max(rates) / min(rates) == pytest.approx(22 / 0.819)
    assert max(drains) / min(drains) < 4
    assert "some memories are faster, and in some systems more chips share the reading" in LECTURE.text


def test_a_hundred_users_step_is_guessed_before_it_is_shown():
    """By hand: 8.75 / 2.695 is 3.25, and a hundredth of that is what a lone user's token costs, upside down."""
    opening = LECTURE.text.partition("```figure")[0]
    told = registry.find("batching/worked").answer().values
    assert "Guess: on eight H100 chips" in opening
    assert "if other chips read prompts?" in opening
    longer = registry.find("batching/batches").answer().values["longer"].number
    assert longer == pytest.approx(21.6 / 8.21, rel=1e-3)
    assert "`#!value batches.longer` as long as *alone*: the opening's first guess." in LECTURE.text
    assert "worked." not in opening.replace("worked.context", "")
    assert told["crowd_longer"].text not in registry.find("batching/lanes").answer().finding
    assert told["crowd_longer"].number == pytest.approx(8.748 / 2.695, rel=1e-3)
    assert told["alone_price"].number == pytest.approx(100 / told["crowd_longer"].number)


def test_sixteen_operations_a_byte_are_those_of_the_query_heads_that_share_it():
    said = next(each for each in LECTURE.text.split("\n\n") if "*query heads*" in each)
    assert "eight to each key-value head" in said
    assert "8 \\times 2 = 16" in said
    shared = catalog.model(OPENING[0]).known("heads") / catalog.model(OPENING[0]).known("kv_heads")
    assert shared == 8
    assert registry.find("batching/attention").answer().values["llama_intensity"].number == 2 * shared


def test_this_models_own_slow_end_is_nearer_than_the_margin_and_has_no_run_on_the_node():
    """By hand: (20 / 1.085 - 8.21) ms / 135.2 us is 75.6, and one more."""
    told = registry.find("batching/promised").answer().values
    assert told["own_slow"].number < told["slow"].number
    assert told["sure"].number < told["own_sure"].number == 76 < told["expected"].number
    every = runs()
    own = every.are("model", OPENING[0])
    assert not (own & every.are("system", OPENING[1])).any()
    said = next(each for each in LECTURE.text.split("\n\n") if "promised.own_sure" in each)
    assert "Our plan is cautious: at our model's own slow end, `#!value promised.own_slow` on other chips," in said
    assert (every.over_forecast[own] > told["slow"].number).mean() < 0.01
