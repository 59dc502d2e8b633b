"""Models and machines as numbers: what is published is taken over, what is not is refused."""

from __future__ import annotations

import dataclasses

import pytest

from calc import catalog
from calc.quantities.errors import CalcError, OutOfRange
from calc.serving.shapes import Machine, ModelShape
from tests.calc.serving.small import machine, mixed, published


def test_a_published_shape_has_the_published_counts():
    for row in catalog.models().values():
        if not (row.kv_elements_per_token and row.d_model and row.heads):
            continue
        shape = ModelShape.published(row, "bf16")
        assert shape.active_params == pytest.approx(row.active_params)
        assert shape.weight_bytes == pytest.approx(2 * row.total_params)
        assert shape.kv_bytes_per_token == row.kv_bytes_per_token("bf16")


def test_attention_operations_follow_from_the_geometry():
    """DeepSeek-V3: 128 heads, latent 512 and position 64 absorbed; 192 and 128 wide when expanded; 61 layers."""
    deepseek = published("deepseek-v3")
    assert deepseek.decode_flops == 61 * 2 * 128 * (576 + 512)
    assert deepseek.prefill_flops == 61 * 2 * 128 * (192 + 128)
    llama = published("llama-3-405b")
    assert llama.decode_flops == llama.prefill_flops == 126 * 2 * 128 * (128 + 128)
    assert llama.cache_splits == 8
    assert deepseek.cache_splits == 1


def test_layers_with_experts_are_those_that_are_not_dense():
    layers = {name: published(name).expert_layers for name in ("deepseek-v3", "mixtral-8x7b", "llama-3-70b")}
    assert layers == {"deepseek-v3": 58, "mixtral-8x7b": 32, "llama-3-70b": 0}


def test_a_cache_takes_a_byte_or_more():
    row = catalog.model("llama-3-70b")
    assert published("llama-3-70b", "fp4").kv_bytes_per_token == row.kv_bytes_per_token("fp8")
    assert published("llama-3-70b", "bf16").kv_bytes_per_token == row.kv_bytes_per_token("bf16")


def test_what_is_not_published_is_not_guessed():
    with pytest.raises(CalcError, match="whose attention geometry is published"):
        published("mistral-large-3")
    with pytest.raises(CalcError, match=r"^model must be one whose geometry is published"):
        ModelShape.published(dataclasses.replace(catalog.model("llama-3-8b"), d_model=None), "fp8")
    with pytest.raises(CalcError, match=r"^system must be one whose links are published"):
        Machine.published(dataclasses.replace(catalog.system("hgx-h100"), scale_up_bandwidth=None), "bf16")
    with pytest.raises(OutOfRange, match=r"^experts_per_token must be at most all experts, 12"):
        mixed(experts_per_token=13)
    with pytest.raises(OutOfRange, match=r"^experts_per_token must be at most all experts, 12"):
        mixed(experts_per_token=[2, 13])


def test_a_shape_or_a_machine_that_cannot_be_is_refused():
    for name in ("flops", "bandwidth", "hbm_bytes", "scale_up"):
        with pytest.raises(CalcError, match=rf"^{name} must be a finite number above 0"):
            machine(**{name: 0})
    with pytest.raises(CalcError, match=r"^scale_out must be"):
        machine(scale_out=-1)
    for name, value in (("experts", 0), ("layers", 1.5), ("expert_layers", -1), ("decode_flops", -1), ("width", 0)):
        with pytest.raises(CalcError, match=rf"^{name} must be"):
            mixed(**{name: value})
