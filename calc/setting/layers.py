"""A model as groups of equal layers between a table of embeddings and a head; its parameters are counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calc.quantities.check import Quantity
from calc.setting.attention_layer import Attention
from calc.setting.feed_forward import FeedForward
from calc.setting.numbers import require_numbers


@dataclass(frozen=True)
class Layers:
    """So many layers that are alike."""

    count: Quantity
    attention: Attention
    feed_forward: FeedForward

    @property
    def params(self) -> Quantity:
        """Parameters of all of them."""
        return self.count * (self.attention.params + self.feed_forward.params)

    @property
    def active_params(self) -> Quantity:
        """Parameters of all of them that a token uses."""
        return self.count * (self.attention.params + self.feed_forward.active_params)


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """A language model by its geometry, from the catalogue (`setting.architecture`) or by hand.

    The table of embeddings is held and looked up, never read whole; a tied head is that table, and is read.

    >>> from calc.setting import dense, grouped
    >>> layers = Layers(80, grouped(8192, 64, 8, 128), dense(8192, 28672))
    >>> model = Architecture(name="Llama 3 70B", width=8192, vocabulary=128256, layers=(layers,))
    >>> round(model.params / 1e9, 2), round(model.read_params / 1e9, 2)
    (70.55, 69.5)
    """

    name: str
    width: Quantity
    vocabulary: Quantity
    layers: tuple[Layers, ...]
    tied: bool = False

    def __post_init__(self) -> None:
        require_numbers(self, at_least_one=("width", "vocabulary"))

    @property
    def layer_count(self) -> Quantity:
        """Layers of all kinds."""
        return sum(group.count for group in self.layers)

    @property
    def head_params(self) -> Quantity:
        """Parameters of the head, which every new token that is asked for multiplies."""
        return self.vocabulary * self.width

    @property
    def embedding_params(self) -> Quantity:
        """Parameters that are held and not read: the table of embeddings, unless it is the head too."""
        return 0.0 if self.tied else self.vocabulary * self.width

    @property
    def read_params(self) -> Quantity:
        """Parameters that a step can read."""
        return sum(group.params for group in self.layers) + self.head_params

    @property
    def params(self) -> Quantity:
        """All parameters: N_t."""
        return self.read_params + self.embedding_params

    @property
    def active_params(self) -> Quantity:
        """Parameters that a token multiplies: N_a, the head with them, the embeddings not."""
        return sum(group.active_params for group in self.layers) + self.head_params

    @property
    def attention_params(self) -> Quantity:
        """Parameters of attention in all layers."""
        return sum(group.count * group.attention.params for group in self.layers)

    @property
    def attention_share(self) -> Quantity:
        """Share of all parameters that is attention's."""
        return self.attention_params / self.params

    @property
    def experts(self) -> Quantity:
        """Routed experts of a layer, the most that any has; 0 if the model is dense."""
        return max(float(np.max(group.feed_forward.experts)) for group in self.layers)

    @property
    def attention_flops_per_position(self) -> Quantity:
        """Operations that one more token of context adds for a new token, over all layers: a, where none is full 0."""
        return sum(_growing(group) * group.attention.flops_per_position for group in self.layers) + sum(
            group.count / group.attention.compression * group.attention.index_flops_per_entry for group in self.layers
        )

    @property
    def expanded_attention_flops_per_position(self) -> Quantity:
        """The same while a prompt is read and latents are expanded."""
        return sum(_growing(group) * group.attention.expanded_flops_per_position for group in self.layers)


def _growing(group: Layers) -> Quantity:
    """Layers whose attention grows with the context without end, in tokens' worth."""
    at = group.attention
    found: Quantity = np.where(np.isinf(at.top_k), group.count / at.compression, 0.0)[()]
    return found
