"""A young model on racks: never faster than its bound, slower than forecast, and by nearly one factor."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import clean_measurements, measurements, text, write
from calc.catalog.young_racks import YOUNG_RACKS_MODEL, YoungRackRun, young_rack_runs
from calc.world.young_racks import inside, off_by_one_factor, setting_of_young, young_runs

RUNS = young_rack_runs()


def test_the_table_is_as_it_would_be_written():
    assert write(RUNS, YoungRackRun) == text("young-racks.csv")
    assert {run.system for run in RUNS} <= set(catalog.systems())
    assert all(run.groups in (1, run.chips) for run in RUNS)


def test_no_constant_has_seen_the_model():
    assert YOUNG_RACKS_MODEL not in {row.model for row in measurements()}


def test_no_model_of_the_fit_keeps_one_cache_entry_for_several_tokens():
    """One of them selects, as the young model does: GLM-5 by its index."""
    fitted = [catalog.model(name) for name in {row.model for row in clean_measurements()}]
    assert not any(model.compression or model.selected_compression for model in fitted)
    assert catalog.model(YOUNG_RACKS_MODEL).selected_compression == 4
    assert [model.id for model in fitted if model.index_top_k] == ["glm-5"]


def test_users_follow_by_littles_law_and_are_never_more_than_the_load():
    """By hand: 11,055.6 x 32 chips / 9 are 39,309 tokens a second; times 77.83 ms, 3,059."""
    assert RUNS[-1].in_flight == pytest.approx(11055.6 * 32 / 9 * 0.07783)
    assert all(run.workers * run.in_flight <= max(run.load, run.workers) for run in RUNS)


def test_cut_and_spread_are_laid_out_as_the_recipes_say():
    cut, spread = (setting_of_young(RUNS[place]).layout for place in (0, -1))
    assert (cut.tensor, cut.data, cut.expert) == (8, 1, 1)
    assert (spread.tensor, spread.data, spread.expert) == (1, 8, 8)


def test_the_weights_and_caches_fit_where_they_ran():
    for run in RUNS:
        setting = setting_of_young(run)
        held = setting.chip_weight_bytes + setting.chip_kept_bytes(run.in_flight, run.context)
        assert held < setting.system_hbm_bytes / run.chips


def test_all_took_longer_than_forecast_and_by_nearly_one_factor():
    runs = young_runs()
    ratios = np.array([each.over_forecast for each in runs])
    assert ratios.min() > 1.2
    assert ratios.max() / ratios.min() < 1.3
    assert inside(runs) == 1
    assert min(each.over_bound for each in runs) > 2
    users = np.array([each.users for each in runs])
    assert users.max() / users.min() > 3000
    assert abs(np.corrcoef(np.log(users), np.log(ratios))[0, 1]) < 0.2
    assert off_by_one_factor(runs) < 0.13
    assert max(off_by_one_factor(runs, each) for each in range(len(runs))) == pytest.approx(0.255, abs=0.005)
    assert max(abs(np.median(ratios) / ratios - 1)) < 0.13, "by their middle no run is missed by more"
