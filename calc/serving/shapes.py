"""A model and a machine as the numbers that the formulas take, read from the catalogue or made up.

What is not published is refused, never guessed. Embeddings count among the parameters that every token uses; layers
whose attention has a window are taken to cost nothing by context.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.catalog import Model, System
from calc.memory_wall.attention import attention_flops
from calc.quantities.check import Quantity, Range
from calc.quantities.errors import CalcError, OutOfRange
from calc.quantities.fields import accept
from calc.quantities.units import BITS_PER_ELEMENT, bytes_per_element
from calc.quantities.units import precision as format_of

_POSITIVE, _NOT_NEGATIVE, _COUNT = Range(0, open_low=True), Range(0), Range(1, whole=True)


@dataclass(frozen=True, kw_only=True)
class ModelShape:
    """What the formulas need to know of a model: parameters, layers, bytes and operations per token of context.

    `cache_splits` is into how many parts heads can split one sequence's cache: key-value heads, or 1 for latent
    attention. A dense model is one expert of no parameters.
    """

    shared_params: Quantity
    expert_params: Quantity
    experts: Quantity
    experts_per_token: Quantity
    layers: Quantity
    expert_layers: Quantity
    width: Quantity
    bytes_per_weight: Quantity
    kv_bytes_per_token: Quantity
    cache_splits: Quantity
    decode_flops: Quantity
    prefill_flops: Quantity

    def __post_init__(self) -> None:
        counts = dict.fromkeys(("experts", "experts_per_token", "layers", "width", "cache_splits"), _COUNT)
        none = dict.fromkeys(("expert_params", "kv_bytes_per_token", "decode_flops", "prefill_flops"), _NOT_NEGATIVE)
        accept(self, _POSITIVE, **counts, **none, expert_layers=Range(0, whole=True))
        if np.any(np.asarray(self.experts_per_token) > self.experts):
            raise OutOfRange("experts_per_token", self.experts_per_token, f"at most all experts, {self.experts}")

    @property
    def active_params(self) -> Quantity:
        """Parameters that a token uses: s + k e."""
        return self.shared_params + self.experts_per_token * self.expert_params

    @property
    def weight_bytes(self) -> Quantity:
        """Bytes of one copy of everything."""
        return (self.shared_params + self.experts * self.expert_params) * self.bytes_per_weight

    @classmethod
    def published(cls, model: Model, precision: str) -> ModelShape:
        """The shape of a catalogued model whose weights are stored as `precision`; its cache takes a byte or more.

        >>> from calc import catalog
        >>> shape = ModelShape.published(catalog.model("deepseek-v3"), "fp8")
        >>> round(shape.active_params / 1e9), round(shape.weight_bytes / 1e9), shape.kv_bytes_per_token
        (37, 671, 35136.0)
        """
        experts, used = model.routed_experts or 1, model.active_routed_experts or 1
        cached_as = "fp8" if BITS_PER_ELEMENT[format_of(precision)] <= 8 else "bf16"
        kv_bytes = model.kv_bytes_per_token(cached_as)
        if not (model.layers and model.d_model and model.heads):
            raise CalcError("model", model.id, "one whose geometry is published")
        one = (model.total_params - model.active_params) / max(experts - used, 1)
        decode, prefill = _flops_per_context_token(model)
        return cls(
            shared_params=model.active_params - used * one,
            expert_params=one,
            experts=experts,
            experts_per_token=used,
            layers=model.layers,
            expert_layers=model.layers - (model.dense_layers or 0) if model.routed_experts else 0,
            width=model.d_model,
            bytes_per_weight=bytes_per_element(precision),
            kv_bytes_per_token=kv_bytes,
            cache_splits=model.kv_heads or 1,
            decode_flops=decode,
            prefill_flops=prefill,
        )


def _flops_per_context_token(model: Model) -> tuple[Quantity, Quantity]:
    """Operations that one more token of context adds for a token: when decoding, and when reading a prompt."""
    layers, heads, head = model.full_attention_layers or model.layers or 1, model.heads or 1, model.head_dim
    latent, place = model.kv_lora_rank, model.rope_dim or 0
    if not latent:
        each = attention_flops(layers, heads, head or 1, head or 1)
        return each, each
    expanded = attention_flops(layers, heads, (model.qk_nope_dim or latent) + place, model.v_dim or latent)
    return attention_flops(layers, heads, latent + place, latent), expanded


@dataclass(frozen=True, kw_only=True)
class Machine:
    """A chip and its surroundings: rates per chip, links in one direction; a `scale_out` of 0 means no way out."""

    flops: Quantity
    bandwidth: Quantity
    hbm_bytes: Quantity
    domain_chips: Quantity
    scale_up: Quantity
    scale_out: Quantity = 0.0

    def __post_init__(self) -> None:
        accept(self, _POSITIVE, domain_chips=_COUNT, scale_out=_NOT_NEGATIVE)

    @classmethod
    def published(cls, system: System, precision: str) -> Machine:
        """A catalogued system's chip, multiplying numbers stored as `precision`.

        >>> from calc import catalog
        >>> Machine.published(catalog.system("hgx-h800"), "fp8").scale_out
        50000000000.0
        """
        if system.scale_up_bandwidth is None:
            raise CalcError("system", system.id, "one whose links are published")
        return cls(
            flops=system.chip.flops(precision),
            bandwidth=system.chip.hbm_bandwidth,
            hbm_bytes=system.chip.hbm_bytes,
            domain_chips=system.chips,
            scale_up=system.scale_up_bandwidth,
            scale_out=system.scale_out_bandwidth or 0.0,
        )
