"""Language models, as far as their makers have published their geometry."""

from __future__ import annotations

from dataclasses import dataclass

from calc.catalog.records import Record, flag, quantity
from calc.quantities.check import Range
from calc.quantities.errors import CalcError
from calc.quantities.units import bytes_per_element


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Model(Record):
    """A language model's published geometry.

    Without a word on layers of other kinds, all layers attend to everything. Among the others, `linear_layers` keep a
    recurrent state, `selected_layers` and `compressed_layers` keep one entry for several tokens beside a window, and
    what then remains beside the full layers has a sliding window. Shared experts are as wide as routed ones. Without a
    word on groups of experts, a token may use experts of all. `native_precision` is None where no source names the
    format in which the maker stores the weights.
    """

    maker: str
    total_params: float = quantity("Total parameters", "parameters", optional=False)
    active_params: float = quantity("Active parameters", "parameters", optional=False)
    native_precision: str | None = None
    layers: int | None = quantity("Layers")
    dense_layers: int | None = quantity("Layers without experts", accepted=Range(0))
    d_model: int | None = quantity("Width of the residual stream")
    d_ff_dense: int | None = quantity("Hidden width of a dense feed-forward layer")
    d_ff_expert: int | None = quantity("Hidden width of one expert")
    vocabulary: int | None = quantity("Vocabulary", "tokens")
    tied_embeddings: bool = flag("Output head is the table of embeddings")
    heads: int | None = quantity("Attention heads")
    kv_heads: int | None = quantity("Key-value heads")
    head_dim: int | None = quantity("Width of a head")
    qk_nope_dim: int | None = quantity("Width of a query-key head without position")
    v_dim: int | None = quantity("Width of a value head")
    kv_lora_rank: int | None = quantity("Latent width (MLA)")
    q_lora_rank: int | None = quantity("Latent width of the queries (MLA)")
    rope_dim: int | None = quantity("Positional width (MLA)")
    o_lora_rank: int | None = quantity("Latent width of a group's output projection")
    o_groups: int | None = quantity("Groups of heads in the output projection")
    output_gate: bool = flag("Attention's output is gated by a projection as wide as the queries")
    shared_kv: bool = flag("Keys and values are one vector")
    full_attention_layers: int | None = quantity("Layers with full attention", accepted=Range(0))
    sliding_window: int | None = quantity("Window of the other layers", "tokens")
    linear_layers: int | None = quantity("Layers with linear attention and a recurrent state")
    linear_key_heads: int | None = quantity("Key heads of linear attention")
    linear_key_dim: int | None = quantity("Width of a key head of linear attention")
    linear_value_heads: int | None = quantity("Value heads of linear attention")
    linear_value_dim: int | None = quantity("Width of a value head of linear attention")
    linear_convolution: int | None = quantity("Tokens that the convolution of linear attention sees", "tokens")
    selected_layers: int | None = quantity("Layers with a compressed cache of which an indexer selects")
    selected_compression: int | None = quantity("Tokens in one entry of their cache", "tokens")
    compressed_layers: int | None = quantity("Layers with a compressed cache that is read whole")
    compression: int | None = quantity("Tokens in one entry of their cache", "tokens")
    routed_experts: int | None = quantity("Routed experts per layer")
    active_routed_experts: int | None = quantity("Routed experts per token")
    shared_experts: int | None = quantity("Shared experts per layer", accepted=Range(0))
    int4_block: int | None = quantity("Numbers of an expert that share a scale")
    expert_groups: int | None = quantity("Groups of experts")
    groups_per_token: int | None = quantity("Groups that a token may use")
    expert_params: float | None = quantity("Parameters of one expert, over all layers", "parameters")
    shared_params: float | None = quantity("Parameters that every token uses in attention", "parameters")
    index_heads: int | None = quantity("Heads of the sparse-attention indexer")
    index_head_dim: int | None = quantity("Width of an indexer head")
    index_bits: int | None = quantity("Bits of a number of an index key", "bits")
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
    def dense(self) -> bool:
        """Whether every token uses every parameter, so that there is nothing to route.

        >>> from calc import catalog
        >>> catalog.model("llama-3-70b").dense, catalog.model("mistral-large-3").dense
        (True, False)
        """
        return self.routed_experts is None and self.total_params == self.active_params

    @property
    def routed(self) -> tuple[int, int]:
        """Routed experts of a layer and of a token; a dense model counts as one expert that every token uses.

        >>> from calc import catalog
        >>> catalog.model("deepseek-v3").routed, catalog.model("llama-3-70b").routed
        ((256, 8), (1, 1))
        """
        return (1, 1) if self.dense else (int(self.known("routed_experts")), int(self.known("active_routed_experts")))

    @property
    def groups(self) -> tuple[float, float]:
        """Groups of experts, and those that a token may use: one of one where nothing limits it.

        >>> from calc import catalog
        >>> catalog.model("deepseek-v3").groups, catalog.model("kimi-k2").groups
        ((8, 4), (1, 1))
        """
        return (1, 1) if self.expert_groups is None else (self.expert_groups, self.known("groups_per_token"))

    @property
    def expert_layers(self) -> float:
        """Layers with experts.

        >>> from calc import catalog
        >>> catalog.model("deepseek-v3").expert_layers
        58
        """
        return 0 if self.dense else self.known("layers") - self.known("dense_layers")

    @property
    def kv_elements_per_token(self) -> float | None:
        """Numbers that the cache keeps for each token of context, where the geometry is known.

        Latent attention keeps one latent and one positional key a layer; the rest keep keys and values of every
        key-value head. Where an index selects, its key is kept beside every entry. Layers with a sliding window stop
        growing and are not counted; where one entry stands for several tokens, each adds its share.

        >>> from calc import catalog
        >>> catalog.model("deepseek-v3").kv_elements_per_token, catalog.model("deepseek-v3.2").kv_elements_per_token
        (35136, 42944)
        """
        keys = 0 if self.index_head_dim is None else self.index_head_dim
        return None if self._entry is None else self._kept(self._entry, keys)

    @property
    def _entry(self) -> int | None:
        """Numbers of one entry of a layer's cache, where the geometry is known."""
        if self.layers is None:
            return None
        if self.kv_lora_rank and self.rope_dim:
            return self.kv_lora_rank + self.rope_dim
        if self.kv_heads and self.head_dim:
            return self.kv_heads * self.head_dim * (1 if self.shared_kv else 2)
        return None

    def _kept(self, entry: float, key: float) -> float:
        """Kept for each token by all layers, of so much in an entry and so much in an index key."""
        growing = self.known("layers") if self.full_attention_layers is None else self.full_attention_layers
        if not (self.selected_layers or self.compressed_layers):
            return growing * (entry + key)
        selected = self.known("selected_layers") * (entry + key)
        whole = self.known("compressed_layers") * entry
        return growing * entry + selected / self.known("selected_compression") + whole / self.known("compression")

    def weight_bytes(self, precision: str) -> float:
        """Bytes of all parameters, stored as `precision`."""
        return self.total_params * bytes_per_element(precision)

    def kv_bytes_per_token(self, precision: str) -> float:
        """Bytes of cache that each token of context adds, stored as `precision` where it may be so narrow.

        Beside an index, numbers that carry a position keep 16 bits, and index keys have a format of their own.
        Scales are not counted.

        >>> from calc import catalog
        >>> [catalog.model(f"deepseek-{name}").kv_bytes_per_token("fp8") for name in ("v3", "v3.2", "v4-pro")]
        [35136.0, 46848.0, 4939.5]
        """
        entry, number = self._entry, bytes_per_element(precision)
        if entry is None:
            raise CalcError("model", self.id, "one whose attention geometry is published")
        if self.index_head_dim is None:
            return self._kept(entry * number, 0)
        wide = self.known("rope_dim") * max(0.0, bytes_per_element("bf16") - number)
        return self._kept(entry * number + wide, self.index_head_dim * self.known("index_bits") / 8)
