"""How a published file says that its weights are stored, maker by maker."""

from __future__ import annotations

import pytest

from calc.setting.quantization import said, stored

FILES = {
    "fp8": [
        {"quant_method": "fp8", "weight_block_size": [128, 128]},
        {"quant_method": "modelopt", "quant_algo": "FP8"},
        {"quant_method": "bitsandbytes", "load_in_8bit": True, "load_in_4bit": False},
        {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 8}}}},
    ],
    "fp4": [
        {"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]},
        {"quant_method": "modelopt", "quant_algo": "NVFP4"},
        {"quant_method": "gptq", "bits": 4},
        {"quant_method": "awq", "bits": 4, "group_size": 128},
        {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {"num_bits": 4}}}},
    ],
    "": [{"quant_method": "aqlm"}, {"bits": 3}, {"config_groups": 5}, {"config_groups": {"group_0": None}}, [], "fp8"],
}


@pytest.mark.parametrize(("name", "told"), [(name, told) for name, each in FILES.items() for told in each])
def test_each_way_of_saying_it_is_read(name, told):
    config = {"quantization_config": told}
    assert stored(config) == name
    assert (name.upper() in said(config)) if name else ("not known here" in said(config))


def test_the_text_part_of_a_model_of_images_may_say_it():
    config = {"text_config": {"quantization_config": {"quant_method": "fp8"}}}
    assert (stored(config), stored({"text_config": "none"})) == ("fp8", "")


def test_experts_in_four_bits_are_most_weights():
    config = {"expert_dtype": "fp4", "quantization_config": {"quant_method": "fp8"}}
    assert stored(config) == "fp4"
    assert said(config).startswith("Its expert_dtype stores most weights in FP4")


def test_a_file_that_says_nothing_changes_nothing():
    assert (stored({}), said({}), said({"quantization_config": None})) == ("", "", "")
