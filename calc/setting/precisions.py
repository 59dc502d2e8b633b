"""In which formats a model's parts are stored, multiplied and sent. They are apart, as they are in practice."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from calc.quantities.errors import UnknownName
from calc.quantities.units import BITS_PER_ELEMENT, bytes_per_element
from calc.quantities.units import precision as format_of

SCALES = {"fp8": 4 / 128**2, "fp4": 1 / 16, "nvfp4": 1 / 16, "mxfp4": 1 / 32}
"""Bytes of scale for each number of a format: of blocks of 128 x 128, 16 and 32 numbers. Those of int4 are as said."""
INT4_SCALE = 2


@dataclass(frozen=True, kw_only=True)
class Precisions:
    """Formats by part: weights of attention, of experts, of dense and shared layers, of head and router; and the rest.

    `products` is the format in which matrices are multiplied, `attention_products` the one of attention proper; a part
    that is stored wider is multiplied wider. `state` is of recurrent states. With `block_scales` weights take what
    they take as stored, scales included; in int4 `int4_block` numbers share one.

    >>> fp8 = Precisions.named("fp8")
    >>> fp8.weight_bytes("experts"), fp8.cache_bytes, replace(fp8, attention_weights="bf16").weight_bytes("attention")
    (1.0, 1.0, 2.0)
    """

    attention_weights: str
    expert_weights: str
    shared_weights: str
    head_weights: str
    cache: str
    products: str
    attention_products: str
    state: str = "fp32"
    dispatch: str = "fp8"
    combine: str = "bf16"
    activations: str = "bf16"
    block_scales: bool = False
    int4_block: float = 128.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, str):
                object.__setattr__(self, name, format_of(value))

    @classmethod
    def named(cls, name: str) -> Precisions:
        """A usual choice by its name: a format for all weights, or one of `PRESETS`.

        With a format alone, weights and products are in it; the cache and attention are never narrower than eight bits.

        >>> Precisions.named("fp4").cache, Precisions.named("w4a16").products
        ('fp8', 'bf16')
        """
        plain = name.strip().lower() if isinstance(name, str) else name
        if plain in PRESETS:
            return PRESETS[plain]
        try:
            stored = format_of(name)
        except UnknownName:
            raise UnknownName("precision", name, [*BITS_PER_ELEMENT, *PRESETS]) from None
        wide = stored if BITS_PER_ELEMENT[stored] >= 8 else "fp8"
        return _all(stored, cache=wide, products=stored, attention_products=wide)

    def weight_bytes(self, part: str) -> float:
        """Bytes of a weight of a part: attention, experts, shared or head.

        >>> replace(Precisions.named("nvfp4"), block_scales=True).weight_bytes("experts")
        0.5625
        """
        stored = self._stored(part)
        scale = INT4_SCALE / self.int4_block if stored == "int4" else SCALES.get(stored, 0.0)
        return bytes_per_element(stored) + scale * self.block_scales

    def arithmetic(self, part: str) -> str:
        """The format in which a part's weights are multiplied: that of the products, or its own if that is wider."""
        stored = self._stored(part)
        return stored if BITS_PER_ELEMENT[stored] > BITS_PER_ELEMENT[self.products] else self.products

    @cached_property
    def cache_bytes(self) -> float:
        """Bytes of a number in the cache."""
        return bytes_per_element(self.cache)

    @cached_property
    def state_bytes(self) -> float:
        """Bytes of a number of a recurrent state."""
        return bytes_per_element(self.state)

    @cached_property
    def dispatch_bytes(self) -> float:
        """Bytes of a number on its way to an expert."""
        return bytes_per_element(self.dispatch)

    @cached_property
    def combine_bytes(self) -> float:
        """Bytes of a number on its way back."""
        return bytes_per_element(self.combine)

    @cached_property
    def activation_bytes(self) -> float:
        """Bytes of an activation, in memory and in reductions among tensor chips."""
        return bytes_per_element(self.activations)

    def _stored(self, part: str) -> str:
        names = {
            "attention": self.attention_weights,
            "experts": self.expert_weights,
            "shared": self.shared_weights,
            "head": self.head_weights,
        }
        if part not in names:
            raise UnknownName("part", part, names)
        return names[part]


def _all(stored: str, *, cache: str, products: str, attention_products: str) -> Precisions:
    return Precisions(
        attention_weights=stored,
        expert_weights=stored,
        shared_weights=stored,
        head_weights=stored,
        cache=cache,
        products=products,
        attention_products=attention_products,
    )


PRESETS = {
    "fp8-bf16-cache": _all("fp8", cache="bf16", products="fp8", attention_products="bf16"),
    "fp8-bf16-attention": _all("fp8", cache="fp8", products="fp8", attention_products="bf16"),
    "w4a16": _all("int4", cache="bf16", products="bf16", attention_products="bf16"),
    "w8a16": _all("int8", cache="bf16", products="bf16", attention_products="bf16"),
    "mxfp4-experts": replace(
        _all("bf16", cache="bf16", products="fp4", attention_products="bf16"), expert_weights="mxfp4", block_scales=True
    ),
    "nvfp4-experts": replace(
        _all("bf16", cache="fp8", products="fp4", attention_products="fp8"), expert_weights="nvfp4", block_scales=True
    ),
}
