"""Chips of other makers: runs as they were printed, never faster than their bound, and mostly not as forecast."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc import catalog
from calc.catalog.measurement import measurements, text, write
from calc.catalog.other_chips import OtherChipRun, other_chip_runs
from calc.step import decode
from calc.step.forecasting import forecast
from calc.world.other_chips import OtherChips, known_ratios, setting_of_other
from calc.world.settings import precisions_of

RUNS = other_chip_runs()
LLAMA = "oracle-llama-405b-mi300x"


@pytest.fixture(scope="module")
def found():
    return OtherChips()


def test_the_table_is_as_it_would_be_written_and_knows_its_words():
    assert write(RUNS, OtherChipRun) == text("other-chips.csv")
    assert {run.model for run in RUNS} <= set(catalog.models())
    assert {run.source for run in RUNS} <= set(catalog.sources())
    assert all(run.tensor * run.groups == run.chips for run in RUNS)
    assert len(
        {(run.source, run.model, run.chips, run.input_tokens, run.output_tokens, run.load) for run in RUNS}
    ) == len(RUNS)


def test_none_is_on_a_chip_that_the_constants_have_seen():
    assert {run.system for run in RUNS}.isdisjoint(row.system for row in measurements())
    assert "NVIDIA" not in {catalog.system(run.system).chip.vendor for run in RUNS}


@pytest.mark.parametrize(
    "run",
    RUNS,
    ids=lambda run: f"{run.source}-{run.model}-{run.chips}-{run.input_tokens}-{run.output_tokens}-{run.load}",
)
def test_what_is_in_flight_is_not_more_than_the_load(run):
    """Rate and time are printed apart, so this tells a slip of the pen from a run; long prompts keep some waiting."""
    assert 0.75 * run.load < run.in_flight < 1.01 * run.load


def test_a_run_by_hand():
    """Llama 3.1 405B in FP8 on eight MI300X, one request at once.

    Embeddings are looked up and the head has two bytes a number, so as many bytes are read as there are parameters.
    """
    run = next(run for run in RUNS if run.source == LLAMA and run.load == 1)
    setting = setting_of_other(run)
    once = catalog.model("llama-3-405b").total_params / (8 * catalog.chip("mi300x").hbm_bandwidth)
    assert decode(setting, 1, 192).memory_seconds == pytest.approx(once, rel=0.01)
    assert run.token_seconds == pytest.approx(3.530 / 128, rel=1e-5)
    assert once < forecast(setting, 1, 192).seconds < run.token_seconds


def test_times_on_trainium_agree_with_the_rates_printed_beside_them():
    """All of a batch starts at once there, so tokens a second follow from its time to a first token and of a token."""
    printed = {(1, 2048): (37.70379, 0.547), (4, 2048): (120.3614, 1.66112), (4, 128): (138.01357, 0.13037)}
    for run in RUNS:
        if (run.source, run.model) == ("neuron-trn1-decoders", "llama-3-70b") and (
            case := printed.get((run.load, run.output_tokens))
        ):
            rate, first = case
            answered = first + run.output_tokens * run.token_seconds
            assert run.load * run.output_tokens / answered == pytest.approx(rate, rel=1e-4)
            assert run.read_beside == 0


def test_on_trainium_the_time_that_is_lacking_is_more_even_by_layers_than_by_bytes(found):
    """With few requests at once, time beyond the forecast is more even by layers than by what is read."""
    few = [each for each in found.judged if each.run.system.startswith("trn2") and each.run.load <= 2]
    assert len(few) == 4
    by_layer = [each.of_a_layer[1] for each in few]
    by_reading = [(each.run.token_seconds - each.forecast) / each.bound for each in few]
    assert max(by_layer) / min(by_layer) < 2.2
    assert max(by_reading) / min(by_reading) > 6
    assert min(by_layer) > max(each.of_a_layer[0] for each in few)


def test_the_least_of_them_on_trainium_is_the_largest_model(found):
    aws = [each for each in found.judged if catalog.system(each.run.system).chip.vendor == "AWS"]
    assert min(aws, key=lambda each: each.over_forecast).run.model == "llama-3-405b"
    sizes = [catalog.model(f"llama-3-{size}").total_params for size in ("70b", "405b")]
    assert sizes[0] == pytest.approx(sizes[1] / 6, rel=0.05)


def test_the_older_models_of_amds_engine_are_older_than_the_young_one(found):
    """They ran on two kinds of chips; the young one on one of them."""
    ages = {}
    for each in found.deployments:
        if each.first.engine == "ATOM":
            ages[each.first.source] = (each.first.date - catalog.model(each.first.model).effective).days
    young = ages.pop("atom-deepseek-v4")
    assert min(ages.values()) > 90 > young


def test_formats_of_checkpoints_in_four_bits():
    kimi, pro, llama = (precisions_of(model, "mxfp4") for model in ("kimi-k2", "deepseek-v4-pro", "llama-3-405b"))
    assert (kimi.expert_weights, kimi.attention_weights, kimi.products) == ("mxfp4", "bf16", "fp4")
    assert (pro.expert_weights, pro.attention_weights, pro.products) == ("mxfp4", "fp8", "fp8")
    assert {llama.expert_weights, llama.attention_weights, llama.shared_weights} == {"mxfp4"}
    assert precisions_of("kimi-k2", "fp8").attention_weights == "fp8"


def test_a_run_says_where_its_formats_differ_from_its_checkpoint():
    run = next(run for run in RUNS if run.source == "inferencex-gpt-oss-mi300x")
    own, usual = setting_of_other(run).precisions, setting_of_other(replace(run, products="", cache="")).precisions
    assert (own.products, own.cache) == ("bf16", "bf16")
    assert (usual.products, usual.cache) == ("fp4", "fp8")
    assert own.expert_weights == usual.expert_weights == "mxfp4"


def test_no_run_is_faster_than_its_bound_with_all_that_is_open_at_its_fastest(found):
    """Weights in the format that names the run, products in it, a cache of eight bits and no scales."""
    for each in found.judged:
        known = setting_of_other(each.run)
        narrow = known.precisions.expert_weights
        parts = dict.fromkeys(("attention_weights", "shared_weights", "head_weights"), narrow)
        at_rates = {"products": narrow, "attention_products": narrow, "cache": "fp8", "block_scales": False}
        fastest = replace(known, precisions=replace(known.precisions, **parts, **at_rates))
        assert decode(fastest, each.run.in_flight, each.run.context).bound_seconds < each.run.token_seconds
        assert each.over_bound > 1


def test_of_one_engine_on_one_kind_of_chip_an_old_model_is_nearer_than_a_young_one(found):
    assert max(found.of("atom-kimi-k2-thinking")) < min(found.of("atom-deepseek-v4"))


def test_most_runs_lie_outside_the_band_and_most_of_those_above_it(found):
    low, high = found.fit.low_80, found.fit.high_80
    above, below = (found.over_forecast > high).sum(), (found.over_forecast < low).sum()
    assert found.inside(found.over_forecast.tolist()) == len(RUNS) - above - below < len(RUNS) / 2
    assert above > 2 * below


def test_the_oldest_runs_miss_by_one_factor_and_others_do_not(found):
    loads = [run.load for run in RUNS if run.source == LLAMA]
    assert max(loads) == 256 * min(loads)
    every = {each.first.source: [one.run.load for one in each.judged] for each in found.deployments}
    assert all(max(some) < 256 * min(some) for source, some in every.items() if source != LLAMA)
    spread = {each.first.source: each.spread for each in found.deployments}
    assert spread[LLAMA] < 1.06
    assert sum(each > 1.29 for each in spread.values()) >= 3


def test_the_same_model_where_the_constants_come_from(found):
    """H100 do not multiply in four bits either, and took what was forecast."""
    hopper = known_ratios(lambda row: (row.model, row.system, row.engine) == ("gpt-oss-120b", "hgx-h100", "vllm"))
    assert len(hopper) > 20
    assert np.median(hopper) == pytest.approx(1, abs=0.05)
    known = {each.first.source: each.elsewhere for each in found.deployments}
    assert known["atom-deepseek-v4"] is None
    assert 0.8 < known["inferencex-gpt-oss-mi300x"] < 1.2 < known["tpu-qwen3.5"] < 1.3


def test_scaled_between_its_ends_the_forecast_misses_the_loads_between(found):
    """By hand for TPU7x with prompts of 8k: 1.59 and 1.68 at the ends, 1.33 to 1.45 between. The page warns."""
    off = {each.first.source: each.scaled_off for each in found.deployments}
    assert max(off, key=off.get) == "tpu-qwen3.5"
    assert off["tpu-qwen3.5"] == pytest.approx(0.21, abs=0.01)
    assert off[LLAMA] < 0.05
    assert min(off.values()) == 0, "two loads have none between"


def test_on_trainium_a_layer_of_one_model_takes_longer_with_more_context(found):
    alone = [
        each
        for each in found.judged
        if (each.run.system, each.run.model, each.run.load) == ("trn1-16", "llama-3-8b", 1)
    ]
    by_context = sorted(alone, key=lambda each: each.run.context)
    layers = [each.of_a_layer[1] for each in by_context]
    assert len(layers) == 3
    assert layers == sorted(layers)
