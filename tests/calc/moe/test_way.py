"""A request on a clock: reading, handing over and writing follow each other and add up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from calc.batching.figures.setting import laid_out
from calc.figure import registry
from calc.moe.figures.way import HAND, LEAST, PIECES, READ, WAY, WRITE
from calc.setting import Scenario
from calc.step import all_to_all_rate, decode

CASES = [{}, {"prompt": 100_000, "cached": 0, "answer": 20}, {"answer": 1}, {"model": "llama-3-70b", "batch": 64}]


@pytest.mark.parametrize("inputs", CASES)
def test_one_thing_follows_the_other(inputs) -> None:
    found = WAY.answer(**inputs)
    bars = found.tables["bars"]
    spans = list(zip(bars["lane"], bars["from"], bars["to"], strict=True))
    assert [lane for lane, _, _ in spans[:2]] == [READ, HAND]
    assert {lane for lane, _, _ in spans[2:]} == ({WRITE} if inputs.get("answer", 2) > 1 else set())
    assert spans[0][1] == 0
    assert all(before[2] == pytest.approx(after[1]) for before, after in pairwise(spans))


@pytest.mark.parametrize("inputs", CASES)
def test_the_times_are_those_of_the_fleet_and_add_up(inputs) -> None:
    found, fleet = (registry.find(name).answer(**inputs).values for name in ("moe/way", "moe/fleet"))
    lanes = WAY.answer(**inputs).tables["lanes"]
    answer = inputs.get("answer", 1024)
    assert found["token"].number == fleet["tpot"].number
    assert lanes["to"][0] == fleet["ttft"].number
    read, over, token = (float(each) for each in (fleet["ttft"].number, found["over"].number, found["token"].number))
    assert float(found["first"].number) == read
    assert float(found["second"].number) == pytest.approx(read + over + (answer > 1) * token)
    assert float(found["whole"].number) == pytest.approx(read + over + (answer - 1) * token)
    assert (over > 0) == (answer > 1)
    assert found["busy_read"].number == pytest.approx(fleet["request_read"].number)
    assert found["busy_write"].number == pytest.approx(fleet["request_written"].number)


def test_the_whole_cache_of_the_prompt_is_handed_over() -> None:
    each = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8").kv_bytes_per_token
    assert WAY.answer(prompt=5000).values["carried"].number == 5000 * each
    assert WAY.answer(prompt=5000, cached=90).values["carried"].number == 5000 * each


def test_times_at_full_rates_are_said_to_be_the_best() -> None:
    assert WAY.answer().finding.startswith("At best the first token comes after")


def test_a_clock_that_stops_early_says_so() -> None:
    long, short = WAY.answer(answer=5000), WAY.answer(answer=3)
    assert any("stops before" in note for note in long.notes)
    assert not any("stops before" in note for note in short.notes)
    assert len(short.tables["bars"]["lane"]) == 2 + 2
    assert 2 + LEAST <= len(long.tables["bars"]["lane"]) <= 2 + PIECES


def test_without_a_link_out_the_cache_goes_over_the_links_within() -> None:
    found = WAY.answer(system="tpu-v5e-pod")
    assert any("links within" in note for note in found.notes)
    pod = laid_out("deepseek-v3", "tpu-v5e-pod", "fp8", "usual")
    rate = all_to_all_rate(pod.machine, pod.layout.chips) * pod.layout.chips / pod.layout.data
    assert rate < pod.machine.scale_up * pod.layout.chips / pod.layout.data / 2
    assert found.values["over"].number == pytest.approx(found.values["carried"].number / rate)
    assert float(found.values["over"].number) > 0


def test_a_written_token_is_a_step_at_the_mean_context_and_its_starts():
    found = WAY.answer(prompt=4000, answer=500).values
    assert found["context"].number == 4250
    usual = laid_out("deepseek-v3", "gb200-nvl72", "fp8", "usual")
    starts = 116 * 25.6e-6
    assert found["token"].number == pytest.approx(float(decode(usual, 2048, 4250).in_turn_seconds) + starts)


@pytest.mark.parametrize("inputs", [{"system": "hgx-h100"}, {"batch": "1M"}])
@pytest.mark.parametrize(("name", "plainly"), [("moe/way", "comes after"), ("moe/fleet", "of the chips read prompts")])
def test_what_does_not_fit_is_said_in_the_title(name, plainly, inputs) -> None:
    """Attention whole on each of eight H100 exceeds them by its weights; a million sequences a rack by its caches."""
    fits, crowded = registry.find(name).answer(), registry.find(name).answer(**inputs)
    assert crowded.finding.startswith("This does not fit; if it did, ")
    assert "of a chip" in crowded.notes[0]
    assert plainly in fits.finding
    assert plainly not in crowded.finding
    assert not any("of a chip and" in note or "exceed" in note for note in fits.notes)
