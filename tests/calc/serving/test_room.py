"""Room for random arrivals against Poisson's law, and against arrivals that are drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calc.serving.room import room_at_random
from calc.step import requests_in_flight


def beyond(mean: float, room: float) -> float:
    """The chance that more are in flight than have room, by Poisson's law."""
    return 1 - math.fsum(math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(math.floor(room) + 1))


@pytest.mark.parametrize("mean", [30, 100, 1000, 3447.5])
def test_room_is_short_for_less_than_a_four_hundredth_of_the_time(mean):
    assert 1 / 1000 < beyond(mean, room_at_random(mean)) < 1 / 400


@pytest.mark.parametrize("mean", [100, 3430])
def test_it_is_short_for_less_than_a_five_hundredth_for_the_means_of_the_text(mean):
    assert beyond(mean, room_at_random(mean)) < 1 / 500


@pytest.mark.parametrize("answers", ["alike", "of all lengths"])
def test_in_flight_scatters_by_the_root_of_its_mean_whatever_the_lengths_of_answers(answers):
    draw = np.random.default_rng(8)
    rate, stay, until = 20.0, 5.0, 40_000.0
    start = np.sort(draw.uniform(0, until, draw.poisson(rate * until)))
    end = np.sort(start + (stay if answers == "alike" else draw.exponential(stay, start.size)))
    at = np.arange(100.0, until, 1.0)
    flight = np.searchsorted(start, at) - np.searchsorted(end, at)
    mean = requests_in_flight(rate, stay)
    assert flight.mean() == pytest.approx(mean, rel=0.02)
    assert flight.std() == pytest.approx(math.sqrt(mean), rel=0.05)
    assert np.mean(flight > room_at_random(mean)) < 1 / 200


def test_a_larger_service_needs_a_smaller_share_beside_its_mean():
    shares = [room_at_random(mean) / mean for mean in (10, 100, 1000, 10_000)]
    assert shares == sorted(shares, reverse=True)
    assert room_at_random(0) == 0
