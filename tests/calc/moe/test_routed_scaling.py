from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import catalog
from calc.moe import routed_scaling
from calc.moe.routed_scaling import RoutedLaw
from calc.quantities.errors import CalcError

QUICK = settings(max_examples=40, deadline=None)
SIZES = st.floats(6, 13).map(lambda power: 10**power)
EXPERTS = st.floats(1, 1e5)

FITS = [catalog.routing_fit(name) for name in ("s-base", "rl-r", "hash")]
S_BASE, RL_R, HASH = [RoutedLaw.published(fit) for fit in FITS]
CUT_OFFS = [(RoutedLaw.published(fit), fit.params_cutoff) for fit in FITS]
LAWS = st.sampled_from([S_BASE, RL_R, HASH])


def test_370_million_with_64_experts_match_a_dense_1_3_billion():
    """Clark et al. (2022), introduction: the pair that the lecture quotes; S-BASE is the paper's best router."""
    assert routed_scaling.effective_params(370e6, 64, S_BASE) == pytest.approx(1.3e9, rel=0.06)


def test_5_million_with_128_experts_match_a_dense_55_million():
    """Clark et al. (2022), section on the effective parameter count."""
    assert routed_scaling.effective_params(5e6, 128, S_BASE) == pytest.approx(55e6, rel=0.07)


def test_the_constants_are_those_of_the_papers_third_table():
    assert RoutedLaw(-0.082, -0.108, 0.009, 1.104, 1.847, 314.478) == S_BASE
    assert RoutedLaw(-0.083, -0.126, 0.012, 1.111, 1.880, 469.982) == RL_R
    assert RoutedLaw(-0.087, -0.136, 0.012, 1.157, 4.175, 477.741) == HASH


def test_the_loss_of_a_law_of_round_numbers():
    """With Ê = 10 for ten experts: 10^(-0.1 x 9 - 0.2 + 0.01 x 9 + 1), and without experts 10^(-0.1 x 9 + 1)."""
    law = RoutedLaw(-0.1, -0.2, 0.01, 1, start=1, ceiling=1e15)
    assert routed_scaling.routed_loss(1e9, [1, 10], law).tolist() == pytest.approx([10**0.1, 10**-0.01])


def test_half_of_the_saturation_is_reached_when_both_terms_are_equal():
    """start 1, ceiling 3: the offset is 3/2, so E = 5/2 gives 1 / (1/3 + 1/3)."""
    law = RoutedLaw(-0.1, -0.2, 0.01, 1, start=1, ceiling=3)
    assert routed_scaling.saturated_experts(2.5, law) == pytest.approx(1.5)


def test_the_range_of_the_limit_comes_from_the_corners():
    law = RoutedLaw(-0.1, -0.1, 0.01, 1, 2, 300)
    assert routed_scaling.paying_limit_range(law, 0.005) == pytest.approx(
        (10 ** (0.095 / 0.015), 10 ** (0.105 / 0.005))
    )
    assert routed_scaling.paying_limit_range(law) == routed_scaling.paying_limit_range(law, 0.0005)
    low, high = routed_scaling.paying_limit_range(law, [0.0005, 0.005])
    assert low[1] < low[0] < 1e10 < high[0] < high[1]


def test_exactly_at_the_limit_experts_do_nothing():
    law = RoutedLaw(-0.1, -0.1, 0.01, 1, 2, 300)
    assert routed_scaling.effective_params(1e10, 64, law) == pytest.approx(1e10)
    assert routed_scaling.experts_for_gain(1e10, 2, law) == np.inf
    assert routed_scaling.expansion_exponent(1e10, 64, law) == np.inf


@pytest.mark.parametrize(("law", "cut_off"), CUT_OFFS, ids=["s-base", "rl-r", "hash"])
def test_the_published_cut_off_is_within_what_rounding_leaves_open(law, cut_off):
    low, high = routed_scaling.paying_limit_range(law)
    assert low < cut_off < high
    assert low < routed_scaling.paying_limit(law) < high
    sharpened = routed_scaling.with_paying_limit(law, cut_off)
    assert routed_scaling.paying_limit(sharpened) == pytest.approx(cut_off)
    assert abs(sharpened.c - law.c) < 0.0005
    assert replace(sharpened, c=law.c) == law


@pytest.mark.parametrize("corner", [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0), (0.5, -0.3)])
@pytest.mark.parametrize("law", [S_BASE, RL_R, HASH], ids=["s-base", "rl-r", "hash"])
def test_no_rounding_of_the_constants_leaves_the_range(law, corner):
    low, high = routed_scaling.paying_limit_range(law, 0.0004)
    moved = replace(law, b=law.b + 0.0004 * corner[0], c=law.c + 0.0004 * corner[1])
    assert low * (1 - 1e-9) <= routed_scaling.paying_limit(moved) <= high * (1 + 1e-9)


def test_at_frontier_size_experts_help_little_and_rounding_decides_how_little():
    """37 billion per token and 256 experts: the rounded RL-R law says a loss, its own published cut-off a gain."""
    gains = [routed_scaling.effective_params(37e9, 256, law) / 37e9 for law, _ in CUT_OFFS]
    assert gains == pytest.approx([2.02, 0.955, 1.53], abs=0.005)
    sharper = [routed_scaling.with_paying_limit(law, cut_off) for law, cut_off in CUT_OFFS]
    gains = [routed_scaling.effective_params(37e9, 256, law) / 37e9 for law in sharper]
    assert gains == pytest.approx([1.99, 1.26, 1.23], abs=0.005)


@QUICK
@given(SIZES, EXPERTS, LAWS)
def test_the_effective_dense_model_has_the_same_loss(params, experts, law):
    dense = routed_scaling.effective_params(params, experts, law)
    assert routed_scaling.routed_loss(dense, 1, law) == pytest.approx(routed_scaling.routed_loss(params, experts, law))


@QUICK
@given(SIZES, EXPERTS, LAWS)
def test_experts_help_below_the_limit_and_hurt_above_it(params, experts, law):
    limit = routed_scaling.paying_limit(law)
    gain = routed_scaling.effective_params(params, experts, law) / params
    assert (gain - 1) * (limit - params) >= -1e-9 * limit
    assert routed_scaling.effective_params(limit, experts, law) == pytest.approx(limit)


@QUICK
@given(SIZES, EXPERTS, LAWS)
def test_one_expert_is_the_dense_model_and_many_saturate(params, experts, law):
    assert routed_scaling.effective_params(params, 1, law) == pytest.approx(params)
    saturated = routed_scaling.saturated_experts(experts, law)
    assert law.start <= saturated * (1 + 1e-12)
    assert saturated < law.ceiling
    assert saturated <= routed_scaling.saturated_experts(experts + 1, law)
    assert routed_scaling.saturated_experts(1e15, law) == pytest.approx(law.ceiling)


@QUICK
@given(st.floats(6, 10).map(lambda power: 10**power), st.floats(1, 2000), LAWS)
def test_experts_for_gain_undoes_the_gain(params, experts, law):
    gain = routed_scaling.effective_params(params, experts, law) / params
    found = routed_scaling.experts_for_gain(params, max(gain, 1), law)
    assert found == pytest.approx(experts, rel=1e-6, abs=1e-6)


def test_no_number_of_experts_makes_370_million_worth_ten_times_that():
    assert routed_scaling.experts_for_gain(370e6, 10, S_BASE) == np.inf
    assert routed_scaling.experts_for_gain(2e12, 1.5, S_BASE) == np.inf
    assert routed_scaling.experts_for_gain(2e12, 1, S_BASE) == 1
    assert routed_scaling.experts_for_gain(370e6, [1, 4, 10], S_BASE).tolist() == pytest.approx(
        [1, 82.33, np.inf], rel=1e-3
    )


@QUICK
@given(st.floats(6, 11).map(lambda power: 10**power), st.floats(1.1, 1000))
def test_the_exponent_is_the_slope_of_the_curve(params, experts):
    sizes = routed_scaling.effective_params(params, np.array([experts * (1 - 1e-6), experts * (1 + 1e-6)]), S_BASE)
    slope = 2e-6 / np.diff(np.log(sizes))[0]
    assert routed_scaling.expansion_exponent(params, experts, S_BASE) == pytest.approx(slope, rel=1e-3)


def test_the_exponent_grows_towards_the_limit_and_is_infinite_past_it():
    exponents = routed_scaling.expansion_exponent(np.array([370e6, 37e9, 2e12]), 64, S_BASE)
    steeper = (0.108 - 0.009 * np.log10(370e6)) / (0.108 - 0.009 * np.log10(37e9))
    assert exponents == pytest.approx([3.15, 3.15 * steeper, np.inf], rel=1e-3)


def test_the_rule_of_thumb_is_a_cube_root():
    assert routed_scaling.rule_of_thumb(np.array([1, 8, 64, 512])) == pytest.approx([1, 2, 4, 8])
    assert routed_scaling.rule_of_thumb(100, 100, 10) == pytest.approx(10)
    assert routed_scaling.rule_of_thumb(10_000, 100, 10) == pytest.approx(100)
    assert routed_scaling.rule_of_thumb(50, 100, 1) == 1
    assert routed_scaling.rule_of_thumb(2.25, 1.5, 1.2) == pytest.approx(1.44)


def test_the_rule_agrees_with_the_law_only_where_it_comes_from():
    """The lecture's rule was read off a base of 370 million; at 37 billion the law gives less than half of it."""
    sizes = np.array([370e6, 37e9])
    shares = routed_scaling.effective_params(sizes, 64, S_BASE) / sizes / routed_scaling.rule_of_thumb(64)
    assert 0.9 < shares[0] < 1
    assert shares[1] < 0.5


@QUICK
@given(SIZES, st.integers(1, 1000), st.floats(0, 1))
def test_repeating_a_share_of_the_model_adds_up(params, experts, share):
    expanded = routed_scaling.expanded_params(params, experts, share)
    assert expanded == pytest.approx(params * (1 - share) + experts * params * share)
    assert routed_scaling.expanded_params(params, experts, 1) == experts * params


def test_arrays_and_numbers_take_the_same_path():
    sizes, experts = np.array([[1e7], [1e9]]), np.array([2, 64])
    for function in (routed_scaling.effective_params, routed_scaling.routed_loss, routed_scaling.expansion_exponent):
        table = function(sizes, experts, S_BASE)
        assert table.shape == (2, 2)
        assert table[1, 0] == pytest.approx(function(1e9, 2, S_BASE), rel=1e-14)
        assert type(function(1e9, 2, S_BASE)) is float


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("half_unit", lambda: routed_scaling.paying_limit_range(S_BASE, 0.009)),
        ("half_unit", lambda: routed_scaling.paying_limit_range(RoutedLaw(-0.1, -0.001, 0.01, 1, 2, 300), 0.005)),
        ("limit", lambda: routed_scaling.with_paying_limit(S_BASE, 1)),
        ("known_expansion", lambda: routed_scaling.rule_of_thumb(64, 1, 4)),
        ("law", lambda: routed_scaling.effective_params(1e9, 64, "s-base")),
        ("law", lambda: routed_scaling.paying_limit(None)),
        ("law", lambda: routed_scaling.experts_for_gain(1e9, 2, None)),
        ("law", lambda: routed_scaling.expansion_exponent(1e9, 2, None)),
        ("law", lambda: routed_scaling.paying_limit_range(3)),
        ("law", lambda: routed_scaling.with_paying_limit(3, 1e9)),
        ("half_unit", lambda: routed_scaling.paying_limit_range(S_BASE, [0.0005, 0.009])),
        ("limit", lambda: routed_scaling.with_paying_limit(S_BASE, [1, 1e9])),
        ("known_expansion", lambda: routed_scaling.rule_of_thumb(64, [1, 64], 4)),
        ("c", lambda: RoutedLaw(-0.1, -0.1, 0.1, 1, 10, 300)),
        ("a", lambda: replace(S_BASE, a=[-0.1, -0.2])),
        ("a", lambda: replace(S_BASE, a=0)),
        ("a", lambda: replace(S_BASE, a="steep")),
        ("b", lambda: replace(S_BASE, b=0)),
        ("c", lambda: replace(S_BASE, c=0)),
        ("c", lambda: replace(S_BASE, c=float("nan"))),
        ("c", lambda: replace(S_BASE, c=1)),
        ("d", lambda: replace(S_BASE, d=float("inf"))),
        ("start", lambda: replace(S_BASE, start=0)),
        ("start", lambda: replace(S_BASE, start=400)),
        ("start", lambda: replace(S_BASE, start=S_BASE.ceiling)),
    ],
)
def test_impossible_values_are_refused_by_name(name, call):
    with pytest.raises(CalcError, match=f"^{name} must be"):
        call()
