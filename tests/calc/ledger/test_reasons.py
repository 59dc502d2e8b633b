"""Words of reasons that no call fills in: most, all, the least, and others that a new row could make wrong."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from calc import catalog, pricing
from calc.figure import registry
from calc.ledger import claims
from calc.ledger.calls import evaluate
from calc.moe import routed_scaling
from calc.moe.claims import quality


def computed(name: str) -> tuple[float, ...]:
    return claims.claim(name).computed()


def value(figure: str, name: str) -> float:
    return float(np.asarray(registry.find(figure).answer().values[name].number))


def test_a18_half_of_the_unit_s_batch_shares_a_reading() -> None:
    """By hand: 12,686 sequences for 295.4 x 671 / 37, in two halves that each read the weights."""
    whole, half = computed("A18")[0], evaluate(claims.claim("A18").numbers["half"][0])[0]
    assert half == whole / 2 == pytest.approx(12_686 / 2 / (295.4 * 671 / 37), rel=1e-3)


def test_a25_most_chips_take_longer() -> None:
    drains = [chip.hbm_bytes / chip.hbm_bandwidth for chip in catalog.chips().values()]
    assert computed("A25") == tuple(drains)
    assert claims.claim("A25").kept == (sum(0.015 <= drain <= 0.025 for drain in drains), len(drains))
    assert sum(drain > 0.025 for drain in drains) > len(drains) / 2


def test_a34_is_true_of_the_two_rents_that_it_names() -> None:
    for name in ("h100-reserved", "h800-assumed"):
        assert catalog.rents()[name].dollars_per_chip_hour in claims.claim("A34").band
    assert catalog.rents()["h100-october"].since.strftime("%B %Y") == "October 2026"
    assert catalog.rents()["gb200-spheron"].since.strftime("%B %Y") == "March 2026"


def test_c13_three_tens_need_the_memory_of_the_processors() -> None:
    rack = catalog.system("gb200-nvl72")
    everything = rack.hbm_bytes + 36 * catalog.tier("lpddr5x-grace").capacity_bytes
    assert max(computed("C13")) < 30e12 < everything
    assert catalog.system("rubin-nvl72").hbm_bytes + 54e12 > 2 * everything, "36 processors of 1.5 TB each"


def test_c14_comes_close_to_half_a_year_later() -> None:
    *before, later = computed("C14")
    assert max(before) < 0.4 < 0.45 < later < 0.5


def test_d3_two_of_six_newer_fits_bear_it_out() -> None:
    newer = evaluate(claims.claim("D3").numbers["newer"][0])
    assert [number in claims.claim("D3").band for number in newer].count(True) == 2 < len(newer) == 6


def test_d4_a_quarter_takes_two_thirds_of_the_tokens() -> None:
    original, refit, *_, tokens = computed("D4")
    assert original > 1 > refit
    assert tokens == 2


def test_d16_two_of_six_newer_fits_have_it_cost_less_than_double() -> None:
    newer = evaluate(claims.claim("D16").numbers["newer"][0])
    assert [number in claims.claim("D16").band for number in newer].count(True) == 2 < len(newer) == 6


def test_e2_every_maker_with_a_step_has_doubled_its_input_and_one_model_crosses_near_it() -> None:
    steps = [price for price in catalog.prices().values() if price.above_tokens]
    makers = {price.maker for price in steps}
    assert len(makers) == 6
    assert makers == {price.maker for price in steps if price.known("input_above") == 2 * price.input}
    assert 200e3 < value("pricing/family", "pro_crossing") < 250e3
    assert max(value("pricing/family", "flash_crossing"), value("pricing/blackboard", "cross_high")) < 100e3


def test_e6_the_least_of_the_catalogue_is_flash_and_a_later_model_keeps_less_than_the_guess() -> None:
    kept = {m.id: m.kv_bytes_per_token("fp8") for m in catalog.models().values() if m.kv_elements_per_token}
    assert min(kept, key=lambda name: kept[name]) == "deepseek-v4-flash"
    assert catalog.datum("deepseek-v4.1-flash-cache").value < 2000 < min(kept.values())


def test_e7_the_first_leaves_too_much_and_the_second_more_than_suffices() -> None:
    stated, multiplied = computed("E7")
    assert multiplied < 1700 < stated


def test_e9_five_is_the_commonest() -> None:
    ratios = Counter(round(pricing.price_ratio(price.output, price.input), 6) for price in catalog.prices().values())
    assert ratios.most_common(1)[0][0] == 5
    within = sum(number for ratio, number in ratios.items() if 3 <= ratio <= 5)
    assert f"{within} lie in the range as stated, and {ratios[6]} more ask six times" in claims.claim("E9").reason
    assert within + ratios[6] == claims.claim("E9").kept[0]


def test_e18_rents_that_bear_it_out_are_counted_one_by_one() -> None:
    """By hand: 25 % of $5 for five minutes and $5 for an hour, of a million tokens of 2,048 and 70,000 bytes."""
    said = claims.claim("E18")
    named = {name: evaluate(call) for name, (call, _) in said.numbers.items()}
    rents = [rent.dollars_per_chip_hour / rent.chip.hbm_bytes for rent in catalog.rents().values()]
    hour, five, small = ([paid / rent for rent in rents] for paid in (5 / 70e9, 15 / 70e9, 0.1 / 2.048e9))
    near = [sum(each in said.band for each in one) for one in (hour, five, small)]
    assert near == [named[name][0] for name in ("hour", "five", "small")] == [21, 3, 33]
    assert min(named["two"]) > 3
    assert named["middle"][0] in said.band
    assert said.kept == (24, 4 * len(rents))


def test_e19_attention_overtakes_one_or_two_orders_sooner() -> None:
    said = claims.claim("E19")
    assert said.kept == (2, len(said.computed()))
    assert evaluate(said.numbers["index"][0])[0] in said.band
    assert 1e3 < value("memory_wall/crossings", "first") < value("memory_wall/crossings", "last") < 1e5


def test_a35_a_rack_laid_out_for_many_costs_a_lone_token_more_than_weights_that_all_chips_share() -> None:
    """By hand: a chip alone reads 16.2 GB of copies, in 2 ms; a token's arithmetic takes the rack 0.21 us."""
    named = {name: evaluate(call)[0] for name, (call, _) in claims.claim("A35").numbers.items()}
    assert (
        named["woken_cache"]
        < named["woken"]
        < 1000
        < named["all"]
        < 16.2e9 / 8e12 / (2 * 37e9 / (72 * 5e15))
        < named["copied"]
    )


def test_a40_half_of_the_base_wants_ten_times_the_experts_by_the_law() -> None:
    few, many = (routed_scaling.effective_params(185e6, 64 * times, quality.S_BASE) for times in (10, 10.5))
    assert few < routed_scaling.effective_params(370e6, 64, quality.S_BASE) < many
    assert 10 < computed("A40")[1] < 10.5


def test_b20_the_unit_of_a_published_day_steps_sooner_than_one_box_reads_all_weights() -> None:
    named = {name: evaluate(call)[0] for name, (call, _) in claims.claim("B20").numbers.items()}
    assert named["halves"] < named["box"] == pytest.approx(671e9 / (8 * 3.35e12), rel=1e-3)


def test_c11_a_single_link_just_keeps_a_step_of_four_stages_and_one_of_eight_stages_breaks() -> None:
    """By hand: a hop of 583 us and the way back of 10 us, in a step of 20 ms."""
    four, eight = ((stages - 1) * 583e-6 + 10e-6 for stages in (4, 8))
    assert 0.08 < four / 0.02 < 0.1 < eight / 0.02
    assert computed("C11") == (1, 0)
