import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.reversible.formats import FORMATS, bfloat16
from calc.reversible.rounds import network, reconstruction_error

LAYERS = 80


@given(st.floats(-(2.0**99), 2.0**99, width=32).filter(lambda x: abs(x) > 2.0**-99))
def test_a_bfloat16_is_a_nearest_number_of_eight_bits(given_):
    found = bfloat16([given_])
    bits = int(found.view(np.uint32)[0])
    assert bits & 0xFFFF == 0
    near = np.array([bits - 0x10000, bits + 0x10000], dtype=np.uint32).view(np.float32)
    assert abs(float(found[0]) - given_) <= np.abs(near.astype(np.float64) - given_).min()


@pytest.mark.parametrize(("name", "spacing"), [("bfloat16", 2**-7), ("mixed", 2**-23), ("float64", 2**-52)])
def test_the_next_number_after_one_is_a_spacing_away(name, spacing):
    kept = FORMATS[name]
    assert kept.spacing == spacing
    assert kept.state(np.ones(1, kept.dtype) + kept.dtype(0.4 * spacing))[0] == 1
    assert kept.state(np.ones(1, kept.dtype) + kept.dtype(spacing))[0] == 1 + spacing


def test_sixteen_bits_lose_the_start_unless_states_have_more():
    errors = {name: reconstruction_error(network(LAYERS, 8, dtype=name), 4) for name in FORMATS}
    assert errors["bfloat16"] > 0.3 > 1e-3 > errors["float32"] > 10 * errors["mixed"] > errors["float64"]


def test_in_a_wide_network_some_number_falls_the_other_way():
    full, short = (reconstruction_error(network(LAYERS, 64, step=step, dtype="mixed"), 16) for step in (1, 80**-0.5))
    assert full > 0.01 > 1e-3 > short > 100 * FORMATS["mixed"].spacing
