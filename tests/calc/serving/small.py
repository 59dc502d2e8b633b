"""Small models and machines whose numbers can be followed by hand."""

from __future__ import annotations

from calc import catalog
from calc.serving.shapes import Machine, ModelShape

PLAIN = {"layers": 10, "width": 100, "bytes_per_weight": 1, "kv_bytes_per_token": 10, "cache_splits": 4}
NO_ATTENTION = {"decode_flops": 0, "prefill_flops": 0}
MIXED = {"shared_params": 1000, "expert_params": 10, "experts": 12, "experts_per_token": 2, "expert_layers": 5}
CHIP = {"flops": 1e6, "bandwidth": 1e3, "hbm_bytes": 1200, "domain_chips": 8, "scale_up": 100, "scale_out": 10}


def mixed(**other):
    return ModelShape(**{**MIXED, **PLAIN, **NO_ATTENTION, **other})


def published(model, precision="fp8"):
    return ModelShape.published(catalog.model(model), precision)


def machine(**other):
    return Machine(**{**CHIP, **other})
