"""The particulars of lecture 3; what all lectures must be is in test_every.py."""

from __future__ import annotations

import re
from math import comb

import pytest

from calc.figure import registry
from calc.figure.inputs import SCENARIO
from calc.figure.slips import likely
from calc.ledger.claims import claim
from calc.pipelining.bubbles import bubble_share
from calc.pipelining.decoding import micro_batches_to_fill
from calc.pipelining.figures.setting import hop, largest_micro_batch, step_alone
from calc.pipelining.figures.shared import published
from calc.pipelining.figures.worked.sending import spread_step
from calc.pipelining.figures.worked.stages import stored_weights
from calc.pipelining.figures.worked.usual import full_rates, full_row, full_spread
from calc.pipelining.schedules import timetable
from calc.setting import Scenario
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name, of a formula, or of what somebody said or measured
    r"G?B\d00|H\d0+|DeepSeek-V[34]|Kimi K[23]|Llama 3\.1 405B|gpt-oss-120b|Mixtral 8x7B|FP8|BF16|1F1B|ZB-H\d|"
    r"[Ee]xercise \d|[Ll]ecture \d|\(\d\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|day 6|lecture: 3|"
    r"[Mm]icro-batch 1|Above 1 "
)
LECTURE = Lecture(
    chapter="pipelining",
    number=3,
    claims="pipelining",
    covers=((47 * 60 + 12, 62 * 60 + 30), (64 * 60 + 20, 76 * 60 + 36)),
    drawn={"decode", "boundary", "latency", "memory", "schedule", "bubble", "ways"},
    suggestions=4,
    small={"1", "2,000"},  # in formulas, and the tokens that a card asks about
    names=NAMES,
)


def test_the_symbols_are_those_of_the_scenario():
    assert {"batch", "context", "layers"} <= {value for slug, value in LECTURE.quoted if slug == "setting"}
    assert {given.name for given in registry.find("pipelining/setting").inputs} <= set(SCENARIO)


def test_at_the_rate_that_llama_reached_links_take_nearly_as_long_as_arithmetic():
    values = registry.find("pipelining/training").answer().values
    over = values["fsdp_least"].number / values["llama_node"].number
    busy = registry.find("overtraining/reported").answer().values["llama_3_405b_busy"].number
    assert 0.75 < over * busy < 1


def test_a_note_names_its_source_by_itself():
    assert "next note" not in LECTURE.text


def test_a_guess_that_a_slip_explains_is_not_right():
    within = float(re.findall(r"exercise\.hop_most \|.*within ([\d.]+)", LECTURE.text)[0])
    slips = registry.find("pipelining/exercise").answer().values["hop_most"].slips
    assert slips
    assert all(slip.factor > within for slip in slips)


def test_what_holds_at_a_fixed_micro_batch_says_so_in_every_box():
    """Users of one machine, divided among the machines of a row, have a token sooner and leave less cache on a chip."""
    boxes = re.findall(r"^!!! .*\n\n((?:(?:    .*)?\n)+)", LECTURE.text, flags=re.M)
    claims = [box for box in boxes if re.search(r"no (decoded )?token|no less cache|cache stays", box)]
    assert len(claims) == 3
    assert all(re.search(r"(same|fixed) micro-batch|micro-batches as large", box) for box in claims)


def test_the_tokens_of_a_copy_of_llama_come_in_micro_batches():
    """Equation (8) asks for them at once; 16 sequences of a step are as many micro-batches."""
    values = registry.find("pipelining/training").answer().values
    assert values["llama_per_copy"].number == 16 * 8192 == values["llama_sequences"].number * 8192
    said = next(line for line in LECTURE.text.splitlines() if line.startswith("Llama's makers made"))
    assert "not at once" in said


def test_a_schedule_without_gaps_has_its_conditions_in_the_ledger():
    assert "take equally long" in claim("C8").why


def test_neutral_for_latency_has_its_condition_in_the_ledger():
    """With the hop that the speaker guesses a token comes later: three hops of 3 ms, and the way back, beside 20 ms."""
    assert claim("C3").countered() == ((20 + 4 * 3) / 20,)
    assert claim("C3").derived() == "holds with caveats"


def test_fewer_bits_promise_sooner_tokens_than_a_row_and_not_more_of_them_nor_as_good_answers():
    """A node alone with four bits has a token soonest and decodes least; four bits in halves decode less than FP8."""
    values = registry.find("pipelining/spread").answer().values
    row = registry.find("pipelining/held").answer().values
    assert row["bits_step_1"].number < values["full_halves"].number < row["bits_token_2"].number
    assert max(values["bits_rate"].number, row["bits_rate_2"].number) < values["full_halves_rate"].number
    assert "    Answers may be worse: test them. Halves lead the row of four by about a tenth or less," in LECTURE.text
    assert "We count products of both in BF16; kernels for that may set the pace." in LECTURE.text
    four = registry.find("pipelining/spread").answer().values
    rates = {way: four[f"{way}_row" if "_row" in way else way].number for way in ("bits_row", "bits_halves")}
    assert rates["bits_row"] / four["copied_row"].number > rates["bits_halves"] / four["copied_halves"].number
    assert rates["bits_row"] < rates["bits_halves"]
    users = {way: four[f"bits_{way}"].number for way in ("row_most", "fit")}
    slowed = {"row": four["bits_row_token"].number, "halves": four["bits_halves_read"].number}
    where = Scenario.named("kimi-k2", "hgx-h100", "fp8")
    sent = full_row(where, published(where), 4)
    for rate in (1, 0.9, 0.82, 0.81, 0.7, 0.5, 0.3, 0.1):  # of arithmetic, which hides behind reading alone
        worked = {way: four[f"bits_{way}_busy"].number * slowed[way] / rate for way in slowed}
        row = max(sent.reading, worked["row"]) + sent.hops + sent.inside
        assert 1 < users["fit"] / max(slowed["halves"], worked["halves"]) * row / users["row_most"] < 1.12
    assert "by about a tenth or less, with slower arithmetic, too." in LECTURE.text
    b200 = Scenario.named("kimi-k2", "hgx-b200", "fp8")
    assert full_row(b200, b200.setting, 1).most > 2000
    assert "eight B200: in FP8, by the bound, they decode nearly twice a node in halves." in LECTURE.text
    assert 1.8 < full_row(b200, b200.setting, 1).rate / four["copied_halves"].number < 2
    said = [line for line in LECTURE.text.splitlines() if re.search("fewer bits a weight", line)]
    assert said
    assert all("answers stay good" in line for line in said)


def test_the_first_stage_of_1f1b_is_said_to_wait_only_between_its_passes():
    assert "as for every other stage if all are equal." in LECTURE.text
    assert "Under *1F1B* the first stage waits only between its passes." in LECTURE.text


def test_rivals_of_a_row_are_compared_in_one_layout_and_the_box_says_so():
    section = LECTURE.text.split("{ #a-row-or-layers-spread-over-its-nodes }")[1].split("### Training is different")[0]
    opened = re.sub(r'^\?\?\? note ".*\n\n(?:(?:    .*)?\n)+', "", section, flags=re.M)
    assert "A chip copies all other weights of its layers, for [attention]" in opened
    assert "no node of eight H100 can hold" in opened  # eight H200 hold it
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    busy = found["full_work"] * found["copied_fit"] / 3016 / found["copied_halves_read"]  # of 3,016 sequences
    assert found["copied_busy"] == pytest.approx(busy, rel=1e-3)
    assert found["full_work"] / 3016 * found["copied_fit"] < found["full_read"]  # hidden in spread layers, too
    assert "Compare three ways, with full memories, at full rates." in opened
    assert "No tokens are guessed; prompts are read elsewhere." in opened
    assert "Each gets one copy, `#!value spread.bytes` there and back, in each layer but the first." in opened
    assert "So weights are read twice." in opened
    assert (
        "With a copy for each expert halves decode `#!value spread.apart_rate`, by bytes and starts alone." in section
    )
    assert not re.findall(r"held\.filled|full_halves|full_once", opened)  # of weights stored once
    box = section.split('!!! tip "Remember"')[1]
    assert "reads its weights once for each micro-batch, halves read theirs twice" in box  # at other contexts, too
    assert (
        "if each gets a token once, a row of single nodes decodes most only on slow links or at short contexts." in box
    )
    assert "rest in sixteen" in section
    assert re.findall(r"spread\.(bits_\w+)", opened) == []  # sums of four bits are in the fold


def test_a_table_of_rivals_adds_up_and_compares_tokens_not_times():
    """From 2,600 to 3,200 tokens of context unhidden layers are sooner than the row and decode less."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    full = found["full_read"]
    assert abs(full + found["copied_again"] + found["copied_hops"] - found["copied_between"]) < 2e-5
    assert found["copied_between"] + found["copied_inside"] == pytest.approx(found["copied_token"])
    assert abs(full + found["copied_sent"] - found["copied_over"]) < 2e-5
    assert abs(full + found["copied_held_read"] - found["copied_halves_read"]) < 2e-5
    assert found["copied_halves_sent"] < found["copied_halves_read"]
    assert "whichever takes less has tokens sooner" not in LECTURE.text


def test_many_sequences_are_said_to_favour_a_row_not_short_contexts():
    """At a thousand tokens of context and a thousand sequences a node the row takes 1.6 times as long as halves."""
    said = next(line for line in LECTURE.text.splitlines() if line.startswith("    In the usual layout, in FP8"))
    unhidden, halves = said.split("It beats halves only once sending takes longer than the row's whole step")
    assert "they send for longer than the row reads again and sends: from about `#!value spread.crowd_once`" in unhidden
    assert "with equal numbers of users at contexts of `#!value spread.crowd_at`, a row beats" in unhidden
    assert "`#!value spread.crowd_from`" in halves
    counted = LECTURE.text.split("The table counts the example's `#!value worked.batch`, with each weight stored")[
        1
    ].split("## Takeaway")[0]
    assert "spread.slower" not in counted  # the usual layout stands before the table, each weight once after it
    decided = next(line for line in LECTURE.text.splitlines() if line.startswith("**When is a row right?**"))
    assert decided.endswith("With full memories, contexts decide which way decodes most:")
    few = next(line for line in LECTURE.text.splitlines() if line.startswith("    On four nodes halves pay above"))
    assert "about `#!value spread.few`, on eight above about `#!value spread.few_wide` users on a node." in few
    assert "With fewer, down to a dozen, spread layers without halves give tokens soonest." in few
    assert "Halves beat spread layers if sending outlasts another reading." in LECTURE.text
    assert "Halves beat spread layers if sending outlasts another reading." in LECTURE.text
    assert not re.search("few hundred", LECTURE.text)
    assert not re.search("[Ss]hort contexts and slow links|at long contexts unhidden", LECTURE.text)


def multiplied_by_hand(context: float) -> float:
    """Seconds of a token on a node: weights in FP8, and 64 heads over 576 numbers of a latent and 512 again in BF16."""
    return 2 * 32.6e9 / 15.83e15 + 2 * 64 * (576 + 512) * 61 * context / 7.92e15


def pairs_by_hand(context: float, links: float) -> float:
    """Tokens a second of a node in two stages of two nodes: 302.5 GB and 31 of 61 layers on each, at 26.8 TB/s.

    A token has 0.996 copies for the other node in each of 60 layers. Reading and arithmetic hide behind each other.
    """
    first, each, back = 1014.7e9 / 4 + 8 * (11.7 / 2 + 0.28) * 1e9, 31 / 61 * 35_136 * context, 20e-6
    most = (684.17e9 - first) / 2 / each
    sent = 60 * (1 - 0.5**8) * 7168 * 3 / 400e9 * most / links
    work = 62 / 61 * most * multiplied_by_hand(context)
    return most / (max((2 * first + 4 * most * each / 2) / 26.8e12, work) + sent + 1.2e-3 + back)


def test_the_way_that_the_table_of_contexts_names_decodes_most_of_the_four():
    """Each row holds up to its context, of which two digits are shown; the last column leaves halves out."""
    where = Scenario.named("kimi-k2", "hgx-h100", "fp8")
    row, spread = full_row(where, where.setting, 4), full_spread(where, where.setting)
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    assert found["pairs"] == pytest.approx(pairs_by_hand(4096, 1), rel=5e-3)

    def leads(context: float, links: float, left_out: set[str]) -> str:
        work = 4096 / context * multiplied_by_hand(context)
        busy = (64 / 61 * row.most * work, spread.fit * work)
        rates = dict(zip(("row", "spread", "halves"), full_rates(row, spread, context, links, busy), strict=True))
        rates["pairs"] = pairs_by_hand(context, links)
        return max(rates.keys() - left_out, key=lambda way: rates[way])

    table = re.findall(r"^\| (?:under `#!value spread\.(\w+)`|longer) \| (\w+) \| (\w+) \|$", LECTURE.text, flags=re.M)
    assert [name for name, *_ in table] == ["short", "long", ""]
    bounds = [500.0, *(found[name] for name, *_ in table[:-1]), 32_000.0]
    for (_, hidden, open_), low, high in zip(table, bounds, bounds[1:], strict=False):
        for context in (1.05 * low, 0.5 * (low + high), 0.95 * high):
            assert leads(context, 1, set()) == hidden
            assert leads(context, 1, {"halves"}) == open_
    for name, below, above, left_out in (
        ("pairs_halves", "pairs", "halves", set()),
        ("pairs_row", "row", "pairs", set()),
        ("slower_halves", "row", "halves", {"pairs"}),
        ("slower", "row", "spread", {"pairs", "halves"}),
    ):
        assert leads(4096, 0.97 * found[name], left_out) == below
        assert leads(4096, 1.03 * found[name], left_out) == above
    assert leads(1.03 * found["short_once"], 1, {"pairs", "halves"}) == "spread"
    assert leads(0.97 * found["short_once"], 1, {"pairs", "halves"}) == "row"
    assert "| contexts | of all four | without halves |" in LECTURE.text
    said = "halves lead down to `#!value spread.pairs_halves` of the links' rate, pairs (not drawn) to"
    assert f"At the example's contexts {said} `#!value spread.pairs_row`, then a row." in LECTURE.text


def test_with_a_tenth_of_memory_kept_free_the_contexts_of_the_table_fall_by_an_eighth_and_a_fifth():
    """From bytes: each user has as much cache as before, and fewer fit beside weights that stay."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}

    def rates(context: float, memory: float) -> tuple[float, float, float]:
        each, slot = 35_136 * context, 16 / 61
        row = (memory - found["copied_row_held"]) / 4 / slot / each
        fit = (memory - found["copied_held"]) / each
        sent = (found["copied_sent"] - found["starts"]) / found["copied_fit"] * fit + found["starts"]
        inside = (found["copied_inside"] + found["copied_hops"]) / found["copied_most"] * row
        reading, read = 4 * (found["copied_row_held"] + row * slot * each) / 26.8e12, memory / 26.8e12
        halves = max(read + found["copied_held"] / 26.8e12, sent + found["starts"])
        return row / (reading + inside), fit / (read + sent), fit / halves

    for part, place, (one, other) in ((7 / 8, "short", (0, 2)), (4 / 5, "long", (1, 2))):
        whole, kept = (rates(times * found[place], left * 684.17e9) for times, left in ((1, 1), (part, 0.9)))
        assert whole[one] == pytest.approx(whole[other], rel=0.01)
        assert kept[one] == pytest.approx(kept[other], rel=0.01)
    assert "With a tenth of memory free, the contexts of the table fall by an eighth and a fifth." in LECTURE.text


def test_what_spread_layers_pass_on_inside_nodes_is_said_to_go_meanwhile_and_what_it_costs_if_not():
    """By hand: 292 tokens a chip, seven other chips in each of four nodes, one in 32 of the experts on each."""
    where = Scenario.named("kimi-k2", "hgx-h100", "fp8")
    row, spread = full_row(where, where.setting, 4), full_spread(where, where.setting)
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    passed = 60 * spread.fit / 8 * 4 * 7 * (1 - comb(372, 8) / comb(384, 8)) * 7168 * 3 / 450e9
    assert found["passed"] == pytest.approx(passed, rel=0.005)

    def even(context: float, links: float) -> float:
        in_row, over, _ = full_rates(row, spread, context, links)
        times = 4096 / context
        return in_row / (times * spread.fit / (times * spread.fit / over + times * found["passed"]))

    assert even(found["passed_short"], 1) == pytest.approx(1)
    assert even(4096, found["passed_slower"]) == pytest.approx(1)
    assert even(4096, 1) < 1  # so the order of the table stays
    assert "| sent inside nodes | `#!value spread.copied_inside` | meanwhile | hidden |" in LECTURE.text
    assert "Links inside nodes send meanwhile;" in LECTURE.text


def test_sending_of_the_table_follows_from_the_open_page():
    """2,340 users on eight chips, 2.7 copies of 21.504 kB in 60 layers at 50 GB/s, and 1.2 ms; a row's in the fold."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    sent = 60 * 2340 / 8 * 2.7 * 21.504e3 / 50e9 + 1.2e-3
    assert sent == pytest.approx(found["copied_sent"], rel=3e-3)
    assert pytest.approx(found["copied_inside"], rel=3e-3) == 60 * 330 * 4.62 * 21.504e3 / 450e9
    assert "in the table's: $60$ layers, $330$ tokens a chip, $4.62$ copies, at $450$ GB/s." in LECTURE.text


def test_with_sending_three_times_as_long_the_row_leads():
    """Exercise 7 by hand, from the table: reading of 25.5 ms, sending of 21.6 and 22.8 ms, and 0.324 ms in the row."""
    values = {name: value.number for name, value in registry.find("pipelining/exercise").answer().values.items()}
    assert values["slow_spread"] == pytest.approx(25.52e-3 + 3 * 21.61e-3, rel=1e-3)
    assert values["slow_halves"] == pytest.approx(3 * 22.81e-3, rel=1e-3)
    assert values["slow_row"] == pytest.approx(62.1e-3 + 2 * 0.324e-3, rel=1e-3)
    assert values["slow_most"] == pytest.approx(2640 / 62.7e-3, rel=5e-3)
    assert values["slow_most"] > 1.2 * values["slow_halves_rate"] > 2340 / values["slow_spread"]


def test_mistakes_of_the_exercises_are_told_apart_from_the_answers():
    """Each own slip is kept beside those of its unit; none of them passes as right."""
    values = registry.find("pipelining/exercise").answer().values
    for name in re.findall(r"^exercise\.(\w+)", LECTURE.text, flags=re.M):
        told = likely(values[name].number, values[name].unit, values[name].slips)
        assert set(values[name].slips) <= set(told), name


def test_the_table_of_ways_follows_from_the_numbers_of_the_open_page():
    """684 GB, 26.8 TB/s, 144 MB a user and 16 of 61 layers; starts of 1.2 ms, and users even at 30 tokens/s."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    room, rate, user = 684.17e9, 26.8e12, 35_136 * 4096
    row, spread = found["copied_row_held"], found["copied_held"]
    assert 3 * row / rate == pytest.approx(found["copied_again"], rel=1e-3)
    assert spread / rate == pytest.approx(found["copied_held_read"], rel=1e-3)
    assert (room - spread) / user == pytest.approx(found["copied_fit"], abs=1)
    assert (room - row) / user / (4 * 16 / 61) == pytest.approx(found["copied_most"], abs=1)
    shorter = found["full_read"] + found["starts"] + 4096 / 16_000 * (found["copied_sent"] - found["starts"])
    far = registry.find("pipelining/ways").answer(context=16_000).values["spread"].number
    assert found["copied_fit"] * 4096 / 16_000 / shorter == pytest.approx(far, rel=1e-3)
    parts = ("full_read", "copied_again", "copied_inside", "copied_hops")
    assert sum(found[part] for part in parts) == pytest.approx(found["copied_token"], rel=1e-3)
    few = found["few"]
    one_by_one = found["starts"] + few * (found["copied_sent"] - found["starts"]) / found["copied_fit"]
    step = spread / rate + few * user / rate
    assert step + one_by_one == pytest.approx(step + spread / rate, rel=1e-3)
    assert 1 / (step + spread / rate) == pytest.approx(found["fast"], rel=1e-3)


def test_three_nodes_are_said_to_leave_too_little_for_copies_and_what_engines_keep():
    """With copies and 21 of 61 layers a chip of the first stage holds 85 GB of 85.5."""
    row = registry.find("pipelining/held").answer().values
    memory = 85.520809984e9
    assert 0.99 * memory < row["three_copied"].number < memory
    assert row["row_copied"].number < 0.9 * memory
    free = memory - 1e12 / 24 - row["even"].number
    assert abs(row["three_free"].number - free) < 1e-6 * free
    assert 0.9 * free < row["three_copied"].number - (memory - free) < free
    assert "Three nodes would leave too little for what engines copy and keep." in LECTURE.text
    assert "which would leave `#!value held.three_free` without them" in LECTURE.text


def test_the_row_of_the_table_decodes_least_even_without_its_sending_inside_nodes():
    """Each weight once and 2,048 users: 48.6 ms; with copies, 16 layers and as many as fit: 57.7 ms, or 62.1 ms."""
    once, spread = (registry.find(f"pipelining/{slug}").answer().values for slug in ("worked", "spread"))
    assert once["token"].number < 0.9 * spread["copied_between"].number
    assert "reads its weights four times a round: once as part of its full memory, three times more." in LECTURE.text
    assert spread["copied_between_row"].number < spread["copied_once"].number
    assert spread["copied_inside"].number > 10 * spread["copied_hops"].number
    assert "The row has most users and decodes least: it reads weights again for longer than the others" in LECTURE.text
    assert spread["copied_most"].number > spread["copied_fit"].number
    assert spread["copied_row_held"].number < spread["copied_held"].number
    sent = [spread[part].number for part in ("copied_sent", "copied_halves_sent")]
    assert spread["copied_inside"].number + spread["copied_hops"].number < min(sent)  # "sends little"
    assert max(sent) < spread["copied_again"].number
    assert "and a node decode `#!value spread.copied_between_row`, still least." in LECTURE.text
    third = spread["copied_experts"].number / 4 + 8 * spread["copied_rest"].number / 3
    assert spread["copied_row_held"].number == pytest.approx(third, rel=2e-3)
    assert "$16$ of $61$ layers, one without experts: a third of the copied weights, so" in LECTURE.text
    held = 1015 / 4 + 8 * 11.7 / 3
    assert "$1{,}015/4 + 8 \\times 11.7/3 = 285$ GB." in LECTURE.text
    assert round(held) == round(spread["copied_row_held"].number / 1e9) == 285
    assert "Spread: $1{,}015/4 + 8 \\times 11.7 = 347$ GB." in LECTURE.text
    assert round(1015 / 4 + 8 * 11.7) == round(spread["copied_held"].number / 1e9) == 347
    assert "all users' caches, $0.144$ GB each, so" in LECTURE.text
    assert round(35_136 * 4096 / 1e9, 3) == 0.144
    fit = (684 - 285) / (4 * 0.144 * 16 / 61)
    assert r"$(684 - 285)/(4 \times 0.144 \times 16/61) = 2{,}640$ a node fit." in LECTURE.text
    assert round(fit, -1) == round(spread["copied_most"].number, -1) == 2640


def test_sending_that_hides_is_held_against_published_times():
    """By hand: 292.4 tokens a chip, 60 layers; 428 us for 128 of them, or 3.6 copies at 58 and 57 GB/s."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    tokens = found["copied_fit"] / 8
    apart = 60 * tokens / 128 * (155e-6 + 273e-6)
    assert abs(found["timed_apart"] - apart) < 1e-9
    once = 60 * tokens * 4 * (1 - 0.75**8) * 7168 * (1 / 58e9 + 2 / 57e9)
    assert abs(found["timed_once"] - once) < 0.01 * once
    assert found["copied_sent"] < found["timed_once"] < 0.7 * found["copied_halves_read"]  # hidden
    assert found["timed_apart"] > 1.4 * found["copied_halves_read"]  # not hidden
    assert found["timed_rate"] < found["copied_row"] < found["apart_rate"]
    assert 60 * found["copied_most"] / 8 / 128 * (77e-6 + 114e-6) > 6 * found["copied_inside"]  # in a row, too
    inside = 200 / 450 * 60 * found["copied_most"] / 8 / 128 * (77e-6 + 114e-6)  # timed on links of 200 GB/s
    alike = found["copied_token"] - found["copied_inside"] + inside
    assert abs(found["timed_row"] - found["copied_most"] / alike) < 1e-6 * found["timed_row"]
    assert found["timed_row"] < found["timed_rate"]  # by the same kernels a row decodes less than halves
    assert found["timed_inside"] == pytest.approx(inside)
    assert found["timed_over"] == pytest.approx(found["copied_fit"] / (found["full_read"] + apart), rel=1e-3)
    assert found["timed_over"] < found["timed_row"]  # so it is one copy for each node that spread layers need
    said = "By published times of kernels that send a copy for each expert, halves decode `#!value spread.timed_rate`,"
    assert f"{said} a row at most `#!value spread.timed_row`, spread layers `#!value spread.timed_over`" in LECTURE.text
    slowed = "these kernels take `#!value spread.timed_inside`, where we count `#!value spread.copied_inside`."
    assert f"Inside a row's nodes {slowed}" in LECTURE.text
    ways = (("row", "row"), ("over", "once"), ("rate", "halves"))
    assert all(found[f"timed_{timed}"] < found[f"copied_{counted}"] for timed, counted in ways)  # "all decode less"
    assert not re.search("row[^.]*if your engine sends a copy for each expert", LECTURE.text)


def test_neutral_has_the_time_of_an_engine_beside_the_network():
    """48.3 ms, three hops of 83.4 us, and 3 ms for the ids."""
    found = {name: value.number for name, value in registry.find("pipelining/worked").answer().values.items()}
    assert abs(found["token_slow"] - (found["step"] + 3 * found["hop"] + 3e-3)) < 1e-4
    said = next(line for line in LECTURE.text.splitlines() if line.startswith("Pope calls this [neutral"))
    late = "If nothing hid that, our token would come three times as late."
    assert f"an engine took a tenth of a second to return ids. {late}" in said
    assert (found["token"] + 0.1) / found["token"] == pytest.approx(3, rel=0.05)
    assert "With three our token comes every `#!value worked.token_slow`" in LECTURE.text
    assert found["idle"] == pytest.approx(found["hops"] / found["token"])
    assert "between machines, `#!value worked.hops` in a round," in LECTURE.text
    assert "about a tenth of a second where the engine decodes with recorded graphs" in claim("C17").why


def test_halves_stand_beside_fewer_bits_in_what_is_to_be_remembered():
    takeaway = LECTURE.text.split('!!! abstract "Takeaway"')[1].split("???")[0]
    assert "if each node gets a token once and messages start quickly, spread layers decode more than a row" in takeaway
    assert "at `#!value worked.context` and near the links' full rate, if each node gets a token once" in takeaway
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    assert found["passed_short"] < 4096
    assert found["passed_slower"] < 0.9  # "near": even if what is passed on inside nodes waits
    assert "or nodes read prompts near full arithmetic. Without halves, time pairs." in takeaway


def test_steps_take_over_three_times_their_bound_and_ways_differ_by_less():
    """Rates of three ways differ by 1.4 at the shorter context and 1.6 at the longer."""
    assert registry.find("world/bound").answer().values["median"].number > 3
    values = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    far = [value.number for value in registry.find("pipelining/ways").answer(context=16_000).values.values()]
    for rates in ([values[way] for way in ("copied_row", "copied_once", "copied_halves")], far):
        assert max(rates) < 1.7 * min(rates)
    assert far[0] < far[2] < far[1]
    assert values["copied_row"] < values["copied_once"] < values["copied_halves"]
    assert values["copied_halves"] / values["copied_between_row"] == pytest.approx(4 / 3, rel=0.01)
    assert values["copied_apart"] == pytest.approx(values["copied_halves"] / values["copied_row"])
    said = next(line for line in LECTURE.text.splitlines() if line.startswith("The ways lie"))
    assert "took over `#!value world/bound.median` their bound. So the table says only what to time first." in said


def test_users_above_whom_halves_pay_are_not_said_to_be_a_dozen():
    """At the context above which halves do not pay full memories hold as many as make halves even, 1,348 a node."""
    values = registry.find("pipelining/spread").answer().values
    fit = values["copied_fit"].number * 4096 / values["long"].number
    assert abs(fit - values["few"].number) < 0.01 * fit
    assert fit > 100 * 12
    assert "no more than that" not in LECTURE.text


def test_rules_of_equal_users_are_not_given_for_full_memories():
    """A full row has 2,644 users and spread layers 2,339: even rates at 55 ms for as many, which is not 62 ms."""
    values = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    even = values["copied_fit"] / values["copied_row"]
    assert 1.12 * even < values["copied_token"] < 1.14 * even
    assert "further readings and its own sending" not in LECTURE.text
    assert "In the usual layout, in FP8, with equal numbers of users" in LECTURE.text


def test_a_schedule_without_gaps_is_said_to_want_steps_that_run_on():
    """In a step alone the last of four stages starts after three forward passes and works for 24: 3 of 27, as ZB-H1."""
    alone = timetable("zb-h2", 4, 8)
    assert alone.seconds == 3 + 24 == timetable("zb-h1", 4, 8).seconds
    for slug, words in (("schedule", "of the step between passes"), ("bubble", "step that runs on into the next")):
        figure = registry.find(f"pipelining/{slug}")
        assert words in figure.answer(schedule="zb-h2").finding
        assert words not in figure.answer(schedule="zb-h1").finding
    said = next(line for line in LECTURE.text.splitlines() if "training.zb_h1" in line)
    assert "a step alone takes as long as under ZB-H1. So it pays only if steps run on into each other." in said


def test_the_links_of_c16_are_those_of_the_rack_that_it_names():
    assert "Two racks of GB200, with links between them 18 times slower, slow the exchange 9×" in claim("C16").reason
    assert registry.find("pipelining/blackboard").answer().values["ratio_rack"].number == 18


def test_times_that_hold_for_one_format_or_one_kind_of_link_name_it():
    floor = next(line for line in LECTURE.text.splitlines() if line.startswith("A row keeps the *floor*"))
    assert "Kimi K2 in FP8" in floor
    assert "Halves hide all sending down to `#!value spread.hidden` of the links' rate." in LECTURE.text


def test_the_cache_of_the_example_has_its_bytes_where_it_first_stands():
    """The row of four rests on one byte a number: a cache of two does not fit beside the weights."""
    said = next(line for line in LECTURE.text.splitlines() if "`#!value worked.each` for each token" in line)
    assert "one byte a number" in said
    assert "two bytes a number in the cache" in LECTURE.text
    values = registry.find("pipelining/held").answer().values
    assert values["row_wide"].number > registry.find("pipelining/exercise").answer().values["design_chip"].number


def test_what_llama_sent_is_not_said_to_be_what_8_asks():
    """The run kept what it gathered; chips that only shard gather two bytes backwards and sum four; (8) has four."""
    values = registry.find("pipelining/training").answer().values
    assert round(values["fsdp_wide"].number / values["fsdp_reached"].number, 3) == (2 + 4) / (2 * 2)
    said = [line for line in LECTURE.text.splitlines() if "training.fsdp_wide" in line]
    assert len(said) == 2
    assert not any(re.search(r"\(8\) asks[^.]*fsdp_wide", line) for line in said)
    assert "keep the gathered weights for the way back" in LECTURE.text
    assert (
        "would send six backwards: two of weights, gathered again, and four of a gradient, as this run summed"
        in said[0]
    )


def test_chunks_divide_a_stage_s_wait_and_not_its_share_of_the_step():
    """Four stages, eight micro-batches, two chunks: half of nine units beside 24 are 15.8%, half of 27.3% is 13.6%."""
    once, halved = bubble_share("1f1b", 4, 8), bubble_share("interleaved", 4, 8, 2)
    assert halved / (1 - halved) == pytest.approx(once / (1 - once) / 2)
    assert halved > once / 2
    backs = [card["back"] for card in LECTURE.cards if "J thin chunks" in card["back"]]
    assert len(backs) == 1
    assert "it waits 1/J as long as under 1F1B" in backs[0]
    assert "bubble" not in backs[0]


def test_a_row_is_ahead_where_its_nodes_read_prompts_and_arithmetic_is_quick():
    """By hand: 61 GFLOP and attention at 15.8 PFLOP/s; 3 (1 - 0.75^8) copies of 21.5 kB over eight links, 60 times."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    work = (61.0e9 + 2 * 5.12e9) / 15.83e15  # 5.12 GFLOP of attention, in BF16 half as fast
    sent = 60 * 3 * (1 - 0.75**8) * 7168 * 3 / 400e9
    handed = found["copied_inside"] / found["copied_most"]
    written = 1 / found["copied_row"] - 1 / found["copied_halves"]
    assert found["prompt_even"] == pytest.approx(written / (sent - work - handed), rel=0.1)
    assert found["prompt_rate"] == pytest.approx(work / (sent - handed), rel=0.05)
    assert 1.9 < found["prompt_both"] < found["prompt_even"] < 2.9
    assert found["prompt_both"] == pytest.approx(4096 / found["short"] - 1, rel=0.01)  # users and prompts send alike
    parts = found["prompt_sent"] - found["prompt_work"] - found["prompt_handed"]
    assert found["prompt_even"] == pytest.approx(found["prompt_written"] / parts)
    assert found["copied_once"] < found["pairs"] < found["copied_halves"]  # ways mix, so the three are not all
    assert "each of two nodes that share its experts) decode `#!value spread.pairs` a node unhidden." in LECTURE.text
    assert "of arithmetic (attention in BF16) and" in LECTURE.text


def test_a_row_gives_no_token_before_its_stages_have_read_their_weights():
    """Four slots of 285 GB at 26.8 TB/s."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    assert found["copied_floor"] == pytest.approx(4 * found["copied_row_held"] / 26.8e12, rel=1e-3)
    assert found["copied_floor"] > found["copied_halves_read"]
    assert "no token comes within `#!value spread.copied_floor`, the time of reading its weights." in LECTURE.text


def test_on_eight_nodes_a_row_beats_spread_layers_and_not_halves():
    """So what four nodes show is said of four."""
    where = Scenario.named("kimi-k2", "hgx-h100", "fp8")
    stored = stored_weights(where.setting, 64)
    fit = int(largest_micro_batch(where, 4096, 8, stored))
    once, halves = (fit / spread_step(where, fit, True, parts, 8, stored) for parts in (1, 2))
    assert once < full_row(where, where.setting, 8).rate < halves
    assert "On eight nodes a token has more copies: a row beats spread layers, not halves." in LECTURE.text


def test_1f1b_and_gpipe_are_said_to_wait_as_long_only_if_hops_take_no_time():
    """Twice three hops fill and empty GPipe's row: 33.6 for 24 of work. Under 1F1B they come again."""
    values = registry.find("pipelining/training").answer().values
    assert values["hop_gpipe"].number == pytest.approx(1 - 24 / 33.6)
    assert values["hop_1f1b"].number > values["hop_gpipe"].number > values["p4_m8"].number
    assert "If hops take no time, stages wait as long" in LECTURE.text
    assert "if hops take no time" in next(card["back"] for card in LECTURE.cards if "over GPipe" in card["front"])
    assert "If hops take no time, a 1F1B schedule waits as long as GPipe" in claim("C9").why
    assert LECTURE.text.count("waits for at least") == 2  # the box and the takeaway


def test_a_busy_row_with_slow_hops_holds_more_cache():
    """A GB200 rack steps in 2.2 ms; ids that take three want ten micro-batches on four stages, not four."""
    where = Scenario.named("kimi-k2", "gb200-nvl72", "fp8")
    step = step_alone(where, 2048, 4096)
    assert micro_batches_to_fill(step, 4, hop(where, 2048, 10e-6), 3e-3) == 10
    assert "only with two micro-batches (more if hops are slow)" in LECTURE.text
    assert "a chip of a busy row holds no less cache" in LECTURE.text


def test_two_nodes_gain_more_from_four_bits_than_four():
    where = Scenario.named("kimi-k2", "hgx-h100", "fp8")
    two, four = (full_row(where, published(where), n).rate / full_row(where, where.setting, n).rate for n in (2, 4))
    assert two > 1.5 * four > 1.5


def test_unequal_stages_are_later_than_one_node_and_by_less_than_3():
    """Four times the longest slot beside the step, and beside the step with its hops, which fit into the waits."""
    uneven, once = (registry.find(f"pipelining/{slug}").answer().values for slug in ("uneven", "worked"))
    later, hops = uneven["later"].number, once["hops"].number / once["step"].number
    assert 0 < (1 + later) / (1 + hops) - 1 < 0.7 * later
    assert "`#!value uneven.later` later than on one node" in LECTURE.text


def test_throughput_of_stages_is_held_against_throughput():
    """A row of one request waits by (1): it says nothing of many, for which NVIDIA's rows were set up."""
    said = next(line for line in LECTURE.text.splitlines() if "On eight H20" in line)
    assert "with many requests" in said
    assert re.findall(r"decoding-rows\.(\w+)`", said) == ["over_many_low", "over_many_high"]


def test_guesses_at_the_first_figure_are_answered_as_it_answers_them():
    """Two of four slots are filled; six queue, and four keep all nodes busy."""
    figure = registry.find("pipelining/decode")
    found = {micro: figure.answer(micro=micro).values for micro in (1, 2, 4, 6)}
    assert [found[micro]["idle"].number for micro in found] == pytest.approx([0.75, 0.5, 0, 0])
    assert [found[micro]["token"].number for micro in found] == pytest.approx([1, 1, 1, 1.5])
    assert found[6]["rate"].number == pytest.approx(found[4]["rate"].number)  # so six decode no more
    said = next(line for line in LECTURE.text.splitlines() if line.startswith("Press *one micro-batch alone*"))
    assert "Each fills a quarter of a node's time: one leaves three quarters, two leave two." in said
    assert "each comes round in one and a half steps." in said


def test_slow_links_are_said_to_lose_in_lecture_2_for_what_a_second_rack_saved():
    plans = {name: value.number for name, value in registry.find("moe/ours").answer().values.items()}
    one = plans["half_experts"] / 2
    assert one - plans["two_experts"] == pytest.approx(plans["two_experts"], rel=0.01)  # as much as two racks read
    inside = registry.find("moe/worked").answer().values["step_inside"].number
    assert plans["two_exchange"] - inside > 4 * (one - plans["two_experts"])
    spread = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    assert spread["copied_sent"] < spread["copied_again"]
    assert spread["timed_over"] < spread["timed_row"] < spread["timed_rate"]  # with a copy for each expert, as there


def test_ways_keep_their_order_up_to_starts_of_75_microseconds_and_halves_lead_beyond():
    """Sixty layers start twice, halves four times; a row's own starts inside nodes are left out."""
    found = {name: value.number for name, value in registry.find("pipelining/spread").answer().values.items()}
    timed = {name: value.number for name, value in registry.find("world/exchange-starts").answer().values.items()}

    def rates(start: float) -> tuple[float, float]:
        once = found["copied_over"] - found["starts"] + 120 * start
        halves = max(found["copied_halves_read"], found["copied_sent"] - found["starts"] + 240 * start)
        return found["copied_fit"] / once, found["copied_fit"] / halves

    row = found["copied_row"]
    assert rates(timed["spread_even"])[0] == pytest.approx(row, rel=1e-3)
    assert rates(10e-6)[0] == pytest.approx(found["copied_once"], rel=1e-3)
    assert found["copied_fit"] / timed["spread"] == pytest.approx(rates(timed["hopper_4"])[0], rel=1e-3)
    assert rates(timed["hopper_4"])[0] > row > rates(timed["relayed"])[0]
    assert all(rates(start)[1] > 1.1 * row for start in (timed["hopper_4"], timed["relayed"], 122e-6))
    assert "a token once and messages start quickly," in LECTURE.text
