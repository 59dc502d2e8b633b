"""A token's way round the stages, and what keeps them busy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calc import pipelining

QUICK = settings(max_examples=40, deadline=None)
COUNTS = st.integers(1, 200)
TIMES = st.floats(1e-6, 1e3)


def test_one_batch_on_four_racks_leaves_three_idle():
    """The lecture at about 57:00, and the bubble formula of GPipe for one micro-batch."""
    assert pipelining.decode_cycle(0.02, 4, 1).idle_share == 0.75
    assert pipelining.decode_cycle(0.02, 4, 4).idle_share == 0
    assert pipelining.decode_cycle(0.02, 4, 8).seconds == 0.04


def test_hops_lengthen_a_token_and_ask_for_more_micro_batches():
    cycle = pipelining.decode_cycle(0.02, 4, 4, 0.001)
    assert cycle.seconds == pytest.approx(0.024)
    assert cycle.utilisation == pytest.approx(20 / 24)
    assert pipelining.decode_cycle(0.02, 4, 5, 0.001).utilisation == 1
    assert pipelining.micro_batches_to_fill(0.02, 4, 0.005) == 8
    assert pipelining.decode_cycle(0.02, 1, 1, 0.001).seconds == 0.02
    assert pipelining.micro_batches_to_fill(0.02, 1, 0.001) == 1
    assert pipelining.micro_batches_to_fill(1e-6, 4) == 4


@QUICK
@given(TIMES, COUNTS, COUNTS, st.floats(0, 10))
def test_a_pipeline_never_makes_a_token_faster(alone, stages, micro_batches, hop):
    cycle = pipelining.decode_cycle(alone, stages, micro_batches, hop)
    assert cycle.seconds >= alone
    assert 0 < cycle.utilisation <= 1
    assert cycle.utilisation == pytest.approx(1 - cycle.idle_share)
    assert cycle.utilisation * cycle.seconds * stages == pytest.approx(micro_batches * alone)
    assert pipelining.decode_cycle(alone, stages, micro_batches).seconds == pytest.approx(
        alone * max(1, micro_batches / stages)
    )


@QUICK
@given(TIMES, COUNTS, st.floats(0, 0.5))
def test_the_micro_batches_that_fill_do_and_one_fewer_do_not(alone, stages, share):
    hop = alone * share / stages
    enough = pipelining.micro_batches_to_fill(alone, stages, hop)
    assert enough >= stages
    assert pipelining.decode_cycle(alone, stages, enough, hop).utilisation >= 1 - 1e-9
    if enough > 1:
        assert pipelining.decode_cycle(alone, stages, enough - 1, hop).utilisation < 1


@QUICK
@given(TIMES, COUNTS, st.floats(1, 1e5))
def test_a_full_pipeline_has_the_throughput_of_as_many_replicas(alone, stages, micro_batch):
    cycle = pipelining.decode_cycle(alone, stages, stages)
    assert pipelining.throughput(micro_batch, 3, 0.5) == pytest.approx(6 * micro_batch)
    together = pipelining.throughput(micro_batch, stages, cycle.seconds)
    assert together == pytest.approx(stages * pipelining.throughput(micro_batch, 1, alone))


def test_a_way_back_of_ids_is_shorter_by_what_a_hop_carries():
    """As long as a hop unless it is said; with one stage there is none."""
    full, ids = (pipelining.decode_cycle(0.02, 4, 4, 0.001, back).crossing for back in (None, 0.0002))
    assert full == pipelining.decode_cycle(0.02, 4, 4, 0.001, 0.001).crossing == pytest.approx(0.024)
    assert ids == pytest.approx(0.02 + 3 * 0.001 + 0.0002)
    assert pipelining.decode_cycle(0.02, 1, 1, 0.001, 0.0002).crossing == 0.02
    assert pipelining.micro_batches_to_fill(0.02, 4, 0.005, 0.0) == 7


def test_arrays_and_numbers_take_the_same_path():
    stages = np.array([1, 2, 8])
    cycles = pipelining.decode_cycle(0.02, stages, 4, 0.001)
    assert cycles.seconds.tolist() == [pipelining.decode_cycle(0.02, one, 4, 0.001).seconds for one in stages]
    assert pipelining.micro_batches_to_fill(0.02, stages, 0.001).tolist() == [1, 3, 12]


def test_whether_a_row_is_later_by_a_tenth_is_decided_by_its_hops():
    """Claim C11: false of the microseconds of a network, true of the milliseconds of C17."""
    assert (
        pipelining.decode_cycle(0.02, 4, 4, 15e-6).seconds
        < 1.1 * 0.02
        < pipelining.decode_cycle(0.02, 4, 4, 1e-3).seconds
    )
