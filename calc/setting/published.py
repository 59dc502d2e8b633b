"""A model of the catalogue as an architecture. A fact that its row lacks is refused by name, never assumed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from calc import catalog
from calc.catalog import Model
from calc.quantities.errors import CalcError
from calc.quantities.units import BITS_PER_ELEMENT
from calc.setting.attention_layer import Attention, compressed, grouped, latent, linear
from calc.setting.feed_forward import FeedForward, dense, routed
from calc.setting.layers import Architecture, Layers
from calc.setting.precisions import Precisions


@cache
def architecture(model: Model | str) -> Architecture:
    """The architecture of a catalogued model, by its row or its name.

    >>> model = architecture("deepseek-v3")
    >>> [int(group.count) for group in model.layers], round(model.params / 1e9), round(model.active_params / 1e9, 1)
    ([3, 58], 671, 36.6)
    >>> architecture("gpt-4-rumour")
    Traceback (most recent call last):
    calc.quantities.errors.MissingFact: gpt-4-rumour must be a row whose “d_model” is known; it was None.
    """
    row = model if isinstance(model, Model) else catalog.model(model)
    layers, width = row.known("layers"), row.known("d_model")
    return Architecture(
        name=row.name,
        width=width,
        vocabulary=row.known("vocabulary"),
        layers=tuple(_paired(list(attention_layers(row)), list(_feed_forward(row, layers)))),
        tied=row.tied_embeddings,
    )


def published_precisions(model: Model | str, precision: str) -> Precisions:
    """A format by its name; but experts that their maker publishes in fewer bits are held in those, scales counted.

    >>> found = published_precisions("gpt-oss-120b", "fp8")
    >>> found.weight_bytes("experts"), found.arithmetic("experts"), round(found.weight_bytes("head"), 3)
    (0.53125, 'fp8', 1.0)
    >>> published_precisions("deepseek-v3", "fp8") == Precisions.named("fp8")
    True
    """
    row, chosen = catalog.model(model) if isinstance(model, str) else model, Precisions.named(precision)
    own = row.native_precision
    if row.routed_experts is None or own is None:
        return chosen
    if BITS_PER_ELEMENT[own] >= BITS_PER_ELEMENT[chosen.expert_weights]:
        return chosen
    return with_blocks(row, replace(chosen, expert_weights=own))


def with_blocks(row: Model, precisions: Precisions) -> Precisions:
    """The same, scales counted, of blocks as large as the maker of the model chose."""
    held = replace(precisions, block_scales=True)
    return held if row.int4_block is None else replace(held, int4_block=float(row.int4_block))


def _paired(
    attention: list[tuple[float, Attention]], feed_forward: list[tuple[float, FeedForward]]
) -> Iterator[Layers]:
    """Both lists laid side by side from the first layer on: full attention first, dense layers first."""
    while attention:
        (here, kind), (there, part) = attention[0], feed_forward[0]
        count = min(here, there)
        yield Layers(count, kind, part)
        for left, rest, of in ((here - count, attention, kind), (there - count, feed_forward, part)):
            rest[:1] = [(left, of)] if left else []  # type: ignore[list-item]


@cache
def attention_layers(row: Model) -> tuple[tuple[float, Attention], ...]:
    """How many layers of each kind of attention a catalogued model has, also where only its attention is published.

    >>> [(int(count), kind.window) for count, kind in attention_layers(catalog.model("gpt-oss-120b"))]
    [(18, 0.0), (18, 128.0)]
    """
    return tuple(_attention(row, row.known("layers")))


def _attention(row: Model, layers: float) -> Iterator[tuple[float, Attention]]:
    """Counts and kinds: full layers, then linear, selected and compressed ones, and windows for what remains."""
    others = {
        "linear_layers": _linear,
        "selected_layers": _selected,
        "compressed_layers": _compressed,
    }
    found = {name: getattr(row, name) for name in others if getattr(row, name)}
    alike = 0 if found or row.sliding_window else layers
    full = alike if row.full_attention_layers is None else row.full_attention_layers
    windows = layers - full - sum(found.values())
    if windows < 0:
        raise CalcError(row.id, layers, "a row whose layers are as many as those of each kind together")
    if full:
        yield full, _full(row)
    for name, count in found.items():
        yield count, others[name](row)
    if windows:
        yield windows, _window(row)


def _full(row: Model) -> Attention:
    width, heads = row.known("d_model"), row.known("heads")
    if row.kv_lora_rank is None:
        return grouped(
            width, heads, row.known("kv_heads"), row.known("head_dim"), row.v_dim, output_gate=row.output_gate
        )
    index = {}
    if row.index_top_k is not None:
        index = {
            "index_heads": row.known("index_heads"),
            "index_dim": row.known("index_head_dim"),
            "index_bits": row.known("index_bits"),
            "top_k": row.index_top_k,
        }
    return latent(
        width,
        heads,
        row.kv_lora_rank,
        row.known("rope_dim"),
        row.known("qk_nope_dim"),
        row.known("v_dim"),
        query_latent=row.known("q_lora_rank"),
        **index,
    )


def _window(row: Model) -> Attention:
    if row.shared_kv:
        return compressed(*_widths(row), **_latents(row))
    width, heads, head_dim, window = _widths(row)
    kv_heads = row.known("kv_heads")
    return grouped(width, heads, kv_heads, head_dim, row.v_dim, output_gate=row.output_gate, window=window)


def _linear(row: Model) -> Attention:
    return linear(
        row.known("d_model"),
        row.known("linear_key_heads"),
        row.known("linear_key_dim"),
        row.known("linear_value_heads"),
        row.known("linear_value_dim"),
        row.known("linear_convolution"),
    )


def _selected(row: Model) -> Attention:
    return compressed(
        *_widths(row),
        compression=row.known("selected_compression"),
        overlap=2,
        index_heads=row.known("index_heads"),
        index_dim=row.known("index_head_dim"),
        index_bits=row.known("index_bits"),
        top_k=row.known("index_top_k"),
        **_latents(row),
    )


def _compressed(row: Model) -> Attention:
    return compressed(*_widths(row), compression=row.known("compression"), **_latents(row))


def _widths(row: Model) -> tuple[float, float, float, float]:
    """The residual stream's, the number of heads and theirs, and the window."""
    return row.known("d_model"), row.known("heads"), row.known("head_dim"), row.known("sliding_window")


def _latents(row: Model) -> dict[str, float]:
    """The query's and the output's latents, and the numbers that carry a position."""
    return {
        "positional_dim": row.known("rope_dim"),
        "query_latent": row.known("q_lora_rank"),
        "output_latent": row.known("o_lora_rank"),
        "output_groups": row.known("o_groups"),
    }


def _feed_forward(row: Model, layers: float) -> Iterator[tuple[float, FeedForward]]:
    """Counts and kinds: dense layers first, then experts."""
    width = row.known("d_model")
    if row.routed_experts is None:
        yield layers, dense(width, row.known("d_ff_dense"))
        return
    plain = row.known("dense_layers")
    if plain:
        yield plain, dense(width, row.known("d_ff_dense"))
    experts = row.known("d_ff_expert"), row.routed_experts, row.known("active_routed_experts")
    yield layers - plain, routed(width, *experts, row.known("shared_experts"), *row.groups)
