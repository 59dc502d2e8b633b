"""The particulars of lecture 2; what all lectures must be is in test_every.py."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.exchanges import rack_exchanges
from calc.figure import registry
from calc.figure.inputs import SCENARIO
from calc.figure.slips import likely
from calc.ledger.claims import claims
from calc.measured.runs import runs
from calc.moe.figures.in_parts import over_racks
from calc.moe.figures.timings import rack_start
from calc.step.forecasting import forecast_of
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name, of a formula, or of what somebody said or measured
    r"GB\d00|[HB]\d00|DeepSeek-(?:V3|R1)|"
    r"Qwen3-235B-A22B|Kimi K[23]|Llama 3 70B|MI308X|GLM-5\.2|FP[48]|BF16|\bV3 and R1|NVLink( 5| 4)?|NVL72|"
    r"TPU v7|every GPU has a link to each of 18 switch|"
    r"[Ee]xercise \d|[Ll]ecture \d|\(\d\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|"
    r"for 64 times|[Ii]t is 64 experts|worth 64 times|"
    r"it is 64 \*experts\*|64 times the parameters|day 6|64 experts|1 / 4|“64 times total"
)
LECTURE = Lecture(
    chapter="moe",
    number=2,
    claims="moe",
    covers=((29 * 60 + 53, 47 * 60 + 12),),
    drawn={
        "rack",
        "slices",
        "awake",
        "travel",
        "exchange",
        "racks",
        "gain",
        "speed",
        "measured",
        "timed",
        "sizes",
        "users",
        "sums",
        "layouts",
        "chips",
        "fleet",
        "way",
    },
    suggestions=4,
    small={"1", "2", "3"},  # in formulas
    names=NAMES,
    moving=frozenset({"batches", "rack", "way"}),
)

TAKEAWAY = LECTURE.text.split("## Takeaway")[1].split("## Going further")[0]


def test_the_symbols_are_those_of_the_scenario():
    assert {"batch", "tokens", "experts"} <= {value for slug, value in LECTURE.quoted if slug == "setting"}
    assert {given.name for given in registry.find("moe/setting").inputs} <= set(SCENARIO)


def test_with_favourites_too_some_chip_of_a_rack_has_all_its_experts_awake():
    """32 tokens, 256 experts dealt out four to a chip: even choices, and choices by Zipf's law."""
    luck, chips = np.random.default_rng(1), np.arange(256) // 4
    for liked, least in ((np.ones(256), 0.99), (1 / np.arange(1, 257), 0.75)):
        scores = np.log(liked) + luck.gumbel(size=(400, 32, 256))
        woken = [np.unique(np.argsort(-throw, axis=1)[:, :8]) for throw in scores]
        dealt = [luck.permutation(chips) for _ in woken]
        full = [np.bincount(chip[awake]).max() == 4 for chip, awake in zip(dealt, woken, strict=True)]
        assert np.mean(full) > least


def test_a_card_counts_its_batches_by_one_rule():
    asked = [card["back"] for card in LECTURE.cards if "{moe/batches.outlasts}" in card["back"]]
    assert asked
    assert all("moe/exchange" not in back for back in asked)


def test_over_two_gb200_racks_one_batch_gains_less_than_a_fifth():
    """As the lab says of links that hide what they can: a step of its reading, or of its exchange if that is longer."""
    found = {name: each.number for name, each in registry.find("moe/overlap").answer().values.items()}
    reading = found["weights"] + found["cache"]
    assert 1.15 < reading / max(reading / 2, found["exchange"] / 2 * 9) < 1.2
    assert "less than a fifth" in LECTURE.lab


def values(figure):
    return {name: each.number for name, each in registry.find(figure).answer().values.items()}


def test_starts_and_weights_that_every_chip_reads_fill_the_step_of_an_agent():
    """Ten times twenty tokens a second: links, fast or slow, are not what forbids it."""
    alone = values("moe/ours")["starts"] + values("moe/overlap")["copied_others"]
    assert 0.99 < alone * 200 < 1
    assert alone + values("moe/overlap")["copied_experts"] > 1 / 200


def test_bytes_take_a_quarter_as_long_as_reading_experts_and_starts_far_longer():
    """A quarter as long by bytes, two and a half times as long with starts."""
    reading, sending = values("moe/overlap")["copied_experts"], values("moe/worked")["step_inside"]
    assert 0.24 < sending / reading < 0.26
    assert 2.5 < (sending + values("moe/ours")["starts"]) / reading < 2.6


def test_the_boxes_call_the_count_ours_and_say_what_missing_time_leaves_of_it():
    """No bound: with starts of fewer chips and the time missed half a rack is behind by 5.9 per cent only."""
    found, rack, ours = values("moe/spans"), values("world/rack"), values("moe/ours")
    placed = values("moe/uneven")["placed_less"]
    shorter = ours["half_step"] - 116 * (found["slow"] - found["few_start"])
    least = 1 - (ours["one_step"] + rack["missed"]) / (shorter + rack["missed"])
    assert 0.058 < least < rack["half_less"] < found["half_four"] < placed < ours["half_less"]
    for key in ("half", "two"):
        assert 0.45 < rack[f"{key}_less"] / ours[f"{key}_less"] < 0.5
    assert (
        "As counted, with even loads, equal starts and full rates, a chip writes `#!value ours.half_less` less"
        in TAKEAWAY
    )
    assert "half a GB200 rack (an eighth as placed and timed, a tenth in FP4)" in TAKEAWAY
    assert (round(100 * placed, 1), round(100 * found["half_four"], 1)) == (12.4, 9.6)
    assert "Ten milliseconds more in each about halve these gaps." in TAKEAWAY
    wide = rack["wide_measured"] / rack["wide_counted"]
    assert abs(wide / rack["over"] - 1) < 0.01, "both nearest runs by one factor"
    assumed = [LECTURE.text.index(f"*{each}*") for each in ("even loads", "equal starts", "full rates")]
    assert assumed == sorted(assumed)
    assert assumed[-1] < LECTURE.text.index("| part of a step |")


def test_two_racks_are_further_behind_by_starts_over_nodes_and_nearer_by_missing_time():
    """Starts over two nodes, as timed with 32 tokens on a chip, add to it; the same time missing takes from it."""
    longer, ours, rack = values("world/exchange-starts"), values("moe/ours"), values("world/rack")
    assert 1.3 < longer["ratio_low"] < longer["ratio_high"]
    one = ours["one_step"]
    added = ours["starts"] * (longer["ratio_low"] - 1)
    assert abs(1 - one / (ours["two_step"] + added) - longer["less_low"]) < 1e-3
    step = ours["two_step"] - one
    assert abs(step / (step + rack["over"] * one) - rack["two_less"]) < 1e-3
    assert rack["two_less"] < ours["two_less"] < longer["less_low"]
    assert not any(sign in LECTURE.text.split("## Going further")[0] for sign in "≤≥")
    assert "at least" not in registry.find("moe/sizes").answer().finding


def test_the_bytes_under_the_timed_exchange_are_two_a_number_both_ways():
    found = values("moe/spans")
    assert abs(32 * 8 * 7168 * (2 + 2) * 63 / 64 / 900e9 / found["timed_bytes"] - 1) < 1e-3


def test_attention_in_sixteen_bits_multiplies_for_longer_than_it_reads():
    """29 sequences, 61 layers, 128 heads, 512 + 64 numbers in and 512 out, two operations each, at 2.5e15 a second."""
    found, step = values("moe/overlap"), values("moe/ours")
    assert abs(29 * 4096 * 61 * 128 * (512 + 64 + 512) * 2 / 2.5e15 / found["attended_wide"] - 1) < 0.01
    assert found["attended_wide"] / 2 < found["copied_cache"] < found["attended_wide"]
    assert 0 < found["attended_more"] < found["attended_wide"] - found["copied_cache"]
    assert found["attended_more"] < min(step["half_step"], step["two_step"]) - step["one_step"]


def test_a_lone_token_gains_less_on_average_than_in_a_throw_without_collision():
    """Eight of 256 experts, four on each of 64 chips; and of four groups of eight chips, as the model allows."""
    luck, found = np.random.default_rng(2), values("moe/throws")
    for key, chips in (("lone_quicker", 64), ("lone_limited", 32)):
        picks = np.argsort(luck.random((20_000, 4 * chips)), axis=1)[:, :8] // 4
        most = [np.bincount(each).max() for each in picks]
        assert abs(4 / np.mean(most) / found[key] - 1) < 0.01
        assert found[key] < values("moe/awake")["alone_quicker"] == 4


def test_twice_the_chips_for_one_batch_shorten_the_step_by_less_than_a_quarter():
    """Eight experts on each of 36 chips and four on each of 72; the reader's figure shows 32 and 64 alike."""
    drawn = registry.find("moe/chips").answer().tables["curve"]
    steps = dict(zip(drawn["chips"], drawn["step"], strict=True))
    found = values("moe/spans")
    assert found["fewer_chips"] == 36
    assert 0.22 < found["twice"] < 1 - steps[64] / steps[32] < 0.25
    assert steps[72] / (1 - found["twice"]) < steps[32]
    assert "five milliseconds of starts" in LECTURE.text
    assert 4.9e-3 < values("moe/ours")["starts"] + values("moe/overlap")["copied_others"] < 5e-3


def test_starts_of_fewer_chips_were_shorter_and_too_long_to_level_the_plans():
    """Starts of 64 chips are counted for 36; on fewer chips they were shorter, but too long to level the plans."""
    found, ours = values("moe/spans"), values("moe/ours")
    assert abs(found["slow"] - (ours["half_step"] - ours["one_step"]) / 116 - found["level_start"]) < 1e-8
    shortest = min(registry.find("moe/timed").answer(among=chips).values["start"].number for chips in ("8", "16", "32"))
    assert found["level_start"] < shortest < found["few_start"] < found["slow"]


def test_two_racks_with_one_copy_a_rack_stay_a_quarter_behind_and_no_more_than_three_tenths():
    found = values("moe/spans")
    assert all(0.26 < found[key] < 0.3 for key in ("two_slow", "copy_200", "copy_even"))
    assert found["two_200"] > 0.5


def test_a_user_of_the_batch_for_which_half_a_rack_is_as_good():
    """Starts, other work at 420 tokens, and multiplying: about 22.9 ms."""
    assert abs(1 / values("moe/spans")["even_speed"] - 22.9e-3) < 1e-4
    assert values("moe/spans")["even_speed"] < 50
    found, rack = values("moe/spans"), values("world/rack")
    step = 1 / found["even_speed"]
    assert 18 < 1 / (rack["over"] * step) < 18.5 < 30 < 1 / (rack["missed"] + step) < 31
    assert "`#!value spans.half_even` users get nearer forty tokens a second." in LECTURE.text
    extra = rack["measured"] - rack["counted"] + rack["line_each"] / 29 * (found["half_even"] - rack["each"])
    assert 18.5 < 1 / (extra + step) < 30  # by a line through both runs
    half = values("moe/ours")["half_step"]
    for key, shown, exact in (
        ("factor_ours", 2.4 * 8.6, rack["over"] * half),
        ("factor_even", 2.4 * 22.9, rack["over"] * step),
        ("equal_ours", 8.6 + 10, rack["missed"] + half),
        ("equal_even", 22.9 + 10, rack["missed"] + step),
    ):
        assert round(1e3 / shown) == round(found[key])
        assert found[key] == pytest.approx(1 / exact, rel=0.015)
    assert (round(found["factor_even"]), round(found["equal_even"])) == (18, 30)
    assert "eighteen to thirty with extra time." in TAKEAWAY
    assert "$8.6 + (423 - 29) \\times 0.0362 = 22.9$ ms" in LECTURE.text
    assert round(2550 / (8.17 - 2.14)) == 423
    assert round(8.6 + (423 - 29) * 0.0362, 1) == 22.9
    for each in (1e3 / 22.9, found["even_speed"]):
        assert round(each) == 44
    assert "forty-four tokens a second as counted, at one token a step" in TAKEAWAY


def test_tokens_for_which_half_a_rack_is_as_good_solve_the_sum_that_is_shown():
    """36.9 kB at each expert: 7,168 and 2,048 numbers in and 2,048 and 7,168 out, two bytes each."""
    found, ours = values("moe/spans"), values("moe/ours")
    assert found["passed_bytes"] == 58 * 8 * 2 * 2 * (7168 + 2048)
    assert "$2 \\times (7{,}168 + 2{,}048)$ numbers, in and out, of two bytes at $58 \\times 8$ experts" in LECTURE.text
    assert abs(found["passed_bytes"] / values("moe/overlap")["memory"] / found["passed"] - 1) < 1e-6
    shown = {
        round(1e6 * found["multiplied"], 2),
        round(1e6 * found["passed"], 2),
        round(1e5 * ours["half_experts"]) * 10,
    }
    assert shown == {8.17, 2.14, 2550}
    assert "$2{,}550/(8.17 - 2.14)$, or $423$ tokens" in LECTURE.text
    passed = values("moe/overlap")["copied_passed"]
    assert 29 * found["passed"] < passed, "a part of what all products pass"
    even = round(found["half_even"], -1)
    favoured = "tokens a chip on, with uncopied favourites earlier."
    assert f"it keeps up from $300$ or ${even:.0f}$ {favoured} At ${even:.0f}$ users" in TAKEAWAY
    assert abs(2550 / (8.17 - 2.14) / found["half_even"] - 1) < 0.01
    assert round(58 * 8 * 44e6 * 2 / found["rate"] * 1e6, 2) == 8.17
    assert round(17.1e6 / values("moe/overlap")["memory"] * 1e6, 2) == 2.14


def test_half_a_rack_holds_so_many_sequences_up_to_ten_thousand_tokens():
    """Beside 20.4 and 16.2 GB of weights, a token of cache in 61 layers of 576 bytes."""
    room = (values("moe/spans")["memory"] - 20.4e9 - 16.2e9) / (61 * 576)
    assert 1e4 < room / values("moe/spans")["half_even"] < 1.15e4
    assert "has room for $420$ sequences up to a context of ten thousand." in LECTURE.text


def test_what_a_chip_of_one_rack_reads_less_is_its_lead_where_both_plans_miss_equal_time():
    """With a factor the lead is longer: 1.28 ms, 2.4 times."""
    lead = values("moe/ours")["half_step"] - values("moe/ours")["one_step"]
    assert lead == pytest.approx(values("moe/overlap")["copied_experts"])
    assert "one rack has `#!value overlap.copied_experts` to spare." in LECTURE.text


def test_with_popes_links_a_second_rack_loses_a_fifth_as_much():
    """Bytes of 4 x 322 us: 0.64 + 2.75 + 1.29 + 2.97 = 7.65 ms, beside 7.32."""
    assert values("moe/blackboard")["two_less"] == pytest.approx(1 - 7.317 / 7.639, abs=1e-3)
    assert "Pope assumes `#!value blackboard.ratio`" in LECTURE.text
    assert "(with Pope's $\\rho$ `#!value blackboard.two_less`)" in TAKEAWAY


def test_starts_hardly_vary_up_to_a_hundred_tokens():
    few = [rack_start(tokens=each.tokens) for each in rack_exchanges() if each.chips == 64 and each.tokens <= 128]
    assert (round(2 * min(few)), round(2 * max(few))) == (50, 61)
    assert rack_start(tokens=512) > 1.5 * max(few)
    assert "Up to about a hundred tokens on a chip the rest took $50$ to $61$ µs." in LECTURE.text


def test_experts_in_four_bits_leave_one_rack_nineteen_users_more():
    """Nine sixteenths of 1.28 ms, over some 36 us a user."""
    step, found = values("moe/ours"), values("moe/spans")
    each = (step["other"] - values("moe/overlap")["copied_others"] + values("moe/worked")["step_inside"]) / 29
    assert int(29 + 9 / 16 * (step["half_step"] - step["one_step"]) / each) == 48
    assert 29 / (1 - found["half_four"]) < 48 < step["one_users"]
    assert "serves `#!value ours.one_users` users in FP8, forty-eight in FP4." in LECTURE.text


def test_starts_take_nine_times_as_long_as_the_bytes():
    ours, sent = values("moe/ours"), values("moe/worked")["step_inside"]
    assert 8.5 < ours["starts"] / sent < 9.5
    assert "nine times as long as the bytes in one rack" in LECTURE.text


def test_a_chip_reads_all_its_experts_because_a_batch_picks_each():
    assert 2048 * 8 / 256 == values("moe/throws")["large_mean"] == 64
    assert "$2{,}048 \\times 8 / 256$" in LECTURE.text


def test_a_good_guess_about_doubles_the_speed_where_half_a_rack_is_as_good():
    """420 tokens are of 210 users, so half of the cache; the second token is accepted in 85 to 90 per cent of steps."""
    found, rack, own = values("moe/spans"), values("world/rack"), values("moe/overlap")
    step = 1 / found["even_speed"]
    guessing = step - found["half_even"] / 2 * own["copied_cache"] / 29
    for plain, guessed in (
        (step, guessing),
        (step + rack["missed"], guessing + rack["missed"]),
        (step * rack["over"], guessing * rack["over"]),
    ):
        assert all(1.9 < kept * plain / guessed < 2.4 for kept in (1.85, 1.9))
    assert LECTURE.text.count("one good guess a step") == 1


def test_links_out_of_the_published_day_are_as_slow_as_those_of_the_rack():
    day, rack = (catalog.system(name).known("scale_out_bandwidth") for name in ("hgx-h800", "gb200-nvl72"))
    assert day == rack == values("moe/worked")["link_out"]
    assert "links out were as slow as our rack's" in LECTURE.text


def test_over_two_racks_the_bytes_take_nine_times_as_long_as_the_takeaway_says():
    assert values("moe/blackboard")["two_gb200"] == 9
    assert "the bytes of a copy for each expert take $\\rho/2$ times as long, here nine." in TAKEAWAY
    assert "In one rack messages take nine times as long to start as our bytes to cross." in TAKEAWAY
    assert "Slices send nine times the bytes." in TAKEAWAY
    assert round(2.9 / 0.32) == 9


def test_two_racks_sum_with_the_factor_that_the_text_prints():
    """0.64 + 2.75 + 2.89 and 1.32 times 2.97 ms."""
    longer = registry.find("world/exchange-starts").answer().values
    assert longer["ratio_low"].text == "1.32×"
    assert abs(0.639 + 2.75 + 2.89 + 1.32 * 2.97 - 1e3 * longer["racks_low"].number) < 0.01


def test_what_the_count_of_one_rack_misses_is_the_same_in_each_plan():
    rack, one = values("world/rack"), values("moe/ours")["one_step"]
    assert abs(rack["missed"] - (rack["over"] - 1) * one) < 1e-5
    assert 9.5e-3 < rack["missed"] < 10.5e-3


def test_the_published_day_kept_about_seven_units_of_nodes_writing():
    assert 6.5 < values("moe/day-fleet")["decode_nodes"] / values("moe/day")["nodes"] < 7.5
    assert "about seven units of `#!value day.nodes`" in LECTURE.text


def test_the_rack_that_adds_most_to_an_exchange():
    """The second with a copy for each expert; with one copy a rack the third."""
    for system in ("gb200-nvl72", "gb300-nvl72"):
        drawn = registry.find("moe/racks").answer(system=system).tables["curve"]
        for way, most in (("This system's links", 2), ("One copy a rack", 3)):
            times = [time for name, time in zip(drawn["way"], drawn["slowdown"], strict=True) if name == way]
            assert int(np.argmax(np.diff(times))) + 2 == most
    assert "with one copy a rack the third adds most for deepseek-v3" in LECTURE.text.lower()


def test_halves_hide_every_batch_whose_multiplying_outlasts_its_exchange():
    """At a context of a thousand an exchange within a rack outlasts the cache, and is shorter than the products."""
    found, worked = values("moe/overlap"), values("moe/ours")
    short = worked["cache_each"] * 1000 / 4096
    assert short < found["exchange"] / found["small_batch"]
    assert registry.find("moe/exchange").answer(context=1000).values["hidden"].text == "any size"
    assert "longer than its cache and its arithmetic, halves hide it only" in LECTURE.text


def test_what_limits_reading_is_said_of_the_example():
    """A dense model on nodes of eight, which a button of the same picture sets, reads at the rate of its links."""

    def limit(**given):
        return registry.find("moe/way").answer(**given).tables["lanes"]["limit"]

    assert limit() == ["arithmetic", "links", "weights"]
    assert limit(model="llama-3-70b", system="hgx-h100", batch=64, startup=5)[0] == "links"
    assert "In our example arithmetic limits reading, and memory writing." in LECTURE.text


def test_two_racks_by_one_count_have_no_bound():
    """With the same time missing from both plans a chip of two racks writes about an eighth less, not a quarter."""
    found, rack = values("moe/spans"), values("world/rack")
    one, two = values("moe/ours")["one_step"], found["two_slow_step"]
    assert 1 - (one + rack["missed"]) / (two + rack["missed"]) < 0.15 < found["two_slow"]
    assert "at least `#!value spans.two_slow`" not in LECTURE.text


def test_one_reading_of_the_weights_in_place_of_two_is_called_that():
    for name in ("design_hidden", "design_hidden_copy"):
        value = registry.find("moe/exercise").answer().values[name]
        named = {slip.factor: slip.sentence for slip in likely(value.number, value.unit, value.slips)}
        assert "each half reads all weights" in named[0.5]


def test_halves_pay_before_the_formula_has_it():
    """Weights of 3.3 ms, an exchange of 288 us at 2,048 sequences; experts that multiply for longer than they read."""
    found, step = values("moe/overlap"), values("moe/ours")
    by_formula = found["copied"] / step["exchange"] * found["small_batch"]
    assert 0.8 < step["pays"] / by_formula < 0.95
    assert step["pays"] > values("moe/batches")["experts"]


def test_copies_give_equal_work_on_half_a_rack_and_a_tenth_more_at_most_on_whole_ones():
    """32 copies and their originals stand on 64 chips: enough for 36, so 420 tokens hold; 8 of 72 hold none."""
    worked, found, ours = values("moe/worked"), values("moe/spans"), values("moe/ours")
    assert found["fewer_chips"] <= 2 * worked["fill"] < worked["chips"]
    assert abs(29 * 8 * 7168 * 3 / worked["sent"] - 1) < 1e-9
    assert abs(ours["half_experts"] / (found["multiplied"] - found["passed"]) / found["half_even"] - 1) < 0.01
    more = worked["received"] / worked["sends"] - 1
    assert 0.1 < more < 0.11
    one, two = (ours[f"{key}_step"] + more * sent for key, sent in (("one", worked["step_inside"]), ("two", 0)))
    assert ours["half_less"] - 0.005 < 1 - one / ours["half_step"] < ours["half_less"]
    assert 1 - one / (two + more * ours["two_exchange"]) > ours["two_less"]
    assert (worked["sends"], worked["received"]) == (29 * 8, 2048 * 8 / 64) == (232, 256)
    busier, sent = 72 / 64 * found["multiplied"], worked["step_inside"] / 29
    uneven, longer = values("moe/uneven"), sent / 8  # nine copies come for eight that a chip sends
    meet = ours["half_experts"] / (busier + longer - found["passed"])
    assert meet == pytest.approx(uneven["placed_even"])
    assert (round(1e6 * busier, 1), round(meet, -1)) == (9.2, 300)
    own = (ours["other"] - values("moe/overlap")["copied_others"]) / 29 + sent
    assert 1 / (ours["half_step"] + (meet - 29) * own) == pytest.approx(uneven["placed_speed"])
    assert "$2{,}550/(9.19 + 1.39 - 2.14)$, or about $300$ tokens, where" in LECTURE.text
    assert "its bytes take $322/29/8 = 1.39$ µs longer." in LECTURE.text
    assert round(2550 / (9.19 + 1.39 - 2.14), -1) == 300
    assert (round(72 / 64 * 8.17, 2), round(322 / 29 / 8, 2)) == (9.19, 1.39)


def test_favourites_let_half_a_rack_keep_up_far_earlier():
    """Both plans' hottest chips get 2.56, or 1.12, times as many: 2.55 ms over 6.03 us a token and so many times."""
    uneven, loads = values("moe/uneven"), values("moe/throws")
    assert uneven["counted_even"] == pytest.approx(2554 / 6.03 / 2.56, rel=5e-3)
    assert uneven["filled_even"] == pytest.approx(2554 / 6.03 / loads["counted_filled"], rel=5e-3)
    tokens = uneven["counted_even"]
    half = 2.018 + 2.968 + 2.554 + tokens * (2.56 * (2.14 + 11.09) + 36.2 - 2.14 - 11.09) / 1e3
    one = half - 2.554 - tokens * 2.56 * 2.14 / 1e3 + tokens * 2.56 * 8.17 / 1e3
    assert half == pytest.approx(one, rel=5e-3)
    assert uneven["counted_speed"] == pytest.approx(1e3 / half, rel=5e-3)
    assert "they meet at $423/2.56$;" in LECTURE.text
    assert registry.find("moe/throws").answer().values["counted"].text == "2.56×"


def test_in_four_bits_a_user_of_half_a_rack_is_faster_and_the_lines_meet_at_a_lower_speed():
    """8.60 ms less seven sixteenths of 2.55; then 708 tokens more at 36.2 us."""
    uneven, found = values("moe/uneven"), values("moe/spans")
    step = 8.596 - 7 / 16 * 2.554
    assert uneven["four_speed"] == pytest.approx(1e3 / step, rel=2e-3)
    assert uneven["four_even"] == pytest.approx(1e3 / (step + (found["even_four"] - 29) * 0.0362), rel=2e-3)


def test_slices_cost_more_to_send_than_they_save_in_reading_and_multiply_in_time():
    """256 of 72 experts' worth instead of four; at a quarter of the full rate they would still multiply in time."""
    read, sent = values("moe/overlap")["copied_experts"], values("moe/worked")["step_inside"]
    saved, times = read * (1 - 256 / 72 / 4), registry.find("moe/slices").answer().values["times"].number
    assert (round(1e3 * saved, 2), round(1e3 * sent, 2), round(1e3 * times * sent, 1)) == (0.14, 0.32, 2.9)
    assert "Slices send nine times the bytes: $2.9$ ms, not $0.32$. Reading takes $0.14$ ms less." in LECTURE.text
    assert 4 * 29 * values("moe/spans")["multiplied"] < read - saved


def test_all_nearest_runs_took_longer_than_forecast():
    wide = (runs().chips == 32) & runs().are("precision", "fp8")
    ratios, here = runs().over_forecast[wide], wide & runs().are("system", "gb200-nvl72")
    assert sum(here) == 4
    assert max(runs().in_flight[here]) / 32 == values("world/rack")["each"]
    assert "the fullest of four on" in LECTURE.text
    told = values("serving/error")
    assert (len(ratios), 32) == (told["most_runs"], told["most_chips"]) == (16, values("world/rack")["chips"])
    assert "All sixteen of this model in FP8 on `#!value world/rack.chips` chips, GB200 or GB300, took" in LECTURE.text
    assert min(ratios) > 1
    assert values("world/forecast")["nodes"] == 5
    assert "Five on two nodes of H100 took" in LECTURE.text


def test_a_user_speed_is_bounded_at_one_token_a_step():
    """Two tokens a step of 210 sequences are the same 420 tokens, with no more cache."""
    card = next(card["back"] for card in LECTURE.cards if "{moe/spans.even_speed}" in card["back"])
    first = next(part for part in LECTURE.text.split("\n") if "ours.speed" in part)
    assert all("at one token a step" in text.lower() for text in (card, first, TAKEAWAY))


def test_the_same_time_missing_leaves_less_of_the_lead():
    """0.07 and 0.10 from 7.32, 8.60 and 9.25 ms and 1.4 times 7.32."""
    rack = values("world/rack")
    assert 0.065 < rack["half_less"] < 0.075 < 0.095 < rack["two_less"] < 0.105
    assert "| `#!value world/rack.missed` more | `#!value world/rack.half_less` less |" in LECTURE.text
    assert "two racks write `#!value world/rack.two_less` less" in LECTURE.text
    assert abs(1.28 / (8.6 + 1.4 * 7.32) - rack["half_less"]) < 2e-3


def test_one_rack_serves_as_many_users_more_at_each_speed_while_reading_limits():
    """1.28 ms saved over 36 us a token are 35 tokens, while chips read their experts for longer than they multiply."""
    step = values("moe/ours")
    each = (step["other"] - values("moe/overlap")["copied_others"] + values("moe/worked")["step_inside"]) / 29
    assert 34.5 < (step["half_step"] - step["one_step"]) / each < 35.5
    for given in ({}, {"users": 136}):
        served = registry.find("moe/users").answer(**given).values
        assert abs(served["one_users"].number - served["half_users"].number - 35) <= 1
    assert "one copy a rack is quicker from `#!value world/exchange-relays.counted`" in LECTURE.text
    assert 35.5e-6 < each < 36.5e-6
    assert "Each sequence takes $(522 + 205 + 322)/29 = 36.2$ µs: its cache" in LECTURE.text
    assert round((522 + 205 + 322) / 29, 1) == 36.2
    assert int(1280 / 36.2) == 35
    assert "So there is room for thirty-five more sequences." in LECTURE.text


def test_multiplying_takes_over_on_one_rack_at_half_the_tokens():
    """2.55 ms, or 1.28, over 8.17 and 2.14 us a token."""
    found = values("moe/spans")
    one = values("moe/overlap")["copied_experts"] / (found["multiplied"] - found["passed"])
    assert abs(one / found["half_even"] - 0.5) < 0.01
    assert one > 172, "users of one rack at 80 tokens a second: it reads for longer than it multiplies"


def test_a_line_through_the_extra_time_of_both_runs():
    """14.2 ms with 63 tokens and 60.6 with 1,408: 12 ms and 34.5 us a token; 1.28 ms over 34.5 and 36 us buy 18."""
    rack, step = values("world/rack"), values("moe/ours")
    few, many = (rack[f"{run}measured"] - rack[f"{run}counted"] for run in ("", "wide_"))
    each = (many - few) / (rack["wide_each"] - rack["each"])
    assert abs(each * 29 - rack["line_each"]) < 1e-6
    fixed, saved = few - each * rack["each"], step["half_step"] - step["one_step"]
    assert 11.5e-3 < fixed < 12.5e-3
    assert abs(saved / (step["half_step"] + fixed + each * 29) - rack["line_less"]) < 1e-4
    own = saved / (step["one_users"] - 29)  # of a token, as counted
    assert abs(29 + saved / (each + own) - rack["line_one"]) < 1
    assert values("moe/overlap")["fullest"] == 29
    assert "a chip of one serves `#!value world/rack.line_one` users." in LECTURE.text


def test_in_four_bits_the_plans_meet_later():
    """9 in place of 16 bits of two weights to read, with scales, and half of the multiplying: 1,437 / (4.09 - 2.14)."""
    found, ours = values("moe/spans"), values("moe/ours")
    tokens = 9 / 16 * ours["half_experts"] / (found["multiplied"] / 2 - found["passed"])
    assert abs(tokens / found["even_four"] - 1) < 0.01
    assert found["even_multiplying"] < found["half_even"] < found["even_reading"] < found["even_four"]


def test_the_forecast_is_milder_on_half_a_rack_by_either_measure():
    found, ours = values("moe/spans"), values("moe/ours")
    assert found["half_less"] < ours["half_less"]
    assert 1 - 29 / found["forecast_users"] < 0.3 < 0.5 < 1 - 29 / ours["one_users"]
    assert found["two_apart_less"] > ours["two_less"]


def test_a_user_of_one_rack_adds_three_times_as_much_to_a_step_by_the_forecast_as_counted():
    """Both plans with as many tokens on a chip, half a rack at 62.6 tokens a second; as counted some 36 us a user."""
    few, many = (forecast_of(over_racks(1, "gb200-nvl72", 72 * each, 4096, relay=False)).seconds for each in (29, 41))
    step = values("moe/ours")
    own = (step["half_step"] - step["one_step"]) / (step["one_users"] - 29)
    assert 2.9 < float(many - few) / 12 / own < 3.5
    assert values("moe/spans")["forecast_users"] == 41 == int(29 + 1.46 / 0.12)
    half = float(forecast_of(over_racks(0.5, "gb200-nvl72", 72 * 29, 4096, relay=False)).seconds)
    assert abs(half - float(few) - 1.46e-3) < 0.01e-3
    assert abs(float(many - few) / 12 - 0.12e-3) < 0.005e-3
    assert "$29 + 1.46/0.12$, or `#!value spans.forecast_users`" in LECTURE.text


def test_which_part_decides_is_answered_by_the_table():
    """Starts are the longest of four parts; experts and bytes alone differ between the plans."""
    bars = registry.find("moe/sizes").answer().tables["bars"]
    longest = max(("Experts", "Other work", "Bytes", "Starts"), key=lambda part: np.mean(bars[part]))
    assert longest == "Starts"
    assert [part for part in ("Experts", "Other work", "Bytes", "Starts") if np.ptp(bars[part]) > 1e-9] == [
        "Experts",
        "Bytes",
    ]


def test_four_copies_that_leave_take_nine_times_as_long_as_eight_that_stay():
    found = values("moe/blackboard")
    assert 8 * 0.5 * found["ratio_gb200"] == 72 == 8 * found["two_gb200"]
    assert (
        "$4 \\times 18 = 72$ copies within, `#!value blackboard.two_gb200` as long as one rack's eight" in LECTURE.text
    )


def test_bytes_that_other_work_reads_and_passes_are_the_sums_that_are_shown():
    """A byte a weight; 58 layers of 256 experts, and a table of 129,280 rows."""
    found = values("moe/overlap")
    routed, table = 58 * 256 * 3 * 7168 * 2048, 129_280 * 7168
    assert (round(routed / 1e9, 1), round(table / 1e9, 1)) == (653.9, 0.9)
    read = found["copied_others"] * found["memory"]
    assert round((read + routed + table) / 1e9, 1) == 671.0
    assert round(671.0 - 653.9 - 0.9, 1) == round(read / 1e9, 1) == 16.2
    assert "for $671.0 - 653.9 - 0.9 = 16.2$ GB of weights" in LECTURE.text
    assert round(29 * found["passed_token"] / 1e9, 2) == round(29 * 56.4e-3, 2) == 1.64
    assert round(1.64 / 8 * 1e3) == round(1e6 * found["copied_passed"]) == 205
    assert "for $1.64$ GB that multiplications take in and give out" in LECTURE.text


def test_bytes_of_a_token_of_context():
    """Its own place is read with those of its past."""
    assert values("moe/overlap")["cache_token"] / 4097 * 4096 == pytest.approx(576 * 61)


def test_links_within_an_h800_are_four_times_as_fast_as_those_out():
    assert round(values("moe/measured")["ratio"]) == 4
    assert "those within only four times as fast" in LECTURE.text


def test_a_second_rack_costs_more_from_eight_tokens_on_a_chip():
    """639 us of reading saved, and 2.57 ms more of bytes with 29 tokens."""
    step, found = values("moe/ours"), values("moe/spans")
    more = (step["two_exchange"] - values("moe/worked")["step_inside"]) / 29
    assert int(step["two_experts"] / more) == found["two_most"] == 7
    longer = values("world/exchange-starts")["ratio_low"] - 1
    assert step["starts"] * longer > step["two_experts"]  # a loss with however few
    assert "On our racks, with about thirty tokens on a chip, that is a loss." in LECTURE.text


def test_halves_hide_the_bytes_of_a_rack_and_not_its_starts():
    """A dispatch of half our batch starts in 25.6 us; reading four experts takes 22. As does one of 44 tokens."""
    found, step, worked = values("moe/overlap"), values("moe/ours"), values("moe/worked")
    assert worked["step_inside"] / 3 * 88 / 29 < found["copied_experts"] < step["starts"] / 2
    assert step["one_halved"] - found["copied_others"] - found["copied_experts"] > step["one_step"] - step["starts"]
    assert "of context, if only bytes count." in LECTURE.text
    assert "If only bytes count, two halves hide it" in claims()["B3"].why


def test_no_user_of_the_nearest_run_would_get_the_speed_that_is_counted():
    """2.4 times 8.6 ms, or 10 ms more, are some fifty tokens a second; one rack without cache would give 61 to 67."""
    rack, step = values("world/rack"), values("moe/ours")["half_step"]
    for seconds in (rack["over"] * step, rack["missed"] + step):
        assert 48 < 1 / seconds < 55
    least = values("moe/ours")["one_step"] - values("moe/overlap")["copied_cache"]
    assert 1 / min(rack["over"] * least, rack["missed"] + least) < 70 < values("moe/ours")["speed"]


def test_starts_decide_how_sure_the_order_of_the_plans_is():
    """(2.97 - 1.28) ms over 116 starts; 7.32 over 9.25 ms and 0.32 of 2.97 ms more."""
    found, longer = values("moe/spans"), values("world/exchange-starts")
    assert abs((2.97e-3 - 1.28e-3) / 116 - found["level_start"]) < 1e-7
    assert abs(1 - 7.32 / (9.25 + 0.322 * 2.97) - longer["less_low"]) < 1e-3
    first = LECTURE.text.split("## Going further")[0]
    assert "only `#!value spans.level_start`, half a rack would be as quick as one rack. No start timed within" in first


def test_the_exchange_is_no_bound_where_its_bytes_are_those_of_a_copy_for_each_expert():
    first = LECTURE.text.split("## Going further")[0]
    assert "\\ge" not in first + LECTURE.lab
    assert 0.1 < 1 - values("moe/spans")["copies"] / 8 < 0.11
    assert 0.1 < 1 - values("moe/ours")["exchange"] / values("moe/worked")["step_inside"] < 0.11
    assert "it is [a tenth less](#what-hiding-costs)" in first


def test_cards_and_exercise_that_leave_out_starts_speak_of_bytes():
    """Over two racks bytes take nine times as long; with starts as timed an exchange takes less than twice as long."""
    found = values("moe/ours")
    one = values("moe/worked")["step_inside"]
    assert found["two_exchange"] / one > 8
    assert (found["two_exchange"] + found["starts"]) / (one + found["starts"]) < 2
    assert any(card["front"].startswith("How much longer do the bytes of an all-to-all") for card in LECTURE.cards)
    assert any("over two racks the bytes of the exchange take" in card["back"] for card in LECTURE.cards)
    assert "do the exchange's bytes take? At which" in LECTURE.text


def test_a_published_step_is_said_to_write_one_token_for_each_user():
    said = [card["back"] for card in LECTURE.cards if "{moe/day.step}" in card["back"]]
    said += [line for line in LECTURE.text.splitlines() if "`#!value day.step`" in line]
    assert len(said) == 2
    assert all("one token for each" in text for text in said)


def test_with_starts_as_timed_halves_pay_four_times_later_by_the_stages_than_if_all_were_hidden():
    """A start of 25.6 us outlasts 22 us of reading four experts, so both stages of experts last as long as transfers.

    In turn 7.72, 7.32 ms and so on; at 136 tokens what halves read twice is what their attention hides.
    """
    found, ours, slow = values("moe/overlap"), values("moe/ours"), values("moe/spans")["slow"]
    tokens = ours["pays_staged"] / 72
    read, sent = found["copied_experts"], tokens * 8 * 7168 * 3 / 900e9 * 58
    own = (ours["other"] - found["copied_others"]) / 29 * tokens
    starts = ours["starts"]
    whole = read + found["copied_others"] + own + sent + starts
    attention = found["copied_others"] + own / 2
    halves = 2 * attention + starts + sent / 2  # each way of a half outlasts its experts, and hides under attention
    assert slow > read / 58
    assert abs(halves / whole - 1) < 0.01
    assert 3.5 < ours["pays_staged"] / values("moe/spans")["pays_slow"] < 4.5


def test_a_long_context_leaves_exchange_behind_the_experts_stages():
    """Shared evenly on the links out, where cache and exchange take as long: a combine of 0.91 us over 0.06."""
    found, ours = values("moe/overlap"), values("moe/ours")
    combine = ours["exchange_out"] / 3  # of a half, a sequence of the batch
    multiplying = values("moe/spans")["multiplied"] / 72 / 2
    batch = 5000
    assert combine * batch > 3 * max(multiplying * batch, found["weights"])
    assert "behind experts a large batch still sticks out" in LECTURE.text


def test_a_dense_models_sums_outlast_its_arithmetic_at_short_contexts_alone():
    for context, longer in ((1000, True), (4096, True), (16_000, False)):
        assert (registry.find("moe/sums").answer(context=context).values["ratio"].number > 1) == longer
    assert "More sequences do not change that, attention to long contexts does." in LECTURE.text


def test_conditions_of_the_boxes_are_said():
    """The bytes outlast the reading of experts from some 116 tokens."""
    step, each = values("moe/ours"), values("moe/worked")["step_inside"] / 29
    assert 110 * each < values("moe/overlap")["copied_experts"] < 120 * each
    assert step["starts"] > 100 * each
    first = LECTURE.text.split("## Going further")[0]
    assert "Within a rack the bytes of our step take less time than reading experts." in first
    assert "a quarter of the time that a chip reads its experts." in first


def test_long_starts_ask_for_copies_of_attention_where_short_ones_ask_for_positions():
    few = {"batch": "4", "context": "128k"}
    short, timed = (registry.find("moe/layouts").answer(**few, startup=start).values for start in ("5", "25.6"))
    assert short["positions"].number < short["least"].number < short["single"].number
    assert timed["least"].number == timed["single"].number < timed["positions"].number
    assert "copy attention where the batch is large or starts are long. With short starts, cut" in LECTURE.text


def test_answers_fill_machines_until_prompts_are_much_longer():
    found = registry.find("moe/fleet").answer().values
    share, ratio = found["share"].number, found["ratio"].number
    assert 15 < ratio * (1 - share) / share < 20
    assert "until prompts are much longer." in LECTURE.text


def test_times_over_nodes_rise_by_as_much_as_their_bound():
    for way in registry.find("moe/measured").inputs[0].options:
        found = registry.find("moe/measured").answer(way=way)
        bound, timed = np.reshape(found.tables["points"]["seconds"], (2, -1))[:, :4]
        assert timed[-1] - timed[0] == pytest.approx(bound[-1] - bound[0], rel=0.04)
        assert ", as much as the bound;" in found.finding
