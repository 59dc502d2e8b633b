"""Half a rack, one and two in parts, and messages round a ring: the pictures against what they are counted from."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.exchanges import rack_exchanges
from calc.catalog.measurement import measurements
from calc.moe.figures.in_parts import AS_TIMED, over_racks
from calc.moe.figures.plans import SIZES, plan_parts
from calc.moe.figures.sizes import PARTS
from calc.moe.figures.timings import rack_start
from calc.setting import Machine
from calc.step import all_to_all_rate
from calc.step.forecasting import forecast_of
from tests.calc.figure import asking

RACKS = ("gb200-nvl72", "gb300-nvl72")
answer, number = asking.of("moe")


def test_with_one_copy_a_rack_the_bars_are_the_steps_that_the_text_quotes() -> None:
    quoted = asking.standing("moe/spans").values
    for at, start in (("", 5), ("_slow", quoted["slow"].number * 1e6)):
        bars = answer("sizes", copies="rack", startup=start).tables["bars"]
        assert bars["total"] == pytest.approx([quoted[f"{key}{at}_step"].number for key in ("half", "one", "two")])
        assert np.sum([bars[part] for part in PARTS], axis=0) == pytest.approx(bars["total"])


def test_each_row_of_the_three_plans_can_be_done_on_paper() -> None:
    """8, 4 and 2 experts of 44 MB in 58 layers at 8 TB/s; 29 tokens, 8 copies of 21.5 kB; 116 starts of 25.6 us."""
    bars = answer("sizes").tables["bars"]
    reading = 58 * 3 * 7168 * 2048 / 8e12
    assert bars["Experts"] == pytest.approx([8 * reading, 4 * reading, 2 * reading])
    within = 58 * 29 * 8 * 7168 * 3 / 900e9
    assert bars["Bytes"] == pytest.approx([within, within, 18 / 2 * within])
    assert number("worked", "step_inside") == pytest.approx(within) == pytest.approx(number("sizes", "one_exchange"))
    assert bars["Starts"] == pytest.approx([116 * 25.6e-6] * 3)
    assert bars["Other work"] == pytest.approx([2.75e-3] * 3, rel=1e-3)
    assert bars["total"] == pytest.approx([8.6e-3, 7.32e-3, 9.25e-3], rel=1e-3)


def test_a_copy_for_each_expert_is_the_step_of_calc_but_for_what_stays() -> None:
    """The step sends 71 of 72 copies in one rack; over two racks the half that leaves takes the time."""
    bars = answer("sizes").tables["bars"]
    for place, racks in enumerate(SIZES):
        step = over_racks(racks, "gb200-nvl72", 2048, 4096, relay=False)
        sending = sum(max(float(each.scale_up_seconds), float(each.scale_out_seconds)) for each in step.operations)
        stays = 1 - 1 / (72 * racks) if racks <= 1 else 1
        assert bars["Bytes"][place] * stays == pytest.approx(sending)


def test_one_rack_wins_however_long_a_start_is_but_by_the_count_not_with_very_few_tokens() -> None:
    for inputs in ({}, {"startup": 0}, {"startup": 100}, {"rack": "gb300-nvl72"}, {"batch": 720}):
        assert answer("sizes", **inputs).finding.split(" a chip ")[1].startswith("one rack is quickest")
    assert answer("sizes", batch=360).finding.startswith("At 5 tokens a chip two racks are quickest")
    many = answer("sizes", batch=40_000)
    assert "a chip half a rack and one rack are" in many.finding
    assert many.values["half_less"].number == pytest.approx(0, abs=1e-9)
    assert answer("sizes", batch=40_000, copies="rack").finding.startswith(
        "At 556 tokens a chip half a rack is quickest"
    )


@pytest.mark.parametrize("tokens", [410, 430])
def test_half_a_rack_catches_up_at_the_tokens_that_the_text_says(tokens: int) -> None:
    even = asking.standing("moe/spans").values["half_even"].number
    assert (number("sizes", "half_less", batch=72 * tokens) > 1e-3) == (tokens < even)


def test_the_timed_start_is_where_the_figure_begins() -> None:
    assert AS_TIMED.default == pytest.approx(asking.standing("moe/spans").values["slow"].number * 1e6, rel=1e-3)


def test_half_a_rack_with_its_own_starts_comes_nearer_to_one_rack() -> None:
    """32 tokens on 32 chips: 8 copies of 7,168 numbers of two bytes, out and back, of which one in 32 stays."""
    spans = {name: value.number for name, value in asking.standing("moe/spans").values.items()}
    (row,) = (each for each in rack_exchanges() if (each.tokens, each.chips) == (32, 32))
    start = (row.seconds - 32 * 8 * 7168 * 4 * 31 / 32 / 900e9) / 2
    assert spans["few_start"] == pytest.approx(start)
    sooner = number("sizes", "half_step") - 116 * (spans["slow"] - spans["few_start"])
    fuller = (256 / 232 - 1) * 29 * (8 * 21504 * 58 / 900e9 + 36_864 * 58 * 8 / 8e12)  # copies sent, and numbers passed
    found = asking.standing("moe/uneven").values["placed_less"].number
    assert found == pytest.approx(1 - (number("sizes", "one_step") + fuller) / sooner, abs=1e-3)


def test_a_ring_gives_an_all_to_all_what_the_step_counts_for_it() -> None:
    pod = Machine.published("tpu-v7-pod")
    hops = [min(to, 8 - to) for to in range(1, 8)]
    assert number("torus", "ring_hops") == pytest.approx(sum(hops) / 7)
    share = float(all_to_all_rate(pod, 512)) * 512 / 511 / (pod.scale_up / 3)  # a cube: three rings of eight
    assert share == pytest.approx(8 / sum(hops))
    assert number("torus", "ring_rate") == pytest.approx(7 / sum(hops))


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


def test_measured_steps_took_more_than_twice_as_long_as_the_takeaway_says() -> None:
    assert 2 < asking.standing("world/rack").values["over"].number < 2.5


def test_the_five_parts_of_the_step_add_up() -> None:
    found = {name: value.number for name, value in asking.standing("moe/overlap").values.items()}
    assert found["copied_cache"] / found["cache"] == pytest.approx(found["fullest"] / (2048 / 72), rel=1e-3)
    latent = 61 * (512 + 64)  # bytes: numbers of content and of position, in every layer
    assert found["cache_token"] == pytest.approx(latent, rel=1e-3), "and the token that is written"
    own = found["copied"] + found["copied_cache"] + found["copied_passed"]
    assert own + number("chips", "network") + number("chips", "starting") == pytest.approx(number("chips", "step"))
    bars, place = answer("sizes").tables["bars"], list(SIZES).index(1)
    assert own == pytest.approx(bars["Experts"][place] + bars["Other work"][place])
    others = found["copied_others"] + found["copied_cache"] + found["copied_passed"]
    assert others == pytest.approx(bars["Other work"][place])


def test_bytes_over_rates_give_the_steps_that_the_text_adds_up() -> None:
    """A chip reads 8 TB/s and sends 900 GB/s within a rack, 50 GB/s out of it; 29 tokens, 58 layers, 21.5 kB a copy."""
    found, spans = (asking.standing(f"moe/{name}").values for name in ("overlap", "spans"))
    assert found["copied_expert_bytes"].number / 8e12 == pytest.approx(found["copied_experts"].number)
    assert found["cache_token"].number * 29 * 4096 / 8e12 == pytest.approx(found["copied_cache"].number)
    assert found["memory"].number == 8e12
    sent = 29 * 58 * number("worked", "copy")
    assert sent * spans["copies"].number / 900e9 == pytest.approx(number("chips", "network"))
    assert sent * spans["crossing"].number / 50e9 == pytest.approx(spans["two_exchange"].number)
    assert number("chips", "starting") == pytest.approx(2 * 58 * spans["slow"].number, rel=1e-3)


def test_the_links_drawn_are_what_the_step_waits_for() -> None:
    """144 chips: 15 tokens of 21.5 kB on the links out, 0.961 copies each in 58 layers; links within are quicker."""
    curve = answer("chips").tables["curve"]
    copies = asking.standing("moe/spans").values["crossing"].number
    assert curve["network"][-1] == pytest.approx(15 * 58 * number("worked", "copy") * copies / 50e9)
    assert curve["network"][-2] == pytest.approx(number("chips", "network"))


def test_two_racks_gain_experts_and_lose_exchange_and_starts() -> None:
    spans = {name: value.number for name, value in asking.standing("moe/spans").values.items()}
    starts, experts = 116 * spans["slow"], number("sizes", "two_experts")
    assert spans["two_longer"] == pytest.approx(spans["two_exchange_more"] + starts - experts, rel=1e-3)
    assert spans["two_slow_step"] == pytest.approx(number("sizes", "one_step") + spans["two_longer"], rel=1e-3)
    assert spans["exchange_more"] == pytest.approx(18 * spans["crossing"] / 8)


def test_a_token_that_crosses_once_takes_an_eighth_of_the_links_ratio_at_most_over_two_racks() -> None:
    assert number("racks", "saved", racks=2) < 18 / 8 < number("racks", "saved", racks=3)
    assert number("torus", "links") / number("torus", "small_hops") == pytest.approx(number("torus", "small_rate"))


def test_chips_too_few_to_hold_the_model_are_not_drawn() -> None:
    found = answer("chips")
    assert list(found.tables["curve"]["chips"]) == [8, 16, 32, 64, 72, 144]
    assert found.notes == ["Fewer than 8 chips cannot hold weights and cache: none are drawn."]
    assert list(found.tables["guides"]["chips"]) == [72]
    assert answer("chips", system="hgx-h100").tables["curve"]["chips"][0] == 1


def leads() -> dict[str, float]:
    return {name: value.number for name, value in asking.standing("moe/spans").values.items()}


def test_half_a_rack_is_as_good_when_multiplying_outlasts_what_memory_does_for_its_experts() -> None:
    """8.17 us of multiplying a token against 2.55 ms of reading and 2.14 us a token: 423, not the 312 of reading."""
    found, reading = leads(), number("sizes", "half_experts")
    by_reading = reading / found["multiplied"]
    assert by_reading == pytest.approx(312, abs=2)
    assert found["half_even"] == pytest.approx(reading / (found["multiplied"] - found["passed"]), abs=1)
    assert found["half_even"] > 1.3 * by_reading


def test_no_plan_gains_by_halves_with_our_batch() -> None:
    """9.88, 7.90 and 9.25 ms in halves; two racks are as long both ways."""
    ours = {name: value.number for name, value in asking.standing("moe/ours").values.items()}
    assert all(ours[f"{plan}_halved"] > ours[f"{plan}_step"] for plan in ("half", "one", "two"))
    assert ours["two_halved"] < 1.001 * ours["two_step"]


def test_starts_as_timed_with_as_many_tokens_give_users_of_the_last_row_forty_tokens_a_second() -> None:
    """116 starts of some 41 us, between 32 with 256 tokens and 47 with 512, instead of 25.6."""
    timed = sorted(each.tokens for each in rack_exchanges() if each.chips == 64)
    start = float(np.interp(leads()["half_even"], timed, [rack_start(tokens=each) for each in timed]))
    steps = [sum(plan_parts(racks, RACKS[0], 72 * leads()["half_even"], start, "expert")) for racks in (0.5, 1)]
    assert all(39.5 < 1 / each < 41 for each in steps)


def test_the_exchange_is_no_bound_as_a_copy_may_serve_several_experts() -> None:
    """8 copies are sent by (2), 7.16 if one serves all of a token's experts on a chip: a tenth less time."""
    assert asking.standing("moe/spans").values["copies"].number < 7.2
    assert 0.88 < number("exchange", "exchange") / number("worked", "step_inside") < 0.91


def test_at_one_speed_the_forecast_halves_the_lead() -> None:
    """41 tokens of a chip of one rack in the forecast step of half a rack with 29."""
    half, *one = (
        float(forecast_of(over_racks(racks, "gb200-nvl72", batch, 4096, relay=False)).seconds)
        for racks, batch in ((0.5, 2048), (1, 41 * 72), (1, 42 * 72))
    )
    assert one[0] <= half < one[1]
    assert leads()["forecast_users"] == 41
    assert 0.5 < 1 - 29 / number("users", "one_users") < 0.6, "over half"


def test_rates_not_reached_move_the_tokens_with_which_half_a_rack_is_as_good() -> None:
    """Eight experts of 44 MB, 58 layers, 8 TB/s; a token's eight experts at 5 PFLOP/s."""
    found, expert, layers = leads(), 3 * 7168 * 2048, 58
    passed = asking.standing("moe/spans").values["passed"].number
    for key, multiplying, reading in (("multiplying", 0.6, 1.0), ("reading", 1.0, 0.8)):
        even = found[f"even_{key}"]
        multiplied = layers * 8 * 2 * expert * even / (5e15 * multiplying)
        assert multiplied == pytest.approx((layers * 8 * expert / 8e12 + passed * even) / reading, rel=1e-3)


def test_two_racks_fall_behind_with_more_tokens() -> None:
    found = leads()
    for key, tokens in (("200", 200), ("even", asking.standing("moe/spans").values["half_even"].number)):
        for name, copies in (("two", "expert"), ("copy", "rack")):
            less = number("sizes", "two_less", batch=72 * tokens, copies=copies)
            if copies == "rack":  # beside one rack with a copy for each expert, as in the plans
                two = number("sizes", "two_step", batch=72 * tokens, copies=copies)
                less = 1 - number("sizes", "one_step", batch=72 * tokens) / two
            assert found[f"{name}_{key}"] == pytest.approx(less, rel=1e-3)
    assert number("sizes", "two_less") < found["two_200"] < found["two_even"]


def test_what_every_token_uses_is_attention_a_shared_expert_and_little_else() -> None:
    """Three dense layers of three matrices of 7,168 times 18,432, an output matrix of 129,280, and the routers."""
    found = {name: value.number for name, value in asking.standing("moe/overlap").values.items()}
    assert found["shared"] == pytest.approx(58 * 3 * 7168 * 2048 / 8e12)
    rest = (3 * 3 * 7168 * 18432 + 129_280 * 7168) / 8e12
    assert rest < found["rest"] < 1.06 * rest
    assert sum(found[part] for part in ("attention", "shared", "rest")) == pytest.approx(
        number("overlap", "copied_others")
    )


def test_a_start_is_longer_with_many_tokens() -> None:
    found = leads()
    (row,) = (each for each in rack_exchanges() if (each.tokens, each.chips) == (512, 64))
    assert found["many_start"] == pytest.approx((row.seconds - 512 * 8 * 7168 * 4 * 63 / 64 / 900e9) / 2)
    assert number("spans", "slow") < found["many_start"]


def test_if_each_plan_misses_as_much_time_its_lead_is_a_smaller_share() -> None:
    """A rack's 7.32 ms 2.37 times over, and the seconds that each plan takes beyond it."""
    found = {name: value.number for name, value in asking.standing("world/rack").values.items()}
    one = number("sizes", "one_step")
    for key in ("half", "two"):
        more = number("sizes", f"{key}_step") - one
        assert found[f"{key}_less"] == pytest.approx(more / (found["over"] * one + more), rel=1e-3)
