"""Room for random arrivals against Poisson's law, and against arrivals that are drawn."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calc import catalog
from calc.serving.room import room_at_random
from calc.step import requests_in_flight
from tests.calc.figure.asking import of

answer, number = of("serving")


def beyond(mean: float, room: float) -> float:
    """The chance that more are in flight than have room, by Poisson's law."""
    return 1 - math.fsum(math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(math.floor(room) + 1))


@pytest.mark.parametrize("mean", [30, 100, 1000, 3447.5])
def test_room_is_short_for_less_than_a_four_hundredth_of_the_time(mean):
    assert 1 / 1000 < beyond(mean, room_at_random(mean)) < 1 / 400


@pytest.mark.parametrize("mean", [100, 4324])
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


def test_real_traffic_is_above_that_room_more_often_than_chance_alone_says():
    for key in ("azure-conversation", "mooncake"):
        assert catalog.datum(f"trace-{key}-over").value > 3 * beyond(23.3, room_at_random(23.3))
        assert 3.5 < catalog.datum(f"trace-{key}-deviations").value < 5
    assert catalog.datum("trace-azure-code-over").value > 10 * beyond(1.43, room_at_random(1.43))


def test_five_deviations_or_the_usual_peaks_of_another_service_leave_the_case_two_racks_and_its_worst_day_three():
    mean, slow = number("questions", "peak_flight"), number("questions", "slow_sequences")
    assert 1 < room_at_random(mean, 5) / slow < 2
    assert 1 < number("questions", "sized") < 2 < number("busier", "racks_r1") < 3
    peak = catalog.datum("servegen-peak-r1").value * number("questions", "flight")
    assert number("busier", "racks_r1") == pytest.approx((peak + 3 * math.sqrt(peak)) / slow)


def test_groups_of_four_read_for_less_by_the_forecast_and_came_to_about_the_racks_price_when_measured():
    rack, fours = number("rack", "fresh"), number("rack", "fours_fresh")
    assert 0.65 < fours / rack < 0.75
    assert number("error", "rack_fresh") == pytest.approx(rack, rel=0.05)


def test_a_peak_adds_more_than_chance_to_a_small_service_too_but_for_the_very_smallest():
    peak = catalog.datum("servegen-peak-high").value
    chance = {mean: room_at_random(peak * mean) / (peak * mean) - 1 for mean in (10, 30, 100, 2808)}
    assert [mean for mean, more in chance.items() if more > peak - 1] == [10]
