"""The table of runs to take away holds each of them once, with what was computed for it."""

from __future__ import annotations

import csv
import io

import pytest

from calc.catalog.chip_times import all_times
from calc.world.against import points
from web import runs_table


def test_each_run_is_a_line_with_its_bound_and_its_forecast() -> None:
    text = runs_table.files()["reference/world/runs.csv"]
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(text))}
    assert len(rows) == len(points())
    for point in points()[::500]:
        row = rows[point.row.id]
        assert float(row["measured_seconds"]) == point.row.token_seconds
        assert float(row["bound_seconds"]) == pytest.approx(point.bound, rel=1e-4)
        assert float(row["forecast_seconds"]) == pytest.approx(point.forecast, rel=1e-4)


def test_each_timing_of_the_chip_is_a_line() -> None:
    rows = [*csv.DictReader(io.StringIO(runs_table.files()["reference/chip/times.csv"]))]
    assert [float(row["seconds"]) for row in rows] == [each.seconds for each in all_times()]
