"""Caches in numbers: those of public models, what the lecture infers, and what one company published."""

from __future__ import annotations

from typing import Any

from calc import batching, catalog
from calc.catalog import Model
from calc.figure.declared import Answer, Figure, Value
from calc.figure.scenario import MODELS
from calc.memory_wall import attention
from calc.memory_wall.figures.setting import state_bytes
from calc.memory_wall.figures.shared import ACTIVE, CROSSOVER, USUAL_RATIO, said_bytes


def caches() -> Answer:
    """Caches of public models, what the lecture infers, and what one company published."""
    public = sorted(catalog.model(name).kv_bytes_per_token("fp8") for name in MODELS)
    one_layer = attention.grouped_elements(8, 128)
    reduced = {
        f"character_{name}_{many}": Value(_character(context, sharing), "x", "Cache reduced")
        for name, context in _CHARACTER_AT.items()
        for many, sharing in (("low", "low"), ("high", "high"))
    }
    reduced |= {
        f"character_{name}_read": Value(_character(context), "x", "Reading reduced")
        for name, context in _CHARACTER_AT.items()
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
            "latent_position": Value(v3.known("rope_dim"), "numbers", "of them for positions"),
            "key_made": Value(v3.known("qk_nope_dim") + v3.known("rope_dim"), "", "Numbers of a key that is made"),
            "queries": Value(v3.known("heads"), "heads", "Query heads that share a latent"),
            "value_made": Value(v3.known("v_dim"), "numbers", "Numbers of a value that is made"),
            "latent_value": Value(v3.known("kv_lora_rank"), "numbers", "of them for values"),
            "character_window": Value(catalog.datum("character-ai-window").value, "tokens", "Window", 9),
            "character_heads": Value(catalog.datum("character-ai-mqa-factor").value, "", "Heads for each one kept"),
            "latent": Value(attention.latent_elements(v3.known("kv_lora_rank"), v3.known("rope_dim")), "numbers"),
            "latent_layers": Value(v3.known("layers"), "layers", "Layers with a latent"),
            "latent_heads": Value(_latent_heads(), "heads", "Heads of 128 that keep as much"),
            "llama_layer": Value(
                attention.grouped_elements(llama.known("kv_heads"), llama.known("head_dim")), "numbers", "", 9
            ),
            "llama": Value(llama.kv_bytes_per_token("fp8"), "B", "Llama 3 70B"),
            "llama_plain": Value(plain, "B", "The same with a key and value for every head"),
            **_linear(catalog.model("qwen3.5-397b-a17b")),
            "llama_group": Value(llama.known("heads") / llama.known("kv_heads"), "", "Query heads that share"),
        },
    )


def _linear(model: Model) -> dict[str, Value]:
    """Layers whose state does not grow, and the context at which the cache of the others has as many bytes."""
    state, token = state_bytes(model), model.kv_bytes_per_token("fp8")
    return {
        "linear_layers": Value(model.known("linear_layers"), "layers", "Layers with a state"),
        "linear_all": Value(model.known("layers"), "", "of so many"),
        "linear_state": Value(state, "B", "State of a sequence"),
        "linear_token": Value(token, "B", "Cache of a token in the other layers"),
        "linear_equal": Value(state / token, "tokens", "Context whose cache is as large"),
    }


_CHARACTER_AT = {"short": 2048.0, "long": CROSSOVER}
_CHIPS = {"gb200": "gb200", "v6e": "tpu-v6e", "v4": "tpu-v4"}  # the usual one, and both ends of the catalogue


def _inferred(chip: Any) -> float:
    """The cache at which the lecture's crossover and active parameters would balance at a chip's best 8-bit rate."""
    rate = max(chip.rates[name] for name in ("fp8", "int8") if name in chip.rates)
    return float(batching.critical_context(ACTIVE, CROSSOVER, rate, chip.hbm_bandwidth))


def _character(context: float, sharing: str = "") -> float:
    """Character.AI's factors, put together: one of six layers global, and groups of neighbours with one cache.

    Without a `sharing`, of what is read: each layer of a group reads the cache that they keep together.
    """
    return attention.cache_reduction(
        context,
        layers=6,
        full_layers=1,
        window=catalog.datum("character-ai-window").value,
        head_sharing=catalog.datum("character-ai-mqa-factor").value,
        layer_sharing=catalog.datum(f"character-ai-sharing-{sharing}").value if sharing else 1.0,
    )


def _latent_heads() -> float:
    v3 = catalog.model("deepseek-v3")
    latent = attention.latent_elements(v3.known("kv_lora_rank"), v3.known("rope_dim"))
    return latent / attention.grouped_elements(1, v3.known("v_dim"))


FIGURES = (Figure(name="memory_wall/caches", compute=caches),)
