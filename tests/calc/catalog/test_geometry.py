"""Models have the geometry that their makers print, and no other."""

from __future__ import annotations

import datetime as dt

import pytest

from calc import catalog
from calc.catalog import Model, tables
from calc.quantities.errors import CalcError

DAY = dt.date(2026, 1, 31)
DATED = {"effective": DAY, "read": DAY, "sources": (catalog.source("lecture"),)}


class TestModels:
    # Elements of cache a token: DeepSeek-V3 report (about 70 KB in BF16), Llama 3 paper's geometry, gpt-oss's model.py.
    ELEMENTS = {  # noqa: RUF012
        "deepseek-v3": 35136,
        "llama-3-8b": 65536,
        "llama-3-70b": 163840,
        "llama-3-405b": 258048,
        "mixtral-8x7b": 65536,
        "qwen3-235b-a22b": 96256,
        "gpt-oss-120b": 18432,
        "kimi-k2": 35136,
        "glm-4.5": 188416,
        "glm-5": 78 * (576 + 128),  # the latent, and an index key
        "minimax-m2.5": 126976,
        "qwen3-32b": 131072,
        "qwen3.5-397b-a17b": 15360,
        "deepseek-v4-pro": 4924,
        "deepseek-v4-flash": 3440,
    }

    @pytest.mark.parametrize("name", ELEMENTS)
    def test_keep_the_cache_that_their_geometry_says(self, name):
        model = catalog.model(name)
        assert model.kv_elements_per_token == self.ELEMENTS[name]
        if model.index_bits is None:
            assert model.kv_bytes_per_token("bf16") == 2 * self.ELEMENTS[name]
            assert model.kv_bytes_per_token("fp8") == self.ELEMENTS[name]

    def test_keep_less_than_is_stored_by_the_scales_alone(self):
        # DeepSeek-V3.2's kernels store 656 and 132 bytes: 4 bytes of scale for each 128 numbers in eight bits.
        model = catalog.model("deepseek-v3.2")
        scales = 4 * (model.known("kv_lora_rank") + model.known("index_head_dim")) / 128
        stored = model.known("attended_kv_bytes") + model.known("index_key_bytes")
        assert model.kv_bytes_per_token("fp8") == model.known("layers") * (stored - scales)

    @pytest.mark.parametrize(("name", "gib"), [("deepseek-v4-pro", 9.62), ("deepseek-v4-flash", 6.72)])
    def test_of_compressed_layers_keep_what_engines_report_of_a_million_tokens(self, name, gib):
        # vLLM's notes on DeepSeek-V4: 9.62 and 6.72 GiB of BF16 for 1,048,576 tokens, index keys included.
        assert 2 * catalog.model(name).kv_elements_per_token * 2**20 / 2**30 == pytest.approx(gib, abs=0.005)

    def test_of_one_shape_share_their_geometry(self):
        # Kimi K2 has DeepSeek-V3's latent attention with half of the heads: 2.50 MFLOP in prefill, and not 8.50.
        old, new = catalog.model("deepseek-v3"), catalog.model("kimi-k2")
        assert old.heads == 2 * new.heads
        for name in ("kv_lora_rank", "q_lora_rank", "rope_dim", "qk_nope_dim", "v_dim"):
            assert new.known(name) == old.known(name)
        assert 2 * new.layers * new.heads * (new.qk_nope_dim + new.rope_dim + new.v_dim) == 2_498_560

    def test_without_published_geometry_have_no_cache_size(self):
        model = catalog.model("mistral-large-3")
        assert model.kv_elements_per_token is None
        with pytest.raises(CalcError, match="model must be one whose attention geometry is published"):
            model.kv_bytes_per_token("fp8")

    def test_of_which_only_the_layers_are_known_have_no_cache_size(self):
        assert catalog.model("gpt-4-rumour").layers == 120
        assert catalog.model("gpt-4-rumour").kv_elements_per_token is None

    @pytest.mark.parametrize("known", [{"kv_heads": 8}, {"head_dim": 128}, {"kv_lora_rank": 512}, {"rope_dim": 64}])
    def test_of_which_half_the_attention_is_known_have_no_cache_size(self, known):
        counts = {"total_params": 1e9, "active_params": 1e9, "layers": 4}
        model = Model(id="m", name="M", maker="X", **DATED, **counts, **known)
        assert model.kv_elements_per_token is None

    def test_are_as_sparse_as_their_counts(self):
        assert catalog.model("deepseek-v3").sparsity == pytest.approx(18.135, abs=1e-3)
        assert catalog.model("llama-3-70b").sparsity == 1
        assert all(model.sparsity >= 1 for model in catalog.models().values())

    def test_weigh_their_parameters(self):
        assert catalog.model("deepseek-v3").weight_bytes("fp8") == 671e9
        assert catalog.model("deepseek-v3").weight_bytes("fp4") == 335.5e9
        assert catalog.model("deepseek-v3").weight_bytes("bf16") == 1342e9

    def test_activate_no_more_experts_than_they_have(self):
        for model in catalog.models().values():
            if model.routed_experts:
                assert model.active_routed_experts < model.routed_experts
                assert model.active_params < model.total_params
            if model.dense_layers:
                assert model.dense_layers < model.layers

    def test_their_training_time_is_that_of_their_operations(self):
        # DeepSeek-V3 report: 2.664 M of 2.788 M hours are pre-training. Llama 3 paper: 38 to 43 % of the peak.
        model = catalog.model("deepseek-v3")
        assert model.pretrain_chip_hours / model.train_chip_hours == pytest.approx(0.9555, abs=1e-3)
        for name in ("llama-3-405b", "deepseek-v3"):
            model = catalog.model(name)
            seconds = 6 * model.active_params * model.train_tokens / catalog.chip("h100-sxm").flops("bf16")
            assert 0.3 < seconds / 3600 / model.train_chip_hours < 0.43

    def test_compressed_caches_add_their_share_of_an_entry(self):
        row = {**tables.rows("models")[0], "id": "flash", "kv_lora_rank": None, "layers": 43, "head_dim": 512}
        row |= {"kv_heads": 1, "shared_kv": True, "full_attention_layers": 0, "selected_layers": 21}
        row |= {"selected_compression": 4, "compressed_layers": 20, "compression": 128, "index_head_dim": 128}
        model = tables.build(catalog.Model, row, catalog.sources(), {})
        assert model.kv_elements_per_token == 21 * (512 + 128) / 4 + 20 * 512 / 128
