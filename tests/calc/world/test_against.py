"""What a page shows of the models against the world: points, gains, nearest runs, and what others report."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import clean_measurements
from calc.setting import Setting
from calc.world.against import curve, gains, nearest, over_bound, peers, points
from calc.world.sample import sample

LLAMA = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)


def test_every_clean_measurement_is_a_point_above_its_bound():
    assert [point.row.id for point in points()] == [row.id for row in clean_measurements()]
    assert all(point.bound <= point.serial for point in points())
    assert min(point.over_bound for point in points()) > 1


def test_points_are_forecast_without_their_configuration():
    stored = catalog.forecast_fit("decode")
    inside = [stored.low_80 < point.over_forecast < stored.high_80 for point in points()]
    assert np.mean(inside) == pytest.approx(0.8, abs=0.01)


@pytest.mark.parametrize("column", ["model", "system", "engine", "chips", "year"])
def test_points_fall_into_the_groups_of_a_column(column):
    groups = over_bound(points(), column)
    assert sum(count for count, *_ in groups.values()) == len(points())
    assert all(1 < low <= middle <= high for _, low, middle, high in groups.values())


def test_a_year_that_is_not_known_is_said_to_be_unknown():
    assert set(over_bound(points(), "year")) == {"2025", "2026", "unknown"}


def test_one_chip_comes_nearer_to_the_bound_than_eight():
    groups = over_bound(points(), "chips")
    assert groups["1"][2] < groups["2"][2] < groups["8"][2]


def test_five_constants_say_more_than_one_and_each_says_something():
    found = gains(sample())
    assert found["all five"].median < 0.5 * found["bound times a constant"].median
    assert found["all five"].median < 0.5 * found["serial sum times a constant"].median
    fewer = [score for name, score in found.items() if name.startswith("without ")]
    assert len(fewer) == 5
    assert all(score.median > found["all five"].median for score in fewer)


def test_a_curve_keeps_its_order_from_the_bound_to_the_upper_end_of_the_band():
    drawn = curve(LLAMA, np.geomspace(1, 512, 10), 8192, prompt=7680, output=1024)
    assert np.all(drawn.bound <= drawn.serial)
    assert np.all(drawn.serial < drawn.forecast)
    assert np.all(drawn.low < drawn.forecast)
    assert np.all(drawn.forecast < drawn.high)
    assert np.all(np.diff(drawn.forecast) > 0)


def test_the_nearest_measurements_are_of_the_model_and_of_the_system_as_far_as_there_are_any():
    near = nearest("llama-3-70b", "hgx-h200", 64, 1536, count=5)
    assert {(point.row.model, point.row.system) for point in near} == {("llama-3-70b", "hgx-h200")}
    away = [abs(np.log(point.row.in_flight / 64)) for point in near]
    assert max(away) < np.log(4)
    elsewhere = nearest("llama-3-70b", "tpu-v7-pod", 64, 1536, count=5)
    assert len(elsewhere) == 5
    assert nearest("llama-3-405b", "hgx-h200", 64, 1536) == []


def test_errors_of_peers_are_computed_from_what_they_print():
    ours, infersim = peers()
    assert ours.errors.count == len(points())
    assert infersim.errors == pytest.approx((0.151, -0.043, -0.038), abs=1e-3)
    assert catalog.source(infersim.source).url
