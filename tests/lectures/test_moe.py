"""The particulars of lecture 2; what all lectures must be is in test_every.py."""

from __future__ import annotations

import numpy as np

from calc.figure import registry
from calc.figure.inputs import SCENARIO
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name, of a formula, or of what somebody said or measured
    r"GB\d00|[HB]\d00|DeepSeek-(?:V3|R1)|"
    r"Qwen3-235B-A22B|Kimi K[23]|Llama 3 70B|MI308X|GLM-5\.2|FP[48]|BF16|\bV3 and R1|NVLink( 5| 4)?|NVL72|"
    r"TPU v7|every GPU has a link to each of 18 switch|"
    r"[Ee]xercise \d|[Ll]ecture \d|\(\d\)|\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|"
    r"for 64 times|[Ii]t is 64 experts|worth 64 times|"
    r"it is 64 \*experts\*|64 times the parameters|day 6|64 experts|1 / 4|“64 times total"
)
LECTURE = Lecture(
    chapter="moe",
    number=2,
    claims="moe",
    covers=((29 * 60 + 53, 47 * 60 + 12),),
    drawn={
        "rack",
        "slices",
        "awake",
        "travel",
        "exchange",
        "racks",
        "gain",
        "stops",
        "speed",
        "measured",
        "timed",
        "sizes",
        "sums",
        "layouts",
        "chips",
        "fleet",
        "way",
    },
    suggestions=4,
    small={"1", "2", "3"},  # in formulas
    names=NAMES,
    moving=frozenset({"batches", "rack", "way"}),
)


def test_the_symbols_are_those_of_the_scenario():
    assert {"batch", "tokens", "experts"} <= {value for slug, value in LECTURE.quoted if slug == "setting"}
    assert {given.name for given in registry.find("moe/setting").inputs} <= set(SCENARIO)


def test_with_favourites_too_some_chip_of_a_rack_has_all_its_experts_awake():
    """32 tokens, 256 experts dealt out four to a chip: even choices, and choices by Zipf's law."""
    luck, chips = np.random.default_rng(1), np.arange(256) // 4
    for liked, least in ((np.ones(256), 0.99), (1 / np.arange(1, 257), 0.75)):
        scores = np.log(liked) + luck.gumbel(size=(400, 32, 256))
        woken = [np.unique(np.argsort(-throw, axis=1)[:, :8]) for throw in scores]
        dealt = [luck.permutation(chips) for _ in woken]
        full = [np.bincount(chip[awake]).max() == 4 for chip, awake in zip(dealt, woken, strict=True)]
        assert np.mean(full) > least


def test_a_card_counts_its_batches_by_one_rule():
    asked = [card["back"] for card in LECTURE.cards if "{moe/batches.outlasts}" in card["back"]]
    assert asked
    assert all("moe/exchange" not in back for back in asked)


def test_over_two_gb200_racks_one_batch_gains_less_than_a_fifth():
    """As the lab says of links that hide what they can: a step of its reading, or of its exchange if that is longer."""
    found = {name: each.number for name, each in registry.find("moe/overlap").answer().values.items()}
    reading = found["weights"] + found["cache"]
    assert 1.15 < reading / max(reading / 2, found["exchange"] / 2 * 9) < 1.2
    assert "less than a fifth" in LECTURE.lab
