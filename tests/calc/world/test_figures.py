"""The figures against the world that the build draws: every one answers, and is told to travel nowhere."""

from __future__ import annotations

import json
from collections import defaultdict

import numpy as np
import pytest

from calc import catalog
from calc.figure import registry
from calc.world.against import points
from calc.world.changes import changes
from calc.world.figures.forecast import OSS, RACKS, WIDE
from calc.world.figures.listed import FIGURES
from calc.world.mlperf import entries
from calc.world.work import work

NAMES = [figure.name for figure in FIGURES]


@pytest.fixture(scope="module")
def answers():
    return {figure.name: figure.answer() for figure in FIGURES}


@pytest.mark.parametrize("name", NAMES)
def test_it_is_found_by_name_and_answers_with_its_table(name, answers):
    figure, answer = registry.find(name), answers[name]
    assert json.dumps(answer.as_json(), allow_nan=False)
    assert all(value.text != "unknown" for value in answer.values.values())
    if figure.chart:
        assert set(figure.columns) <= set(answer.tables[figure.table])
        assert answer.description


@pytest.mark.parametrize("name", NAMES)
def test_no_reader_is_asked_to_compute_it(name):
    assert not registry.travels(registry.find(name))
    assert name not in {figure.name for figure in registry.every()}


def test_no_point_is_below_the_bound(answers):
    values = answers["world/bound"].values
    assert 1 < values["least"].number < values["median"].number
    assert values["one_chip"].number < values["eight_chips"].number
    assert values["alike_one"].number < values["alike_eight"].number / 2, "nor is it for other models on more chips"
    assert values["least"].number < values["dense_least"].number < 1.5


def test_the_distance_falls_with_the_batch_in_mixtures_and_rises_in_dense_models(answers):
    found = {name: value.number for name, value in answers["world/bound"].values.items()}
    assert found["mixture_few"] > 1.5 * found["mixture_many"]
    assert found["dense_many"] > 1.5 * found["dense_few"]
    assert found["dense_many_prompted"] < 0.85 * found["dense_many"]
    assert 2 < found["products"] < 2.5, "the page: products counted somewhat more than twice over would show"


def test_by_deployment_the_error_is_larger(answers):
    found = {name: value.number for name, value in answers["world/forecast"].values.items()}
    assert found["deployments_median"] > found["median"]
    assert found["deployments_mean"] > found["mean"]
    assert 0.6 < found["deployments_inside"] / found["deployments"] < 0.8
    racks = {each.row.model for each in points() if each.row.system in RACKS and each.row.precision == "fp4"}
    assert racks == {"deepseek-v3", "kimi-k2.5"}


def test_runs_longer_than_the_band_are_most_often_those_on_h200_and_rare_elsewhere(answers):
    values = {name: value.number for name, value in answers["world/forecast"].values.items()}
    assert values["slow_longer"] / values["slow"] > 0.25
    assert 0.4 < values["slow_longer"] / values["longer"] < 0.5
    assert (values["longer"] - values["slow_longer"]) / (len(points()) - values["slow"]) < 0.08


def test_kernels_take_less_in_the_fit_where_prompts_are_read_elsewhere_and_one_share_does_for_two(answers):
    forecast, gains = (
        {name: it.number for name, it in answers[f"world/{of}"].values.items()} for of in ("forecast", "gains")
    )
    alone = answers["world/chip"].values["kernel"].number
    assert forecast["kernel"] - forecast["kernel_apart"] > 2 * forecast["kernel_apart_error"]
    assert forecast["kernel_apart"] - alone < 2 * forecast["kernel_apart_error"]
    assert gains["one_share_error"] == pytest.approx(gains["five"], abs=0.003)


LARGE = 45  # runs


def test_of_large_groups_the_band_fails_in_two():
    fit, groups = catalog.forecast_fit("decode"), defaultdict(list)
    for each in points():
        row, inside = each.row, fit.low_80 <= each.over_forecast <= fit.high_80
        place = "racks" if row.system in RACKS else row.system
        for group in (
            (place, row.precision),
            (row.model, place),
            (row.model, row.precision),
            (row.model, row.engine),
            (row.model, place, row.engine),
        ):
            groups[group].append(inside)
    covered = {group: np.mean(inside) for group, inside in groups.items() if len(inside) >= LARGE}
    assert len(covered) > 40
    assert {group for group, share in covered.items() if share < 0.4} == {("racks", "fp4"), OSS}
    oss = [each.over_forecast for each in points() if (each.row.model, each.row.system, each.row.engine) == OSS]
    assert max(oss) < fit.high_80, "those outside were shorter"


def test_the_page_counts_models_systems_and_engines_in_words():
    rows = [each.row for each in points()]
    counts = [len({getattr(row, of) for row in rows}) for of in ("model", "system", "engine")]
    assert counts == [10, 6, 3]
    assert {row.precision for row in rows if row.system in RACKS} == {"fp4", "fp8"}


@pytest.mark.parametrize(
    ("model", "chips", "kernels"),
    [
        ("llama-3-70b", 1, 80 * 11),
        ("llama-3-70b", 2, 80 * (11 + 2)),
        ("deepseek-v3", 8, 58 * (23 + 2) + 3 * (16 + 2)),  # the first three layers lack experts
    ],
)
def test_kernels_of_a_layer_are_as_many_as_the_page_says(model, chips, kernels):
    row = next(
        each.row for each in points() if (each.row.model, each.row.precision, each.row.chips) == (model, "fp8", chips)
    )
    assert np.all(np.asarray(work([row]).kernels) == kernels)


def test_no_other_maker_s_chip_took_longer_over_its_forecast_than_those_of_aws(answers):
    other = answers["world/other-chips"]
    assert other.values["aws_high"].number == pytest.approx(max(other.tables["runs"]["over"]))


def test_the_newer_engine_is_newer_and_the_other_the_same():
    of = next(each for each in changes(points()) if each.name == "H200 → B200").by_model["deepseek-v3"]
    versions = {(before.row.engine, before.row.engine_version, after.row.engine_version) for before, after in of.pairs}
    assert versions == {
        ("trtllm", "1.1.0rc2.post2", "1.1.0rc2.post2"),
        ("trtllm", "1.1.0rc2.post2", "1.2.0rc6.post2"),
    }


def test_the_runs_on_the_most_chips_in_fp8_are_few_deployments(answers):
    wide = {each.row.configuration for each in points() if (each.row.chips, each.row.precision) == (WIDE, "fp8")}
    assert answers["world/forecast"].values["wide_deployments"].number == len(wide) == 3
    assert all(each.over_forecast > 1 for each in points() if (each.row.chips, each.row.precision) == (WIDE, "fp8")), (
        "all took longer than forecast"
    )


def test_the_five_constants_miss_least(answers):
    ways = answers["world/gains"].tables["ways"]
    assert ways["median"][ways["way"].index("all five constants")] == min(ways["median"])


def test_a_sixth_constant_is_left_out_because_it_means_no_share_and_foresees_less(answers):
    values, later = answers["world/gains"].values, answers["world/forecast"].values["later_median"]
    assert values["sixth"].number < values["five"].number
    assert values["sixth_arithmetic"].number > 1
    assert values["sixth_later"].number > later.number


def test_the_band_holds_on_racks_in_fp8_is_too_long_in_fp4_and_too_short_over_several_nodes(answers):
    values = answers["world/forecast"].values
    eight, four = values["racks_fp8"].number, values["racks_fp4"].number
    assert eight + four > 100
    assert values["racks_fp8_covered"].number > 0.9 * eight
    assert values["racks_fp4_shorter"].number > 0.7 * four
    assert answers["world/racks"].values["over_low"].number > 1, "yet filled racks in FP4 took longer"
    assert answers["world/young-racks"].values["low"].number > 1, "and so did a young model"
    assert values["nodes_low"].number > catalog.forecast_fit("decode").high_80  # of a copy over several domains, all


def test_company_makes_a_token_cheaper_on_the_machine_and_slower_for_its_reader(answers):
    values, runs = answers["world/company"].values, answers["world/company"].tables["runs"]
    measured = dict(zip(runs["id"], zip(runs["in_flight"], runs["seconds"], strict=True), strict=True))
    assert (values["readers"].number, values["among"].number) in measured.values()
    assert values["alone"].number == pytest.approx(values["times"].number * values["among"].number)
    assert values["among_step"].number > values["alone_step"].number
    assert 0.4 < values["times_bound"].number / values["times"].number < 0.5, "the bound explains less than half"
    assert values["context"].text == "1,382 tokens", "as in the table of runs: 0.9 x 1,024, and half of that"
    assert values["times_forecast"].number == pytest.approx(values["times"].number, rel=0.2)


def test_no_entry_of_mlperf_writes_more_than_its_bound(answers):
    known = [each for each in entries() if np.isfinite(each.bound)]
    assert len(known) > 50
    assert max(each.share for each in known) < 1
    assert {each.row.model for each in known} == {"deepseek-r1"}
    best = answers["world/mlperf"].tables["best"]
    assert all(entry.startswith("MLPerf Inference v6.1 closed, ") for entry in best["entry"])
    by_hand = [result / count for result, count in zip(best["result"], best["accelerators"], strict=True)]
    assert best["rate"] == pytest.approx(by_hand)


def test_peers_stand_beside_ours_with_how_their_errors_were_obtained(answers):
    errors = answers["world/peers"].tables["errors"]
    assert len(errors["name"]) == 2 + 2 + 3
    assert len(set(errors["obtained"])) == 3


def test_a_rack_is_counted_at_the_setting_of_its_run(answers):
    """TensorRT-LLM in FP8, February 2026: 64 sequences for each of 32 GB200, 922 tokens read and 7,373 written."""
    values = answers["world/rack"].values
    found = {name: value.number for name, value in values.items()}
    assert (found["chips"], found["measured"]) == (32, 0.024497)
    assert 0.98 < found["each"] / 64 < 1, "all but those whose prompts are read"
    assert found["context"] == pytest.approx(921.6 + 7372.8 / 2)
    experts = 58 * 8 * 3 * 7168 * 2048 * (1 + 4 / 128**2) / 8e12  # eight of 256 on a chip, with the scales of blocks
    starts = 2 * 58 * 23.9e-6  # as timed on 32 chips
    assert 2 * experts + starts < found["counted"] < found["measured"]
    assert found["over"] == pytest.approx(found["measured"] / found["counted"])


def test_the_wider_run_of_a_rack_took_as_many_times_its_count(answers):
    """SGLang, September 2025: 48 chips, 1,408 sequences on each, 13,386 tokens/s a chip, counted in parts."""
    found = {name: value.number for name, value in answers["world/rack"].values.items()}
    assert found["wide_measured"] == pytest.approx(1408 / 13386)
    sent = 58 * 1408 * 8 * 7168 * (0.5 + 2) / 900e9  # in four bits out and sixteen back, without scales
    cache = 61 * 2000 * 576 * 1408 / 8e12
    experts = 58 * 1408 * 8 * 3 * 7168 * 2048 * 2 / 1e16  # multiplied in FP4, which takes longer than reading them
    starts = 2 * 58 * 25.6e-6
    assert 0.7 < (sent + cache + experts + starts) / found["wide_counted"] < 1
    assert found["wide_measured"] / found["wide_counted"] == pytest.approx(found["over"], rel=0.02)
