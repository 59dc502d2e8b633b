"""No published measurement passes its bound, and none is tuned: each is rebuilt here from its source."""

from __future__ import annotations

import numpy as np
import pytest

from calc import catalog
from calc.quantities.errors import UnknownName
from calc.serving.measured import NARROW, WIDE, comparison, comparisons
from calc.setting import Layout, Setting
from calc.step import decode, most_sequences
from calc.step.forecasting import forecast_of


@pytest.mark.parametrize("name", comparisons())
def test_no_measurement_passes_its_bound(name):
    found = comparison(name)
    assert 0 < found.share < 1
    assert found.serial <= found.bound
    assert found.share <= found.share_of_serial < 1
    assert catalog.source(found.source).url


@pytest.mark.parametrize(
    ("name", "measured"),
    [
        ("deepseek-decode", 14_800 / 8),
        ("deepseek-prefill", 73_700 / 8 * (608 - 342) / 608),
        ("sglang-h100-decode", 22_282 / 8),
        ("sglang-h100-prefill", 52_300 / 8),
        ("sglang-gb200-decode", 7_583),
        ("sglang-gb200-decode-fp8", 9_087),
        ("sglang-gb200-decode-fp4", 13_386),
        ("sglang-gb200-prefill", 18_471),
        ("sglang-gb200-prefill-fp4", 26_156),
        ("trtllm-405b-2048", 463.1),
        ("trtllm-405b-32768", 320.1),
        ("trtllm-405b-120000", 71.5),
        ("deepep-8", 1 / (77e-6 + 114e-6)),
        ("deepep-256", 1 / (194e-6 + 360e-6)),
    ],
)
def test_what_was_measured_is_what_was_published(name, measured):
    """DeepSeek, day 6 (2025); LMSYS (May, June and September 2025); NVIDIA (August 2024, relayed); DeepEP's table."""
    assert comparison(name).measured == pytest.approx(measured)


def test_a_service_in_fp8_on_two_thirds_of_a_rack_beat_its_forecast_by_a_tenth_at_any_batch():
    setting = Setting.published("deepseek-v3", "gb200-nvl72", WIDE, layout=Layout(data=48))
    step = decode(setting, np.append(48 * np.array([64, 256, 768]), most_sequences(setting, 2000)), 2000)
    found = comparison("sglang-gb200-decode-fp8")
    assert step.chip_rate(forecast_of(step).seconds)[-1] == pytest.approx(found.expected)  # with most sequences
    assert max(step.chip_rate(forecast_of(step).seconds)) < found.measured / 1.1


def test_decode_on_hopper_is_held_by_the_links_and_reaches_a_quarter_of_its_bound_or_more():
    for name in ("deepseek-decode", "sglang-h100-decode"):
        assert 0.24 < comparison(name).share < 0.4


def test_hopper_reads_faster_than_the_rates_of_decoding_and_a_rack_slower():
    for name in ("sglang-h100-prefill", "deepseek-prefill"):
        assert comparison(name).expected < comparison(name).measured < comparison(name).bound
    for name in ("sglang-gb200-prefill", "sglang-gb200-prefill-fp4"):
        assert 0.7 < comparison(name).over_expected < 0.75


def test_a_rack_of_known_batch_writes_faster_than_its_forecast_and_slower_than_all_in_turn():
    """A step of 1,408 sequences a chip lasts 105 ms by their rate."""
    found = comparison("sglang-gb200-decode-fp4")
    rack = Setting.published("deepseek-v3", "gb200-nvl72", NARROW, layout=Layout(data=48))
    step = decode(rack, 48 * 1408, 2000)
    assert 1408 / found.measured == pytest.approx(0.105, abs=1e-3)
    assert step.serial_seconds < 1408 / found.measured < forecast_of(step).seconds
    assert found.over_expected == pytest.approx(forecast_of(step).seconds / (1408 / found.measured))


def test_an_exchange_in_one_node_by_hand():
    """128 tokens to 8 experts, 7,168 numbers of 1 + 4/128 bytes out and 2 back, at 200 GB/s."""
    seconds = 128 * 8 * 7168 * (1 + 4 / 128 + 2) / 200e9
    assert comparison("deepep-8").bound == pytest.approx(1 / seconds)
    assert comparison("deepep-8").serial == pytest.approx(1 / seconds)


def test_an_unknown_comparison_is_told_from_its_neighbours():
    with pytest.raises(UnknownName, match="did you mean “deepseek-decode”"):
        comparison("deepseek-decod")
