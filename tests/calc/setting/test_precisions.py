"""Formats by part: what a weight takes with its scale."""

from __future__ import annotations

from dataclasses import replace

import pytest

from calc import catalog
from calc.setting import Precisions, Setting
from calc.setting.published import published_precisions


def test_weights_of_kimi_take_a_scale_for_32_numbers():
    """60 layers of 384 experts in four bits, with two bytes of scale for 32 numbers; all else in 16 bits."""
    formats = replace(Precisions.named("mxfp4-experts"), expert_weights="int4", int4_block=32)
    kimi = Setting.published("kimi-k2.5", "gb200-nvl72", formats)
    experts = 60 * 384 * 3 * 7168 * 2048
    assert kimi.weight_bytes == pytest.approx(experts * (0.5 + 2 / 32) + 2 * (kimi.model.params - experts))
    assert kimi.weight_bytes == pytest.approx(594e9, rel=2e-3)
    assert published_precisions("kimi-k2.5", "fp8").weight_bytes("experts") == 0.5 + 2 / 32


@pytest.mark.parametrize("precision", ["bf16", "fp8", "fp4"])
def test_experts_whose_own_format_no_source_names_are_held_in_the_chosen_one(precision):
    assert catalog.model("mai-base-1").native_precision is None
    assert published_precisions("mai-base-1", precision) == Precisions.named(precision)


def test_other_models_in_four_bits_have_blocks_of_128():
    formats = replace(Precisions.named("w4a16"), block_scales=True)
    assert formats.weight_bytes("experts") == 0.5 + 2 / 128
