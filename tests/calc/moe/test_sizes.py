"""Half a rack, one and two in parts, and a message round a ring: the pictures against what they are counted from."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import measurements
from calc.moe.figures.in_parts import over_racks
from calc.moe.figures.sizes import PARTS, SIZES
from calc.setting import Machine
from calc.step import all_to_all_rate
from tests.calc.figure import asking

RACKS = ("gb200-nvl72", "gb300-nvl72")
answer, number = asking.of("moe")


def test_the_bars_are_the_steps_that_the_text_quotes() -> None:
    quoted = asking.standing("moe/spans").values
    bars = answer("sizes").tables["bars"]
    names = [f"{key}{at}_step" for at in ("", "_slow") for key in ("half", "one", "two")]
    assert bars["total"] == pytest.approx([quoted[name].number for name in names])
    assert np.sum([bars[part] for part in PARTS], axis=0) == pytest.approx(bars["total"])
    for key in ("half", "two"):
        assert number("sizes", f"{key}_less_slow") == pytest.approx(quoted[f"{key}_slow"].number)


def test_half_a_rack_reads_twice_the_experts_and_two_racks_start_twice() -> None:
    bars = answer("sizes").tables["bars"]
    half, one, two = (np.array([bars[part][place] for part in PARTS]) for place in range(len(SIZES)))
    assert (half[0] / one[0], one[0] / two[0]) == pytest.approx((2, 2), rel=0.1)
    assert half[1] == pytest.approx(one[1]) == pytest.approx(two[1])
    assert two[3] == pytest.approx(2 * one[3]) == pytest.approx(2 * half[3])
    assert half[2] < one[2] < two[2]


def test_with_many_tokens_half_a_rack_is_enough_however_long_a_start_is() -> None:
    assert answer("sizes").finding.startswith("One rack has the shortest step: 4.9 ms")
    many = answer("sizes", batch=40_000)
    assert many.finding.startswith("Half a rack has")
    assert many.values["experts_more"].number == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("batch", [72 * 340, 72 * 380])
def test_half_a_rack_catches_up_at_the_tokens_that_the_text_says(batch: int) -> None:
    even = asking.standing("moe/spans").values["half_even"].number
    assert (number("sizes", "half_longer", batch=batch) > 0) == (batch / 72 < even)


def test_a_start_as_long_as_the_timed_one_has_a_row_of_its_own() -> None:
    start = asking.standing("moe/spans").values["slow"].number * 1e6
    rows = answer("sizes", startup=start).tables["bars"]["row"]
    assert len(set(rows)) == 6


def test_a_ring_gives_an_all_to_all_what_the_step_counts_for_it() -> None:
    pod = Machine.published("tpu-v7-pod")
    for chips, ring in ((64, 4), (512, 8)):  # cubes: three rings, a third of the links each
        share = float(all_to_all_rate(pod, chips)) * chips / (chips - 1) / (pod.scale_up / 3)
        hops = answer("switch", around=ring).tables["receivers"]["hops"]
        assert share == pytest.approx(ring / sum(hops))
        assert number("switch", "rate", around=ring) == pytest.approx((ring - 1) / sum(hops))


@pytest.mark.parametrize(("around", "to", "hops"), [(8, 5, 4), (8, 2, 1), (8, 7, 2), (16, 9, 8), (4, 16, 1), (5, 4, 2)])
def test_a_message_takes_the_shorter_way_round(around: int, to: int, hops: int) -> None:
    found = answer("switch", around=around, to=to)
    assert found.values["hops"].number == hops
    assert len(found.tables["way"]["x"]) == hops + 2
    assert sum(found.tables["chips"]["met"]) == hops + 3


def test_the_busiest_chip_is_its_placement_and_its_luck() -> None:
    for inputs in ({}, {"redundant": 32}, {"system": "hgx-h100"}, {"batch": 64}):
        found = {name: value.number for name, value in answer("rack", **inputs).values.items()}
        assert found["placed"] * found["luck"] == pytest.approx(found["chip"])
        assert found["busy"] == pytest.approx(found["chip"] * found["fair"])
    assert (number("rack", "placed"), number("rack", "fair")) == pytest.approx((1.125, 2048 * 8 / 72))


def test_a_chip_holds_attention_whole_and_reads_it() -> None:
    """Four experts of 3 x 7,168 x 2,048 numbers in each of 58 layers, at 8 TB/s: 1.28 ms of 3.3."""
    found = {name: value.number for name, value in asking.standing("moe/overlap").values.items()}
    assert found["copied_experts"] == pytest.approx(58 * 4 * 3 * 7168 * 2048 / 8e12)
    assert found["copied_experts"] + found["copied_others"] == pytest.approx(found["copied"])
    half, one, two = (over_racks(racks, "gb200-nvl72", 2048, 4096) for racks in (0.5, 1, 2))
    others = [
        {each.name: each.weights for each in step.operations if each.name != "experts"} for step in (half, one, two)
    ]
    assert others[0] == others[1] == others[2]
    attention = others[1]["projections"] + others[1]["output projection"]
    assert attention / 8e12 == pytest.approx(1.43e-3, rel=0.06)
    assert attention > 0.6 * sum(others[1].values())


def test_no_run_on_racks_filled_one() -> None:
    widest = {name: max(run.chips for run in measurements() if run.system == name) for name in RACKS}
    assert max(widest.values()) < 72
    assert set(RACKS) <= set(catalog.forecast_fit("decode").systems.split())


def test_the_five_parts_of_the_step_add_up() -> None:
    found = {name: value.number for name, value in asking.standing("moe/overlap").values.items()}
    assert found["copied_cache"] / found["cache"] == pytest.approx(found["fullest"] / (2048 / 72), rel=1e-3)
    own = found["copied"] + found["copied_cache"] + found["copied_passed"]
    assert own + number("chips", "network") + number("chips", "starting") == pytest.approx(number("chips", "step"))
    bars, place = answer("sizes").tables["bars"], list(SIZES).index(1)
    assert own == pytest.approx(bars["Experts"][place] + bars["Other work"][place])
    assert number("sizes", "exchange_more") == pytest.approx(bars["Exchange"][place + 1] / bars["Exchange"][place])


def test_bytes_over_rates_give_the_steps_that_the_text_adds_up() -> None:
    """A chip reads 8 TB/s and sends 900 GB/s within a rack, 50 GB/s out of it; 29 tokens, 58 layers, 21.5 kB a copy."""
    found, spans = (asking.standing(f"moe/{name}").values for name in ("overlap", "spans"))
    for part in ("expert", "other", "cache"):
        name = {"expert": "experts", "other": "others", "cache": "cache"}[part]
        assert found[f"copied_{part}_bytes"].number / 8e12 == pytest.approx(found[f"copied_{name}"].number)
    assert found["memory"].number == 8e12
    sent = 29 * 58 * number("worked", "copy")
    assert sent * spans["copies"].number / 900e9 == pytest.approx(number("chips", "network"))
    assert sent * spans["crossing"].number / 50e9 == pytest.approx(spans["two_exchange"].number)
    assert number("chips", "starting") == pytest.approx(2 * 58 * spans["start"].number)


def test_the_links_drawn_are_what_the_step_waits_for() -> None:
    """144 chips: 15 tokens of 21.5 kB on the links out, 0.961 copies each in 58 layers; links within are quicker."""
    curve = answer("chips").tables["curve"]
    copies = asking.standing("moe/spans").values["crossing"].number
    assert curve["network"][-1] == pytest.approx(15 * 58 * number("worked", "copy") * copies / 50e9)
    assert curve["network"][-2] == pytest.approx(number("chips", "network"))


def test_two_racks_gain_experts_and_lose_exchange_and_starts() -> None:
    spans = {name: value.number for name, value in asking.standing("moe/spans").values.items()}
    lost = spans["two_exchange_more"] + spans["two_starts_more"] - spans["two_experts_less"]
    assert lost == pytest.approx(number("sizes", "two_longer"))
    assert spans["fast_exchange_less"] == pytest.approx(lost, rel=0.01)
    assert spans["even_half"] - spans["even_one"] == pytest.approx(spans["even_less"], rel=1e-3)
    assert spans["slow_starts"] == pytest.approx(2 * 58 * spans["slow"])
    assert spans["fast_exchange"] == pytest.approx(9 * spans["crossing"] / spans["copies"])


def test_a_token_that_crosses_once_takes_an_eighth_of_the_links_ratio_at_most() -> None:
    assert number("racks", "saved") < number("blackboard", "once_gb200") == pytest.approx(18 / 8)
    assert number("torus", "links") / number("torus", "small_hops") == pytest.approx(number("torus", "small_rate"))


def test_chips_too_few_to_hold_the_model_are_not_drawn() -> None:
    found = answer("chips")
    assert list(found.tables["curve"]["chips"]) == [8, 16, 32, 64, 72, 144]
    assert found.notes == ["Fewer than 8 chips cannot hold weights and cache: none are drawn."]
    assert list(found.tables["guides"]["chips"]) == [72]
    assert answer("chips", system="hgx-h100").tables["curve"]["chips"][0] == 1
