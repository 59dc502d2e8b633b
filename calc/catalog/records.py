"""The shapes of a catalogue row. Every field that holds a quantity carries its unit; every row its sources and date."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field, fields
from typing import Any

from calc.errors import UnknownName
from calc.units import BITS_PER_ELEMENT, bytes_per_element


def quantity(label: str, unit: str = "", *, optional: bool = True) -> Any:
    """A field that holds a number in `unit`, shown to readers under `label`."""
    metadata = {"label": label, "unit": unit}
    return field(default=None, metadata=metadata) if optional else field(metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where a fact was read: `kind` is primary, secondary, rumour or arithmetic."""

    id: str
    title: str
    publisher: str
    kind: str
    as_of: dt.date
    url: str = ""


def standing(sources: tuple[Source, ...]) -> str:
    """The best kind among sources."""
    kinds = [source.kind for source in sources]
    return next(kind for kind in ("primary", "arithmetic", "secondary", "rumour") if kind in kinds)


@dataclass(frozen=True)
class Fact:
    """One value with everything that a reader needs in order to trust it, or not."""

    value: Any
    label: str
    unit: str
    sources: tuple[Source, ...]
    as_of: dt.date
    note: str

    @property
    def standing(self) -> str:
        """`primary` if one source is; else the best that there is: secondary or rumour."""
        return standing(self.sources)


@dataclass(frozen=True, kw_only=True)
class Record:
    """A dated row. The newest row of an `id` is the one in force; older ones stay."""

    id: str
    name: str
    as_of: dt.date
    sources: tuple[Source, ...]
    note: str = ""

    @property
    def standing(self) -> str:
        """`primary` if one source is; else the best that there is: secondary or rumour."""
        return standing(self.sources)

    def fact(self, name: str) -> Fact:
        """The field called `name` with its unit, sources and date."""
        known = {f.name: f for f in fields(self) if "label" in f.metadata and getattr(self, f.name) is not None}
        if name not in known:
            raise UnknownName("fact", name, known)
        metadata = known[name].metadata
        return Fact(getattr(self, name), metadata["label"], metadata["unit"], self.sources, self.as_of, self.note)

    def facts(self) -> dict[str, Fact]:
        """Every quantity of this row that is known."""
        held = (f.name for f in fields(self) if "label" in f.metadata and getattr(self, f.name) is not None)
        return {name: self.fact(name) for name in held}


@dataclass(frozen=True, kw_only=True)
class Chip(Record):
    """One accelerator package: dense rates, one direction for links."""

    vendor: str
    bf16_flops: float | None = quantity("BF16, dense", "FLOP/s")
    fp8_flops: float | None = quantity("FP8, dense", "FLOP/s")
    fp4_flops: float | None = quantity("FP4, dense", "FLOP/s")
    fp4_training_flops: float | None = quantity("FP4 in training, dense", "FLOP/s")
    int8_ops: float | None = quantity("INT8, dense", "FLOP/s")
    hbm_bytes: float = quantity("HBM capacity", "B", optional=False)
    hbm_bandwidth: float = quantity("HBM bandwidth", "B/s", optional=False)
    watts: float | None = quantity("Power", "W")

    def flops(self, precision: str) -> float:
        """The dense rate at which numbers stored as `precision` are multiplied.

        A format that the chip cannot multiply is widened to the narrowest one that it can: four-bit weights on an
        H100 are stored in four bits and multiplied at the FP8 rate.
        """
        return self._rates()[self.arithmetic(precision)]

    def arithmetic(self, precision: str) -> str:
        """The format in which this chip multiplies numbers that are stored as `precision`.

        All formats of one width count as one: eight-bit floats on a chip that has only INT8 take its INT8 rate.

        >>> from calc import catalog
        >>> catalog.chip("h100-sxm").arithmetic("fp4"), catalog.chip("b200-sxm").arithmetic("fp4")
        ('fp8', 'fp4')
        >>> catalog.chip("a100-sxm").arithmetic("fp8"), catalog.chip("tpu-v5p").arithmetic("int8")
        ('int8', 'int8')
        """
        bits = 8 * bytes_per_element(precision)
        if precision.lower() in self._rates():
            return precision.lower()
        wide_enough = [name for name in self._rates() if BITS_PER_ELEMENT[name] >= bits]
        if not wide_enough:
            raise UnknownName("precision", precision, self._rates())
        return min(wide_enough, key=lambda name: BITS_PER_ELEMENT[name])

    def _rates(self) -> dict[str, float]:
        rates = {"bf16": self.bf16_flops, "fp8": self.fp8_flops, "int8": self.int8_ops, "fp4": self.fp4_flops}
        return {name: rate for name, rate in rates.items() if rate is not None}


@dataclass(frozen=True, kw_only=True)
class System(Record):
    """Chips in one scale-up domain, and the links within and out of it (per chip, one direction)."""

    chip: Chip
    chips: int = quantity("Chips in the scale-up domain", optional=False)
    scale_up_bandwidth: float | None = quantity("Scale-up link per chip", "B/s")
    scale_out_bandwidth: float | None = quantity("Scale-out link per chip", "B/s")
    watts: float | None = quantity("Power of the domain", "W")

    @property
    def hbm_bytes(self) -> float:
        """Memory of the whole domain."""
        return self.chips * self.chip.hbm_bytes

    @property
    def hbm_bandwidth(self) -> float:
        """Memory bandwidth of the whole domain."""
        return self.chips * self.chip.hbm_bandwidth

    def flops(self, precision: str) -> float:
        """Dense rate of the whole domain."""
        return self.chips * self.chip.flops(precision)


@dataclass(frozen=True, kw_only=True)
class Model(Record):
    """A language model's published geometry."""

    maker: str
    total_params: float = quantity("Total parameters", "parameters", optional=False)
    active_params: float = quantity("Active parameters", "parameters", optional=False)
    native_precision: str = "bf16"
    layers: int | None = quantity("Layers")
    dense_layers: int | None = quantity("Layers without experts")
    d_model: int | None = quantity("Width of the residual stream")
    d_ff_dense: int | None = quantity("Hidden width of a dense feed-forward layer")
    d_ff_expert: int | None = quantity("Hidden width of one expert")
    heads: int | None = quantity("Attention heads")
    kv_heads: int | None = quantity("Key-value heads")
    head_dim: int | None = quantity("Width of a head")
    qk_nope_dim: int | None = quantity("Width of a query-key head without position")
    v_dim: int | None = quantity("Width of a value head")
    kv_lora_rank: int | None = quantity("Latent width (MLA)")
    q_lora_rank: int | None = quantity("Latent width of the queries (MLA)")
    rope_dim: int | None = quantity("Positional width (MLA)")
    full_attention_layers: int | None = quantity("Layers with full attention")
    sliding_window: int | None = quantity("Window of the other layers", "tokens")
    routed_experts: int | None = quantity("Routed experts per layer")
    active_routed_experts: int | None = quantity("Routed experts per token")
    shared_experts: int | None = quantity("Shared experts per layer")
    expert_groups: int | None = quantity("Groups of experts")
    groups_per_token: int | None = quantity("Groups that a token may use")
    expert_params: float | None = quantity("Parameters of one expert, over all layers", "parameters")
    shared_params: float | None = quantity("Parameters that every token uses in attention", "parameters")
    index_heads: int | None = quantity("Heads of the sparse-attention indexer")
    index_head_dim: int | None = quantity("Width of an indexer head")
    index_top_k: int | None = quantity("Tokens that sparse attention attends to", "tokens")
    index_key_bytes: int | None = quantity("Index key of one token and layer, as stored", "B")
    attended_kv_bytes: int | None = quantity("Cache of one attended token and layer, as stored", "B")
    train_tokens: float | None = quantity("Training tokens", "tokens")
    pretrain_chip_hours: float | None = quantity("Pre-training time", "chip-hours")
    train_chip_hours: float | None = quantity("Training time", "chip-hours")
    tensor_parallel: int | None = quantity("Chips that share a layer")
    pipeline_parallel: int | None = quantity("Pipeline stages")
    batch_tokens: float | None = quantity("Training batch", "tokens")
    max_context: int | None = quantity("Longest context offered", "tokens")

    @property
    def sparsity(self) -> float:
        """Total over active parameters, at least 1."""
        return self.total_params / self.active_params

    @property
    def kv_elements_per_token(self) -> float | None:
        """Numbers that the cache keeps for each token of context, where the geometry is known.

        Latent attention keeps one latent and one positional key a layer; the rest keep keys and values of every
        key-value head. Layers with a sliding window stop growing and are not counted.
        """
        growing = self.full_attention_layers or self.layers
        if growing is None:
            return None
        if self.kv_lora_rank and self.rope_dim:
            return growing * (self.kv_lora_rank + self.rope_dim)
        if self.kv_heads and self.head_dim:
            return growing * 2 * self.kv_heads * self.head_dim
        return None

    def weight_bytes(self, precision: str) -> float:
        """Bytes of all parameters, stored as `precision`."""
        return self.total_params * bytes_per_element(precision)

    def kv_bytes_per_token(self, precision: str) -> float:
        """Bytes of cache that each token of context adds, stored as `precision`."""
        elements = self.kv_elements_per_token
        if elements is None:
            raise UnknownName("model", self.id, ["a model whose attention geometry is published"])
        return elements * bytes_per_element(precision)
