import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.pipelining import bubbles
from calc.quantities.errors import UnknownName

QUICK = settings(max_examples=40, deadline=None)
COUNTS = st.integers(1, 200)
TIMES = st.floats(0.01, 100)
NAMES = st.sampled_from(bubbles.SCHEDULES)


@pytest.mark.parametrize(
    ("stages", "micro_batches", "expected"),
    [(4, 1, 0.75), (4, 4, 0.429), (4, 8, 0.273), (4, 16, 0.158), (8, 8, 0.467), (16, 64, 0.190)],
)
def test_shares_of_gpipe(stages, micro_batches, expected):
    """Huang et al. (2019), section 2.3: (P - 1) / (M + P - 1) of the time."""
    assert bubbles.bubble_share("gpipe", stages, micro_batches) == pytest.approx(expected, abs=0.0005)


def test_gpipes_rule_that_four_times_as_many_micro_batches_make_the_bubble_small():
    """Huang et al. (2019), section 2.3: negligible when M >= 4 P; the share is then below a fifth."""
    stages = np.arange(1, 100)
    assert np.all(bubbles.bubble_share("gpipe", stages, 4 * stages) < 0.2)


@QUICK
@given(COUNTS, TIMES, TIMES, st.floats(0, 100))
def test_bubbles_as_tabulated_for_deepseek_v3(stages, forward, backward, weight):
    """DeepSeek-V3 report, table 2, where B is the whole backward pass: 1F1B (P-1)(F+B), ZB1P (P-1)(F+B-2W)."""
    times = {"forward": forward, "backward": backward, "weight": weight}
    whole = backward + weight
    assert bubbles.bubble_seconds("1f1b", stages, **times) == pytest.approx((stages - 1) * (forward + whole))
    assert bubbles.bubble_seconds("zb-h1", stages, **times) == pytest.approx(
        max(0, (stages - 1) * (forward + whole - 2 * weight)), abs=1e-9
    )


def test_equal_times_give_a_third_and_nothing():
    """Qi et al. (2024), sections 2.1 and 2.2: ZB-H1 has a third of the bubble of 1F1B, ZB-H2 none."""
    assert bubbles.bubble_seconds("zb-h1", 8) == bubbles.bubble_seconds("1f1b", 8) / 3
    assert bubbles.bubble_seconds("zb-h2", 8) == 0
    assert bubbles.bubble_share("zb-h1", 8, 11) == 7 / (7 + 3 * 11)
    assert bubbles.bubble_seconds("zb-h2", 8, weight=0.5) == 7
    assert bubbles.bubble_seconds("zb-h2", 8, weight=50) == bubbles.bubble_seconds("zb-h1", 8, weight=50) == 0


@QUICK
@given(COUNTS, st.integers(1, 16))
def test_chunks_divide_the_bubble(stages, chunks):
    """Narayanan et al. (2021), section 2.2: the bubble of the interleaved schedule is smaller by the chunks."""
    whole = bubbles.bubble_seconds("1f1b", stages)
    assert bubbles.bubble_seconds("interleaved", stages, chunks) == pytest.approx(whole / chunks)
    assert bubbles.bubble_seconds("1f1b", stages, chunks) == whole


@QUICK
@given(NAMES, COUNTS, COUNTS, TIMES, TIMES, TIMES)
def test_a_share_is_the_bubble_over_the_step_and_falls_with_micro_batches(
    name, stages, many, forward, backward, weight
):
    times = {"forward": forward, "backward": backward, "weight": weight}
    share = bubbles.bubble_share(name, stages, many, **times)
    bubble = bubbles.bubble_seconds(name, stages, **times)
    assert 0 <= share < 1
    assert share * (bubble + many * (forward + backward + weight)) == pytest.approx(bubble)
    assert bubbles.bubble_share(name, stages, many + 1, **times) <= share
    assert bubbles.bubble_share(name, 1, many, **times) == 0


@QUICK
@given(COUNTS, COUNTS, TIMES, TIMES, TIMES)
def test_better_schedules_are_never_worse(stages, many, forward, backward, weight):
    times = {"forward": forward, "backward": backward, "weight": weight}
    shares = [bubbles.bubble_share(name, stages, many, **times) for name in ("gpipe", "1f1b", "zb-h1", "zb-h2")]
    assert shares[0] == shares[1] == pytest.approx((stages - 1) / (many + stages - 1))
    assert shares[1] >= shares[2] >= shares[3]
    assert bubbles.bubble_share("interleaved", stages, many, 1, **times) == shares[1]


def test_activations_as_published():
    """DeepSeek-V3 report, table 2 (1F1B holds P); Qi et al. (2024), section 2.2 (ZB-H2 holds 2 P - 1)."""
    assert [bubbles.peak_activations(name, 8, 100) for name in bubbles.SCHEDULES] == [100, 8, 15, 8, 15]
    assert bubbles.peak_activations("interleaved", 4, 100, 3) == 5
    assert [bubbles.peak_activations(name, 8, 4) for name in bubbles.SCHEDULES] == [4] * 5


def test_arrays_and_numbers_take_the_same_path():
    stages, many = np.array([[2], [8]]), np.array([4, 16])
    for name in bubbles.SCHEDULES:
        table = bubbles.bubble_share(name, stages, many, 2)
        assert table.shape == (2, 2)
        assert table[1, 0] == bubbles.bubble_share(name, 8, 4, 2)
        assert type(bubbles.bubble_share(name, 8, 4)) is type(bubbles.peak_activations(name, 8, 4)) is float


@pytest.mark.parametrize("call", [bubbles.bubble_seconds, lambda name, p: bubbles.peak_activations(name, p, 4)])
@pytest.mark.parametrize("name", ["1f1", "", None, 3, []])
def test_an_unknown_schedule_is_refused_with_the_known_ones(call, name):
    with pytest.raises(UnknownName, match=r"^schedule must be one of 1f1b, gpipe, interleaved, zb-h1, zb-h2"):
        call(name, 4)
