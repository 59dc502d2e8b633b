"""The forecast of a step: known answers of its parts, its bands, what it refuses, and that it is above the bound."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc import catalog
from calc.quantities.errors import CalcError, OutOfRange
from calc.setting import Layout, Setting
from calc.step import decode, prefill
from calc.step.forecasting import decode_work, forecast
from calc.step.kernels import kernels, layer_kernels
from calc.step.times import decode_times

LLAMA = Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8)


def fit(**changes):
    return replace(catalog.forecast_fit("decode"), **changes)


@pytest.mark.parametrize(
    ("model", "expected"),
    [("llama-3-70b", [11]), ("deepseek-v3", [16, 23]), ("glm-5", [22, 29]), ("qwen3.5-397b-a17b", [18, 21])],
)
def test_kernels_of_a_layer_are_counted_from_its_architecture(model, expected):
    layers = Setting.published(model, "gb200-nvl72", "fp8", chips=8).model.layers
    assert [layer_kernels(group, narrow=True) for group in layers] == expected
    assert [layer_kernels(group, narrow=False) for group in layers] == [count - 2 for count in expected]


def test_on_one_chip_no_kernel_sends():
    alone = Setting.published("llama-3-8b", "hgx-h100", "fp8", chips=1)
    both = Setting.published("llama-3-8b", "hgx-h100", "fp8", chips=2)
    assert (kernels(alone), kernels(both)) == (32 * 11, 32 * 13)


def test_the_work_is_that_of_the_step_and_of_the_prompts_that_begin_in_it():
    step, read = decode(LLAMA, 64, 8192), prefill(LLAMA, 0.0625, 7680)
    work = decode_work(LLAMA, 64, 8192, prompt=7680, output=1024)
    assert work.moving_seconds == pytest.approx(step.memory_seconds + step.activation_seconds + read.activation_seconds)
    assert work.arithmetic_seconds == pytest.approx(step.compute_seconds + read.compute_seconds)
    assert work.sending_seconds == pytest.approx(step.scale_up_seconds + read.scale_up_seconds)
    assert (work.kernels, work.sequences) == (1040, 64)


def test_at_published_rates_and_with_nothing_beside_the_work_it_is_the_serial_sum():
    plain = fit(memory_share=1, arithmetic_share=1, link_share=1, kernel_seconds=0, sequence_seconds=0)
    step = decode(LLAMA, 64, 8192)
    found = forecast(LLAMA, 64, 8192, fit=plain)
    assert found.seconds == pytest.approx(step.serial_seconds)


def test_each_constant_has_its_part():
    plain = fit(memory_share=0.5, arithmetic_share=0.25, link_share=0.1, kernel_seconds=1e-5, sequence_seconds=1e-6)
    work, found = decode_work(LLAMA, 64, 8192), forecast(LLAMA, 64, 8192, fit=plain)
    assert found.moving_seconds == pytest.approx(2 * work.moving_seconds)
    assert found.arithmetic_seconds == pytest.approx(4 * work.arithmetic_seconds)
    assert found.sending_seconds == pytest.approx(10 * work.sending_seconds)
    assert (found.kernel_seconds, found.sequence_seconds) == (pytest.approx(0.0104), pytest.approx(64e-6))


def test_the_bands_are_those_of_the_fit():
    found = forecast(LLAMA, 64, 8192)
    low, high = found.band_80
    lowest, highest = found.band_90
    assert lowest < low < found.seconds < high < highest
    assert low / found.seconds == pytest.approx(found.fit.low_80)


def test_a_band_above_a_bound_begins_no_lower_where_reading_leaves_it_hardly_longer():
    asked = LLAMA, np.array([8.0, 64.0]), np.array([1e8, 8192])
    bound, expected = decode(*asked).bound_seconds, forecast(*asked)
    low, high = expected.band_above(bound)
    assert expected.band_80[0][0] < bound[0] == low[0] < expected.seconds[0] < high[0] == expected.band_80[1][0]
    assert bound[1] < low[1] == expected.band_80[0][1]
    whole = decode_times("llama-3-70b", "hgx-h100", "fp8", chips=8, batch=8, context=1e8)
    assert whole.expected_low_seconds == whole.bound_seconds


def test_an_array_of_batches_gives_what_each_gives_alone():
    batches = np.array([1.0, 8.0, 64.0, 512.0])
    whole = forecast(LLAMA, batches, 8192, prompt=7680, output=1024).seconds
    alone = [forecast(LLAMA, float(batch), 8192, prompt=7680, output=1024).seconds for batch in batches]
    assert whole == pytest.approx(alone)
    assert np.all(np.diff(whole) > 0)


def test_it_is_above_the_bound_and_prompts_of_others_lengthen_it():
    for model in ("llama-3-8b", "deepseek-v3", "gpt-oss-120b"):
        setting = Setting.published(model, "hgx-b200", "fp8", chips=8)
        alone, among = forecast(setting, 32, 4096), forecast(setting, 32, 4096, prompt=4096, output=512)
        assert decode(setting, 32, 4096).bound_seconds < alone.seconds < among.seconds


def test_a_prompt_without_an_answer_is_refused():
    with pytest.raises(CalcError, match="output must be given with a prompt"):
        decode_times("llama-3-70b", "hgx-h100", "fp8", batch=64, context=8192, prompt=8000)


def test_a_step_that_does_not_fit_is_not_forecast_in_words():
    full = decode_times("llama-3-70b", "hgx-h100", "fp8", batch=4000, context=100_000)
    assert "the cache needs" in str(full)
    assert "To be expected" not in str(full)
    assert decode_times("llama-3-70b", "hgx-h100", "fp8", batch=np.array([1, 4000]), context=100_000).crowded == ""


@pytest.mark.parametrize(("model", "system"), [(None, "hgx-h100"), ("llama-3-70b", None)])
def test_what_is_no_name_is_refused_in_a_sentence(model, system):
    with pytest.raises(CalcError, match="must be a name in the catalogue; it was None"):
        decode_times(model, system, "fp8", batch=64, context=8192)


def test_several_stages_are_refused():
    setting = LLAMA.with_layout(Layout(tensor=4, pipeline=2))
    with pytest.raises(OutOfRange, match="pipeline must be 1: no measurement has several stages"):
        forecast(setting, 32, 4096)
