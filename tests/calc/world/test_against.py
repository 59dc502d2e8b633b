"""The models against the world, as a page shows them: points, gains, and what others report."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import clean_measurements
from calc.world.against import gains, over_bound, peers, points, table
from calc.world.sample import sample


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


def test_errors_of_peers_are_computed_from_what_they_print_and_each_says_how_it_was_obtained():
    ours, run, infersim = peers()
    assert ours.points == len(points())
    assert ours.errors[0] < run.errors[0] < run.errors[1]
    assert infersim.errors == pytest.approx((0.151, -0.043, -0.038), abs=1e-3)
    assert all(len(each.errors) == len(each.kinds) and each.obtained for each in (ours, run, infersim))


def test_the_table_that_a_page_shows_holds_every_point_in_the_order_of_its_load():
    found = table()
    assert {len(column) for column in found.values()} == {len(points())}
    assert found["in_flight"] == sorted(found["in_flight"])
    by_id = {point.row.id: point for point in points()}
    for at in (0, 900, 2000):
        point = by_id[found["id"][at]]
        assert found["measured"][at] == point.row.token_seconds
        assert found["bound"][at] == pytest.approx(point.bound, rel=1e-4)
        assert found["forecast"][at] == pytest.approx(point.forecast, rel=1e-4)
