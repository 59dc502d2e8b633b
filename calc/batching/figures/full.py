"""Lecture 1 in full: what the simplest bound leaves out, by number, through the step's list of operations."""

from __future__ import annotations

from calc import batching, catalog
from calc.batching.figures.shared import critical, published_guess, slower
from calc.figure.declared import Answer, Figure, Value
from calc.setting import Setting, architecture
from calc.step import decode, most_sequences

LONG = 100_000
LARGE = 20_000
CONTEXT = 4096
DRAFTED = 256
RACK = ("deepseek-v3", "gb200-nvl72")


def attention() -> Answer:
    """Critical contexts and ceilings with attention's arithmetic, of a dense model and of latent attention."""
    names = {"v3": "deepseek-v3", "k2": "kimi-k2", "llama": "llama-3-70b"}
    ends = {"llama_small": "llama-3-8b", "llama_large": "llama-3-405b"}
    found = {key: Setting.published(name, RACK[1], "fp8") for key, name in names.items()}
    found["v3_wide"] = Setting.published(*RACK, "fp8-bf16-attention")
    active = {key: catalog.model(names.get(key, RACK[0])).active_params for key in found}
    v3, llama = found["v3"], found["llama"]
    latent = v3.model.layers[-1].attention

    def ceiling(key: str) -> float:
        each = found[key]
        rates = each.machine.flops("fp8"), each.machine.bandwidth
        read, slope = each.read_bytes_per_token, each.attention_flops_per_token * slower(each)
        return float(batching.attainable_utilisation(LONG, active[key], read, *rates, attention_flops=slope))

    def intensity(found: Setting) -> float:
        return float(found.attention_flops_per_token / found.read_bytes_per_token)

    return Answer(
        finding="What attention's arithmetic changes on GB200 in FP8",
        values={
            "long": Value(LONG, "tokens", "A long context", 9),
            **{
                key: Value(critical(each, active[key]), "tokens", "Critical context", endless="none")
                for key, each in found.items()
            },
            **{
                key: Value(
                    critical(Setting.published(name, RACK[1], "fp8"), catalog.model(name).active_params), "tokens"
                )
                for key, name in ends.items()
            },
            "v3_stored": Value(
                critical(Setting.published(*RACK, "fp8-bf16-cache"), active["v3"]),
                "tokens",
                "The same, its cache in BF16 as well",
            ),
            "v3_rises": Value(
                intensity(v3) * catalog.model(RACK[0]).sparsity / 2,
                "sequences",
                "Below, longer contexts keep more busy",
            ),
            **{f"{key}_ceiling": Value(ceiling(key), "%", "Ceiling") for key in found},
            "v3_heads": Value(latent.heads, "heads", "Heads of DeepSeek-V3"),
            "v3_key": Value(latent.key_dim, "", "Numbers that a query meets"),
            "v3_value": Value(latent.value_dim, "", "Numbers that are added up"),
            "v3_layers": Value(sum(each.count for each in v3.model.layers), "layers", "Layers of DeepSeek-V3"),
            "v3_operations": Value(v3.attention_flops_per_token, "FLOP", "Operations for a token of context"),
            "v3_intensity": Value(intensity(v3), "FLOP/B", "Attention of DeepSeek-V3", 4),
            "llama_intensity": Value(intensity(llama), "FLOP/B", "Attention of Llama 3 70B"),
            "k2_intensity": Value(intensity(found["k2"]), "FLOP/B", "Attention of Kimi K2", 4),
            **{
                f"{key}_token": Value(found[key].read_bytes_per_token, "B", "Cache of a token", 4)
                for key in ("v3", "k2")
            },
            "k2_active": Value(active["k2"], "parameters", "Active parameters of Kimi K2"),
            "v3_share": Value(
                CONTEXT * v3.attention_flops_per_token / (2 * active["v3"]), "%", "Attention's arithmetic, of the rest"
            ),
            "ridge": Value(v3.machine.flops("fp8") / v3.machine.bandwidth, "FLOP/B", "Ridge of GB200, FP8"),
            "ridge_wide": Value(v3.machine.flops("bf16") / v3.machine.bandwidth, "FLOP/B", "Ridge of GB200, BF16"),
        },
    )


def layouts() -> Answer:
    """DeepSeek-V3 in FP8 on a rack: its floor in the usual layout, and where each part balances."""
    v3 = Setting.published(*RACK, "fp8")
    llama = Setting.published("llama-3-70b", "hgx-h100", "fp8")
    ratio = batching.hardware_ratio(v3.machine.flops("fp8"), v3.machine.bandwidth, 1)
    last = v3.model.layers[-1]
    part = last.feed_forward
    dense = {size: architecture(f"llama-3-{size}") for size in ("8b", "70b")}
    copied = decode(v3, LARGE, CONTEXT).weights_seconds
    full = decode(v3, most_sequences(v3, CONTEXT), CONTEXT)
    return Answer(
        finding="What a layout that can be had changes",
        values={
            "copied_floor": Value(copied, "s", "Weights of a chip, attention copied"),
            "lone_step": Value(decode(v3, 1, 0).bound_seconds, "s", "A step alone, all overlapping"),
            "full_turn": Value(full.in_turn_seconds, "s", "A full memory, in turn"),
            "drain": Value(
                batching.read_seconds(v3.machine.hbm_bytes, v3.machine.bandwidth), "s", "Drain time of the rack"
            ),
            "context": Value(CONTEXT, "tokens", "Context", 9),
            "experts": Value(ratio * part.experts / part.experts_per_token, "sequences", "The experts balance at"),
            "copied": Value(ratio * v3.layout.data, "sequences", "Copied attention balances at"),
            "groups": Value(v3.layout.data, "", "Copies of attention"),
            "active": Value(v3.model.active_params, "parameters", "Active, counted from the configuration"),
            "expert_share": Value(
                part.experts * part.expert * v3.model.layers[-1].count / v3.model.params, "%", "Weights in experts"
            ),
            **{
                f"embedding_{size}": Value(model.embedding_params / model.params, "%", "Weights in the embeddings")
                for size, model in dense.items()
            },
            "dense_links": Value(decode(llama, 1, CONTEXT).scale_up_seconds, "s", "All-reduces of a sequence"),
        },
    )


def drafts() -> Answer:
    """One guessed token a step on a rack: how much faster a user is served, and how much cheaper a token is."""
    v3, guesses = Setting.published(*RACK, "fp8"), published_guess()
    values: dict[str, Value] = {}
    for name, batch in (("small", DRAFTED), ("large", LARGE)):
        plain, guessed = decode(v3, batch, CONTEXT), decode(v3, batch, CONTEXT, drafts=guesses)
        faster = guesses.tokens_per_pass * plain.in_turn_seconds / guessed.in_turn_seconds
        values |= {
            name: Value(batch, "sequences", "Batch", 9),
            f"faster_{name}": Value(faster, "x", "Speed with guesses"),
            f"cheaper_{name}": Value(1 / faster, "%", "Price with guesses"),
        }
    return Answer(
        finding="What a guessed token changes",
        values=values
        | {
            "accepted": Value(guesses.acceptance, "%", "Guesses accepted"),
            "tokens": Value(guesses.tokens_per_pass, "tokens", "Tokens of a step"),
        },
    )


FIGURES = (
    Figure(name="batching/drafts", compute=drafts, sources=("deepseek-v3-report",)),
    Figure(name="batching/attention", compute=attention, sources=("deepseek-v3-config", "aiconfigurator")),
    Figure(name="batching/layouts", compute=layouts, sources=("deepseek-v3-config", "aiconfigurator")),
)
