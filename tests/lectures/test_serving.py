"""The particulars of lecture 8; what all lectures must be is in test_every.py."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry
from calc.measured.runs import runs
from calc.serving import measured
from calc.serving.figures.cases import case
from calc.setting.stated import of_catalogue, one_line
from calc.world.against import points
from calc.world.fitting import fit
from calc.world.sample import sample
from calc.world.work import NAMES as PARTS
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name
    r"DeepSeek-(?:V3|R1)|V3\.1|Llama 3 (?:70B|8B)|NVL72|GB200|H100|H800|FP4|FP8|BF16|rack of 72 |GB300|"
    r"MI300X|[Ee]xercise \d|[Ll]ecture \d|"
    r"\(\d\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b"
)
LECTURE = Lecture(
    chapter="serving",
    number=8,
    claims="recording",
    covers=((0, 2 * 3600 + 15 * 60),),
    drawn={"sheet", "stairs", "speed", "lists", "own", "step", "roofline", "frontier", "racks", "tornado"},
    suggestions=5,
    small=set(),
    names=NAMES,
    moving=frozenset({"frontier"}),
)


def test_the_walk_asks_every_other_lecture_a_question():
    walk = LECTURE.text[LECTURE.text.index("### One case and its bound") : LECTURE.text.index("### From a bound")]
    assert re.findall(r"\(\[Lecture (\d)\]\(\.\./", walk) == list("1234567")


def test_equations_are_numbered_in_order_and_only_those_are_referred_to():
    tags = [int(tag) for tag in re.findall(r"\\tag\{(\d+)\}", LECTURE.text)]
    assert tags == list(range(1, len(tags) + 1))
    assert {int(tag) for tag in re.findall(r"[^c]\((\d+)\)", LECTURE.text)} <= set(tags)


def test_a_rack_of_twice_the_bandwidth_differs_from_the_rack_in_nothing_else():
    (written,) = re.findall(r"twice the bandwidth \| system=own, machine=(\S+)", LECTURE.text)
    rack = one_line(of_catalogue("gb200-nvl72"))
    assert written == rack.replace("bandwidth.8e12", "bandwidth.1.6e13") != rack


def test_the_reader_is_told_why_this_batch_and_traffic_before_the_question_for_racks():
    case = LECTURE.text[: LECTURE.text.index("### From traffic to racks")]
    assert re.search(r"rack\.batch`, answers that are being written: our choice", case)
    racks = LECTURE.text[LECTURE.text.index("### From traffic to racks") :]
    question, inputs, chosen = racks.split("\n\n")[1:4]
    assert question.startswith("How many racks must write")
    assert re.search(r"\| `#!value questions\.traffic` \| our choice \|", inputs)
    assert re.match(r"By the forecast one rack writes this traffic: `#!value rack\.batch` in \$1000\$ steps of", chosen)
    assert "needs more, for slow engines, peaks and chance." in chosen
    traffic = LECTURE.value("`#!value rack.batch`").number / LECTURE.value("`#!value ladder.expected`").number / 1000
    assert LECTURE.value("`#!value questions.traffic`").number == pytest.approx(traffic), "a thousand steps each"


def test_output_is_ten_times_input_at_our_batch_and_twice_on_a_day_with_three_times_as_many_on_a_chip():
    day = measured.day_of_decoding()
    ours = LECTURE.value("`#!value rack.batch`").number / 72
    assert day.requests[0].batch / day.setting.layout.chips / ours == pytest.approx(3, abs=0.15)
    net = registry.find("pricing/day").answer().values["net"].number
    assert 1 / net == pytest.approx(0.5, abs=0.05)
    assert "older, fuller chips a fresh token costs half of a written one." in LECTURE.text


def test_no_run_below_the_promised_speed_is_offered_as_a_budget():
    for line in LECTURE.text.splitlines():
        if "error.below_cost" in line:
            assert "breaks the promise" in line or "slower promise" in line


def test_times_are_added_by_choice_and_the_reader_is_told_what_overlaps_before_the_formula():
    before = LECTURE.text[LECTURE.text.index("### From a bound to a forecast") : LECTURE.text.index(r"\tag{2}")]
    assert re.search(r"adds up their times\..*within a kernel reading and multiplying \[overlap\]", before)
    assert "Adding is a choice" in before


def test_a_plan_stands_with_its_kind_in_the_takeaway_and_its_peak_is_of_requests():
    takeaway = LECTURE.text[LECTURE.text.index("## Takeaway") : LECTURE.text.index("## Going further")]
    kinds = re.findall(r"^ +- \*\*(.+?)\.\*\* ", takeaway, re.MULTILINE)
    assert kinds == ["Bound and forecast", "Promise", "Plan", "Input"]
    assert max(line.count("`#!value") for line in takeaway.splitlines()) == 3
    traffic = LECTURE.text[LECTURE.text.index("### From traffic to racks") : LECTURE.text.index("## Takeaway")]
    assert re.search(r"\| busiest hour over the mean \| `#!value questions\.peak` \| measured", traffic)
    assert "The factor `#!value questions.peak` is a *median day's*, the highest of Alibaba's three" in traffic


def test_a_plan_says_its_rent_and_the_nearest_measured_run_makes_of_it_what_is_said():
    racks = LECTURE.text[LECTURE.text.index("### From traffic to racks") : LECTURE.text.index("### What matters most")]
    assert re.search(
        r"\*\*Two whole racks write\.\*\* Their rent.* the mean hour"
        r".*questions\.traffic`.*rented_output` a million tokens\. That is the opening's answer, twice the "
        r"forecast's, which needs one rack\. \(\[\S+ fleet\.sized` chips\].*fleet\.sized_output` a million\.",
        racks,
    )
    dearer, forecast = (
        LECTURE.value(f"`#!value {each}`").number for each in ("questions.rented_output", "rack.output")
    )
    assert dearer == pytest.approx(2 * forecast)
    assert re.search(
        r"rent for `#!value rack\.rent` each an hour.* A thousand requests cost `#!value questions\.alike`, \S+ "
        r"questions\.alike_reading` of it for reading\.",
        racks,
    )
    reading, write, whole = (
        LECTURE.value(f"`#!value questions.{each}`") for each in ("alike_reading", "rented_output", "alike")
    )
    assert f"{float(reading.text[1:]) + float(write.text[1:]):.2f}" == whole.text[1:], "from what is shown"
    assert re.search(
        r"slow end, messages' starts .* \| five \| `#!value starts\.cost` \| the slow end lengthens these too; if not, "
        r"four \(`#!value starts\.once`\)\. .* some may count twice\. With the forecast, two \|",
        racks,
    )
    assert re.search(r"slow end, peak over \S+ ladder\.two_peak` or BF16 attention \| three \| ", racks)
    assert "takes two whole racks" not in LECTURE.text, "without its plan"
    takeaway = LECTURE.text[LECTURE.text.index("## Takeaway") : LECTURE.text.index("## Going further")]
    assert "chips read. Order one and measure its step: up to `#!value ladder.median_one` its forecast one " in takeaway
    third = "Budget a third rack for a slower step, a steeper day, attention in BF16 or a failed rack"
    assert f"{third}; four or five with timed starts." in takeaway
    (run,) = (line for line in LECTURE.text.splitlines() if line.startswith("    In the ringed run"))
    assert re.search(
        r"each chip wrote `#!value error\.ringed_rate`.*promised` each, fill just two racks, and with our longer", run
    )
    assert re.search(r"held twice our experts; two racks bear a step `#!value error\.ringed_over` its forecast", run)
    wanted = [
        LECTURE.value(f"`#!value {each}`").number for each in ("ladder.room", "rack.promised", "error.ringed_rate")
    ]
    assert wanted[0] * wanted[1] / wanted[2] == pytest.approx(144, abs=0.5), "nothing over"
    (fold,) = (line for line in LECTURE.text.splitlines() if "groups like the ringed one's" in line)
    assert "the plan would take three racks." in fold


def test_one_rack_is_ordered_and_its_step_decides_in_a_table_that_the_reader_can_redo():
    racks = LECTURE.text[LECTURE.text.index("**What should you order?**") : LECTURE.text.index("### What matters most")]
    assert "One rack, with options: we know no whole rack [laid out like ours](#which-lay" in racks
    rows = re.findall(r"^\| (?:all|a half|a third) \((.+)\) \| (.+) \| (.+) \| (one|two|three) \|$", racks, re.M)
    costs = re.findall(r"^\| .+ \| (one|two|three)(?:; .+)? \| (`#!value questions\.alike\w*`) \| .+ \|$", racks, re.M)
    assert [row[3] for row in rows] == [row[0] for row in costs] == ["one", "two", "three"]
    room, allowed, fixed, each = (
        LECTURE.value(f"`#!value ladder.{name}`").number for name in ("room", "allowed", "fixed", "each")
    )
    rent, read, traffic = (
        LECTURE.value(f"`#!value {name}`").number
        for name in ("rack.rent", "questions.alike_chips", "questions.traffic")
    )
    for count, ((chip, step, most, _), (_, cost)) in enumerate(zip(rows, costs, strict=True), 1):
        assert LECTURE.value(chip).number == math.ceil(room / count / 72)
        assert LECTURE.value(step).number == pytest.approx(fixed + each * LECTURE.value(chip).number, rel=2e-3)
        shown = float(LECTURE.value(step).text.removesuffix(" ms"))
        assert f"{1000 * allowed / shown:.2f}×" == LECTURE.value(most).text, "from what is shown"
        assert LECTURE.value(cost).number == pytest.approx((72 * count + read) * rent / 3.6 / traffic)
    slow, (one, two) = LECTURE.value("`#!value ladder.slow`").number, (LECTURE.value(row[2]).number for row in rows[:2])
    assert one < slow < two, "so two bear the slow end and one does not"


def test_two_racks_are_said_under_the_condition_on_starts_wherever_they_are_planned():
    assert re.search(
        r"slow end, messages' starts \(set-up\) as \[timed alone\]\(\S+\): \+ `#!value starts\.more` \| five \|",
        LECTURE.text,
    )
    (card,) = (each for each in LECTURE.cards if "which of its inputs" in each["front"])
    assert card["front"].startswith("A plan of {serving/questions.sized}, if messages start as forecast: which")


def test_the_reader_guesses_what_the_slow_end_takes_from_the_room_before_the_table_says_it():
    promise = LECTURE.text[
        LECTURE.text.index("### What a promise costs") : LECTURE.text.index("### From traffic to racks")
    ]
    assert re.search(
        r"about a quarter shorter\. Guess how much of its room a chip loses:\n\n\|.*\n\nA chip loses more than half,",
        promise,
        re.S,
    )
    slow, late, hope = (
        LECTURE.value(f"`#!value ladder.{each}`").number for each in ("slow", "late_chip", "promised_chip")
    )
    assert 1 - 1 / slow == pytest.approx(0.25, abs=0.02)
    assert 0.5 < 1 - late / hope < 0.6


def test_the_section_of_racks_opens_with_its_inputs_and_counts_the_chips_that_read():
    racks = LECTURE.text[LECTURE.text.index("### From traffic to racks") : LECTURE.text.index("### What matters most")]
    inputs = racks.split("\n\n")[2]
    shown = [each for each in ("traffic", "stay", "peak") if f"questions.{each}`" in inputs]
    assert len(shown) == 3
    assert "ladder.late_room` | slow end, above |" in inputs
    flight, peak = (LECTURE.value(f"`#!value questions.{each}`").number for each in ("flight", "peak_flight"))
    assert flight / LECTURE.value("`#!value ladder.late_room`").number > 1, "one is too few already"
    assert LECTURE.value("`#!value ladder.room`").number == pytest.approx(peak + 3 * peak**0.5)
    assert re.search(
        r"peak_fresh` fresh × \S+ rack\.pass` ÷ \S+ rack\.pass_tokens` \| \S+ questions\.peak_reading` \|\n"
        r"\| × \S+ error\.reads_high` \(slow\) × .*alike_chance` \(chance\), in pairs \| \S+ questions\.alike_chips`",
        racks,
    )
    assert "At the slow end one rack is already too few." in racks
    traffic, fresh, passes, prompts = (
        LECTURE.value(f"`#!value ladder.{each}`")
        for each in ("peak_traffic", "peak_fresh", "slow_pass", "slow_pass_prompts")
    )
    assert "`#!value ladder.peak_traffic`, half of each one's `#!value rack.input` fresh." in racks
    assert fresh.number == pytest.approx(traffic.number * LECTURE.value("`#!value rack.input`").number / 2)
    assert prompts.text == "277 prompts"
    assert traffic.text == "216.2 requests/s"
    assert f"{216.2 * float(passes.text.removesuffix(' s')):.0f}" == "277", "from what is shown"
    assert "Each of the plan's `#!value questions.alike_chips` chips that read holds up to $7$ experts" in LECTURE.text
    few = LECTURE.value("`#!value questions.alike_chips`").number
    experts, held = (LECTURE.value(f"`#!value parts.{each}`").number for each in ("experts", "experts_held"))
    most = -(-experts // few)
    assert most == 7
    longer = (most / 4 - 1) * held / LECTURE.value("`#!value parts.bandwidth`").number  # seconds
    assert longer == pytest.approx(0.001, rel=0.1)
    assert longer < 0.002 * LECTURE.value("`#!value rack.pass`").number, "which moves no chip"
    assert re.search(r"\S+ ladder\.slow_pass_prompts` come; chance adds three square roots of these\.", racks)
    takeaway = LECTURE.text[LECTURE.text.index("## Takeaway") : LECTURE.text.index("## Going further")]
    assert re.search(
        r"two racks write, \S+ questions\.alike_chips` chips read\..* failed rack; four or five with timed starts\.",
        takeaway,
    )
    assert re.search(
        r"raise a thousand requests' cost from `#!value ladder\.busy` at our batch to \S+ questions\.alike`\.",
        takeaway,
    )


def test_the_order_of_a_fleet_asks_first_for_what_the_lecture_does():
    (row,) = (line for line in LECTURE.text.splitlines() if line.startswith("| **6.**"))
    assert row.endswith("| at our rent the step, then promise, then rent |")
    (row,) = (line for line in LECTURE.text.splitlines() if line.startswith("| **4.**"))
    assert row.endswith("questions.sized`: two whole, or more |")
    assert re.search(r"with the budget's third rack \(.*spare_output` for writing alone\), or at AWS's", LECTURE.text)


def test_what_is_left_is_said_with_the_chips_that_read_and_with_a_whole_rack_of_them():
    further = LECTURE.text[LECTURE.text.index("### What DeepSeek's prices") : LECTURE.text.index("### Three questions")]
    assert re.search(
        r"If all is sold by day:\n.*sized_left.*reads_high.*alike_left.*whole rack.*third_left", further, re.S
    )
    assert "if all is sold by day" in further.lower()
    assert not re.findall(r"(?:sized|alike|third)_left", LECTURE.text.split("## Going further")[0]), (
        "rent is of nights too"
    )


def test_what_is_left_by_the_next_list_is_a_sum_of_its_three_prices():
    further = LECTURE.text[LECTURE.text.index("### What DeepSeek's prices") : LECTURE.text.index("### Three questions")]
    assert "cached ones until September 2025, so `#!value ladder.asked` in all, and by night less." in further
    assert re.search(
        r"From September V3\.1, built alike, \[brings\]\(\S+\) `#!value ladder\.after`, day and night", further
    )
    asked, plan, third = (
        LECTURE.value(f"`#!value {each}`").number
        for each in ("ladder.after", "questions.alike", "questions.alike_budget")
    )
    assert asked == pytest.approx(1.68 + 2.048 * (0.56 + 0.07))
    assert LECTURE.value("`#!value ladder.after_left`").number == pytest.approx(1 - plan / asked)
    assert LECTURE.value("`#!value ladder.after_third`").number == pytest.approx(1 - third / asked)


def test_two_large_clouds_ask_alike_and_at_either_rent_one_rack_costs_more_than_two_at_ours():
    rows = {name: row for name, row in catalog.rents().items() if row.chip.id == "gb200"}
    ours, aws, cloud = (rows[f"gb200-{each}"].dollars_per_chip_hour for each in ("spheron", "aws", "coreweave"))
    assert LECTURE.value("`#!value questions.offered_high`").number == aws
    assert 0.98 < cloud / aws < 1
    assert str(rows["gb200-spheron"].effective)[:7] == "2026-03"
    assert (str(rows["gb200-aws"].read)[:7], str(rows["gb200-survey"].effective)[:7]) == ("2026-07", "2026-07")
    one, two = (LECTURE.value(f"`#!value questions.{each}`").number for each in ("alike_one", "alike"))
    assert one * cloud / ours > two
    assert "At AWS's or CoreWeave's, the rent comes first." in LECTURE.text
    assert "offered in pairs in March 2026 (whole racks at AWS, in July: `" in LECTURE.text
    assert "in a survey of July 2026 without terms" in LECTURE.text


def test_runs_in_fp4_are_told_beside_the_step_and_are_of_two_models_on_both_racks():
    first = LECTURE.text[LECTURE.text.index("### What matters most") : LECTURE.text.index("## Where the model stops")]
    assert re.search(r"\*\*Measure FP4 too\*\*.* of \S+ world/forecast\.racks_fp4` runs beat even the fast end", first)
    known = runs()
    narrow = known.are("precision", "fp4") & (known.are("system", "gb200-nvl72") | known.are("system", "gb300-nvl72"))
    shorter = narrow & (known.over_forecast < catalog.forecast_fit("decode").low_80)
    assert narrow.sum() == LECTURE.value("`#!value world/forecast.racks_fp4`").number
    assert shorter.sum() == LECTURE.value("`#!value world/forecast.racks_fp4_shorter`").number
    assert known.chips[narrow].max() < 72, "of parts"
    assert (narrow & (known.are("model", "deepseek-v3") | known.are("model", "kimi-k2.5"))).sum() == narrow.sum()
    ours = shorter & known.are("model", "deepseek-v3")
    assert ours.sum() > 0.6 * (narrow & known.are("model", "deepseek-v3")).sum(), "of the case's model too"
    assert LECTURE.value("`#!value world/racks.over_low`").number > 1, "none of the whole ones"


def test_a_cached_token_is_said_to_cost_attention_alone_where_its_price_is_named_and_remembered():
    assert re.search(
        r"rack\.cached_cost` a million.*attention alone, a sixth of it to rebuild keys and values: storing",
        LECTURE.text,
    )
    prompts, cached, fresh, layers = 8, 2048, 2048, 61  # of a chip in a full pass; a latent is 512, of 128 heads
    rebuilt = prompts * cached * 2 * 512 * 128 * (128 + 128) * layers
    attended = prompts * cached * fresh * 2 * 128 * (192 + 128) * layers
    assert rebuilt / (rebuilt + attended) == pytest.approx(1 / 6, abs=0.005)
    reached = 5e15 * LECTURE.value("`#!value error.arithmetic`").number
    added = LECTURE.value("`#!value rack.pass_more`").number
    assert (rebuilt + attended) / reached == pytest.approx(added, rel=0.01)
    assert "cached input for the time that it adds. Keeping the cache comes on top." in LECTURE.text


def test_a_cached_token_is_said_to_have_no_fixed_price_beside_its_equation():
    (fold,) = re.findall(r"^\?\?\? note \"In letters.*?\n\n(?=\S)", LECTURE.text, re.S | re.M)
    assert re.search(r"no fixed price: the more fresh tokens a prompt has.*agents\.dearer", fold)
    assert "With as many cached as fresh, that lengthens the pass to `#!value rack.pass`" in LECTURE.text


def test_a_bound_is_said_to_be_of_one_batch_and_layout_and_input_a_tenth_at_our_batch_alone():
    assert "For one batch and layout, a bound says what cannot be" in LECTURE.text
    assert re.search(
        r"output_least` for a million tokens.*for this batch and layout, at one token a step", LECTURE.text
    )
    assert re.search(
        r"At our rent, batch and layout, in FP8, no engine writes .*output_least`, at one token a step; expect",
        LECTURE.text,
    )
    assert "*layout* (which chip holds which weights and sequences)" in LECTURE.text
    assert "The busiest chip has `#!value parts.sequences` (an even share, rounded up)" in LECTURE.text
    assert re.findall(r"tenth of (?:the cost of )?output(.{13})", LECTURE.text) == [" at our batch"]


def test_the_slow_end_is_said_to_be_exceeded_where_it_is_named():
    assert "One run in ten took longer than the upper end, our *slow end*" in LECTURE.text
    assert "took longer than the slow end, `#!value world/forecast.nodes_low` to" in LECTURE.text


def test_the_slow_end_is_called_an_estimate_and_its_own_range_takes_two_racks_or_three():
    (said,) = (line for line in LECTURE.text.splitlines() if line.startswith("**How wrong may the forecast be?**"))
    assert re.search(r"in nineteen of twenty random redraws .* \S+ slow-end\.least` and \S+ slow-end\.most`\.$", said)
    known = catalog.forecast_fit("decode")
    ends = [LECTURE.value(f"`#!value slow-end.{each}`").number for each in ("least", "most")]
    assert ends == [known.high_80_least, known.high_80_most]
    low, high = (LECTURE.value(f"`#!value slow-end.racks_{each}`").number for each in ("least", "most"))
    assert 1 < low < LECTURE.value("`#!value questions.sized`").number < 2 < high < 3
    assert ends[0] < LECTURE.value("`#!value ladder.median_two`").number < ends[1], "so the row of the table is within"


def test_two_racks_rest_on_the_runs_nearest_to_the_case_and_not_on_all_of_its_model():
    why = LECTURE.text[LECTURE.text.index("**Expect two:**") : LECTURE.text.index("### What matters most")]
    assert re.search(
        r"slow-end\.own_over` of this model's \S+ slow-end\.own` runs in FP8 .* none of the \S+ slow-end\.near` "
        r"on parts of racks \(GB200, most GB300\), the nearest \|",
        why,
    )
    assert re.search(
        r"slow-end\.wide_over` of \S+ error\.most_runs` runs on \S+ error\.most_chips` chips took longer; \S+ "
        r"error\.ours_within` of \S+ error\.ours` on GB200 did not, each on fewer, nor did SGLang's \[newer",
        why,
    )
    known, slow = runs(), catalog.forecast_fit("decode").high_80
    own = known.are("model", "deepseek-v3") & known.are("precision", "fp8")
    racks = own & (known.are("system", "gb200-nvl72") | known.are("system", "gb300-nvl72"))
    counts = {"own": own.sum(), "own_over": (known.over_forecast[own] > slow).sum(), "near": racks.sum()}
    assert counts == {name: LECTURE.value(f"`#!value slow-end.{name}`").number for name in counts}
    assert known.over_forecast[racks].max() < slow, "none of them"
    assert known.chips[racks].max() < 72, "of parts"
    assert set(np.array(known.mode)[racks]) == {"disagg"}, "prompts are read elsewhere, as in the case"
    wide = racks & (known.chips == known.chips[racks].max())
    assert (wide == (own & (known.chips == known.chips[own].max()))).all(), "and of all in FP8"
    assert wide.sum() == LECTURE.value("`#!value error.most_runs`").number
    assert set(known.chips[wide]) == {LECTURE.value("`#!value error.most_chips`").number}
    one, two = (LECTURE.value(f"`#!value ladder.median_{each}`").number for each in ("one", "two"))
    other = racks & known.are("system", "gb300-nvl72")
    assert other.sum() > 0.5 * racks.sum(), "most"
    within = racks & known.are("system", "gb200-nvl72") & (known.over_forecast <= one)
    assert within.sum() == LECTURE.value("`#!value error.ours_within`").number
    assert known.chips[within].max() < LECTURE.value("`#!value error.most_chips`").number, "all on fewer"
    service = measured.comparison("sglang-gb200-decode-fp8")
    assert service.over_expected > 1.1, "tokens of the newer service, with full memory"
    assert service.measured > 2 * 50 * LECTURE.value("`#!value ladder.promised_chip`").number, "fuller than promised"
    assert (
        (known.over_forecast[wide] > one).sum()
        == LECTURE.value("`#!value slow-end.wide_over`").number
        > 0.9 * wide.sum()
    )
    assert known.over_forecast[wide].max() < two
    assert LECTURE.value("`#!value slow-end.own_over`").number / own.sum() > 0.1, "more than one in ten"


def test_seven_deployments_in_ten_lie_in_the_range_and_most_others_were_faster():
    assert "Of deployments seven in ten lie in the range, by their middle run; most others were faster." in LECTURE.text
    band, of = catalog.forecast_fit("decode"), {}
    for each in points():
        of.setdefault(each.row.configuration, []).append(each.over_forecast)
    middles = np.array([np.median(each) for each in of.values()])
    faster, slower = np.mean(middles < band.low_80), np.mean(middles > band.high_80)
    assert 1 - faster - slower == pytest.approx(0.7, abs=0.03)
    assert faster > 1.5 * slower


def test_runs_with_prompts_read_elsewhere_give_kernels_a_third_to_a_half_of_the_step():
    said = "by a fit to runs with prompts read elsewhere, a third to a half."
    assert f"Half of the step goes to kernels, with other delays; {said}" in LECTURE.text
    held, at = sample(), PARTS.index("kernels")
    elsewhere = np.array([row.mode == "disagg" for row in held.rows])
    expected = case("rack").expected
    whole = fit(held.parts, held.times)
    seconds = [getattr(expected, f"{name.removesuffix('s')}_seconds") for name in PARTS]
    work = np.array([float(each) for each in seconds]) / whole
    alone = held.only(elsewhere)
    apart = np.column_stack([held.parts, held.parts[:, at] * ~elsewhere])
    shares = []
    for constants in (fit(alone.parts, alone.times), fit(apart, held.times)[: len(PARTS)]):
        took = work * constants
        shares.append(took[at] / took.sum())
    assert shares == pytest.approx([1 / 3, 0.46], abs=0.02)
    (card,) = (each for each in LECTURE.cards if "kernels}" in each["back"])
    assert card["back"].endswith("By runs with prompts read elsewhere it is a third to a half.")


def test_one_rule_of_sizing_is_given_and_the_measured_run_is_its_check():
    assert "Until you have measured your step, size by the plan.\n" in LECTURE.text
    assert re.search(r"size by its \[slow end\].*check that by a measured run that keeps your promise", LECTURE.text)
    assert not re.search(r"\bbudget by (?:a|the nearest) measured", LECTURE.text)


def test_a_step_is_measured_with_all_that_one_rack_would_have_in_flight_wherever_its_factor_is_said():
    _, seen, row, takeaway, *_ = [line for line in LECTURE.text.splitlines() if "ladder.median_one" in line]
    assert seen.startswith("| step to")
    assert row == "| **step** to `#!value ladder.median_one` its forecast | one | `#!value questions.alike_one` |"
    assert "its forecast one suffices; nearly all on $32$ chips took longer." in takeaway
    assert (
        "Run it with all `#!value ladder.room` in flight, then a half, a third. The first mean step of" in LECTURE.text
    )
    assert "At that factor one just suffices for a median day, unless it fails." in LECTURE.text, (
        "and bears no higher peak"
    )
    assert (
        0.9 < LECTURE.value("`#!value ladder.one_step`").number / LECTURE.value("`#!value ladder.allowed`").number < 1
    )


def test_no_promise_is_said_to_be_kept_by_so_few_that_experts_go_unread():
    assert "no batch that uses every expert keeps that promise" in LECTURE.text
    assert "faster_late" not in LECTURE.text


def test_the_first_number_to_measure_is_the_plans_and_not_that_of_a_batch_that_the_traffic_sets():
    first = LECTURE.text[LECTURE.text.index("### What matters most") : LECTURE.text.index("## Where the model stops")]
    said = [
        first.index(each)
        for each in (
            "The one that may save most. If two save alike, first the one that users do not feel:",
            "**Measure the step",
            "**Then ask for a slower",
            "**Then comp",
        )
    ]
    assert said == sorted(said)
    assert "| **promise** of `#!value moved.alone` | one | `#!value questions.alike_one` |" in first
    assert "grows faster: at the slow end one rack is enough. The peak's users may get a third less speed." in first
    slower = LECTURE.value("`#!value moved.alone`").number / LECTURE.value("`#!value rack.promised`").number
    assert slower == pytest.approx(2 / 3, abs=0.02)
    assert "```figure\ntornado" in LECTURE.text.split("## Going further")[1], "of a fixed batch"


def test_the_first_number_to_measure_is_one_for_racks_and_dollars_wherever_it_is_named():
    assert "In dollars" not in LECTURE.text.replace("**", "")
    assert re.search(
        r"saves less than one rack fewer\. At AWS's .* and one rack costs more than two at our rent\.\n", LECTURE.text
    )


def test_what_reading_costs_in_the_plan_is_said_in_the_takeaway():
    takeaway = LECTURE.text[LECTURE.text.index("## Takeaway") : LECTURE.text.index("## Going further")]
    assert "In the plan a fresh plus a cached token costs a seventh of a written one, without storage." in takeaway
    fresh, read, write = (
        LECTURE.value(f"`#!value {each}`").number
        for each in ("ladder.brought", "questions.alike_reading", "questions.rented_output")
    )
    assert read / (fresh / 2e6) / write == pytest.approx(1 / 7, rel=0.03)
    assert "at one token a step; expect `#!value rack.output`" in takeaway


def test_a_pass_is_of_the_fresh_halves_of_prompts_before_what_is_cached_is_read():
    assert re.search(r"would read \S+ rack\.pass_fresh` in .* if they attended to no cache\.", LECTURE.text)
    assert re.search(r"no cache\..* With as many cached as fresh, that lengthens the pass to", LECTURE.text, re.S)


def test_the_slow_end_is_said_to_be_an_error_of_the_forecast_and_no_slow_step_within_a_run():
    assert "The slow end covers an engine that is slow on average, but no single slow steps" in LECTURE.text
    assert "through slow steps" not in LECTURE.text


def test_the_card_of_the_least_cost_says_one_token_a_step_as_the_takeaway_does():
    """Accepted guesses make more tokens of a step, and each then costs less than this bound."""
    assert "output_least`, at one token a step; expect" in LECTURE.text
    card = next(each for each in LECTURE.cards if "{serving/rack.output_least}" in each["back"])
    assert "cost at least in this layout, at one token a step" in card["front"]


def test_a_card_of_a_number_that_follows_the_batch_names_it():
    for said in ("rack.kernels}", "node.of_bound}", "rack.output_least}"):
        (card,) = (each for each in LECTURE.cards if said in each["back"])
        assert re.search(r"\.batch\} in flight", card["front"])


def test_a_price_below_the_forecast_is_not_called_a_loss_where_input_may_pay():
    lists = LECTURE.text[LECTURE.text.index("### The lists of others") : LECTURE.text.index("### Your own model")]
    assert re.search(r"would lose money for `#!value lists\.lost` of these; for the rest, input pays", lists)
    assert re.search(r"!!! tip .*need not be a loss: .*or input pays for output", lists, re.S)
    assert "lets input pay for output, or loses money" in LECTURE.text.split("**6.**")[-1]
