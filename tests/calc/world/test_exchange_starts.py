"""Exchanges timed by others: numbers by hand from the raw times, and what the page concludes."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.node_exchanges import NODE_EXCHANGE_SOURCES, node_exchanges
from calc.moe.figures.plans import plan_parts
from calc.moe.figures.timings import rack_start
from calc.world.exchange_starts import (
    B200,
    DIRECT,
    H100,
    RELAY,
    counted_meeting,
    direct_racks,
    fast_racks_good,
    meeting,
    relayed_racks,
    start_ratio,
    timed_runs,
    two_racks,
)
from calc.world.figures.exchange_engines import engines
from calc.world.figures.exchange_starts import relays, starts


def test_every_row_names_a_source_and_a_known_system():
    assert {row.source for row in node_exchanges()} == set(NODE_EXCHANGE_SOURCES)
    assert all(catalog.system(row.system).known("scale_up_bandwidth") for row in node_exchanges())
    assert len({(r.system, r.way, r.nodes, r.chips, r.picks, r.tokens) for r in node_exchanges()}) == len(
        node_exchanges()
    )


def test_starts_on_h100_by_hand():
    """40.07 + 60.93 µs over two nodes; half of 32 x 7168 x 8 x (1.03125 + 2) bytes leave at 50 GB/s.

    In one node 20.4988 + 24.6375 µs, and seven eighths of the bytes at 450 GB/s.
    """
    sent = 32 * 7168 * 8 * (1 + 4 / 128 + 2)
    assert timed_runs(H100, DIRECT, 2)[32].start == pytest.approx((101.0e-6 - sent / 2 / 50e9) / 2, abs=1e-8)
    assert timed_runs(H100, DIRECT, 1)[32].start == pytest.approx((45.1363e-6 - sent * 7 / 8 / 450e9) / 2, abs=1e-8)


def test_starts_on_b200_by_hand():
    """155.616 µs over two nodes, six copies of four bytes there and back; one copy a node crosses in 63 of 64 cases."""
    sent = 32 * 7168 * 4
    assert timed_runs(B200, DIRECT, 2)[32].start == pytest.approx((155.616e-6 - 3 * sent / 50e9) / 2, abs=1e-8)
    assert timed_runs(B200, RELAY, 2)[32].start == pytest.approx((182.208e-6 - sent * 63 / 64 / 50e9) / 2, abs=1e-8)


def test_no_exchange_is_quicker_than_its_bytes():
    for system, way, nodes in ((H100, DIRECT, 8), (H100, RELAY, 2), (B200, DIRECT, 2), (B200, RELAY, 2)):
        assert all(run.start > 0 for run in timed_runs(system, way, nodes).values())


def test_with_few_tokens_starts_grow_with_the_nodes_and_with_many_they_do_not():
    for tokens in (2, 8, 32):
        found = [timed_runs(H100, DIRECT, nodes)[tokens].start for nodes in (1, 2, 4, 8)]
        assert found == sorted(found)
        assert start_ratio(H100, tokens=tokens) > 1.3
    assert start_ratio(H100, tokens=128) < 1 < start_ratio(H100, 8, 128) < 1.25 < start_ratio(H100, 8)
    both = [start_ratio(system, tokens=tokens) for system in (H100, B200) for tokens in (8, 32)]
    assert np.mean(both) == pytest.approx(1.5, abs=0.05), "half as long again"
    assert all(start_ratio(B200, tokens=tokens) > 1.35 for tokens in (8, 16, 32, 64, 128, 256))


def test_longer_starts_leave_one_rack_further_ahead():
    one = sum(plan_parts(1, "gb200-nvl72", 2048, rack_start(), "expert"))
    assert one < two_racks(1) < two_racks(start_ratio(H100)) < two_racks(start_ratio(B200))
    assert 1e3 * two_racks(1.5) == pytest.approx(9.2503 + 0.5 * 2 * 58 * 0.025586, abs=1e-3)
    assert starts().values["racks_high"].number < 1.5 * one


def test_two_fast_racks_are_as_good_only_while_starts_out_are_as_short_as_within():
    assert fast_racks_good(1)
    assert not fast_racks_good(1.1)


def test_few_tokens_go_straight_and_many_as_one_copy_a_node():
    direct, relay = timed_runs(B200, DIRECT, 2), timed_runs(B200, RELAY, 2)
    quicker = [relay[tokens].seconds < direct[tokens].seconds for tokens in (16, 32, 64, 128, 256)]
    assert quicker == [False, False, True, True, True]
    last, first = meeting(B200)
    assert last < counted_meeting(rack_start()) < first
    assert meeting(H100) == (96, 128)


def test_the_counted_meeting_is_where_the_steps_are_equal():
    start, tokens = rack_start(), counted_meeting(rack_start())
    assert relayed_racks(tokens, start) <= direct_racks(tokens, start)
    assert relayed_racks(tokens - 1, start) > direct_racks(tokens - 1, start)


def test_one_copy_a_node_starts_less_than_twice_on_b200_and_longer_with_older_programs():
    values = relays().values
    assert 1.4 < values["starts_low"].number < values["starts_high"].number < 2
    assert 3 < values["older_starts_low"].number < values["older_starts_high"].number < 4


def test_a_call_from_the_host_in_both_ways_could_hide_a_second_start():
    found = engines().values
    call = found["b200_called"].number - found["b200_kernels"].number
    direct, relay = (2 * timed_runs(B200, way, 2)[16].start for way in (DIRECT, RELAY))
    assert relay / direct < 1.8 < (relay - call) / (direct - call) == pytest.approx(2, abs=0.05)


def test_another_program_in_a_rack_agrees_and_calls_from_the_host_take_three_times_as_long():
    values = engines().values
    assert values["other"].number == pytest.approx(values["ours"].number, rel=0.05)
    assert 3 < values["launched"].number / values["kernels_16"].number < 3.5
    assert 1.3 < values["b200_called"].number / values["b200_kernels"].number < 1.5


def test_the_fused_layer_cannot_read_its_experts_twice():
    """48 experts of three matrices of 7168 x 3072 in four bits and a scale for 32."""
    values = engines().values
    experts = 48 * 3 * 7168 * 3072 * 17 / 32
    assert values["fused_experts"].number == pytest.approx(experts)
    assert values["fused_twice"].number == pytest.approx(2 * experts / 369.6e-6)
    assert values["fused_twice"].number > 1.05 * values["delivers"].number
