"""The particulars of lecture 4; what all lectures must be is in test_every.py."""

from __future__ import annotations

import re
from datetime import date

import pytest

from calc.figure import registry
from calc.world.against import points
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name
    r"Llama (3(\.1)? \d+B|4 Scout)|Gemini 1\.5 Pro|DeepSeek-V(4\.1-Flash|3(\.2)?)|of V3\.2|V3's|V4-Pro|Qwen3-235B-A22B|"
    r"Kimi K2|Qwen3\.5-397B-A17B|"
    r"GLM-(4\.(5|7-Flash)|5\.[12])|gpt-oss-120b|TPU v\d\w?|TPU7x|GPT-4|GB[23]00|[HAB][128]00|FP[48]|BF16|"
    r"\b72 (?=G[BP])|from eight to 72 to about 500|"
    r"[Ll]ecture \d|Exercise \d|\(\d+\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|on 72 "
)
STARTED = (("memory_wall/domains", "kernel"), ("moe/spans", "slow"))  # a message, as counted and as timed
BOTH = ("both", "both_again")  # users of a rack that takes prompts in and writes, by what of a prompt is new
LECTURE = Lecture(
    chapter="memory_wall",
    number=4,
    claims="memory_wall",
    covers=((44 * 60, 75 * 60), (95 * 60, 119 * 60)),
    drawn={"floor", "largest", "fit", "bar", "kv", "attended", "latent", "reuse", "sparse", "road", "length"},
    suggestions=3,
    small={"1", "2"},  # in formulas
    names=NAMES,
)


def test_what_is_a_rumour_or_unconfirmed_is_called_so():
    """The rumoured size and the causes stand only beside a word that says what they are."""
    paragraphs = re.split(r"\n\n+", LECTURE.text)
    for value, words in (("sizes.rumour", "rumour"), ("v4_cache", "claim")):
        places = [place for place, text in enumerate(paragraphs) if f"#!value {value}" in text or f".{value}" in text]
        assert places
        assert all(words in " ".join(paragraphs[max(0, place - 1) : place + 1]) for place in places), value
    assert "The historical cause is unconfirmed." in LECTURE.text


def test_what_a_sentence_to_remember_takes_for_granted_stands_in_it():
    """A bound of users takes one token a step, and a cache for each; a takeaway has the number to plan with."""
    bounded = next(line for line in LECTURE.text.splitlines() if "no rack serves more than the bound" in line)
    assert "With a token a step and a cache for each user" in bounded
    takeaway = LECTURE.text.split('!!! abstract "Takeaway"')[1].split("\n## ")[0]
    assert "context, time decides: kernels take half the planned step. Our rack" in takeaway
    assert "Our rack serves `#!value thread.users` by the bound" in takeaway
    assert "three users a chip if contexts are equal, attention" in takeaway
    assert "by a hardly tested forecast" in takeaway
    assert "in FP8 and messages start as fast as forecast." in takeaway
    assert "If one condition fails, plan with at most two; if two, at most one." in takeaway
    assert "four users need about five GB200 at their measured use, three if none waits." in takeaway
    assert "with thousand-token answers and no pause" in takeaway
    kept = "If nine tenths are kept from the last turn and the rest is read as fast"
    enough = f"{kept}, one chip is enough: the rack serves `#!value world/long-contexts.again_safe`."
    assert enough in takeaway, "by the standard of the plan"
    assert "One rack for both, so used, serves `#!value world/long-contexts.both_safe` users." in takeaway
    assert "if nothing is copied, twice as many chips read the model in half the time" in LECTURE.text
    assert "more chips do only if each then holds less of the weights" in LECTURE.text
    lone = registry.find("memory_wall/lone").answer().values
    assert lone["copied_slow"].number / lone["copied_longest"].number == pytest.approx(0.5, abs=0.03)
    assert "lone.copied_longest` by forecast, half in a slow run" in takeaway
    assert "longest_slow" not in takeaway, "a range from runs of at most 9,000 tokens"
    stages = next(line for line in LECTURE.text.splitlines() if "More stages add room and throughput" in line)
    assert "at the same micro-batch they add no speed" in stages
    opening = LECTURE.text.split("```figure")[0]
    assert "users (answers being written)" in opening, "by Little's law a customer is less than one"
    assert "If each chip reads its own part, eight H100 need" in opening
    assert "72 GPUs, each called a GB200 here" in LECTURE.text, "a GB200 is two of them in its maker's words"
    case = next(line for line in LECTURE.text.splitlines() if line.startswith("**One case"))
    assert "They write answers; other chips take prompts in." in case
    assert "a plan for far fewer." in case
    assert "*Add chips for prompts*" in takeaway


def test_one_picture_goes_from_the_bound_to_the_number_to_plan_with():
    whole = LECTURE.text.split("### What we expect")[1].split("\n### ")[0]
    section = whole.split("\n??? note")[0]
    assert len(re.findall(r"^\| --- ", section, re.MULTILINE)) == 2, "parts, and what would change the plan"
    assert section.count("**Plan with ") == 1
    assert "in FP8" in section
    assert "Attention in BF16" in whole
    assert section.index("```figure\nbar\n") < section.index("**Plan with three"), "from the bound to the plan"
    bar = registry.find("memory_wall/bar").answer()
    assert bar.values["plan"].number == 4
    assert [round(each) for each in bar.tables["bars"]["chip"][2:]] == [8, 4]
    shares = [users / bar.tables["bars"]["rack"][0] for users in bar.tables["bars"]["rack"][1:]]
    assert shares == pytest.approx([1 / 4, 1 / 5, 1 / 10], rel=0.08)
    assert section.index("`#!value ladder.chip`: eight") < section.index("Guess what it leaves: six users, or four?")
    assert "*all work* keeps about a quarter of the bound, the *forecast* a fifth (" in section
    assert section.rindex("try: ") == section.index("try: 40 tokens/s | pace=40"), "the last button"
    assert registry.find("memory_wall/bar").answer(pace=50 / 1.25).values["plan"].number == 7 > 1.25 * 4
    assert "A quarter more time brings seven users, not five, since" in section
    slow_end, ladder = (registry.find(f"memory_wall/{slug}").answer().values for slug in ("slow_end", "ladder"))
    longer, fixed, user = (each.number for each in (slow_end["longer_left"], ladder["fixed"], ladder["each_at_rates"]))
    assert longer == pytest.approx(0.025 / 1.311 - fixed, rel=1e-3)
    assert longer // user == 7
    assert longer / ladder["late_left"].number == pytest.approx(2, abs=0.1), "nearly double"
    plan = next(line for line in section.splitlines() if "**Plan " in line)
    assert "Nine in ten of the measured runs took at most" in section
    assert "add [chips for prompts](#where-the-model-stops-being-true)" in plan
    assert "and four fit only up to `#!value slow_end.four`." in section
    assert "about half of such redraws put it higher, one in twenty above `#!value slow_end.safe`." in section
    assert "a step of `#!value slow_end.safe_step`, which leaves `#!value slow_end.safe_left`, time for" in plan
    assert "*Contexts are equal.* If not, all chips wait for the fullest." in section, "all users have one context here"
    assert "one run in ten was slower, and breaks our promise" in whole
    kernel, start = (registry.find(slug).answer().values[name].number for slug, name in STARTED)
    assert kernel / start == pytest.approx(1 / 5, abs=0.01)
    assert "Our forecast counts a kernel for each, `#!value domains.kernel`; the rest is extra." in section
    assert slow_end["more"].number == pytest.approx(116 * (start - kernel), rel=1e-6)
    assert "each new user sent to the emptiest chip" in section, "by chance three a chip do not outlast a slow run"
    assert "a slow run still has time for eleven a chip" in whole, "the forecast has sixteen"
    assert "so tokens come in bursts" in whole
    assert "Two runs near our case kept within the slow end, but with experts in FP4" in section
    run = registry.find("world/long-contexts").answer().values
    assert max(run[f"{chip}_over_high"].number for chip in ("gb200", "gb300")) < 1.311
    assert "so it took `#!value world/long-contexts.gb200_over_high` to" in whole, "its report has a range of speeds"
    for condition in (
        "*Attention multiplies in FP8.*",
        "*Contexts are equal.*",
        "*Messages start as fast as forecast.*",
    ):
        assert section.index("**Plan with") < section.index(condition) < section.index("| users of a chip |")
    assert "So $m$ is `#!value published.guess_kept`, and a slow run has time for nine a chip." in whole
    assert "The report's five without guesses were" in whole
    gains = {name: each.number for name, each in registry.find("world/guesses").answer().values.items()}
    assert gains["few_gain"] > gains["forecast_few"]
    assert gains["many_gain"] < gains["forecast_many"]
    assert "were more than forecast with few users, less with many" in whole
    assert "took up to `#!value world/long-contexts.gb200_longer_high` a forecast that overlaps: so slow," in whole
    rows = (
        "| time for them | `#!value ladder.late_left` | `#!value slow_end.safe_left` |",
        "| all three hold: ÷ `#!value ladder.each_at_rates` | `#!value ladder.late_chip`: four | "
        "`#!value slow_end.safe_chip`: three |",
        "| attention in BF16: ÷ `#!value plan.wide_each` | `#!value slow_end.wide_late`: two | "
        "`#!value slow_end.wide_safe`: two |",
        "| contexts spread by three tenths | `#!value ladder.late_chip`: two | `#!value slow_end.safe_chip`: two |",
        "| by six tenths | two | one |",
        "| starts as timed alone: less `#!value slow_end.more` first | `#!value slow_end.more_late`: one | "
        "`#!value slow_end.more_safe`: none |",
    )
    assert "\n".join(rows) in section
    assert "in BF16 reached, three have time at the slow end" in whole
    where = LECTURE.text.split("## Where the model stops being true")[1].split("\n## ")[0]
    assert "waits for prompts counted" in where
    assert "a chip that writes to four users needs so many others" in where
    assert "prompts come unevenly, so chips do." in where
    for users in BOTH:
        both = f"long-contexts.{users}_low` to `#!value world/long-contexts.{users}_high`"
        assert both in where, "chips used as measured"
    assert "a chip has six users by the forecast, and one at its slow end" in LECTURE.text, (
        "starts as timed would partly count twice"
    )
    runs = [point.row for point in points()]
    assert sum(row.chips > 1 for row in runs) > 0.8 * len(runs), "two messages a layer are among their kernels"
    assert "since the fitted time of a kernel contains some of it; how much is unknown" in LECTURE.text
    road = LECTURE.text.split("### The road to a hundred million")[1].split("\n??? note")[0]
    assert "No run that we know has a context nearly so long" in road, "beside the range"
    assert "the busiest chip reads, we suppose, just one expert a layer, too, of its four" in road, "the least"
    assert "So the bound keeps our promise at a hundred million tokens, and the forecast" in road
    for sums in ("cache_read", "copied_weights", "copied", "copied_longest"):
        assert f"lone.{sums}`" in road, "this lecture's chips have copies"


def test_the_note_on_measured_runs_says_which_they_are():
    note = next(line for line in LECTURE.text.splitlines() if line.startswith("[^runs]:"))
    runs = [point.row for point in points()]
    assert {row.engine for row in runs} == {"trtllm", "vllm", "sglang"}
    assert len({row.model for row in runs}) == 10
    assert "Ten open models" in note
    dates = [row.date for row in runs if row.date]
    assert date(2025, 10, 1) <= min(dates) < date(2025, 11, 1)
    assert date(2026, 4, 1) <= max(dates) < date(2026, 5, 1)
    assert "from October 2025 to April 2026" in note
    for chips, share in ((1, 1 / 9), (8, 1 / 3)):
        assert sum(row.chips == chips for row in runs) / len(runs) == pytest.approx(share, rel=0.06)


def test_a_card_has_the_forecast_of_a_lone_token_as_the_lecture_has_it():
    """With copies, as usual: 23.9 ms, and 21.3 without them, 2.6 times the 8.29 at a million."""
    back = next(card["back"] for card in LECTURE.cards if "{memory_wall/lone.step}" in card["back"])
    assert "{memory_wall/lone.copied} by the forecast, or {memory_wall/lone.step} without copies" in back
    found = registry.find("memory_wall/lone").answer().values
    assert found["step"].number < found["copied"].number
    assert found["step_times"].number == pytest.approx(found["step"].number / found["near_step"].number)
    assert "Without copies a lone token takes `#!value lone.near_step` at a million" in LECTURE.text
