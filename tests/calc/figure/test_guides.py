"""The common ground of charts: an axis that reaches as far as the reader goes."""

from __future__ import annotations

import numpy as np
import pytest

from calc.figure import registry
from calc.figure.guides import reaching

PLACES = np.array([10.0, 100.0, 1000.0])


@pytest.mark.parametrize("here", [1e-3, 9.0, 10.0, 55.0, 1000.0, 1e9])
def test_the_places_rise_to_the_readers_own_and_none_is_lost(here):
    found = reaching(PLACES, here)
    assert np.all(np.diff(found) > 0)
    assert set(PLACES) <= set(found)
    assert found[0] <= here <= found[-1]
    assert found[0] == pytest.approx(min(here, 10.0))
    assert found[-1] == pytest.approx(max(here, 1000.0))


@pytest.mark.parametrize(
    ("name", "given", "ends", "column"),
    [
        ("overtraining/served", "served", (1e6, 1e18), "served"),
        ("memory_wall/attended", "context", (1, 1e8), "context"),
        ("memory_wall/sparse", "context", (1, 1e8), "context"),
        ("batching/touched", "batch", (1, 1e6), "batch"),
        ("overtraining/optimum", "later", (1e9, 1e19), "tokens"),
    ],
)
def test_the_readers_point_lies_on_a_line_at_both_ends(name, given, ends, column):
    for end in ends:
        tables = registry.find(name).answer(**{given: end}).tables
        curve, here = tables["curve"], tables["here"]
        place = int(np.argmin(np.abs(np.log(np.asarray(curve[column]) / here[column][0]))))
        assert curve[column][place] == pytest.approx(here[column][0], rel=0.1)
