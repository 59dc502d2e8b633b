from __future__ import annotations

import math

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry
from calc.figure.scenario import MODELS
from calc.memory_wall.figures.setting import decode_flops
from calc.pricing import context_price, prompt_cache
from calc.pricing.bill import Traffic, levers
from calc.pricing.figures import holding, implied, ratio, setting, shared, sheets, tiers
from calc.pricing.figures.bill import measures
from calc.pricing.figures.pace import PACES
from calc.pricing.figures.reading import reading_times, writing_times
from calc.pricing.figures.shared import HALF, Slower
from calc.setting import Setting
from calc.setting.published import attention_layers
from tests.calc.figure import asking

answer, number = asking.of("pricing")


def column(slug, table, **inputs):
    return answer(slug, **inputs).tables[table]


@pytest.mark.parametrize(
    ("inputs", "longest"),
    [
        ({}, 300_000),
        ({"sheet": "gpt-5.5", "crossover": "272k"}, 408_000),
        ({"sheet": "gemini-1.5-pro", "crossover": "128k"}, 256_000),
        ({"sheet": "claude-sonnet-4.6"}, 200_000),
        ({"markup": 100}, 600_000),
    ],
)
def test_the_longest_profitable_context_is_step_times_markup_times_crossover(inputs, longest):
    found = answer("steps", **inputs)
    assert found.values["longest"].number == pytest.approx(longest)
    assert found.tables["here"]["context"] == pytest.approx([longest])


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "below cost from 300,000 tokens on"),
        ({"crossover": "150k"}, "below cost from 150,000 tokens to the step, and from 225,000 tokens on"),
        ({"crossover": "50k"}, "below cost from 50,000 tokens on"),
        ({"attention": "deepseek-v3"}, "below cost at every length"),
    ],
)
def test_the_finding_says_where_the_price_is_below_cost(inputs, words):
    found = answer("steps", **inputs)
    assert found.finding.endswith(words)
    curve = found.tables["curve"]
    below = curve["cost"] > curve["price"] * (1 + 1e-12)
    profitable = curve["context"][~below]
    last = profitable.max() if profitable.size else 0
    marked = found.tables["here"]["context"]
    assert last == pytest.approx(marked[0], rel=0.11) if marked else last < 10_000


@pytest.mark.parametrize(("sheet", "words"), [("gpt-5.5", "past 272,000 tokens"), ("claude-sonnet-4.6", "one price")])
def test_the_finding_says_whether_there_is_a_step(sheet, words):
    assert words in answer("steps", sheet=sheet).finding


@pytest.mark.parametrize(
    ("inputs", "said"),
    [({}, 0), ({"crossover": "100k"}, 1), ({"crossover": "150k"}, 0), ({"sheet": "claude-sonnet-4.6"}, 0)],
)
def test_a_higher_price_that_never_covers_cost_is_called_that(inputs, said):
    """Its reach may lie below the step, where it is not asked."""
    found = answer("steps", **inputs)
    assert ("Even the higher price is below cost wherever it is asked." in found.notes) == bool(said)
    assert found.values["longest"].label == "Higher price would, up to"


def test_the_shaded_loss_is_where_cost_is_above_price():
    curve = column("steps", "curve")
    lost = curve["lost"] > curve["price"] * (1 + 1e-12)
    assert (lost == (curve["context"] > 300_000 * (1 + 1e-9))).all()


def test_a_whole_request_keeps_the_margin_that_was_reckoned_by_hand():
    """0.1 and 0.9 million at 4 and 0.40 dollars, a thousand at 18; they cost half, half, and five times 12."""
    found = {name: value.number for name, value in answer("request").values.items()}
    assert found["paid"] == pytest.approx(0.40 + 0.36 + 0.018)
    assert found["cost"] == pytest.approx(0.20 + 0.18 + 5 * 0.012)
    assert found["margin"] == pytest.approx(1 - 0.44 / 0.778)
    assert (found["prompt_paid"], found["prompt_cost"]) == pytest.approx((0.40 + 0.36, 0.20 + 0.18))
    day = found["alike"] * number("day", "net")
    assert found["alike"] < found["written_paid"] < day < found["written_cost"]  # who pays turns on this
    assert found["share"] == 0.9
    assert found["alike"] == pytest.approx(1000 * 5 * 2 / 1e6)


def test_a_request_to_a_lean_model_is_priced_by_that_models_own_cache_and_attention():
    """DeepSeek-V4-Pro on Pope's chip: fetched 22.2 MB and 619.5 bytes a token, delivered 49 GB / 300 meanwhile."""
    found = {name: value.number for name, value in answer("request").values.items()}
    fetched = number("family", "pro_fixed") + 1e6 * number("family", "pro_read")
    assert found["writing_pro"] == pytest.approx(fetched / (49e9 / 300), rel=1e-3)
    assert found["answer_pro"] == pytest.approx(0.012 * found["writing_pro"])
    assert 0.2 * found["reading_pro"] + 0.18 + found["answer_pro"] == pytest.approx(found["asks_pro"] * 0.778)
    assert 0.002 * found["writing_pro"] < found["written_paid"]


@pytest.mark.parametrize(("value", "times", "short"), [("lasts", 6, 9_048), ("lasts_day", 2.1786, 100_000)])
def test_attention_left_out_a_prompt_pays_for_an_answer_until_its_loss_is_the_surplus(value, times, short):
    """Summed token by token: each is sold at 18 dollars a million and costs 2 times so many, times L / 200,000."""
    lasts = number("request", value)
    surplus = number("request", "prompt_paid") - number("request", "prompt_cost")
    written = np.arange(round(lasts)) + 0.5
    loss = (2 * times * (1e6 + written) / 200_000 - 18) / 1e6
    assert loss.sum() == pytest.approx(surplus, rel=5e-3)
    assert 1_000 < lasts < surplus / ((10 * times - 18) / 1e6)  # its own tokens make each dearer
    assert surplus / ((10 * times - 18) / 1e6) == pytest.approx(short, rel=0.02)


def test_an_answer_is_paid_for_to_a_length_that_is_printed_and_needs_nobody_below_the_bearable_cost():
    found = answer("request").values
    assert (found["lasts"].text, found["lasts_day"].text) == ("9,000 tokens", "81,000 tokens")
    assert found["lasts"].number < found["limit"].number < found["lasts_day"].number  # so by the day, any answer
    for hits in (0.0, 0.5, 0.9, 1.0):
        assert (2 * (1 - hits) + 0.20 * hits) / 42e-6 > 1_000  # whatever the hits, for an answer of a thousand


def test_a_longer_answer_asks_for_a_larger_share_of_hits():
    """With attention counted a token written loses, so from some length on hits alone cannot pay for an answer."""
    found = {name: value.number for name, value in answer("request").values.items()}
    loses = (12 * found["writing_pro"] - 18) * 1e-6
    assert loses > 0
    assert 0.20 / loses < 7_000  # dollars that a million hits earn


@pytest.mark.parametrize("name", MODELS)
def test_a_token_written_by_a_dense_model_takes_as_long_as_its_cache_says(name):
    model = catalog.model(name)
    if all(at.compression == 1 and math.isinf(at.top_k) and not at.state for _, at in attention_layers(model)):
        crossing = context_price.crossover_context(model.kv_bytes_per_token("fp8"), model.active_params, 300)
        assert writing_times(name, 1e6) == pytest.approx(1e6 / crossing, rel=0.01)


def test_with_attention_counted_no_public_model_reads_this_prompt_for_its_price():
    """Prompt and answer are both below cost if short ones are sold at cost; by hand for a dense and a lean model."""
    found = {name: value.number for name, value in answer("request").values.items()}
    times = {name: reading_times(name, 100_000, 900_000) for name in MODELS}
    assert min(times.values()) == found["reading_pro"]
    assert sorted(times, key=times.get)[:2] == ["deepseek-v4-pro", "deepseek-v4-flash"]
    assert found["reading_pro"] > (0.76 - 0.18) / 0.20
    dense = 126 * 4 * 128 * 128 / (2 * 405e9)  # of attention for a token of context, over the weights' operations
    assert times["llama-3-405b"] == pytest.approx(1 + 950_000 * dense, rel=0.01)
    pro = 2 * 128 * 1024 * (31 * 950_000 / 128 + 30 * 1024 + 61 * 128) + 30 / 4 * 950_000 * 2 * 64 * 128
    assert times["deepseek-v4-pro"] == pytest.approx(1 + pro / 98e9, rel=1e-3)
    assert found["written_cost"] > found["written_paid"]
    assert 0.2 * found["reading_pro"] + 0.18 > found["prompt_paid"]
    assert found["answer_pro"] > found["written_paid"]
    assert min(found[f"prompt_{short}"] for short in ("pro", "405b", "v3")) == found["prompt_pro"]
    assert found["prompt_pro"] > found["prompt_paid"]  # so the prompt is below cost in every design drawn
    assert (found["prompt_405b"], found["answer_405b"]) == pytest.approx((2.32, 2.29), abs=0.005)
    assert (found["prompt_v3"], found["answer_v3"]) == pytest.approx((13.26, 3.42), abs=0.005)
    dearer = (
        1 + found["always_v3"] + found["before"] / found["each_v3"]
    )  # not 1 + 950,000 / 4,355, which is of written tokens
    assert found["prompt_v3"] == pytest.approx(found["fresh_short"] * dearer + found["found_short"])
    assert found["each_v3"] == pytest.approx(3.4 * number("limits", "deepseek_v3"), rel=0.01)
    assert found["answer_v3"] == pytest.approx(found["written_short"] * 1e6 / number("family", "v3_crossing"))
    assert found["prompt_v3"] > 0.75 * found["asks_v3"] * found["paid"]  # reading costs most


def test_one_point_of_hits_does_not_turn_who_pays_with_attention_counted():
    """How far above cost short requests must be sold, if the long one pays for itself; against a day's markups."""
    found, day = answer("request").values, answer("day").values
    markups = day["v3_missed"].number, day["over_written"].number

    def asks(name, hits):
        new, before = 1e6 * (1 - hits), 1e6 * hits
        cost = (1 - hits) * 2 * reading_times(name, new, before) + hits * 0.20 + 0.012 * writing_times(name, 1e6)
        return cost / ((1 - hits) * 4 + hits * 0.40 + 0.018)

    for short, name in (("pro", "deepseek-v4-pro"), ("405b", "llama-3-405b"), ("v3", "deepseek-v3")):
        assert found[f"asks_{short}"].number == pytest.approx(asks(name, 0.9))
    assert found["asks_pro"].number == pytest.approx(min(asks(name, 0.9) for name in MODELS))
    for hits in (0.0, 0.5, 0.89, 0.9, 0.91, 0.95):
        assert asks("deepseek-v4-pro", hits) < 1.25 < markups[0] < markups[1] < asks("deepseek-v3", hits)
        assert 3 < asks("llama-3-405b", hits) < 6
    index = 30 / 4 * 950_000 * 2 * 64 * 128 / 98e9  # of reading, at the weights' rate
    slower = 0.2 * (2 * reading_times("deepseek-v4-pro", 1e5, 9e5) - 1 - index) + 0.18
    half = found["asks_pro_half"].number  # fetching is still the longer in writing
    assert (slower + 0.012 * writing_times("deepseek-v4-pro", 1e6)) / 0.778 == pytest.approx(half, rel=1e-3)
    assert asks("deepseek-v4-pro", 0.9) < half < markups[0]
    assert half == pytest.approx(1.22, abs=0.005)
    assert found["alike_v3"].number > markups[1]  # nor at any rate in the heavy design
    assert asks("deepseek-v4-pro", 0.92) < 1 < asks("deepseek-v4-pro", 0.9)
    assert {name for name in MODELS if asks(name, 0.95) < 1} == {"deepseek-v4-pro"}


def test_with_weights_in_half_of_the_memory_a_model_that_keeps_more_than_it_fetches_crosses_far_sooner():
    """Searched on whole bytes: those fetched and as many of weights as are kept, against those that are delivered."""

    def crosses(name, kept, slower=0.0, ratio=300):
        where, row = Setting.published(name, "gb200-nvl72", "fp8"), catalog.model(name)
        low, high = 1.0, 1e6
        for _ in range(60):
            middle = (low + high) / 2
            needed = where.read_bytes(middle) + kept * where.kept_bytes(middle)
            index = 30 / 4 * 2 * 64 * 128 * middle if "v4-pro" in name else 0.0  # at the weights' rate at the slowest
            attended = slower * decode_flops(row, middle) - max(0.0, slower - 1) * index
            delivered = (row.active_params + attended / 2) / ratio
            low, high = (middle, high) if needed < delivered else (low, middle)
        return low

    assert crosses("deepseek-v3", 1) == pytest.approx(crosses("deepseek-v3", 0) / 2)
    shared, alone = (number("family", name) for name in ("pro_shared", "pro_crossing"))
    assert (crosses("deepseek-v4-pro", 1), crosses("deepseek-v4-pro", 0)) == pytest.approx((shared, alone), rel=1e-3)
    assert round(alone / shared) == 9
    assert round(number("family", "pro_kept") / number("family", "pro_read")) == 8
    assert answer("family").values["pro_shared"].text == "25,000 tokens"
    assert crosses("deepseek-v4-pro", 0.1) < 0.7 * 200_000  # even where weights are a tenth of the caches
    share = number("family", "pro_share")  # 847 GB, experts in four bits, of 72 chips' 14.3 TB
    assert share == pytest.approx(847.6e9 / 14.30e12, rel=1e-3)
    rack = number("family", "pro_rack")
    assert crosses("deepseek-v4-pro", share / (1 - share)) == pytest.approx(rack, rel=1e-3)
    assert 5 * shared < rack < 200_000 < alone  # so on a rack it stays near the step, on the other side of it
    half, counted = (
        crosses("deepseek-v4-pro", 1, 2),
        (crosses("deepseek-v4-pro", share / (1 - share), x) for x in (1, 2)),
    )
    assert crosses("deepseek-v4-pro", 1, 1) == pytest.approx(number("family", "pro_shared_meet"), rel=1e-3)
    told = [number("family", name) for name in ("pro_shared_half", "pro_rack_meet", "pro_rack_half")]
    assert [half, *counted] == pytest.approx(told, rel=1e-3)  # at half the rate too, if the batch is finite
    assert told == pytest.approx([33_100, 254_000, 339_000], rel=3e-3)
    assert crosses("deepseek-v4-pro", share / (1 - share), ratio=312.5) == pytest.approx(144_300, rel=1e-3)


@pytest.mark.parametrize(("crossover", "costs"), [(100_000, 1), (10_000, 50)])
def test_a_long_request_costs_its_room_only_where_fetching_sets_the_step_with_short_ones_too(crossover, costs):
    """One of a million, or fifty of twenty thousand in its place: in a full memory each step fetches as much."""
    fetched = (19 * 20_000 + 1e6) / crossover
    of_one = {batch: max(batch, fetched) / batch for batch in (20, 69)}  # of a token, if all share the step alike
    long = max(20, fetched) - 19 * of_one[69]  # the step, less what the others cost without it
    assert long / of_one[69] == pytest.approx(costs)


def test_the_dense_designs_verdict_turns_on_whether_writing_makes_fetching_dearer_too():
    """Multiplying at a sixth of the rate, fetching as before: against the markups of the day's lists on reading."""
    found = {name: value.number for name, value in answer("request").values.items()}
    low, high = (number("day", name) for name in ("v3_missed", "over_missed"))

    def asks(short, name):
        model = catalog.model(name)
        multiplied = 1 + decode_flops(model, 1e6) / (2 * model.active_params)
        return (found[f"prompt_{short}"] + 0.002 * max(6 * multiplied, writing_times(name, 1e6))) / found["paid"]

    assert asks("405b", "llama-3-405b") == pytest.approx(found["alike_405b"])
    assert low < asks("405b", "llama-3-405b") < high < found["asks_405b"]
    reading = found["prompt_405b"] - 0.18  # above cost alone, hits and the answer at cost
    assert reading / high + 0.18 + found["answer_405b"] / 6 > found["paid"]
    assert 1 < asks("pro", "deepseek-v4-pro") < found["asks_pro"] < low
    assert high < found["alike_v3"] < asks("v3", "deepseek-v3") < found["asks_v3"]


def test_a_token_with_nothing_before_it_lacks_the_part_of_attention_that_a_long_one_has_at_any_length():
    """Windows of 128 and 1,024 entries of four tokens fill in some four thousand; with them at cost, sides change."""
    found = {name: value.number for name, value in answer("request").values.items()}
    pro = "deepseek-v4-pro"
    assert reading_times(pro, 1) == pytest.approx(1, abs=1e-3) == writing_times(pro, 1)
    part = 2 * 128 * 1024 * (30 * 1024 + 61 * 128) / 98e9
    assert found["always_pro"] == pytest.approx(part, rel=0.01)
    behind = [writing_times(pro, context) - 1 - context / found["each_pro"] for context in (128, 4_000, 20_000)]
    assert behind[0] < part / 4 < 0.95 * part < behind[1] < 1.01 * part
    assert behind[2] == pytest.approx(part, rel=0.01)
    assert 1 + found["always_pro"] + found["before"] / found["each_pro"] == pytest.approx(found["reading_pro"])
    based = (0.2 * found["reading_pro"] + found["answer_pro"]) / (1 + found["always_pro"]) + 0.18
    assert based / 0.778 == pytest.approx(found["full_pro"]) == pytest.approx(0.964, abs=1e-3)


def test_a_markup_on_reading_alone_can_break_even_in_the_lean_design_and_in_the_heavy_one_none_can():
    """Hits and the answer at cost; at the weights' rate and at half of it, where V3's request costs twice as much."""
    found = {name: value.number for name, value in answer("request").values.items()}
    for name, rates in (("alone_pro", Slower()), ("alone_pro_half", HALF)):
        reading = 0.20 * reading_times("deepseek-v4-pro", 1e5, 9e5, rates)
        left = 0.778 - 0.18 - 0.012 * writing_times("deepseek-v4-pro", 1e6, rates)
        assert reading / found[name] == pytest.approx(left)
    assert (found["alone_pro"], found["alone_pro_half"]) == pytest.approx((1.056, 1.317), abs=1e-3)
    assert found["alone_pro_half"] < number("day", "v3_missed") < number("day", "over_missed")
    assert found["answer_v3"] > 4 * found["paid"]
    fresh, written = (
        times("deepseek-v3", *asked, HALF) for times, asked in ((reading_times, (1e5, 9e5)), (writing_times, (1e6,)))
    )
    assert found["asks_v3_half"] == pytest.approx((0.20 * fresh + 0.18 + 0.012 * written) / 0.778)
    assert found["asks_v3_half"] == pytest.approx(40.7, abs=0.05)
    missed, wrote = number("day", "over_missed"), number("day", "over_written")
    assert (
        0.2 * found["reading_v3"] / missed + found["answer_v3"] / wrote > found["paid"]
    )  # so R1's markups would not do
    surplus = found["prompt_paid"] - found["prompt_cost"]
    assert round(surplus / (found["written_cost"] - found["written_paid"])) == 9  # attention left out, at the list's


def test_a_list_tells_the_direction_only_if_prices_over_cost_differ_by_less_than_its_ratio():
    assert number("list", "ratio_low") < number("day", "beyond")  # so the least ratio could hide slower reading
    assert number("list", "ratio_low") > number("day", "earned_beyond")  # not once hits are counted to reading
    assert number("day", "earned_beyond") == pytest.approx(2.19 / 0.73 / 2.18, rel=0.01)


def test_the_lean_request_about_breaks_even_whatever_a_short_written_token_costs():
    """As much as one read, 2.18 times, or six times; in the heavy design none of them turns who pays."""
    found, day = {name: value.number for name, value in answer("request").values.items()}, number("day", "net")

    def asks(short, times):
        return (found[f"prompt_{short}"] + found[f"answer_{short}"] * times / 6) / 0.778

    for short in ("pro", "405b", "v3"):
        assert (asks(short, 1), asks(short, 6)) == pytest.approx((found[f"alike_{short}"], found[f"asks_{short}"]))
    slower = (
        0.2 * reading_times("deepseek-v4-pro", 1e5, 9e5, HALF) + 0.18,
        writing_times("deepseek-v4-pro", 1e6, HALF),
    )
    half = [(slower[0] + dollars * slower[1]) / 0.778 for dollars in (0.002, 0.012)]
    assert half == pytest.approx([1.174, found["asks_pro_half"]], abs=1e-3)
    assert max(half[1] / half[0], found["asks_v3"] / found["alike_v3"], asks("pro", 6) / asks("pro", 1)) < 1.21
    assert half[0] > 1.1 * found["asks_pro"]  # so the rate decides more than the ratio, and the design most
    assert found["alike_v3"] > 10 * half[1]
    summed = 0.2 * found["reading_v3"] + found["found_short"]
    assert 0.2 * found["reading_v3"] == pytest.approx(0.20 * reading_times("deepseek-v3", 1e5, 9e5))
    assert summed == pytest.approx(found["prompt_v3"]) == pytest.approx(13.26, abs=0.005)
    assert writing_times("deepseek-v3", 1e6) * found["written_short"] == pytest.approx(found["answer_v3"])
    assert (summed + found["answer_v3"]) / 0.778 == pytest.approx(found["asks_v3"])
    assert summed + found["answer_v3"] == pytest.approx(16.68, abs=0.005)
    assert (found["alike_pro"], asks("pro", day), found["asks_pro"]) == pytest.approx((0.989, 1.001, 1.04), abs=1e-3)
    assert found["prompt_pro"] == pytest.approx(found["prompt_paid"], rel=0.005)
    assert number("day", "over_written") < found["alike_v3"]  # so no markup of the day covers it
    missed, earned, written = (number("day", name) for name in ("over_missed", "over_earned", "over_written"))
    lost, kept = (found["prompt_405b"] / over + found["answer_405b"] / written for over in (missed, earned))
    assert kept < 0.778 < lost  # the dense design's turns on the markup


def test_attention_multiplies_the_bytes_that_a_step_implies_for_v3_and_what_its_token_costs():
    """37 GB / 300 delivered; attention is as much work as the weights at 4,355 tokens; 35,136 bytes are fetched."""
    found = {name: value.number for name, value in answer("family").values.items()}
    work = 1 + 200_000 / number("limits", "deepseek_v3")
    assert found["v3_implied"] == pytest.approx(37e9 / 300 / 200_000, rel=1e-3)
    assert found["v3_multiplies"] == pytest.approx(work) == pytest.approx(found["v3_implied_counted"] / 616.7, rel=1e-3)
    assert number("limits", "plain_kept") > work  # fetching is still the longer at the step
    assert number("limits", "counted_kept") == pytest.approx(35_136 / found["v3_implied_counted"], rel=1e-3)


def test_where_v3_crosses_depends_on_the_rate_of_attention_and_steeply_on_the_bytes():
    """Delivered are 37 GB / 300, and as much again for each 4,355 tokens at the weights' rate, twice that at half."""
    found = {name: value.number for name, value in answer("family").values.items()}

    def crosses(fetched, rate):
        return 1 / max(1e-12, fetched / found["v3_budget"] - 1 / rate / number("limits", "deepseek_v3"))

    kept = number("exercise", "v3_bytes")
    assert crosses(kept, 1) == pytest.approx(found["v3_meet"])
    assert crosses(kept, 0.5) > 1e11  # never
    assert crosses(2 * kept, 0.5) == pytest.approx(found["v3_wide"])
    assert crosses(found["v3_implied_counted"], 1) == pytest.approx(200_000)
    assert 0.8 < found["v3_implied_counted"] / kept < 0.85
    assert crosses(0.8 * kept, 1) > 1e11
    assert found["v3_gains"] > 0.97 * found["v3_implied_counted"]  # whatever the step
    assert found["v3_slower"] == pytest.approx(2 * found["v3_multiplies"] - 1)
    assert found["v3_slower"] > number("limits", "plain_kept") > found["v3_multiplies"]


def test_with_all_but_an_index_at_half_the_rate_one_size_of_v4_crosses_at_the_step_and_one_far_beyond():
    """V4-Pro by hand: 600 x 619.5 operations' time to fetch for a token of context, 122,880 the index's own."""
    core, index = 2 * 128 * 1024, 30 / 4 * 2 * 64 * 128
    more, entries = 2 * core * 31 / 128 + index, 30 * 1024 + 61 * 128
    assert more + index > 600 * number("family", "pro_read") > more  # with a slow index it would never cross
    spare = 98e9 + 2 * core * entries - 600 * number("family", "pro_fixed")
    assert number("family", "pro_half") == pytest.approx(spare / (600 * number("family", "pro_read") - more), rel=3e-3)
    assert answer("family").values["pro_half"].text == "861,000 tokens"
    assert math.isinf(number("family", "v3_half"))
    half, whole = number("family", "flash_half"), number("family", "flash_meet")
    fetched = number("family", "flash_fixed") + half * number("family", "flash_read")
    attended = shared.attention_work(catalog.model("deepseek-v4-flash"), half, HALF)
    assert fetched * 600 == pytest.approx(2 * 13e9 + attended, rel=0.02)
    assert whole < 0.8 * half < half < 200_000 < number("family", "pro_half")


def test_attention_doubles_the_cost_of_a_prompt_as_long_as_the_step_where_all_is_attended_to():
    """A model whose layers attend to everything at least; one factor on the lists at lengths sixteen times apart."""
    times = {name: reading_times(name, 200_000) for name in MODELS}
    layers = {name: attention_layers(catalog.model(name)) for name in MODELS}
    whole = {
        name: times[name]
        for name in MODELS
        if all(
            at.compression == 1 and math.isinf(at.top_k) and not at.window and not at.state for _, at in layers[name]
        )
    }
    assert min(whole, key=whole.get) == "llama-3-405b"
    assert min(times, key=times.get) == "deepseek-v4-pro"
    assert (number("limits", "prompt_405b"), number("limits", "prompt_pro")) == (
        min(whole.values()),
        min(times.values()),
    )
    assert min(whole.values()) > 2
    assert number("limits", "twice_high") == 16 * number("limits", "twice_low")


def test_a_row_of_the_cost_side_multiplies_out_as_it_is_printed():
    day = answer("day").values
    batch, step = (float(day[name].text.replace(",", "").removesuffix(" ms")) for name in ("batch", "step"))
    assert f"{1e6 * 144 * 2 / 3600 * step / 1e3 / batch:.2f}" == day["dollars"].text.removeprefix("$")


def test_the_answer_pays_for_itself_up_to_a_cost_that_first_tokens_keep():
    found, day = {name: value.number for name, value in answer("request").values.items()}, number("day", "net")
    assert found["bearable"] == pytest.approx(18 / 5 / 2)
    assert found["bearable"] * found["alike"] == pytest.approx(found["written_paid"])
    assert 6 / found["bearable"] == pytest.approx(number("blackboard", "sold"))  # that which (5) asks for
    lines = {name: value.number for name, value in registry.find("world/position-costs").answer().values.items()}
    assert lines["starts"] < found["bearable"] < min(day, number("day", "runs_low"))
    assert number("family", "v3_crossing") > 2_000  # so the cache's bytes are no excuse for the runs
    assert day / number("day", "work") < found["bearable"]  # with attention's time divided out


def test_writing_took_longer_in_every_measured_run_and_attention_explains_what_is_past_the_bearable_ratio():
    """Rates by SGLang's makers, per node or chip; attention's share at 2,000 tokens, half as fast in BF16."""
    ratios = {52_300 / 22_282: 2, 18_471 / 9_087: 2, 26_156 / 13_386: 1}
    assert number("day", "runs_low") == pytest.approx(min(ratios))
    assert number("day", "runs_high") == pytest.approx(max(ratios))
    for times, slower in ratios.items():
        written, read = 1 + slower * 2_000 / 4_360, 1 + slower * 1_000 / 4_360 * 320 / 1_088
        assert 1 < times * read / written < number("request", "bearable")


def test_a_cost_is_chips_times_rent_times_step_over_the_sequences_in_flight():
    found = {name: value.number for name, value in answer("four", batch=512, context=30_000).values.items()}
    assert (found["batch"], found["context"], found["chips"]) == (512, 30_000, 72)
    company = {name: value.number for name, value in registry.find("world/company").answer().values.items()}
    assert company["among_million"] == company["among_dollars"]
    for dollars, step in (("bound", "bound_step"), ("forecast", "step")):
        assert found[dollars] == pytest.approx(1e6 * 72 * 4.54 / 3600 * found[step] / 512)
    assert number("day", "dollars") == pytest.approx(
        1e6 * 144 * 2 / 3600 / 21 / 12_686, rel=1e-3
    )  # 18 nodes of eight at two dollars, a token every 21st of a second


@pytest.mark.parametrize("sold", [1, 20, 50, 100])
def test_hours_that_nobody_pays_for_are_borne_by_those_that_are_sold(sold):
    full, idle = (answer("four", sold=share).values for share in (100, sold))
    for dollars in ("bound", "forecast", "low", "high"):
        assert idle[dollars].number == pytest.approx(full[dollars].number * 100 / sold)
    assert idle["over"].number == pytest.approx(full["over"].number * sold / 100)
    assert [idle[same].number for same in ("step", "host", "speed")] == [
        full[same].number for same in ("step", "host", "speed")
    ]


@pytest.mark.parametrize(("sold", "words"), [(100, "always full"), (50, "sold in 50% of its hours")])
def test_note_and_title_say_how_many_hours_are_sold(sold, words):
    found = answer("four", sold=sold)
    assert words in found.notes[-1]
    assert ("sold in 50%" in found.finding) == (sold == 50)


@pytest.mark.parametrize(
    ("inputs", "words"), [({}, "attention on one"), ({"open": "llama-3-70b"}, "Tensors lie over 4 chips")]
)
def test_the_layout_behind_a_cost_is_said(inputs, words):
    found = answer("four", **inputs)
    assert any(words in note and "A step takes" in note for note in found.notes)
    assert "72 chips of GB200 NVL72 at $4.54/h a chip, 2,048 in flight at 4,096 tokens" in found.finding


@pytest.mark.parametrize("model", ["llama-3-8b", "llama-3-70b"])
def test_a_dense_model_lies_where_it_is_cheapest_as_in_the_lists_of_lecture_8(model):
    costs = registry.find("serving/lists").answer().tables["costs"]
    listed = dict(zip(costs["model"], costs["expected"], strict=True))[catalog.model(model).name]
    assert number("four", "forecast", open=model) == pytest.approx(listed, rel=0.05)


@pytest.mark.parametrize(("batch", "words"), [(1, "on 1 chip of"), (1e6, "on 72 chips of")])
def test_a_cost_is_that_of_the_chips_in_use(batch, words):
    found = answer("four", open="llama-3-70b", batch=batch)
    assert words in found.finding
    assert ("copies share" in found.notes[-1]) == (batch > 1)


@pytest.mark.parametrize(("system", "fits"), [("gb200-nvl72", True), ("hgx-h100", False)])
def test_a_cost_on_chips_without_room_is_one_that_would_be(system, fits):
    found = answer("four", system=system)
    assert ("this does not fit; if it did, a million written tokens would cost" in found.finding) is not fits
    assert any("exceed" in note for note in found.notes) is not fits


@pytest.mark.parametrize(
    ("model", "words"),
    [
        ("deepseek-v4-pro", "hosts ask $1.68 to $3.96"),
        ("glm-5", "its one host asks $3.20"),
        ("llama-3-8b", "hosts ask"),
    ],
)
def test_one_host_is_not_called_hosts(model, words):
    finding = answer("four", open=model).finding
    assert words in finding
    assert ("hosts ask" in finding) == (len(catalog.hosts(model)) > 1)


def test_the_premium_for_an_hour_meets_the_rent_of_hbm_where_the_text_says():
    meets = number("keeping", "meets")
    assert number("holding", "over", cache=meets) == pytest.approx(1)
    assert number("holding", "hour", cache=meets) > 30 * number("exercise", "price_dram")  # what is bought costs less


def test_a_premium_fifty_times_smaller_does_not_pay_the_dearest_rent_but_what_is_bought():
    """Haiku 5.5's hour by hand: ten cents more for a million tokens of two kilobytes."""
    opus, small = (catalog.price(name) for name in ("claude-opus-5", "claude-haiku-5.5"))
    assert opus.input == pytest.approx(50 * small.input)
    assert number("keeping", "premium_small") == pytest.approx(0.1 / 2.048 / (shared.memory_rents()[1] * 1e9))
    assert number("keeping", "premium_small") == pytest.approx(number("keeping", "premium_over") / 50)
    assert number("keeping", "premium_small") < 1
    assert number("holding", "hour", sheet="claude-haiku-5.5") > 50 * number("exercise", "price_dram")


def test_a_crossover_of_a_public_model_without_compression_ends_at_the_largest_dense_one():
    llama = catalog.model("llama-3-405b")
    expected = llama.active_params / (300 * llama.kv_bytes_per_token("fp8"))
    assert number("blackboard", "cross_high") == pytest.approx(expected)


def test_the_fair_step_leaves_no_margin_and_no_loss_on_average():
    fair = number("steps", "fair")
    lengths = [200_000 + (place + 0.5) * 800 for place in range(1000)]
    costs = [float(context_price.decode_cost(length, 200_000)) for length in lengths]
    assert fair == pytest.approx(sum(costs) / len(costs), rel=1e-6)
    attended = setting.attention_context("deepseek-v3")
    assert number("steps", "fair", attention="deepseek-v3") == pytest.approx(1 + 600_000 / attended)
    assert number("steps", "fair", markup=100) == pytest.approx(fair / 2)
    assert number("steps", "fair", markup=300) == 1  # sold so far above cost, a long request needs no step


def test_the_title_says_whose_attention_is_counted():
    assert "crossover there, attention as in DeepSeek-V3 and" in answer("steps", attention="deepseek-v3").finding
    assert "attention" not in answer("steps").finding


def test_attention_brings_the_loss_forward_and_a_crossover_before_the_step_is_remarked_upon():
    attended = setting.attention_context("llama-3-70b")
    assert attended == pytest.approx(2 * 70.6e9 / (80 * 4 * 64 * 128))
    assert number("steps", "longest", attention="llama-3-70b") == pytest.approx(attended / 2)
    assert any("already costs 4×" in note for note in answer("steps", crossover="50k").notes)
    assert not any("already costs" in note for note in answer("steps").notes)


KEPT = (implied.KEPT, implied.MINE)


def caches(kind, **inputs):
    """Multiples of what the step implies, by model."""
    rows = zip(*(column("implied-cache", "marks", **inputs)[key] for key in ("name", "times", "kind")), strict=True)
    return {name: times for name, times, found in rows if found in kind}


def test_a_guess_that_is_what_the_step_implies_stands_at_one():
    there = number("implied-cache", "bytes", crossover=120_000, active=40)
    assert there == pytest.approx(40e9 / 300 / 120_000)
    assert number("implied-cache", "guess", crossover=120_000, active=40, cache=there) == pytest.approx(1)


def test_every_public_model_stands_in_the_chart_at_its_cache_over_what_its_own_parameters_imply():
    kept = caches(KEPT, arithmetic="none")
    assert set(kept) == set(MODELS.values())
    for key, shown in MODELS.items():
        model = catalog.model(key)
        assert kept[shown] == pytest.approx(
            200_000 / context_price.crossover_context(model.kv_bytes_per_token("fp8"), model.active_params, 300)
        )
    assert number("limits", "plain_kept") == pytest.approx(kept["DeepSeek-V3"])
    assert kept["Llama 3.1 405B"] == pytest.approx(38, rel=0.01)
    assert min(kept.values()) == pytest.approx(4924 * 300 * 200e3 / 49e9, rel=0.005)  # DeepSeek-V4-Pro
    assert max(kept.values()) == pytest.approx(57_344 * 300 * 200e3 / 0.596e9, rel=0.005)  # Qwen3-0.6B


def test_the_title_counts_what_is_fetched_for_that_is_what_a_step_implies():
    """V4-Pro keeps six times what the step implies and fetches less than it, so it crosses later."""
    found = answer("implied-cache")
    assert "0.89× (DeepSeek-V4-Pro) to 5,800× (Qwen3-0.6B)" in found.finding
    fetched = number("family", "pro_fixed") / 200e3 + number("family", "pro_read")
    assert number("implied-cache", "least") == pytest.approx(fetched * 300 * 200e3 / 49e9)
    assert number("implied-cache", "least") < 1 < caches((implied.KEPT,))["DeepSeek-V4-Pro"]


def test_attention_that_is_counted_stands_for_so_many_more_parameters():
    """V3 has 61 layers of 128 heads, 1088 wide; Qwen3-0.6B 28 of 16, 256 wide; two operations for each."""
    kept = caches(KEPT, arithmetic="counted")
    for name, params, width, cache in (
        ("DeepSeek-V3", 37e9, 61 * 128 * 1088, 35_136),
        ("Qwen3-0.6B", 0.596e9, 28 * 16 * 256, 57_344),
    ):
        assert kept[name] == pytest.approx(cache * 200e3 * 300 / (params + 200e3 * width), rel=0.005)
    assert min(kept.values()) == kept["DeepSeek-V3"]
    assert max(kept.values()) == number("limits", "counted_most") == kept["Qwen3-0.6B"]
    assert number("limits", "counted_kept") == kept["DeepSeek-V3"]


def test_bytes_of_weight_and_cache_cancel_and_the_ratio_of_a_chip_does_not():
    assert caches(KEPT, precision="bf16", arithmetic="none")["DeepSeek-V3"] == pytest.approx(
        35_136 * 200_000 * 300 / 37e9
    )
    assert number("implied-cache", "ratio") == 300
    ours = number("implied-cache", "ratio", chip="system")
    assert caches(KEPT, chip="system", arithmetic="none")["DeepSeek-V3"] == pytest.approx(
        35_136 * 200_000 * ours / 37e9
    )


def test_four_public_models_fetch_less_than_they_keep_and_one_no_more_than_the_step_implies():
    fetched = caches((implied.FETCHED,), arithmetic="none")
    assert set(fetched) == {"DeepSeek-V4-Pro", "DeepSeek-V4-Flash", "DeepSeek-V3.2-Exp", "GLM-5"}
    slope, fixed = number("family", "pro_read"), number("family", "pro_fixed")
    assert fetched["DeepSeek-V4-Pro"] == pytest.approx((fixed + slope * 200_000) * 300 / 49e9, rel=1e-3)
    assert [name for name, times in fetched.items() if times < 1] == ["DeepSeek-V4-Pro"]
    crossing = number("family", "pro_crossing")  # where it fetches just what memory delivers
    at = caches((implied.FETCHED,), crossover=round(crossing), arithmetic="none")
    assert at["DeepSeek-V4-Pro"] == pytest.approx(1, rel=1e-3)


@pytest.mark.parametrize(("name", "shown"), [("pro", "DeepSeek-V4-Pro"), ("flash", "DeepSeek-V4-Flash")])
def test_with_attention_counted_a_model_fetches_what_the_step_implies_at_its_later_crossover(name, shown):
    meet = number("family", f"{name}_meet")
    assert meet > 1.5 * number("family", f"{name}_crossing")
    assert caches((implied.FETCHED,), crossover=round(meet), arithmetic="counted")[shown] == pytest.approx(1, rel=1e-3)
    assert number("family", "flash_meet") < 200_000 < number("family", "pro_meet")


def test_with_an_index_at_half_the_rate_too_both_sizes_of_v4_cross_beyond_the_step_or_never():
    def crosses(name, active, rate):
        (each, fixed), (more, always) = shared.linear_in_context(name)
        slope = 600 * each - more / rate
        return (2 * active + always / rate - 600 * fixed) / slope if slope > 0 else math.inf

    assert crosses("deepseek-v4-flash", 13e9, 1) == pytest.approx(number("family", "flash_meet"), rel=1e-3)
    assert crosses("deepseek-v4-pro", 49e9, 1) == pytest.approx(number("family", "pro_meet"), rel=1e-3)
    assert 200_000 < crosses("deepseek-v4-flash", 13e9, 0.5) < 1e6
    assert crosses("deepseek-v4-pro", 49e9, 0.5) == math.inf


def test_the_crossover_of_v4_pro_by_hand():
    """A head pair takes 2 x 128 x 1024 operations; 30 layers choose 1024 entries, all 61 have windows of 128."""
    core, entries = 2 * 128 * 1024, 30 * 1024 + 61 * 128
    slope = 31 / 128 * core + 30 / 4 * 2 * 64 * 128
    fetched = 30 * 1024 * 576 + 61 * 128 * 576
    meet = (98e9 + core * entries - 600 * fetched) / (600 * number("family", "pro_read") - slope)
    assert number("family", "pro_meet") == pytest.approx(meet, rel=1e-3)
    assert number("family", "pro_short") == pytest.approx(1 + (core * entries + slope * meet) / 98e9, rel=1e-3)


def test_every_price_sheet_is_behind_a_row_of_the_ratios():
    ratios = {shared.ratio_of(sheet) for sheet in catalog.prices().values()}
    shown = ratio.on_sale()
    assert {round(ratio, 2) for ratio in ratios} == set(shown.values())
    assert list(shown.values()) == sorted(shown.values(), reverse=True)


def test_the_list_of_the_measured_day_stands_beside_it_and_a_later_one_says_so():
    names = column("output-input", "rows")["name"]
    assert names[-2:] == ["R1, that day's list", "DeepSeek's day"]
    assert "V3.2-Exp, later list" in names


def test_what_was_measured_is_no_inference_from_the_prefill_that_is_set():
    """14,800 tokens/s of 37 billion parameters on eight H800, at any setting of the slider."""
    for prefill in (15, 50):
        rows = column("output-input", "rows", prefill=prefill)
        day = [share for share, kind in zip(rows["decode"], rows["kind"], strict=True) if kind == ratio.MEASURED]
        assert day == pytest.approx([14_800 * 74e9 / (8 * 1.979e15)], rel=2e-3)
    assert number("day", "attended_whole") == pytest.approx(1 + 2 * 4989 / 4360, rel=5e-3)
    assert number("day", "busy_attended") == pytest.approx(0.0692 * (1 + 2 * 4989 / 4360), rel=5e-3)


def test_the_work_of_both_kinds_of_token_predicts_the_time_ratio_of_the_day():
    """A prompt of p and an answer of p x 168 / 608 have 4989 at the middle of the answer; 266 of 608 are computed."""
    found = {name: value.number for name, value in answer("day").values.items()}
    prompt = 4989 / (1 + 168 / 608 / 2)
    attends = prompt * (342 / 608) + prompt * (266 / 608) / 2
    each, again = 61 * 128 * 320 * 2, 61 * 2 * 512 * 128 * 256 * 342 / 266
    whole = 1 + (2 * each * attends + again) / 74e9
    assert found["read_whole"] == pytest.approx(whole, rel=5e-3)
    assert found["work"] == pytest.approx(found["attended_whole"] / whole, rel=5e-3)
    assert found["work"] == pytest.approx(found["net"], rel=0.02)
    assert found["busy_read"] == pytest.approx(found["busy_attended"], rel=0.02)
    counted = 1 + (each * attends + again) / 74e9
    assert found["work_counted"] == pytest.approx((1 + 4989 / 4360) / counted, rel=5e-3)
    spread = 1 + (2 * 2 * each * attends + again) / 74e9  # twice the mean of squares
    assert found["work_spread"] == pytest.approx(found["attended_whole"] / spread, rel=5e-3)
    assert found["work_spread"] < 0.8 * found["net"]  # so equal shares of the time rest on equal lengths
    assert found["attends"] == pytest.approx(attends, rel=1e-3)
    assert found["cheaper"] == pytest.approx(320 / 1088)
    assert found["read_slowed"] == pytest.approx(2 * attends / 4355, rel=1e-3)
    assert found["read_proper"] == pytest.approx(found["read_slowed"] * found["cheaper"])
    assert found["counted_read"] == pytest.approx(found["busy"] * counted, rel=5e-3)
    assert found["counted_written"] == pytest.approx(0.0692 * (1 + 4989 / 4360), rel=5e-3)
    assert 2 * attends / 4355 * found["cheaper"] + found["expands"] == pytest.approx(found["read_attended"], rel=5e-3)
    for kind in ("", "_decode"):  # the table's last row is the one before it times the second
        times = found["attended_whole" if kind else "read_whole"]
        assert found["busy_attended" if kind else "busy_read"] == pytest.approx(found[f"busy{kind}"] * times)


def test_a_node_sells_its_hour_in_tokens():
    """Eight chips at two dollars; 14,800 and 32,244 tokens in each of 3,600 seconds."""
    found = {name: value.number for name, value in answer("day").values.items()}
    assert found["node"] == 16
    assert found["node_flops"] == pytest.approx(8 * 1.979e15)
    assert found["writing"] == pytest.approx(14_800 * 74e9)
    assert found["reading"] == pytest.approx(32_244 * 74e9, rel=1e-4)
    assert found["busy_decode"] == pytest.approx(found["writing"] / found["node_flops"])
    assert pytest.approx(found["dollars"]) == 16e6 / (14_800 * 3600)
    assert pytest.approx(number("exercise", "again"), rel=1e-4) == 16e6 / (32_244 * 3600)


def test_a_computed_token_is_credited_with_the_hits_that_it_brought():
    """Hits were 342 of 608 billion tokens read, at 0.14 dollars a million; the other 266 brought 0.55 a million."""
    found = {name: value.number for name, value in answer("day").values.items()}
    assert found["earned"] == pytest.approx(0.55 + 0.14 * 342 / 266)
    assert found["earned_sheet"] == pytest.approx(2.19 / found["earned"])
    assert found["earned_beyond"] == pytest.approx(found["earned_sheet"] / found["net"])
    assert found["over_missed"] == pytest.approx(0.55 / number("exercise", "again"))
    assert found["over_written"] == pytest.approx(2.19 / (16 / 3600 / 14_800 * 1e6), rel=1e-3)
    assert found["over_written"] / found["over_missed"] == pytest.approx(found["beyond"])
    assert found["v3_missed"] == pytest.approx(0.27 / number("exercise", "again"))
    assert found["v3_written"] / found["v3_missed"] == pytest.approx(1.10 / 0.27 / found["net"])
    assert found["over_written"] / found["over_earned"] == pytest.approx(found["earned_beyond"])
    assert found["over_missed"] < found["over_earned"] < found["over_written"]
    assert found["beyond"] == pytest.approx(found["earned_beyond"] * found["earned"] / 0.55)  # hits are the rest
    assert (round(found["over_earned"], 1), round(found["over_written"], 1)) == (5.3, 7.3)
    assert 1 < found["earned_beyond"] < found["beyond"]  # writing was sold further above its cost either way


def test_one_token_past_the_step_doubles_what_a_prompt_costs():
    assert number("list", "gemini_below") == pytest.approx(0.2 * 2)
    assert number("list", "gemini_step_in") == pytest.approx(2)


def test_a_price_ratio_implies_a_utilisation_and_a_reading():
    found = answer("output-input", ratio=5, prefill=50, model="llama-3-70b", system="hgx-h100")
    assert found.values["decode"].number == pytest.approx(0.1)
    assert found.values["read"].number == pytest.approx(5 * 2 * 70.6e9 * 3.35e12 / 1979e12 / 0.5)
    assert found.values["beyond"].number == pytest.approx(5 / number("day", "net"))
    assert "a list's 5×" in found.finding
    assert answer("output-input").values["decode"].number == pytest.approx(0.15 / number("list", "gemini_ratio"))


@pytest.mark.parametrize(("batch", "remarked"), [(2048, False), (64, True)])
def test_a_scenario_that_reads_more_than_the_price_pays_for_is_remarked_upon(batch, remarked):
    """671 GB of weights are 10.5 GB for each of 64, and 4.74 GB is the most that six times the price leaves."""
    found = answer("output-input", batch=batch)
    assert any("fetches more" in note for note in found.notes) == remarked


@pytest.mark.parametrize(
    ("hold", "device"),
    [(0.02, "HBM3e of a GB200 GPU"), (300, "3.84 TB"), (3600, "30.72 TB"), (86_400, "Hard disk, 24 TB")],
)
def test_a_hold_points_at_the_memory_that_drains_in_that_time(hold, device):
    assert device in answer("tiers", hold=hold).finding


@pytest.mark.parametrize(("hold", "points"), [(9, True), (30, False), (86_400, True), (259_200, False)])
def test_a_hold_on_no_bar_of_a_memory_suits_none(hold, points):
    devices = column("tiers", "devices", hold=hold)
    spans = list(zip(devices["low"], devices["high"], strict=True))[:-1]  # without the reader's own
    assert any(low <= hold <= high for low, high in spans) is points
    assert ("points at" in answer("tiers", hold=hold).finding) is points
    assert ("suits no memory of our catalogue" in answer("tiers", hold=hold).finding) is not points


def test_every_device_stands_in_the_drawing_under_a_name_of_its_own():
    devices = column("tiers", "devices")
    assert len(set(devices["name"])) == len(devices["name"]) == len(catalog.tiers()) + 1
    assert devices["drain"][:-1] == [tier.drain_seconds for tier in catalog.tiers().values()]
    assert set(column("tiers", "said")["name"]) <= set(devices["name"])


@pytest.mark.parametrize(("hold", "words"), [(60, "fill only"), (3600, "of the bandwidth idle")])
def test_the_readers_device_is_judged(hold, words):
    assert words in answer("tiers", hold=hold).notes[0]


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ({"capacity": 4.2}, "next to nothing idle"),  # 4.2 TB at 14 GB/s drain in 300 seconds
        ({"capacity": 4.19}, "leaves 0.238% of the bandwidth idle"),
        ({"capacity": 0.01, "rate": 30_000}, "nearly all the bandwidth idle"),
    ],
)
def test_a_device_that_suits_a_hold_wholly_or_hardly_is_not_given_all_of_a_hundred(device, words):
    note = answer("tiers", **device).notes[0]
    assert words in note
    assert "100%" not in note


def test_a_shelf_of_disks_drains_like_one_disk():
    one = number("tiers", "own", capacity=24, rate=0.285)
    assert number("tiers", "own", capacity=240, rate=2.85) == pytest.approx(one)
    assert one == pytest.approx(catalog.tier("hdd-24tb").drain_seconds)


def test_caching_breaks_even_where_the_lines_cross():
    found = answer("break-even")
    assert found.tables["pays"]["reuses"] == pytest.approx([0.2778, 1.1111], abs=1e-4)
    assert found.values["fresh"].number == pytest.approx(1.5)
    assert found.values["cached"].number == pytest.approx(0.05 * (6.25 + 5 * 0.5))
    assert number("break-even", "limit") == 10
    for kept, extra in (("5m", "premium"), ("1h", "premium_1h")):
        assert number("list", f"pays_{kept}") == pytest.approx(number("list", extra) / number("list", "saves"))


def test_where_writing_costs_more_at_no_chosen_time_the_first_reuse_pays():
    assert number("break-even", "pays", sheet="gpt-6-sol") == pytest.approx(0.5 / 1.8)
    assert number("break-even", "cached", sheet="gpt-6-sol") == pytest.approx(0.05 * (2.5 + 5 * 0.2))


def test_an_offer_that_never_pays_within_the_chart_has_no_rule_there():
    assert column("break-even", "pays", sheet="gemini-1.5-pro", minutes=1440)["reuses"] == []
    assert number("break-even", "pays", sheet="gemini-1.5-pro", minutes=1440) == pytest.approx(4.5 * 24 / 0.9375)


@pytest.mark.parametrize(
    ("sheet", "words"),
    [
        ("deepseek-v4-flash", "No price for storing is on record"),
        ("gpt-6-sol", "asks $2.50 a million for storing"),
        ("gemini-1.5-pro", "on request pays $4.50 a million"),
        ("gemini-3.8-flash", "on request pays $0.50 a million"),
    ],
)
def test_what_a_sheet_does_not_charge_is_said(sheet, words):
    assert any(words in note for note in answer("break-even", sheet=sheet).notes)


def test_a_sheet_that_bills_storage_is_not_said_to_have_no_price_for_storing():
    notes = answer("break-even", sheet="gemini-1.5-pro").notes
    assert "The first reading is billed as input." in notes
    assert not any("No price" in note for note in notes)


@pytest.mark.parametrize(("prefix", "said"), [(200_000, False), (200_001, True)])
def test_a_prefix_past_the_step_of_its_sheet_is_remarked_upon(prefix, said):
    notes = answer("break-even", sheet="gemini-3.1-pro-preview", prefix=prefix).notes
    assert any("200,000 tokens cost more" in note for note in notes) is said


def test_a_sheet_whose_second_step_is_unknown_is_not_held_against_cost():
    assert "Two steps" in catalog.price("qwen3-max").note
    assert "qwen3-max" not in registry.find("pricing/steps").inputs[0].options


def test_two_of_openais_models_sell_a_hold_of_twelve_hours_at_twice_the_price():
    sold = {sheet.name: sheet for sheet in catalog.prices().values() if "12 hours costs" in sheet.note}
    assert set(sold) == {"GPT-6.1 Terra", "GPT-6.2 Sol"}
    for sheet in sold.values():
        assert f"${2 * sheet.cache_write:.3g}" in sheet.note.replace("$2.50", "$2.5")


def test_six_makers_have_doubled_the_price_of_reading_at_a_step():
    steps = [sheet for sheet in catalog.history(catalog.Price, "prices") if sheet.above_tokens]
    doubled = {sheet.maker for sheet in steps if sheet.input_above == pytest.approx(2 * sheet.input)}
    assert doubled == {sheet.maker for sheet in steps}
    assert len(doubled) == 6


def test_one_public_model_crosses_near_the_step_and_all_others_before_half_of_it():
    """As the ledger says of E2; Kimi K3 is not in the drawing."""
    half = {name: number("family", f"{name}_crossing") for name in ("flash", "v3")}
    half |= {name: number("blackboard", name) for name in ("cross_high", "linear_cross")}
    assert max(half.values()) < 100_000
    assert number("family", "pro_crossing") == pytest.approx(200_000, rel=0.15)


def test_a_model_that_selects_is_not_said_to_be_read_whole_where_its_selection_is_drawn():
    assert not answer("implied-cache", model="deepseek-v4-pro").notes
    assert any("FP4" in note for note in answer("implied-cache", precision="fp4", system="hgx-h100").notes)


def test_a_fast_mode_that_a_subscription_sells_is_remarked_upon():
    assert any("credits of a subscription" in note for note in answer("bill", sheet="gpt-5.4").notes)
    assert not any("credits" in note for note in answer("bill").notes)


def test_a_list_whose_five_minutes_cost_nothing_extra_has_no_premium_to_draw():
    assert catalog.price("kimi-k3").cache_write_5m == catalog.price("kimi-k3").input
    assert "kimi-k3" not in holding.WRITER.options
    assert "Moonshot" in holding.WRITER.help


def test_premiums_pay_what_the_ledger_says():
    found = answer("holding")
    assert found.values["five"].number == pytest.approx(7.32, abs=0.01)
    assert found.values["hour"].number == pytest.approx(2.44, abs=0.01)
    rent = found.values["rent"].number
    assert rent == pytest.approx(49.24 / 8 / (81_559 * 2**20) * 1e9)
    assert found.values["over"].number == pytest.approx(found.values["hour"].number / rent)
    assert found.values["over_five"].number == pytest.approx(3 * found.values["over"].number)
    assert "no hit renews it" in " ".join(holding.HOLDING.assumptions)


def test_a_premium_that_hits_renew_pays_the_rent_for_hours_and_no_longer():
    """A premium of 1.25 dollars for 2.048 GB at the highest rent on demand lasts for eight hours."""
    rent = answer("holding").values["rent"].number
    assert number("keeping", "renewed") == pytest.approx(1.25 / 2.048 / rent * 3600)
    assert 8 < number("keeping", "renewed") / 3600 < 9


def test_the_drain_times_of_hbm_are_those_of_two_chips_and_not_of_all():
    drained = {name: catalog.tier(name).drain_seconds for name in shared.drains() if catalog.tier(name).medium == "HBM"}
    assert sorted(drained) == ["hbm3e-gb200", "hbm4-rubin"]  # those that the table names
    assert (number("keeping", "hbm_low"), number("keeping", "hbm_high")) == (
        min(drained.values()),
        max(drained.values()),
    )
    every = [chip.hbm_bytes / chip.hbm_bandwidth for chip in catalog.chips().values()]
    assert max(every) > 1.5 * max(drained.values())


def test_rents_of_memory_are_the_ends_of_those_on_demand():
    """An A100 of 80 GB at its lowest and an H100 by the highest list, not the middles of their ranges."""
    low, high = holding.memory_rents()
    assert low == pytest.approx(0.8 / (80 * 2**30))
    assert high == pytest.approx(6.155 / (81_559 * 2**20))
    listed = [row.dollars_per_chip_hour_high / row.chip.hbm_bytes for row in catalog.rents().values()]
    assert max(listed) > 1.7 * high  # a cloud's list, so the highest is only the catalogue's on demand
    assert answer("holding").finding.endswith(" in our catalogue")


@pytest.mark.parametrize("medium", ["DRAM", "flash", "disk"])
def test_memory_that_lasts_twice_as_long_costs_half(medium):
    assert holding.bought(medium, 8) == pytest.approx([half / 2 for half in holding.bought(medium, 4)])


def test_shares_of_a_hit_give_the_ratio_beside_them_as_they_are_printed():
    """Two lists with one ratio, and a third by which it turned."""
    family = answer("family").values
    for when in ("first", "second", "later"):
        flash, pro = (float(family[f"{name}_{when}"].text.rstrip("%")) for name in ("flash", "pro"))
        assert f"{flash / pro:.2g}×" == family[when].text
    assert family["first"].text == family["second"].text


@pytest.mark.parametrize("maker", list(sheets.history()))
def test_every_recorded_sheet_has_a_row_of_its_own(maker):
    rows = {sheets.label(row) for row in sheets.history()[maker]}
    assert len(rows) == number("sheets", "rows", maker=maker)
    assert set(column("sheets", "cells", maker=maker)["sheet"]) == rows


def test_as_multiples_every_input_is_one():
    cells = column("sheets", "cells", unit="multiples", maker="Anthropic")
    inputs = [price for kind, price in zip(cells["kind"], cells["price"], strict=True) if kind == "read"]
    assert set(inputs) == {1.0}


def test_the_bill_is_that_of_calc():
    sheet = setting.per_token(catalog.price("claude-opus-5"))
    traffic = Traffic(10_000, 8000, 1000, 600, 20)
    bills = measures(traffic, sheet, 0.5, 0.3, 0.2)
    saving = levers(traffic, sheet, batch_share=0.3, shorten=0.2)
    saved = {name: float(bills["as it is"].total - each.total) for name, each in bills.items()}
    assert saved["cache the prefix"] == pytest.approx(saving.cache)
    assert saved["batch what can wait"] == pytest.approx(saving.batch)
    assert saved["shorten the prefix"] == pytest.approx(saving.shorten_shared)
    assert saved["shorten the prompt"] == pytest.approx(saving.shorten_own)
    assert saved["shorten answers"] == pytest.approx(saving.shorten_output)
    assert number("bill", "day") == pytest.approx(float(bills["as it is"].total))
    assert sum(column("bill", "bars")["dollars"][:4]) == pytest.approx(number("bill", "day"))


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "to cache the prefix at 20 requests per writing, saves"),
        ({"shared": 1, "waiting": 100}, "to batch what can wait, saves"),
        ({"shared": 1, "own": 100, "answer": 4000, "waiting": 0}, "to shorten answers, saves"),
        ({"serves": 1, "waiting": 0, "shorten": 0}, "none of these measures lowers it"),
    ],
)
def test_the_finding_names_the_best_measure(inputs, words):
    assert words in answer("bill", **inputs).finding


def test_a_cache_that_serves_one_request_costs_more():
    assert any("costs more than it saves" in note for note in answer("bill", serves=1).notes)
    assert not any("costs more than it saves" in note for note in answer("bill").notes)


def test_an_hour_has_a_price_only_where_there_is_a_fast_mode():
    extra = (9000 * 5 + 600 * 25) / 1e6  # dollars, at twice the price
    assert number("bill", "hour") == pytest.approx(3600 * extra / (600 / 50 * 0.6))
    assert number("bill", "hour", sheet="claude-opus-4.7") == pytest.approx(5 * number("bill", "hour"))
    assert math.isinf(number("bill", "hour", sheet="kimi-k2"))
    assert any("No fast mode" in note for note in answer("bill", sheet="kimi-k2").notes)


def test_the_worked_examples_are_those_of_the_ledger():
    """Figures recomputed by hand for the ledger: each to the digits that it gives."""
    expected = {
        ("blackboard", "bytes_fp8"): 1667,
        ("blackboard", "bytes_fp4"): 833,
        ("blackboard", "bytes_bf16"): 3333,
        ("blackboard", "layer"): 2048,
        ("blackboard", "cost_million"): 5,
        ("list", "ratio_low"): 1.5,
        ("list", "ratio_high"): 2.5 / 0.3,  # Gemini 3.5 Flash-Lite
        ("list", "hit_5m"): 12.5,
        ("list", "hit_1h"): 20,
        ("list", "nine_times"): 4.65,
        ("day", "net"): 2.18,
        ("day", "busy_decode"): 0.069,
        ("day", "busy"): 0.151,  # 0.344 x (1 - 342 / 608): a hit is not computed
        ("day", "beyond"): 2.19 / 0.55 / 2.1786,
        ("exercise", "again"): 0.138,
        ("limits", "prompt_405b"): 1 + 200 / 98.1 / 2,
        ("limits", "deepseek_v3"): 4360,
        ("keeping", "disk_low"): 84_210,
        ("keeping", "dram_high"): 4.88,
    }
    for (slug, value), known in expected.items():
        assert number(slug, value) == pytest.approx(known, rel=0.005), (slug, value)


def test_batches_cost_half_on_all_sheets_but_one_vendors():
    named = [sheet for sheet in catalog.prices().values() if sheet.batch_multiplier]
    dearer = [sheet for sheet in named if sheet.batch_multiplier != number("list", "batch")]
    assert {sheet.maker for sheet in dearer} == {"xAI"}
    assert {sheet.batch_multiplier for sheet in dearer} == {number("list", "batch_high")} == {0.8}
    assert number("list", "batch") == 0.5 < number("bill_terms", "wait_long") < number("bill_terms", "wait_short")


def test_googles_newest_models_have_no_step_and_one_ratio():
    newest = [sheet for name, sheet in catalog.prices().items() if name.startswith("gemini-4-")]
    assert {sheet.name for sheet in newest} == {f"Gemini 4 {name}" for name in ("Argon", "Carbon", "Hydrogen", "Neon")}
    assert {sheet.name for sheet in newest if "twice each price" in sheet.note} == {"Gemini 4 Argon", "Gemini 4 Carbon"}
    assert all(sheet.above_tokens is None for sheet in newest)
    assert {sheet.output / sheet.input for sheet in newest} == {number("limits", "argon_ratio")} == {5.0}
    assert all(sheet.since > catalog.price("gemini-3.1-pro-preview").since for sheet in newest)


def test_a_state_of_fixed_size_takes_longer_to_fetch_than_the_weights_to_multiply():
    """Kimi K3 by hand: 69 layers of 96 states of 128 by 128 numbers, and a convolution's; 24 latents of 576."""
    kept, state, delivered = (number("blackboard", f"linear_{name}") for name in ("kept", "state", "budget"))
    assert kept == 24 * 576
    assert state == 69 * 4 * (96 * 128 * 128 + 3 * 96 * (128 + 128 + 128))
    assert delivered == pytest.approx(104e9 / 300)
    assert state / 2 < delivered < state  # with two bytes a number it would be fetched in time
    assert kept < number("blackboard", "others_low")


def test_an_hour_saved_by_the_faster_of_two_modes_is_dearer():
    """GPT-6 Astra by hand, at 50 tokens a second and $50 a million: an hour's tokens cost $9."""
    assert number("list", "hour_fast") == pytest.approx(9 * (2 - 1) / (1 - 1 / 2.5))
    assert number("list", "hour_ultra") == pytest.approx(9 * (6 - 1) / (1 - 1 / 6))
    saved = 1 / 2.5 - 1 / 6
    assert number("list", "hour_beyond") == pytest.approx(9 * (6 - 2) / saved)


def test_exercise_one_names_the_step_that_was_left_out_and_the_price_in_place_of_the_markup():
    found = registry.find("pricing/exercise").answer().values
    longest, markup = found["step_longest"], found["step_markup"]
    assert longest.slips[0].factor * longest.number == pytest.approx(128_000)
    assert markup.slips[0].factor * markup.number == pytest.approx(2_000_000 / 128_000 / 2)


def test_the_published_day_recomputes_the_published_revenue():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert values["day_total"] == pytest.approx(values["day_said"], rel=1e-3)


def test_exercise_three_closes():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    sheet = catalog.price("gemini-1.5-pro")
    held = sheet.cache_storage * values["stored_gap"] / 3600
    assert held == pytest.approx(sheet.input - sheet.cached_input)
    assert values["stored_whole"] - 1 <= values["stored_pays"] < values["stored_whole"]


def test_half_of_ten_times_solves_for_the_reuses():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert float(prompt_cache.saving_factor(values["ten_half"], 5, 6.25, 0.5)) == pytest.approx(values["ten"] / 2)


def test_the_names_of_devices_are_short():
    assert all(len(tiers.short_name(name)) <= 16 for name in catalog.tiers())


def test_a_written_token_costs_more_as_forecast_than_at_its_bound_and_the_band_is_about_the_forecast():
    values = {name: each.number for name, each in answer("four").values.items()}
    assert values["bound"] < values["low"] < values["forecast"] < values["high"]


def test_prices_tell_costs_to_within_ten_at_one_batch_and_twenty_at_another():
    """A factor read at one batch is a fact about that batch: the lecture gives it at two."""
    for highest, factor in (("asked_high", 10), ("fuller_high", 20)):
        assert factor / 2 < number("limits", highest) <= factor
    assert 1 / number("limits", "asked_low") <= 10
    assert number("limits", "fuller_batch") == 4 * 2048
    assert number("four", "forecast") > 2 * number("limits", "fuller") > 2 * number("four", "bound") / 4


@pytest.mark.parametrize(
    ("given", "timed"),
    [
        ({}, True),
        ({"system": "gb300-nvl72"}, True),
        ({"precision": "bf16"}, False),
        ({"system": "hgx-h100"}, False),
        ({"open": "glm-5"}, False),
    ],
)
def test_a_model_that_racks_ran_past_its_forecast_has_a_row_at_that_pace(given, timed):
    found, runs = answer("four", **given), registry.find("world/young-racks").answer().values
    assert ("at measured pace" in found.finding) is ("at measured pace" in found.description) is timed
    assert any("four weeks old" in note for note in found.notes) is timed
    rows = dict(zip(found.tables["rows"]["name"], found.tables["rows"]["dollars"], strict=True))
    assert ("At measured pace" in rows) is timed
    if timed:
        assert rows["At measured pace"] == pytest.approx(runs["middle"].number * rows["Forecast"], rel=1e-6)
        assert [runs[each].number for each in ("low", "middle", "high")] == pytest.approx(PACES, rel=1e-6)
        ends = [found.tables["band"][end][1] / rows["Forecast"] for end in ("low", "high")]
        assert ends == pytest.approx([runs["low"].number, runs["high"].number])
        assert runs["days"].number == 28


def test_at_the_list_price_of_whole_racks_seven_models_are_sold_below_their_forecast():
    dear = registry.find("serving/lists").answer(price=catalog.rents()["gb200-aws"].dollars_per_chip_hour)
    assert number("limits", "dear_lost") == sum(margin < 0 for margin in dear.tables["costs"]["margin"]) == 7


def test_every_host_of_a_model_stands_in_its_chart_with_its_own_price():
    rows = column("four", "rows", open="gpt-oss-120b")
    known = {row.host: row.output for row in catalog.hosts("gpt-oss-120b").values()}
    assert {n: d for n, d, k in zip(rows["name"], rows["dollars"], rows["kind"], strict=True) if k == "host"} == known
    assert "maker" not in rows["kind"]


@pytest.mark.parametrize("given", [{"open": "gpt-oss-120b"}, {"batch": 512}])
def test_sentences_about_one_model_keep_its_numbers_when_a_reader_sets_another(given):
    moved = answer("four", **given).values
    static = {name: value for name, value in answer("rack").values.items() if name in moved}
    assert (
        {name: value.number for name, value in static.items()}
        == {name: number("four", name) for name in static}
        != {name: moved[name].number for name in static}
    )
    assert number("limits", "plain_kept") == number("implied-cache", "kept") == pytest.approx(57, rel=0.01)
    assert number("keeping", "premium_five") == number("holding", "five") == pytest.approx(7.32, rel=0.01)


def test_the_description_counts_what_is_in_flight_as_the_title_does():
    found = answer("four")
    assert "2,048 in flight" in found.finding
    assert "2,048 in flight" in found.description


def test_a_successor_that_is_sold_under_the_models_name_is_named():
    assert "The maker's price is that of DeepSeek-V4.1-Flash." in answer("four", open="deepseek-v4-flash").notes
    assert not any("is that of" in note for note in answer("four").notes)


def test_peak_hours_are_a_row_of_their_own_where_the_maker_has_them():
    rows = dict(zip(*(column("four", "rows")[key] for key in ("name", "dollars")), strict=True))
    assert rows["DeepSeek, peak"] == 2 * rows["DeepSeek, maker"]


def test_what_v4_reads_crosses_near_the_step_and_what_it_keeps_does_not():
    """30 layers read an index key of 64 bytes for 4 tokens, 31 an entry of 576 for 128: 480 + 139.5 bytes a token."""
    assert number("family", "pro_read") == pytest.approx(30 * 64 / 4 + 31 * 576 / 128)
    assert number("family", "pro_kept") == pytest.approx(30 * (576 + 64) / 4 + 31 * 576 / 128)
    fixed = 30 * 1024 * 576 + 61 * 128 * 576
    assert number("family", "pro_crossing") == pytest.approx((49e9 / 300 - fixed) / 619.5, rel=1e-3)


@pytest.mark.parametrize("name", ["flash", "pro"])
def test_at_its_crossover_a_model_fetches_what_memory_delivers_while_all_is_multiplied(name):
    found = {each: value.number for each, value in answer("family").values.items()}
    fetched = found[f"{name}_fixed"] + found[f"{name}_read"] * found[f"{name}_meet"]
    assert fetched == pytest.approx(found[f"{name}_budget"] * found[f"{name}_short"])
    assert fetched == pytest.approx(found[f"{name}_fetched"])
    assert fetched == pytest.approx(found[f"{name}_each"] * found[f"{name}_meet"])
    assert found[f"{name}_each"] == pytest.approx(found[f"{name}_inferred"] * found[f"{name}_short"])


def test_v3_comes_near_the_line_though_it_crossed_long_before():
    meet, budget = number("family", "v3_meet"), number("family", "v3_budget")
    assert meet < 200_000 / 10
    assert budget == pytest.approx(37e9 / 300)
    assert number("family", "v3_crossing") == pytest.approx(budget / number("exercise", "v3_bytes"))
    assert number("implied-cache", "kept") == pytest.approx(200_000 / number("family", "v3_crossing"))
    assert number("family", "v3_gains") == pytest.approx(budget / number("limits", "deepseek_v3"))
    assert number("family", "v3_lacks") == pytest.approx(number("exercise", "v3_bytes") - number("family", "v3_gains"))
    assert meet == pytest.approx(budget / number("family", "v3_lacks"))
    delivered = budget + 200_000 * number("family", "v3_gains")
    fetched = 200_000 * number("exercise", "v3_bytes")
    assert number("limits", "counted_kept") == pytest.approx(fetched / delivered)
    assert 1 + meet / number("limits", "deepseek_v3") == pytest.approx(meet / number("family", "v3_crossing"))


def test_the_readers_model_is_named_once_and_a_model_that_selects_stands_alone():
    for model, extra in (("deepseek-v3", 1), ("llama-3-70b", 1), ("deepseek-v4-pro", 0), ("qwen3-0.6b", 0)):
        assert len(column("implied-cache", "named", model=model)["times"]) == 6 + extra
    marks = column("implied-cache", "marks")
    alone = [name for name, row in zip(marks["name"], marks["family"], strict=True) if row == "DeepSeek-V3.2-Exp"]
    assert set(alone) == {"DeepSeek-V3.2-Exp"}


def test_the_title_says_which_crossover_it_supposes():
    assert "with the crossover there and no markup" in answer("steps").finding
    assert "at 150,000 tokens and a markup of 20%" in answer("steps", crossover="150k", markup=20).finding


def test_with_attention_counted_a_crossover_lies_where_both_sides_are_equal():
    """Multiplying takes 1 + L / 4360 and fetching L / 3370."""
    meet = number("limits", "v3_meet")
    assert 1 + meet / number("limits", "deepseek_v3") == pytest.approx(meet / number("exercise", "v3_crossover"))
    assert number("limits", "deepseek_v3") / 2 < number("exercise", "v3_crossover") < number("limits", "deepseek_v3")


def test_hits_at_the_launch_stood_as_the_caches_and_later_did_not():
    assert number("family", "first") == pytest.approx(number("family", "size"), rel=0.1)
    assert number("family", "later") < 1


def test_a_bill_of_one_request_is_described_in_the_singular():
    assert "for 1 request at" in answer("bill", requests=1).description
    assert "for 10,000 requests at" in answer("bill").description


def test_a_part_of_the_bill_that_cannot_be_seen_has_no_name():
    assert set(answer("bill").tables["named"]["label"]) == {"input", "cache write", "cache hit", "output"}
    assert "cache hit" not in answer("bill", own=1e6).tables["named"]["label"]


def test_the_premium_for_an_hour_pays_even_the_dearest_list_price_of_memory():
    values = registry.find("pricing/keeping").answer().values
    assert values["premium_rent"].number < values["premium_list"].number
    assert values["premium_over"].number * values["premium_rent"].number > values["premium_list"].number
    rents = values["premium_rent"].number, values["premium_list"].number
    assert values["meets_list"].number * rents[1] == pytest.approx(values["meets"].number * rents[0])
    assert values["meets_list"].number == pytest.approx(39.6e3, rel=1e-3)
