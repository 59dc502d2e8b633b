"""The particulars of lecture 7; what all lectures must be is in test_every.py."""

from __future__ import annotations

from calc.figure import registry
from calc.ledger.claims import claims
from tests.lectures.reading import Lecture

NAMES = (  # figures that are part of a name or of a published count
    r"Llama 3(\.1)? \d+B|GPT-2|\b(32|64)[ -]bits?\b|\b16 bits\b|bfloat16|GB200|in 16\b|"
    r"(16|34) bytes|"
    r"PCIe 5\.0|H[12]00|DeepSeek-V4|CHES|RevNet|[Ll]ecture \d|[Ee]xercise \d|\(\d+\)|"
    r"\*\*\d\.\*\*|\d:\d\d:\d\d|\b(19|20)\d\d\b|lecture: 7"
)
LECTURE = Lecture(
    chapter="reversible",
    number=7,
    claims="F",
    covers=((2 * 3600 + 4 * 60 + 2, 2 * 3600 + 20 * 60),),
    drawn={"round", "cipher", "trail", "mirror", "rounding", "held", "memory", "training", "budget", "differences"},
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


def test_claims_stand_in_the_order_of_the_recording():
    """Differences, then new ciphers and Feistel's construction, which leads to RevNets, their use and the cache."""
    minutes = [claims()[name].at.lstrip("~")[:5] for name in ("F10", "F6", "F7", "F1", "F2", "F3", "F4", "F5")]
    assert minutes[:4] == sorted(set(minutes[:4]))
    assert minutes == sorted(minutes)


def test_copies_beside_the_arithmetic_lengthen_a_step_by_what_the_lecture_says_at_most():
    found = registry.find("world/offloaded").answer().values
    longest = max(found[f"{which}_longer"].number for which in ("short", "middle", "long"))
    assert found["middle_longer"].number == longest > 1.02  # that of DeepSpeed's makers, whom the page cites
