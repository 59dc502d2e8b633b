from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from calc import batching, catalog
from calc.batching import departures, fast_mode, touched
from calc.batching.claims import offers as claimed
from calc.batching.claims import traffic
from calc.batching.figures import chips, full, offers
from calc.batching.figures.promise import promised_users
from calc.batching.figures.setting import EXAMPLE_CONTEXT, OPENING, critical_context
from calc.batching.figures.worked.batches import at_batch
from calc.catalog.measurement import clean_measurements
from calc.figure import registry
from calc.setting import Scenario, Setting
from calc.step import decode, forecast, prefill
from calc.step.kernels import EXCHANGES, layer_kernels
from tests.calc.figure import asking

answer, number = asking.of("batching")
RACK = {"model": "deepseek-v3", "system": "gb200-nvl72"}
RACKED = {**RACK, "context": 4096, "batch": 2048}
NODE = {"model": "llama-3-70b", "system": "hgx-h100", "context": 10_000, "batch": 100}
FIVE = {
    users: {key: value.number for key, value in at_batch(Scenario.named(*OPENING), users, "users").items()}
    for users in (1, promised_users()[0], 100, promised_users()[1], 374)
}
LECTURE = (Path(__file__).parents[3] / "lectures/batching/index.md").read_text(encoding="utf-8")


def test_the_symbols_stand_for_the_scenario():
    where = Scenario.named("kimi-k2", "hgx-b200", "fp4")
    values = answer("setting", model="kimi-k2", system="hgx-b200", precision="fp4", batch=64, context=1000).values
    assert values["weights"].number == values["total"].number * values["element"].number == where.weight_bytes


def test_the_step_is_that_of_the_formula():
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8")
    step = batching.step_time(100, 2000, **where.step_arguments())
    inputs = {"model": "llama-3-70b", "system": "hgx-h100", "batch": 100, "context": 2000}
    assert number("step-time", "step", **inputs) == step.bound
    assert number("step-time", "user", **inputs) * step.bound == pytest.approx(1)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"batch": 1}, "is mostly spent on reading weights"),
        ({"context": "1M"}, "be mostly spent on reading the cache"),
        ({"context": 100, "batch": "100k"}, "is limited by arithmetic"),
    ],
)
def test_the_finding_of_the_step_names_its_largest_part(inputs, words):
    found = answer("step-time", **inputs)
    parts = {"weights": "reading weights", "cache": "reading the cache", "compute": "arithmetic"}
    assert found.finding.endswith(words)
    assert words.endswith(parts[max(parts, key=lambda part: found.values[part].number)])


def test_the_reader_is_told_when_no_batch_balances_and_when_nothing_fits():
    assert any("from 14,900 tokens on" in note for note in answer("step-time", context="100k").notes)
    assert not any("no batch balances" in note for note in answer("step-time", context=100).notes)
    assert any("does not fit" in note for note in answer("step-time", system="hgx-h100").notes)
    assert any("reads a selection of its cache" in note for note in answer("cost", model="deepseek-v3.2").notes)
    assert any("only the layers whose cache grows" in note for note in answer("cost", model="gpt-oss-120b").notes)


@pytest.mark.parametrize("context", [100, 3000, "1M"])
def test_the_balanced_batch_is_marked_where_there_is_one(context):
    found = answer("step-time", context=context)
    balanced = found.values["balanced"].number
    marked = dict(zip(found.tables["guides"]["label"], found.tables["guides"]["batch"], strict=True))
    assert marked.get("balance", float("inf")) == pytest.approx(balanced)


@pytest.mark.parametrize(
    ("context", "words"), [(100, "a large enough batch keeps all busy"), ("1M", "no batch can keep")]
)
def test_the_finding_of_the_context_takes_sides_at_the_critical_one(context, words):
    found = answer("context", context=context)
    assert words in found.finding
    assert "at a batch of 2,048 and a context of" in found.finding
    assert found.values["utilisation"].number <= found.values["ceiling"].number <= 1


def test_cost_adds_up_and_the_rent_is_named():
    found = answer("cost", **RACKED, price=2)
    rate = 2048 / number("step-time", "step", **RACKED)
    assert found.values["rent"].number == 2 * 72
    assert found.values["cost"].number == pytest.approx(1e6 * 144 / 3600 / rate)
    assert found.values["penalty"].number == found.values["alone"].number / found.values["floor"].number
    assert "$4.54 an hour" in found.notes[-1]
    assert "no published rent for Google TPU v6e" in answer("cost", system="tpu-v6e-pod").notes[-1]


def test_cost_in_an_endless_batch_is_that_of_its_longest_part():
    found = answer("cost", batch="1M", context=1)
    assert found.values["above"].number == pytest.approx(1, rel=0.01)


def test_a_dense_model_wakes_all_of_itself():
    found = answer("touched", model="llama-3-8b")
    assert "is dense" in found.finding
    assert found.description.endswith("Every batch reads all its weights.")
    assert number("touched", "weights", model="llama-3-8b", batch=1) == 1


def test_a_small_batch_reads_what_the_formula_says():
    model = catalog.model("deepseek-v3")
    params = touched.touched_params(32, model.total_params, model.active_params, 256, 8)
    assert number("touched", "bytes", batch=32) == pytest.approx(params)
    assert number("touched", "bytes", batch=1) == pytest.approx(37e9)


def test_every_chip_stands_in_the_chart_of_ratios():
    found = answer("ratio").tables["chips"]
    assert set(found["chip"]) == {chips.short_name(chip) for chip in catalog.chips().values()}
    by_name = dict(zip(zip(found["chip"], found["precision"], strict=True), found["ratio"], strict=True))
    assert by_name["H100", "BF16"] == pytest.approx(295, abs=0.5)
    assert by_name["B200", "FP4"] == by_name["B200", "BF16"] == pytest.approx(281, abs=0.5)
    assert by_name["A100", "8 bit"] == pytest.approx(153, abs=0.5)
    assert ("H100", "FP4") not in by_name


def test_operations_per_byte_are_another_quantity():
    plain, raw = answer("ratio", precision="fp4"), answer("ratio", precision="fp4", measure="bytes")
    assert raw.values["here"].number == pytest.approx(4 * plain.values["here"].number)
    assert raw.values["balanced"].number == plain.values["balanced"].number
    assert "operations per byte" in raw.finding
    assert plain.tables["guides"]["label"] == ["Pope"]
    assert raw.tables["guides"]["label"] == []
    assert "Pope" not in raw.description


@pytest.mark.parametrize(
    ("model", "system", "words"),
    [
        ("deepseek-v3", "gb200-nvl72", "they fill 4.69% of"),  # 671 GB of 72 x 189,471 MiB, 14,305 GB
        ("deepseek-v3", "hgx-h100", "they fill 98.1% of"),  # 671 GB of 8 x 81,559 MiB, 684 GB
        ("kimi-k2", "hgx-h100", "do not fit in its memory"),
        ("mixtral-8x7b", "gb200-nvl72", "on 8 of its chips, in 730 µs: they fill 2.94% of the memory of these"),
        ("mixtral-8x22b", "tpu-v5e-pod", "on 8 of its chips, in 21.5 ms: they do not fit in the memory of these"),
    ],
)
def test_floor_over_drain_is_the_memory_that_the_weights_take(model, system, words):
    found = answer("drain", model=model, system=system)
    assert words in found.finding
    assert found.values["floor"].number / found.values["drain"].number == pytest.approx(found.values["filled"].number)


def test_an_offer_lies_on_its_own_curve():
    found = answer("fast-mode", price=6, speed=2.5)
    assert found.values["smaller"].number == pytest.approx(15)
    assert found.values["ceiling"].number == pytest.approx(2.8)
    assert found.values["saving"].number * found.values["ceiling"].number == pytest.approx(1)
    assert max(found.tables["curve"]["speed"]) < 2.8


@pytest.mark.parametrize(("price", "speed", "words"), [(6, 1.01, ""), (2, 2.5, "faster than it is dear"), (6, 2.5, "")])
def test_odd_offers_are_remarked_upon(price, speed, words):
    notes = " ".join(answer("fast-mode", price=price, speed=speed).notes)
    assert words in notes
    assert bool(notes) == bool(words)


def test_every_fast_mode_of_the_catalogue_is_drawn_once():
    sold = offers.products()
    assert sold["Claude Opus 4.6, 4.7"] == (6, 2.5)
    assert len(set(sold.values())) == len(sold)


def test_the_timetable_is_that_of_the_trains():
    found = answer("departures", traffic="60k")
    trips = found.tables["trips"]
    drawn = len(trips["request"]) // 2
    assert trips["way"][:drawn] == ["Waiting"] * drawn
    assert trips["end"][:drawn].tolist() == trips["start"][drawn:].tolist()
    waits = (trips["end"][drawn:] - trips["start"][:drawn]) / 1000
    assert waits.max() <= found.values["worst"].number
    assert found.values["conversations"].number == departures.sequences_per_second(2048, 0.02, 1000)


@pytest.mark.parametrize(("traffic", "words"), [("50k", "of the seats taken"), ("150k", "no wait is bounded")])
def test_the_finding_of_the_timetable_says_whether_there_are_seats(traffic, words):
    assert words in answer("departures", traffic=traffic).finding


def test_a_wait_is_bounded_for_who_finds_a_seat_and_a_flood_is_more_than_the_trains_carry():
    """By hand: 2,048 seats in 20 ms carry 102,400."""
    assert "a seat free has a token after 30 ms" in answer("departures", traffic="100k").finding
    assert answer("departures", traffic=102_450).finding.startswith("Traffic is more than the trains carry")


def test_a_flood_is_drawn_as_far_as_it_can_be_and_said_to_be_more():
    assert "higher still" in answer("departures", traffic="1G").notes[0]
    assert not answer("departures", traffic="150k").notes


def test_the_worked_examples_are_those_of_the_ledger():
    """Figures recomputed by hand for the ledger: each to the digits that it gives."""
    expected = {
        ("v3", "balanced"): 5667,
        ("v3", "penalty"): 5667,
        ("v3", "penalty_cache"): 3829,
        ("v3", "penalty_woken"): 312,
        ("critical", "deepseek_v3"): 3370,
        ("critical", "kimi_k2"): 2914,
        ("deepseek-day", "bound"): 10.6e-3,
        ("blackboard", "google_2025"): 1426,
        ("blackboard", "google_october"): 3862,
        ("blackboard", "google_2026"): 9506,
    }
    for (slug, value), known in expected.items():
        assert number(slug, value) == pytest.approx(known, rel=0.005), (slug, value)


def test_the_worked_example_by_hand():
    """Llama 3 70B on eight H100: 70.6 GB over 8 x 3.35 TB/s; 80 layers x 2 x 8 heads x 128 bytes a token."""
    assert number("worked", "weights") == pytest.approx(70.6 / (8 * 3350))
    assert number("worked", "token") == 80 * 2 * 8 * 128
    assert number("worked", "compute") == pytest.approx(2 * 70.6e9 / (8 * 1979e12))
    assert number("worked", "even") == pytest.approx(2 * 70.6e9 * 3350 / 1979e3 / (80 * 2 * 8 * 128))
    assert number("worked", "crowd_compute") == pytest.approx(100 * 2 * 70.6e9 / (8 * 1979e12))
    assert number("worked", "crowd_read") == pytest.approx((70.6e9 + 100 * 10_000 * 163_840) / (8 * 3350e9))
    assert number("worked", "ceiling") == pytest.approx((70.6 + 163.84) / 70.6)
    assert number("worked", "drain") == pytest.approx(85.520809984 / 3350)


def test_a_token_of_the_worked_example_costs_what_the_figure_of_costs_says():
    """At the rent of the middle of the market, which its figure takes unless it is asked for another."""
    node = {"model": "llama-3-70b", "system": "hgx-h100", "context": "10k"}
    for batch, found in FIVE.items():
        price = str(number("blackboard", "rent"))
        asked = answer("cost", batch=str(batch), price=price, **node).values
        assert found["cost"] == pytest.approx(asked["cost"].number)
        assert found["forecast_cost"] == pytest.approx(asked["forecast"].number)


@pytest.mark.parametrize("slug", ["setting", "lanes", "stream", "roofline", "cost"])
def test_figures_of_a_first_reading_open_on_the_node_of_the_text(slug):
    assert answer(slug).finding == answer(slug, **NODE).finding != answer(slug, **RACKED).finding


def test_a_full_memory_steps_for_about_the_drain_and_a_hundred_are_what_figures_open_on():
    """By hand: 684.2 GB of memory less 70.6 GB of weights hold 374 caches of 1.638 GB."""
    values = {name: value.number for name, value in answer("worked").values.items()}
    table = {name: value.number for name, value in answer("batches").values.items()}
    assert values["full"] == int((values["memory"] - values["weight_bytes"]) / values["sequence"]) == 374
    assert 0.99 * values["drain"] < FIVE[374]["step"] <= values["drain"]
    assert FIVE[374]["step"] == pytest.approx(values["weights"] + 374 * values["cache"])
    assert FIVE[100]["step"] == values["crowd_read"] == number("lanes", "step")
    assert values["crowd_read"] == pytest.approx(values["weights"] + values["crowd_cache"])
    assert table["crowd_cost"] == pytest.approx(1e6 * values["crowd_read"] * values["rent"] / 3600 / 100)


def test_more_users_are_slower_and_cheaper_and_each_promise_holds_where_the_text_says():
    quoted = {name: value.number for name, value in answer("batches").values.items()}
    period, named = 1 / number("promised", "speed"), ("alone", "sure", "crowd", "", "full")
    for key, falls in (("step", False), ("forecast", False), ("cost", True), ("forecast_cost", True)):
        row = [found[key] for found in FIVE.values()]
        assert row == sorted(row, reverse=falls)
    sure, crowd, kept, full = list(FIVE.values())[1:]
    assert kept["step"] <= period < full["step"]
    assert sure["forecast"] * number("promised", "slow") <= period < crowd["forecast"]
    for who, found in zip(named, FIVE.values(), strict=True):
        assert found["forecast_cost"] / found["cost"] == pytest.approx(found["forecast"] / found["step"])
        assert all(quoted.get(f"{who}_{key}", value) == value for key, value in found.items())


def test_the_lone_user_of_the_text_is_a_fast_mode_of_a_hundredth_of_the_batch():
    """By (8) and (9): price times speed is the share of the batch, and the speed is what x makes of the price."""
    price = number("worked", "alone_price")
    speed = 100 / price
    assert speed == pytest.approx(1 + number("worked", "growth") * (1 - 1 / price))
    assert FIVE[1]["cost"] / FIVE[100]["cost"] == pytest.approx(price)
    assert FIVE[1]["forecast_cost"] / FIVE[100]["forecast_cost"] == pytest.approx(100 / number("batches", "longer"))


def test_a_lone_user_passes_the_ceiling_of_caches_over_weights_if_the_ordinary_step_multiplies_for_longer():
    """By hand: 1,000 users of 500 tokens multiply for 8.92 ms and read for 2.63 + 3.06 ms; one alone for 2.637 ms."""
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8").step_arguments()
    crowd, alone = (batching.step_time(users, 500, **where) for users in (1000, 1))
    assert crowd.compute > crowd.memory
    assert crowd.bound / alone.bound == pytest.approx(8.92 / 2.637, rel=1e-3)
    assert 1 + crowd.cache / crowd.weights == pytest.approx(2.16, rel=2e-3)
    assert "takes longer to read than to multiply" in LECTURE


def test_the_ledger_and_exercise_five_count_the_same_idle_multipliers_and_a_layout_leaves_more():
    balanced = number("exercise", "idle_balanced")
    assert np.asarray(traffic.a22_simple()) == pytest.approx(1 - np.array([1, 240, 1200]) / balanced)
    assert (traffic.a22_simple() < traffic.IDLE_AT_ONCE)[1:].all()
    copied, _ = traffic.V3_STEPS
    evenly = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    assert (copied.weights_seconds[1:] > 2 * evenly.weight_bytes / evenly.bandwidth).all()


def test_attention_adds_a_tenth_to_what_a_whole_prompt_multiplies_with_the_weights():
    """By hand: 4 x 64 heads x 128 x 80 layers for each of the 5,000 tokens that one looks back on by the mean."""
    with_weights = number("worked", "whole_compute")
    whole = prefill(Scenario.named("llama-3-70b", "hgx-h100", "fp8").setting, 1, 10_000).compute_seconds
    attention = 4 * 64 * 128 * 80 * 5000 / (2 * 70.6e9)
    assert whole / with_weights == pytest.approx(1 + attention, rel=0.03)  # but for the table of embeddings
    assert attention == pytest.approx(0.093, abs=0.001)
    assert "multiplies with the weights for `#!value worked.whole_compute`" in LECTURE


def test_at_a_byte_a_weight_the_ratio_is_half_the_ridge():
    assert number("worked", "ridge") == pytest.approx(2 * number("worked", "ratio"))
    assert number("worked", "ridge") == pytest.approx(number("roofline", "ridge"))
    assert number("ratio", "balanced") == pytest.approx(number("worked", "ratio"))


def test_attention_adds_a_fifth_to_the_arithmetic_of_the_node_and_nearly_doubles_that_of_a_latent():
    """By hand: 4 x 64 heads x 128 x 80 layers and 278,528 x 61, for each token that is looked back on."""
    assert number("worked", "attention") == pytest.approx(1e4 * 4 * 64 * 128 * 80 / (2 * 70.6e9), rel=1e-3)
    assert number("attention", "v3_share") == pytest.approx(4096 * 278_528 * 61 / 74e9, rel=1e-3)


def test_the_range_of_the_forecast_on_the_node_is_that_of_the_step_and_its_ceiling_is_lower_than_the_bounds():
    step = answer("step-time", **NODE).values
    over = step["forecast_high"].number / number("batches", "crowd_forecast")
    assert over == pytest.approx(number("promised", "slow"))
    assert 1 < number("forecasts", "ceiling") < number("worked", "ceiling")
    assert step["busy"].number == pytest.approx(number("roofline", "busy", **NODE))
    turned = step["turn"].number / step["forecast"].number
    assert number("roofline", "likely", **NODE) == pytest.approx(number("roofline", "busy", **NODE) * turned)


def test_the_runs_beside_the_example_are_faster_with_few_users_than_weights_alone_would_allow():
    """By hand from their rows: 20.736 over 6.450 ms and 50.029 over 7.151 ms; 1 + x of their most users, by (1)."""
    values = {name: value.number for name, value in answer("measured").values.items()}
    for key, gain, users, context in (("short", 20.73636 / 6.45048, 127.73, 4608), ("long", 6.996, 122.94, 7833.6)):
        assert values[f"{key}_gain"] == pytest.approx(gain, rel=1e-4)
        assert values[f"{key}_ceiling"] == pytest.approx(1 + users * context * 163_840 / 70.6e9)
        assert values[f"{key}_gain"] > values[f"{key}_ceiling"]
        drawn = 0.9  # lengths are drawn from eight tenths of the most
        assert drawn * (values[f"{key}_prompt"] + values[f"{key}_answer"] / 2) == pytest.approx(context)
        assert values[f"{key}_off"] < 0.02


def test_every_run_beside_the_example_is_within_a_quarter_of_its_forecast_with_prompts():
    values = {name: value.number for name, value in answer("measured").values.items()}
    for key in ("short_few", "short_many", "long_few", "long_many"):
        assert values[f"{key}_took"] == pytest.approx(values[f"{key}_forecast"], rel=0.25)
        assert values[f"{key}_forecast"] == pytest.approx(values[f"{key}_took"], rel=0.25)
        assert values[f"{key}_took"] > 3 * values[f"{key}_bound"]


def test_past_balance_most_of_what_the_node_saves_is_the_start_of_its_kernels():
    """By hand, ms at one balanced batch and at three: 26.523 - 3.351 and 63.418 - 5.291, of which 5.079 are starts."""
    values = {name: value.number for name, value in answer("forecasts").values.items()}
    one, three = 26.5231 - 3.3506, 63.4180 - 5.2905
    assert values["node_longer"] == pytest.approx(three / one, rel=1e-4)
    assert values["node_overlapped"] == pytest.approx(1 - three / one / 3, rel=1e-3)
    assert values["node_past"] == pytest.approx(1 - 63.4180 / 26.5231 / 3, rel=1e-3)
    assert 0.85 < (5.0794 - 5.0794 / 3) / one / values["node_overlapped"] < 1


def test_prompts_on_the_node_make_its_step_longer_and_a_small_batch_faster_than_the_bound_says():
    values = {name: value.number for name, value in answer("forecasts").values.items()}
    assert values["prompted_ceiling"] > number("worked", "ceiling")
    assert values["saving_bound"] == pytest.approx(1 / number("worked", "ceiling"))
    assert values["saving_bound"] < values["saving"] < 1
    assert values["penalty"] < number("v3", "penalty_dense")
    over_one = number("batches", "crowd_forecast") / number("batches", "alone_forecast")
    assert number("batches", "longer") == pytest.approx(over_one)
    assert over_one < values["ceiling"]  # which no user at all would have


def test_the_ceilings_by_forecast_are_those_of_a_step_of_nobody():
    """And one over the share of the price that a slow mode saves at most, 37.4% and with prompts 13.7%."""
    values = {name: value.number for name, value in answer("forecasts").values.items()}
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8").setting
    for key, asked in (("", {}), ("prompted_", {"prompt": 9500, "output": 1000})):
        crowd, nobody = (forecast(where, batch, 10_000, **asked).seconds for batch in (100, 1e-6))
        assert values[f"{key}ceiling"] == pytest.approx(crowd / nobody, rel=1e-5)
        assert values[f"{key}ceiling"] * values[f"{key}saving"] == pytest.approx(1)


def test_past_the_balanced_batch_a_dense_model_saves_less_than_a_third():
    """By the bound three times as many save nothing; if no time overlapped or stayed, a third at most."""
    assert 0 < number("forecasts", "node_past") < 1 / 3


def test_a_lone_step_laid_out_on_a_rack_is_longer_than_the_floor_and_on_eight_chips_it_was_shorter():
    """The run: `world/company` quotes it, 7.42 ms on eight GB200."""
    assert number("layouts", "lone_step") > number("v3", "floor_rack") > number("v3", "lone_floor")
    assert number("v3", "floor_part") == pytest.approx(9 * number("v3", "floor_rack"))
    kept = number("layouts", "copied_floor") / number("layouts", "lone_step")
    copies, expert = 16.23, 58 * 0.04404  # GB of a chip: what all tokens use, and an expert of each layer
    assert kept == pytest.approx((copies + 4 * expert) / (copies + 8 / 72 * expert), rel=2e-3)
    assert kept < number("v3", "floor_rack") / number("v3", "lone_floor") / 10
    assert number("v3", "floor_part") > 0.0074229


def test_the_smallest_and_the_largest_dense_model_have_their_critical_contexts():
    """By hand on GB200 in FP8: 2 N over k times the ridge of 625 less a."""
    for key, params, held, made in (("small", 8.03e9, 65_536, 524_288), ("large", 405e9, 258_048, 8_257_536)):
        assert number("attention", f"llama_{key}") == pytest.approx(2 * params / (held * 625 - made), rel=0.01)


def test_forecasts_beside_bounds_are_longer_and_those_of_the_step():
    """On the node of the text: those that `step-time` gives at the same settings."""
    assert number("batches", "alone_forecast") > number("worked", "weights")
    assert number("batches", "crowd_forecast") > 2 * number("worked", "crowd_read")
    node = {"model": "llama-3-70b", "system": "hgx-h100", "context": "10k"}
    for batch, name in ((1, "alone_forecast"), (100, "crowd_forecast")):
        asked = answer("step-time", batch=str(batch), **node).values["forecast"].number
        assert number("batches", name) == pytest.approx(asked)


def test_a_token_at_the_forecast_costs_as_many_times_the_bound_as_its_step_takes():
    cost, step = (answer(slug, **NODE).values for slug in ("cost", "step-time"))
    times = step["forecast"].number / step["step"].number
    assert cost["forecast"].number == pytest.approx(times * cost["cost"].number)


def test_a_prompt_read_whole_halts_a_hundred_users_and_in_chunks_it_does_not():
    """By hand on eight H100: 8.92 us a token; 10,000 of them, and 512 of them."""
    token, reading = 2 * 70.6e9 / (8 * 1979e12), (70.6e9 + 100 * 10_000 * 163_840) / (8 * 3350e9)
    assert number("worked", "whole_step") == pytest.approx((100 + 10_000) * token)
    assert (100 + 512) * token < reading < (100 + 1024) * token  # so a chunk adds no time by (1), a larger one does
    assert number("worked", "chunk_tokens") == 512


def test_both_times_of_a_step_are_named_and_the_forecast_is_longer_than_either():
    found = answer("step-time")
    assert found.tables["said"]["label"] == ["bound 1.68 ms", "in turn 4.32 ms"]
    values = {name: value.number for name, value in found.values.items()}
    assert values["turn"] < values["forecast_low"] < values["forecast"] < values["forecast_high"]


@pytest.mark.parametrize("asked", [{}, {"context": "128k"}, {"model": "llama-3-70b", "system": "hgx-h100"}])
def test_no_rule_crosses_the_name_of_the_weights(asked):
    found = answer("cost", **asked).tables
    end = found["ends"]["batch"][found["ends"]["part"].index("weights")]
    assert not any(end < place < 4 * end for place in found["guides"]["batch"])


def test_the_share_of_a_small_batch_says_which_batch_wakes_nearly_all():
    assert touched.touched_share(145, 256, 8) < 0.99 < touched.touched_share(146, 256, 8)
    assert "it takes 146 to wake 99% of the experts" in answer("touched").finding


def test_the_offers_are_those_of_the_price_sheets():
    values = {name: value.number for name, value in answer("offers").values.items()}
    assert [values[f"opus_46_{name}"] for name in ("price", "speed", "smaller", "cache", "ceiling")] == pytest.approx(
        [6, 2.5, 15, 1.8, 2.8]
    )
    assert values["opus_46_saving"] == pytest.approx(1 / 2.8)
    slower = fast_mode.fast_mode(6, 2).speed_ceiling  # of an offer below its full speed
    assert 1 / 2.8 < 1 / slower == pytest.approx(1 / 2.2)


def test_exercise_four_closes():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    for users, allowed in (("real", values["real_allowed"]), ("safe", values["safe_allowed"])):
        more = (allowed - values["real_alone"]) / values["real_further"]
        assert values[f"{users}_batch"] == 1 + more // 1
        shown = (allowed - 8.198e-3) * 49 / (14.18e-3 - 8.198e-3)  # as rounded in the question
        assert values[f"{users}_batch"] == 1 + shown // 1
    assert values["real_batch"] * values["design_wanted"] * values["real_nodes"] >= values["design_traffic"]
    assert values["real_batch"] * values["design_wanted"] * (values["real_nodes"] - 1) < values["design_traffic"]
    assert values["real_cost"] > values["design_cost"]


def test_exercise_four_misses_its_speed_by_a_little_and_at_the_slow_end_takes_another_node():
    """By hand, 25 ms x 26.8 TB/s less 70.6 GB, over 8,192 x 163,840 bytes, 446 sequences of the 457 that fit."""
    values = {name: value.number for name, value in answer("exercise").values.items()}
    room = (0.025 * 8 * 3350e9 - 70.6e9) / (8192 * 163_840)
    assert values["kept_batch"] == int(room) < values["design_fits"]
    assert values["design_step"] > values["real_allowed"] > values["safe_allowed"]
    assert values["kept_tokens"] == 40 * values["kept_batch"] > values["design_traffic"]
    where = Scenario.named("llama-3-70b", "hgx-h100", "fp8").setting
    ends = [forecast(where, values["safe_batch"] + more, 8192).band_80[1] for more in (0, 1)]
    assert ends[0] <= values["real_allowed"] < ends[1]
    assert values["real_high"] > values["real_allowed"]
    needed = values["design_traffic"] / (40 * values["safe_batch"])
    assert values["real_nodes"] < needed <= values["safe_nodes"] < needed + 1
    assert values["safe_cost"] == pytest.approx(values["safe_nodes"] * values["design_cost"])


def test_a_plan_that_divides_users_by_the_margin_is_told_so():
    """By hand, 138 / 1.311 is 105: as many nodes as the 90 that keep the speed need, so users are asked for."""
    values = answer("exercise").values
    divided, hoped = values["safe_batch"].slips
    assert divided.factor * 90 == pytest.approx(138 / 1.311, abs=0.1)
    assert "divide the time, not the users" in divided.sentence
    assert hoped.factor * 90 == pytest.approx(values["real_batch"].number)
    assert math.ceil(10_000 / 40 / 105) == values["safe_nodes"].number


def test_a_critical_context_follows_from_the_columns_beside_it():
    """By (7) and (7a), with the 625 operations that a GB200 makes while it reads a byte."""
    for key, active in (("v3", 37e9), ("k2", number("attention", "k2_active"))):
        token = number("attention", f"{key}_token")
        simple = number("critical", {"v3": "deepseek_v3", "k2": "kimi_k2"}[key])
        assert simple == pytest.approx(2 * active / (625 * token))
        spare = (625 - number("attention", f"{key}_intensity")) * token
        assert number("attention", key) == pytest.approx(2 * active / spare)


def test_a_step_of_a_full_rack_is_longer_than_the_drain():
    """Nothing but the arithmetic of weights and attention, 85,680 sequences over 360 PFLOP/s, takes longer."""
    values = answer("layouts").values
    assert values["drain"].number == pytest.approx(answer("drain", **RACK).values["drain"].number)
    rack = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
    arithmetic = 85_680 * (2 * 37e9 + 4096 * rack.attention_flops_per_token) / (72 * 5e15)
    assert values["full_turn"].number > arithmetic > values["drain"].number


def test_the_day_of_deepseek_read_mostly_caches_past_the_critical_context_of_the_simple_form():
    day = catalog.deployment("deepseek-day-6")
    where = Scenario.named(day.model, day.system, "fp8-bf16-cache").times(day.decode_nodes)
    step = batching.step_time(day.decode_batch, day.mean_context, **where.step_arguments())
    assert step.cache > 0.8 * step.memory > step.compute
    assert day.mean_context > critical_context(where)


PIECES = ("name", "intensity")


def test_on_a_roofline_a_batch_moves_weights_and_leaves_attention():
    few, many = (answer("roofline", model="llama-3-70b", system="hgx-h100", batch=batch) for batch in (8, 80))
    before, after = (dict(zip(*(each.tables["points"][key] for key in PIECES), strict=True)) for each in (few, many))
    for name in ("Projections", "Dense layers", "Head"):
        assert 8.5 < after[name] / before[name] < 10  # what it takes in and hands on grows too
    assert many.values["attention"].number == pytest.approx(few.values["attention"].number)
    assert few.values["ridge"].number == pytest.approx(1979 / 3.35)


def test_the_diamond_counts_what_operations_take_in_and_hand_on():
    """By hand: 2,065 GFLOP of a chip over 29.17 GB of weights and caches are 71 a byte, with 0.75 GB more 69."""
    operations = decode(Scenario.named(*OPENING).setting, 100, 10_000).operations
    flops, read, handed = (
        sum(getattr(each, part) for each in operations) for part in ("flops", "memory_bytes", "activations")
    )
    assert flops / read == pytest.approx(70.8, abs=0.1)
    assert number("roofline", "whole") == pytest.approx(flops / (read + handed)) == pytest.approx(69.0, abs=0.1)


def test_on_the_node_of_the_text_the_step_misses_the_roof_by_what_it_sends():
    """By hand, of 9.950 ms two all-reduces of 0.510 ms; all else waits for memory, and so lies on the roof."""
    found = answer("roofline")
    assert found.values["below"].number == pytest.approx(2 * 0.5097244 / 9.950306, rel=1e-5)
    assert set(found.tables["points"]["limit"]) == {"memory"}


def test_no_operation_lies_above_the_roof_and_the_step_below_it():
    found = answer("roofline", **RACKED | {"batch": 4096}).tables["points"]
    for name, intensity, rate in zip(found["name"], found["intensity"], found["rate"], strict=True):
        most = min(5e15, 8e12 * intensity)
        assert rate == pytest.approx(most) or (name == "Your step" and rate < most)


def test_the_layout_decides_how_many_tokens_a_matrix_meets():
    copied, cut = (answer("roofline", **RACKED, layout=layout) for layout in ("usual", "tensor"))
    before, after = (dict(zip(*(each.tables["points"][key] for key in PIECES), strict=True)) for each in (copied, cut))
    assert after["Projections"] > 10 * before["Projections"]
    assert cut.values["busy"].number < copied.values["busy"].number


def test_attention_counts_in_the_critical_context():
    """By hand for DeepSeek-V3 on GB200 in FP8: 74e9 / (35,136 x 625 - 17.0e6); Kimi K2 likewise; no end in BF16."""
    values = answer("attention").values
    assert values["v3"].number == pytest.approx(74e9 / (35_136 * 625 - 61 * 278_528), rel=1e-3)
    assert values["k2"].number == pytest.approx(4750, rel=2e-3)
    assert values["v3_ceiling"].number == pytest.approx(0.81, abs=5e-3)
    wide = Setting.published("deepseek-v3", "gb200-nvl72", "fp8-bf16-attention")
    assert full.critical(wide, 37e9) == values["v3_wide"].number == float("inf")
    assert values["v3_wide_ceiling"].number == 1
    assert number("context", "critical") == values["v3"].number
    assert number("context", "simple") == pytest.approx(3370, rel=1e-3)


def test_a_chip_whose_rate_for_attention_is_unknown_is_answered_by_the_simple_form(rubin_in_fp4_alone):
    asked = {"system": "rubin-nvl72", "precision": "fp4"}
    found = answer("context", **asked)
    assert found.values["critical"].number == found.values["simple"].number
    assert any("its arithmetic is left out" in note for note in found.notes)
    assert "turn" not in answer("step-time", **asked).values


def test_an_operation_by_operation_step_is_longer_than_the_simplest_bound():
    values = answer("step-time").values
    assert values["step"].number < values["laid_out"].number < values["turn"].number


def test_lanes_are_the_simplest_bound():
    found, step = (answer(slug, **RACKED).values for slug in ("lanes", "step-time"))
    assert found["step"].number == step["step"].number
    assert found["weights"].number + found["cache"].number == pytest.approx(found["step"].number)
    assert found["step"].number == max(found["compute"].number, step["weights"].number + step["cache"].number)
    busy = answer("lanes", batch="100k", context=1).values
    assert busy["step"].number == busy["compute"].number > busy["weights"].number + busy["cache"].number


def test_the_day_of_deepseek_took_twice_its_two_halves():
    """Recomputed from the published layout: 6.4 ms of weights, 7.5 of attention, 16.6 of links, halves of 11.7."""
    values = {name: value.number for name, value in answer("day").values.items()}
    parts = ("weights", "cache", "attention", "products", "links")
    assert [round(1e3 * values[part], 1) for part in parts] == [6.4, 9.2, 7.5, 3.3, 16.6]
    assert values["bound"] == values["links"] < values["halves"] < values["turn"] < values["measured"]
    assert values["over_halves"] == pytest.approx(2.03, abs=0.01)
    worked = {name: value.number for name, value in answer("deepseek-day").values.items()}
    assert worked["uncounted"] * values["over_halves"] == pytest.approx(worked["miss"], rel=0.005)


def test_what_a_forecast_calls_sending_is_bytes_and_their_starts_are_kernels():
    parts = {name: value.number for name, value in answer("parts").values.items()}
    forecasts = [forecast(Scenario.named(*OPENING).setting, users, EXAMPLE_CONTEXT) for users in (1, 100)]
    assert 100 * parts["sending"] == pytest.approx(100 * forecasts[0].sending_seconds) == forecasts[1].sending_seconds
    layers = Scenario.named(*OPENING).setting.model.layers
    assert parts["programs"] == sum(each.count * (layer_kernels(each, narrow=True) + EXCHANGES) for each in layers)


def test_one_full_system_is_not_enough_for_cheap_tokens_but_a_few_are():
    """Claim A32: just past one full system a token costs nearly twice as much; past four at most a quarter more."""
    assert departures.empty_seat_factor(1.01 * 128e3, 128e3) == pytest.approx(2, rel=0.01)
    assert np.max(departures.empty_seat_factor(np.linspace(4, 40, 1001) * 128e3, 128e3)) <= 1.25
    assert traffic.a32_first_cost() == pytest.approx(1.4, abs=0.01)
    assert traffic.a32_last_cost() == pytest.approx(1.05, abs=0.01)


def test_the_ledger_reads_the_batches_of_an_offer_as_the_lecture_does():
    """Claim A2: the share of a batch moves with the price of prompts, and with what a machine earns."""
    ends = sorted(1 / number("dear-prompts", f"{end}_smaller") for end in ("hits", "fresh"))
    assert sorted(claimed.a2_prompts()) == pytest.approx(ends)
    assert claimed.a2_twice() == pytest.approx(1 / number("offers", "opus_46_twice_smaller"))
    assert ends[-1] < claimed.a2_smaller() < claimed.a2_twice()


@pytest.mark.parametrize(("sequences", "length"), [(88, 4989), (1000, 100), (1, 1e6)])
def test_the_bars_of_two_halves_are_as_long_as_they_take(sequences, length):
    found = answer("day", sequences=sequences, length=length)
    rows = found.tables["lanes"]
    ends = [end for lane, end in zip(rows["lane"], rows["to"], strict=True) if lane == "two halves"]
    assert max(ends) == pytest.approx(found.values["halves"].number)


def test_the_parts_of_a_step_balance_at_batches_of_their_own():
    values = {name: value.number for name, value in answer("layouts").values.items()}
    assert (values["experts"], values["copied"]) == pytest.approx((10_000, 22_500))
    assert (
        answer("drain", **RACK).values["floor"].number
        < values["copied_floor"]
        < answer("step-time").values["laid_out"].number
    )


def test_the_floor_of_a_layout_is_what_a_large_batch_reads_without_a_cache():
    laid_out = decode(Setting.published("deepseek-v3", "gb200-nvl72", "fp8"), 2048, 0).memory_seconds
    assert answer("layouts").values["copied_floor"].number == pytest.approx(laid_out, rel=1e-3)


def test_a_lone_token_of_a_mixture_is_less_dear_if_it_reads_its_own_experts_alone():
    mixture, dense = (answer("cost", **RACKED | {"model": name}).values for name in ("deepseek-v3", "llama-3-70b"))
    assert mixture["penalty_woken"].number == pytest.approx((37 + 0.144) / 0.144, rel=0.005)
    assert mixture["penalty_woken"].number < mixture["penalty"].number
    assert dense["penalty_woken"].number == pytest.approx(dense["penalty"].number)


def test_a_pod_shares_experts_over_no_more_chips_than_there_are_and_says_that_it_is_a_torus():
    found = answer("drain", model="deepseek-v3", system="tpu-v7-pod")
    bandwidth = catalog.system("tpu-v7-pod").chip.hbm_bandwidth
    assert found.values["floor"].number == pytest.approx(671e9 / (256 * bandwidth), rel=1e-3)
    assert "over 32 links" in found.notes[0]
    assert not answer("drain").notes


def test_eight_bits_are_taken_in_the_faster_format():
    """TPU v5p: 918 tera-operations in INT8 over 2.765 TB/s, 166; the catalogue's range of ratios ends above it."""
    found = answer("ratio").tables["chips"]
    by_name = dict(zip(zip(found["chip"], found["precision"], strict=True), found["ratio"], strict=True))
    assert by_name["TPU v5p", "8 bit"] == pytest.approx(166, abs=0.5)
    assert number("blackboard", "lowest") > 83
    asked = answer("ratio", system="tpu-v5p-pod", precision="fp8")
    assert asked.values["here"].number == pytest.approx(83, abs=0.5)
    assert asked.notes == ["The ring of TPU v5p in 8 bits is of INT8, which it multiplies faster than FP8."]
    assert not answer("ratio", system="tpu-v5e-pod", precision="fp8").notes[1:]


@pytest.mark.parametrize("slug", ["lanes", "step-time", "stream", "cost", "drain"])
def test_on_a_torus_a_figure_of_the_simplest_bound_says_what_its_messages_pass_over(slug):
    assert any("passes over 32 links" in note for note in answer(slug, system="tpu-v7-pod").notes)
    assert not any("torus" in note for note in answer(slug).notes)


def test_the_reader_finds_the_batches_of_the_promise_from_the_numbers_beside_them():
    found = {name: value.number for name, value in answer("promised").values.items()}
    node, table = ({name: value.number for name, value in answer(of).values.items()} for of in ("worked", "batches"))
    period = 1 / found["speed"]
    assert found["allowed"] * found["slow"] == pytest.approx(period)
    for allowed, first, further, users in (
        (period, node["alone_read"], node["cache"], found["bound"]),
        (period, table["alone_forecast"], found["further"], found["expected"]),
        (found["allowed"], table["alone_forecast"], found["further"], found["sure"]),
    ):
        assert int(1 + (allowed - first) / further) == users < node["full"]


def test_two_halves_of_the_node_keep_the_promise_to_fewer_users():
    """By hand, ms: a half's step is 11.289 for one user, and 0.2165 more for each other."""
    found = {name: value.number for name, value in answer("promised").values.items()}
    half = int(1 + (20 / found["slow"] - 11.289) / 0.2165)
    assert found["half"] == half < found["sure"] / 2


def test_the_measured_halves_of_a_node_are_sooner_with_as_many_users():
    """By hand from their rows, of one engine and day: 64 requests on four chips each, 128 on eight."""
    values = {name: value.number for name, value in answer("measured").values.items()}
    for key, halves, flight in (("short", 13.69989e-3, 63.82), ("long", 37.0257e-3, 60.97)):
        assert values[f"{key}_halves"] == pytest.approx(halves)
        assert halves < values[f"{key}_many_took"]
        assert 2 * flight == pytest.approx(values[f"{key}_many_flight"], rel=0.01)


def test_the_halves_took_longer_with_few_users_and_with_long_answers_in_another_engine():
    """Every pair of runs with as many requests on eight chips and on two halves, of the catalogue's rows."""
    took: dict[int, dict[tuple, float]] = {4: {}, 8: {}}
    for row in clean_measurements():
        if (row.model, row.system) == ("llama-3-70b", "hgx-h200") and row.chips in took:
            key = (row.engine, row.input_tokens, row.output_tokens, row.concurrency * 8 // row.chips)
            took[row.chips][key] = row.token_seconds
    longer = {key: took[4][key] > whole for key, whole in took[8].items() if key in took[4]}
    few, long_answers = (
        [each for key, each in longer.items() if asked(key)]
        for asked in (lambda key: key[3] == 8, lambda key: key[0] == "vllm" and key[2] == 8192)
    )
    assert len(few) == 6
    assert len(long_answers) == 4
    assert all(few + long_answers)
    assert sum(longer.values()) == 13
    assert len(longer) == 27


def test_the_parts_of_the_forecasts_add_up_to_them_and_only_one_does_not_grow_with_the_users():
    parts = {name: value.number for name, value in answer("parts").values.items()}
    rest = parts["multiplying"] + parts["sending"] + parts["users"]
    alone = parts["reading"] + parts["kernels"] + rest
    assert alone == pytest.approx(number("batches", "alone_forecast"))
    assert parts["further"] + rest == pytest.approx(number("promised", "further"))
    crowd = alone + 99 * (parts["further"] + rest)
    assert crowd == pytest.approx(number("batches", "crowd_forecast"))
    assert parts["programs"] * parts["program"] == parts["kernels"] > number("batches", "alone_forecast") / 2
    assert parts["reading"] > number("worked", "weights")


def test_the_whole_step_of_the_example_is_its_weights_and_what_grows():
    assert number("worked", "growth") + 1 == pytest.approx(number("worked", "ceiling"))
    assert number("worked", "crowd_lasts") == pytest.approx(1e6 * number("worked", "crowd_read"))


def test_the_foot_of_the_curve_of_modes_says_the_least_price_of_a_slow_one():
    table = answer("fast-mode").tables["foot"]
    assert table["label"] == ["endless batch: 0.643× the price"]
    assert number("fast-mode", "floor") == pytest.approx(0.643, abs=5e-4)


def test_the_forecast_alone_allows_more_users_than_its_slow_end():
    """By hand: (20 - 8.21) / 0.1352 is 87.2."""
    limits = [number("promised", name) for name in ("sure", "expected", "bound")]
    assert limits == [53, 88, 284]
    where = Scenario.named(*OPENING)
    steps = [forecast(where.setting, batch, EXAMPLE_CONTEXT).seconds for batch in (88, 89)]
    assert steps[0] <= 1 / number("promised", "speed") < steps[1]


def test_no_price_of_the_first_fast_mode_buys_the_second_of_the_same_model():
    """By hand: 2 for 2.5 has x = 3, so 6 buys 3.5 and nothing more than 4; 6 for 6 was sold. Timed: 69.2 / 35.3."""
    sold = {name: value.number for name, value in answer("speeds").values.items()}
    assert [sold[name] for name in ("cache", "bought", "ceiling", "faster")] == pytest.approx([3, 3.5, 4, 6])
    assert sold["bought"] < sold["ceiling"] < sold["faster"]
    assert sold["astra_timed"] == pytest.approx(1.96, abs=5e-3)
    assert sold["astra_timed"] < sold["speed"]
    assert sold["sol_timed"] == pytest.approx(1.746, abs=5e-4)
    assert sold["luna_timed"] == pytest.approx(1.175, abs=5e-4)
    assert sold["luna_timed"] < sold["sol_claimed"] < sold["sol_timed"]
    assert offers.products()["GPT-6 Astra, ultrafast"] == (6, 6)


def test_prompts_at_a_reseller_bring_the_ceiling_near_the_speed_that_is_sold():
    """By hand: 353 M x $0.50 over 4.87 M x $25 is 1.45, and ten times that without a cache; c is 6 + 5 of it."""
    found = {name: value.number for name, value in answer("dear-prompts").values.items()}
    assert [found["hits_spent"], found["fresh_spent"]] == pytest.approx([1.45, 14.5], rel=1e-3)
    assert [found["hits_price"], found["fresh_price"]] == pytest.approx([13.25, 78.5], rel=1e-3)
    assert found["hits_smaller"] == pytest.approx(2.5 * found["hits_price"])
    assert 2.5 < found["fresh_ceiling"] < found["hits_ceiling"] < number("offers", "opus_46_ceiling") - 0.15


def test_a_rack_that_reads_its_chips_drains_in_microseconds():
    """By hand: 128 GB / 40 PB/s = 3.2 us, and 315 / (2 x 40) = 3.9."""
    rack = {name: value.number for name, value in answer("on-chip").values.items()}
    assert [rack["drain"], rack["ratio"]] == pytest.approx([3.2e-6, 3.94], rel=2e-3)
    assert rack["ratio"] < number("blackboard", "lowest") / 10
    assert rack["drain"] < number("drain", "low") / 1000


def test_a_lone_users_step_reads_about_what_its_token_uses_and_mostly_waits():
    """By hand: 13.6 % of 4.8 TB/s for 1 / 194 s are 3.36 GB, for 3.3 billion parameters of a byte each."""
    step = {name: value.number for name, value in answer("lone").values.items()}
    assert step["read"] == pytest.approx(3.36e9, rel=2e-3)
    assert step["read"] == pytest.approx(step["active"], rel=0.03)
    assert step["read"] < 30e9 / 8
    without_graphs = 0.018 * catalog.chip("h200-sxm").hbm_bandwidth / 25
    assert without_graphs == pytest.approx(step["read"], rel=0.05)


@pytest.mark.parametrize(
    ("slug", "inputs", "words"),
    [
        ("stream", {"batch": 1}, "lies across 1 user."),
        ("departures", {"traffic": 100}, "One line is the request of 3 periods"),
        ("departures", {}, "14 lines are the requests of 3 periods"),
    ],
)
def test_one_is_not_spoken_of_as_many(slug, inputs, words):
    assert words in answer(slug, **inputs).description


def test_the_day_of_deepseek_is_told_alike_whatever_its_figure_is_asked():
    assert answer("day", sequences=1).finding.startswith("At published rates 1 sequence a chip")
    assert number("deepseek-day", "sequences") == number("day", "sequences")


def test_an_attention_in_bf16_has_a_critical_context_if_its_cache_has_two_bytes_too():
    """By hand: 74e9 / 5e15 over 70,272 / 8e12 - 17e6 / 2.5e15, 7,440 tokens; at a byte the difference is negative."""
    assert number("attention", "v3_wide") == float("inf")
    assert number("attention", "v3_stored") == pytest.approx(7440, rel=2e-3)


def test_operations_in_turn_are_below_the_simplest_bound_where_that_reads_a_table_and_a_step_does_not():
    found = answer("step-time", model="llama-3-8b", system="hgx-h100", batch=1, context=1000)
    assert found.values["turn"].number < found.values["step"].number
    assert "higher" not in found.description


def test_a_roofline_says_that_a_format_is_widened():
    assert any("multiplied at the FP8 rate" in note for note in answer("roofline", precision="fp4").notes)


def test_with_caches_of_two_bytes_the_promise_is_kept_to_fewer():
    """By hand: 8.28 ms and 208 us more for each further user."""
    slow = number("promised", "slow")
    assert number("promised", "wide_sure") == int(1 + (20 / slow - 8.28) / 0.208) == 34


def test_memory_ends_a_slow_mode_at_about_a_fifth_by_the_bound_and_over_a_quarter_by_the_forecast():
    full, crowd = FIVE[374]["step"] / number("worked", "full"), number("worked", "crowd_read") / 100
    assert 1 - full / crowd == pytest.approx(0.2, abs=0.03)
    saved = 1 - FIVE[374]["forecast_cost"] / FIVE[100]["forecast_cost"]
    assert 0.25 < saved < 0.28 < number("forecasts", "saving")


def test_what_the_page_says_of_the_promise_is_a_price_of_full_seats():
    """By hand: $29.20 an hour, 53 users and a step of 15.24 ms are $2.33; past balance with caches, 11%."""
    assert FIVE[53]["forecast_cost"] == pytest.approx(29.2 / 3.6 * 15.243 / 53, rel=2e-3)
    where = Scenario.named(*OPENING)
    each = [
        forecast(where.setting, times * number("worked", "ratio"), EXAMPLE_CONTEXT).seconds / times for times in (1, 3)
    ]
    assert 1 - each[1] / each[0] == pytest.approx(0.112, abs=2e-3)
    assert number("forecasts", "node_past") > 0.2 - 1e-2


def test_twice_the_context_keeps_more_multipliers_busy_in_batches_below_one_that_is_told():
    """By hand, at a byte a weight and a number: 484 / 2 x 671 / 37 is 4,390; in larger batches the share falls."""
    assert number("attention", "v3_rises") == pytest.approx(484 / 2 * 671 / 37, rel=2e-3)
    for batch, more in ((2000, True), (4300, True), (4500, False), (20_000, False)):
        busy = answer("context", **RACKED | {"batch": batch, "context": 100_000}).values
        assert (busy["doubled"].number > busy["utilisation"].number) is more


def test_the_ring_of_half_the_bytes_is_drawn_inside():
    drawn = chips.ratio_chart().to_dict()
    rings = next(each["encoding"]["size"] for each in drawn["layer"] if "size" in each.get("encoding", {}))
    assert rings["scale"]["domain"] == ["BF16", "8 bit", "FP4"]
    assert rings["scale"]["range"][0] > rings["scale"]["range"][-1]


@pytest.mark.parametrize("model", ["deepseek-v3.2", "glm-5", "gpt-oss-120b", "step-3.5-flash", "qwen3.5-397b-a17b"])
def test_an_endless_batch_fills_the_multipliers_up_to_the_critical_context_that_is_told(model):
    turns = number("context", "critical", model=model)
    for context, fills in ((0.9 * turns, True), (1.1 * turns, False)):
        asked = {"model": model, "context": max(1, round(context))}
        busy = number("context", "ceiling", **asked)
        assert (busy == pytest.approx(1)) is (fills and turns > 0)
    told = "no batch can keep them all busy at any length"
    assert answer("context", model=model).finding.endswith(told) is (turns == 0)


def test_where_operations_read_a_selection_no_note_says_that_they_read_all():
    for model in ("deepseek-v3.2", "gpt-oss-120b"):
        assert not any("here all of it" in note for note in answer("context", model=model).notes)
        for slug in ("step-time", "cost"):
            assert any("count what it does read" in note for note in answer(slug, model=model, context="1M").notes)
    assert "at any length" in answer("step-time", model="qwen3.5-397b-a17b", context="1M").notes[-1]


def test_a_day_that_no_chip_holds_and_a_slab_of_sleeping_experts_are_remarked_upon():
    """By hand: 200 caches of 4,989 tokens of 70,272 bytes are 70 GB, beside 22 GB of weights, of 85.5 GB."""
    assert len(answer("day").notes) == len(answer("day", length="10k").notes) == 1
    assert "the cache needs 70.1 GB" in answer("day", sequences=200).notes[-1]
    assert any("of the experts" in note for note in answer("stream", model="mixtral-8x7b", batch=4).notes)


def test_the_axis_of_drains_has_marks_as_low_as_its_floors():
    low = min(answer("drain", model="llama-3.2-1b").tables["spans"]["floor"])
    marks = next(each["encoding"]["x"]["axis"] for each in chips.drain_chart().to_dict()["layer"][1:2])["values"]
    assert min(marks) <= low


def test_the_whole_step_is_counted_alike_in_two_lectures():
    """Both are `OnRoofline.whole`."""
    labels = {registry.find(f"{name}/roofline").answer().values["whole"].label for name in ("batching", "serving")}
    assert labels == {"The whole step, with what pieces hand on"}


@pytest.mark.parametrize("slug", ["cost", "step-time", "roofline"])
def test_chips_that_a_layout_leaves_out_are_told_where_a_layout_is_counted(slug):
    idle = "8 of the system's 72 chips"
    assert any(idle in note for note in answer(slug, model="mixtral-8x7b", system="gb200-nvl72").notes)
    assert not any("other chips idle" in note for note in answer(slug, **RACK).notes)
