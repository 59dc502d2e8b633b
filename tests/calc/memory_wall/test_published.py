"""Long contexts as others published them, by hand."""

from __future__ import annotations

import pytest

from calc import catalog
from tests.calc.figure import asking

_, number = asking.of("memory_wall")


def test_the_cache_of_four_layers_that_keep_entries_of_four_bits():
    """512 numbers and 32 scales, an index key of 128 numbers with four; three layers have an entry for two tokens."""
    entry = 512 / 2 + 512 / 16 + 128 / 2 + 128 / 32
    assert number("published", "cache") == entry * (3 / 2 + 1)
    assert number("published", "cache_far") == 89e9
    assert number("published", "cache_times") == pytest.approx(61 * 576 / 890)
    assert number("published", "cache") < number("caches", "said") < number("caches", "least")


def test_a_scan_for_four_layers_and_what_scans_took():
    assert number("published", "limit") == pytest.approx(4 * 656 / 132)
    step, quarter = 1 / 58, 1 / 86
    assert number("published", "scan") == pytest.approx((step - quarter) * 4 / 3 / step)
    keys = 200_000 * 47 * 132 / 3.35e12
    assert number("published", "scan_over") == pytest.approx((step - quarter) * 4 / 3 / keys, rel=1e-3)


def test_attention_over_a_prompt_took_twice_its_multiplying_and_less_where_exponentials_are_faster():
    pairs = 128 * 128_000 * 128_001 / 2
    least = 2 * pairs * (192 + 128) / 5e15
    assert number("published", "least") == pytest.approx(least)
    assert 2 < number("published", "kernel") / least < 2.1
    assert number("published", "kernel") / number("published", "ultra") == pytest.approx(1.35, abs=0.005)
    assert catalog.chip("gb200").flops("fp8") == catalog.chip("gb300").flops("fp8")
    assert 5e12 > pairs / number("published", "kernel") > 3e12, "exponentials a second, below the rate of the chip"
    attention = 61 * 1e8 * 1e8 / 2 * 128 * 2 * (192 + 128) / (72 * 5e15)
    longer = number("published", "kernel") / least
    assert number("published", "at_kernel") == pytest.approx(
        attention * longer + 2 * 37e9 * 1e8 / (72 * 5e15), rel=1e-3
    )


def test_a_prompt_alone_had_half_of_the_rate_and_more_than_chips_that_wait_for_prompts():
    """18.6 s for 128,000 tokens, or nine tenths of them, at two operations a parameter and a' a pair."""
    slope, shares = 2 * 61 * 128 * (192 + 128), []
    for share, tokens in (("lone_share_high", 128_000), ("lone_share_low", 115_200)):
        rated = tokens * (2 * 37e9 + slope * (tokens + 1) / 2) / 5e15
        assert number("published", share) == pytest.approx(rated / 18.6, rel=1e-3)
        shares.append(rated / 18.6)
    ours = 1e5 * (2 * 37e9 + slope * 1e5 / 2) / 5e15
    again = ours - 9e4 * (2 * 37e9 + slope * 9e4 / 2) / 5e15
    assert again / 5 / min(shares) < 0.5, "less than half of one"
    for name, rated in (("wait", ours), ("chips", ours / 5)):
        low, high = (number("published", f"lone_{name}_{end}") for end in ("low", "high"))
        assert [low, high] == pytest.approx([rated / share for share in shares], rel=1e-3)
    runs = asking.standing("world/long-contexts").values
    assert runs["prompt_high"].number < number("published", "lone_share_low"), "their chips waited, too"
    assert 61 * number("published", "kernel") == pytest.approx(0.91 * 18.6, rel=0.01), "one chip after the other"
    rack = [number("published", f"lone_rack_{end}") for end in ("low", "high")]
    assert runs["both_safe"].number < rack[0] < rack[1]
    assert rack[0] == pytest.approx(29 * 4 / number("published", "lone_chips_high"), abs=1)


def test_guesses_kept_so_often_leave_time_for_nine_users_of_a_chip_in_a_slow_run():
    kept, found = number("published", "guess_kept"), standing_of("plan")
    assert 1 + kept + kept**2 + kept**3 == pytest.approx(2.37, abs=1e-3)
    assert number("published", "guess_gain") == pytest.approx(140 / 106.5)
    left = 0.02 * (1 + kept) / 1.311 - found["guessed_fixed"].number
    assert left // found["guessed_each"].number == 9


def standing_of(slug):
    return asking.standing(f"memory_wall/{slug}").values


def test_another_engine_took_less_for_a_whole_step_than_kernels_are_expected_to():
    """A lone user of a model with more layers than DeepSeek-V3: so a kernel's time is no floor."""
    assert catalog.model("glm-5").known("layers") > catalog.model("deepseek-v3").known("layers")
    assert number("published", "alone") == pytest.approx(1 / 301)
    assert number("published", "alone") < 0.5 * number("domains", "kernel") * 1504
