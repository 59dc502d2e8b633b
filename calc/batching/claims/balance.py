"""Claims of lecture 1 about where arithmetic and memory balance."""

from __future__ import annotations

import numpy as np

from calc import batching, catalog, moe
from calc.ledger.calls import Found
from calc.memory_wall import attention
from calc.quantities.errors import MissingFact
from calc.setting import Scenario, Setting, published
from calc.step import decode

V3 = catalog.model("deepseek-v3")
LLAMA = catalog.model("llama-3-70b")
RACK = catalog.system("gb200-nvl72")
GB200 = catalog.chip("gb200")
H800 = catalog.chip("h800-sxm")
DAY = catalog.deployment("deepseek-day-6")
SERVED_BATCH = DAY.decode_batch
RATIOS = np.array(
    [
        batching.hardware_ratio(c.bf16_flops, c.hbm_bandwidth, 2)
        for c in catalog.chips().values()
        if c.bf16_flops is not None  # of some, only a rate in FP4 is published, and no rule leads from it to BF16
    ]
)
GB200_RATIO = batching.hardware_ratio(GB200.flops("bf16"), GB200.hbm_bandwidth, 2)
H800_RATIO = batching.hardware_ratio(H800.flops("fp8"), H800.hbm_bandwidth, 1)
SERVED_OVER = SERVED_BATCH / batching.balanced_batch(H800_RATIO, V3.sparsity)  # the balanced batch
DAY_STEP = decode(Setting.decoding(DAY), SERVED_BATCH, DAY.mean_context)
DAY_WEIGHTED = [each for each in DAY_STEP.operations if each.weights]
DAY_BALANCES = {
    each.name: each.compute_seconds / (each.weights / each.memory_bytes_per_second) for each in DAY_WEIGHTED
}
DAY_BALANCE = sum(each.compute_seconds for each in DAY_WEIGHTED) / DAY_STEP.weights_seconds
V3_CHIP = Scenario.named("deepseek-v3", "gb200-nvl72", "fp8", chips=1)
LLAMA_CHIP = Scenario.named("llama-3-70b", "gb200-nvl72", "fp8", chips=1)
V3_ATTENTION = V3_CHIP.setting.attention_flops_per_token
LLAMA_ATTENTION = LLAMA_CHIP.setting.attention_flops_per_token
V3_STEP = V3_CHIP.step_arguments() | {"attention_flops": V3_ATTENTION}


def a11() -> Found:
    return RATIOS


def a11_median() -> Found:
    return np.median(RATIOS)


def a11_a100() -> Found:
    return batching.hardware_ratio(catalog.chip("a100-sxm").flops("bf16"), catalog.chip("a100-sxm").hbm_bandwidth, 2)


def a11_h200() -> Found:
    return batching.hardware_ratio(catalog.chip("h200-sxm").flops("bf16"), catalog.chip("h200-sxm").hbm_bandwidth, 2)


def a11_v6e() -> Found:
    return batching.hardware_ratio(catalog.chip("tpu-v6e").flops("bf16"), catalog.chip("tpu-v6e").hbm_bandwidth, 2)


def a11_rubin() -> Found:
    return batching.hardware_ratio(catalog.chip("rubin").flops("fp4"), catalog.chip("rubin").hbm_bandwidth, 0.5)


def a11_rubin_bf16() -> Found:
    return batching.hardware_ratio(catalog.chip("rubin").flops("bf16"), catalog.chip("rubin").hbm_bandwidth, 2)


def a12() -> Found:
    return [catalog.chip("b200-sxm").flops(p) / catalog.chip("b200-sxm").hbm_bandwidth for p in ("bf16", "fp8", "fp4")]


def a13() -> Found:
    return RACK.hbm_bandwidth


def a13_package() -> Found:
    return catalog.chip("rubin").hbm_bandwidth


def a13_over() -> Found:
    return RACK.hbm_bandwidth / 20e12


def a13_flops() -> Found:
    return RACK.flops("fp4")


def a14() -> Found:
    return batching.balanced_batch(300, V3.sparsity)


def a14_by_summary_000() -> Found:
    return 300 / V3.sparsity


def a14_by_summary_001() -> Found:
    return 300 * V3.sparsity


def a14_inverted() -> Found:
    return 300 / V3.sparsity


def a15() -> Found:
    return [batching.balanced_batch(300, V3.sparsity), batching.balanced_batch(300, 256 / 8)]


def a15_routed() -> Found:
    return V3.active_routed_experts


def a15_sparsity() -> Found:
    return V3.sparsity


def a15_experts() -> Found:
    return V3.known("routed_experts") / V3.known("active_routed_experts")


def a16() -> Found:
    return moe.sparsity(700e9, 37e9)


def a16_published() -> Found:
    return V3.sparsity


def a17() -> Found:
    return [
        batching.balanced_batch(GB200_RATIO, m.sparsity) for m in catalog.models().values() if m.standing != "rumour"
    ]


def a17_v3() -> Found:
    return batching.balanced_batch(GB200_RATIO, V3.sparsity)


def a17_dense() -> Found:
    return batching.balanced_batch(GB200_RATIO)


def a17_most() -> Found:
    return max(
        batching.balanced_batch(GB200_RATIO, m.sparsity) for m in catalog.models().values() if m.standing != "rumour"
    )


def a18() -> Found:
    return SERVED_OVER


def a18_otherwise() -> Found:
    return [DAY_BALANCES["experts"], DAY_BALANCES["output projection"], DAY_BALANCE, SERVED_OVER / 2]


def a18_experts() -> Found:
    return DAY_BALANCES["experts"]


def a18_attention() -> Found:
    return DAY_BALANCES["output projection"]


def a18_layout() -> Found:
    return DAY_BALANCE


def a18_half() -> Found:
    return SERVED_OVER / 2


def a18_batch() -> Found:
    return SERVED_BATCH


def a18_nodes() -> Found:
    return DAY.decode_nodes


def a20() -> Found:
    return batching.balanced_batch_with_cache(1000, **V3_STEP) / batching.balanced_batch_with_cache(0, **V3_STEP)


def a20_otherwise() -> Found:
    return batching.balanced_batch_with_cache(16_384, **V3_STEP) / batching.balanced_batch_with_cache(0, **V3_STEP)


def a20_wide() -> Found:
    wide = V3_STEP | {"attention_flops": V3_ATTENTION * GB200.flops("fp8") / GB200.flops("bf16")}
    return batching.balanced_batch_with_cache(1000, **wide) / batching.balanced_batch_with_cache(0, **wide)


def a20_v3() -> Found:
    return batching.critical_context(**V3_CHIP.token_arguments(), attention_flops=V3_ATTENTION)


def a20_llama() -> Found:
    return batching.critical_context(**LLAMA_CHIP.token_arguments(), attention_flops=LLAMA_ATTENTION)


def a20_simple() -> Found:
    return batching.critical_context(**V3_CHIP.token_arguments())


def a20_own() -> Found:
    own = Scenario.named(DAY.model, DAY.system, "fp8-bf16-cache", chips=1)
    wide = own.setting.attention_flops_per_token * H800.flops("fp8") / H800.flops("bf16")
    return batching.critical_context(**own.token_arguments(), attention_flops=wide)


def a20_mean() -> Found:
    return DAY.mean_context


def a21() -> Found:
    return np.allclose(
        batching.balanced_batch_with_cache(
            0,
            active_params=np.geomspace(1e9, 1e12, 31, dtype=np.float64),
            weight_bytes=8 * np.geomspace(1e9, 1e12, 31, dtype=np.float64),
            kv_bytes_per_token=0,
            flops=GB200.flops("fp8"),
            bandwidth=GB200.hbm_bandwidth,
        ),
        batching.balanced_batch(batching.hardware_ratio(GB200.flops("fp8"), GB200.hbm_bandwidth, 1), 8),
    )


def a42() -> Found:
    shares = []
    for model in catalog.models().values():
        try:
            per_position = published.architecture(model).attention_flops_per_position
        except MissingFact:
            continue
        shares.append(attention.attention_to_weights(8192 * per_position, model.active_params))
    return shares


def a42_v3() -> Found:
    return attention.attention_to_weights(8192 * V3_ATTENTION, V3.active_params)


def a42_prefill() -> Found:
    per_position = published.architecture(V3).expanded_attention_flops_per_position
    return attention.attention_to_weights(8192 * per_position, V3.active_params)


def a42_llama() -> Found:
    return attention.attention_to_weights(8192 * LLAMA_ATTENTION, LLAMA.active_params)
