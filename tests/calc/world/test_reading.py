"""Times to a first token beside the pass that reads the prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calc import catalog
from calc.catalog.measurement import clean_measurements
from calc.figure import registry
from calc.world.reading import FEW, reads
from calc.world.training import middle

FOUND = reads(clean_measurements())


def test_no_first_token_comes_before_the_bound_of_its_pass():
    assert len(FOUND) > 200
    assert min(each.over_bound for each in FOUND) > 1
    assert all(each.bound < each.expected for each in FOUND)


def test_only_runs_with_few_requests_that_read_and_write_on_the_same_chips_are_asked():
    some = FOUND[0].row
    assert (some.mode, some.concurrency) == ("agg", FEW)
    assert reads([replace(some, concurrency=64)]) == reads([replace(some, mode="disagg")]) == []


def test_the_bound_of_a_pass_by_hand():
    """Llama 3 70B on one H200: two operations a parameter and token, but for the table, and the head for one token."""
    (row,) = {
        each.row
        for each in FOUND
        if (each.row.model, each.row.chips, each.row.engine) == ("llama-3-70b", 1, "trtllm")
        and each.is_long
        and each.row.system == "hgx-h200"
    }
    (found,) = reads([row])
    model, rate = catalog.model("llama-3-70b"), catalog.chip("h200-sxm").fp8_flops
    n, layers, heads = row.mean_input, 80, 64 * 128
    products = 2 * (model.total_params - 2 * 128_256 * 8192) * n + 2 * 128_256 * 8192
    attention = layers * 4 * heads * n * (n + 1) / 2
    assert found.bound == pytest.approx((products + attention) / rate, rel=1e-3)


def test_a_dense_model_is_nearer_to_its_forecast_than_mixtures_and_long_prompts_nearer_than_short():
    values = registry.find("world/reading").answer().values
    got = {name: float(value.number) for name, value in values.items()}
    assert 1 < got["dense"] < got["quickest"] < got["slowest"]
    assert got["quickest"] < 1.2 * got["dense"], "not every mixture is far from a dense model"
    mixtures = {each.row.model for each in FOUND if each.is_long} - {"llama-3-70b"}
    assert all(catalog.model(name).known("routed_experts") > 1 for name in mixtures)
    assert 1 < got["long"] < got["short"]
    assert all(7000 <= each.row.mean_input <= 8000 or 500 <= each.row.mean_input <= 1100 for each in FOUND)
    assert got["long_runs"] == sum(each.row.mean_input >= 7000 for each in FOUND)
    short = [each.row.first_token_seconds - each.expected for each in FOUND if each.row.mean_input <= 1100]
    assert got["beside"] == middle(short)
    assert got["beside_long"] > 1.5 * got["beside"], "not one delay for both"


def test_full_passes_are_forecast_to_about_a_half():
    values = registry.find("serving/error").answer().values
    assert all(1 / 1.5 < float(values[name].number) < 1.5 for name in ("sglang_ratio", "rack_ratio"))


def test_all_long_prompts_took_longer_than_forecast():
    """As lecture 8 says."""
    assert min(each.over for each in FOUND) > 1
