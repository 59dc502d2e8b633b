"""The particulars of lecture 3; what all lectures must be is in test_every.py."""

from __future__ import annotations

import re

from calc.figure import registry
from calc.figure.inputs import SCENARIO
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
    covers=((47 * 60 + 12, 63 * 60 + 37), (66 * 60, 66 * 60), (70 * 60 + 8, 70 * 60 + 8)),
    drawn={"decode", "boundary", "latency", "memory", "schedule", "bubble", "price"},
    suggestions=4,
    small={"1", "2,000"},  # in formulas, and the tokens that a card asks about
    names=NAMES,
)


def test_the_symbols_are_those_of_the_scenario():
    assert {"batch", "context", "layers"} <= {value for slug, value in LECTURE.quoted if slug == "setting"}
    assert {given.name for given in registry.find("pipelining/setting").inputs} <= set(SCENARIO)


def test_at_the_rate_that_llama_reached_links_take_nearly_as_long_as_arithmetic():
    over = registry.find("pipelining/training").answer().values["fsdp_over"].number
    busy = registry.find("overtraining/reported").answer().values["llama_3_405b_busy"].number
    assert 0.75 < over * busy < 1


def test_a_note_names_its_source_by_itself():
    assert "next note" not in LECTURE.text


def test_a_guess_that_a_slip_explains_is_not_right():
    within = float(re.findall(r"exercise\.hop_most \|.*within ([\d.]+)", LECTURE.text)[0])
    slips = registry.find("pipelining/exercise").answer().values["hop_most"].slips
    assert slips
    assert all(slip.factor > within for slip in slips)
