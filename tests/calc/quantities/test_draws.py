import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.quantities import draws
from calc.quantities.errors import CalcError

SEEDS = st.integers(0, 2**53)


def test_the_words_are_those_of_splitmix64():
    """The test vector for seed 1234567 in Rosetta Code's "Pseudo-random numbers/Splitmix64"."""
    expected = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert draws.bits(1234567, 5).tolist() == expected


def test_seed_zero_starts_with_the_published_word():
    """The first output of the reference implementation by Vigna for x = 0."""
    assert int(draws.bits(0, 1)[0]) == 0xE220A8397B1DCDAF


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 20), st.integers(1, 20))
def test_a_shape_only_folds_the_same_draws(seed, rows, columns):
    assert draws.bits(seed, (rows, columns)).ravel().tolist() == draws.bits(seed, rows * columns).tolist()


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 50), st.integers(1, 50))
def test_a_longer_draw_begins_with_the_shorter_one(seed, few, more):
    assert draws.uniform(seed, few + more)[:few].tolist() == draws.uniform(seed, few).tolist()


@settings(max_examples=30)
@given(SEEDS, st.integers(1, 1000))
def test_whole_numbers_stay_below_their_limit(seed, limit):
    numbers = draws.below(seed, 200, limit)
    assert numbers.dtype == np.int64
    assert numbers.min() >= 0
    assert numbers.max() < limit


@pytest.mark.parametrize("seed", [1, 2, 77])
def test_uniform_draws_fill_the_interval_evenly(seed):
    numbers = draws.uniform(seed, 20_000)
    counts = np.bincount((numbers * 20).astype(int), minlength=20)
    chi_squared = float(((counts - 1000) ** 2 / 1000).sum())
    assert len(counts) == 20
    assert chi_squared < 45  # 0.9993 of the distribution with 19 degrees of freedom
    assert numbers[0] == int(draws.bits(seed, 1)[0] >> np.uint64(11)) / 2**53


@pytest.mark.parametrize("seed", [1, 2, 77])
def test_normal_draws_have_the_moments_of_the_normal_distribution(seed):
    numbers = draws.normal(seed, (100, 200))
    assert numbers.shape == (100, 200)
    assert [float((numbers**power).mean()) for power in (1, 2, 3, 4)] == pytest.approx([0, 1, 0, 3], abs=0.15)
    assert float((np.abs(numbers) < 1).mean()) == pytest.approx(0.6827, abs=0.01)
    assert abs(float((numbers[:, 1:] * numbers[:, :-1]).mean())) < 0.03


def test_two_seeds_share_no_draw():
    assert not set(draws.bits(1, 1000).tolist()) & set(draws.bits(2, 1000).tolist())


@pytest.mark.parametrize("shape", [0, -1, 2.0, "3", (), (2, 0), (True,), None])
@pytest.mark.parametrize("draw", [draws.bits, draws.uniform, draws.normal])
def test_a_shape_without_elements_is_refused(draw, shape):
    with pytest.raises(CalcError, match="shape must be a whole number above 0"):
        draw(1, shape)


@pytest.mark.parametrize("draw", [draws.bits, draws.uniform, draws.normal])
def test_more_numbers_than_memory_holds_are_refused(draw):
    with pytest.raises(CalcError, match="shape must be of at most 20,000,000 numbers in all"):
        draw(1, (10**6, 10**6))


@pytest.mark.parametrize("seed", [-1, 0.5, float("nan"), float("inf"), "one", 2**54])
@pytest.mark.parametrize("draw", [draws.bits, draws.uniform, draws.normal])
def test_a_seed_that_is_not_a_whole_number_is_refused(draw, seed):
    with pytest.raises(CalcError, match="seed must be a whole number from 0 to"):
        draw(seed, 3)


@pytest.mark.parametrize("draw", [draws.bits, lambda seed, shape: draws.below(seed, shape, 3)])
def test_several_seeds_are_refused(draw):
    with pytest.raises(CalcError, match="seed must be a single number"):
        draw([1, 2], 3)


@pytest.mark.parametrize("limit", [0, 1.5, -3, float("nan")])
def test_a_limit_that_leaves_no_number_is_refused(limit):
    with pytest.raises(CalcError, match="limit must be a whole number of at least 1"):
        draws.below(1, 3, limit)
