"""Lecture 8's figures: what they say follows what is asked."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calc import batching, catalog
from calc.figure import registry
from calc.measured.runs import runs
from calc.quantities.errors import CalcError
from calc.serving.copies import room_on
from calc.serving.figures import lines
from calc.serving.figures.agents import called
from calc.serving.figures.cases import case, peak_at_most
from calc.serving.figures.frontier import FRONTIER
from calc.serving.figures.moved import planned
from calc.serving.figures.runs import measured
from calc.serving.figures.setting import described
from calc.serving.figures.tornado import costs
from calc.serving.figures.tried import Named
from calc.serving.frontier import bounds_and_forecasts
from calc.serving.modes import modes
from calc.serving.request import Request
from calc.serving.sheet import passes, sheet
from calc.setting import Layout, Precisions, Scenario, Setting
from calc.step import decode, requests_in_flight
from calc.step.forecasting import forecast_of
from calc.world.guesses import guessed_runs_of
from tests.calc.figure.asking import of, standing

answer, number = of("serving")
ROOT = Path(__file__).resolve().parents[3]


def test_the_walk_through_a_rack_is_the_sheet_at_the_defaults():
    for mine, its in (("output", "output"), ("fresh", "fresh"), ("cached_cost", "cached"), ("margin", "margin")):
        assert number("rack", mine) == pytest.approx(number("sheet", its))


def test_parts_of_a_step_add_up_to_the_time_without_overlap():
    parts = ("compute", "weights", "cache", "link", "activations")
    assert sum(number("step", part) for part in parts) == pytest.approx(number("step", "serial"))
    bars = answer("step").tables["bars"]
    assert sum(bars["seconds"]) == pytest.approx(number("step", "serial"))


@pytest.mark.parametrize(
    "inputs",
    [{}, {"batch": 1}, {"batch": 60_000}, {"model": "llama-3-70b", "system": "hgx-h100", "batch": 64}],
    ids=str,
)
def test_stairs_climb_to_the_step_without_overlap_and_to_the_forecast(inputs):
    table = answer("stairs", **inputs).tables["stairs"]
    tops = dict(zip(table["stair"], table["end"], strict=True))
    assert min(table["added"]) >= 0
    assert table["start"] == pytest.approx([0, *table["end"][:-1]], abs=1e-12)
    assert tops["activations"] == pytest.approx(number("step", "serial", **inputs))
    assert tops["rates below data sheets"] == pytest.approx(number("stairs", "rates", **inputs))
    assert tops["overhead of sequences"] == pytest.approx(number("sheet", "expected", **inputs))
    assert number("stairs", "bound", **inputs) == pytest.approx(number("sheet", "step", **inputs))


def test_the_first_stairs_are_those_of_the_walk_and_end_at_its_bound():
    table = answer("stairs").tables["stairs"]
    walk = number("rack", "floor"), number("parts", "weights_seconds"), number("rack", "step")
    assert table["end"][:3] == pytest.approx(walk)
    assert table["added"][-2:] == pytest.approx(
        [number("parts", "kernels_expected"), number("parts", "sequences_expected")]
    )
    assert max(table["added"]) == table["added"][-2], "the overhead of kernels is the highest"


def test_lecture_1_forecasts_the_case_with_its_input_alone():
    alone = case("rack").writing.setting, 2048, number("rack", "input")
    lecture_1 = standing("batching/step-time").values["forecast"].number
    assert lecture_1 == pytest.approx(forecast_of(decode(*alone)).seconds)
    assert 0.98 < lecture_1 / number("rack", "expected") < 1


def test_the_curve_of_speed_has_the_numbers_of_the_sheet_and_of_the_table():
    found = answer("speed").values
    pairs = {"kept": "promised", "kept_cost": "promised_output", "user": "user", "cost": "output"}
    pairs |= {"full": "batch_mode_batch", "full_cost": "batch_mode"}
    for mine, its in pairs.items():
        assert found[mine].number == pytest.approx(number("sheet", its)), mine
    assert found["over"].number == pytest.approx(number("sheet", "promised_output") / number("sheet", "batch_mode"))
    late = {"late": "slow_sequences", "late_cost": "slow_output"}
    for mine, its in late.items():
        assert found[mine].number == pytest.approx(number("questions", its)), mine
    faster = answer("speed", promise=75).values
    assert faster["kept"].number == number("questions", "faster_room")
    assert faster["kept_cost"].number == pytest.approx(number("questions", "faster_output"))


def test_from_dot_to_dot_half_as_many_share_a_step_faster_and_dearer():
    curve, dots = (answer("speed").tables[name] for name in ("curve", "dots"))
    at = {float(user): float(size) for user, size in zip(curve["user"], curve["batch"], strict=True)}
    sizes = [at[user] for user in sorted(dots["user"])]
    assert len(sizes) > 5
    assert sizes[:-1] == [2 * size for size in sizes[1:]]
    users, costs = np.array(sorted(zip(dots["user"], dots["cost"], strict=True))).T
    assert (np.diff(costs) > 0).all()
    assert users[1] / users[0] > 1.5 > 1.3 > costs[1] / costs[0], "on the left speed is cheap"
    assert users[-1] / users[-2] < 1.1 < 1.7 < costs[-1] / costs[-2], "on the right it is dear"


def test_a_fast_promise_leaves_little_of_its_step_beside_weights_and_kernels():
    assert 1 - number("ladder", "fixed") * number("rack", "promised") / 2 > 0.7
    assert 0.1 < 1 - number("ladder", "fixed") / number("questions", "faster_step") < 0.2
    assert number("ladder", "late_fixed") > number("questions", "faster_step"), "at the slow end it leaves nothing"
    left = number("questions", "faster_step") - number("ladder", "fixed")
    assert number("questions", "faster_room") == 72 * int(left / number("ladder", "each"))


def test_at_the_slow_end_less_than_half_as_many_keep_the_promise_at_over_twice_the_cost():
    found, slow = answer("speed"), number("error", "high")
    assert found.values["late"].number < found.values["kept"].number / 2
    assert found.values["late_cost"].number > 2 * found.values["kept_cost"].number
    curve, later = (found.tables[name] for name in ("curve", "slow"))
    kept = np.isin(curve["batch"], later["batch"])
    assert slow * np.array(later["user"]) == pytest.approx(np.array(curve["user"])[kept])
    assert np.array(later["cost"]) / slow == pytest.approx(np.array(curve["cost"])[kept])
    assert found.tables["late"]["user"][0] >= number("rack", "promised")
    assert found.tables["slow_name"]["cost"] == [min(later["cost"])]
    assert found.tables["slow_name"]["said"] == ["slow end"], "the text's word"
    faster = answer("speed", promise=75)
    assert faster.values["late_cost"].number > max(faster.tables["curve"]["cost"]), "beyond the drawing"
    assert faster.tables["late"]["user"] == []


def test_a_fresh_token_costs_a_tenth_of_a_written_one_and_a_cached_one_a_sixteenth_of_that():
    assert number("rack", "fresh") / number("rack", "output") == pytest.approx(0.1, rel=0.05)
    assert number("rack", "cached_cost") / number("rack", "fresh") == pytest.approx(1 / 16, rel=0.05)


def test_a_batch_beyond_the_curve_has_no_ring_and_is_said():
    assert answer("speed").tables["ring"]["user"] == [number("speed", "user")]
    alone = answer("speed", batch=1)
    assert alone.tables["ring"]["user"] == []
    assert alone.values["cost"].text in alone.notes[-1]
    assert max(alone.tables["curve"]["cost"]) == max(answer("speed").tables["curve"]["cost"])
    assert "ring" in answer("speed").description
    assert "ring" not in alone.description


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, "At the left end memory is full"),
        ({"batch": 1e6}, "no room for those to the left"),
        ({"system": "hgx-h100"}, "no room for a sequence of each group"),
    ],
    ids=str,
)
def test_the_curve_of_speed_is_described_as_it_is_drawn(inputs, said):
    found, room = answer("speed", **inputs), answer("speed").values["full"].number
    assert said in found.description
    assert ("no room" in said) == (not found.tables["full"]["user"] or max(found.tables["curve"]["batch"]) > room)
    assert "An upright rule" not in answer("speed", promise=1000, **inputs).description


@pytest.mark.parametrize("inputs", [{"promise": 1000}, {"system": "hgx-h100"}], ids=str)
def test_a_speed_that_no_batch_keeps_has_no_mark_and_is_said(inputs):
    found = answer("speed", **inputs)
    assert found.finding.startswith("No batch of this layout keeps a promise")
    assert "kept" not in found.values
    assert found.tables["here"]["user"] == found.tables["late"]["user"] == []


def test_what_is_rented_for_slow_steps_peaks_and_chance_makes_a_token_twice_as_dear():
    written = number("questions", "traffic") * number("rack", "answer")
    dollars = number("rack", "rent") / 3600 / written * 1e6
    assert number("questions", "rented_output") == pytest.approx(2 * number("rack", "output"))
    spare = number("questions", "rented") / number("fleet", "least")
    assert number("questions", "rented_output") == pytest.approx(spare * number("fleet", "least_output"))
    assert spare > 3
    assert number("questions", "racks") * number("exercise", "rack_chips") <= number("fleet", "share")
    assert number("fleet", "share") < number("fleet", "least")
    assert 0 < number("questions", "sized_left") < number("rack", "margin")
    whole, groups, asked = (
        number("questions", "rented_output"),
        number("fleet", "sized_output"),
        number("rack", "asked_output"),
    )
    assert whole > groups > number("questions", "sized") * 72 * dollars > asked
    assert groups == pytest.approx(number("fleet", "sized") * dollars)
    assert number("questions", "racks") == pytest.approx(0.5, abs=0.03), "by the forecast one is half full"
    even = number("questions", "flight") / number("questions", "slow_sequences")
    chance = 1 + number("questions", "more_at_random")
    assert even * number("questions", "peak") * chance == pytest.approx(number("questions", "sized"))
    a_step = number("ladder", "second") * number("rack", "expected")
    assert a_step / number("rack", "batch") * 1e6 == pytest.approx(number("rack", "output"))


def test_the_room_of_a_promise_follows_from_the_time_beside_weights_and_kernels_and_that_of_a_sequence():
    fixed, each = number("ladder", "fixed"), number("ladder", "each")
    assert fixed == pytest.approx(number("parts", "weights_expected") + number("parts", "kernels_expected"))
    assert fixed + each * number("parts", "sequences") == pytest.approx(number("rack", "expected"))
    for name, allowed, room in (
        ("promised", number("ladder", "allowed"), number("sheet", "promised")),
        ("late", number("ladder", "late_allowed"), number("questions", "slow_sequences")),
    ):
        left, chip = number("ladder", f"{name}_left"), number("ladder", f"{name}_chip")
        assert left == pytest.approx(allowed - fixed)
        assert int(left / each) == chip
        assert 72 * chip == pytest.approx(room) == number("ladder", f"{name}_room")
    assert number("ladder", "late_allowed") - fixed < (number("ladder", "allowed") - fixed) / 2
    assert number("questions", "slow_output") > 2 * number("ladder", "full_output")
    paid = number("ladder", "second") * number("ladder", "allowed") / number("questions", "slow_sequences") * 1e6
    assert paid == pytest.approx(number("speed", "late_cost"), rel=0.01)
    assert number("ladder", "late_allowed") * number("error", "high") == pytest.approx(number("ladder", "allowed"))
    bound = number("ladder", "second") * number("rack", "step") / number("rack", "batch") * 1e6
    assert bound == pytest.approx(number("rack", "output_least"))


def test_each_rung_is_a_number_of_racks_times_the_cost_of_one_that_is_never_idle():
    one = number("rack", "output")
    assert number("questions", "rented_output") == pytest.approx(one * math.ceil(number("questions", "sized")))
    assert number("fleet", "sized_output") == pytest.approx(one * number("fleet", "sized") / 72)
    assert one * math.ceil(number("busier", "racks_r1")) > number("ladder", "asked"), "nothing is left at that peak"
    even = number("questions", "flight") / number("questions", "slow_sequences")
    assert one * even == pytest.approx(number("speed", "late_cost"), rel=0.01)
    answer = number("rack", "answer") * number("rack", "expected")  # seconds
    assert answer * number("questions", "traffic") == pytest.approx(number("rack", "batch"))


def test_each_state_of_the_rack_costs_its_rent_over_the_tokens_that_it_writes():
    second, flight = number("ladder", "second") * 1e6, number("questions", "slow_sequences")
    setting, allowed = case("rack").writing.setting, number("ladder", "allowed")
    full = float(forecast_of(decode(setting, number("sheet", "promised"), 4596)).seconds)
    for rate, cost in (
        (number("rack", "batch") / number("rack", "step"), number("rack", "output_least")),
        (number("rack", "batch") / number("ladder", "expected"), number("rack", "output")),
        (number("sheet", "promised") / full, number("sheet", "promised_output")),
    ):
        assert second / rate == pytest.approx(cost)
    assert allowed * 1000 == pytest.approx(number("questions", "stay"))
    assert 0.99 * allowed < full <= allowed, "just under"
    assert number("ladder", "room") / flight == pytest.approx(number("questions", "sized"))


def test_a_pass_shares_memory_and_kernels_and_not_arithmetic_or_links():
    parts = ("memory", "arithmetic", "links", "kernels")
    a_step = number("ladder", "second") / number("rack", "batch") * 1e6  # dollars for a million tokens, a second
    names = ("moving_expected", "arithmetic_expected", "sending_expected", "kernels_expected")
    written = {part: a_step * number("parts", name) for part, name in zip(parts, names, strict=True)}
    second = number("ladder", "second") * 1e6 / number("rack", "pass_fresh")
    seconds = {part: number("rack", f"alone_{part}") for part in parts[:3]} | {"kernels": number("parts", names[3])}
    read = {part: second * of for part, of in seconds.items()}
    assert sum(read.values()) == pytest.approx(number("rack", "fresh"))
    assert written["memory"] / read["memory"] == pytest.approx(20, rel=0.02)
    assert written["kernels"] / read["kernels"] == pytest.approx(576)
    assert written["arithmetic"] / read["arithmetic"] == pytest.approx(2, rel=0.01)
    assert written["links"] / read["links"] == pytest.approx(1, abs=0.03)
    assert (read["arithmetic"] + read["links"]) / number("rack", "fresh") > 0.8


def test_the_caches_of_all_exceed_a_chip_and_attention_is_half_of_the_arithmetic():
    assert number("parts", "all_caches") > number("parts", "memory")
    assert number("parts", "experts_held") + number("parts", "copies_read") == number("parts", "weights_read")
    each, parameters = number("parts", "arithmetic_attention"), number("parts", "arithmetic_parameters")
    assert each + parameters == number("parts", "arithmetic")
    told = 2 * number("rack", "active") * number("parts", "sequences") / number("parts", "rate")
    assert parameters == pytest.approx(told, rel=0.02)
    wide = replace(case("rack").writing.setting, precisions=Precisions.named("fp8-bf16-cache"))
    operations = decode(wide, 2048, 4596).operations
    attention = sum(float(each.compute_seconds) for each in operations if each.name == "attention")
    assert attention == pytest.approx(2 * number("parts", "arithmetic_attention")), "in BF16, as DeepSeek runs it"
    assert attention + parameters < number("rack", "step"), "and reading still sets the bound"


def test_what_is_left_of_a_thousand_requests_is_their_price_less_two_racks_and_the_readers_of_the_peak():
    asked, read = number("ladder", "asked"), number("ladder", "reading")
    left = asked - number("questions", "rented_output") - read
    assert left / asked == pytest.approx(number("questions", "sized_left"))
    slow = read * number("error", "reads_high") * number("questions", "alike_chance")
    assert 1 - (number("questions", "rented_output") + slow) / asked == pytest.approx(
        number("questions", "alike_left"), abs=0.006
    ), "and whole pairs"
    assert number("questions", "third_left") < 0 < number("questions", "alike_left") < left / asked
    half = number("rack", "input") * number("rack", "cached") * 1000 / 1e6
    fresh, cached = number("rack", "fresh"), number("rack", "cached_cost")
    assert number("ladder", "brought") == 1000 * number("rack", "input")
    assert read == pytest.approx(number("questions", "peak") * half * (fresh + cached))


def test_a_request_s_price_is_told_and_how_far_it_is_below_the_cost():
    (told,) = answer("sheet").notes[-1:]
    assert re.search(r"at the prices of DeepSeek it brings in \$[\d.]+\.$", told)
    hosts = answer("sheet", model="llama-3-70b", system="hgx-h100", batch=64, price=100).notes[-1]
    over = re.findall(r"brings in \$([\d.]+), and costs ([\d.]+)× as much", hosts)
    assert [float(price) * float(times) for price, times in over] == pytest.approx(
        [number("sheet", "request", model="llama-3-70b", system="hgx-h100", batch=64, price=100)] * 2, rel=0.01
    )


def test_a_faster_promise_never_costs_less():
    costs = [number("frontier", "cost", promise=promise) for promise in (10, 30, 60, 90, 120)]
    assert costs == sorted(costs)
    assert all(number("frontier", "speed", promise=promise) >= promise for promise in (10, 60, 120))


def test_a_promise_that_nothing_keeps_is_said_to_be_kept_by_nothing():
    found = answer("frontier", promise=1000)
    assert found.finding.startswith("No layout that is tried should keep")
    assert found.values["speed"].number == found.values["fastest"].number


def test_no_point_of_the_expected_frontier_beats_the_bound():
    tables = answer("frontier").tables
    assert max(tables["expected"]["user"]) < max(tables["bound"]["user"])
    assert max(tables["expected"]["chip"]) < max(tables["bound"]["chip"])


def test_measured_runs_stand_on_the_frontier_and_the_nearest_is_named():
    found = answer("frontier", model="llama-3-70b", system="hgx-h200", promise=40)
    points = found.tables["runs"]
    assert found.values["runs"].number == len(points["user"]) > 100
    ring = found.tables["run"]["user"][0]
    assert min(abs(math.log(user / 40)) for user in points["user"]) == pytest.approx(abs(math.log(ring / 40)))
    assert re.search(r"vLLM|SGLang|TensorRT-LLM", found.notes[0])
    assert re.search(r"\d [A-Z][a-z]+ 20\d\d", found.notes[0])
    assert len(re.findall(r"\d[\d.,]*", found.notes[0].partition(" (")[0])) <= 5
    assert found.values["run_flight"].number >= 1
    assert answer("frontier", model="own").values["run_flight"].text == "nothing is measured"


def test_a_run_is_told_beside_its_bound_and_its_own_forecast():
    found = answer("frontier", model="llama-3-70b", system="hgx-h200", promise=40)
    took, bound, likely = [float(each) for each in re.findall(r"([\d.]+) ms", found.notes[0])]
    assert found.values["run_over"].number == pytest.approx(took / likely, rel=1e-2)
    assert took > bound


def test_a_model_that_nobody_measured_there_has_no_points():
    for inputs in ({"model": "own"}, {"system": "tpu-v5p-pod"}):
        found = answer("frontier", **inputs)
        assert (found.values["runs"].number, list(found.tables["run"]["user"])) == (0, [])
        assert found.notes[0].startswith("Among the published measurements there is no clean run of")


@pytest.mark.parametrize(
    ("second", "first"),
    [
        ({"second_system": "hgx-h200"}, {"system": "hgx-h200", "price": 4.75}),
        ({"second_model": "llama-3-70b"}, {"model": "llama-3-70b"}),
        ({"second_precision": "fp4"}, {"precision": "fp4"}),
    ],
)
def test_a_second_line_is_that_of_a_figure_of_its_own(second, first):
    both, alone = answer("frontier", **second), answer("frontier", **first)
    for name in ("expected", "bound"):
        there = [place for place, whose in enumerate(both.tables[name]["whose"]) if whose == "second"]
        for column in ("user", "chip", "dollars", "layout"):
            mine = [both.tables[name][column][place] for place in there]
            assert mine == alone.tables[name][column]
    assert alone.values["cost"].text in both.finding
    assert float(both.values["cost"].number) == number("frontier", "cost")
    assert both.tables["ends"]["user"] == [alone.tables["expected"]["user"][-1]]


def test_between_runs_that_no_other_beats_cost_mostly_rises_more_steeply_than_along_the_line():
    tables = answer("frontier").tables
    line, runs = tables["expected"], tables["runs"]
    every = zip(runs["user"], runs["chip"], runs["alike"], strict=True)
    dots = sorted((user, chip) for user, chip, alike in every if alike)
    best = np.log([dot for dot in dots if dot[1] >= max(chip for user, chip in dots if user >= dot[0])])
    there = np.interp(best[:, 0], np.log(line["user"]), np.log(line["chip"]))
    steeper = np.diff(best[:, 1]) < np.diff(there)
    assert steeper.mean() > 0.6
    assert steeper[np.exp(best[1:, 0]) < 75].all()


def test_smaller_steps_of_the_batch_keep_the_same_promise_for_less():
    fine, finest = answer("frontier"), answer("frontier", grid="finest")
    assert (fine.values["tried"].number < 12_000, finest.values["tried"].number > 100_000) == (True, True)
    assert finest.values["cost"].number <= fine.values["cost"].number < 1.03 * finest.values["cost"].number
    assert finest.values["speed"].number == pytest.approx(50, rel=0.01)
    assert len(finest.tables["expected"]["user"]) <= 60


def test_a_run_is_held_against_the_line_of_its_own_context():
    known = runs()
    mine = known.are("model", "deepseek-v3") & known.are("system", "gb200-nvl72") & known.are("precision", "fp8")
    rack, under = described("deepseek-v3", "", "gb200-nvl72", "fp8"), []
    tried = {"batch": lines.batches(lines.FINE), "tensor": lines.TENSOR, "expert": lines.groups_tried(256, 72)}
    for run in np.flatnonzero(mine):
        context, speed = float(known.context[run]), 1 / known.measured[run]
        best = bounds_and_forecasts(rack, context, **tried)[1].frontier()
        if speed <= best.per_user.max():
            chip = known.in_flight[run] * speed / known.chips[run]
            under.append(best.per_chip[best.per_user >= speed].max() / chip)
    assert number("frontier", "own_under") == pytest.approx(np.median(under))
    assert number("frontier", "own_under", context=1e5) == number("frontier", "own_under"), "the reader's has no part"


def test_small_steps_are_computed_in_parts_after_which_nothing_is_left_to_sweep(monkeypatch):
    asked = {"grid": "finest", "precisions": "every", "system": "hgx-h100", "second_model": "llama-3-70b"}
    assert [FRONTIER.part(at, **asked | {"grid": "fine"}) for at in range(2)] == [(1, 1), None]
    assert FRONTIER.part(0, model="own") is None  # nothing is measured of it
    counted = [FRONTIER.part(at, **asked) for at in range(1 + 2 * 35 + 2 * 5)]
    assert counted == [(at + 1, len(counted)) for at in range(len(counted))]
    assert FRONTIER.part(len(counted), **asked) is None
    monkeypatch.delattr("calc.serving.figures.lines.bounds_and_forecasts")
    found = answer("frontier", **asked)
    assert found.values["tried"].number > 2 * 100_000
    assert FRONTIER.part(0, **asked | {"promise": 20, "price": 1})
    with pytest.raises(NameError):
        FRONTIER.part(1, **asked | {"context": 8000})


def test_layouts_one_by_one_have_the_frontier_of_all_together():
    setting, batches = described("deepseek-v3", "", "hgx-h200", "fp8"), lines.batches(lines.FINEST)
    whole = bounds_and_forecasts(setting, 4096, batch=batches, tensor=lines.TENSOR, expert=lines.EXPERT)
    found = lines.line(Named("deepseek-v3", "", "hgx-h200", "fp8"), 4096, lines.FINEST, 1.0)
    for alone, together in zip((found.bounds, found.likely), whole, strict=True):
        assert alone.per_user.tolist() == together.frontier().per_user.tolist()
        assert alone.per_chip.tolist() == together.frontier().per_chip.tolist()
    assert found.tried == whole[0].tried


def test_the_frontier_is_the_layout_of_the_sheet_on_as_many_chips_as_share_experts_evenly():
    """64 chips hold four experts of a layer each; of 72 the fullest hold as many, and cost a little more."""
    assert number("frontier", "chips") == 64 == 256 / 4
    assert number("frontier", "paid") == pytest.approx(72 / 64 * number("frontier", "cost"))
    alone = modes(case("rack", output_tokens=1), 50).promised  # the input is held, and no answer
    assert 0.95 < number("frontier", "cost", grid="finest") / (1e6 * alone.dollars) < 1
    assert number("frontier", "cost") < number("sheet", "promised_output")
    assert number("frontier", "cost") == pytest.approx(1e6 * alone.dollars, rel=0.005), "ours costs as much"
    assert number("frontier", "paid") > 1.1 * 1e6 * alone.dollars, "the chips left free counted, more than ours"


def test_at_the_promise_of_the_page_groups_of_a_chip_as_in_the_case_are_the_cheapest():
    assert answer("frontier").finding.endswith("64 groups of 1 chip")
    assert described("deepseek-v3", "", "gb200-nvl72", "fp8").layout.data == 72


def test_another_layout_sells_the_speed_of_fast_mode_for_less():
    speed, dear = number("rack", "fast_speed") * number("rack", "user"), number("rack", "fast_output")
    assert number("frontier", "cost", promise=speed) < 0.8 * dear < 0.8 * 3 * number("rack", "output")


def test_a_line_that_is_refused_is_so_after_its_parts(rubin_in_fp4_alone):
    asked = {"grid": "finest", "second_system": "rubin-nvl72"}
    assert [FRONTIER.part(at, **asked) for at in range(81)][-1] == (81, 81)
    assert answer("frontier", **asked).finding.endswith("no line")


@pytest.mark.parametrize(("promise", "best"), [(1, "fp4"), (50, "fp4"), (132, "bf16")])
def test_of_every_precision_the_cheapest_that_keeps_the_promise_is_named(promise, best):
    alone = {each: answer("frontier", precision=each, promise=promise).values for each in ("bf16", "fp8", "fp4")}
    costs = {each: values["cost"].number for each, values in alone.items() if values["speed"].number >= promise}
    found = answer("frontier", precisions="every", promise=promise)
    assert found.values["cost"].number == min(costs.values()) == costs[best]
    assert found.finding.endswith(f", {best.upper()}")
    assert found.values["tried"].number == sum(values["tried"].number for values in alone.values())
    assert "published in FP8" in found.notes[-1]
    assert "in every precision" in found.tables["expected"]["of"][0]


def test_every_precision_is_each_that_the_chip_multiplies_and_that_has_room():
    for system, row in catalog.systems().items():
        tried = Named("deepseek-v3", "", system, "every").precisions
        assert tried
        assert all(row.chip.arithmetic(each) in {each, "int8"} for each in tried)
    full = answer("frontier", precisions="every", model="llama-3-405b", system="hgx-h100", context=1e6)
    assert full.notes[-1].startswith("Tried together: FP8; no layout has room for BF16.")
    assert {layout[-5:] for layout in full.tables["expected"]["layout"]} == {", FP8"}
    assert answer("frontier", precisions="every", context=1e8).finding.startswith("No layout that is tried")


def test_where_only_a_rate_in_four_bits_is_known_attention_has_none(rubin_in_fp4_alone):
    with pytest.raises(CalcError, match="a format whose rate on Vera Rubin"):
        answer("frontier", precisions="every", system="rubin-nvl72")
    unknown = answer("frontier", second_system="rubin-nvl72")
    assert unknown.finding.endswith("no line")
    assert "whose rate on Vera Rubin NVL72 (72 packages) is known" in unknown.notes[-1]


def test_beside_every_precision_stands_one_alone_or_every_one_elsewhere():
    one = answer("frontier", precisions="every", second_precision="fp8")
    assert one.finding.endswith(f"; FP8: {answer('frontier').values['cost'].text} a million")
    older = answer("frontier", precisions="every", second_system="hgx-h200")
    alone = answer("frontier", precisions="every", system="hgx-h200", price=4.75)
    assert alone.values["cost"].text in older.finding
    assert older.tables["expected"]["of"][-1].endswith("on HGX H200 (8 GPUs) in every precision")


def test_a_second_line_that_is_the_first_is_not_drawn():
    for second in ({}, {"second_system": "gb200-nvl72"}, {"second_model": "deepseek-v3", "second_precision": "fp8"}):
        found = answer("frontier", **second)
        assert set(found.tables["expected"]["whose"]) == {"first"}
        assert (found.tables["ends"]["user"], len(found.notes)) == ([], 1)


def test_a_second_line_without_a_rent_has_no_dollars_and_one_without_room_is_said():
    rentless = answer("frontier", second_system="tpu-v6e-pod")
    assert "tokens/s a chip" in rentless.finding
    assert "no rent is published" in rentless.notes[1]
    there = rentless.tables["expected"]["whose"].index("second")
    assert math.isnan(rentless.tables["expected"]["dollars"][there])
    full = answer("frontier", model="llama-3-8b", system="hgx-h100", context=4e6, second_model="llama-3-405b")
    assert full.finding.endswith("no room")
    assert full.notes[-1].startswith("No layout that is tried holds Llama 3.1 405B")
    assert answer("frontier", second_system="hgx-a100", promise=200).finding.endswith("does not keep it")


def test_a_promised_first_token_is_held_by_shorter_passes_or_said_to_be_held_by_none():
    usual, held, never = (answer("sheet", within=within) for within in (10, 0.5, 0.01))
    assert not any("first token" in note for note in usual.notes)
    assert "a pass has 2 prompts of each group and not 8" in held.notes[0]
    assert held.values["wait"].number <= 0.5 < usual.values["wait"].number
    assert held.values["fresh"].number > usual.values["fresh"].number
    assert f"; a promise of {never.values['wait'].text} would do" in never.notes[0]
    assert "Shorter input would not do" in never.notes[0]
    assert answer("sheet", within=0.01, context=1).notes[0].startswith("No pass keeps"), "it would not, indeed"
    assert "Shorter input or more of it in a cache can help" in answer("sheet", within=0.2).notes[0]
    assert answer("sheet", within=math.ceil(1000 * never.values["wait"].number) / 1000).notes[0].startswith("So that")


def test_what_does_not_fit_is_said():
    assert any("exceed" in note for note in answer("sheet", system="hgx-h100").notes)
    assert answer("frontier", context=1e8).finding.startswith("No layout that is tried")


def test_traffic_fills_racks_in_proportion_but_a_part_of_one_has_less_room_than_its_share():
    flight, room = number("questions", "flight"), number("questions", "sequences")
    assert number("questions", "racks") == pytest.approx(flight / room)
    assert number("fleet", "half_room") < flight < room, "half of the chips do not hold half of the room"
    least = number("fleet", "least")
    assert 36 < least < 72
    layouts = {
        chips: Setting.published("deepseek-v3", "gb200-nvl72", "fp8", layout=Layout(data=chips))
        for chips in (least, least - 1)
    }
    each = {chips: math.ceil(flight / chips) for chips in layouts}
    steps = [forecast_of(decode(layouts[chips], chips * each[chips], 4596)).seconds for chips in layouts]
    assert steps[0] <= 1 / number("rack", "promised") < steps[1]


def test_two_equal_groups_hold_the_peak_and_leave_too_few_chips_that_read():
    each, sized = number("fleet", "each"), number("fleet", "sized")
    assert sized == 2 * each > 72 * number("questions", "sized")
    slow = number("error", "high") * number("rack", "promised")
    pairs = {(66, 68): True, (66, 66): False, (72, 60): False}
    for parts, enough in pairs.items():
        assert (sum(room_on(case("rack"), chips, slow) for chips in parts) >= number("ladder", "room")) == enough
    assert sized + number("questions", "peak_reading") > number("questions", "rented"), "no chips are left to read"
    half = number("questions", "peak_flight") / 2
    had = room_on(case("rack"), each, number("error", "high") * number("rack", "promised"))
    assert number("ladder", "room") / 2 <= had < half + 3 * math.sqrt(half), "both share the room for chance"


def test_a_part_of_a_rack_has_less_room_than_its_share_only_where_a_chip_holds_more_experts():
    even, late = number("fleet", "even"), number("error", "high") * number("rack", "promised")
    assert even == 256 / number("parts", "most_experts")
    each = [room_on(case("rack"), chips, late) / chips for chips in range(int(even) - 5, 73)]
    assert set(each[5:]) == {number("ladder", "late_chip")} > set(), "from there on its share"
    assert max(each[:5]) < number("ladder", "late_chip")


def test_a_pass_of_fresh_tokens_is_the_sum_of_its_parts():
    parts = [number("rack", f"alone_{name}") for name in ("memory", "arithmetic", "links")]
    assert sum(parts) + number("parts", "kernels_expected") == pytest.approx(number("rack", "pass_alone"))
    assert max(parts) == number("rack", "alone_links")


def test_newer_chips_save_by_a_survey_s_rents_at_equal_speed_alone():
    newer, older = number("node", "rack_output") / number("rack", "rent") * 4, number("node", "fours_output") / 3.65 * 2
    assert newer > older
    assert number("node", "surveyed_more") == pytest.approx(newer / older - 1)
    assert 0.1 < number("node", "alike_saved") < 0.2
    assert number("node", "alike") > number("node", "even") / 2


def test_experts_and_a_rack_write_for_less_than_a_dense_model_by_their_small_cache():
    assert number("rack", "token") / number("node", "token") == pytest.approx(1 / 5, rel=0.1)
    step = case("rack").writing
    grouped = number("node", "token") / number("rack", "token") - 1  # more to read for each token
    slower = grouped * number("rack", "cache_seconds") / number("error", "memory")
    spared = number("parts", "arithmetic_attention") / number("error", "arithmetic")  # at most, by plain heads
    dollars = step.setting.layout.chips * number("rack", "rent") / 3600 / number("rack", "batch") * 1e6
    dearer = (number("rack", "expected") + slower - spared) * dollars
    assert number("rack", "output") < number("node", "rack_output") < dearer


def test_at_the_dearest_offer_of_a_rack_nothing_is_left_of_the_price():
    highest = number("questions", "offered_high")
    assert number("sheet", "margin", price=highest) < 0 < number("rack", "margin")
    ratio, rent = highest / number("rack", "rent"), number("rack", "rent")
    assert number("sheet", "output", price=highest) == pytest.approx(ratio * number("rack", "output"))
    assert ratio > 2
    sized = number("questions", "sized") * number("rack", "output")
    assert ratio * sized > number("ladder", "asked"), "without the rounding too"
    assert number("questions", "offered_low") < rent < highest


def test_little_of_what_two_racks_cost_our_traffic_is_rounding():
    whole, sized = number("questions", "rented_output"), number("questions", "sized") * number("rack", "output")
    assert 1 < whole / sized < 1.1
    assert whole / sized == pytest.approx(2 / number("questions", "sized"))


def test_the_peak_that_is_planned_for_counts_requests_and_is_the_steepest_usual_day():
    low, high = (catalog.datum(f"servegen-peak-{name}") for name in ("low", "high"))
    assert number("questions", "peak") == high.value > low.value > catalog.deployment("deepseek-day-6").peak
    assert "Requests of the busiest hour" in high.name
    assert "Median of 14 days" in high.note
    for figure, name in (("ladder", "room"), ("questions", "more_at_random")):
        mean = high.value * number("questions", "flight")
        had = mean + 3 * math.sqrt(mean)
        assert number(figure, name) == pytest.approx(had if name == "room" else had / mean - 1)


def at_full_rates() -> float:
    """Seconds of the case's memory, arithmetic and links, one after another."""
    memory = number("rack", "step") + number("parts", "activations")
    return float(memory + number("parts", "arithmetic") + number("rack", "link"))


def test_a_row_of_kernels_takes_the_sum_of_each_ones_longer_time_and_the_forecast_adds_more():
    step = case("rack").writing
    turn = sum(max(each.parts) for each in step.operations)
    assert number("rack", "turn") == pytest.approx(turn)
    assert number("rack", "step") < turn < at_full_rates() < number("rack", "expected")
    served = standing("world/chip-overlap").values
    assert served["served_longer"].number == pytest.approx(served["served_sum"].number, rel=0.1), "about as much"


def test_caches_in_bf16_are_read_for_twice_as_long():
    longer = number("error", "wider_bound") - number("rack", "step")
    assert longer == pytest.approx(number("rack", "cache_seconds"))


def test_sending_that_hides_behind_a_pass_fits_there():
    links = number("rack", "alone_links") * number("ladder", "second") * 1e6 / number("rack", "pass_fresh")
    assert number("rack", "hidden") == pytest.approx(number("rack", "fresh") - links)
    assert number("rack", "hidden") > links


def test_a_guess_a_step_saves_more_by_the_forecast_than_was_measured_and_uneven_experts_cost_a_tenth():
    gain = number("error", "drafted_more")
    measured = [standing("world/guesses").values[name].number for name in ("short_rate", "many_rate")]
    assert 1 < measured[0] < measured[1] < gain < 1.85
    assert 0 < number("error", "uneven") < 0.15
    sent = 1.56 * number("parts", "sending_expected") / number("rack", "expected")
    assert sent < number("error", "uneven") < 2 * sent


def test_a_chip_that_a_lone_token_visits_reads_eight_times_the_mean_of_those_with_experts():
    (experts,) = (
        each for each in decode(case("rack").writing.setting, 1.0, 4596.0).operations if each.name == "experts"
    )
    one = 3 * 7168 * 2048  # bytes of an expert, in FP8
    assert one * experts.layers / float(experts.weights) == pytest.approx(8, rel=0.01)


def test_at_the_slow_end_one_rack_breaks_the_promise_to_an_even_flow_and_two_keep_it_at_the_peak():
    setting, allowed = case("rack").writing.setting, number("ladder", "allowed")
    even, half = (
        number("error", "high") * forecast_of(decode(setting, flight, 4596)).seconds
        for flight in (number("questions", "flight"), number("ladder", "room") / 2)
    )
    assert half < allowed < even


def test_the_rows_of_the_table_of_racks_are_of_one_kind_and_the_slow_end_more_than_doubles_the_first():
    racks, one = number("questions", "racks"), number("rack", "output")
    even, slow = one * racks, one * number("questions", "flight") / number("questions", "slow_sequences")
    assert even == pytest.approx(number("ladder", "full_output"), rel=0.01)
    assert slow / even > 2
    assert number("questions", "spare_output") == pytest.approx(1.5 * number("questions", "rented_output"))
    assert number("questions", "spare_output") > number("ladder", "asked"), "nothing is left with a spare"
    busy = number("questions", "owned_busy_most") / number("questions", "owned_busy")
    assert busy == pytest.approx(number("rack", "rent") / number("questions", "offered_low"))
    assert catalog.rents()["gb200-aws"].dollars_per_chip_hour == number("questions", "offered_high")
    assert "rack" in catalog.rents()["gb200-aws"].name, "the highest offer is the one of racks"


def test_three_racks_carry_a_steeper_day_or_a_median_day_with_one_failed_and_two_racks_neither():
    assert 2 < number("busier", "racks_r1") < 3
    assert 1 < number("questions", "sized") < 2
    assert number("busier", "peak_r1") > number("ladder", "two_peak")


def test_a_cached_token_costs_more_where_more_fresh_ones_attend_to_it():
    case_fresh = number("rack", "input") / 2
    fresh = number("agents", "input") * (1 - number("agents", "cached"))
    assert fresh / case_fresh == pytest.approx(3, abs=0.2)
    assert 2.5 < number("agents", "dearer") < fresh / case_fresh
    assert number("exercise", "hot_cached") < number("rack", "cached_cost") < number("exercise", "cold_cached")


def test_a_thousand_requests_cost_their_tokens_on_busy_chips_and_all_that_is_rented_in_the_plan():
    million = number("rack", "input") * number("rack", "cached") / 1000  # fresh ones of a thousand, and cached ones
    read = million * (number("rack", "fresh") + number("rack", "cached_cost"))
    assert number("ladder", "busy") == pytest.approx(number("rack", "output") + read)
    readers = number("questions", "alike_chips")
    a_chip = number("rack", "rent") / 3600 / number("questions", "traffic") * 1000
    for name, racks in (("alike_one", 1), ("alike", 2), ("alike_budget", 3)):
        assert number("questions", name) == pytest.approx((72 * racks + readers) * a_chip)
    assert number("questions", "alike") > 2 * number("ladder", "busy"), "slow engines, peaks and chance double it"
    assert number("questions", "alike") < number("ladder", "asked") < number("questions", "alike_budget")
    saved = number("questions", "alike") - number("questions", "alike_one")
    offer = 1 - number("questions", "offered_low") / number("rack", "rent")
    assert saved / number("questions", "alike") > offer, "so what may spare a rack comes first"


def test_one_rack_at_the_peak_has_a_step_of_weights_kernels_and_its_sequences():
    chip = math.ceil(number("ladder", "room") / 72)
    assert number("ladder", "one_chip") == chip
    step = number("ladder", "fixed") + chip * number("ladder", "each")
    assert number("ladder", "one_step") == pytest.approx(step, rel=0.002)
    assert number("ladder", "median_one") == pytest.approx(number("ladder", "allowed") / number("ladder", "one_step"))


def test_a_whole_rack_that_reads_leaves_nothing_and_is_enough_for_the_peak():
    assert number("questions", "peak_reading") < 72
    spent = number("questions", "rented_output") + number("rack", "output")
    assert 1 - spent / number("ladder", "asked") == pytest.approx(number("questions", "third_left"))
    assert number("questions", "third_left") < 0 < number("questions", "sized_left")


def test_input_is_a_larger_share_of_output_in_a_larger_batch():
    at = [number("sheet", "fresh", batch=size) / number("sheet", "output", batch=size) for size in (2048, 5328)]
    assert at == [pytest.approx(0.1, rel=0.05), pytest.approx(0.2, rel=0.05)]


def test_a_step_not_much_longer_than_its_forecast_gives_the_traffic_room_on_one_rack():
    most, promised = number("ladder", "median_one"), number("rack", "promised")
    assert 1 < most < number("error", "high"), "neither by the forecast nor at the slow end is it in doubt"
    assert room_on(case("rack"), 72, 0.999 * most * promised) >= number("ladder", "room")
    assert room_on(case("rack"), 72, 1.001 * most * promised) < number("ladder", "room")


def test_a_steeper_peak_needs_more_than_one_rack_even_by_the_forecast():
    mean = number("busier", "peak_r1") * number("questions", "flight")
    assert mean > number("questions", "sequences"), "without any room for chance"


def test_reading_that_takes_as_long_as_prompts_alone_did_leaves_nothing():
    reading = number("ladder", "reading") * standing("world/reading").values["long"].number
    asked = number("ladder", "asked")
    assert number("questions", "rented_output") + reading > asked


def test_the_ringed_run_is_the_slowest_over_its_forecast_and_the_next_has_the_case_s_length():
    known = runs()
    wide = known.over_forecast[known.are("precision", "fp8") & (known.chips == number("error", "most_chips"))]
    assert number("frontier", "run_over") == pytest.approx(wide.max())
    assert number("error", "below_user") < number("rack", "promised") < number("error", "ringed_user")
    assert number("error", "below_user") == pytest.approx(0.8 * number("error", "ringed_user"), rel=0.01)
    assert number("error", "below_context") == pytest.approx(number("rack", "held"), rel=0.01)


def test_four_chips_read_for_less_than_a_rack_by_the_rates_and_a_service_came_near_the_rack():
    assert number("error", "rack_forecast") < number("rack", "fresh") < number("error", "rack_fresh")
    assert number("error", "rack_fresh") == pytest.approx(number("rack", "rent") / 3600 / 18471 * 1e6)
    assert number("error", "rack_forecast") / number("error", "rack_fresh") == pytest.approx(
        number("error", "rack_ratio")
    )
    assert number("error", "rack_fresh") == pytest.approx(number("rack", "fresh"), rel=0.05)


def test_the_traffic_of_the_questions_is_what_the_case_carries():
    traffic, step = number("questions", "traffic"), number("rack", "expected")
    assert requests_in_flight(traffic, 1000 * step) == pytest.approx(number("rack", "batch"))


def test_a_service_sized_for_the_slow_end_needs_more_chips_than_the_miss_itself():
    speed = number("rack", "promised")
    had, slow = modes(case("rack"), speed), number("questions", "slow_sequences")
    late = number("error", "high") * forecast_of(decode(case("rack").writing.setting, [slow, slow + 72], 4596)).seconds
    assert late[0] <= 1 / speed < late[1]
    assert had.promised.batch / slow > number("error", "high")
    rates = [1 / number("questions", "slow_output"), 1 / number("frontier", "run_cost")]
    assert rates[0] == pytest.approx(rates[1], rel=0.1), "near the measured run at that speed"


def test_the_run_to_budget_by_keeps_the_promise_and_costs_more_than_a_full_rack_at_its_slow_end():
    speed, dear, cheap = number("rack", "promised"), number("error", "ringed_cost"), number("error", "below_cost")
    assert number("error", "below_user") < speed < number("error", "ringed_user")
    assert number("ladder", "full_output") < cheap < number("questions", "slow_output") < dear
    assert dear > 2 * number("ladder", "full_output")
    assert dear == pytest.approx(number("frontier", "run_cost"))
    assert number("frontier", "run_context") < number("rack", "held"), "shorter sequences, on fewer chips"
    assert number("frontier", "run_groups") < number("exercise", "rack_chips")


def test_a_service_sized_for_slow_steps_peaks_and_chance_multiplies_the_three():
    late = number("questions", "slow_sequences")
    even, busy = (number("questions", name) / late for name in ("flight", "peak_flight"))
    sizes = [number("questions", "racks"), even, busy, number("questions", "sized")]
    slow, peak, chance = np.divide(sizes[1:], sizes[:-1])
    assert peak == pytest.approx(number("questions", "peak"))
    assert chance == pytest.approx(1 + number("questions", "more_at_random"))
    assert slow > peak > number("error", "high") > chance > 1
    assert 1 < sizes[3] < 2


def test_the_peak_hour_needs_more_of_all_and_a_request_of_it_costs_less_on_the_same_chips():
    peak, rent = number("questions", "peak"), number("rack", "rent")
    for mean_hour, peak_hour in (
        ("flight", "peak_flight"),
        ("racks", "peak_forecast"),
        ("reading", "peak_reading"),
        ("peak_request", "sized_request"),
    ):
        assert number("questions", peak_hour) / number("questions", mean_hour) == pytest.approx(peak)
    assert number("questions", "flight") / number("questions", "slow_sequences") > 1
    assert 1 < number("questions", "mean_sized") < number("questions", "sized")
    seconds = number("questions", "traffic") * 3600
    rented = number("questions", "sized_request") * seconds / rent
    assert rented == pytest.approx(2 * 72 + number("questions", "peak_reading")), "two racks and readers of the peak"
    assert number("questions", "rented") == 144
    assert number("questions", "sized_request") / number("questions", "per_request") == pytest.approx(3, rel=0.05)


def test_at_half_load_a_token_costs_less_than_twice_as_much_for_the_step_is_shorter():
    half = forecast_of(decode(case("rack").writing.setting, number("rack", "batch") / 2, 4596)).seconds
    dearer = number("rack", "half_output") / number("rack", "output")
    assert dearer == pytest.approx(2 * half / number("rack", "expected"))
    assert 1.7 < dearer < 2


def test_the_nearest_run_held_less_than_the_frontier_whose_context_would_lengthen_its_step():
    held, longer = number("frontier", "run_context"), number("error", "run_longer")
    setting = Setting.published("deepseek-v3", "gb200-nvl72", "fp8", layout=Layout(data=32))
    assert (number("frontier", "run_groups"), number("frontier", "run_tensor")) == (32, 1)
    own, ours = (forecast_of(decode(setting, number("frontier", "run_flight"), each)).seconds for each in (held, 4096))
    assert held < 4096
    assert longer == pytest.approx(ours / own - 1)
    assert 0 < longer < 0.1
    assert number("error", "ringed_user") / (1 + longer) < number("rack", "promised"), "just missed"


def test_one_prompt_for_each_chip_waits_least_and_costs_little_more_than_a_full_pass():
    assert number("rack", "each_prompts") == 72 == number("rack", "prompts") / 8
    assert number("rack", "each_wait") < number("rack", "promise_wait") < number("rack", "wait")
    assert number("rack", "fresh") < number("rack", "promise_fresh") < number("rack", "each_fresh")


def test_a_larger_pass_hardly_lowers_the_cost_of_a_fresh_token():
    fresh = Request(2048, 1, 0.001)  # nearly all of it
    setting = case("rack").writing.setting
    few, many = (forecast_of(passes(setting, fresh, prompts=each)) for each in (8, 64))
    each = [np.ravel(of.seconds - of.sequence_seconds)[-1] for of in (few, many)]
    assert 0.98 < each[1] / 64 / (each[0] / 8) < 1


def test_the_simplest_bound_has_the_tokens_of_the_case_in_its_caches():
    where, held = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8"), float(case("rack").request.held)
    least = batching.step_time(2048, held, **where.step_arguments()).bound
    assert number("rack", "simplest") == pytest.approx(number("ladder", "second") * least / 2048 * 1e6)


def test_two_chips_read_for_less_than_eight_which_mostly_wait_for_links():
    reading = case("node").expected_reading
    assert (np.asarray(reading.sending_seconds) / np.asarray(reading.seconds))[-1] > 0.5
    assert number("node", "pair_fresh") < number("node", "fresh")


def test_an_exercise_sizes_for_the_peak_chance_and_whole_racks_and_each_forgotten_part_is_told_by_its_slip():
    told = registry.find("serving/exercise").answer().values
    arrivals, flight = (float(told[name].number) for name in ("arrivals", "flight"))
    assert flight == arrivals * 1000 / number("rack", "promised")
    peak, room = number("questions", "peak"), float(told["flight_peak"].number)
    assert room == pytest.approx(peak * flight + 3 * math.sqrt(peak * flight))
    late, racks = number("ladder", "late_room"), float(told["flight_racks"].number)
    assert racks == math.ceil(room / late) == 2
    assert number("ladder", "promised_room") > room, "one by the forecast"
    dollars = racks * number("ladder", "second") / (arrivals * 1000) * 1e6
    assert told["flight_cost"].number == pytest.approx(dollars)
    for name, wrong in {
        "flight_peak": (peak * flight, flight + 3 * math.sqrt(flight)),
        "flight_racks": (1.0,),
        "flight_cost": (dollars / 2, dollars / peak, number("rack", "output")),
    }.items():
        factors = [slip.factor for slip in told[name].slips]
        assert all(any(each / told[name].number == pytest.approx(factor) for factor in factors) for each in wrong), name


def test_a_guess_that_keeps_only_weights_or_only_kernels_is_off_by_more_than_its_field_allows():
    told = registry.find("serving/exercise").answer().values
    step, right = number("exercise", "step"), number("exercise", "cheaper")
    for part in ("weights_step", "kernels_step"):
        guess = 2 * step / (2 * step - number("exercise", part))
        assert right / guess > 1.1
        assert any(slip.factor == pytest.approx(guess / right, rel=1e-3) for slip in told["cheaper"].slips)


def test_each_rung_from_the_node_to_newer_chips_changes_one_thing_and_the_last_the_model_and_the_rack():
    batch, rungs = number("node", "even"), []
    assert batch / 8 == pytest.approx(2048 / 72, rel=0.01)
    for system, tensor in (("hgx-h100", 8), ("hgx-h100", 4), ("gb200-nvl72", 4)):
        setting = Setting.published("llama-3-70b", system, "fp8", layout=Layout(tensor=tensor))
        seconds = forecast_of(decode(setting, batch * tensor / 8, 4596)).seconds
        rent = catalog.rent(system).dollars_per_chip_hour / 3600
        rungs.append(1e6 * tensor * rent * float(seconds) / (batch * tensor / 8))
    told = [number("node", name) for name in ("even_output", "fours_output", "rack_output")]
    assert told == pytest.approx(rungs)
    saved = -np.diff([number("node", "output"), *told, number("rack", "output")])
    assert np.argsort(saved).tolist() == [3, 1, 2, 0], (
        "batch, then chips, then chips to a copy, then experts and the rack"
    )


def test_runs_on_the_most_chips_are_on_racks_and_none_is_faster_than_its_forecast():
    known, chips = runs(), number("error", "most_chips")
    wide = np.flatnonzero(known.are("precision", "fp8") & (known.chips == chips))
    assert len(wide) == number("error", "most_runs")
    assert {known.system[place] for place in wide} == {"gb200-nvl72", "gb300-nvl72"}
    assert known.over_forecast[wide].min() >= 1
    fewer = known.are("precision", "fp8") & known.are("system", "gb200-nvl72") & (known.chips < chips)
    assert np.median(known.over_forecast[fewer]) < number("error", "most_over")


CASES = (
    {},
    {"model": "llama-3-70b", "system": "hgx-h100", "batch": 64},
    {"model": "own", "context": 100_000, "cached": 99},
    {"system": "tpu-v5e-pod", "precision": "bf16", "batch": 1, "output": 1},
    {"promise": 1000},
    {"cached": 0},
)


def reckoned(expression, terms):
    """An expression or a row of equalities and limits, with the numbers of its terms put in."""
    numbers = {key: repr(float(term.number)) for key, term in terms.items()}
    known = {"max": max, "min": min, "floor": math.floor, "ceil": math.ceil, "__builtins__": {}}
    return [eval(part, known) for part in re.split(r" >= | = ", expression.format_map(numbers))]


@pytest.mark.parametrize("inputs", CASES, ids=str)
def test_every_number_of_the_sheet_follows_as_it_is_said(inputs):
    found = answer("sheet", **inputs)
    assert set(found.derived) == {name for name, value in found.values.items() if math.isfinite(value.number)}
    for name, each in found.derived.items():
        assert reckoned(each.expression, each.terms) == [pytest.approx(found.values[name].number, rel=1e-9)], name


def test_a_service_without_a_prefix_cache_has_a_sheet_without_the_cached_line():
    none, some = (answer("sheet", cached=share) for share in (0, 1))
    assert "from a cache" not in none.finding
    assert "from a cache" in some.finding
    assert none.tables["costs"]["kind"] == ["Output", "Fresh input"]
    assert none.tables["said"]["text"][4] == "Cached input: none is found"
    assert none.values["cached"].text == none.values["cached_least"].text == "none is found"
    fresh, output = (none.values[kind].number / 1e6 for kind in ("fresh", "output"))
    assert none.values["request"].number == pytest.approx(4096 * fresh + 1000 * output)
    assert none.values["request"].number > some.values["request"].number, "what is not found is read"
    assert answer("lists", cached=0).values["best"].number < answer("lists", cached=50).values["best"].number


@pytest.mark.parametrize("inputs", [*CASES, {"promise": 5}, {"batch": 100_000, "promise": 1}], ids=str)
def test_a_batch_that_was_found_by_trying_opens_to_the_step_there_and_to_the_next(inputs):
    """The next one takes longer than was asked, or has no room; the sums are those of the forecast at these batches."""
    found = answer("sheet", **inputs)
    room = found.values["batch_mode_batch"].number
    held = {name: each for name, each in found.derived.items() if each.holds and name != "prompts"}
    assert set(held) <= {"promised", "fast_mode_batch"}
    assert ("promised" in held) == math.isfinite(found.values["promised"].number)
    for name, each in held.items():
        here, after = (reckoned(part, each.terms) for part in each.holds.split("\n"))
        asked, lasts, parts = here
        assert asked >= lasts == pytest.approx(parts, rel=1e-9)
        assert after[0] == pytest.approx(after[1], rel=1e-9)
        assert after[0] > asked or found.values[name].number == room
        again = answer("sheet", **{**inputs, "batch": found.values[name].number})
        assert again.values["expected"].number == pytest.approx(lasts, rel=1e-9)


@pytest.mark.parametrize("inputs", [*CASES, {"within": 0.5}, {"within": 0.01}, {"cached": 99, "within": 1}], ids=str)
def test_the_prompts_of_a_pass_open_to_their_wait_and_to_that_of_one_prompt_more(inputs):
    found = answer("sheet", **inputs)
    asked, wait = inputs.get("within", 10), found.values["wait"].number
    if wait > asked:
        assert "prompts" not in found.derived
        assert found.values["prompts"].number == found.derived["chips"].terms["G"].number
        return
    shown = found.derived["prompts"]
    here, (longer, parts) = (reckoned(part, shown.terms) for part in shown.holds.split("\n"))
    assert here == [asked, pytest.approx(wait), pytest.approx(wait)]
    assert longer == pytest.approx(parts)
    full = math.ceil(16_384 / (shown.terms["Li"].number * (1 - shown.terms["h"].number)))
    assert longer > asked or shown.terms["n2"].number - 1 == full


def test_a_pass_has_every_count_of_prompts_to_choose_from():
    """One more short prompt would be too many, after hundreds of them."""
    found = answer("sheet", context=64, cached=50, within=0.5)
    shown = found.derived["prompts"]
    assert shown.terms["n2"].number - 1 == found.values["prompts"].number / 72 > 100
    assert shown.terms["wait"].number <= 0.5 < shown.terms["wait2"].number


def test_every_derivation_leads_to_a_heading():
    for each in answer("sheet").derived.values():
        chapter, _, anchor = each.where.partition("#")
        text = (ROOT / "lectures" / chapter / "index.md").read_text("utf-8")
        headings = re.findall(r"^#+ (.+?)(?: {(.*)})?$", text, re.MULTILINE)
        kept = [mark.strip(" #") for _, mark in headings if "#" in mark]  # the anchor of an older heading
        assert anchor in [*kept, *(slug(heading) for heading, _ in headings)], each.where


def slug(heading):
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def test_the_rent_moves_the_cost_by_the_factor_itself_and_the_widest_bar_comes_first():
    bars = answer("tornado", factor=1.5).tables["bars"]
    spans = {
        name: max(pair) / min(pair)
        for name, *pair in zip(bars["input"], bars["divided"], bars["multiplied"], strict=True)
    }
    assert spans["Rent"] == pytest.approx(1.5**2)
    assert list(spans.values()) == sorted(spans.values(), reverse=True)
    assert max(spans.values()) == pytest.approx(1.5**2)


def test_experts_that_are_published_in_four_bits_are_held_in_four():
    costs = answer("lists").tables["costs"]
    least = dict(zip(costs["model"], costs["least"], strict=True))
    assert least["Kimi K2.5"] < least["Kimi K2"]  # alike but for the bits of their experts
    narrow, wide = (answer("lists", precision=each) for each in ("fp4", "fp8"))
    assert not [note for note in narrow.notes if "four bits" in note]
    assert [note for note in wide.notes if "four bits" in note and "gpt-oss-120b" in note]
    eight, four = answer("lists", precision="bf16").notes
    assert ("eight bits" in eight, "DeepSeek-V3," in eight, "Kimi K2.5" in eight) == (True, True, False)
    assert ("four bits" in four, "DeepSeek-V3," in four, "Kimi K2.5" in four) == (True, False, True)
    assert not [note for note in answer("lists", batch=1e6).notes if "Experts" in note], "of models that are shown"


def test_links_that_limit_a_pass_are_told_in_the_plural_too():
    assert "is limited by the links of the domain" in answer("sheet", model="llama-3-8b").description


def test_a_small_batch_reads_more_experts_on_some_chip_than_the_bars_show():
    """The bars have a mean over picks; a chip that a lone token visits reads a whole expert in each layer."""
    whole = 58 * 3 * 7168 * 2048 / described("deepseek-v3", "", "gb200-nvl72", "fp8").machine.bandwidth  # in 58 layers
    bars = answer("step", batch=1).tables["bars"]
    named = zip(bars["operation"], bars["part"], bars["seconds"], strict=True)
    shown = next(seconds for name, part, seconds in named if (name, part) == ("experts", "Weights"))
    assert whole / shown == pytest.approx(8, rel=0.01)


def test_the_bars_of_a_tornado_are_those_of_the_price_list():
    """Each end is computed again by the sheet itself, at the input that the bar stands for."""
    bars = answer("tornado", factor=2).tables["bars"]
    ends = dict(zip(bars["input"], zip(bars["divided"], bars["multiplied"], strict=True), strict=True))
    assert bars["cost"][0] == pytest.approx(number("sheet", "output"))
    changed = {
        "Rent": ("price", 4.54),
        "Batch": ("batch", 2048),
        "Context": ("context", 4096),
        "Answer": ("output", 1000),
    }
    for name, (given, value) in changed.items():
        low, high = (number("sheet", "output", **{given: value * by}) for by in (0.5, 2))
        assert ends[name] == pytest.approx((low, high)), name


def test_a_faster_memory_is_one_that_reads_faster():
    setting = described("deepseek-v3", "", "gb200-nvl72", "fp8")
    cost, ends = costs(setting, 4096, 2048, 1000, 4.54, 2)
    for name, share in (("bandwidth", "mbu"), ("links", "link"), ("arithmetic", "mfu")):
        slower = replace(setting, machine=setting.machine.reached(**{share: 0.5}))
        again, _ = costs(slower, 4096, 2048, 1000, 4.54, 2)
        assert ends[name][0] == pytest.approx(again), name
        assert ends[name][1] < cost


def test_to_promise_the_speed_of_a_dot_is_to_get_its_layout():
    dots = answer("frontier").tables["expected"]
    for at in range(0, len(dots["user"]), 7):
        found = answer("frontier", promise=dots["promise"][at])
        assert found.finding.endswith(dots["layout"][at])
        assert found.values["speed"].number == pytest.approx(dots["user"][at])


def test_a_cost_near_the_beginning_of_the_forecast_stands_under_the_line_that_is_named_there():
    assert answer("frontier", promise=1).tables["here"]["under"] == [True]
    assert answer("frontier").tables["here"]["under"] == [False]


def test_memory_that_an_engine_keeps_back_takes_from_batch_mode_what_fills_it_alone():
    share, less = (number("engine", name) for name in ("share", "rack_less"))
    most = number("sheet", "batch_mode_batch")
    rack = described("deepseek-v3", "", "gb200-nvl72", "fp8")
    kept = (1 - share) * rack.machine.hbm_bytes / rack.chip_kept_bytes(72, 4596)
    assert (most - less) / 72 == pytest.approx(kept, abs=1)
    assert 0 < number("engine", "rack_dearer") < 0.02
    assert 0 < number("engine", "node_dearer") < 0.02


def test_a_reader_s_own_shares_of_the_rates_make_the_prices_and_at_full_rates_the_sum_without_overlap():
    usual = answer("sheet")
    assert not any("your own" in note for note in usual.notes)
    half = 50 * catalog.forecast_fit("decode").memory_share
    slower = answer("sheet", memory_reached=half)
    moving = usual.derived["expected"].terms
    longer = float(moving["em"].number) / float(moving["xm"].number)
    assert slower.values["expected"].number == pytest.approx(usual.values["expected"].number + longer)
    assert any("shares of the rates are your own" in note for note in slower.notes)
    full = answer("sheet", memory_reached=100, arithmetic_reached=100, links_reached=100).derived["expected"].terms
    assert [full[name].text for name in ("xm", "xc", "xl")] == ["100%"] * 3


def test_two_racks_have_no_room_to_spare_at_the_cost_of_the_nearest_measured_run():
    racks = number("ladder", "room") * number("rack", "promised") / (72 * number("error", "ringed_rate"))
    at_its_cost = number("ladder", "room") * number("rack", "promised") * number("error", "ringed_cost") / 1e6
    assert racks == pytest.approx(at_its_cost / number("ladder", "second"))
    assert 1.98 < racks < 2 < racks * (1 + number("error", "run_longer")), "with the frontier's context it takes three"
    peak = number("questions", "peak_flight")
    more = (peak + 5 * math.sqrt(peak)) / number("ladder", "room")
    assert number("questions", "sized") * more < 2 < racks * more < 3, "with five deviations by the fit alone"
    assert math.ceil(number("busier", "racks_r1")) == 3
    over = number("frontier", "run_over")
    ours = room_on(case("rack"), 72, over * number("rack", "promised"))
    assert number("ladder", "room") / ours < racks, "missed by the same factor, our layout is kinder"
    chips = number("frontier", "run_groups") * number("frontier", "run_tensor")
    groups = math.ceil(racks * 72 / chips)
    assert math.ceil(groups / (72 // chips)) == 3, "whole groups of the run's, two to a rack"


def test_the_smaller_measured_gain_of_drafts_leaves_the_plan_at_two_racks_and_the_larger_at_one():
    slow_speed = number("error", "high") * number("rack", "promised")
    racks = {
        gain: number("ladder", "room")
        / modes(case("rack"), slow_speed / of("world")[1]("guesses", gain)).promised.batch
        for gain in ("short_rate", "many_rate")
    }
    assert racks["many_rate"] < 1 < racks["short_rate"] < 1.05, "room grows faster than the gain"
    assert of("world")[1]("guesses", "short_racks") == pytest.approx(racks["short_rate"])
    allowed, fixed, each = (number("ladder", name) for name in ("late_allowed", "fixed", "each"))
    gain = of("world")[1]("guesses", "short_rate")
    assert of("world")[1]("guesses", "short_chip") == math.floor((gain * allowed - fixed) / each), "as the text reckons"
    held = math.floor((gain * number("ladder", "allowed") / number("error", "ringed_over") - fixed) / each)
    assert 72 * held > number("ladder", "room"), "one rack with drafts, as slow as the slowest of the four runs"
    most = {series: guessed_runs_of(series)[-1] for series in ("atom-deepseek-r1", "atom-deepseek-v4")}
    a_chip = number("ladder", "room") / number("exercise", "rack_chips")
    for run in most.values():
        assert a_chip / (run.load / run.plain.chips) == pytest.approx(2, rel=0.05), "twice as many requests a chip"
        assert run.rate_gain == min(each.rate_gain for each in guessed_runs_of(run.source))


def racks_with(more: float) -> float:
    """Racks of the plan if each sequence of the busiest chip takes so much longer, in seconds by the forecast."""
    left, each = number("ladder", "late_left"), number("ladder", "each") + more
    return number("ladder", "room") / (72 * math.floor(left / each))


def test_the_plan_takes_three_racks_with_attention_in_bf16_and_with_uneven_experts_that_have_no_copies():
    reached, sequences = number("error", "arithmetic"), number("parts", "sequences")
    assert racks_with(0) == pytest.approx(number("questions", "sized"))
    assert 2 < racks_with(number("parts", "arithmetic_attention") / reached / sequences) < 3
    experts = sum(float(of.compute_seconds) for of in case("rack").writing.operations if of.name == "experts")
    even = (number("parts", "sending_expected") + experts / reached) / sequences
    throws = standing("moe/throws").values
    assert 2 < racks_with((throws["counted"].number - 1) * even) < 3
    assert racks_with((throws["counted_filled"].number - 1) * even) < 2
    assert 72 * number("parts", "most_experts") - number("parts", "experts") == 32, "room for the count's copies"


def test_the_runs_of_the_model_on_as_many_chips_as_the_ringed_one_were_slower_than_one_rack_allows():
    known = measured("deepseek-v3", "gb200-nvl72", ("fp8",))
    over = runs().over_forecast[known.places][known.alike & (runs().chips[known.places] == 32)]
    assert number("error", "most_chips") == 32
    assert len(over) == 4
    assert over.min() > number("ladder", "median_one")
    assert over.max() == pytest.approx(number("error", "ringed_over"))


def test_a_step_measured_with_all_in_flight_decides_for_one_rack_and_two_runs_in_three_would():
    full = math.ceil(number("ladder", "room") / 72)
    step = forecast_of(decode(case("rack").writing.setting, 72.0 * full, case("rack").request.held)).seconds
    enough, allowed, fixed = (number("ladder", name) for name in ("median_one", "allowed", "fixed"))
    assert enough * float(step) == pytest.approx(allowed)
    assert np.mean(runs().over_forecast <= enough) == pytest.approx(2 / 3, abs=0.01)
    known, promised = measured("deepseek-v3", "gb200-nvl72", ("fp8",)), number("rack", "promised")
    over, user = known.over[known.alike], known.user[known.alike]
    for away in (np.abs(user - promised), np.abs(np.log(user / promised))):
        assert (over[np.argsort(away)[:4]] > enough).all(), "the four nearest in speed, of this model in FP8"
    ours = number("rack", "expected")
    grown = fixed + (enough * ours - fixed) * full / number("parts", "sequences")
    assert grown > allowed, "the same factor at the case's batch does not show it"


def test_weights_take_their_bound_over_memory_s_share():
    weights = number("parts", "weights_seconds") / number("error", "memory")
    assert weights == pytest.approx(number("parts", "weights_expected"))
    rest = number("rack", "expected") - number("ladder", "fixed")
    assert rest / number("parts", "sequences") == pytest.approx(number("ladder", "each"), rel=0.01)
    assert 2 < number("questions", "offered_high") / case("rack").dollars_per_chip_second / 3600 < 2.5


def test_chips_that_read_follow_from_the_peak_the_slowest_service_and_chance():
    prompts = number("ladder", "slow_pass_prompts")
    assert number("questions", "alike_chance") == pytest.approx(1 + 3 / math.sqrt(prompts))
    a_chip = number("rack", "pass_tokens") / number("rack", "pass")
    assert number("ladder", "peak_fresh") / a_chip == pytest.approx(number("questions", "peak_reading"))
    chips = number("questions", "peak_reading") * number("error", "reads_high") * (1 + 3 / math.sqrt(prompts))
    assert 2 * math.ceil(chips / 2) == number("questions", "alike_chips") < 72, "one more rack, if racks are whole"
    left = 1 - number("questions", "spare_output") / number("ladder", "asked")
    assert left == pytest.approx(number("questions", "third_left")), "as dear as a third rack that writes"


def test_attention_that_multiplies_in_bf16_takes_a_third_rack():
    here = case("rack")
    for name in ("fp8", "fp8-bf16-cache"):
        wide = replace(Precisions.named(name), attention_products=Precisions.named("fp8-bf16-cache").attention_products)
        found = sheet(replace(here.writing.setting, precisions=wide), here.request, 2048, number("rack", "rent"))
        slow = modes(found, number("rack", "promised") * number("error", "high")).promised.batch
        assert math.ceil(number("ladder", "room") / slow) == 3


def test_experts_as_uneven_as_counted_on_top_of_the_slow_end_make_the_plan_three_racks():
    here, more = case("rack"), catalog.datum("hottest-chip").value - 1

    def seconds(chip: int) -> float:
        step = decode(here.writing.setting, 72.0 * chip, here.request.held)
        even = forecast_of(step)
        experts = sum(float(each.compute_seconds) for each in step.operations if each.name == "experts")
        return float(even.seconds + more * (even.sending_seconds + experts / even.fit.arithmetic_share))

    slow, allowed = number("error", "high"), 1 / number("rack", "promised")
    room = 72 * max(chip for chip in range(1, 60) if slow * seconds(chip) <= allowed)
    assert room < number("questions", "slow_sequences")
    assert 2 < number("ladder", "room") / room < 3


def test_two_rows_of_promises_cost_by_the_step_that_is_taken_and_that_is_nearly_the_promised_one():
    for cost, batch in (("full_output", "sequences"), ("slow_output", "slow_sequences")):
        dollars = number("ladder" if cost == "full_output" else "questions", cost)
        taken = dollars / 1e6 * number("questions", batch) / number("ladder", "second")
        assert 0.99 < taken / number("ladder", "allowed") <= 1


def test_more_speed_than_of_full_memory_first_costs_little_money_but_halves_those_who_share():
    full, some = (modes(case("rack"), speed).promised for speed in (7.3, 15.0))
    assert float(some.dollars / full.dollars) < 1.15
    assert float(some.batch / full.batch) < 0.5


def test_what_two_racks_leave_is_gone_if_reading_takes_as_long_as_it_is_said_to():
    asked, reading, most = (number("ladder", each) for each in ("asked", "reading", "reading_most"))
    assert asked == pytest.approx(number("questions", "rented_output") + most * reading)
    assert number("error", "reads_high") < most < of("world")[1]("reading", "long"), "services are below it"
    assert number("error", "reads_low") * number("error", "sglang_ratio") == pytest.approx(1)


def test_each_end_of_the_plan_is_what_a_reader_finds_by_hand_and_all_that_turn_worse_but_rent_need_a_third_rack():
    fixed, each, peak = number("ladder", "fixed"), number("ladder", "each"), number("ladder", "room")
    weights, kernels = number("parts", "weights_expected"), number("parts", "kernels_expected")
    late, sized = number("ladder", "late_allowed"), number("questions", "sized")

    def racks(step, beside, flight=peak):
        return flight / (72 * int((step - beside) / each))

    assert racks(late, fixed) == pytest.approx(sized)
    for by, end in ((0.8, "better"), (1.25, "worse")):
        busy = number("questions", "peak_flight")
        assert number("moved", f"slow_{end}") == pytest.approx(racks(late / by, fixed))
        chip = peak / 72 / number("moved", f"kernels_{end}")
        assert 0 < (late - weights - by * kernels) / each - chip < 1.1, "whole sequences, by a nearly straight line"
        assert number("moved", f"speed_{end}") == pytest.approx(
            racks(late / by, fixed, busy / by + 3 * math.sqrt(busy / by))
        )
        assert number("moved", f"peak_{end}") == pytest.approx(racks(late, fixed, busy * by + 3 * math.sqrt(busy * by)))
    here = case("rack")
    for by, end in ((1.25, "better"), (0.8, "worse")):
        wider = here.writing.setting.machine
        wider = replace(wider, bandwidth=by * wider.bandwidth)
        other = sheet(replace(here.writing.setting, machine=wider), here.request, 2048, number("rack", "rent"))
        room = modes(other, number("error", "high") * number("rack", "promised")).promised.batch
        assert number("moved", f"bandwidth_{end}") == pytest.approx(peak / room)
    worse = [number("moved", f"{name}_worse") for name in ("slow", "speed", "kernels", "bandwidth", "peak")]
    assert min(worse) > 2
    assert min(number("moved", f"{name}_better") for name in ("speed", "kernels", "bandwidth", "peak")) > 1
    assert number("moved", "slow_better") < 1, "only a step near its forecast saves a rack"
    assert planned(answer=1.25) == pytest.approx(number("moved", "peak_worse"), rel=0.05), "as traffic does"


def test_a_promise_a_third_slower_saves_a_rack_at_the_slow_end_more_than_the_lowest_rent_does():
    asked, alone = number("rack", "promised"), number("moved", "alone")
    late, fixed, each = number("error", "high"), number("ladder", "fixed"), number("ladder", "each")

    def racks(speed: float) -> float:
        busy = number("questions", "peak_flight") * asked / speed
        return (busy + 3 * math.sqrt(busy)) / (72 * int((1 / speed / late - fixed) / each))

    assert racks(alone) <= 1 < racks(alone + 1)
    assert racks(asked) == pytest.approx(number("questions", "sized"))
    assert 1 - alone / asked == pytest.approx(1 / 3, abs=0.02)
    assert math.ceil(number("moved", "speed_better")) == math.ceil(number("moved", "peak_better")) == 2, "none is saved"
    cheapest = number("questions", "rented_output") * number("questions", "offered_low") / number("rack", "rent")
    assert cheapest > number("rack", "output"), "one rack at our rent costs less than two at the lowest offer"
    assert planned(slow=1 / late) < 1, "a step as forecast needs one rack"
    assert number("moved", "slow_worse") / number("moved", "slow_better") > 8, "and the step moves racks most"
    assert number("moved", "speed_worse") / number("moved", "speed_better") < 6


def test_each_number_of_racks_keeps_the_promise_up_to_a_step_in_which_its_busiest_chip_just_has_time():
    mean, fixed, each = number("questions", "flight"), number("ladder", "fixed"), number("ladder", "each")
    peak = number("questions", "peak")
    room = peak * mean + 3 * math.sqrt(peak * mean)
    for count, name in enumerate(("one", "two", "three"), 1):
        step = fixed + each * math.ceil(room / count / 72)
        assert number("ladder", f"median_{name}") == pytest.approx(number("ladder", "allowed") / step, rel=2e-3)
    assert number("ladder", "one_step") == pytest.approx(fixed + each * 63, rel=2e-3), "of all on one rack"
    measured_so = number("ladder", "one_step") * number("ladder", "median_one")
    assert measured_so == pytest.approx(number("ladder", "allowed"))
    late = number("error", "high")
    assert number("ladder", "median_one") < late < number("ladder", "median_two"), "two on a median day"
    assert number("ladder", "median_one") < number("error", "ringed_over") < number("ladder", "median_two")
    slower = (number("ladder", "allowed") / late / 1.1 - fixed) / each
    assert int(slower) / number("ladder", "late_chip") == pytest.approx(2 / 3, abs=0.03), "a tenth takes a third"
    assert number("error", "ringed_over") == pytest.approx(number("frontier", "run_over"))


def test_fresh_input_costs_a_tenth_of_one_busy_rack_s_output_and_more_than_an_eighth_of_two_on_the_plans():
    fresh = number("rack", "fresh")
    assert fresh / number("rack", "output") == pytest.approx(1 / 10, rel=0.05)
    brought = number("ladder", "brought") * (1 - number("rack", "cached")) / 1e6  # millions of fresh tokens
    alike = (number("questions", "alike") - number("questions", "rented_output")) / brought
    alone = fresh / (fresh + number("rack", "cached_cost"))  # without the time that cached tokens add
    for part in (alone, 1.0):
        assert 1 / 8 < part * alike / number("questions", "rented_output") < 1 / 7


def test_kernels_missing_overlap_and_rates_lengthen_a_step_and_sequences_least():
    reached = ("moving_expected", "arithmetic_expected", "sending_expected")
    full = at_full_rates()
    overlap, rates = full - number("rack", "step"), sum(number("parts", each) for each in reached) - full
    kernels, sequences = number("parts", "kernels_expected"), number("parts", "sequences_expected")
    assert number("rack", "step") + overlap + rates + kernels + sequences == pytest.approx(number("rack", "expected"))
    assert kernels > min(overlap, rates) > 1.5 * sequences
    assert 1 < number("parts", "arithmetic_attention") / number("parts", "arithmetic_parameters") < 1.1, "a little more"


def test_chips_that_read_are_sized_for_the_peak_for_chance_and_for_the_slowest_service():
    lasts = number("rack", "pass") * number("error", "reads_high")
    coming = lasts * number("questions", "traffic") * number("questions", "peak")
    assert number("questions", "alike_chance") == pytest.approx(1 + 3 / math.sqrt(coming))
    needed = number("questions", "peak_reading") * number("error", "reads_high") * (1 + 3 / math.sqrt(coming))
    chips = number("questions", "alike_chips")
    assert needed == pytest.approx((coming + 3 * math.sqrt(coming)) / (number("rack", "prompts") / 72))
    assert chips == 2 * math.ceil(needed / 2), "rented in pairs"
    assert number("questions", "alike_chance") - 1 > 3 * number("questions", "more_at_random"), (
        "fewer prompts than answers"
    )
    assert number("rack", "pass") > number("rack", "pass_alone"), "with cached halves"
    read = chips * number("rack", "rent") / 3600 / number("questions", "traffic") * 1000
    assert number("questions", "alike") == pytest.approx(read + number("questions", "rented_output"))
    assert number("questions", "alike_one") == pytest.approx(read + number("questions", "rented_output") / 2)
    rents = number("questions", "offered_low") / number("rack", "rent")
    assert number("questions", "alike_cheap") == pytest.approx(number("questions", "alike") * rents)
    assert 0.11 < 1 - rents < 1 / 8, "an eighth"
    dearer = number("questions", "offered_high") / number("rack", "rent")
    assert number("questions", "alike_dear") == pytest.approx(number("questions", "alike") * dearer)
    assert number("questions", "alike_one") < number("questions", "alike_cheap"), "a rack spares more than a rent"
    left = 1 - number("questions", "alike") / number("ladder", "asked")
    assert number("questions", "alike_left") == pytest.approx(left)


def test_a_step_as_forecast_keeps_the_promise_on_one_rack_and_the_slow_end_loses_a_third_at_the_peak():
    fixed, each = number("ladder", "fixed"), number("ladder", "each")
    chip = number("ladder", "room") / 72 * number("rack", "promised")
    forecast, slow = ((1 - over * each * chip) / (over * fixed) for over in (1, number("ladder", "slow")))
    assert forecast > number("rack", "promised"), "a slower promise slows no engine"
    assert 1 - slow / number("rack", "promised") == pytest.approx(1 / 3, abs=0.04)


def test_services_on_more_chips_than_the_four_runs_mostly_wrote_faster_than_forecast():
    faster = [number("error", name) > 1 for name in ("nodes_decode", "day_faster", "rack_decode", "rack_before")]
    assert faster.count(False) == 1


def test_one_rack_at_the_highest_rent_costs_more_than_two_at_ours():
    dear = number("rack", "output") * number("questions", "offered_high") / number("rack", "rent")
    assert dear > number("questions", "rented_output")


def test_the_nearest_run_held_twice_as_many_experts_a_chip_as_ours():
    assert number("frontier", "run_groups") == number("error", "most_chips")
    held = number("parts", "experts") / number("error", "most_chips")
    assert held == 2 * number("parts", "most_experts")
    assert number("frontier", "run_context") < number("rack", "held")


def test_the_title_of_the_sheet_says_that_keeping_a_cache_is_left_out():
    assert "from a cache (50% of the input), its keeping left out" in answer("sheet").finding


def test_twice_the_batch_breaks_the_promise_at_the_slow_end():
    assert number("exercise", "rack_step") * number("error", "high") > number("ladder", "allowed")


def test_a_full_pass_reads_the_fresh_halves_of_its_prompts_first_without_what_is_cached():
    fresh = number("rack", "input") * (1 - number("rack", "cached"))
    assert number("rack", "prompts") * fresh == pytest.approx(72 * number("rack", "pass_tokens"))
    whole = number("rack", "prompts") / 2 * number("rack", "input")
    assert whole == pytest.approx(number("rack", "pass_fresh"), rel=0.01), "as many tokens, in half as many prompts"
    assert number("exercise", "cold_fresh") > number("rack", "fresh"), "whole prompts attend to more"


def test_a_tenth_kept_back_leaves_room_for_fewer_calls_than_the_batch_and_the_nearest_run_says_how_slow_it_was():
    step = called().writing
    left = 0.9 * number("parts", "memory") - step.chip_weight_bytes
    fits = 72 * int(left / (step.chip_kept_bytes / number("parts", "sequences")))
    assert number("agents", "fits") == fits < number("rack", "batch")
    assert step.chip_weight_bytes + step.chip_kept_bytes < number("parts", "memory")
    assert number("ladder", "median_one") < number("frontier", "run_over")
    ours = measured("deepseek-v3", "gb200-nvl72", ("fp8",))
    took = ours.over[ours.alike]
    assert (len(took), sum(took <= number("ladder", "median_one"))) == (
        number("error", "ours"),
        number("error", "ours_within"),
    )


def test_a_plan_carries_a_peak_at_which_its_room_is_just_full_with_chance_and_one_rack_just_the_peak_sized_for():
    mean, late = number("questions", "flight"), number("ladder", "late_room")
    for peak, room in (("one_peak", number("ladder", "promised_room")), ("two_peak", 2 * late)):
        most = number("ladder", peak) * mean
        assert most + 3 * math.sqrt(most) == pytest.approx(room)
    assert number("questions", "peak") < number("ladder", "two_peak") < number("ladder", "one_peak")
    assert number("ladder", "one_peak") < number("busier", "peak_r1"), "one day's peak needs more than one rack"
    just = 72 * math.ceil(number("ladder", "room") / 72)
    assert number("questions", "peak") < peak_at_most(just, mean) < number("questions", "peak") + 0.01, "none to spare"


def test_a_promise_that_a_full_memory_keeps_is_not_held_against_itself():
    found = answer("speed", promise=1)
    assert "all that have room" in found.finding
    assert "when memory is full" not in found.finding
    assert found.finding.endswith("cost $0.16")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "output of 4 of 13 open models is sold by someone below"),
        ({"price": 0.01}, "nobody sells output of 13 open models below its expected cost"),
        ({"context": 1e6, "batch": 3000}, "output of the one open model with room is sold by someone below"),
    ],
)
def test_models_that_are_sold_are_counted_in_words_that_fit_their_number(inputs, words):
    assert words in answer("lists", **inputs).finding


@pytest.mark.parametrize("batch", [1, 3, 4, 6, 8, 2048])
def test_no_bar_of_a_small_batch_is_wider_than_the_factor(batch):
    found = answer("tornado", batch=batch)
    assert found.tables["bars"]["input"][0] == "Rent"
    assert number("tornado", "batch", batch=batch) > 1.35, "a user more or less always moves the cost"


def test_users_of_a_batch_without_room_are_not_said_to_get_a_speed():
    assert any("with so many would get" in note for note in answer("sheet", batch=200_000).notes)
    assert any("and should get" in note for note in answer("sheet").notes)
    without = answer("stairs", batch=200_000)
    assert without.finding.startswith("With room, a step would take at least")
    assert "should" not in without.finding
    assert "and should take" in answer("stairs").finding
    assert not answer("stairs").notes


def test_the_text_beside_the_frontier_keeps_the_numbers_of_its_first_setting():
    for name in ("own_under", "own"):
        assert number("above", name) == number("frontier", name)
        assert math.isinf(number("frontier", name, model="llama-3-70b", system="hgx-h100"))
    text = (ROOT / "lectures/serving/index.md").read_text()
    assert "frontier.own" not in text


def test_text_that_stays_while_a_reader_changes_the_batch_says_where_it_holds():
    text = (ROOT / "lectures/serving/index.md").read_text()
    assert number("stairs", "bound", batch=60_000) > answer("stairs", batch=60_000).tables["stairs"]["end"][2]
    assert "end at the bound while memory takes longest" in text
    assert "experts" not in answer("own", model="llama-3-70b").description
    assert "Where there are experts" in text


def test_no_band_begins_below_a_bound_where_caches_are_all_that_is_read():
    for batch in (1, 64):
        values = registry.find("serving/sheet").answer(model="llama-3-8b", context=1e7, batch=batch).values
        assert values["step"].number <= values["low"].number < values["high"].number
        assert values["output_least"].number <= values["output_low"].number < values["output_high"].number
