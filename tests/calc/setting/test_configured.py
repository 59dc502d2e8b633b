"""Configurations as models are published with: the same counts as the catalogue, and sentences for what is wrong."""

from __future__ import annotations

import json

import pytest

from calc.cli import main
from calc.quantities.errors import CalcError
from calc.setting import Precisions, Setting, architecture, usual_layout
from calc.setting.configuration import KINDS, configuration
from calc.setting.configured import configured
from calc.setting.machine import Machine

LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "vocab_size": 128256,
    "rope_theta": 500000.0,
}
MIXTRAL = LLAMA | {"model_type": "mixtral", "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2}


FLASH = configuration("deepseek-v4-flash") | {"num_key_value_heads": 1, "expert_dtype": "fp4"}


def test_layers_of_guesses_ahead_are_not_counted():
    ahead = FLASH | {"compress_ratios": [*FLASH["compress_ratios"], 0], "num_nextn_predict_layers": 1, "hc_eps": 1e-6}
    found = configured(ahead)
    assert found.model == configured(FLASH).model
    assert found.unread == ()
    assert sorted(group.count for group in found.model.layers) == [2, 20, 21]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"compress_ratios": None}, "that this text lacks: compress_ratios"),
        ({"compress_ratios": [4, 128]}, "compress_ratios must be a list of whole numbers .* the 43 layers"),
        ({"compress_ratios": [-4] * 43}, "compress_ratios"),
        ({"compress_ratios": "4"}, "compress_ratios must be a list of the 43 layers"),
        ({"index_topk": None, "o_groups": None}, "lacks: o_groups, index_topk"),
    ],
)
def test_what_is_wrong_with_compressed_layers_is_said(change, words):
    with pytest.raises(CalcError, match=words):
        configured(FLASH | change)


@pytest.mark.parametrize("name", KINDS)
def test_a_configuration_says_what_the_catalogue_does(name):
    found, known = configured(configuration(name)), architecture(name)
    assert found.model.params == pytest.approx(known.params)
    assert found.model.active_params == pytest.approx(known.active_params)
    assert found.model.layer_count == known.layer_count
    routers = (
        {(g.feed_forward.expert_groups, g.feed_forward.groups_per_token) for g in m.layers}
        for m in (found.model, known)
    )
    assert next(routers) == next(routers)
    assert found.unread == ()
    machine, eight = Machine.published("hgx-h200"), Precisions.named("fp8")
    kept = [Setting(each, machine, eight, usual_layout(each, 8)).kept_bytes(10_000) for each in (found.model, known)]
    assert kept[0] == pytest.approx(kept[1])


def test_a_limit_to_groups_of_experts_is_read_and_one_that_is_not_stated_is_said_to_be_none():
    v3 = configuration("deepseek-v3")
    assert (v3["n_group"], v3["topk_group"]) == (8, 4)
    silent = configured({name: value for name, value in v3.items() if name not in ("n_group", "topk_group")})
    assert "n_group is not given: a token may use all groups." in silent.assumed
    assert silent.model.layers[-1].feed_forward.expert_groups == 1
    assert configured(v3 | {"n_group": 1, "topk_group": 1}).model == silent.model


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"topk_group": None}, "lacks: topk_group"),
        ({"n_group": None}, "lacks: n_group"),
        ({"topk_group": 9}, "topk_group must be a whole number from 1 to 8; it was 9"),
        ({"num_experts_per_tok": 129}, "at most the 128 routed experts in reach; it was 129"),
    ],
)
def test_what_is_wrong_with_groups_of_experts_is_said(change, words):
    with pytest.raises(CalcError, match=words):
        configured(configuration("deepseek-v3") | change)


def windowed(**fields):
    found = configured(LLAMA | fields)
    return sum(group.count for group in found.model.layers if group.attention.window), " ".join(found.assumed)


@pytest.mark.parametrize(
    ("fields", "windows", "said"),
    [
        ({"model_type": "qwen2", "use_sliding_window": True, "max_window_layers": 20}, 12, "12 of 32 layers"),
        ({"model_type": "qwen3", "use_sliding_window": True}, 4, "max_window_layers is not given"),
        ({"model_type": "qwen2", "max_window_layers": 20}, 0, "use_sliding_window is not given"),
        ({"model_type": "qwen2_moe", "use_sliding_window": True, "max_window_layers": 20}, 10, "10 of 32 layers"),
        ({"model_type": "qwen3_moe", "use_sliding_window": True}, 32, "32 of 32 layers"),
        ({"model_type": "gpt_oss"}, 16, "16 of 32 layers"),
        ({"model_type": "mistral"}, 32, "32 of 32 layers"),
        ({"model_type": "llama"}, 0, "no layer of a model of type llama"),
    ],
)
def test_layers_that_are_not_named_have_the_windows_of_their_library_and_it_is_said(fields, windows, said):
    counted, assumed = windowed(sliding_window=4096, **fields)
    assert counted == windows
    assert said in assumed


def test_a_window_that_is_off_or_none_needs_no_word():
    assert windowed(model_type="qwen2", sliding_window=4096, use_sliding_window=False)[1].count("window") == 0
    assert windowed(model_type="mistral", sliding_window=None)[1].count("window") == 0
    assert "sliding_window is not given" in windowed(model_type="mistral")[1]


def test_mixed_layers_that_are_not_named_have_full_attention_every_fourth():
    known = configuration("qwen3.5-397b-a17b")
    found = configured({name: value for name, value in known.items() if name != "layer_types"})
    assert found.model == configured(known).model
    assert "full_attention_interval is not given" in found.assumed[0]


def test_published_sizes_come_out():
    assert configured(LLAMA).model.params == pytest.approx(8.03e9, rel=0.001)
    mixtral = configured(MIXTRAL).model
    assert mixtral.params == pytest.approx(46.7e9, rel=0.001)
    assert mixtral.active_params == pytest.approx(12.8e9, rel=0.01)


def test_what_is_assumed_and_what_is_not_read_is_said():
    short = {key: value for key, value in LLAMA.items() if key != "tie_word_embeddings"} | {"mystery_width": 3}
    found = configured(short)
    assert found.unread == ("mystery_width",)
    assert len(found.assumed) == 2


def test_the_text_part_of_a_model_of_images_is_read():
    found = configured({"model_type": "llava", "vision_config": {}, "text_config": LLAMA})
    assert found.model.params == configured(LLAMA).model.params
    assert found.unread == ("vision_config",)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model_type": "mamba2"}, "a model of type “mamba2” are not known"),
        ({"hidden_size": None, "vocab_size": None}, "that this text lacks: hidden_size, vocab_size"),
        ({"model_type": None}, "gives no model_type"),
        ({"model_type": ["llama"]}, "model_type must be the name of a kind of model"),
        ({"model_type": "lama"}, "Did you mean “llama”"),
        ({"num_key_value_heads": 5}, "num_key_value_heads must be one that divides the 32 attention heads; it was 5"),
        ({"num_local_experts": 8, "num_experts_per_tok": 2, "mlp_only_layers": [32]}, "places of layers from 0 to 31"),
        (
            {"num_local_experts": 8, "num_experts_per_tok": 2, "first_k_dense_replace": 33},
            "a whole number from 0 to 32",
        ),
        ({"num_hidden_layers": None, "num_local_experts": 8, "first_k_dense_replace": 3}, "lacks: num_hidden_layers"),
        ({"num_attention_heads": 0}, "num_attention_heads must be a whole number from 1"),
        ({"hidden_size": "4096"}, "hidden_size must be a number"),
        ({"hidden_size": float("nan")}, "hidden_size"),
        ({"num_hidden_layers": 1e9}, "num_hidden_layers"),
        ({"layer_types": ["full_attention"]}, "layer_types must be a list of the 32 layers"),
        ({"layer_types": ["odd"] * 32}, "layer_types"),
        ({"num_local_experts": 4, "num_experts_per_tok": 8}, "num_experts_per_tok must be at most the 4 routed"),
    ],
)
def test_what_is_wrong_is_said_by_its_name(change, words):
    with pytest.raises(CalcError, match=words):
        configured(LLAMA | change)


def test_the_command_line_reads_a_file(tmp_path, capsys):
    file = tmp_path / "config.json"
    file.write_text(json.dumps(MIXTRAL))
    assert main(["config", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["values"]["params"]["value"] == pytest.approx(46.7e9, rel=0.001)
    assert told["rows"][0]["experts"] == 8


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '{"model_type": "llama"'])
def test_a_file_that_is_no_configuration_is_refused_in_a_sentence(text, tmp_path, capsys):
    file = tmp_path / "config.json"
    file.write_text(text)
    assert main(["config", str(file)]) == 2
    assert capsys.readouterr().err.startswith("rooflines: ")
    assert main(["config", str(tmp_path / "none.json")]) == 2
