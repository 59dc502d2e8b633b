"""Bytes that a sequence keeps, beside those of hf-mem, a tool of others that reads the same config.json.

It multiplies layers, key-value heads, the width of a head and two. For every model that keeps just that, both agree to
the last byte. Where they differ it says more, and each difference is one thing that it does not count: a latent, a
window, a state that does not grow, a compressed entry.
"""

from __future__ import annotations

import pytest
from hf_mem.safetensors import compute_safetensors_kv_cache_size

from calc.setting import Setting
from calc.setting.configuration import KINDS, configuration
from calc.setting.configured import configured

ALIKE = {"llama-3-70b", "qwen3-32b", "qwen3-235b-a22b", "mixtral-8x22b", "glm-4.5", "minimax-m2.5"}
LATENT = {"deepseek-v3", "deepseek-v3.2", "kimi-k2", "glm-5"}
WINDOWED, LINEAR = "gpt-oss-120b", "qwen3.5-397b-a17b"
COMPRESSED = {"deepseek-v4-pro", "deepseek-v4-flash"}
LENGTHS = (1, 1000, 131_072)


def ours(name: str, tokens: int, sequences: int = 1) -> float:
    read = configured(configuration(name)).model
    return sequences * float(Setting.published(read, "gb200-nvl72", "bf16").kept_bytes(tokens))


def theirs(name: str, tokens: int, sequences: int = 1) -> int:
    return compute_safetensors_kv_cache_size(dict(configuration(name)), "BF16", tokens, sequences)


def test_every_kind_that_a_reader_can_paste_is_held_against_it():
    assert set(KINDS) == ALIKE | LATENT | {WINDOWED, LINEAR} | COMPRESSED


@pytest.mark.parametrize("tokens", LENGTHS)
@pytest.mark.parametrize("name", sorted(ALIKE))
def test_keys_and_values_of_heads_are_the_same_bytes(name, tokens):
    assert ours(name, tokens, 3) == theirs(name, tokens, 3)


@pytest.mark.parametrize("tokens", LENGTHS)
@pytest.mark.parametrize("name", sorted(LATENT))
def test_a_latent_is_counted_there_as_keys_and_values_of_every_head(name, tokens):
    told = configuration(name)
    kept = told["kv_lora_rank"] + told["qk_rope_head_dim"] + told.get("index_head_dim", 0) / 2  # an index in FP8
    head = told.get("head_dim", told["hidden_size"] // told["num_attention_heads"])
    heads = told.get("num_key_value_heads", told["num_attention_heads"])
    assert theirs(name, tokens) / ours(name, tokens) == pytest.approx(2 * heads * head / kept)


def test_a_window_that_lies_between_whole_layers_is_counted_there_as_if_it_were_none():
    window = configuration(WINDOWED)["sliding_window"]
    assert ours(WINDOWED, window) == theirs(WINDOWED, window)
    windowed = configuration(WINDOWED)["layer_types"].count("sliding_attention")
    layers = configuration(WINDOWED)["num_hidden_layers"]
    beyond = theirs(WINDOWED, 131_072) - ours(WINDOWED, 131_072)
    assert beyond == theirs(WINDOWED, 131_072 - window) * windowed / layers


def test_layers_whose_state_does_not_grow_grow_there():
    ahead, behind = (of(LINEAR, 200_000) - of(LINEAR, 100_000) for of in (theirs, ours))
    layers = configuration(LINEAR)["layer_types"]
    assert ahead / behind == len(layers) / layers.count("full_attention")
    assert ours(LINEAR, 1) > theirs(LINEAR, 1)  # for a state is there from the first token on


@pytest.mark.parametrize("name", sorted(COMPRESSED))
def test_compressed_entries_are_counted_there_as_a_head_for_each_token(name):
    growth = [of(name, 200_000) - of(name, 100_000) for of in (theirs, ours)]
    told = configuration(name)
    assert growth[0] == 100_000 * 2 * 2 * told["num_hidden_layers"] * told["head_dim"] * told["num_key_value_heads"]
    assert growth[0] > 10 * growth[1] > 0
