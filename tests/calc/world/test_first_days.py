"""Runs of a model's first days: read as they were written, slower than any bound, and slower than forecast."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from calc.catalog.measurement import Measurement, first_days, measurements, read, write
from calc.world import first_days as days
from calc.world.first_days import DAYS, SERVERS, FirstDays, age, as_young, taken

NAME = "minimax_m25_vllm_dep8_isl2048_osl128_conc16"
RESULT = {
    "date": "20260214-101112",
    "completed": 160,
    "total_input_tokens": 160 * 2048,
    "total_output_tokens": 160 * 128,
    "request_throughput": 4.0,
    "median_ttft": 0.5,
    "median_e2el": 3.0,
    "median_tpot": 0.02,
}


@pytest.fixture(scope="module")
def found():
    return FirstDays()


def test_a_result_is_read_with_what_its_name_says():
    row = taken(NAME, RESULT)
    assert (row.model, row.tensor, row.attention_groups, row.batch) == ("minimax-m2.5", 1, 8, 16)
    assert (row.mean_input, row.mean_output, row.date.isoformat()) == (2048, 128, "2026-02-14")
    assert row.in_flight == pytest.approx(4.0 * 2.5), "requests a second times the time in which one is written"
    assert (row.token_seconds, row.first_token_seconds, row.set_aside) == (0.02, 0.5, "")


def test_drafts_are_set_aside_and_other_files_refused():
    assert taken(NAME.replace("minimax_m25_vllm_dep8", "glm5_fp8_vllm_tp8"), RESULT).set_aside == "speculation"
    with pytest.raises(ValueError, match="not the name of a result"):
        taken("minimax_notes", RESULT)


def test_a_folder_becomes_the_table_of_the_catalogue(tmp_path, capsys):
    for load in (16, 4):
        (tmp_path / f"{NAME.removesuffix('16')}{load}.json").write_text(json.dumps(RESULT), "utf-8")
    assert days.main([str(tmp_path)]) == 0
    assert [row.batch for row in read(Measurement, capsys.readouterr().out)] == [4, 16]


def test_the_catalogue_has_them_in_the_order_and_digits_in_which_they_are_written():
    rows = first_days()
    again = list(read(Measurement, write(rows, Measurement)))
    assert tuple(again) == rows
    assert {row.model for row in rows} == {model for model, *_ in SERVERS.values()}
    assert {row.id for row in rows}.isdisjoint(row.id for row in measurements()), "the fit has not seen them"


def test_no_run_is_faster_than_its_bound_and_hardly_one_as_fast_as_forecast(found):
    assert found.over_bound.min() > 1
    low, high = found.fit.low_80, found.fit.high_80
    assert found.inside == sum(low <= each <= high for each in found.over_forecast)
    assert found.inside < 0.05 * len(found.rows)
    assert np.all(found.over_forecast > low), "all others lie above the band"


def test_few_prompts_beside_a_step_do_not_make_the_forecast_right(found):
    assert 0.2 < np.mean(found.fewest) < 0.3
    assert found.middle(found.fewest) > found.fit.high_90


def test_all_ran_within_days_of_the_release(found):
    assert 0 <= found.oldest <= 3


def test_in_another_engine_and_system_a_model_as_young_took_what_was_forecast():
    """So the experiment does not tell youth from its engine, its code and its lengths: the page says so."""
    others = as_young()
    assert {(each.row.model, each.row.engine, each.row.system) for each in others} == {
        ("qwen3.5-397b-a17b", "sglang", "hgx-b200")
    }
    assert {age(each.row) for each in others} == {4}, "the page: so many days after its release, all of them"
    assert max(age(each.row) for each in others) <= DAYS
    assert max(each.over_forecast for each in others) < 1.3
    assert len(others) == 15


def test_prompts_as_long_as_in_runs_of_the_record_do_not_make_the_forecast_right_either(found):
    longer = np.array([row.mean_input / row.mean_output for row in found.rows])
    others = [each for each in as_young() if each.row.mean_input / each.row.mean_output == longer.min()]
    assert len(others) == 5
    assert longer.min() == 8, "the page: prompts are at least eight times as long as answers"
    assert found.middle(longer == longer.min()) > 1.5 * max(each.over_forecast for each in others)


def test_a_run_without_a_date_is_of_no_age():
    assert age(replace(first_days()[0], date=None)) == float("inf")
