"""Runs as a page shows them: all of them, told apart, named, and the nearest to a setting found."""

from __future__ import annotations

import json

import numpy as np
import pytest

from calc.measured import runs as module
from calc.measured.groups import BY, groups, labels
from calc.measured.nearest import APART, OTHER, distances, nearest, told
from calc.measured.runs import count, runs
from calc.world.against import points, table

RUNS = runs()


def test_every_point_is_a_run():
    assert set(RUNS.id) == {point.row.id for point in points()}
    assert count() == len(RUNS.id)


def test_the_ratios_are_those_of_the_points():
    by_id = {point.row.id: point for point in points()}
    for at in (0, 1000, len(RUNS.id) - 1):
        point = by_id[RUNS.id[at]]
        assert RUNS.over_bound[at] == pytest.approx(point.over_bound, rel=1e-4)
        assert RUNS.over_forecast[at] == pytest.approx(point.over_forecast, rel=1e-4)


def test_what_the_build_lays_beside_it_is_read_instead(tmp_path, monkeypatch):
    few = {name: cells[:5] for name, cells in table().items()}
    path = tmp_path / "runs.json"
    path.write_text(json.dumps(few), "utf-8")
    monkeypatch.setattr(module, "FILE", str(path))
    for cached in (module._kept, count, runs):
        cached.cache_clear()
    try:
        assert count() == 5
        assert runs().id == RUNS.id[:5]
        assert runs().measured.tolist() == RUNS.measured[:5].tolist()
    finally:
        for cached in (module._kept, count, runs):
            cached.cache_clear()


@pytest.mark.parametrize("by", BY)
def test_groups_hold_every_run_once_and_are_sorted_by_their_middle(by):
    names = labels(RUNS, by)
    found = groups(names, RUNS.over_forecast)
    assert sum(group.count for group in found) == len(RUNS.id)
    assert [group.middle for group in found] == sorted(group.middle for group in found)
    assert all(group.low <= group.middle <= group.high for group in found)
    assert 2 <= len(found) <= 10


def test_the_run_itself_is_nearest_and_each_difference_takes_it_farther():
    at = RUNS.model.index("llama-3-70b")
    same = {
        "model": RUNS.model[at],
        "system": RUNS.system[at],
        "precision": RUNS.precision[at] or "bf16",
        "chips": float(RUNS.chips[at]),
        "context": float(RUNS.context[at]),
        "mode": RUNS.mode[at],
    }
    assert distances(RUNS, **same)[at] == 0
    assert distances(RUNS, **same | {"chips": 2 * same["chips"]})[at] == pytest.approx(1)
    assert distances(RUNS, **same | {"system": "hgx-a100"})[at] == APART
    assert distances(RUNS, **same | {"mode": "elsewhere"})[at] == OTHER
    assert distances(RUNS, **same | {"model": "llama-3-405b"})[at] == np.inf


def test_the_nearest_come_in_their_order_and_none_that_is_endlessly_far():
    assert nearest(np.array([2.0, 1.0, np.inf]), 5).tolist() == [1, 0]
    assert nearest(np.array([np.inf]), 5).size == 0


def test_a_run_is_told_with_its_name_its_place_and_its_times():
    said = told(RUNS, 7)
    assert said.startswith(f"Run 8, {RUNS.id[7]}: ")
    for word in ("in flight", "by the bound", "by the forecast", "tokens each"):
        assert word in said
