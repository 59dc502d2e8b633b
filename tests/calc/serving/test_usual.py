"""How many chips serve a model."""

from __future__ import annotations

from calc.serving.usual import usual
from calc.setting import Setting


def test_a_dense_model_takes_as_many_chips_as_heads_or_as_hold_it():
    assert usual(Setting.published("llama-3-70b", "gb200-nvl72", "fp8")).layout.chips == 8
    large = usual(Setting.published("llama-3-405b", "tpu-v5e-pod", "fp8"))
    assert large.layout.chips == 32
    assert large.chip_weight_bytes <= large.machine.hbm_bytes
