from __future__ import annotations

import itertools
import json
import math
import time

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry, slips
from calc.figure.answering import respond
from calc.quantities.units import show
from calc.reversible import activation_memory, feistel, memory_budget
from calc.reversible.figures.budget_words import BEYOND
from calc.reversible.figures.cipher import HALF_BITS, KINDS
from calc.reversible.figures.shared import DEPTHS, NAMES
from tests.calc.figure import asking

answer, number = asking.of("reversible")
DRAWN = [figure for figure in registry.of_chapter("reversible").values() if figure.chart]


@pytest.mark.parametrize("figure", DRAWN, ids=lambda figure: figure.slug)
def test_every_corner_of_the_inputs_is_answered(figure):
    names = [given.name for given in figure.inputs]
    for corner in itertools.product(*(asking.ends(given)[:4] for given in figure.inputs)):
        found = json.loads(
            respond(json.dumps({"figure": figure.name, "inputs": dict(zip(names, corner, strict=True))}))
        )
        assert "errors" not in found, found
        assert "null" not in json.dumps(found["tables"])
        assert "nan" not in found["finding"]


@pytest.mark.parametrize("figure", DRAWN, ids=lambda figure: figure.slug)
def test_a_figure_that_has_answered_answers_within_a_frame(figure):
    figure.answer()
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        figure.answer()
        taken.append(time.perf_counter() - start)
    assert min(taken) < 0.05


@pytest.mark.parametrize("sbox", ["present", "lossy"])
@pytest.mark.parametrize(("message", "bit", "seed"), [(2026, 0, 1), (2**32 - 1, 63, 5), (0, 31, 1000)])
def test_the_cipher_shows_its_own_rounds(message, bit, seed, sbox):
    found = answer("cipher", message=message, bit=bit, seed=seed, rounds=12, sbox=sbox)
    table = feistel.SBOX if sbox == "present" else feistel.LOSSY
    keys = feistel.round_keys(seed, 12)
    blocks = (message, message ^ (1 << bit))
    twins = [feistel.halves(block >> 32, block & 0xFFFFFFFF, keys, table) for block in blocks]
    flips = [
        sum(int(one ^ other).bit_count() for one, other in zip(*pair, strict=True)) for pair in zip(*twins, strict=True)
    ]
    assert found.tables["rounds"]["flipped"].tolist() == flips
    assert flips[0] == 1
    assert found.values["back"].number == message
    left, right = found.tables["rounds"]["block"][-1].split()
    assert [int(half) for half in feistel.decrypt(int(left, 16), int(right, 16), keys, table)] == [0, message]
    assert found.finding.endswith("cannot be undone") == (sbox == "lossy")


@pytest.mark.parametrize("sbox", ["present", "lossy"])
@pytest.mark.parametrize(("left", "right", "key"), [(6, 9, 5), (0, 0, 0), (15, 15, 15), (3, 12, 10)])
def test_a_round_is_the_ciphers_own_and_comes_back(left, right, key, sbox):
    """The lowest nibble of the large cipher, rotated back by the 11 bits that the small one leaves out."""
    found = answer("round", left=left, right=right, key=key, sbox=sbox)
    values = {name: value.number for name, value in found.values.items()}
    table = feistel.SBOX if sbox == "present" else feistel.LOSSY
    whole = int(feistel.substitute(right, key, table))
    assert values["branch"] == (whole >> feistel.ROTATION) & 15
    assert (values["code_left"], values["code_right"]) == (right, left ^ int(values["branch"]))
    assert (values["back_left"], values["back_right"]) == (left, right)
    said = found.tables["names"]["name"]
    assert {f"⊕ key {key:04b}", "S-box", f"x ⊕ f(y) = {int(values['code_right']):04b}"} <= set(said)
    assert said[0] == f"left half, x = {left:04b}"
    drawn = found.tables["bits"]["one"]
    assert int("".join(map(str, drawn[:8])), 2) == int("".join(map(str, drawn[-8:])), 2) == 16 * left + right
    assert found.finding.endswith("to y") == (sbox == "lossy")


LLAMA_RECORD = 2 * (6 * 8192 + 2 * 8 * 128 + 4 * 28672)  # bytes of a token in one of its layers
LLAMA_LAYER = 2 * 8192 * 8192 + 2 * 8192 * 1024 + 3 * 8192 * 28672  # weights of a layer of Llama 3 70B


def test_the_lossy_table_gives_two_halves_one_branch():
    one, other = (answer("round", right=right, sbox="lossy").values for right in (9, 4))
    assert one["branch"].number == other["branch"].number
    assert one["back_right"].number != other["back_right"].number


@pytest.mark.parametrize("kind", KINDS)
def test_the_marks_cover_as_many_bits_as_there_are(kind):
    found = answer("cipher", rounds=6)
    table = found.tables["marks"]
    kept = table["kind"] == kind
    wide = np.round(table["x2"] - table["x"] + 0.12)[kept].astype(int)
    rows = np.round((table["y"] + table["y2"]) / 2)[kept].astype(int)
    drawn = np.bincount(rows, weights=wide, minlength=7)
    blocks = [int(code.replace(" ", ""), 16).bit_count() for code in found.tables["rounds"]["block"]]
    assert drawn.tolist() == (blocks if kind == KINDS[0] else found.tables["rounds"]["flipped"].tolist())
    assert not ((table["x"] < HALF_BITS) & (table["x2"] > HALF_BITS)).any()


def test_no_round_leaves_the_message_as_it_is():
    found = answer("cipher", rounds=0)
    assert found.finding.startswith("After 0 rounds one flipped bit has become 1 of 64")
    assert answer("cipher", rounds=1).finding.startswith("After 1 round one")


@pytest.mark.parametrize("bit", [0, 40])
def test_the_trail_begins_at_the_best_of_one_box_a_round_later_from_the_left(bit):
    found = answer("trail", bit=bit)
    first = "one" if bit < HALF_BITS else "two"
    assert found.values[first].number == pytest.approx(found.values["best"].number, abs=0.03)
    assert found.values["best"].number == 0.25
    lost = int(found.finding.rpartition("from round ")[2].split()[0])
    share = found.tables["curve"]["share"]
    assert share[lost] <= found.values["chance"].number < share[lost - 1]


@pytest.mark.parametrize(("inputs", "low", "high"), [
    ({"depth": 16}, 1e-8, 1e-5),
    ({"depth": 512, "strength": "2.5"}, 0.1, 10),
    ({"depth": 512, "strength": "2.5", "step": "short"}, 1e-8, 1e-5),
    ({"depth": 512, "strength": "2.5", "format": "float64"}, 1e-12, 1e-6),
])  # fmt: skip
def test_the_way_back_is_as_good_as_format_and_steps_allow(inputs, low, high):
    found = answer("mirror", **inputs)
    assert low < found.values["error"].number < high
    assert ("somewhere else" in found.finding) == ("nothing is left" in found.description) == (high == 10)
    there, back, apart = (np.array(found.tables["both"][way]) for way in ("there", "back", "error"))
    assert there[-1] == back[-1]
    assert found.values["first"].number == there[0]
    assert apart[0] == found.values["error"].number
    assert apart[-1] == 0
    assert list(found.tables["apart"]["error"]) == apart[apart > 0].tolist()


def test_a_start_that_is_a_fifth_off_is_not_called_lost():
    found = answer("mirror", format="bfloat16")
    assert 0.1 < found.values["error"].number < 1
    assert "misses its start" in found.finding
    assert "ends near the numbers themselves" in found.description


def test_checkpoints_at_every_layer_are_described_in_the_singular():
    assert "checkpoints every 1 layer peak at 17" in answer("held", every=1).description


def test_a_short_way_back_ends_below_a_spacing_and_is_not_said_to_rise_to_it():
    found = answer("mirror", depth=2)
    assert found.values["error"].number < found.tables["rounding"]["error"][0]
    assert "rises" not in found.description


def test_rounding_is_a_matter_of_steps():
    full, short = (answer("rounding", step=step).values for step in ("full", "short"))
    assert full["grown"].number > 100 > 20 > short["grown"].number
    curve = answer("rounding").tables["curve"]
    assert curve["layers"] == list(DEPTHS)
    assert all(one > 1e6 * other for one, other in zip(curve["float32"], curve["float64"], strict=True))


def test_a_cipher_makes_strangers_and_a_network_does_not():
    found = answer("differences")
    assert found.values["cipher"].number == pytest.approx(1, abs=0.05)
    assert "stays recognisable" in found.finding
    short = number("differences", "gain", step="short")
    assert 0.8 < short < 1.3 < found.values["gain"].number


@pytest.mark.parametrize("every", [1, 3, 4, 24])
def test_what_is_held_is_what_the_formula_says(every):
    found, undone = answer("held", rounds=20, every=every), activation_memory.reverse(20, activation_memory.UNDONE)
    plans = (activation_memory.store(20), activation_memory.checkpoint(20, every), undone)
    for way, plan in zip(NAMES, plans, strict=True):
        assert found.values[way].number == plan.states + plan.records
        drawn = [
            s
            for s, name in zip(*(found.tables["curve"][key] for key in ("states", "way")), strict=True)
            if name == NAMES[way]
        ]
        assert max(drawn) == plan.states + plan.records
    peaks = dict(zip(found.tables["peaks"]["way"], found.tables["peaks"]["states"], strict=True))
    assert peaks == {name: found.values[way].number for way, name in NAMES.items()}
    assert found.finding.endswith("running backwards 5")
    assert found.values["overhead"].number == plans[2].overhead() == pytest.approx(4 / 3)
    assert found.tables["turn"]["work"] == [20]  # one unit a layer, and the way back begins


@pytest.mark.parametrize(("form", "states"), [("mixed", 4), ("bfloat16", 2), ("float32", 2), ("float64", 2)])
def test_a_reversible_state_is_drawn_at_its_bytes_over_those_of_an_ordinary_one(form, states):
    """Two halves of full width: in the format that layers compute with two ordinary states, in twice its bytes four."""
    found = answer("held", format=form)
    assert found.values["reverse"].number == states + 1
    held = [s for s, name in zip(found.tables["curve"]["states"], found.tables["curve"]["way"], strict=True)
            if name == NAMES["reverse"]]  # fmt: skip
    assert set(held) == {0, states, states + 1}


def test_gradients_agree_bit_for_bit_or_to_rounding():
    single, double = answer("held", format="float32").values, answer("held", format="float64").values
    assert single["apart_checkpoint"].number == double["apart_checkpoint"].number == 0
    assert 0 < double["apart_reverse"].number < 1e-12 < single["apart_reverse"].number < 1e-5


@pytest.mark.parametrize("rounds", [2, 16, 24])
def test_running_backwards_in_32_bits_moves_gradients_by_less_than_a_millionth(rounds):
    assert 0 < answer("held", rounds=rounds, format="float32").values["apart_reverse"].number < 1e-6


@pytest.mark.parametrize(("way", "words"), [
    ("checkpoint", "do not differ in a single bit"),
    ("reverse", " × 10⁻⁸ at most"),
])  # fmt: skip
def test_training_learns_the_same(way, words):
    found = answer("training", way=way)
    assert words in found.finding
    assert found.values["last"].number < found.values["first"].number / 2
    assert found.values["apart"].number < 1e-5
    assert found.values["peak"].number < found.values["stored"].number
    assert max(found.tables["apart"]["size"], default=0) == found.values["apart"].number
    assert found.tables["names"]["name"][1] == ("Difference" if way == "reverse" else "No difference")


def test_memory_is_that_of_the_formula():
    model, tokens = catalog.model("llama-3-70b"), 131_072
    record, state = LLAMA_RECORD * tokens, 2 * tokens * model.d_model
    assert number("worked", "store") == model.layers * record
    assert number("worked", "checkpoint") == model.layers / 2 * state + 2 * record
    assert number("worked", "reverse") == 4 * state + record


def test_checkpoints_at_the_best_stretch_come_to_grow_with_the_root_of_the_depth():
    deep = np.geomspace(100, 1000, 40).round()
    best = activation_memory.whole_interval(deep, 1.0, 20.25)
    kept = np.asarray(activation_memory.checkpoint(deep, best).bytes(1.0, 20.25))
    assert np.polyfit(np.log(deep), np.log(kept), 1)[0] == pytest.approx(0.5, abs=0.05)


def test_the_worked_examples_are_what_the_lecture_says_of_them():
    network, gradient = (asking.standing(f"reversible/{slug}").values for slug in ("network", "gradient"))
    assert number("facts", "settled") == pytest.approx(8, abs=1)
    assert number("facts", "flip_1") == pytest.approx(3.5, abs=0.07)
    assert gradient["undone_short"].number < gradient["alone_short"].number < 0.01
    assert 0.01 < gradient["undone_full"].number < gradient["alone_full"].number
    for step in ("short", "full"):  # with states in 16 bits, more than f in 16 bits costs
        assert gradient[f"narrow_undone_{step}"].number > 2 * gradient[f"alone_{step}"].number
    assert gradient["narrow_undone_short"].number > 5 * gradient["undone_short"].number
    assert network["wider_short"].number == pytest.approx(network["wide_short"].number, rel=0.3)
    assert 5 * network["wider_short"].number < network["coarse"].number < network["wide_full"].number
    assert 10 * network["sixteen_short"].number < 1 < network["sixteen_full"].number
    assert number("worked", "part") == pytest.approx(131_072 * 2 * (2 * 8192 + 4 * 28672))
    assert number("worked", "ratio") == LLAMA_RECORD / (2 * 8192) == 20.25
    assert number("worked", "gated") == 40.5 == 2 + 10.5 + 28  # as the lecture adds it up
    assert 2 * (5 + 2 * 8 * 128 / 8192) == 10.5
    assert 2 * 4 * 3.5 == 28 == 2 * 4 * 28_672 / 8192
    assert LLAMA_LAYER == 12.75 * 8192**2
    assert 40 < number("worked", "store") / H100_BYTES < 41  # “more than forty chips”
    assert number("worked", "checkpoint") / number("worked", "store") == pytest.approx(1 / 20, rel=0.02)
    assert 2 < number("worked", "checkpoint") / H100_BYTES < 2.1
    assert 40 * number("worked", "state") / number("worked", "checkpoint") == pytest.approx(0.5, abs=0.01)  # “half”
    assert math.sqrt(2 * 80) == pytest.approx(13, rel=0.03)  # “about the root of 2 R”, for nearly two passes more
    assert 1.8 < activation_memory.nested(80).evaluations / 80 - 1 < 2
    assert network["gain_short"].number < 1.3 < network["gain_full"].number
    assert network["foreseen_short"].number == pytest.approx(network["gain_short"].number, rel=0.1)
    assert network["foreseen_full"].number == pytest.approx(network["gain_full"].number, rel=0.3)
    assert network["foreseen_constant"].number > 10 * network["gain_full"].number
    assert 25 < network["even"].number < 40
    assert 2 * network["gain_full"].number < (9 / 8) ** 32  # “after 64 a quarter promises 43”
    assert number("worked", "overhead") == pytest.approx(4 / 3)
    assert number("worked", "overhead_equal") == 1.5
    assert number("worked", "stopped") == pytest.approx((3 + 1 - 8192 * 28672 / LLAMA_LAYER) / 3)
    assert number("worked", "reverse") < number("worked", "checkpoint") < number("worked", "store")
    assert number("worked", "divided") == 126 * 38.25 * 8192 * 16_384 / (8 * 16)
    assert number("cache", "saved") > 1000


def test_the_two_levels_of_checkpoints_that_the_lecture_adds_up():
    assert activation_memory.nested(80) == activation_memory.Plan(80, 13, 1, 3 * 80 - 9)
    rows = [number("worked", name) for name in ("crowded_model", "crowded_layer", "record", "peak_made")]
    assert rows[0] == pytest.approx(16 * number("worked", "params") * 1e9 / 256)
    assert number("worked", "crowded_fixed") == pytest.approx(sum(rows))
    assert int((number("worked", "chip_memory") - number("worked", "crowded_fixed")) / number("worked", "state")) == 8
    found = answer("budget").values
    for plan, states in (("offloaded", 2), ("reversed", 4 + 2), ("nested", 13)):
        assert found[plan].number == pytest.approx(sum(rows) + states * number("worked", "state"))
    assert 131_072 / 3 < found["most_recomputed"].number < 131_072 / 2  # three chips divide the sequence
    state = number("worked", "state")
    for plan, way, gradients in (("stored", "store", 8), ("recomputed", "checkpoint", 7), ("reversed", "reverse", 9)):
        assert found[plan].number == pytest.approx(sum(rows[:2]) + number("worked", way) + gradients * state)


BACK = {  # kernels in the order of the way back: what each reads, what it makes, what is then free
    "alone": (
        ({"p"}, {"dp"}, {"p"}),  # the last product with weights
        ({"s", "u", "dp"}, {"ds", "du"}, {"s", "u", "dp"}),  # gate's function times the other branch
        ({"g", "ds"}, {"dg"}, {"g", "ds"}),  # the gate's function
        ({"dg", "du"}, set(), {"dg", "du"}),
    ),
    "fused": (
        ({"p"}, {"dp"}, {"p"}),
        ({"g", "u", "dp"}, {"dg", "du"}, {"g", "u", "dp"}),
        ({"dg", "du"}, set(), {"dg", "du"}),
    ),
}
RECORD = {"alone": {"g", "s", "u", "p"}, "fused": {"g", "u", "p"}}  # gate, its function, other branch, product


def arrays_at_the_peak(kernels: str) -> int:
    there, most = set(RECORD[kernels]), 0
    for reads, makes, frees in BACK[kernels]:
        assert reads <= there
        there |= makes
        most = max(most, len(there))
        there -= frees
    assert not there
    return most


def test_gradients_at_the_peak_are_those_of_the_way_back_step_by_step():
    """States: what is recorded before the feed-forward part takes 6.25, an array of that part 3.5."""
    found, state = answer("budget").values, number("worked", "state")
    fixed = number("worked", "crowded_fixed") - number("worked", "record") - 7 * state
    peak = {plan: value.number for plan, value in found.items()}
    fused = {plan: number("worked", f"fused_{plan}") for plan in ("nested", "offloaded", "reversed")}
    for kernels, held in (("alone", peak), ("fused", fused)):
        layer = 6.25 + 3.5 * arrays_at_the_peak(kernels)
        for plan, states in (("nested", 13), ("offloaded", 2)):
            count = states - 1 + 1 + layer  # the layer's input is in its record, and a gradient travels
            assert held[plan] == pytest.approx(fixed + count * state)
        undone = 4 + 2 + layer  # state and gradient
        assert held["reversed"] == pytest.approx(fixed + undone * state)
    assert answer("budget").tables["plans"]["gradients"] == pytest.approx([7 * state] * 5)
    assert peak["reversed"] - peak["offloaded"] == pytest.approx(4 * state)


def test_in_16_bits_backwards_needs_about_three_states_and_the_part_s_record_has_32_bytes():
    """One half of a state (the other is in the record) and two of its gradient; 32 bits and a copy take three more."""
    state, fixed = number("worked", "state"), number("worked", "crowded_fixed")
    assert round((fixed + 3 * state) / 1e9) == 75
    assert answer("budget").values["reversed"].number == pytest.approx(fixed + (4 + 2) * state)
    assert fixed + 6 * state < H100_BYTES < fixed + (4 + 4 + 1) * state < 1.03 * H100_BYTES
    assert number("worked", "part") == pytest.approx(32 * 131_072 * 8192)
    other = number("worked", "record") - number("worked", "part")  # the part that is not there if parts are apart
    assert [round((fixed - other + states * state) / 1e9) for states in (3, 2)] == [66, 63]  # backwards, offloaded
    assert 0.3 * answer("budget").values["offloaded"].number > H100_BYTES - answer("budget").values["offloaded"].number


def test_taken_alike_offloading_needs_four_states_less_and_else_not_in_every_architecture():
    """A record of 34 bytes, in parts of 13 and 21, leaves whole layers no lead; a smaller part of 7 does."""
    state, part, record = (number("worked", name) for name in ("state", "part", "record"))
    found = answer("budget").values
    offloaded, apart = found["offloaded"].number, number("worked", "peak_parts")
    assert round((apart - (offloaded - record + part)) / 1e9) == 9
    assert apart - offloaded == pytest.approx((6 - 2) * state - (record - part))
    assert [(6 - 2) * 2 - smaller > 0 for smaller in (7, 8.5, 13)] == [True, False, False]


def test_parts_of_a_layer_undone_apart_take_about_as_much_as_offloading_whole_ones():
    """The feed-forward part's input, its norm and six arrays are there, and six states' bytes besides."""
    state, found = number("worked", "state"), answer("budget").values
    fixed = number("worked", "crowded_layer") + 16 * number("worked", "params") * 1e9 / 256
    apart = number("worked", "peak_parts")
    assert number("worked", "part") == pytest.approx((2 + 4 * 3.5) * state)
    assert apart == pytest.approx(fixed + (6 + 2 + 6 * 3.5) * state)
    assert apart == pytest.approx(found["offloaded"].number, rel=0.01)
    assert apart < found["reversed"].number < H100_BYTES
    both = fixed + (20.25 + 7 + 2 + 1) * state  # an input and an output of attention arrive, one gradient is handed on
    assert number("worked", "peak_kept") == pytest.approx(both) == pytest.approx(found["offloaded"].number + state)
    assert round((H100_BYTES - found["offloaded"].number) / 1e9) == 13
    in_32_bits = 2 * number("worked", "params") * (1 / 256 + 1 / 80)  # of weights' gradients, GB more
    assert in_32_bits == pytest.approx(2.3, abs=0.05)


def test_with_the_feed_forward_part_in_pieces_all_three_fit():
    """Nothing of that part is recorded; gradients of its output and input are there as its pieces come back."""
    fixed = number("worked", "crowded_fixed") - number("worked", "record") - number("worked", "peak_made")
    pieces, state = number("worked", "pieces"), number("worked", "state")
    assert pieces == 6.25 * state
    counts = {"nested": 13 - 1 + 2, "offloaded": 2 - 1 + 2, "reversed": 4 + 2 + 1}
    for plan, states in counts.items():
        assert number("worked", f"pieces_{plan}") == pytest.approx(fixed + states * state + pieces)
    held = [80 // every + every * 6.25 for every in range(1, 81)]
    assert min(held) == held[3 - 1]  # stretches of three
    assert number("worked", "pieces_recomputed") == pytest.approx(fixed + (26 - 1 + 2) * state + 3 * pieces)


def test_with_less_at_once_the_order_stays_and_all_but_one_plan_fit_with_the_spread_of_measured_runs():
    found, state = answer("budget").values, number("worked", "state")
    most = registry.find("world/training-memory").answer().values["most"].number
    plans = ("offloaded", "reversed", "nested", "recomputed")
    fixed = number("worked", "crowded_fixed") - number("worked", "record") - number("worked", "peak_made")
    pieces = [number("worked", f"pieces_{plan}") for plan in plans]
    four = number("worked", "four_recomputed")
    assert four == pytest.approx(fixed + (found["recomputed"].number - fixed) / 4)
    assert pieces == sorted(pieces)
    assert most * max(*pieces[:3], four) < H100_BYTES < pieces[3]
    assert pieces[1] - pieces[0] == pytest.approx(4 * state)


def test_with_gradients_two_plans_fit_whatever_the_kernels():
    plans, found = ("offloaded", "reversed", "nested"), answer("budget")
    peak = {plan: found.values[plan].number for plan in plans}
    fused = {plan: number("worked", f"fused_{plan}") for plan in plans}
    assert peak["offloaded"] < peak["reversed"] < H100_BYTES < peak["nested"]
    assert fused["offloaded"] < fused["reversed"] < H100_BYTES < fused["nested"]
    assert number("worked", "four_recomputed") < H100_BYTES < found.values["recomputed"].number / 2
    assert found.finding.startswith("By the sum alone, ")
    assert found.finding.endswith(
        "take 72.5 GB offloaded, 81.1 GB run backwards with states in 32 bits; a chip has 85.5 GB"
    )


def test_a_second_pass_costs_less_than_a_third_where_attention_is_long():
    share = 131_072 / (12.75 * 8192 + 131_072)
    assert number("worked", "attention") == pytest.approx(share)
    assert number("worked", "attention_kept") == pytest.approx((1 + (1 - share) + 2) / 3)
    back = 2 * (1 - share) + 2.5 * share  # attention's way back makes five products, its way forward two
    assert 1.3 < (2 + back) / (1 + back) < 4 / 3


def test_a_step_of_the_example_takes_about_seven_minutes_at_two_fifths():
    forward = 2 * 8192 * (12.75 * 8192 + 131_072) * 80 * 131_072
    assert 4 * forward / (0.4 * 989e12) / 60 == pytest.approx(7, abs=0.25)


def test_a_difference_followed_by_hand_grows_more_than_its_formula_says():
    left = right = 1.0
    for _ in range(64):
        left, right = right, left + right / 4
    assert round(math.sqrt((left + right) / 2)) == 54
    assert round((9 / 8) ** 32) == 43


def test_a_divided_sequence_and_a_feed_forward_part_in_pieces_make_room():
    fixed = number("worked", "crowded_fixed") - number("worked", "record") - number("worked", "peak_made")
    kept = number("worked", "checkpoint") + number("worked", "peak_made")
    assert number("worked", "four_recomputed") == pytest.approx(fixed + kept / 4)
    assert number("worked", "pieces") == 131_072 * 8192 * (40.5 - 28)
    three, two = (fixed + kept / chips for chips in (3, 2))
    assert three < H100_BYTES < two  # so three chips are the least


@pytest.mark.parametrize(("form", "bits"), [("bfloat16", 16), ("mixed", 32), ("float32", 32), ("float64", 64)])
def test_the_mirror_names_the_format_of_its_states(form, bits):
    assert answer("mirror", format=form).tables["rounding"]["label"] == [f"spacing of {bits}-bit numbers near 1"]


def test_the_exercise_by_hand_comes_back():
    values = {name: value.number for name, value in answer("exercise").values.items()}
    assert (values["two_y"] - values["two_x"] ** 2, values["two_x"]) == (values["one_x"], values["one_y"])
    assert (values["one_y"] - values["one_x"] ** 2, values["one_x"]) == (values["x"], values["y"])
    assert values["active"] == 32
    counts = (("store", 80 * 40.5 + 2), ("checkpoint", 40 * 2 + 2 * 40.5), ("offload", 44.5), ("reverse", 52.5))
    for way, each in counts:
        assert values[f"budget_{way}"] <= values["budget"] / 8192 / each < values[f"budget_{way}"] + 100
        assert answer("exercise").values[f"budget_{way}"].text == f"{values[f'budget_{way}']:,.0f} tokens"
    assert values["budget_store"] < 8192 < values["budget_checkpoint"]
    assert values["budget_checkpoint"] < values["budget_reverse"] < values["budget_offload"]


@pytest.mark.parametrize(
    ("key", "answered", "word"),
    [
        ("budget_checkpoint", 40e9 / 16_384 / (38 + 2 + 20.25), "each of its layers"),
        ("budget_offload", 40e9 / 16_384 / (1 + 20.25), "hands on"),
        ("budget_reverse", 40e9 / 16_384 / (4 + 20.25), "hands on"),
        ("large_store", 126 * 4096 * 16_384 * 2, "whole record"),
        ("large_reverse", 4096 * 16_384 * (2 * 2 + 38.25), "four ordinary"),
        ("large_best", 2, "holds more"),
        ("days_equal", 60, "not the whole step"),
        ("thin_needed", 989e12 / (12 * 512), "Attention"),
        ("thin_full", 989e12 / 64e9 / 12, "Attention"),
        ("thin_enough", 0.4 * 989e12 / 64e9 / 12, "Attention"),
        ("active", 64, "2 bits"),
    ],
)
def test_an_exercise_names_the_likely_mistake(key, answered, word):
    value = answer("exercise").values[key]
    times = answered / value.number
    explained = [slip for slip in value.slips if abs(math.log(times / slip.factor)) < slips.reach(slip.factor) / 2]
    assert [word in slip.sentence for slip in explained] == [True]
    assert explained[0] in slips.likely(value.number, value.unit, value.slips)


H100_BYTES = 81_559 * 2**20
BUDGET = {"trained": "llama-3-70b", "system": "hgx-h100", "tokens": 8192, "sequence": 4096, "replicas": 256}


def test_the_budget_is_that_of_the_plans_and_the_last_but_one_takes_least():
    found = answer("budget", **BUDGET)
    model = catalog.model("llama-3-70b")
    state = 8192 * 2 * model.d_model
    rest = (16 / 256 + 6 / model.layers) * model.total_params
    held = dict(zip(memory_budget.PLANS, found.tables["plans"]["total"], strict=True))
    assert held["reversed"] == found.values["reversed"].number
    assert held["offloaded"] == found.values["offloaded"].number
    assert held["stored"] == pytest.approx(rest + (model.layers * 20.25 + 8) * state)
    assert held["recomputed"] == pytest.approx(rest + (40 + 40.5 + 7) * state)
    assert held["nested"] == pytest.approx(rest + (13 + 20.25 + 7) * state)
    assert held["offloaded"] == pytest.approx(rest + (2 + 20.25 + 7) * state)
    assert held["reversed"] == pytest.approx(rest + (4 + 20.25 + 9) * state)
    assert found.values["host"].number == model.layers * state
    assert held["stored"] > held["recomputed"] > held["nested"] > held["reversed"] > held["offloaded"]
    assert found.values["logits"].number == 14 * 8192 * 128_256


@pytest.mark.parametrize(("loss", "each"), [("pieces", 0), ("compiled", 8), ("whole", 14)])
def test_logits_come_on_top_of_every_plan_and_take_tokens_from_all(loss, each):
    without, found = (answer("budget", **BUDGET | {"loss": way}) for way in ("pieces", loss))
    logits = each * 8192 * 128_256
    assert found.tables["plans"]["logits"] == [logits] * len(memory_budget.PLANS)
    for more, less in zip(found.tables["plans"]["total"], without.tables["plans"]["total"], strict=True):
        assert more == pytest.approx(less + logits)
    room = answer("budget", **BUDGET | {"loss": loss, "tokens": int(found.values["most_reversed"].number)})
    assert room.values["reversed"].number == pytest.approx(H100_BYTES, rel=1e-4)


def test_the_most_tokens_of_a_plan_just_fill_the_memory():
    most = answer("budget", **BUDGET).values["most_reversed"].number
    found = answer("budget", **BUDGET | {"tokens": int(most)})
    assert found.values["reversed"].number == pytest.approx(H100_BYTES, rel=1e-4)
    least = registry.find("world/training-memory").answer().values["least"].number
    assert 1 / least < BEYOND  # so no run whose sum is so large was measured to fit
    for times in (1.8, 3.0):
        title = answer("budget", **BUDGET | {"tokens": int(times * most)}).finding
        assert title.endswith("run backwards with states in 32 bits, too much for a chip's 85.5 GB")
    for times in (1.0, 1.01, 1.3):  # a title gives no verdict on a margin smaller than the sum's error
        title = answer("budget", **BUDGET | {"tokens": int(times * most)}).finding
        assert "run backwards with states in 32 bits; a chip has 85.5 GB" in title
        assert " fit " not in title


def test_recomputing_alone_is_enough_up_to_its_best_stretch():
    model = catalog.model("llama-3-70b")
    most = answer("budget", **BUDGET).values["most_recomputed"].number
    rest = (16 / 256 + 6 / model.layers) * model.total_params
    assert rest + most * 8192 * (model.layers / 2 * 2 + 2 * 40.5 + 14) == pytest.approx(H100_BYTES)
    below, above = (answer("budget", **BUDGET | {"tokens": int(times * most)}) for times in (0.99, 1.01))
    assert below.finding.endswith("with records recomputed, on one level")
    assert above.finding.endswith("run backwards with states in 32 bits; a chip has 85.5 GB")


@pytest.mark.parametrize(
    ("link", "ending"),
    [
        (2, "fit in 85.5 GB with records recomputed, on one level"),
        (0.5, "fit in 85.5 GB with records recomputed, on one level"),  # nothing need be sent
    ],
)
def test_the_link_is_nothing_to_a_chip_that_has_room_for_one_level(link, ending):
    model, flops = catalog.model("llama-3-70b"), catalog.chip("h100-sxm").flops("bf16")
    needed = flops / (LLAMA_LAYER / model.d_model + 4096)
    for busy in (100, 40):
        found = answer("budget", **BUDGET | {"busy": busy, "link": link * busy / 100 * needed / 1e9})
        assert found.values["needed"].number == pytest.approx(busy / 100 * needed)
        assert found.values["needed_full"].number == pytest.approx(needed)
        assert found.values["margin"].number == pytest.approx(link)
        assert found.finding.endswith(ending)


@pytest.mark.parametrize("tokens", [120_000, 131_072])
def test_a_link_too_slow_to_offload_is_named_where_a_chip_has_room_to(tokens):
    found = answer("budget", tokens=tokens, sequence=tokens, link=1.0)
    slow = show(found.values["needed"].number / 1e9, "x", 2)
    assert found.finding.endswith(f"a chip has 85.5 GB; the host's link is {slow} too slow to offload all states")
    assert "too slow" not in answer("budget", tokens=tokens, sequence=tokens).finding
    nearly = found.values["needed"].number / 1e9 * 0.99
    assert "is a little too slow" in answer("budget", tokens=tokens, sequence=tokens, link=nearly).finding


def test_the_full_rate_is_said_once():
    assert "at the full rate" in answer("budget").notes[0]
    assert "at the full rate" not in answer("budget", busy=100).notes[0]


def test_the_lecture_quotes_the_budget_as_it_begins():
    figure = registry.find("reversible/budget")
    quoted = asking.standing("reversible/ours").values
    assert {name: value.text for name, value in quoted.items()} == {
        name: figure.answer().values[name].text for name in quoted
    }
    assert not registry.find("reversible/ours").inputs


def test_a_bar_that_is_cut_short_says_how_much_of_it_is_records():
    labels = answer("budget").tables["ends"]["label"]
    assert labels[0] == "3.51 TB, 3.48 TB of it records →"
    assert [label.endswith(" of it records →") for label in labels] == [True, True, False, False, False]


def test_every_bar_is_drawn_as_far_as_it_goes_and_paler_beyond_the_memory():
    found = answer("budget", **BUDGET)
    parts = found.tables["parts"]
    for plan, total in zip(found.tables["plans"]["plan"], found.tables["plans"]["total"], strict=True):
        mine = [place for place, name in enumerate(parts["plan"]) if name == plan]
        drawn = sum(parts["to"][place] - parts["from"][place] for place in mine)
        assert drawn == pytest.approx(min(total, 2 * H100_BYTES))
        assert all((parts["shade"][place] == 1) == (parts["to"][place] <= H100_BYTES) for place in mine)


def test_at_rates_in_use_sequences_are_long_enough_in_the_ratio_of_the_shares():
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    assert found["narrow_free"] == catalog.chip("h100-sxm").flops("bf16") / 64e9
    assert found["free_delivered"] == pytest.approx(found["narrow_free"] * found["busy"] / found["delivered"])
    assert found["delivered"] == pytest.approx(0.8, abs=0.03)  # “about four fifths”
    assert found["free_delivered"] - found["sequence"] < 12 * 200  # narrower networks alone lag in short sequences


def test_what_the_lecture_says_of_the_crowded_chip_is_of_the_budgets_own_setting():
    worked, figure = asking.standing("reversible/worked").values, registry.find("reversible/budget")
    found = figure.answer().values
    assert worked["tokens"].number == figure.defaults()["tokens"]
    assert worked["host_shared"].number == worked["host_chips"].number * found["host"].number
    assert found["logits"].number == 14 * 131_072 * 128_256 > H100_BYTES
    assert found["needed_records"].number == pytest.approx(20.25 * found["needed"].number)
    ours = registry.find("world/chip").answer().values["host_down"].number
    lower, higher = sorted((worked["link_delivered"].number, ours))
    assert found["needed_records"].number < lower == worked["link_delivered"].number
    assert higher < 1.05 * lower  # “close together”
    full = 20.25 * found["needed_full"].number
    assert round(full / 1e9) == 85
    assert full > worked["link"].number > lower  # “more than PCIe 5.0 can”
    short = figure.answer(sequence=worked["sequence"].number)
    assert short.values["needed_full"].number * worked["busy"].number == pytest.approx(worked["short_needed"].number)
    assert found["records"].number == 20.25 * found["host"].number


def test_two_levels_of_checkpoints_take_half_of_the_best_stretch():
    found = registry.find("reversible/budget").answer().values
    model, state = catalog.model("llama-3-70b"), 131072 * 2 * 8192
    fixed = (16 / 256 + 6 / model.layers) * model.total_params
    assert found["nested"].number == pytest.approx(fixed + (13 + 20.25 + 7) * state)
    assert found["nested_work"].number == pytest.approx((3 * 80 - 9 + 160) / (80 + 160))
    assert found["offloaded"].number < H100_BYTES < found["nested"].number < found["recomputed"].number / 2


def test_several_sequences_need_not_be_on_a_chip_at_once():
    one, short = (registry.find("reversible/budget").answer(**given) for given in ({}, {"sequence": 8192}))
    assert len(one.notes) == 1
    alone = registry.find("reversible/budget").answer(tokens=8192).tables["plans"]["total"][1]
    assert short.notes[1].startswith("A chip holds 16 sequences here.")
    uneven = registry.find("reversible/budget").answer(tokens=20_000, sequence=8192)
    assert uneven.notes[1].startswith("A chip holds about 2 sequences here.")
    assert show(alone, "B") in short.notes[1]
    assert len(registry.find("reversible/budget").answer(tokens=10**7, sequence=10**6).notes) == 1


def test_offloading_asks_for_what_the_models_own_layers_take():
    model, flops = catalog.model("llama-3-70b"), catalog.chip("h100-sxm").flops("bf16")
    of_state = 2 * model.d_model * model.layers  # bytes of a token in all layers
    work = 2 * 80 * LLAMA_LAYER + of_state * 131_072  # of a token, attention's in the second part
    needed = answer("budget").values["needed"].number
    assert needed == pytest.approx(0.4 * flops * of_state / work)
    assert needed / (0.4 * 1e15 / (12 * 8000 + 128_000)) == pytest.approx(0.94, abs=0.02)  # by hand, in round numbers


def test_the_bars_tell_states_from_gradients_as_the_table_of_the_lecture_does():
    """A kept state that is a record's input too counts as the gradient handed on."""
    plans, state = answer("budget").tables["plans"], number("worked", "state")
    rows = zip(plans["plan"], plans["states"], plans["handed"], strict=True)
    found = {plan: (round(states / state, 9), round(made / state, 9)) for plan, states, made in rows}
    assert list(found.values()) == [(0, 1), (39, 1), (12, 1), (1, 1), (4, 2)]


@pytest.mark.parametrize("rounds", [2, 16, 24])
def test_a_late_peak_is_named_to_its_left(rounds):
    peaks = answer("held", rounds=rounds).tables["peaks"]
    assert dict(zip(peaks["way"], peaks["side"], strict=True))[NAMES["reverse"]] == "right"


@pytest.mark.parametrize("inputs", [{}, {"link": 3}, {"sequence": 8192, "width": 4096}, {"link": 1, "width": 1024}])
def test_a_link_keeps_pace_if_a_state_leaves_in_the_time_of_its_layer(inputs):
    """Products and causal attention of one layer, counted one by one at the rate of an H100."""
    found = answer("sending", **inputs)
    given = registry.find("reversible/sending").defaults() | inputs
    width, tokens, link = given["width"], given["sequence"], 1e9 * given["link"]
    layer = tokens * (2 * 12 * width**2 + 4 * width * tokens / 2) / 989e12
    leaves = 2 * width * tokens / link
    assert found.values["layer"].number == pytest.approx(layer, rel=1e-3)
    assert found.values["leaves"].number == pytest.approx(leaves)
    assert found.values["needed"].number == pytest.approx(2 * width * tokens / layer, rel=1e-3)
    late = sum(max(k * leaves, (k - 1) * layer + leaves) > 6 * layer for k in range(1, 7))
    assert found.values["waiting"].number == late
    assert found.finding.endswith("keeps pace") == (leaves < layer) == (late == 0)
    boxes = found.tables["boxes"]
    rows = list(zip(boxes["row"], boxes["start"], boxes["end"], strict=True))
    assert [row for row in rows if row[0] == "layer"] == [("layer", *row[1:]) for row in rows if row[0] == "least"]
    for lane in ("layer", "link", "least"):
        ends = [(start, end) for row, start, end in rows if row == lane]
        assert all(first <= second + 1e-12 for (_, first), (second, _) in itertools.pairwise(ends))
        assert max(end for _, end in ends) <= 18 * layer * 1.001


def test_the_link_as_set_is_the_one_that_the_lecture_quotes():
    assert number("sending", "needed") == pytest.approx(989e12 / (12 * 8192 + 131_072), rel=1e-3)
    assert answer("sending").values["leaves"].number == pytest.approx(
        number("worked", "state") / number("worked", "link_delivered"), rel=1e-3
    )
