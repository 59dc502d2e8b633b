"""A setting says what a model takes on chips: W, k kept and read, a, and what each chip holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calc.quantities.errors import CalcError, UnknownName
from calc.setting import Layout, Machine, Precisions, Setting, architecture, cache, grouped

V3 = Setting.published("deepseek-v3", "gb200-nvl72", "fp8")
LLAMA = Setting.published("llama-3-70b", "hgx-h100", "fp8")


class TestSymbols:
    def test_cache_of_a_token_as_published(self):
        """DeepSeek-AI (2025), Insights: 70.272 KB for V3, 516.096 KB for Llama 3.1 405B, in BF16."""
        bf16 = {name: Setting.published(name, "hgx-h200", "bf16") for name in ("deepseek-v3", "llama-3-405b")}
        assert {name: each.kept_bytes_per_token for name, each in bf16.items()} == {
            "deepseek-v3": 70272,
            "llama-3-405b": 516096,
        }

    def test_compressed_caches_as_published(self):
        """9.62 and 6.72 GiB at 1M tokens in BF16, index keys included: they are kept in a quarter of that."""
        for name, gib in (("deepseek-v4-pro", 9.62), ("deepseek-v4-flash", 6.72)):
            each = Setting.published(name, "gb200-nvl72", "bf16")
            keys = sum(
                group.count / group.attention.compression * group.attention.index_dim for group in each.model.layers
            )
            wide = each.kept_bytes_per_token + keys * (2 - 0.5)
            assert wide * 2**20 / 2**30 == pytest.approx(gib, abs=0.005)

    def test_a_compressed_cache_in_eight_bits(self):
        """By the report of DeepSeek-V4, 2.3.4: 64 of 512 numbers stay in 16 bits, index keys are in four."""
        each = Setting.published("deepseek-v4-flash", "gb200-nvl72", "fp8")
        assert each.kept_bytes_per_token == 21 / 4 * (448 + 2 * 64 + 128 / 2) + 20 / 128 * (448 + 2 * 64)
        assert each.read_bytes_per_token == 21 / 4 * 128 / 2 + 20 / 128 * (448 + 2 * 64)

    def test_the_state_of_linear_attention(self):
        """45 layers of 64 heads x 128 x 128 numbers in four bytes, and the last three inputs of a convolution."""
        qwen = Setting.published("qwen3.5-397b-a17b", "gb200-nvl72", "bf16")
        assert qwen.kept_bytes(0) == 45 * (64 * 128 * 128 + 3 * 12288) * 4

    def test_selection_keeps_all_and_reads_some(self):
        sparse = Setting.published("deepseek-v3.2", "gb200-nvl72", "fp8")
        assert sparse.kept_bytes(100_000) == 61 * 100_000 * (512 + 2 * 64 + 128)
        assert sparse.read_bytes(100_000) == 61 * (100_000 * 128 + 2048 * (512 + 2 * 64))
        assert sparse.read_bytes_per_token == 61 * 128

    def test_a_cache_shared_between_layers_is_kept_once_and_read_by_each(self):
        layer = grouped(64, 4, 2, 16, layers_per_cache=2)
        assert cache.kept_bytes(layer, 100, 2) == 100 * 64 * 2 / 2
        assert cache.read_bytes(layer, 100, 1, 2) == 100 * 64 * 2

    @pytest.mark.parametrize(
        ("name", "ratio", "context", "share"), [("deepseek-v3", 37e9, 14_900, 0.81), ("kimi-k2", 32e9, 4_750, 0.42)]
    )
    def test_critical_context_with_the_arithmetic_of_attention(self, name, ratio, context, share):
        """L* = 2 N_a / (k F / w - a), and the ceiling (2 N_a + a L) / F over k L / w at 100,000 tokens."""
        each = Setting.published(name, "gb200-nvl72", "fp8")
        k, a = each.read_bytes_per_token, each.attention_flops_per_token
        flops, bandwidth = each.machine.flops("fp8"), each.machine.bandwidth
        assert 2 * ratio / (k * flops / bandwidth - a) == pytest.approx(context, rel=2e-3)
        assert (2 * ratio + a * 1e5) / flops / (k * 1e5 / bandwidth) == pytest.approx(share, abs=5e-3)

    def test_attention_of_prompts_in_kimi_k2(self):
        assert architecture("kimi-k2").expanded_attention_flops_per_position == pytest.approx(2.50e6, rel=1e-3)


class TestChip:
    def test_what_a_chip_of_a_wide_unit_holds(self):
        """Attention and shared experts on each of 144 chips, two routed experts of each layer."""
        wide = Setting.published("deepseek-v3", "hgx-h800", "fp8", layout=Layout(data=144))
        expert = 58 * 3 * 7168 * 2048
        model = wide.model
        assert wide.chip_weight_bytes == pytest.approx(model.params - 256 * expert + 2 * expert)

    def test_tensor_chips_copy_a_latent_cache_and_split_heads(self):
        latent = V3.with_layout(Layout(tensor=8))
        assert latent.chip_kept_bytes(1, 1000) == V3.kept_bytes(1000)
        assert LLAMA.chip_kept_bytes(1, 1000) == LLAMA.kept_bytes(1000) / 8

    def test_chips_that_split_tokens_copy_nothing(self):
        split = V3.with_layout(Layout(tensor=8, context=8))
        assert split.chip_kept_bytes(1, 1000) == V3.kept_bytes(1000) / 8

    def test_a_shared_prefix_is_kept_once(self):
        alone, shared = (LLAMA.chip_kept_bytes(10, 1000, prefix) for prefix in (0, 900))
        assert shared / alone == pytest.approx((900 + 10 * 100) / 10_000)

    def test_all_chips_together_hold_one_copy_if_nothing_is_copied(self):
        assert 8 * LLAMA.chip_weight_bytes == pytest.approx(LLAMA.weight_bytes)


class TestPrecisions:
    def test_parts_are_apart(self):
        parts = replace(Precisions.named("fp4"), attention_weights="bf16", cache="bf16")
        each = replace(V3, precisions=parts)
        assert each.kept_bytes_per_token == 2 * V3.kept_bytes_per_token
        more = 61 * V3.model.layers[0].attention.params * 1.5
        assert each.weight_bytes == pytest.approx(replace(V3, precisions=Precisions.named("fp4")).weight_bytes + more)

    def test_a_part_that_is_stored_wider_is_multiplied_wider(self):
        parts = Precisions.named("nvfp4-experts")
        assert (parts.arithmetic("experts"), parts.arithmetic("attention")) == ("fp4", "bf16")

    def test_what_is_stored_counts_scales_where_asked(self):
        oss = Setting.published("gpt-oss-120b", "hgx-h100", "mxfp4-experts")
        assert oss.weight_bytes / 1e9 == pytest.approx(65.2, abs=0.2)  # the published checkpoint takes 65.2 GB

    def test_unknown_names_are_refused_with_the_presets(self):
        with pytest.raises(UnknownName, match="w4a16"):
            Precisions.named("w4a17")


class TestLayout:
    @pytest.mark.parametrize(
        ("ways", "sentence"),
        [
            ({"tensor": 8, "data": 2, "expert": 3}, "expert must be a divisor of the chips of a stage"),
            ({"tensor": 8, "context": 3}, "context must be a divisor of tensor"),
            ({"tensor": 1.5}, "tensor must be a whole number"),
        ],
    )
    def test_what_does_not_divide_is_refused(self, ways, sentence):
        with pytest.raises(CalcError, match=sentence):
            Layout(**ways)

    @pytest.mark.parametrize(
        ("name", "layout", "sentence"),
        [
            ("hgx-h100", Layout(data=512), "expert must be at most the number of routed experts, 256"),
            ("hgx-h100", Layout(pipeline=62), "pipeline must be at most the number of layers, 61"),
            ("tpu-v6e-pod", Layout(tensor=8, data=64, expert=64), None),
        ],
    )
    def test_a_layout_that_makes_no_sense_is_refused(self, name, layout, sentence):
        if sentence is None:
            assert Setting.published("deepseek-v3", name, "fp8", layout=layout).layout.chips == 512
            return
        with pytest.raises(CalcError, match=sentence):
            Setting.published("deepseek-v3", name, "fp8", layout=layout)

    def test_no_way_out_of_a_domain_is_refused(self):
        alone = replace(Machine.published("hgx-h100"), scale_out=0)
        with pytest.raises(CalcError, match="no link out of the domain is known"):
            replace(LLAMA, machine=alone, layout=Layout(tensor=8, pipeline=2))

    def test_arrays_of_layouts_are_one_setting(self):
        many = LLAMA.with_layout(Layout(tensor=np.array([1.0, 2, 4, 8])))
        assert many.chip_weight_bytes.tolist() == [
            pytest.approx(LLAMA.with_layout(Layout(tensor=t)).chip_weight_bytes) for t in (1, 2, 4, 8)
        ]
