"""Kernels that an engine starts in a step: counted layer by layer from what each kind of layer is made of.

The counts are those of the usual implementations, one kernel for each thing that cannot be fused with its neighbour:
they are taken from the architecture and not fitted. Each costs time beside its work, however little it does.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from calc.quantities.arithmetic import anywhere
from calc.quantities.check import Quantity, as_plain
from calc.quantities.units import bytes_per_element
from calc.setting import Layers, Setting

GROUPED = ("norm", "projections", "rotation and cache write", "attention", "output projection")
LATENT = (
    "norm",
    "down-projections",
    "norms of the latents",
    "query up-projection",
    "absorption of keys",
    "rotation and cache write",
    "attention",
    "merge of its parts",
    "value up-projection",
    "output projection",
)
LINEAR = (
    "norm",
    "projections",
    "projections of the gates",
    "convolution",
    "gates",
    "recurrence",
    "gated norm",
    "output projection",
)
INDEX = ("query projection", "key projection", "norm and rotation", "cache write", "scores", "selection")
DENSE = ("norm", "gate and up", "activation", "down")
EXPERTS = ("norm", "router", "selection", "sorting", "gate and up", "activation", "down", "weighted sum")
SHARED = ("gate and up", "activation", "down")
EXCHANGES = 2  # of a layer on several chips, also where a layout of it sends nothing
NARROWING = ("inputs of the output projection", "inputs of down")  # other inputs are narrowed as they are normalised
ATTENTION = MappingProxyType({"grouped": GROUPED, "latent": LATENT, "compressed": LATENT, "linear": LINEAR})


def layer_kernels(group: Layers, narrow: bool) -> int:
    """Kernels of one layer on one chip, without those that send; `narrow` if products take fewer than 16 bits.

    >>> layers = Setting.published("deepseek-v3", "hgx-h200", "fp8").model.layers
    >>> [layer_kernels(group, narrow=True) for group in layers]
    [16, 23]
    """
    kernels = [*ATTENTION[group.attention.kind], *(NARROWING if narrow else ())]
    if anywhere(group.attention.index_heads > 0):
        kernels += INDEX
    part = group.feed_forward
    kernels += EXPERTS if part.routed else DENSE
    if part.routed and anywhere(part.shared > 0):
        kernels += SHARED
    return len(kernels)


def kernels(setting: Setting) -> Quantity:
    """Kernels of a step on one chip: those of every layer, and with several chips two exchanges a layer.

    >>> kernels(Setting.published("llama-3-70b", "hgx-h100", "fp8", chips=8))
    1040.0
    """
    layers, narrow = setting.model.layers, bytes_per_element(setting.precisions.products) < 2
    sending = EXCHANGES * setting.model.layer_count * (np.asarray(setting.layout.stage_chips) > 1)
    found: Quantity = np.asarray(sum(group.count * layer_kernels(group, narrow) for group in layers) + sending, float)
    return as_plain(found)
