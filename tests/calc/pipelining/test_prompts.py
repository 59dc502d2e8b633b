"""A prompt that is read in pieces on its way through the stages."""

import pytest

from calc import pipelining


def test_a_prompt_in_endless_pieces_is_read_as_many_times_sooner_as_there_are_stages():
    assert pipelining.prompt_seconds(1, 4, 1) == 1
    assert pipelining.prompt_seconds(1, 4, 1e6) == pytest.approx(0.25, rel=1e-5)
    assert pipelining.prompt_seconds(1, 4, 16, 0.01) == pytest.approx(19 / 64 + 0.03)
    assert pipelining.prompt_seconds(3, 1, 16, 0.01) == 3


def test_each_piece_reads_the_weights_again():
    assert pipelining.prompt_seconds(1, 4, 16, weight_seconds=0.05) == pipelining.prompt_seconds(1, 4, 16)
    assert pipelining.prompt_seconds(1, 4, 40, weight_seconds=0.05) == pytest.approx(0.05 * 43 / 4)
