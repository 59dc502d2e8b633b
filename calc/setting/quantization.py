"""The precision in which a published file stores most of its weights, as far as its `quantization_config` says.

Each maker of quantised files writes that field in its own way. Parts that it leaves in more bits, and scales, are not
counted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

FIELD, EXPERTS = "quantization_config", "expert_dtype"
NAMED = MappingProxyType({8: "fp8", 4: "fp4"})  # by the bits of a number: as many bytes, whether whole or floating
_METHODS = MappingProxyType({"fp8": 8, "fbgemm_fp8": 8, "mxfp4": 4, "nvfp4": 4, "mxfp8": 8})
_BITS = ("bits", "w_bit", "num_bits", "weight_bits")


def stored(config: Mapping[str, Any]) -> str:
    """The precision by its name here, or an empty text where the file says none that is known.

    >>> stored({"quantization_config": {"quant_method": "fp8"}}), stored({"quantization_config": {"bits": 4}})
    ('fp8', 'fp4')
    >>> stored({}), stored({"quantization_config": {"quant_method": "aqlm"}})
    ('', '')
    """
    if config.get(EXPERTS) == "fp4":
        return "fp4"  # most weights are the experts', whatever the rest is stored in
    told = _told(config)
    if not isinstance(told, Mapping):
        return ""
    return next((NAMED[bits] for bits in _bits(told) if bits in NAMED), "")


def said(config: Mapping[str, Any]) -> str:
    """A sentence on what became of the field, or nothing where there is none.

    >>> said({"quantization_config": {"quant_method": "aqlm"}})
    'Its quantization_config (aqlm) is of a kind that is not known here: the precision stays as it was.'
    """
    told, name = _told(config), stored(config)
    if told is None and not name:
        return ""
    method = told.get("quant_method") if isinstance(told, Mapping) else None
    whose = f"{FIELD} ({method})" if isinstance(method, str) else FIELD
    if config.get(EXPERTS) == "fp4":
        whose = EXPERTS
    if not name:
        return f"Its {whose} is of a kind that is not known here: the precision stays as it was."
    return f"Its {whose} stores most weights in {name.upper()}, and so does the page from now on."


def _told(config: Mapping[str, Any]) -> Any:
    """The field itself, which a model that takes images may have in the part that is of text."""
    inner = config.get("text_config")
    return config.get(FIELD, inner.get(FIELD) if isinstance(inner, Mapping) else None)


def _bits(told: Mapping[str, Any]) -> Iterator[int]:
    """Bits of a weight, from the plainest way of saying it to the most roundabout."""
    for key in ("quant_method", "quant_algo", "fmt"):
        if str(told.get(key)).lower() in _METHODS:
            yield _METHODS[str(told[key]).lower()]
    yield from (told[key] for key in _BITS if isinstance(told.get(key), int))
    yield from (bits for bits in (8, 4) if told.get(f"load_in_{bits}bit") is True)
    groups = told.get("config_groups")
    if isinstance(groups, Mapping):
        for group in groups.values():
            weights = group.get("weights") if isinstance(group, Mapping) else None
            if isinstance(weights, Mapping):
                yield from _bits(weights)
