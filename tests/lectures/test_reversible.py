"""The particulars of lecture 7; what all lectures must be is in test_every.py."""

from __future__ import annotations

import math
import re
import statistics
from functools import cache

import numpy as np

from calc import catalog
from calc.catalog.reversed_runs import reversed_drifts
from calc.figure import registry
from calc.ledger.claims import claims
from calc.overtraining import training_run
from calc.reversible import feistel, memory_budget, network, reconstruction_error
from calc.reversible.figures.crowded import SLICES, STAGES
from calc.reversible.figures.setting import step_size
from calc.reversible.figures.shared import DEPTHS, errors
from calc.reversible.formats import bfloat16
from calc.reversible.rounds import Network
from calc.world import training_memory
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name or of a published count
    r"Llama 3(\.1)? \d+B|GPT-2|\b(32|64)[ -]bits?\b|\b16 bits\b|bfloat16|GB200|in 16\b|"
    r"(16|34) bytes|"
    r"PCIe 5\.0|H[12]00|DeepSeek-V4|CHES|RevNet|[Ll]ecture \d|[Ee]xercise \d|\(\d+\)|"
    r"\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|lecture: 7"
)
LLAMA_WEIGHTS = 2 * 8192 + 2 * 1024 + 3 * 28_672  # of a layer of Llama 3 70B, over its width
LECTURE = Lecture(
    chapter="reversible",
    number=7,
    claims="F",
    covers=((2 * 3600 + 4 * 60 + 2, 2 * 3600 + 20 * 60),),
    drawn={"round", "cipher", "trail", "mirror", "rounding", "held", "training", "budget", "sending", "differences"},
    suggestions=3,
    small={"2014", "2017", "2020", "12"},
    names=NAMES,
    least_quoted=125,
)


def test_the_link_of_exercise_6_keeps_pace_at_the_achieved_rate_and_not_at_the_full_one():
    found = {name: value.number for name, value in registry.find("reversible/exercise").answer().values.items()}
    assert found["thin_achieved"] < found["thin_link"] < found["thin_needed"]
    assert found["thin_enough"] < found["thin_delivered"] < found["thin_width"] < found["thin_full"]
    assert found["thin_achieved"] == found["thin_needed"] * found["thin_busy"]
    assert found["thin_busy"] < found["thin_share"] < 0.5  # the delivered link allows little more than is reached
    measured = registry.find("world/chip-learning").answer().values["busy"].number
    assert measured * found["thin_needed"] > found["thin_link"]  # so the layers' share is supposed, no run's average
    assert "with layers that reach `#!value exercise.thin_busy` of it" in LECTURE.text
    assert "But a run that reaches" not in LECTURE.text


def test_claims_stand_in_the_order_of_the_recording():
    """Differences, then new ciphers and Feistel's construction, which leads to RevNets, their use and the cache."""
    minutes = [claims()[name].at.lstrip("~")[:5] for name in ("F10", "F6", "F7", "F1", "F2", "F3", "F4", "F5")]
    assert minutes[:4] == sorted(set(minutes[:4]))
    assert minutes == sorted(minutes)


def test_copies_beside_the_arithmetic_lengthen_a_step_by_what_the_lecture_says_at_most():
    found = registry.find("world/offloaded").answer().values
    longest = max(found[f"{which}_longer"].number for which in ("short", "middle", "long"))
    assert found["middle_longer"].number == longest > 1.02  # that of DeepSpeed's makers, whom the page cites


def test_offloading_holds_less_only_with_ordinary_states_in_16_bits_and_reversible_ones_in_32():
    """With states of one format, two stay offloaded, and two halves run backwards: as much."""
    given = {"params": 7e10, "layers": 80, "replicas": 256, "record_bytes": 20.0}
    offloaded, narrow, wide = (
        memory_budget.held(plan, state_bytes=state, **given).states
        for plan, state in (("offloaded", 1.0), ("reversed", 0.5), ("reversed", 1.0))
    )
    assert offloaded == narrow < wide
    for said in (
        "On the chip it is not, if both networks have equally many parameters and compute the same part of a layer",
        "Besides what all plans share, offloading holds two states, the gradient handed on included; running "
        "backwards, with states in 32 bits, holds six.",
        "Besides what all plans share, it holds two states, the gradient handed on included; running backwards, with "
        "states in 32 bits, holds six.",
    ):
        assert said in LECTURE.text
    for said in ("offloading holds less than", "offloads holds less", "Besides one record it holds"):
        assert said not in LECTURE.text


def test_no_plan_is_said_to_fit_without_its_gradients():
    """The table and the figure's title have one set of totals, in which gradients are counted."""
    text, title = LECTURE.text, registry.find("reversible/budget").answer().finding
    assert "81.1 GB run backwards with states in 32 bits; a chip has" in title
    for said in ("only if offloaded", "only offloading ends"):
        assert said not in text + title
    for said in text.split("only offloading")[:-1]:  # at the margin of measured runs, not by the sum
        assert "$1.08$ times" in said[-90:]
    budget = text.split("### One budget")[1].split("```figure")[0]
    for plan in ("offloaded", "reversed"):
        assert f"$ | `#!value ours.{plan}` |" in budget
    assert "ours.reversed`" not in text.split("## Symbols")[0]  # no plan has a total before it has been told
    assert "gradients aside, if" not in text + title
    assert "usual remedy" not in text
    assert "| gradients next to it | $7" in budget


def test_the_page_says_that_a_whole_layer_is_its_choice_of_f():
    text = LECTURE.text
    assert "$f$ is a whole layer" in text
    assert "Reformer[^reformer] undoes attention and the feed-forward part one after the other" in text
    assert (
        "takes `#!value worked.peak_parts`. Offloaded so, with two states a layer on the link, it takes "
        "`#!value worked.parts_offloaded`."
    ) in text
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    apart = 32 * 8192 * 131_072 + 7 * found["state"] + found["crowded_model"] + found["crowded_layer"]
    assert math.isclose(found["parts_offloaded"], apart + 2 * found["state"])
    assert math.isclose(found["peak_parts"], apart + 6 * found["state"])
    assert "compute the same part of a layer at a time" in text.split("## Takeaway")[0]
    assert "In our budget **offloading** takes less." in text.split("## Takeaway")[1]
    assert "$32$ bytes of the `#!value worked.gated`, `#!value worked.part`" in text


def test_the_best_stretch_is_said_to_be_so_among_equal_ones():
    """Unequal stretches hold less for the same arithmetic, as test_activation_memory finds."""
    first, later = LECTURE.text.split("### What forgetting costs", 1)
    handed = "`#!value ours.recomputed`: a checkpoint that is in a record too makes room for the gradient handed on."
    for said in (
        "for equal stretches of $R_c$ layers:",
        "the best equal stretch is",
        "equal stretches of two hold",
        "best equal stret",
    ):
        assert said in first
    for said in ("the best checkpoints on one level, with", "Hence the best stretch", "Made again from layer inputs"):
        assert said not in LECTURE.text
    assert f"on *one level* of checkpoints, takes $173 + 4.4 + 5.3 + 15 =$ {handed}\n" in later
    worked = registry.find("reversible/worked").answer().values
    parts = [worked[name].number for name in ("checkpoint", "crowded_model", "crowded_layer", "peak_made")]
    assert [f"{part / 1e9:.2g}" for part in parts[1:]] == ["4.4", "5.3", "15"]
    assert [round(each / 1e9) for each in (parts[0], sum(parts))] == [173, 198]
    assert math.isclose(sum(parts), registry.find("reversible/ours").answer().values["recomputed"].number)
    assert "with checkpoints at the best equal stretch they grow, by (1), with its square root." in first
    held = {every: 16 / every + every for every in (2, 4, 8)}  # (1) for sixteen layers, each record as large as a state
    for every, states in held.items():
        assert f"$16/{every} + {every} = {states:.0f}$ |" in first
    for said in ("$145$ GB", "$67.5$ states'", "seven at most"):
        assert said in first


def test_running_backwards_fits_with_its_gradient_in_16_bits_as_in_the_other_plans():
    """Six states' bytes fit what is left and nine do not; the nine stand in the page with their 32 bits alone."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    ours = {name: value.number for name, value in registry.find("reversible/budget").answer().values.items()}
    fixed, state = found["crowded_fixed"], found["state"]
    free = found["chip_memory"] - fixed
    assert found["crowded_narrow"] == fixed + (1 + 2) * state < found["chip_memory"]
    for plan, states in (("offloaded", 1 + 1), ("reversed", 4 + 2), ("nested", 12 + 1)):
        assert math.isclose(ours[plan], fixed + states * state)
    assert math.isclose(ours["recomputed"], fixed + 40 * state + found["record"])
    assert 6 * state < 8 * state < free < 9 * state
    assert round((fixed + 6 * state) / 1e9) == 81
    assert round((found["chip_memory"] - found["crowded_narrow"]) / 1e9) == 11
    assert "Only offloading" not in LECTURE.text
    assert "one more: $4 + 4 + 1 = 9$, $88$ GB, $2$ too many." in LECTURE.text
    assert round((fixed + 9 * state) / 1e9) == 88
    assert found["crowded_narrow"] < 1.04 * ours["offloaded"]  # six against two is the bits' doing, not the plan's
    fold = LECTURE.text.split("The budget's sums, letters")[1].split("!!! tip")[0]
    assert "only the other counts: $1 + 2 = 3$, `#!value worked.crowded_narrow`" in fold
    assert "By the sum offloading and running backwards fit, with $15\\%$ and $5\\%$ free." in LECTURE.text
    shares = [1 - ours[plan] / found["chip_memory"] for plan in ("offloaded", "reversed")]
    assert [round(100 * share) for share in shares] == [15, 5]
    assert round((fixed + 9 * state - found["chip_memory"]) / 1e9) == 2
    assert "| offload | $1 + 1 = 2$ | `#!value ours.offloaded` |" in LECTURE.text
    assert "| run backwards | $4 + 2 = 6$ | `#!value ours.reversed` |" in LECTURE.text
    assert "two halves in 32 bits are four states, their gradient in 16 bits two." in LECTURE.text
    assert "leaves room for about eight states." in LECTURE.text


def test_sending_every_second_input_away_leaves_two_records_and_does_not_fit():
    """So the plan that offloads keeps every layer's input, as the bytes in its host say."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    assert found["crowded_fixed"] + found["record"] + 2 * found["state"] > found["chip_memory"]
    assert found["host_shared"] == found["host_chips"] * 80 * found["state"]
    assert "here for $80$ states a chip, `#!value worked.host_shared`" in LECTURE.text
    assert "the state before each layer goes to the **host**" in LECTURE.text


def test_one_level_fits_where_four_chips_share_a_sequence_and_not_where_two_do():
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    fixed = found["crowded_model"] + found["crowded_layer"]
    grown = 2 * found["record"] + 47 * found["state"]  # 39 states, a gradient handed on, seven beside the record
    assert math.isclose(found["four_recomputed"], fixed + grown / 4)
    most = registry.find("world/training-memory").answer().values["most"].number
    assert most * found["four_recomputed"] < found["chip_memory"] < fixed + grown / 2
    assert fixed + (found["crowded_narrow"] - fixed) / 4 < found["four_recomputed"]
    assert "So it ranks plans, and cannot say which fits" not in LECTURE.text
    assert "nothing need be sent or undone" not in LECTURE.text
    assert "level that is $4.4 + 5.3 + (173 + 15)/4 =$ `#!value worked.four_recomputed`." in LECTURE.text
    assert round(4.4 + 5.3 + (173 + 15) / 4, 1) == round(found["four_recomputed"] / 1e9, 1) == 56.7
    assert "try: four chips share a sequence | tokens=32768" in LECTURE.text
    shared = registry.find("reversible/budget").answer(tokens=32768).values
    assert math.isclose(shared["recomputed"].number, found["four_recomputed"])
    assert max(shared[plan].number for plan in ("nested", "offloaded", "reversed")) < shared["recomputed"].number


def test_the_excess_of_measured_runs_leaves_room_for_neither_plan_and_that_of_unsliced_ones_for_offloading():
    """Sums of measured runs leave out gradients, few there and many here: counted once or raised too, it is the same.

    At the most of runs with whole layers only offloading fits, at the most of all runs neither, and plans in pieces do.
    """
    rows = training_memory.held()
    most, unsliced = max(each.over for each in rows), max(each.over for each in rows if each.row.tensor == 1)
    assert (round(most, 2), round(unsliced, 2)) == (1.3, 1.08)
    assert not any(each.row.stages > 1 and each.row.tensor == 1 for each in rows)
    whole = [each for each in rows if each.row.tensor == 1]
    assert round(statistics.median(each.over for each in whole), 1) == 1.0
    assert {each.row.tensor for each in rows if each.over > 1.08} == {8}
    alike = sorted(each.over for each in whole if each.row.loss == "pieces")
    assert [f"{each:.2f}" for each in alike] == ["0.96", "0.99", "1.08"]
    assert max(each.over_plain for each in whole) > 2.8  # without logits, which were added afterwards
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    ours = {name: value.number for name, value in registry.find("reversible/ours").answer().values.items()}
    room, state, made = found["chip_memory"], found["state"], found["peak_made"]
    gradients = {"offloaded": made + state, "reversed": made + 2 * state}
    for raised in (0, 1):  # the gradients, or not
        taken = {
            (plan, times): times * ours[plan] + (1 - raised) * (1 - times) * beside
            for plan, beside in gradients.items()
            for times in (1.3, 1.08)
        }
        assert [name for name, each in taken.items() if each < room] == [("offloaded", 1.08)]
    plain = [[round((times * (ours[p] - g) + g) / 1e9) for p, g in gradients.items()] for times in (1.3, 1.08)]
    assert plain == [[89, 100], [77, 86]]
    assert [round((ours[plan] - beside) / 1e9, 1) for plan, beside in gradients.items()] == [55.3, 61.8]
    said = LECTURE.text.split("These sums leave out activations' gradients.")[1].split("\n")[0]
    assert "in our two plans they are $17.2$ and $19.3$ GB. Raised too or not, the same plans fit." in said
    assert [round(beside / 1e9, 1) for beside in gradients.values()] == [17.2, 19.3]
    theirs = (
        (4 * each.model.known("d_ff_dense") + 2 * each.model.known("d_model")) * each.row.tokens / each.row.tensor
        for each in rows
    )
    shares = [grown / training_memory.GIB / each.counted for grown, each in zip(theirs, rows, strict=True)]
    assert round(100 * max(shares), 1) == 3.5
    kept = [found[f"pieces_{plan}"] for plan in ("offloaded", "reversed", "nested")]
    assert 1.3 * max(*kept, found["four_recomputed"]) < room < found["pieces_recomputed"]
    for said in (
        "had shown them missing. The three with whole layers and, as ours, the loss in pieces held $0.96$, $0.99$ and "
        "$1.08$ times.",
        "the middle one with whole layers held $1.0$ times its sum (note).",
        "More fits if a kernel computes the gate's function again ([note](#one-budget)).",
        "With the loss in pieces both fit by the sum; at $1.08$ times, the most of measured runs with whole layers, "
        "only offloading. A sequence that four chips share fits at $1.3$ times, recomputed.",
        "At $1.08$ times the sum, the most of runs with whole layers, only offloading fits. A sequence that four chips "
        "share fits, recomputed, at $1.3$ times.",
        "That fits at $1.3$ times too, with nothing undone or sent.",
    ):
        assert said in LECTURE.text
    assert "third free" not in LECTURE.text
    assert 1.3 * found["four_recomputed"] < room
    sums = {"offload": ours["offloaded"], "run backwards": ours["reversed"]}
    for plan, total in (sums | {"recompute, by four": found["four_recomputed"]}).items():
        raised = [f"${times * total / 1e9:.0f}$" for times in (1.08, 1.3)]
        row = " | ".join([f"${total / 1e9:.1f}$", *raised])
        assert f"| {plan} | {row} |" in LECTURE.text
    assert "Then two levels take `#!value worked.pieces_nested`, not `#!value ours.nested`, and fit at $1.3$ times" in (
        LECTURE.text
    )
    assert room < ours["nested"]
    assert "*Two levels* of checkpoints take $22\\%$ more work than one (note), and still do not fit." in LECTURE.text


def test_feed_forward_parts_in_pieces_run_thrice_unless_recomputing_stops_before_them():
    """Three matrices of 8192 by 28672, two operations each: a third pass beside the four of a layer made again."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    for name, tokens, shown in (("pieces_again", 131_072, 9), ("pieces_again_short", 8192, 19)):
        layer = 2 * 8192 * (LLAMA_WEIGHTS + tokens)
        assert math.isclose(found[name], 2 * 3 * 8192 * 28_672 / (4 * layer))
        assert round(100 * found[name]) == shown
    fold = LECTURE.text.split("The same plans with less on a chip at once")[1].split("!!! tip")[0]
    assert "does not stop, and takes `#!value worked.pieces_again` more work than recomputing, in sequences of" in fold
    assert "That adds nothing if making the layer again stops before the part; undoing cannot stop there." in fold


def test_a_router_turns_choices_on_the_way_back_above_all_with_states_in_16_bits():
    """Two experts, chosen by a number's sign: of 20,000 states with short steps some go astray in 16 bits alone."""

    class Routed(Network):
        """A network of which each layer has two functions, and picks one by what it sees."""

        def branch(self, index, half):
            first = half @ self.weights[index][:, :1] > 0
            return np.where(first, super().branch(index, half), super().branch(index, -half[..., ::-1]))

    missed = {}
    for dtype in ("mixed", "bfloat16"):
        drawn = network(80, 32, step=step_size("short", 80), dtype=dtype)
        for kind in (Network, Routed):
            net = kind(drawn.weights, drawn.biases, drawn.step, drawn.format)
            missed[dtype, kind] = reconstruction_error(net, 20_000)
    assert missed["bfloat16", Routed] > 3 * missed["bfloat16", Network]
    assert max(missed["mixed", Routed], missed["mixed", Network]) < 1e-3
    limits = LECTURE.text.split("## Where the model stops being true")[1].split("## Takeaway")[0]
    assert "A small error may turn a choice, on the way back (states in 16 bits above all) and [where" in limits
    assert round(8 * 2 * 131_072 * 80 / 1e6) == 168
    assert "of eight experts sixteen bytes a token and layer, $168$ MB at the example's size." in limits
    assert "up to rounding, which training or routing may enlarge." in LECTURE.text.split("## Takeaway")[1]


def test_the_prices_of_the_advice_are_in_its_order_and_64_chips_store():
    """Over one recomputation: dividing adds no arithmetic, copies 4% where they freed and did not stop the chip."""
    sent = registry.find("world/offloaded").answer().values
    dearest = sent["middle_longer"].number
    assert sent["short_freed"].number < 0.1 * sent["short_counted"].number  # the other run with copies beside
    levels = registry.find("reversible/ours").answer().values["nested_work"].number / (4 / 3)
    assert (round(100 * (dearest - 1)), round(100 * (levels - 1))) == (4, 22)
    remember = LECTURE.text.split("### Offload, or run backwards?")[1].split("## Where the model stops")[0]
    advice = remember[remember.index("If activations do not fit") :]
    ordered = (
        "no more arithmetic",
        "a third more",
        "($4\\%$ over recomputing in one run)",
        "level of checkpoints ($22\\%$)",
    )
    assert [advice.index(each) for each in ordered] == sorted(advice.index(each) for each in ordered)
    room = registry.find("reversible/worked").answer().values["chip_memory"].number
    stored = {
        n: registry.find("reversible/budget").answer(tokens=131_072 // n).values["stored"].number for n in (4, 64)
    }
    assert stored[64] < room < stored[4]
    assert (
        "*four chips share a sequence*: no more arithmetic, but for a token four times the fetching (note)."
        in LECTURE.text
    )
    assert "Press *four chips share a sequence*: every plan except storing fits." in LECTURE.text


def test_the_last_bit_reaches_three_boxes_in_two_rounds_whatever_its_first_box_writes():
    """Two bits of each group can reach one box in the second round, and then twice as many pairs share a difference."""
    written = {bit: [out for out in range(16) if feistel.difference_table()[1 << bit, out]] for bit in range(4)}
    reached = {
        bit: min(len({(place + feistel.ROTATION) // 4 for place in range(4) if out >> place & 1}) for out in outs)
        for bit, outs in written.items()
    }
    assert reached == {0: 2, 1: 1, 2: 1, 3: 2}
    assert "In the first round the last bit reaches one box, in the second two more." in LECTURE.text


def test_a_wide_network_comes_back_worse_with_its_function_in_16_bits_than_all_in_32():
    """So short steps and states of 32 bits are what a function in 16 bits asks for, and 16 bits no remedy."""
    errors_wide = {
        dtype: reconstruction_error(network(80, 128, step=step_size("short", 80), dtype=dtype), 4)
        for dtype in ("mixed", "float32")
    }
    assert 100 * errors_wide["float32"] < errors_wide["mixed"]
    assert "So a network run backwards with $f$ in 16 bits should have states in 32 bits" in LECTURE.text


def test_recomputing_fits_on_each_of_four_chips_with_the_spread_and_no_plan_does_on_one():
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    totals = registry.find("reversible/ours").answer().values
    most, room = registry.find("world/training-memory").answer().values["most"].number, found["chip_memory"]
    assert (
        most * found["four_recomputed"]
        < room
        < most * min(value.number for value in totals.values() if value.unit == "B")
    )
    assert round(found["four_recomputed"] / 1e9, 1) == 56.7


def test_what_the_budget_s_verdict_hangs_on_is_said_with_it():
    """Both plans fit with four or three arrays of the feed-forward part, with whole logits none."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    ours = {name: value.number for name, value in registry.find("reversible/ours").answer().values.items()}
    room, state = found["chip_memory"], found["state"]
    assert found["gated"] == 2 * (6.25 + 4 * 3.5)
    fused = found["record"] - 2 * 3.5 * 8192 * 131_072
    assert round(fused / 1e9) == 36
    assert math.isclose(found["fused_reversed"], ours["reversed"] - found["record"] + fused)
    assert found["fused_offloaded"] < found["fused_reversed"] < ours["reversed"] < room
    assert math.isclose(found["fused_reversed"] - found["fused_offloaded"], 4 * state)
    assert 1.3 * found["fused_offloaded"] < room < 1.3 * found["fused_reversed"]
    assert 1.08 * found["fused_reversed"] < room < 1.08 * ours["reversed"]
    assert "offloading fits, at $1.08$ running backwards too." in LECTURE.text
    assert math.isclose(ours["reversed"] - ours["offloaded"], 4 * state)
    assert 0 < 80 * 2**30 - room < 0.5e9
    assert ours["logits"] == 14 * 131_072 * 128_256 > room
    section = LECTURE.text.split("### One budget")[1].split("```figure")[0]
    for said in (
        "But [measured runs](#where-the-model-stops-being-true) with whole layers, like ours, held up to $1.08$ times "
        "such sums: there only offloading fits. Runs that slice layers by width held up to $1.3$: there neither does.",
        "(A loss taken whole adds `#!value ours.logits`: [note](#where-the-model-stops-being-true).)",
        "hands on to the layer before, in 16 bits:",
    ):
        assert said in section


def test_the_opening_counts_the_notes_and_no_chip_of_many():
    """One of 256 chips would hold 3.51 TB; the network's weights and optimiser alone are a terabyte more."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    assert math.isclose(found["store"], 80 * 40.5 * 8192 * 131_072)
    first = LECTURE.text.split("```figure")[0]
    assert "keeps results for the way back." in first
    assert "makes `#!value worked.store` of such notes" in first
    assert "nearly all notes" not in first


def test_chips_that_share_a_sequence_exchange_keys_and_values():
    """Eight heads of 128, keys and values, two bytes: of three tokens in four, in a quarter of a layer's time."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    fetched = 2 * 8 * 128 * 2 * 98_304
    work = 2 * 8192 * (LLAMA_WEIGHTS + 131_072)  # of a token in a layer
    seconds = 131_072 * work / 989e12 / 4
    assert math.isclose(found["four_needed"], fetched / seconds, rel_tol=0.001)
    assert 100 * found["four_needed"] < catalog.system("hgx-h100").scale_up_bandwidth
    assert "layer's way forward, `#!value worked.four_needed` at the full rate, which links" in LECTURE.text
    assert (round(fetched / 1e9, 1), round(seconds, 2)) == (0.4, 0.13)
    slower = 1 - found["attention"] + found["attention"] * (7 / 16) / (4 / 16)
    assert round(slower, 2) == 1.42
    assert "$0.44 + 0.56 \\times 7/4 = 1.42$" in LECTURE.text


def test_links_are_asked_for_at_the_rate_of_layers_and_not_of_a_run():
    """A run's average counts its waits, and two fifths ask for a link that stalls layers which reach 56%."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    measured = registry.find("world/chip-learning").answer().values["busy"]
    assert (round(measured.number, 2), measured.text) == (found["busy"], "56%")
    free = 0.56 * 989e12 / 52.77e9
    assert math.isclose(found["free_delivered"], free, rel_tol=0.001)
    assert math.isclose(found["narrow_stored"], 80 * 40.5 * (free / 2) ** 2 / 12, rel_tol=0.001)
    assert math.isclose(found["short_needed"], 0.56 * 989e12 / (LLAMA_WEIGHTS + 8192), rel_tol=0.001)
    needed = registry.find("reversible/budget").answer().values["needed_full"].number
    assert math.isclose(found["needed_records"], 0.56 * 20.25 * needed)
    assert found["needed_records"] < found["link_delivered"]
    section = LECTURE.text.split("### Which link is fast enough")[1].split("### The same measure")[0]
    assert section.count("If layers reach `#!value worked.busy`") == 2
    assert "if layers reach `#!value worked.busy` of the chip's rate" in section
    assert "worked.achieved" not in LECTURE.text


def test_a_step_nearly_twice_as_long_is_said_of_states_copied_while_the_chip_stops():
    """DeepSpeed's documentation: checkpoints' inputs, copied beside the arithmetic within 2%, blocking 1.4 to 1.9."""
    said = LECTURE.text.split("- *Copies run beside the arithmetic* (else: note).")[1].split("[^deepspeed]")[0]
    assert "did; the one that freed memory took `#!value world/offloaded.middle_longer` the time of recomputing" in said
    assert "for each copy of a state, steps of a network half as wide took up to $1.9$ times as long." in said
    work = 4 * 2 * 8192 * 131_072 * (LLAMA_WEIGHTS + 131_072) / 989e12  # the example's four passes of a layer
    copies = 2 * 8192 * 131_072 * (1 / 52.77e9 + 1 / 35e9)  # away, and back at the slower rate of the same machine
    assert round(1 + copies / work, 2) == 1.05
    assert 2 * catalog.model("qwen3-8b").known("d_model") == 8192


def test_the_link_of_equation_8_is_worked_at_the_full_rate():
    """The figure's own count has 12.75 h^2 weights a layer, and asks for a little less."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    needed = 989e12 / (12 * 8192 + 131_072)
    assert round(needed / 1e9, 1) == 4.3
    assert round(found["link_delivered"] / needed) == 12
    own = registry.find("reversible/budget").answer().values["needed_full"].number
    assert math.isclose(own, 989e12 / (12.75 * 8192 + 131_072), rel_tol=0.005)
    assert "131\\,072)$, $4.3$ GB a second" in LECTURE.text
    assert round(own / 1e9, 1) == 4.2
    assert "([The budget](#one-budget) counts Llama's own $12.75h^2$.)" in LECTURE.text
    assert "twelve times as much" in LECTURE.text
    link = registry.find("reversible/worked").answer().values
    leaves = registry.find("reversible/sending").answer().values["leaves"]
    shown = float(link["link_delivered"].text.split()[0])  # whoever divides the state by what is shown gets the figure
    assert f"{link['state'].number / shown / 1e6:.1f}" == leaves.text.split()[0] == "40.7"


def test_attention_that_makes_scores_again_costs_less_to_forget():
    """Five products on the way back for two forward: (2) is less than with twice the forward pass."""
    share = registry.find("reversible/worked").answer().values["attention"].number
    back = 2 * (1 - share) + 2.5 * share
    assert round(back, 2) == 2.28
    assert round((2 + back) / (1 + back), 1) == 1.3
    assert "$t_B = 2.28\\,t_F$, and (2) is about $1.3$" in LECTURE.text


def test_a_reversible_state_of_four_leaves_the_figures_layers_five_of_eight():
    held = registry.find("reversible/held").answer().values
    assert math.isclose(held["overhead"].number * 48, 16 + 48)
    assert "is done after work of $48$, the others after $64$, by (2)." in LECTURE.text
    assert (held["checkpoint"].number, held["reverse"].number) == (8, 4 + 1)
    assert "$4 + 1 = 5$ ordinary states, where checkpoints hold eight:" in LECTURE.text
    deeper = registry.find("reversible/held").answer(rounds=24).values
    assert {way: deeper[way].number for way in ("store", "checkpoint", "reverse")} == {
        "store": 24,
        "checkpoint": 10,
        "reverse": 5,
    }
    found = registry.find("reversible/worked").answer().values
    assert 3 * found["reverse"].number < found["checkpoint"].number
    section = LECTURE.text.split("### Running backwards")[1].split("### One budget")[0]
    assert section.index("tag{7}") < section.index("```figure")


@cache
def again(layers: int, states: int) -> int:
    """The fewest forward passes of layers that make each layer's record, last to first, from the first one's input.

    Counted are states that wait: that of the layer in use is in its record.
    """
    if layers == 1:
        return 1
    if not states:
        return layers**3  # beyond any
    return min(n + again(layers - n, states - 1) + again(n, states) for n in range(1, layers))


@cache
def forward(layers: int, states: int) -> int:
    """The same with the pass that makes the loss, on which the first checkpoints are kept."""
    least = layers + again(layers, states)
    if layers == 1 or not states:
        return least
    return min([least, *(n + forward(layers - n, states - 1) + again(n, states) for n in range(1, layers))])


def test_checkpoints_on_three_levels_keep_within_eight_states():
    """Three levels reach C(S + 2, 3) layers with S states, of which one is the gradient's at the peak."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    assert math.comb(6 + 2, 3) < 80 <= math.comb(7 + 2, 3) == 84
    assert round((found["crowded_fixed"] + 7 * found["state"]) / 1e9) == 83 < found["chip_memory"] / 1e9
    assert forward(80, 6) == 285  # six wait, and the gradient makes seven
    assert round((forward(80, 6) + 160) / 240, 1) == 1.9
    assert forward(80, 12) == 227 <= 3 * 80 - 9  # two levels, as the lecture counts them, are near the best
    assert "$6 + 1$ make $83$ GB, for about $1.9$ times" in LECTURE.text


def test_arrays_of_a_record_are_told_one_by_one_and_sum_to_its_states():
    """Llama 3 70B: keys and values of 8 heads of 128 beside 8192, inner arrays of 28672; Adam's twelve bytes."""
    model = catalog.model("llama-3-70b")
    pairs = model.known("kv_heads") * model.known("head_dim") / model.known("d_model")
    inner = model.known("d_ff_dense") / model.known("d_model")
    assert (pairs, inner) == (1 / 8, 3.5)
    ratio = registry.find("reversible/worked").answer().values["ratio"].number
    assert 4 + 2 * pairs + 2 + 4 * inner == ratio == 20.25
    section = LECTURE.text.split("### What training must remember")[1].split("**Store.**")[0]
    for row in ("result | $4$ |", "eighth each | $0.25$ |", "input twice | $2$ |", "product | $4 \\cdot 3.5 = 14$ |"):
        assert row in section
    assert "each part's input both as it came and normalised." in section
    parts = training_run.WEIGHT_BYTES, training_run.GRADIENT_BYTES, training_run.OPTIMISER_BYTES
    assert parts == (2, 2, 12)
    assert sum(parts) == 16
    under = LECTURE.text.split("`#!value worked.crowded_fixed` |")[1].split("\n\n")[1]
    assert "a parameter: weight two, gradient two, Adam twelve. Six: two each for this layer's weights" in under
    assert "Seven states: gradients of two inner arrays, $2 \\cdot 3.5$." in under
    assert (
        "*in pieces*, some tokens at a time, save $14$ of the record's $20.25$ states, and six of the gradients'"
        in LECTURE.text
    )


def test_equations_of_a_first_reading_are_numbered_without_a_gap():
    opened = LECTURE.text.split("## Takeaway")[0]
    tags = [int(tag) for tag in re.findall(r"^[^ \n].*\\tag\{(\d+)\}", opened, re.M)]
    assert tags == list(range(1, 9))
    assert sorted(int(tag) for tag in re.findall(r"\\tag\{(\d+)\}", LECTURE.text)) == list(range(1, 13))


def test_a_limit_of_tokens_is_said_no_finer_than_the_sum_is_true():
    """All of the chip would hold 53,000; at 1.3 times the sum, the most of measured runs, 39,000."""
    limit = registry.find("reversible/budget").answer().values["most_recomputed"].number
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    room, fixed = found["chip_memory"], found["crowded_model"] + found["crowded_layer"]
    free = limit * (room / 1.3 - fixed) / (room - fixed)
    assert (round(limit, -3), round(free, -3)) == (53_000, 39_000)
    assert "even at $1.3$ times its sum, up to about $39\\,000$ tokens on a chip" in LECTURE.text
    assert "ours.most_recomputed" not in LECTURE.text


def test_running_backwards_is_advised_only_where_a_sequence_cannot_be_divided():
    """Four chips to a sequence fit every plan, so the exercise and the card name this way out as the lecture does."""
    answer = LECTURE.text.split("Running backwards pays if three things hold.")[1].split("\n")[0]
    assert "cannot be divided. [Offloading](#offload-or-run-backwards) fails, and more levels do not fit or" in answer
    cards = {each["front"]: each["back"] for each in LECTURE.cards}
    beats = cards["When does running backwards beat offloading?"]
    assert "a sequence cannot be divided among chips, and more levels of checkpoints" in beats
    less = cards["Which holds less on a chip, offloading or running backwards?"]
    assert "two states' bytes against six, all gradients in 16 bits." in less
    assert "have as many parameters and compute as much of a layer at once" in less  # narrower halves would hold less


def test_a_window_counts_twice_where_a_sequence_counts_once():
    """A token looks at half of a sequence on average, and at a whole window: a narrow link then lags at some widths."""
    width = window = 512
    rate = 989e12 / (12 * width + 2 * window)
    assert rate > 2 * 64e9 > 2 * 989e12 / (12 * width + 32_768)
    assert "under a sliding window much shorter than the sequence, twice the window" in LECTURE.text


def test_a_third_more_work_is_said_of_a_way_back_twice_as_long():
    """With a way back as long as the way forward it is half more, as claim F4 computes."""
    takeaway = LECTURE.text.split("## Takeaway")[1].split("## Going further")[0]
    assert "a third more work if the way back takes twice the way forward" in takeaway


def test_the_network_that_missed_its_start_is_said_to_be_one_small_trained_one():
    """The row is of ten layers with full steps, trained backwards; no gradients of its stand in the measurements."""
    rows = [row for row in reversed_drifts() if row.missed is not None]
    assert {(row.source, row.layers, row.step, row.moved) for row in rows} == {("reversibility-l4", 10, 1, None)}
    limits = LECTURE.text.split("## Where the model stops being true")[1].split("## Takeaway")[0]
    assert "training can make the way back [far worse](#what-rounding-does)." in limits
    further = LECTURE.text.split("### What rounding does")[1].split("### Memory against depth")[0]
    assert "A language model of `#!value world/backwards.deep`, [trained backwards]" in further
    assert "; nobody reported its gradients." in further


def test_memory_against_depth_says_that_gradients_are_left_out():
    """With the budget's, those in the layer and on their way, running backwards saves less."""
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    ours = {name: value.number for name, value in registry.find("reversible/budget").answer().values.items()}
    weights = found["crowded_model"] + found["crowded_layer"]
    assert round(found["checkpoint"] / found["reverse"], 1) == 3.3
    assert round((ours["recomputed"] - weights) / (ours["reversed"] - weights), 1) == 2.6
    assert (
        "Without gradients the example's checkpoints hold $3.3$ times as much as running backwards, with "
        "[those of the budget](#one-budget) $2.6$ times."
    ) in LECTURE.text


def test_a_whole_sequence_on_each_chip_makes_a_step_twice_that_of_a_large_run():
    """Meta's table 4: a step of 16 million (two to the 24th) tokens, sixteen pieces, eight widths, sixteen stages."""
    assert 256 * 131_072 == 2 * 2**24
    assert round(256 * 131_072 / 1e6, 1) == 33.6
    limits = LECTURE.text.split("## Where the model stops being true")[1].split("## Takeaway")[0]
    assert "makes a step of $33.6$ million tokens, twice that of Llama 3.1 405B's training." in limits
    assert (SLICES, STAGES) == (8, 16)
    assert "Its makers cut such sequences into sixteen pieces.[^llama]" in limits
    assert "sixteen by tokens, eight by width, sixteen by depth" in LECTURE.text


def test_running_backwards_is_named_a_network_s_form_and_no_last_resort():
    remember = LECTURE.text.split("### Offload, or run backwards?")[1].split("## Where the model stops")[0]
    assert "Running backwards changes the network, and pays only if" in remember
    assert "take the loss in pieces, and one sequence at a time, divided among chips" in remember
    assert "feed-forward parts in pieces (up to `#!value worked.pieces_again` more here). On top offload" in remember
    assert "pays only if all these fail or cost too much." in remember
    assert "run backwards only if none of these is possible" not in LECTURE.text


def test_exercise_4_names_what_gradients_do_to_its_tokens():
    ours = {name: value.number for name, value in registry.find("reversible/budget").answer().values.items()}
    found = {name: value.number for name, value in registry.find("reversible/worked").answer().values.items()}
    fixed = found["crowded_model"] + found["crowded_layer"]
    each = {name: round((ours[name] - fixed) / found["state"], 2) for name in ("recomputed", "offloaded", "reversed")}
    assert each == {"recomputed": 87.5, "offloaded": 29.25, "reversed": 33.25}
    assert round(each["reversed"] / each["offloaded"], 2) == 1.14
    answered = "it is $87.5$ states with checkpoints, $29.25$ offloaded and $33.25$ backwards"
    nested = "(Two fit `#!value exercise.budget_nested` at `#!value ours.nested_work` the work;"
    assert LECTURE.text.index(nested) < LECTURE.text.index("With records and the gradients in a layer")
    assert answered in LECTURE.text
    asked = {name: value.number for name, value in registry.find("reversible/exercise").answer().values.items()}
    for way, name in (("checkpoint", "recomputed"), ("offload", "offloaded"), ("reverse", "reversed")):
        kept = (each[name] - 7) * found["state"] / found["tokens"]  # all but the gradients beside a record
        assert asked[f"budget_{way}"] == math.floor(40e9 / kept)
    assert "backwards one record and six, `#!value exercise.budget_reverse`" in LECTURE.text
    assert asked["budget_checkpoint"] < asked["budget_nested"] < asked["budget_reverse"]
    three = 6 + 1 + found["ratio"]  # states, the gradient's included, and a record
    levels = math.floor(40e9 * found["tokens"] / found["state"] / three)
    assert 0.95 * asked["budget_reverse"] < levels < asked["budget_reverse"]
    assert "three levels nearly as many as running backwards.)" in LECTURE.text


def test_the_outcome_in_16_bits_hides_small_errors_and_not_the_input():
    """Without the input's rounding the fourth line is where it was; without the outcome's it is not."""

    class Wide(Network):
        """A network whose function rounds its outcome alone, or nothing but its weights."""

        outcome = True

        def branch(self, index, half):
            made = np.tanh(half @ self.weights[index] + self.biases[index])
            return bfloat16(made) if self.outcome else made

    class Wider(Wide):
        outcome = False

    drawn = network(64, 8, dtype="mixed")
    parts = drawn.weights, drawn.biases, drawn.step, drawn.format
    mixed, outcome, none = (reconstruction_error(kind(*parts), 4) for kind in (Network, Wide, Wider))
    assert outcome == mixed < none / 10
    assert "for $f$ rounds its outcome to 16 bits" in LECTURE.text


def test_a_bit_of_the_left_half_is_a_round_later():
    settled = {bit: int(np.argmax(feistel.avalanche(10, bit=bit) >= 0.49)) for bit in (0, 31, 32, 63)}
    assert settled == {0: 7, 31: 7, 32: 8, 63: 8}
    card = next(each for each in LECTURE.cards if each["front"].startswith("What is the avalanche"))
    assert card["back"].endswith("a bit of the left half one later.")


def test_what_holds_at_one_setting_of_a_figure_is_said_of_that_setting():
    """Rounding jumps with full steps alone, other bits of the cipher begin elsewhere, and a run may have 64 bits."""
    for strength in ("0.5", "1", "2.5"):
        assert max(errors("short", strength)["mixed"][-2:]) < 1e-6 < 1e-3 < errors("full", strength)["mixed"][-1]
    opened = errors("full", "1")
    assert sum(one < other for one, other in zip(opened["mixed"], opened["float32"], strict=True)) > len(DEPTHS) / 2
    assert "As first set, it misses at most depths by less than 32 bits alone" in LECTURE.text
    assert "With full steps this line jumps near the right end" in LECTURE.text
    points = {bit: registry.find("reversible/trail").answer(bit=bit).values for bit in (0, 63)}
    assert 0.25 < points[0]["one"].number < 0.27
    assert points[63]["one"].number == 1
    assert "As first set, the first two points lie a little above (10)" in LECTURE.text
    assert "Both compute in 32 bits or more." in LECTURE.text
    assert "the example's checkpoints hold" in LECTURE.text
    assert "every plan except storing fits." in LECTURE.text
