"""Chips of other makers: runs as they were printed, never faster than their bound, and seldom as long as forecast."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import measurements, read, write
from calc.catalog.other_chips import OtherChipRun, other_chip_runs
from calc.step import decode
from calc.step.forecasting import forecast
from calc.world.other_chips import OtherChips
from calc.world.settings import precisions_of, setting_of

RUNS = other_chip_runs()


@pytest.fixture(scope="module")
def found():
    return OtherChips()


def test_the_catalogue_has_them_in_the_order_and_digits_in_which_they_are_written():
    assert tuple(read(OtherChipRun, write(RUNS, OtherChipRun))) == RUNS
    assert {run.model for run in RUNS} <= set(catalog.models())
    assert {run.source for run in RUNS} <= set(catalog.sources())
    assert all(run.tensor * run.groups == run.chips for run in RUNS)
    assert len({run.measurement.id for run in RUNS}) == len(RUNS)


def test_none_is_on_a_chip_that_the_constants_have_seen():
    assert {run.system for run in RUNS}.isdisjoint(row.system for row in measurements())
    assert "NVIDIA" not in {catalog.system(run.system).chip.vendor for run in RUNS}


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.measurement.id)
def test_what_is_in_flight_is_not_more_than_the_load(run):
    """Rate and time are printed apart, so this tells a slip of the pen from a run; long prompts keep some waiting."""
    assert 0.75 * run.load < run.in_flight < 1.01 * run.load


def test_a_run_by_hand():
    """Llama 3.1 405B in FP8 on eight MI300X, one request at once.

    Embeddings are looked up and the head has two bytes a number, so as many bytes are read as there are parameters.
    """
    run = next(run for run in RUNS if run.source == "oracle-llama-405b-mi300x" and run.load == 1)
    setting = setting_of(run.measurement)
    once = catalog.model("llama-3-405b").total_params / (8 * catalog.chip("mi300x").hbm_bandwidth)
    assert decode(setting, 1, 192).memory_seconds == pytest.approx(once, rel=0.01)
    assert run.token_seconds == pytest.approx(3.530 / 128, rel=1e-5)
    assert once < forecast(setting, 1, 192).seconds < run.token_seconds


def test_formats_of_checkpoints_in_four_bits():
    kimi, pro, llama = (precisions_of(model, "mxfp4") for model in ("kimi-k2", "deepseek-v4-pro", "llama-3-405b"))
    assert (kimi.expert_weights, kimi.attention_weights, kimi.products) == ("mxfp4", "bf16", "fp4")
    assert (pro.expert_weights, pro.attention_weights, pro.products) == ("mxfp4", "fp8", "fp8")
    assert {llama.expert_weights, llama.attention_weights, llama.shared_weights} == {"mxfp4"}
    assert precisions_of("kimi-k2", "fp8").attention_weights == "fp8"


def test_no_run_is_faster_than_its_bound(found):
    assert found.over_bound.min() > 1.5


def test_an_engine_moves_a_chip_further_than_another_chip_does(found):
    """One engine on one kind of chip, a model of months ago and one of weeks: no run of the second is as near."""
    old, young = found.of("atom-kimi-k2-thinking"), found.of("atom-deepseek-v4")
    assert old.max() < young.min()
    assert np.median(found.over_forecast) > 1.2
    low, high = found.fit.low_80, found.fit.high_80
    assert found.inside == sum(low <= each <= high for each in found.over_forecast) < len(RUNS) / 2


def test_the_oldest_runs_miss_by_one_factor(found):
    llama = found.of("oracle-llama-405b-mi300x")
    loads = [run.load for run in RUNS if run.source == "oracle-llama-405b-mi300x"]
    assert max(loads) == 256 * min(loads)
    assert llama.max() / llama.min() < 1.06
