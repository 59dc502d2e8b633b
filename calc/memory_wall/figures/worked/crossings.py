"""Contexts at which attention overtakes the weights, and past which no batch balances."""

from __future__ import annotations

from calc import batching, catalog
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODELS, key
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import DESIGNED, DESIGNS, design, multiplies_per_number, overtaking, slope
from calc.memory_wall.figures.shared import RACK, attention_ratio
from calc.setting import Scenario

EXAMPLES = ("deepseek-v3", "kimi-k2", "llama-3-70b", "llama-3-405b", "qwen3-235b-a22b", "gpt-oss-120b", "glm-4.5")
CEILING_AT = 100_000.0


def crossings() -> Answer:
    """Where attention overtakes the weights, and how often it multiplies what it reads."""
    models = {key(name): catalog.model(name) for name in EXAMPLES}
    every = [catalog.model(name) for name in MODELS]
    public = [overtaking(each) for each in every if not each.index_top_k]
    v3 = models["deepseek_v3"]
    rack = Scenario.named("deepseek-v3", RACK, "fp8")
    llama = Scenario.named("llama-3-70b", RACK, "fp8")
    groups = [multiplies_per_number(each) for each in every if design(each) == DESIGNS[0]]
    return Answer(
        finding="Contexts at which attention overtakes the weights",
        values={
            **{name: Value(overtaking(each), "tokens", each.name) for name, each in models.items()},
            **{f"{name}_prompt": Value(overtaking(each, prompt=True), "tokens") for name, each in models.items()},
            **{f"{name}_per": Value(multiplies_per_number(each), "") for name, each in models.items()},
            "v3_slope": Value(slope(v3), "FLOP", "One token of context, decode"),
            "k2_slope": Value(slope(models["kimi_k2"]), "FLOP", "One token of context, Kimi K2"),
            "k2_slope_prompt": Value(slope(models["kimi_k2"], prompt=True), "FLOP", "The same in a prompt"),
            "v3_slope_prompt": Value(slope(v3, prompt=True), "FLOP", "One token of context, prompt"),
            "v3_weights": Value(2 * v3.active_params, "FLOP", "Weights of a token"),
            "llama_slope": Value(slope(models["llama_3_70b"]), "FLOP", "One token of context, Llama 3 70B", 4),
            "llama_weights": Value(
                2 * models["llama_3_70b"].active_params, "FLOP", "Weights of a token, Llama 3 70B", 4
            ),
            "first": Value(min(public), "tokens", "First"),
            "last": Value(max(public), "tokens", "Last"),
            "designed": Value(_designed(), "tokens", "A design with few global layers"),
            "designed_layers": Value(DESIGNED["layers"], "layers"),
            "designed_heads": Value(DESIGNED["heads"], "heads"),
            "designed_active": Value(DESIGNED["active_params"], "parameters"),
            "ratio": Value(batching.hardware_ratio(rack.flops, rack.system.hbm_bandwidth, 1), "", "GB200, FP8"),
            "groups_least": Value(min(groups), "", "Fewest multiplications a number"),
            "groups_most": Value(max(groups), "", "Most, grouped heads"),
            "v3_two": Value(multiplies_per_number(v3, 2), "", "With two tokens at once"),
            "ratio_bf16": Value(attention_ratio(rack, "bf16"), "", "GB200, BF16, for a byte"),
            "added": Value(_added(rack) / _added(llama), "%", "DeepSeek-V3's attention over Llama's, in turn", 2),
            **_criticals(),
            **_kernel(multiplies_per_number(v3) / batching.hardware_ratio(rack.flops, rack.system.hbm_bandwidth, 1)),
        },
    )


def _added(where: Scenario) -> float:
    """Seconds in which a rack reads one token of context and then multiplies with it."""
    return where.kv_bytes_per_token / where.bandwidth + slope(where.model) / where.flops


def _criticals() -> dict[str, Value]:
    """Critical contexts of lecture 1 on a GB200 rack and use at 100K, without and with what attention multiplies."""
    found: dict[str, Value] = {}
    for short, name in (("v3", "deepseek-v3"), ("k2", "kimi-k2"), ("llama", "llama-3-70b")):
        where = Scenario.named(name, RACK, "fp8")
        rates = {
            "active_params": where.model.active_params,
            "kv_bytes_per_token": where.kv_bytes_per_token,
            "flops": where.flops,
            "bandwidth": where.bandwidth,
        }
        for suffix, each in (("plain", 0.0), ("full", slope(where.model))):
            at = batching.critical_context(**rates, attention_flops=each)
            most = batching.attainable_utilisation(CEILING_AT, **rates, attention_flops=each)
            found[f"{short}_critical_{suffix}"] = Value(at, "tokens", "Critical context")
            found[f"{short}_ceiling_{suffix}"] = Value(most, "%", "Multipliers in use at most")
    return found | {"ceiling_at": Value(CEILING_AT, "tokens", "Context", 9)}


def _kernel(multiplying: float) -> dict[str, Value]:
    """Shares of the rated speeds that a published kernel reached, and multiplying over reading at such shares."""
    chip = catalog.chip("h800-sxm")
    reads = catalog.datum("flashmla-reads").value / chip.hbm_bandwidth
    products = catalog.datum("flashmla-multiplies").value / chip.flops("bf16")
    return {
        "kernel_reads": Value(reads, "%", "Of reading, by a published kernel", 2),
        "kernel_multiplies": Value(products, "%", "Of multiplying", 2),
        "rated": Value(multiplying, "%", "Multiplying over reading, at rated speeds", 2),
        "reached": Value(multiplying * reads / products, "%", "at shares such as those"),
    }


def _designed() -> float:
    per_token = attention.attention_flops(DESIGNED["layers"], DESIGNED["heads"], DESIGNED["width"], DESIGNED["width"])
    return attention.overtaking_context(DESIGNED["active_params"], per_token)


FIGURES = (Figure(name="memory_wall/crossings", compute=crossings, sources=("flashmla",)),)
