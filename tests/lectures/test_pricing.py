"""The particulars of lecture 6; what all lectures must be is in test_every.py."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest

from calc import catalog
from calc.batching.figures.shared import chip_ratio
from calc.figure import registry
from calc.pricing.bill import Traffic, bill
from calc.pricing.figures.reading import reading_times
from calc.pricing.figures.setting import per_token
from calc.pricing.figures.shared import Slower, meeting
from calc.pricing.figures.sheets import history
from calc.pricing.implied import value_of_an_hour
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name
    r"Gemini \d\.\d Pro|Gemini \d|GPT-\d Astra|Claude (Sonnet|Haiku) \d\.\d|(Claude )?Opus \d(\.\d)?|Haiku \d\.\d|"
    r"Llama 3(\.1)? (\d+B)?|Qwen3-235B-A22B|Qwen3 (Max|0\.6B)|"
    r"(DeepSeek-)?V[34](\.\d|-Flash|-Pro)?|gpt-oss-120b|Kimi K\d(\.\d)?|\bR1\b|GB200|[BH]\d00|"
    r"FP[48]|BF16|\bE\d\d?\b|[Ee]xercise \d|[Ll]ecture \d|\(\d+\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b"
)
LECTURE = Lecture(
    chapter="pricing",
    number=6,
    claims="E",
    covers=((93 * 60 + 2, 124 * 60 + 2),),
    drawn={
        *("four", "steps", "implied-cache", "output-input", "surplus", "tiers"),
        *("break-even", "holding", "shelf", "sheets", "bill"),
    },
    suggestions=3,
    small={"1", "3600"},  # in formulas
    names=NAMES,
)


def test_equations_are_numbered_in_order_and_only_those_are_referred_to():
    tags = [int(tag) for tag in re.findall(r"\\tag\{(\d+)\}", LECTURE.text)]
    assert tags == list(range(1, len(tags) + 1))
    elsewhere = LECTURE.text.replace("equations (1), (3), (4) and the critical context of [lecture 1]", "")
    assert {int(tag) for tag in re.findall(r"[^c]\((\d+)\)", elsewhere)} <= set(tags)


def test_what_holds_at_one_setting_of_a_figure_is_said_of_that_setting():
    """One sheet has no step, other crossovers lose from elsewhere on, and one vendor moved no ratio."""
    steps = registry.find("pricing/steps")
    assert "one price at every length" in steps.answer(sheet="claude-sonnet-4.6").finding
    assert steps.answer(crossover="150k").values["longest"].number < steps.answer().values["longest"].number
    assert "With a step the price is a stair. In the opening setting cost is level" in LECTURE.text
    assert (
        "in that setting, which has no markup (profit over cost), from `#!value blackboard.longest` on" in LECTURE.text
    )
    sheets = registry.find("pricing/sheets")
    still = [
        maker
        for maker in sheets.inputs[0].options
        if all(
            len({round(getattr(row, kind) / row.input, 4) for row in history()[maker] if getattr(row, kind)}) == 1
            for kind in ("cached_input", "output")
        )
    ]
    assert still == ["Mistral AI"]
    assert "is a ratio, and at most vendors moves too" in LECTURE.text


def test_what_turns_on_a_choice_names_it():
    """Whose income counts, what a short token costs, which bytes are meant, and what a list cannot show."""
    value = {
        name: each.number
        for slug in ("request", "day", "family", "exercise")
        for name, each in registry.find(f"pricing/{slug}").answer().values.items()
    }
    assert value["full_pro"] < value["alike_pro"] < 1 < value["asks_pro"] < 1.05 < value["asks_pro_half"] < 1.25
    assert "leaves no surplus. The request costs about its price in V4-Pro's design" in LECTURE.text
    assert "For V4-Pro the assumptions decide" in LECTURE.text  # other fair ones are on either side of the price
    assert value["hits_pro"] < 1 < value["asks_pro_half"]
    assert 0.2 * value["reading_v3"] > 10 * value["paid"]  # reading alone
    assert value["prompt_pro"] > value["prompt_paid"]
    assert value["hits_pro"] == pytest.approx(value["asks_pro"] - 0.09 / 0.778)  # the surplus turns on what hits cost
    assert value["grows_pro"] * value["each_pro"] == pytest.approx(2 * value["pro_active"])
    index = reading_times("deepseek-v4-pro", 1e5, 9e5, Slower(0.0, 1.0)) - 1
    rest = value["before"] / value["each_pro"]
    assert index / rest == pytest.approx(2 / 3, abs=0.01)  # in the fold
    assert value["works_pro"] / value["weights_pro"] == pytest.approx(value["reading_pro"])  # both sums of the table
    grown = value["windows_pro"] + value["before"] * value["grows_pro"]
    assert value["works_pro"] == pytest.approx(value["weights_pro"] + grown)
    assert value["fetches_pro"] == pytest.approx(value["pro_fixed"] + 1e6 * value["pro_read"])
    assert value["fetches_pro"] / value["pro_budget"] == pytest.approx(value["writing_pro"])
    whole = value["weights_pro"] + value["windows_pro"] + 1e6 * value["grows_pro"]
    assert value["works_written"] == pytest.approx(whole, rel=1e-4)  # a token written multiplies too
    assert value["works_written"] / value["weights_pro"] == pytest.approx(value["multiplies_pro"])
    assert value["reading_pro"] < value["multiplies_pro"] < value["writing_pro"]  # fetching is the longer
    assert "which have nothing before them, so no fixed part" in LECTURE.text
    lost = value["answer_pro"] - value["written_paid"]
    assert value["gap_pro"] == pytest.approx(value["prompt_cost"] - lost)  # the notice of the picture
    left = value["paid"] - value["fresh_short"] - value["found_short"] - value["answer_pro"]
    assert left == pytest.approx(value["gap_pro"])
    assert "that all other costs leave of the price" in LECTURE.text
    assert value["gap_pro"] < value["attention_pro"] == pytest.approx(0.2 * (value["reading_pro"] - 1))
    for name in ("pro", "v3"):  # the table of what the request costs
        assert value[f"prompt_{name}"] == pytest.approx(0.2 * value[f"reading_{name}"] + 0.18)
        assert value[f"answer_{name}"] == pytest.approx(0.012 * value[f"writing_{name}"])
        both = value[f"prompt_{name}"] + value[f"answer_{name}"]
        assert both / value["paid"] == pytest.approx(value[f"asks_{name}"])
    assert value["writing_v3"] == pytest.approx(1e6 / value["v3_crossing"])
    assert value["plain_pro"] < 1 < value["plain_v3"] < value["asks_v3"] / 2
    assert "**With all but an index at half the rate** reading costs" in LECTURE.text
    assert value["reading_v3"] == pytest.approx(1 + value["always_v3"] + value["before"] / value["each_v3"])
    assert value["plain_v3"] == pytest.approx((0.38 + 0.012 * 1e6 / value["v3_crossing"]) / 0.778)
    assert value["found_each"] * 0.14 / 1e6 == pytest.approx(value["earned_hits"])
    assert value["r1_in"] + value["earned_hits"] == pytest.approx(value["earned"])
    assert 1 < value["over_earned"] / value["over_missed"] < value["beyond"]  # hits explain a part, markups the rest
    assert value["over_missed"] < value["over_earned"] < value["over_written"]
    assert "reading earned `#!value day.over_earned` its cost, still less than writing" in LECTURE.text
    assert 1.7 < value["sheet"] / value["net"] < 2  # so a list does not tell the time
    assert round(value["runs_low"]) == round(value["runs_high"]) == 2  # about two as well
    assert "| price over cost | `#!value day.over_missed` | `#!value day.over_written` |" in LECTURE.text
    assert value["net"] * value["over_written"] / value["over_missed"] == pytest.approx(value["sheet"])
    assert value["pro_kept"] > 7 * value["pro_read"]  # so kept and fetched bytes need two letters
    assert "each request's share of this fetch is as large as its kept cache" in LECTURE.text
    assert all("k'" in LECTURE.text.split(rf"\tag{{{n}}}")[0].rsplit("$$", 1)[1] for n in (8, 9))
    spare, fetched = value["pro_budget"] - value["pro_fixed"] - value["pro_windows"], value["pro_read"]
    assert value["pro_shared"] == pytest.approx(spare / (fetched + value["pro_kept"]))
    assert value["pro_shared"] < value["pro_rack"] < value["pro_crossing"]  # later on a rack
    assert "machine does not" not in LECTURE.text
    assert "without their machines" not in LECTURE.text


def test_cards_of_the_crossover_leave_attention_out_as_their_sections_do():
    """With attention counted at half the rate V4-Pro never crosses; 300,000 is 1.5 x 200,000, without a markup."""
    crossing = [each["front"] + each["back"] for each in LECTURE.cards if "L*" in each["back"]]
    assert len(crossing) == 4
    assert all("attention's multiplying left out" in card for card in crossing)
    longest = next(card for card in crossing if "{pricing/blackboard.longest}" in card)
    assert "without a markup, {pricing/blackboard.longest}" in longest
    assert registry.find("pricing/blackboard").answer().values["longest"].number == 1.5 * 200_000
    takeaway = LECTURE.text.split("## Takeaway")[1].split("## Going further")[0]
    asked = {name: each.number for name, each in registry.find("pricing/request").answer().values.items()}
    conditions = (
        "Under this lecture's assumptions its answer or its prompt does if attention is left out.",
        "With attention at the weights' rate it costs about Gemini's price",
    )
    assert all(each in takeaway for each in conditions)
    assert all(round(asked[name], 1) == 1 for name in ("full_pro", "alike_pro", "asks_pro"))
    assert all(17 < asked[name] < 23 for name in ("alike_v3", "asks_v3"))
    assert "costs about Gemini's price in V4-Pro's design, some twenty times it in V3's." in takeaway


def test_what_other_pages_give_is_called_as_it_is_there():
    """The forecast is lecture 8's, and the bound on measured runs counts layout and sending, unlike lecture 1's."""
    assert "sets costs of machine time beside prices. It uses lecture 8's forecast." in LECTURE.text
    by_whose = "By their bounds fetching takes longer than multiplying in `#!value world/bound.reads` of"
    assert f"{by_whose} `#!value world/bound.count` [measured runs]" in LECTURE.text


def test_what_fails_in_a_small_batch_or_at_another_length_is_said_of_its_own():
    """Weights fetched for few users flatten the slope; 1.8 is of a million tokens; most models kept their price."""
    pages = LECTURE.text.split('!!! tip "Remember"')
    assert "in an endless batch of equal lengths, writing loses money past $q(1+\\mu)L^*$ at the latest" in LECTURE.text
    few = 10.0  # times as long as multiplying takes fetching the weights, shared by few
    assert (few + 1.5) / few < 1.5  # so past 1.5 L* the higher price still covers cost there
    assert any("endless batch of equal lengths. Then behind a million tokens a short answer" in p for p in pages)
    bearable = registry.find("pricing/request").answer().values["bearable"].number
    assert bearable == pytest.approx(18 / 2 / (1_000_000 / 200_000))
    later = registry.find("world/position-costs").answer().values["starts"].number
    assert 1 < later < bearable < registry.find("pricing/day").answer().values["net"].number
    assert "that (5) asked for. [DeepSeek later counted]" in LECTURE.text
    priced = Counter(row.id for row in catalog.history(catalog.Price, "prices"))
    assert sum(times == 1 for times in priced.values()) > len(priced) / 2
    assert "faster than models" not in LECTURE.text
    least = [registry.find("pricing/implied-cache").answer(crossover=at).values["least"].number for at in (2e5, 5e5)]
    assert least[0] < 1 < least[1]  # V4-Pro at Gemini's step, and at a longer one
    assert "gives the bytes *fetched* for a token of context on average, for a guessed model and chip" in LECTURE.text
    lean = {name: each.number for name, each in registry.find("pricing/family").answer().values.items()}
    assert lean["pro_budget"] / lean["pro_crossing"] > 1.1 * lean["pro_read"]  # (6) spreads the fixed part


def test_between_generations_the_share_of_a_hit_is_said_by_each_list():
    found = {name: each.number for name, each in registry.find("pricing/family").answer().values.items()}
    shares = [found[f"hit_older{when}"] for when in ("", "_second", "_later")]
    assert shares == pytest.approx([0.07 / 0.27 / hit for hit in (0.145 / 1.74, 0.003625 / 0.435, 0.022 / 0.66)])
    assert shares[0] < shares[2] < found["size_older"] < shares[1]  # one list alone would choose the verdict
    assert "by V4-Pro's three lists" in LECTURE.text


def test_a_chip_a_crossover_and_a_lever_are_named_where_another_would_turn_the_sentence():
    """On Rubin V4-Pro fetches more at the step; from V3's crossover the answer loses more than the prompt earns."""
    value = {
        name: each.number
        for slug in ("request", "family", "list")
        for name, each in registry.find(f"pricing/{slug}").answer().values.items()
    }
    assert chip_ratio(catalog.chip("rubin"), "fp8") > value["pro_active"] / (
        0.2e6 * value["pro_read"] + value["pro_fixed"]
    )
    assert math.isfinite(meeting("deepseek-v4-pro", chip_ratio(catalog.chip("gb200"), "fp8"), Slower(2.0, 2.0)))
    assert "later: in V4-Pro at `#!value family.pro_meet` instead of `#!value family.pro_crossing`." in LECTURE.text
    assert 2 * value["pro_crossing"] < value["pro_meet"] < value["pro_half"] < math.inf
    assert value["pro_shared"] < value["pro_shared_meet"] < 2e5 < value["pro_rack_meet"]  # either side of the step
    for crossover, covered in ((200_000, True), (value["v3_crossing"], False)):
        lost = value["written_short"] * 1e6 / crossover - value["written_paid"]
        assert (lost < value["prompt_cost"]) is covered
    assert "Let Gemini's step mark the crossover, leave attention out" in LECTURE.text
    bars = [
        registry.find("pricing/bill").answer(**less).values["hour"].number
        for less in ({"shared": 4000}, {}, {"answer": 300})
    ]
    assert bars == sorted(bars)
    assert len({host.output for host in catalog.hosts("kimi-k3").values()}) == 1
    assert "For V4-Flash they undercut one another" in LECTURE.text


def test_the_day_is_guessed_at_before_its_table_and_lecture_eight_has_another_ratio():
    """The list says four, the day two: the markups differ. A faster rack has ten, forecast at its own batch."""
    day = {name: each.number for name, each in registry.find("pricing/day").answer().values.items()}
    told = (
        "Guess: how many times",
        "| DeepSeek's day | read, no hit | written |",
        "By the first row it took `#!value day.net`",
    )
    assert [LECTURE.text.index(each) for each in told] == sorted(LECTURE.text.index(each) for each in told)
    assert day["computed"] / day["decode"] == pytest.approx(day["net"])
    assert day["net"] == pytest.approx(day["sheet"] / (day["over_written"] / day["over_missed"]))
    rack = {name: each.number for name, each in registry.find("serving/rack").answer().values.items()}
    assert rack["output"] / rack["fresh"] == pytest.approx(10, abs=0.5)
    assert day["step"] / rack["expected"] == pytest.approx(3, abs=0.4)
    assert "[lecture 8](../serving/index.md#input-fresh-and-cached) forecasts ten, at three times the day's speed" in (
        LECTURE.text
    )


def test_the_gap_of_the_cost_side_is_not_margin_alone_at_the_measured_pace_and_the_rent_of_racks():
    rack = {name: each.number for name, each in registry.find("pricing/rack").answer().values.items()}
    middle = registry.find("world/young-racks").answer().values["middle"].number
    assert rack["timed"] == pytest.approx(middle * rack["forecast"])
    assert rack["whole"] == pytest.approx(rack["timed"] * 10.582 / 4.54)
    assert rack["timed"] < rack["host"] < rack["maker"] < rack["whole"]
    assert rack["timed_over"] == pytest.approx(rack["over"] / middle)
    assert "So the gap is not margin alone" in LECTURE.text
    hosts = sorted(host.output for host in catalog.hosts("deepseek-v4-pro").values())
    assert hosts[0] < rack["maker"] < rack["whole"] < hosts[1]  # two prices below that cost, all others above it
    assert rack["whole"] < rack["maker"] * catalog.price("deepseek-v4-pro").known("peak_multiplier")
    told = "more than the cheapest host and the maker outside peak hours ask, less than the others"
    assert told in LECTURE.text
    assert any(told in card["back"] for card in LECTURE.cards)
    assert "GPUs" in (catalog.rents()["gb200-spheron"].note or "")
    assert "whole racks at their list price | price=10.58" in LECTURE.text


def test_three_rows_of_cost_and_price_follow_four_and_five():
    value = {name: each.number for name, each in registry.find("pricing/blackboard").answer().values.items()}
    step = registry.find("pricing/list").answer().values["gemini_step_out"].number
    assert value["longest"] / value["crossover"] == pytest.approx(step)
    assert value["cost_million"] == pytest.approx(1e6 / value["crossover"])


def test_a_lever_that_misses_the_cache_can_cost_more_than_none():
    """Batches in exercise 8; in (11) the extra price is c - 1 requests, or c in full less one with its hits."""
    asked = {name: each.number for name, each in registry.find("pricing/exercise").answer().values.items()}
    both, cached, missed, now, waiting = (asked[f"own_{n}"] for n in ("both", "cached", "missed", "now", "waiting"))
    assert both < cached < missed < now
    left = 30_000 * (6000 * (1.25 + 29 * 0.1) / 30 + 500 * 1 + 300 * 5) / 1e6  # of fifty that share thirty stay
    assert missed == pytest.approx(left + waiting * 0.5 * now) == pytest.approx(164.9)
    assert missed > (1 - waiting) * cached + waiting * 0.5 * now
    assert "It may miss the cache, and then cost more than no batch (exercise 8)." in LECTURE.text
    sheet = catalog.price("claude-opus-5")
    traffic, times = Traffic(1, 8000, 1000, 600, 20), sheet.known("fast_multiplier")
    plain, hits = (float(bill(traffic, per_token(sheet), cached_share=share).total) for share in (0, 1))
    bars = [
        value_of_an_hour(extra / (times - 1) / 600, 50, times, sheet.known("fast_speed"))
        for extra in ((times - 1) * hits, (times - 1) * plain, times * plain - hits)
    ]
    assert bars == pytest.approx([13.15, 30.00, 46.85], abs=0.01)
    assert registry.find("pricing/bill").answer().values["hour"].number == pytest.approx(bars[1])
    assert "Hits at both speeds lower this bar; hits at the ordinary one alone raise it." in LECTURE.text


def test_hits_that_pay_are_a_mean_and_a_cheaper_hit_reaches_the_ten():
    """By hand: 100 x $1.25 / $4.50 = 27.8 and 100 x $5 / $4.50 = 111.1; 24 x $4 = $96 is ten times $5 + 23 x $0.20."""
    found = {name: each.number for name, each in registry.find("pricing/list").answer().values.items()}
    assert (found["found_5m"], found["found_1h"]) == (28, 112)
    assert 27 * 4.50 < 100 * 1.25 < 28 * 4.50
    assert 111 * 4.50 < 100 * 5 < 112 * 4.50
    assert found["later_ten"] == pytest.approx(23)
    assert pytest.approx(10 * (5 + found["later_ten"] * 4 * found["later_share"])) == 24 * 4
    assert "needs on average to pay: at Opus 5's prices just over one at most." in LECTURE.text
    assert 1 < registry.find("pricing/list").answer().values["pays_1h"].number < 1.15


def test_a_hit_that_takes_time_makes_the_day_s_ratio_larger():
    """Hits are 342 of 608 tokens; at a tenth of a miss's time they make a miss cheaper, and the ratio 2.46."""
    day = {name: each.number for name, each in registry.find("pricing/day").answer().values.items()}
    assert day["net"] == pytest.approx(73.7 * 266 / 608 / 14.8, rel=1e-3)
    assert day["net_tenth"] == pytest.approx(73.7 * (266 + 34.2) / 608 / 14.8, rel=1e-3)
    assert day["net_tenth"] < day["sheet"]
    assert "hits counted as free" in LECTURE.text


def test_renewing_hits_bring_more_than_the_premium():
    keeping = {name: each.number for name, each in registry.find("pricing/keeping").answer().values.items()}
    hits = math.ceil(keeping["renewed"] / 300) - 1
    assert keeping["renewing"] == pytest.approx(hits * 0.50 / 1.25)
    assert hits == 101


def test_the_line_of_a_maker_has_risen_where_four_is_level():
    line = {name: each.number for name, each in registry.find("world/position-costs").answer().values.items()}
    assert 1 + line["level"] / line["doubling"] == pytest.approx(1.8, abs=0.01)
    assert "where the line has risen by four fifths" in LECTURE.text


def test_a_disk_is_later_than_computing_for_short_prefixes_of_v4_with_their_windows():
    lean = {name: each.number for name, each in registry.find("pricing/family").answer().values.items()}
    disk, context = catalog.tier("hdd-24tb").read_bandwidth, 4096
    shelf = registry.find("pricing/shelf").answer(model="deepseek-v4-pro", precision="fp8", context=context)
    anew = shelf.values["anew"].number / context
    meets = lean["pro_windows"] / disk / (anew - lean["pro_kept"] / disk)
    assert meets == pytest.approx(7000, rel=0.02)
    assert "V4-Pro past seven thousand tokens, its windows counted" in LECTURE.text
