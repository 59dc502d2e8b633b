"""Fewest domains that hold a model."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from calc.pipelining.decoding import stages_to_hold

POSITIVE = st.floats(1e-3, 1e15)
CHIPS = st.integers(1, 10_000)
MANY = settings(max_examples=40, deadline=None)


class TestStages:
    def test_five_terabytes_take_eight_hopper_boxes_and_one_rack(self):
        assert stages_to_hold(5e12, 8, 80e9) == 8
        assert stages_to_hold(5e12, 72, 186e9) == 1

    def test_chips_for_llama_3_70b_in_the_scaling_book(self):
        """The same table: 8.75, 4.38 and 2.81 TPU v5e of 16 GB for 140, 70 and 45 GB."""
        assert stages_to_hold(np.array([140e9, 70e9, 45e9]), 1, 16e9).tolist() == [9, 5, 3]

    @MANY
    @given(st.floats(1, 1e15), CHIPS, st.floats(1e9, 1e12))
    def test_that_many_hold_it_and_one_fewer_does_not(self, stored, chips, memory):
        stages = stages_to_hold(stored, chips, memory)
        assert stages * chips * memory >= stored * (1 - 1e-12)
        assert (stages - 1) * chips * memory < stored
