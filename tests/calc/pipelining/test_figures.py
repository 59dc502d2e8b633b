from __future__ import annotations

from math import comb, inf

import numpy as np
import pytest

from calc import catalog, pipelining
from calc.figure import registry
from calc.figure.inputs import Number
from calc.pipelining import bubbles, schedules
from calc.pipelining.figures.setting import NAMES, OPENING, in_a_row, waiting_share
from calc.pipelining.figures.shared import published
from calc.pipelining.figures.worked.sending import inside_seconds, spread_step
from calc.pipelining.figures.worked.stages import waits_of_unequal
from calc.pipelining.figures.worked.usual import full_row, full_spread
from calc.setting import Layout, Scenario, Setting, published_precisions
from tests.calc.figure import asking

answer, number = asking.of("pipelining")
MOST_BOXES = 400
INSIDE = 60 / 8 * 7 * (1 - comb(336, 8) / comb(384, 8)) * 7168 * 3 / 450e9  # seconds of a user's copies, eight chips


@pytest.mark.parametrize("slug", ["decode", "schedule"])
def test_a_timetable_never_has_more_boxes_than_a_page_can_draw(slug):
    figure = registry.find(f"pipelining/{slug}")
    high = {given.name: int(given.high) for given in figure.inputs if isinstance(given, Number) and given.whole}
    kinds = list(NAMES) if slug == "schedule" else [None]
    for kind in kinds:
        for stages in range(1, high["stages"] + 1):
            asked = {"stages": stages, "micro": high["micro"]} | ({"schedule": kind} if kind else {})
            assert len(figure.answer(**asked).tables["tasks"]["start"]) <= MOST_BOXES


def test_the_case_of_slow_ids_can_be_asked_and_its_boxes_can_be_seen():
    """A tenth of a second on a step of 48 ms is two steps; eight stages at a fifth of one take 21 micro-batches."""
    steps = 0.1 / number("latency", "alone")
    slow = answer("decode", stages=8, micro=24, hop=steps)
    assert slow.values["token"].number == pytest.approx(1 + 8 * steps)
    assert min(slow.tables["tasks"]["span"][:8]) * 300 > 1.5, "pixels of a phone's chart"
    assert slow.tables["lanes"]["end"][0] > slow.values["token"].number, "the first micro-batch comes round"
    assert "for 1 token of each" in slow.description
    assert answer("decode", stages=8, micro=21, hop=0.2).values["idle"].number == 0
    assert "times the" in answer("latency", latency="0.1 s").finding.replace("× the", " times the")


@pytest.mark.parametrize(("stages", "micro", "hop"), [(4, 1, 0), (4, 4, 0), (3, 7, 0.1), (8, 12, 0.25), (1, 5, 0.2)])
def test_the_drawn_round_is_the_cycle_of_the_formula(stages, micro, hop):
    found = answer("decode", stages=stages, micro=micro, hop=hop)
    tasks = found.tables["tasks"]
    starts = [
        start
        for start, stage, label in zip(tasks["start"], tasks["stage"], tasks["label"], strict=True)
        if stage == 1 and label == "1"
    ]
    assert np.diff(starts) == pytest.approx(found.values["token"].number)
    assert found.values["idle"].number == pytest.approx(pipelining.decode_cycle(1, stages, micro, hop).idle_share)


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "4 micro-batches keep 4 stages busy; a sequence has a token every step"),
        ({"micro": 1}, "each of 4 stages waits 75% of the time"),
        ({"micro": 8}, "8 micro-batches keep 4 stages busy; a sequence has a token every 2 steps"),
        ({"stages": 1}, "One stage is no pipeline"),
        ({"hop": 0.001}, "waits 0.398% of the time; a sequence has a token every step"),
    ],
)
def test_the_finding_of_decoding_says_who_waits(inputs, words):
    assert words in answer("decode", **inputs).finding


@pytest.mark.parametrize(
    ("schedule", "share", "held"),
    [("gpipe", 3 / 11, 8), ("1f1b", 3 / 11, 4), ("interleaved", 1.5 / 9.5, 5.5), ("zb-h1", 1 / 9, 4), ("zb-h2", 0, 7)],
)
def test_a_step_by_hand(schedule, share, held):
    """Four stages, eight micro-batches: 24 passes of work on each stage, and 9, 4.5, 3 or no passes of waiting."""
    found = answer("schedule", schedule=schedule)
    assert found.values["idle"].number == pytest.approx(share)
    assert found.values["held"].number == held
    assert number("bubble", schedule.replace("-", "_")) == pytest.approx(share)


def test_interleaving_is_drawn_with_whole_groups_and_says_so():
    found = answer("schedule", schedule="interleaved", stages=5, micro=12)
    assert found.values["micro"].number == 10
    assert "drawn with 10 micro-batches" in found.notes[0]
    assert "multiple" not in " ".join(answer("schedule", schedule="interleaved").notes)


def test_the_gaps_of_zb_h2_that_are_not_counted_are_told():
    found = answer("schedule", schedule="zb-h2")
    assert schedules.timetable("zb-h2", 4, 8).idle_share == pytest.approx(1 / 9)
    assert "A step alone would wait 11.1%" in found.notes[0]


@pytest.mark.parametrize("schedule", ["zb-h1", "zb-h2"])
def test_too_few_micro_batches_are_played_and_meet_the_formula_where_it_begins(schedule):
    enough = {"zb-h1": 6, "zb-h2": 11}[schedule]
    shares = [waiting_share(schedule, 6, many) for many in range(1, enough + 3)]
    assert shares == sorted(shares, reverse=True)
    assert shares[enough - 1] == bubbles.bubble_share(schedule, 6, enough)
    assert shares[0] > shares[enough - 1]
    wants = [note for note in answer("bubble", schedule=schedule, stages=6, micro=2).notes if "wants" in note]
    assert wants == [f"{NAMES[schedule]} wants {enough} micro-batches here; with fewer its step was played out."]


def test_lines_begin_where_their_schedules_can():
    curve = answer("bubble", stages=8).tables["curve"]
    first = {}
    for name, micro in zip(curve["schedule"], curve["micro"], strict=True):
        first.setdefault(name, micro)
    assert first["GPipe, 1F1B"] == 1
    assert first["interleaved"] >= 8
    assert first["ZB-H2"] >= 15


def test_ten_in_a_hundred_take_as_many_micro_batches_as_it_says():
    for stages in (4, 16):
        many = number("bubble", "tenth", stages=stages)
        assert bubbles.bubble_share("1f1b", stages, many) == pytest.approx(0.1)


def test_shorter_waits_than_those_of_zb_h1_cost_memory_if_micro_batches_are_more_than_stages():
    def cheaper(stages, micro, chunks):
        """Schedules that wait less than ZB-H1 and hold no more."""
        row = {name: (stages, micro, chunks if name == "interleaved" else 1) for name in NAMES}
        waits = {name: waiting_share(name, *given) for name, given in row.items()}
        holds = {name: bubbles.peak_activations(name, *given) for name, given in row.items()}
        assert (waits["zb-h1"], holds["zb-h1"]) <= (waits["1f1b"], holds["1f1b"])
        return {name for name in waits if waits[name] < waits["zb-h1"] and holds[name] <= holds["zb-h1"]}

    for stages in (2, 4, 16):
        assert not any(cheaper(stages=stages, micro=stages + more, chunks=8) for more in (1, 5, 40))
    assert cheaper(stages=16, micro=16, chunks=8) == {"interleaved"}
    assert "micro-batches under interleaving wait" in answer("bubble", schedule="interleaved").finding


def test_numbers_are_drawn_while_there_is_room_for_them():
    assert answer("schedule").tables["tasks"]["label"][0] == "1"
    assert set(answer("schedule", schedule="zb-h1", stages=8, micro=12).tables["tasks"]["label"]) == {""}


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({}, "the link keeps up"),
        ({"stages": 16, "model": "mixtral-8x7b"}, "the link keeps up"),
        ({"model": "llama-3-405b"}, "the link keeps up"),
        ({"stages": 16, "model": "llama-3.2-1b", "system": "hgx-h100", "batch": 4096, "context": 1}, "stage waits for"),
    ],
)
def test_the_finding_of_a_boundary_takes_sides_with_its_slot(inputs, words):
    found = answer("boundary", **inputs)
    assert words in found.finding
    assert (found.values["slack"].number >= 1) == ("keeps up" in found.finding)
    assert found.values["slack"].number == pytest.approx(found.values["slot"].number / found.values["hop"].number)
    assert (found.values["layers"].number >= found.values["least"].number) == ("keeps up" in found.finding)


def test_a_boundary_is_asked_of_several_stages_and_an_exchange_of_experts():
    assert answer("boundary", stages=1).finding.startswith("One stage has no hop")
    dense, mixture = (answer("boundary", dispatch="1", model=model) for model in ("llama-3-70b", "mixtral-8x7b"))
    assert any("no experts" in note for note in dense.notes)
    assert not any("no experts" in note for note in (*mixture.notes, *answer("boundary", model="llama-3-70b").notes))


def test_a_link_that_is_slower_than_all_stages_sets_the_time_of_a_token():
    slow = {"model": "llama-3.2-1b", "system": "rubin-nvl72", "links": "one", "latency": 0.1, "batch": 4096}
    found = {name: value.number for name, value in answer("latency", **slow, stages=16, context=1).values.items()}
    assert found["token"] == pytest.approx(16 * found["bytes"]) == pytest.approx(found["full"])
    assert answer("latency", **slow, stages=16, context=1).values["idle"].text == "99.4%"


def test_a_margin_suffices_and_is_not_needed():
    """Two layers of Mixtral exchange for less than a hop takes, and work for longer; a dense model has no margin."""
    mixtral = answer("boundary", stages=16, model="mixtral-8x7b", dispatch="1").values
    assert mixtral["margin"].number < 1 < mixtral["slack"].number
    assert "margin" not in answer("boundary", model="llama-3-405b", dispatch="1").values
    assert number("boundary", "hop", model="llama-3-405b") == pytest.approx(167.8e-6, rel=0.01)
    assert number("boundary", "layer", model="llama-3-405b") == pytest.approx(
        2 * 2048 * 405e9 / (8 * 1.979e15) / 126, rel=0.01
    )


def _visited_beside_its_own(experts, picks, chips):
    """By counting choices that pass a chip over."""
    passed = comb(experts - experts // chips, picks) / comb(experts, picks)
    return (chips - 1) * (1 - passed)


def test_one_copy_serves_all_of_a_tokens_experts_on_a_chip():
    found = answer("blackboard").values
    assert found["copies_hgx"].number == pytest.approx(_visited_beside_its_own(384, 8, 8))
    assert found["margin_hgx"].number == pytest.approx(4.62 * 3 / (2 * 9), rel=1e-3)
    assert number("boundary", "inside", stages=1, dispatch="1") / 61 == pytest.approx(56.5e-6, rel=1e-3)
    assert found["free_hgx"].number == number("boundary", "free", dispatch="1") == 2
    assert number("exercise", "mixtral_copies") == pytest.approx(_visited_beside_its_own(8, 2, 8)) == 7 / 4
    assert (number("exercise", "mixtral_free"), number("exercise", "oss_free")) == (4, 4)
    one_byte = {"dispatch": "1"}
    assert number("boundary", "margin", model="deepseek-v3", **one_byte) < number(
        "boundary", "margin", model="glm-5", **one_byte
    )


def test_the_exchange_is_drawn_where_it_is_asked_for_and_counted_always():
    left_out, drawn = answer("boundary"), answer("boundary", dispatch="1")
    assert "exchange" in left_out.tables["curve"]
    assert left_out.tables["ends"]["part"] == ["hop's bytes", "work"]
    assert drawn.tables["ends"]["part"] == ["hop's bytes", "exchange", "work"]
    assert "exchange" not in left_out.finding + left_out.description
    assert f"its exchanges take {drawn.values['margin'].text} the time of the hop" in drawn.finding
    assert left_out.values["margin"] == drawn.values["margin"] != answer("boundary", dispatch="2").values["margin"]


@pytest.mark.parametrize("model", ["kimi-k2", "mixtral-8x7b", "llama-3-405b"])
def test_a_stage_is_drawn_up_to_all_layers_of_its_model(model):
    drawn = answer("boundary", model=model).tables["curve"]["layers"]
    assert (drawn[0], drawn[-1]) == (1, catalog.model(model).known("layers"))


def test_the_margin_is_that_of_the_times():
    found = answer("boundary", dispatch="2", system="hgx-h100", stages=7, batch=333)
    values = {name: value.number for name, value in found.values.items()}
    assert values["margin"] == pytest.approx(values["inside"] / values["hop"])
    assert values["margin"] == pytest.approx(2 * _visited_beside_its_own(384, 8, 8) * 61 / 7 / 9)


def test_cache_stays_and_weights_go():
    one, many = (answer("memory", stages=stages).values for stages in (1, 16))
    assert many["cache"].number == pytest.approx(one["cache"].number)
    assert many["weights"].number == pytest.approx(one["weights"].number / 16)
    assert number("memory", "cache", stages=4, flight="split") == pytest.approx(one["cache"].number / 4)
    assert "only one of 4 stages works at a time" in answer("memory", flight="one").finding
    assert "512 sequences at a time" in answer("memory", flight="split").finding
    assert answer("memory", flight="split", batch=1).finding.endswith("but only 1 of 4 stages works at a time")
    assert answer("memory", flight="split", batch=2).finding.endswith("but only 2 of 4 stages work at a time")


def test_what_does_not_fit_is_said():
    assert answer("memory", context="1M").notes[0] == "This does not fit: it takes 106× a chip's 85.5 GB."
    assert number("memory", "most", model="kimi-k2", system="hgx-h100", stages=1) == 0
    two = {"model": "kimi-k2", "system": "hgx-h100", "stages": 2, "context": 36_000}
    room = 81_559 * 2**20 - number("memory", "weights", **two)  # for caches of 61 x 576 B a token, over eight chips
    assert number("memory", "most", **two) == room // (36_000 * 61 * 576 / 8) == number("exercise", "k2_most") == 145
    assert answer("memory", context="1k", model="llama-3.2-1b").tables["limit"]["bytes"] == []
    assert answer("memory").tables["limit"]["bytes"] == [81_559 * 2**20]


@pytest.mark.parametrize("model", ["kimi-k2", "deepseek-v3", "llama-3-405b"])
@pytest.mark.parametrize("system", ["hgx-h100", "gb200-nvl72"])
def test_what_is_stored_is_what_a_step_reads(model, system):
    """One layout for times and for memory: all chips of one machine hold the bytes that the floor of a step reads."""
    machine, one = catalog.system(system), {"model": model, "system": system}
    held = number("memory", "one_weights", **one) * machine.chips
    many = 1 if catalog.model(model).dense else 1000  # all experts are awake, and reading takes longest
    read = number("latency", "alone", **one, batch=many, context=1) * machine.hbm_bandwidth
    assert held == pytest.approx(read, rel=1e-3) == catalog.model(model).weight_bytes("fp8")


def test_the_row_of_the_opening_needs_its_third_node_for_caches():
    fits = [not answer("memory", stages=stages).notes[0].startswith("This does not fit") for stages in (1, 2, 3, 4)]
    assert fits == [False, False, True, True]
    assert "Kimi K2" in answer("latency").finding + answer("setting").finding


def test_a_row_that_leaves_room_for_caches_decodes_more_than_two_that_only_hold_the_weights():
    """By the floor of a step: weights and the caches of a micro-batch over the bandwidth of a node, or arithmetic."""
    found = {name: value.number for name, value in answer("held").values.items()}
    node, each = catalog.system("hgx-h100"), 4096 * 61 * 576
    for nodes in (2, 4, 8):
        most = found[f"filled_most_{nodes}"]
        assert most == (node.hbm_bytes - 1e12 / nodes) // each
        assert found[f"filled_step_{nodes}"] == pytest.approx((1e12 + most * each) / node.hbm_bandwidth, rel=1e-3)
        hops = (nodes - 1) * (most * 7168 * 2 / (8 * 50e9) + 10e-6) + 10e-6
        assert found[f"filled_rate_{nodes}"] == pytest.approx(most / (found[f"filled_step_{nodes}"] + hops))
    first, then = (found[f"filled_rate_{2 * nodes}"] / found[f"filled_rate_{nodes}"] for nodes in (2, 4))
    assert first > 1.9
    assert then < 1.2
    for rate, most in (("k2_rate", 145), ("k2_rate_twice", 343)):
        asleep = 968 / 1000 * 384 / 376 * (376 / 384) ** most  # of all weights: routed experts that no token wakes
        step = ((1 - asleep) * 1e12 + most * 36_000 * 61 * 576) / node.hbm_bandwidth
        assert number("exercise", rate) == pytest.approx(most / step, rel=1e-3)


def test_four_nodes_divide_the_weights_of_one_and_leave_its_cache():
    assert number("held", "alone_weights") == 1e12 / 8
    assert number("held", "even") == number("memory", "cache", stages=1) == number("memory", "cache", stages=4)
    room = 8 * 85520809984 - number("held", "files")
    assert number("held", "bits_room") == room
    for nodes in (1, 2):
        most = number("held", f"bits_most_{nodes}")
        assert most == int((8 * 85520809984 - number("held", "files") / nodes) / (4096 * 35136))
        step = (number("held", "files") + most * 4096 * 35136) / 26.8e12
        assert number("held", f"bits_step_{nodes}") == pytest.approx(step, rel=0.005)
        hops = (nodes - 1) * (most * 7168 * 2 / (8 * 50e9) + 10e-6) + (nodes > 1) * 10e-6
        assert number("held", f"bits_rate_{nodes}") == pytest.approx(most / (step + hops), rel=1e-3)
    assert number("held", "bits_most_1") < number("worked", "batch")  # not the caches of the example
    assert number("held", "bits_step_1") < number("held", "filled_step_4") / 2
    assert number("held", "bits_rate_1") < number("held", "filled_rate_2")  # least of all ways


def test_two_nodes_hold_the_weights_and_four_hold_the_caches_too():
    found = {name: value.number for name, value in answer("held").values.items()}
    chip = number("exercise", "design_chip")
    weights = found["alone_weights"]
    assert weights / 2 < chip < weights
    assert found["two"] == weights / 2 + found["even"] > chip
    assert found["row"] == weights / 4 + found["even"] < chip


def test_with_memories_full_four_bits_as_published_are_soonest_alone_and_fp8_decodes_most_in_halves():
    found = {name: value.number for name, value in (answer("worked").values | answer("spread").values).items()}
    held = {name: value.number for name, value in answer("held").values.items()}
    full = held["filled_most_4"]
    assert held["bits_step_1"] < found["full_halves"] < held["bits_token_2"] < found["full_token"]
    assert found["full_token"] < held["filled_token_4"]
    rates = [held["bits_rate_1"], held["filled_rate_4"], found["full_once"], held["bits_rate_2"]]
    rates += [found["bits_rate"], found["full_halves_rate"]]
    assert rates == sorted(rates)
    assert found["full_halves_rate"] / held["bits_rate_2"] == pytest.approx(1.18, rel=0.01)  # FP8 wins in halves
    assert found["bits_most"] == int((8 * 85520809984 - held["files"] / 4) / (4096 * 35136))
    assert found["bits_rate"] == pytest.approx(found["bits_most"] / found["bits_token"])
    assert found["bits_read"] == pytest.approx(
        (held["files"] / 2 + found["bits_most"] * 4096 * 35136) / 26.8e12, rel=1e-3
    )
    assert found["bits_read"] < found["bits_sent"] < found["bits_token"]  # arithmetic takes longest
    assert held["filled_token_4"] == pytest.approx(held["filled_step_4"] + held["filled_hops_4"])
    assert held["bits_token_2"] == pytest.approx(held["bits_step_2"] + held["bits_hops_2"])
    assert found["full_token"] == pytest.approx(found["full_read"] + found["full_sent"])
    assert found["full_once"] == pytest.approx(full / found["full_token"])
    assert held["filled_token_4"] < 1.02 * found["full_token"]  # the row and spread layers are nearly even
    assert found["once"] < found["token"]  # not so at the smaller micro-batch of the example
    assert found["tokens"] * found["all_chips"] == 4 * 2048
    assert found["layers_once"] == pytest.approx(found["layers"] * found["layer_once"])
    assert found["crossing_once"] < found["saved"]


def _multiplied(tokens, weights=989.5e12):
    """Seconds on a node: active weights, and for 61 layers, 64 heads and 4,096 tokens 576 numbers of keys, 512 back."""
    return tokens / 8 * (2 * 32e9 / weights + 2 * 4096 * 61 * 64 * (576 + 512) / 989.5e12)


def test_h100_multiplies_four_bits_and_attention_in_bf16_and_only_in_halves_that_takes_longest():
    found = {name: value.number for name, value in answer("spread").values.items()}
    held = {name: value.number for name, value in answer("held").values.items()}
    assert found["bits_token"] == pytest.approx(_multiplied(found["bits_most"]), rel=0.005)
    assert found["full_work"] == pytest.approx(_multiplied(held["filled_most_4"], 1979e12), rel=0.005)
    assert found["full_work"] < found["full_read"] < min(found["full_halves"], held["filled_step_4"])
    for nodes in (1, 2):
        assert found[f"bits_work_{nodes}"] == pytest.approx(_multiplied(held[f"bits_most_{nodes}"]), rel=0.005)
        assert found[f"bits_work_{nodes}"] < held[f"bits_step_{nodes}"]


def test_copies_on_every_chip_narrow_the_lead_of_halves():
    """A node of a row has its share of the copies, a node of spread layers eight whole ones; both read what they hold.

    A copy is the part of the parameters that is no routed expert: 11.7 GB in FP8, 23.4 GB in BF16.
    """
    found = {name: value.number for name, value in answer("spread").values.items()}
    memory, each, bandwidth, once = 8 * 85520809984, 4096 * 35136, 26.8e12, 60 * 7168 * 3 / (8 * 50e9)
    copies = 3 * (1 - comb(288, 8) / comb(384, 8))
    tokens = {}
    bits = 594.2e9, 23.44e9
    ways = ("copied", 1026.4e9, 11.72e9, 4), ("bits_copied", *bits, 2), ("bits_row", *bits, 4)
    for name, files, copy, nodes in ways:
        longest = nodes * -(-61 // nodes) / 61  # 16 layers of four stages, 31 of two
        embedding, dense = copy / 11.72e9 * 163840 * 7168, copy / 11.72e9 * 3 * 7168 * 18432
        layer = (copy - 2 * embedding - dense) / 61  # 61 attentions, and 60 shared experts and routers
        row = (files - copy) / nodes + 8 * (embedding + dense + longest / nodes * 61 * layer)
        over = (files + 31 * copy) / 4
        most, fit = (memory - row) / each / longest, (memory - over) / each
        token = (memory + (nodes - 1) * row) / bandwidth + (nodes - 1) * (most * 7168 * 2 / 400e9 + 10e-6) + 10e-6
        token += most * INSIDE
        halves = (memory + over) / bandwidth
        assert fit * copies * once + 2 * 60 * 2 * 10e-6 < halves  # sending hides
        assert _multiplied(fit) < halves
        assert _multiplied(most) < token
        assert found[f"{name}_row"] == pytest.approx(most / token, rel=0.005)
        assert found[f"{name.split('_')[0]}_halves"] == pytest.approx(fit / halves, rel=0.005)
        assert found[f"{name.split('_')[0]}_fit"] == pytest.approx(fit, rel=0.005)
        tokens[name], tokens[f"{name}_halves"] = token, halves
        if name == "copied":
            alone = memory / bandwidth + fit * copies * once + 60 * 2 * 10e-6
            assert found["copied_once"] == pytest.approx(fit / alone, rel=0.005)
            assert found["copied_experts"] == pytest.approx(files - copy, rel=1e-3)
            assert found["copied_rest"] == pytest.approx(copy, rel=1e-3)
            quarter = found["copied_experts"] / 4  # a node's share as the text adds it up
            assert found["copied_held"] == pytest.approx(quarter + 8 * found["copied_rest"])
            attention, rest = 101_122_048, 7168 * (384 + 3 * 2048)  # of a layer; its router and shared expert
            copied = 16 * attention + 15 * rest + 7168 * (163840 + 3 * 18432)
            assert found["copied_row_held"] == pytest.approx(15 * 384 * 3 * 7168 * 2048 + 8 * copied, rel=1e-3)
    assert 0.84 * found["copied_once"] < found["copied_row"] < 0.87 * found["copied_once"]
    assert number("held", "filled_rate_4") < 1.02 * found["full_once"] < 1.04 * number("held", "filled_rate_4")
    lead = found["copied_halves"] / found["copied_row"]
    assert 1.2 < lead < found["full_halves_rate"] / number("held", "filled_rate_4")
    assert tokens["bits_copied"] < tokens["copied"]  # two nodes are sooner than four
    assert tokens["copied_halves"] < tokens["bits_copied"]  # and FP8 in halves than both
    assert found["copied_row"] < found["bits_copied_row"] < found["copied_halves"] < found["bits_halves"]


def test_for_very_few_sequences_the_row_is_sooner_too():
    """From the parameters of every token, the experts that so many wake, latencies and bytes of crossings."""
    few = 7
    experts = (1e12 - 32e9) / (1 - 8 / 384)

    def read(tokens):
        caches = tokens * 4096 * 35136
        return (1e12 - experts * (1 - 8 / 384) ** tokens + caches) / 26.8e12

    hops = 3 * (few * 7168 * 2 / 400e9 + 10e-6) + 10e-6
    sending = number("spread", "starts") + number("spread", "layers_once") * few / 2048
    assert read(few) + hops == pytest.approx(read(4 * few) / 4 + sending, rel=0.01)
    assert read(few / 2) < read(2 * few) / 4 + number("spread", "starts")


def test_four_bits_as_published_leave_no_room_beside_copies():
    assert number("held", "files") == pytest.approx(594e9, rel=0.001)  # the published size of K2 Thinking's files
    memory = 8 * catalog.chip("h100-sxm").hbm_bytes
    copied = Setting.published(
        "kimi-k2.5", "hgx-h100", published_precisions("kimi-k2.5", "bf16"), layout=Layout(data=8)
    )
    assert 8 * float(copied.chip_weight_bytes) > memory
    assert 8 * float(copied.chip_weight_bytes) - number("held", "files") > number("held", "bits_room")


def test_a_row_is_right_where_sending_takes_longer_than_reading_together_saves():
    """From the parts of the text: latency and hops of a round aside, sending grows with the micro-batch alone."""
    found = {name: value.number for name, value in (answer("worked").values | answer("spread").values).items()}
    latency, each = found["starts"], found["layers_once"] / 2048
    even = (found["saved"] - latency) / each
    assert found["saved"] == pytest.approx(number("uneven", "k2_floor") * 3 / 4)
    assert found["waking"] < number("worked", "batch") < number("held", "filled_most_4") < even
    arithmetic = 2048 * 2 * 32e9 / (8 * 1979e12)  # of the weights, which is said to take less than reading
    assert arithmetic < min(number("worked", "together") / 2, number("worked", "caches"))


def test_on_slow_links_even_a_row_of_unequal_stages_decodes_more_than_spread_layers_and_at_last_than_halves():
    """In the usual layout, with 16 of 61 layers in one stage: its slot is 16/61 of a step, and it must fit there."""
    found = {name: value.number for name, value in answer("spread").values.items()}
    memory, each, bandwidth, longest, starts = 8 * 85520809984, 4096 * 35136, 26.8e12, 64 / 61, found["starts"]
    row, over = 4 / longest * found["copied_row_held"], found["copied_held"]
    fit, few = (memory - over) // each, (memory - row * longest / 4) // (longest * each)
    assert fit == found["copied_fit"]
    copied = 3 * (1 - comb(288, 8) / comb(384, 8)) * 60 * fit * 7168 * 3

    def token(link):
        return longest * (row + few * each) / bandwidth + 3 * few * 7168 * 2 / link + 40e-6 + few * INSIDE

    assert few == found["copied_most"]
    assert found["copied_row"] == pytest.approx(few / token(400e9), rel=1e-3)
    for name, around in (
        ("slower", lambda link: memory / bandwidth + copied / link + starts),
        ("slower_halves", lambda link: copied / link + 2 * starts),
    ):
        link = found[name] * 400e9
        assert few / token(link) == pytest.approx(fit / around(link), rel=2e-3)
        assert few / token(0.9 * link) > fit / around(0.9 * link)
    assert copied / (found["hidden"] * 400e9) + 2 * starts == pytest.approx((memory + over) / bandwidth, rel=2e-3)
    assert found["slower_halves"] < found["hidden"] < found["slower"] < 1


def test_a_shorter_context_acts_as_slower_links_do_and_at_long_ones_halves_do_not_pay():
    found = {name: value.number for name, value in answer("spread").values.items()}
    memory, bandwidth, starts, longest = 8 * 85520809984, 26.8e12, found["starts"], 64 / 61
    row, over = 4 / longest * found["copied_row_held"], found["copied_held"]
    copies = 3 * (1 - comb(288, 8) / comb(384, 8)) * 60 * 7168 * 3 / 400e9

    def rates(context):
        few, fit = ((room / context / 35136) for room in (memory / longest - row / 4, memory - over))
        sent = copies * fit + starts
        token = longest * (row + few * context * 35136) / bandwidth + 3 * few * 7168 * 2 / 400e9 + 40e-6
        token += few * INSIDE
        alone, halves = memory / bandwidth + sent, max((memory + over) / bandwidth, sent + starts)
        return few / token, fit / alone, fit / halves

    assert rates(4096) == pytest.approx([found[f"copied_{way}"] for way in ("row", "once", "halves")], rel=2e-3)
    in_row, _, halves = rates(found["short"])
    assert in_row == pytest.approx(halves, rel=2e-3)
    assert rates(1024)[0] > 1.2 * rates(1024)[2]  # 139,000 tokens/s of a node against 111,000
    _, alone, halves = rates(found["long"])
    assert alone == pytest.approx(halves, rel=2e-3)
    for context in (8192, 16384, 36000):
        in_row, alone, halves = rates(context)
        assert in_row < halves < alone
    in_row, alone, _ = rates(found["short_once"])
    assert in_row == pytest.approx(alone, rel=2e-3)
    assert rates(36000) == pytest.approx((5190, 9160, 6910), rel=2e-3)
    assert found["copied_token"] / found["copied_halves_read"] < 3  # "these ways differ by less" than the bound errs


def test_with_equal_sequences_a_row_overtakes_halves_only_where_very_many_run():
    found = {name: value.number for name, value in answer("spread").values.items()}
    bandwidth, starts, longest = 26.8e12, found["starts"], 64 / 61
    copies = 3 * (1 - comb(288, 8) / comb(384, 8))

    def tokens(sequences, context, sent=copies):
        caches, link = sequences * context * 35136, sequences * 60 * sent * 7168 * 3 / 400e9
        row = (4 * found["copied_row_held"] + longest * caches) / bandwidth + 3 * sequences * 7168 * 2 / 400e9 + 40e-6
        row += sequences * INSIDE
        once = (found["copied_held"] + caches) / bandwidth + link + starts
        return row, once, max((2 * found["copied_held"] + caches) / bandwidth, link + 2 * starts)

    row, _, halves = tokens(found["crowd_from"], found["crowd_at"])
    assert row == pytest.approx(halves, rel=2e-3)
    assert tokens(found["crowd_from"] / 2, 500, 6)[0] < tokens(found["crowd_from"] / 2, 500, 6)[2]
    row, once, halves = tokens(found["crowd_once"], found["crowd_at"])
    assert row == pytest.approx(once, rel=2e-3)
    assert 1.2 * halves < row  # who has halves that hide their sending waits for more sequences
    for context in (1, 2300):  # of unhidden layers, whose rival fits there, the number holds at any context
        row, once, _ = tokens(found["crowd_once"], context)
        assert row == pytest.approx(once, rel=0.02)
    most = (8 * 85520809984 - found["copied_held"]) / 35136  # tokens of context that halves have room for
    assert found["crowd_once"] * 2300 < most
    for context in (2000, 2800, 4096):  # above the context at which full memories are even, halves win while they fit
        row, _, halves = tokens(most / context, context)
        assert halves < row
    for context in (500, 1024, 4096):
        row, once, halves = tokens(found["few"], context)
        assert once == pytest.approx(halves, rel=2e-3)
        assert 1.4 * halves < row
    row, once, halves = tokens(1024, 1024)
    assert once < halves < row / 1.6


def test_a_copy_for_each_expert_takes_most_of_the_lead_of_halves():
    found = {name: value.number for name, value in answer("spread").values.items()}
    sent = found["copied_fit"] * 60 * 6 * 7168 * 3 / 400e9 + 2 * found["starts"]
    assert sent > found["copied_halves_read"]
    assert found["apart_rate"] == pytest.approx(found["copied_fit"] / sent, rel=3e-3)
    assert 1 < found["apart_rate"] / found["copied_row"] < 1.2


def test_a_single_link_out_may_need_several_layers_in_a_stage():
    """512 tokens of 2,880 numbers of two bytes, at 50 GB/s, beside a layer's work; Mixtral's layers work far longer."""
    assert number("exercise", "oss_hop") == pytest.approx(512 * 2880 * 2 / 50e9)
    assert number("exercise", "oss_least") == -(-number("exercise", "oss_hop") // number("exercise", "oss_layer")) == 4
    assert number("exercise", "mixtral_least") == 1
    assert number("exercise", "oss_hop") / 72 < number("exercise", "oss_layer")


def test_on_racks_that_copy_more_than_the_experts_a_row_of_three_is_sooner_than_halves():
    """DeepSeek-V3, 654 GB of experts and 17.1 GB copied by each of 72 chips; with memories full, what is read twice."""

    def extra(experts, rest, chips, longest=21 / 61, machines=3):
        return (machines - 1) * longest * (experts + chips * rest), experts / machines + chips * rest

    row, halves = extra(654e9, 17.1e9, 72)
    assert row < halves
    row, halves = extra(1014.7e9, 11.72e9, 8)
    assert halves < row
    for chips in (8, 72):  # as the fold on the layout has it: halves read less if the experts outweigh the copies
        row, halves = extra(chips * 1.001e9, 1e9, chips, longest=1 / 3)
        assert halves < row


def test_with_memories_full_the_shorter_of_sending_and_reading_again_has_tokens_sooner():
    found = {name: value.number for name, value in answer("spread").values.items()}
    assert found["copied_again"] == pytest.approx(3 * found["copied_row_held"] / 26.8e12)
    read = found["full_read"] + found["copied_again"]
    assert found["copied_token"] == pytest.approx(found["copied_between"] + found["copied_inside"])
    assert found["copied_inside"] == pytest.approx(found["copied_most"] * INSIDE, rel=5e-3)
    hops = 3 * found["copied_most"] * 7168 * 2 / 400e9 + 40e-6
    assert found["copied_hops"] == pytest.approx(hops, rel=2e-3)
    assert found["copied_between"] == pytest.approx(read + hops, rel=1e-4)
    assert found["copied_between_row"] == pytest.approx(found["copied_most"] / found["copied_between"])
    assert found["copied_over"] == pytest.approx(found["full_read"] + found["copied_sent"], rel=1e-3)
    assert found["copied_sent"] < found["copied_again"]
    assert found["copied_over"] < found["copied_token"]
    assert found["copied_fit"] < found["copied_most"] < number("held", "filled_most_4")
    assert found["copied_row"] == pytest.approx(found["copied_most"] / found["copied_token"])
    for work, step in (  # "in all ways arithmetic hides behind reading"
        (_multiplied(found["copied_most"], 1979e12), read),
        (_multiplied(found["copied_fit"], 1979e12), found["full_read"]),
        (_multiplied(found["bits_copied_most"]), 0.99 * found["bits_copied_token"]),
        (_multiplied(found["bits_row_most"]), 0.99 * found["bits_row_token"]),
        (_multiplied(found["bits_fit"]), found["bits_halves_read"]),
    ):
        assert work < step
    assert found["bits_copied_token"] < found["copied_token"]  # two nodes in four bits beat the row of four
    assert found["copied_halves_read"] < found["bits_copied_token"]  # halves are sooner than a row of two, and of more


def test_a_node_of_eight_b200_holds_what_no_node_of_eight_h100_does():
    found = {name: value.number for name, value in answer("spread").values.items()}
    weights, copies = found["copied_experts"] + 8 * found["copied_rest"], found["copied_rest"]
    memory = {"h100-sxm": 8 * 85520809984, "b200": 8 * 192265846784}
    assert memory["h100-sxm"] < found["copied_experts"] + copies < weights < memory["b200"]


def test_by_reading_and_sending_alone_four_bits_in_halves_would_decode_more_than_fp8():
    found = {name: value.number for name, value in answer("spread").values.items()}
    bound = found["bits_most"] / max(found["bits_read"], found["bits_sent"])
    assert found["bits_rate"] < found["full_halves_rate"] < bound == pytest.approx(106_700, rel=0.005)


def test_the_exchange_inside_a_node_takes_longer_than_row_and_spread_layers_differ_by():
    inside = 3016 * INSIDE
    assert number("spread", "inside") == pytest.approx(inside, rel=0.01)
    assert inside > 5 * (number("held", "filled_token_4") - number("spread", "full_token"))


def test_what_crosses_inside_nodes_hides_behind_slow_links_in_spread_layers_alone():
    where = Scenario.named(*OPENING)
    spread = full_spread(where, where.setting)
    assert inside_seconds(where, spread.fit, 4) < spread.carried / 4
    assert full_row(where, where.setting, 4).inside == pytest.approx(number("spread", "copied_inside"))


def test_a_row_of_four_decodes_less_than_halves_in_four_bits_too():
    """A chip of the row copies a quarter of the weights that are kept in sixteen bits, one of spread layers all."""
    found = {name: value.number for name, value in answer("spread").values.items()}
    assert 0.88 < found["bits_row_row"] / found["bits_halves"] < 0.92
    assert found["bits_halves_read"] < 0.8 * found["bits_row_token"]
    assert found["copied_halves"] > 1.3 * found["copied_row"]
    over, halves = found["bits_row_row"] / found["copied_row"], found["bits_halves"] / found["copied_halves"]
    assert over > 1.35 > 1.1 > halves  # "the row gains most"
    for way, most, token in (
        ("copied", "bits_copied_most", "bits_copied_token"),
        ("row", "bits_row_most", "bits_row_token"),
        ("halves", "bits_fit", "bits_halves_read"),
    ):
        assert found[f"bits_{way}_busy"] == pytest.approx(_multiplied(found[most]) / found[token], rel=0.005)


def test_over_more_nodes_halves_pay_from_fewer_users():
    """From bytes: a node's share of experts and eight copies, read; and copies for each other node, sent."""
    for nodes, name in ((4, "few"), (8, "few_wide")):
        held = 1014.7e9 / nodes + 8 * 11.72e9
        out = (nodes - 1) * (1 - comb(384 - 384 // nodes, 8) / comb(384, 8))
        users = (held / 26.8e12 - 2 * 60 * 10e-6) / (60 * out * 7168 * 3 / 400e9)
        assert number("spread", name) == pytest.approx(users, rel=0.01)


def test_two_nodes_in_fp8_have_room_for_a_third_of_the_users_and_decode_less_than_half_as_much():
    where = Scenario.named(*OPENING)
    two, four = (full_row(where, where.setting, nodes) for nodes in (2, 4))
    assert two.most == pytest.approx(four.most / 3, rel=0.02)
    assert 0.4 < two.rate / four.rate < 0.45
    two, four = (full_row(where, published(where), nodes) for nodes in (2, 4))
    assert two.most == pytest.approx(four.most * 2 / 3, rel=0.04)  # and in four bits two thirds


def test_a_dozen_to_a_thousand_users_have_tokens_soonest_of_unhidden_layers():
    """Fewer wake few experts, so the row leads; from some thousand on sending takes too long unhidden."""
    where = Scenario.named(*OPENING)
    bits, spread = full_spread(where, published(where)), full_spread(where, where.setting)
    row = full_row(where, where.setting, 4)
    copied = (spread.held - where.weight_bytes / 4) / where.bandwidth  # beside each weight once
    copied_row = (4 * row.first - where.weight_bytes) / where.bandwidth
    for micro in (12, 100, 300, 900, 1300):
        once, halves = spread_step(where, micro, True) + copied, spread_step(where, micro, True, 2) + 2 * copied
        assert once < min(halves, in_a_row(where, micro, 4096, 4) + copied_row)
    even = (bits.held / where.bandwidth - bits.starts) / (bits.carried / bits.fit)
    assert 1250 < even < number("spread", "few") < 1350  # "about 1,300" in four bits, too
    assert in_a_row(where, 4, 4096, 4) < spread_step(where, 4, True)
    assert spread_step(where, 2000, True, 2) < spread_step(where, 2000, True)


def test_a_row_of_two_in_four_bits_is_below_the_floor_of_a_step_in_fp8():
    assert number("held", "bits_token_2") < number("uneven", "k2_floor")


def test_spread_layers_in_halves_are_never_later_than_the_row_that_fits():
    where = Scenario.named(*OPENING)
    for micro in (8, 32, 220, 1024, number("held", "filled_most_4")):  # from a few sequences on, and not below
        assert spread_step(where, micro, True, 2) < in_a_row(where, micro, 4096, 4)
    assert spread_step(where, 2, True, 2) > in_a_row(where, 2, 4096, 4)


def test_a_full_memory_is_read_once_by_spread_layers_and_the_weights_again_for_every_further_micro_batch():
    memory, quarter = number("uneven", "k2_memory") / 26.8e12, number("uneven", "k2_floor") / 4
    for found, readings in (
        (number("spread", "full_read"), 1),
        (number("spread", "full_halves"), 2),
        (number("held", "filled_step_4"), 4),
        (number("held", "bits_step_1"), 1),
    ):
        assert found == pytest.approx(memory + (readings - 1) * quarter, rel=1e-3)
    assert number("spread", "saved") == pytest.approx(3 * quarter)
    assert number("held", "bits_step_2") == pytest.approx(memory + number("held", "files") / 2 / 26.8e12, rel=1e-3)
    assert number("spread", "full_halves_sent") < number("spread", "full_halves")


def test_over_two_nodes_halves_take_as_long_as_the_row():
    where, stored = Scenario.named(*OPENING), number("held", "files")
    for micro in (64, 512, 2048, number("held", "bits_most_2")):
        row = in_a_row(where, micro, 4096, 2, stored=stored)
        assert spread_step(where, micro, True, 2, 2, stored) == pytest.approx(row, rel=0.005)


def test_the_users_of_one_machine_in_four_micro_batches_have_a_token_sooner_and_fewer_of_them():
    """So that no token comes sooner in a row holds at the same micro-batch alone."""
    found = {name: value.number for name, value in answer("worked").values.items()}
    step = (1e12 + 512 * 4096 * 35136) / 26.8e12
    hops = 3 * (512 * 7168 * 2 / (8 * 50e9) + 10e-6) + 10e-6
    assert found["fewer_token"] == pytest.approx(step + hops, rel=1e-3)
    assert found["fewer_token"] < found["step"] < found["token"]
    assert found["fewer_rate"] == pytest.approx(512 / found["fewer_token"])
    assert found["rate"] == pytest.approx(2048 / found["token"])
    assert found["fewer_rate"] < found["rate"] / 3


def test_the_row_does_not_fit_with_a_cache_in_two_bytes():
    wide = number("held", "alone_weights") / 4 + 2 * number("held", "even")
    assert number("held", "row_wide") == wide > catalog.chip("h100-sxm").hbm_bytes


def test_a_latent_cache_sliced_by_heads_is_whole_on_every_chip():
    assert number("held", "even") == number("memory", "cache")
    assert number("held", "whole") == 2048 * 4096 * 61 * 576
    assert number("held", "whole") > catalog.chip("gb200").hbm_bytes > catalog.chip("h100-sxm").hbm_bytes


def test_the_micro_batch_of_the_dense_example_fits_its_row():
    dense = {"model": "llama-3-405b", "batch": number("worked", "dense_batch"), "stages": 4}
    assert not answer("memory", **dense).notes[0].startswith("This does not fit")
    assert answer("memory", **dense | {"batch": 2048}).notes[0].startswith("This does not fit")
    assert 2 * number("worked", "dense_hop") < number("worked", "dense_layer")


def test_copies_are_stored_beside_the_weights():
    once, node, rack = (number("held", key) for key in ("once", "stored_node", "stored"))
    assert once < node < rack
    assert 1.9 < rack / once < 2  # stages free nearly twice as much
    assert number("held", "copied") == pytest.approx(rack / 72 * 3 / 4)
    limit, each = catalog.chip("gb200").hbm_bytes * 72, 1e5 * 61 * 576
    one, four = (limit - rack) / each, (limit - rack / 4) / each
    assert number("held", "copied_more") == pytest.approx(four / one - 1)
    assert (rack - node) / (72 - 8) == pytest.approx((node - once) / 7, rel=0.15)  # a copy for each further chip


def test_a_chip_just_full_or_just_too_small_is_not_said_to_be_filled_exactly():
    most = int(number("memory", "most"))
    assert "this fills more than 99.9% of it" in answer("memory", batch=most).notes[0]
    assert answer("memory", batch=most + 1).notes[0].startswith("This does not fit: it takes more than a chip's")


def test_a_pipeline_is_later_by_its_hops_and_a_domain_is_sooner():
    values = {name: value.number for name, value in answer("latency", stages=4).values.items()}
    assert values["token"] == pytest.approx(values["alone"] + 3 * values["hop"] + 10e-6)  # ids alone come back
    assert values["domain"] == pytest.approx((37.31e-3 + 4 * 10.998e-3) / 4, rel=0.005)
    assert values["hop"] == pytest.approx(2048 * 7168 * 2 / (8 * 50e9) + 10e-6)
    later = number("latency", "slower", latency=1e6 * values["limit"] - 73.4)
    assert later == pytest.approx(0.1, rel=1e-3)
    assert "has no hops" in answer("latency", stages=1).finding
    slow = {"model": "llama-3.2-1b", "system": "rubin-nvl72", "links": "one", "batch": 4096, "context": 1}
    many = answer("latency", **slow, stages=16)
    readout = many.values["slower"]
    assert (readout.label, readout.unit) == ("The row's time, over one machine's", "x")
    assert f"{readout.text} the time of one machine" in many.finding
    assert answer("latency").values["slower"].unit == "%"
    assert "keeps the time of a token" in answer("latency").finding
    small = {"model": "gpt-oss-120b", "system": "gb200-nvl72", "stages": 16}
    assert "169 µs, 18.8× the time of one machine" in answer("latency", **small, batch=1).finding
    none = [answer("latency", **given).values["limit"].text for given in ({"stages": 1}, small | {"links": "one"})]
    assert none == ["none", "none"]
    assert "25.3% later than one machine" in answer("latency", latency=3000).finding


def test_the_larger_machine_of_the_text_reads_weights_once_and_caches_as_long():
    found = {name: value.number for name, value in answer("worked").values.items()}
    floor = number("uneven", "k2_floor")
    assert found["step"] == pytest.approx(floor + found["caches"])
    assert found["together"] == pytest.approx(floor / 4 + found["caches"])
    assert found["together"] == number("latency", "domain")
    assert found["all_chips"] == 4 * 8


def test_layers_spread_over_slow_links_are_later_than_the_row_with_a_copy_for_each_expert():
    found = {name: value.number for name, value in (answer("worked").values | answer("spread").values).items()}
    floor, starts = number("uneven", "k2_floor"), 2 * 60 * 10e-6
    sent = 60 * 256 * 7168 * (1 + 2) / 50e9  # layers, tokens of a chip, numbers, bytes there and back
    nodes = 3 * (1 - comb(288, 8) / comb(384, 8))
    assert found["crossing_once"] == pytest.approx(sent * nodes + starts, rel=0.005)
    assert found["crossing_once"] == pytest.approx(found["layers"] * found["layer_once"] + found["starts"])
    assert found["layer_once"] == pytest.approx(found["tokens"] * found["copies_once"] * found["bytes"] / 50e9)
    assert found["copies_once"] == pytest.approx(nodes, rel=0.005)
    assert found["crossing_once"] == pytest.approx(sent * found["copies_once"] + found["starts"])
    apart = found["together"] + sent * 8 * 3 / 4 + starts
    assert found["once"] < found["token"] < apart
    full = number("held", "filled_most_4")
    grown = full / 2048
    sending = sent * found["copies_once"] * grown + found["starts"]
    assert found["full_once"] == pytest.approx(full / (floor / 4 + found["caches"] * grown + sending), rel=1e-3)


def test_a_small_micro_batch_wakes_fewer_experts_and_its_step_lies_below_the_floor():
    found = {name: value.number for name, value in answer("worked").values.items()}
    floor, shown = number("uneven", "k2_floor"), {"model": "kimi-k2", "system": "hgx-h100"}
    assert found["small_share"] == pytest.approx(1 - (376 / 384) ** found["small"])
    assert found["small_step"] == number("latency", "alone", **shown, batch=found["small"]) < floor
    assert number("latency", "alone", **shown, batch=1, context=1) == pytest.approx(32e9 / 26.8e12, rel=1e-3)
    assert (376 / 384) ** found["waking"] <= 0.01 < (376 / 384) ** (found["waking"] - 1)


@pytest.mark.parametrize("batch", [1, 16, 64, 256, 2048])
def test_one_larger_machine_wakes_what_all_its_micro_batches_wake(batch):
    """Tokens of different micro-batches wake different experts, so reading together saves little where they are few."""
    found = answer("latency", model="kimi-k2", system="hgx-h100", batch=batch, context=1).values
    row, one = found["alone"].number, found["domain"].number
    assert one / row == pytest.approx(
        (0.0113 + 0.9887 * (1 - (376 / 384) ** (4 * batch))) / (0.0113 + 0.9887 * (1 - (376 / 384) ** batch)) / 4,
        rel=0.01,
    )


def test_pieces_of_a_prompt_that_are_shorter_than_the_reading_make_it_later():
    found = {name: value.number for name, value in answer("worked").values.items()}
    floor = number("uneven", "k2_floor")
    assert found["read_in_many"] == pytest.approx(floor * 67 / 4, rel=1e-9)  # before hops, as the page says
    assert found["read_in_row"] == pytest.approx(found["read_alone"] * 19 / 64, rel=1e-9)
    assert found["read_in_many"] > found["read_in_row"]
    assert found["most_pieces"] * floor <= found["read_alone"] < (found["most_pieces"] + 1) * floor
    assert found["piece"] == pytest.approx(1e5 * floor / found["read_alone"])


def test_a_row_within_five_times_its_bound_would_beat_the_spread_layers_that_were_measured():
    found = {name: value.number for name, value in answer("spread").values.items()}
    assert found["wide"] == pytest.approx(12 * 8 * 480 / 288_000)
    assert found["wide_row"] == pytest.approx((1e12 + 3840 * 2000 * 61 * 576) / (8 * 4.8e12), rel=2e-3)
    assert found["wide_over"] == pytest.approx(found["wide"] / found["wide_row"])
    assert found["lone_four"] == 2 * found["lone_two"]


def test_a_larger_machine_is_no_quicker_where_arithmetic_takes_longest():
    dense = answer("latency", model="llama-3-405b")
    assert dense.values["domain"].number == pytest.approx(dense.values["alone"].number)
    assert "would be no quicker" in dense.finding
    assert dense.tables["joined"]["said"] == [] == answer("latency", stages=1).tables["joined"]["said"]
    assert answer("latency").tables["joined"]["said"] == [answer("latency").values["domain"].text]
    assert answer("latency").tables["here"]["said"] == [f"row: {answer('latency').values['token'].text}"]


def test_a_domain_without_a_way_out_has_its_other_symbols():
    assert number("setting", "chips", system="tpu-v4-pod") == 4096


def test_the_worked_examples_are_those_of_the_ledger():
    """Figures recomputed by hand for the ledger: each to the digits that it gives."""
    expected = {
        ("held", "weights_1"): 1e12 / 72,
        ("held", "weights_8"): 1.736e9,
        ("held", "cache"): 117.1e9,
        ("held", "saved"): 10.42e9,
        ("held", "saved_share"): 0.0524,
        ("held", "share_1"): 0.894,
        ("held", "share_4"): 0.971,
        ("blackboard", "margin"): 2.0,
        ("blackboard", "slow"): 0.032,
        ("blackboard", "waits"): 0.75,
        ("worked", "hop_bytes"): 29.36e6,
        ("worked", "sending"): 73.4e-6,  # 2,048 x 7,168 x 2 B over 8 x 50 GB/s
        ("training", "llama_per_copy"): 131_072,
        ("worked", "wanted"): 4.0215,
        ("worked", "full"): 1.25 * 48.31e-3,
        ("worked", "read_in_row"): 1.1745 * 19 / 64,
        ("worked", "hop_one"): 587.2e-6,
        ("training", "p4_m8"): 0.273,
    }
    for (slug, value), known in expected.items():
        assert number(slug, value) == pytest.approx(known, rel=0.005), (slug, value)


@pytest.mark.parametrize("stages", [1, 2, 4, 7, 16])
def test_users_get_no_more_tokens_than_stages_make(stages):
    """By Little's law sequences on their way are a token's time times the rate; a stage takes t / P for each batch."""
    values = {name: value.number for name, value in answer("latency", stages=stages, links="one").values.items()}
    for token, rate, many in (("token", "rate", stages), ("full", "full_rate", values["fill"])):
        assert values[rate] * values[token] == pytest.approx(2048 * many)
        assert values[rate] <= stages * 2048 / values["alone"] * (1 + 1e-9)
    assert values["full"] >= values["token"] * (1 - 1e-9)
    assert values["full_rate"] >= values["rate"] * (1 - 1e-9)


def test_a_full_line_breaks_the_promise_of_the_exercise_and_one_batch_each_keeps_it():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert (values["hop_full"], values["hop_kept"]) == pytest.approx((37.5e-3, 33e-3))
    assert values["hop_wanted"] == pytest.approx(4.4)
    assert values["hop_idle"] == pytest.approx(1 - 30 / 33)


def test_the_stages_of_llama_divide_with_embedding_and_output():
    assert number("uneven", "llama_each") == 8
    first = 15 * 384 * 3 * 7168 * 2048 + 16 * 101_122_048 + 7168 * (163840 + 3 * 18432 + 15 * (384 + 3 * 2048))
    caches = 2048 * 4096 * 35136
    longest = 4 * (first + 16 / 61 * caches) / (number("uneven", "k2_counted") + caches)
    assert number("uneven", "later") == pytest.approx(longest - 1, abs=1e-4)
    assert number("uneven", "k2_counted") == pytest.approx(60 * 384 * 3 * 7168 * 2048 + 11.72e9, rel=1e-4)
    assert number("uneven", "k2_floor") < number("uneven", "k2_floor_counted")
    assert number("uneven", "later") > number("latency", "slower")  # of all hops
    assert number("uneven", "day_domains") == catalog.deployment("deepseek-day-6").decode_nodes


@pytest.mark.parametrize("slots", [(1.0, 1.0, 1.0, 2.0), (1.0, 1.0, 1.0, 1.0), (3.0, 1.0, 2.0)])
def test_stages_wait_for_the_longest_micro_batch(slots):
    """Played: on each stage micro-batches come in the order in which they leave the one before, and none overtakes."""
    stages, rounds = len(slots), 40
    free, ready = [0.0] * stages, [0.0] * len(slots)
    done = []
    for _ in range(rounds):
        for stage in range(stages):
            for micro, slot in enumerate(slots):
                start = max(free[stage], ready[micro])
                free[stage] = ready[micro] = start + slot
        done.append(ready[0])
    period = (done[-1] - done[rounds // 2]) / (rounds - 1 - rounds // 2)
    assert period == pytest.approx(stages * max(slots))
    assert waits_of_unequal(slots) == pytest.approx(1 - sum(slots) / period)
    assert number("uneven", "unequal") == 3 / 8


def test_the_exercises_close():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert bubbles.bubble_share("1f1b", values["stages"], values["enough"]) <= values["wanted"]
    assert bubbles.bubble_share("1f1b", values["stages"], values["enough"] - 1) > values["wanted"]
    assert values["k2_nodes"] * values["k2_memory"] >= values["k2_weights"]
    assert values["k2_most"] < values["k2_most_twice"] < values["k2_limit"]
    assert values["split_full"] * values["split_chips"] == pytest.approx(2048 * 4096 * 35_136)
    assert values["design_held"] <= values["design_chip"]
    assert values["design_held_sliced"] <= values["design_chip"]
    assert values["design_sliced"] < values["design_token"]
    assert values["design_half"] + values["design_sums"] * values["design_sum_most"] == pytest.approx(
        values["design_token"]
    )
    assert values["design_sum"] < values["design_sum_most"]
    assert values["design_sliced_most_rate"] < values["design_most_rate"]


def test_numbers_as_the_exercises_print_them_give_the_answers():
    """By hand, from three digits; at 35,000 tokens 684 GB gave 352 sequences on four nodes, and the answer said 353."""
    values = answer("exercise").values
    assert values["k2_memory"].text == "684 GB"
    each = 35_136 * values["k2_context"].number
    for name, nodes in (("k2_most", 2), ("k2_most_twice", 4), ("k2_limit", inf)):
        assert values[name].number == (684e9 - 1e12 / nodes) // each
    given = {"design_chip": "85.5 GB", "design_weights": "810 GB", "design_each": "516 kB", "design_twice": "8.46 GB"}
    assert {name: values[name].text for name in given} == given
    kept = 11_700 * 516e3 / 8  # of a sequence, on a chip of its stage or of the slices
    assert values["design_most"].number == 2 * ((85.5e9 - 810e9 / 16) // kept)
    assert values["design_sliced_most"].number == (85.5e9 - (810e9 + 8.46e9) / 16) // kept


def test_slices_on_more_chips_than_heads_keep_every_head_more_than_once():
    """Eight key-value heads over 16 chips: each chip keeps one whole head, an eighth of the cache and not a 16th."""
    values = {name: value.number for name, value in answer("exercise").values.items()}
    tokens = values["design_both"] * values["design_context"]
    assert values["design_copies"] == 16 / values["design_heads"] == 2
    assert values["design_cache_sliced"] == pytest.approx(tokens * values["design_each"] / 8)
    assert values["design_cache"] == pytest.approx(tokens * values["design_each"] / 16)
    assert values["design_sliced_most"] < values["design_most"]
    width, layers, numbers = values["design_width"], values["design_layers"], values["design_each"] / 2
    assert values["design_twice"] == pytest.approx(width * numbers * 2)  # a column for each number kept, in two bytes
    weights = (values["design_weights"] + values["design_twice"]) / 16
    assert values["design_held_sliced"] == pytest.approx(weights + values["design_cache_sliced"])
    assert values["design_sums"] == 2 * layers


def test_the_divided_batch_of_exercise_four_loses_what_it_says():
    where = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8")
    read = where.weight_bytes / where.system.hbm_bandwidth
    each = 4096 * where.kv_bytes_per_token / where.system.hbm_bandwidth
    full, part = 4 * 2048 / (read + 2048 * each), 2048 / (read + 512 * each)
    assert number("exercise", "split_loss") == pytest.approx(1 - part / full)


def test_one_domain_with_all_micro_batches_is_a_rack_with_that_batch():
    row, rack = answer("latency", batch=2048, stages=4), answer("latency", batch=8192, stages=1)
    assert row.values["domain"].number == pytest.approx(rack.values["alone"].number / 4)
    assert row.values["domain"].number < row.values["alone"].number


def test_sharding_counts_a_node_as_a_copy():
    found = {name: value.number for name, value in answer("training").values.items()}
    backward, gathered = 4 * found["fsdp_chip"] / 989e12, 2 * 2 / (8 * 50e9)  # of a parameter: on a chip, on a link
    assert backward == pytest.approx(gathered)
    assert found["llama_node"] == 8 * 16 * 8192 / 128 == 8 * found["llama_tokens"] / found["llama_chips"]
    assert found["fsdp_least"] == pytest.approx(8 * found["fsdp_chip"])


def test_chunks_of_llama_leave_their_sums_a_window():
    """Played out: a stage is done with the gradients of a chunk before it goes back through the next."""
    found = {name: value.number for name, value in answer("training").values.items()}
    chunks = int(number("uneven", "llama_each"))
    many = {"stages": int(found["llama_deep"]), "micro_batches": int(found["llama_sequences"]), "chunks": chunks}
    back = [task for task in schedules.timetable("interleaved", **many).tasks if task.kind == "B" and task.stage == 0]
    ends = [max(task.end for task in back if task.chunk == chunk) for chunk in range(chunks)]
    last = min(task.start for task in back if task.chunk == 0)
    assert sum(end <= last for end in ends) / chunks == found["window"]
    assert found["llama_length"] < found["fsdp_least"] < found["llama_per_copy"]


def test_at_the_rate_of_llamas_steps_links_take_as_long_as_arithmetic():
    """19,780 tokens wanted and 8,192 there, at 41 % of the rate; its makers' table has 400 of 989 TFLOP/s."""
    found = {name: value.number for name, value in answer("training").values.items()}
    assert found["fsdp_reached"] / found["llama_node"] == pytest.approx(0.99, rel=0.005)
    assert found["fsdp_reached"] == pytest.approx(19_780 * 0.41)
    assert found["fsdp_reached"] < found["llama_node"] < found["fsdp_least"]
    gathered, summed = 2 * 2, 4  # bytes of a weight, forwards and backwards, and of a gradient; in (8) two and two
    assert found["fsdp_wide"] == pytest.approx(found["fsdp_reached"] * (gathered / 2 + summed) / (2 + 2))
    assert found["fsdp_wide"] > found["llama_node"]  # so links take longer
    assert 2 * 405e9 > 85520809984  # a chip has no room to keep what it gathered
    assert found["llama_node"] / 8 * 16_384 == found["llama_tokens"]
    assert found["reported_rate"] == pytest.approx(400 / 989, abs=0.01)
    assert found["reported_low"] < found["reported_rate"] < found["reported_high"] == pytest.approx(430 / 989, abs=0.01)


def test_rows_lie_where_the_model_puts_them():
    """A row of two is neutral for a lone sequence; slices over so many chips gain no more than their number."""
    found = {name: value.number for name, value in answer("rows").values.items()}
    assert found["two"] / found["one"] == pytest.approx(1, abs=0.05)
    assert 1 < found["sooner"] <= found["bound"] == found["chips"]


def test_a_layer_outlasts_even_the_widest_hop_that_is_known():
    """The lecture: nine widths of a token still cross within the work of one layer, by 10.8 / 9."""
    values = registry.find("pipelining/worked").answer().values
    assert values["layer_over"].number == pytest.approx(values["layer"].number / values["sending"].number)
    assert values["layer_over_all"].number == pytest.approx(values["layer_over"].number / 9)
    assert values["layer_over_all"].number > 1


@pytest.mark.parametrize("stages", [2, 4, 6])
@pytest.mark.parametrize("chunks", [2, 3])
def test_fewer_micro_batches_than_stages_leave_an_interleaved_row_gaps_between_chunks(stages, chunks):
    """Played: all forward passes chunk by chunk, then all backward ones; a lone micro-batch is on one stage."""
    assert (
        waiting_share("interleaved", stages, 1, chunks)
        == (stages - 1) / stages
        == number("bubble", "one", stages=stages)
    )
    seconds = {"F": 1 / chunks, "B": 2 / chunks}
    for many in range(1, stages + 1):
        turns = [(micro, chunk) for chunk in range(chunks) for micro in range(many)]
        jobs = [("F", *turn) for turn in turns] + [("B", micro, chunks - 1 - chunk) for micro, chunk in turns]
        played = schedules.Timetable(stages, tuple(schedules._played([jobs] * stages, chunks, seconds, 0)))
        assert waiting_share("interleaved", stages, many, chunks) == pytest.approx(played.idle_share)


def test_descriptions_hold_for_one_stage_and_one_micro_batch():
    assert "With 1,024:" in answer("bubble", micro=1024).description
    assert "waits of 1 stage in a training step" in answer("bubble", stages=1).description
    assert "4 stages and 1 micro-batch, for 3 tokens" in answer("decode", micro=1).description
    assert "a micro-batch of 1 sequence rises" in answer("boundary", batch=1).description


def test_the_drawn_round_counts_the_way_back_as_a_hop_and_says_so():
    assert number("decode", "token", hop=0.1) == pytest.approx(1 + 4 * 0.1)
    assert any("the way back takes a hop" in said for said in registry.find("pipelining/decode").assumptions)


def test_a_micro_batch_alone_has_the_room_of_all_stages():
    full = answer("memory").values["most"]
    assert full.text == f"{number('held', 'filled_most_4'):,.0f} sequences"
    alone = number("memory", "most", flight="one")
    each = 4096 * 61 * 576 / 8 / 4  # bytes of a sequence on a chip, with a quarter of the layers
    assert (
        number("memory", "weights") + alone * each <= 81_559 * 2**20 < number("memory", "weights") + (alone + 1) * each
    )
    assert answer("memory", flight="one", stages=2).finding.endswith("only one of 2 stages works at a time")


def test_where_a_hop_outlasts_a_slot_no_number_of_micro_batches_keeps_all_busy():
    slow = answer("latency", system="gb200-nvl72", links="one")
    values = {name: value.number for name, value in slow.values.items()}
    assert values["bytes"] > values["alone"] / 4
    assert values["fill"] * values["alone"] / 4 < values["full"] == pytest.approx(values["fill"] * values["bytes"])
    assert values["fill"] * values["bytes"] >= values["token"] > (values["fill"] - 1) * values["bytes"]
    assert slow.values["fill"].label == "Micro-batches that keep its links busy"
    assert "any number of micro-batches" in slow.notes[0]
    assert answer("latency").notes == answer("latency", system="gb200-nvl72", links="one", stages=1).notes == []
    assert number("latency", "bytes") == pytest.approx(number("boundary", "hop"))


def test_a_row_with_a_longer_stage_decodes_about_a_tenth_less_than_one_of_equal_stages():
    """The longer stage has least room for caches, and every slot waits for it."""
    uneven = {name: number("uneven", name) for name in ("longest", "layers", "k2", "k2_memory")}
    part = uneven["longest"] / uneven["layers"]
    cache = 4096 * number("worked", "each")
    fit = (uneven["k2_memory"] - part * uneven["k2"]) / (4 * part * cache)
    step = 4 * part * (uneven["k2"] + fit * cache) / number("worked", "bandwidth")
    rate = fit / (step + number("held", "filled_hops_4"))
    assert rate == pytest.approx(0.9 * number("held", "filled_rate_4"), rel=0.02)
