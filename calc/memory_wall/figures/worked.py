"""Lecture 4 in numbers: the reader's scenario in symbols, and worked examples that do not change with it."""

from __future__ import annotations

from statistics import median
from typing import Any

from calc import batching, catalog, memory_wall, pipelining
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODEL, MODELS, PRECISION, SYSTEM, key
from calc.memory_wall import attention, long_context, sparse_attention
from calc.memory_wall.figures.setting import DESIGNED, growing_layers, multiplies_per_number, overtaking, slope
from calc.memory_wall.figures.shared import (
    ACTIVE,
    CROSSOVER,
    USUAL_RATIO,
    attention_ratio,
    decode,
    largest_model,
    longest,
    prompt_seconds,
    said_bytes,
)
from calc.quantities.arithmetic import HOUR
from calc.setting import Scenario

TRILLIONS, SMALL_BOX, RACK = 5e12, "hgx-h100", "gb200-nvl72"
PACE, RESERVED = 50.0, 0.5
MONTH_DAYS, WORKING_DAYS, WORKING_HOURS = 30, 22, 8
FAR, MILLION = 100e6, 1e6
EXAMPLES = ("deepseek-v3", "kimi-k2", "llama-3-70b", "llama-3-405b", "qwen3-235b-a22b", "gpt-oss-120b", "glm-4.5")
CEILING_AT = 100_000.0
LENGTHS = (8192, 32_768, 131_072, 1_048_576)


def scenario(*, model: str, system: str, precision: str) -> Answer:
    """Every symbol at the reader's setting."""
    where = Scenario.named(model, system, precision)
    return Answer(
        finding=f"{where.model.name} in {precision.upper()} on {where.system.name}",
        values={
            "chips": Value(where.system.chips, "", "Chips"),
            "bandwidth": Value(where.chip.hbm_bandwidth, "B/s", "Memory bandwidth of a chip"),
            "memory": Value(where.chip.hbm_bytes, "B", "Memory of a chip"),
            "weights": Value(where.weight_bytes, "B", "Weights"),
            "total": Value(where.model.total_params, "parameters", "Total parameters"),
            "active": Value(where.model.active_params, "parameters", "Active parameters"),
            "token": Value(where.kv_bytes_per_token, "B", "Cache of a token"),
            "layers": Value(growing_layers(where.model), "layers", "Layers whose cache grows"),
            "heads": Value(where.model.known("heads"), "", "Query heads"),
            "slope": Value(slope(where.model), "FLOP", "Attention to one token of context"),
        },
        notes=where.cache_notes(),
    )


def domains() -> Answer:
    """Eight H100 and a rack of 72 GB200, and a model of five trillion parameters."""
    box, rack, gb300 = (catalog.system(name) for name in (SMALL_BOX, RACK, "gb300-nvl72"))
    v3 = catalog.model("deepseek-v3").weight_bytes("fp8")
    gain = memory_wall.domain_gain(
        rack.chips, rack.chip.hbm_bandwidth, chips_before=box.chips, bandwidth_before=box.chip.hbm_bandwidth
    )
    stages = float(pipelining.stages_to_hold(TRILLIONS, box.chips, box.chip.hbm_bytes))
    ultra = catalog.announced("rubin-ultra-nvl576")
    day = catalog.deployment("deepseek-day-6")
    return Answer(
        finding="Eight H100 and a rack of 72 GB200",
        values={
            "weights": Value(v3, "B", "Weights of DeepSeek-V3"),
            "box": Value(_floor(v3, SMALL_BOX), "s", "Floor on eight H100"),
            "rack": Value(_floor(v3, RACK), "s", "Floor on the rack"),
            "box_speed": Value(1 / _floor(v3, SMALL_BOX), "tokens/s", "Speed on eight H100"),
            "rack_speed": Value(1 / _floor(v3, RACK), "tokens/s", "Speed on the rack"),
            "chips": Value(gain.chips, "x", "More chips"),
            "bandwidth": Value(gain.bandwidth, "x", "Faster memory"),
            "gain": Value(gain.total, "x", "Gain"),
            "box_memory": Value(box.hbm_bytes, "B", "Memory of eight H100"),
            "rack_memory": Value(rack.hbm_bytes, "B", "Memory of 72 GB200"),
            "gb300_memory": Value(gb300.hbm_bytes, "B", "Memory of 72 GB300"),
            "five": Value(TRILLIONS, "parameters", "A large model"),
            "stages": Value(stages, "", "Boxes that hold it"),
            "stages_memory": Value(stages * box.hbm_bytes, "B", "Memory of so many boxes"),
            "five_box": Value(_floor(TRILLIONS, SMALL_BOX), "s", "Its floor on boxes"),
            "five_rack": Value(_floor(TRILLIONS, RACK), "s", "Its floor on the rack"),
            "five_fp8": Value(TRILLIONS * _SIZES["fp8"], "B", "It in FP8"),
            **{f"free_{bits}": Value(_free(size), "B", "Free on the rack") for bits, size in _SIZES.items()},
            "day_chips": Value(day.decode_expert_parallel, "chips", "Chips that shared the experts of a layer"),
            "day_hit": Value(day.cached_input_tokens / day.input_tokens, "%", "Input that was in a cache"),
            "day_box": Value(day.chips_per_node, "chips", "Chips of a box there"),
            "rubin": Value(catalog.system("rubin-nvl72").chips, "packages", "Packages of a Rubin rack"),
            "ultra_dies": Value(ultra.known("dies"), "dies", "Dies of a Rubin Ultra rack"),
            "ultra_packages": Value(ultra.packages, "packages", "Packages of it"),
        },
    )


_SIZES = {"bf16": 2.0, "fp8": 1.0, "fp4": 0.5}


def _floor(weights: float, system: str) -> float:
    where = catalog.system(system)
    return float(memory_wall.latency_floor(weights, where.chips, where.chip.hbm_bandwidth))


def _free(size: float) -> float:
    rack = catalog.system(RACK)
    found = memory_wall.domain_fit(
        0,
        0,
        weight_bytes=TRILLIONS * size,
        kv_bytes_per_token=0,
        chips=rack.chips,
        hbm_bytes=rack.chip.hbm_bytes,
    )
    return float(found.free)


def sizes() -> Answer:
    """The largest models of some domains at a readable speed, half of memory set aside for caches."""
    asked = {"box": "hgx-h100", "a100": "hgx-a100", "rack": RACK, "tpu": "tpu-v4-pod"}
    found = {
        f"{name}_{bits}": Value(float(_largest(system, bits).total), "parameters")
        for name, system in asked.items()
        for bits in ("bf16", "fp8")
    }
    rumour = catalog.model("gpt-4-rumour").total_params
    rack = catalog.system(RACK)
    batch = 2048.0
    drains = [row.hbm_bytes / row.hbm_bandwidth for row in catalog.chips().values()]
    return Answer(
        finding="Largest models at a readable speed",
        values={
            **found,
            "pace": Value(PACE, "tokens/s", "Speed"),
            "drain": Value(median(drains), "s", "Median drain time"),
            "rumour": Value(rumour, "parameters", "GPT-4, as rumoured"),
            "rumour_box": Value(_floor(2 * rumour, SMALL_BOX), "s", "Its floor on eight H100 in BF16"),
            "rumour_rack": Value(_floor(2 * rumour, RACK), "s", "Its floor on a rack in BF16"),
            "tpu_chips": Value(catalog.system("tpu-v4-pod").chips, "chips", "Chips of a TPU v4 pod", 9),
            "batch": Value(batch, "sequences", "Batch", 9),
            "active": Value(rack.flops("fp8") / PACE / (2 * batch), "parameters", "Active parameters by arithmetic"),
        },
    )


def _largest(system: str, precision: str) -> Any:
    return largest_model(catalog.system(system), precision, PACE, RESERVED)


def caches() -> Answer:
    """Caches of public models, what the lecture infers, and what one company published."""
    public = sorted(catalog.model(name).kv_bytes_per_token("fp8") for name in MODELS)
    one_layer = float(attention.grouped_elements(8, 128))
    reduced = {
        f"character_{name}_{many}": Value(_character(context, sharing), "x", "Cache reduced")
        for name, context in _LENGTHS.items()
        for many, sharing in (("low", "low"), ("high", "high"))
    }
    reduced |= {
        f"character_{name}_read": Value(_character(context), "x", "Reading reduced")
        for name, context in _LENGTHS.items()
    }
    chips = {name: _inferred(catalog.chip(chip)) for name, chip in _CHIPS.items()}
    v3, llama = catalog.model("deepseek-v3"), catalog.model("llama-3-70b")
    plain = 2.0 * llama.known("layers") * llama.known("heads") * llama.known("head_dim")
    return Answer(
        finding="Caches, published and inferred",
        values={
            "said": Value(said_bytes(), "B", "Inferred at a byte a weight"),
            "said_bf16": Value(2 * said_bytes(), "B", "Inferred at two bytes"),
            "said_fp4": Value(said_bytes() / 2, "B", "Inferred at half a byte"),
            "crossover": Value(CROSSOVER, "tokens", "Crossover"),
            "active": Value(ACTIVE, "parameters", "Active parameters"),
            "ratio": Value(USUAL_RATIO, "", "Ratio"),
            "one_layer": Value(one_layer, "B", "One layer of eight heads of 128"),
            "least": Value(public[0], "B", "Least of the public models"),
            "most": Value(public[-1], "B", "Most of them"),
            "least_times": Value(public[0] / one_layer, "x", "Least over one layer"),
            "most_times": Value(public[-1] / one_layer, "x", "Most over one layer"),
            **{f"chip_{name}": Value(number, "B", "Inferred for a chip") for name, number in chips.items()},
            **reduced,
            "character": Value(catalog.datum("character-ai-reduction").value, "x", "Reduction, as published"),
            "latent": Value(
                float(attention.latent_elements(v3.known("kv_lora_rank"), v3.known("rope_dim"))), "numbers"
            ),
            "latent_heads": Value(_latent_heads(), "heads", "Heads of 128 that keep as much"),
            "llama_layer": Value(
                float(attention.grouped_elements(llama.known("kv_heads"), llama.known("head_dim"))), "numbers", "", 9
            ),
            "llama": Value(llama.kv_bytes_per_token("fp8"), "B", "Llama 3 70B"),
            "llama_plain": Value(plain, "B", "The same with a key and value for every head"),
            "llama_group": Value(llama.known("heads") / llama.known("kv_heads"), "", "Query heads that share"),
        },
    )


_LENGTHS = {"short": 2048.0, "long": CROSSOVER}
_CHIPS = {"gb200": "gb200", "v5p": "tpu-v5p"}


def _inferred(chip: Any) -> float:
    """The cache at which the lecture's crossover and active parameters would balance at a chip's best 8-bit rate."""
    rate = max(chip.rates[name] for name in ("fp8", "int8") if name in chip.rates)
    return float(batching.critical_context(ACTIVE, CROSSOVER, rate, chip.hbm_bandwidth))


def _character(context: float, sharing: str = "") -> float:
    """Character.AI's factors, put together: one of six layers global, and groups of neighbours with one cache.

    Without a `sharing`, of what is read: each layer of a group reads the cache that they keep together.
    """
    return float(
        attention.cache_reduction(
            context,
            layers=6,
            full_layers=1,
            window=catalog.datum("character-ai-window").value,
            head_sharing=catalog.datum("character-ai-mqa-factor").value,
            layer_sharing=catalog.datum(f"character-ai-sharing-{sharing}").value if sharing else 1.0,
        )
    )


def _latent_heads() -> float:
    v3 = catalog.model("deepseek-v3")
    latent = attention.latent_elements(v3.known("kv_lora_rank"), v3.known("rope_dim"))
    return float(latent / attention.grouped_elements(1, v3.known("v_dim")))


def crossings() -> Answer:
    """Where attention overtakes the weights, and how often it multiplies what it reads."""
    models = {key(name): catalog.model(name) for name in EXAMPLES}
    public = [overtaking(catalog.model(name)) for name in MODELS if not catalog.model(name).index_top_k]
    v3 = models["deepseek_v3"]
    rack = Scenario.named("deepseek-v3", RACK, "fp8")
    groups = [multiplies_per_number(each) for each in models.values() if not each.kv_lora_rank]
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
            "first": Value(min(public), "tokens", "First"),
            "last": Value(max(public), "tokens", "Last"),
            "designed": Value(_designed(), "tokens", "A design with few global layers"),
            "designed_layers": Value(DESIGNED["layers"], "layers"),
            "designed_heads": Value(DESIGNED["heads"], "heads"),
            "designed_active": Value(DESIGNED["active_params"], "parameters"),
            "ratio": Value(float(batching.hardware_ratio(rack.flops, rack.system.hbm_bandwidth, 1)), "", "GB200, FP8"),
            "groups_least": Value(min(groups), "", "Fewest multiplications a number"),
            "groups_most": Value(max(groups), "", "Most, grouped heads"),
            "v3_two": Value(multiplies_per_number(v3, 2), "", "With two tokens at once"),
            "ratio_bf16": Value(attention_ratio(rack, "bf16"), "", "GB200, BF16, for a byte"),
            **_criticals(),
        },
    )


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
            at = float(batching.critical_context(**rates, attention_flops=each))
            most = float(batching.attainable_utilisation(CEILING_AT, **rates, attention_flops=each))
            found[f"{short}_critical_{suffix}"] = Value(at, "tokens", "Critical context")
            found[f"{short}_ceiling_{suffix}"] = Value(most, "%", "Multipliers in use at most")
    return found | {"ceiling_at": Value(CEILING_AT, "tokens", "Context", 9)}


def _designed() -> float:
    per_token = attention.attention_flops(DESIGNED["layers"], DESIGNED["heads"], DESIGNED["width"], DESIGNED["width"])
    return float(attention.overtaking_context(DESIGNED["active_params"], float(per_token)))


def indexed() -> Answer:
    """The savings of DeepSeek-V3.2's index at some lengths."""
    model = catalog.model("deepseek-v3.2")
    sizes = {"index_bytes": model.known("index_key_bytes"), "kv_bytes": model.known("attended_kv_bytes")}
    kept = float(model.known("index_top_k"))

    def saved(context: float) -> float:
        return float(sparse_attention.indexed_saving(context, kept_tokens=kept, **sizes))

    last = LENGTHS[-1]
    read = [float(sparse_attention.indexed_bytes(at, kept_tokens=kept, **sizes)) for at in (last, 2 * last)]
    faster = catalog.chip("rubin").hbm_bandwidth / catalog.chip("h100-sxm").hbm_bandwidth
    share = catalog.datum("deepseek-v4-kv-share"), catalog.datum("deepseek-v4-flops-share")
    return Answer(
        finding="What DeepSeek-V3.2's index saves",
        values={
            **{f"length_{place}": Value(at, "tokens", "Context", 9) for place, at in enumerate(LENGTHS, 1)},
            **{f"saved_{place}": Value(saved(at), "x", "Saved") for place, at in enumerate(LENGTHS, 1)},
            "limit": Value(sizes["kv_bytes"] / sizes["index_bytes"], "x", "Saved at most"),
            "index": Value(sizes["index_bytes"], "B", "Index of a token and layer"),
            "token": Value(sizes["kv_bytes"], "B", "Cache of a token and layer"),
            "kept": Value(kept, "tokens", "Tokens kept", 9),
            "exponent": Value(float(sparse_attention.growth_exponent(*read)), "", "Exponent at a million", 2),
            "v4_cache": Value(share[0].value, "%", "Cache of V4-Pro against V3.2"),
            "v4_times": Value(1 / share[0].value, "x", "Cache, smaller by"),
            "generations": Value(faster, "x", "Memory faster, H100 to Rubin"),
            "v4_flops": Value(share[1].value, "%", "Operations of V4-Pro against V3.2"),
        },
    )


def far() -> Answer:
    """A hundred million tokens: of work, of cache, of prompt."""
    where = Scenario.named("deepseek-v3", RACK, "fp8")
    own = decode(where, FAR, _rent() * where.system.chips)
    said = decode(where, FAR, _rent() * where.system.chips, said_bytes())
    near = decode(where, MILLION, _rent() * where.system.chips)
    reading = said_bytes() * FAR / where.bandwidth
    prompt = float(prompt_seconds(where, FAR))
    per_generation = [
        float(
            long_context.memory_seconds(many, 0, kv_bytes_per_token=where.kv_bytes_per_token, bandwidth=where.bandwidth)
        )
        for many in (MILLION, 2 * MILLION)
    ]
    windows = {
        name: catalog.datum(f"window-{row}").value
        for name, row in (
            ("gemini", "gemini-1.5-pro"),
            ("scout", "llama-4-scout"),
            ("grok", "grok-fast"),
        )
    }
    return Answer(
        finding="A hundred million tokens",
        values={
            "far": Value(FAR, "tokens", "Context", 9),
            "month": Value(float(long_context.pace(FAR, MONTH_DAYS)), "tokens/s", "Round the clock"),
            "work": Value(float(long_context.pace(FAR, WORKING_DAYS, WORKING_HOURS)), "tokens/s", "In working hours"),
            "said_cache": Value(float(said.cache_bytes), "B", "Cache, as inferred"),
            "said_read": Value(reading, "s", "Reading it"),
            "said_users": Value(float(said.sequences), "sequences", "Such contexts on a rack"),
            "cache": Value(float(own.cache_bytes), "B", "Cache of DeepSeek-V3"),
            "read": Value(float(own.cache_bytes) / where.bandwidth, "s", "Reading it"),
            "token": Value(float(own.fastest_seconds), "s", "A token"),
            "users": Value(float(own.sequences), "sequences", "Such contexts on a rack"),
            "prompt": Value(prompt, "s", "Reading the prompt"),
            "prompt_cost": Value(prompt / HOUR * _rent() * where.system.chips, "$", "What that costs"),
            "cost": Value(MILLION * float(own.dollars_per_token), "$", "A million tokens"),
            "near_cost": Value(MILLION * float(near.dollars_per_token), "$", "At a million tokens of context"),
            "near_users": Value(float(near.sequences), "sequences", "Contexts of a million on a rack"),
            "near_prompt": Value(float(prompt_seconds(where, MILLION)), "s", "Reading a million"),
            "longest": Value(longest(where), "tokens", "Longest context that fits"),
            "rent": Value(_rent(), "$/h", "Rent of a chip"),
            "generation": Value(
                float(sparse_attention.growth_exponent(*per_generation)), "", "Exponent of a generation", 3
            ),
            **{
                f"window_{name}": Value(number, "tokens", "Longest context offered") for name, number in windows.items()
            },
        },
    )


def _rent() -> float:
    return catalog.rent(RACK).dollars_per_chip_hour


def market() -> Answer:
    """Reports of memory's share in data centres, none of them confirmed."""
    before, after = (catalog.datum(name).value for name in ("memory-share-of-capex", "memory-share-of-capex-2027"))
    return Answer(
        finding="Memory's share of what data centres cost",
        values={
            "said": Value(catalog.datum("lecture-memory-share-of-capex").value, "%", "As said"),
            "before": Value(before, "%", "Analysts, for 2023 and 2024"),
            "after": Value(after, "%", "Analysts, for 2027"),
            "growth": Value(float(memory_wall.memory_price_growth(before, after)), "x", "Memory dearer by"),
            "phones_said": Value(-catalog.datum("lecture-smartphones").value, "%", "Smartphones, as said"),
            "phones": Value(-catalog.datum("smartphones-2026").value, "%", "Smartphones, forecast"),
        },
    )


SCENARIO = Figure(name="memory_wall/setting", inputs=(MODEL, SYSTEM, PRECISION), compute=scenario)

FIGURES = (
    SCENARIO,
    Figure(name="memory_wall/domains", compute=domains),
    Figure(name="memory_wall/sizes", compute=sizes),
    Figure(name="memory_wall/caches", compute=caches),
    Figure(name="memory_wall/crossings", compute=crossings),
    Figure(name="memory_wall/indexed", compute=indexed),
    Figure(name="memory_wall/far", compute=far),
    Figure(name="memory_wall/market", compute=market),
)
