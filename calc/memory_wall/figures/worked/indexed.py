"""The savings of DeepSeek-V3.2's index, and of its successor's cache."""

from __future__ import annotations

from calc import catalog
from calc.catalog import Model
from calc.figure.declared import Answer, Figure, Value
from calc.memory_wall import sparse_attention
from calc.memory_wall.figures.setting import decode_flops
from calc.setting import published

LONGEST = 1_048_576


def indexed() -> Answer:
    """The savings of DeepSeek-V3.2's index."""
    model = catalog.model("deepseek-v3.2")
    sizes = {"index_bytes": model.known("index_key_bytes"), "kv_bytes": model.known("attended_kv_bytes")}
    kept = model.known("index_top_k")
    read = [sparse_attention.indexed_bytes(at, kept_tokens=kept, **sizes) for at in (LONGEST, 2 * LONGEST)]
    faster = catalog.chip("rubin").hbm_bandwidth / catalog.chip("h100-sxm").hbm_bandwidth
    share = catalog.datum("deepseek-v4-kv-share"), catalog.datum("deepseek-v4-flops-share")
    successor, dense = catalog.model("deepseek-v4-pro"), catalog.model("deepseek-v3")
    stored = model.known("layers") * sum(sizes.values())
    _, layer = published.attention_layers(model)[0]
    return Answer(
        finding="What DeepSeek-V3.2's index saves",
        values={
            "long": Value(LONGEST, "tokens", "A long context", 9),
            "saved": Value(
                sparse_attention.indexed_saving(LONGEST, kept_tokens=kept, **sizes), "x", "Reading saved there"
            ),
            "limit": Value(sizes["kv_bytes"] / sizes["index_bytes"], "x", "Saved at most"),
            "limit_products": Value(
                layer.flops_per_position / layer.index_flops_per_entry, "x", "Multiplying saved at most", 2
            ),
            "limit_plain": Value(
                dense.kv_bytes_per_token("fp8") / dense.known("layers") / sizes["index_bytes"], "x", "Without scales"
            ),
            "index": Value(sizes["index_bytes"], "B", "Index of a token and layer"),
            "token": Value(sizes["kv_bytes"], "B", "Cache of a token and layer"),
            "more": Value(sizes["index_bytes"] / sizes["kv_bytes"], "%", "Index over the cache beside it", 2),
            "kept": Value(kept, "tokens", "Tokens kept", 9),
            "exponent": Value(sparse_attention.growth_exponent(*read), "", "Exponent of the reading there", 2),
            "v4_cache": Value(share[0].value, "%", "Cache of V4-Pro against V3.2"),
            "v4_cache_counted": Value(successor.kv_bytes_per_token("fp8") / stored, "%", "The same, counted"),
            "v4_flops_counted": Value(_operations(successor) / _operations(model), "%", "Operations, counted"),
            "generations": Value(faster, "x", "Memory faster, H100 to Rubin"),
            "v4_flops": Value(share[1].value, "%", "Operations of V4-Pro against V3.2"),
        },
    )


def _operations(model: Model) -> float:
    """Operations of a token at a long context: of weights and of attention."""
    return float(2 * model.active_params + decode_flops(model, LONGEST))


FIGURES = (Figure(name="memory_wall/indexed", compute=indexed),)
