"""The part of a layer's weights that lies on one chip, in parameters: split, copied, or placed whole."""

from __future__ import annotations

import numpy as np

from calc.quantities.arithmetic import whole_up
from calc.quantities.check import Quantity
from calc.setting.attention_layer import Attention
from calc.setting.feed_forward import FeedForward
from calc.setting.layout import Layout


def attention_params(attention: Attention, layout: Layout) -> tuple[Quantity, Quantity]:
    """Parameters of a layer's attention on a chip: before attention proper, and behind it.

    Parameters that heads own are split among tensor chips, shared ones in as many parts as they have, and
    down-projections to a latent are on each.
    """
    by_heads = np.minimum(layout.tensor, attention.heads)
    before = attention.heads_in / by_heads + attention.shared_in / np.minimum(layout.tensor, attention.splits)
    return before + attention.replicated, attention.heads_out / by_heads


def placed_experts(part: FeedForward, layout: Layout) -> Quantity:
    """Experts' worth of weights of a layer on the fullest chip: ceil(E / x) whole ones, shared by S / x chips."""
    return whole_up(part.experts / layout.expert) / layout.expert_chips


def cache_ways(attention: Attention, layout: Layout) -> Quantity:
    """In how many parts tensor chips split a sequence's cache: by heads as far as they go, and by tokens."""
    found: Quantity = np.minimum(layout.tensor / layout.context, attention.splits) * layout.context
    return found
