"""An architecture from a `config.json` as models are published with: what it says, what was assumed, what was not read.

Each kind of model is known by its `model_type`. A field that a step needs and the file lacks is refused by name, with
all others that it lacks; a field that is read by nobody is reported, unless it is known to change nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from calc.quantities.errors import CalcError, OutOfRange, UnknownName, Unreadable, WrongType
from calc.setting.attention_layer import Attention, compressed, grouped, latent, linear
from calc.setting.config_file import MOST, ConfigFile
from calc.setting.feed_forward import FeedForward, dense, routed
from calc.setting.layer_kinds import COMPRESSED, LINEAR, WINDOW, layer_kinds
from calc.setting.layers import Architecture, Layers

LATENT = ("deepseek_v3", "deepseek_v32", "glm4_moe_lite", "glm_moe_dsa", "kimi_k2")
GROUPED = ("deepseek_v3", "deepseek_v32")  # whose router may be limited to groups of experts
GATED = ("qwen3_next",)  # attention's output is gated, whether or not the file says so
TYPES = (
    *("llama", "mistral", "mixtral", "ministral3", "qwen2", "qwen3", "qwen2_moe", "qwen3_moe", "qwen3_next"),
    *("qwen3_5_moe_text", "qwen3_5_text", "glm4", "glm4_moe", "gpt_oss", "minimax_m2", *LATENT, *COMPRESSED),
)
EXPERTS = ("n_routed_experts", "num_experts", "num_local_experts")
MOST_LAYERS = 10_000.0
SELECTED = 4  # tokens of an entry; where they are so few, an index selects
_HARMLESS = """
architectures model_type auto_map transformers_version _name_or_path torch_dtype dtype use_cache pad_token_id
bos_token_id eos_token_id attention_dropout attention_bias mlp_bias initializer_range hidden_act rms_norm_eps
rope_theta rope_scaling rope_parameters rope_interleave max_position_embeddings pretraining_tp ep_size aux_loss_alpha
seq_aux scoring_func topk_method norm_topk_prob routed_scaling_factor router_aux_loss_coef
output_router_logits quantization_config use_qk_norm qk_norm_type partial_rotary_factor swiglu_limit
initial_context_length router_jitter_noise num_nextn_predict_layers rotary_dim
output_attentions compress_rope_theta num_hash_layers hc_eps hc_sinkhorn_iters expert_dtype
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Fields that change neither a width nor a count: norms, rotations, choices of a router, tokens, guesses ahead."""


@dataclass(frozen=True)
class Configured:
    """A model as a file describes it; `assumed` are sentences, `unread` the fields that nothing here knows.

    `counted` are the fields that decide what a step takes: with them alone the model is the same.
    """

    model: Architecture
    assumed: tuple[str, ...]
    unread: tuple[str, ...]
    counted: Mapping[str, Any]


def configured(config: Mapping[str, Any], name: str | None = None) -> Configured:
    """The architecture of a configuration, with the text part of one that takes images too.

    >>> llama = dict(model_type="llama", num_hidden_layers=80, hidden_size=8192, intermediate_size=28672)
    >>> llama |= dict(num_attention_heads=64, num_key_value_heads=8, vocab_size=128256, tie_word_embeddings=False)
    >>> found = configured(llama)
    >>> round(found.model.params / 1e9, 1), found.assumed, found.unread
    (70.6, ('head_dim is not given: the width over the heads, 128.',), ())
    """
    if not isinstance(config, Mapping):
        raise WrongType("config", config, "an object with named fields")
    outer = {key: value for key, value in config.items() if key != "text_config"}
    inner = config.get("text_config")
    file = ConfigFile({**outer, **inner} if isinstance(inner, Mapping) else outer)
    kind = _kind(file.fields.get("model_type"))
    file.counted.add("model_type")
    layers = file.number("num_hidden_layers", most=MOST_LAYERS)
    width, vocabulary = file.number("hidden_size"), file.number("vocab_size")
    tied = _tied(file)
    pairs = dict[tuple[Attention, FeedForward], int]()
    kinds, plain = layer_kinds(file, int(layers)), set(_plain_layers(file, int(layers)))
    made: dict[str, Any] = {each: _attention(file, str(kind), each, width) for each in dict.fromkeys(kinds)}
    parts = {where: _feed_forward(file, width, where) for where in {place in plain for place in range(int(layers))}}
    if file.missing:
        lacks = f"A model of type {kind} has {'fields' if len(file.missing) > 1 else 'a field'} that this text lacks"
        raise Unreadable("config", kind, f"{lacks}: {', '.join(file.missing)}.")
    for place, each in enumerate(kinds):
        pair = (made[each], parts[place in plain])
        pairs[pair] = pairs.get(pair, 0) + 1
    model = Architecture(
        name=name or str(kind),
        width=width,
        vocabulary=vocabulary,
        layers=tuple(Layers(count, *pair) for pair, count in pairs.items()),
        tied=tied,
    )
    file.read |= {"full_attention_interval", "use_sliding_window", "max_window_layers"}
    unread = sorted(set(file.fields) - file.read - HARMLESS)
    counted = {name: file.fields[name] for name in sorted(file.counted)}
    return Configured(model, tuple(file.assumed), tuple(unread), counted)


def _kind(named: object) -> str:
    """The kind of model, if its layers are known here."""
    known = f"Known here are {', '.join(sorted(TYPES))}."
    if named is None:
        told = "This text gives no model_type, the field that names the kind of model"
        raise Unreadable("model_type", named, f"{told}. {known}")
    if not isinstance(named, str):
        raise WrongType("model_type", named, "the name of a kind of model, as a text")
    if named not in TYPES:
        near = UnknownName("model_type", named[:40], TYPES).nearest
        meant = f" Did you mean “{near}”?" if near else ""
        told = f"The layers of a model of type “{named[:40]}” are not known.{meant}"
        raise Unreadable("model_type", named, f"{told} {known}")
    return named


def _tied(file: ConfigFile) -> bool:
    if not file.has("tie_word_embeddings"):
        file.assumed.append("tie_word_embeddings is not given: the head is taken to be a table of its own.")
    return file.flag("tie_word_embeddings", False)


def _plain_layers(file: ConfigFile, layers: int) -> Iterator[int]:
    """Places of the layers that are dense."""
    if not any(file.has(name) for name in EXPERTS):
        yield from range(layers)
        return
    most = MOST if file.missing else layers  # a number of layers that is missing is refused later
    first = file.number("first_k_dense_replace", 0.0, most) if file.has("first_k_dense_replace") else 0.0
    every = file.number("decoder_sparse_step") if file.has("decoder_sparse_step") else 1.0
    if file.has("moe_layer_freq") and file.fields["moe_layer_freq"] != 1:
        raise CalcError("moe_layer_freq", file.fields["moe_layer_freq"], "1, experts in every layer behind the first")
    named = file.listed("mlp_only_layers", int, "places of layers") or ()
    if any(not 0 <= place < most for place in named):
        raise CalcError("mlp_only_layers", named, f"places of layers from 0 to {layers - 1}")
    for place in range(layers):
        if place < first or (place + 1) % every or place in named:
            yield place


def _attention(file: ConfigFile, kind: str, layer: str, width: float) -> Attention:
    """One layer's attention; the numbers of a file that lacks some are refused together, later."""
    if layer == LINEAR:
        names = ("num_key_heads", "key_head_dim", "num_value_heads", "value_head_dim", "conv_kernel_dim")
        return linear(width, *(file.number(f"linear_{name}") for name in names))
    heads = file.number("num_attention_heads")
    if kind in COMPRESSED:
        return _compressed(file, layer, width, heads)
    if kind in LATENT:
        for name in ("num_key_value_heads", "head_dim", "qk_head_dim"):
            file.has(name)  # a latent serves all heads, and its widths have names of their own
        index = {}
        if file.has("index_topk"):
            index = {"index_heads": file.number("index_n_heads"), "index_dim": file.number("index_head_dim")}
            index["top_k"] = file.number("index_topk")
        dims = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim")
        numbers = (file.number(name) for name in dims)
        return latent(width, heads, *numbers, query_latent=file.optional("q_lora_rank"), **index)
    kv_heads = file.otherwise("num_key_value_heads", heads, "as many as attention heads")
    if heads % kv_heads:
        raise OutOfRange("num_key_value_heads", int(kv_heads), f"one that divides the {heads:g} attention heads")
    usual = 1.0 if file.missing else width / heads
    head_dim = file.otherwise("head_dim", usual, f"the width over the heads, {usual:g}")
    gate = file.flag("attn_output_gate", kind in GATED)
    window = file.number("sliding_window") if layer == WINDOW else 0.0
    return grouped(width, heads, kv_heads, head_dim, output_gate=gate, window=window)


def _compressed(file: ConfigFile, layer: str, width: float, heads: float) -> Attention:
    """One vector for several tokens, beside a window; where an index selects, an entry is made of two blocks."""
    for name in ("num_key_value_heads", "layer_types"):
        file.has(name)  # one key-value head
    dims = {"query_latent": "q_lora_rank", "output_latent": "o_lora_rank", "output_groups": "o_groups"}
    more: dict[str, float] = {key: file.number(name) for key, name in dims.items()}
    more["positional_dim"] = file.number("qk_rope_head_dim")
    if layer != WINDOW:
        more["compression"] = float(layer)
    if layer == str(SELECTED):
        names = {"index_heads": "index_n_heads", "index_dim": "index_head_dim", "top_k": "index_topk"}
        more |= {"overlap": 2.0} | {key: file.number(name) for key, name in names.items()}
    return compressed(width, heads, file.number("head_dim"), file.number("sliding_window"), **more)


def _feed_forward(file: ConfigFile, width: float, plain: bool) -> FeedForward:
    """One layer's feed-forward part: dense, or experts with those that all tokens use."""
    if plain:
        return dense(width, file.number("intermediate_size"))
    experts = next(file.number(name) for name in EXPERTS if file.has(name))
    chosen = file.number("num_experts_per_tok")
    narrow = file.has("moe_intermediate_size")
    hidden = file.number("moe_intermediate_size" if narrow else "intermediate_size")
    shared = file.optional("n_shared_experts") + file.optional("shared_expert_intermediate_size") / hidden
    groups, allowed = _groups(file)
    if file.missing:
        return dense(width, 1.0)  # refused by the caller, with all that is missing
    reach = experts * allowed / groups
    if chosen > reach:
        raise OutOfRange("num_experts_per_tok", int(chosen), f"at most the {reach:g} routed experts in reach")
    file.has("intermediate_size")
    return routed(width, hidden, experts, chosen, shared, groups, allowed)


def _groups(file: ConfigFile) -> tuple[float, float]:
    """Groups of experts, and those that a token may use: one of one where a text speaks of none."""
    if not file.has("n_group") and not file.has("topk_group"):
        if file.fields["model_type"] in GROUPED:
            file.assumed.append("n_group is not given: a token may use all groups.")
        return 1.0, 1.0
    groups = file.number("n_group")
    return groups, file.number("topk_group", most=MOST if file.missing else groups)
