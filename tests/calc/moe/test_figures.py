from __future__ import annotations

import math

import numpy as np
import pytest

from calc import catalog, moe
from calc.batching.figures.setting import laid_out
from calc.catalog.exchanges import rack_exchanges
from calc.catalog.training import training_steps
from calc.moe import routing
from calc.moe.figures import quality, shared, timings
from calc.moe.figures.in_parts import over_racks, parts
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.setting import exchange_step
from calc.moe.figures.worked import spans
from calc.quantities.units import show
from calc.setting import Layout
from calc.step import decode
from calc.step.forecasting import forecast_of
from tests.calc.figure import asking

answer, number = asking.of("moe")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "256 experts, 4 on a chip, take 64 of 72 chips (8 without any)"),
        ({"redundant": 32}, "256 experts and 32 copies, 4 on a chip, take all 72 chips"),
        ({"model": "kimi-k2"}, "384 experts, 6 on a chip, take 64 of 72 chips (8 without any)"),
        ({"model": "llama-3-70b"}, "Llama 3 70B is dense"),
    ],
)
def test_the_rack_says_what_it_holds(inputs, words):
    assert answer("rack", **inputs).finding.startswith(words)


@pytest.mark.parametrize("redundant", [0, 7, 32, 256])
@pytest.mark.parametrize("system", ["gb200-nvl72", "hgx-h100", "tpu-v5e-pod"])
def test_copies_share_the_load_and_none_is_lost(redundant, system):
    found = answer("rack", redundant=redundant, system=system, batch=500)
    assert sum(found.tables["chips"]["tokens"]) == pytest.approx(500 * 8)
    assert sum(found.tables["chips"]["experts"]) == len(found.tables["slots"]["load"]) == 256 + redundant
    assert found.tables["slots"]["kind"].count("Redundant expert") == redundant


@pytest.mark.parametrize("throw", range(1, 21))
@pytest.mark.parametrize(("model", "copies"), [("deepseek-v3", 32), ("kimi-k2", 48), ("glm-4.5", 56)])
def test_copies_that_fill_the_rack_never_lengthen_the_step(model, copies, throw):
    bare, filled = (number("rack", "chip", model=model, throw=throw, redundant=many) for many in (0, copies))
    assert 1 < filled <= bare


def test_a_chip_is_compared_with_a_fair_share_of_the_whole_rack():
    found = answer("rack", redundant=5)
    assert found.values["chip"].number == pytest.approx(max(found.tables["chips"]["tokens"]) / (2048 * 8 / 72))


def test_copies_are_dealt_out_and_not_heaped():
    """Hottest and next-hottest copies come to different chips: eight of them, four each, differ little."""
    tokens = answer("rack", redundant=32).tables["chips"]["tokens"][64:]
    assert max(tokens) / min(tokens) < 1.1


def test_a_dense_model_has_nothing_to_spread_over_racks():
    found = answer("racks", model="llama-3-70b")
    assert found.finding.startswith("Llama 3 70B is dense")
    assert not any("divide" in note for note in found.notes)


def test_the_drawing_stays_on_its_sheet_and_boxes_lie_in_boxes():
    tables = answer("rack", model="kimi-k2", system="hgx-h100").tables
    for table in ("chips", "slots"):
        for low, high in (("x", "x2"), ("y", "y2")):
            assert np.all((tables[table][low] >= 0) & (tables[table][low] < tables[table][high]))
            assert np.all(np.asarray(tables[table][high]) <= 1)
    chip = tables["chips"]
    for place in range(384):
        slot = {side: tables["slots"][side][place] for side in ("x", "x2", "y", "y2")}
        box = {side: chip[side][place // 48] for side in slot}
        assert box["x"] < slot["x"] < slot["x2"] < box["x2"]
        assert box["y"] < slot["y"] < slot["y2"] < box["y2"]


def test_the_lines_lead_to_the_experts_of_the_first_token():
    tables = answer("rack", batch=100, throw=3).tables
    chosen = np.flatnonzero(routing.drawn_choices(100, 256, 8, 3)[0])
    assert len(tables["token"]["x2"]) == 8
    assert tables["token"]["x2"] == pytest.approx((tables["slots"]["x"] + tables["slots"]["x2"])[chosen] / 2)


def test_a_throw_too_large_is_cut_and_said_so():
    assert not answer("rack", batch=4096).notes
    assert "Thrown for 4,096 tokens" in answer("rack", batch=4097).notes[0]
    assert number("rack", "mean", batch="1M") == 1e6 / 32
    assert "8,960 chips without experts are not drawn" in answer("rack", system="tpu-v7-pod").notes[0]


def test_another_throw_is_another_picture():
    assert list(answer("rack").tables["slots"]["load"]) != list(answer("rack", throw=2).tables["slots"]["load"])


@pytest.mark.parametrize("throw", [1, 17, 999])
def test_the_busiest_chip_is_never_below_the_average_and_all_end_awake(throw):
    curve = answer("awake", throw=throw).tables["curve"]
    assert np.all(np.diff(curve["busiest"]) >= 0)
    assert np.all(curve["busiest"] >= curve["chips"] / 4)
    assert curve["busiest"][-1] == curve["chips"][-1] == 1
    assert curve["experts"][0] == pytest.approx(8 / 256)


def test_a_lone_token_makes_a_chip_read_at_least_one_whole_expert():
    found = answer("awake", batch=1)
    assert found.values["alone_busiest"].number >= 1 / found.values["per_chip"].number
    assert found.values["busiest"].number == found.values["alone_busiest"].number
    assert len(found.tables["here"]["batch"]) == 1
    assert len(answer("awake", batch=5000).tables["here"]["batch"]) == 0


def test_the_exchange_is_that_of_the_formula_where_no_two_experts_share_a_chip():
    """71 of 72 chips are elsewhere; experts that meet on one of the 36 in reach are sent one copy: a tenth less."""
    sent = moe.exchange_bytes(math.ceil(2048 / 72), 7168, 8).total
    for links, link in (("within", 900e9), ("out", 50e9)):
        found = number("exchange", "exchange", links=links)
        copies = 36 * (1 - (1 - 1 / 36) ** 8) / 8
        assert found / (58 * sent * 71 / 72 / link) == pytest.approx(copies)


def test_halving_reads_the_weights_twice_and_pays_from_a_large_batch():
    found = answer("exchange", batch=2)
    assert 1.9 < found.values["halved"].number / found.values["opened"].number < 2.01
    pays = int(number("exchange", "pays"))
    below, above = (answer("exchange", batch=72 * round(pays * part / 72)).values for part in (0.9, 1.1))
    assert below["opened"].number < below["halved"].number
    assert above["opened"].number > above["halved"].number


def test_the_blackboards_overlap_and_the_two_readings():
    """Errors of a reading that was free: 1.99 and 2.84 ms at 2,048; halves pay from 7,670."""
    values = answer("overlap").values
    found = [round(values[name].number * 1e3, 2) for name in ("small_open", "small_halves")]
    assert found == [1.99, 2.84]
    found = [round(values[name].number * 1e3, 2) for name in ("weights", "cache", "exchange")]
    assert found == [1.16, 0.51, 0.31]
    assert answer("batches").values["pays_simple"].text == "7,670 sequences"
    assert number("batches", "outlasts") == pytest.approx(938, abs=1)


def test_a_combine_sticks_out_of_one_stage_where_the_sums_are_equal():
    """20 and 40 µs of computing a half hide 10 and 20 of sending; of twice as much 20 stick out."""
    found = {name: round(each.number * 1e6) for name, each in answer("stages").values.items()}
    assert (found["layer"], found["open"], found["slow_layer"]) == (120, 120, 140)
    computing = 2 * (found["attention"] + found["experts"])
    assert computing == 2 * (found["slow_dispatch"] + found["slow_combine"]) == found["layer"]
    assert found["slow_layer"] - computing == found["slow_combine"] - found["attention"]


def test_the_ledger_of_steps_counts_more_in_every_line():
    found = {name: each.number for name, each in answer("steps").values.items()}
    shared, turn = (answer("overlap").values[name].number for name in ("small_open", "turn"))
    assert (shared, turn) == pytest.approx((found["simple"] + number("overlap", "exchange"), found["turn"]))
    assert shared < found["laid_out"] < found["turn"] < found["later_turn"] < found["started"]
    assert found["turn"] == pytest.approx(number("exchange", "opened"))
    assert found["started"] == pytest.approx(number("chips", "step"))
    assert number("layouts", "single") == pytest.approx(number("chips", "step", startup=5))


def test_the_starts_of_sums_are_two_messages_or_one_call_of_a_library():
    """160 sums: two messages of 5 µs each; or 4.4 µs and six steps of 0.52 µs up and down a tree of eight."""
    assert number("tensor", "starts") == pytest.approx(160 * 2 * 5e-6)
    assert number("tensor", "starts_library") == pytest.approx(160 * (6.8e-6 + 14 * 0.6e-6))


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "halving pays from 21,000"),
        ({}, "Without starts a batch of 2,048 takes 4.32 ms"),
        ({"context": "1M", "batch": 72}, "halving pays"),
        ({"model": "llama-3-8b"}, "is dense and sends sums"),
        ({"batch": 1}, "in the open (one sequence has no halves); halving pays from"),
        ({"batch": 200_000}, "a batch of 200,000 would take"),
    ],
)
def test_the_finding_of_the_exchange_says_from_where_halving_pays(inputs, words):
    assert words in answer("exchange", **inputs).finding


def test_the_exchange_says_where_memory_has_no_room_and_halves_no_single_sequence():
    assert answer("exchange", batch=200_000).notes[0].startswith("Weights of 27.3 GB leave 171 GB of a chip")
    assert not any("leave" in note for note in answer("exchange").notes)
    alone = answer("exchange", batch=1)
    assert alone.values["halved"].text == "one sequence has no halves"
    assert "two halves" not in alone.finding + alone.description


def test_a_crossing_is_found_between_two_places_or_not_at_all():
    places = np.array([1.0, 10.0, 100.0])
    assert shared.crossing(places, 2 * places, places) == 1
    assert shared.crossing(places, places, 2 * places) == math.inf
    assert shared.crossing(places, places**2, 30 * places) == pytest.approx(30)


def test_a_torus_gives_an_all_to_all_a_part_of_its_links():
    """Mean hops are a quarter of a side: 4 x 4 x 4 gives about 200 GB/s, 16 x 24 x 24 gives 33 and not 600."""
    values = answer("torus").values
    found = [values[name].number / 1e9 for name in ("links", "small_rate", "pod_rate")]
    assert found == pytest.approx([600, 196.9, 33.3], rel=0.005)
    notes = answer("speed", system="tpu-v7-pod").notes
    assert any("over 256 chips each sends 99.6 GB/s" in note for note in notes)


def test_the_day_is_what_the_model_of_a_step_says_of_it():
    """47.6 ms seen; two halves of that layout make 23.4, and the timed kernels send for 58 x 561 us x 88/128."""
    values = answer("day").values
    assert values["reads"].number == pytest.approx(21.3e9, rel=0.02)
    assert values["halves"].number == pytest.approx(23.4e-3, rel=0.002)
    assert values["over_halves"].number * values["halves"].number == pytest.approx(values["step"].number)
    assert values["timed"].number == pytest.approx(58 * (192 + 369) * 1e-6 * 88.1 / 128, rel=1e-3)
    assert values["bound"].number < values["timed"].number < values["halves"].number


def test_a_domain_without_a_way_out_says_so():
    found = answer("exchange", system="tpu-v5e-pod", links="out")
    assert any("stays on the links within" in note for note in found.notes)
    assert any("No link out of" in note for note in found.notes)
    assert any("torus" in note for note in found.notes)
    assert "Pope's links" in answer("racks", system="tpu-v5e-pod").finding


@pytest.mark.parametrize(("racks", "words"), [(1, "nothing leaves"), (3, "66.7% of the traffic leaves")])
def test_the_finding_of_the_racks(racks, words):
    found = answer("racks", racks=racks, system="gb300-nvl72")
    assert words in found.finding
    assert found.values["slowdown"].number == moe.spread_slowdown(racks, 9)


def test_half_a_rack_reads_twice_the_experts_for_half_the_batch():
    """On 36 chips 8 experts instead of 4 are read a layer and chip, at 8 TB/s, for 1024 sequences instead of 2048."""
    more = 58 * (256 / 36 - 256 / 72) * 3 * 7168 * 2048 / 8e12
    found = {name: each.number for name, each in answer("spans").values.items()}
    assert found["half_step"] - found["one_step"] == pytest.approx(more, rel=0.15)
    longer = 116 * (found["slow"] - 5e-6)  # both wait for it, and so the loss is less
    assert found["one_slow_step"] == pytest.approx(found["one_step"] + longer)
    assert found["half_slow_step"] == pytest.approx(found["half_step"] + longer)


@pytest.mark.parametrize("precision", ["fp4", "fp8"])
@pytest.mark.parametrize(("tokens", "gains"), [(100, True), (500, False)])
def test_a_whole_rack_gains_over_half_of_one_only_with_few_tokens_a_chip(tokens, gains, precision):
    def step(chips):
        where = laid_out("deepseek-v3", "gb200-nvl72", precision, "usual").with_layout(Layout(data=chips))
        return parts(decode(where, tokens * chips, 4096), 5)["step"]

    assert (step(72) < step(36)) == gains


def test_two_racks_read_half_the_experts_and_send_half_their_copies_out():
    """Against one rack with as many tokens a chip: 2 experts instead of 4, 116 more starts, 18 times slower links."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    less_read = 58 * (4 - 2) * 3 * 7168 * 2048 / 8e12
    out = 58 * 2048 / 72 * 7168 * 3 / 50e9 * number("blackboard", "saved_copies")
    saved = less_read + number("chips", "network")  # both networks work at once, and the outer one takes longer
    assert found["two_step"] == pytest.approx(found["one_step"] - saved + 116 * found["start"] + out, rel=0.01)
    assert found["one_step"] < found["two_step"] < found["half_step"]
    assert found["fast_step"] == pytest.approx(found["one_step"], rel=0.02)
    assert spans.step(1, "gb300-nvl72", 5) == found["one_step"]  # the two racks differ in their cards alone


def test_two_racks_are_as_good_with_few_tokens_if_starts_out_are_as_short_as_within():
    """2 experts of 58 layers save 639 µs; straight copies take 9 or 4.5 times the 11.1 µs of a token, less one."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    saved, token = 58 * 2 * 3 * 7168 * 2048 / 8e12, 58 * 8 * 7168 * 3 / 900e9
    for key, rack, more in (("two_most", "gb200-nvl72", 8), ("fast_most", "gb300-nvl72", 3.5)):
        most = found[key]
        assert most * more * token < saved < (most + 1) * more * token
        for tokens, good in ((1, True), (most, True), (most + 1, False)):
            assert (number("sizes", "two_less", rack=rack, batch=72 * tokens) <= 0) == good
    low = asking.standing("world/exchange-starts").values["ratio_low"].number
    assert saved < number("sizes", "starts") / 4 < (low - 1) * number("sizes", "starts"), "a quarter longer loses all"


def test_narrow_plans_lose_by_what_they_read_and_gain_where_multiplying_is_longer():
    """16 and 32 experts of 44 MB instead of 4, in 58 layers at 8 TB/s; two operations a weight at 5 PFLOP/s."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    step, expert = number("sizes", "one_step"), 58 * 3 * 7168 * 2048 / 8e12
    multiplying = 58 * 8 * 2 * 3 * 7168 * 2048 / 5e15  # of a token
    passed = number("overlap", "copied_passed") / 29
    for key, held in (("half_even", 8), ("sixteen_even", 16)):
        assert held * expert / multiplying < found[key] < held * expert / (multiplying - passed)
    assert 32 * expert / multiplying > found["eight_room"]
    cache = 61 * (512 + 64) * 4097
    assert found["room"] == pytest.approx((198.67e9 - 27.33e9) / cache, rel=0.02)
    assert found["eight_room"] == pytest.approx((198.67e9 - 98.86e9) / cache, rel=0.02)
    assert found["memory"] == 189_471 * 2**20
    (routed,) = (each for each in over_racks(1, "gb200-nvl72", 72, 4096).operations if each.name == "experts")
    assert routed.compute_seconds == pytest.approx(multiplying, rel=1e-6)
    assert number("overlap", "passed_token") / 8e12 == pytest.approx(passed)
    reading = number("sizes", "half_experts")
    meet = [reading / (multiplying / share - routed.activation_seconds) for share in (1, 0.8, 0.6)]
    assert meet[0] == pytest.approx(found["half_even"], abs=1)
    assert (found["multiplied"], found["passed"]) == pytest.approx((multiplying, routed.activation_seconds))
    half, one = (max(200 * multiplying, read + 200 * found["passed"]) for read in (reading, reading / 2))
    step_of = number("sizes", "one_step", batch=72 * 200)
    assert 1 / (1 + step_of / (half - one)) == pytest.approx(found["less_200"], rel=2e-3)
    assert meet[1:] == pytest.approx([316, 222], abs=1), "multipliers short of their rate, and memory not"
    even = number("sizes", "one_step", batch=72 * found["half_even"])
    assert 2.9 * step < even < 3.3 * step


def test_at_equal_speed_one_rack_leads_by_more_than_with_equally_many_tokens():
    """64 tokens of 8.6 ms and 65 of more, on each chip of a rack; half a rack has 29 in that time."""
    served = {name: each.number for name, each in answer("users").values.items()}
    half = number("sizes", "half_step")
    steps = [number("sizes", "one_step", batch=72 * each) for each in (served["one_users"], served["one_users"] + 1)]
    assert steps[0] <= half < steps[1]
    assert served["half_users"] == 29
    assert 1 - 29 / served["one_users"] > 3 * number("sizes", "half_less")


def test_a_count_without_repeats_sends_a_little_more():
    """8 of the 128 experts of four groups, four on a chip: a chip is passed over by C(124, 8) of C(128, 8) choices."""
    passed = math.comb(124, 8) / math.comb(128, 8)
    assert number("spans", "copies") < 32 * (1 - passed) * 71 / 72 < 1.02 * number("spans", "copies")


def test_the_forecast_keeps_the_order_of_the_count_and_not_its_distances():
    """16.0, 14.5 and 20.4 ms with a copy for each expert."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    plans = [over_racks(racks, "gb200-nvl72", 2048, 4096, relay=False) for racks in (0.5, 1, 2)]
    apart = [forecast_of(each).seconds for each in plans]
    assert apart == pytest.approx([15.99e-3, 14.52e-3, 20.36e-3], rel=1e-3)
    assert (found["half_less"], found["two_apart_less"]) == pytest.approx((0.092, 0.287), abs=1e-3)
    assert found["half_less"] < 1 - found["low"], "within the error of one forecast"
    many = 72 * found["half_even"]
    half, one = (forecast_of(over_racks(racks, "gb200-nvl72", many, 4096, relay=False)).seconds for racks in (0.5, 1))
    assert 1 - one / half == pytest.approx(1 / 50, abs=2e-3)  # "about a fiftieth"


def test_half_a_rack_comes_nearer_with_more_tokens_and_two_racks_do_not():
    """The lead in seconds is whole up to 212 tokens; two racks take the better of both ways of sending copies."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    lead = number("sizes", "half_step") - number("sizes", "one_step")
    for tokens in (200, 300):
        half, one = (number("sizes", f"{name}_step", batch=72 * tokens) for name in ("half", "one"))
        assert (half - one == pytest.approx(lead, rel=1e-3)) == (tokens <= 212)
        if tokens == found["more_200"]:
            assert found["less_200"] == pytest.approx(1 - one / half, abs=1e-3)
            assert found["less_200"] < number("sizes", "half_less")
    for tokens in (200, 300, found["half_even"]):
        ways = [number("sizes", "two_step", batch=72 * tokens, copies=way) for way in ("expert", "rack")]
        assert 0.25 < 1 - number("sizes", "one_step", batch=72 * tokens) / min(ways) < 0.3


def test_redundant_copies_even_loads_on_half_a_rack_alone():
    """Even picks: 32 copies and their originals take 64 places at most; a chip without one gets a tenth too much."""
    for racks, without in ((0.5, 0), (1, 8), (2, 80)):
        chips = round(72 * racks)
        assert chips * math.ceil(256 / chips) == 256 + number("worked", "fill")
        assert max(0, chips - 64) == without
    assert number("worked", "received") / number("worked", "sends") == pytest.approx(1.1, abs=0.01)
    ends, middle = 256 / 36 - 7, 256 / 36 - 6  # what a chip of half a rack may take of one expert kept twice, or of two
    given = ends  # by the first of nine chips in a row, each pair of neighbours with an expert in common
    for _ in range(7):
        given = middle - (1 - given)
        assert 0 <= given <= 1
    assert 1 - given == pytest.approx(ends)  # four such rows are 36 chips and 32 experts


def test_in_two_halves_the_three_plans_keep_one_rack_first():
    """Four stages: attention of each half, 16.2 GB read whole, and 8, 4 or 2 experts; each transfer with one start."""
    found, expert = asking.standing("moe/ours").values, 58 * 3 * 7168 * 2048 / 8e12
    others, passing = (number("overlap", f"copied_{name}") for name in ("others", "passed"))
    attention = others + (number("overlap", "copied_cache") + passing) / 2
    sent = np.array([1, 1, 9]) * number("worked", "step_inside") / 2
    halves = sum(
        np.maximum(computed, 58 * number("spans", "slow") + share * sent)
        for computed in (attention, expert * np.array([8, 4, 2]))
        for share in (1 / 3, 2 / 3)
    )
    quoted = [found[f"{name}_halved"].number for name in ("half", "one", "two")]
    assert quoted == pytest.approx(halves, rel=1e-3)
    assert min(quoted) == quoted[1]


def test_on_links_out_hiding_ends_before_a_token_is_cheap_with_attention_read_whole_too():
    found = {name: each.number for name, each in asking.standing("moe/ours").values.items()}
    by_formula = 2 * number("overlap", "copied") / (found["exchange_out"] - found["cache_each"])
    assert found["outlasts"] < by_formula < found["outlasts_laid"] < found["balanced"]


def test_starts_in_two_halves_leave_half_the_speed_that_starts_alone_do():
    assert number("spans", "slow_cap") / 2 == pytest.approx(168, abs=0.5)


def test_a_second_rack_loses_most_where_starts_are_as_long_as_timed():
    """Starts of (59.2 − 8.0) / 2 µs, 116 on a rack and 232 over two; without more of them it is lost on links alone."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    sent = 32 * 8 * 7168 * (2 + 2)
    assert found["slow"] == pytest.approx((23.1e-6 + 36.1e-6 - sent * 63 / 64 / 900e9) / 2)
    assert 116 * found["slow"] / found["one_slow_step"] == pytest.approx(2 / 5, abs=0.02)
    assert found["two_slow_step"] == pytest.approx(found["two_step"] + 232 * (found["slow"] - 5e-6))
    assert found["fast_slow"] == pytest.approx(1 - number("sizes", "one_step") / found["fast_slow_step"], abs=1e-3)
    assert found["two_slow"] == pytest.approx(1 - number("sizes", "one_step") / found["two_slow_step"], abs=1e-3)
    assert found["fast_slow"] < number("sizes", "two_less") < found["two_slow"]
    assert found["fast_slow"] == pytest.approx(number("sizes", "two_less", rack="gb300-nvl72"), abs=1e-3)
    assert found["fast_slow_step"] < found["fast_step"] + 232 * (found["slow"] - 5e-6), "straight copies are quicker"
    once = found["two_step"] - 232 * 5e-6 + 116 * found["slow"]  # one copy a rack, if it started but once
    assert once < found["one_slow_step"]


def test_starts_that_one_half_waits_for_make_halves_pay_from_smaller_batches():
    """Without starts as in the figure; with 116 a half, queued on the link, where both ways take as long."""
    found = {name: each.number for name, each in answer("spans").values.items()}
    assert spans.halves_pay(0) == pytest.approx(number("exchange", "pays"), rel=0.02)
    assert found["pays_slow"] < found["pays"] < number("exchange", "pays")
    where = laid_out("deepseek-v3", "gb200-nvl72", "fp8", "usual")
    for key, start in (("pays", 5e-6), ("pays_slow", found["slow"])):
        here = shared.Compositions.of(where, found[key], 4096)
        halved = max(here.computing_halves, here.exchange + 232 * start)
        assert halved == pytest.approx(here.opened + 116 * start, rel=1e-3)


def test_the_example_of_the_exchange_is_the_fullest_chip_of_the_scenario():
    """29 sequences, 8 copies of 7168 numbers, three bytes there and back, 58 layers; on average 2,048/72 and 71/72."""
    sent = 29 * 8 * 7168 * 3
    assert number("worked", "sent") == pytest.approx(sent)
    assert number("worked", "step_inside") == pytest.approx(58 * sent / 900e9)
    assert number("worked", "step_outside") == pytest.approx(58 * sent / 50e9)
    assert number("overlap", "exchange") == pytest.approx(58 * sent / 900e9 * 71 / 72 * 2048 / 72 / 29)
    assert number("worked", "expert") == pytest.approx(3 * 7168 * 2048)


def test_half_a_rack_is_enough_once_multiplying_outlasts_its_reading():
    """Its experts get 36 x 8 / 256 copies for each token of a chip; a weight of one byte is worth two operations."""
    tokens = number("spans", "half_even")
    assert 2 * tokens * 36 * 8 / 256 > 5e15 / 8e12
    half, whole = (plan_parts(racks, "gb200-nvl72", tokens * 72, 0, "expert") for racks in (0.5, 1))
    assert half == pytest.approx(whole, rel=1e-5)
    half, whole = (plan_parts(racks, "gb200-nvl72", (tokens - 20) * 72, 0, "expert") for racks in (0.5, 1))
    assert sum(half) > 1.002 * sum(whole)


def test_copied_attention_makes_most_of_the_reading_of_weights():
    found = {name: each.number for name, each in answer("overlap").values.items()}
    assert found["copied"] == pytest.approx(2.83 * found["weights"], rel=0.01)


def test_the_hottest_chip_takes_the_exchange_by_its_count_of_tokens():
    fair = 58 * 2048 / 72 * 8 * number("worked", "copy") / 900e9
    assert number("worked", "step_hottest") == pytest.approx(2.564 * fair)
    assert number("worked", "step_filled") == pytest.approx(1.115 * fair)


def test_a_chip_of_whole_experts_receives_as_much_in_each_plan_and_more_than_it_sends():
    """8, 4 and 2 experts of a chip, loads even over experts; a chip sends 8 copies for each of 29 tokens."""
    for racks in (0.5, 1, 2):
        each = math.ceil(256 / (72 * racks))
        assert each * 2048 * racks * 8 / 256 == number("worked", "received") == 256
    assert number("worked", "sends") == 29 * 8
    assert number("worked", "step_received") == pytest.approx(58 * 256 * number("worked", "copy") / 900e9)


def test_measured_exchanges_miss_their_bound_by_about_as_much_near_and_far():
    """77 + 114 µs in one node against 7/8 of 22.25 MB at 200 GB/s."""
    found = {name: each.number for name, each in answer("day").values.items()}
    sent = 128 * 8 * 7168 * (1 + 4 / 128 + 2)
    assert found["beyond_one"] == pytest.approx(191e-6 - sent * 7 / 8 / 200e9)
    assert found["beyond_reached"] == pytest.approx(191e-6 - sent * 7 / 8 / 160e9)
    assert found["beyond_reached"] == pytest.approx(0.71 * found["beyond_eight"], rel=0.01)
    assert found["beyond_eight"] == pytest.approx(97.6e-6, rel=1e-3)
    assert found["beyond_one"] < found["beyond_eight"] < 1.05 * found["beyond_one"]
    assert found["beyond_step"] == pytest.approx(58 * found["beyond_one"])
    assert found["beyond_step"] == pytest.approx(5.4e-3, rel=0.02)
    assert (found["rack_worth"], found["rack_worth_full"]) == pytest.approx((4.39, 1.17), abs=0.005)


def test_a_sequence_on_the_links_out_adds_more_exchange_than_cache():
    """8 copies of 7,168 numbers in three bytes, 58 layers, 71 of 72 of them sent, by 72 links of 50 GB/s."""
    found = {name: each.number for name, each in answer("ours").values.items()}
    assert found["exchange_out"] == pytest.approx(58 * 8 * 7168 * 3 * 71 / 72 / 72 / 50e9)
    beyond = found["exchange_out"] - found["cache_each"]
    assert found["outlasts"] == pytest.approx(2 * answer("overlap").values["weights"].number / beyond)


def test_one_copy_a_rack_is_never_worse_and_is_the_count_without_repeats():
    """On links 18 times slower, of eight copies: `remote_groups` counts those of even racks, and a limit on eight."""
    for model, experts in (("deepseek-v3", 256), ("kimi-k2", 384)):
        for racks in range(1, 9):
            found = answer("racks", model=model, racks=racks)
            saved = found.values["saved"].number
            assert saved <= found.values["slowdown"].number
            limit = 4 if (model, racks) == ("deepseek-v3", 8) else None
            if limit or (model == "kimi-k2" and not experts % racks):
                counted = max(1, 18 / 8 * float(routing.remote_groups(experts, 8, racks, limit)))
                assert saved == pytest.approx(counted)
    assert number("blackboard", "saved_copies") == pytest.approx(0.963, abs=5e-4)
    assert number("racks", "saved") == pytest.approx(18 / 8 * number("blackboard", "saved_copies"))
    assert number("racks", "saved", system="gb300-nvl72") == pytest.approx(1.08, abs=5e-3)
    assert number("racks", "saved", racks=4) < number("racks", "saved", racks=4, model="kimi-k2")
    assert math.isnan(number("racks", "saved", model="llama-3-70b"))


def test_exchanges_timed_on_a_rack_start_level_and_then_follow_their_bytes():
    for row in rack_exchanges():
        assert row.seconds > timings.seconds_of_bytes(row.tokens, row.chips)
    found = {name: each.number for name, each in answer("timed").values.items()}
    assert found["ours"] < found["one"] < 1.05 * found["ours"], "with a single token it takes no less"
    few = [row.seconds for row in rack_exchanges() if row.chips == 64 and row.tokens <= 64]
    assert max(few) < 1.25 * min(few)
    sent = 2048 * 8 * 7168 * 4
    assert found["rate"] == pytest.approx(sent * 63 / 64 / 900e9 / (399.2e-6 + 372.1e-6 - 2 * found["start"]))
    assert found["rate"] < number("timed", "rate", among="8") < 1
    assert found["start"] == answer("spans").values["slow"].number < answer("day").values["beyond_one"].number / 2
    out, back = (number("timed", "start", way=way) for way in ("dispatch", "combine"))
    assert out + back == pytest.approx(2 * found["start"])


@pytest.mark.parametrize("way", ["both", "dispatch", "combine"])
def test_no_measurement_beats_its_bound_and_far_apart_they_come_near(way):
    found = [timings.measured_exchange(chips, way) for chips in timings.MEASURED_CHIPS]
    assert all(each.miss > 1 for each in found)
    assert all(each.miss == pytest.approx(1.27, abs=0.08) for each in found[3:])
    assert [each.bound for each in found] == sorted(each.bound for each in found)


def test_the_measurements_are_those_of_the_readme():
    assert timings.measured_exchange(256, "dispatch").measured == 194e-6
    assert timings.measured_exchange(8, "both").measured == pytest.approx((77 + 114) * 1e-6)


def test_deepseek_lived_below_its_links():
    """47.6 ms observed; the exchange of 88 tokens over 50 GB/s takes 16.6 ms: 1 in 18 stays in its node."""
    day = shared.observed()
    assert day.step_seconds == pytest.approx(47.6e-3, rel=1e-3)
    assert day.tokens == pytest.approx(88.1, abs=0.05)
    assert day.bound_seconds == pytest.approx(58 * day.tokens * 7168 * 8 * 3 * 17 / 18 / 50e9)
    assert day.speed < number("speed", "outside", system="hgx-h100", batch=8 * 88)


def test_deepseeks_estimate_is_reproduced():
    for link, name in ((50e9, "comm-bound-step"), (900e9, "comm-bound-nvl72-step")):
        assert shared.published_bound(link) == pytest.approx(catalog.datum(name).value, rel=0.005)
    assert number("day", "paper_speed") == 67


def test_the_speed_is_the_inverse_of_the_exchange():
    model = catalog.model("deepseek-v3")
    assert number("speed", "inside", batch=7200) == pytest.approx(1 / exchange_step(model, 100, 900e9, 72))
    assert "is dense" in answer("speed", model="llama-3-8b").finding
    assert len(answer("speed", batch=1e6).tables["here"]["tokens"]) == 0


def test_the_lecturers_pair_is_on_the_curve():
    found = answer("gain", size=0.37, experts=64)
    assert found.values["dense"].number == pytest.approx(1.3e9, rel=0.06)
    assert found.values["rule"].number == pytest.approx(4)
    assert not found.notes
    assert "extrapolation" in answer("gain", size=37).notes[0]
    assert "lower its quality" in answer("gain", size=2000).notes[-1]


@pytest.mark.parametrize("name", quality.LAWS)
def test_experts_are_worth_nothing_exactly_at_the_published_cut_off(name):
    cut_off = catalog.routing_fit(name).params_cutoff
    assert quality.gain(cut_off, 256, name) == pytest.approx(1)
    assert quality.gain(cut_off / 2, 256, name) > 1 > quality.gain(cut_off * 2, 256, name)


def test_rounding_turns_a_gain_into_a_loss():
    assert number("quality", "large_rl_r") > 1 > number("quality", "rounded")


def test_the_worked_examples_are_those_of_the_ledger():
    """Figures recomputed by hand for the ledger: each to the digits that it gives."""
    expected = {
        ("worked", "one_in"): 32,
        ("blackboard", "two"): 4,
        ("domains", "by_dies"): 4,
        ("domains", "by_packages"): 2,
        ("day", "per_chip"): 2,
        ("day", "copies"): 32,
        ("quality", "gain"): 3.70,
        ("quality", "rounded"): 0.955,
    }
    for (slug, value), known in expected.items():
        assert number(slug, value) == pytest.approx(known, rel=0.01), (slug, value)


def test_the_symbols_stand_for_the_scenario():
    values = answer("setting", model="kimi-k2", system="gb300-nvl72", batch=720).values
    found = [values[name].number for name in ("experts", "picks", "layers", "ratio", "tokens")]
    assert found == [384, 8, 60, 9, 10]
    assert answer("setting", model="llama-3-8b").values["layers"].number == 0


def test_small_batches_want_groups_and_large_ones_single_chips():
    assert number("layouts", "best", batch=72) == 8
    assert number("layouts", "best", batch=2048) == 1


def test_the_batches_of_the_table_are_those_of_the_formulas():
    """Reading the weights takes 1.165 ms, a sequence's exchange 151.8 ns: halves are quicker from their quotient."""
    table = {name: value.number for name, value in answer("batches").values.items()}
    assert table["pays_simple"] == pytest.approx(1.1649e-3 / 0.15184e-6, rel=1e-3)
    assert (table["balanced"], table["experts"]) == pytest.approx((5670, 10_000), rel=1e-3)
    assert table["outlasts"] < table["outlasts_laid"] < table["balanced"] < table["pays_simple"]
    dense = answer("batches", model="llama-3-70b", system="hgx-h100").values
    assert (dense["pays_simple"].text, dense["balanced"].text) == ("no batch", "295 sequences")
    assert answer("batches", model="mixtral-8x7b", system="tpu-v5e-pod").values["outlasts"].text == "unknown"


def test_each_way_to_count_a_step_is_the_one_of_the_figure_that_it_comes_from():
    steps = {name: value.number for name, value in answer("steps").values.items()}
    assert steps["laid_out"] == number("exchange", "bound")
    assert steps["turn"] == number("exchange", "opened")
    assert steps["halved"] == number("exchange", "halved")
    assert steps["started"] == number("chips", "step")
    assert steps["later_turn"] == number("fleet", "tpot", startup=0) == number("way", "token", startup=0)
    assert steps["simple"] < steps["laid_out"] < steps["turn"] < steps["serial"]
    assert all(steps[f"later_{name}"] > steps[name] for name in ("simple", "laid_out", "turn", "serial"))


def test_exercises_close():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert moe.spread_slowdown(2, values["free_two"]) == moe.spread_slowdown(4, values["free_spread"]) == 1
    assert values["most_out"] * values["token_out"] == pytest.approx(values["allowed"])
    assert values["most_in"] / values["most_out"] == pytest.approx(18 * values["left"] / values["allowed"])
    assert values["left"] == pytest.approx(0.01 - 58 * 2 * 47e-6, rel=2e-3)
    assert values["most_in"] < 512, "starts are as timed with no fewer tokens"
    assert values["lead"] == pytest.approx(94 * (4 - 2) * 3 * 4096 * 1536 / 8e12)
    assert values["design_hidden"] < values["design_hidden_copy"]
    late = values["design_spread"] * values["design_hidden"]
    assert late == pytest.approx(2 * values["design_weights"] + values["design_cache"] * values["design_hidden"])
    assert values["design_halves"] == pytest.approx(late)
    assert values["design_slower"] == pytest.approx(4.34 / 2.66, rel=0.005)


def test_two_experts_of_a_lone_token_share_a_chip_as_often_as_throws_say():
    chosen = routing.drawn_choices(4000, 256, 8).reshape(4000, 64, 4).sum(axis=2).max(axis=1)
    assert number("exercise", "lone_shared") == pytest.approx(float((chosen > 1).mean()), abs=0.03)


def test_small_bases_gain_tenfold_by_the_law_of_the_figures():
    """10.3 times for 128 experts on five million, as the claim on it says; the printed constants would give 10.4."""
    assert number("gain", "gain", size=0.005, experts=128) == pytest.approx(10.30, abs=0.01)


def test_a_cache_that_is_cut_by_positions_is_read_once_and_the_step_is_shorter():
    assert number("layouts", "single") < number("layouts", "positions") < number("layouts", "whole")


@pytest.mark.parametrize(("startup", "said"), [(0, ""), (5, " and 1.6 ms to start"), (100, " and 32 ms to start")])
def test_the_title_of_sums_follows_their_starts(startup, said):
    found = answer("sums", startup=startup)
    assert f"sums take 652 µs on links{said}, arithmetic 605 µs of a step" in found.finding
    assert float(found.values["starting"].number) == pytest.approx(320 * startup * 1e-6)


def test_the_sums_of_a_dense_model_take_longer_than_its_arithmetic():
    """Llama 3 70B over 8 H100: 160 sums of 8,192 numbers in BF16, 2 x 7/8 of them at 450 GB/s, are 10.2 µs."""
    assert number("tensor", "sums") == pytest.approx(160 * 2 * 7 / 8 * 8192 * 2 / 450e9)
    assert number("tensor", "arithmetic") == pytest.approx(2 * (70.55e9 - 128_256 * 8192) / 8 / 1.979e15, rel=1e-3)
    assert number("tensor", "most") == pytest.approx(1 + 7 * 8.79 / 10.2, rel=0.01)


def test_a_latent_cache_is_on_every_chip_of_a_group():
    curve = answer("layouts").tables["curve"]
    cache = np.asarray(curve["cache"])
    assert cache[3] / cache[0] == pytest.approx(8, rel=0.02)
    assert np.all(np.diff(curve["weights"]) < 0)
    assert number("layouts", "whole") > 9 * number("layouts", "single")


def test_starts_do_not_fall_with_the_number_of_chips():
    curve = answer("chips").tables["curve"]
    assert number("chips", "starting") == pytest.approx(116 * 25.6e-6)
    assert number("chips", "starting", startup=0) == 0
    assert (number("chips", "best"), number("chips", "enough")) == (72, 64)
    assert (number("chips", "best", startup=5), number("chips", "enough", startup=5)) == (144, 64)
    assert np.all(np.diff(np.asarray(curve["weights"])) <= 0)
    torus = {"model": "llama-3-70b", "system": "tpu-v7-pod", "batch": 64}
    assert number("chips", "best", **torus) < 64
    assert number("chips", "step", **torus) > 2 * number("chips", "least", **torus)


def test_one_batch_is_quicker_over_two_racks_with_short_starts_but_a_chip_writes_little_more_than_half():
    curve = answer("chips", startup=5).tables["curve"]
    rack, two = (curve["step"][list(curve["chips"]).index(chips)] for chips in (72, 144))
    assert 0.5 < rack / (2 * two) < 0.55


def test_with_a_copy_for_each_expert_no_step_is_shorter_than_that_of_one_rack():
    for start in (5, 25.6):
        assert number("chips", "apart_best", startup=start) == 72
        assert number("chips", "step", startup=start) < number("chips", "apart", startup=start)
    assert number("chips", "least", startup=5) < number("chips", "step", startup=5)
    assert number("chips", "apart", startup=5) == pytest.approx(4.92e-3, abs=5e-6)


def test_a_group_without_room_is_said_to_have_none():
    assert answer("layouts").finding.endswith(", if it had room")
    assert not answer("layouts", batch=72).finding.endswith("room")


def test_starts_alone_leave_a_user_the_speed_that_the_note_says():
    starts = number("chips", "starting")
    assert f"at most {show(1 / (2 * starts), 'tokens/s')} if both halves" in answer("speed").notes[0]
    assert number("spans", "slow_cap") == pytest.approx(1 / starts, rel=1e-3)
    assert "bytes alone" in answer("speed").finding
    assert not any("Starts" in note for note in answer("speed", model="llama-3-8b").notes)


def test_a_node_under_load_multiplies_more_of_the_time_than_one_of_the_day():
    """52,300 tokens a second, two operations for each of 37 billion parameters, on eight H100 of 1,979 TFLOP/s."""
    values = answer("day-fleet").values
    assert values["loaded"].number == pytest.approx(2 * 37e9 * 52.3e3 / (8 * 1979e12), rel=0.02)
    assert values["busy"].number < values["loaded"].number


def test_the_fleet_of_the_day_is_the_one_that_was_counted():
    values = answer("day-fleet").values
    assert values["prefill_nodes"].number == pytest.approx(95.5, abs=0.05)
    assert values["decode_nodes"].number == pytest.approx(131.4, abs=0.05)
    assert values["nodes"].number == pytest.approx(values["mean"].number, rel=0.001)
    assert "42.1% of the nodes" in answer("fleet").finding
    assert number("fleet", "share", answer=100) > number("fleet", "share")


def test_starts_lengthen_writing_more_than_reading():
    """116 starts of 25.6 us in the pass that reads 2,048 tokens, and in each of 1,023 steps that 28.4 tokens share."""
    start = 116 * 25.6e-6
    assert number("fleet", "ttft") - number("fleet", "ttft", startup=0) == pytest.approx(start, rel=0.01)
    assert number("fleet", "tpot") == pytest.approx(4.38e-3 + start, rel=0.01)
    read, written = 57e-3 + start, (4.38e-3 + start) * 1024 / (2048 / 72)
    assert number("fleet", "share") == pytest.approx(read / (read + written), abs=0.001)
    assert number("fleet", "share", startup=0) - number("fleet", "share") > 0.07


def test_the_worked_line_of_the_routed_law_is_its_gain():
    assert number("quality", "law_more") ** number("quality", "law_power") == pytest.approx(number("quality", "gain"))


def test_the_longest_side_leaves_a_pod_what_the_lecture_says():
    third = number("torus", "links") / 3
    assert number("torus", "small_rate") == pytest.approx(third, rel=1 / 50)  # a chip keeps one part of 64
    assert number("torus", "pod_rate") == pytest.approx(third / number("torus", "hops"), rel=1e-3)


def test_a_count_of_loads_is_far_from_chance_and_copies_bring_it_near():
    found = {name: value.number for name, value in asking.standing("moe/throws").values.items()}
    spread = math.sqrt(1024 * (1 - 1 / 32))  # of a chip that gets a copy in 32
    greatest = 2.07  # of 32 draws from the normal law
    assert found["counted_chance"] == pytest.approx(1 + greatest * spread / 1024, abs=0.005)
    assert found["counted_chance"] < found["counted_filled"] < 1.15 < 2.5 < found["counted"]


def test_half_a_rack_loses_in_four_bits_too():
    saved = 1 - (4 + 8 / 16) / 8  # a scale of a byte for sixteen weights
    half, one = (
        number("sizes", f"{name}_step") - number("sizes", f"{name}_experts") * saved for name in ("half", "one")
    )
    assert number("spans", "half_four") == pytest.approx(1 - one / half, rel=1e-3)  # the figure rounds its start
    assert 0 < number("spans", "half_four") < number("sizes", "half_less")


def test_training_fills_a_rack_as_in_the_plan_of_the_talk():
    run = [each for each in training_steps() if (each.model, each.system) == ("deepseek-v3", "gb200-nvl72")]
    assert number("worked", "experts") / max(each.experts for each in run) == number("worked", "per_chip")


def test_a_chip_that_has_tokens_has_at_least_one():
    for slug in ("travel", "speed"):
        assert number(slug, "tokens", batch=1) == 1
        assert number(slug, "inside", batch=1) == pytest.approx(number(slug, "inside", batch=72))
    assert answer("speed", batch=72).finding.startswith("With 1 token on a chip")


def test_a_lone_reader_is_said_once():
    assert answer("awake", batch=1).finding.endswith("25% of its own")


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "at best a step takes 4.9 ms with attention on each, 48.9 ms in one group of all, if it had room"),
        ({"batch": 1}, "at best a step takes 1.44 ms in one group of all, 2.68 ms with attention on each"),
        ({"system": "hgx-h100"}, "47.4 ms with attention on each, if it had room, 137 ms"),
    ],
)
def test_the_best_groups_come_first_and_those_without_room_are_named(inputs, words):
    assert words in answer("layouts", **inputs).finding


def test_a_larger_group_is_not_said_to_read_more_cache_where_heads_cut_it():
    found = answer("layouts", model="gpt-oss-120b", system="hgx-h100", batch=1)
    cache = found.tables["curve"]["cache"]
    assert cache[-1] < cache[0]
    assert "more cache" not in found.description


def test_one_chip_is_one_chip():
    found = answer("chips", model="llama-3-8b", system="hgx-h100", batch=1)
    assert "shortest on 1 chip, 2.32 ms" in found.finding
    assert "is shortest with 2.32 ms on 1;" in found.description


def test_one_expert_is_worth_its_own_size():
    assert number("gain", "gain", experts=1) == 1


def test_halves_that_do_not_pay_as_far_as_is_drawn_may_pay_beyond():
    assert answer("exchange", context=1e8).finding.endswith("halving pays at no batch drawn")
