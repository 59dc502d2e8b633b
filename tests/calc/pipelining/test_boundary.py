"""When handing over to the next stage costs nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import catalog, pipelining

QUICK = settings(max_examples=40, deadline=None)
COUNTS = st.integers(1, 200)


@pytest.mark.parametrize(
    ("experts", "layers", "ratio", "expected"),
    [(8, 1, 8, 2.0), (8, 1, 9, 1.78), (8, 1, 18, 0.89), (4, 1, 8, 1.0), (4, 1, 18, 0.44), (8, 10, 9, 17.8)],
)
def test_margin_of_the_lectures_boundary(experts, layers, ratio, expected):
    """The lecture at 48:00: 2 x active experts x layers over the ratio, here with the catalogue's ratios too."""
    assert pipelining.boundary_margin(experts, layers, ratio) == pytest.approx(expected, abs=0.03)


def test_layers_that_free_the_boundary_of_real_racks():
    systems = [catalog.system(name) for name in ("gb200-nvl72", "gb300-nvl72")]
    ratios = [system.scale_up_bandwidth / system.scale_out_bandwidth for system in systems]
    assert ratios == [18, 9]
    assert [pipelining.free_layers(8, ratio) for ratio in ratios] == [2, 1]


@QUICK
@given(COUNTS, st.floats(0.1, 100), st.floats(0, 4), st.floats(0.5, 4), st.floats(0.5, 4))
def test_the_fewest_free_layers_are_free_and_one_fewer_are_not(experts, ratio, dispatch, combine, hop):
    precisions = {"dispatch_bytes": dispatch, "combine_bytes": combine, "hop_bytes": hop}
    layers = pipelining.free_layers(experts, ratio, **precisions)
    assert layers == int(layers) >= 1
    assert pipelining.boundary_margin(experts, layers, ratio, **precisions) >= 1 - 1e-9
    if layers > 1:
        assert pipelining.boundary_margin(experts, layers - 1, ratio, **precisions) < 1


def test_lower_precision_inside_the_stage_needs_more_layers():
    assert pipelining.boundary_margin(8, 1, 12, dispatch_bytes=1) == 1
    assert pipelining.boundary_margin(8, 1, 12, hop_bytes=1) == pytest.approx(2 * 4 / 3)
    assert pipelining.free_layers(8, 16) == 1
    assert pipelining.free_layers(8, 16, dispatch_bytes=1) == 2
    assert pipelining.free_layers(8, 16, combine_bytes=1) == 2
    assert pipelining.free_layers(8, 17, hop_bytes=1) == 1


def test_a_hop_of_two_thousand_tokens():
    """The lecture guesses a few milliseconds at about 56:00; 28.7 MB take 9 µs over 64 links and 573 µs over one."""
    seconds = pipelining.hop_seconds(2000, 7168, links=np.array([64, 1]), link_bandwidth=50e9)
    assert seconds * 1e6 == pytest.approx([8.96, 573.44])
    assert pipelining.hop_seconds(2000, 7168, links=64, link_bandwidth=50e9, latency=1e-5) == seconds[0] + 1e-5
    assert pipelining.hop_seconds(2000, 7168, links=1, link_bandwidth=50e9, element_bytes=1) == seconds[1] / 2
    assert pipelining.hop_seconds(0, 7168, links=1, link_bandwidth=50e9, latency=5e-6) == 5e-6


def test_a_hop_has_a_slot_to_cross_in():
    assert pipelining.hops_per_slot(0.02, 4, 0.005) == 1
    assert pipelining.layers_for_a_hop(1e-5, 1e-5) == 1
    assert pipelining.layers_for_a_hop(1e-5, 1.01e-5) == 2
    assert pipelining.layers_for_a_hop(1e-5, 0) == 1


def test_arrays_and_numbers_take_the_same_path():
    experts = np.array([1, 2, 8])
    assert pipelining.free_layers(experts, 18).tolist() == [pipelining.free_layers(one, 18) for one in experts]
