"""A catalogued model as the `config.json` that its maker would publish: where a reader's own description begins.

The other way round is `calc.setting.configured`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from calc import catalog
from calc.catalog import Model
from calc.quantities.errors import UnknownName
from calc.setting.layer_kinds import FULL, LINEAR, RATIOS, WINDOW

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "deepseek-v3": "deepseek_v3",
        "deepseek-v3.2": "deepseek_v32",
        "deepseek-v4-pro": "deepseek_v4",
        "deepseek-v4-flash": "deepseek_v4",
        "kimi-k2": "kimi_k2",
        "llama-3-70b": "llama",
        "qwen3-32b": "qwen3",
        "mixtral-8x22b": "mixtral",
        "qwen3-235b-a22b": "qwen3_moe",
        "glm-4.5": "glm4_moe",
        "glm-5": "glm_moe_dsa",
        "gpt-oss-120b": "gpt_oss",
        "minimax-m2.5": "minimax_m2",
        "qwen3.5-397b-a17b": "qwen3_5_moe_text",
    }
)
"""Catalogued models whose configuration can be written, and its kind."""

_NAMES = {  # fields of the catalogue, as such files call them
    "layers": "num_hidden_layers",
    "d_model": "hidden_size",
    "d_ff_dense": "intermediate_size",
    "d_ff_expert": "moe_intermediate_size",
    "vocabulary": "vocab_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "dense_layers": "first_k_dense_replace",
    "qk_nope_dim": "qk_nope_head_dim",
    "v_dim": "v_head_dim",
    "kv_lora_rank": "kv_lora_rank",
    "q_lora_rank": "q_lora_rank",
    "o_lora_rank": "o_lora_rank",
    "o_groups": "o_groups",
    "rope_dim": "qk_rope_head_dim",
    "routed_experts": "num_experts",
    "active_routed_experts": "num_experts_per_tok",
    "shared_experts": "n_shared_experts",
    "expert_groups": "n_group",
    "groups_per_token": "topk_group",
    "index_heads": "index_n_heads",
    "index_head_dim": "index_head_dim",
    "index_top_k": "index_topk",
    "sliding_window": "sliding_window",
    "linear_key_heads": "linear_num_key_heads",
    "linear_key_dim": "linear_key_head_dim",
    "linear_value_heads": "linear_num_value_heads",
    "linear_value_dim": "linear_value_head_dim",
    "linear_convolution": "linear_conv_kernel_dim",
    "tied_embeddings": "tie_word_embeddings",
}


def configuration(model: str) -> dict[str, Any]:
    """The configuration of a catalogued model; of layers that alternate, every n-th has full attention.

    >>> written = configuration("llama-3-70b")
    >>> written["model_type"], written["num_hidden_layers"], written["num_key_value_heads"]
    ('llama', 80, 8)
    """
    if model not in KINDS:
        raise UnknownName("model", model, KINDS)
    row = catalog.model(model)
    made = {name: getattr(row, field) for field, name in _NAMES.items() if getattr(row, field) is not None}
    if row.full_attention_layers:
        every, other = row.known("layers") // row.full_attention_layers, LINEAR if row.linear_layers else WINDOW
        made["layer_types"] = [other if (at + 1) % every else FULL for at in range(int(row.known("layers")))]
    if row.compressed_layers:
        made[RATIOS] = _ratios(row)
    if row.output_gate:
        made["attn_output_gate"] = True
    return made | {"model_type": KINDS[model]}


def _ratios(row: Model) -> list[int]:
    """Tokens of an entry, layer by layer: windows alone, then layers that read all and layers that select in turn."""
    every, few = int(row.known("compression")), int(row.known("selected_compression"))
    reading, selecting = int(row.known("compressed_layers")), int(row.known("selected_layers"))
    alone = int(row.known("layers")) - reading - selecting
    turns = ([few, every] * selecting)[:-1]
    return [0] * alone + [every] * (reading - selecting + 1) + turns
