from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calc.batching import departures
from calc.quantities import draws
from calc.quantities.errors import WrongType

periods = st.floats(1e-3, 10)
times = st.lists(st.floats(0, 1000), min_size=1, max_size=60)
traffics = st.floats(1, 1e10)


def test_the_lectures_train():
    """A batch every 20 ms: a token after 40 ms at worst; 2,000 seats at 64 departures a second are 128,000 tokens."""
    assert departures.worst_wait(0.02) == pytest.approx(0.04)
    assert departures.systems_needed(128_000, 2000 * 64) == 1
    assert departures.sequences_per_second(2000, 1 / 64, 1) == pytest.approx(128_000)


def test_who_comes_at_any_moment_waits_one_and_a_half_periods_on_average():
    came = np.sort(draws.uniform(1, 20_000)) * 100
    trip = departures.board(came, 1.0, 20_000)
    waits = trip.arrives - came
    assert waits.mean() == pytest.approx(departures.mean_wait(1.0), rel=0.01)
    assert 1 <= waits.min() <= waits.max() <= departures.worst_wait(1.0)


@given(times, periods, st.integers(1, 10))
def test_trains_leave_on_time_and_never_carry_more_than_their_seats(requests, period, seats):
    trip = departures.board(requests, period, seats)
    trains = trip.departs / period
    assert np.allclose(trains, np.round(trains))
    assert np.all(trip.departs >= np.sort(requests) * (1 - 1e-12))
    assert np.all(np.diff(trip.departs) >= 0)
    assert np.allclose(trip.arrives - trip.departs, period)
    assert np.unique(np.round(trains), return_counts=True)[1].max() <= seats


@given(times, periods)
def test_with_a_seat_for_everyone_nobody_waits_for_a_second_train(requests, period):
    trip = departures.board(requests, period, len(requests))
    assert np.all(trip.departs - np.sort(requests) <= period * (1 + 1e-9))


def test_who_finds_no_seat_takes_the_next_train():
    assert departures.board([0.1, 0.1, 0.1], 1.0, 1).departs.tolist() == [1, 2, 3]
    assert departures.board(0.5, 1.0, 1).departs.tolist() == [1]


@given(traffics, st.floats(1, 1e6), periods)
def test_occupancy_is_a_share_and_fills_with_traffic(traffic, seats, period):
    share = departures.occupancy(traffic, seats, period)
    assert 0 < share <= 1
    assert share <= departures.occupancy(2 * traffic, seats, period)
    assert departures.occupancy(seats / period, seats, period) == pytest.approx(1)


@given(traffics, st.floats(1, 1e7))
def test_empty_seats_cost_less_the_more_systems_there_are(traffic, capacity):
    systems = departures.systems_needed(traffic, capacity)
    factor = departures.empty_seat_factor(traffic, capacity)
    assert systems * capacity >= traffic * (1 - 1e-12)
    assert factor >= 1 - 1e-12
    if systems > 1:
        assert (systems - 1) * capacity < traffic
        assert factor <= systems / (systems - 1) * (1 + 1e-12)
    else:
        assert factor == pytest.approx(capacity / traffic)


@given(st.lists(traffics, min_size=1, max_size=5), st.floats(1, 1e7))
def test_an_array_holds_what_each_number_gives(loads, capacity):
    for function in (departures.systems_needed, departures.empty_seat_factor):
        assert function(np.array(loads), capacity).tolist() == [function(load, capacity) for load in loads]


@pytest.mark.parametrize("arguments", [{"period": [1, 2]}, {"seats": [1, 2]}])
def test_one_timetable_has_one_period_and_one_number_of_seats(arguments):
    with pytest.raises(WrongType, match="must be single numbers"):
        departures.board(**{"requests": [1, 2], "period": 1, "seats": 1} | arguments)
