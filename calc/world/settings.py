"""A measurement as a setting: the model as it was stored, on the chips that ran it, laid out as they were.

The source names one format for a run. Formats that it leaves open are read from the published checkpoints: attention of
DeepSeek's and Kimi's four-bit versions stays in 16 bits, of gpt-oss everything but the experts does; DeepSeek-V4 keeps
everything but the experts in eight.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from calc import catalog
from calc.catalog.measurement import Measurement
from calc.setting.layout import Layout
from calc.setting.precisions import Precisions
from calc.setting.published import with_blocks
from calc.setting.setting import Setting
from calc.world.repairs import STORED

ATTENTION_IN_16_BITS = frozenset({"deepseek-v3", "kimi-k2", "kimi-k2.5", "gpt-oss-120b"})
SHARED_IN_16_BITS = frozenset({"kimi-k2", "kimi-k2.5", "gpt-oss-120b"})
EXPERTS_ALONE_IN_4_BITS = frozenset({"deepseek-v4-pro"})
"""Models whose other weights, and whose products, are in eight bits."""
CACHE_IN_16_BITS = frozenset({"bf16", "int4"})


@cache
def precisions_of(model: str, precision: str) -> Precisions:
    """The formats of a model's parts in a run that the source calls by one format.

    >>> found = precisions_of("gpt-oss-120b", "fp4")
    >>> found.expert_weights, found.attention_weights, found.cache
    ('mxfp4', 'bf16', 'fp8')
    """
    stored = STORED.get(precision, precision)
    four = stored in ("fp4", "mxfp4", "int4")
    narrow = {"fp4": "nvfp4"}.get(stored, stored)
    experts = "mxfp4" if four and model == "gpt-oss-120b" else narrow
    eight = four and model in EXPERTS_ALONE_IN_4_BITS
    others = "fp8" if eight else narrow
    formats = Precisions(
        attention_weights="bf16" if four and model in ATTENTION_IN_16_BITS else others,
        shared_weights="bf16" if four and model in SHARED_IN_16_BITS else others,
        expert_weights=experts,
        head_weights="bf16",
        cache="bf16" if stored in CACHE_IN_16_BITS else "fp8",
        products="bf16" if stored == "int4" else "fp8" if eight else "fp4" if four else stored,
        attention_products="bf16",
        dispatch="bf16" if stored in CACHE_IN_16_BITS else "fp8",
    )
    return with_blocks(catalog.model(model), formats)


def layout_of(row: Measurement) -> Layout:
    """Experts over the groups that have their own attention, each group's share split over its tensor chips."""
    return Layout(tensor=row.tensor, data=row.attention_groups, expert=row.attention_groups)


def setting_of(row: Measurement) -> Setting:
    """The model, machine, formats and layout of a measurement."""
    formats = precisions_of(row.model, row.precision)
    return Setting.published(row.model, row.system, formats, layout=layout_of(row))


def fastest_setting_of(row: Measurement) -> Setting:
    """The same with all that the source leaves open as it would be fastest: a bound must hold for that as well.

    Every weight is in the format that names the run, scales cost nothing, and attention is as fast as other products.
    """
    known = setting_of(row)
    formats = known.precisions
    return replace(
        known,
        precisions=replace(
            formats,
            attention_weights=formats.expert_weights,
            shared_weights=formats.expert_weights,
            head_weights=formats.expert_weights,
            attention_products=formats.products,
            block_scales=False,
        ),
    )
